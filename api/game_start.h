/* Starting a game: its secret, its commitment, its record's header. */
#ifndef TILLROLL_API_GAME_START_H
#define TILLROLL_API_GAME_START_H

#include "api/event_load.h"
#include "db/games.h"
#include "db/waiting_games.h"

/* A game at a table that starts now, as the event's settings say; the caller adds who sits where.
 * Its texts are the event's, or in the arena. */
struct game_row game_of_table(struct call *call, const struct loaded_event *loaded,
                              const struct tournament_table *table);

/* Creates the game and its record inside the open transaction. `game` names the ruleset, options,
 * seats, event, round, table and start. False with a problem. */
bool game_start(struct call *call, const struct game_row *game);

/* The same for a game with a board, which is played with its round's secret. */
bool game_start_on_board(struct call *call, const struct game_row *game,
                         const uint8_t secret[static KEYS_SECRET_BYTES]);

/* The same for a game that has waited for its players' entropy, with what they have given. */
bool game_start_after_wait(struct call *call, const struct game_row *game,
                           const struct waiting_game *waiting);

/* Has a game that is to be started wait for its players' entropy first, for `seconds` at most: its
 * secret is drawn, sealed and committed to. False with a problem. */
bool game_wait(struct call *call, const struct game_row *game, unsigned seconds);

#endif
