/* What a position is worth to each seat: a learned, linear value, and the result when the game is
 * over. Integers only.
 *
 *      strength of a seat   sum of feature[i] * (early[i] * (256 - phase) + late[i] * phase)
 *      value of a seat      with rivals: half the chance to be first, half the share of rivals
 *                           behind it, by the logistic model of Bradley and Terry (1952) and its
 *                           extension to several by Plackett and Luce; alone: the expected score
 *
 * The weights come from `tillroll train`. They are a data file beside the game's code, compiled
 * into the program as component data is.
 */
#ifndef TILLROLL_ENGINE_SEARCH_VALUE_H
#define TILLROLL_ENGINE_SEARCH_VALUE_H

#include "engine/game/game.h"

enum {
    VALUE_ONE = 1 << 16,   /* the value of certain victory; 0 is the opposite */
    VALUE_POINT = 128,     /* alone: of a point, from VALUE_ONE / 2 for a score of 0 */
    VALUE_LOGIT = 1 << 10, /* a strength of one logit */
    VALUE_WEIGHT =
        1 << 20, /* a weight of one logit (alone: of one point) to each unit of a feature */
    VALUE_FILE_MAX = 8192 /* bytes of a file of weights */
};

struct value_weights {
    unsigned count; /* features; 0: nothing was learned for this game */
    int32_t early[GAME_FEATURES_MAX], late[GAME_FEATURES_MAX];
};

/* Reads a file of weights for `game`. False if it is malformed or for other features. An empty file
 * gives no weights and is good. */
bool value_read(struct value_weights *weights, const struct game *game, struct span file);

/* The weights that `game` has. */
void value_of_game(struct value_weights *weights, const struct game *game);

/* The strength of a seat, in units of 1 / VALUE_LOGIT; alone, in points of 1 / VALUE_LOGIT. */
int32_t value_strength(const struct value_weights *weights, const struct game *game,
                       const void *state, unsigned seat);

/* The logistic function: how likely a seat that is stronger by `strength` comes before another,
 * from 0 to VALUE_ONE. */
int32_t value_logistic(int32_t strength);

/* The value of a position for each of its seats: of a game that is over by its result, of any other
 * by `weights`, which must not be empty. */
void value_of_state(const struct value_weights *weights, const struct game *game, const void *state,
                    unsigned seats, int32_t value[static GAME_SEATS_MAX]);

/* How many rivals a seat has behind it in a result, in halves: a tie counts half. Alone: twice the
 * score. */
int32_t value_halves(const struct outcome *outcome, unsigned seat);

/* The value of a result for each of its seats. */
void value_of_outcome(const struct outcome *outcome, int32_t value[static GAME_SEATS_MAX]);

#endif
