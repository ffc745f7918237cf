/* The parts of `tillroll demo`, for its two forms: one event (demo.c) and a club (club.c).
 * Everything is done over REST, as people would do it. Functions that return false have said why on
 * standard error. */
#ifndef TILLROLL_API_CLI_BOTS_DEMO_H
#define TILLROLL_API_CLI_BOTS_DEMO_H

#include "api/cli/bots/player.h"
#include "api/cli/session.h"
#include "engine/game/catalog.h"

enum { DEMO_PLAYERS_MAX = 12, DEMO_PASSWORD_BYTES = 33 };

struct demo_player {
    struct client *client;
    char id[64];
};

/* One event and who is in it. */
struct demo {
    char server[SESSION_SERVER_BYTES];
    const struct game *game;
    unsigned long rounds;
    struct policy policy;
    struct chance_stream stream;
    char suffix[9]; /* makes names of this run new */
    char event[64]; /* its id */
    struct client *organizer;
    struct demo_player player[DEMO_PLAYERS_MAX];
    size_t players;
    unsigned long plies; /* played so far */
};

/* A random password, as hexadecimal digits. */
void demo_password(char password[static DEMO_PASSWORD_BYTES]);

/* Registers a player. Their id goes to `id` (64 bytes; may be NULL). A client for them, which the
 * caller frees, or NULL. */
struct client *demo_sign_up(const char *server, const char *name, const char *password, char *id);

/* Makes an event of the game with so many rounds: a duplicate event if it is a game for one, else
 * pod Swiss. */
bool demo_make_event(struct demo *demo, const char *name);

/* Does `step` (`/close`) of an event for its organizer, or `/entries` for a player. */
bool demo_post(struct client *client, const char *event, const char *step);

/* Starts the next round, which is number `round`, and plays it. Every other table, the first
 * included, is left after `plies_most` plies; 0: all are played to their end. */
bool demo_play_round(struct demo *demo, unsigned long round, unsigned long plies_most);

/* `tillroll demo --club`; an exit status. */
int cli_club(const struct cli_given *given);

#endif
