/* What is common to the small servers that other people run: witness and dealer. */
#ifndef TILLROLL_API_CLI_WITNESS_PARTY_HTTP_H
#define TILLROLL_API_CLI_WITNESS_PARTY_HTTP_H

#include "api/cli/commands.h"
#include "api/http/server.h"
#include "api/watch/exposition.h"
#include "engine/log/trust_policy.h"

/* Answers with a problem document (RFC 9457), copied to the arena. `title` is what all problems of
 * this server have in common. With 503, it asks to try again soon. */
void party_problem(struct http_response *response, struct arena *arena, int status,
                   const char *title, const char *code, const char *detail);

/* Answers with a text, copied to the arena. */
void party_text(struct http_response *response, struct arena *arena, int status, const char *type,
                struct span text);

/* A server, and what its program does. */
struct party {
    const char *name;    /* what says on standard error where it listens: "dealer" */
    const char *title;   /* as in party_problem() */
    const char *address; /* where it listens, unless --listen says so */
    void (*refuse)(const struct gate_refusal *refusal, struct arena *arena,
                   struct http_response *response); /* as in server_config */
    void (*begin)(void *context);                   /* when it listens; NULL = nothing */
    http_handler *answer;
    exposition_show *figures;
    void *context;
    struct limits *limits; /* of the requests of one client */
};

/* Serves until SIGINT or SIGTERM: up to `rate` requests a minute of one client, 0 = without limit,
 * and figures at --metrics-listen. Returns the exit status, after a message if it cannot listen. */
int party_serve(struct party *party, const struct cli_given *given, unsigned long rate);

/* Reads a trust policy that names a log, for `command` ("dealer serve"). Returns its text, which
 * the policy refers to and the caller frees; NULL with a message on standard error. */
char *party_policy_read(const char *path, const char *command, struct trust_policy *policy);

#endif
