/* What is common to the small servers that other people run: witness and dealer. */
#ifndef TILLROLL_API_CLI_WITNESS_PARTY_HTTP_H
#define TILLROLL_API_CLI_WITNESS_PARTY_HTTP_H

#include "api/http/server.h"
#include "engine/log/trust_policy.h"

/* Answers with a problem document (RFC 9457), copied to the arena. `title` is what all problems of
 * this server have in common. With 503, it asks to try again soon. */
void party_problem(struct http_response *response, struct arena *arena, int status,
                   const char *title, const char *code, const char *detail);

/* Answers with a text, copied to the arena. */
void party_text(struct http_response *response, struct arena *arena, int status, const char *type,
                struct span text);

/* Limits for a server with few clients. The caller adds `handler`, `context` and `refuse`. */
struct server_config party_server(const char *address);

/* Reads a trust policy that names a log, for `command` ("dealer serve"). Returns its text, which
 * the policy refers to and the caller frees; NULL with a message on standard error. */
char *party_policy_read(const char *path, const char *command, struct trust_policy *policy);

#endif
