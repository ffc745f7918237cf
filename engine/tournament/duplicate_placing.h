/* Standings of a duplicate event as a function of its log: what is open of the boards that were
 * played, and what it comes to (duplicate.h). A board is open from the lines with its results on,
 * which are written when its last table has ended, all at once.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_DUPLICATE_PLACING_H
#define TILLROLL_ENGINE_TOURNAMENT_DUPLICATE_PLACING_H

#include "engine/chance.h"
#include "engine/tournament/duplicate.h"
#include "engine/tournament/tournament.h"

/* Borrows from the event, and must not outlive it. Players are their numbers in it less 1. */
struct duplicate_placing {
    unsigned rounds;                        /* that count */
    unsigned boards;                        /* that count: open ones, of all these rounds */
    struct entry *entries;                  /* owned */
    struct duplicate_result *results;       /* owned */
    const struct tournament_table **tables; /* owned; results[i] comes from tables[i] */
    size_t count;
    struct duplicate_standings standings; /* owned; marks[i] belongs to results[i] */
};

/* What is open of the first `rounds` rounds (0 .. rounds_started). Who has no number yet is not in
 * it. True: free with duplicate_placing_free(). False with a refusal of duplicate_standings_make(),
 * nothing to free. Pure; any thread. */
bool duplicate_placing_make(const struct tournament *tournament, const struct chance *chance,
                            unsigned rounds, struct duplicate_placing *placing,
                            struct refusal *refusal);

void duplicate_placing_free(struct duplicate_placing *placing);

/* By what the event is scored. */
enum duplicate_scoring duplicate_placing_scoring(const struct tournament *tournament);

#endif
