/* What worked cases of Super Motherload cannot show: the sentences of refusals, what is conserved
 * in any game, bounds, and an adviser that plays to win. The map, chance, and views with events
 * have files of their own. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/super-motherload/map.h"
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

/* ---- the sentences of refusals ---- */

static const struct refused refusals[] = {
    {"at 0", "", "jump", "bad-syntax", "This is not a move of Super Motherload."},
    {"at 1", "", "draw", "not-your-turn", "Another seat has to decide now."},
    {"at 0", "", "put red", "wrong-moment", "This kind of move is not possible now."},
    {"left 0", "", "draw", "no-action-left", "You have no action left."},
    {"left 0", "", "drill red r0", "no-action-left", "You have no action left."},
    {"left 0", "", "bomb r0", "no-action-left", "You have no action left."},
    {"hand 0 r0 r0 b0 b0 y0 y0 w0", "", "draw", "nothing-to-draw", "You have no cards to draw."},
    {"hand 0 r0", "", "drill red b0", "card-not-in-hand", "You do not hold these cards."},
    {"hand 0 r0", "", "bomb r10", "card-not-in-hand", "You do not hold these cards."},
    {"hand 0 r0 b0", "", "drill red b0", "color-mismatch",
     "All cards must be of the declared color or wild."},
    {"boards 2a\nhand 0 r0", "", "drill red r0", "no-place",
     "There is no room for this on the board."},
    {"boards 2a\nhand 0 r0", "", "bomb r0", "no-place", "There is no room for this on the board."},
    {"hand 0 r0\nbombs 0 0", "", "bomb r0", "no-bomb-token", "You have no bomb token."},
    {"hand 0 b0", "", "bomb b0", "no-pattern", "This card has no bomb pattern."},
    {"at 0", "", "artifact draw-two", "no-artifact", "You do not hold this artifact."},
    {"hand 0 r0 r0 b0 b0 y0 y0 w0\nartifacts 0 draw-two", "", "artifact draw-two",
     "nothing-to-gain", "This would change nothing."},
    {"bought 0 4 0 0 0\nartifacts 0 platinum", "", "artifact platinum red", "stack-empty",
     "That stack has no card left."},
    {"artifacts 0 copy", "", "artifact copy gold red", "no-such-mineral",
     "None of your stacks holds this mineral."},
    {"at 0", "", "claim demolition", "not-face-up", "This achievement is not face up."},
    {"minerals 0 red iron iron iron iron\nminors iron-stock demolition crossing",
     "claim iron-stock", "claim crossing", "claim-limit", "One minor and one major a turn."},
    {"at 0", "", "claim four-fronts", "goal-not-met", "Its goal is not met."},
    {"hand 0 b0 b0", "drill blue b0 b0", "place 1a1", "bad-orientation",
     "Wrong or missing orientation."},
    {"hand 0 b0 b0", "drill blue b0 b0", "place 2a1 h", "not-in-play",
     "That board is not on the table."},
    {"hand 0 b0 b0", "drill blue b0 b0", "place 1n1 h", "off-board",
     "The tunnel would leave the boards."},
    {"hand 0 b0 b0\ntunnels 1c1", "drill blue b0 b0", "place 1b1 h", "covered",
     "A tunnel already lies there."},
    {"hand 0 b0 b0", "drill blue b0 b0", "place 1c4 v", "rock", "Rock cannot be drilled."},
    {"hand 0 b0 b0", "drill blue b0 b0", "place 1d4 v", "steel",
     "Steel needs drills of its color and cannot be bombed."},
    {"hand 0 b0 b0", "drill blue b0 b0", "place 1a2 v", "not-connected",
     "It must touch a tunnel or the surface."},
    {"bought 0 0 0 0 1\nhand 0 w10\ndraw 0 r0", "drill blue w10", "swap iron-stock", "not-face-up",
     "This achievement is not face up."},
    {"minerals 0 red gold\nartifacts 0 platinum relic", "artifact platinum red", "buy blue",
     "not-due", "This stack does not hold the cost."},
    {"bought 0 0 0 0 1\nminerals 0 wild ruby\nartifacts 0 platinum recruit",
     "artifact platinum wild", "buy wild recruit", "goes-to-hand",
     "This card goes to your hand anyway."},
    {"bought 0 1 0 0 0\nminerals 0 red ruby\nminerals 0 blue gold\nartifacts 0 platinum",
     "artifact platinum red", "copy gold red", "same-stack", "Not on the stack you bought from."},
    {"hand 0 r0 r0 b0 b0 y0 y0", "end", "discard w0", "card-not-in-hand",
     "You do not hold these cards."},
};

TEST(test_refusals)
{
    check_refusals(game, refusals, sizeof refusals / sizeof refusals[0]);
}

TEST(test_refusals_of_setup_split_and_end)
{
    struct motherload_state state;
    begin_game(&state, 2, 2, 1);
    play(&state, "deck gray");
    assert_refused(game, &state, 1, "deck gray", "deck-taken", "That deck is taken.");

    LOAD_POSITION(game, &state, "bought 0 0 0 0 4\nhand 0 y0 w25\ndraw 0 r0\ntunnels 1h1-6");
    play(&state, "drill yellow y0 w25");
    play(&state, "place 1d6 h");
    play(&state, "put blue");
    assert_refused(game, &state, 0, "put red", "put-order",
                   "Equal minerals go in the order red, blue, yellow, wild.");

    LOAD_POSITION(game, &state, "idle 5");
    play(&state, "end");
    assert_int_equal(game->deciders(&state), 0);
    assert_refused(game, &state, 1, "draw", "game-over", "The game is over.");
}

/* ---- what is conserved ---- */

static void check_cards(const struct motherload_state *state)
{
    for (unsigned seat = 0; seat < state->seats; seat++) {
        if (state->deck[seat] == NONE || state->point == AT_DECK)
            continue;
        uint8_t cards[CARDS] = {0};
        for (unsigned i = state->pile_next[seat]; i < state->pile_end[seat]; i++)
            cards[state->pile[seat][i]]++;
        for (unsigned card = 0; card < CARDS; card++) {
            bool own = TIER_OF(card) <= state->bought[seat][COLOR_OF(card)];
            unsigned count =
                (unsigned)cards[card] + state->hand[seat][card] + state->discard[seat][card];
            assert_int_equal(count, own ? set->cards[card].count : 0);
        }
        for (unsigned color = 0; color < COLORS; color++)
            assert_true(state->bought[seat][color] <= STACK_CARDS);
    }
}

static void check_tokens(const struct motherload_state *state)
{
    unsigned tokens = state->supply;
    for (unsigned seat = 0; seat < state->seats; seat++)
        tokens += state->bombs[seat];
    assert_int_equal(tokens, BOMB_TOKENS);
}

/* Each minor is in one place; a major is face up or claimed, or was never dealt. */
static void check_achievements(const struct motherload_state *state)
{
    if (state->point == AT_SIDE_1)
        return;
    unsigned where[ACHIEVEMENTS] = {0};
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        if (state->minors[slot] != NONE)
            where[state->minors[slot]]++;
        if (state->majors[slot] != NONE)
            where[state->majors[slot]]++;
    }
    for (unsigned i = 0; i < state->minor_deck_count; i++)
        where[state->minor_deck[i]]++;
    unsigned majors = 0;
    for (unsigned i = 0; i < ACHIEVEMENTS; i++) {
        for (unsigned seat = 0; seat < state->seats; seat++)
            where[i] += state->claimed[seat] >> i & 1;
        if (i < MINORS)
            assert_int_equal(where[i], 1);
        else
            majors += where[i];
        assert_true(where[i] <= 1);
    }
    assert_int_equal(majors, SLOTS);
    assert_true(state->minor_deck_known <= state->minor_deck_count);
}

/* Each kind has two tiles: in the pile, held, or used. */
static void check_artifacts(const struct motherload_state *state)
{
    unsigned left[ARTIFACTS] = {0};
    for (unsigned i = state->artifact_next; i < ARTIFACT_TILES; i++)
        left[state->artifact_pile[i]]++;
    for (unsigned artifact = 0; artifact < ARTIFACTS; artifact++) {
        for (unsigned seat = 0; seat < state->seats; seat++)
            left[artifact] += state->artifacts[seat][artifact];
        assert_true(left[artifact] <= set->artifacts[artifact].count);
    }
}

static void check_boards(const struct motherload_state *state)
{
    assert_true(state->boards <= TABLE_BOARDS);
    for (unsigned row = state->boards * ROWS; row < MAP_ROWS; row++)
        assert_int_equal(state->covered[row], 0);
    if (state->boards == TABLE_BOARDS) {
        unsigned upper = set->boards[state->board[0]].depth;
        unsigned lower = set->boards[state->board[1]].depth;
        assert_int_equal(lower, upper + (state->seats == 2 && upper == 2 ? 2 : 1));
    }
}

static void check_minerals(const struct motherload_state *state)
{
    unsigned waiting = motherload_tiles(state->waiting);
    assert_int_equal(waiting > 0, state->point == AT_PUT);
    for (unsigned seat = 0; seat < state->seats; seat++)
        for (unsigned color = 0; color < COLORS; color++)
            if (!motherload_stack_left(state, seat, color))
                assert_int_equal(motherload_tiles(state->minerals[seat][color]), 0);
    if (state->point != AT_MAIN && state->point != AT_TRIM)
        return;
    for (unsigned color = 0; color < COLORS; color++)
        assert_false(motherload_is_due(set, state, color));
}

static void check_position(const struct motherload_state *state)
{
    check_cards(state);
    check_tokens(state);
    check_achievements(state);
    check_artifacts(state);
    check_boards(state);
    check_minerals(state);
    assert_true(state->notes < NOTES_MAX);
    assert_true(state->point <= AT_OVER);
    assert_true(state->idle <= IDLE_TURNS * state->seats);
    assert_int_equal(state->bought_from != NONE, state->point == AT_COPY);
    assert_int_equal(state->unused, 0);
}

static void inspect_conservation(const struct motherload_state *state,
                                 const struct move_list *legal, const struct chance *chance)
{
    (void)legal;
    (void)chance;
    check_position(state);
}

TEST(test_conservation)
{
    for (unsigned seats = SEATS_MIN; seats <= SEATS_MAX; seats++) {
        for (uint8_t seed = 0; seed < 16; seed++) {
            struct motherload_state state;
            begin_game(&state, seats, seed % 4u, seed);
            play_through(&state, seed, seed >= 8, inspect_conservation);
            check_position(&state);
            assert_true(state.ending || state.idle == IDLE_TURNS * seats);
        }
    }
}

/* A seat that played no better than its three random rivals would win about one game in four. */
TEST(test_adviser_beats_random_players)
{
    unsigned wins = 0;
    for (uint8_t seed = 0; seed < 8; seed++) {
        struct motherload_state state;
        struct outcome outcome;
        begin_game(&state, 4, 0, seed);
        play_through(&state, seed, true, inspect_conservation);
        game->outcome(game, &state, &outcome);
        wins += outcome.rank[0] == 1;
    }
    assert_true(wins > 5);
}

/* ---- bounds ---- */

/* All 23 cards in hand, an empty map: no more drills than the bound counts, none longer in text. */
TEST(test_bounds_hold_with_all_cards_in_hand)
{
    struct motherload_state state;
    struct move_list legal;
    LOAD_POSITION(game, &state,
                  "bought 0 4 4 4 4\n"
                  "hand 0 r0 r0 r10 r15 r20 r25 b0 b0 b10 b15 b20 b25 y0 y0 y10 y15 y20 "
                  "y25 w0 w10 w15 w20 w25");
    assert_true(move_list_init(&legal, game));
    game->legal(game, &state, 0, &legal);
    size_t longest = 0;
    size_t drills = 0;
    for (size_t i = 0; i < legal.count; i++) {
        struct span move = move_list_get(&legal, i);
        longest = move.length > longest ? move.length : longest;
        drills += move.length > 5 && memcmp(move.at, "drill", 5) == 0;
        assert_true(i == 0 || span_compare(move_list_get(&legal, i - 1), move) < 0);
    }
    assert_int_equal(longest, game->move_max);
    assert_int_equal(drills, 3715);
    move_list_free(&legal);
}

int main(void)
{
    game = catalog_newest(span_of("super-motherload"));
    set = game->set;
    return run_all_tests(start_up, NULL);
}
