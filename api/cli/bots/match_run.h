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

/* What one player, or a seat whoever sits there, has in the deals: means over deals, of its mean
 * over the seatings of each. */
struct match_total {
    struct shares score, rank;
    struct shares first;  /* its part of the first places */
    struct shares beaten; /* the part of the rivals that it came before */
};

struct match_totals {
    unsigned long deals, games; /* that count */
    struct match_total player[GAME_SEATS_MAX];
    struct match_total seat[GAME_SEATS_MAX]; /* nothing in a game for one */
    enum sprt_verdict verdict;
    struct match_result *results; /* by game: deal * seatings + seating */
};

/* Plays what is not in the journal yet, until the deals are played or the test has its verdict.
 * False with a message if a program fails or the journal cannot be used. match_totals_free() frees
 * what `totals` holds, in either case. */
bool match_run(const struct match *match, const struct match_plan *plan,
               struct match_totals *totals);
void match_totals_free(struct match_totals *totals);

/* By how much the figures of `after` are greater than those of `before`, deal by deal: two runs of
 * the same plan, with the same players in the same order. `results` of it is NULL. */
void match_compare(const struct match *match, const struct match_plan *plan,
                   const struct match_totals *before, const struct match_totals *after,
                   struct match_totals *difference);

#endif
