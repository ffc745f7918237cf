/* One game of a match between policies and programs, played without a server. Each player sees only
 * its own view and its legal moves. */
#ifndef TILLROLL_API_CLI_BOTS_MATCH_GAME_H
#define TILLROLL_API_CLI_BOTS_MATCH_GAME_H

#include "api/cli/bots/bot_program.h"
#include "api/cli/bots/policy.h"

struct match_player {
    struct policy policy;                 /* chooses the moves */
    struct bot_program_settings settings; /* unless a program does; command NULL = no program */
};

/* The settings of a match. A deal is the luck of a game; it is played once from each seating, so
 * that every player gets what all the others get. In a game for one, every player plays each deal
 * alone. */
struct match {
    const struct game *game;
    const char *components; /* SHA-256 of the component set, if one was given; otherwise NULL */
    unsigned long seats;
    struct game_options options;
    struct chance chance; /* for all deals */
    unsigned players;
    bool alike; /* all have the same policy: only seats differ, and player N stays at seat N */
    struct match_player player[GAME_SEATS_MAX];
};

/* The number of times that a deal is played: once for each seat; in a game for one, once with all
 * players. If all players are alike, also once: from another seating, it would be the same game. */
unsigned match_seatings(const struct match *match);

/* The player at a seat in a seating: players move on by one seat. In a game for one, the player
 * with that number. */
unsigned match_player_at(const struct match *match, unsigned seat, unsigned seating);

/* The players' results in one game. */
struct match_result {
    int32_t score[GAME_SEATS_MAX];
    uint8_t rank[GAME_SEATS_MAX];
};

/* Plays matches, one game at a time. A worker may be used by one thread at a time. */
struct match_worker;

/* Creates a worker. Never NULL. `match` is borrowed. Free with match_worker_free(). */
struct match_worker *match_worker_new(const struct match *match);
void match_worker_free(struct match_worker *worker);

/* Plays a deal from one seating (match_player_at()). False with a message if a program has failed
 * as often as it may. */
bool match_play(struct match_worker *worker, unsigned long deal, unsigned seating,
                struct match_result *result);

/* The player's name: its program or its policy. */
const char *match_player_name(const struct match_player *player);

#endif
