#include "db/store/people/rated_tables.h"

#include <assert.h>

#include "db/link/db.h"

enum { SEATS_MAX = 5 };

static const struct statement place = {
    "rated_table_place",
    "WITH known AS (SELECT id FROM tillroll.rated_table"
    " WHERE event_id = $1 AND round = $2 AND table_number = $3"
    "), made AS (INSERT INTO tillroll.rated_table (id, event_id, round, table_number, seats)"
    " SELECT $4, $1, $2, $3, $5 WHERE $6::boolean AND NOT EXISTS (SELECT FROM known) RETURNING id"
    ") SELECT id FROM known UNION ALL SELECT id FROM made"};

static const struct statement take_away = {"rated_seat_take_away",
                                           "DELETE FROM tillroll.rated_seat WHERE table_id = $1"};

static const struct statement add = {"rated_seat_add",
                                     "INSERT INTO tillroll.rated_seat"
                                     " (table_id, seat, player_id, rank) SELECT $1, * FROM"
                                     " unnest($2::integer[], $3::uuid[], $4::integer[])"};

static enum db_status find_place(struct db *db, struct rated_table *table, unsigned seats,
                                 bool make)
{
    return statement_value(db, &place,
                           WITH(ID(&table->event), NUMBER(table->round), NUMBER(table->table),
                                ID(&table->id), NUMBER(seats), FLAG(make)),
                           &table->id);
}

enum db_status rated_table_put(struct db *db, struct rated_table *table, unsigned seats,
                               const struct rated_seat *rated, size_t count)
{
    int32_t seat[SEATS_MAX], rank[SEATS_MAX];
    struct id player[SEATS_MAX];
    assert(count <= seats && seats <= SEATS_MAX);
    for (size_t i = 0; i < count; i++) {
        seat[i] = (int32_t)rated[i].seat;
        player[i] = rated[i].player;
        rank[i] = (int32_t)rated[i].rank;
    }
    enum db_status status = find_place(db, table, seats, count > 0);
    if (status == DB_OK)
        status = statement_change(db, &take_away, WITH(ID(&table->id)), DB_OK);
    if (status != DB_OK || count == 0)
        return status;
    return statement_change(
        db, &add,
        WITH(ID(&table->id), INTEGERS(seat, count), IDS(player, count), INTEGERS(rank, count)),
        DB_ERROR);
}

static const struct statement guests_of = {
    "rated_table_guests", "SELECT player_id FROM tillroll.entry CROSS JOIN LATERAL ("
                          " SELECT guest FROM tillroll.player WHERE id = player_id OFFSET 0)"
                          " AS player WHERE event_id = $1 AND guest"};

enum db_status rated_table_guests(struct db *db, struct arena *arena, const struct id *event,
                                  struct id **guests, size_t *count)
{
    return statement_list(db, arena, &guests_of, WITH(ID(event)), sizeof **guests, row_read_id,
                          guests, count);
}

struct rated_table rated_table_read(const struct rows *rows, int row, int first)
{
    if (row_is_null(rows, row, first))
        return (struct rated_table){.id = {""}};
    return (struct rated_table){.id = row_id(rows, row, first),
                                .event = row_id(rows, row, first + 1),
                                .round = row_unsigned(rows, row, first + 2),
                                .table = row_unsigned(rows, row, first + 3)};
}
