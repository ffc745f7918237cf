/* Endgame: sets of different customers, wild bonus tokens, and the tie-break. */
#include "engine/games/shinjuku/rules.h"

static unsigned smallest(const unsigned value[static GOODS])
{
    unsigned at = 0;
    for (unsigned good = 1; good < GOODS; good++)
        if (value[good] < value[at])
            at = good;
    return at;
}

/* Rulebook, Endgame Scoring. A wild token is worth most where the fewest customers are. Then taking
 * the smallest number away again and again makes the sets: first those of four goods, then of the
 * three goods that have some left, and so on. */
int32_t shinjuku_score(const uint8_t earned[static KINDS], unsigned bonus)
{
    unsigned value[GOODS] = {0};
    for (unsigned kind = 0; kind < KINDS; kind++)
        value[GOOD_OF(kind)] += (unsigned)earned[kind] * shinjuku_kinds[kind].value;
    for (; bonus > 0; bonus--)
        value[smallest(value)]++;
    int32_t score = 0;
    unsigned scored = 0;
    for (unsigned goods = GOODS; goods > 0; goods--) {
        unsigned at = smallest(value);
        score += (int32_t)((value[at] - scored) * shinjuku_set_points[goods]);
        scored = value[at];
        value[at] = UINT32_MAX;
    }
    return score;
}

/* Rulebook, Tie-breaking: the seat that claimed an Upgrade Bonus first; no claim comes last. A
 * claim number is at most 12, so the value is higher for an earlier claim. */
static int32_t tie_break(unsigned claim)
{
    enum { AFTER_EVERY_CLAIM = SEATS_MAX * DEPARTMENT_STORES + 1 };
    return claim > 0 ? (int32_t)(AFTER_EVERY_CLAIM - claim) : 0;
}

void shinjuku_outcome(const void *opaque, struct outcome *outcome)
{
    const struct shinjuku_state *state = opaque;
    *outcome = (struct outcome){.seats = state->seats, .tie_breaks = 1};
    for (unsigned seat = 0; seat < state->seats; seat++) {
        outcome->score[seat] = shinjuku_score(state->earned[seat], state->bonus[seat]);
        outcome->tie_break[seat][0] = tie_break(state->claim[seat]);
    }
    outcome_rank(outcome);
}
