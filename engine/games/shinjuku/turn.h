/* The automatic steps between two decisions. */
#ifndef TILLROLL_SHINJUKU_TURN_H
#define TILLROLL_SHINJUKU_TURN_H

#include "engine/game/chance.h"
#include "engine/games/shinjuku/state.h"

/* Sets `seat` at the beginning of its turn. */
void shinjuku_start_turn(struct shinjuku_state *state, unsigned seat);

/* Takes automatic steps until a seat has a decision that is not forced, or the game is over. */
void shinjuku_advance(const struct shinjuku_components *set, struct shinjuku_state *state,
                      const struct chance *chance);

/* Discards one card of `ward` from the active seat's hand. */
void shinjuku_discard(struct shinjuku_state *state, uint8_t ward);

/* Carries out the named action after its payment. */
void shinjuku_carry_out(const struct shinjuku_components *set, struct shinjuku_state *state);

/* Lays the active seat's track. */
void shinjuku_lay_track(struct shinjuku_state *state, uint8_t connection);

/* Gives one customer of the group to the owner of the Store where the group stands. */
void shinjuku_give(struct shinjuku_state *state, uint8_t kind);

/* INCOME, by action or free: fills the hand up to 4 cards, or draws 1; nothing for a full hand. */
void shinjuku_income(const struct shinjuku_components *set, struct shinjuku_state *state,
                     unsigned seat, const struct chance *chance);

#endif
