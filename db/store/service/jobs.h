/* Jobs: steps that may take longer than a request should. All services of a database see them, and
 * at most one job per step runs at a time. A service keeps renewing its own jobs; a job that has
 * not been renewed for JOB_LEASE_S has died with its service. */
#ifndef TILLROLL_DB_STORE_SERVICE_JOBS_H
#define TILLROLL_DB_STORE_SERVICE_JOBS_H

#include "db/link/db.h"

enum {
    JOB_LEASE_S = 15,
    JOB_KEEP_S = 60 * 60, /* how long an ended job is kept */
    JOBS_KEPT = 20        /* how many of a player's ended jobs are kept */
};

/* The start of a job. */
struct job_start {
    struct id id, player;
    const char *kind;
    const char *step;         /* equal for work that may not run twice at the same time */
    const char *subject;      /* the first placeholder of the request's path */
    uint8_t request_hash[32]; /* equal for equal requests */
    bool told; /* the id will be given to the client, so the job's end must be kept */
};

enum job_state { JOB_RUNNING, JOB_DONE, JOB_FAILED };

struct job_row {
    struct id id, player;
    const char *kind, *subject;
    enum job_state state;
    const char *phase;                  /* "" = none */
    unsigned done, total;               /* total 0 = unknown */
    int64_t started_at_ms, ended_at_ms; /* ended: 0 = still running */
    int status;                         /* of the answer; 0 = none */
    const char *location, *answer;      /* "" = none */
};

/* Starts a job, and deletes old ones. DB_CONFLICT if one with the same step is running: `running`
 * and `running_hash` are its id and hash, and it will be kept when it has ended. DB_NONE if such a
 * job has only just ended: the caller tries again. */
enum db_status job_begin(struct db *db, const struct job_start *start, struct id *running,
                         uint8_t running_hash[static 32]);

/* Renews a job and stores its progress, in a transaction of its own. DB_NONE if the job is no
 * longer running. */
enum db_status job_live(struct db *db, const struct id *id, const char *phase, unsigned done,
                        unsigned total);

/* The end of a job. */
struct job_end {
    bool
        told; /* in addition to the stored flag: a job is kept only if its id has been given away */
    enum job_state state;
    int status;
    const char *location;
    const char *answer;
};

/* Ends a job. DB_NONE if it is no longer running: another service has declared it dead. */
enum db_status job_end(struct db *db, const struct id *id, const struct job_end *end);

/* Finds a job by its id, in the arena. A job that has died is JOB_FAILED without an answer.
 * DB_NONE. */
enum db_status job_find(struct db *db, struct arena *arena, const struct id *id,
                        struct job_row *job);

#endif
