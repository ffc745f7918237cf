/* An event's log: numbered without gaps, because whoever adds to it holds the event's lock. */
#include "db/events.h"
#include "db/statement.h"

static const struct statement add = {
    "event_log_add", "INSERT INTO tillroll.event_step (event_id, seq, at, actor_id, kind, detail)"
                     " SELECT $1, coalesce(max(seq), 0) + 1, tillroll.from_ms($3), $2, $4, $5"
                     " FROM tillroll.event_step WHERE event_id = $1"};

enum db_status event_log_add(struct db *db, const struct id *event, const struct id *actor,
                             int64_t now_ms, const char *kind, const char *detail)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    parameter_id(&p, actor);
    parameter_integer(&p, now_ms);
    parameter_text(&p, kind);
    parameter_text(&p, detail);
    return statement_change(db, &add, &p, DB_ERROR);
}

static const struct statement list = {
    "event_log_list", "SELECT seq, tillroll.to_ms(at), actor_id, player.name, kind, detail"
                      " FROM tillroll.event_step LEFT JOIN tillroll.player ON player.id = actor_id"
                      " WHERE event_id = $1 AND seq > $2 ORDER BY seq LIMIT $3"};

enum db_status event_log_list(struct db *db, struct arena *arena, const struct id *event,
                              unsigned after, size_t limit, struct event_step **steps,
                              size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    parameter_integer(&p, after);
    parameter_integer(&p, (int64_t)limit);
    struct rows rows;
    enum db_status status = statement_rows(db, &list, &p, &rows);
    if (status != DB_OK)
        return status;
    *count = (size_t)rows.count;
    *steps = arena_array(arena, *count, sizeof **steps);
    for (int row = 0; row < rows.count; row++)
        (*steps)[row] = (struct event_step){
            .seq = row_unsigned(&rows, row, 0),
            .at_ms = row_integer(&rows, row, 1),
            .actor = row_id(&rows, row, 2),
            .actor_name = row_text(&rows, row, 3, arena),
            .kind = row_text(&rows, row, 4, arena),
            .detail = row_text(&rows, row, 5, arena),
        };
    rows_free(&rows);
    return DB_OK;
}
