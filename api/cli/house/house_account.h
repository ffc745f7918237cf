/* A house account, as seen by the program that plays for it: the games that wait for it, and its
 * turns. */
#ifndef TILLROLL_API_CLI_HOUSE_HOUSE_ACCOUNT_H
#define TILLROLL_API_CLI_HOUSE_HOUSE_ACCOUNT_H

#include "api/cli/bots/player.h"
#include "engine/base/counter.h"

/* Counters; also read by the thread that serves the metrics. */
struct house_figures {
    struct counter moves, declared, failures, passes;
    struct counter games, games_taken; /* games: current; games_taken: total */
    struct counter deciding_us;        /* from receiving a position to choosing its move */
    struct counter waiting_us; /* how long games waited for a move after their turn was seen */
};

struct house_account {
    struct client *client;
    char name[201];
    const struct level *level; /* NULL until house_account_identify() */
    int64_t rest_until_ms;     /* after a failure; of CLOCK_MONOTONIC */
    long pause_ms;
};

enum house_identity {
    HOUSE_IDENTIFIED,
    HOUSE_UNREACHABLE, /* the service does not answer; to be tried again */
    HOUSE_UNSUITABLE /* with a message: not a house account, or its level is not in this program */
};

/* Reads the account's name and level from the service. */
enum house_identity house_account_identify(struct house_account *account);

/* Lists running games, at most 100, as returned by GET /v1/me/games. With `due`, NULL unless one of
 * them waits for this account. The caller owns the result. `failed` is set on errors. */
json_t *house_account_games(struct house_account *account, bool due, bool *failed);

/* Plays in a game as long as it is this account's turn, until cli_is_stopping(); first declares in
 * the record which program decides. */
enum turn house_account_play(struct house_account *account, const char *game,
                             struct house_figures *figures);

/* Gives entropy to games that wait for it. False if that failed. */
bool house_account_give_entropy(struct house_account *account);

/* Suspends the account after a failure, longer each time. */
void house_account_suspend(struct house_account *account, int64_t at_ms);

#endif
