/* The members of `struct game` that are not declared elsewhere; see engine/game/game.h for their
 * contracts. Suggested order of reading: state.c, turn.c, play.c, legal.c, view.c. */
#ifndef TILLROLL_SUPER_MOTHERLOAD_RULES_H
#define TILLROLL_SUPER_MOTHERLOAD_RULES_H

#include "engine/game/game.h"
#include "engine/games/super-motherload/notation.h"
#include "engine/games/super-motherload/state.h"

/* The options, as indices of `struct game_options`. */
enum { OPTION_DECKS, OPTION_SIDES };

void motherload_setup(const struct game *game, void *state, unsigned seats,
                      const struct game_options *options, const struct chance *chance);

uint32_t motherload_deciders(const void *state);
bool motherload_play(const struct game *game, void *state, unsigned seat, struct span move,
                     const struct chance *chance, struct refusal *refusal);

void motherload_legal(const struct game *game, const void *state, unsigned seat,
                      struct move_list *list);
void motherload_fallback(const struct game *game, const void *state, unsigned seat,
                         struct text *move);

/* Applies a legal move and then every automatic step. */
void motherload_make_move(const struct motherload_components *set, struct motherload_state *state,
                          const struct motherload_move *move, const struct chance *chance);

/* Hands over each move of the seat that decides, without its text, in the order of
 * motherload_legal(). `move` is the visitor's during the call only. */
typedef void motherload_visit(void *context, const struct motherload_move *move);

void motherload_visit_moves(const struct motherload_components *set,
                            const struct motherload_state *state, motherload_visit *visit,
                            void *context);

json_t *motherload_view(const struct game *game, const void *state, struct viewer viewer);
json_t *motherload_events(const struct game *game, const void *before, const void *after,
                          const struct ply *ply, struct viewer viewer);

void motherload_weigh(const struct game *game, const void *state, unsigned seat,
                      const struct move_list *legal, int32_t *weight);
void motherload_play_best(const struct game *game, void *state, unsigned seat,
                          const struct chance *chance);

enum { MOTHERLOAD_FEATURES = 29 };

unsigned motherload_features(const struct game *game, const void *state, unsigned seat,
                             int32_t *feature);

/* For worked cases: cases.c. */
extern const struct game_cases motherload_worked_cases;

#endif
