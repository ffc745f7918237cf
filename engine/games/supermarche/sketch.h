/* A quick rule of thumb for whole games, in which playouts go on (finish() and sketch() in
 * engine/game/game.h). It needs no trials, no texts of moves and no random streams.
 *
 * Its numbers fit the built-in components. They were found by trying others, one after the other,
 * on some thousand boards: `tune_supermarche` in tests/bench does that again.
 */
#ifndef TILLROLL_SUPERMARCHE_SKETCH_H
#define TILLROLL_SUPERMARCHE_SKETCH_H

#include "engine/game/game.h"
#include "engine/games/supermarche/state.h"

/* All members are int16_t, so that they can be tuned in turn. */
struct supermarche_thumb {
    /* What is wanted of each food: */
    int16_t spare[FOODS];      /* percent beyond the demand */
    int16_t last_spare[FOODS]; /* the same in the last round */
    int16_t ahead[FOODS];      /* percent of the demand of an average round, for later ones */
    int16_t cheap[FOODS]; /* and for each quarter of a dollar that later cost cards are dearer */
    int16_t worth[FOODS]; /* and how much: `worth` and `dear` of struct supermarche_order */
    int16_t dear;
    int16_t shelf[FOODS]; /* demand counts so many times when cubes move to the Store; at least 1 */
    /* What goes on sale, when something has to: the food with the greatest sum of */
    int16_t sale[FOODS];
    int16_t sale_demand; /* tenths for each cube that will be asked for */
    int16_t sale_spare;  /* tenths for each cube on the shelf beyond that */
    /* Customers: */
    int16_t kept[FOODS]; /* dollars that a cube is worth later */
    int16_t spared;      /* dollars that a coupon has to bring beyond two rolls */
    int16_t penalty;  /* who is served first: what they spend, in 36ths of a dollar, and so much */
    int16_t bonus;    /* for each dollar of these */
    int16_t cart;     /* and each item */
    int16_t on_shelf; /* cubes of the food on sale that stay when one is sold first */
};

/* The numbers that the levels of play go by. */
extern const struct supermarche_thumb supermarche_thumb;

/* Plays a game to its end; all rolls follow from `luck`. `state` is one without hidden cards, or an
 * imagined one. */
void supermarche_finish_by(const struct supermarche_components *set,
                           const struct supermarche_thumb *thumb, struct supermarche_state *state,
                           uint64_t luck);

/* Writes the move with which supermarche_finish() goes on. It is legal; face-down cards and the
 * order of later cost cards are not used. */
void supermarche_plan_quickly(const struct supermarche_components *set,
                              const struct supermarche_state *state, struct text *move);

#endif
