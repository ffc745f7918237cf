/* The tables and seats of a board in a duplicate round.
 *
 * All tables of a board have the same number of seats; otherwise their seats could not be compared.
 * As many players as fill whole tables play; the others sit the board out, those first who have
 * done so least often. Players should meet different opponents and sit in each seat about equally
 * often. Pod Swiss with the profile `strict` achieves this when all scores are 0, so each board is
 * drawn as one of its rounds, with the earlier boards as the past. Games with one seat need no
 * draw: every player has a table.
 *
 * A board is identified by its number among all boards of the event, its sitting: for board b of
 * round r with n boards per round it is (r - 1) * n + b. Chance comes from the event's streams
 * `pair/<sitting>/1` (pod_swiss.h).
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_DUPLICATE_DUPLICATE_MOVEMENT_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_DUPLICATE_DUPLICATE_MOVEMENT_H

#include "engine/tournament/formats/duplicate/duplicate.h"
#include "engine/tournament/formats/pods/pod_swiss.h"

/* A table of one board. */
struct duplicate_table {
    uint16_t sitting;                     /* from 1 */
    uint16_t seats;                       /* 1 .. TOURNAMENT_SEATS_MAX */
    uint16_t entry[TOURNAMENT_SEATS_MAX]; /* per seat: index of the entry */
    uint16_t padding;
};

static_assert(sizeof(struct duplicate_table) == 16, "no implicit padding");

/* All pointers are borrowed. */
struct duplicate_movement {
    const struct entry *entries;
    size_t entry_count;
    const struct duplicate_table
        *past; /* all tables of earlier sittings, including those of other entries */
    size_t past_count;
    const uint16_t *present; /* indices of the entries that play this round, no entry twice */
    size_t present_count;    /* 0 .. TOURNAMENT_ENTRIES_MAX */
    uint16_t sitting;        /* the sitting to draw, 1 .. DUPLICATE_SITTINGS_MAX */
    uint16_t seats;          /* seats at every table */
    const struct chance *chance;
};

/* Draws the tables of a board in order of their numbers. `tables` has room for present_count of
 * them; `count` receives their number. False with a refusal of pod_swiss_pair() if there are too
 * few players for one table, or when out of memory. Pure; any thread. */
bool duplicate_pairing(const struct duplicate_movement *movement, struct duplicate_table *tables,
                       size_t *count, struct refusal *refusal);

#endif
