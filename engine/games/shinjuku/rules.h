/* The members of `struct game` that are not declared elsewhere; see engine/game/game.h for their
 * contracts. Suggested order of reading: shinjuku.c, turn.c, play.c, legal.c, view.c. */
#ifndef TILLROLL_SHINJUKU_RULES_H
#define TILLROLL_SHINJUKU_RULES_H

#include "engine/game/game.h"
#include "engine/games/shinjuku/moves.h"
#include "engine/games/shinjuku/state.h"

void shinjuku_setup(const struct game *game, void *state, unsigned seats,
                    const struct game_options *options, const struct chance *chance);

/* A table for `seats` before anything is drawn: supplies full, map empty. */
void shinjuku_clear(struct shinjuku_state *state, unsigned seats, bool advanced);

uint32_t shinjuku_deciders(const void *state);
bool shinjuku_play(const struct game *game, void *state, unsigned seat, struct span move,
                   const struct chance *chance, struct refusal *refusal);

void shinjuku_legal(const struct game *game, const void *state, unsigned seat,
                    struct move_list *list);
void shinjuku_fallback(const struct game *game, const void *state, unsigned seat,
                       struct text *move);

json_t *shinjuku_view(const struct game *game, const void *state, struct viewer viewer);
json_t *shinjuku_events(const struct game *game, const void *before, const void *after,
                        const struct ply *ply, struct viewer viewer);

void shinjuku_weigh(const struct game *game, const void *state, unsigned seat,
                    const struct move_list *legal, int32_t *weight);
void shinjuku_play_best(const struct game *game, void *state, unsigned seat,
                        const struct chance *chance);

unsigned shinjuku_features(const struct game *game, const void *state, unsigned seat,
                           int32_t *feature);
enum { SHINJUKU_FEATURES = 17 };

/* Applies a legal move and then every automatic step. */
void shinjuku_make_move(const struct shinjuku_components *set, struct shinjuku_state *state,
                        const struct shinjuku_move *move, const struct chance *chance);

/* 320 open, 67 + 189 expand, 44 move, 16 upgrade, income, end. */
enum { LEGAL_MAX = 638 };

/* The ways to EXPAND that the seat can pay for, in byte order. */
struct shinjuku_track {
    unsigned count;
    uint8_t expansion[EXPANSIONS]; /* index in shinjuku_expansions[] */
};

void shinjuku_find_track(const struct shinjuku_components *set, const struct shinjuku_state *state,
                         unsigned seat, struct shinjuku_track *track);

/* Lists the seat's legal moves in the order of shinjuku_legal(). The one word of an `expand` is its
 * index in shinjuku_expansions. Returns how many moves that is, at most LEGAL_MAX. */
size_t shinjuku_list_moves(const struct shinjuku_components *set,
                           const struct shinjuku_state *state, unsigned seat,
                           struct shinjuku_move *moves);

/* For worked cases: cases.c. */
extern const struct game_cases shinjuku_worked_cases;

#endif
