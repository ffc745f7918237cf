/* Makes the groups of a ranking, one file for each kind. Internal to ranking*.c. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_PAIRING_RANKING_GROUP_H
#define TILLROLL_ENGINE_TOURNAMENT_PAIRING_RANKING_GROUP_H

#include "engine/tournament/pairing/ranking.h"

/* The input for the groups of one stage. */
struct ranking_stage {
    const struct tournament *tournament;
    const struct stage_settings *settings;
    const struct chance *chance;
    size_t number;   /* of the stage, from 0 */
    unsigned rounds; /* rounds of the event that count */
};

/* Each fills a group whose `stage`, `division`, `kind`, `first_round`, `members` and `count` are
 * set and whose `rows` have room. False: refused; the group can be freed. */
bool ranking_make_points(const struct ranking_stage *stage, const struct table_result *results,
                         size_t result_count, struct ranking_group *group, struct refusal *refusal);
bool ranking_make_bracket(const struct ranking_stage *stage, struct ranking_group *group,
                          struct refusal *refusal);
bool ranking_make_ladder(const struct ranking_stage *stage, struct ranking_group *group,
                         struct refusal *refusal);
bool ranking_make_open_play(const struct ranking_stage *stage, struct ranking_group *group,
                            struct refusal *refusal);

/* Frees the `input` of a group. */
void ranking_free_input(struct ranking_input *input);

/* Entries of a stage: those that began it, in order of seeds, and for the first stage all other
 * numbered entries, in order of number. `entries` has room for all entrants. Returns how many. */
size_t ranking_entries(const struct tournament *tournament, size_t stage, uint16_t *entries);

bool ranking_refuse_memory(struct refusal *refusal);

/* True if an entrant is out of a round (from 1). */
static inline bool ranking_is_out(const struct entrant *entrant, unsigned round)
{
    return round >= 1 && round <= TOURNAMENT_ROUNDS_MAX && (entrant->out >> (round - 1) & 1) != 0;
}

#endif
