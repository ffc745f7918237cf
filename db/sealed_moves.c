#include "db/sealed_moves.h"

#include "db/statement.h"

static const struct statement add = {
    "sealed_move_add",
    "INSERT INTO tillroll_vault.sealed_move (game_id, ply, seat, sealed, received_at, signature)"
    " VALUES ($1, $2, $3, $4, tillroll.from_ms($5), $6) ON CONFLICT DO NOTHING"};

enum db_status sealed_move_add(struct db *db, const struct id *game, unsigned ply,
                               const struct sealed_move *move, int64_t now_ms)
{
    struct parameters p = {0};
    parameter_id(&p, game);
    parameter_integer(&p, ply);
    parameter_integer(&p, move->seat);
    parameter_bytes(&p, move->sealed, move->size);
    parameter_integer(&p, now_ms);
    parameter_bytes(&p, move->signature, move->signature_size);
    return statement_change(db, &add, &p, DB_CONFLICT);
}

static const struct statement list = {
    "sealed_move_list", "SELECT seat, sealed, signature FROM tillroll_vault.sealed_move"
                        " WHERE game_id = $1 AND ply = $2 ORDER BY seat"};

static void read_move(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct sealed_move *move = element;
    move->seat = row_unsigned(rows, row, 0);
    move->sealed = row_bytes(rows, row, 1, arena, &move->size);
    if (!row_is_null(rows, row, 2))
        move->signature = row_bytes(rows, row, 2, arena, &move->signature_size);
}

enum db_status sealed_move_list(struct db *db, struct arena *arena, const struct id *game,
                                unsigned ply, struct sealed_move **moves, size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, game);
    parameter_integer(&p, ply);
    enum db_status status;
    *moves = statement_list(db, arena, &list, &p, sizeof **moves, read_move, count, &status);
    return status;
}
