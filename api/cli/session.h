/* Who is signed in where: the file accounts.json below $XDG_CONFIG_HOME/tillroll, which nobody else
 * may read, because it holds tokens.
 *
 *      {"server": "http://127.0.0.1:8080",                       where one signed in last
 *       "accounts": {"http://127.0.0.1:8080": {"name": .., "player": .., "token": ..}}}
 */
#ifndef TILLROLL_API_CLI_SESSION_H
#define TILLROLL_API_CLI_SESSION_H

#include "api/cli/client.h"
#include "api/cli/commands.h"

enum { SESSION_SERVER_BYTES = 200, SESSION_TOKEN_BYTES = 128 };

struct session {
    char server[SESSION_SERVER_BYTES];
    char token[SESSION_TOKEN_BYTES]; /* "" = nobody is signed in */
};

/* Finds out which service is meant, and who is signed in there: --server, $TILLROLL_SERVER, or that
 * of the file; and $TILLROLL_TOKEN, or the token of the file. False with a message, also if others
 * may read the file. */
bool session_find(const struct cli_given *given, struct session *session);

/* The same without a command's options; `server` may be NULL. */
bool session_find_at(const char *server, struct session *session);

/* Keeps what POST /v1/tokens or /v1/players of this service has answered. False with a message. */
bool session_keep(const char *server, const json_t *answer);

/* Forgets the account of this service. False with a message. */
bool session_forget(const char *server);

/* A client for who is signed in there, or nobody; NULL with a message. With `needed` somebody must
 * be. */
struct client *session_client(const struct cli_given *given, bool needed);

/* The id in a word: an id, or an address that ends in one. NULL with a message if there is none.
 * Points into the word. */
const char *session_id(const char *word, char id[static 37]);

#endif
