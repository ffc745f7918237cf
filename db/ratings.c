/* Ratings: a value is only ever replaced together with the change that explains it. */
#include "db/ratings.h"

#include <assert.h>
#include <string.h>

#include "db/rating_rows.h"
#include "db/statement.h"

/* The key is any number that no other lock of this database uses. */
static const struct statement lock = {"rating_lock", "SELECT pg_catalog.pg_advisory_xact_lock("
                                                     "7306086895124181868)"};

enum db_status rating_lock(struct db *db)
{
    struct parameters p = {0};
    return statement_change(db, &lock, &p, DB_ERROR);
}

#define RATING_COLUMNS                                                                             \
    "SELECT player_id, player.name, scope, mu, sigma, games, volatility, period,"                  \
    " player.origin IS NOT NULL"                                                                   \
    " FROM tillroll.rating JOIN tillroll.player ON player.id = player_id"

/* Columns: RATING_COLUMNS. */
static void read_rating(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct rating_row *rating = element;
    rating->player = row_id(rows, row, 0);
    rating->player_name = row_text(rows, row, 1, arena);
    rating->scope = row_text(rows, row, 2, arena);
    rating->mu = row_integer(rows, row, 3);
    rating->sigma = row_integer(rows, row, 4);
    rating->games = row_unsigned(rows, row, 5);
    rating->volatility = row_integer(rows, row, 6);
    rating->imported = row_boolean(rows, row, 8);
    rating->period = row_unsigned(rows, row, 7);
}

static enum db_status read_ratings(struct db *db, struct arena *arena,
                                   const struct statement *statement, const struct parameters *p,
                                   struct rating_row **ratings, size_t *count)
{
    enum db_status status;
    *ratings =
        statement_list(db, arena, statement, p, sizeof **ratings, read_rating, count, &status);
    return status;
}

static const struct statement find = {
    "rating_find", "SELECT mu, sigma, games, volatility, period FROM tillroll.rating"
                   " WHERE player_id = $1 AND scope = $2 AND games > 0"};

enum db_status rating_find(struct db *db, const struct id *player, const char *scope,
                           struct rating_row *rating)
{
    struct parameters p = {0};
    parameter_id(&p, player);
    parameter_text(&p, scope);
    struct rows rows;
    enum db_status status = statement_row(db, &find, &p, &rows);
    if (status != DB_OK)
        return status;
    *rating = (struct rating_row){
        .player = *player,
        .scope = scope,
        .mu = row_integer(&rows, 0, 0),
        .sigma = row_integer(&rows, 0, 1),
        .games = row_unsigned(&rows, 0, 2),
        .volatility = row_integer(&rows, 0, 3),
        .period = row_unsigned(&rows, 0, 4),
    };
    rows_free(&rows);
    return DB_OK;
}

static const struct statement to_change = {
    "ratings_to_change",
    "SELECT mu, sigma, games FROM tillroll.ratings_to_change($1::uuid[], $2::text[])"};

enum db_status rating_lock_several(struct db *db, struct rating_row *rows, size_t count)
{
    struct id player[RATING_ROWS_MAX];
    struct span scope[RATING_ROWS_MAX];
    struct arena arena = {NULL};
    struct parameters p = {0};
    struct rows got;
    assert(count <= RATING_ROWS_MAX);
    for (size_t i = 0; i < count; i++) {
        player[i] = rows[i].player;
        scope[i] = span_of(rows[i].scope);
    }
    parameter_array_id(&p, &arena, player, count);
    parameter_array_text(&p, &arena, scope, count);
    enum db_status status = statement_rows(db, &to_change, &p, &got);
    arena_free(&arena);
    if (status != DB_OK)
        return status;
    assert((size_t)got.count == count);
    for (int i = 0; i < got.count; i++) {
        rows[i].mu = row_integer(&got, i, 0);
        rows[i].sigma = row_integer(&got, i, 1);
        rows[i].games = row_unsigned(&got, i, 2);
    }
    rows_free(&got);
    return DB_OK;
}

/* A first rating replaces none: then `before` has played no games. Each is looked up by its key,
 * since joined, all of them might be read. What the look did not see is what has been changed
 * since, by somebody who did not take the lock: then fewer rows are stored. */
static const struct statement store = {
    "rating_store",
    "WITH given AS ("
    " SELECT row.* FROM unnest($3::uuid[], $4::text[], $5::bigint[], $6::bigint[], $7::integer[],"
    "   $8::bigint[], $9::bigint[])"
    "  AS row (player_id, scope, mu_before, sigma_before, games, mu, sigma)"
    " LEFT JOIN LATERAL (SELECT mu, sigma, games FROM tillroll.rating"
    "   WHERE rating.player_id = row.player_id AND rating.scope = row.scope OFFSET 0)"
    "  AS now ON true"
    " WHERE CASE WHEN row.games = 0 THEN coalesce(now.games, 0) = 0"
    "   ELSE now.games = row.games AND now.mu = mu_before AND now.sigma = sigma_before END"
    "), " RATED_GAME_PLACE(
        "true") ", change AS ("
                " INSERT INTO tillroll.rating_change (game_id, number, scope, player_id, at,"
                "   mu_before, sigma_before, mu_after, sigma_after)"
                " SELECT $1, number, scope, player_id, at, mu_before, sigma_before, mu, sigma"
                " FROM given, place ON CONFLICT DO NOTHING RETURNING player_id, scope"
                ") INSERT INTO tillroll.rating (player_id, scope, mu, sigma, games)"
                " SELECT player_id, scope, mu, sigma, games + 1 FROM given"
                " JOIN change USING (player_id, scope)"
                " ON CONFLICT (player_id, scope) DO UPDATE"
                "  SET mu = excluded.mu, sigma = excluded.sigma, games = excluded.games"
                "  WHERE rating.games = excluded.games - 1"
                " RETURNING 1"};

/* The columns of `store`. */
struct change_columns {
    struct id player[RATING_ROWS_MAX];
    struct span scope[RATING_ROWS_MAX];
    int64_t mu_before[RATING_ROWS_MAX], sigma_before[RATING_ROWS_MAX];
    int32_t games[RATING_ROWS_MAX];
    int64_t mu[RATING_ROWS_MAX], sigma[RATING_ROWS_MAX];
};

static void fill_columns(struct change_columns *columns, const struct rating_row *before,
                         const struct rating_row *after, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert(id_equal(&before[i].player, &after[i].player) &&
               strcmp(before[i].scope, after[i].scope) == 0 &&
               after[i].games == before[i].games + 1);
        columns->player[i] = before[i].player;
        columns->scope[i] = span_of(before[i].scope);
        columns->mu_before[i] = before[i].mu;
        columns->sigma_before[i] = before[i].sigma;
        columns->games[i] = (int32_t)before[i].games;
        columns->mu[i] = after[i].mu;
        columns->sigma[i] = after[i].sigma;
    }
}

enum db_status rating_store(struct db *db, const struct id *game, int64_t now_ms,
                            const struct rating_row *before, const struct rating_row *after,
                            size_t count)
{
    struct change_columns columns;
    struct arena arena = {NULL};
    struct parameters p = {0};
    struct rows stored;
    assert(count <= RATING_ROWS_MAX);
    fill_columns(&columns, before, after, count);
    parameter_id(&p, game);
    parameter_integer(&p, now_ms);
    parameter_array_id(&p, &arena, columns.player, count);
    parameter_array_text(&p, &arena, columns.scope, count);
    parameter_array_bigint(&p, &arena, columns.mu_before, count);
    parameter_array_bigint(&p, &arena, columns.sigma_before, count);
    parameter_array_integer(&p, &arena, columns.games, count);
    parameter_array_bigint(&p, &arena, columns.mu, count);
    parameter_array_bigint(&p, &arena, columns.sigma, count);
    enum db_status status = statement_rows(db, &store, &p, &stored);
    arena_free(&arena);
    if (status != DB_OK)
        return status;
    status = (size_t)stored.count == count ? DB_OK : DB_CONFLICT;
    rows_free(&stored);
    return status;
}

/* Written so that both parts of the condition can use the index. */
static const struct statement leaderboard = {"rating_leaderboard", RATING_COLUMNS
                                             " WHERE scope = $1 AND games > 0 AND games >= $5"
                                             " AND value <= $3::bigint"
                                             " AND (value < $3::bigint OR player_id > $4)"
                                             " ORDER BY value DESC, player_id LIMIT $2"};

int64_t rating_value(const struct rating_row *rating)
{
    return rating->volatility > 0 ? rating->mu : rating->mu - 3 * rating->sigma;
}

enum db_status rating_leaderboard(struct db *db, struct arena *arena, const char *scope,
                                  unsigned games_least, const struct rating_row *after,
                                  size_t limit, struct rating_row **rows, size_t *count)
{
    static const struct id none = {""};
    struct parameters p = {0};
    parameter_text(&p, scope);
    parameter_integer(&p, (int64_t)limit);
    parameter_integer(&p, after == NULL ? INT64_MAX : rating_value(after));
    parameter_id_after(&p, after == NULL ? &none : &after->player);
    parameter_integer(&p, games_least);
    return read_ratings(db, arena, &leaderboard, &p, rows, count);
}

static const struct statement of_player = {"rating_of_player", RATING_COLUMNS
                                           " WHERE player_id = $1 AND games > 0 ORDER BY scope"};

enum db_status rating_of_player(struct db *db, struct arena *arena, const struct id *player,
                                struct rating_row **rows, size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, player);
    return read_ratings(db, arena, &of_player, &p, rows, count);
}

static const struct statement changes_of = {"rating_changes_of", RATING_CHANGE_COLUMNS
                                            " FROM tillroll.rating_step AS change"
                                            " WHERE cause = $1 ORDER BY scope, player_id"};

enum db_status rating_changes_of(struct db *db, struct arena *arena, const struct id *cause,
                                 struct rating_change **changes, size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, cause);
    return rating_changes_read(db, arena, &changes_of, &p, changes, count);
}

static const struct statement history = {"rating_history", RATING_CHANGE_COLUMNS
                                         " FROM tillroll.rating_step AS change"
                                         " WHERE player_id = $1 AND scope = $2 AND number < $3"
                                         " ORDER BY number DESC LIMIT $4"};

enum db_status rating_history(struct db *db, struct arena *arena, const struct id *player,
                              const char *scope, const struct rating_change *after, size_t limit,
                              struct rating_change **changes, size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, player);
    parameter_text(&p, scope);
    parameter_integer(&p, after == NULL ? INT64_MAX : after->number);
    parameter_integer(&p, (int64_t)limit);
    return rating_changes_read(db, arena, &history, &p, changes, count);
}
