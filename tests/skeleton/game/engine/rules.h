/* The state, and the members of `struct game`; see engine/game/game.h for what each of them does.
 */
#ifndef TILLROLL_ENGINE_GAMES_THE_SKELETON_RULES_H
#define TILLROLL_ENGINE_GAMES_THE_SKELETON_RULES_H

#include "engine/game/game.h"

enum {
    SEATS_MIN = 2,
    SEATS_MAX = 4,
    CARDS = 12, /* numbered from 1 */
    NO_CARD = 0
};

/* Flat, without gaps between the fields. */
struct the_skeleton_state {
    uint32_t epoch; /* of the shuffle: 0, or the last rekey's */
    uint8_t seats;
    uint8_t turn; /* whose turn it is; `seats` when the game is over */
    uint8_t next; /* index of the pile's top card */
    uint8_t padding;
    uint8_t pile[CARDS];     /* cards before `next` have been drawn */
    uint8_t card[SEATS_MAX]; /* drawn by each seat, or NO_CARD */
};

void the_skeleton_setup(const struct game *game, void *state, unsigned seats,
                        const struct game_options *options, const struct chance *chance);
uint32_t the_skeleton_deciders(const void *state);
void the_skeleton_legal(const struct game *game, const void *state, unsigned seat,
                        struct move_list *list);
bool the_skeleton_play(const struct game *game, void *state, unsigned seat, struct span move,
                       const struct chance *chance, struct refusal *refusal);
void the_skeleton_fallback(const struct game *game, const void *state, unsigned seat,
                           struct text *move);
void the_skeleton_rekey(const struct game *game, void *state, unsigned epoch,
                        const struct chance *chance);
uint32_t the_skeleton_drawn(const struct game *game, const void *state);
void the_skeleton_imagine(const struct game *game, void *state, struct viewer viewer,
                          const struct chance *chance);
void the_skeleton_outcome(const struct game *game, const void *state, struct outcome *outcome);

json_t *the_skeleton_view(const struct game *game, const void *state, struct viewer viewer);
json_t *the_skeleton_events(const struct game *game, const void *before, const void *after,
                            const struct ply *ply, struct viewer viewer);
void the_skeleton_weigh(const struct game *game, const void *state, unsigned seat,
                        const struct move_list *legal, int32_t *weight);

/* tests/cases/the-skeleton/README.md explains the keys. */
extern const struct game_cases the_skeleton_worked_cases;

/* The card with this number, or 255. */
uint8_t the_skeleton_card_named(struct span name);

extern const struct game game_the_skeleton_1_0_0;

#endif
