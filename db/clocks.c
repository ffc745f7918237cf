#include "db/clocks.h"

#include "db/statement.h"

static void read_id(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct id *id = element;
    (void)arena;
    *id = row_id(rows, row, 0);
}

static const struct statement list = {
    "clock_games", "SELECT id FROM tillroll.game WHERE clock IS NOT NULL AND finished_at IS NULL"};

enum db_status clock_games(struct db *db, struct arena *arena, struct id **games, size_t *count)
{
    struct parameters p = {0};
    enum db_status status;
    *games = statement_list(db, arena, &list, &p, sizeof **games, read_id, count, &status);
    return status;
}

static const struct statement among = {"clock_games_among",
                                       "SELECT id FROM tillroll.game WHERE id = ANY ($1)"
                                       " AND clock IS NOT NULL AND finished_at IS NULL"};

enum db_status clock_games_among(struct db *db, struct arena *arena, const struct id *games,
                                 size_t count, struct id **found, size_t *found_count)
{
    struct parameters p = {0};
    parameter_array_id(&p, arena, games, count);
    enum db_status status;
    *found = statement_list(db, arena, &among, &p, sizeof **found, read_id, found_count, &status);
    return status;
}

static const struct statement lock = {
    "served_lock", "SELECT tillroll.to_ms(at), coalesce(tillroll.to_ms(gap_from), 0),"
                   " coalesce(tillroll.to_ms(gap_to), 0) FROM tillroll.served FOR UPDATE"};

enum db_status served_lock(struct db *db, struct served *served)
{
    struct parameters p = {0};
    struct rows rows;
    enum db_status status = statement_row(db, &lock, &p, &rows);
    if (status != DB_OK)
        return status;
    *served = (struct served){.at_ms = row_integer(&rows, 0, 0),
                              .gap_from_ms = row_integer(&rows, 0, 1),
                              .gap_to_ms = row_integer(&rows, 0, 2)};
    rows_free(&rows);
    return DB_OK;
}

static const struct statement store = {"served_store",
                                       "UPDATE tillroll.served SET at = tillroll.from_ms($1),"
                                       " gap_from = tillroll.from_ms(nullif($2::bigint, 0)),"
                                       " gap_to = tillroll.from_ms(nullif($3::bigint, 0))"};

enum db_status served_store(struct db *db, const struct served *served)
{
    struct parameters p = {0};
    parameter_integer(&p, served->at_ms);
    parameter_integer(&p, served->gap_from_ms);
    parameter_integer(&p, served->gap_to_ms);
    return statement_change(db, &store, &p, DB_ERROR);
}
