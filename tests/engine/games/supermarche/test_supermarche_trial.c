/* That trials, which count cubes (engine/games/supermarche/trial.h), end as the rules have it: each
 * is played again with the rules, the same cards and dice, and the rule of thumb. */
#include <stdio.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/supermarche/rules.h"
#include "engine/games/supermarche/trial.h"
#include "tests/engine/games/supermarche/rule_of_thumb.h"
#include "tests/engine/support/dice.h"
#include "tests/engine/support/table.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct supermarche_components *set;

extern const struct game game_supermarche_1_0_0, game_supermarche_0_9_0;

/* Takes automatic steps and rolls, until there is a choice. */
static void advance(struct supermarche_state *state, struct supermarche_trials *trials,
                    unsigned trial)
{
    supermarche_advance_to_dice(set, state, NULL);
    while (state->point == AT_DICE) {
        uint8_t customer = supermarche_customer_at(state, state->shopper);
        unsigned total =
            supermarche_trial_dice(set, trials, customer, state->dice_words[customer]++, trial);
        state->dice[0] = (uint8_t)(total > 7 ? 6 : 1);
        state->dice[1] = (uint8_t)(total - state->dice[0]);
        supermarche_read_dice(set, state);
        supermarche_advance_to_dice(set, state, NULL);
    }
}

static void plan_move(const struct supermarche_state *state, struct supermarche_move *move)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text text = TEXT_OVER(bytes);
    struct refusal refusal;
    supermarche_plan(set, state, &text);
    assert_true(supermarche_read_move(set, text_span(&text), move, &refusal));
}

static int try_by_rules(struct supermarche_trials *trials, const struct supermarche_move *move,
                        unsigned trial)
{
    struct supermarche_state state = *trials->seen;
    struct supermarche_move next = *move;
    const uint8_t round = state.round;
    memcpy(state.deck + (size_t)ROW * (round - 1u), trials->row[trial], ROW);
    memset(state.dice_words, 0, sizeof state.dice_words);
    state.notes = NOTES_MAX; /* further ones are dropped */
    for (;;) {
        supermarche_apply(set, &state, &next);
        advance(&state, trials, trial);
        if (state.point == AT_OVER || state.round != round)
            return supermarche_shop_worth(&state);
        plan_move(&state, &next);
    }
}

static void compare(const struct supermarche_state *state, struct span text)
{
    struct supermarche_trials trials;
    struct supermarche_move move;
    struct refusal refusal;
    int expected = 0;
    supermarche_begin_trials(&trials, state);
    assert_true(supermarche_read_move(set, text, &move, &refusal));
    for (unsigned trial = 0; trial < SUPERMARCHE_TRIALS; trial++)
        expected += try_by_rules(&trials, &move, trial);
    int sum = supermarche_try(set, &trials, &move);
    if (sum != expected)
        fail_msg("round %u, `%.*s`: %d, by the rules %d", state->round, (int)text.length, text.at,
                 sum, expected);
}

static bool is_amount(unsigned point)
{
    return point == AT_DELIVERY || point == AT_STOCKING || point == AT_RESTOCK;
}

/* Compares all moves of a game in which one of three is random, the others by rule of thumb.
 * Returns how many moves were compared. */
static unsigned play(const struct game *version, uint32_t number, struct move_list *list)
{
    struct table table;
    struct dice dice;
    const struct supermarche_state *state = (const void *)table.state;
    const struct game_options options = {{(uint8_t)(number % DIFFICULTIES)}};
    unsigned compared = 0;
    table_set(&table, version, 1, &options, number);
    dice_open(&dice, "trials", number);
    while (state->point != AT_OVER) {
        struct refusal refusal;
        table_legal(version, table.state, 0, list);
        for (size_t i = 0; !is_amount(state->point) && i < list->count; i++, compared++)
            compare(state, move_list_get(list, i));
        char bytes[GAME_MOVE_MAX + 1];
        struct text plan = TEXT_OVER(bytes);
        supermarche_plan(set, state, &plan);
        struct span move = text_span(&plan);
        if (dice_one_in(&dice, 3))
            move = move_list_get(list, dice_below(&dice, list->count));
        assert_true(version->play(version, table.state, 0, move, &table.chance, &refusal));
    }
    return compared;
}

TEST(test_trials_follow_the_rules)
{
    const struct game *const versions[] = {game,
                                           catalog_find(span_of("supermarche"), span_of("0.9.0"))};
    struct move_list list;
    unsigned compared = 0;
    for (unsigned i = 0; i < 2; i++) {
        table_list_init(&list, versions[i]);
        for (uint32_t number = 0; number < 30; number++)
            compared += play(versions[i], number, &list);
        move_list_free(&list);
    }
    assert_true(compared > 2000);
}

/* What no legal position has: a cart of more spaces than any customer's. */
TEST(test_a_cart_that_is_too_large)
{
    struct table table;
    struct supermarche_state *state = (void *)table.state;
    const struct game_options options = {{0}};
    table_set(&table, game, 1, &options, 1);
    state->point = AT_ROLL;
    state->row[0] = CARD_SHOPPING;
    state->shopper = 0;
    state->space = 9;
    state->bought = 1;
    for (unsigned food = 0; food < FOODS; food++)
        state->store[food][BOX_NEVER] = 18; /* whose worth is a digit to the base 256 */
    compare(state, span_of("roll"));
}

int main(void)
{
    game = catalog_newest(span_of("supermarche"));
    set = game->set;
    return run_all_tests(NULL, NULL);
}
