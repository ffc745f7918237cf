/* Tables with a rated reported result (tournament_rated_seats()), and the ranks that count there.
 * In the order of ratings such a table takes the place of a game. Once rated, it keeps its place;
 * the ranks follow the event's log. */
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

/* Replaces the ranks that count at a table of `event`, `round`, `table`: `count` seats, 0 or at
 * least 2, of the table's `seats`. A new table gets `id`; otherwise `id` becomes the stored one.
 * DB_NONE if the table is new and there is nothing to rate. */
enum db_status rated_table_put(struct db *db, struct rated_table *table, unsigned seats,
                               const struct rated_seat *rated, size_t count);

/* Lists the players without an account that are entered in an event, in the arena. */
enum db_status rated_table_guests(struct db *db, struct arena *arena, const struct id *event,
                                  struct id **guests, size_t *count);

/* ---- Rows ---- */

/* Inside db/ only: the columns of a table, by the column `table_id` of `row`, which may be null. */
#define RATED_TABLE_COLUMNS(row)                                                                   \
    row ".table_id,"                                                                               \
        " (SELECT event_id FROM tillroll.rated_table WHERE rated_table.id = " row ".table_id),"    \
        " (SELECT round FROM tillroll.rated_table WHERE rated_table.id = " row ".table_id),"       \
        " (SELECT table_number FROM tillroll.rated_table WHERE rated_table.id = " row ".table_id)"

/* Reads RATED_TABLE_COLUMNS, which begin at column `first`. */
struct rated_table rated_table_read(const struct rows *rows, int row, int first);

#endif
