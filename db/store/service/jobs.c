#include "db/store/service/jobs.h"

#include <string.h>

#include "db/link/statement.h"

/* ---- Starting ---- */

/* Rows locked by other transactions are left to them. */
static const struct statement forget = {
    "job_forget", "DELETE FROM tillroll.job WHERE id = ANY ("
                  " ARRAY (SELECT id FROM tillroll.job WHERE ended_at < clock_timestamp()"
                  "   - make_interval(secs => $2) FOR UPDATE SKIP LOCKED)"
                  " || ARRAY (SELECT id FROM tillroll.job WHERE player_id = $1"
                  "   AND state <> 'running' ORDER BY id DESC OFFSET $3 FOR UPDATE SKIP LOCKED))"};

static const struct statement bury = {
    "job_bury", "UPDATE tillroll.job SET state = 'failed', ended_at = clock_timestamp()"
                " WHERE step = $1 AND state = 'running' AND alive_until < clock_timestamp()"};

static const struct statement add = {
    "job_add", "INSERT INTO tillroll.job (id, kind, step, subject, request_hash, player_id, told,"
               "  alive_until)"
               " VALUES ($1, $2, $3, $4, $5, $6, $7,"
               "  clock_timestamp() + make_interval(secs => $8))"
               " ON CONFLICT (step) WHERE state = 'running' DO NOTHING"};

static const struct statement join = {
    "job_join", "UPDATE tillroll.job SET told = true WHERE step = $1 AND state = 'running'"
                " RETURNING id, request_hash"};

static enum db_status forget_old(struct db *db, const struct id *player)
{
    return statement_change(db, &forget, WITH(ID(player), NUMBER(JOB_KEEP_S), NUMBER(JOBS_KEPT)),
                            DB_OK);
}

static enum db_status fail_dead(struct db *db, const char *step)
{
    return statement_change(db, &bury, WITH(TEXT(step)), DB_OK);
}

static enum db_status find_running(struct db *db, const char *step, struct id *running,
                                   uint8_t hash[static 32])
{
    struct rows rows;
    enum db_status status = statement_row(db, &join, WITH(TEXT(step)), &rows);
    if (status != DB_OK)
        return status;
    *running = row_id(&rows, 0, 0);
    row_hash(&rows, 0, 1, hash);
    rows_free(&rows);
    return DB_CONFLICT;
}

enum db_status job_begin(struct db *db, const struct job_start *start, struct id *running,
                         uint8_t running_hash[static 32])
{
    const struct value *p =
        WITH(ID(&start->id), TEXT(start->kind), TEXT(start->step), TEXT(start->subject),
             BYTES(start->request_hash, sizeof start->request_hash), ID(&start->player),
             FLAG(start->told), NUMBER(JOB_LEASE_S));
    enum db_status status = forget_old(db, &start->player);
    if (status == DB_OK)
        status = fail_dead(db, start->step);
    if (status == DB_OK)
        status = statement_change(db, &add, p, DB_CONFLICT);
    return status == DB_CONFLICT ? find_running(db, start->step, running, running_hash) : status;
}

/* ---- Running ---- */

static const struct statement live = {
    "job_live", "UPDATE tillroll.job SET phase = $2, done = $3, total = $4,"
                "  alive_until = clock_timestamp() + make_interval(secs => $5)"
                " WHERE id = $1 AND state = 'running'"};

enum db_status job_live(struct db *db, const struct id *id, const char *phase, unsigned done,
                        unsigned total)
{
    size_t changed = 0;
    enum db_status status = statement_commit(
        db, &live, WITH(ID(id), TEXT(phase), NUMBER(done), NUMBER(total), NUMBER(JOB_LEASE_S)),
        &changed);
    return status == DB_OK && changed == 0 ? DB_NONE : status;
}

/* ---- Ending ---- */

static const struct statement drop = {
    "job_drop", "DELETE FROM tillroll.job WHERE id = $1 AND state = 'running' AND NOT told"};

static const struct statement end_kept = {
    "job_end", "UPDATE tillroll.job SET state = $2, status = $3, location = $4, answer = $5,"
               "  ended_at = clock_timestamp()"
               " WHERE id = $1 AND state = 'running'"};

static enum db_status drop_unknown(struct db *db, const struct id *id)
{
    return statement_change(db, &drop, WITH(ID(id)), DB_NONE);
}

enum db_status job_end(struct db *db, const struct id *id, const struct job_end *end)
{
    enum db_status status = end->told ? DB_NONE : drop_unknown(db, id);
    if (status != DB_NONE)
        return status;
    return statement_change(db, &end_kept,
                            WITH(ID(id), TEXT(end->state == JOB_DONE ? "done" : "failed"),
                                 NUMBER(end->status), TEXT(end->location), TEXT(end->answer)),
                            DB_NONE);
}

/* ---- Reading ---- */

static const struct statement find = {
    "job_find", "SELECT id, player_id, kind, subject, phase, done, total,"
                "  tillroll.to_ms(started_at),"
                "  tillroll.to_ms(CASE WHEN state = 'running' AND alive_until < clock_timestamp()"
                "   THEN alive_until ELSE ended_at END), status, location, answer, state"
                " FROM tillroll.job WHERE id = $1"};

static void read_job(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct job_row *job = element;
    *job = (struct job_row){.id = row_id(rows, row, 0),
                            .player = row_id(rows, row, 1),
                            .kind = row_text(rows, row, 2, arena),
                            .subject = row_text(rows, row, 3, arena),
                            .phase = row_text(rows, row, 4, arena),
                            .done = row_unsigned(rows, row, 5),
                            .total = row_unsigned(rows, row, 6),
                            .started_at_ms = row_integer(rows, row, 7),
                            .ended_at_ms = row_integer(rows, row, 8),
                            .status = (int)row_integer(rows, row, 9),
                            .location = row_text(rows, row, 10, arena),
                            .answer = row_text(rows, row, 11, arena)};
    job->state = strcmp(row_text(rows, row, 12, arena), "done") == 0 ? JOB_DONE
                 : job->ended_at_ms != 0                             ? JOB_FAILED
                                                                     : JOB_RUNNING;
}

enum db_status job_find(struct db *db, struct arena *arena, const struct id *id,
                        struct job_row *job)
{
    return statement_one(db, arena, &find, WITH(ID(id)), read_job, job);
}
