/* One game of a match between policies and programs, played without a server. Each knows its own
 * view and its legal moves only.
 */
#ifndef TILLROLL_API_CLI_BOTS_MATCH_GAME_H
#define TILLROLL_API_CLI_BOTS_MATCH_GAME_H

#include "api/cli/bots/bot_program.h"
#include "api/cli/bots/policy.h"

struct match_player {
    struct policy policy;                 /* how it plays */
    struct bot_program_settings settings; /* unless a program does; command NULL = none */
};

/* What is played. A deal is the luck of a game; it is played once from each seating, so that every
 * player gets what all others get. In a game for one, every player plays each deal alone. */
struct match {
    const struct game *game;
    const char *components; /* SHA-256 of the component set, if one was given; otherwise NULL */
    unsigned long seats;
    struct game_options options;
    struct chance chance; /* of all deals */
    unsigned players;
    bool alike; /* all have one policy: only seats differ, and player N stays at seat N */
    struct match_player player[GAME_SEATS_MAX];
};

/* How often a deal is played: once for each seat; in a game for one, once with all players. Once
 * also if they are alike: from another seating, it would be the same game. */
unsigned match_seatings(const struct match *match);

/* The player of a seat in a seating: players move on by one seat. In a game for one, the number of
 * the place is the player. */
unsigned match_player_at(const struct match *match, unsigned seat, unsigned seating);

/* What the players have in one game. */
struct match_result {
    int32_t score[GAME_SEATS_MAX];
    uint8_t rank[GAME_SEATS_MAX];
};

/* Plays matches, one game at a time. A worker may be used by one thread at a time. */
struct match_worker;

/* Never NULL. `match` is borrowed. match_worker_free() frees. */
struct match_worker *match_worker_new(const struct match *match);
void match_worker_free(struct match_worker *worker);

/* Plays a deal from one seating (match_player_at()). False with a message
 * if a program has failed as often as it may. */
bool match_play(struct match_worker *worker, unsigned long deal, unsigned seating,
                struct match_result *result);

/* What a player is called: its program or its policy. */
const char *match_player_name(const struct match_player *player);

#endif
