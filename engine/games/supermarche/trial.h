/* Trials of a move: how a round may end. */
#ifndef TILLROLL_SUPERMARCHE_TRIAL_H
#define TILLROLL_SUPERMARCHE_TRIAL_H

#include "engine/games/supermarche/amounts.h"
#include "engine/games/supermarche/move.h"

enum {
    SUPERMARCHE_TRIALS = 47, /* prime, so that every step goes round all of them */
    SUPERMARCHE_ROLLS = 5,   /* of one customer: each fills at least one space of a cart of five */
    SUPERMARCHE_RUIN = -60   /* value of a lost game, in dollars */
};

/* How the dice of one roll are spread over the trials. */
struct supermarche_spread {
    uint8_t step, start, rest;
};

/* What a customer rolls in a trial, and buys if the Store has it all. */
struct supermarche_trip {
    uint64_t items; /* a byte for each food */
    uint16_t price; /* with the bonus */
    uint8_t total[SUPERMARCHE_ROLLS];
};

/* What all trials of a decision have in common. */
struct supermarche_trials {
    const struct supermarche_state *seen;
    uint8_t row[SUPERMARCHE_TRIALS][ROW]; /* customers, as each trial deals them */
    uint32_t spreads;                     /* bit c: those of customer c are known */
    struct supermarche_spread spread[CUSTOMERS][SUPERMARCHE_ROLLS];
    uint8_t on_sale;                    /* when the trips that are known were found */
    uint8_t known[SUPERMARCHE_TRIALS];  /* bit p: trip[..][p] is known */
    uint8_t rolled[SUPERMARCHE_TRIALS]; /* ... at least what it rolls */
    struct supermarche_trip trip[SUPERMARCHE_TRIALS][ROW];
};

/* Prepares trials for a position with a choice after the Stocking. Nothing that is hidden is looked
 * at: costs of later rounds, later rows, real dice. `seen` is borrowed. */
void supermarche_begin_trials(struct supermarche_trials *trials,
                              const struct supermarche_state *seen);

/* Makes a legal move and plays each trial to the end of the round by rule of thumb. Returns the sum
 * of what the shop is then worth, in dollars. */
int supermarche_try(const struct supermarche_components *set, struct supermarche_trials *trials,
                    const struct supermarche_move *move);

/* The total of the dice of a customer's roll, from 0, in a trial. */
unsigned supermarche_trial_dice(const struct supermarche_components *set,
                                struct supermarche_trials *trials, unsigned customer, unsigned roll,
                                unsigned trial);

/* 64 bits that differ for every `number` (the last steps of SplitMix64). */
uint64_t supermarche_mix(uint64_t number);

/* What a cube is worth that may be sold in a later round, in dollars. */
extern const uint8_t supermarche_cube_worth[FOODS];

/* What a shop is worth: money, and in a game that goes on the cubes. */
int supermarche_shop_worth(const struct supermarche_state *state);

#endif
