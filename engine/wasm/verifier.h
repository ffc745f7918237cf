/* The verifier for browsers: does what `tillroll verify` does with a record or a bundle. It is the
 * same engine compiled to WebAssembly, behind five functions.
 *
 *      web-static/pages/verify.js          the page
 *      web-static/verify/verify-worker.js  runs beside it
 *      web-static/verify/verifier.js       puts a file into the buffer and calls the functions
 *      verifier.c                          applies engine/log/bundle.h to one file
 *      hash256.h, blake2b.h ...            stand in for libsodium; names in include/sodium.h
 *      left_out.c                          stubs for what a replay does not need of the games
 *
 * It has no memory besides the buffer for one file. It has two imports: the check of an Ed25519
 * signature (ed25519.h), and the report of progress.
 */
#ifndef TILLROLL_ENGINE_WASM_VERIFIER_H
#define TILLROLL_ENGINE_WASM_VERIFIER_H

#include <stddef.h>
#include <stdint.h>

/* The buffer for a file, and its size: enough for every record with signatures and proof. */
char *verifier_room(void);
size_t verifier_room_size(void);

/* Judges the bundle of `size` bytes in the buffer. It is followed by the `key_size` bytes of a
 * server's verification key (0: none), against which the bundle's signatures and proof are checked;
 * missing ones are no error. Instead of the key it can be a trust policy
 * (engine/log/trust_policy.h), which requires a proof and decides about witnesses; then
 * cosignatures from before `not_before_s` (seconds since 1970; 0: none) do not count. The key is
 * followed by the `changes_size` bytes of the history of the log's key (engine/log/key_chain.h; 0:
 * none). Returns an `enum verdict`. */
int verifier_judge(size_t size, size_t key_size, size_t changes_size, uint32_t not_before_s);

/* Judges the players' signatures, `signatures_size` bytes after a bundle of `size` bytes; of the
 * record itself, only the form. Returns an `enum verdict`. */
int verifier_judge_players(size_t size, size_t signatures_size);

/* The messages, in the lines that `tillroll verify` prints after the file's name, and the findings,
 * in words for the page (verifier.c). NUL-terminated texts that stay until the next call. */
const char *verifier_said(void);
const char *verifier_found(void);

/* Called from time to time with the number of lines of the record that are valid so far. The host
 * provides it. */
extern void verifier_told(uint32_t lines);

#endif
