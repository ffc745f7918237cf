/* The end: money, or -1 for a lost game; the rounds completed break ties between games. */
#include "engine/games/supermarche/rules.h"

enum { BANKRUPT_SCORE = -1 };

static int32_t rounds_completed(const struct supermarche_state *state)
{
    return state->result == RESULT_COMPLETE ? ROUNDS : state->round - 1;
}

void supermarche_outcome(const void *opaque, struct outcome *outcome)
{
    const struct supermarche_state *state = opaque;
    *outcome = (struct outcome){.seats = 1, .tie_breaks = 1};
    outcome->score[0] = state->money < 0 ? BANKRUPT_SCORE : state->money;
    outcome->tie_break[0][0] = rounds_completed(state);
    outcome_rank(outcome);
}

const struct supermarche_level *supermarche_level(int money)
{
    unsigned level = 0;
    while (money > supermarche_levels[level].most)
        level++;
    return &supermarche_levels[level];
}
