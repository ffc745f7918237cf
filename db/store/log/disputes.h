/* Disputes over games, and their logs (engine/record/dispute.h defines the lines). The database
 * recomputes the chain of each log and rejects changes to stored lines. A caller that adds a step
 * must hold the game's lock (game_lock()). */
#ifndef TILLROLL_DB_STORE_LOG_DISPUTES_H
#define TILLROLL_DB_STORE_LOG_DISPUTES_H

#include "db/link/db.h"

struct dispute_row {
    struct id id, game;
    struct id event; /* "" for none */
    struct id opened_by;
    const char *state;
    unsigned round, table; /* of the game; 0 without an event */
    bool finished;         /* the game is finished */
    bool late;             /* the game is running, and shown with a delay to all but its players */
};

/* Stores a new dispute in the state `open`. */
enum db_status dispute_create(struct db *db, const struct dispute_row *dispute);

/* Finds a dispute by its id, in the arena. DB_NONE. */
enum db_status dispute_find(struct db *db, struct arena *arena, const struct id *id,
                            struct dispute_row *dispute);

/* Sets the state to the one after the newest step. DB_NONE. */
enum db_status dispute_set_state(struct db *db, const struct id *id, const char *state);

/* A query for disputes, by a viewer. Disputes of hidden games are left out, unless `viewer` plays
 * in the game or, with `official`, no account of the viewer's person (db/store/games/parties.h)
 * takes part in their event. */
struct dispute_query {
    struct id game;  /* "" = any */
    struct id event; /* "" = any */
    bool waiting;    /* only disputes that await a decision: open, frozen, appealed */
    bool own; /* only disputes that `viewer` may decide: in events in which the viewer holds an
                 office, or any if `everywhere`; no appeals against the viewer's own rulings */
    bool everywhere;
    struct id viewer;
    bool official;
};

/* Lists disputes, newest first, those older than `before` ("" = from the newest), at most `limit`,
 * in the arena. */
enum db_status dispute_list(struct db *db, struct arena *arena, const struct dispute_query *query,
                            const struct id *before, size_t limit, struct dispute_row **disputes,
                            size_t *count);

/* Lists all disputes after `after` ("" = from the first), in the order of their ids, at most
 * `limit`, in the arena. */
enum db_status dispute_list_all(struct db *db, struct arena *arena, const struct id *after,
                                size_t limit, struct dispute_row **disputes, size_t *count);

/* Counts the disputes of a game that this player opened, and those among them that await a
 * decision. */
struct dispute_counts {
    unsigned all, waiting;
};
enum db_status dispute_count(struct db *db, const struct id *game, const struct id *player,
                             struct dispute_counts *counts);

/* ---- The log ---- */

struct dispute_line {
    struct id dispute;
    unsigned number;  /* from 1 */
    struct span line; /* without its mark */
    uint8_t hash[32]; /* the chain's value after this line */
    const char *actor_name;
};

/* Adds a line. DB_CONFLICT if the log has a line with this number, DB_ERROR if the line does not
 * continue the log. */
enum db_status dispute_line_add(struct db *db, const struct dispute_line *line);

/* Lists all lines of these disputes, by dispute and number, in the arena. */
enum db_status dispute_line_list(struct db *db, struct arena *arena, const struct id *disputes,
                                 size_t dispute_count, struct dispute_line **lines, size_t *count);

/* Lists the lines written by the player, newest dispute first, at most `limit`, in the arena. */
enum db_status dispute_lines_of_player(struct db *db, struct arena *arena, const struct id *player,
                                       size_t limit, struct dispute_line **lines, size_t *count);

#endif
