/* Positions for worked cases. Lines may stand in any order; what they say is read in the order of
 * the table `keys`, so that the main entrances stand before anything is put on them. */
#include "engine/games/superstore-3000/position.h"

#include <string.h>

#include "engine/case_reader.h"
#include "engine/games/superstore-3000/rules.h"
#include "engine/games/superstore-3000/wishes.h"

enum { NOTES_IN_GAME = 108 };

struct case_loader {
    struct case_reader reader;
    struct superstore_state *state;
};

static bool read_piece(const struct case_loader *loader, struct span word, uint8_t from, uint8_t to,
                       uint8_t *piece)
{
    *piece = superstore_piece_named(word, from, to);
    return *piece != NONE || case_complain(&loader->reader, "no such tile:", word);
}

static bool read_cell(const struct case_loader *loader, struct span *rest,
                      struct superstore_tile *tile)
{
    struct span column = span_word(rest);
    tile->column = superstore_column_named(column);
    if (tile->column == NONE)
        return case_complain(&loader->reader, "no column:", column);
    return case_read_number(&loader->reader, span_word(rest), FLOOR_MAX, &tile->floor);
}

/* Names of mall elements, or `-`. */
static bool read_elements(const struct case_loader *loader, struct span rest, size_t max,
                          uint8_t *elements, uint8_t *count)
{
    *count = 0;
    while (rest.length > 0 && !span_is(rest, "-")) {
        struct span word = span_word(&rest);
        if (*count == max)
            return case_complain(&loader->reader, "one tile too many:", word);
        if (!read_piece(loader, word, 0, ELEMENTS, &elements[*count]))
            return false;
        ++*count;
    }
    return true;
}

/* Standing wishes of a tile: names, `all`, or `-` for none. */
static bool read_standing(const struct case_loader *loader, struct span rest,
                          struct superstore_tile *tile)
{
    const struct superstore_piece *piece = &superstore_pieces[tile->piece];
    tile->customers = 0;
    if (span_is(rest, "-"))
        return true;
    if (span_is(rest, "all")) {
        tile->customers = superstore_all_customers(tile->piece);
        return true;
    }
    while (rest.length > 0) {
        struct span word = span_word(&rest);
        unsigned slot = 0;
        while (slot < piece->wish_count && !span_equal(superstore_wishes[piece->wish[slot]], word))
            slot++;
        if (slot == piece->wish_count)
            return case_complain(&loader->reader, "no wish of this tile:", word);
        tile->customers = (uint8_t)(tile->customers | 1u << slot);
    }
    return true;
}

/* Puts a tile, with the customers given, where nothing else is. */
static bool place(const struct case_loader *loader, unsigned seat,
                  const struct superstore_tile *tile)
{
    struct superstore_mall *mall = &loader->state->mall[seat];
    struct superstore_outline outline;
    struct superstore_place cell[CELLS_MAX];
    unsigned cells = superstore_cells(tile, cell);
    superstore_draw_outline(mall, &outline);
    for (unsigned i = 0; i < cells; i++)
        if (cell[i].floor < 1 || !superstore_is_free(&outline, cell[i].column, cell[i].floor))
            return case_complain(&loader->reader, "no room for",
                                 superstore_pieces[tile->piece].name);
    if (mall->tiles == TILES_MAX)
        return case_complain(&loader->reader,
                             "one tile too many:", superstore_pieces[tile->piece].name);
    mall->tile[superstore_add_tile(mall, *tile)].customers = tile->customers;
    return true;
}

static bool load_first(struct case_loader *loader, struct span rest)
{
    return case_read_seat(&loader->reader, &rest, &loader->state->first);
}

static bool load_turn(struct case_loader *loader, struct span rest)
{
    return case_read_seat(&loader->reader, &rest, &loader->state->active);
}

static bool load_notes(struct case_loader *loader, struct span rest)
{
    for (unsigned seat = 0; rest.length > 0; seat++) {
        struct span word = span_word(&rest);
        if (seat == loader->state->seats)
            return case_complain(&loader->reader, "one seat too many:", word);
        if (!case_read_number(&loader->reader, word, NOTES_IN_GAME,
                              &loader->state->mall[seat].bank_notes))
            return false;
    }
    return true;
}

static bool load_bank(struct case_loader *loader, struct span rest)
{
    return case_read_number(&loader->reader, rest, NOTES_IN_GAME, &loader->state->bank);
}

static bool load_column(const struct case_loader *loader, struct span rest, unsigned column)
{
    uint8_t *tiles = loader->state->dispenser[column];
    memset(tiles, 0, DISPENSER_ROWS);
    return read_elements(loader, rest, DISPENSER_ROWS, tiles, &loader->state->height[column]);
}

static bool load_a(struct case_loader *loader, struct span rest)
{
    return load_column(loader, rest, 0);
}

static bool load_b(struct case_loader *loader, struct span rest)
{
    return load_column(loader, rest, 1);
}

static bool load_supply(struct case_loader *loader, struct span rest)
{
    return read_elements(loader, rest, SUPPLY_MAX, loader->state->supply,
                         &loader->state->supply_end);
}

static bool load_card(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    if (!case_read_seat(&loader->reader, &rest, &seat))
        return false;
    loader->state->mall[seat].card = superstore_card_named(rest);
    return loader->state->mall[seat].card != NONE ||
           case_complain(&loader->reader, "no card:", rest);
}

static bool load_trigger(struct case_loader *loader, struct span rest)
{
    bool triggered;
    if (!case_read_either(&loader->reader, rest, "yes", "no", &triggered))
        return false;
    loader->state->last_round = triggered;
    return true;
}

/* An attraction that stands in malls may be named more than once: a position need not be one that
 * can come up in a game. */
static bool add_common(const struct case_loader *loader, struct span name, uint8_t side, bool built)
{
    struct superstore_state *state = loader->state;
    uint8_t piece;
    if (!read_piece(loader, name, FIRST_ATTRACTION + 1, PIECES, &piece))
        return false;
    uint8_t attraction = (uint8_t)(piece - FIRST_ATTRACTION);
    uint8_t known = superstore_find_common(state, attraction);
    if (known != NONE && built) {
        state->common[known].built = true;
        return true;
    }
    if (known != NONE || state->common_count == COMMON_MAX)
        return case_complain(&loader->reader, "one common attraction too many:", name);
    state->common[state->common_count++] = (struct superstore_common){attraction, side, built};
    return true;
}

/* `id:side ..` */
static bool load_common(struct case_loader *loader, struct span rest)
{
    while (rest.length > 0) {
        struct span word = span_word(&rest);
        if (word.length < 3 || word.at[word.length - 2] != ':' ||
            (word.at[word.length - 1] != 'a' && word.at[word.length - 1] != 'b'))
            return case_complain(&loader->reader, "no attraction with a side:", word);
        uint8_t side = word.at[word.length - 1] == 'b';
        if (!add_common(loader, (struct span){word.at, word.length - 2}, side, false))
            return false;
    }
    return true;
}

static bool load_built_common(struct case_loader *loader, struct span rest)
{
    while (rest.length > 0)
        if (!add_common(loader, span_word(&rest), 0, true))
            return false;
    return true;
}

/* Replaces the main entrance that the seat has by default. */
static bool load_mall(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    if (!case_read_seat(&loader->reader, &rest, &seat))
        return false;
    struct superstore_tile *tile = &loader->state->mall[seat].tile[0];
    return read_piece(loader, span_word(&rest), FIRST_MAIN, FIRST_DOCK, &tile->piece) &&
           read_standing(loader, rest, tile);
}

static bool load_dock(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    struct superstore_tile tile = {.floor = 1};
    if (!case_read_seat(&loader->reader, &rest, &seat) ||
        !read_piece(loader, span_word(&rest), FIRST_DOCK, FIRST_ATTRACTION, &tile.piece))
        return false;
    uint8_t *owner = &loader->state->dock_owner[tile.piece - FIRST_DOCK];
    struct span column = span_word(&rest);
    tile.column = superstore_column_named(column);
    if (*owner != NONE || tile.column == NONE)
        return case_complain(&loader->reader, "no bay can stand there:", column);
    *owner = seat;
    return read_standing(loader, rest, &tile) && place(loader, seat, &tile);
}

static bool load_element(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    struct superstore_tile tile = {0};
    if (!case_read_seat(&loader->reader, &rest, &seat) || !read_cell(loader, &rest, &tile) ||
        !read_piece(loader, span_word(&rest), 0, ELEMENTS, &tile.piece))
        return false;
    if (superstore_is_entrance(tile.piece))
        return read_standing(loader, rest, &tile) && place(loader, seat, &tile);
    tile.customers = span_is(rest, "*");
    if (!tile.customers && rest.length > 0)
        return case_complain(&loader->reader, "neither `*` nor nothing:", rest);
    return place(loader, seat, &tile);
}

static bool load_attraction(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    struct superstore_tile tile = {0};
    if (!case_read_seat(&loader->reader, &rest, &seat))
        return false;
    struct span name = span_word(&rest);
    struct span face = span_word(&rest);
    if (!read_piece(loader, name, FIRST_ATTRACTION, PIECES, &tile.piece))
        return false;
    tile.face = span_equal(face, superstore_faces[BACK]) ? BACK : FRONT;
    if (!span_equal(face, superstore_faces[tile.face]))
        return case_complain(&loader->reader, "no face:", face);
    if (tile.piece != FIRST_ATTRACTION && !add_common(loader, name, 0, true))
        return false;
    return read_cell(loader, &rest, &tile) && place(loader, seat, &tile);
}

/* Every key, in the order of reading, with what holds when it is not given. */
static const struct case_key keys[] = {
    {"seats", case_load_nothing, NULL, CASE_IN_POSITION},
    {"first", load_first, NULL, CASE_IN_POSITION},
    {"turn", load_turn, NULL, CASE_IN_POSITION},
    {"notes", load_notes, NULL, CASE_IN_POSITION},
    {"bank", load_bank, NULL, CASE_IN_POSITION},
    {"a", load_a, "gym apparel grocery entrance-01", CASE_IN_POSITION},
    {"b", load_b, "theater hair-salon restaurant entrance-02", CASE_IN_POSITION},
    {"supply", load_supply,
     "book-store book-store book-store book-store book-store book-store book-store book-store "
     "book-store book-store",
     CASE_IN_POSITION},
    {"card", load_card, NULL, CASE_IN_POSITION},
    {"trigger", load_trigger, NULL, CASE_IN_POSITION},
    {"common", load_common, NULL, CASE_IN_POSITION},
    {"built-common", load_built_common, NULL, CASE_IN_POSITION},
    {"mall", load_mall, NULL, CASE_IN_POSITION},
    {"dk", load_dock, NULL, CASE_IN_POSITION},
    {"el", load_element, NULL, CASE_IN_POSITION},
    {"at", load_attraction, NULL, CASE_IN_POSITION},
};

enum { KEYS = sizeof keys / sizeof keys[0] };

static bool clear_table(struct case_loader *loader)
{
    if (!case_read_seats(&loader->reader, SEATS_MIN, SEATS_MAX, SEATS_MIN))
        return false;
    superstore_clear(loader->state, loader->reader.seats);
    for (uint8_t seat = 0; seat < loader->reader.seats; seat++) {
        struct superstore_mall *mall = &loader->state->mall[seat];
        uint8_t piece = (uint8_t)(FIRST_MAIN + seat);
        superstore_add_tile(mall, (struct superstore_tile){piece, COLUMN_M1, 1, FRONT, 0});
        mall->bank_notes = START_NOTES;
    }
    return true;
}

/* A position has no open wish, and the rest of the game has room in the malls. */
static bool check_position(const struct case_loader *loader)
{
    const struct superstore_state *state = loader->state;
    unsigned turns = (unsigned)(state->supply_end - state->supply_next) +
                     superstore_commons_left(state) + 3u * state->seats;
    for (unsigned seat = 0; seat < state->seats; seat++) {
        struct superstore_wishes open;
        superstore_find_wishes(&state->mall[seat], &open);
        if (open.count > 0)
            return case_complain(&loader->reader,
                                 "somebody could lie down at once:", span_of("mall"));
        if (state->mall[seat].tiles + turns / state->seats + 2 > TILES_MAX)
            return case_complain(&loader->reader,
                                 "too many tiles to go on from here:", span_of("mall"));
    }
    return true;
}

bool superstore_load_position(void *opaque, const struct case_line *lines, size_t count,
                              struct chance_stacks *stacks, const struct chance *chance,
                              struct text *error)
{
    (void)stacks;
    (void)chance;
    struct case_loader loader = {{lines, count, error, 0}, opaque};
    return clear_table(&loader) && case_check_keys(&loader.reader, keys, KEYS, CASE_IN_POSITION) &&
           case_load_keys(&loader.reader, keys, KEYS, CASE_IN_POSITION, &loader) &&
           check_position(&loader);
}
