/* Recomputing ratings. Only rows of current ratings are changed, and these follow from the current
 * changes (the view rating_step). */
#include "db/store/people/rating_revisions.h"

#include <assert.h>

#include "db/link/db.h"
#include "db/link/statement.h"

/* ---- The order of games ---- */

static const struct statement find_place = {
    "rated_game_place",
    "WITH " RATED_GAME_PLACE("EXISTS (SELECT FROM tillroll.counted_result WHERE game_id = $1 AND "
                             "seat = 1) OR EXISTS (SELECT FROM tillroll.rated_seat"
                             " WHERE rated_seat.table_id = $1)",
                             "$3::boolean") " SELECT number FROM place"};

enum db_status rated_game_place(struct db *db, const struct id *game, int64_t now_ms, bool apart,
                                int64_t *number)
{
    return statement_value(db, &find_place, WITH(ID(game), NUMBER(now_ms), FLAG(apart)), number);
}

/* OFFSET 0 makes the plan look the results up game by game, whatever the view expands to: the
 * planner cannot tell how many rows an override leaves. */
static const struct statement list_games = {
    "rated_game_list",
    "WITH page AS (SELECT * FROM tillroll.rated_game WHERE number >= $1 ORDER BY number LIMIT $2)"
    " SELECT page.game_id, number, tillroll.to_ms(at), coalesce("
    "  (SELECT slug FROM tillroll.game WHERE game.id = page.game_id),"
    "  (SELECT slug FROM tillroll.event WHERE event.id = (SELECT event_id"
    "   FROM tillroll.rated_table WHERE rated_table.id = page.table_id))),"
    " player_id, rank, apart, " RATED_TABLE_COLUMNS(
        "page") " FROM page LEFT JOIN LATERAL (SELECT seat, player_id, rank"
                "  FROM tillroll.counted_result JOIN tillroll.game_seat USING (game_id, seat)"
                "  WHERE game_id = page.game_id"
                "  UNION ALL SELECT seat, player_id, rank FROM tillroll.rated_seat"
                "  WHERE rated_seat.table_id = page.table_id OFFSET 0) AS counted ON true"
                " ORDER BY number, counted.seat"};

static void read_rated_seat(const struct rows *rows, int row, struct rated_row *game)
{
    if (row_is_null(rows, row, 4))
        return;
    assert(game->seats < GAME_ROW_SEATS);
    game->player[game->seats] = row_id(rows, row, 4);
    game->rank[game->seats++] = (int32_t)row_integer(rows, row, 5);
}

enum db_status rated_game_list(struct db *db, struct arena *arena, int64_t from, size_t limit,
                               struct rated_row **games, size_t *count)
{
    struct rows rows;
    enum db_status status =
        statement_rows(db, &list_games, WITH(NUMBER(from), NUMBER(limit)), &rows);
    if (status != DB_OK)
        return status;
    *count = 0;
    *games = arena_array(arena, (size_t)rows.count, sizeof **games);
    for (int row = 0; row < rows.count; row++) {
        int64_t number = row_integer(&rows, row, 1);
        if (*count == 0 || (*games)[*count - 1].number != number)
            (*games)[(*count)++] = (struct rated_row){.game = row_id(&rows, row, 0),
                                                      .number = number,
                                                      .at_ms = row_integer(&rows, row, 2),
                                                      .slug = row_text(&rows, row, 3, arena),
                                                      .apart = row_boolean(&rows, row, 6),
                                                      .table = rated_table_read(&rows, row, 7)};
        read_rated_seat(&rows, row, &(*games)[*count - 1]);
    }
    rows_free(&rows);
    return DB_OK;
}

static const struct statement changes_between = {
    "rating_changes_between",
    RATING_CHANGE_COLUMNS " FROM tillroll.rated_game JOIN tillroll.rating_step AS change ON "
                          "change.cause = coalesce(rated_game.game_id, rated_game.table_id)"
                          " WHERE rated_game.number BETWEEN $1 AND $2"
                          " ORDER BY change.number, change.scope, change.player_id"};

enum db_status rating_changes_between(struct db *db, struct arena *arena, int64_t first,
                                      int64_t last, struct rating_change **changes, size_t *count)
{
    return rating_changes_read(db, arena, &changes_between, WITH(NUMBER(first), NUMBER(last)),
                               changes, count);
}

static const struct statement values_before = {
    "rating_values_before",
    "SELECT mu_after, sigma_after, volatility_after, number, mu_after IS NOT NULL"
    " FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS given (player_id, scope, position)"
    " LEFT JOIN LATERAL ("
    "  SELECT mu_after, sigma_after, volatility_after, number FROM tillroll.rating_step AS step"
    "  WHERE step.player_id = given.player_id AND step.scope = given.scope AND step.number < $3"
    "  ORDER BY step.number DESC LIMIT 1) AS newest ON true"
    " ORDER BY position"};

enum db_status rating_values_before(struct db *db, int64_t number, struct rating_row *rows,
                                    size_t count)
{
    struct arena arena = {NULL};
    struct rows got;
    struct id *player = arena_array(&arena, count, sizeof *player);
    struct span *scope = arena_array(&arena, count, sizeof *scope);
    for (size_t i = 0; i < count; i++) {
        player[i] = rows[i].player;
        scope[i] = span_of(rows[i].scope);
    }
    enum db_status status = statement_rows(
        db, &values_before, WITH(IDS(player, count), TEXTS(scope, count), NUMBER(number)), &got);
    arena_free(&arena);
    if (status != DB_OK)
        return status;
    assert((size_t)got.count == count);
    for (int i = 0; i < got.count; i++) {
        rows[i].mu = row_integer(&got, i, 0);
        rows[i].sigma = row_integer(&got, i, 1);
        rows[i].volatility = row_integer(&got, i, 2);
        rows[i].period = row_unsigned(&got, i, 3);
        rows[i].games = row_boolean(&got, i, 4);
    }
    rows_free(&got);
    return DB_OK;
}

/* ---- Storing ---- */

static const struct statement add_changes = {
    "rating_changes_add",
    "INSERT INTO tillroll.rating_change (game_id, event_id, table_id, number, scope, player_id, at,"
    "  revision, place, games, mu_before, sigma_before, mu_after, sigma_after, volatility_before,"
    "  volatility_after)"
    " SELECT CASE kind & 5 WHEN 0 THEN cause END, CASE kind & 5 WHEN 1 THEN cause END,"
    "  CASE kind & 5 WHEN 4 THEN cause END, number, scope, player_id, tillroll.from_ms(at), $1, "
    "CASE WHEN $1 > 0 THEN $2 + position - 1 END,"
    "  games, CASE WHEN kind & 2 = 0 THEN mu_before END, CASE WHEN kind & 2 = 0 THEN sigma_before "
    "END,"
    "  CASE WHEN kind & 2 = 0 THEN mu_after END, CASE WHEN kind & 2 = 0 THEN sigma_after END,"
    "  nullif(volatility_before, 0), nullif(volatility_after, 0)"
    " FROM unnest($3::uuid[], $4::integer[], $5::bigint[], $6::text[], $7::uuid[], $8::bigint[],"
    "   $9::integer[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[],"
    "   $15::bigint[]) WITH ORDINALITY"
    "  AS given (cause, kind, number, scope, player_id, at, games, mu_before, sigma_before,"
    "   mu_after, sigma_after, volatility_before, volatility_after, position)"
    " ON CONFLICT DO NOTHING RETURNING 1"};

/* The columns of `add_changes`. `kind` is 1 for an event's change and 4 for a table's, plus 2 for
 * no change. */
struct change_columns {
    struct id *cause, *player;
    struct span *scope;
    int32_t *kind, *games;
    int64_t *number, *at_ms, *value[6];
};

static void make_columns(struct arena *arena, struct change_columns *columns, size_t count)
{
    columns->cause = arena_array(arena, count, sizeof *columns->cause);
    columns->player = arena_array(arena, count, sizeof *columns->player);
    columns->scope = arena_array(arena, count, sizeof *columns->scope);
    columns->kind = arena_array(arena, count, sizeof *columns->kind);
    columns->games = arena_array(arena, count, sizeof *columns->games);
    columns->number = arena_array(arena, count, sizeof *columns->number);
    columns->at_ms = arena_array(arena, count, sizeof *columns->at_ms);
    for (size_t i = 0; i < 6; i++)
        columns->value[i] = arena_array(arena, count, sizeof *columns->value[i]);
}

static void fill_columns(struct change_columns *columns, const struct rating_change *changes,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct rating_change *change = &changes[i];
        bool of_event = change->event.text[0] != '\0';
        bool of_table = change->table.id.text[0] != '\0';
        columns->cause[i] = of_event ? change->event : of_table ? change->table.id : change->game;
        columns->kind[i] = of_event + 4 * of_table + 2 * change->none;
        columns->number[i] = change->number;
        columns->scope[i] = span_of(change->scope);
        columns->player[i] = change->player;
        columns->at_ms[i] = change->at_ms;
        columns->games[i] = (int32_t)change->games;
        columns->value[0][i] = change->mu_before;
        columns->value[1][i] = change->sigma_before;
        columns->value[2][i] = change->mu_after;
        columns->value[3][i] = change->sigma_after;
        columns->value[4][i] = change->volatility_before;
        columns->value[5][i] = change->volatility_after;
    }
}

enum db_status rating_changes_add(struct db *db, const struct rating_change *changes, size_t count,
                                  unsigned place)
{
    struct arena arena = {NULL};
    struct rows added;
    struct change_columns columns;
    if (count == 0)
        return DB_OK;
    make_columns(&arena, &columns, count);
    fill_columns(&columns, changes, count);
    int64_t *const *value = columns.value;
    enum db_status status = statement_rows(
        db, &add_changes,
        WITH(NUMBER(changes[0].revision), NUMBER(place), IDS(columns.cause, count),
             INTEGERS(columns.kind, count), BIGINTS(columns.number, count),
             TEXTS(columns.scope, count), IDS(columns.player, count), BIGINTS(columns.at_ms, count),
             INTEGERS(columns.games, count), BIGINTS(value[0], count), BIGINTS(value[1], count),
             BIGINTS(value[2], count), BIGINTS(value[3], count), BIGINTS(value[4], count),
             BIGINTS(value[5], count)),
        &added);
    arena_free(&arena);
    if (status != DB_OK)
        return status;
    status = (size_t)added.count == count ? DB_OK : DB_CONFLICT;
    rows_free(&added);
    return status;
}

/* Sets the ratings of `touched`, rows of players and scopes. A player without any change left keeps
 * a rating of no games. */
#define SETTLE                                                                                     \
    " INSERT INTO tillroll.rating (player_id, scope, mu, sigma, games, volatility, period)"        \
    " SELECT touched.player_id, touched.scope, coalesce(newest.mu_after, 0),"                      \
    "  coalesce(newest.sigma_after, 1), coalesce(total.games, 0), newest.volatility_after,"        \
    "  CASE WHEN newest.volatility_after IS NOT NULL THEN newest.number END"                       \
    " FROM touched LEFT JOIN LATERAL ("                                                            \
    "  SELECT mu_after, sigma_after, volatility_after, number FROM tillroll.rating_step AS step"   \
    "  WHERE step.player_id = touched.player_id AND step.scope = touched.scope"                    \
    "  ORDER BY step.number DESC LIMIT 1) AS newest ON true"                                       \
    " LEFT JOIN LATERAL ("                                                                         \
    "  SELECT sum(step.games) AS games FROM tillroll.rating_step AS step"                          \
    "  WHERE step.player_id = touched.player_id AND step.scope = touched.scope) AS total ON true"  \
    " ON CONFLICT (player_id, scope) DO UPDATE"                                                    \
    "  SET mu = excluded.mu, sigma = excluded.sigma, games = excluded.games,"                      \
    "   volatility = excluded.volatility, period = excluded.period"

static const struct statement settle_revision = {
    "rating_settle_revision", "WITH touched AS (SELECT DISTINCT player_id, scope"
                              " FROM tillroll.rating_change WHERE revision = $1)" SETTLE};

enum db_status rating_settle_revision(struct db *db, unsigned revision)
{
    return statement_change(db, &settle_revision, WITH(NUMBER(revision)), DB_OK);
}

static const struct statement settle = {"rating_settle",
                                        "WITH touched AS (SELECT player_id, $1::text AS scope"
                                        " FROM unnest($2::uuid[]) AS given (player_id))" SETTLE};

enum db_status rating_settle(struct db *db, const char *scope, const struct id *players,
                             size_t count)
{
    return statement_change(db, &settle, WITH(TEXT(scope), IDS(players, count)), DB_OK);
}

/* ---- Revisions ---- */

static const struct statement create = {
    "rating_revision_create",
    "WITH reported AS (SELECT id FROM tillroll.rated_table WHERE id = $3)"
    " INSERT INTO tillroll.rating_revision (number, at, actor_id, game_id, table_id, reason)"
    " SELECT coalesce(max(number), 0) + 1, tillroll.from_ms($1), $2,"
    "  CASE WHEN NOT EXISTS (SELECT FROM reported) THEN $3::uuid END, (SELECT id FROM reported), $4"
    " FROM tillroll.rating_revision RETURNING number"};

enum db_status rating_revision_create(struct db *db, struct rating_revision *revision)
{
    return statement_value(db, &create,
                           WITH(NUMBER(revision->at_ms), ID(&revision->actor), ID(&revision->game),
                                TEXT(revision->reason)),
                           &revision->number);
}

#define REVISION_COLUMNS                                                                           \
    "SELECT number, tillroll.to_ms(at), actor_id, player.name, game_id, reason,"                   \
    " (SELECT coalesce(max(place), 0) FROM tillroll.rating_change"                                 \
    "  WHERE rating_change.revision = rating_revision.number), " RATED_TABLE_COLUMNS(              \
        "rating_revision") " FROM tillroll.rating_revision LEFT JOIN tillroll.player ON "          \
                           "player.id = actor_id"

/* Columns: REVISION_COLUMNS. */
static void read_revision(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct rating_revision *revision = element;
    *revision = (struct rating_revision){.number = row_unsigned(rows, row, 0),
                                         .at_ms = row_integer(rows, row, 1),
                                         .actor = row_id(rows, row, 2),
                                         .actor_name = row_text(rows, row, 3, arena),
                                         .game = row_id(rows, row, 4),
                                         .reason = row_text(rows, row, 5, arena),
                                         .changes = row_unsigned(rows, row, 6),
                                         .table = rated_table_read(rows, row, 7)};
}

static const struct statement find = {"rating_revision_find",
                                      REVISION_COLUMNS " WHERE number = $1"};

enum db_status rating_revision_find(struct db *db, struct arena *arena, unsigned number,
                                    struct rating_revision *revision)
{
    return statement_one(db, arena, &find, WITH(NUMBER(number)), read_revision, revision);
}

static const struct statement list = {"rating_revision_list", REVISION_COLUMNS
                                      " WHERE number < $1 ORDER BY number DESC LIMIT $2"};

enum db_status rating_revision_list(struct db *db, struct arena *arena, unsigned before,
                                    size_t limit, struct rating_revision **revisions, size_t *count)
{
    return statement_list(db, arena, &list,
                          WITH(NUMBER(before == 0 ? INT32_MAX : (int64_t)before), NUMBER(limit)),
                          sizeof **revisions, read_revision, revisions, count);
}

static const struct statement list_corrections = {
    "rating_correction_list", RATING_CHANGE_COLUMNS
    ", change.place, was.revision, was.games, was.mu_after IS NULL, was.mu_before,"
    " was.sigma_before, was.mu_after, was.sigma_after, was.volatility_before, was.volatility_after"
    " FROM tillroll.rating_change AS change"
    " LEFT JOIN LATERAL (SELECT * FROM tillroll.rating_change AS older"
    "  WHERE older.cause = change.cause AND older.scope = change.scope"
    "   AND older.player_id = change.player_id AND older.revision < change.revision"
    "  ORDER BY older.revision DESC LIMIT 1) AS was ON true"
    " WHERE change.revision = $1 AND change.place > $2 ORDER BY change.place LIMIT $3"};

static void read_correction(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct rating_correction *correction = element;
    enum { FIRST = RATING_CHANGE_COLUMN_COUNT };
    rating_change_read(rows, row, arena, &correction->is);
    correction->place = row_unsigned(rows, row, FIRST);
    correction->was = correction->is;
    correction->was.revision = row_unsigned(rows, row, FIRST + 1);
    correction->was.games = row_unsigned(rows, row, FIRST + 2);
    correction->was.none = row_boolean(rows, row, FIRST + 3);
    correction->was.mu_before = row_integer(rows, row, FIRST + 4);
    correction->was.sigma_before = row_integer(rows, row, FIRST + 5);
    correction->was.mu_after = row_integer(rows, row, FIRST + 6);
    correction->was.sigma_after = row_integer(rows, row, FIRST + 7);
    correction->was.volatility_before = row_integer(rows, row, FIRST + 8);
    correction->was.volatility_after = row_integer(rows, row, FIRST + 9);
}

enum db_status rating_correction_list(struct db *db, struct arena *arena, unsigned revision,
                                      unsigned after, size_t limit,
                                      struct rating_correction **corrections, size_t *count)
{
    return statement_list(db, arena, &list_corrections,
                          WITH(NUMBER(revision), NUMBER(after), NUMBER(limit)),
                          sizeof **corrections, read_correction, corrections, count);
}
