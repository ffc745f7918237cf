/* The games of a match: several workers, a journal that survives a kill, and a test that can end
 * it.
 *
 * Results count in the order of their deals, whichever worker finishes first, so any number of
 * workers gives the same figures. */
#ifndef TILLROLL_API_CLI_BOTS_MATCH_RUN_H
#define TILLROLL_API_CLI_BOTS_MATCH_RUN_H

#include "api/cli/bots/match_game.h"
#include "api/cli/bots/sprt.h"

struct match_plan {
    unsigned long deals;     /* at most */
    unsigned seatings;       /* seatings played of each deal: all, or the first few */
    unsigned long workers;   /* 1 .. MATCH_WORKERS_MAX */
    const char *journal;     /* on the first player; NULL = none */
    const struct sprt *sprt; /* of the first player; NULL = none */
};

enum { MATCH_WORKERS_MAX = 64 };

/* The figures of one player, or of a seat regardless of its player: means over deals, of the mean
 * over the seatings of each. */
struct match_total {
    struct shares score, rank;
    struct shares first;  /* the player's share of first places */
    struct shares beaten; /* the share of the rivals that ranked behind */
};

struct match_totals {
    unsigned long deals, games; /* number that counts */
    struct match_total player[GAME_SEATS_MAX];
    struct match_total seat[GAME_SEATS_MAX]; /* empty in a game for one */
    enum sprt_verdict verdict;
    struct match_result *results; /* by game: deal * seatings + seating */
};

/* Plays the games that are not in the journal, until all deals are played or the test has a
 * verdict. False with a message if a program fails or the journal cannot be used. Free `totals`
 * with match_totals_free() in either case. */
bool match_run(const struct match *match, const struct match_plan *plan,
               struct match_totals *totals);
void match_totals_free(struct match_totals *totals);

/* Computes by how much the figures of `after` exceed those of `before`, deal by deal, for two runs
 * of the same plan with the same players in the same order. `results` of the difference is NULL. */
void match_compare(const struct match *match, const struct match_plan *plan,
                   const struct match_totals *before, const struct match_totals *after,
                   struct match_totals *difference);

#endif
