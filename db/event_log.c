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

#define STEP_COLUMNS "seq, tillroll.to_ms(at), actor_id, player.name, kind, detail"
#define STEP_TABLES  " FROM tillroll.event_step LEFT JOIN tillroll.player ON player.id = actor_id"

/* Columns: STEP_COLUMNS. */
static void read_step(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct event_step *step = element;
    *step = (struct event_step){
        .seq = row_unsigned(rows, row, 0),
        .at_ms = row_integer(rows, row, 1),
        .actor = row_id(rows, row, 2),
        .actor_name = row_text(rows, row, 3, arena),
        .kind = row_text(rows, row, 4, arena),
        .detail = row_text(rows, row, 5, arena),
    };
}

static const struct statement list = {
    "event_log_list",
    "SELECT " STEP_COLUMNS STEP_TABLES " WHERE event_id = $1 AND seq > $2"
    " AND ($3::integer IS NULL OR seq <= $3)"
    " AND ($4::bigint IS NULL OR at <= tillroll.from_ms($4)) ORDER BY seq LIMIT $5"};

enum db_status event_log_list(struct db *db, struct arena *arena, const struct id *event,
                              unsigned after, const struct event_moment *moment, size_t limit,
                              struct event_step **steps, size_t *count)
{
    bool timed = moment != NULL && moment->at_ms != 0;
    struct parameters p = {0};
    parameter_id(&p, event);
    parameter_integer(&p, after);
    parameter_positive(&p, moment == NULL ? 0 : moment->line);
    if (timed)
        parameter_integer(&p, moment->at_ms);
    else
        parameter_text(&p, NULL);
    parameter_integer(&p, (int64_t)limit);
    enum db_status status;
    *steps = statement_list(db, arena, &list, &p, sizeof **steps, read_step, count, &status);
    return status;
}

static const struct statement begin = {"event_log_begin",
                                       "SELECT coalesce(max(seq), 1) FROM tillroll.event_step"
                                       " WHERE event_id = $1 AND kind = 'restated'"};

enum db_status event_log_begin(struct db *db, const struct id *event, unsigned *line)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    struct rows rows;
    enum db_status status = statement_row(db, &begin, &p, &rows);
    if (status != DB_OK)
        return status;
    *line = row_unsigned(&rows, 0, 0);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement find = {"event_log_find", "SELECT " STEP_COLUMNS STEP_TABLES
                                                        " WHERE event_id = $1 AND seq = $2"};

enum db_status event_log_find(struct db *db, struct arena *arena, const struct id *event,
                              unsigned line, struct event_step *step)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    parameter_integer(&p, line);
    struct rows rows;
    enum db_status status = statement_row(db, &find, &p, &rows);
    if (status != DB_OK)
        return status;
    read_step(&rows, 0, arena, step);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement chain = {"event_log_chain",
                                       "SELECT " STEP_COLUMNS ", event_id, hash" STEP_TABLES
                                       " WHERE (event_id, seq) > ($1, $2::integer)"
                                       " ORDER BY event_id, seq LIMIT $3"};

static void read_chained_step(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct event_chained_step *step = element;
    read_step(rows, row, arena, &step->step);
    step->event = row_id(rows, row, 6);
    row_hash(rows, row, 7, step->hash);
}

enum db_status event_log_chain(struct db *db, struct arena *arena, const struct id *after,
                               unsigned after_line, size_t limit, struct event_chained_step **steps,
                               size_t *count)
{
    struct parameters p = {0};
    parameter_id_after(&p, after);
    parameter_integer(&p, after_line);
    parameter_integer(&p, (int64_t)limit);
    enum db_status status;
    *steps =
        statement_list(db, arena, &chain, &p, sizeof **steps, read_chained_step, count, &status);
    return status;
}
