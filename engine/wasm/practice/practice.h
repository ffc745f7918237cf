/* The games for browsers: the service's rules, views and levels of play compiled to WebAssembly,
 * for practice games.
 *
 *      web-static/pages/practice.js            the page
 *      web-static/practice/practice-worker.js  runs beside it
 *      web-static/practice/practice.js         keeps the game: its seed and its plies
 *      json.c                                  stands in for Jansson
 *
 * There is one game at a time. The module has no imports. Texts are NUL-terminated JSON in UTF-8
 * and stay until the next call. A seat outside the game traps, as does any call before
 * practice_start().
 */
#ifndef TILLROLL_ENGINE_WASM_PRACTICE_PRACTICE_H
#define TILLROLL_ENGINE_WASM_PRACTICE_PRACTICE_H

#include <stddef.h>
#include <stdint.h>

/* The buffer for a call's arguments: at most PRACTICE_ROOM bytes. */
enum { PRACTICE_ROOM = 256 };
char *practice_room(void);

/* Describes the newest version of the game whose slug is the `size` bytes in the buffer:
 * {"version", "title", "seats_min", "seats_max", "levels"}, the levels' names with the weakest
 * first, or null if there is none. */
const char *practice_about(size_t size);

/* The buffer for a component set: at most PRACTICE_SET_ROOM bytes, more than the reader takes. */
enum { PRACTICE_SET_ROOM = 256 * 1024 + 1 };
char *practice_set_room(void);

/* Reads the `set_size` bytes in the buffer for sets as a component set of the game whose slug is
 * the `size` bytes in the buffer, as services do: {"components": its SHA-256}, or {"line", "path",
 * "message"}, what is wrong with it (struct component_fault); null if there is no such game. */
const char *practice_check(size_t size, size_t set_size);

/* Begins a game with the set that was checked last, if it was good; the buffer holds the seed.
 * Returns 1, or 0 if there is no such set, or it is not for this many seats. */
int practice_start_checked(unsigned seats);

/* Begins a game. The buffer holds the seed, 32 bytes, and the slug, `size` bytes. Every option has
 * its initial value. Returns 1, or 0 if there is no such game for this many seats. */
int practice_start(size_t size, unsigned seats);

/* The seats that have to decide, bit s for seat s. 0: the game is over. */
uint32_t practice_deciders(void);

/* The seat's legal moves, a list of strings. */
const char *practice_legal(unsigned seat);

/* What the seat may see. */
const char *practice_view(unsigned seat);

/* The move of a level for a deciding seat, a string, found from what that seat may know; null if
 * there is no such level. The buffer holds the head, 32 bytes that are different for each decision
 * (level_luck() in engine/search/level.h), and the level's name, `size` bytes. */
const char *practice_choose(unsigned seat, size_t size);

/* Plays the move of `size` bytes in the buffer. null, or {"code", "message"} if it is refused. */
const char *practice_play(unsigned seat, size_t size);

/* What the last ply did, limited to what the seat may know: a list of events. */
const char *practice_events(unsigned seat);

/* Scores and ranks as if the game ended now: a list of {"score", "rank"}, one per seat. */
const char *practice_outcome(void);

#endif
