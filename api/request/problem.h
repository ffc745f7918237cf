/* Problems: every error that leaves the service is an RFC 9457 document with a stable `code` and a
 * sentence that tells a person what to do. The table of codes is here and nowhere else; refusals of
 * moves carry the codes of the game's rules instead (its RULES.md).
 */
#ifndef TILLROLL_API_REQUEST_PROBLEM_H
#define TILLROLL_API_REQUEST_PROBLEM_H

#include <jansson.h>

#include "api/http/gate.h"
#include "api/http/http.h"

struct problem {
    const char *code;
    int status;
    const char *title;
};

/* Returns the problem with this code; an unknown code is a programming error and gives
 * `internal-error`. */
const struct problem *problem_find(const char *code);

/* Problem i of the table, or NULL past the last. */
const struct problem *problem_at(size_t i);

/* Makes `response` a problem document. `detail` is the sentence for the person. `members` are
 * further members, or NULL; the reference is taken over. With status 503, Retry-After is one
 * second. */
void problem_answer(struct http_response *response, struct arena *arena, const char *code,
                    const char *detail, json_t *members);

/* The same for the refusal of a move: status 409 for `not-your-turn`, `game-over` and the like,
 * else 422. */
void problem_answer_refusal(struct http_response *response, struct arena *arena, const char *code,
                            const char *detail, json_t *members);

/* The same for a line of a record that is not a move, with any code: status 409. `members` may be
 * NULL here too. */
void problem_answer_conflict(struct http_response *response, struct arena *arena, const char *code,
                             const char *detail, json_t *members);

/* For the gate and the server: a problem with the refusal's own status, or 308 to the page that was
 * requested with a slash at the end. */
void problem_answer_gate(const struct gate_refusal *refusal, struct arena *arena,
                         struct http_response *response);

#endif
