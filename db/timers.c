#include "db/timers.h"

#include "db/statement.h"

static const struct statement put = {
    "timer_put", "INSERT INTO tillroll.event_timer (event_id, due_at)"
                 " VALUES ($1, tillroll.from_ms($2))"
                 " ON CONFLICT (event_id) DO UPDATE SET due_at = excluded.due_at"};

static const struct statement remove_timer = {
    "timer_remove", "DELETE FROM tillroll.event_timer WHERE event_id = $1"};

enum db_status timer_set(struct db *db, const struct id *event, int64_t due_ms)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    if (due_ms == 0)
        return statement_change(db, &remove_timer, &p, DB_OK);
    parameter_integer(&p, due_ms);
    return statement_change(db, &put, &p, DB_ERROR);
}

static const struct statement find = {
    "timer_find", "SELECT event_id FROM tillroll.event_timer WHERE due_at <= tillroll.from_ms($1)"
                  " ORDER BY due_at LIMIT 1"};

enum db_status timer_find(struct db *db, int64_t now_ms, struct id *event)
{
    struct parameters p = {0};
    parameter_integer(&p, now_ms);
    struct rows rows;
    enum db_status status = statement_row(db, &find, &p, &rows);
    if (status != DB_OK)
        return status;
    *event = row_id(&rows, 0, 0);
    rows_free(&rows);
    return DB_OK;
}
