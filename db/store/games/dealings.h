/* Games and duplicate rounds that wait for co-dealers (engine/record/dealer.h), known by the scope
 * of their secret. A dealing ends when its game or its first board starts; what has not been
 * answered by then is missing for ever. Whoever ends one holds its lock, and before that its
 * event's. */
#ifndef TILLROLL_DB_STORE_GAMES_DEALINGS_H
#define TILLROLL_DB_STORE_GAMES_DEALINGS_H

#include "db/link/db.h"
#include "engine/record/record.h"

struct dealing {
    const char *scope;
    struct id event;
    unsigned round;
    struct id game; /* "" = of the round */
    int64_t asked_ms;
};

/* What one dealer is asked. */
struct dealer_question {
    const char *scope, *input;
    int64_t asked_ms;
};

/* Adds a dealing with the dealers it needs, of which names and keys are read. `due_ms` 0: it waits
 * for all of them. DB_CONFLICT if there is one of this scope. */
enum db_status dealing_add(struct db *db, const struct dealing *dealing, const char *input,
                           const struct record_dealer *dealers, unsigned count, int64_t due_ms);

/* The oldest of those that can end: all have answered, the time is up, or the event is closed. In
 * the arena, at most 100. */
enum db_status dealing_ready(struct db *db, struct arena *arena, int64_t now_ms,
                             struct dealing **dealings, size_t *count);

/* Keeps others from answering and ending it until the end of the transaction. `can_end`: as in
 * dealing_ready(). DB_NONE if it has ended. */
enum db_status dealing_lock(struct db *db, const char *scope, int64_t now_ms, bool *can_end);

/* It waits no more. DB_CONFLICT if it did not. */
enum db_status dealing_end(struct db *db, const char *scope);

/* From now on the open dealings of an event end `seconds` after they were asked. */
enum db_status dealing_set_due(struct db *db, const struct id *event, unsigned seconds);

/* The dealers of a scope with what they have answered, in byte order of their names; none if nobody
 * was asked. */
enum db_status dealing_dealers(struct db *db, struct arena *arena, const char *scope,
                               struct record_dealer dealers[static RECORD_DEALERS_MAX],
                               unsigned *count);

/* What this dealer has not answered of open dealings, asked after that (time, scope), the oldest
 * first, at most 16. In the arena. */
enum db_status dealing_questions(struct db *db, struct arena *arena,
                                 const uint8_t key[static ECVRF_KEY], int64_t after_ms,
                                 const char *after_scope, struct dealer_question **questions,
                                 size_t *count);

/* Stores an answer, which has been checked. DB_NONE if it comes too late, or again. */
enum db_status dealing_answer(struct db *db, const char *scope, const uint8_t key[static ECVRF_KEY],
                              const uint8_t proof[static ECVRF_PROOF]);

#endif
