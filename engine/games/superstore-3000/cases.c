/* The fields of positions of worked cases, in the order in which they are set, so that the main
 * entrances exist before anything is put on them. tests/cases/superstore-3000/README.md explains
 * the keys. */
#include <stddef.h>
#include <string.h>

#include "engine/game/case_fields.h"
#include "engine/games/superstore-3000/rules.h"
#include "engine/games/superstore-3000/score.h"
#include "engine/games/superstore-3000/wishes.h"

#define CASE_STATE      struct superstore_state
#define CASE_COMPONENTS struct superstore_components

typedef const struct superstore_state *position;

enum { NOTES_IN_GAME = 108 };

static const struct case_names elements = {CASE_NAMES(pieces), .to = ELEMENTS,
                                           .unknown = "no such tile:"};
static const struct case_names cards = {CASE_NAMES(cards), .to = CARDS, .unknown = "no card:"};

/* ---- Setting ---- */

static bool read_piece(const struct case_reader *reader, struct span word, uint8_t from, uint8_t to,
                       uint8_t *piece)
{
    const struct superstore_components *set = reader->game->set;
    *piece = superstore_piece_named(set, word, from, to);
    return *piece != NONE || case_complain(reader, "no such tile:", word);
}

static bool read_cell(const struct case_reader *reader, struct span *rest,
                      struct superstore_tile *tile)
{
    struct span column = span_word(rest);
    tile->column = superstore_column_named(column);
    if (tile->column == NONE)
        return case_complain(reader, "no column:", column);
    return case_read_number(reader, span_word(rest), FLOOR_MAX, &tile->floor);
}

/* Standing wishes of a tile: names, `all`, or `-` for none. */
static bool read_standing(const struct case_reader *reader, struct span rest,
                          struct superstore_tile *tile)
{
    const struct superstore_components *set = reader->game->set;
    const struct superstore_piece *piece = &set->pieces[tile->piece];
    tile->customers = 0;
    if (span_is(rest, "-"))
        return true;
    if (span_is(rest, "all")) {
        tile->customers = superstore_all_customers(set, tile->piece);
        return true;
    }
    while (rest.length > 0) {
        struct span word = span_word(&rest);
        unsigned slot = 0;
        while (slot < piece->wish_count && !span_equal(set->wishes[piece->wish[slot]], word))
            slot++;
        if (slot == piece->wish_count)
            return case_complain(reader, "no wish of this tile:", word);
        tile->customers = (uint8_t)(tile->customers | 1u << slot);
    }
    return true;
}

/* Puts a tile, with the given customers, in a free place. */
static bool place(const struct case_reader *reader, const struct superstore_tile *tile)
{
    struct superstore_state *state = reader->state;
    const struct superstore_components *set = reader->game->set;
    struct superstore_mall *mall = &state->mall[reader->seat];
    struct superstore_outline outline;
    struct superstore_place cell[CELLS_MAX];
    unsigned cells = superstore_cells(set, tile, cell);
    superstore_draw_outline(set, mall, &outline);
    for (unsigned i = 0; i < cells; i++)
        if (cell[i].floor < 1 || !superstore_is_free(&outline, cell[i].column, cell[i].floor))
            return case_complain(reader, "no room for", set->pieces[tile->piece].name);
    if (mall->tiles == TILES_MAX)
        return case_complain(reader, "one tile too many:", set->pieces[tile->piece].name);
    superstore_set_customers(mall, superstore_add_tile(set, mall, *tile), tile->customers);
    return true;
}

/* One number for each seat in set-up lines, but queried by seat. */
static bool load_notes(struct case_reader *reader, struct span rest)
{
    struct superstore_state *state = reader->state;
    for (unsigned seat = 0; rest.length > 0; seat++) {
        struct span word = span_word(&rest);
        if (seat == reader->seats)
            return case_complain(reader, "one seat too many:", word);
        if (!case_read_number(reader, word, NOTES_IN_GAME, &state->mall[seat].bank_notes))
            return false;
    }
    return true;
}

/* An attraction in malls may be named more than once: a position need not be reachable in a
 * game. */
static bool add_common(const struct case_reader *reader, struct span name, uint8_t side, bool built)
{
    struct superstore_state *state = reader->state;
    uint8_t piece;
    if (!read_piece(reader, name, FIRST_ATTRACTION + 1, PIECES, &piece))
        return false;
    uint8_t attraction = (uint8_t)(piece - FIRST_ATTRACTION);
    uint8_t known = superstore_find_common(state, attraction);
    if (known != NONE && built) {
        state->common[known].built = true;
        return true;
    }
    if (known != NONE || state->common_count == COMMON_MAX)
        return case_complain(reader, "one common attraction too many:", name);
    state->common[state->common_count++] = (struct superstore_common){attraction, side, built};
    return true;
}

/* `id:side ..` */
static bool load_common(struct case_reader *reader, struct span rest)
{
    while (rest.length > 0) {
        struct span word = span_word(&rest);
        if (word.length < 3 || word.at[word.length - 2] != ':' ||
            (word.at[word.length - 1] != 'a' && word.at[word.length - 1] != 'b'))
            return case_complain(reader, "no attraction with a side:", word);
        uint8_t side = word.at[word.length - 1] == 'b';
        if (!add_common(reader, (struct span){word.at, word.length - 2}, side, false))
            return false;
    }
    return true;
}

static bool load_built_common(struct case_reader *reader, struct span rest)
{
    while (rest.length > 0)
        if (!add_common(reader, span_word(&rest), 0, true))
            return false;
    return true;
}

/* Replaces the main entrance that the seat has by default. */
static bool load_mall(struct case_reader *reader, struct span rest)
{
    struct superstore_state *state = reader->state;
    struct superstore_mall *mall = &state->mall[reader->seat];
    struct superstore_tile tile = superstore_tile(mall, 0);
    if (!read_piece(reader, span_word(&rest), FIRST_MAIN, FIRST_DOCK, &tile.piece) ||
        !read_standing(reader, rest, &tile))
        return false;
    mall->piece[0] = tile.piece;
    superstore_set_customers(mall, 0, tile.customers);
    return true;
}

static bool load_dock(struct case_reader *reader, struct span rest)
{
    struct superstore_state *state = reader->state;
    struct superstore_tile tile = {.floor = 1};
    if (!read_piece(reader, span_word(&rest), FIRST_DOCK, FIRST_ATTRACTION, &tile.piece))
        return false;
    uint8_t *owner = &state->dock_owner[tile.piece - FIRST_DOCK];
    struct span column = span_word(&rest);
    tile.column = superstore_column_named(column);
    if (*owner != NONE || tile.column == NONE)
        return case_complain(reader, "no bay can stand there:", column);
    *owner = reader->seat;
    return read_standing(reader, rest, &tile) && place(reader, &tile);
}

static bool load_element(struct case_reader *reader, struct span rest)
{
    struct superstore_tile tile = {0};
    if (!read_cell(reader, &rest, &tile) ||
        !read_piece(reader, span_word(&rest), 0, ELEMENTS, &tile.piece))
        return false;
    if (superstore_is_entrance(tile.piece))
        return read_standing(reader, rest, &tile) && place(reader, &tile);
    tile.customers = span_is(rest, "*");
    if (!tile.customers && rest.length > 0)
        return case_complain(reader, "neither `*` nor nothing:", rest);
    return place(reader, &tile);
}

static bool load_attraction(struct case_reader *reader, struct span rest)
{
    struct superstore_tile tile = {0};
    struct span name = span_word(&rest);
    struct span face = span_word(&rest);
    if (!read_piece(reader, name, FIRST_ATTRACTION, PIECES, &tile.piece))
        return false;
    tile.face = span_equal(face, superstore_faces[BACK]) ? BACK : FRONT;
    if (!span_equal(face, superstore_faces[tile.face]))
        return case_complain(reader, "no face:", face);
    if (tile.piece != FIRST_ATTRACTION && !add_common(reader, name, 0, true))
        return false;
    return read_cell(reader, &rest, &tile) && place(reader, &tile);
}

/* ---- Expectations ---- */

static const struct superstore_mall *mall_of(const struct case_reader *reader)
{
    position state = reader->state;
    return &state->mall[reader->seat];
}

/* The tile that covers the cell, with any of its cells, or NONE. */
static uint8_t tile_covering(const struct superstore_components *set,
                             const struct superstore_mall *mall, int column, int floor)
{
    for (uint8_t i = 0; i < mall->tiles; i++) {
        const struct superstore_tile tile = superstore_tile(mall, i);
        struct superstore_place cell[CELLS_MAX];
        unsigned count = superstore_cells(set, &tile, cell);
        for (unsigned j = 0; j < count; j++)
            if (cell[j].column == column && cell[j].floor == floor)
                return i;
    }
    return NONE;
}

/* Reads and repeats a cell; returns its tile, or NONE. */
static uint8_t echo_tile(const struct superstore_components *set,
                         const struct superstore_mall *mall, struct span *rest, struct text *out)
{
    struct span column = span_word(rest);
    struct span floor = span_word(rest);
    uint64_t number;
    case_add_word(out, column);
    case_add_word(out, floor);
    if (superstore_column_named(column) == NONE || !span_number(floor, FLOOR_MAX, &number))
        return NONE;
    return tile_covering(set, mall, superstore_column_named(column), (int)number);
}

static bool tell_decision(const struct case_reader *reader, struct text *out)
{
    static const char *const points[] = {
        [AT_ACT] = "act", [AT_SERVE] = "serve", [AT_OVER] = "over"};
    position state = reader->state;
    case_add_number(out, state->active);
    case_add_word(out, span_of(points[state->point]));
    return true;
}

static bool tell_notes(const struct case_reader *reader, struct text *out)
{
    struct span rest = reader->asked;
    struct case_reader of = *reader;
    if (!case_echo_seat(&of, &rest, out))
        return false;
    case_add_number(out, mall_of(&of)->bank_notes);
    return true;
}

static bool tell_supply(const struct case_reader *reader, struct text *out)
{
    position state = reader->state;
    case_add_number(out, state->supply_end - state->supply_next);
    return true;
}

static bool tell_common(const struct case_reader *reader, struct text *out)
{
    const struct superstore_components *set = reader->game->set;
    position state = reader->state;
    for (unsigned i = 0; i < state->common_count; i++) {
        if (state->common[i].built)
            continue;
        case_add_word(out, set->pieces[FIRST_ATTRACTION + state->common[i].attraction].name);
        text_add(out, state->common[i].side == 0 ? ":a" : ":b");
    }
    return true;
}

static bool tell_satisfied(const struct case_reader *reader, struct text *out)
{
    case_add_number(out, superstore_satisfied(mall_of(reader)));
    return true;
}

static bool tell_lies(const struct case_reader *reader, struct text *out)
{
    const struct superstore_components *set = reader->game->set;
    const struct superstore_mall *mall = mall_of(reader);
    struct span rest = reader->asked;
    uint8_t tile = echo_tile(set, mall, &rest, out);
    case_add_yes(out, tile != NONE && (mall->sets.satisfied >> tile & 1) != 0);
    return true;
}

static bool tell_standing(const struct case_reader *reader, struct text *out)
{
    const struct superstore_components *set = reader->game->set;
    const struct superstore_mall *mall = mall_of(reader);
    struct span rest = reader->asked;
    uint8_t tile = echo_tile(set, mall, &rest, out);
    if (tile == NONE || superstore_is_store(mall->piece[tile]))
        return false;
    const struct superstore_piece *piece = &set->pieces[mall->piece[tile]];
    for (unsigned slot = 0; slot < piece->wish_count; slot++)
        if ((mall->customers[tile] >> slot & 1) != 0)
            case_add_word(out, set->wishes[piece->wish[slot]]);
    if (mall->customers[tile] == 0)
        case_add_word(out, span_of("-"));
    return true;
}

static bool tell_distance(const struct case_reader *reader, struct text *out)
{
    const struct superstore_components *set = reader->game->set;
    const struct superstore_mall *mall = mall_of(reader);
    struct span rest = reader->asked;
    uint8_t from = echo_tile(set, mall, &rest, out);
    uint8_t to = echo_tile(set, mall, &rest, out);
    if (from == NONE || to == NONE)
        return false;
    unsigned distance = superstore_distance(&mall->plan, from, to);
    if (distance == NONE)
        case_add_word(out, span_of("-"));
    else
        case_add_number(out, distance);
    return true;
}

/* `id:side` or `card:id`; NULL if there is none of that name. */
static const struct superstore_condition *condition_named(const struct superstore_components *set,
                                                          struct span word)
{
    struct span left = word;
    struct span right = case_split(&left, ':');
    if (span_is(left, "card")) {
        uint8_t card = superstore_card_named(set, right);
        return card == NONE ? NULL : &set->cards[card].condition;
    }
    uint8_t piece = superstore_piece_named(set, left, FIRST_ATTRACTION + 1, PIECES);
    if (piece == NONE || !(span_is(right, "a") || span_is(right, "b")))
        return NULL;
    return &set->attractions[piece - FIRST_ATTRACTION].side[span_is(right, "b")];
}

static bool tell_condition(const struct case_reader *reader, struct text *out)
{
    const struct superstore_components *set = reader->game->set;
    struct span rest = reader->asked;
    struct span name = span_word(&rest);
    const struct superstore_condition *condition = condition_named(set, name);
    if (condition == NULL)
        return false;
    case_add_word(out, name);
    case_add_yes(out, superstore_holds(mall_of(reader), condition));
    return true;
}

static bool tell_cluster(const struct case_reader *reader, struct text *out)
{
    const struct superstore_components *set = reader->game->set;
    const struct superstore_mall *mall = mall_of(reader);
    struct span rest = reader->asked;
    struct span name = span_word(&rest);
    uint8_t category = superstore_category_named(set, name);
    if (category >= STORE_CATEGORIES)
        return false;
    struct superstore_merit merit;
    superstore_best_cluster(mall, category, &merit);
    case_add_word(out, name);
    case_add_number(out, merit.size);
    case_add_number(out, merit.customers);
    for (unsigned i = 0; i < merit.customers; i++)
        case_add_number(out, merit.floor[i]);
    return true;
}

static bool has_verb(struct span move, struct span verb)
{
    return span_equal(span_word(&move), verb);
}

/* All legal moves of the deciding seat. Aborts the program when out of memory. */
static void list_moves(const struct case_reader *reader, struct move_list *list)
{
    const struct superstore_state *state = reader->state;
    bool ready = move_list_init(list, reader->game);
    assert(ready);
    (void)ready;
    reader->game->legal(reader->game, state, state->active, list);
}

static size_t count_verb(const struct move_list *list, struct span verb)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += has_verb(move_list_get(list, i), verb);
    return count;
}

static bool tell_count(const struct case_reader *reader, struct text *out)
{
    struct span rest = reader->asked;
    struct span verb = span_word(&rest);
    struct move_list list;
    list_moves(reader, &list);
    case_add_word(out, verb);
    case_add_number(out, (int64_t)count_verb(&list, verb));
    move_list_free(&list);
    return true;
}

/* Takes the first of the moves separated by ` | ` off the front. */
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

/* The expected moves are all moves with the verb, in any order. */
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

static bool tell_list(const struct case_reader *reader, struct text *out)
{
    struct span rest = reader->asked;
    struct span verb = span_word(&rest);
    struct move_list list;
    list_moves(reader, &list);
    case_add_word(out, verb);
    if (is_same_set(&list, verb, rest)) {
        case_add_word(out, rest);
    } else if (count_verb(&list, verb) == 0) {
        case_add_word(out, span_of("-"));
    } else {
        const char *bar = " ";
        for (size_t i = 0; i < list.count; i++) {
            if (!has_verb(move_list_get(&list, i), verb))
                continue;
            text_add(out, bar);
            text_add_span(out, move_list_get(&list, i));
            bar = " | ";
        }
    }
    move_list_free(&list);
    return true;
}

static void add_seat_points(const struct case_reader *reader, struct text *out,
                            const int32_t points[static SEATS_MAX])
{
    for (unsigned seat = 0; seat < reader->seats; seat++)
        case_add_number(out, points[seat]);
}

static bool tell_balloons(const struct case_reader *reader, struct text *out)
{
    const struct superstore_components *set = reader->game->set;
    struct span rest = reader->asked;
    struct span name = span_word(&rest);
    unsigned balloon = 0;
    while (balloon < BALLOONS && !span_equal(superstore_balloons[balloon], name))
        balloon++;
    if (balloon == BALLOONS)
        return false;
    struct superstore_points points;
    superstore_count_points(set, reader->state, &points);
    case_add_word(out, name);
    add_seat_points(reader, out, points.balloons[balloon]);
    return true;
}

static bool tell_attractions(const struct case_reader *reader, struct text *out)
{
    const struct superstore_components *set = reader->game->set;
    struct superstore_points points;
    superstore_count_points(set, reader->state, &points);
    add_seat_points(reader, out, points.attractions);
    return true;
}

static bool tell_docks(const struct case_reader *reader, struct text *out)
{
    const struct superstore_components *set = reader->game->set;
    struct superstore_points points;
    superstore_count_points(set, reader->state, &points);
    add_seat_points(reader, out, points.docks);
    return true;
}

static const struct case_field fields[] = {
    {.key = "seats"},
    {"first", .kind = CASE_SEAT, CASE_AT(first)},
    {"turn", .kind = CASE_SEAT, CASE_AT(active)},
    {"notes", .load = load_notes, .tell = tell_notes},
    {"bank", .kind = CASE_NUMBER, CASE_AT(bank), .most = NOTES_IN_GAME},
    {"a", "gym apparel grocery entrance-01", .kind = CASE_LIST, CASE_AT(dispenser[0]),
     .names = &elements, .end = offsetof(CASE_STATE, height[0])},
    {"b", "theater hair-salon restaurant entrance-02", .kind = CASE_LIST, CASE_AT(dispenser[1]),
     .names = &elements, .end = offsetof(CASE_STATE, height[1])},
    {"supply",
     "book-store book-store book-store book-store book-store book-store book-store book-store "
     "book-store book-store",
     .kind = CASE_LIST, CASE_AT(supply), .names = &elements,
     .end = offsetof(CASE_STATE, supply_end), .tell = tell_supply},
    {"card", .kind = CASE_NAME, .by_seat = true, CASE_AT(mall[0].card),
     .seat_step = sizeof(struct superstore_mall), .names = &cards},
    {"trigger", .kind = CASE_FLAG, CASE_AT(last_round)},
    {"common", .load = load_common, .tell = tell_common},
    {"built-common", .load = load_built_common},
    {"mall", .load = load_mall, .by_seat = true},
    {"dk", .load = load_dock, .by_seat = true},
    {"el", .load = load_element, .by_seat = true},
    {"at", .load = load_attraction, .by_seat = true},
    {"decision", .tell = tell_decision, .where = CASE_ANSWERED},
    {"satisfied", .tell = tell_satisfied, .by_seat = true, .where = CASE_ANSWERED},
    {"lies", .tell = tell_lies, .by_seat = true, .where = CASE_ANSWERED},
    {"standing", .tell = tell_standing, .by_seat = true, .where = CASE_ANSWERED},
    {"dist", .tell = tell_distance, .by_seat = true, .where = CASE_ANSWERED},
    {"cond", .tell = tell_condition, .by_seat = true, .where = CASE_ANSWERED},
    {"cluster", .tell = tell_cluster, .by_seat = true, .where = CASE_ANSWERED},
    {"count", .tell = tell_count, .where = CASE_ANSWERED},
    {"list", .tell = tell_list, .where = CASE_ANSWERED},
    {"balloons", .tell = tell_balloons, .where = CASE_ANSWERED},
    {"attractions", .tell = tell_attractions, .where = CASE_ANSWERED},
    {"docks", .tell = tell_docks, .where = CASE_ANSWERED},
};

/* A position has no open wish, and the rest of the game fits in the malls. */
static bool check_position(const struct case_reader *reader)
{
    const struct superstore_state *state = reader->state;
    const struct superstore_components *set = reader->game->set;
    unsigned turns = (unsigned)(state->supply_end - state->supply_next) +
                     superstore_commons_left(state) + 3u * state->seats;
    for (unsigned seat = 0; seat < state->seats; seat++) {
        struct superstore_wishes open;
        superstore_find_wishes(set, &state->mall[seat], &open);
        if (open.count > 0)
            return case_complain(reader, "somebody could lie down at once:", span_of("mall"));
        if (state->mall[seat].tiles + turns / state->seats + 2 > TILES_MAX)
            return case_complain(reader, "too many tiles to go on from here:", span_of("mall"));
    }
    return true;
}

static bool load(struct case_reader *reader)
{
    struct superstore_state *state = reader->state;
    const struct superstore_components *set = reader->game->set;
    if (!case_read_seats(reader, SEATS_MIN, SEATS_MAX, SEATS_MIN))
        return false;
    superstore_clear(state, reader->seats);
    for (uint8_t seat = 0; seat < reader->seats; seat++) {
        struct superstore_mall *mall = &state->mall[seat];
        uint8_t piece = (uint8_t)(FIRST_MAIN + seat);
        superstore_add_tile(set, mall, (struct superstore_tile){piece, COLUMN_M1, 1, FRONT, 0});
        mall->bank_notes = START_NOTES;
    }
    return case_load(reader, CASE_IN_POSITION) && check_position(reader);
}

const struct game_cases superstore_worked_cases = {fields, sizeof fields / sizeof fields[0], "-",
                                                   load};
