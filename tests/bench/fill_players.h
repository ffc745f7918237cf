/* Players for benches, with tokens but without passwords, and the file that they are kept in: one
 * line a player, `<id> <token> <name>`. */
#ifndef TILLROLL_TESTS_FILL_PLAYERS_H
#define TILLROLL_TESTS_FILL_PLAYERS_H

#include <libpq-fe.h>

#include "api/request/auth.h"
#include "db/link/id.h"

struct fill_player {
    struct id id;
    char token[TOKEN_TEXT];
    char name[32];
};

struct fill_players {
    struct fill_player *player;
    size_t count;
};

/* Makes players, stores them and appends them to the file. */
void fill_players_make(PGconn *connection, const char *path, size_t count);

/* Reads the file. Ends the program with a message if that fails. */
struct fill_players fill_players_read(const char *path);

void fill_players_free(struct fill_players *players);

#endif
