/* Positions for worked cases. Lines may stand in any order; what they say is read in the order of
 * the table `keys`, so that the main entrances stand before anything is put on them. */
#include "engine/games/superstore-3000/position.h"

#include <string.h>

#include "engine/games/superstore-3000/rules.h"
#include "engine/games/superstore-3000/wishes.h"

enum { NOTES_IN_GAME = 108 };

struct loader {
    struct superstore_state *state;
    struct text *error;
    const struct case_line *lines;
    size_t count;
};

static bool complain(const struct loader *loader, const char *what, struct span word)
{
    text_add(loader->error, what);
    text_add(loader->error, " `");
    text_add_span(loader->error, word);
    text_add_char(loader->error, '`');
    return false;
}

static bool read_number(const struct loader *loader, struct span word, unsigned max,
                        uint8_t *number)
{
    uint64_t value;
    if (!span_number(word, max, &value))
        return complain(loader, "no number in range:", word);
    *number = (uint8_t)value;
    return true;
}

static bool read_seat(const struct loader *loader, struct span *rest, uint8_t *seat)
{
    return read_number(loader, span_word(rest), loader->state->seats - 1u, seat);
}

static bool read_piece(const struct loader *loader, struct span word, uint8_t from, uint8_t to,
                       uint8_t *piece)
{
    *piece = superstore_piece_named(word, from, to);
    return *piece != NONE || complain(loader, "no such tile:", word);
}

static bool read_cell(const struct loader *loader, struct span *rest, struct superstore_tile *tile)
{
    struct span column = span_word(rest);
    tile->column = superstore_column_named(column);
    if (tile->column == NONE)
        return complain(loader, "no column:", column);
    return read_number(loader, span_word(rest), FLOOR_MAX, &tile->floor);
}

/* Names of mall elements, or `-`. */
static bool read_elements(const struct loader *loader, struct span rest, size_t max,
                          uint8_t *elements, uint8_t *count)
{
    *count = 0;
    while (rest.length > 0 && !span_is(rest, "-")) {
        struct span word = span_word(&rest);
        if (*count == max)
            return complain(loader, "one tile too many:", word);
        if (!read_piece(loader, word, 0, ELEMENTS, &elements[*count]))
            return false;
        ++*count;
    }
    return true;
}

/* Standing wishes of a tile: names, `all`, or `-` for none. */
static bool read_standing(const struct loader *loader, struct span rest,
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
            return complain(loader, "no wish of this tile:", word);
        tile->customers = (uint8_t)(tile->customers | 1u << slot);
    }
    return true;
}

/* Puts a tile, with the customers given, where nothing else is. */
static bool place(const struct loader *loader, unsigned seat, const struct superstore_tile *tile)
{
    struct superstore_mall *mall = &loader->state->mall[seat];
    struct superstore_outline outline;
    struct superstore_place cell[CELLS_MAX];
    unsigned cells = superstore_cells(tile, cell);
    superstore_draw_outline(mall, &outline);
    for (unsigned i = 0; i < cells; i++)
        if (cell[i].floor < 1 || !superstore_is_free(&outline, cell[i].column, cell[i].floor))
            return complain(loader, "no room for", superstore_pieces[tile->piece].name);
    if (mall->tiles == TILES_MAX)
        return complain(loader, "one tile too many:", superstore_pieces[tile->piece].name);
    mall->tile[superstore_add_tile(mall, *tile)].customers = tile->customers;
    return true;
}

/* Read already when the table was cleared. */
static bool load_seats(const struct loader *loader, struct span rest)
{
    (void)loader;
    (void)rest;
    return true;
}

static bool load_first(const struct loader *loader, struct span rest)
{
    return read_seat(loader, &rest, &loader->state->first);
}

static bool load_turn(const struct loader *loader, struct span rest)
{
    return read_seat(loader, &rest, &loader->state->active);
}

static bool load_notes(const struct loader *loader, struct span rest)
{
    for (unsigned seat = 0; rest.length > 0; seat++) {
        struct span word = span_word(&rest);
        if (seat == loader->state->seats)
            return complain(loader, "one seat too many:", word);
        if (!read_number(loader, word, NOTES_IN_GAME, &loader->state->mall[seat].bank_notes))
            return false;
    }
    return true;
}

static bool load_bank(const struct loader *loader, struct span rest)
{
    return read_number(loader, rest, NOTES_IN_GAME, &loader->state->bank);
}

static bool load_column(const struct loader *loader, struct span rest, unsigned column)
{
    uint8_t *tiles = loader->state->dispenser[column];
    memset(tiles, 0, DISPENSER_ROWS);
    return read_elements(loader, rest, DISPENSER_ROWS, tiles, &loader->state->height[column]);
}

static bool load_a(const struct loader *loader, struct span rest)
{
    return load_column(loader, rest, 0);
}

static bool load_b(const struct loader *loader, struct span rest)
{
    return load_column(loader, rest, 1);
}

static bool load_supply(const struct loader *loader, struct span rest)
{
    return read_elements(loader, rest, SUPPLY_MAX, loader->state->supply,
                         &loader->state->supply_end);
}

static bool load_card(const struct loader *loader, struct span rest)
{
    uint8_t seat;
    if (!read_seat(loader, &rest, &seat))
        return false;
    loader->state->mall[seat].card = superstore_card_named(rest);
    return loader->state->mall[seat].card != NONE || complain(loader, "no card:", rest);
}

static bool load_trigger(const struct loader *loader, struct span rest)
{
    loader->state->last_round = span_is(rest, "yes");
    return loader->state->last_round || span_is(rest, "no") ||
           complain(loader, "neither yes nor no:", rest);
}

/* An attraction that stands in malls may be named more than once: a position need not be one that
 * can come up in a game. */
static bool add_common(const struct loader *loader, struct span name, uint8_t side, bool built)
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
        return complain(loader, "one common attraction too many:", name);
    state->common[state->common_count++] = (struct superstore_common){attraction, side, built};
    return true;
}

/* `id:side ..` */
static bool load_common(const struct loader *loader, struct span rest)
{
    while (rest.length > 0) {
        struct span word = span_word(&rest);
        if (word.length < 3 || word.at[word.length - 2] != ':' ||
            (word.at[word.length - 1] != 'a' && word.at[word.length - 1] != 'b'))
            return complain(loader, "no attraction with a side:", word);
        uint8_t side = word.at[word.length - 1] == 'b';
        if (!add_common(loader, (struct span){word.at, word.length - 2}, side, false))
            return false;
    }
    return true;
}

static bool load_built_common(const struct loader *loader, struct span rest)
{
    while (rest.length > 0)
        if (!add_common(loader, span_word(&rest), 0, true))
            return false;
    return true;
}

/* Replaces the main entrance that the seat has by default. */
static bool load_mall(const struct loader *loader, struct span rest)
{
    uint8_t seat;
    if (!read_seat(loader, &rest, &seat))
        return false;
    struct superstore_tile *tile = &loader->state->mall[seat].tile[0];
    return read_piece(loader, span_word(&rest), FIRST_MAIN, FIRST_DOCK, &tile->piece) &&
           read_standing(loader, rest, tile);
}

static bool load_dock(const struct loader *loader, struct span rest)
{
    uint8_t seat;
    struct superstore_tile tile = {.floor = 1};
    if (!read_seat(loader, &rest, &seat) ||
        !read_piece(loader, span_word(&rest), FIRST_DOCK, FIRST_ATTRACTION, &tile.piece))
        return false;
    uint8_t *owner = &loader->state->dock_owner[tile.piece - FIRST_DOCK];
    struct span column = span_word(&rest);
    tile.column = superstore_column_named(column);
    if (*owner != NONE || tile.column == NONE)
        return complain(loader, "no bay can stand there:", column);
    *owner = seat;
    return read_standing(loader, rest, &tile) && place(loader, seat, &tile);
}

static bool load_element(const struct loader *loader, struct span rest)
{
    uint8_t seat;
    struct superstore_tile tile = {0};
    if (!read_seat(loader, &rest, &seat) || !read_cell(loader, &rest, &tile) ||
        !read_piece(loader, span_word(&rest), 0, ELEMENTS, &tile.piece))
        return false;
    if (superstore_is_entrance(tile.piece))
        return read_standing(loader, rest, &tile) && place(loader, seat, &tile);
    tile.customers = span_is(rest, "*");
    if (!tile.customers && rest.length > 0)
        return complain(loader, "neither `*` nor nothing:", rest);
    return place(loader, seat, &tile);
}

static bool load_attraction(const struct loader *loader, struct span rest)
{
    uint8_t seat;
    struct superstore_tile tile = {0};
    if (!read_seat(loader, &rest, &seat))
        return false;
    struct span name = span_word(&rest);
    struct span face = span_word(&rest);
    if (!read_piece(loader, name, FIRST_ATTRACTION, PIECES, &tile.piece))
        return false;
    tile.face = span_equal(face, superstore_faces[BACK]) ? BACK : FRONT;
    if (!span_equal(face, superstore_faces[tile.face]))
        return complain(loader, "no face:", face);
    if (tile.piece != FIRST_ATTRACTION && !add_common(loader, name, 0, true))
        return false;
    return read_cell(loader, &rest, &tile) && place(loader, seat, &tile);
}

/* Every key, in the order of reading, with what holds when it is not given. */
static const struct key {
    const char *name;
    bool (*load)(const struct loader *loader, struct span rest);
    const char *initial;
} keys[] = {
    {"seats", load_seats, NULL},
    {"first", load_first, NULL},
    {"turn", load_turn, NULL},
    {"notes", load_notes, NULL},
    {"bank", load_bank, NULL},
    {"a", load_a, "gym apparel grocery entrance-01"},
    {"b", load_b, "theater hair-salon restaurant entrance-02"},
    {"supply", load_supply,
     "book-store book-store book-store book-store book-store book-store book-store book-store "
     "book-store book-store"},
    {"card", load_card, NULL},
    {"trigger", load_trigger, NULL},
    {"common", load_common, NULL},
    {"built-common", load_built_common, NULL},
    {"mall", load_mall, NULL},
    {"dk", load_dock, NULL},
    {"el", load_element, NULL},
    {"at", load_attraction, NULL},
};

static bool check_keys(const struct loader *loader)
{
    for (size_t i = 0; i < loader->count; i++) {
        size_t key = 0;
        size_t count = sizeof keys / sizeof keys[0];
        while (key < count && !span_is(loader->lines[i].key, keys[key].name))
            key++;
        if (key == count)
            return complain(loader, "no set-up line:", loader->lines[i].key);
    }
    return true;
}

static bool load_lines_of(const struct loader *loader, const struct key *key)
{
    bool found = false;
    for (size_t i = 0; i < loader->count; i++) {
        if (!span_is(loader->lines[i].key, key->name))
            continue;
        found = true;
        if (!key->load(loader, loader->lines[i].rest))
            return false;
    }
    return found || key->initial == NULL || key->load(loader, span_of(key->initial));
}

static bool clear_table(const struct loader *loader)
{
    uint8_t seats = SEATS_MIN;
    for (size_t i = 0; i < loader->count; i++)
        if (span_is(loader->lines[i].key, "seats") &&
            (!read_number(loader, loader->lines[i].rest, SEATS_MAX, &seats) || seats < SEATS_MIN))
            return complain(loader, "seats are 2 to 4, not", loader->lines[i].rest);
    superstore_clear(loader->state, seats);
    for (uint8_t seat = 0; seat < seats; seat++) {
        struct superstore_mall *mall = &loader->state->mall[seat];
        uint8_t piece = (uint8_t)(FIRST_MAIN + seat);
        superstore_add_tile(mall, (struct superstore_tile){piece, COLUMN_M1, 1, FRONT, 0});
        mall->bank_notes = START_NOTES;
    }
    return true;
}

/* A position has no open wish, and the rest of the game has room in the malls. */
static bool check_position(const struct loader *loader)
{
    const struct superstore_state *state = loader->state;
    unsigned turns = (unsigned)(state->supply_end - state->supply_next) +
                     superstore_commons_left(state) + 3u * state->seats;
    for (unsigned seat = 0; seat < state->seats; seat++) {
        struct superstore_wishes open;
        superstore_find_wishes(&state->mall[seat], &open);
        if (open.count > 0)
            return complain(loader, "somebody could lie down at once:", span_of("mall"));
        if (state->mall[seat].tiles + turns / state->seats + 2 > TILES_MAX)
            return complain(loader, "too many tiles to go on from here:", span_of("mall"));
    }
    return true;
}

bool superstore_load_position(void *opaque, const struct case_line *lines, size_t count,
                              struct chance_stacks *stacks, const struct chance *chance,
                              struct text *error)
{
    (void)stacks;
    (void)chance;
    struct loader loader = {opaque, error, lines, count};
    if (!clear_table(&loader) || !check_keys(&loader))
        return false;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!load_lines_of(&loader, &keys[i]))
            return false;
    return check_position(&loader);
}
