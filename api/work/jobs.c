#include "api/work/jobs.h"

#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/request/access.h"
#include "api/request/auth.h"
#include "api/request/documents.h"
#include "api/request/route.h"
#include "api/work/handlers.h"
#include "api/work/ticker.h"
#include "db/link/now.h"
#include "db/link/thread.h"
#include "db/store/service/jobs.h"

enum {
    POOL_WAIT_MS = 2000,
    ALIVE_EVERY_MS = 1000,
    LOOK_EVERY_MS = 50,
    STEP_BYTES = 160,
    SUBJECT_BYTES = 80
};

/* A job that runs in this service. Held by its thread, and by each response that has waited for
 * it. */
struct job {
    struct job *next;
    struct jobs *jobs;
    char step[STEP_BYTES], subject[SUBJECT_BYTES];
    struct job_start start;
    struct arena arena;
    struct http_request request; /* a copy in the arena */
    struct http_response response;
    const char *_Atomic phase;
    _Atomic unsigned done, total;
    bool secret; /* the response is not kept */
    bool costly;
    bool stored; /* the end of the row is committed; for the job's thread only */
    /* With the mutex: */
    unsigned holds;
    bool settled; /* the row exists */
    bool told;    /* a client knows the id */
    bool ending;  /* `told` has been read for the end of the row */
    bool over;    /* the response is complete */
};

struct jobs {
    struct service *service;
    job_runner *run;
    unsigned wait_ms;
    struct ticker *ticker;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct job *first;
    unsigned count;
};

/* ---- The mutex is held ---- */

static struct job *find_step(const struct jobs *jobs, const char *step)
{
    struct job *job = jobs->first;
    while (job != NULL && strcmp(job->step, step) != 0)
        job = job->next;
    return job;
}

static bool is_full(const struct jobs *jobs, bool costly)
{
    unsigned alike = 0;
    for (const struct job *job = jobs->first; job != NULL; job = job->next)
        alike += job->costly;
    return jobs->count == JOBS_MOST || (costly && alike >= JOBS_COSTLY_MOST);
}

static void link_job(struct jobs *jobs, struct job *job)
{
    job->next = jobs->first;
    jobs->first = job;
    jobs->count++;
}

static void unlink_job(struct jobs *jobs, struct job *job)
{
    struct job **place = &jobs->first;
    while (*place != job)
        place = &(*place)->next;
    *place = job->next;
    jobs->count--;
    pthread_cond_broadcast(&jobs->changed);
}

/* ---- One job ---- */

static void drop_hold(void *object)
{
    struct job *job = object;
    struct jobs *jobs = job->jobs;
    pthread_mutex_lock(&jobs->mutex);
    bool last = --job->holds == 0;
    pthread_mutex_unlock(&jobs->mutex);
    if (!last)
        return;
    arena_free(&job->arena);
    free(job);
}

/* True if the call changes nothing. A path without an id or word is that of a report. */
static bool is_read_only(const struct call *call)
{
    return call->route->work == WORK_READ || (call->words == 0 && call->id[0].text[0] == '\0') ||
           span_is(http_parameter(call->request, "preview"), "true");
}

bool jobs_take(const struct call *call)
{
    const struct route *route = call->route;
    return route->step != NULL && !(route->secret && is_read_only(call)) &&
           (route->access != ACCESS_PUBLIC || auth_is_given(call->request));
}

/* Names the job by what must not run twice at a time: the kind of step and the subject of its path;
 * for a read-only step also the request and the player. */
static void set_step(const struct call *call, const uint8_t hash[static 32], struct job *job)
{
    struct text step = TEXT_OVER(job->step);
    struct text subject = TEXT_OVER(job->subject);
    if (call->words > 0)
        text_add_span(&subject, call->word[0]);
    else
        text_add(&subject, call->id[0].text);
    text_add_all(&step, call->route->step, "/", job->subject);
    if (!is_read_only(call))
        return;
    text_add_char(&step, '/');
    text_add_hex(&step, hash, 16);
    text_add(&step, call->player.id.text);
}

static bool prefers_async(const struct http_request *request)
{
    return http_preference(request->prefer, "respond-async").at != NULL;
}

static unsigned wait_ms(const struct jobs *jobs, const struct http_request *request)
{
    uint64_t seconds;
    if (span_number(http_preference(request->prefer, "wait"), JOB_WAIT_MS_MOST / 1000, &seconds))
        return (unsigned)seconds * 1000;
    return prefers_async(request) ? 0 : jobs->wait_ms;
}

static struct job *make_job(struct jobs *jobs, const struct call *call)
{
    struct job *job = must(calloc(1, sizeof *job));
    job->jobs = jobs;
    job->holds = 2;
    job->told = wait_ms(jobs, call->request) == 0;
    job->secret = call->route->secret;
    job->costly = call->route->costly;
    job->start = (struct job_start){.id = id_new(call->now_ms),
                                    .player = call->player.id,
                                    .kind = call->route->step,
                                    .step = job->step,
                                    .subject = job->subject,
                                    .told = job->told};
    call_hash(call, job->start.request_hash);
    set_step(call, job->start.request_hash, job);
    http_request_copy(&job->arena, call->request, &job->request);
    job->request.limited = true;
    atomic_init(&job->phase, "waiting");
    return job;
}

/* ---- Responses ---- */

static json_t *progress_document(unsigned done, unsigned total)
{
    return total == 0 ? json_null()
                      : json_pack("{s:i, s:i}", "done", (int)done, "total", (int)total);
}

/* The location in the response; without one, that of what was changed, the first id of the step's
 * path. */
static json_t *location_of(const struct job_row *row)
{
    char bytes[SUBJECT_BYTES + 32];
    struct text text = TEXT_OVER(bytes);
    struct id changed;
    const struct route *route = route_of_step(row->kind);
    const char *place = route == NULL ? NULL : strstr(route->path, "{id}");
    if (row->location[0] != '\0' || row->state != JOB_DONE || place == NULL ||
        !id_parse(span_of(row->subject), &changed))
        return text_or_null(row->location);
    text_add_span(&text, (struct span){route->path, (size_t)(place - route->path)});
    text_add(&text, row->subject);
    return json_string(bytes);
}

/* Only the player who requested the job gets its response, since it may depend on what this player
 * may see of games. */
static json_t *result_document(const struct call *call, const struct job_row *row)
{
    if (row->status == 0)
        return json_null();
    bool own = call->signed_in && id_equal(&call->player.id, &row->player);
    json_t *answer = own ? json_loads(row->answer, 0, NULL) : NULL;
    return json_pack("{s:i, s:o, s:o}", "status", row->status, "location", location_of(row),
                     "answer", answer == NULL ? json_null() : answer);
}

static json_t *job_document(const struct call *call, const struct job_row *row)
{
    static const char *const states[] = {
        [JOB_RUNNING] = "running", [JOB_DONE] = "done", [JOB_FAILED] = "failed"};
    bool running = row->state == JOB_RUNNING;
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "id", row->id.text, "kind",
                     row->kind, "subject", row->subject, "state", states[row->state], "phase",
                     text_or_null(running ? row->phase : ""), "progress",
                     progress_document(row->done, running ? row->total : 0), "started_at",
                     time_json(row->started_at_ms), "ended_at", time_json(row->ended_at_ms),
                     "result", result_document(call, row));
}

/* Responds with 202 and the location of the job. */
static void answer_running(struct call *call, const struct job_row *row)
{
    call_answer_new(call, 202, "/v1/jobs/", &row->id, job_document(call, row));
    call->response->retry_after_s = 1;
}

static void answer_job(struct call *call, const struct job *job)
{
    const struct job_row row = {.id = job->start.id,
                                .player = job->start.player,
                                .kind = job->start.kind,
                                .subject = job->subject,
                                .phase = atomic_load(&job->phase),
                                .done = atomic_load(&job->done),
                                .total = atomic_load(&job->total),
                                .started_at_ms = job->request.received_ms};
    answer_running(call, &row);
}

static void refuse_other(struct call *call)
{
    call_problem(call, "step-running",
                 "Another request for such a step is being carried out; wait for it, then ask "
                 "again.");
}

static void refuse_full(struct call *call)
{
    call_problem(
        call, "server-busy",
        "Too many pairings, imports and other long steps are in progress; try again soon.");
    call->response->retry_after_s = 1;
}

/* ---- The row of a job ---- */

static struct db *take_db(struct jobs *jobs)
{
    return db_pool_take(jobs->service->pool, POOL_WAIT_MS);
}

/* DB_CONFLICT: `running` is running in another service. */
static enum db_status begin_row(struct jobs *jobs, const struct job *job, struct id *running,
                                uint8_t running_hash[static 32])
{
    enum { TRIES = 3 };
    struct db *db = take_db(jobs);
    enum db_status status = db == NULL ? DB_UNAVAILABLE : DB_NONE;
    for (int i = 0; i < TRIES && (status == DB_NONE || status == DB_RETRY); i++) {
        status = db_begin(db, false);
        if (status == DB_OK)
            status = job_begin(db, &job->start, running, running_hash);
        if (status == DB_OK || status == DB_CONFLICT) {
            enum db_status committed = db_commit(db);
            status = committed == DB_OK ? status : committed;
        } else {
            db_rollback(db);
        }
    }
    if (db != NULL)
        db_pool_give(jobs->service->pool, db);
    return status == DB_NONE ? DB_RETRY : status;
}

static struct job_end end_of(const struct job *job, const struct http_response *response,
                             struct arena *arena, bool told)
{
    bool done = response->status < 400;
    return (struct job_end){.told = told,
                            .state = done ? JOB_DONE : JOB_FAILED,
                            .status = response->status,
                            .location = response->location == NULL ? "" : response->location,
                            .answer = done && job->secret ? "" : arena_copy(arena, response->body)};
}

/* Marks the end of the job as near: requests that wait keep waiting, and are not given the id any
 * more. Returns whether a client knows the id already, so that the row must be kept. */
static bool mark_ending(struct job *job)
{
    pthread_mutex_lock(&job->jobs->mutex);
    job->ending = true;
    bool told = job->told;
    pthread_mutex_unlock(&job->jobs->mutex);
    return told;
}

bool jobs_end(struct call *call)
{
    if (call->job == NULL)
        return true;
    bool told = mark_ending(call->job);
    const struct job_end end = end_of(call->job, call->response, call->arena, told);
    enum db_status status = job_end(call->db, &call->job->start.id, &end);
    if (status == DB_NONE)
        return call_problem(call, "unavailable",
                            "This took too long, or the database could not be reached for too "
                            "long. Nothing was changed; try again.");
    return call_found(call, status);
}

void jobs_ended(struct call *call)
{
    if (call->job != NULL)
        call->job->stored = true;
}

/* Ends the row in a transaction of its own. If the database cannot be reached, the job counts as
 * dead after a while. */
static void end_row(struct jobs *jobs, const struct id *id, const struct job_end *end)
{
    struct db *db = take_db(jobs);
    if (db == NULL)
        return;
    enum db_status status = db_begin(db, false);
    if (status == DB_OK)
        status = job_end(db, id, end);
    if (status != DB_OK || db_commit(db) != DB_OK)
        db_rollback(db);
    db_pool_give(jobs->service->pool, db);
}

/* Ends the row of a job that was refused, or has only read. */
static void end_alone(struct job *job)
{
    const struct job_end end = end_of(job, &job->response, &job->arena, mark_ending(job));
    end_row(job->jobs, &job->start.id, &end);
}

/* ---- The thread of a job ---- */

static void *run_job(void *context)
{
    struct job *job = context;
    struct jobs *jobs = job->jobs;
    jobs->run(jobs->service, job, &job->request, &job->arena, &job->response);
    if (!job->stored)
        end_alone(job);
    pthread_mutex_lock(&jobs->mutex);
    job->over = true;
    unlink_job(jobs, job);
    pthread_mutex_unlock(&jobs->mutex);
    drop_hold(job);
    return NULL;
}

static bool start_thread(struct job *job)
{
    pthread_t thread;
    bool started = thread_start(&thread, run_job, job);
    if (started)
        pthread_detach(thread);
    return started;
}

void jobs_progress(const struct call *call, const char *phase, unsigned done, unsigned total)
{
    if (call->job == NULL)
        return;
    atomic_store(&call->job->phase, phase);
    atomic_store(&call->job->done, done);
    atomic_store(&call->job->total, total);
}

static void report_computing(void *context, unsigned done, unsigned total)
{
    jobs_progress(context, "computing", done, total);
}

struct progress jobs_computing(struct call *call)
{
    return (struct progress){report_computing, call};
}

/* ---- Requests ---- */

/* Returns the job of this step, held: the one that runs here (`joined`), or a new one, which the
 * caller must start. NULL, with a response, if there are too many jobs until `until`. A job whose
 * row does not exist yet may still fail to start, so this waits for it. */
static struct job *join_or_make(struct jobs *jobs, struct call *call, const struct timespec *until,
                                bool *joined)
{
    struct job *job;
    struct job *made = make_job(jobs, call);
    bool full;
    bool late = false;
    pthread_mutex_lock(&jobs->mutex);
    while (true) {
        job = find_step(jobs, made->step);
        full = job == NULL && is_full(jobs, made->costly);
        if (job != NULL && !job->settled)
            pthread_cond_wait(&jobs->changed, &jobs->mutex);
        else if (full && !late)
            late = pthread_cond_timedwait(&jobs->changed, &jobs->mutex, until) != 0;
        else
            break;
    }
    *joined = job != NULL;
    if (job != NULL)
        job->holds++;
    else if (!full)
        link_job(jobs, made);
    pthread_mutex_unlock(&jobs->mutex);
    if (job == NULL && !full)
        return made;
    made->holds = 1;
    drop_hold(made);
    if (full)
        refuse_full(call);
    return job;
}

static void give_up(struct jobs *jobs, struct job *job)
{
    pthread_mutex_lock(&jobs->mutex);
    unlink_job(jobs, job);
    job->over = true;
    job->holds--; /* the hold of the thread, which was not started */
    pthread_mutex_unlock(&jobs->mutex);
    drop_hold(job);
}

static void settle(struct jobs *jobs, struct job *job)
{
    pthread_mutex_lock(&jobs->mutex);
    job->settled = true;
    pthread_cond_broadcast(&jobs->changed);
    pthread_mutex_unlock(&jobs->mutex);
}

/* True if the job of another service ends before `until`. */
static bool wait_elsewhere(struct jobs *jobs, struct call *call, const struct id *id,
                           const struct timespec *until)
{
    int64_t end_ms = (int64_t)until->tv_sec * 1000 + until->tv_nsec / 1000000;
    struct job_row row = {.state = JOB_RUNNING};
    while (row.state == JOB_RUNNING && now_ms(CLOCK_MONOTONIC) < end_ms) {
        struct db *db = take_db(jobs);
        enum db_status status = db == NULL ? DB_UNAVAILABLE : db_begin(db, true);
        if (status == DB_OK)
            status = job_find(db, call->arena, id, &row);
        if (db != NULL)
            db_pool_give(jobs->service->pool, db);
        if (status == DB_NONE)
            return true;
        if (status != DB_OK)
            return false;
        if (row.state == JOB_RUNNING)
            rest_ms(LOOK_EVERY_MS);
    }
    return row.state != JOB_RUNNING;
}

enum begun { BEGUN, BEGUN_NOT, BEGUN_AGAIN };

/* Waits for a job of another service like for one of this service. */
static enum begun join_elsewhere(struct jobs *jobs, struct call *call, const struct job *job,
                                 const struct id *running, bool same, const struct timespec *until)
{
    const struct job_row row = {.id = *running,
                                .player = call->player.id,
                                .kind = job->start.kind,
                                .subject = job->subject,
                                .phase = "",
                                .started_at_ms = call->now_ms};
    if (wait_elsewhere(jobs, call, running, until))
        return BEGUN_AGAIN;
    if (same)
        answer_running(call, &row);
    else
        refuse_other(call);
    return BEGUN_NOT;
}

static enum begun begin(struct jobs *jobs, struct call *call, struct job *job,
                        const struct timespec *until)
{
    struct id running;
    uint8_t hash[32];
    enum db_status status = begin_row(jobs, job, &running, hash);
    if (status == DB_OK)
        return BEGUN;
    if (status == DB_CONFLICT)
        return join_elsewhere(jobs, call, job, &running,
                              memcmp(hash, job->start.request_hash, sizeof hash) == 0, until);
    call_found(call, status);
    return BEGUN_NOT;
}

/* BEGUN_NOT: the request has its response. BEGUN_AGAIN: the conflicting job is over. */
static enum begun start(struct jobs *jobs, struct call *call, struct job *job,
                        const struct timespec *until)
{
    enum begun begun = begin(jobs, call, job, until);
    if (begun != BEGUN) {
        give_up(jobs, job);
        return begun;
    }
    settle(jobs, job);
    if (start_thread(job))
        return BEGUN;
    call_problem(call, "unavailable", "The system has no threads left; try again.");
    job->response = *call->response;
    end_alone(job);
    give_up(jobs, job);
    return BEGUN_NOT;
}

/* True if the job is over. False if the client must ask again later; it is then given the id if its
 * request is the same. */
static bool wait_for(struct jobs *jobs, struct job *job, bool same, const struct timespec *until)
{
    int late = 0;
    pthread_mutex_lock(&jobs->mutex);
    while (!job->over && (late == 0 || (same && job->ending && !job->told)))
        late = late == 0 ? pthread_cond_timedwait(&jobs->changed, &jobs->mutex, until)
                         : pthread_cond_wait(&jobs->changed, &jobs->mutex);
    bool over = job->over;
    if (!over && same)
        job->told = true;
    pthread_mutex_unlock(&jobs->mutex);
    return over;
}

/* Answers from a job, which is held. True if the request has its response. The response of a job is
 * only for the same request of the same player: any other request then starts a step of its own,
 * and finds the new state. */
static bool answer_from(struct jobs *jobs, struct call *call, struct job *job, bool joined,
                        const struct timespec *until)
{
    uint8_t hash[32];
    call_hash(call, hash);
    bool same = memcmp(hash, job->start.request_hash, sizeof hash) == 0;
    bool at_once = !joined && job->start.told;
    if (at_once || !wait_for(jobs, job, same, until)) {
        if (same)
            answer_job(call, job);
        else
            refuse_other(call);
        return true;
    }
    if (joined && (!same || !id_equal(&job->start.player, &call->player.id)))
        return false;
    *call->response = job->response;
    return true;
}

void jobs_answer(struct call *call)
{
    struct jobs *jobs = call->service->jobs;
    const struct timespec until = moment_in(wait_ms(jobs, call->request));
    bool answered = false;
    while (!answered) {
        bool joined;
        struct job *job = join_or_make(jobs, call, &until, &joined);
        enum begun begun = job == NULL ? BEGUN_NOT
                           : joined    ? BEGUN
                                       : start(jobs, call, job, &until);
        answered = begun == BEGUN_NOT;
        if (begun == BEGUN) {
            arena_own(call->arena, job, drop_hold);
            answered = answer_from(jobs, call, job, joined, &until);
        }
    }
}

/* ---- GET /v1/jobs/{id} ---- */

void jobs_get(struct call *call)
{
    struct job_row row;
    if (call_found(call, job_find(call->db, call->arena, &call->id[0], &row)))
        call_answer(call, 200, job_document(call, &row));
}

/* ---- All jobs ---- */

/* Holds the jobs that run at this moment. */
static unsigned hold_all(struct jobs *jobs, struct job *held[static JOBS_MOST])
{
    unsigned count = 0;
    pthread_mutex_lock(&jobs->mutex);
    for (struct job *job = jobs->first; job != NULL; job = job->next)
        if (job->settled && !job->ending) {
            job->holds++;
            held[count++] = job;
        }
    pthread_mutex_unlock(&jobs->mutex);
    return count;
}

static void report_alive(struct ticker *ticker, void *context)
{
    struct jobs *jobs = context;
    struct job *held[JOBS_MOST];
    unsigned count = hold_all(jobs, held);
    struct db *db = count == 0 ? NULL : take_db(jobs);
    (void)ticker;
    for (unsigned i = 0; i < count; i++) {
        if (db != NULL)
            (void)job_live(db, &held[i]->start.id, atomic_load(&held[i]->phase),
                           atomic_load(&held[i]->done), atomic_load(&held[i]->total));
        drop_hold(held[i]);
    }
    if (db != NULL)
        db_pool_give(jobs->service->pool, db);
}

struct jobs *jobs_new(struct service *service, unsigned wait_ms, job_runner *run)
{
    struct jobs *jobs = must(calloc(1, sizeof *jobs));
    jobs->service = service;
    jobs->wait_ms = wait_ms;
    jobs->run = run;
    pthread_mutex_init(&jobs->mutex, NULL);
    condition_init(&jobs->changed);
    jobs->ticker = ticker_new(ALIVE_EVERY_MS, report_alive, jobs);
    if (jobs->ticker != NULL)
        return jobs;
    (void)jobs_free(jobs, 0);
    return NULL;
}

/* Marks the jobs as failed: a commit of their threads then finds no running job, and is rolled
 * back. */
static void give_up_all(struct jobs *jobs)
{
    static const struct job_end end = {
        .told = true, .state = JOB_FAILED, .location = "", .answer = ""};
    struct job *held[JOBS_MOST];
    unsigned count = hold_all(jobs, held);
    for (unsigned i = 0; i < count; i++)
        end_row(jobs, &held[i]->start.id, &end);
}

static bool wait_for_all(struct jobs *jobs, unsigned grace_ms)
{
    const struct timespec until = moment_in(grace_ms);
    int late = 0;
    pthread_mutex_lock(&jobs->mutex);
    while (jobs->count > 0 && late == 0)
        late = pthread_cond_timedwait(&jobs->changed, &jobs->mutex, &until);
    bool none = jobs->count == 0;
    pthread_mutex_unlock(&jobs->mutex);
    return none;
}

bool jobs_free(struct jobs *jobs, unsigned grace_ms)
{
    if (jobs == NULL)
        return true;
    if (!wait_for_all(jobs, grace_ms)) {
        give_up_all(jobs);
        return false;
    }
    ticker_free(jobs->ticker);
    pthread_cond_destroy(&jobs->changed);
    pthread_mutex_destroy(&jobs->mutex);
    free(jobs);
    return true;
}
