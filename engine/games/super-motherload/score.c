/* Ending the Game: victory points, and who wins a tie. */
#include "engine/games/super-motherload/rules.h"

int32_t motherload_public_score(const struct motherload_state *state, unsigned seat)
{
    int32_t score = 0;
    for (unsigned color = 0; color < COLORS; color++)
        for (unsigned tier = 1; tier <= state->bought[seat][color]; tier++)
            score += motherload_cards[CARD(color, tier)].points;
    for (unsigned i = 0; i < ACHIEVEMENTS; i++)
        if ((state->claimed[seat] >> i & 1) != 0)
            score += motherload_achievements[i].points;
    return score;
}

int32_t motherload_score(const struct motherload_state *state, unsigned seat)
{
    int32_t score = motherload_public_score(state, seat);
    for (unsigned artifact = 0; artifact < ARTIFACTS; artifact++)
        score += state->artifacts[seat][artifact] * motherload_artifacts[artifact].points;
    return score;
}

/* Of seats with equal scores the later one wins: the start player loses ties (ruling R38). */
void motherload_outcome(const void *opaque, struct outcome *outcome)
{
    const struct motherload_state *state = opaque;
    *outcome = (struct outcome){.seats = state->seats, .tie_breaks = 1};
    for (unsigned seat = 0; seat < state->seats; seat++) {
        outcome->score[seat] = motherload_score(state, seat);
        outcome->tie_break[seat][0] = (int32_t)seat;
    }
    outcome_rank(outcome);
}
