/* Open play: a queue from which tables are called, and the best n of m games counted.
 *
 * Tables are called from the waiting players, at any moment:
 *
 *      order    longest waiting first; equal waits are ordered by a draw
 *      sizes    as many tables of the preferred size as can be filled. If more have waited for
 *               `patience` than these seat, table_sizes.h decides for all who wait
 *      table    the first in the order not called yet, with those of the next
 *               OPEN_PLAY_WINDOW that make the fewest recent meetings at the table; of equal
 *               choices, the one that is first in the order. Two of one person are at no table
 *               together; if that leaves the first no table, they wait on, and the next is called
 *
 * So the player who waits longest is called as soon as a table can be filled, and nobody is passed
 * over forever.
 *
 * The caller chooses the unit of time. Chance comes from the stream `open/<call>`: one word per
 * waiting player, in order of entries.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_OPEN_PLAY_OPEN_PLAY_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_OPEN_PLAY_OPEN_PLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/game/chance.h"
#include "engine/game/game.h"
#include "engine/tournament/result/result.h"
#include "engine/tournament/result/table_sizes.h"

enum {
    OPEN_PLAY_WAITING_MAX = 512,
    OPEN_PLAY_RECENT_MAX = 12, /* opponents of three tables of five */
    OPEN_PLAY_WINDOW = 12,
    OPEN_PLAY_GAMES_MAX = 1 << 16,
    OPEN_PLAY_BEST_MAX = 64
};

struct open_play_waiting {
    uint16_t entry; /* different for each */
    uint16_t recent_count;
    uint16_t recent[OPEN_PLAY_RECENT_MAX]; /* entries that it met recently; twice counts twice */
    uint16_t person; /* those with the same number other than 0 are kept apart */
    uint16_t padding;
    uint64_t since; /* <= now */
};

/* All pointers are borrowed. */
struct open_play_call {
    const struct open_play_waiting *waiting; /* in any order */
    size_t count;                            /* 0 .. OPEN_PLAY_WAITING_MAX */
    struct table_rule rule;
    uint64_t now, patience;
    uint32_t number; /* number of the call */
    const struct chance *chance;
};

struct open_play_table {
    uint16_t seats;
    uint16_t recent;                      /* recent meetings that this table repeats */
    uint16_t entry[TOURNAMENT_SEATS_MAX]; /* in order of the queue */
    uint16_t padding;
};

static_assert(sizeof(struct open_play_waiting) == 40, "no implicit padding");
static_assert(sizeof(struct open_play_table) == 16, "no implicit padding");

/* Refusals, stable. */
#define OPEN_PLAY_REFUSAL_CALL   "bad-call" /* rule, an entry twice, a count or time out of range */
#define OPEN_PLAY_REFUSAL_GAME   "bad-game" /* too many games, points or `best` out of range */
#define OPEN_PLAY_REFUSAL_MEMORY "out-of-memory"

/* Calls tables. `tables` has room for count / 2; `table_count` receives their number, possibly
 * none. False: refused. Pure: the order of the waiting players does not matter; any thread. */
bool open_play_tables(const struct open_play_call *call, struct open_play_table *tables,
                      size_t *table_count, struct refusal *refusal);

/* A game of one entry. */
struct open_play_game {
    uint16_t entry;
    uint16_t number; /* number among the entry's games, for order; no two the same */
    int32_t points;  /* in 60ths, 0 .. SCORING_POINTS_MAX */
};

/* One entry in the ranking. */
struct open_play_row {
    uint16_t entry;
    uint16_t rank;    /* 1 + number of better entries; equal ones share it */
    uint16_t games;   /* played */
    uint16_t counted; /* min(games, best) */
    int64_t sum;      /* sum of those that count, in 60ths */
    size_t first;     /* the games that count are games[first .. first + counted) after the call */
};

/* Ranks entries by the sum of their best `best` (1 .. OPEN_PLAY_BEST_MAX) games; equal sums by the
 * best game, then the second best, and so on. Of equal games the earlier one counts. Games are
 * sorted by entry, then from the best to the worst; `rows` has room for one per game. Pure; the
 * order of games does not matter. */
bool open_play_rank(struct open_play_game *games, size_t game_count, unsigned best,
                    struct open_play_row *rows, size_t *row_count, struct refusal *refusal);

#endif
