/* Steps that may take longer than a request should, as all services of a database see them. At most
 * one of the same step runs at a time. A service says again and again that a job of its own is
 * alive; one of which that has not been said for JOB_LEASE_S has died with its service.
 */
#ifndef TILLROLL_DB_STORE_SERVICE_JOBS_H
#define TILLROLL_DB_STORE_SERVICE_JOBS_H

#include "db/link/db.h"

enum {
    JOB_LEASE_S = 15,
    JOB_KEEP_S = 60 * 60, /* how long one that has ended is kept, */
    JOBS_KEPT = 20        /* and how many of a player */
};

/* A step's beginning. */
struct job_start {
    struct id id, player;
    const char *kind;
    const char *step;         /* equal for what may not be done twice at a time */
    const char *subject;      /* what it is about: the first placeholder of the request's path */
    uint8_t request_hash[32]; /* equal for equal requests */
    bool told;                /* the id will be given away, so how it ends is to be kept */
};

enum job_state { JOB_RUNNING, JOB_DONE, JOB_FAILED };

struct job_row {
    struct id id, player;
    const char *kind, *subject;
    enum job_state state;
    const char *phase;                  /* "" = none */
    unsigned done, total;               /* total 0 = not known */
    int64_t started_at_ms, ended_at_ms; /* 0 = it runs */
    int status;                         /* of the answer; 0 = none */
    const char *location, *answer;      /* "" = none */
};

/* Begins a job, and deletes old ones. DB_CONFLICT if one of the same step runs: `running` and
 * `running_hash` are its id and hash, and it is kept when it has ended. DB_NONE if one did that has
 * ended just now: to be tried again. */
enum db_status job_begin(struct db *db, const struct job_start *start, struct id *running,
                         uint8_t running_hash[static 32]);

/* Says how far a job has come. In a transaction of its own. DB_NONE if it runs no more. */
enum db_status job_live(struct db *db, const struct id *id, const char *phase, unsigned done,
                        unsigned total);

/* How a job ends. */
struct job_end {
    bool told; /* besides what is stored: only one that somebody knows of is kept */
    enum job_state state;
    int status;
    const char *location;
    const char *answer;
};

/* DB_NONE if it runs no more: somebody else has taken it for dead. */
enum db_status job_end(struct db *db, const struct id *id, const struct job_end *end);

/* In the arena. One that has died is JOB_FAILED without an answer. */
enum db_status job_find(struct db *db, struct arena *arena, const struct id *id,
                        struct job_row *job);

#endif
