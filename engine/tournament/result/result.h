/* Results of an event, in the form that every format and all standings read.
 *
 * Plain arrays, no pointers between them: an entry is its index in the caller's array of entries, a
 * round is a number from 1, points are whole 60ths of a point. 2, 3, 4 and 5 divide 60, so shared
 * places at a table of up to five split without a remainder.
 *
 *      entry    one participant of the event, with its tournament pairing number (TPN)
 *      table    the outcome at one table in one round: seats, ranks and kinds
 *      kind     how a round counts for an entry; it is stated, never inferred from points
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_RESULT_RESULT_H
#define TILLROLL_ENGINE_TOURNAMENT_RESULT_RESULT_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    TOURNAMENT_ENTRIES_MAX = 4096,
    TOURNAMENT_ROUNDS_MAX = 64,
    TOURNAMENT_SEATS_MAX = 5,
    RESULT_SCORE_MAX = 1 << 28, /* |score| of a game */
    POINTS_PER_POINT = 60       /* the unit of every number of points */
};

/* The letters are those of FIDE's report format where it has one. The values are stored: only add
 * new ones at the end. */
enum round_kind {
    ROUND_PLAYED = 0,       /* a result from a game */
    ROUND_ADJUDICATED = 1,  /* A: a result from a ruling, treated as played */
    ROUND_FORFEIT_WIN = 2,  /* +: was present, no opponent was */
    ROUND_FORFEIT_LOSS = 3, /* -: paired, did not play (or not to the end) */
    ROUND_PAIRING_BYE = 4,  /* U: present, no seat */
    ROUND_FULL_BYE = 5,     /* F: granted on request */
    ROUND_HALF_BYE = 6,     /* H: granted on request */
    ROUND_ZERO_BYE = 7,     /* Z: announced absence */
    ROUND_ABSENT = 8,       /* V: stayed away, or had left the event */
    ROUND_VOID = 9,         /* paired, but the game is void: counts as lost for the whole table */
    ROUND_KINDS = 10
};

struct entry {
    uint16_t tpn; /* 1 .. 65535, different for every entry of an event */
};

/* `rank` is 1 + the number of better seats at the table; equal seats share it. `score` is the
 * game's own. Both are read only for kinds with a seat at a table (round_kind_is_seated()). */
struct seat_result {
    uint16_t entry; /* index into the array of entries */
    uint8_t kind;   /* enum round_kind */
    uint8_t rank;   /* 1 .. seats of the table */
    int32_t score;
};

/* One table of one round; seat[0] is the first seat. A bye or an absence is a `table` 0 with one
 * seat. A table counts as played for the seats of kind PLAYED or ADJUDICATED; seats that forfeited
 * keep their seat and rank. */
struct table_result {
    uint16_t round; /* 1 .. TOURNAMENT_ROUNDS_MAX */
    uint16_t table; /* 1 .. , 0 = no table */
    uint8_t seats;  /* 2 .. TOURNAMENT_SEATS_MAX, or 1 for table 0 */
    uint8_t padding[3];
    struct seat_result seat[TOURNAMENT_SEATS_MAX];
};

/* True if every rank is 1 + the number of better seats at the table. */
static inline bool table_result_ranks_fit(const struct table_result *result)
{
    for (unsigned i = 0; i < result->seats; i++) {
        unsigned better = 0;
        for (unsigned j = 0; j < result->seats; j++)
            better += result->seat[j].rank < result->seat[i].rank;
        if (result->seat[i].rank != better + 1)
            return false;
    }
    return true;
}

/* True if no better score has a worse rank. */
static inline bool table_result_scores_fit(const struct table_result *result)
{
    for (unsigned i = 0; i < result->seats; i++)
        for (unsigned j = 0; j < result->seats; j++)
            if (result->seat[i].score > result->seat[j].score &&
                result->seat[i].rank > result->seat[j].rank)
                return false;
    return true;
}

static_assert(sizeof(struct seat_result) == 8, "no implicit padding");
static_assert(sizeof(struct table_result) == 8 + 8 * TOURNAMENT_SEATS_MAX, "no implicit padding");

/* True for the kinds in which an entry met the others at its table. */
static inline bool round_kind_is_played(uint8_t kind)
{
    return kind == ROUND_PLAYED || kind == ROUND_ADJUDICATED;
}

/* True for the kinds that a seat at a table can have. */
static inline bool round_kind_is_seated(uint8_t kind)
{
    return kind <= ROUND_FORFEIT_LOSS || kind == ROUND_VOID;
}

/* True for the kinds of a seat that gains nothing, whatever its rank. */
static inline bool round_kind_is_lost(uint8_t kind)
{
    return kind == ROUND_FORFEIT_LOSS || kind == ROUND_VOID;
}

/* True for the kinds that the entry chose itself: byes on request and absence. */
static inline bool round_kind_is_voluntary(uint8_t kind)
{
    return kind >= ROUND_FULL_BYE && kind <= ROUND_ABSENT;
}

#endif
