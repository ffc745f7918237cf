/* A bracket as JSON in the data model of brackets-viewer (npm brackets-model 1.7), for any program
 * that reads that model.
 *
 * An object of lists: stage (one), group, round, match, match_game (empty) and participant. All ids
 * are numbers from 0; that of a match is its number here, that of a participant its entry. In a
 * match `opponent1` and `opponent2` are null for a bye, and have `id` null for an open side; a side
 * that comes from a seed or a loser has the seed or the number of that match as `position`. Status:
 * 0 locked (both open, or a bye), 1 waiting (one open), 2 ready, 4 completed, 5 archived
 * (completed, and so is a match after it). The second match of a grand final that is not needed
 * stays locked.
 *
 * Beyond that model, both opponents of a match whose game is void have `void`: true, and `forfeit`.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_KNOCKOUT_ELIMINATION_VIEW_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_KNOCKOUT_ELIMINATION_VIEW_H

#include <jansson.h>

#include "engine/tournament/formats/knockout/elimination.h"

/* What a view contains besides the bracket. All borrowed. */
struct elimination_labels {
    const char *title;                        /* of the stage; UTF-8 */
    const char *const *names;                 /* [entry]: UTF-8, of every seeded entry */
    const struct elimination_result *results; /* those that made the bracket: for scores */
};

/* A new object that the caller owns; NULL when out of memory or if a text is not UTF-8. */
json_t *elimination_view(const struct elimination *bracket,
                         const struct elimination_labels *labels);

#endif
