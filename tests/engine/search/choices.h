/* What a level chooses in fixed positions of a game, as a digest: it changes when the level plays
 * otherwise. The game is one that regular players play among themselves, three of them if the game
 * allows it, from a seed of bytes 7. The positions are those at which so many sixteenths of its
 * plies are played, each from there to the next decision with a choice, of the first seat that has
 * to decide. The head of the record, from which the luck comes (level_luck()), is 32 times the
 * number of sixteenths.
 *
 * tests/engine/wasm/practice.test.mjs does the same with the engine for browsers. */
#ifndef TILLROLL_TESTS_CHOICES_H
#define TILLROLL_TESTS_CHOICES_H

#include "engine/search/level.h"

enum { CHOICES_HEX = 16 };

/* SHA-256 of the chosen moves, each followed by a line feed: its first digits. `imagined`: each
 * position is imagined anew for the seat before it is asked. */
void choices_digest(const struct game *game, const struct level *level, bool imagined,
                    char hex[static CHOICES_HEX + 1]);

#endif
