#include "db/refused_moves.h"

#include "db/statement.h"

static const struct statement add = {
    "refused_move_add",
    "INSERT INTO tillroll_vault.refused_move (game_id, seat, number, seq, sealed, received_at)"
    " SELECT $1, $2, number, $3, $4, tillroll.from_ms($5)"
    " FROM (SELECT coalesce(max(number), 0) + 1 AS number"
    "  FROM tillroll_vault.refused_move WHERE game_id = $1 AND seat = $2) AS next"
    " WHERE number <= $6 ON CONFLICT DO NOTHING"};

enum db_status refused_move_add(struct db *db, const struct id *game,
                                const struct refused_move *move)
{
    struct parameters p = {0};
    parameter_id(&p, game);
    parameter_integer(&p, move->seat);
    parameter_integer(&p, move->seq);
    parameter_bytes(&p, move->sealed, move->size);
    parameter_integer(&p, move->received_at_ms);
    parameter_integer(&p, REFUSED_MOVES_MAX);
    return statement_change(db, &add, &p, DB_CONFLICT);
}

static const struct statement list = {"refused_move_list",
                                      "SELECT seat, seq, sealed, tillroll.to_ms(received_at)"
                                      " FROM tillroll_vault.refused_move WHERE game_id = $1"
                                      " ORDER BY seat, number"};

static void read_move(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct refused_move *move = element;
    *move = (struct refused_move){.seat = row_unsigned(rows, row, 0),
                                  .seq = row_unsigned(rows, row, 1),
                                  .received_at_ms = row_integer(rows, row, 3)};
    move->sealed = row_bytes(rows, row, 2, arena, &move->size);
}

enum db_status refused_move_list(struct db *db, struct arena *arena, const struct id *game,
                                 struct refused_move **moves, size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, game);
    enum db_status status;
    *moves = statement_list(db, arena, &list, &p, sizeof **moves, read_move, count, &status);
    return status;
}
