/* Reads a component set: cards, minerals, artifacts, achievements, bomb patterns and the map. Names
 * that stand for what the rules do (colors, minerals, bonuses, artifacts) are the same in every
 * set.
 */
#include "engine/games/super-motherload/components.h"

#include <string.h>

enum {
    POINTS_MAX = 20,
    VALUE_MAX = 18, /* 14 spaces of it must fit into eight bits (YIELD_DOLLARS) */
    GOAL_MAX = 99,
    DECK_BYTES = 8,         /* of a deck's name */
    ACHIEVEMENT_BYTES = 24, /* both keep moves within the ruleset's bound */
    SHAPE_MAX = 3,          /* rows and columns of a bomb pattern */
    STARTERS = COLORS,
    ARTIFACTS_OF_A_BOARD = ARTIFACT_TILES / DEPTHS
};

static const char *const color_words[] = {"red", "blue", "yellow", "wild", NULL};
static const char *const mineral_words[] = {"iron",    "gold", "platinum",
                                            "emerald", "ruby", "diamond"};
static const char mineral_letters[] = "igperd";
static const char *const drill_words[] = {"corner", "draw-1", "draw-2", "bomb",
                                          "rock",   "split",  "swap",   NULL};
static const char *const buy_words[] = {"to-hand", "extra-action", "draw-1", "draw-2",
                                        "bomb",    "copy",         NULL};
static const char *const artifact_words[] = {"extra-action", "draw-two", "bomb-draw", "platinum",
                                             "gold-draw",    "recruit",  "relic",     "copy"};

/* The word that a value must be in every set. */
static struct span fixed_word(struct component_reader *reader, component at, const char *key,
                              const char *word)
{
    if (component_good(reader) && !component_is(reader, at, key, word))
        component_refuse(reader, component_member(reader, at, key), "In every set this is `", word,
                         "`.", PARTS_END);
    return component_keep(reader, span_of(word));
}

/* The words of a list of strings, or of the member `id` of its rows. */
static void read_words(struct component_reader *reader, const char *table, const char *key,
                       const char *const *words, unsigned count, struct span *names)
{
    component rows = component_rows(reader, table, "list", count, count);
    for (unsigned i = 0; i < count; i++)
        names[i] = fixed_word(reader, component_element(reader, rows, i), key, words[i]);
}

static void read_minerals(struct component_reader *reader, struct motherload_components *set)
{
    component rows = component_rows(reader, "minerals", "list", MINERALS, MINERALS);
    for (unsigned i = 0; i < MINERALS; i++) {
        component row = component_element(reader, rows, i);
        const char letter[] = {mineral_letters[i], '\0'};
        set->minerals[i].name = fixed_word(reader, row, "id", mineral_words[i]);
        (void)fixed_word(reader, row, "char", letter);
        set->minerals[i].letter = mineral_letters[i];
        set->minerals[i].value = (uint8_t)component_number(reader, row, "value", 1, VALUE_MAX);
    }
}

/* ---- Bomb patterns ---- */

struct space {
    int row, column;
};

/* The image of a shape under one of the eight symmetries of the square, as offsets from its first
 * space in reading order. */
static void turn_shape(const struct space *shape, unsigned spaces, unsigned symmetry,
                       struct motherload_orientation *image)
{
    struct space space[PATTERN_SPACES_MAX];
    for (unsigned i = 0; i < spaces; i++) {
        int row = shape[i].row;
        int column = (symmetry & 4) != 0 ? -shape[i].column : shape[i].column;
        for (unsigned turns = symmetry & 3; turns > 0; turns--) {
            int before = row;
            row = column;
            column = -before;
        }
        unsigned at = i;
        for (; at > 0 && (space[at - 1].row > row ||
                          (space[at - 1].row == row && space[at - 1].column > column));
             at--)
            space[at] = space[at - 1];
        space[at] = (struct space){row, column};
    }
    memset(image, 0, sizeof *image);
    for (unsigned i = 0; i < spaces; i++) {
        image->row[i] = (int8_t)(space[i].row - space[0].row);
        image->column[i] = (int8_t)(space[i].column - space[0].column);
    }
}

/* Offset by offset, row first. */
static int compare_orientations(const struct motherload_orientation *a,
                                const struct motherload_orientation *b)
{
    for (unsigned i = 0; i < PATTERN_SPACES_MAX; i++) {
        if (a->row[i] != b->row[i])
            return a->row[i] - b->row[i];
        if (a->column[i] != b->column[i])
            return a->column[i] - b->column[i];
    }
    return 0;
}

static void derive_orientations(const struct space *shape, struct motherload_pattern *pattern)
{
    for (unsigned symmetry = 0; symmetry < ORIENTATIONS_MAX; symmetry++) {
        struct motherload_orientation image;
        turn_shape(shape, pattern->spaces, symmetry, &image);
        unsigned at = 0;
        while (at < pattern->orientations &&
               compare_orientations(&pattern->orientation[at], &image) < 0)
            at++;
        if (at < pattern->orientations &&
            compare_orientations(&pattern->orientation[at], &image) == 0)
            continue;
        for (unsigned i = pattern->orientations++; i > at; i--)
            pattern->orientation[i] = pattern->orientation[i - 1];
        pattern->orientation[at] = image;
    }
}

static bool is_one_piece(const struct space *shape, unsigned spaces)
{
    unsigned reached = 1;
    for (unsigned round = 0; round < spaces; round++)
        for (unsigned i = 0; i < spaces; i++)
            for (unsigned k = 0; k < spaces; k++) {
                int down = shape[i].row - shape[k].row;
                int across = shape[i].column - shape[k].column;
                if ((reached >> k & 1) != 0 && down * down + across * across == 1)
                    reached |= 1u << i;
            }
    return reached == (1u << spaces) - 1;
}

/* The rows of `shape`, a space each `#`. Returns how many there are. */
static unsigned read_shape(struct component_reader *reader, component row,
                           struct space space[static PATTERN_SPACES_MAX])
{
    component lines = component_list(reader, row, "shape", 1, SHAPE_MAX);
    unsigned count = 0;
    size_t width = 0;
    for (unsigned i = 0; i < component_count(lines) && component_good(reader); i++) {
        component at = component_element(reader, lines, i);
        if (i == 0)
            width = component_length(at);
        if (width < 1 || width > SHAPE_MAX) {
            component_refuse(reader, at, "A pattern is 1 to 3 spaces wide.", PARTS_END);
            return 0;
        }
        struct span line = component_drawing(reader, at, NULL, ".#", width);
        for (size_t column = 0; column < line.length; column++) {
            if (line.at[column] != '#')
                continue;
            if (count == PATTERN_SPACES_MAX) {
                component_refuse(reader, lines, "A pattern has at most 7 spaces.", PARTS_END);
                return 0;
            }
            space[count++] = (struct space){(int8_t)i, (int8_t)column};
        }
    }
    if (count < 2 || !is_one_piece(space, count))
        component_refuse(reader, lines, "A pattern has at least 2 spaces, in one piece.",
                         PARTS_END);
    return count;
}

static void check_orientation(struct component_reader *reader, component list,
                              const struct motherload_orientation *orientation, unsigned spaces)
{
    component at = component_list(reader, list, NULL, spaces, spaces);
    for (unsigned i = 0; i < spaces && component_good(reader); i++) {
        component pair = component_list(reader, component_element(reader, at, i), NULL, 2, 2);
        component_fixed(reader, component_element(reader, pair, 0), NULL, orientation->row[i]);
        component_fixed(reader, component_element(reader, pair, 1), NULL, orientation->column[i]);
    }
}

static void read_patterns(struct component_reader *reader, struct motherload_components *set)
{
    component rows = component_rows(reader, "bomb_patterns", "list", PATTERNS, PATTERNS);
    for (unsigned i = 0; i < PATTERNS && component_good(reader); i++) {
        component row = component_element(reader, rows, i);
        struct motherload_pattern *pattern = &set->patterns[i];
        struct space shape[PATTERN_SPACES_MAX] = {{0, 0}};
        pattern->name = component_new_name(reader, row, "id", NAMES(set->patterns, i));
        pattern->spaces = (uint8_t)read_shape(reader, row, shape);
        if (!component_good(reader))
            return;
        component_fixed(reader, row, "spaces", pattern->spaces);
        derive_orientations(shape, pattern);
        component list = component_list(reader, row, "orientations", pattern->orientations,
                                        pattern->orientations);
        for (unsigned k = 0; k < pattern->orientations; k++)
            check_orientation(reader, component_element(reader, list, k), &pattern->orientation[k],
                              pattern->spaces);
    }
}

/* ---- Cards ---- */

static uint8_t word_or_none(struct component_reader *reader, component row, const char *key,
                            const char *const *words)
{
    return component_is_null(reader, row, key) ? NONE
                                               : (uint8_t)component_word(reader, row, key, words);
}

static void read_feature(struct component_reader *reader, component row, unsigned color,
                         const struct motherload_components *set,
                         struct motherload_feature *feature)
{
    feature->drill = word_or_none(reader, row, "drill_bonus", drill_words);
    feature->buy = word_or_none(reader, row, "buy_bonus", buy_words);
    feature->pattern = NONE;
    if (component_is_null(reader, row, "pattern") != (color != RED))
        component_refuse(reader, component_member(reader, row, "pattern"),
                         "Red cards must have a bomb pattern, others none.", PARTS_END);
    if (color == RED)
        feature->pattern = component_reference(reader, row, "pattern",
                                               NAMES(set->patterns, PATTERNS), "bomb pattern");
    if (feature->drill != NONE && feature->buy != NONE)
        component_refuse(reader, row, "A card has one bonus, not both.", PARTS_END);
}

/* Every deck has the same cards but for their bonuses and patterns; the first deck says which. */
static void read_card(struct component_reader *reader, component row, unsigned index, bool first,
                      struct motherload_components *set)
{
    static const uint8_t icons_max[2][TIERS] = {{1, 2, 3, 3, 4}, {1, 1, 2, 2, 3}};
    struct motherload_card *card = &set->cards[index];
    const unsigned color = COLOR_OF(index);
    const unsigned tier = TIER_OF(index);
    (void)fixed_word(reader, row, "color", color_words[color]);
    if (!first) {
        component_fixed(reader, row, "cost", card->cost);
        component_fixed(reader, row, "vp", card->points);
        component_fixed(reader, row, "icons", card->icons);
        (void)fixed_word(reader, row, "id", card->name.at);
        return;
    }
    card->count = 1;
    if (tier == 0)
        component_fixed(reader, row, "cost", 0);
    else
        card->cost = (uint8_t)component_number(reader, row, "cost",
                                               tier == 1 ? 10 : set->cards[index - 1].cost + 1, 99);
    card->points = (uint8_t)component_number(reader, row, "vp", 0, POINTS_MAX);
    card->icons =
        (uint8_t)component_number(reader, row, "icons", 1, icons_max[color == WILD][tier]);
    char bytes[8];
    struct text name = TEXT_OVER(bytes);
    text_add_char(&name, color_words[color][0]);
    text_add_number(&name, card->cost);
    card->name = fixed_word(reader, row, "id", bytes);
}

/* The starters of all decks: two of each color, and one wild card. */
static void read_starters(struct component_reader *reader, struct motherload_components *set)
{
    component rows = component_rows(reader, "starters", "list", STARTERS, STARTERS);
    for (unsigned color = 0; color < COLORS && component_good(reader); color++) {
        component row = component_element(reader, rows, color);
        const unsigned index = CARD(color, 0);
        struct motherload_feature feature;
        read_card(reader, row, index, true, set);
        set->cards[index].count = color == WILD ? 1 : 2;
        component_fixed(reader, row, "count", set->cards[index].count);
        read_feature(reader, row, color, set, &feature);
        if (feature.drill != NONE || feature.buy != NONE)
            component_refuse(reader, row, "Starters have no bonus.", PARTS_END);
        for (unsigned deck = 0; deck < DECKS; deck++)
            set->decks[deck].feature[index] = feature;
    }
}

static void read_decks(struct component_reader *reader, struct motherload_components *set)
{
    component rows = component_rows(reader, "decks", "list", DECKS, DECKS);
    for (unsigned deck = 0; deck < DECKS && component_good(reader); deck++) {
        component row = component_element(reader, rows, deck);
        set->decks[deck].name = component_new_name(reader, row, "id", NAMES(set->decks, deck));
        if (set->decks[deck].name.length > DECK_BYTES)
            component_refuse(reader, component_member(reader, row, "id"),
                             "This name is too long: it has at most 8 characters.", PARTS_END);
        component cards =
            component_list(reader, row, "cards", COLORS * STACK_CARDS, COLORS * STACK_CARDS);
        for (unsigned i = 0; i < COLORS * STACK_CARDS && component_good(reader); i++) {
            component card = component_element(reader, cards, i);
            const unsigned color = i / STACK_CARDS;
            const unsigned index = CARD(color, 1 + i % STACK_CARDS);
            read_card(reader, card, index, deck == 0, set);
            read_feature(reader, card, color, set, &set->decks[deck].feature[index]);
        }
    }
    component order = component_rows(reader, "card_order", "list", CARDS, CARDS);
    for (unsigned i = 0; i < CARDS && component_good(reader); i++)
        (void)fixed_word(reader, component_element(reader, order, i), NULL, set->cards[i].name.at);
}

static void read_artifacts(struct component_reader *reader, struct motherload_components *set)
{
    component rows = component_rows(reader, "artifacts", "list", ARTIFACTS, ARTIFACTS);
    unsigned total = 0;
    for (unsigned i = 0; i < ARTIFACTS && component_good(reader); i++) {
        component row = component_element(reader, rows, i);
        struct motherload_artifact *artifact = &set->artifacts[i];
        artifact->name = fixed_word(reader, row, "id", artifact_words[i]);
        artifact->count = (uint8_t)component_number(reader, row, "count", 0, ARTIFACT_TILES);
        artifact->points = (uint8_t)component_number(reader, row, "vp", 0, POINTS_MAX);
        artifact->effect = component_title(reader, row, "text").at;
        total += artifact->count;
    }
    if (total != ARTIFACT_TILES)
        component_refuse(reader, rows, "There must be 16 artifact tiles in all.", PARTS_END);
}

/* ---- Achievements ---- */

enum moment { ON_ACTION, ON_STATE, ON_TURN, ON_BUY };

/* A number of a goal that is there, with what it belongs to. */
static void read_minimum(struct component_reader *reader, component goal, const char *key,
                         bool belongs, uint8_t *minimum)
{
    component at = component_optional(reader, goal, key);
    if (at == NULL)
        return;
    *minimum = (uint8_t)component_number(reader, at, NULL, 1, GOAL_MAX);
    if (!belongs)
        component_refuse(reader, at, "This does not go together with `on`.", PARTS_END);
}

static void read_action(struct component_reader *reader, component row,
                        struct motherload_goal *goal)
{
    static const char *const actions[] = {"drill", "bomb", NULL};
    component list = component_list(reader, row, "action", 1, 2);
    for (unsigned i = 0; i < component_count(list); i++) {
        unsigned action = component_word(reader, component_element(reader, list, i), NULL, actions);
        bool *which = action == 0 ? &goal->drill : &goal->bomb;
        if (*which)
            component_refuse(reader, list, "An action may appear only once in this list.",
                             PARTS_END);
        *which = true;
    }
    component wild = component_optional(reader, row, "wild_cards_only");
    goal->wild_cards_only = wild != NULL && component_flag(reader, wild, NULL);
}

static void read_goal(struct component_reader *reader, component row,
                      const struct motherload_components *set, struct motherload_goal *goal)
{
    static const char *const moments[] = {"action", "state", "turn", "buy", NULL};
    const unsigned on = component_word(reader, row, "on", moments);
    const bool action = on == ON_ACTION;
    if (action)
        read_action(reader, row, goal);
    read_minimum(reader, row, "length_min", action, &goal->length);
    read_minimum(reader, row, "rock_min", action, &goal->rock);
    read_minimum(reader, row, "steel_min", action, &goal->steel);
    read_minimum(reader, row, "boards_min", action, &goal->boards);
    read_minimum(reader, row, "mineral_kinds_min", action, &goal->kinds);
    read_minimum(reader, row, "mineral_value_min", action, &goal->value);
    read_minimum(reader, row, "mineral_tiles_min", action, &goal->tiles);
    read_minimum(reader, row, "artifacts_min", action, &goal->finds);
    read_minimum(reader, row, "tiles_min", on == ON_STATE, &goal->stock);
    read_minimum(reader, row, "stacks_with_mineral_min", on == ON_STATE, &goal->stacks);
    read_minimum(reader, row, "bombs_min", on == ON_STATE, &goal->bombs);
    read_minimum(reader, row, "buys_min", on == ON_TURN, &goal->buys);
    read_minimum(reader, row, "actions_min", on == ON_TURN, &goal->actions);
    if (goal->stock > 0)
        goal->mineral =
            component_reference(reader, row, "mineral", NAMES(set->minerals, MINERALS), "mineral");
    if (on == ON_BUY)
        goal->exact = component_flag(reader, row, "exact");
    if (on != ON_ACTION &&
        goal->stock + goal->stacks + goal->bombs + goal->buys + goal->actions + goal->exact == 0)
        component_refuse(reader, row, "The goal asks for nothing.", PARTS_END);
}

static void read_achievement(struct component_reader *reader, component row, unsigned index,
                             struct motherload_components *set)
{
    struct motherload_achievement *achievement = &set->achievements[index];
    achievement->name = component_new_name(reader, row, "id", NAMES(set->achievements, index));
    if (achievement->name.length > ACHIEVEMENT_BYTES)
        component_refuse(reader, component_member(reader, row, "id"),
                         "This name is too long: it has at most 24 characters.", PARTS_END);
    achievement->points = (uint8_t)component_number(reader, row, "vp", 0, POINTS_MAX);
    achievement->text = component_title(reader, row, "text").at;
}

static void derive_least(const struct motherload_goal *goal, uint8_t least[static MEASURES])
{
    least[MEASURE_DRILL] = goal->drill && !goal->bomb;
    least[MEASURE_BOMB] = goal->bomb && !goal->drill;
    least[MEASURE_EITHER] = goal->bomb || goal->drill;
    least[MEASURE_WILD_CARDS_ONLY] = goal->wild_cards_only;
    least[MEASURE_LENGTH] = goal->length;
    least[MEASURE_ROCK] = goal->rock;
    least[MEASURE_STEEL] = goal->steel;
    least[MEASURE_BOARDS] = goal->boards;
    least[MEASURE_KINDS] = goal->kinds;
    least[MEASURE_VALUE] = goal->value;
    least[MEASURE_TILES] = goal->tiles;
    least[MEASURE_FINDS] = goal->finds;
    least[MEASURE_STOCK + goal->mineral] = goal->stock;
    least[MEASURE_STACKS] = goal->stacks;
    least[MEASURE_BOMBS] = goal->bombs;
    least[MEASURE_BUYS] = goal->buys;
    least[MEASURE_ACTIONS] = goal->actions;
    least[MEASURE_EXACT] = goal->exact;
    memcpy(least + MEASURE_BOUGHT, goal->bought, COLORS);
}

static void read_achievements(struct component_reader *reader, struct motherload_components *set)
{
    component minors = component_rows(reader, "minor_achievements", "list", MINORS, MINORS);
    component majors = component_rows(reader, "major_achievements", "list", MAJORS, MAJORS);
    for (unsigned i = 0; i < MINORS && component_good(reader); i++) {
        component row = component_element(reader, minors, i);
        read_achievement(reader, row, i, set);
        read_goal(reader, component_member(reader, row, "goal"), set, &set->achievements[i].goal);
    }
    for (unsigned i = 0; i < MAJORS && component_good(reader); i++) {
        component row = component_element(reader, majors, i);
        component needs = component_member(reader, row, "needs");
        unsigned total = 0;
        read_achievement(reader, row, MINORS + i, set);
        for (unsigned color = 0; color < COLORS; color++) {
            uint8_t *bought = &set->achievements[MINORS + i].goal.bought[color];
            *bought = (uint8_t)component_number(reader, needs, color_words[color], 0, STACK_CARDS);
            total += *bought;
        }
        if (total == 0)
            component_refuse(reader, needs, "The goal asks for nothing.", PARTS_END);
    }
    for (unsigned i = 0; i < ACHIEVEMENTS; i++)
        derive_least(&set->achievements[i].goal, set->achievements[i].least);
}

/* ---- The map ---- */

static void read_lines(struct component_reader *reader, component row, const char *key,
                       const char *signs, const char *line[static ROWS])
{
    component lines = component_list(reader, row, key, ROWS, ROWS);
    for (unsigned i = 0; i < ROWS; i++)
        line[i] =
            component_drawing(reader, component_element(reader, lines, i), NULL, signs, COLUMNS).at;
}

static uint16_t bits_of(const char *line, char sign)
{
    uint16_t bits = 0;
    for (unsigned column = 0; column < COLUMNS; column++)
        if (line[column] == sign)
            bits |= (uint16_t)(1u << column);
    return bits;
}

static uint16_t dirt_of(const struct motherload_board *board, unsigned row)
{
    return bits_of(board->terrain[row], '.');
}

static bool is_dirt_connected(const struct motherload_board *board)
{
    uint16_t reached[ROWS] = {0};
    uint16_t dirt = 0;
    for (unsigned row = 0; row < ROWS && dirt == 0; row++) {
        dirt = dirt_of(board, row);
        reached[row] = dirt & (uint16_t)-dirt;
    }
    for (bool grows = true; grows;) {
        grows = false;
        for (unsigned row = 0; row < ROWS; row++) {
            unsigned next = reached[row] | (unsigned)reached[row] << 1 | reached[row] >> 1;
            next |= row > 0 ? reached[row - 1] : 0u;
            next |= row + 1 < ROWS ? reached[row + 1] : 0u;
            next &= dirt_of(board, row);
            grows = grows || next != reached[row];
            reached[row] = (uint16_t)next;
        }
    }
    for (unsigned row = 0; row < ROWS; row++)
        if (reached[row] != dirt_of(board, row))
            return false;
    return true;
}

static void check_board(struct component_reader *reader, component row,
                        const struct motherload_board *board)
{
    unsigned finds = 0;
    for (unsigned line = 0; line < ROWS; line++) {
        for (uint16_t left = board->artifact[line]; left != 0; left &= (uint16_t)(left - 1))
            finds++;
        if ((board->artifact[line] & board->rock[line]) != 0)
            component_refuse(reader, row, "No artifact lies in rock, as on this board.", PARTS_END);
    }
    if (finds != ARTIFACTS_OF_A_BOARD)
        component_refuse(reader, row, "Each side of a board has 4 artifacts.", PARTS_END);
    if (!is_dirt_connected(board))
        component_refuse(reader, row, "The dirt of this board must be in one piece.", PARTS_END);
}

/* Rulebook, Types of Terrain: a drill passes steel of its color. */
static void derive_bars(struct motherload_board *board)
{
    for (unsigned line = 0; line < ROWS; line++) {
        for (unsigned color = 0; color <= DRILL_COLORS; color++) {
            unsigned steel = 0;
            for (unsigned other = 0; other < DRILL_COLORS; other++)
                steel |= other == color ? 0 : board->steel[other][line];
            board->barred[BAR_OF(color, 0)][line] = (uint16_t)steel;
            board->barred[BAR_OF(color, 1)][line] = (uint16_t)(steel | board->rock[line]);
        }
    }
}

static void read_board(struct component_reader *reader, component row, unsigned index,
                       struct motherload_components *set)
{
    static const char steel[] = "RBY";
    struct motherload_board *board = &set->boards[index];
    const char name[] = {(char)('1' + index / 2), index % 2 == 0 ? 'a' : 'b', '\0'};
    const char id[] = {'d', 'e', 'p', 't', 'h', '-', name[0], '-', name[1], '\0'};
    (void)fixed_word(reader, row, "id", id);
    (void)fixed_word(reader, row, "side", name + 1);
    board->depth = (uint8_t)(1 + index / 2);
    component_fixed(reader, row, "depth", board->depth);
    board->name = component_keep(reader, span_of(name));
    read_lines(reader, row, "terrain", ".#RBY", board->terrain);
    read_lines(reader, row, "content", ".igperd*A12", board->content);
    if (!component_good(reader))
        return;
    for (unsigned line = 0; line < ROWS; line++) {
        board->rock[line] = bits_of(board->terrain[line], '#');
        board->artifact[line] = bits_of(board->content[line], 'A');
        for (unsigned color = 0; color < DRILL_COLORS; color++)
            board->steel[color][line] = bits_of(board->terrain[line], steel[color]);
    }
    derive_bars(board);
    check_board(reader, row, board);
}

/* Dirt leads from every board to every deeper one, and to the surface. */
static void check_seams(struct component_reader *reader, component rows,
                        const struct motherload_components *set)
{
    for (unsigned i = 0; i < BOARDS; i++) {
        if (set->boards[i].depth == 1 && dirt_of(&set->boards[i], 0) == 0)
            component_refuse(reader, component_element(reader, rows, i),
                             "The first board begins with dirt.", PARTS_END);
        for (unsigned k = 0; k < BOARDS; k++)
            if (set->boards[k].depth > set->boards[i].depth &&
                (dirt_of(&set->boards[i], ROWS - 1) & dirt_of(&set->boards[k], 0)) == 0)
                component_refuse(reader, component_element(reader, rows, k),
                                 "No dirt leads to this board from `", set->boards[i].name.at, "`.",
                                 PARTS_END);
    }
}

static void read_boards(struct component_reader *reader, struct motherload_components *set)
{
    component rows = component_rows(reader, "boards", "list", BOARDS, BOARDS);
    for (unsigned i = 0; i < BOARDS && component_good(reader); i++)
        read_board(reader, component_element(reader, rows, i), i, set);
    if (component_good(reader))
        check_seams(reader, rows, set);
}

/* What a space yields, by its signs. */
static void derive_yields(struct motherload_components *set)
{
    const motherload_yield one = 1;
    set->yields['#'] = one << YIELD_ROCK;
    set->yields['R'] = set->yields['B'] = set->yields['Y'] = one << YIELD_STEEL;
    set->yields['A'] = one << YIELD_FINDS;
    set->yields['*'] = one << YIELD_TOKENS;
    set->yields['1'] = one << YIELD_CARDS;
    set->yields['2'] = 2 * (one << YIELD_CARDS);
    for (unsigned kind = 0; kind < MINERALS; kind++)
        set->yields[(unsigned char)mineral_letters[kind]] =
            set->minerals[kind].value + (one << YIELD_TILES) + (one << (YIELD_MINERAL + 4 * kind));
}

static void check_numbers(struct component_reader *reader)
{
    static const struct {
        const char *key;
        int32_t value;
    } fixed[] = {{"seats_min", SEATS_MIN},
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
                 {"idle_turns_per_seat_to_end", IDLE_TURNS}};
    component parameters = component_member(reader, component_root(reader), "parameters");
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        component_fixed(reader, parameters, fixed[i].key, fixed[i].value);
}

void motherload_read_components(struct component_reader *reader, void *opaque)
{
    static const char *const display[] = {
        "title",           "ruleset",         "designers", "publisher",    "provenance_key",
        "claims_per_turn", "depths_by_seats", "options",   "letters",      "declarable",
        "mineral_tiles",   "tunnel_tiles",    "move",      "board_legend", "streams",
        "drill_bonuses",   "buy_bonuses",     NULL};
    struct motherload_components *set = opaque;
    component_pool(reader, set->pool, sizeof set->pool);
    read_words(reader, "colors", NULL, color_words, COLORS, set->colors);
    read_minerals(reader, set);
    read_patterns(reader, set);
    read_words(reader, "drill_bonuses", "id", drill_words, DRILL_BONUSES, set->drill_bonuses);
    read_words(reader, "buy_bonuses", "id", buy_words, BUY_BONUSES, set->buy_bonuses);
    read_starters(reader, set);
    read_decks(reader, set);
    read_artifacts(reader, set);
    read_achievements(reader, set);
    read_boards(reader, set);
    check_numbers(reader);
    component_finish(reader, display);
    if (!component_good(reader))
        return;
    component_sort(NAMES_ALONE(set->colors, COLORS), set->colors_in_byte_order);
    component_sort(NAMES(set->decks, DECKS), set->decks_in_byte_order);
    component_sort(NAMES(set->minerals, MINERALS), set->minerals_in_byte_order);
    component_sort(NAMES(set->artifacts, ARTIFACTS), set->artifacts_in_byte_order);
    component_sort(NAMES(set->achievements, ACHIEVEMENTS), set->achievements_in_byte_order);
    derive_yields(set);
}

/* ---- Names ---- */

uint8_t motherload_color_named(const struct motherload_components *set, struct span name)
{
    return names_find(NAMES_ALONE(set->colors, COLORS), name);
}

/* The name of a card begins with the first letter of its color. */
uint8_t motherload_card_named(const struct motherload_components *set, struct span name)
{
    for (unsigned color = 0; name.length > 0 && color < COLORS; color++) {
        if (name.at[0] != set->colors[color].at[0])
            continue;
        const uint8_t tier = names_find(NAMES(set->cards + CARD(color, 0), TIERS), name);
        return tier == NAMES_NONE ? NONE : CARD(color, tier);
    }
    return NONE;
}

uint8_t motherload_deck_named(const struct motherload_components *set, struct span name)
{
    return names_find(NAMES(set->decks, DECKS), name);
}

uint8_t motherload_mineral_named(const struct motherload_components *set, struct span name)
{
    return names_find(NAMES(set->minerals, MINERALS), name);
}

uint8_t motherload_artifact_named(const struct motherload_components *set, struct span name)
{
    return names_find(NAMES(set->artifacts, ARTIFACTS), name);
}

uint8_t motherload_achievement_named(const struct motherload_components *set, struct span name)
{
    return names_find(NAMES(set->achievements, ACHIEVEMENTS), name);
}
