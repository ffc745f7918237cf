/* The verifier that runs in browsers: what `tillroll verify` does with a record or a bundle, the
 * same engine compiled to WebAssembly, behind five functions.
 *
 *      web-static/pages/verify.js         the page
 *      web-static/verify/verify-worker.js  runs beside it
 *      web-static/verify/verifier.js       puts a file into verifier_room() and calls
 * verifier_judge() verifier.c                   engine/log/bundle.h for one file hash256.h,
 * blake2b.h ...     in the place of libsodium; include/sodium.h has the names left_out.c what a
 * replay does not need of the games
 *
 * It has no memory of its own beside the room for one file, and asks for two things (imports):
 * whether an Ed25519 signature holds (ed25519.h), and to tell how far it has come.
 */
#ifndef TILLROLL_ENGINE_WASM_VERIFIER_H
#define TILLROLL_ENGINE_WASM_VERIFIER_H

#include <stddef.h>
#include <stdint.h>

/* Where a file is to be put, and how many bytes fit: every record, with signatures and proof. */
char *verifier_room(void);
size_t verifier_room_size(void);

/* Judges the bundle of `size` bytes in the room. Behind it stand the `key_size` bytes of a server's
 * verification key (0: of none), by which the signatures and the proof that the bundle has are
 * held: what it does not have is not missed. Returns an `enum verdict`. */
int verifier_judge(size_t size, size_t key_size);

/* Judges the players' signatures, `signatures_size` bytes behind a bundle of `size` bytes; of the
 * record itself, only its form. Returns an `enum verdict`. */
int verifier_judge_players(size_t size, size_t signatures_size);

/* What was said, lines as `tillroll verify` prints them behind the file's name, and what was found,
 * words for the page (verifier.c). Texts that end with NUL and stay until the next call. */
const char *verifier_said(void);
const char *verifier_found(void);

/* Is told now and then how many lines of the record are good so far. Whoever runs this provides it.
 */
extern void verifier_told(uint32_t lines);

#endif
