/* Jobs: steps that may take longer than a request should, such as draws, closings and imports
 * (struct route, `step`).
 *
 *      request ──> authorized? ──> a row marks it as running ──> a thread of its own: the handler
 *         │                                                           │
 *         └── waits a second, or as `Prefer` says ── over? ── yes: its response, as of any request
 *                                                      └── no: 202, and the job's location
 *
 * The thread continues whether a request waits for it or not. A request for a step that is already
 * running, in this service or another one of the database, joins it and gets the same location. The
 * row is completed in the transaction of the step itself, so a step has been done exactly if its
 * job is recorded as done; and a service that was presumed dead in the meantime does not repeat
 * what another has begun again.
 *
 * A job leaves no row if no client was given its location. For a step whose response must not be
 * kept, the row has only the address of what was changed.
 */
#ifndef TILLROLL_API_WORK_JOBS_H
#define TILLROLL_API_WORK_JOBS_H

#include "api/request/call.h"
#include "engine/base/progress.h"

struct jobs;
struct job;

enum {
    JOBS_MOST = 8,          /* running in a service, costly ones included; beyond: 503 */
    JOBS_COSTLY_MOST = 2,   /* the same for reports (`costly` of struct route) */
    JOB_WAIT_MS_MOST = 5000 /* longest wait of a request, whatever it prefers */
};

/* Does the work of a job as for a request whose route has no step (dispatch_job()). On the job's
 * thread; `request` and `arena` belong to the job. */
typedef void job_runner(struct service *service, struct job *job,
                        const struct http_request *request, struct arena *arena,
                        struct http_response *response);

/* Requests wait for `wait_ms` by default. NULL if the system has no threads left. */
struct jobs *jobs_new(struct service *service, unsigned wait_ms, job_runner *run);

/* Waits for running jobs, `grace_ms` at most, and gives up the remaining ones, so that they can be
 * begun again at once. False if there are any: their threads still use the service, so nothing may
 * be freed and the process must end. NULL is allowed. */
bool jobs_free(struct jobs *jobs, unsigned grace_ms);

/* True if the call needs a job: if its route has a step, except for a preview of a step whose
 * response must not be kept (struct route, `secret`), and for a report without a token, since a job
 * belongs to a player. Any thread. */
bool jobs_take(const struct call *call);

/* Answers a request for a step; the caller is identified and authorized. */
void jobs_answer(struct call *call);

/* Ends the job of a step with the call's response; to be called in the transaction of the step,
 * before the commit. False with a problem. True if the call has no job. */
bool jobs_end(struct call *call);

/* To be called after that commit. */
void jobs_ended(struct call *call);

/* Reports the progress of the call's job: `phase` is static, `total` 0 = not known. Any thread; no
 * effect without a job. */
void jobs_progress(const struct call *call, const char *phase, unsigned done, unsigned total);

/* Returns a progress for computations, which becomes that of the call's job, in the phase
 * `computing`. The call is borrowed. */
struct progress jobs_computing(struct call *call);

#endif
