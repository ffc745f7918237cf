/* Odds: who can still win a running event, with what chance, and what is certain already.
 *
 * A function of the event's log and nothing else, so anyone computes the same numbers. Two logs
 * that do not differ in entries, ratings, byes, rounds and results have the same odds; the event's
 * secret is not used, and a draft of a round neither.
 *
 *      seed     SHA-256 of all that matters (odds_seed())
 *      sample   the tables without a result, and all rounds to come, are played to the end of the
 *               event; its own chance is the seed with the bytes of the sample's number, the lowest
 *               first, added to its first four, each modulo 256; its stream is `odds`
 *      chance   how often an entry is first, or goes on to the next stage, by the real standings
 *
 * Strengths. All have the ratings with which they entered, and the event's results so far change
 * them as they change ratings, table by table in the order of the log (tournament_rate()). For each
 * sample the strength of each entry, in the order of entering, is drawn from the stream
 * `strengths` and kept to the sample's end: mu + sigma * (s - 6 * 2^32) / 2^32, rounded towards mu,
 * where s is the sum of twelve words. So whoever is strong in one round of a sample is strong in
 * all of them. That is what ratings say (Weng and Lin, JMLR 12 (2011), 267-300): a
 * strength is normally distributed by mu and sigma, and each game has its own luck besides.
 *
 * The model of a game. A place goes to one of those who have none yet with a chance in proportion
 * to their weight, first place first (Plackett-Luce); the weight at a table of k players is e to
 * the power of strength / (beta * root of k), as ratings assume (rating.h), rounded down to a unit
 * of 2^-28 of the best player's, and at least one. Nobody is level. Scores are those of a game of
 * the event at a table of the same size, each as likely, by place; 0 before there is one. Whoever
 * is out or has a bye in a round forfeits at a table that is seated nevertheless.
 *
 * Version 1 is that of logs without `strength`: a weight doubles with every ODDS_RATING_DOUBLES of
 * `rating`, over a range of ODDS_RATING_RANGE, and nothing changes it. Entries without a rating
 * have the mean of the others.
 *
 * The model of a pairing. Schedules and brackets are the real ones. Swiss rounds, and pod round
 * robins that have not begun, are seated by points: those of equal points in an order by lot, each
 * seat to the first who has met nobody at the table, or else to the first; byes go to the last.
 *
 * What is certain is proved, never sampled (odds_certain.c): by bounds on points, without
 * tie-breaks, over all results that a table can have, forfeits and rulings included; in brackets by
 * who can still reach the match for first place. It holds as long as no decided result is changed,
 * settings stay, and nobody enters, leaves or returns. Contested results count as undecided.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_ODDS_ODDS_H
#define TILLROLL_ENGINE_TOURNAMENT_ODDS_ODDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/progress.h"
#include "engine/tournament/event/tournament.h"

enum {
    ODDS_VERSION = 2,
    ODDS_VERSION_RANKED = 1, /* by mu - 3 sigma: of logs without `strength` */
    ODDS_SAMPLES = 10000,
    ODDS_SAMPLES_MAX = 1000000,
    ODDS_PART = 60,             /* unit of a shared first place */
    ODDS_RATING_DOUBLES = 6000, /* version 1; thousandths, as in `entered` lines */
    ODDS_RATING_RANGE = 60000,
    /* They bound the work of a sample: entries of the current stage, and these times its rounds
     * that are not over. */
    ODDS_ENTRIES_MAX = 256,
    ODDS_SEATS_MAX = 4096
};

enum odds_certain { ODDS_OPEN, ODDS_SURE, ODDS_OUT };

struct odds_entry {
    uint16_t entry;    /* index of the event */
    uint16_t division; /* from 1, in a league; else 0 */
    uint8_t win;       /* enum odds_certain: first place of the event, or of its division */
    uint8_t advance;   /* enum odds_certain: into the next stage; ODDS_OPEN without one */
    uint8_t padding[2];
    uint32_t first;    /* samples in which it was first, times ODDS_PART; shared, by parts */
    uint32_t advanced; /* samples in which it went on to the next stage */
};

static_assert(sizeof(struct odds_entry) == 16, "no implicit padding");

struct odds {
    uint8_t seed[32];
    uint32_t samples;
    uint8_t version;            /* odds_version() of the log */
    uint8_t stage;              /* the current one, from 0 */
    bool advancing;             /* a stage follows it */
    struct odds_entry *entries; /* owned; all of the stage, by chance, best first */
    size_t count;
};

/* Refusals, stable. */
#define ODDS_REFUSAL_NOT_YET "wrong-state" /* no round has started, or the event is over */
#define ODDS_REFUSAL_FORMAT                                                                        \
    "no-rounds" /* ladder, open play; and duplicate, whose standings are of                        \
                   boards */
#define ODDS_REFUSAL_LARGE  "too-many-players" /* ODDS_ENTRIES_MAX, ODDS_SEATS_MAX */
#define ODDS_REFUSAL_MEMORY "out-of-memory"

/* The version of the model: the newest that the log has what it needs for. Pure. */
unsigned odds_version(const struct tournament *tournament);

/* Whether odds_make() would have something to compute. Pure. */
bool odds_possible(const struct tournament *tournament, struct refusal *refusal);

/* SHA-256 of what the odds depend on: see the text above. */
void odds_seed(const struct tournament *tournament, uint8_t seed[static 32]);

/* Computes the odds from `samples` samples, 1 .. ODDS_SAMPLES_MAX; progress is in samples and may
 * be NULL. True: free with odds_free(). False: refused, nothing to free. Pure; any thread; takes
 * seconds. */
bool odds_make(const struct tournament *tournament, unsigned samples,
               const struct progress *progress, struct odds *odds, struct refusal *refusal);

void odds_free(struct odds *odds);

/* ---- For tests, and for odds.c ---- */

/* Fills `win` and `advance` of the entries, which are those of the stage `odds->stage`. `event` has
 * no draft. False when out of memory. Pure. */
bool odds_certain(const struct tournament *event, struct odds *odds);

#endif
