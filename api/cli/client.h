/* A client of the service: JSON over HTTP by libcurl, one connection kept open. */
#ifndef TILLROLL_API_CLI_CLIENT_H
#define TILLROLL_API_CLI_CLIENT_H

#include <jansson.h>
#include <stdbool.h>

struct client;

/* `server` is the address without a path: `http://127.0.0.1:8080`. `token` may be NULL. Both are
 * copied. NULL with a message on standard error. */
struct client *client_new(const char *server, const char *token);
void client_free(struct client *client);

/* Sends a request. `body` may be NULL; the reference is taken over. The answer's document, which
 * the caller owns, or NULL where it has none; `status` is the HTTP status, 0 if the server could
 * not be reached. Only requests that are safe to send again are tried again, for about ten seconds:
 * GET, and moves that name their seq; and only if this client has had an answer before, since the
 * address of a server that has never been there is more likely to be wrong. A step that takes its
 * time (202) is waited for, with its progress on standard error if that is a terminal; the answer
 * is then the one that it ended with. */
json_t *client_call(struct client *client, const char *method, const char *path, json_t *body,
                    long *status);

/* Says on standard error that the server could not be reached by the last request, which one, why,
 * and what can be done. */
void client_print_away(const struct client *client);

/* The same as client_call(), with a message on standard error and NULL unless the answer is a 2xx
 * document. */
json_t *client_need(struct client *client, const char *method, const char *path, json_t *body);

/* The text of a GET, which the caller frees; NULL, with a message on standard error, unless its
 * status is 200. One try. */
char *client_text(struct client *client, const char *path);

/* The text of the last answer; NULL if it had none. Valid until the next request. */
const char *client_answer(const struct client *client);

/* ---- Streams of server-sent events ---- */

struct client_message {
    const char *id; /* "" if it has none */
    const char *event, *data;
};

/* Returns false when it has had enough. */
typedef bool client_listener(void *context, const struct client_message *message);

enum client_followed {
    CLIENT_STREAM_BROKEN,  /* or ended: to be followed again from the last id on */
    CLIENT_STREAM_OVER,    /* there is no more */
    CLIENT_STREAM_REFUSED, /* with a message on standard error */
    CLIENT_STREAM_ENOUGH
};

/* Follows a stream from after the message `after` ("" = from the first on), telling each message to
 * `listener`. */
enum client_followed client_follow(struct client *client, const char *path, const char *after,
                                   client_listener *listener, void *context);

/* path + id + rest in a static-size buffer of the client, valid until its next call of this. */
const char *client_path(struct client *client, const char *path, const char *id, const char *rest);

#endif
