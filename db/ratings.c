/* Ratings: a value is only ever replaced together with the change that explains it. */
#include "db/ratings.h"

#include <assert.h>
#include <string.h>

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
    "SELECT player_id, player.name, scope, mu, sigma, games"                                       \
    " FROM tillroll.rating JOIN tillroll.player ON player.id = player_id"

/* Columns: RATING_COLUMNS. */
static void read_rating(const struct rows *rows, int row, struct arena *arena,
                        struct rating_row *rating)
{
    rating->player = row_id(rows, row, 0);
    rating->player_name = row_text(rows, row, 1, arena);
    rating->scope = row_text(rows, row, 2, arena);
    rating->mu = row_integer(rows, row, 3);
    rating->sigma = row_integer(rows, row, 4);
    rating->games = row_unsigned(rows, row, 5);
}

static enum db_status read_ratings(struct db *db, struct arena *arena,
                                   const struct statement *statement, const struct parameters *p,
                                   struct rating_row **ratings, size_t *count)
{
    struct rows rows;
    enum db_status status = statement_rows(db, statement, p, &rows);
    if (status != DB_OK)
        return status;
    *count = (size_t)rows.count;
    *ratings = arena_array(arena, *count, sizeof **ratings);
    for (int row = 0; row < rows.count; row++)
        read_rating(&rows, row, arena, &(*ratings)[row]);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement find = {
    "rating_find",
    "SELECT mu, sigma, games FROM tillroll.rating WHERE player_id = $1 AND scope = $2"};

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
    };
    rows_free(&rows);
    return DB_OK;
}

/* A first rating replaces none: then `before` has played no games. */
static const struct statement store = {
    "rating_store",
    "WITH change AS ("
    " INSERT INTO tillroll.rating_change (game_id, scope, player_id, at, mu_before, sigma_before,"
    "   mu_after, sigma_after)"
    " VALUES ($1, $2, $3, tillroll.from_ms($4), $5, $6, $8, $9)"
    " ON CONFLICT DO NOTHING RETURNING player_id, scope"
    "), first AS ("
    " INSERT INTO tillroll.rating (player_id, scope, mu, sigma, games)"
    " SELECT player_id, scope, $8, $9, $10 FROM change WHERE $7::integer = 0"
    " ON CONFLICT DO NOTHING RETURNING 1"
    "), further AS ("
    " UPDATE tillroll.rating SET mu = $8, sigma = $9, games = $10 FROM change"
    " WHERE rating.player_id = change.player_id AND rating.scope = change.scope"
    " AND rating.mu = $5 AND rating.sigma = $6 AND rating.games = $7 RETURNING 1"
    ") SELECT * FROM first UNION ALL SELECT * FROM further"};

enum db_status rating_store(struct db *db, const struct id *game, int64_t now_ms,
                            const struct rating_row *before, const struct rating_row *after)
{
    assert(id_equal(&before->player, &after->player) && strcmp(before->scope, after->scope) == 0);
    struct parameters p = {0};
    parameter_id(&p, game);
    parameter_text(&p, after->scope);
    parameter_id(&p, &after->player);
    parameter_integer(&p, now_ms);
    parameter_integer(&p, before->mu);
    parameter_integer(&p, before->sigma);
    parameter_integer(&p, before->games);
    parameter_integer(&p, after->mu);
    parameter_integer(&p, after->sigma);
    parameter_integer(&p, after->games);
    return statement_change(db, &store, &p, DB_CONFLICT);
}

static const struct statement leaderboard_top = {
    "rating_leaderboard_top",
    RATING_COLUMNS " WHERE scope = $1 ORDER BY mu - 3 * sigma DESC, player_id LIMIT $2"};

/* Written so that both parts of the condition can use the index. */
static const struct statement leaderboard_after = {
    "rating_leaderboard_after",
    RATING_COLUMNS " WHERE scope = $1 AND mu - 3 * sigma <= $3::bigint"
                   " AND (mu - 3 * sigma < $3::bigint OR player_id > $4)"
                   " ORDER BY mu - 3 * sigma DESC, player_id LIMIT $2"};

enum db_status rating_leaderboard(struct db *db, struct arena *arena, const char *scope,
                                  const struct rating_row *after, size_t limit,
                                  struct rating_row **rows, size_t *count)
{
    struct parameters p = {0};
    parameter_text(&p, scope);
    parameter_integer(&p, (int64_t)limit);
    if (after == NULL)
        return read_ratings(db, arena, &leaderboard_top, &p, rows, count);
    parameter_integer(&p, after->mu - 3 * after->sigma);
    parameter_id(&p, &after->player);
    return read_ratings(db, arena, &leaderboard_after, &p, rows, count);
}

static const struct statement of_player = {"rating_of_player",
                                           RATING_COLUMNS " WHERE player_id = $1 ORDER BY scope"};

enum db_status rating_of_player(struct db *db, struct arena *arena, const struct id *player,
                                struct rating_row **rows, size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, player);
    return read_ratings(db, arena, &of_player, &p, rows, count);
}

static const struct statement changes_of_game = {
    "rating_changes_of_game",
    "SELECT game_id, player_id, scope, tillroll.to_ms(at), mu_before, sigma_before, mu_after,"
    " sigma_after FROM tillroll.rating_change WHERE game_id = $1 ORDER BY scope, player_id"};

enum db_status rating_changes_of_game(struct db *db, struct arena *arena, const struct id *game,
                                      struct rating_change **changes, size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, game);
    struct rows rows;
    enum db_status status = statement_rows(db, &changes_of_game, &p, &rows);
    if (status != DB_OK)
        return status;
    *count = (size_t)rows.count;
    *changes = arena_array(arena, *count, sizeof **changes);
    for (int row = 0; row < rows.count; row++)
        (*changes)[row] = (struct rating_change){
            .game = row_id(&rows, row, 0),
            .player = row_id(&rows, row, 1),
            .scope = row_text(&rows, row, 2, arena),
            .at_ms = row_integer(&rows, row, 3),
            .mu_before = row_integer(&rows, row, 4),
            .sigma_before = row_integer(&rows, row, 5),
            .mu_after = row_integer(&rows, row, 6),
            .sigma_after = row_integer(&rows, row, 7),
        };
    rows_free(&rows);
    return DB_OK;
}
