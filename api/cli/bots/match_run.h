/* The games of a match: several workers, a journal that survives a kill, and a test that ends it.
 *
 * Results count in the order of their deals, whichever worker finishes first, so any number of
 * workers gives the same figures.
 */
#ifndef TILLROLL_API_CLI_BOTS_MATCH_RUN_H
#define TILLROLL_API_CLI_BOTS_MATCH_RUN_H

#include "api/cli/bots/match_game.h"
#include "api/cli/bots/sprt.h"

struct match_plan {
    unsigned long deals;     /* at most */
    unsigned seatings;       /* of each deal that are played: all, or the first few */
    unsigned long workers;   /* 1 .. MATCH_WORKERS_MAX */
    const char *journal;     /* file, or NULL */
    const struct sprt *sprt; /* of the first player; NULL = none */
};

enum { MATCH_WORKERS_MAX = 64 };

/* What counts for one player. */
struct match_total {
    double wins;          /* first places, shared ones in parts */
    double score, rank;   /* sums over games */
    struct shares beaten; /* of each deal: the rivals it came before */
    struct shares first;  /* of each deal: its part of the first places */
};

struct match_totals {
    unsigned long deals, games; /* that count */
    struct match_total player[GAME_SEATS_MAX];
    enum sprt_verdict verdict;
};

/* Plays what is not in the journal yet, until the deals are played or the test has its verdict.
 * False with a message if a program fails or the journal cannot be used. */
bool match_run(const struct match *match, const struct match_plan *plan,
               struct match_totals *totals);

#endif
