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
 * address is probably wrong. Long steps (202) are waited for, with their progress on standard error
 * if that is a terminal; the response is then their result. */
json_t *client_call(struct client *client, const char *method, const char *path, json_t *body,
                    long *status);

/* Signs a text that the service asks an official to sign: the signature in hex, with its NUL. False
 * with a message if it must not be signed. */
enum { CLIENT_SIGNATURE = 129 };
typedef bool client_signer(void *context, const char *text, char hex[static CLIENT_SIGNATURE]);

/* From now on, client_call() asks what is to be signed, and lets `signer` sign it. */
void client_sign_with(struct client *client, client_signer *signer, void *context);

/* Explains on standard error which request did not reach the server, why, and what can be done. */
void client_print_away(const struct client *client);

/* What messages say of a response that has no document as the API describes them. */
#define CLIENT_STRANGE "the response is not one of a Tillroll service; is the address right?"

/* Like client_call(), but unless the response is a 2xx document, prints a message on standard error
 * and returns NULL. */
json_t *client_need(struct client *client, const char *method, const char *path, json_t *body);

/* PUT of plain text. False, with a message on standard error, unless the status is 2xx. Repeated
 * like a GET. */
bool client_put_text(struct client *client, const char *path, const char *text);

/* The text of a GET, freed by the caller; NULL, with a message on standard error, unless the status
 * is 200. One attempt. */
char *client_text(struct client *client, const char *path);

/* The bytes of a GET, whatever they are, valid until the next request; NULL without a message
 * unless the status is 200. `status` is 0 if there was no response. One attempt. */
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
    CLIENT_STREAM_BROKEN,  /* or ended: to be resumed from the last id */
    CLIENT_STREAM_OVER,    /* there are no more messages */
    CLIENT_STREAM_REFUSED, /* with a message on standard error */
    CLIENT_STREAM_ENOUGH
};

/* Follows a stream after the message `after` ("" = from the first), passing each message to
 * `listener`. A response from the first that is no stream is refused; later it counts as a break.
 */
enum client_followed client_follow(struct client *client, const char *path, const char *after,
                                   client_listener *listener, void *context);

/* ---- Component sets ---- */

struct component_list; /* engine/game/component_list.h */
struct game;

/* Adds the component set of this SHA-256 to `list`, as the service shows it. False if the service
 * did not answer. What it does not show is not added, nor what is another set, or one that the
 * ruleset cannot be played with; then readers of records say what is missing. */
bool client_add_components(struct client *client, const uint8_t hash[static 32],
                           struct component_list *list);

/* The ruleset with the component set of this SHA-256, in hex: `rules` itself, or a game that is
 * asked for once and kept, valid until the next call. NULL, with a message on standard error, if
 * the service does not show such a set. */
const struct game *client_game(struct client *client, const struct game *rules, const char *hex);

/* path + id + rest in a fixed-size buffer of the client, valid until the next call. */
const char *client_path(struct client *client, const char *path, const char *id, const char *rest);

#endif
