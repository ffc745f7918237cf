/* The moves of Shinjuku as text: their forms, and the meaning of their words. */
#ifndef TILLROLL_SHINJUKU_MOVES_H
#define TILLROLL_SHINJUKU_MOVES_H

#include "engine/game/game.h"
#include "engine/games/shinjuku/components.h"

enum verb {
    VERB_MATSURI,
    VERB_OPEN,
    VERB_RELOCATE, /* `open STATION from STATION2` */
    VERB_EXPAND,
    VERB_INCOME,
    VERB_MOVE,
    VERB_UPGRADE,
    VERB_END,
    VERB_PAY,
    VERB_GIVE,
    VERB_STEP,
    VERB_STOP
};

/* Words are indices of wards, stations, goods or kinds, depending on the verb. The `from` of a
 * relocation is not among them. */
struct shinjuku_move {
    enum verb verb;
    unsigned count;
    uint8_t word[4];
};

/* Reads a move. False: `bad-syntax` or `unknown-...`. */
bool shinjuku_read_move(const struct shinjuku_components *set, struct span text,
                        struct shinjuku_move *move, struct refusal *refusal);

#endif
