/* Who is signed in where: the file accounts.json below $XDG_CONFIG_HOME/tillroll, which nobody else
 * may read, because it holds tokens.
 *
 *      {"server": "http://127.0.0.1:8080",              where one signed in last
 *       "accounts": {"http://127.0.0.1:8080": [{"name": .., "player": .., "token": ..}, ..]}}
 *
 * The accounts of a service stand in the order in which they signed in, the last first. Files of
 * before, which have one account in place of the list, are read as well.
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

/* Finds out which service is meant: --server, $TILLROLL_SERVER, or that of the file. False with a
 * message, also if what was given is no address of a service. */
bool session_find_server(const struct cli_given *given, char server[static SESSION_SERVER_BYTES]);

/* And who is meant there: the account that --as names; else $TILLROLL_TOKEN; else the account that
 * signed in last, if there is one. False with a message, also if others may read the file. */
bool session_find(const struct cli_given *given, struct session *session);

/* Keeps what POST /v1/tokens or /v1/players of this service has answered, in place of what was kept
 * for this player. False with a message. */
bool session_keep(const char *server, const json_t *answer);

/* Forgets the account with this token. False with a message. */
bool session_forget(const struct session *session);

/* A client for who is signed in there, or nobody; NULL with a message. With `needed` somebody must
 * be. */
struct client *session_client(const struct cli_given *given, bool needed);

/* The id in a word: an id, or an address that ends in one. NULL with a message if there is none.
 * Points into the word. */
const char *session_id(const char *word, char id[static 37]);

#endif
