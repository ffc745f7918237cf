/* Goals of achievements, which the rules compare all at once, against a look at each of their
 * conditions, in states with any numbers. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/super-motherload/turn.h"
#include "tests/engine/support/dice.h"
#include "tests/test.h"

static const struct motherload_components *set;

FIXTURE(start_up)
{
    set = catalog_newest(span_of("super-motherload"))->set;
    return sodium_init() < 0;
}

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

static bool meets(const struct motherload_state *state, const struct motherload_goal *goal)
{
    unsigned stock = 0;
    unsigned stacks = 0;
    for (unsigned color = 0; color < COLORS; color++) {
        const uint8_t *stack = state->minerals[state->active][color];
        stock += stack[goal->mineral];
        stacks += motherload_tiles(stack) > 0;
        if (state->bought[state->active][color] < goal->bought[color])
            return false;
    }
    return meets_action(&state->act, goal) && stock >= goal->stock && stacks >= goal->stacks &&
           state->bombs[state->active] >= goal->bombs && state->buys >= goal->buys &&
           state->taken >= goal->actions && (state->exact || !goal->exact);
}

/* 0 to 7, seldom more. */
static uint8_t some(struct dice *dice)
{
    return (uint8_t)dice_below(dice, dice_below(dice, 16) == 0 ? 256 : 8);
}

static void fill(struct motherload_state *state, struct dice *dice)
{
    const unsigned seat = dice_below(dice, SEATS_MAX);
    memset(state, 0, sizeof *state);
    state->active = (uint8_t)seat;
    state->act = (struct motherload_act){.kind = (uint8_t)dice_below(dice, 3),
                                         .wild_cards_only = (uint8_t)dice_below(dice, 2),
                                         .length = some(dice),
                                         .rock = some(dice),
                                         .steel = some(dice),
                                         .finds = some(dice),
                                         .boards = some(dice),
                                         .kinds = some(dice),
                                         .tiles = some(dice),
                                         .value = (uint8_t)dice_below(dice, 40)};
    state->bombs[seat] = some(dice);
    state->buys = some(dice);
    state->taken = some(dice);
    state->exact = (uint8_t)dice_below(dice, 2);
    for (unsigned color = 0; color < COLORS; color++) {
        state->bought[seat][color] = (uint8_t)dice_below(dice, STACK_CARDS + 1);
        for (unsigned mineral = 0; mineral < MINERALS; mineral++)
            state->minerals[seat][color][mineral] = dice_below(dice, 3) == 0 ? some(dice) : 0;
    }
}

TEST(test_goals)
{
    unsigned met[ACHIEVEMENTS] = {0};
    struct dice dice;
    dice_open(&dice, "goals", 0);
    for (unsigned round = 0; round < 20000; round++) {
        struct motherload_state state;
        uint32_t expected = 0;
        fill(&state, &dice);
        for (unsigned slot = 0; slot < SLOTS; slot++) {
            const uint8_t minor = (uint8_t)dice_below(&dice, MINORS + 1);
            const uint8_t major = (uint8_t)(MINORS + dice_below(&dice, MAJORS + 1));
            state.minors[slot] = minor == MINORS ? NONE : minor;
            state.majors[slot] = major == ACHIEVEMENTS ? NONE : major;
        }
        const uint32_t face_up = motherload_face_up(&state);
        state.open = UINT32_C(1) << dice_below(&dice, ACHIEVEMENTS);
        expected = state.open; /* what was met before stays open */
        for (unsigned i = 0; i < ACHIEVEMENTS; i++) {
            if ((face_up >> i & 1) == 0 || !meets(&state, &set->achievements[i].goal))
                continue;
            expected |= UINT32_C(1) << i;
            met[i]++;
        }
        motherload_mark(set, &state);
        assert_int_equal(state.open, expected);
    }
    for (unsigned i = 0; i < ACHIEVEMENTS; i++)
        assert_true(met[i] > 0);
}

int main(void)
{
    return run_all_tests(start_up, NULL);
}
