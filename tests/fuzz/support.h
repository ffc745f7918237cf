/* What the fuzzing targets share. A target is one file with one function that takes any bytes:
 *
 *      build/fuzz       the function is called by libFuzzer, which looks for bytes that break it
 *      other builds     replay_corpus.c calls it with the files of corpus/<target>, in the suite
 *
 * A target does not only have to survive: what must hold is said with FUZZ_MUST, and ends the
 * program where it does not. Nothing may depend on an earlier call.
 */
#ifndef TILLROLL_TESTS_FUZZ_SUPPORT_H
#define TILLROLL_TESTS_FUZZ_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/game/game.h"

/* The target. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define FUZZ_MUST(condition) ((condition) ? (void)0 : fuzz_fail(#condition, __FILE__, __LINE__))

_Noreturn void fuzz_fail(const char *condition, const char *file, int line);

/* The bytes of one call, from which choices are taken until none are left; then they are all 0. */
struct fuzz_input {
    const uint8_t *at;
    size_t left;
};

/* Also makes libsodium ready. */
struct fuzz_input fuzz_begin(const uint8_t *bytes, size_t size);

uint8_t fuzz_byte(struct fuzz_input *input);

/* 0 .. n - 1, 1 <= n <= 65536; takes one byte for n <= 256, else two. */
unsigned fuzz_below(struct fuzz_input *input, unsigned n);

/* The rest of the bytes up to the next LF, which is skipped; or all. */
struct span fuzz_line(struct fuzz_input *input);

/* All that is left. Never with at = NULL. */
struct span fuzz_rest(struct fuzz_input *input);

/* A copy with a NUL behind it, cut at the first NUL inside; in `bytes`, which has `room` of them.
 */
const char *fuzz_string(struct span span, char *bytes, size_t room);

/* Ends the program unless `text` is the words with one space between them. */
void fuzz_check_words(const struct words *words, struct span text);

#endif
