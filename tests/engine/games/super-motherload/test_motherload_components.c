/* The tables that the rules of Super Motherload use say the same as the published component data,
 * field by field; masks and orientations are what the drawings make them. */
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/super-motherload/components.h"
#include "tests/engine/support/component_data.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct motherload_components *set;

FIXTURE(read_components)
{
    return read_components_of("super-motherload");
}

static const json_t *list(const char *table, size_t length)
{
    const json_t *rows = member(member(data, table), "list");
    assert_int_equal(json_array_size(rows), length);
    return rows;
}

TEST(test_identity)
{
    assert_same(text(data, "slug"), span_of(game->slug));
    assert_same(text(data, "title"), span_of(game->title));
    assert_same(text(data, "ruleset"), span_of(game->version));
}

TEST(test_options)
{
    const json_t *options = list("options", game->option_count);
    for (size_t i = 0; i < game->option_count; i++) {
        const json_t *option = json_array_get(options, i);
        int at = game_option_index(game, text(option, "id"));
        assert_true(at >= 0);
        const struct game_option *ours = &game->options[at];
        assert_same(text(option, "default"), span_of(ours->values[ours->initial]));
        const json_t *values = member(option, "values");
        for (size_t j = 0; j < json_array_size(values); j++)
            assert_string_equal(json_string_value(json_array_get(values, j)), ours->values[j]);
        assert_null(ours->values[json_array_size(values)]);
    }
}

TEST(test_parameters)
{
    static const struct {
        const char *name;
        unsigned value;
    } expected[] = {
        {"seats_min", SEATS_MIN},
        {"seats_max", SEATS_MAX},
        {"actions_per_turn", ACTIONS_OF_A_TURN},
        {"draw_action_cards", CARDS_OF_A_DRAW},
        {"opening_hand", OPENING_HAND},
        {"hand_limit", HAND_LIMIT},
        {"opening_bombs", OPENING_BOMBS},
        {"bomb_tokens", BOMB_TOKENS},
        {"artifact_tiles", ARTIFACT_TILES},
        {"minors_face_up", SLOTS},
        {"majors_face_up", SLOTS},
        {"boards_on_table_max", TABLE_BOARDS},
        {"board_columns", COLUMNS},
        {"board_rows", ROWS},
        {"idle_turns_per_seat_to_end", IDLE_TURNS},
    };
    const json_t *parameters = member(data, "parameters");
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(number(parameters, expected[i].name), expected[i].value);
    const json_t *claims = member(parameters, "claims_per_turn");
    assert_int_equal(number(claims, "minor"), 1);
    assert_int_equal(number(claims, "major"), 1);
    /* All numbers are listed above; what is left is claims, depths (rules) and the provenance. */
    assert_int_equal(json_object_size(parameters), sizeof expected / sizeof expected[0] + 3);
}

TEST(test_colors)
{
    const json_t *names = list("colors", COLORS);
    const json_t *letters = member(member(data, "colors"), "letters");
    const json_t *declarable = member(member(data, "colors"), "declarable");
    assert_int_equal(json_array_size(declarable), DRILL_COLORS);
    for (unsigned i = 0; i < COLORS; i++) {
        assert_same(span_of(json_string_value(json_array_get(names, i))), set->colors[i]);
        assert_int_equal(text(letters, set->colors[i].at).at[0], set->cards[CARD(i, 0)].name.at[0]);
        assert_int_equal(motherload_color_named(set, set->colors[i]), i);
    }
    for (unsigned i = 0; i < DRILL_COLORS; i++)
        assert_same(span_of(json_string_value(json_array_get(declarable, i))), set->colors[i]);
}

TEST(test_minerals)
{
    const json_t *rows = list("minerals", MINERALS);
    for (unsigned i = 0; i < MINERALS; i++) {
        const json_t *row = json_array_get(rows, i);
        assert_same(text(row, "id"), set->minerals[i].name);
        assert_int_equal(text(row, "char").at[0], set->minerals[i].letter);
        assert_int_equal(number(row, "value"), set->minerals[i].value);
        assert_int_equal(motherload_mineral_named(set, set->minerals[i].name), i);
        assert_true(i == 0 || set->minerals[i - 1].value < set->minerals[i].value);
    }
}

TEST(test_bonuses)
{
    const json_t *drill = list("drill_bonuses", DRILL_BONUSES);
    for (unsigned i = 0; i < DRILL_BONUSES; i++)
        assert_same(text(json_array_get(drill, i), "id"), set->drill_bonuses[i]);
    const json_t *buy = list("buy_bonuses", BUY_BONUSES);
    for (unsigned i = 0; i < BUY_BONUSES; i++)
        assert_same(text(json_array_get(buy, i), "id"), set->buy_bonuses[i]);
}

/* A name, or null for NONE. */
static void assert_named(const json_t *row, const char *key, uint8_t index,
                         const struct span *names)
{
    const json_t *value = member(row, key);
    if (index == NONE)
        assert_true(json_is_null(value));
    else
        assert_same(span_of(json_string_value(value)), names[index]);
}

static void assert_card(const json_t *row, uint8_t card, const struct motherload_deck *deck)
{
    struct span patterns[PATTERNS];
    for (unsigned i = 0; i < PATTERNS; i++)
        patterns[i] = set->patterns[i].name;
    const struct motherload_card *ours = &set->cards[card];
    const struct motherload_feature *feature = &deck->feature[card];
    assert_same(text(row, "id"), ours->name);
    assert_same(text(row, "color"), set->colors[COLOR_OF(card)]);
    assert_int_equal(number(row, "cost"), ours->cost);
    assert_int_equal(number(row, "vp"), ours->points);
    assert_int_equal(number(row, "icons"), ours->icons);
    assert_named(row, "pattern", feature->pattern, patterns);
    assert_named(row, "drill_bonus", feature->drill, set->drill_bonuses);
    assert_named(row, "buy_bonus", feature->buy, set->buy_bonuses);
}

TEST(test_decks)
{
    const json_t *decks = list("decks", DECKS);
    const json_t *starters = list("starters", COLORS);
    for (unsigned i = 0; i < DECKS; i++) {
        const json_t *row = json_array_get(decks, i);
        const struct motherload_deck *deck = &set->decks[i];
        assert_same(text(row, "id"), deck->name);
        assert_int_equal(motherload_deck_named(set, deck->name), i);
        const json_t *cards = member(row, "cards");
        assert_int_equal(json_array_size(cards), COLORS * STACK_CARDS);
        for (unsigned j = 0; j < COLORS * STACK_CARDS; j++)
            assert_card(json_array_get(cards, j), CARD(j / STACK_CARDS, j % STACK_CARDS + 1), deck);
        for (unsigned color = 0; color < COLORS; color++)
            assert_card(json_array_get(starters, color), CARD(color, 0), deck);
    }
}

TEST(test_cards)
{
    const json_t *names = list("card_order", CARDS);
    const json_t *starters = list("starters", COLORS);
    unsigned total = 0;
    for (unsigned i = 0; i < CARDS; i++) {
        assert_same(span_of(json_string_value(json_array_get(names, i))), set->cards[i].name);
        assert_int_equal(motherload_card_named(set, set->cards[i].name), i);
        unsigned count = 1;
        if (TIER_OF(i) == 0)
            count = (unsigned)number(json_array_get(starters, COLOR_OF(i)), "count");
        assert_int_equal(set->cards[i].count, count);
        total += count;
    }
    assert_int_equal(total, CARDS_OF_A_SEAT);
}

/* The rules read the bonuses of a drill as a set, so a deck has none of them twice. */
TEST(test_no_drill_bonus_twice)
{
    for (unsigned deck = 0; deck < DECKS; deck++) {
        unsigned seen = 0;
        for (unsigned card = 0; card < CARDS; card++) {
            uint8_t bonus = set->decks[deck].feature[card].drill;
            assert_true(bonus == NONE || ((seen >> bonus & 1) == 0 && set->cards[card].count == 1));
            seen |= bonus == NONE ? 0 : 1u << bonus;
        }
    }
}

TEST(test_artifacts)
{
    const json_t *rows = list("artifacts", ARTIFACTS);
    unsigned total = 0;
    for (unsigned i = 0; i < ARTIFACTS; i++) {
        const json_t *row = json_array_get(rows, i);
        assert_same(text(row, "id"), set->artifacts[i].name);
        assert_int_equal(number(row, "count"), set->artifacts[i].count);
        assert_int_equal(number(row, "vp"), set->artifacts[i].points);
        assert_same(text(row, "text"), span_of(set->artifacts[i].effect));
        assert_int_equal(motherload_artifact_named(set, set->artifacts[i].name), i);
        total += set->artifacts[i].count;
    }
    assert_int_equal(total, ARTIFACT_TILES);
}

/* 0 where the goal does not name the number. */
static unsigned least(const json_t *goal, const char *key)
{
    return json_object_get(goal, key) == NULL ? 0 : (unsigned)number(goal, key);
}

static bool names_action(const json_t *goal, const char *action)
{
    const json_t *actions = json_object_get(goal, "action");
    for (size_t i = 0; i < json_array_size(actions); i++)
        if (strcmp(json_string_value(json_array_get(actions, i)), action) == 0)
            return true;
    return false;
}

static void assert_goal(json_t *goal, const struct motherload_goal *ours)
{
    static const char *const known[] = {"on",
                                        "action",
                                        "rock_min",
                                        "length_min",
                                        "boards_min",
                                        "mineral_kinds_min",
                                        "mineral_value_min",
                                        "mineral_tiles_min",
                                        "steel_min",
                                        "wild_cards_only",
                                        "artifacts_min",
                                        "mineral",
                                        "tiles_min",
                                        "stacks_with_mineral_min",
                                        "bombs_min",
                                        "buys_min",
                                        "exact",
                                        "actions_min"};
    const char *key;
    json_t *value;
    json_object_foreach(goal, key, value)
    {
        size_t i = 0;
        while (i < sizeof known / sizeof known[0] && strcmp(known[i], key) != 0)
            i++;
        if (i == sizeof known / sizeof known[0])
            fail_msg("no rule knows the condition `%s`", key);
    }
    assert_int_equal(ours->drill, names_action(goal, "drill"));
    assert_int_equal(ours->bomb, names_action(goal, "bomb"));
    assert_int_equal(ours->drill || ours->bomb, span_is(text(goal, "on"), "action"));
    assert_int_equal(ours->rock, least(goal, "rock_min"));
    assert_int_equal(ours->length, least(goal, "length_min"));
    assert_int_equal(ours->boards, least(goal, "boards_min"));
    assert_int_equal(ours->kinds, least(goal, "mineral_kinds_min"));
    assert_int_equal(ours->value, least(goal, "mineral_value_min"));
    assert_int_equal(ours->tiles, least(goal, "mineral_tiles_min"));
    assert_int_equal(ours->steel, least(goal, "steel_min"));
    assert_int_equal(ours->finds, least(goal, "artifacts_min"));
    assert_int_equal(ours->stock, least(goal, "tiles_min"));
    assert_int_equal(ours->stacks, least(goal, "stacks_with_mineral_min"));
    assert_int_equal(ours->bombs, least(goal, "bombs_min"));
    assert_int_equal(ours->buys, least(goal, "buys_min"));
    assert_int_equal(ours->actions, least(goal, "actions_min"));
    assert_int_equal(ours->wild_cards_only, json_is_true(json_object_get(goal, "wild_cards_only")));
    assert_int_equal(ours->exact, json_is_true(json_object_get(goal, "exact")));
    if (json_object_get(goal, "mineral") != NULL)
        assert_same(text(goal, "mineral"), set->minerals[ours->mineral].name);
}

static void assert_achievement(const json_t *row, unsigned index)
{
    const struct motherload_achievement *ours = &set->achievements[index];
    assert_same(text(row, "id"), ours->name);
    assert_int_equal(number(row, "vp"), ours->points);
    assert_same(text(row, "text"), span_of(ours->text));
    assert_int_equal(motherload_achievement_named(set, ours->name), index);
}

TEST(test_minor_achievements)
{
    const json_t *rows = list("minor_achievements", MINORS);
    for (unsigned i = 0; i < MINORS; i++) {
        const json_t *row = json_array_get(rows, i);
        const struct motherload_goal *goal = &set->achievements[i].goal;
        assert_achievement(row, i);
        assert_goal(json_object_get(row, "goal"), goal);
        for (unsigned color = 0; color < COLORS; color++)
            assert_int_equal(goal->bought[color], 0);
    }
}

TEST(test_major_achievements)
{
    const json_t *rows = list("major_achievements", MAJORS);
    for (unsigned i = 0; i < MAJORS; i++) {
        const json_t *row = json_array_get(rows, i);
        struct motherload_goal goal = set->achievements[MINORS + i].goal;
        struct motherload_goal nothing = {0};
        assert_achievement(row, MINORS + i);
        for (unsigned color = 0; color < COLORS; color++)
            assert_int_equal(goal.bought[color],
                             number(member(row, "needs"), set->colors[color].at));
        memset(goal.bought, 0, sizeof goal.bought);
        assert_memory_equal(&goal, &nothing, sizeof goal);
    }
}

static void assert_offset(const json_t *offset, int row, int column)
{
    assert_int_equal(json_integer_value(json_array_get(offset, 0)), row);
    assert_int_equal(json_integer_value(json_array_get(offset, 1)), column);
}

TEST(test_patterns)
{
    const json_t *rows = list("bomb_patterns", PATTERNS);
    for (unsigned i = 0; i < PATTERNS; i++) {
        const json_t *row = json_array_get(rows, i);
        const struct motherload_pattern *pattern = &set->patterns[i];
        const json_t *orientations = member(row, "orientations");
        assert_same(text(row, "id"), pattern->name);
        assert_int_equal(number(row, "spaces"), pattern->spaces);
        assert_int_equal(json_array_size(orientations), pattern->orientations);
        for (unsigned j = 0; j < pattern->orientations; j++) {
            const json_t *offsets = json_array_get(orientations, j);
            assert_int_equal(json_array_size(offsets), pattern->spaces);
            for (unsigned k = 0; k < pattern->spaces; k++)
                assert_offset(json_array_get(offsets, k), pattern->orientation[j].row[k],
                              pattern->orientation[j].column[k]);
        }
    }
}

/* The drawn shape is one of the orientations. */
TEST(test_shapes_are_among_the_orientations)
{
    const json_t *rows = list("bomb_patterns", PATTERNS);
    for (unsigned i = 0; i < PATTERNS; i++) {
        const struct motherload_pattern *pattern = &set->patterns[i];
        const json_t *shape = member(json_array_get(rows, i), "shape");
        struct motherload_orientation drawn = {{0}, {0}};
        unsigned spaces = 0;
        int first = -1;
        for (size_t row = 0; row < json_array_size(shape); row++) {
            const char *drawing = json_string_value(json_array_get(shape, row));
            for (int column = 0; drawing[column] != '\0'; column++) {
                if (drawing[column] != '#')
                    continue;
                first = spaces == 0 ? column : first;
                drawn.row[spaces] = (int8_t)row;
                drawn.column[spaces++] = (int8_t)(column - first);
            }
        }
        unsigned match = 0;
        while (match < pattern->orientations &&
               memcmp(&drawn, &pattern->orientation[match], sizeof drawn) != 0)
            match++;
        assert_int_equal(spaces, pattern->spaces);
        assert_true(match < pattern->orientations);
    }
}

static uint16_t mask(const char *drawing, char letter)
{
    unsigned bits = 0;
    for (unsigned column = 0; column < COLUMNS; column++)
        bits |= (drawing[column] == letter ? 1u : 0u) << column;
    return (uint16_t)bits;
}

static void assert_board(const json_t *row, const struct motherload_board *board)
{
    assert_int_equal(number(row, "depth"), board->depth);
    assert_int_equal(board->name.length, 2);
    assert_int_equal(board->name.at[0], '0' + board->depth);
    assert_int_equal(board->name.at[1], text(row, "side").at[0]);
    assert_int_equal(json_array_size(member(row, "terrain")), ROWS);
    assert_int_equal(json_array_size(member(row, "content")), ROWS);
    for (unsigned i = 0; i < ROWS; i++) {
        assert_int_equal(strlen(board->terrain[i]), COLUMNS);
        assert_int_equal(strlen(board->content[i]), COLUMNS);
        assert_string_equal(json_string_value(json_array_get(member(row, "terrain"), i)),
                            board->terrain[i]);
        assert_string_equal(json_string_value(json_array_get(member(row, "content"), i)),
                            board->content[i]);
        assert_int_equal(board->rock[i], mask(board->terrain[i], '#'));
        assert_int_equal(board->steel[RED][i], mask(board->terrain[i], 'R'));
        assert_int_equal(board->steel[BLUE][i], mask(board->terrain[i], 'B'));
        assert_int_equal(board->steel[YELLOW][i], mask(board->terrain[i], 'Y'));
        assert_int_equal(board->artifact[i], mask(board->content[i], 'A'));
        const unsigned steel =
            board->steel[RED][i] | board->steel[BLUE][i] | board->steel[YELLOW][i];
        for (unsigned color = 0; color <= DRILL_COLORS; color++) {
            const unsigned own = color < DRILL_COLORS ? board->steel[color][i] : 0;
            assert_int_equal(board->barred[BAR_OF(color, 0)][i], steel & ~own);
            assert_int_equal(board->barred[BAR_OF(color, 1)][i], (steel & ~own) | board->rock[i]);
        }
    }
}

TEST(test_boards)
{
    const json_t *rows = list("boards", BOARDS);
    for (unsigned i = 0; i < BOARDS; i++) {
        assert_board(json_array_get(rows, i), &set->boards[i]);
        assert_int_equal(set->boards[i].depth, i / 2 + 1);
        assert_int_equal(set->boards[i].name.at[1], i % 2 == 0 ? 'a' : 'b');
        assert_int_equal(names_find(NAMES(set->boards, BOARDS), set->boards[i].name), i);
    }
}

/* Every letter of the maps has a meaning. */
TEST(test_legend)
{
    const json_t *terrain = member(member(data, "board_legend"), "terrain");
    const json_t *content = member(member(data, "board_legend"), "content");
    for (unsigned i = 0; i < BOARDS; i++) {
        for (unsigned space = 0; space < ROWS * COLUMNS; space++) {
            char here[2] = {set->boards[i].terrain[space / COLUMNS][space % COLUMNS], '\0'};
            assert_non_null(json_object_get(terrain, here));
            here[0] = set->boards[i].content[space / COLUMNS][space % COLUMNS];
            assert_non_null(json_object_get(content, here));
        }
    }
}

TEST(test_byte_orders)
{
    for (unsigned i = 1; i < COLORS; i++)
        assert_ascending(set->colors[set->colors_in_byte_order[i - 1]],
                         set->colors[set->colors_in_byte_order[i]]);
    for (unsigned i = 1; i < DECKS; i++)
        assert_ascending(set->decks[set->decks_in_byte_order[i - 1]].name,
                         set->decks[set->decks_in_byte_order[i]].name);
    for (unsigned i = 1; i < MINERALS; i++)
        assert_ascending(set->minerals[set->minerals_in_byte_order[i - 1]].name,
                         set->minerals[set->minerals_in_byte_order[i]].name);
    for (unsigned i = 1; i < ARTIFACTS; i++)
        assert_ascending(set->artifacts[set->artifacts_in_byte_order[i - 1]].name,
                         set->artifacts[set->artifacts_in_byte_order[i]].name);
    for (unsigned i = 1; i < ACHIEVEMENTS; i++)
        assert_ascending(set->achievements[set->achievements_in_byte_order[i - 1]].name,
                         set->achievements[set->achievements_in_byte_order[i]].name);
}

int main(void)
{
    game = catalog_newest(span_of("super-motherload"));
    set = game->set;
    return run_all_tests(read_components, free_components);
}
