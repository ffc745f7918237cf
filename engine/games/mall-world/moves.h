/* The moves of Mall World as text: their forms. play.c later judges the meaning of ids, rooms and
 * numbers, in the order of the conditions in the rules. */
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

/* The ids of a move, in order. If a list is too long, only the first ones are kept, but all are
 * counted. */
struct mall_world_move {
    enum verb verb;
    size_t ids;
    struct span id[MOVE_IDS_MAX];
    int64_t number; /* for a bid or a bribe; clamped to +-MOVE_NUMBER_LIMIT */
};

/* A legal move with its names looked up: an order; an order and a bribe; cards; coins; or a card, a
 * use or group, and a square. */
struct mall_world_option {
    uint8_t verb; /* enum verb */
    uint8_t ids;
    uint8_t id[MOVE_IDS_MAX];
};

/* Reads a move made at decision `point`. False: `wrong-phase` or `bad-notation`. */
bool mall_world_read_move(struct span text, unsigned point, struct mall_world_move *move,
                          struct refusal *refusal);

#endif
