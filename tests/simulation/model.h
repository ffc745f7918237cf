/* A model of the database as the writer sees it, in a simulated world: records of games,
 * connections, transactions that lock, wait, commit and are answered, each at its time, and what
 * can go wrong with them. It stands in the place of db/link/ and db/store/; the functions that
 * db/writer/ calls are declared there (db/link/db.h, db/store/games/records.h).
 *
 * What it takes from PostgreSQL: a transaction's rows appear all at once, when it commits, and are
 * durable from then on. Whoever wants to add a row that another transaction has added waits for its
 * end. A connection that its client gives up on may still commit what it has been sent. A server
 * that crashes forgets what is not committed, and all connections. */
#ifndef TILLROLL_TESTS_SIMULATION_MODEL_H
#define TILLROLL_TESTS_SIMULATION_MODEL_H

#include "db/store/games/records.h"

enum { MODEL_GAMES = 6, MODEL_ROWS_MAX = 8192 };

/* What goes wrong, once in so many times on average; 0 = never. */
struct model_faults {
    unsigned refuses_connection, breaks_when_opened;
    unsigned breaks_before; /* a connection, when a transaction arrives */
    unsigned breaks_during; /* when it runs */
    unsigned breaks_after;  /* when it has committed */
    unsigned zombie; /* a connection that breaks during a transaction is gone for the client only */
    unsigned stalls; /* a commit takes seconds; some are never answered */
    unsigned warns;  /* the server commits with a warning */
    unsigned breaks_idle;
    unsigned supersedes; /* a connection's server is found to have been replaced */
};

void model_begin(const struct model_faults *faults);
void model_end(void);

/* From now on nothing goes wrong. */
void model_calm(void);

/* The server loses all connections and all that is not committed, and is back after `us`. */
void model_crash(int64_t us);

/* The process does not hear of the server for `us`, but the server may hear of the process. It goes
 * on with what it was sent. The process is told at once, or never. */
void model_separate(unsigned process, int64_t us);

/* The process has ended: its connections break, though the server may not know yet. */
void model_process_ended(unsigned process);
void model_process_began(unsigned process);

/* The id of a game, and a hash that continues a record: of the row before it (NULL for none) and
 * the row's line. */
const struct id *model_game(size_t game);
void model_chain(const uint8_t *before, struct span line, uint8_t hash[32]);

/* How many rows a game has, and the hash of one; the time at which it was committed. */
size_t model_rows(size_t game);
const uint8_t *model_hash(size_t game, size_t seq);

/* True if the transaction that wrote the row notified all listeners, or its connection has ended
 * without having notified them (they then look for themselves), or there were no others than the
 * writer's own. */
bool model_was_notified(size_t game, size_t seq);

#endif
