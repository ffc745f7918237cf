/* Leagues: divisions of about equal size, between which entries move from season to season.
 *
 * The next season is made in four steps:
 *
 *      1  between neighbouring divisions, the last `moves` of the upper one and the first `moves`
 *         of the lower one change places; fewer if a division is so small that an entry would move
 *         both ways. In the new division, entries from above stand above those who stayed, entries
 *         from below stand below them
 *      2  leaving entries are removed, and all below move up: a free place of a division goes to
 *         the best of those who would have moved down from it
 *      3  newcomers are added at the bottom, in their order
 *      4  the list is cut into divisions of `size`. The remainder is a division of its own if it
 *         has at least `smallest` entries; otherwise it joins the last one
 *
 * A season is a round robin of each division (berger.h, pod_round_robin.h) with its own standings.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_ROUND_ROBIN_LEAGUE_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_ROUND_ROBIN_LEAGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/game/game.h"

enum { LEAGUE_ENTRIES_MAX = 4096 };

struct league_rule {
    uint16_t size;     /* of a division, 2 .. LEAGUE_ENTRIES_MAX */
    uint16_t smallest; /* 2 .. size */
    uint16_t moves;    /* up and down between two divisions, 0 .. size / 2 */
};

/* The place of an entry: at the end of a season, or at the start of the next one. */
struct league_place {
    uint16_t entry;
    uint16_t division; /* from 1, the highest */
    uint16_t rank;     /* in the division, from 1, no two the same */
};

/* All pointers are borrowed. */
struct league_season {
    struct league_rule rule;
    const struct league_place *places; /* in any order; divisions and ranks without gaps */
    size_t place_count;
    const uint16_t *leaving; /* entries in `places`, each once */
    size_t leaving_count;
    const uint16_t *joining; /* entries not in `places`, best first, each once */
    size_t joining_count;
};

/* Refusals, stable. */
#define LEAGUE_REFUSAL_RULE "bad-league-rule"
#define LEAGUE_REFUSAL_ENTRY                                                                       \
    "bad-league-entry" /* too many entries; a gap, a repetition, or an unknown entry */

/* Writes the next season, in order of division and rank, to `next`, which has room for
 * LEAGUE_ENTRIES_MAX, and sets `count`. False: refused. Pure. */
bool league_next(const struct league_season *season, struct league_place *next, size_t *count,
                 struct refusal *refusal);

#endif
