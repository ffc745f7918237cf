/* The members of `struct game` that are not declared elsewhere; see engine/game/game.h for their
 * contracts. Suggested order of reading: superstore.c, play.c, turn.c, wishes.c, plan.c, legal.c,
 * score.c, view.c. */
#ifndef TILLROLL_SUPERSTORE_RULES_H
#define TILLROLL_SUPERSTORE_RULES_H

#include "engine/game/game.h"
#include "engine/games/superstore-3000/notation.h"
#include "engine/games/superstore-3000/plan.h"
#include "engine/games/superstore-3000/state.h"

void superstore_setup(const struct game *game, void *state, unsigned seats,
                      const struct game_options *options, const struct chance *chance);

/* A table for `seats` before anything is drawn: no tiles, no attractions, the bays available. */
void superstore_clear(struct superstore_state *state, unsigned seats);

uint32_t superstore_deciders(const void *state);
bool superstore_play(const struct game *game, void *state, unsigned seat, struct span move,
                     const struct chance *chance, struct refusal *refusal);

void superstore_legal(const struct game *game, const void *state, unsigned seat,
                      struct move_list *list);
void superstore_fallback(const struct game *game, const void *state, unsigned seat,
                         struct text *move);

json_t *superstore_view(const struct game *game, const void *state, struct viewer viewer);
json_t *superstore_events(const struct game *game, const void *before, const void *after,
                          const struct ply *ply, struct viewer viewer);

void superstore_weigh(const struct game *game, const void *state, unsigned seat,
                      const struct move_list *legal, int32_t *weight);

void superstore_play_best(const struct game *game, void *state, unsigned seat,
                          const struct chance *chance);
void superstore_finish(const struct game *game, void *state, const struct chance *chance);

extern const struct game game_superstore_3000_1_0_0;

/* ---- Automatic steps between two decisions (turn.c) ---- */

/* Settles the wishes of the active seat's mall (rulebook, Move Customers): customers with a single
 * possible store go there. Stops at SERVE if the seat has a choice; otherwise refills the waiting
 * dispenser column and passes the turn. `added`: nobody could be served before the mall's last tile
 * was added. `chance` may be NULL where no luck is told. */
void superstore_settle(const struct superstore_components *set, struct superstore_state *state,
                       bool added, const struct chance *chance);

/* Ends the turn of the active seat, in whose mall no customer can be served any more. */
void superstore_end_turn(const struct superstore_components *set, struct superstore_state *state,
                         const struct chance *chance);

/* The next tile of the supply, which is turned up. `chance` may be NULL. */
uint8_t superstore_reveal(const struct superstore_components *set, struct superstore_state *state,
                          const struct chance *chance);

/* ---- Trying moves (policy.c) ---- */

/* Lists what the active seat can do at ACT, in the order of superstore_legal(). Returns how many
 * moves that is; `moves` has room for as many as the game can have. */
size_t superstore_list_actions(const struct superstore_components *set,
                               const struct superstore_state *state, struct superstore_move *moves);

/* Lists the active seat's choices at SERVE, in any order. Returns how many there are; `moves` has
 * room as above. */
size_t superstore_list_services(const struct superstore_components *set,
                                const struct superstore_state *state,
                                struct superstore_move *moves);

void superstore_write_service(const struct superstore_components *set,
                              const struct superstore_move *service, struct text *text);

/* Makes a move that is legal. Wishes are not settled yet. */
void superstore_apply(const struct superstore_components *set, struct superstore_state *state,
                      const struct superstore_move *move);

/* Takes the tile from a slot of the dispenser, closes the gap in the column, and marks it for a new
 * tile. Returns the tile. */
uint8_t superstore_take(struct superstore_state *state, unsigned column, unsigned row);

/* The game ends with this round. `supply` says which of the two reasons applies. */
void superstore_trigger_end(struct superstore_state *state, bool supply);

/* For worked cases: cases.c. */
extern const struct game_cases superstore_worked_cases;

#endif
