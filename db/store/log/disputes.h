/* Disputes over games and their logs (engine/record/dispute.h says what the lines mean). The
 * database recomputes the chain of each log and rejects changes to stored lines. A caller that
 * takes a step must hold the game's lock (game_lock()).
 */
#ifndef TILLROLL_DB_STORE_LOG_DISPUTES_H
#define TILLROLL_DB_STORE_LOG_DISPUTES_H

#include "db/link/db.h"

struct dispute_row {
    struct id id, game;
    struct id event; /* "" for none */
    struct id opened_by;
    const char *state;
    unsigned round, table; /* of the game; 0 without an event */
    bool finished;         /* the game */
    bool late;             /* the game is running and shown late to others than its players */
};

/* The state is `open`. */
enum db_status dispute_create(struct db *db, const struct dispute_row *dispute);

/* DB_NONE. */
enum db_status dispute_find(struct db *db, struct arena *arena, const struct id *id,
                            struct dispute_row *dispute);

/* `state` is that after the step that was added. DB_NONE. */
enum db_status dispute_set_state(struct db *db, const struct id *id, const char *state);

/* Whose disputes to list, and who reads the list. Disputes of hidden games are left out, unless
 * `viewer` plays in the game or, with `official`, no account of the viewer's person
 * (db/store/games/parties.h) takes part in their event. */
struct dispute_query {
    struct id game;  /* "" = of any */
    struct id event; /* likewise */
    bool waiting;    /* only those that await a decision: open, frozen, appealed */
    bool own; /* only those of them that `viewer` may decide: of an event in which they hold an
               * office, or any if `everywhere`; no appeal against a ruling of theirs */
    bool everywhere;
    struct id viewer;
    bool official;
};

/* Newest first, those older than `before` ("" = from the newest), at most `limit`. */
enum db_status dispute_list(struct db *db, struct arena *arena, const struct dispute_query *query,
                            const struct id *before, size_t limit, struct dispute_row **disputes,
                            size_t *count);

/* All disputes after `after` ("" = from the first), in the order of their ids, at most `limit`. */
enum db_status dispute_list_all(struct db *db, struct arena *arena, const struct id *after,
                                size_t limit, struct dispute_row **disputes, size_t *count);

/* The number of disputes of a game that this player opened, and of those among them that await a
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
    struct span line; /* without mark */
    uint8_t hash[32]; /* the chain after it */
    const char *actor_name;
};

/* DB_CONFLICT if there is one with this number, DB_ERROR if it does not continue the log. */
enum db_status dispute_line_add(struct db *db, const struct dispute_line *line);

/* All lines of these disputes, by dispute and number. */
enum db_status dispute_line_list(struct db *db, struct arena *arena, const struct id *disputes,
                                 size_t dispute_count, struct dispute_line **lines, size_t *count);

/* Lines that the player has written; newest dispute first, at most `limit`. */
enum db_status dispute_lines_of_player(struct db *db, struct arena *arena, const struct id *player,
                                       size_t limit, struct dispute_line **lines, size_t *count);

#endif
