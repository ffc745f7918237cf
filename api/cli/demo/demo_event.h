/* An event that both forms of `tillroll demo` play, the demonstration (demo.c) and the example club
 * (club.c). Everything is done over REST. Functions that return false have printed the reason on
 * standard error. */
#ifndef TILLROLL_API_CLI_DEMO_DEMO_EVENT_H
#define TILLROLL_API_CLI_DEMO_DEMO_EVENT_H

#include "api/cli/bots/player.h"
#include "api/cli/session.h"

enum { DEMO_PLAYERS_MAX = 12, DEMO_PASSWORD_BYTES = 33 };

struct demo_player {
    struct client *client;
    char id[64];
};

/* An event and its players. */
struct demo {
    char server[SESSION_SERVER_BYTES];
    const struct game *game;
    unsigned long rounds;
    struct policy policy;
    struct chance_stream stream;
    char suffix[9]; /* makes names unique to this run */
    char event[64]; /* its id */
    struct client *organizer;
    struct demo_player player[DEMO_PLAYERS_MAX];
    size_t players;
    unsigned long plies; /* number of plies played so far */
};

/* A random password, as hexadecimal digits. */
void demo_password(char password[static DEMO_PASSWORD_BYTES]);

/* Registers a player. The player's id is written to `id` (64 bytes; may be NULL). Returns the
 * player's client, which the caller frees, or NULL. */
struct client *demo_sign_up(const char *server, const char *name, const char *password, char *id);

/* Creates an event of the game with this many rounds: duplicate for one-player games, else pod
 * Swiss. */
bool demo_make_event(struct demo *demo, const char *name);

/* Posts `step` of an event: `/close`, for example, as its organizer, or `/entries` as a player. */
bool demo_post(struct client *client, const char *event, const char *step);

/* Starts the next round, number `round`, and plays it. Every other table, beginning with the first,
 * is abandoned after `plies_most` plies; with 0 all games are played to the end. */
bool demo_play_round(struct demo *demo, unsigned long round, unsigned long plies_most);

#endif
