/* Starting a game: its secret, its commitment, its record's header. */
#ifndef TILLROLL_API_GAME_START_H
#define TILLROLL_API_GAME_START_H

#include "api/call.h"
#include "db/games.h"

/* Creates the game and its record inside the open transaction. `game` names the ruleset, options,
 * seats, event, round, table and start. False with a problem. */
bool game_start(struct call *call, const struct game_row *game);

/* The same for a game with a board, which is played with its round's secret. */
bool game_start_on_board(struct call *call, const struct game_row *game,
                         const uint8_t secret[static KEYS_SECRET_BYTES]);

#endif
