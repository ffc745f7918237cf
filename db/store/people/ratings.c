/* Ratings: a value is only replaced together with the change that explains it. */
#include "db/store/people/ratings.h"

#include <assert.h>
#include <string.h>

/* An exclusive lock on the key that ratings_to_change() locks shared (0031_lookups.sql). */
static const struct statement lock = {"rating_lock", "SELECT pg_catalog.pg_advisory_xact_lock("
                                                     "7306086895124181868)"};

enum db_status rating_lock(struct db *db)
{
    return statement_change(db, &lock, NULL, DB_ERROR);
}

const char *rating_house_scope(struct arena *arena, const char *slug)
{
    size_t capacity = sizeof RATING_HOUSE_SCOPE + strlen(slug);
    struct text text = {arena_take(arena, capacity), 0, capacity, false};
    text_add(&text, RATING_HOUSE_SCOPE);
    text_add(&text, slug);
    return text.at;
}

/* The number of reported results in a rating; in Glicko-2, those of tables of two in its events. */
#define REPORTED                                                                                   \
    "(SELECT count(*) FROM tillroll.rated_seat AS sitting"                                         \
    " JOIN tillroll.rated_table AS reported ON reported.id = sitting.table_id"                     \
    " JOIN tillroll.rated_game AS rated ON rated.table_id = reported.id"                           \
    " JOIN tillroll.rating_step AS step ON step.player_id = sitting.player_id"                     \
    "  AND step.scope = rating.scope AND step.cause = CASE"                                        \
    "   WHEN starts_with(rating.scope, 'glicko.') THEN reported.event_id ELSE reported.id END"     \
    " WHERE sitting.player_id = rating.player_id"                                                  \
    "  AND (NOT starts_with(rating.scope, 'glicko.') OR (reported.seats = 2 AND NOT "              \
    "rated.apart)))"

#define RATING_COLUMNS                                                                             \
    "SELECT player_id, player.name, scope, mu, sigma, games, volatility, period,"                  \
    " player.origin IS NOT NULL, " REPORTED                                                        \
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
    rating->reported = row_unsigned(rows, row, 9);
}

static enum db_status read_ratings(struct db *db, struct arena *arena,
                                   const struct statement *statement, const struct value *p,
                                   struct rating_row **ratings, size_t *count)
{
    return statement_list(db, arena, statement, p, sizeof **ratings, read_rating, ratings, count);
}

static const struct statement find = {
    "rating_find", "SELECT mu, sigma, games, volatility, period FROM tillroll.rating"
                   " WHERE player_id = $1 AND scope = $2 AND games > 0"};

enum db_status rating_find(struct db *db, const struct id *player, const char *scope,
                           struct rating_row *rating)
{
    struct rows rows;
    enum db_status status = statement_row(db, &find, WITH(ID(player), TEXT(scope)), &rows);
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
    struct rows got;
    assert(count <= RATING_ROWS_MAX);
    for (size_t i = 0; i < count; i++) {
        player[i] = rows[i].player;
        scope[i] = span_of(rows[i].scope);
    }
    enum db_status status =
        statement_rows(db, &to_change, WITH(IDS(player, count), TEXTS(scope, count)), &got);
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

/* A first rating replaces none: then `before` has no games. Each rating is looked up by its key,
 * since a join might read them all. If another transaction has changed a rating without taking the
 * lock, this lookup does not see it, and fewer rows are stored. */
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
        "true",
        "$10::boolean") ", change AS ("
                        " INSERT INTO tillroll.rating_change (game_id, table_id, number, scope,"
                        "   player_id, at, mu_before, sigma_before, mu_after, sigma_after)"
                        " SELECT game_id, table_id, number, scope, player_id, at, mu_before,"
                        "  sigma_before, mu, sigma"
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

enum db_status rating_store(struct db *db, const struct id *game, int64_t now_ms, bool apart,
                            const struct rating_row *before, const struct rating_row *after,
                            size_t count)
{
    struct change_columns columns;
    struct rows stored;
    assert(count <= RATING_ROWS_MAX);
    fill_columns(&columns, before, after, count);
    enum db_status status =
        statement_rows(db, &store,
                       WITH(ID(game), NUMBER(now_ms), IDS(columns.player, count),
                            TEXTS(columns.scope, count), BIGINTS(columns.mu_before, count),
                            BIGINTS(columns.sigma_before, count), INTEGERS(columns.games, count),
                            BIGINTS(columns.mu, count), BIGINTS(columns.sigma, count), FLAG(apart)),
                       &stored);
    if (status != DB_OK)
        return status;
    status = (size_t)stored.count == count ? DB_OK : DB_CONFLICT;
    rows_free(&stored);
    return status;
}

/* Written so that both parts of the condition can use the index. */
static const struct statement leaderboard = {"rating_leaderboard", RATING_COLUMNS
                                             " WHERE scope = $1 AND games > 0"
                                             " AND games BETWEEN $5 AND $6"
                                             " AND (player.house IS NOT NULL OR"
                                             "  (player.origin IS NOT NULL AND"
                                             "   starts_with(player.name, 'House · ')))"
                                             "  = starts_with(scope, 'house.')"
                                             " AND value <= $3::bigint"
                                             " AND (value < $3::bigint OR player_id > $4)"
                                             " ORDER BY value DESC, player_id LIMIT $2"};

int64_t rating_value(const struct rating_row *rating)
{
    return rating->volatility > 0 ? rating->mu : rating->mu - 3 * rating->sigma;
}

enum db_status rating_leaderboard(struct db *db, struct arena *arena, const char *scope,
                                  unsigned games_least, unsigned games_most,
                                  const struct rating_row *after, size_t limit,
                                  struct rating_row **rows, size_t *count)
{
    static const struct id none = {""};
    return read_ratings(db, arena, &leaderboard,
                        WITH(TEXT(scope), NUMBER(limit),
                             NUMBER(after == NULL ? INT64_MAX : rating_value(after)),
                             AFTER(after == NULL ? &none : &after->player), NUMBER(games_least),
                             NUMBER(games_most)),
                        rows, count);
}

static const struct statement of_player = {"rating_of_player",
                                           RATING_COLUMNS " WHERE player_id = $1 AND games > 0"
                                                          " ORDER BY games DESC, scope"};

enum db_status rating_of_player(struct db *db, struct arena *arena, const struct id *player,
                                struct rating_row **rows, size_t *count)
{
    return read_ratings(db, arena, &of_player, WITH(ID(player)), rows, count);
}

void rating_change_read(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct rating_change *change = element;
    *change = (struct rating_change){
        .game = row_id(rows, row, 0),
        .event = row_id(rows, row, 1),
        .number = row_integer(rows, row, 2),
        .player = row_id(rows, row, 3),
        .player_name = row_text(rows, row, 4, arena),
        .scope = row_text(rows, row, 5, arena),
        .at_ms = row_integer(rows, row, 6),
        .revision = row_unsigned(rows, row, 7),
        .games = row_unsigned(rows, row, 8),
        .none = row_boolean(rows, row, 9),
        .mu_before = row_integer(rows, row, 10),
        .sigma_before = row_integer(rows, row, 11),
        .mu_after = row_integer(rows, row, 12),
        .sigma_after = row_integer(rows, row, 13),
        .volatility_before = row_integer(rows, row, 14),
        .volatility_after = row_integer(rows, row, 15),
        .table = rated_table_read(rows, row, 16),
    };
}

enum db_status rating_changes_read(struct db *db, struct arena *arena,
                                   const struct statement *statement, const struct value *p,
                                   struct rating_change **changes, size_t *count)
{
    return statement_list(db, arena, statement, p, sizeof **changes, rating_change_read, changes,
                          count);
}

static const struct statement changes_of = {"rating_changes_of", RATING_CHANGE_COLUMNS
                                            " FROM tillroll.rating_step AS change"
                                            " WHERE cause = $1 ORDER BY scope, player_id"};

enum db_status rating_changes_of(struct db *db, struct arena *arena, const struct id *cause,
                                 struct rating_change **changes, size_t *count)
{
    return rating_changes_read(db, arena, &changes_of, WITH(ID(cause)), changes, count);
}

static const struct statement history = {"rating_history", RATING_CHANGE_COLUMNS
                                         " FROM tillroll.rating_step AS change"
                                         " WHERE player_id = $1 AND scope = $2 AND number < $3"
                                         " ORDER BY number DESC LIMIT $4"};

enum db_status rating_history(struct db *db, struct arena *arena, const struct id *player,
                              const char *scope, const struct rating_change *after, size_t limit,
                              struct rating_change **changes, size_t *count)
{
    return rating_changes_read(db, arena, &history,
                               WITH(ID(player), TEXT(scope),
                                    NUMBER(after == NULL ? INT64_MAX : after->number),
                                    NUMBER(limit)),
                               changes, count);
}

/* ---- Periods ---- */

static const struct statement create = {
    "rating_period_create",
    "INSERT INTO tillroll.rating_period (slug, number, event_id, at)"
    " SELECT $1::text, coalesce(max(number), 0) + 1, $2, greatest(tillroll.from_ms($3), max(at))"
    " FROM tillroll.rating_period WHERE slug = $1::text"
    " ON CONFLICT (event_id) DO NOTHING RETURNING number, tillroll.to_ms(at)"};

enum db_status rating_period_create(struct db *db, struct rating_period *period)
{
    struct rows rows;
    enum db_status status = statement_row(
        db, &create, WITH(TEXT(period->slug), ID(&period->event), NUMBER(period->at_ms)), &rows);
    if (status != DB_OK)
        return status == DB_NONE ? DB_CONFLICT : status;
    period->number = row_unsigned(&rows, 0, 0);
    period->at_ms = row_integer(&rows, 0, 1);
    rows_free(&rows);
    return DB_OK;
}

#define PERIOD_COLUMNS                                                                             \
    "SELECT slug, number, event_id, tillroll.to_ms(at) FROM tillroll.rating_period"

static void read_period(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct rating_period *period = element;
    *period = (struct rating_period){.slug = row_text(rows, row, 0, arena),
                                     .number = row_unsigned(rows, row, 1),
                                     .event = row_id(rows, row, 2),
                                     .at_ms = row_integer(rows, row, 3)};
}

static const struct statement find_period = {"rating_period_of",
                                             PERIOD_COLUMNS " WHERE event_id = $1"};

enum db_status rating_period_of(struct db *db, struct arena *arena, const struct id *event,
                                struct rating_period *period)
{
    return statement_one(db, arena, &find_period, WITH(ID(event)), read_period, period);
}

static const struct statement find_next = {
    "rating_period_next",
    PERIOD_COLUMNS " WHERE slug = $1 AND number > $2 ORDER BY number LIMIT 1"};

enum db_status rating_period_next(struct db *db, struct arena *arena,
                                  const struct rating_period *after, struct rating_period *period)
{
    return statement_one(db, arena, &find_next, WITH(TEXT(after->slug), NUMBER(after->number)),
                         read_period, period);
}

static const struct statement count_all = {
    "rating_period_count",
    "SELECT coalesce(max(number), 0) FROM tillroll.rating_period WHERE slug = $1"};

enum db_status rating_period_count(struct db *db, const char *slug, unsigned *count)
{
    return statement_value(db, &count_all, WITH(TEXT(slug)), count);
}

static const struct statement list_games = {
    "game_of_two_list",
    "SELECT game_id, NULL::uuid, (array_agg(player_id ORDER BY seat))[1],"
    " (array_agg(player_id ORDER BY seat))[2], (array_agg(rank ORDER BY seat))[1],"
    " (array_agg(rank ORDER BY seat))[2]"
    " FROM tillroll.counted_result JOIN tillroll.game_seat USING (game_id, seat)"
    " WHERE game_id IN (SELECT id FROM tillroll.game WHERE event_id = $1)"
    " AND NOT EXISTS (SELECT FROM tillroll.rated_game"
    "  WHERE rated_game.game_id = counted_result.game_id AND apart)"
    " GROUP BY game_id HAVING count(*) = 2"
    " UNION ALL SELECT NULL, table_id, (array_agg(player_id ORDER BY seat))[1],"
    " (array_agg(player_id ORDER BY seat))[2], (array_agg(rank ORDER BY seat))[1],"
    " (array_agg(rank ORDER BY seat))[2]"
    " FROM tillroll.rated_table JOIN tillroll.rated_seat ON table_id = rated_table.id"
    " WHERE event_id = $1 AND seats = 2 AND NOT EXISTS (SELECT FROM tillroll.rated_game"
    "  WHERE rated_game.table_id = rated_table.id AND apart)"
    " GROUP BY table_id HAVING count(*) = 2 ORDER BY 1, 2"};

static void read_game_of_two(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct game_of_two *game = element;
    (void)arena;
    *game = (struct game_of_two){.game = row_id(rows, row, row_is_null(rows, row, 0)),
                                 .player = {row_id(rows, row, 2), row_id(rows, row, 3)},
                                 .rank = {row_unsigned(rows, row, 4), row_unsigned(rows, row, 5)}};
}

enum db_status game_of_two_list(struct db *db, struct arena *arena, const struct id *event,
                                struct game_of_two **games, size_t *count)
{
    return statement_list(db, arena, &list_games, WITH(ID(event)), sizeof **games, read_game_of_two,
                          games, count);
}
