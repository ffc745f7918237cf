/* Everything that is shuffled or drawn: the seats' cards, achievements, artifacts, board sides; and
 * what is remembered of it. */
#ifndef TILLROLL_SUPER_MOTHERLOAD_PILES_H
#define TILLROLL_SUPER_MOTHERLOAD_PILES_H

#include "engine/game/game.h"
#include "engine/games/super-motherload/state.h"

/* Sets the sides of all four depths (option sides=drawn). */
void motherload_draw_sides(struct motherload_state *state, const struct chance *chance);

/* The drawn side of the board of a depth, which is turned up. */
uint8_t motherload_turn_board(struct motherload_state *state, unsigned depth,
                              const struct chance *chance);

/* Shuffles the artifact tiles into their pile. */
void motherload_shuffle_artifacts(const struct motherload_components *set,
                                  struct motherload_state *state, const struct chance *chance);

/* Shuffles majors and minors and lays three of each face up. */
void motherload_deal_achievements(const struct motherload_components *set,
                                  struct motherload_state *state, const struct chance *chance);

/* Makes the seat's starting cards its draw pile. */
void motherload_shuffle_starters(const struct motherload_components *set,
                                 struct motherload_state *state, unsigned seat,
                                 const struct chance *chance);

/* The seat draws up to `count` cards. The discard pile is shuffled only when a card is needed and
 * the draw pile is empty. */
void motherload_draw(const struct motherload_components *set, struct motherload_state *state,
                     unsigned seat, unsigned count, const struct chance *chance);

/* The active seat takes a bomb token, if there is one. */
void motherload_take_token(struct motherload_state *state);

/* The active seat takes the top artifact tile, if there is one. */
void motherload_take_artifact(struct motherload_state *state);

/* The top of the minor deck, or NONE. */
uint8_t motherload_take_minor(const struct motherload_components *set,
                              struct motherload_state *state, const struct chance *chance);

/* Puts a minor, which everyone has seen, under the deck. */
void motherload_bury_minor(struct motherload_state *state, uint8_t minor);

/* See `rekey` in engine/game/game.h. */
void motherload_rekey(const struct game *game, void *state, unsigned epoch,
                      const struct chance *chance);

/* See `drawn` in engine/game/game.h. */
uint32_t motherload_drawn(const struct game *game, const void *state);

/* What viewers remember of hands. All cards that a seat owns are open, and so are its discards.
 * When its draw pile is empty and the discards are shuffled, all other cards are in its hand:
 * everyone knows them from then on, as well as cards bought to the hand. Equal cards have no
 * identity: a known one is played first. */

/* Call when a card goes into the seat's hand in the open. */
void motherload_recall_taken(struct motherload_state *state, unsigned seat, unsigned card);

/* Call before `count` cards leave the active seat's hand in the open. */
void motherload_recall_left(struct motherload_state *state, unsigned card, unsigned count);

/* Call when the seat's draw pile is empty, before its discards are shuffled. */
void motherload_recall_shuffled(struct motherload_state *state, unsigned seat);

/* See `imagine`, `fit` and `show` in engine/game/game.h. */
void motherload_imagine(const struct game *game, void *state, struct viewer viewer,
                        const struct chance *chance);
void motherload_fit(const struct game *game, void *state, unsigned seat, struct span move,
                    const struct chance *chance);
void motherload_show(const struct game *game, void *state, const struct chance *chance);

#endif
