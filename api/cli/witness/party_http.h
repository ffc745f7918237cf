/* Shared by the small servers that other parties run: witness and dealer. */
#ifndef TILLROLL_API_CLI_WITNESS_PARTY_HTTP_H
#define TILLROLL_API_CLI_WITNESS_PARTY_HTTP_H

#include "api/cli/cli.h"
#include "api/http/server.h"
#include "api/watch/exposition.h"
#include "engine/log/trust_policy.h"

/* Answers with a problem document (RFC 9457), copied to the arena. `title` is common to all
 * problems of this server. With 503, also asks to try again soon. */
void party_problem(struct http_response *response, struct arena *arena, int status,
                   const char *title, const char *code, const char *detail);

/* Answers with a text, copied to the arena. */
void party_text(struct http_response *response, struct arena *arena, int status, const char *type,
                struct span text);

/* A server, and the functions of its program. */
struct party {
    const char *name;    /* used in the message on standard error that it listens: "dealer" */
    const char *title;   /* see party_problem() */
    const char *address; /* default of --listen */
    void (*refuse)(const struct gate_refusal *refusal, struct arena *arena,
                   struct http_response *response); /* see server_config */
    void (*begin)(void *context); /* called when the server listens; NULL = not needed */
    http_handler *answer;
    exposition_show *figures;
    void *context;
    struct limits *limits; /* of the requests per client */
};

/* Serves until SIGINT or SIGTERM: up to `rate` requests a minute per client, 0 = without limit, and
 * metrics at --metrics-listen. Returns the exit status, after a message if it cannot listen. */
int party_serve(struct party *party, const struct cli_given *given, unsigned long rate);

/* Reads a trust policy that names a log, for `command` ("dealer serve"). Returns its text, to which
 * the policy refers and which the caller frees; NULL with a message on standard error. */
char *party_policy_read(const char *path, const char *command, struct trust_policy *policy);

#endif
