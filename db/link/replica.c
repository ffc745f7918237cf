/* Queries with a single value, sent without a transaction: an open transaction's snapshot would be
 * older than the answer wanted. */
#include "db/link/replica.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/link/connection.h"
#include "db/link/now.h"
#include "db/link/statement.h"

enum { STEP_MS = 2 };

static bool is_idle(struct db *db)
{
    connection_settle(db);
    return (db_is_open(db) || connection_reopen(db)) &&
           PQtransactionStatus(db->connection) == PQTRANS_IDLE;
}

/* Writes the single value of a query to `answer`; false if there is none. */
static bool ask(struct db *db, const char *sql, char *answer, size_t size)
{
    PGresult *result = PQsendQuery(db->connection, sql) == 1 ? connection_answer(db) : NULL;
    bool good = PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 1 &&
                PQgetisnull(result, 0, 0) == 0 && strlen(PQgetvalue(result, 0, 0)) < size;
    if (good)
        memcpy(answer, PQgetvalue(result, 0, 0), strlen(PQgetvalue(result, 0, 0)) + 1);
    else
        (void)connection_status(db, result);
    PQclear(result);
    return good;
}

/* Repeats a query until its value is `t`. False if that takes longer than `wait_ms`, or the query
 * fails. */
static bool ask_until_true(struct db *db, const char *sql, int wait_ms)
{
    char answer[2];
    int64_t end = now_ms(CLOCK_MONOTONIC) + wait_ms;
    for (;;) {
        if (!ask(db, sql, answer, sizeof answer))
            return false;
        if (answer[0] == 't')
            return true;
        if (now_ms(CLOCK_MONOTONIC) >= end)
            return false;
        rest_ms(STEP_MS);
    }
}

bool replica_mark(struct db *primary, struct replica_mark *mark)
{
    if (!is_idle(primary) || primary->server.timeline == 0 || db_is_superseded(primary))
        return false;
    mark->timeline = primary->server.timeline;
    return ask(primary, "SELECT pg_current_wal_flush_lsn()", mark->position, sizeof mark->position);
}

/* The result of pg_current_wal_flush_lsn() needs no quoting: hex digits and a slash. */
bool replica_has(struct db *standby, const struct replica_mark *mark, int wait_ms)
{
    char sql[256];
    if (!is_idle(standby) || !db_is_standby(standby))
        return false;
    snprintf(sql, sizeof sql,
             "SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= '%s' AND timeline_id = "
             "%" PRId64 " FROM pg_control_checkpoint()",
             mark->position, mark->timeline);
    return ask_until_true(standby, sql, wait_ms);
}

static const struct statement snapshot_end = {"replica_snapshot",
                                              "SELECT pg_snapshot_xmax(pg_current_snapshot())"};

bool replica_snapshot(struct db *standby, uint64_t *below)
{
    return statement_value(standby, &snapshot_end, NULL, below) == DB_OK;
}

bool replica_is_confirmed(struct db *primary, uint64_t below, int wait_ms)
{
    char sql[128];
    if (!is_idle(primary) || primary->server.timeline == 0 || db_is_superseded(primary))
        return false;
    snprintf(sql, sizeof sql,
             "SELECT pg_snapshot_xmin(pg_current_snapshot()) >= '%" PRIu64 "'::xid8", below);
    return ask_until_true(primary, sql, wait_ms);
}
