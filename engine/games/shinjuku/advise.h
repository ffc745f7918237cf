/* The parts of the adviser: what it reads from a view, how it judges a position, how it plans a
 * MOVE. */
#ifndef TILLROLL_SHINJUKU_ADVISE_H
#define TILLROLL_SHINJUKU_ADVISE_H

#include <jansson.h>

#include "engine/games/shinjuku/state.h"

/* What a player sees. `state` holds no more than the view does: rivals' hands and collections and
 * all piles are empty in it. */
struct sight {
    struct shinjuku_state state;
    unsigned seat; /* whose eyes */
    bool second_action;
};

/* Reads a view that was made for a seat. Fields that are missing count as empty. */
void shinjuku_read_view(struct sight *sight, const json_t *view);

/* How good the rest of a MOVE is from where the group stands, for the player who plans it. The way
 * there begins with `first`, NONE if it is best to stop. */
struct plan {
    int32_t value;
    uint8_t first;
};

/* Plans a MOVE that starts in `station`, or that goes on from where the group stands now. */
struct plan shinjuku_plan_start(const struct sight *sight, uint8_t station);
struct plan shinjuku_plan_rest(const struct sight *sight);

/* The customer to give up, or take, in the Store where the group stands. */
uint8_t shinjuku_choose_customer(const struct shinjuku_state *state, unsigned seat);

/* The worth of a collection to the one who may add to it. */
int32_t shinjuku_worth(const uint8_t earned[static KINDS], unsigned bonus);

/* How well the customers on the map and in the Queue can reach the player's Stores. */
int32_t shinjuku_reach(const struct shinjuku_state *state, unsigned seat);

#endif
