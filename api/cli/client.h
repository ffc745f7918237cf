/* A client of the service: JSON over HTTP by libcurl, one connection kept open. */
#ifndef TILLROLL_API_CLI_CLIENT_H
#define TILLROLL_API_CLI_CLIENT_H

#include <jansson.h>

struct client;

/* `server` is the address without a path: `http://127.0.0.1:8080`. `token` may be NULL. Both are
 * copied. NULL with a message on standard error. */
struct client *client_new(const char *server, const char *token);
void client_free(struct client *client);

/* Sends a request. `body` may be NULL; the reference is taken over. The answer's document, which
 * the caller owns, or NULL where it has none; `status` is the HTTP status, 0 if the server could
 * not be reached after several tries over about ten seconds. Only requests that are safe to send
 * again are tried again: GET, and moves that name their seq. */
json_t *client_call(struct client *client, const char *method, const char *path, json_t *body,
                    long *status);

/* The same, with a message on standard error and NULL unless the answer is a 2xx document. */
json_t *client_need(struct client *client, const char *method, const char *path, json_t *body);

/* path + id + rest in a static-size buffer of the client, valid until its next call of this. */
const char *client_path(struct client *client, const char *path, const char *id, const char *rest);

#endif
