/* The moves of Mall World as text: the forms they have. What ids, rooms and numbers mean is judged
 * later, in the order in which the rules state the conditions (play.c). */
#ifndef TILLROLL_MALL_WORLD_MOVES_H
#define TILLROLL_MALL_WORLD_MOVES_H

#include "engine/game/game.h"

enum verb {
    VERB_ACCEPT,
    VERB_PASS,
    VERB_OFFER,
    VERB_CONFIRM,
    VERB_BID,
    VERB_BUILD, /* `realize CARD build USE ROOM` */
    VERB_RENT,  /* `realize CARD rent GROUP ROOM` */
    VERB_REMOVE,
    VERB_REFRESH,
    VERB_TAKE,
    VERB_DONE
};

enum { MOVE_IDS_MAX = 3, MOVE_NUMBER_LIMIT = 1000000000 };

/* The ids of a move, in order. Of a list that is too long only the first ones are kept, but all are
 * counted. */
struct mall_world_move {
    enum verb verb;
    size_t ids;
    struct span id[MOVE_IDS_MAX];
    int64_t number; /* of a bid or a bribe; beyond +-MOVE_NUMBER_LIMIT it is that limit */
};

/* Reads a move that is made at decision `point`. False: `wrong-phase` or `bad-notation`. */
bool mall_world_read_move(struct span text, unsigned point, struct mall_world_move *move,
                          struct refusal *refusal);

#endif
