#include "db/signing_keys.h"

#include <string.h>

#include "db/statement.h"

static const struct statement add = {"signing_key_add",
                                     "INSERT INTO tillroll.signing_key_step"
                                     " (player_id, number, at, kind, key, proof, endorsement)"
                                     " VALUES ($1, $2, tillroll.from_ms($3), $4, $5, $6, $7)"
                                     " ON CONFLICT (key) WHERE kind = 'registered' DO NOTHING"};

enum db_status signing_key_add(struct db *db, const struct signing_key_step *added)
{
    const struct keyring_step *step = &added->step;
    bool registered = step->kind == KEYRING_REGISTERED;
    bool named = registered || step->kind == KEYRING_REVOKED;
    struct parameters p = {0};
    parameter_id(&p, &added->player);
    parameter_integer(&p, step->number);
    parameter_integer(&p, step->at_ms);
    parameter_text(&p, keyring_kind_name(step->kind));
    parameter_bytes(&p, named ? step->key : NULL, sizeof step->key);
    parameter_bytes(&p, registered ? step->proof : NULL, sizeof step->proof);
    parameter_bytes(&p, step->endorsed ? step->endorsement : NULL, sizeof step->endorsement);
    return statement_change(db, &add, &p, DB_CONFLICT);
}

#define STEP_COLUMNS                                                                               \
    "SELECT player_id, number, tillroll.to_ms(at), kind, key, proof, endorsement"                  \
    " FROM tillroll.signing_key_step AS step"

/* KEYRING_KINDS, which no ring takes, for a word that is none. */
static enum keyring_kind read_kind(const char *word)
{
    int kind = 0;
    while (kind < KEYRING_KINDS && strcmp(keyring_kind_name((enum keyring_kind)kind), word) != 0)
        kind++;
    return (enum keyring_kind)kind;
}

/* Bytes of another length, which the table does not allow, stay zero and hold for nothing. */
static void read_bytes(const struct rows *rows, int row, int column, struct arena *arena,
                       uint8_t *bytes, size_t size)
{
    size_t found;
    if (row_is_null(rows, row, column))
        return;
    const uint8_t *stored = row_bytes(rows, row, column, arena, &found);
    if (found == size)
        memcpy(bytes, stored, size);
}

/* Columns: STEP_COLUMNS. */
static void read_step(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct signing_key_step *read = element;
    struct keyring_step *step = &read->step;
    read->player = row_id(rows, row, 0);
    step->number = row_unsigned(rows, row, 1);
    step->at_ms = row_integer(rows, row, 2);
    step->kind = read_kind(row_text(rows, row, 3, arena));
    step->endorsed = !row_is_null(rows, row, 6);
    read_bytes(rows, row, 4, arena, step->key, sizeof step->key);
    read_bytes(rows, row, 5, arena, step->proof, sizeof step->proof);
    read_bytes(rows, row, 6, arena, step->endorsement, sizeof step->endorsement);
}

static const struct statement list = {"signing_key_list",
                                      STEP_COLUMNS " WHERE player_id = ANY ($1::uuid[])"
                                                   " ORDER BY player_id, number"};

enum db_status signing_key_list(struct db *db, struct arena *arena, const struct id *players,
                                size_t player_count, struct signing_key_step **steps, size_t *count)
{
    struct parameters p = {0};
    parameter_array_id(&p, arena, players, player_count);
    enum db_status status;
    *steps = statement_list(db, arena, &list, &p, sizeof **steps, read_step, count, &status);
    return status;
}

static const struct statement list_all = {
    "signing_key_list_all",
    STEP_COLUMNS " JOIN (SELECT DISTINCT player_id AS id FROM tillroll.signing_key_step"
                 "  WHERE player_id > $1 ORDER BY id LIMIT $2) AS player ON player.id = player_id"
                 " ORDER BY player_id, number"};

enum db_status signing_key_list_all(struct db *db, struct arena *arena, const struct id *after,
                                    size_t limit, struct signing_key_step **steps, size_t *count)
{
    struct parameters p = {0};
    parameter_id_after(&p, after);
    parameter_integer(&p, (int64_t)limit);
    enum db_status status;
    *steps = statement_list(db, arena, &list_all, &p, sizeof **steps, read_step, count, &status);
    return status;
}
