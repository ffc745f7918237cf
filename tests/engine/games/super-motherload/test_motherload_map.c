/* The map of Super Motherload: masks against a search space by space; and moves of all kinds, which
 * are accepted exactly if they are listed. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/super-motherload/map.h"
#include "tests/engine/games/super-motherload/motherload_game.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct motherload_components *set;

FIXTURE(start_up)
{
    game = catalog_newest(span_of("super-motherload"));
    return sodium_init() < 0;
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
            if (!game->play(game, &copy, copy.active, text_span(&move), chance, &refusal))
                continue;
            accepted++;
            if (move_list_find(legal, text_span(&move)) < 0)
                fail_msg("%s is accepted but not listed", bytes);
        }
    }
    assert_int_equal(accepted, legal->count);
    assert_true(accepted > 1); /* a single one is no ply */
}

TEST(test_places_are_listed)
{
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
    return row == 0 && set->boards[state->board[0]].depth == 1;
}

static bool can_cover(const struct motherload_state *state, const struct motherload_act *act,
                      int row, int column)
{
    if (!motherload_on_table(state, row, column) || is_covered(state, row, column))
        return false;
    char terrain = motherload_board_of(set, state, (unsigned)row)->terrain[row % ROWS][column];
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
    motherload_survey(set, state, act, &ground);
    for (unsigned i = 0; i < motherload_orientations(set, act); i++) {
        motherload_anchors(set, &ground, act, i, &anchors);
        for (unsigned row = 0; row < TABLE_ROWS; row++) {
            for (unsigned column = 0; column < 16; column++) {
                struct motherload_tunnel tunnel = motherload_tunnel_at(set, act, i, row, column);
                bool lies = can_lie(state, act, &tunnel);
                assert_int_equal(anchors.row[row] >> column & 1, lies);
                found += lies;
            }
        }
    }
    assert_int_equal(motherload_count_places(set, state, act, 4000), found);
    assert_int_equal(motherload_count_places(set, state, act, 2), found < 2 ? found : 2);
    return found;
}

static void check_lines(const struct motherload_state *state, unsigned color, unsigned bonuses)
{
    struct motherload_act act = {
        .kind = ACT_DRILL, .color = (uint8_t)color, .bonuses = (uint8_t)bonuses, .pattern = NONE};
    struct motherload_ground ground;
    motherload_survey(set, state, &act, &ground);
    unsigned longest = motherload_longest_line(&ground, COLUMNS + MAP_ROWS);
    for (unsigned enough = 1; enough <= longest; enough++)
        assert_int_equal(motherload_longest_line(&ground, enough), enough);
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

TEST(test_map_agrees_with_a_search)
{
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
                text_add_span(&move, set->colors[color]);
                text_add_char(&move, ' ');
                text_add_span(&move, set->cards[a].name);
                text_add_char(&move, ' ');
                text_add_span(&move, set->cards[b].name);
                bool accepted =
                    game->play(game, &copy, copy.active, text_span(&move), chance, &refusal);
                assert_int_equal(accepted, move_list_find(legal, text_span(&move)) >= 0);
            }
        }
    }
}

TEST(test_drills_are_listed)
{
    struct motherload_state state;
    begin_game(&state, 2, 3, 80);
    play_through(&state, 80, true, inspect_drills);
}

/* How many of the moves `stem WORD` for all words are accepted; these have to be listed. */
static size_t try_words(const struct motherload_state *state, const struct move_list *legal,
                        const struct chance *chance, const char *stem, const struct span *words,
                        size_t count)
{
    size_t accepted = 0;
    for (size_t i = 0; i < count; i++) {
        char bytes[GAME_MOVE_MAX + 1];
        struct text move = TEXT_OVER(bytes);
        struct motherload_state copy = *state;
        struct refusal refusal;
        text_add(&move, stem);
        text_add_span(&move, words[i]);
        if (!game->play(game, &copy, copy.active, text_span(&move), chance, &refusal))
            continue;
        accepted++;
        if (move_list_find(legal, text_span(&move)) < 0)
            fail_msg("%s is accepted but not listed", bytes);
    }
    return accepted;
}

static size_t try_copies(const struct motherload_state *state, const struct move_list *legal,
                         const struct chance *chance, const char *verb)
{
    size_t accepted = 0;
    for (unsigned mineral = 0; mineral < MINERALS; mineral++) {
        char bytes[GAME_MOVE_MAX + 1];
        struct text stem = TEXT_OVER(bytes);
        text_add(&stem, verb);
        text_add_span(&stem, set->minerals[mineral].name);
        text_add_char(&stem, ' ');
        accepted += try_words(state, legal, chance, bytes, set->colors, COLORS);
    }
    return accepted;
}

/* Moves other than drills and places are accepted exactly if they are listed. */
static void inspect_others(const struct motherload_state *state, const struct move_list *legal,
                           const struct chance *chance)
{
    static const struct span plain[] = {SPAN_LITERAL("draw"),
                                        SPAN_LITERAL("end"),
                                        SPAN_LITERAL("artifact extra-action"),
                                        SPAN_LITERAL("artifact draw-two"),
                                        SPAN_LITERAL("artifact bomb-draw"),
                                        SPAN_LITERAL("buy red recruit"),
                                        SPAN_LITERAL("buy blue recruit"),
                                        SPAN_LITERAL("buy yellow recruit"),
                                        SPAN_LITERAL("buy wild recruit")};
    static const char *const on_stack[] = {"artifact platinum ", "artifact gold-draw ", "buy ",
                                           "put "};
    struct span cards[CARDS];
    struct span goals[ACHIEVEMENTS];
    if (state->point <= AT_DECK || state->point == AT_PLACE || state->point == AT_SIDE)
        return;
    for (unsigned card = 0; card < CARDS; card++)
        cards[card] = set->cards[card].name;
    for (unsigned goal = 0; goal < ACHIEVEMENTS; goal++)
        goals[goal] = set->achievements[goal].name;
    size_t accepted = try_words(state, legal, chance, "", plain, sizeof plain / sizeof plain[0]);
    for (size_t i = 0; i < sizeof on_stack / sizeof on_stack[0]; i++)
        accepted += try_words(state, legal, chance, on_stack[i], set->colors, COLORS);
    accepted += try_copies(state, legal, chance, "artifact copy ");
    accepted += try_copies(state, legal, chance, "copy ");
    accepted += try_words(state, legal, chance, "bomb ", cards, CARDS);
    accepted += try_words(state, legal, chance, "discard ", cards, CARDS);
    accepted += try_words(state, legal, chance, "claim ", goals, ACHIEVEMENTS);
    accepted += try_words(state, legal, chance, "swap ", goals, ACHIEVEMENTS);
    for (size_t i = 0; i < legal->count; i++)
        accepted += memcmp(move_list_get(legal, i).at, "dri", 3) == 0;
    assert_int_equal(accepted, legal->count);
}

TEST(test_other_moves_are_listed)
{
    for (unsigned seats = SEATS_MIN; seats <= SEATS_MAX; seats++) {
        struct motherload_state state;
        begin_game(&state, seats, 3, (uint8_t)(90 + seats));
        play_through(&state, (uint8_t)seats, true, inspect_others);
    }
}

int main(void)
{
    game = catalog_newest(span_of("super-motherload"));
    set = game->set;
    return run_all_tests(start_up, NULL);
}
