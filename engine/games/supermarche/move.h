/* Moves as values: what their text says, without the words. */
#ifndef TILLROLL_SUPERMARCHE_MOVE_H
#define TILLROLL_SUPERMARCHE_MOVE_H

#include "engine/game/game.h"
#include "engine/games/supermarche/state.h"

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
bool supermarche_read_move(const struct supermarche_components *set, struct span text,
                           struct supermarche_move *move, struct refusal *refusal);

/* Writes it as supermarche_read_move() reads it. */
void supermarche_write_move(const struct supermarche_components *set,
                            const struct supermarche_move *move, struct text *out);

/* Makes a legal move, without the automatic steps that follow. */
void supermarche_apply(const struct supermarche_components *set, struct supermarche_state *state,
                       const struct supermarche_move *move);

#endif
