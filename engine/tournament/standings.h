/* Standings: points, tie-breaks and places, as a function of the results.
 *
 * Each criterion of the chain splits the groups that the ones before left tied. Values are
 * rationals and compared exactly; rounding is for pages. The order of entries, tables and seats in
 * the arrays does not matter.
 *
 * How a round counts:
 *   - opponents of an entry: the others at its tables, once per meeting, where both sides played
 *     (PLAYED or ADJUDICATED); who forfeited has met nobody;
 *   - points: places for PLAYED, ADJUDICATED and FORFEIT_WIN, else the scheme's value for the kind;
 *   - an entry may have no result in a round that is still being played: it gets nothing for it;
 *   - adjusted points, by which opponents are measured: the points, but a round without a result,
 *     and at the end of the list every bye on request and absence after the last other round, count
 *     `neutral`: that somebody left does not make those weaker whom it met (after FIDE C.07, 16.3).
 *
 * The definition of each criterion stands in tie_break.c. Version 1 of these rules.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_STANDINGS_H
#define TILLROLL_ENGINE_TOURNAMENT_STANDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/chance.h"
#include "engine/game.h"
#include "engine/tournament/result.h"
#include "engine/tournament/scoring.h"
#include "engine/tournament/tie_break.h"

enum {
    /* Opponents of one entry at most: the bound of every list of operands. */
    STANDINGS_OPERANDS_MAX = TOURNAMENT_ROUNDS_MAX * (TOURNAMENT_SEATS_MAX - 1),
    STANDINGS_RESULTS_MAX = TOURNAMENT_ROUNDS_MAX * TOURNAMENT_ENTRIES_MAX
};

/* All pointers are borrowed, and have to live as long as the standings made from them. */
struct standings_input {
    const struct entry *entries;
    size_t entry_count; /* 0 .. TOURNAMENT_ENTRIES_MAX */
    const struct table_result *results;
    size_t result_count;
    const struct scoring *scoring;
    const uint8_t *chain; /* enum tie_break, each at most once, PTS first */
    size_t chain_count;   /* 1 .. TIE_BREAK_CHAIN_MAX */
    uint16_t rounds;      /* rounds that count, 0 .. TOURNAMENT_ROUNDS_MAX; later results are left
                             out, which is how the standings after an earlier round are made */
    const struct chance *chance; /* the event's; stream `standing` for RND */
};

/* A rational; denominator >= 1. Bounds: |numerator| < 2^62, denominator < 2^62.
 *   PTS   points in 60ths / 60
 *   DE    players of the tied group that direct encounter puts behind / 1
 *   WIN   first places, shared ones by parts, in 60ths / 60
 *   OPA   sum of adjusted points of opponents in 60ths / (60 * rounds * opponents); 0 / 1 without
 *   SB    2 * adjusted points of opponents beaten + those of opponents tied with, in 60ths
 *         / (120 * opponents); 0 / 1 without
 *   SHR   sum of shares of the table's score / tables played, reduced; 0 / 1 without; see `rounded`
 *   LAST  minus (8 * table + rank) of the last round / 1; minus 8 * 65536 without a table
 *   RND   word number TPN of the stream `standing` / 1
 */
struct tie_break_value {
    int64_t numerator;
    int64_t denominator;
    bool used;    /* it was compared: somebody was tied on everything before */
    bool rounded; /* SHR only: the reduced fraction has more than 62 bits; shown in billionths,
                     rounded down, but compared exactly */
    uint8_t padding[6];
};

struct standing {
    uint16_t entry;    /* index */
    uint16_t rank;     /* 1 + number of better entries; shared only if the chain has no RND */
    uint16_t played;   /* rounds played, adjudicated ones included */
    uint16_t unplayed; /* rounds with a result of another kind */
    int32_t points;    /* 60ths */
    uint32_t padding;
    struct tie_break_value value[TIE_BREAK_CHAIN_MAX]; /* as in the chain */
};

/* What a value is made of, for a page that opens a row. */
struct tie_break_operand {
    uint16_t round;
    uint16_t table;
    uint16_t entry; /* the opponent, or the entry itself where no opponent is involved */
    bool cut;       /* left out of the sum by C1 */
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
#define STANDINGS_REFUSAL_POINTS "bad-scoring"  /* scoring_valid() says no */
#define STANDINGS_REFUSAL_MEMORY "out-of-memory"

/* Makes the standings. True: free with standings_free(). False: refused, nothing to free. Entries
 * that are tied on the whole chain stand in order of TPN and share a rank. Pure; any thread. */
bool standings_make(const struct standings_input *input, struct standings *standings,
                    struct refusal *refusal);

void standings_free(struct standings *standings);

/* Writes the operands of value `position` of the chain for an entry, in order of round and seat, at
 * most STANDINGS_OPERANDS_MAX; returns how many. LAST and RND have none. For DE these are the
 * meetings with those who were tied with it: 1, 1/2 or 0 by table. */
size_t standings_operands(const struct standings *standings, size_t position, uint16_t entry,
                          struct tie_break_operand *operands);

#endif
