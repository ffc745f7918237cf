#include "db/store/service/secrets.h"

#include <string.h>

#include "db/link/statement.h"

/* Columns: sealed. */
static void read_sealed(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct span *read = element;
    read->at = (const char *)row_bytes(rows, row, 0, arena, &read->length);
}

static enum db_status find(struct db *db, struct arena *arena, const struct statement *statement,
                           const struct value *values, const uint8_t **sealed, size_t *size)
{
    struct span found = {NULL, 0};
    enum db_status status = statement_one(db, arena, statement, values, read_sealed, &found);
    *sealed = (const uint8_t *)found.at;
    *size = found.length;
    return status;
}

static const struct statement of_event = {
    "event_secret", "SELECT sealed FROM tillroll_vault.event_secret WHERE event_id = $1"};

enum db_status event_secret(struct db *db, struct arena *arena, const struct id *id,
                            const uint8_t **sealed, size_t *size)
{
    return find(db, arena, &of_event, WITH(ID(id)), sealed, size);
}

static const struct statement of_round = {
    "round_secret",
    "SELECT sealed FROM tillroll_vault.round_secret WHERE event_id = $1 AND number = $2"};

enum db_status round_secret(struct db *db, struct arena *arena, const struct id *event,
                            unsigned round, const uint8_t **sealed, size_t *size)
{
    return find(db, arena, &of_round, WITH(ID(event), NUMBER(round)), sealed, size);
}

static const struct statement of_waiting = {
    "waiting_secret", "SELECT sealed FROM tillroll_vault.waiting_secret WHERE game_id = $1"};

enum db_status waiting_secret(struct db *db, struct arena *arena, const struct id *id,
                              const uint8_t **sealed, size_t *size)
{
    return find(db, arena, &of_waiting, WITH(ID(id)), sealed, size);
}

/* The secret of the game `id`. */
#define SECRET_OF(id)                                                                              \
    "SELECT sealed FROM tillroll_vault.game_secret WHERE game_id = " id                            \
    " UNION ALL SELECT sealed FROM tillroll.game"                                                  \
    " JOIN tillroll_vault.round_secret AS secret"                                                  \
    "  ON secret.event_id = game.event_id AND secret.number = game.round"                          \
    " WHERE game.id = " id " AND game.board IS NOT NULL"

static const struct statement of_game = {"game_secret", SECRET_OF("$1")};

enum db_status game_secret(struct db *db, struct arena *arena, const struct id *id,
                           const uint8_t **sealed, size_t *size)
{
    return find(db, arena, &of_game, WITH(ID(id)), sealed, size);
}

static const struct statement of_games = {
    "game_secrets", "SELECT given.place, found.sealed"
                    " FROM unnest($1::uuid[]) WITH ORDINALITY AS given (id, place)"
                    " CROSS JOIN LATERAL (" SECRET_OF("given.id") ") AS found"};

enum db_status game_secrets(struct db *db, struct arena *arena, const struct id *ids, size_t count,
                            struct span *sealed)
{
    struct rows rows;
    enum db_status status = statement_rows(db, &of_games, WITH(IDS(ids, count)), &rows);
    if (status != DB_OK)
        return status;
    memset(sealed, 0, count * sizeof *sealed);
    for (int row = 0; row < rows.count; row++) {
        struct span *found = &sealed[row_integer(&rows, row, 0) - 1];
        found->at = (const char *)row_bytes(&rows, row, 1, arena, &found->length);
    }
    rows_free(&rows);
    return DB_OK;
}

static const struct statement newest = {
    "sealed_secrets_newest",
    "(SELECT sealed FROM tillroll_vault.event_secret ORDER BY event_id DESC LIMIT 1)"
    " UNION ALL"
    " (SELECT sealed FROM tillroll_vault.round_secret ORDER BY event_id DESC, number DESC LIMIT 1)"
    " UNION ALL"
    " (SELECT sealed FROM tillroll_vault.waiting_secret ORDER BY game_id DESC LIMIT 1)"
    " UNION ALL"
    " (SELECT sealed FROM tillroll_vault.game_secret ORDER BY game_id DESC LIMIT 1)"};

enum db_status secrets_newest(struct db *db, struct arena *arena, struct span **sealed,
                              size_t *count)
{
    return statement_list(db, arena, &newest, NULL, sizeof **sealed, read_sealed, sealed, count);
}
