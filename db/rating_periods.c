#include "db/rating_periods.h"

#include "db/statement.h"

static const struct statement create = {
    "rating_period_create",
    "INSERT INTO tillroll.rating_period (slug, number, event_id, at)"
    " SELECT $1::text, coalesce(max(number), 0) + 1, $2, greatest(tillroll.from_ms($3), max(at))"
    " FROM tillroll.rating_period WHERE slug = $1::text"
    " ON CONFLICT (event_id) DO NOTHING RETURNING number, tillroll.to_ms(at)"};

enum db_status rating_period_create(struct db *db, struct rating_period *period)
{
    struct parameters p = {0};
    struct rows rows;
    parameter_text(&p, period->slug);
    parameter_id(&p, &period->event);
    parameter_integer(&p, period->at_ms);
    enum db_status status = statement_row(db, &create, &p, &rows);
    if (status != DB_OK)
        return status == DB_NONE ? DB_CONFLICT : status;
    period->number = row_unsigned(&rows, 0, 0);
    period->at_ms = row_integer(&rows, 0, 1);
    rows_free(&rows);
    return DB_OK;
}

#define PERIOD_COLUMNS                                                                             \
    "SELECT slug, number, event_id, tillroll.to_ms(at) FROM tillroll.rating_period"

static enum db_status read_period(struct db *db, struct arena *arena,
                                  const struct statement *statement, const struct parameters *p,
                                  struct rating_period *period)
{
    struct rows rows;
    enum db_status status = statement_row(db, statement, p, &rows);
    if (status != DB_OK)
        return status;
    *period = (struct rating_period){.slug = row_text(&rows, 0, 0, arena),
                                     .number = row_unsigned(&rows, 0, 1),
                                     .event = row_id(&rows, 0, 2),
                                     .at_ms = row_integer(&rows, 0, 3)};
    rows_free(&rows);
    return DB_OK;
}

static const struct statement find = {"rating_period_of", PERIOD_COLUMNS " WHERE event_id = $1"};

enum db_status rating_period_of(struct db *db, struct arena *arena, const struct id *event,
                                struct rating_period *period)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    return read_period(db, arena, &find, &p, period);
}

static const struct statement find_next = {
    "rating_period_next",
    PERIOD_COLUMNS " WHERE slug = $1 AND number > $2 ORDER BY number LIMIT 1"};

enum db_status rating_period_next(struct db *db, struct arena *arena,
                                  const struct rating_period *after, struct rating_period *period)
{
    struct parameters p = {0};
    parameter_text(&p, after->slug);
    parameter_integer(&p, after->number);
    return read_period(db, arena, &find_next, &p, period);
}

static const struct statement count_all = {
    "rating_period_count",
    "SELECT coalesce(max(number), 0) FROM tillroll.rating_period WHERE slug = $1"};

enum db_status rating_period_count(struct db *db, const char *slug, unsigned *count)
{
    struct parameters p = {0};
    struct rows rows;
    parameter_text(&p, slug);
    enum db_status status = statement_row(db, &count_all, &p, &rows);
    if (status != DB_OK)
        return status;
    *count = row_unsigned(&rows, 0, 0);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement list_games = {
    "game_of_two_list",
    "SELECT game_id, (array_agg(player_id ORDER BY seat))[1],"
    " (array_agg(player_id ORDER BY seat))[2], (array_agg(rank ORDER BY seat))[1],"
    " (array_agg(rank ORDER BY seat))[2]"
    " FROM tillroll.counted_result JOIN tillroll.game_seat USING (game_id, seat)"
    " WHERE game_id IN (SELECT id FROM tillroll.game WHERE event_id = $1)"
    " GROUP BY game_id HAVING count(*) = 2 ORDER BY game_id"};

enum db_status game_of_two_list(struct db *db, struct arena *arena, const struct id *event,
                                struct game_of_two **games, size_t *count)
{
    struct parameters p = {0};
    struct rows rows;
    parameter_id(&p, event);
    enum db_status status = statement_rows(db, &list_games, &p, &rows);
    if (status != DB_OK)
        return status;
    *count = (size_t)rows.count;
    *games = arena_array(arena, *count, sizeof **games);
    for (int row = 0; row < rows.count; row++)
        (*games)[row] = (struct game_of_two){
            .game = row_id(&rows, row, 0),
            .player = {row_id(&rows, row, 1), row_id(&rows, row, 2)},
            .rank = {row_unsigned(&rows, row, 3), row_unsigned(&rows, row, 4)}};
    rows_free(&rows);
    return DB_OK;
}
