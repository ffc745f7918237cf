/* A round of Tillroll Pod Swiss (pod_swiss.h): what is asked, the criteria, and the pairing. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_ROUND_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_ROUND_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/game/chance.h"
#include "engine/game/game.h"
#include "engine/tournament/result/result.h"
#include "engine/tournament/result/table_sizes.h"

enum {
    POD_VERSION = 4,         /* the newest */
    POD_VERSION_EVEN = 4,    /* from this one on, tables are even */
    POD_EXHAUSTIVE_MAX = 16, /* seated players up to which the optimum is proved */
    POD_SCORE_MAX = 1 << 20, /* |score| of a player, in 60ths: 17476 points */
    POD_COUNT_MAX = 1000,    /* any count in struct pod_player */
    POD_WEIGHT_MAX = 10000,  /* weight of an avoiding pair */
    POD_FORBIDDEN = 65535,   /* in place of a weight: never at one table */
    POD_REPEAT_PRICE = 60,   /* default of pod_request.repeat_price */
    POD_REPEAT_PRICE_MAX = 10000
};

/* The criteria in the order of the profile `strict`. Units and bounds: every sum over a round stays
 * below 2^61. */
enum pod_criterion {
    POD_P1_FORBIDDEN,  /* forbidden pairs at one table. A pairing with any is refused */
    POD_P2_COMPLETION, /* 1 if this round and the planned later ones can no longer all be without
                          repeats, although every player has enough unmet others (pod_later.h). For
                          the profile `strict` and up to POD_EXHAUSTIVE_MAX players without byes,
                          for the round as a whole. From version 2 on, for 17 to 24 players: the
                          repeats of this round and the next one that a short search finds, less the
                          minimum (pod_ahead.h). Otherwise 0 */
    POD_P3_REPEATS,    /* sum over pairs at a table of how often they met before */
    POD_P4_SHORT,  /* sum over players at tables not of the preferred size of (s+1)^2 - s^2, s = how
                      often they sat at such tables before */
    POD_P5_SPREAD, /* sum over tables of 60 * sum (score - mean score)^2, scores in 60ths:
                      one squared point is 216000 */
    POD_P6_FLOATS, /* per player whose score is above (below) its table's mean: 2 if it was in the
                      round before too, 1 if two rounds before */
    POD_P7_SEATS,  /* sum over tables of the cost of the best seat order (pod_seats.h) */
    POD_P8_AVOID,  /* sum of the weights of avoiding pairs at one table */
    POD_P9_DRAW,   /* sum over tables of a 32-bit hash of the two words and the sorted TPNs
                      (pod_cost.c). Decides remaining ties if the search is exhaustive; otherwise it
                      is shown but not searched for */
    POD_CRITERIA
};

/* `balanced` compares P5 + price * P3 instead of P3; `power` compares P5 before P3. */
enum pod_profile { POD_STRICT, POD_BALANCED, POD_POWER, POD_PROFILES };

struct pod_criteria {
    int64_t value[POD_CRITERIA];
};

/* For pages: `P3`, `repeats`, and a sentence. Static strings. */
struct pod_criterion_text {
    const char *code;
    const char *name;
    const char *meaning;
};

/* One present player. Counts are of the rounds before this one, 0 .. POD_COUNT_MAX. */
struct pod_player {
    uint16_t tpn;               /* unique, >= 1 */
    uint16_t place;             /* in the standings, 1 = best; equal players may share it */
    int32_t score;              /* points in 60ths, |score| <= POD_SCORE_MAX */
    uint16_t byes;              /* pairing byes had */
    uint16_t unplayed;          /* rounds not played, of any kind */
    uint16_t full_without_play; /* rounds with a winner's points and no game */
    uint16_t short_sittings;    /* rounds at a table not of the preferred size */
    int8_t floats[2]; /* [0] last round, [1] the round before: 1 = its score was above the mean of
                         its table, -1 below, 0 neither or unplayed */
    uint16_t seat_count[TOURNAMENT_SEATS_MAX]; /* rounds in each seat */
};

/* Two players, as indices into pod_request.players, to be kept apart. */
struct pod_pair {
    uint16_t a, b;
    uint16_t weight; /* 1 .. POD_WEIGHT_MAX, or POD_FORBIDDEN */
};

/* All pointers are borrowed for the call. */
struct pod_request {
    const struct pod_player *players;
    size_t player_count; /* 0 .. TOURNAMENT_ENTRIES_MAX */
    /* met[a * player_count + b]: how often a and b sat at one table; symmetric, the diagonal is not
     * read, 255 stands for 255 and more. NULL: no meetings. */
    const uint8_t *met;
    /* before[a * player_count + b]: how often a sat directly before b, the last seat before the
     * first; read for pairs that have met. NULL: not counted. */
    const uint8_t *before;
    const struct pod_pair *pairs;
    size_t pair_count;
    /* For each earlier round: its tables, plus current players who sat at none of them. Used only
     * for the lower bound; may be NULL with earlier_rounds = 0. */
    const uint16_t *earlier_groups;
    size_t earlier_rounds;
    struct table_rule rule;
    enum pod_profile profile;
    uint16_t repeat_price; /* `balanced`: the price of one repeat in squared points; 0 = default */
    uint16_t round;        /* >= 1 */
    uint16_t later_rounds; /* planned after this one, for P2 */
    uint8_t version;       /* of these rules, 1 .. POD_VERSION; 0 = POD_VERSION */
    uint16_t attempt;      /* >= 1, counted in public */
    const struct chance *chance;
};

struct pod_table {
    uint8_t seats;
    int8_t floats[TOURNAMENT_SEATS_MAX];   /* per seat: what pod_player.floats[0] becomes */
    uint16_t player[TOURNAMENT_SEATS_MAX]; /* per seat: index into pod_request.players */
    struct pod_criteria criteria;          /* what this table adds to the vector */
};

static_assert(sizeof(struct pod_player) == 28, "no implicit padding");
static_assert(sizeof(struct pod_table) == 16 + 8 * POD_CRITERIA, "no implicit padding");

/* Tables are in order of their number (index 0 = table 1): highest mean score first, then the table
 * with the first player in order of score, place and TPN. */
struct pod_pairing {
    struct pod_table *tables; /* owned; see pod_pairing_free() */
    uint16_t *byes;           /* owned; indices of players without a seat, in order of step B */
    size_t table_count;
    size_t bye_count;
    struct pod_criteria criteria; /* the vector: the sums over tables */
    int64_t repeats_bound;        /* no pairing with these byes has a smaller P3 */
    uint64_t steps;  /* steps of work; see pod_search_steps_max(). 0 in versions 1, 2 */
    bool exhaustive; /* proved: no other pairing with these byes has a better vector */
};

#endif
