#include "db/rulings.h"

#include "db/statement.h"

static const struct statement take_away = {
    "ruling_take_away", "DELETE FROM tillroll.ruled_seat"
                        " WHERE event_id = $1 AND round = $2 AND table_number = $3"};

static const struct statement add = {"ruling_add",
                                     "INSERT INTO tillroll.ruled_seat"
                                     " (event_id, round, table_number, seat, score, rank, forfeit)"
                                     " VALUES ($1, $2, $3, $4, $5, $6, $7)"};

static void parameter_table(struct parameters *p, const struct id *event, unsigned round,
                            unsigned table)
{
    parameter_id(p, event);
    parameter_integer(p, round);
    parameter_integer(p, table);
}

enum db_status ruling_put(struct db *db, const struct id *event, unsigned round, unsigned table,
                          const struct ruled_seat *seats, size_t count)
{
    struct parameters where = {0};
    parameter_table(&where, event, round, table);
    enum db_status status = statement_change(db, &take_away, &where, DB_OK);
    for (size_t seat = 0; status == DB_OK && seat < count; seat++) {
        struct parameters p = {0};
        parameter_table(&p, event, round, table);
        parameter_integer(&p, (int64_t)seat);
        parameter_integer(&p, seats[seat].score);
        parameter_integer(&p, seats[seat].rank);
        parameter_boolean(&p, seats[seat].forfeit);
        status = statement_change(db, &add, &p, DB_ERROR);
    }
    return status;
}
