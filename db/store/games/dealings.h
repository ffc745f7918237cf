/* Dealings: games and duplicate rounds waiting for co-dealers (engine/record/dealer.h), identified
 * by the scope of their secret. A dealing ends when its game or its first board starts; dealers
 * that have not answered by then are recorded as missing. A caller that ends one holds its lock,
 * and takes its event's lock before. */
#ifndef TILLROLL_DB_STORE_GAMES_DEALINGS_H
#define TILLROLL_DB_STORE_GAMES_DEALINGS_H

#include "db/link/db.h"
#include "engine/record/record.h"

struct dealing {
    const char *scope;
    struct id event;
    unsigned round;
    struct id game; /* "" = for the round */
    int64_t asked_ms;
};

/* The question to one dealer. */
struct dealer_question {
    const char *scope, *input;
    int64_t asked_ms;
};

/* Adds a dealing with its dealers, of whom names and keys are read. `due_ms` 0: it waits for all of
 * them. DB_CONFLICT if there is one with this scope. */
enum db_status dealing_add(struct db *db, const struct dealing *dealing, const char *input,
                           const struct record_dealer *dealers, unsigned count, int64_t due_ms);

/* Lists the oldest dealings that can end, at most 100, in the arena: all dealers have answered, the
 * time is up, or the event is closed. */
enum db_status dealing_ready(struct db *db, struct arena *arena, int64_t now_ms,
                             struct dealing **dealings, size_t *count);

/* Prevents other transactions from answering or ending a dealing until the end of this one.
 * `can_end`: as in dealing_ready(). DB_NONE if it has ended. */
enum db_status dealing_lock(struct db *db, const char *scope, int64_t now_ms, bool *can_end);

/* Ends a dealing. DB_CONFLICT if it has ended already. */
enum db_status dealing_end(struct db *db, const char *scope);

/* Sets the time limit of the open dealings of an event to `seconds` after each was asked. */
enum db_status dealing_set_due(struct db *db, const struct id *event, unsigned seconds);

/* Lists the dealers of a scope with their answers, in byte order of their names; none if no dealer
 * was asked. */
enum db_status dealing_dealers(struct db *db, struct arena *arena, const char *scope,
                               struct record_dealer dealers[static RECORD_DEALERS_MAX],
                               unsigned *count);

/* Lists the questions of open dealings that a dealer has not answered, asked after (`after_ms`,
 * `after_scope`), oldest first, at most 16, in the arena. */
enum db_status dealing_questions(struct db *db, struct arena *arena,
                                 const uint8_t key[static ECVRF_KEY], int64_t after_ms,
                                 const char *after_scope, struct dealer_question **questions,
                                 size_t *count);

/* Stores an answer, which the caller has checked. DB_NONE if it is late or repeated. */
enum db_status dealing_answer(struct db *db, const char *scope, const uint8_t key[static ECVRF_KEY],
                              const uint8_t proof[static ECVRF_PROOF]);

#endif
