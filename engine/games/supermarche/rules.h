/* The members of `struct game` that are not declared elsewhere; see engine/game/game.h for their
 * contracts. Suggested order of reading: supermarche.c, turn.c, play.c, legal.c, view.c. */
#ifndef TILLROLL_SUPERMARCHE_RULES_H
#define TILLROLL_SUPERMARCHE_RULES_H

#include "engine/game/game.h"
#include "engine/games/supermarche/state.h"

/* A table before anything is dealt or put on the shelves, in round 1. */
void supermarche_clear(struct supermarche_state *state);

/* Initial money, and the cubes that fill the Store. */
void supermarche_lay_out(const struct supermarche_components *set, struct supermarche_state *state,
                         unsigned difficulty);

uint32_t supermarche_deciders(const void *state);
bool supermarche_play(const struct game *game, void *state, unsigned seat, struct span move,
                      const struct chance *chance, struct refusal *refusal);

void supermarche_legal(const struct game *game, const void *state, unsigned seat,
                       struct move_list *list);
void supermarche_fallback(const struct game *game, const void *state, unsigned seat,
                          struct text *move);

json_t *supermarche_view(const struct game *game, const void *state, struct viewer viewer);
json_t *supermarche_events(const struct game *game, const void *before, const void *after,
                           const struct ply *ply, struct viewer viewer);

void supermarche_finish(const struct game *game, void *state, const struct chance *chance);
size_t supermarche_sketch(const struct game *game, const void *state, unsigned seat,
                          const struct move_list *legal);
void supermarche_weigh(const struct game *game, const void *state, unsigned seat,
                       const struct move_list *legal, int32_t *weight);

/* For worked cases: cases.c. */
extern const struct game_cases supermarche_worked_cases, supermarche_worked_cases_0_9_0;

#endif
