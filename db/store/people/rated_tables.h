/* Tables of which a reported result is rated (tournament_rated_seats()), and the ranks that count
 * there: in the order of ratings such a table stands where a game stands. Once it is among the
 * rated ones it stays there; what counts of it follows the event's log.
 */
#ifndef TILLROLL_DB_STORE_PEOPLE_RATED_TABLES_H
#define TILLROLL_DB_STORE_PEOPLE_RATED_TABLES_H

#include "db/link/statement.h"

struct rated_table {
    struct id id; /* "" = none */
    struct id event;
    unsigned round, table;
};

struct rated_seat {
    unsigned seat;
    struct id player;
    unsigned rank;
};

/* Puts what counts of a table of `event`, `round`, `table` in place of what counted before: `count`
 * seats, 0 or at least 2, of the table's `seats`. One that is not known yet gets `id`; otherwise
 * `id` becomes the one it has. DB_NONE if it is not known and there is nothing to rate. */
enum db_status rated_table_put(struct db *db, struct rated_table *table, unsigned seats,
                               const struct rated_seat *rated, size_t count);

/* Those who have entered an event and have no account, in the arena. */
enum db_status rated_table_guests(struct db *db, struct arena *arena, const struct id *event,
                                  struct id **guests, size_t *count);

/* ---- Rows ---- */

/* Inside db/ only: a table by the column `table_id` of `row`, which may be null. */
#define RATED_TABLE_COLUMNS(row)                                                                   \
    row ".table_id,"                                                                               \
        " (SELECT event_id FROM tillroll.rated_table WHERE rated_table.id = " row ".table_id),"    \
        " (SELECT round FROM tillroll.rated_table WHERE rated_table.id = " row ".table_id),"       \
        " (SELECT table_number FROM tillroll.rated_table WHERE rated_table.id = " row ".table_id)"

/* Reads RATED_TABLE_COLUMNS, which begin at column `first`. */
struct rated_table rated_table_read(const struct rows *rows, int row, int first);

#endif
