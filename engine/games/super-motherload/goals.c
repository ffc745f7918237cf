/* When an achievement's goal is met. All twenty minors and ten majors are lists of least numbers
 * (struct motherload_goal), so one function tests them all. */
#include "engine/games/super-motherload/turn.h"

static bool meets_action(const struct motherload_act *act, const struct motherload_goal *goal)
{
    if (!goal->drill && !goal->bomb)
        return true;
    if (!(act->kind == ACT_DRILL && goal->drill) && !(act->kind == ACT_BOMB && goal->bomb))
        return false;
    return act->length >= goal->length && act->rock >= goal->rock && act->steel >= goal->steel &&
           act->boards >= goal->boards && act->kinds >= goal->kinds && act->value >= goal->value &&
           act->tiles >= goal->tiles && act->finds >= goal->finds &&
           (act->wild_cards_only || !goal->wild_cards_only);
}

static unsigned stock(const struct motherload_state *state, unsigned mineral)
{
    unsigned tiles = 0;
    for (unsigned color = 0; color < COLORS; color++)
        tiles += state->minerals[state->active][color][mineral];
    return tiles;
}

static unsigned filled_stacks(const struct motherload_state *state)
{
    unsigned stacks = 0;
    for (unsigned color = 0; color < COLORS; color++)
        stacks += motherload_tiles(state->minerals[state->active][color]) > 0;
    return stacks;
}

static bool meets_purchases(const struct motherload_state *state,
                            const struct motherload_goal *goal)
{
    for (unsigned color = 0; color < COLORS; color++)
        if (state->bought[state->active][color] < goal->bought[color])
            return false;
    return true;
}

static bool meets(const struct motherload_state *state, const struct motherload_goal *goal)
{
    return meets_action(&state->act, goal) &&
           (goal->stock == 0 || stock(state, goal->mineral) >= goal->stock) &&
           (goal->stacks == 0 || filled_stacks(state) >= goal->stacks) &&
           state->bombs[state->active] >= goal->bombs && state->buys >= goal->buys &&
           state->taken >= goal->actions && (state->exact || !goal->exact) &&
           meets_purchases(state, goal);
}

static void mark_if_met(struct motherload_state *state, uint8_t achievement)
{
    if (achievement != NONE && meets(state, &motherload_achievements[achievement].goal))
        state->open |= UINT32_C(1) << achievement;
}

void motherload_mark(struct motherload_state *state)
{
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        mark_if_met(state, state->minors[slot]);
        mark_if_met(state, state->majors[slot]);
    }
}
