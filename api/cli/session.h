/* Stored sessions: the file accounts.json below $XDG_CONFIG_HOME/tillroll, readable only by its
 * owner because it contains tokens.
 *
 *      {"server": "http://127.0.0.1:8080",              the service signed in to last
 *       "accounts": {"http://127.0.0.1:8080": [{"name": .., "player": .., "token": ..}, ..]}}
 *
 * The accounts of a service are in the order of signing in, newest first. Older files, with one
 * account instead of the list, are supported. */
#ifndef TILLROLL_API_CLI_SESSION_H
#define TILLROLL_API_CLI_SESSION_H

#include "api/cli/cli.h"
#include "api/cli/client.h"

enum { SESSION_SERVER_BYTES = 200, SESSION_TOKEN_BYTES = 128 };

struct session {
    char server[SESSION_SERVER_BYTES];
    char token[SESSION_TOKEN_BYTES]; /* "" = not signed in */
};

/* Finds the service to use: --server, $TILLROLL_SERVER, or the file's. False with a message, also
 * if the given value is not an address of a service. */
bool session_find_server(const struct cli_given *given, char server[static SESSION_SERVER_BYTES]);

/* Also finds the account to use: --as; else $TILLROLL_TOKEN; else the account that signed in last,
 * if any. False with a message, also if other users may read the file. */
bool session_find(const struct cli_given *given, struct session *session);

/* Stores the response of POST /v1/tokens or /v1/players, replacing the player's earlier session.
 * False with a message. */
bool session_keep(const char *server, const json_t *answer);

/* Removes the account with this token. False with a message. */
bool session_forget(const struct session *session);

/* A client with the account in use, or without an account unless `needed`; NULL with a message. */
struct client *session_client(const struct cli_given *given, bool needed);

/* Ends a command: prints the service's answer with `print`, or as JSON with --json, and frees both.
 * Returns the exit status: EXIT_UNKNOWN if `client` is NULL, EXIT_NO if `answer` is NULL. */
int session_end(const struct cli_given *given, struct client *client, json_t *answer,
                void (*print)(const json_t *answer));

/* The id in an argument: an id, or an address that ends in one. NULL with a message if there is
 * none. Points into the argument. */
const char *session_id(const char *word, char id[static 37]);

#endif
