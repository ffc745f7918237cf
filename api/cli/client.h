/* A client of the service: JSON over HTTP with libcurl, one persistent connection. */
#ifndef TILLROLL_API_CLI_CLIENT_H
#define TILLROLL_API_CLI_CLIENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct client;

/* `server` is the address without a path: `http://127.0.0.1:8080`. `token` may be NULL. Both are
 * copied. NULL with a message on standard error. */
struct client *client_new(const char *server, const char *token);
void client_free(struct client *client);

/* Sends a request. `body` may be NULL; it is consumed. Returns the response document, owned by the
 * caller, or NULL if there is none; `status` is the HTTP status, 0 if the server could not be
 * reached. Only requests that are safe to repeat are retried, for about ten seconds: GET, and moves
 * that name their seq; and only if this client has had a response before, since otherwise the
 * address is probably wrong. After 202, waits for the result of the long step, with its progress on
 * standard error if that is a terminal; the response is then the result. */
json_t *client_call(struct client *client, const char *method, const char *path, json_t *body,
                    long *status);

/* Signs a text that the service asks an official to sign: writes the signature in hex, with its
 * NUL. False with a message if the text must not be signed. */
enum { CLIENT_SIGNATURE = 129 };
typedef bool client_signer(void *context, const char *text, char hex[static CLIENT_SIGNATURE]);

/* After this call, client_call() asks the service for texts to be signed, and has `signer` sign
 * them. */
void client_sign_with(struct client *client, client_signer *signer, void *context);

/* Explains on standard error which request did not reach the server, why, and how to solve this. */
void client_print_away(const struct client *client);

/* The message for a response without a document as described in the API. */
#define CLIENT_STRANGE "the response is not one of a Tillroll service; is the address right?"

/* Like client_call(), but unless the response is a 2xx document, prints a message on standard error
 * and returns NULL. */
json_t *client_need(struct client *client, const char *method, const char *path, json_t *body);

/* PUTs plain text. False, with a message on standard error, unless the status is 2xx. Repeated like
 * a GET. */
bool client_put_text(struct client *client, const char *path, const char *text);

/* GETs a text, to be freed by the caller; NULL, with a message on standard error, unless the status
 * is 200. One attempt. */
char *client_text(struct client *client, const char *path);

/* GETs bytes of any kind, valid until the next request; NULL without a message unless the status is
 * 200. `status` is 0 if there was no response. One attempt. */
const char *client_bytes(struct client *client, const char *path, size_t *length, long *status);

/* The bytes of the last response; NULL if it had none. Valid until the next request. */
const char *client_answer(const struct client *client, size_t *length);

/* ---- Streams of server-sent events ---- */

struct client_message {
    const char *id; /* "" if it has none */
    const char *event, *data;
};

/* Returns false to stop. */
typedef bool client_listener(void *context, const struct client_message *message);

enum client_followed {
    CLIENT_STREAM_BROKEN,  /* or ended: it can be resumed from the last id */
    CLIENT_STREAM_OVER,    /* there are no more messages */
    CLIENT_STREAM_REFUSED, /* with a message on standard error */
    CLIENT_STREAM_ENOUGH
};

/* Follows a stream after the message `after` ("" = from the first), passing each message to
 * `listener`. If the first response is not a stream, it counts as refused; later ones count as a
 * break. */
enum client_followed client_follow(struct client *client, const char *path, const char *after,
                                   client_listener *listener, void *context);

/* ---- Component sets ---- */

struct component_list; /* engine/game/component_list.h */
struct game;

/* Adds the component set with this SHA-256 to `list`, from the service. False if the service did
 * not answer. If the service does not have the set, shows another one, or one that does not suit
 * the ruleset, nothing is added; readers of records then report what is missing. */
bool client_add_components(struct client *client, const uint8_t hash[static 32],
                           struct component_list *list);

/* The ruleset with the component set of this SHA-256, in hex: `rules` itself, or a game whose set
 * is fetched once and kept, valid until the next call. NULL, with a message on standard error, if
 * the service does not show such a set. */
const struct game *client_game(struct client *client, const struct game *rules, const char *hex);

/* Joins path + id + rest in a fixed-size buffer of the client, valid until the next call. */
const char *client_path(struct client *client, const char *path, const char *id, const char *rest);

#endif
