/* The boards of a duplicate event, drawn from its log: who sits where on the one that comes next.
 * What the functions of duplicate_movement.h need is what the event knows; the line of the log that
 * a draw becomes is written here too, so that whoever has the log and the event's chance makes the
 * same line again.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_DUPLICATE_BOARD_H
#define TILLROLL_ENGINE_TOURNAMENT_DUPLICATE_BOARD_H

#include <jansson.h>

#include "engine/chance.h"
#include "engine/tournament/duplicate_movement.h"
#include "engine/tournament/tournament.h"

/* A board that was drawn. Players are their numbers in the event less 1. */
struct duplicate_board {
    uint16_t round;
    uint16_t board; /* from 1 */
    size_t first_table;
    struct duplicate_table *tables; /* owned */
    size_t count;
    uint16_t *byes; /* owned; who plays the round and sits this board out, in order of numbers */
    size_t bye_count;
};

/* An event's entries as the functions of duplicate*.h take them: the one with number n has index n
 * - 1. A new array of `numbered`, for free(); NULL if memory is short. */
struct entry *duplicate_board_entries(const struct tournament *tournament);

/* Draws the next board of the round that was begun last: all tables of the event are its past, and
 * everybody who was there when the round began plays, also who has dropped out since. True: free
 * with duplicate_board_free(). False with a refusal of duplicate_draw(), or
 * DUPLICATE_REFUSAL_INPUT where no board is to come; nothing to free. Pure; any thread. */
bool duplicate_board_draw(const struct tournament *tournament, const struct chance *chance,
                          struct duplicate_board *board, struct refusal *refusal);

void duplicate_board_free(struct duplicate_board *board);

/* The detail of the line `board_started` (tournament.h), which the caller owns. */
json_t *duplicate_board_line(const struct duplicate_board *board);

#endif
