/* What worked cases ask about a position. Each reader writes the whole expectation as it would have
 * to stand to be true. */
#include <string.h>

#include "engine/case_reader.h"
#include "engine/games/superstore-3000/position.h"
#include "engine/games/superstore-3000/rules.h"
#include "engine/games/superstore-3000/score.h"

struct question {
    const struct superstore_state *state;
    struct span rest; /* what has not been read of it */
    struct text *out;
};

/* Reads and repeats the word that names a seat. */
static const struct superstore_mall *echo_mall(struct question *question)
{
    uint8_t seat;
    if (!case_echo_seat(question->out, &question->rest, question->state->seats, &seat))
        return NULL;
    return &question->state->mall[seat];
}

/* The tile that covers the cell, whichever of its cells it is, or NONE. */
static uint8_t tile_covering(const struct superstore_mall *mall, int column, int floor)
{
    for (uint8_t i = 0; i < mall->tiles; i++) {
        struct superstore_place cell[CELLS_MAX];
        unsigned count = superstore_cells(&mall->tile[i], cell);
        for (unsigned j = 0; j < count; j++)
            if (cell[j].column == column && cell[j].floor == floor)
                return i;
    }
    return NONE;
}

/* Reads and repeats a cell; its tile, NONE if there is none or no cell. */
static uint8_t echo_tile(struct question *question, const struct superstore_mall *mall)
{
    struct span column = span_word(&question->rest);
    struct span floor = span_word(&question->rest);
    uint64_t number;
    case_add_word(question->out, column);
    case_add_word(question->out, floor);
    if (superstore_column_named(column) == NONE || !span_number(floor, FLOOR_MAX, &number))
        return NONE;
    return tile_covering(mall, superstore_column_named(column), (int)number);
}

static bool read_decision(struct question *question)
{
    static const char *const points[] = {
        [AT_ACT] = "act", [AT_SERVE] = "serve", [AT_OVER] = "over"};
    case_add_number(question->out, question->state->active);
    case_add_word(question->out, span_of(points[question->state->point]));
    return true;
}

static bool read_turn(struct question *question)
{
    case_add_number(question->out, question->state->active);
    return true;
}

static bool read_trigger(struct question *question)
{
    case_add_yes(question->out, question->state->last_round);
    return true;
}

static bool read_notes(struct question *question)
{
    const struct superstore_mall *mall = echo_mall(question);
    if (mall == NULL)
        return false;
    case_add_number(question->out, mall->bank_notes);
    return true;
}

static bool read_bank(struct question *question)
{
    case_add_number(question->out, question->state->bank);
    return true;
}

static bool read_column(struct question *question, unsigned column)
{
    const struct superstore_state *state = question->state;
    for (unsigned row = 0; row < state->height[column]; row++)
        case_add_word(question->out, superstore_pieces[state->dispenser[column][row]].name);
    if (state->height[column] == 0)
        case_add_word(question->out, span_of("-"));
    return true;
}

static bool read_a(struct question *question)
{
    return read_column(question, 0);
}

static bool read_b(struct question *question)
{
    return read_column(question, 1);
}

static bool read_supply(struct question *question)
{
    case_add_number(question->out, question->state->supply_end - question->state->supply_next);
    return true;
}

static bool read_common(struct question *question)
{
    const struct superstore_state *state = question->state;
    for (unsigned i = 0; i < state->common_count; i++) {
        if (state->common[i].built)
            continue;
        case_add_word(question->out,
                      superstore_pieces[FIRST_ATTRACTION + state->common[i].attraction].name);
        text_add(question->out, state->common[i].side == 0 ? ":a" : ":b");
    }
    if (question->out->length == 0)
        case_add_word(question->out, span_of("-"));
    return true;
}

static bool read_satisfied(struct question *question)
{
    const struct superstore_mall *mall = echo_mall(question);
    if (mall == NULL)
        return false;
    case_add_number(question->out, superstore_satisfied(mall));
    return true;
}

static bool read_lies(struct question *question)
{
    const struct superstore_mall *mall = echo_mall(question);
    if (mall == NULL)
        return false;
    uint8_t tile = echo_tile(question, mall);
    case_add_yes(question->out, tile != NONE && superstore_is_satisfied(&mall->tile[tile]));
    return true;
}

static bool read_standing(struct question *question)
{
    const struct superstore_mall *mall = echo_mall(question);
    uint8_t tile = mall == NULL ? NONE : echo_tile(question, mall);
    if (tile == NONE || superstore_is_store(mall->tile[tile].piece))
        return false;
    const struct superstore_piece *piece = &superstore_pieces[mall->tile[tile].piece];
    for (unsigned slot = 0; slot < piece->wish_count; slot++)
        if ((mall->tile[tile].customers >> slot & 1) != 0)
            case_add_word(question->out, superstore_wishes[piece->wish[slot]]);
    if (mall->tile[tile].customers == 0)
        case_add_word(question->out, span_of("-"));
    return true;
}

static bool read_distance(struct question *question)
{
    const struct superstore_mall *mall = echo_mall(question);
    if (mall == NULL)
        return false;
    uint8_t from = echo_tile(question, mall);
    uint8_t to = echo_tile(question, mall);
    if (from == NONE || to == NONE)
        return false;
    struct superstore_plan plan;
    superstore_draw_plan(mall, &plan);
    unsigned distance = superstore_distance(&plan, from, to);
    if (distance == NONE)
        case_add_word(question->out, span_of("-"));
    else
        case_add_number(question->out, distance);
    return true;
}

/* `id:side` or `card:id`; NULL if there is none of that name. */
static const struct superstore_condition *condition_named(struct span word)
{
    const char *colon = word.length == 0 ? NULL : memchr(word.at, ':', word.length);
    if (colon == NULL)
        return NULL;
    struct span left = {word.at, (size_t)(colon - word.at)};
    struct span right = {colon + 1, word.length - left.length - 1};
    if (span_is(left, "card")) {
        uint8_t card = superstore_card_named(right);
        return card == NONE ? NULL : &superstore_cards[card].condition;
    }
    uint8_t piece = superstore_piece_named(left, FIRST_ATTRACTION + 1, PIECES);
    if (piece == NONE || !(span_is(right, "a") || span_is(right, "b")))
        return NULL;
    return &superstore_attractions[piece - FIRST_ATTRACTION].side[span_is(right, "b")];
}

static bool read_condition(struct question *question)
{
    const struct superstore_mall *mall = echo_mall(question);
    struct span name = span_word(&question->rest);
    const struct superstore_condition *condition = condition_named(name);
    if (mall == NULL || condition == NULL)
        return false;
    case_add_word(question->out, name);
    case_add_yes(question->out, superstore_holds(mall, condition));
    return true;
}

static bool read_cluster(struct question *question)
{
    const struct superstore_mall *mall = echo_mall(question);
    struct span name = span_word(&question->rest);
    uint8_t category = superstore_category_named(name);
    if (mall == NULL || category >= STORE_CATEGORIES)
        return false;
    struct superstore_plan plan;
    struct superstore_merit merit;
    superstore_draw_plan(mall, &plan);
    superstore_best_cluster(mall, &plan, category, &merit);
    case_add_word(question->out, name);
    case_add_number(question->out, merit.size);
    case_add_number(question->out, merit.customers);
    for (unsigned i = 0; i < merit.customers; i++)
        case_add_number(question->out, merit.floor[i]);
    return true;
}

static bool has_verb(struct span move, struct span verb)
{
    return span_equal(span_word(&move), verb);
}

/* All legal moves of the seat that decides. Ends the program when memory is short. */
static void list_moves(const struct superstore_state *state, struct move_list *list)
{
    bool ready = move_list_init(list, &game_superstore_3000_1_0_0);
    assert(ready);
    (void)ready;
    superstore_legal(state, state->active, list);
}

static size_t count_verb(const struct move_list *list, struct span verb)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += has_verb(move_list_get(list, i), verb);
    return count;
}

static bool read_count(struct question *question)
{
    struct span verb = span_word(&question->rest);
    struct move_list list;
    list_moves(question->state, &list);
    case_add_word(question->out, verb);
    case_add_number(question->out, (int64_t)count_verb(&list, verb));
    move_list_free(&list);
    return true;
}

/* Cuts the first of the moves parted by ` | ` off. */
static struct span cut_move(struct span *rest)
{
    for (size_t i = 0; i + 3 <= rest->length; i++) {
        if (memcmp(rest->at + i, " | ", 3) != 0)
            continue;
        struct span move = {rest->at, i};
        *rest = (struct span){rest->at + i + 3, rest->length - i - 3};
        return move;
    }
    struct span move = *rest;
    rest->length = 0;
    return move;
}

/* The moves expected are all the moves with the verb, in whatever order. */
static bool is_same_set(const struct move_list *list, struct span verb, struct span expected)
{
    bool seen[COLUMNS * FLOOR_MAX] = {false};
    size_t count = 0;
    for (; expected.length > 0; count++) {
        struct span move = cut_move(&expected);
        ptrdiff_t at = move_list_find(list, move);
        if (at < 0 || seen[at] || !has_verb(move, verb))
            return false;
        seen[at] = true;
    }
    return count == count_verb(list, verb);
}

static bool read_list(struct question *question)
{
    struct span verb = span_word(&question->rest);
    struct move_list list;
    list_moves(question->state, &list);
    case_add_word(question->out, verb);
    if (is_same_set(&list, verb, question->rest)) {
        case_add_word(question->out, question->rest);
    } else if (count_verb(&list, verb) == 0) {
        case_add_word(question->out, span_of("-"));
    } else {
        const char *bar = " ";
        for (size_t i = 0; i < list.count; i++) {
            if (!has_verb(move_list_get(&list, i), verb))
                continue;
            text_add(question->out, bar);
            text_add_span(question->out, move_list_get(&list, i));
            bar = " | ";
        }
    }
    move_list_free(&list);
    return true;
}

static void add_seat_points(const struct question *question, const int32_t points[static SEATS_MAX])
{
    for (unsigned seat = 0; seat < question->state->seats; seat++)
        case_add_number(question->out, points[seat]);
}

static bool read_balloons(struct question *question)
{
    struct span name = span_word(&question->rest);
    unsigned balloon = 0;
    while (balloon < BALLOONS && !span_equal(superstore_balloons[balloon], name))
        balloon++;
    if (balloon == BALLOONS)
        return false;
    struct superstore_points points;
    superstore_count_points(question->state, &points);
    case_add_word(question->out, name);
    add_seat_points(question, points.balloons[balloon]);
    return true;
}

static bool read_attractions(struct question *question)
{
    struct superstore_points points;
    superstore_count_points(question->state, &points);
    add_seat_points(question, points.attractions);
    return true;
}

static bool read_docks(struct question *question)
{
    struct superstore_points points;
    superstore_count_points(question->state, &points);
    add_seat_points(question, points.docks);
    return true;
}

bool superstore_read_position(const void *state, struct span key, struct span rest,
                              struct text *actual)
{
    static const struct {
        const char *key;
        bool (*read)(struct question *question);
    } readers[] = {
        {"decision", read_decision},
        {"turn", read_turn},
        {"trigger", read_trigger},
        {"notes", read_notes},
        {"bank", read_bank},
        {"a", read_a},
        {"b", read_b},
        {"supply", read_supply},
        {"common", read_common},
        {"satisfied", read_satisfied},
        {"lies", read_lies},
        {"standing", read_standing},
        {"dist", read_distance},
        {"cond", read_condition},
        {"cluster", read_cluster},
        {"count", read_count},
        {"list", read_list},
        {"balloons", read_balloons},
        {"attractions", read_attractions},
        {"docks", read_docks},
    };
    struct question question = {state, rest, actual};
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++)
        if (span_is(key, readers[i].key))
            return readers[i].read(&question);
    return false;
}
