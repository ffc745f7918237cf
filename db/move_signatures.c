#include "db/move_signatures.h"

#include <string.h>

#include "db/statement.h"

static const struct statement add = {
    "move_signature_add",
    "INSERT INTO tillroll.move_signature (game_id, seq, signature)"
    " SELECT $1, seq, signature FROM unnest($2::integer[], $3::bytea[]) AS given (seq, signature)"};

enum db_status move_signature_add(struct db *db, const struct id *game,
                                  const struct move_signature *signatures, size_t count)
{
    struct arena arena = {NULL};
    struct parameters p = {0};
    int32_t *seqs = arena_array(&arena, count, sizeof *seqs);
    struct span *bytes = arena_array(&arena, count, sizeof *bytes);
    for (size_t i = 0; i < count; i++) {
        seqs[i] = (int32_t)signatures[i].seq;
        bytes[i] = (struct span){(const char *)signatures[i].bytes, SIGNATURE_BYTES};
    }
    parameter_id(&p, game);
    parameter_array_integer(&p, &arena, seqs, count);
    parameter_array_bytes(&p, &arena, bytes, count);
    enum db_status status = statement_change(db, &add, &p, DB_ERROR);
    arena_free(&arena);
    return status;
}

void move_signature_print(const struct move_signature *signature, struct text *text)
{
    if (signature->of_entropy)
        signature_print_entropy(signature->seq, signature->bytes, text);
    else
        signature_print(signature->seq, signature->bytes, text);
}

static const struct statement add_entropy = {
    "entropy_signature_add", "INSERT INTO tillroll.entropy_signature (game_id, seat, signature)"
                             " VALUES ($1, $2, $3)"};

enum db_status entropy_signature_add(struct db *db, const struct id *game, unsigned seat,
                                     const uint8_t signature[static SIGNATURE_BYTES])
{
    struct parameters p = {0};
    parameter_id(&p, game);
    parameter_integer(&p, seat);
    parameter_bytes(&p, signature, SIGNATURE_BYTES);
    return statement_change(db, &add_entropy, &p, DB_ERROR);
}

/* Columns: seq or seat, signature, game, whether it is of entropy. Bytes of another length, which
 * the table does not allow, hold for nothing. */
static void read_signature(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct move_signature *signature = element;
    size_t size;
    const uint8_t *bytes = row_bytes(rows, row, 1, arena, &size);
    memcpy(signature->bytes, bytes, size < SIGNATURE_BYTES ? size : SIGNATURE_BYTES);
    signature->seq = row_unsigned(rows, row, 0);
    signature->of_entropy = row_boolean(rows, row, 3);
}

/* Those of entropy come first. */
static const struct statement list = {
    "move_signature_list",
    "SELECT seat, signature, game_id, true FROM tillroll.entropy_signature WHERE game_id = $1"
    " UNION ALL SELECT seq, signature, game_id, false FROM tillroll.move_signature"
    "  WHERE game_id = $1 ORDER BY 4 DESC, 1"};

enum db_status move_signature_list(struct db *db, struct arena *arena, const struct id *game,
                                   struct move_signature **signatures, size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, game);
    enum db_status status;
    *signatures =
        statement_list(db, arena, &list, &p, sizeof **signatures, read_signature, count, &status);
    return status;
}

static const struct statement range = {
    "move_signature_range",
    "SELECT seat, signature, game_id, true FROM tillroll.entropy_signature"
    "  WHERE game_id > $1 AND game_id <= $2"
    " UNION ALL SELECT seq, signature, game_id, false FROM tillroll.move_signature"
    "  WHERE game_id > $1 AND game_id <= $2 ORDER BY 3, 4 DESC, 1"};

static void read_game_signature(const struct rows *rows, int row, struct arena *arena,
                                void *element)
{
    struct game_signature *signature = element;
    signature->game = row_id(rows, row, 2);
    read_signature(rows, row, arena, &signature->signature);
}

enum db_status move_signature_range(struct db *db, struct arena *arena, const struct id *after,
                                    const struct id *until, struct game_signature **signatures,
                                    size_t *count)
{
    struct parameters p = {0};
    parameter_id_after(&p, after);
    parameter_id_before(&p, until);
    enum db_status status;
    *signatures = statement_list(db, arena, &range, &p, sizeof **signatures, read_game_signature,
                                 count, &status);
    return status;
}
