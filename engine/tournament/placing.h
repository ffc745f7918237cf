/* Standings of an event of any format, as a function of its log and the number of rounds that
 * count.
 *
 *      points          pod_swiss, dutch, round robins: standings.h with the stage's scoring and
 *                      chain. A league: one standing per division
 *      bracket         eliminations: places from the bracket; who can still move has none yet
 *      ladder          the rungs
 *      open play       the best games
 *
 * Each stage has its standing. The event's: who went on into the last stage that has begun, in its
 * order, then the others in the order of the stage before, and so on. Duplicate events have their
 * own (duplicate.h), with the same places at the end.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_PLACING_H
#define TILLROLL_ENGINE_TOURNAMENT_PLACING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/chance.h"
#include "engine/tournament/open_play.h"
#include "engine/tournament/standings.h"
#include "engine/tournament/tournament.h"

enum placing_kind { PLACING_POINTS, PLACING_BRACKET, PLACING_LADDER, PLACING_OPEN_PLAY };

/* One table of places: a stage, or a division of one. */
struct placing_group {
    uint8_t stage;
    uint16_t division; /* from 1; 0 in a stage without divisions */
    enum placing_kind kind;
    struct standings standings; /* POINTS: rows by entry */
    const struct tie_break_rule *chain;
    size_t chain_count;
    struct table_result *results; /* POINTS: what the standings were made of */
    size_t result_count;
    struct open_play_row *open_rows; /* OPEN_PLAY */
    struct open_play_game *open_games;
    size_t open_count;
    struct placing_row *rows; /* best first */
    size_t count;
};

struct placing_row {
    uint16_t entry;
    uint16_t place;    /* 1 + number of better entries in the group; 0 = not known yet */
    uint16_t shared;   /* how many share it */
    bool on;           /* went on into the next stage */
    uint32_t standing; /* POINTS: index of standings.rows */
    int32_t points;    /* 60ths; 0 where there are none */
};

/* Where an entry stands in the event as a whole. */
struct placing_place {
    uint16_t entry;
    uint16_t place; /* 0 = not known yet */
    uint16_t shared;
    uint8_t group; /* in which it stands */
};

struct placing {
    struct placing_group *groups; /* stages in order, divisions in order */
    size_t group_count;
    struct placing_place *places; /* best first; who is not placed yet last, by number */
    size_t place_count;
    struct scoring *work; /* owned */
};

#define PLACING_REFUSAL_NOT_YET "wrong-state" /* no numbers are given yet, or a duplicate event */

/* Standings after `rounds` rounds (0 .. rounds_started; ladder and open play: of now). True: free
 * with placing_free(). Pure; any thread; 10,000 entries over 12 rounds in less than 100 ms. */
bool placing_make(const struct tournament *tournament, const struct chance *chance, unsigned rounds,
                  struct placing *placing, struct refusal *refusal);

void placing_free(struct placing *placing);

/* The first `most` of a stage in the order in which they go on: by place, who dropped out left out.
 * `order` has room for the stage's entries. Returns how many. */
size_t placing_cut(const struct tournament *tournament, const struct placing *placing, size_t stage,
                   size_t most, uint16_t *order);

/* Who met whom: for each pair of entries a (row) and b (column) of the stage, the tables at which
 * both sat, in order. Calls `found` for each meeting, a before b by number. */
void placing_crosstable(const struct tournament *tournament, size_t stage, unsigned rounds,
                        void (*found)(void *context, uint16_t a, uint16_t b,
                                      const struct tournament_table *table),
                        void *context);

/* What changed between two placings of the same event, for the preview of a ruling: entries whose
 * place or points differ, in order of the new one. `differences` has room for all entrants. */
struct placing_difference {
    uint16_t entry;
    uint16_t place_was, place_is;
    int32_t points_was, points_is;
};
size_t placing_compare(const struct placing *was, const struct placing *is,
                       struct placing_difference *differences);

#endif
