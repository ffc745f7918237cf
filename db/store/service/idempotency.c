/* Answers kept for retries. The lock is on the key and not on a row, because there is no row yet
 * when the first of two equal requests runs. */
#include "db/store/service/idempotency.h"

#include "db/link/statement.h"

static const struct statement lock = {
    "idempotency_lock",
    "SELECT pg_catalog.pg_advisory_xact_lock("
    "pg_catalog.hashtextextended($1::uuid::text || ' ' || $2::text, 7306086895124181868))"};

static const struct statement find = {"idempotency_find",
                                      "SELECT request_hash, status, body FROM tillroll.kept_answer"
                                      " WHERE player_id = $1 AND key = $2"};

enum db_status idempotency_find(struct db *db, struct arena *arena, const struct id *player,
                                const char *key, struct kept_answer *answer)
{
    const struct value *p = WITH(ID(player), TEXT(key));
    struct rows rows;
    enum db_status status = statement_change(db, &lock, p, DB_ERROR);
    /* A second statement, so that it sees the changes committed by the previous holder of the lock.
     */
    if (status == DB_OK)
        status = statement_row(db, &find, p, &rows);
    if (status != DB_OK)
        return status;
    row_hash(&rows, 0, 0, answer->request_hash);
    answer->status = (int)row_integer(&rows, 0, 1);
    answer->body = row_text(&rows, 0, 2, arena);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement keep = {
    "idempotency_keep",
    "INSERT INTO tillroll.kept_answer (player_id, key, request_hash, status, body, kept_at)"
    " VALUES ($1, $2, $3, $4, $5, tillroll.from_ms($6)) ON CONFLICT DO NOTHING"};

enum db_status idempotency_keep(struct db *db, const struct id *player, const char *key,
                                int64_t now_ms, const struct kept_answer *answer)
{
    return statement_change(db, &keep,
                            WITH(ID(player), TEXT(key),
                                 BYTES(answer->request_hash, sizeof answer->request_hash),
                                 NUMBER(answer->status), TEXT(answer->body), NUMBER(now_ms)),
                            DB_CONFLICT);
}
