/* Standings: points, tie-breaks and places, as a function of the results.
 *
 * Each criterion of the chain splits the groups that the earlier ones left tied. Values are
 * rationals and compared exactly; rounding is for pages, and for the codes whose rounding FIDE
 * defines (ARO, TPR, PTP, APRO, APPO). The order of entries, tables and seats in the arrays does
 * not matter.
 *
 * How a round counts:
 *   - opponents of an entry: the others at its tables, once per meeting, if both sides played
 *     (PLAYED or ADJUDICATED). A forfeit is no meeting, unless a rule says otherwise (/P, round
 *     robin, FB in the last round);
 *   - points: places or margin for PLAYED and ADJUDICATED, places for FORFEIT_WIN, otherwise the
 *     scheme's value for the kind;
 *   - an entry may have no result in a round that is still being played: it gets nothing for it,
 *     and where kinds matter it counts as absent;
 *   - adjusted points, which measure opponents, and the value of a round without a game for sums
 *     over opponents: see enum unplayed_rules.
 *
 * Each criterion is defined in tie_break.c.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_STANDINGS_STANDINGS_H
#define TILLROLL_ENGINE_TOURNAMENT_STANDINGS_STANDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/game/chance.h"
#include "engine/game/game.h"
#include "engine/tournament/result/result.h"
#include "engine/tournament/result/scoring.h"
#include "engine/tournament/result/tie_break.h"

enum {
    /* Maximum opponents of one entry: the bound of every list of operands. */
    STANDINGS_OPERANDS_MAX = TOURNAMENT_ROUNDS_MAX * (TOURNAMENT_SEATS_MAX - 1),
    STANDINGS_ENTRIES_MAX = 16384, /* more than one event pairs: for open play and leagues */
    STANDINGS_RESULTS_MAX = TOURNAMENT_ROUNDS_MAX * STANDINGS_ENTRIES_MAX,
    STANDINGS_RATING_MAX = 1 << 24,
    STANDINGS_HANDICAP_MAX = 1000000 /* 1000 */
};

/* All pointers are borrowed, and must live as long as the standings made from them. */
struct standings_input {
    const struct entry *entries;
    size_t entry_count; /* 0 .. STANDINGS_ENTRIES_MAX */
    const struct table_result *results;
    size_t result_count;
    const struct scoring *scoring;
    const struct tie_break_rule *chain; /* valid, each at most once, PTS first */
    size_t chain_count;                 /* 1 .. TIE_BREAK_CHAIN_MAX */
    enum unplayed_rules rules;
    uint16_t rounds; /* rounds that count, 0 .. TOURNAMENT_ROUNDS_MAX; later results are left out,
                        which gives the standings after an earlier round */
    const struct chance *chance; /* the event's chance; RND uses the stream `standing` */
    /* For the codes that need ratings, otherwise NULL: one per entry, 1 .. STANDINGS_RATING_MAX, or
     * 0 = unrated, which counts as `unrated`. */
    const int32_t *ratings;
    int32_t unrated; /* 0: entries without a rating are refused */
    /* For SH, otherwise NULL: [seats][seat], in thousandths, |handicap| <=
     * STANDINGS_HANDICAP_MAX. */
    const int32_t (*handicap)[TOURNAMENT_SEATS_MAX];
};

/* A rational; denominator >= 1. Bounds: |numerator| < 2^62, denominator < 2^62. Points p are in
 * 60ths, duels d what the scheme gives for one against another, in 60ths.
 *   PTS WIN WON STD PS BH FB  sum in 60ths / 60
 *   DE           players of the tied group that direct encounter puts behind / 1
 *   BPG REP      rounds / 1
 *   BWG          wins, shared ones by parts, in 60ths / 60
 *   AOB          sum of Buchholz in 60ths / (60 * opponents)
 *   SB           sum of d * adjusted p / 3600
 *   KS           sum of d / 60
 *   ARO TPR PTP APRO APPO RTNG  ratings / 1; `none` without opponents
 *   TPN          minus the pairing number / 1
 *   OPA          sum of adjusted p / (60 * rounds * opponents)
 *   SBA          sum of d * adjusted p / (3600 * opponents)
 *   MWP          wins in 60ths / (60 * tables)
 *   AOA SHR OWP VPR  reduced; see `rounded`
 *   VPD          sum of differences / tables
 *   SH           thousandths / 1000
 *   LAST         minus (8 * table + rank) of the last round / 1; minus 8 * 65536 without a table
 *   RND          word number TPN of the stream `standing` / 1
 * A mean of nothing is 0 / 1. */
struct tie_break_value {
    int64_t numerator;
    int64_t denominator;
    bool used;    /* compared: another entry was tied on everything before */
    bool rounded; /* AOA, SHR, OWP, VPR only: the reduced fraction has more than 62 bits; shown in
                     billionths, rounded down, but compared exactly */
    bool none;    /* nothing to compute it from: ranks below every value */
    uint8_t padding[5];
};

struct standing {
    uint16_t entry;    /* index */
    uint16_t rank;     /* 1 + number of better entries; shared only if the chain has no RND */
    uint16_t played;   /* rounds played, including adjudicated ones */
    uint16_t unplayed; /* rounds with a result of another kind */
    int32_t points;    /* 60ths */
    uint32_t padding;
    struct tie_break_value value[TIE_BREAK_CHAIN_MAX]; /* as in the chain */
};

/* A component of a value, for a page that expands a row. */
struct tie_break_operand {
    uint16_t round;
    uint16_t table;
    uint16_t entry; /* the opponent, or the entry itself if no opponent is involved */
    bool cut;       /* left out of the sum by C or M, or by the limit of KS */
    uint8_t padding;
    int64_t numerator;   /* this operand, as a rational in the unit of the value: points, parts */
    int64_t denominator; /* >= 1 */
};

static_assert(sizeof(struct tie_break_value) == 24, "no implicit padding");
static_assert(sizeof(struct standing) == 16 + 24 * TIE_BREAK_CHAIN_MAX, "no implicit padding");
static_assert(sizeof(struct tie_break_operand) == 24, "no implicit padding");

struct standings {
    struct standing *rows; /* owned; best first */
    size_t count;
    struct standings_work *work; /* owned; for operands */
};

/* Refusals, stable. */
#define STANDINGS_REFUSAL_INPUT "bad-standings-input" /* counts, chain, rounds */
#define STANDINGS_REFUSAL_ENTRY "bad-entry"           /* TPN 0 or twice */
#define STANDINGS_REFUSAL_RESULT                                                                   \
    "bad-result"                                /* an index, kind, rank or number out of its range \
                                                 */
#define STANDINGS_REFUSAL_TWICE  "result-twice" /* two results of one entry in one round */
#define STANDINGS_REFUSAL_POINTS "bad-scoring"  /* scoring_valid() is false */
#define STANDINGS_REFUSAL_RATING "no-rating"    /* a rating is missing, or out of its range */
#define STANDINGS_REFUSAL_MEMORY "out-of-memory"

/* Makes the standings. True: free with standings_free(). False: refused, nothing to free. Entries
 * tied on the whole chain are in order of TPN and share a rank. Pure; any thread. */
bool standings_make(const struct standings_input *input, struct standings *standings,
                    struct refusal *refusal);

void standings_free(struct standings *standings);

/* Writes the operands of value `position` of the chain for an entry, in order of round and seat, at
 * most STANDINGS_OPERANDS_MAX; returns how many. LAST, RND, RTNG and TPN have none. For DE these
 * are the meetings with tied entries; for ARO, TPR and PTP the ratings of opponents. */
size_t standings_operands(const struct standings *standings, size_t position, uint16_t entry,
                          struct tie_break_operand *operands);

#endif
