/* The moves of Super Motherload as text: their forms, and the meaning of their words. */
#ifndef TILLROLL_SUPER_MOTHERLOAD_NOTATION_H
#define TILLROLL_SUPER_MOTHERLOAD_NOTATION_H

#include "engine/game/game.h"
#include "engine/games/super-motherload/components.h"

enum verb {
    VERB_SIDE,
    VERB_DECK,
    VERB_DRAW,
    VERB_DRILL,
    VERB_BOMB,
    VERB_ARTIFACT,
    VERB_CLAIM,
    VERB_END,
    VERB_SWAP,
    VERB_PLACE,
    VERB_PUT,
    VERB_BUY,
    VERB_COPY,
    VERB_DISCARD
};

/* The last word of a `place`. Numbers below are a bomb's orientations. */
enum { ACROSS = 8, DOWN = 9, NO_ORIENTATION = NONE };

/* What a move names; fields that its verb does not need are not set. */
struct motherload_move {
    enum verb verb;
    uint8_t side; /* 0 a, 1 b */
    uint8_t deck;
    uint8_t color; /* of a drill, or a stack */
    uint8_t card;
    uint8_t artifact;
    uint8_t mineral;
    uint8_t achievement;
    uint8_t recruit; /* 1: `buy STACK recruit` */
    uint8_t depth;   /* 1 to 4 */
    uint8_t row;     /* 0 to 6 */
    uint8_t column;
    uint8_t orientation;
    uint8_t cards[CARDS]; /* of a drill: how many of each */
};

/* Reads a move. False, with `bad-syntax`, if the text is not one. */
bool motherload_read_move(const struct motherload_components *set, struct span text,
                          struct motherload_move *move, struct refusal *refusal);

#endif
