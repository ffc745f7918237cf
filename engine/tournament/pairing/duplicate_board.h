/* The boards of a duplicate event, drawn from its log: the seats at the next board. This module
 * supplies the functions of duplicate_movement.h with what the event knows. It also writes the log
 * line of a draw, so that anyone with the log and the event's chance can reproduce that line. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_PAIRING_DUPLICATE_BOARD_H
#define TILLROLL_ENGINE_TOURNAMENT_PAIRING_DUPLICATE_BOARD_H

#include <jansson.h>

#include "engine/base/arena.h"
#include "engine/game/chance.h"
#include "engine/tournament/event/tournament.h"
#include "engine/tournament/formats/duplicate/duplicate.h"
#include "engine/tournament/formats/duplicate/duplicate_movement.h"

/* A drawn board. Players are their numbers in the event less 1. */
struct duplicate_board {
    uint16_t round;
    uint16_t board; /* from 1 */
    size_t first_table;
    struct duplicate_table *tables; /* owned */
    size_t count;
    uint16_t *byes; /* owned; players of the round who sit this board out, in order of numbers */
    size_t bye_count;
};

/* Draws the next board of the round that began last. All tables of the event are its past, and
 * everyone present when the round began plays, even if they have dropped out since. True: free with
 * duplicate_board_free(). False with a refusal of duplicate_pairing(), or DUPLICATE_REFUSAL_INPUT
 * if no board is due; nothing to free. Pure; any thread. */
bool duplicate_board_pairing(const struct tournament *tournament, const struct chance *chance,
                             struct duplicate_board *board, struct refusal *refusal);

void duplicate_board_free(struct duplicate_board *board);

/* The detail of the line `board_started` (tournament.h), which the caller owns. */
json_t *duplicate_board_line(const struct duplicate_board *board);

/* Standings of a duplicate event as a function of its log: the open results of the boards played,
 * and their score (duplicate.h). A board is open from the lines with its results on; these are
 * written all at once, when its last table has ended. */

/* Borrows from the event, and must not outlive it. Players are their numbers in it less 1. */
struct duplicate_ranking {
    unsigned rounds;          /* rounds that count */
    unsigned boards;          /* open boards of all these rounds */
    struct arena_batch batch; /* the arrays */
    struct entry *entries;
    struct duplicate_result *results;
    const struct tournament_table **tables; /* results[i] comes from tables[i] */
    size_t count;
    struct duplicate_standings standings; /* owned; marks[i] belongs to results[i] */
};

/* The standings from what is open of the first `rounds` rounds (0 .. rounds_started). Entries
 * without a number are left out. True: free with duplicate_ranking_free(). False with a refusal of
 * duplicate_standings_make(), nothing to free. Pure; any thread. */
bool duplicate_ranking_make(const struct tournament *tournament, const struct chance *chance,
                            unsigned rounds, struct duplicate_ranking *ranking,
                            struct refusal *refusal);

void duplicate_ranking_free(struct duplicate_ranking *ranking);

/* The scoring of the event. */
enum duplicate_scoring duplicate_ranking_scoring(const struct tournament *tournament);

#endif
