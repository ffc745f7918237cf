/* Standings of an event of any format, as a function of its log and the number of rounds that
 * count.
 *
 *      points          pod_swiss, dutch, round robins: standings.h with the stage's scoring and
 *                      chain. A league: one standing per division. Each stage counts its own
 *                      rounds from 1
 *      bracket         eliminations: places from the bracket; none yet for entries that can still
 *                      move
 *      ladder          the rungs; dropped entries follow, without a place
 *      open play       the best games; entries without a game are last
 *
 * In a round robin or league at tables of two, an entry that left before half of its games were
 * played (berger_results_stand()) is annulled: its results count for nobody, and it is placed last.
 *
 * Each stage has its own standings. The event's standings list the entries of the last stage that
 * has begun, in its order, then the others in the order of the stage before, and so on; in a
 * league, division after division. Duplicate events have their own standings (duplicate.h), turned
 * into the same places.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_PAIRING_RANKING_H
#define TILLROLL_ENGINE_TOURNAMENT_PAIRING_RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/game/chance.h"
#include "engine/tournament/event/tournament.h"
#include "engine/tournament/formats/ladder/ladder.h"
#include "engine/tournament/formats/open_play/open_play.h"
#include "engine/tournament/standings/standings.h"

enum ranking_kind { RANKING_POINTS, RANKING_BRACKET, RANKING_LADDER, RANKING_OPEN_PLAY };

#define RANKING_NONE UINT32_MAX

/* One table of places: a stage, or a division of one. All arrays are owned. */
struct ranking_group {
    uint8_t stage;
    uint16_t division; /* from 1; 0 in a stage without divisions */
    enum ranking_kind kind;
    uint16_t first_round; /* its round 1 is this round of the event */
    uint16_t *members;    /* entries, in no particular order */
    struct ranking_row *rows;
    size_t count; /* number of members and of rows; rows are best first */

    /* POINTS. In `standings` an entry is a position in `members` and rounds count from 1: see
     * ranking_operands(). */
    struct standings standings;
    const struct tie_break_rule *chain; /* borrowed from the event's settings */
    size_t chain_count;
    const struct scoring *scoring; /* OPEN_PLAY too; static */
    struct table_result *results;  /* the results that count, in entries and rounds of the event */
    size_t result_count;
    struct ranking_input *input; /* data that the standings borrow */

    /* OPEN_PLAY: rows of the entries that have played. */
    struct open_play_row *open_rows;
    struct open_play_game *open_games;
    size_t open_count;
};

struct ranking_row {
    uint16_t entry;
    uint16_t place;    /* 1 + number of better entries in the group; 0 = not known yet, or none */
    uint16_t shared;   /* number of entries that share it; 0 without a place */
    bool on;           /* advanced to the next stage */
    bool annulled;     /* left a round robin too early for its results to count */
    uint32_t standing; /* POINTS: index of standings.rows. OPEN_PLAY: of open_rows, or NONE.
                          BRACKET: seed, from 0. LADDER: rung, from 0, or NONE */
    int32_t points;    /* 60ths; 0 if the group has none */
};

/* The place of an entry in the whole event. */
struct ranking_place {
    uint16_t entry;
    uint16_t place;  /* 0 = not known yet, or none */
    uint16_t shared; /* 0 without a place */
    uint16_t group;  /* its group */
    int32_t points;  /* its points in that group */
};

/* Borrows from the event and from its chance, and must not outlive them. */
struct ranking {
    struct ranking_group *groups; /* owned: stages in order, divisions in order */
    size_t group_count;
    struct ranking_place *places; /* owned: best first; entries without a place last, by number */
    size_t place_count;
    uint32_t *of_entry; /* owned: [entry] index of `places`, or RANKING_NONE */
    size_t entry_count; /* all of the event, placed or not */
};

#define RANKING_REFUSAL_NOT_YET "wrong-state" /* no numbers are given yet, or a duplicate event */
#define RANKING_REFUSAL_MEMORY  "out-of-memory"

/* Standings after `rounds` rounds (0 .. rounds_started; ladder and open play: current). Entries for
 * a later round are left out. For tie-breaks by rating, an unrated entry counts as the lowest rated
 * of the group; handicaps of seats are measured in the tables of the group. True: free with
 * ranking_free(). False: a refusal above, or one from the functions for standings and brackets;
 * nothing to free. Pure; any thread; 10,000 entries over 12 rounds in less than 100 ms. */
bool ranking_make(const struct tournament *tournament, const struct chance *chance, unsigned rounds,
                  struct ranking *ranking, struct refusal *refusal);

void ranking_free(struct ranking *ranking);

/* The operands of value `position` of the chain for a row of a POINTS group, as from
 * standings_operands(), in entries and rounds of the event. */
size_t ranking_operands(const struct ranking_group *group, const struct ranking_row *row,
                        size_t position, struct tie_break_operand *operands);

/* The first `most` entries of a stage in the order in which they advance: by place, without those
 * who dropped out of the next round or have no place. `order` has room for the stage's entries.
 * Returns how many. */
size_t ranking_cut(const struct tournament *tournament, const struct ranking *ranking, size_t stage,
                   size_t most, uint16_t *order);

/* The current ladder of a stage, with open challenges, for ladder_may_challenge(). Everyone joins
 * in the order of the stage's entries and of entering, the games are applied in sequence, and
 * dropped entries are removed; a returning entry stands where it would have stood. So a ruling on
 * an old game changes only what depends on it. */
bool ranking_ladder(const struct tournament *tournament, size_t stage, struct ladder *ladder,
                    struct refusal *refusal);

/* Lists the meetings in started rounds up to `rounds`, and in games of ladder and open play: calls
 * `found` for each two entries at one table of a stage (from 0), in order of tables; `a` has the
 * lower number. */
void ranking_crosstable(const struct tournament *tournament, size_t stage, unsigned rounds,
                        void (*found)(void *context, uint16_t a, uint16_t b,
                                      const struct tournament_table *table),
                        void *context);

/* The differences between two rankings of the same event, for the preview of a ruling: entries
 * whose place or points differ, in the order of the new ranking. Points are those of the stage in
 * which an entry stands. `differences` has room for all entrants. Returns how many. */
struct ranking_difference {
    uint16_t entry;
    uint16_t place_was, place_is;
    int32_t points_was, points_is;
};
size_t ranking_compare(const struct ranking *was, const struct ranking *is,
                       struct ranking_difference *differences);

#endif
