/* The history that a pairing needs, counted from the results.
 *
 * The counts of struct pod_player and the two matrices of struct pod_request are functions of the
 * results so far; they are derived only here.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_HISTORY_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_HISTORY_H

#include <stddef.h>
#include <stdint.h>

#include "engine/tournament/formats/pods/pod_round.h"
#include "engine/tournament/result/scoring.h"

/* All borrowed. Results and entries are as for standings_make(), which checks them; here they must
 * be valid. present[p] is the index of an entry, no entry twice. */
struct pod_history {
    const struct entry *entries;
    size_t entry_count;
    const struct table_result *results;
    size_t result_count;
    const struct scoring *scoring;
    const uint16_t *present;
    size_t present_count;
    uint16_t rounds; /* rounds so far, 0 .. TOURNAMENT_ROUNDS_MAX */
    uint8_t preferred;
};

/* Writes players[0 .. present_count) except `place`, which comes from the standings (it is set to
 * 1); met and before, present_count^2 bytes each; groups, one number per round. `work` has room for
 * one score per entry. A round without a result for an entry counts as unplayed. Pure. */
void pod_history_count(const struct pod_history *history, struct pod_player *players, uint8_t *met,
                       uint8_t *before, uint16_t *groups, int32_t *work);

#endif
