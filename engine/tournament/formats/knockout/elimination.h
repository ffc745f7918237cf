/* Single and double elimination for two seats.
 *
 * A bracket is a function of rule, seeding, results and withdrawals. It is never updated: after a
 * correction it is made again, and shows which later results no longer fit.
 *
 *      upper bracket     winners advance; in single elimination losers are out
 *      lower bracket     double elimination: losers of the upper bracket join in an order that
 *                        postpones second meetings; losers here are out. Odd rounds (major) are
 *                        among those who are here, even rounds (minor) bring in new losers
 *      finals            the grand final between the winners of both, and the consolation final
 *
 * The size of a bracket is a power of two. Seeds without an entry are byes; because the first round
 * pairs the first seed with the last, the top seeds get them. An entry that meets a bye advances
 * without a game, two byes that meet pass on a bye, and neither case has a loser.
 *
 * Matches are numbered from 0 in this order: upper bracket by rounds, lower bracket by rounds,
 * grand final, its second match, consolation final. Each comes from matches of lower numbers. The
 * numbers depend on kind, size and finals alone, so a result can name its match.
 *
 * Structure and flow agree with brackets-manager 1.11.1
 * (tests/engine/tournament/formats/knockout/brackets.test.mjs).
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_KNOCKOUT_ELIMINATION_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_KNOCKOUT_ELIMINATION_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/game/game.h"

enum {
    ELIMINATION_SIZE_MIN = 2,
    ELIMINATION_SIZE_MAX = 128,
    ELIMINATION_ROUNDS_MAX = 7,    /* rounds of the upper bracket */
    ELIMINATION_MATCHES_MAX = 256, /* 127 upper, 126 lower, three finals */
    ELIMINATION_RESULTS_MAX = 4096,
    ELIMINATION_NONE = UINT16_MAX /* no entry, no match, no result */
};

/* The values are stored: only add new ones at the end. */
enum elimination_kind { ELIMINATION_SINGLE = 0, ELIMINATION_DOUBLE = 1 };

enum grand_final {
    GRAND_FINAL_NONE = 0,   /* the winner of the upper bracket wins, that of the lower is second */
    GRAND_FINAL_SIMPLE = 1, /* one match */
    GRAND_FINAL_DOUBLE = 2 /* a second match if the winner of the lower bracket wins the first: then
                              both have lost once */
};

struct elimination_rule {
    uint16_t size;       /* power of two, ELIMINATION_SIZE_MIN .. ELIMINATION_SIZE_MAX */
    uint8_t kind;        /* enum elimination_kind */
    uint8_t grand_final; /* enum grand_final; for double elimination of four and more */
    /* Single: between the losers of the semi-finals. Double: between those of the last two rounds
     * of the lower bracket, for third place. Needs a size of at least four. */
    bool consolation;
    /* enum bracket_order. [0]: seeds into the first round. Also for double elimination: [1] losers
     * of upper round 1 into lower round 1, [1 + i] losers of upper round 1 + i into the i-th minor
     * round; the last minor round has one match and needs none. */
    uint8_t order[ELIMINATION_ROUNDS_MAX];
};

/* How a match ended. `entry` has the two players: a result counts only while these two meet in this
 * match, in either order. */
struct elimination_result {
    uint16_t match;
    uint16_t entry[2];
    uint8_t winner;   /* 0 or 1: entry[winner] advances; 2: nobody does, both forfeited */
    uint8_t forfeits; /* bit i: entry[i] forfeited */
    bool scored;      /* has scores, for pages */
    bool voided;      /* both forfeited because their game is void, for pages */
    uint8_t padding[2];
    int32_t score[2];
};

/* All pointers are borrowed. */
struct elimination_input {
    struct elimination_rule rule;
    /* seeding[i]: the entry of seed i + 1, or ELIMINATION_NONE for a bye. Seeds from seed_count on
     * are byes. At least two entries, none twice, 0 .. ELIMINATION_NONE - 1. */
    const uint16_t *seeding;
    size_t seed_count; /* <= rule.size */
    /* In any order. One match may have several results if their opponents differ. */
    const struct elimination_result *results;
    size_t result_count; /* 0 .. ELIMINATION_RESULTS_MAX */
    /* Entries that left: each loses, by walkover, every match that has no result. */
    const uint16_t *withdrawn;
    size_t withdrawn_count;
};

enum elimination_bracket { ELIMINATION_UPPER, ELIMINATION_LOWER, ELIMINATION_FINALS };

/* Where a side of a match comes from. */
enum elimination_origin {
    ORIGIN_SEED,   /* from = the seed, from 1 */
    ORIGIN_WINNER, /* from = a match */
    ORIGIN_LOSER,  /* from = a match */
    ORIGIN_AGAIN   /* from = the first match of the grand final: its same side */
};

/* The occupant of a side. */
enum elimination_occupant { OCCUPANT_OPEN, OCCUPANT_BYE, OCCUPANT_ENTRY };

struct elimination_side {
    uint8_t origin;   /* enum elimination_origin */
    uint8_t occupant; /* enum elimination_occupant */
    uint16_t from;
    uint16_t entry; /* ELIMINATION_NONE unless OCCUPANT_ENTRY */
    uint16_t seed;  /* seed of that entry, from 1; otherwise 0 */
};

enum elimination_state {
    ELIMINATION_OPEN,    /* at least one opponent is not known */
    ELIMINATION_READY,   /* both opponents are known; there is no result */
    ELIMINATION_DECIDED, /* has a result, or a walkover */
    ELIMINATION_PASSED,  /* no game: at least one side is a bye */
    ELIMINATION_UNNEEDED /* the second match of a grand final that the first has decided */
};

struct elimination_match {
    uint8_t bracket; /* enum elimination_bracket */
    uint8_t round;   /* in its bracket, from 1 */
    uint8_t number;  /* in its round, from 1; 2 for the consolation final of double elimination */
    uint8_t state;   /* enum elimination_state */
    struct elimination_side side[2];
    uint8_t winner;     /* of a decided match: side 0 or 1, or 2 for nobody */
    uint8_t forfeits;   /* bit i: side i forfeited or had withdrawn */
    uint16_t result;    /* index of the deciding result, otherwise ELIMINATION_NONE */
    uint16_t winner_to; /* the winner's next match, or ELIMINATION_NONE */
    uint16_t loser_to;
};

/* The match for the third place. */
static inline bool elimination_is_consolation(const struct elimination_match *match)
{
    return match->bracket == ELIMINATION_FINALS && match->side[0].origin == ORIGIN_LOSER;
}

struct elimination {
    struct elimination_rule rule;
    uint16_t match_count;
    uint16_t entry_count;
    uint16_t unused_results; /* results that match no meeting: their opponents changed by a
                                correction, or were never those of the match */
    bool over;               /* no match is open or ready */
    struct elimination_match match[ELIMINATION_MATCHES_MAX];
};

static_assert(sizeof(struct elimination_result) == 20, "no implicit padding");
static_assert(sizeof(struct elimination_match) == 28, "no implicit padding");

/* Refusals, stable. */
#define ELIMINATION_REFUSAL_RULE    "bad-bracket-rule"
#define ELIMINATION_REFUSAL_SEEDING "bad-seeding"    /* too many or too few entries, or one twice */
#define ELIMINATION_REFUSAL_RESULT  "bad-result"     /* no such match, or not a possible outcome */
#define ELIMINATION_REFUSAL_TWICE   "result-twice"   /* two of one match and the same opponents */
#define ELIMINATION_REFUSAL_LEFT    "bad-withdrawal" /* an entry that was not seeded */

/* The usual rule for `entries` (2 .. ELIMINATION_SIZE_MAX): the smallest size, inner and outer
 * seeds alternating, the default orders of losers of brackets-manager, and for double elimination a
 * grand final of one match. */
struct elimination_rule elimination_rule_usual(enum elimination_kind kind, unsigned entries);

/* How many elements of rule.order are used: 1, or for double elimination one per upper round. */
unsigned elimination_orders(const struct elimination_rule *rule);

/* Makes the bracket. False: refused, `refusal` says why. Pure: the same input, its results in any
 * order, gives the same bytes except for the indices of results; any thread. */
bool elimination_make(const struct elimination_input *input, struct elimination *bracket,
                      struct refusal *refusal);

/* The final places that are known: place[i] is that of seed i + 1, or 0 for a bye and for any entry
 * that can still move. `place` has room for rule.size.
 *
 * Entries knocked out in a later round are placed higher; those out in the same round share a
 * place, 1 + the number of those above: the losers of quarter-finals are fifth. The consolation
 * final separates its two. If both forfeit a match, both are out; in the upper bracket of double
 * elimination they rank below those who lose in the lower round that one of them would have
 * reached.
 */
void elimination_places(const struct elimination *bracket, uint16_t *place);

/* Orders in which a bracket takes a list: seeds into the first round, losers of an upper round into
 * the lower bracket. A good order keeps strong entries apart at first, and postpones second
 * meetings.
 *
 *      order                 1 2 3 4 5 6 7 8 becomes
 *      natural               1 2 3 4 5 6 7 8
 *      reverse               8 7 6 5 4 3 2 1
 *      half_shift            5 6 7 8 1 2 3 4
 *      reverse_half_shift    4 3 2 1 8 7 6 5
 *      pair_flip             2 1 4 3 6 5 8 7
 *      inner_outer           1 8 4 5 2 7 3 6
 *
 * The names are those of the brackets-manager model, in which brackets are exported.
 */

/* The values are stored: only add new ones at the end. */
enum bracket_order {
    BRACKET_NATURAL = 0,
    BRACKET_REVERSE = 1,
    BRACKET_HALF_SHIFT = 2,
    BRACKET_REVERSE_HALF_SHIFT = 3,
    BRACKET_PAIR_FLIP = 4,
    BRACKET_INNER_OUTER = 5,
    BRACKET_ORDERS = 6
};

/* The place in the list of the item at `place` (0 .. count - 1) of the ordered list. `count` is a
 * power of two, at least 2. Pure. */
size_t bracket_order_source(enum bracket_order order, size_t count, size_t place);

/* `inner_outer`; a static string. */
const char *bracket_order_name(enum bracket_order order);

#endif
