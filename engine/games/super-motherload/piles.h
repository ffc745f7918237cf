/* Everything that is shuffled or drawn: the seats' cards, achievements, artifacts, board sides. */
#ifndef TILLROLL_SUPER_MOTHERLOAD_PILES_H
#define TILLROLL_SUPER_MOTHERLOAD_PILES_H

#include "engine/game/chance.h"
#include "engine/games/super-motherload/state.h"

/* Sets the sides of all four depths (option sides=drawn). */
void motherload_draw_sides(struct motherload_state *state, const struct chance *chance);

/* Shuffles the artifact tiles into their pile. */
void motherload_shuffle_artifacts(struct motherload_state *state, const struct chance *chance);

/* Shuffles majors and minors and lays three of each face up. */
void motherload_deal_achievements(struct motherload_state *state, const struct chance *chance);

/* Makes the seat's starting cards its draw pile. */
void motherload_shuffle_starters(struct motherload_state *state, unsigned seat,
                                 const struct chance *chance);

/* The seat draws up to `count` cards. The discard pile is shuffled only when a card is needed and
 * the draw pile is empty. */
void motherload_draw(struct motherload_state *state, unsigned seat, unsigned count,
                     const struct chance *chance);

/* The active seat takes a bomb token, if there is one. */
void motherload_take_token(struct motherload_state *state);

/* The active seat takes the top artifact tile, if there is one. */
void motherload_take_artifact(struct motherload_state *state);

/* The top of the minor deck, or NONE. */
uint8_t motherload_take_minor(struct motherload_state *state);

/* Puts a minor, which everyone has seen, under the deck. */
void motherload_bury_minor(struct motherload_state *state, uint8_t minor);

/* See `rekey` in engine/game/game.h. */
void motherload_rekey(void *state, unsigned epoch, const struct chance *chance);

/* See `drawn` in engine/game/game.h. */
uint32_t motherload_drawn(const void *state);

#endif
