/* HTTP of the small servers that other people run: witness and dealer. */
#ifndef TILLROLL_API_CLI_WITNESS_PARTY_HTTP_H
#define TILLROLL_API_CLI_WITNESS_PARTY_HTTP_H

#include "api/http/server.h"

/* Answers with a problem document (RFC 9457), copied to the arena. `title` is what all problems of
 * this server have in common. With 503, it asks to try again soon. */
void party_problem(struct http_response *response, struct arena *arena, int status,
                   const char *title, const char *code, const char *detail);

/* Answers with a text, copied to the arena. */
void party_text(struct http_response *response, struct arena *arena, int status, const char *type,
                struct span text);

/* Limits for a server with few clients. The caller adds `handler`, `context` and `refuse`. */
struct server_config party_server(const char *address);

#endif
