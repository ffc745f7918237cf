/* The fields of positions of worked cases, in the order in which they are set, so that what follows
 * from other lines (a discard pile, the supply) is known when needed.
 * tests/cases/super-motherload/README.md explains the keys. */
#include <stddef.h>
#include <string.h>

#include "engine/game/case_fields.h"
#include "engine/games/super-motherload/piles.h"
#include "engine/games/super-motherload/rules.h"
#include "engine/games/super-motherload/turn.h"

#define CASE_STATE      struct motherload_state
#define CASE_COMPONENTS struct motherload_components

typedef const struct motherload_state *position;

static const char unknown[] = "no such name:";

static const struct case_names cards = {CASE_NAMES(cards), .to = CARDS, .unknown = unknown};
static const struct case_names colors = {CASE_NAMES(colors), .to = COLORS, .unknown = unknown};
static const struct case_names decks = {CASE_NAMES(decks), .to = DECKS, .unknown = unknown};
static const struct case_names boards = {CASE_NAMES(boards), .to = BOARDS, .unknown = unknown};
static const struct case_names minerals = {CASE_NAMES(minerals), .to = MINERALS,
                                           .unknown = unknown};
static const struct case_names artifacts = {CASE_NAMES(artifacts), .to = ARTIFACTS,
                                            .unknown = unknown};
static const struct case_names achievements = {CASE_NAMES(achievements), .to = ACHIEVEMENTS,
                                               CASE_ORDER(achievements_in_byte_order),
                                               .unknown = unknown};
static const struct case_names minors = {CASE_NAMES(achievements), .to = MINORS,
                                         .unknown = "no minor achievement:"};
static const struct case_names majors = {CASE_NAMES(achievements), .from = MINORS,
                                         .to = ACHIEVEMENTS, .unknown = "no major achievement:"};

static bool load_options(struct case_reader *reader, struct span rest)
{
    struct motherload_state *state = reader->state;
    while (rest.length > 0) {
        struct span item = span_word(&rest);
        struct span name = item;
        struct span value = case_split(&name, '=');
        bool of_decks = span_is(name, "decks");
        bool other = span_is(value, of_decks ? "seat" : "drawn");
        if ((!of_decks && !span_is(name, "sides")) || (!other && !span_is(value, "chosen")))
            return case_complain(reader, "no option:", item);
        *(of_decks ? &state->decks_by_seat : &state->sides_drawn) = other;
    }
    return true;
}

static bool load_stream(struct case_reader *reader, struct span rest)
{
    struct span name = span_word(&rest);
    return chance_stack_add(reader->stacks, name, rest) ||
           case_complain(reader, "too many streams, from", name);
}

static bool load_decks(struct case_reader *reader, struct span rest)
{
    struct motherload_state *state = reader->state;
    const struct motherload_components *set = reader->game->set;
    memset(state->deck, NONE, sizeof state->deck);
    for (unsigned seat = 0; seat < state->seats; seat++) {
        uint8_t deck;
        if (!case_read_name(reader, &rest, &decks, &deck))
            return false;
        if ((motherload_free_decks(state) >> deck & 1) == 0)
            return case_complain(reader, "taken twice:", set->decks[deck].name);
        state->deck[seat] = deck;
    }
    return true;
}

static bool load_boards(struct case_reader *reader, struct span rest)
{
    struct motherload_state *state = reader->state;
    for (; rest.length > 0; state->boards++) {
        if (state->boards == TABLE_BOARDS)
            return case_complain(reader, "one too many before", rest);
        if (!case_read_name(reader, &rest, &boards, &state->board[state->boards]))
            return false;
    }
    if (state->sides_drawn)
        motherload_draw_sides(state, reader->chance);
    return true;
}

/* The first row on the table of a depth in play, or -1. */
static int first_row(const struct motherload_components *set, position state, char depth)
{
    for (int i = 0; i < state->boards; i++)
        if (set->boards[state->board[i]].depth == depth - '0')
            return i * ROWS;
    return -1;
}

/* `1h3`, or `1h1-6` for six of them down a column. */
static bool load_tunnels(struct case_reader *reader, struct span rest)
{
    struct motherload_state *state = reader->state;
    const struct motherload_components *set = reader->game->set;
    while (rest.length > 0) {
        struct span word = span_word(&rest);
        if (word.length != 3 && (word.length != 5 || word.at[3] != '-'))
            return case_complain(reader, "no spaces:", word);
        int column = word.at[1] - 'a';
        int row = word.at[2] - '1';
        int last = word.at[word.length - 1] - '1';
        int first = first_row(set, state, word.at[0]);
        if (first < 0 || column < 0 || column >= COLUMNS || row < 0 || last < row || last >= ROWS)
            return case_complain(reader, "no spaces in play:", word);
        for (; row <= last; row++)
            state->covered[first + row] |= (uint16_t)(1u << column);
    }
    return true;
}

/* If given, that many; otherwise what the seats do not hold. */
static bool load_supply(struct case_reader *reader, struct span rest)
{
    struct motherload_state *state = reader->state;
    unsigned held = 0;
    for (unsigned seat = 0; seat < state->seats; seat++)
        held += state->bombs[seat];
    if (held > BOMB_TOKENS)
        return case_complain(reader, "more than 16 bomb tokens, supply", rest);
    state->supply = (uint8_t)(BOMB_TOKENS - held);
    return span_is(rest, "the rest") ||
           case_read_number(reader, rest, BOMB_TOKENS - held, &state->supply);
}

/* The pile ends with the last tile of the array. */
static bool load_artifact_pile(struct case_reader *reader, struct span rest)
{
    struct motherload_state *state = reader->state;
    uint8_t pile[ARTIFACT_TILES] = {0};
    unsigned count = 0;
    while (rest.length > 0 && !span_is(rest, "-")) {
        if (count == ARTIFACT_TILES)
            return case_complain(reader, "one too many before", rest);
        if (!case_read_name(reader, &rest, &artifacts, &pile[count++]))
            return false;
    }
    state->artifact_next = (uint8_t)(ARTIFACT_TILES - count);
    memcpy(state->artifact_pile + state->artifact_next, pile, count);
    return true;
}

static bool tell_artifact_pile(const struct case_reader *reader, struct text *out)
{
    position state = reader->state;
    for (unsigned i = state->artifact_next; i < ARTIFACT_TILES; i++)
        case_add_word(out, case_name(reader, &artifacts, state->artifact_pile[i]));
    return true;
}

static bool tell_decision(const struct case_reader *reader, struct text *out)
{
    position state = reader->state;
    if (state->point == AT_OVER) {
        text_add_char(out, '-');
        return true;
    }
    case_add_number(out, state->active);
    case_add_word(out, span_of(motherload_point_name(state->point)));
    return true;
}

static void add_space(struct text *out, unsigned space)
{
    case_add_word(out, span_of(""));
    motherload_add_space(out, space);
}

static bool tell_tunnels(const struct case_reader *reader, struct text *out)
{
    const struct motherload_components *set = reader->game->set;
    position state = reader->state;
    for (unsigned row = 0; row < state->boards * ROWS; row++) {
        unsigned depth = set->boards[state->board[row / ROWS]].depth;
        for (unsigned column = 0; column < COLUMNS; column++)
            if ((state->covered[row] >> column & 1) != 0)
                add_space(out, SPACE(depth, row % ROWS, column));
    }
    return true;
}

static bool tell_covered(const struct case_reader *reader, struct text *out)
{
    position state = reader->state;
    for (unsigned i = 0; i < state->last_count; i++)
        add_space(out, state->last[i]);
    return true;
}

/* Dearest first. */
static bool tell_waiting(const struct case_reader *reader, struct text *out)
{
    position state = reader->state;
    for (unsigned mineral = MINERALS; mineral-- > 0;)
        for (unsigned i = 0; i < state->waiting[mineral]; i++)
            case_add_word(out, case_name(reader, &minerals, mineral));
    return true;
}

static bool tell_claimable(const struct case_reader *reader, struct text *out)
{
    case_add_set(reader, out, motherload_claimable(reader->state), &achievements);
    return true;
}

static bool tell_next_boards(const struct case_reader *reader, struct text *out)
{
    const struct motherload_components *set = reader->game->set;
    position state = reader->state;
    unsigned lowest = state->boards == 0 ? 0 : set->boards[state->board[state->boards - 1]].depth;
    for (unsigned depth = lowest + 1; depth <= DEPTHS; depth++)
        if ((depth != 3 || state->seats > 2) && state->side[depth - 1] != NONE)
            case_add_word(out,
                          case_name(reader, &boards, 2 * (depth - 1) + state->side[depth - 1]));
    return true;
}

static const struct case_field fields[] = {
    {"new", .where = CASE_EVERYWHERE},
    {"seats", .where = CASE_EVERYWHERE},
    {"stream", .load = load_stream, .where = CASE_EVERYWHERE},
    {"options", .load = load_options, .where = CASE_EVERYWHERE},
    {"decks", .load = load_decks},
    {"boards", "1a", .load = load_boards, .kind = CASE_LIST, CASE_AT(board), .names = &boards,
     .end = offsetof(CASE_STATE, boards)},
    {"tunnels", .load = load_tunnels, .tell = tell_tunnels},
    {"at", "0", .kind = CASE_SEAT, CASE_AT(active)},
    {"left", "2", .kind = CASE_NUMBER, CASE_AT(left), .most = 20},
    {"taken", .kind = CASE_NUMBER, CASE_AT(taken), .most = 20},
    {"idle", .kind = CASE_NUMBER, CASE_AT(idle), .most = IDLE_TURNS * SEATS_MAX},
    {"bought", .kind = CASE_EACH, CASE_BY_SEAT(bought), .most = STACK_CARDS},
    {"hand", .kind = CASE_COUNTS, CASE_BY_SEAT(hand), .names = &cards},
    {"draw", .kind = CASE_LIST, CASE_BY_SEAT(pile), .names = &cards,
     .next = offsetof(CASE_STATE, pile_next), .end = offsetof(CASE_STATE, pile_end)},
    {"discard", .kind = CASE_COUNTS, CASE_BY_SEAT(discard), .names = &cards},
    {"minerals", .kind = CASE_COUNTS, CASE_BY_SEAT(minerals), .by = &colors, .item_step = MINERALS,
     .names = &minerals},
    {"bombs", .kind = CASE_NUMBER, CASE_BY_SEAT(bombs), .most = BOMB_TOKENS},
    {"supply", "the rest", .load = load_supply, .kind = CASE_NUMBER, CASE_AT(supply)},
    {"artifacts", .kind = CASE_COUNTS, CASE_BY_SEAT(artifacts), .names = &artifacts},
    {"achievements", .kind = CASE_SET, CASE_BY_SEAT(claimed), .names = &achievements},
    {"majors", "red-and-blue red-and-yellow red-and-wild", .kind = CASE_LIST, CASE_AT(majors),
     .names = &majors},
    {"minors", "joker-drill four-fronts ruby-stock", .kind = CASE_LIST, CASE_AT(minors),
     .names = &minors},
    {"minor-deck", "iron-stock diamond-stock", .kind = CASE_LIST, CASE_AT(minor_deck),
     .names = &minors, .end = offsetof(CASE_STATE, minor_deck_count)},
    {"artifact-pile", .load = load_artifact_pile, .tell = tell_artifact_pile},
    {"decision", .tell = tell_decision, .where = CASE_ANSWERED},
    {"covered", .tell = tell_covered, .where = CASE_ANSWERED},
    {"buys", .kind = CASE_NUMBER, CASE_AT(buys), .where = CASE_ANSWERED},
    {"waiting", .tell = tell_waiting, .where = CASE_ANSWERED},
    {"claimable", .tell = tell_claimable, .where = CASE_ANSWERED},
    {"ending", .kind = CASE_FLAG, CASE_AT(ending), .where = CASE_ANSWERED},
    {"next-boards", .tell = tell_next_boards, .where = CASE_ANSWERED},
    {"deck", .kind = CASE_NAME, CASE_BY_SEAT(deck), .names = &decks, .where = CASE_ANSWERED},
    {"reshuffles", .kind = CASE_NUMBER, CASE_BY_SEAT(reshuffles), .where = CASE_ANSWERED},
};

/* True if the discard pile of the seat is given. */
static bool has_discards(const struct case_reader *reader, unsigned seat)
{
    for (size_t i = 0; i < reader->count; i++) {
        struct span rest = reader->lines[i].rest;
        uint64_t number;
        if (span_is(reader->lines[i].key, "discard") &&
            span_number(span_word(&rest), SEATS_MAX, &number) && number == seat)
            return true;
    }
    return false;
}

/* The seat's own cards that are nowhere else are in its discard pile; none may be missing. */
static bool complete_cards(const struct case_reader *reader, unsigned seat)
{
    struct motherload_state *state = reader->state;
    const struct motherload_components *set = reader->game->set;
    bool given = has_discards(reader, seat);
    for (unsigned card = 0; card < CARDS; card++) {
        bool own = TIER_OF(card) <= state->bought[seat][COLOR_OF(card)];
        unsigned left = own ? set->cards[card].count : 0u;
        unsigned used = state->hand[seat][card];
        for (unsigned i = 0; i < state->pile_end[seat]; i++)
            used += state->pile[seat][i] == card;
        used += given ? state->discard[seat][card] : 0u;
        if (used > left || (given && used < left))
            return case_complain(reader, "not as many as the seat owns:", set->cards[card].name);
        if (!given)
            state->discard[seat][card] = (uint8_t)(left - used);
    }
    return true;
}

static bool load(struct case_reader *reader)
{
    struct motherload_state *state = reader->state;
    const struct motherload_components *set = reader->game->set;
    bool new_game = case_find(reader, "new") != NULL;
    if (!case_read_seats(reader, SEATS_MIN, SEATS_MAX, SEATS_MIN))
        return false;
    motherload_clear(state, reader->seats);
    for (uint8_t seat = 0; seat < state->seats; seat++) {
        state->deck[seat] = seat;
        state->bombs[seat] = OPENING_BOMBS;
    }
    if (!case_load(reader, new_game ? CASE_IN_SETUP : CASE_IN_POSITION))
        return false;
    if (new_game) {
        struct game_options options = {
            {[OPTION_DECKS] = state->decks_by_seat, [OPTION_SIDES] = state->sides_drawn}};
        motherload_setup(reader->game, state, state->seats, &options, reader->chance);
        return true;
    }
    for (unsigned seat = 0; seat < state->seats; seat++)
        if (!complete_cards(reader, seat))
            return false;
    state->point = AT_MAIN;
    motherload_mark(set, state);
    return true;
}

const struct game_cases motherload_worked_cases = {fields, sizeof fields / sizeof fields[0], "-",
                                                   load};
