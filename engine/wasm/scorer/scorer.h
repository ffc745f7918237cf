/* The games for browsers, for following one that is played with printed components: a record of
 * version 2 grows entry by entry, as `tillroll scorer` writes it.
 *
 *      web-static/scorer/engine-worker.js   runs it beside the page
 *      web-static/scorer/engine.js          keeps the entries, and what each of them did
 *
 * There is one game at a time. The module has no imports. Texts are NUL-terminated JSON in UTF-8
 * and stay until the next call. Entries are those of a record without their marks, one a line. A
 * step is the set-up (`deal`), a ply or several that are decided at the same time, or the end
 * (`show`), with what is told (`bind`) in front; or a `back`. Seats outside the game trap, as does
 * any call before scorer_begin().
 */
#ifndef TILLROLL_ENGINE_WASM_SCORER_SCORER_H
#define TILLROLL_ENGINE_WASM_SCORER_SCORER_H

#include <stddef.h>
#include <stdint.h>

/* The buffer for a call's argument: at most SCORER_ROOM bytes. */
enum { SCORER_ROOM = 320 * 1024 };
char *scorer_room(void);

/* Begins with the record's header in the buffer, all lines with their marks; behind it are the
 * `set_size` bytes of the component set that it names, 0 for the ruleset's own. {"slug", "version",
 * "seats"}, or {"refused": {"code", "message"}}. */
const char *scorer_begin(size_t size, size_t set_size);

/* Tries a step, and takes it if `commit` is not 0. {"asks": place} if something comes from there
 * that has not been told; {"refused": {"code", "message"}}; or {"rows": [{"events"}]}, what each
 * entry did for a spectator's eyes, null for others than plies. Unless there are rows, nothing has
 * changed. */
const char *scorer_step(size_t size, int commit);

/* Which components can come from a place now. The buffer holds a line `<place> <word> <word> ..`,
 * the words to choose from, and the step so far. A list of words, in their order. */
const char *scorer_fitting(size_t size);

/* Writes the results and the head, once everything has been shown: the number of lines. */
uint32_t scorer_finish(void);

/* {"seq", "elapsed_ms", "phase", "deciders", "outcome", "together"}: the last entry, what comes
 * next (`deal`, `play`, `show` or `finished`), the seats that decide, scores and ranks as if the
 * game ended now; 1 if the last ply was one of several that are decided at the same time, and more
 * follow. */
const char *scorer_state(void);

/* Legal moves, a list of strings. Of hidden hands, only those of one arrangement that is possible:
 * scorer_step() takes all others, too. */
const char *scorer_legal(unsigned seat);

/* What a seat sees, with the same reservation; or a spectator, for a number that is no seat. */
const char *scorer_view(unsigned seat);

/* The record so far, as JSON string. */
const char *scorer_record(void);

#endif
