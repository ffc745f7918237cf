/* Duplicate: everyone plays the same boards, and each result is compared with those in the same
 * seat of the same board, so the luck of the draw cancels out.
 *
 *      board     a seed that several tables of a round play
 *      field     the results of one seat of one board of one round, which are compared
 *      mark      the value of a result in its field: 2 matchpoints for each result beaten, 1 for
 *                each tied with; the top of a field of n is 2(n - 1)
 *
 * Fields may differ in size, because players drop out or sit a board out. Neuberg's formula brings
 * a mark s of a field of n up to a field of N, the largest of the event: S = (N / n)(s + 1) - 1,
 * out of 2(N - 1). So 100 % in a small field is worth a little less than in a large one. A result
 * with nothing to compare it with is worth one half.
 *
 * Everything is exact: shares and their means are compared as fractions. Version 1 of these rules.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_DUPLICATE_DUPLICATE_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_DUPLICATE_DUPLICATE_H

#include "engine/game/chance.h"
#include "engine/game/game.h"
#include "engine/tournament/number/share.h"
#include "engine/tournament/result/result.h"
#include "engine/tournament/standings/standings.h"

enum {
    DUPLICATE_BOARDS_MAX = 32,   /* boards in a round */
    DUPLICATE_SITTINGS_MAX = 64, /* rounds times boards of an event, <= SHARES_MAX */
    DUPLICATE_FIELD_MAX = TOURNAMENT_ENTRIES_MAX,
    DUPLICATE_RESULTS_MAX = DUPLICATE_SITTINGS_MAX * TOURNAMENT_ENTRIES_MAX
};

/* The score of one entry in one seat of one board. */
struct duplicate_result {
    uint16_t entry; /* index */
    uint16_t round; /* from 1 */
    uint16_t board; /* from 1 */
    uint16_t seat;  /* from 0 */
    int32_t score;  /* of the game, |score| <= RESULT_SCORE_MAX */
};

/* The value of a result. */
struct duplicate_mark {
    uint16_t field;       /* n: results compared, itself included */
    uint16_t matchpoints; /* s, 0 .. 2(n - 1) */
    uint16_t place;       /* in its field: 1 + results that are better */
    uint16_t tied;        /* others of the same place */
    struct share share;   /* share of the top, after Neuberg's formula: own / total */
};

enum duplicate_scoring { DUPLICATE_MATCHPOINTS, DUPLICATE_TOTAL };

/* The chain of criteria. The scoring decides which of the two comes first. */
enum duplicate_criterion {
    DUPLICATE_MP,   /* mean of the shares of all boards played, in percent; 0 without any */
    DUPLICATE_TOT,  /* sum of the scores; a board not played counts as the mean of those played */
    DUPLICATE_WON,  /* boards won: 1 for the only best of a field, 1/2 for a tie for it */
    DUPLICATE_LAST, /* share of the last board, in percent; 0 if it was not played */
    DUPLICATE_RND,  /* word number TPN of the event's stream `standing` */
    DUPLICATE_CRITERIA
};

enum { DUPLICATE_CHAIN = 4 }; /* criteria in a chain: MP or TOT, WON, LAST, RND */

struct duplicate_text {
    const char *code;       /* `MP` */
    const char *name;       /* `matchpoints` */
    const char *definition; /* one sentence */
};

struct duplicate_input {
    const struct entry *entries;
    size_t entry_count; /* 0 .. TOURNAMENT_ENTRIES_MAX */
    const struct duplicate_result *results;
    size_t result_count; /* 0 .. DUPLICATE_RESULTS_MAX; no entry twice on a board */
    uint16_t boards;     /* boards that count, of all rounds, 0 .. DUPLICATE_SITTINGS_MAX */
    enum duplicate_scoring scoring;
    const struct chance *chance; /* the event's */
};

struct duplicate_standing {
    uint16_t entry;  /* index */
    uint16_t rank;   /* 1 + number of better entries; shared only if the draw is equal too */
    uint16_t played; /* boards */
    uint16_t padding;
    struct tie_break_value value[DUPLICATE_CHAIN]; /* as in the chain */
};

struct duplicate_standings {
    struct duplicate_standing *rows; /* owned; best first, one per entry */
    struct duplicate_mark *marks;    /* owned; marks[i] belongs to results[i] */
    size_t count;
    uint16_t field_most; /* N, 0 without results */
};

static_assert(sizeof(struct duplicate_result) == 12, "no implicit padding");
static_assert(sizeof(struct duplicate_mark) == 16, "no implicit padding");
static_assert(sizeof(struct duplicate_standing) == 8 + 24 * DUPLICATE_CHAIN, "no implicit padding");

#define DUPLICATE_REFUSAL_INPUT  "bad-standings-input" /* counts */
#define DUPLICATE_REFUSAL_RESULT "bad-result"          /* a number out of its range */
#define DUPLICATE_REFUSAL_TWICE  "result-twice"        /* two results of one entry on one board */
#define DUPLICATE_REFUSAL_MEMORY "out-of-memory"

/* Neuberg: the value of `matchpoints` in a field of `field` when scaled to one of `most`, as a
 * fraction: 29/6 for 4 points, 6 results of 7. 1 <= field <= most <= DUPLICATE_FIELD_MAX,
 * matchpoints <= 2(field - 1). Not reduced. */
struct share duplicate_neuberg(uint16_t matchpoints, uint16_t field, uint16_t most);

/* The same as a share of the top, 2(most - 1); one half if there is nothing to compare with. */
struct share duplicate_share(uint16_t matchpoints, uint16_t field, uint16_t most);

/* The criterion at `position` of the chain of a scoring, 0 .. DUPLICATE_CHAIN - 1. */
enum duplicate_criterion duplicate_chain(enum duplicate_scoring scoring, size_t position);

const struct duplicate_text *duplicate_describe(enum duplicate_criterion criterion);

/* Marks every result and ranks the entries. True: free with duplicate_standings_free(). False:
 * refused, nothing to free. The order of results does not matter. Pure; any thread. */
bool duplicate_standings_make(const struct duplicate_input *input,
                              struct duplicate_standings *standings, struct refusal *refusal);

void duplicate_standings_free(struct duplicate_standings *standings);

#endif
