/* The moves of Supermarché as text: the forms they have, and what their words mean. */
#ifndef TILLROLL_SUPERMARCHE_MOVES_H
#define TILLROLL_SUPERMARCHE_MOVES_H

#include "engine/game.h"
#include "engine/games/supermarche/components.h"

enum verb {
    VERB_BUY,
    VERB_BUY_DONE,
    VERB_STOCK,
    VERB_STOCK_DONE,
    VERB_SALE,
    VERB_SALE_NONE,
    VERB_SERVE,
    VERB_TAKE,
    VERB_SKIP,
    VERB_ROLL,
    VERB_RESTOCK,
    VERB_PAY_NORMAL,
    VERB_PAY_COUPON,
    VERB_NEXT
};

struct supermarche_move {
    enum verb verb;
    uint8_t food, box, customer, number; /* those that the verb has */
};

/* Reads a move. False: `bad-syntax`, `unknown-...` or `bad-number`. */
bool supermarche_read_move(struct span text, struct supermarche_move *move,
                           struct refusal *refusal);

#endif
