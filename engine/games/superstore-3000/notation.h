/* The moves of Superstore 3000 as text: their forms, and the meaning of their words. */
#ifndef TILLROLL_SUPERSTORE_NOTATION_H
#define TILLROLL_SUPERSTORE_NOTATION_H

#include "engine/game/game.h"
#include "engine/games/superstore-3000/components.h"

enum verb { VERB_ATTRACT, VERB_BUILD, VERB_DOCK, VERB_MONEY, VERB_SERVE };

struct superstore_move {
    enum verb verb;
    uint8_t slot_column, slot_row; /* BUILD, MONEY (column only): of the dispenser, from 0 */
    uint8_t piece;                 /* ATTRACT, DOCK */
    uint8_t face;                  /* ATTRACT */
    uint8_t column, floor;         /* destination; SERVE: the customer's place */
    uint8_t wish;                  /* SERVE */
    uint8_t store_column, store_floor;
};

/* Reads a move. False if it has no known form. */
bool superstore_read_move(const struct superstore_components *set, struct span text,
                          struct superstore_move *move);

/* Writes ` COLUMN FLOOR`. */
void superstore_write_cell(struct text *text, unsigned column, unsigned floor);

#endif
