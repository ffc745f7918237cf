/* The luck of Super Motherload: which stream each shuffle uses, what one seed has in common
 * whatever is played, and take-backs. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/super-motherload/piles.h"
#include "engine/games/super-motherload/rules.h"
#include "tests/engine/games/super-motherload/motherload_game.h"
#include "tests/engine/support/position.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct motherload_components *set;

FIXTURE(start_up)
{
    game = catalog_newest(span_of("super-motherload"));
    return sodium_init() < 0;
}

TEST(test_one_seed_deals_the_same_whatever_is_chosen)
{
    struct motherload_state a;
    struct motherload_state b;
    begin_game(&a, 2, 0, 11);
    b = a;
    struct chance chance = chance_of(11);
    struct refusal refusal;
    static const char *const plies[2][3] = {{"side a", "deck gray", "deck orange"},
                                            {"side b", "deck purple", "deck green"}};
    static const unsigned seats[] = {1, 0, 1};
    for (unsigned i = 0; i < 3; i++) {
        assert_true(game->play(game, &a, seats[i], span_of(plies[0][i]), &chance, &refusal));
        assert_true(game->play(game, &b, seats[i], span_of(plies[1][i]), &chance, &refusal));
    }
    assert_memory_equal(a.majors, b.majors, sizeof a.majors);
    assert_memory_equal(a.minors, b.minors, sizeof a.minors);
    assert_memory_equal(a.minor_deck, b.minor_deck, sizeof a.minor_deck);
    assert_memory_equal(a.artifact_pile, b.artifact_pile, sizeof a.artifact_pile);
    assert_memory_equal(a.hand, b.hand, sizeof a.hand);
    assert_memory_equal(a.pile, b.pile, sizeof a.pile);
}

/* Ruling R8: the pile is the shuffle, from the beginning of its own stream, of the discards in
 * canonical order. */
TEST(test_a_reshuffle_has_its_own_stream)
{
    struct motherload_state state;
    struct chance chance = chance_of(21);
    struct chance_stream stream;
    uint8_t expected[] = {CARD(RED, 0),    CARD(RED, 0),    CARD(BLUE, 0), CARD(BLUE, 0),
                          CARD(YELLOW, 0), CARD(YELLOW, 0), CARD(WILD, 0)};
    LOAD_POSITION(game, &state, "at 1");
    state.reshuffles[1] = 4;
    motherload_draw(set, &state, 1, 1, &chance);
    chance_open(&stream, &chance, "deck-1-5", 0);
    chance_shuffle(&stream, expected, sizeof expected);
    assert_int_equal(state.reshuffles[1], 5);
    assert_memory_equal(state.pile[1], expected, sizeof expected);
    assert_int_equal(state.hand[1][expected[0]], 1);
}

TEST(test_drawn_sides_come_from_their_stream)
{
    struct motherload_state state;
    for (uint8_t seed = 0; seed < 8; seed++) {
        struct chance chance = chance_of(seed);
        struct chance_stream stream;
        begin_game(&state, 3, 2, seed);
        chance_open(&stream, &chance, "sides", 0);
        for (unsigned depth = 0; depth < DEPTHS; depth++)
            assert_int_equal(state.side[depth], chance_uniform(&stream, 2));
        assert_int_equal(state.board[0], state.side[0]);
    }
}

/* Puts into one order what nobody has seen. */
static void sort_hidden(struct motherload_state *state)
{
    sort_bytes(state->artifact_pile + state->artifact_next,
               (size_t)(ARTIFACT_TILES - state->artifact_next));
    sort_bytes(state->minor_deck, (size_t)(state->minor_deck_count - state->minor_deck_known));
    for (unsigned seat = 0; seat < state->seats; seat++)
        sort_bytes(state->pile[seat] + state->pile_next[seat], motherload_pile_size(state, seat));
}

/* A game in which a minor has been put under its deck. */
static void reach_a_swap(struct motherload_state *state)
{
    begin_game(state, 3, 1, 5);
    play(state, "side a");
    motherload_bury_minor(state, state->minors[1]);
    state->minors[1] = motherload_take_minor(set, state, NULL);
}

TEST(test_rekey_changes_only_what_nobody_has_seen)
{
    struct motherload_state before;
    struct chance chance = chance_of(5);
    reach_a_swap(&before);
    struct motherload_state after = before;
    game->rekey(game, &after, 1, &chance);
    assert_memory_not_equal(before.artifact_pile, after.artifact_pile, ARTIFACT_TILES);
    assert_memory_not_equal(before.minor_deck, after.minor_deck, MINORS);
    assert_memory_not_equal(before.pile, after.pile, sizeof before.pile);
    uint8_t last = (uint8_t)(before.minor_deck_count - 1);
    assert_int_equal(before.minor_deck[last], after.minor_deck[last]);

    struct motherload_state other = before;
    game->rekey(game, &other, 2, &chance);
    assert_memory_not_equal(other.artifact_pile, after.artifact_pile, ARTIFACT_TILES);

    sort_hidden(&before);
    sort_hidden(&after);
    assert_int_equal(after.epoch, 1);
    after.epoch = before.epoch;
    assert_memory_equal(&before, &after, sizeof before);
}

/* The order after a rekey must not depend on the order that was to come before it. */
TEST(test_rekey_forgets_the_old_order)
{
    struct motherload_state a;
    struct chance chance = chance_of(5);
    reach_a_swap(&a);
    struct motherload_state b = a;
    sort_hidden(&b);
    assert_memory_not_equal(&a, &b, sizeof a);
    game->rekey(game, &a, 3, &chance);
    game->rekey(game, &b, 3, &chance);
    assert_memory_equal(&a, &b, sizeof a);
}

/* Sides that lie on the table, or have been passed, stay; the others are drawn anew. */
TEST(test_rekey_draws_unseen_sides_anew)
{
    unsigned changed = 0;
    for (uint8_t seed = 0; seed < 16; seed++) {
        struct motherload_state state;
        struct chance chance = chance_of(seed);
        begin_game(&state, 4, 2, seed);
        uint8_t side[DEPTHS];
        memcpy(side, state.side, sizeof side);
        game->rekey(game, &state, 1, &chance);
        assert_int_equal(side[0], state.side[0]);
        struct chance_stream stream;
        chance_open_epoch(&stream, &chance, "sides", 1, 0);
        chance_uniform(&stream, 2);
        for (unsigned depth = 1; depth < DEPTHS; depth++) {
            assert_int_equal(state.side[depth], chance_uniform(&stream, 2));
            changed += state.side[depth] != side[depth];
        }
    }
    assert_true(changed > 0);
}

TEST(test_reshuffles_follow_the_epoch)
{
    struct motherload_state a;
    struct chance chance = chance_of(7);
    LOAD_POSITION(game, &a, "bought 0 4 4 0 0");
    struct motherload_state b = a;
    game->rekey(game, &b, 2, &chance);
    motherload_draw(set, &a, 0, 1, &chance);
    motherload_draw(set, &b, 0, 1, &chance);
    assert_memory_not_equal(a.pile[0], b.pile[0], CARDS_OF_A_SEAT);
    assert_int_equal(a.reshuffles[0], b.reshuffles[0]);
}

/* Stacks fix the order of a shuffle after a take-back too. */
TEST(test_stacks_follow_the_epoch)
{
    struct motherload_state state;
    struct chance_stacks stacks = {.count = 0};
    struct chance chance = chance_of(0);
    chance.stacks = &stacks;
    LOAD_POSITION(game, &state, "at 0");
    state.epoch = 2;
    assert_true(chance_stack_add(&stacks, span_of("deck-0-1"), span_of("b0")));
    assert_true(chance_stack_add(&stacks, span_of("deck-0-1/e2"), span_of("w0 y0")));
    motherload_draw(set, &state, 0, 2, &chance);
    assert_int_equal(state.hand[0][CARD(WILD, 0)], 1);
    assert_int_equal(state.hand[0][CARD(YELLOW, 0)], 1);
}

int main(void)
{
    game = catalog_newest(span_of("super-motherload"));
    set = game->set;
    return run_all_tests(start_up, NULL);
}
