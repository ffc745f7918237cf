/* Steps that may take longer than a request should: draws, closings, imports (struct route,
 * `step`).
 *
 *      request ──> authorized? ──> a row marks it as running ──> a thread of its own: the handler
 *         │                                                           │
 *         └── waits a second, or as `Prefer` says ── over? ── yes: its answer, as of any request
 *                                                      └── no: 202, and where to look
 *
 * The thread goes on whether a request waits for it or not. A request for a step that runs, here or
 * at another service of this database, joins it and gets the same location. The row is completed in
 * the transaction of the step itself, so a step was done exactly if its job is recorded as done;
 * and a service that was presumed dead meanwhile does not repeat what another has begun again.
 *
 * A job whose location was given to nobody leaves no row. Of a step whose answer must not be kept
 * the row has only the address of what was changed.
 */
#ifndef TILLROLL_API_WORK_JOBS_H
#define TILLROLL_API_WORK_JOBS_H

#include "api/request/call.h"
#include "engine/base/progress.h"

struct jobs;
struct job;

enum {
    JOBS_MOST = 8,          /* that run at a time in a service; beyond: 503. Among them */
    JOBS_COSTLY_MOST = 2,   /* of reports (struct route, `costly`), which anybody may ask for */
    JOB_WAIT_MS_MOST = 5000 /* that a request waits, whatever it prefers */
};

/* Does the work of a job, as is done for a request whose route has no step (dispatch_job()). On the
 * job's thread; `request` and `arena` belong to the job. */
typedef void job_runner(struct service *service, struct job *job,
                        const struct http_request *request, struct arena *arena,
                        struct http_response *response);

/* Requests wait for `wait_ms`. NULL if the system has no threads left. */
struct jobs *jobs_new(struct service *service, unsigned wait_ms, job_runner *run);

/* Waits for running jobs, `grace_ms` at most, and gives up those that remain, so that they can be
 * begun again at once. False if there are any: their threads still use the service, so nothing may
 * be freed and the process must end. NULL is fine. */
bool jobs_free(struct jobs *jobs, unsigned grace_ms);

/* Whether a job has to do it: a step, but for a preview of one whose answer must not be kept
 * (struct route, `secret`), and for a report without a token, as a job is somebody's. Any thread.
 */
bool jobs_take(const struct call *call);

/* Answers a request for a step; the caller is identified and authorized. */
void jobs_answer(struct call *call);

/* In the transaction of a step, before it is committed: its job ends with this answer. False with a
 * problem. True where there is no job. */
bool jobs_end(struct call *call);

/* When that is committed. */
void jobs_ended(struct call *call);

/* Reports the progress of the call's job: `phase` is static, `total` 0 = not known. Any thread;
 * nothing where there is no job. */
void jobs_progress(const struct call *call, const char *phase, unsigned done, unsigned total);

/* For what is computed: its progress becomes that of the call's job, in the phase `computing`. The
 * call is borrowed. */
struct progress jobs_computing(struct call *call);

#endif
