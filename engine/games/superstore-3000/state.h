/* The state of a game of Superstore 3000: the table, the malls, and the progress of the turn.
 *
 *      ACT ──> what was added is settled ──┬──────────────> refill ──> next seat's ACT, or OVER
 *                         ▲                │ a choice           (after `build` and `money`)
 *                         └── SERVE <──────┘
 *
 * A mall is the list of its tiles in the order of placement, the main entrance first, each property
 * in an array of its own, so that all tiles are searched at once (engine/base/bytes.h). What
 * follows from the list and is asked for in every ply is kept beside it: which tiles are connected,
 * what they are, and where the next one can stand. Everything else (free cells, distances) is
 * computed on demand (plan.h). There is no randomness after the set-up, so there are no stream
 * counters.
 */
#ifndef TILLROLL_SUPERSTORE_STATE_H
#define TILLROLL_SUPERSTORE_STATE_H

#include <assert.h>

#include "engine/base/bytes.h"
#include "engine/games/superstore-3000/components.h"

enum point { AT_ACT, AT_SERVE, AT_OVER };

/* A game has at most 28 tiles in a mall; positions of worked cases may have a few more. */
enum { TILES_MAX = BYTES };

/* Customers times stores of one mall, more than any turn offers. */
enum { LEGAL_MAX = 450 };

struct superstore_tile {
    uint8_t piece;     /* the tile's piece */
    uint8_t column;    /* index: 0 = l16, 16 = m1, 33 = r16. Attractions: of the base cell */
    uint8_t floor;     /* 1 .. 40 */
    uint8_t face;      /* of an attraction, enum face */
    uint8_t customers; /* bit w: the customer of the piece's w-th wish stands here; for a store: 1 =
                          a customer lies in it */
};

/* Which tiles of a mall are connected. Those that touch nothing have no neighbours; all others are
 * among their own. */
struct superstore_plan {
    uint32_t neighbours[TILES_MAX]; /* bit t: adjacent to tile t */
    uint32_t attractions;           /* bit t: tile t is an attraction */
};

/* The tiles of a mall by what they are: bit t for tile t. */
struct superstore_sets {
    uint32_t elements[CATEGORIES]; /* of each category: stores, and last the entrances */
    uint32_t satisfied;            /* stores in which a customer lies */
    uint32_t waiting;              /* tiles on which customers stand */
};

/* Where mall elements can stand, by column. */
struct superstore_tops {
    uint32_t columns[2];        /* the columns that have such a place, as a set by their numbers in
                                   byte order: the first 32, and the rest */
    uint8_t floor[COLUMNS + 2]; /* of the place; 0 for none, TOP_SEVERAL for more than one */
};

enum { TOP_SEVERAL = 255 };

struct superstore_mall {
    struct superstore_plan plan;
    struct superstore_sets sets;
    struct superstore_tops tops;
    uint32_t backs; /* bit t: tile t is an attraction that shows its back */
    /* As in struct superstore_tile; all 0 beyond `tiles`. */
    uint8_t piece[TILES_MAX], column[TILES_MAX], floor[TILES_MAX], customers[TILES_MAX];
    uint8_t tiles;
    uint8_t bank_notes;
    uint8_t card; /* the seat's individual attraction card */
    uint8_t zero;
};

struct superstore_common {
    uint8_t attraction; /* index in superstore_attractions */
    uint8_t side;       /* 0 = a, 1 = b */
    uint8_t built;
};

/* What the last ply did, step by step, for events(). Tiles are those of the moving seat. */
enum step_kind {
    STEP_BUILT,      /* tile a, for b bank notes */
    STEP_ATTRACTION, /* tile a */
    STEP_CARD,       /* the seat's card is revealed */
    STEP_DOCKED,     /* tile a */
    STEP_MONEY,      /* piece b from column a, and c notes from the bank */
    STEP_SERVED,     /* the customer of wish b on tile a goes to tile c */
    STEP_CHOICE,     /* the seat has to choose */
    STEP_REFILLED,   /* column a with piece b */
    STEP_LAST_ROUND, /* a = 1: the supply is empty; 0: the last common attraction is built */
    STEP_TURN,       /* of seat a begins */
    STEP_OVER
};

struct superstore_step {
    uint8_t kind, a, b, c;
};

/* A ply can fill every store of a mall, and takes at most six other steps. */
enum { STEPS_MAX = TILES_MAX + 6 };

struct superstore_state {
    uint8_t seats;
    uint8_t first;  /* the first player */
    uint8_t active; /* whose turn it is */
    uint8_t point;  /* enum point */
    uint8_t last_round;
    uint8_t refill; /* dispenser column that waits for a tile, NONE if none does */
    uint8_t bank;
    uint8_t common_count;
    uint8_t supply_next, supply_end; /* supply[supply_next .. supply_end) lies face down */
    uint8_t height[DISPENSER_COLUMNS];
    uint8_t dispenser[DISPENSER_COLUMNS][DISPENSER_ROWS]; /* from the bottom up; 0 above */
    uint8_t dock_owner[DOCKS];                            /* seat or NONE */
    struct superstore_common common[COMMON_MAX];
    uint8_t supply[SUPPLY_MAX];
    uint8_t steps;
    uint8_t zero;
    struct superstore_mall mall[SEATS_MAX];
    struct superstore_step step[STEPS_MAX];
};

/* Tile i, i < mall->tiles. */
static inline struct superstore_tile superstore_tile(const struct superstore_mall *mall, unsigned i)
{
    const bool back = (mall->backs >> i & 1) != 0;
    return (struct superstore_tile){mall->piece[i], mall->column[i], mall->floor[i],
                                    back ? BACK : FRONT, mall->customers[i]};
}

/* Sets who stands on tile i, or lies in it. */
void superstore_set_customers(struct superstore_mall *mall, unsigned i, uint8_t customers);

static inline uint32_t superstore_stores(const struct superstore_sets *sets)
{
    return sets->elements[FOOD] | sets->elements[HOBBY] | sets->elements[FASHION];
}

/* The stores in which nobody lies. */
static inline uint32_t superstore_free_stores(const struct superstore_sets *sets)
{
    return superstore_stores(sets) & ~sets->satisfied;
}

/* The tiles of this piece. */
static inline uint32_t superstore_tiles_of(const struct superstore_mall *mall, uint8_t piece)
{
    return bytes_equal(mall->piece, piece) & bytes_at_least(mall->floor, 1);
}

/* The docking bays of the mall. */
static inline uint32_t superstore_docks(const struct superstore_mall *mall)
{
    return bytes_at_least(mall->piece, FIRST_DOCK) & ~bytes_at_least(mall->piece, FIRST_ATTRACTION);
}

/* The index of the lowest bit; `set` is not 0. */
static inline unsigned superstore_lowest(uint32_t set)
{
    return (unsigned)__builtin_ctz(set);
}

/* The tile whose named cell (for attractions the base cell, for the main entrance m1 1) is there,
 * or NONE. */
uint8_t superstore_tile_at(const struct superstore_mall *mall, uint8_t column, uint8_t floor);

/* All of a piece's customers standing, as bits. */
uint8_t superstore_all_customers(const struct superstore_components *set, uint8_t piece);

unsigned superstore_satisfied(const struct superstore_mall *mall);

/* True if the seat has built its night club. */
bool superstore_has_night_club(const struct superstore_mall *mall);

/* True if the seat has a docking bay of the colour. */
bool superstore_has_dock(const struct superstore_components *set,
                         const struct superstore_mall *mall, unsigned colour);

/* How many elements it has of the category of which it has fewest. */
unsigned superstore_full_sets(const struct superstore_mall *mall);

/* True if the mall has at least as many elements of each category as a bay of the colour
 * requires. */
bool superstore_may_dock(const struct superstore_components *set,
                         const struct superstore_mall *mall, unsigned colour);

/* The index in state->common of a common attraction of this game, or NONE. */
uint8_t superstore_find_common(const struct superstore_state *state, unsigned attraction);

/* Common attractions that nobody has built. */
unsigned superstore_commons_left(const struct superstore_state *state);

/* The greatest number for which the condition would hold in the mall now (see components.h). */
unsigned superstore_reached(const struct superstore_mall *mall,
                            const struct superstore_condition *condition);

/* True if the condition holds in the mall now. */
bool superstore_holds(const struct superstore_mall *mall,
                      const struct superstore_condition *condition);

/* The condition of an attraction of this game: the side drawn, or for the night club the seat's
 * card. */
const struct superstore_condition *superstore_condition_of(const struct superstore_components *set,
                                                           const struct superstore_state *state,
                                                           const struct superstore_mall *mall,
                                                           unsigned attraction);

void superstore_note(struct superstore_state *state, enum step_kind kind, unsigned a, unsigned b,
                     unsigned c);

static_assert(sizeof(struct superstore_tile) == 5, "no padding");
static_assert(sizeof(struct superstore_mall) == sizeof(struct superstore_plan) +
                                                    sizeof(struct superstore_sets) + 8 + COLUMNS +
                                                    2 + 4 + TILES_MAX * 4 + 4,
              "no padding");
static_assert(sizeof(struct superstore_state) == 10 + 5 * DISPENSER_COLUMNS + DOCKS +
                                                     3 * COMMON_MAX + SUPPLY_MAX +
                                                     SEATS_MAX * sizeof(struct superstore_mall) +
                                                     STEPS_MAX * sizeof(struct superstore_step) + 2,
              "no padding");
static_assert(sizeof(struct superstore_state) <= 1792, "small enough to copy at will");

#endif
