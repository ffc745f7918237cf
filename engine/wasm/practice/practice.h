/* The games for browsers: the same rules, views and adviser as the service's, compiled to
 * WebAssembly, for a game that somebody plays alone.
 *
 *      web-static/pages/practice.js            the page
 *      web-static/practice/practice-worker.js  runs beside it
 *      web-static/practice/practice.js         keeps the game: its seed and its plies
 *      json.c                                  in the place of Jansson
 *
 * There is one game at a time. It asks for nothing (no imports). Texts are JSON in UTF-8 that end
 * with NUL and stay until the next call. Seats are below the number of seats: else it traps, as it
 * does for a call before practice_start().
 */
#ifndef TILLROLL_ENGINE_WASM_PRACTICE_PRACTICE_H
#define TILLROLL_ENGINE_WASM_PRACTICE_PRACTICE_H

#include <stddef.h>
#include <stdint.h>

/* Where what a call takes is to be put: at most PRACTICE_ROOM bytes. */
enum { PRACTICE_ROOM = 256 };
char *practice_room(void);

/* Of the newest version of the game whose slug is the `size` bytes in the room: {"version",
 * "title", "seats_min", "seats_max"}, or null if there is none. */
const char *practice_about(size_t size);

/* Begins a game: in the room stand the seed, 32 bytes, and the slug, `size` bytes. Every option has
 * its initial value. Returns 1, or 0 if there is no such game for so many seats. */
int practice_start(size_t size, unsigned seats);

/* The seats that have to decide, bit s for seat s. 0: the game is over. */
uint32_t practice_deciders(void);

/* The seat's legal moves, a list of strings. */
const char *practice_legal(unsigned seat);

/* What the seat may see. */
const char *practice_view(unsigned seat);

/* The move that the adviser makes for a seat that has to decide, from that seat's view alone: a
 * string. */
const char *practice_advice(unsigned seat);

/* Plays the move of `size` bytes in the room. null, or {"code", "message"} if it is refused. */
const char *practice_play(unsigned seat, size_t size);

/* What the last ply did, as far as the seat may know: a list of events. */
const char *practice_events(unsigned seat);

/* Scores and ranks as if the game ended now: a list of {"score", "rank"}, one a seat. */
const char *practice_outcome(void);

#endif
