/* The members of `struct game` that are not declared elsewhere; see engine/game/game.h for their
 * contracts. Suggested order of reading: mall_world.c, turn.c, play.c, legal.c, view.c. */
#ifndef TILLROLL_MALL_WORLD_RULES_H
#define TILLROLL_MALL_WORLD_RULES_H

#include "engine/game/game.h"
#include "engine/games/mall-world/moves.h"
#include "engine/games/mall-world/state.h"

void mall_world_setup(const struct game *game, void *state, unsigned seats,
                      const struct game_options *options, const struct chance *chance);

/* A table for `seats` before anything is laid out or drawn. */
void mall_world_clear(struct mall_world_state *state, unsigned seats);

uint32_t mall_world_deciders(const void *state);
bool mall_world_play(const struct game *game, void *state, unsigned seat, struct span move,
                     const struct chance *chance, struct refusal *refusal);

/* Three cards on offer, two moves with each in 36 rooms. */
enum { LEGAL_MAX = 216 };

/* Lists the seat's legal moves in the order of mall_world_legal(). Returns how many there are. */
size_t mall_world_list_options(const struct mall_world_components *set,
                               const struct mall_world_state *state, unsigned seat,
                               struct mall_world_option list[static LEGAL_MAX]);

/* Applies a legal move and then every automatic step. */
void mall_world_make_move(const struct mall_world_components *set, struct mall_world_state *state,
                          unsigned seat, const struct mall_world_option *option,
                          const struct chance *chance);

void mall_world_legal(const struct game *game, const void *state, unsigned seat,
                      struct move_list *list);
void mall_world_fallback(const struct game *game, const void *state, unsigned seat,
                         struct text *move);

json_t *mall_world_view(const struct game *game, const void *state, struct viewer viewer);
json_t *mall_world_events(const struct game *game, const void *before, const void *after,
                          const struct ply *ply, struct viewer viewer);

void mall_world_weigh(const struct game *game, const void *state, unsigned seat,
                      const struct move_list *legal, int32_t *weight);
void mall_world_play_best(const struct game *game, void *state, unsigned seat,
                          const struct chance *chance);

/* For worked cases: cases.c. */
extern const struct game_cases mall_world_worked_cases;

/* The name of the decision point in the rules: `ACCEPT`, `PROGRESS`, `BID`, `REALIZE`, `SUPPLY`. */
const char *mall_world_point_name(unsigned point);

#endif
