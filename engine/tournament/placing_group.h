/* How the groups of a placing are made, one file for each kind. Internal to placing*.c. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_PLACING_GROUP_H
#define TILLROLL_ENGINE_TOURNAMENT_PLACING_GROUP_H

#include "engine/tournament/placing.h"

/* What the groups of one stage are made from. */
struct placing_stage {
    const struct tournament *tournament;
    const struct stage_settings *settings;
    const struct chance *chance;
    size_t number;   /* of the stage, from 0 */
    unsigned rounds; /* of the event, that count */
};

/* Each fills a group of which `stage`, `division`, `kind`, `first_round`, `members` and `count` are
 * set, and `rows` has room. False: refused; the group can be freed. */
bool placing_make_points(const struct placing_stage *stage, const struct table_result *results,
                         size_t result_count, struct placing_group *group, struct refusal *refusal);
bool placing_make_bracket(const struct placing_stage *stage, struct placing_group *group,
                          struct refusal *refusal);
bool placing_make_ladder(const struct placing_stage *stage, struct placing_group *group,
                         struct refusal *refusal);
bool placing_make_open_play(const struct placing_stage *stage, struct placing_group *group,
                            struct refusal *refusal);

/* Frees `input` of a group. */
void placing_free_input(struct placing_input *input);

/* Entries of a stage: those who began it, in order of seeds, and of the first stage all others who
 * have a number, in its order. `entries` has room for all entrants. Returns how many. */
size_t placing_entries(const struct tournament *tournament, size_t stage, uint16_t *entries);

bool placing_refuse_memory(struct refusal *refusal);

/* True if an entrant is out of a round (from 1). */
static inline bool placing_is_out(const struct entrant *entrant, unsigned round)
{
    return round >= 1 && round <= TOURNAMENT_ROUNDS_MAX && (entrant->out >> (round - 1) & 1) != 0;
}

#endif
