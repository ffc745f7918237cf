#include "db/store/games/dealings.h"

#include <assert.h>
#include <string.h>

#include "db/link/statement.h"

/* ---- Questions ---- */

static const struct statement add = {
    "dealing_add",
    "INSERT INTO tillroll.dealing (scope, event_id, round, game_id, input, names, keys, asked_at,"
    " due_at) VALUES ($1, $2, $3, $4, $5, $6, $7, tillroll.from_ms($8),"
    " CASE WHEN $9::bigint > 0 THEN tillroll.from_ms($9) END) ON CONFLICT DO NOTHING"};

enum db_status dealing_add(struct db *db, const struct dealing *dealing, const char *input,
                           const struct record_dealer *dealers, unsigned count, int64_t due_ms)
{
    struct span names[RECORD_DEALERS_MAX];
    struct span keys[RECORD_DEALERS_MAX];
    assert(count >= 1 && count <= RECORD_DEALERS_MAX);
    for (unsigned i = 0; i < count; i++) {
        names[i] = span_of(dealers[i].name);
        keys[i] = (struct span){(const char *)dealers[i].key, ECVRF_KEY};
    }
    return statement_change(db, &add,
                            WITH(TEXT(dealing->scope), ID(&dealing->event), NUMBER(dealing->round),
                                 ID(&dealing->game), TEXT(input), TEXTS(names, count),
                                 BYTE_STRINGS(keys, count), NUMBER(dealing->asked_ms),
                                 NUMBER(due_ms)),
                            DB_CONFLICT);
}

/* ---- Ending ---- */

#define CAN_END                                                                                    \
    " (dealing.due_at <= tillroll.from_ms($1)"                                                     \
    "  OR NOT EXISTS (SELECT FROM unnest(dealing.keys) AS asked (key) WHERE NOT EXISTS"            \
    "   (SELECT FROM tillroll.dealer_answer AS given WHERE given.scope = dealing.scope"            \
    "    AND given.key = asked.key))"                                                              \
    "  OR EXISTS (SELECT FROM tillroll.event WHERE event.id = dealing.event_id"                    \
    "   AND event.state = 'closed'))"

static const struct statement ready = {
    "dealing_ready",
    "SELECT scope, event_id, round, game_id, tillroll.to_ms(asked_at) FROM tillroll.dealing"
    " WHERE NOT ended AND" CAN_END " ORDER BY asked_at, scope LIMIT 100"};

static void read_dealing(const struct rows *rows, int row, struct arena *arena, void *element)
{
    *(struct dealing *)element = (struct dealing){.scope = row_text(rows, row, 0, arena),
                                                  .event = row_id(rows, row, 1),
                                                  .round = row_unsigned(rows, row, 2),
                                                  .game = row_id(rows, row, 3),
                                                  .asked_ms = row_integer(rows, row, 4)};
}

enum db_status dealing_ready(struct db *db, struct arena *arena, int64_t now_ms,
                             struct dealing **dealings, size_t *count)
{
    return statement_list(db, arena, &ready, WITH(NUMBER(now_ms)), sizeof **dealings, read_dealing,
                          dealings, count);
}

/* Two statements, so that the second one sees the state after the lock. */
static const struct statement lock = {
    "dealing_lock",
    "SELECT 1 FROM tillroll.dealing WHERE scope = $1 AND NOT ended FOR NO KEY UPDATE"};

static const struct statement check = {
    "dealing_check",
    "SELECT coalesce(" CAN_END ", false) FROM tillroll.dealing WHERE scope = $2 AND NOT ended"};

enum db_status dealing_lock(struct db *db, const char *scope, int64_t now_ms, bool *can_end)
{
    enum db_status status = statement_change(db, &lock, WITH(TEXT(scope)), DB_NONE);
    return status != DB_OK
               ? status
               : statement_value(db, &check, WITH(NUMBER(now_ms), TEXT(scope)), can_end);
}

static const struct statement end = {
    "dealing_end", "UPDATE tillroll.dealing SET ended = true WHERE scope = $1 AND NOT ended"};

enum db_status dealing_end(struct db *db, const char *scope)
{
    return statement_change(db, &end, WITH(TEXT(scope)), DB_CONFLICT);
}

static const struct statement set_due = {
    "dealing_set_due",
    "UPDATE tillroll.dealing SET due_at = asked_at + $2::integer * interval '1 second'"
    " WHERE event_id = $1 AND NOT ended"};

enum db_status dealing_set_due(struct db *db, const struct id *event, unsigned seconds)
{
    return statement_change(db, &set_due, WITH(ID(event), NUMBER(seconds)), DB_OK);
}

/* ---- Answers ---- */

static const struct statement dealers_of = {
    "dealing_dealers",
    "SELECT asked.name, asked.key, given.proof FROM tillroll.dealing,"
    " unnest(dealing.names, dealing.keys) AS asked (name, key)"
    " LEFT JOIN tillroll.dealer_answer AS given ON given.scope = $1 AND given.key = asked.key"
    " WHERE dealing.scope = $1 ORDER BY asked.name COLLATE \"C\""};

static void read_dealer(const struct rows *rows, int row, struct arena *arena,
                        struct record_dealer *dealer)
{
    size_t size;
    struct text name = TEXT_OVER(dealer->name);
    text_add(&name, row_text(rows, row, 0, arena));
    row_hash(rows, row, 1, dealer->key);
    dealer->missing = row_is_null(rows, row, 2);
    if (dealer->missing)
        return;
    const uint8_t *proof = row_bytes(rows, row, 2, arena, &size);
    memcpy(dealer->proof, proof, size < ECVRF_PROOF ? size : ECVRF_PROOF);
}

enum db_status dealing_dealers(struct db *db, struct arena *arena, const char *scope,
                               struct record_dealer dealers[static RECORD_DEALERS_MAX],
                               unsigned *count)
{
    struct rows rows;
    *count = 0;
    enum db_status status = statement_rows(db, &dealers_of, WITH(TEXT(scope)), &rows);
    if (status != DB_OK)
        return status;
    for (int row = 0; row < rows.count && row < RECORD_DEALERS_MAX; row++) {
        dealers[*count] = (struct record_dealer){.missing = true};
        read_dealer(&rows, row, arena, &dealers[(*count)++]);
    }
    rows_free(&rows);
    return DB_OK;
}

static const struct statement questions_for = {
    "dealing_questions",
    "SELECT scope, input, tillroll.to_ms(asked_at) FROM tillroll.dealing"
    " WHERE NOT ended AND (asked_at, scope) > (tillroll.from_ms($2), $3) AND $1 = ANY (keys)"
    " AND NOT EXISTS (SELECT FROM tillroll.dealer_answer AS given"
    "  WHERE given.scope = dealing.scope AND given.key = $1)"
    " ORDER BY asked_at, scope LIMIT 16"};

static void read_question(const struct rows *rows, int row, struct arena *arena, void *element)
{
    *(struct dealer_question *)element =
        (struct dealer_question){.scope = row_text(rows, row, 0, arena),
                                 .input = row_text(rows, row, 1, arena),
                                 .asked_ms = row_integer(rows, row, 2)};
}

enum db_status dealing_questions(struct db *db, struct arena *arena,
                                 const uint8_t key[static ECVRF_KEY], int64_t after_ms,
                                 const char *after_scope, struct dealer_question **questions,
                                 size_t *count)
{
    return statement_list(db, arena, &questions_for,
                          WITH(BYTES(key, ECVRF_KEY), NUMBER(after_ms), TEXT(after_scope)),
                          sizeof **questions, read_question, questions, count);
}

/* FOR SHARE waits for a transaction that is ending the dealing, and then finds it ended. */
static const struct statement answer = {
    "dealing_answer", "INSERT INTO tillroll.dealer_answer (scope, key, proof)"
                      " SELECT scope, $2, $3 FROM tillroll.dealing WHERE scope = $1 AND NOT ended"
                      " FOR SHARE ON CONFLICT DO NOTHING"};

enum db_status dealing_answer(struct db *db, const char *scope, const uint8_t key[static ECVRF_KEY],
                              const uint8_t proof[static ECVRF_PROOF])
{
    return statement_change(
        db, &answer, WITH(TEXT(scope), BYTES(key, ECVRF_KEY), BYTES(proof, ECVRF_PROOF)), DB_NONE);
}
