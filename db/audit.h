/* Reading records in bulk, to check them: many games' at once, in the order of their ids, together
 * with what else is stored of these games. What is read in one call is as of one moment.
 */
#ifndef TILLROLL_DB_AUDIT_H
#define TILLROLL_DB_AUDIT_H

#include "db/games.h"
#include "db/records.h"

struct audit_record {
    struct id id;
    const struct game_row *game; /* NULL if there is no such game */
    struct record_row *rows;     /* as they are stored, by seq; damaged ones may leave gaps */
    size_t count;
};

struct audit_page {
    struct audit_record *records;
    size_t count;
    size_t rows; /* of all records */
    struct audit_rows *held;
    struct arena arena;
};

/* The id of the game that comes `games` (at least 1) games after `after` ("" = from the first).
 * DB_NONE if there are fewer. */
enum db_status audit_next(struct db *db, const struct id *after, size_t games, struct id *id);

/* All games and records with after < id <= until ("" = before the first, and to the last). Free the
 * page if DB_OK. */
enum db_status audit_read(struct db *db, const struct id *after, const struct id *until,
                          struct audit_page *page);
void audit_page_free(struct audit_page *page);

/* Whether a table of this round is still playing, so that the others' secret stays hidden. */
enum db_status audit_round_runs(struct db *db, const struct id *event, unsigned round, bool *runs);

#endif
