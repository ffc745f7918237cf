/* The results of a round as an organizer writes them: one table a line, or a spreadsheet.
 *
 *      3: 41 38 22         scores, in the order of seats
 *      4: 2. 1. 3.         places alone
 *      5:                  nothing yet
 *
 *      round,table,board,seat,number,player_id,player,kind,rank,score
 *      1,3,0,1,7,..,Ada,seat,,41          one seat a line: pairings.csv with the column filled in
 *
 * A text is a spreadsheet if its first line names a column `table`. Its cells are separated by
 * commas, semicolons or tabs and may be in quotes. It needs one of `seat`, `number` and
 * `player_id`, and one of `score` and `rank`; other columns are ignored. Tables without any score
 * or rank have no result yet and are left out. Without ranks, more points are better. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_INTERCHANGE_REPORT_LINES_H
#define TILLROLL_ENGINE_TOURNAMENT_INTERCHANGE_REPORT_LINES_H

#include "engine/tournament/event/tournament.h"

enum { REPORT_FAULTS_MAX = 100, REPORT_MESSAGE_MAX = 200 };

/* The result of one table. While it is read, bit s of a set stands for seat s. */
struct reported_table {
    size_t line; /* from 1: the first that names the table */
    bool scored; /* otherwise places alone: scores are 0 */
    uint8_t with_rank, with_score;
    struct table_result result; /* with the entries of the table */
};

/* What is wrong with a line. */
struct report_fault {
    size_t line;
    char message[REPORT_MESSAGE_MAX]; /* a sentence for people */
};

struct report_lines {
    struct reported_table *tables; /* the caller's: room for all tables of the event */
    size_t count;
    struct report_fault faults[REPORT_FAULTS_MAX]; /* the first ones, by line */
    size_t fault_count;
};

/* Begins the result of a table, without ranks and scores. */
void report_table_begin(struct reported_table *reported, const struct tournament_table *table,
                        size_t line);

/* Completes the result after ranks and scores have been set: finds the ranks where there are scores
 * alone. False with a sentence if seats have none, or if they contradict each other. */
bool report_table_finish(struct reported_table *reported, char message[REPORT_MESSAGE_MAX]);

/* Reads the results of a started round (0: of ladders and open play). `lines->tables` is set by the
 * caller; only what is finished without a fault is in it. True if there is no fault. Pure. */
bool report_lines_read(const struct tournament *tournament, unsigned round, struct span text,
                       struct report_lines *lines);

/* Adds a fault, while there is room. */
void report_lines_fault(struct report_lines *lines, size_t line, const char *message);

#endif
