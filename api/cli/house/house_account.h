/* A house account, as its program sees it: which games wait for it, and how it takes a turn. */
#ifndef TILLROLL_API_CLI_HOUSE_HOUSE_ACCOUNT_H
#define TILLROLL_API_CLI_HOUSE_HOUSE_ACCOUNT_H

#include "api/cli/bots/player.h"
#include "engine/base/counter.h"

/* What is counted; read by the thread that shows it. */
struct house_figures {
    struct counter moves, declared, failures, passes;
    struct counter games, games_taken; /* now; ever */
    struct counter deciding_us;        /* from a position to its move */
    struct counter waiting_us;         /* that games waited for a move, once their turn was seen */
};

struct house_account {
    struct client *client;
    char name[201];
    const struct level *level; /* NULL until house_account_meet() */
    int64_t rest_until_ms;     /* after a failure; of CLOCK_MONOTONIC */
    long pause_ms;
};

enum house_met {
    HOUSE_MET,
    HOUSE_AWAY, /* the service does not answer; try again */
    HOUSE_WRONG /* with a message: not a house account, or of a level that this program lacks */
};

/* Asks the service who the account is. */
enum house_met house_account_meet(struct house_account *account);

/* The ids of running games, at most 100, as GET /v1/me/games has them. With `due`, NULL unless one
 * of them waits for this account. The caller owns the answer. `failed` is set on errors. */
json_t *house_account_games(struct house_account *account, bool due, bool *failed);

/* Plays in a game for as long as it is this account's turn, until cli_is_stopping(); says in the
 * record first which program decides. */
enum turn house_account_play(struct house_account *account, const char *game,
                             struct house_figures *figures);

/* Gives entropy to games that wait for it. False if that failed. */
bool house_account_give_entropy(struct house_account *account);

/* After a failure: leaves the account alone for a while, longer each time. */
void house_account_rest(struct house_account *account, int64_t at_ms);

#endif
