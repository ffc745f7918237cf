#include "db/store/people/players.h"

#include "db/link/statement.h"
#include "db/store/games/followed_games.h"
#include "db/store/people/emails.h"
#include "db/store/people/notices.h"
#include "db/store/people/push_subscriptions.h"
#include "db/store/people/webhooks.h"
#include "db/store/service/outbox.h"

enum { ORIGIN_BYTES = 32 };

static const struct statement create = {
    "player_create", "INSERT INTO tillroll.player (id, name, password_hash, created_at, owner_id,"
                     " origin, guest, house)"
                     " VALUES ($1, $2, $3, tillroll.from_ms($4), $5, $6, $7, $8)"
                     " ON CONFLICT DO NOTHING"};

enum db_status player_create(struct db *db, const struct player *player)
{
    return statement_change(db, &create,
                            WITH(ID(&player->id), TEXT(player->name), TEXT(player->password_hash),
                                 NUMBER(player->created_at_ms), ID(&player->owner),
                                 BYTES(player->origin, ORIGIN_BYTES), FLAG(player->guest),
                                 TEXT(player->house)),
                            DB_CONFLICT);
}

#define PLAYER_COLUMNS                                                                             \
    "id, name, tillroll.to_ms(created_at), owner_id, roles, deleted_at IS NOT NULL, origin,"       \
    " guest, house"

/* Columns: PLAYER_COLUMNS. */
static void read_player(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct player *player = element;
    player->id = row_id(rows, row, 0);
    player->name = row_text(rows, row, 1, arena);
    player->password_hash = NULL;
    player->created_at_ms = row_integer(rows, row, 2);
    player->owner = row_id(rows, row, 3);
    player->roles = row_unsigned(rows, row, 4);
    player->deleted = row_boolean(rows, row, 5);
    size_t size;
    player->origin = row_is_null(rows, row, 6) ? NULL : row_bytes(rows, row, 6, arena, &size);
    player->guest = row_boolean(rows, row, 7);
    player->house = row_text_or_null(rows, row, 8, arena);
}

static const struct statement by_id = {"player_by_id", "SELECT " PLAYER_COLUMNS
                                                       " FROM tillroll.player WHERE id = $1"};

enum db_status player_by_id(struct db *db, struct arena *arena, const struct id *id,
                            struct player *player)
{
    return statement_one(db, arena, &by_id, WITH(ID(id)), read_player, player);
}

static const struct statement by_name = {
    "player_by_name", "SELECT " PLAYER_COLUMNS ", password_hash FROM tillroll.player"
                      " WHERE tillroll.name_key(name) = tillroll.name_key($1)"
                      " AND origin IS NULL"};

enum db_status player_by_name(struct db *db, struct arena *arena, const char *name,
                              struct player *player)
{
    struct rows rows;
    enum db_status status = statement_row(db, &by_name, WITH(TEXT(name)), &rows);
    if (status != DB_OK)
        return status;
    read_player(&rows, 0, arena, player);
    if (!row_is_null(&rows, 0, 9))
        player->password_hash = row_text(&rows, 0, 9, arena);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement password = {"player_password",
                                          "SELECT password_hash FROM tillroll.player"
                                          " WHERE id = $1 AND password_hash IS NOT NULL"};

enum db_status player_password(struct db *db, struct arena *arena, const struct id *id,
                               const char **password_hash)
{
    return statement_one(db, arena, &password, WITH(ID(id)), row_read_text, password_hash);
}

/* ---- Lists ---- */

static enum db_status read_list(struct db *db, struct arena *arena,
                                const struct statement *statement, const struct value *p,
                                struct player **players, size_t *count)
{
    return statement_list(db, arena, statement, p, sizeof **players, read_player, players, count);
}

static const struct statement list = {"player_list",
                                      "SELECT " PLAYER_COLUMNS
                                      " FROM tillroll.player WHERE id > $1 ORDER BY id LIMIT $2"};

enum db_status player_list(struct db *db, struct arena *arena, const struct id *after, size_t limit,
                           struct player **players, size_t *count)
{
    return read_list(db, arena, &list, WITH(AFTER(after), NUMBER(limit)), players, count);
}

static const struct statement list_roles = {"player_list_roles",
                                            "SELECT " PLAYER_COLUMNS " FROM tillroll.player"
                                            " WHERE id > $1 AND roles <> 0 ORDER BY id LIMIT $2"};

enum db_status player_list_roles(struct db *db, struct arena *arena, const struct id *after,
                                 size_t limit, struct player **players, size_t *count)
{
    return read_list(db, arena, &list_roles, WITH(AFTER(after), NUMBER(limit)), players, count);
}

/* Uses the unique index of names: keys with this prefix sort after it, and before the prefix
 * followed by the highest character. */
static const struct statement search = {
    "player_search",
    "SELECT " PLAYER_COLUMNS " FROM tillroll.player WHERE origin IS NULL AND deleted_at IS NULL"
    " AND tillroll.name_key(name) >= tillroll.name_key($1)"
    " AND tillroll.name_key(name) < tillroll.name_key($1) || chr(1114111)"
    " AND starts_with(tillroll.name_key(name), tillroll.name_key($1))"
    " ORDER BY tillroll.name_key(name) LIMIT $2"};

enum db_status player_search(struct db *db, struct arena *arena, const char *beginning,
                             size_t limit, struct player **players, size_t *count)
{
    return read_list(db, arena, &search, WITH(TEXT(beginning), NUMBER(limit)), players, count);
}

static const struct statement list_bots = {
    "player_list_bots", "SELECT " PLAYER_COLUMNS " FROM tillroll.player WHERE owner_id = $3"
                        " AND id > $1 AND deleted_at IS NULL ORDER BY id LIMIT $2"};

enum db_status player_list_bots(struct db *db, struct arena *arena, const struct id *owner,
                                const struct id *after, size_t limit, struct player **players,
                                size_t *count)
{
    return read_list(db, arena, &list_bots, WITH(AFTER(after), NUMBER(limit), ID(owner)), players,
                     count);
}

static const struct statement count_bots = {
    "player_count_bots", "SELECT count(*) FILTER (WHERE deleted_at IS NULL),"
                         " count(*) FILTER (WHERE created_at >= tillroll.from_ms($2))"
                         " FROM tillroll.player WHERE owner_id = $1"};

static void read_bot_counts(const struct rows *rows, int row, struct arena *arena, void *element)
{
    (void)arena;
    *(struct bot_counts *)element =
        (struct bot_counts){.all = row_unsigned(rows, row, 0), .made = row_unsigned(rows, row, 1)};
}

enum db_status player_count_bots(struct db *db, const struct id *owner, int64_t from_ms,
                                 struct bot_counts *counts)
{
    return statement_one(db, NULL, &count_bots, WITH(ID(owner), NUMBER(from_ms)), read_bot_counts,
                         counts);
}

static const struct statement count_house = {
    "player_count_house", "SELECT count(*) FROM tillroll.player WHERE house = $1"};

enum db_status player_count_house(struct db *db, const char *level, unsigned *count)
{
    return statement_value(db, &count_house, WITH(TEXT(level)), count);
}

static const struct statement list_house = {
    "player_list_house", "SELECT " PLAYER_COLUMNS " FROM tillroll.player WHERE house = $1"
                         " AND deleted_at IS NULL ORDER BY id LIMIT $2"};

enum db_status player_list_house(struct db *db, struct arena *arena, const char *level,
                                 size_t limit, struct player **players, size_t *count)
{
    return read_list(db, arena, &list_house, WITH(TEXT(level), NUMBER(limit)), players, count);
}

/* ---- Changes ---- */

static const struct statement lock = {"player_lock",
                                      "SELECT 1 FROM tillroll.player"
                                      " WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE"};

enum db_status player_lock(struct db *db, const struct id *id)
{
    return statement_change(db, &lock, WITH(ID(id)), DB_NONE);
}

/* Locks the owner first, whose id is older. */
enum db_status player_lock_person(struct db *db, const struct player *player)
{
    enum db_status status = player->owner.text[0] == '\0' ? DB_OK : player_lock(db, &player->owner);
    return status == DB_OK ? player_lock(db, &player->id) : status;
}

static const struct statement rename_player = {
    "player_rename", "UPDATE tillroll.player SET name = $2 WHERE id = $1 AND deleted_at IS NULL"};

enum db_status player_rename(struct db *db, const struct id *id, const char *name)
{
    return statement_change(db, &rename_player, WITH(ID(id), TEXT(name)), DB_NONE);
}

static const struct statement set_password = {"player_set_password",
                                              "UPDATE tillroll.player SET password_hash = $2"
                                              " WHERE id = $1 AND password_hash IS NOT NULL"};

enum db_status player_set_password(struct db *db, const struct id *id, const char *password_hash)
{
    enum db_status status =
        statement_change(db, &set_password, WITH(ID(id), TEXT(password_hash)), DB_NONE);
    return status == DB_OK ? email_tokens_end(db, id, EMAIL_RESET) : status;
}

static const struct statement make_account = {
    "player_make_account", "UPDATE tillroll.player SET guest = false, name = $2, password_hash = $3"
                           " WHERE id = $1 AND guest AND deleted_at IS NULL"};

enum db_status player_make_account(struct db *db, const struct id *id, const char *name,
                                   const char *password_hash)
{
    return statement_change(db, &make_account, WITH(ID(id), TEXT(name), TEXT(password_hash)),
                            DB_NONE);
}

static const struct statement change_roles = {
    "player_change_roles", "UPDATE tillroll.player SET roles = (roles | $2::integer) & ~$3::integer"
                           " WHERE id = $1 AND password_hash IS NOT NULL"};

enum db_status player_change_roles(struct db *db, const struct id *id, unsigned add,
                                   unsigned remove)
{
    return statement_change(db, &change_roles, WITH(ID(id), NUMBER(add), NUMBER(remove)), DB_NONE);
}

/* The end of an id is random, and no account may choose a name of this form. */
static const struct statement forget = {
    "player_forget",
    "UPDATE tillroll.player SET password_hash = NULL, roles = 0, deleted_at = tillroll.from_ms($2),"
    "  name = 'Deleted player ' || right(id::text, 12)"
    "   || CASE WHEN owner_id IS NULL THEN '' ELSE ' [bot]' END"
    " WHERE id IN"
    "  (SELECT $1::uuid UNION ALL SELECT id FROM tillroll.player AS bot WHERE bot.owner_id = $1)"
    "  AND deleted_at IS NULL"};

static const struct statement forget_tokens = {
    "player_forget_tokens",
    "DELETE FROM tillroll.token WHERE player_id IN"
    " (SELECT $1::uuid UNION ALL SELECT id FROM tillroll.player WHERE owner_id = $1)"};

static const struct statement forget_answers = {
    "player_forget_answers",
    "DELETE FROM tillroll.kept_answer WHERE player_id IN"
    " (SELECT $1::uuid UNION ALL SELECT id FROM tillroll.player WHERE owner_id = $1)"};

/* Frees seats, so that no player waits for one that will not come. */
static const struct statement forget_seats = {
    "player_forget_seats",
    "WITH gone AS MATERIALIZED (SELECT $1::uuid AS id UNION ALL"
    "  SELECT id FROM tillroll.player WHERE owner_id = $1),"
    " tables AS (DELETE FROM tillroll.casual_table WHERE game_id IS NULL"
    "  AND creator_id = ANY (ARRAY(SELECT id FROM gone))"
    "  AND id = ANY (ARRAY(SELECT seat.table_id FROM tillroll.casual_seat AS seat"
    "   WHERE seat.player_id = ANY (ARRAY(SELECT id FROM gone)))))"
    " DELETE FROM tillroll.casual_seat AS seat WHERE player_id = ANY (ARRAY(SELECT id FROM gone))"
    "  AND EXISTS (SELECT FROM tillroll.casual_table AS casual WHERE casual.id = seat.table_id"
    "   AND casual.game_id IS NULL AND casual.creator_id <> ALL (ARRAY(SELECT id FROM gone))"
    "   OFFSET 0)"};

enum db_status player_delete(struct db *db, const struct id *id, int64_t now_ms)
{
    enum db_status status = statement_change(db, &forget, WITH(ID(id), NUMBER(now_ms)), DB_NONE);
    if (status == DB_OK)
        status = statement_change(db, &forget_seats, WITH(ID(id)), DB_OK);
    if (status == DB_OK)
        status = statement_change(db, &forget_tokens, WITH(ID(id)), DB_OK);
    if (status == DB_OK)
        status = email_tokens_end(db, id, NULL);
    if (status == DB_OK)
        status = outbox_forget(db, id);
    if (status == DB_OK)
        status = notice_forget(db, id);
    if (status == DB_OK)
        status = email_remove(db, id);
    if (status == DB_OK)
        status = push_subscriptions_forget(db, id);
    if (status == DB_OK)
        status = webhooks_forget(db, id);
    if (status == DB_OK)
        status = followed_games_remove(db, id);
    return status == DB_OK ? statement_change(db, &forget_answers, WITH(ID(id)), DB_OK) : status;
}

/* ---- Names that look alike ---- */

static const struct statement forget_skeleton = {
    "name_skeletons_forget",
    "DELETE FROM tillroll.name_skeleton WHERE player_id IN"
    " (SELECT $1::uuid UNION ALL SELECT id FROM tillroll.player WHERE owner_id = $1)"};

enum db_status name_skeletons_forget(struct db *db, const struct id *player)
{
    return statement_change(db, &forget_skeleton, WITH(ID(player)), DB_OK);
}

/* The unique index of taken skeletons lets only one of two simultaneous transactions through. */
static const struct statement take = {
    "name_skeletons_take",
    "WITH taken AS (INSERT INTO tillroll.name_skeleton (player_id, name, version, skeleton, taken)"
    "  SELECT $1, $2, $3, skeleton, true FROM unnest($4::text[]) AS skeleton"
    "  WHERE NOT EXISTS (SELECT FROM tillroll.name_skeleton AS other"
    "   JOIN tillroll.player ON player.id = other.player_id AND player.name = other.name"
    "   WHERE other.skeleton = ANY ($4::text[]) AND other.player_id <> $1)"
    "  ON CONFLICT DO NOTHING RETURNING 1) SELECT count(*) FROM taken"};

static const struct statement clear = {"name_skeletons_clear",
                                       "DELETE FROM tillroll.name_skeleton WHERE player_id = $1"};

static enum db_status clear_own(struct db *db, const struct id *player)
{
    return statement_change(db, &clear, WITH(ID(player)), DB_OK);
}

#define SKELETON_VALUES(player, name, skeletons, spans)                                            \
    ID(player), TEXT(name), NUMBER((skeletons)->version),                                          \
        TEXTS(fill_spans(spans, skeletons), (skeletons)->count)

static struct span *fill_spans(struct span spans[static NAME_SKELETONS_MAX],
                               const struct name_skeletons *skeletons)
{
    for (size_t i = 0; i < skeletons->count; i++)
        spans[i] = span_of(skeletons->skeleton[i]);
    return spans;
}

enum db_status name_skeletons_take(struct db *db, const struct id *player, const char *name,
                                   const struct name_skeletons *skeletons)
{
    struct span spans[NAME_SKELETONS_MAX];
    size_t taken = 0;
    enum db_status status = clear_own(db, player);
    if (status == DB_OK)
        status = statement_value(db, &take, WITH(SKELETON_VALUES(player, name, skeletons, spans)),
                                 &taken);
    return status == DB_OK && taken != skeletons->count ? DB_CONFLICT : status;
}

/* ---- Names from before ---- */

static const struct statement list_skeletons = {
    "name_skeletons_list",
    "SELECT id, name, deleted_at IS NOT NULL OR origin IS NOT NULL OR EXISTS ("
    " SELECT FROM tillroll.name_skeleton AS own WHERE own.player_id = player.id"
    "  AND own.name = player.name AND own.version >= $2 OFFSET 0)"
    " FROM tillroll.player WHERE id > $1 ORDER BY id LIMIT $3"};

static void read_named(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct named *named = element;
    *named = (struct named){row_id(rows, row, 0), row_text(rows, row, 1, arena),
                            row_boolean(rows, row, 2)};
}

enum db_status name_skeletons_list(struct db *db, struct arena *arena, const struct id *after,
                                   unsigned version, size_t limit, struct named **named,
                                   size_t *count)
{
    return statement_list(db, arena, &list_skeletons,
                          WITH(AFTER(after), NUMBER(version), NUMBER(limit)), sizeof **named,
                          read_named, named, count);
}

static const struct statement fill = {
    "name_skeletons_fill",
    "INSERT INTO tillroll.name_skeleton (player_id, name, version, skeleton, taken)"
    " SELECT $1, $2, $3, skeleton, false FROM unnest($4::text[]) AS skeleton"
    " ON CONFLICT DO NOTHING"};

enum db_status name_skeletons_fill(struct db *db, const struct named *named,
                                   const struct name_skeletons *skeletons)
{
    struct span spans[NAME_SKELETONS_MAX];
    enum db_status status = clear_own(db, &named->player);
    if (status != DB_OK)
        return status;
    return statement_change(
        db, &fill, WITH(SKELETON_VALUES(&named->player, named->name, skeletons, spans)), DB_OK);
}
