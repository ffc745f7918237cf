/* What worked cases of Super Motherload cannot show: the sentences of refusals, what is conserved
 * in any game, the map's masks against a search space by space, shuffles, take-backs, and an
 * adviser that plays to win. Views and events have a file of their own. */
#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/catalog.h"
#include "engine/games/super-motherload/map.h"
#include "engine/games/super-motherload/piles.h"
#include "tests/engine/motherload_position.h"

static const struct game *game;

static int start_up(void **context)
{
    (void)context;
    game = catalog_newest(span_of("super-motherload"));
    return sodium_init() < 0;
}

static struct chance chance_of(uint8_t seed)
{
    struct chance chance = {.stacks = NULL};
    memset(chance.seed, seed, sizeof chance.seed);
    return chance;
}

/* `options`: bit 0 for decks=seat, bit 1 for sides=drawn. */
static void begin_game(struct motherload_state *state, unsigned seats, unsigned options,
                       uint8_t seed)
{
    struct chance chance = chance_of(seed);
    struct game_options chosen = {{0}};
    chosen.value[OPTION_DECKS] = (uint8_t)(options & 1);
    chosen.value[OPTION_SIDES] = (uint8_t)(options >> 1 & 1);
    memset(state, 0, sizeof *state);
    game->setup(state, seats, &chosen, &chance);
}

/* ---- the sentences of refusals ---- */

/* `before` is accepted first, "" for none; then `move` must be refused and change nothing. */
static const struct refused {
    const char *position, *before, *move, *code, *message;
} refusals[] = {
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

static void play(struct motherload_state *state, const char *move)
{
    struct chance chance = chance_of(0);
    struct refusal refusal = {"", ""};
    if (!game->play(state, state->active, span_of(move), &chance, &refusal))
        fail_msg("%s was refused: %s", move, refusal.code);
}

static void assert_refused(const struct motherload_state *state, unsigned seat, const char *move,
                           const char *code, const char *message)
{
    struct motherload_state copy = *state;
    struct chance chance = chance_of(0);
    struct refusal refusal = {"", ""};
    assert_false(game->play(&copy, seat, span_of(move), &chance, &refusal));
    assert_string_equal(refusal.code, code);
    assert_string_equal(refusal.message, message);
    assert_memory_equal(&copy, state, sizeof copy);
}

static void test_refusals(void **context)
{
    (void)context;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        struct motherload_state state;
        load_position(&state, refusals[i].position);
        if (refusals[i].before[0] != '\0')
            play(&state, refusals[i].before);
        assert_refused(&state, 0, refusals[i].move, refusals[i].code, refusals[i].message);
    }
}

static void test_refusals_of_setup_split_and_end(void **context)
{
    (void)context;
    struct motherload_state state;
    begin_game(&state, 2, 2, 1);
    play(&state, "deck gray");
    assert_refused(&state, 1, "deck gray", "deck-taken", "That deck is taken.");

    load_position(&state, "bought 0 0 0 0 4\nhand 0 y0 w25\ndraw 0 r0\ntunnels 1h1-6");
    play(&state, "drill yellow y0 w25");
    play(&state, "place 1d6 h");
    play(&state, "put blue");
    assert_refused(&state, 0, "put red", "put-order",
                   "Equal minerals go in the order red, blue, yellow, wild.");

    load_position(&state, "idle 5");
    play(&state, "end");
    assert_int_equal(game->deciders(&state), 0);
    assert_refused(&state, 1, "draw", "game-over", "The game is over.");
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
            assert_int_equal(count, own ? motherload_cards[card].count : 0);
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

/* Of each kind there are two tiles: in the pile, held, or used. */
static void check_artifacts(const struct motherload_state *state)
{
    unsigned left[ARTIFACTS] = {0};
    for (unsigned i = state->artifact_next; i < ARTIFACT_TILES; i++)
        left[state->artifact_pile[i]]++;
    for (unsigned artifact = 0; artifact < ARTIFACTS; artifact++) {
        for (unsigned seat = 0; seat < state->seats; seat++)
            left[artifact] += state->artifacts[seat][artifact];
        assert_true(left[artifact] <= motherload_artifacts[artifact].count);
    }
}

static void check_boards(const struct motherload_state *state)
{
    assert_true(state->boards <= TABLE_BOARDS);
    for (unsigned row = state->boards * ROWS; row < MAP_ROWS; row++)
        assert_int_equal(state->covered[row], 0);
    if (state->boards == TABLE_BOARDS) {
        unsigned upper = motherload_boards[state->board[0]].depth;
        unsigned lower = motherload_boards[state->board[1]].depth;
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
        assert_false(motherload_is_due(state, color));
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

/* ---- games played through ---- */

typedef void inspect_position(const struct motherload_state *state, const struct move_list *legal,
                              const struct chance *chance);

/* Picks seat 0's moves by advice if `advised`, all others at random but the same in every run;
 * shows every position on the way to `inspect`. */
static void play_through(struct motherload_state *state, uint8_t seed, bool advised,
                         inspect_position *inspect)
{
    struct chance chance = chance_of(seed);
    struct chance_stream choice;
    struct move_list legal;
    assert_true(move_list_init(&legal, game));
    chance_open(&choice, &chance, "test", 0);
    while (game->deciders(state) != 0) {
        move_list_clear(&legal);
        game->legal(state, state->active, &legal);
        inspect(state, &legal, &chance);
        size_t i = chance_uniform(&choice, (uint32_t)legal.count);
        if (advised && state->active == 0) {
            json_t *view = game->view(state, (struct viewer){VIEWER_SEAT, 0});
            i = game->advise(view, &legal);
            json_decref(view);
            assert_true(i < legal.count);
        }
        struct refusal refusal = {"", ""};
        struct span move = move_list_get(&legal, i);
        if (!game->play(state, state->active, move, &chance, &refusal))
            fail_msg("%s was refused: %s", move.at, refusal.code);
    }
    move_list_free(&legal);
}

static void inspect_conservation(const struct motherload_state *state,
                                 const struct move_list *legal, const struct chance *chance)
{
    (void)legal;
    (void)chance;
    check_position(state);
}

static void test_conservation(void **context)
{
    (void)context;
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

/* `place` is accepted for exactly the spaces and orientations that are listed. */
static void inspect_places(const struct motherload_state *state, const struct move_list *legal,
                           const struct chance *chance)
{
    static const char *const ends[] = {"",    " h",  " v",  " o0", " o1", " o2",
                                       " o3", " o4", " o5", " o6", " o7"};
    if (state->point != AT_PLACE)
        return;
    size_t accepted = 0;
    for (unsigned space = 0; space < DEPTHS * BOARD_SPACES; space++) {
        for (size_t end = 0; end < sizeof ends / sizeof ends[0]; end++) {
            char bytes[32];
            struct text move = TEXT_OVER(bytes);
            struct motherload_state copy = *state;
            struct refusal refusal;
            text_add(&move, "place ");
            motherload_add_space(&move, space);
            text_add(&move, ends[end]);
            if (!game->play(&copy, copy.active, text_span(&move), chance, &refusal))
                continue;
            accepted++;
            if (move_list_find(legal, text_span(&move)) < 0)
                fail_msg("%s is accepted but not listed", bytes);
        }
    }
    assert_int_equal(accepted, legal->count);
    assert_true(accepted > 1); /* a single one is no ply */
}

static void test_places_are_listed(void **context)
{
    (void)context;
    for (unsigned seats = SEATS_MIN; seats <= SEATS_MAX; seats++) {
        struct motherload_state state;
        begin_game(&state, seats, 3, (uint8_t)(40 + seats));
        play_through(&state, (uint8_t)seats, true, inspect_places);
    }
}

static bool is_covered(const struct motherload_state *state, int row, int column)
{
    return motherload_on_table(state, row, column) && (state->covered[row] >> column & 1) != 0;
}

static bool touches(const struct motherload_state *state, const struct motherload_act *act, int row,
                    int column)
{
    bool corners = (act->bonuses >> CORNER & 1) != 0;
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++)
            if ((corners || down == 0 || right == 0) &&
                is_covered(state, row + down, column + right))
                return true;
    return row == 0 && motherload_boards[state->board[0]].depth == 1;
}

static bool can_cover(const struct motherload_state *state, const struct motherload_act *act,
                      int row, int column)
{
    if (!motherload_on_table(state, row, column) || is_covered(state, row, column))
        return false;
    char terrain = motherload_board_of(state, (unsigned)row)->terrain[row % ROWS][column];
    if (terrain == '#')
        return act->kind == ACT_BOMB || (act->bonuses >> ROCK & 1) != 0;
    return terrain == '.' || (act->kind == ACT_DRILL && terrain == "RBY"[act->color]);
}

static bool can_lie(const struct motherload_state *state, const struct motherload_act *act,
                    const struct motherload_tunnel *tunnel)
{
    bool joined = false;
    for (unsigned i = 0; i < tunnel->count; i++) {
        if (!can_cover(state, act, tunnel->row[i], tunnel->column[i]))
            return false;
        joined = joined || touches(state, act, tunnel->row[i], tunnel->column[i]);
    }
    return joined;
}

/* Masks against a search space by space; returns in how many ways the tunnel can lie. */
static unsigned check_act(const struct motherload_state *state, const struct motherload_act *act)
{
    struct motherload_ground ground;
    struct motherload_rows anchors;
    unsigned found = 0;
    motherload_survey(state, act, &ground);
    for (unsigned i = 0; i < motherload_orientations(act); i++) {
        motherload_anchors(&ground, act, i, &anchors);
        for (unsigned row = 0; row < TABLE_ROWS; row++) {
            for (unsigned column = 0; column < 16; column++) {
                struct motherload_tunnel tunnel = motherload_tunnel_at(act, i, row, column);
                bool lies = can_lie(state, act, &tunnel);
                assert_int_equal(anchors.row[row] >> column & 1, lies);
                found += lies;
            }
        }
    }
    assert_int_equal(motherload_count_places(state, act, 4000), found);
    assert_int_equal(motherload_count_places(state, act, 2), found < 2 ? found : 2);
    return found;
}

static void check_lines(const struct motherload_state *state, unsigned color, unsigned bonuses)
{
    struct motherload_act act = {
        .kind = ACT_DRILL, .color = (uint8_t)color, .bonuses = (uint8_t)bonuses, .pattern = NONE};
    struct motherload_ground ground;
    motherload_survey(state, &act, &ground);
    unsigned longest = motherload_longest_line(&ground);
    for (act.length = 1; act.length <= TUNNEL_MAX; act.length++)
        assert_int_equal(check_act(state, &act) > 0, act.length <= longest);
}

static void inspect_map(const struct motherload_state *state, const struct move_list *legal,
                        const struct chance *chance)
{
    (void)legal;
    (void)chance;
    if (state->point != AT_TRIM && state->point != AT_SWAP)
        return;
    check_lines(state, RED, 0);
    check_lines(state, BLUE, 1u << CORNER);
    check_lines(state, YELLOW, 1u << CORNER | 1u << ROCK);
    for (uint8_t pattern = 0; pattern < PATTERNS; pattern++) {
        struct motherload_act act = {.kind = ACT_BOMB, .pattern = pattern};
        check_act(state, &act);
    }
}

static void test_map_agrees_with_a_search(void **context)
{
    (void)context;
    for (uint8_t seed = 0; seed < 3; seed++) {
        struct motherload_state state;
        begin_game(&state, SEATS_MIN + seed, 3, (uint8_t)(60 + seed));
        play_through(&state, seed, false, inspect_map);
    }
}

/* A drill of any cards in hand is accepted exactly if it is listed. */
static void inspect_drills(const struct motherload_state *state, const struct move_list *legal,
                           const struct chance *chance)
{
    if (state->point != AT_MAIN)
        return;
    for (unsigned a = 0; a < CARDS; a++) {
        for (unsigned b = a; b < CARDS; b++) {
            for (unsigned color = 0; color < DRILL_COLORS; color++) {
                char bytes[40];
                struct text move = TEXT_OVER(bytes);
                struct motherload_state copy = *state;
                struct refusal refusal;
                text_add(&move, "drill ");
                text_add_span(&move, motherload_colors[color]);
                text_add_char(&move, ' ');
                text_add_span(&move, motherload_cards[a].name);
                text_add_char(&move, ' ');
                text_add_span(&move, motherload_cards[b].name);
                bool accepted = game->play(&copy, copy.active, text_span(&move), chance, &refusal);
                assert_int_equal(accepted, move_list_find(legal, text_span(&move)) >= 0);
            }
        }
    }
}

static void test_drills_are_listed(void **context)
{
    (void)context;
    struct motherload_state state;
    begin_game(&state, 2, 3, 80);
    play_through(&state, 80, true, inspect_drills);
}

/* A seat that played no better than its three random rivals would win about one game in four. */
static void test_adviser_beats_random_players(void **context)
{
    (void)context;
    unsigned wins = 0;
    for (uint8_t seed = 0; seed < 8; seed++) {
        struct motherload_state state;
        struct outcome outcome;
        begin_game(&state, 4, 0, seed);
        play_through(&state, seed, true, inspect_conservation);
        game->outcome(&state, &outcome);
        wins += outcome.rank[0] == 1;
    }
    assert_true(wins > 5);
}

/* ---- bounds ---- */

/* All 23 cards in hand, an empty map: no more drills than the bound counts, none longer in text. */
static void test_bounds_hold_with_all_cards_in_hand(void **context)
{
    (void)context;
    struct motherload_state state;
    struct move_list legal;
    load_position(&state, "bought 0 4 4 4 4\n"
                          "hand 0 r0 r0 r10 r15 r20 r25 b0 b0 b10 b15 b20 b25 y0 y0 y10 y15 y20 "
                          "y25 w0 w10 w15 w20 w25");
    assert_true(move_list_init(&legal, game));
    game->legal(&state, 0, &legal);
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

/* ---- chance ---- */

static void test_one_seed_deals_the_same_whatever_is_chosen(void **context)
{
    (void)context;
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
        assert_true(game->play(&a, seats[i], span_of(plies[0][i]), &chance, &refusal));
        assert_true(game->play(&b, seats[i], span_of(plies[1][i]), &chance, &refusal));
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
static void test_a_reshuffle_has_its_own_stream(void **context)
{
    (void)context;
    struct motherload_state state;
    struct chance chance = chance_of(21);
    struct chance_stream stream;
    uint8_t expected[] = {CARD(RED, 0),    CARD(RED, 0),    CARD(BLUE, 0), CARD(BLUE, 0),
                          CARD(YELLOW, 0), CARD(YELLOW, 0), CARD(WILD, 0)};
    load_position(&state, "at 1");
    state.reshuffles[1] = 4;
    motherload_draw(&state, 1, 1, &chance);
    chance_open(&stream, &chance, "deck-1-5", 0);
    chance_shuffle(&stream, expected, sizeof expected);
    assert_int_equal(state.reshuffles[1], 5);
    assert_memory_equal(state.pile[1], expected, sizeof expected);
    assert_int_equal(state.hand[1][expected[0]], 1);
}

static void test_drawn_sides_come_from_their_stream(void **context)
{
    (void)context;
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

static void sort_bytes(uint8_t *bytes, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && bytes[j - 1] > bytes[j]; j--) {
            uint8_t byte = bytes[j];
            bytes[j] = bytes[j - 1];
            bytes[j - 1] = byte;
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
    state->minors[1] = motherload_take_minor(state);
}

static void test_rekey_changes_only_what_nobody_has_seen(void **context)
{
    (void)context;
    struct motherload_state before;
    struct chance chance = chance_of(5);
    reach_a_swap(&before);
    struct motherload_state after = before;
    game->rekey(&after, 1, &chance);
    assert_memory_not_equal(before.artifact_pile, after.artifact_pile, ARTIFACT_TILES);
    assert_memory_not_equal(before.minor_deck, after.minor_deck, MINORS);
    assert_memory_not_equal(before.pile, after.pile, sizeof before.pile);
    uint8_t last = (uint8_t)(before.minor_deck_count - 1);
    assert_int_equal(before.minor_deck[last], after.minor_deck[last]);

    struct motherload_state other = before;
    game->rekey(&other, 2, &chance);
    assert_memory_not_equal(other.artifact_pile, after.artifact_pile, ARTIFACT_TILES);

    sort_hidden(&before);
    sort_hidden(&after);
    assert_int_equal(after.epoch, 1);
    after.epoch = before.epoch;
    assert_memory_equal(&before, &after, sizeof before);
}

/* The order after a rekey must not depend on the order that was to come before it. */
static void test_rekey_forgets_the_old_order(void **context)
{
    (void)context;
    struct motherload_state a;
    struct chance chance = chance_of(5);
    reach_a_swap(&a);
    struct motherload_state b = a;
    sort_hidden(&b);
    assert_memory_not_equal(&a, &b, sizeof a);
    game->rekey(&a, 3, &chance);
    game->rekey(&b, 3, &chance);
    assert_memory_equal(&a, &b, sizeof a);
}

/* Sides that lie on the table, or have been passed, stay; the others are drawn anew. */
static void test_rekey_draws_unseen_sides_anew(void **context)
{
    (void)context;
    unsigned changed = 0;
    for (uint8_t seed = 0; seed < 16; seed++) {
        struct motherload_state state;
        struct chance chance = chance_of(seed);
        begin_game(&state, 4, 2, seed);
        uint8_t side[DEPTHS];
        memcpy(side, state.side, sizeof side);
        game->rekey(&state, 1, &chance);
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

static void test_reshuffles_follow_the_epoch(void **context)
{
    (void)context;
    struct motherload_state a;
    struct chance chance = chance_of(7);
    load_position(&a, "bought 0 4 4 0 0");
    struct motherload_state b = a;
    game->rekey(&b, 2, &chance);
    motherload_draw(&a, 0, 1, &chance);
    motherload_draw(&b, 0, 1, &chance);
    assert_memory_not_equal(a.pile[0], b.pile[0], CARDS_OF_A_SEAT);
    assert_int_equal(a.reshuffles[0], b.reshuffles[0]);
}

/* Stacks fix the order of a shuffle after a take-back too. */
static void test_stacks_follow_the_epoch(void **context)
{
    (void)context;
    struct motherload_state state;
    struct chance_stacks stacks = {.count = 0};
    struct chance chance = chance_of(0);
    chance.stacks = &stacks;
    load_position(&state, "at 0");
    state.epoch = 2;
    assert_true(chance_stack_add(&stacks, span_of("deck-0-1"), span_of("b0")));
    assert_true(chance_stack_add(&stacks, span_of("deck-0-1/e2"), span_of("w0 y0")));
    motherload_draw(&state, 0, 2, &chance);
    assert_int_equal(state.hand[0][CARD(WILD, 0)], 1);
    assert_int_equal(state.hand[0][CARD(YELLOW, 0)], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_refusals_of_setup_split_and_end),
        cmocka_unit_test(test_conservation),
        cmocka_unit_test(test_places_are_listed),
        cmocka_unit_test(test_map_agrees_with_a_search),
        cmocka_unit_test(test_drills_are_listed),
        cmocka_unit_test(test_adviser_beats_random_players),
        cmocka_unit_test(test_bounds_hold_with_all_cards_in_hand),
        cmocka_unit_test(test_one_seed_deals_the_same_whatever_is_chosen),
        cmocka_unit_test(test_a_reshuffle_has_its_own_stream),
        cmocka_unit_test(test_drawn_sides_come_from_their_stream),
        cmocka_unit_test(test_rekey_changes_only_what_nobody_has_seen),
        cmocka_unit_test(test_rekey_forgets_the_old_order),
        cmocka_unit_test(test_rekey_draws_unseen_sides_anew),
        cmocka_unit_test(test_reshuffles_follow_the_epoch),
        cmocka_unit_test(test_stacks_follow_the_epoch),
    };
    return cmocka_run_group_tests(tests, start_up, NULL);
}
