/* Positions for worked cases: set-up lines in. tests/cases/super-motherload/README.md explains the
 * keys. Lines may stand in any order; what they say is read in the order of the table `keys`, so
 * that what follows from other lines (a discard pile, the supply) is known when it is needed. */
#include <string.h>

#include "engine/case_reader.h"
#include "engine/games/super-motherload/piles.h"
#include "engine/games/super-motherload/rules.h"
#include "engine/games/super-motherload/turn.h"

struct case_loader {
    struct case_reader reader;
    struct motherload_state *state;
    struct game_options options;
    struct chance_stacks *stacks;
    const struct chance *chance;
    unsigned discards; /* bit s: the discard pile of seat s is given */
};

/* Cuts a word off and finds its index; `-` stands for an empty slot or list. */
static bool read_name(const struct case_loader *loader, struct span *rest,
                      uint8_t (*find)(struct span name), uint8_t *index)
{
    return case_read_name(&loader->reader, span_word(rest), find, "no such name:", index);
}

/* A list of names, counted in counts[]. */
static bool read_counts(const struct case_loader *loader, struct span rest,
                        uint8_t (*find)(struct span name), uint8_t *counts)
{
    return case_read_counts(&loader->reader, rest, "-", find, "no such name:", counts);
}

/* A list of names in order; -1 if it cannot be read. */
static int read_list(const struct case_loader *loader, struct span rest,
                     uint8_t (*find)(struct span name), uint8_t *list, int max)
{
    int count = 0;
    if (span_is(rest, "-"))
        return 0;
    while (rest.length > 0) {
        uint8_t index;
        if (!read_name(loader, &rest, find, &index))
            return -1;
        if (count == max) {
            case_complain(&loader->reader, "one too many before", rest);
            return -1;
        }
        list[count++] = index;
    }
    return count;
}

static bool load_option(struct case_loader *loader, struct span item)
{
    const char *equals = item.length == 0 ? NULL : memchr(item.at, '=', item.length);
    if (equals == NULL)
        return case_complain(&loader->reader, "no option:", item);
    struct span name = {item.at, (size_t)(equals - item.at)};
    struct span value = {equals + 1, item.length - name.length - 1};
    bool decks = span_is(name, "decks");
    bool other = span_is(value, decks ? "seat" : "drawn");
    if ((!decks && !span_is(name, "sides")) || (!other && !span_is(value, "chosen")))
        return case_complain(&loader->reader, "no option:", item);
    loader->options.value[decks ? OPTION_DECKS : OPTION_SIDES] = other;
    return true;
}

static bool load_options(struct case_loader *loader, struct span rest)
{
    while (rest.length > 0)
        if (!load_option(loader, span_word(&rest)))
            return false;
    loader->state->decks_by_seat = loader->options.value[OPTION_DECKS];
    loader->state->sides_drawn = loader->options.value[OPTION_SIDES];
    return true;
}

static bool load_stream(struct case_loader *loader, struct span rest)
{
    struct span name = span_word(&rest);
    return chance_stack_add(loader->stacks, name, rest) ||
           case_complain(&loader->reader, "too many streams, from", name);
}

static bool load_decks(struct case_loader *loader, struct span rest)
{
    memset(loader->state->deck, NONE, sizeof loader->state->deck);
    for (unsigned seat = 0; seat < loader->state->seats; seat++) {
        uint8_t deck;
        if (!read_name(loader, &rest, motherload_deck_named, &deck))
            return false;
        if ((motherload_free_decks(loader->state) >> deck & 1) == 0)
            return case_complain(&loader->reader, "taken twice:", motherload_decks[deck].name);
        loader->state->deck[seat] = deck;
    }
    return true;
}

static bool load_boards(struct case_loader *loader, struct span rest)
{
    struct motherload_state *state = loader->state;
    int count = read_list(loader, rest, motherload_board_named, state->board, TABLE_BOARDS);
    if (count < 1)
        return false;
    state->boards = (uint8_t)count;
    if (state->sides_drawn)
        motherload_draw_sides(state, loader->chance);
    return true;
}

/* The first row on the table of a depth in play, or -1. */
static int first_row(const struct motherload_state *state, char depth)
{
    for (int i = 0; i < state->boards; i++)
        if (motherload_boards[state->board[i]].depth == depth - '0')
            return i * ROWS;
    return -1;
}

/* `1h3`, or `1h1-6` for six of them down a column. */
static bool load_tunnel(const struct case_loader *loader, struct span word)
{
    struct motherload_state *state = loader->state;
    if (word.length != 3 && (word.length != 5 || word.at[3] != '-'))
        return case_complain(&loader->reader, "no spaces:", word);
    int column = word.at[1] - 'a';
    int row = word.at[2] - '1';
    int last = word.at[word.length - 1] - '1';
    int first = first_row(state, word.at[0]);
    if (first < 0 || column < 0 || column >= COLUMNS || row < 0 || last < row || last >= ROWS)
        return case_complain(&loader->reader, "no spaces in play:", word);
    for (; row <= last; row++)
        state->covered[first + row] |= (uint16_t)(1u << column);
    return true;
}

static bool load_tunnels(struct case_loader *loader, struct span rest)
{
    while (rest.length > 0)
        if (!load_tunnel(loader, span_word(&rest)))
            return false;
    return true;
}

static bool load_at(struct case_loader *loader, struct span rest)
{
    return case_read_seat(&loader->reader, &rest, &loader->state->active);
}

static bool load_left(struct case_loader *loader, struct span rest)
{
    return case_read_number(&loader->reader, rest, 20, &loader->state->left);
}

static bool load_taken(struct case_loader *loader, struct span rest)
{
    return case_read_number(&loader->reader, rest, 20, &loader->state->taken);
}

static bool load_idle(struct case_loader *loader, struct span rest)
{
    return case_read_number(&loader->reader, rest, IDLE_TURNS * SEATS_MAX, &loader->state->idle);
}

static bool load_bought(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    if (!case_read_seat(&loader->reader, &rest, &seat))
        return false;
    for (unsigned color = 0; color < COLORS; color++)
        if (!case_read_number(&loader->reader, span_word(&rest), STACK_CARDS,
                              &loader->state->bought[seat][color]))
            return false;
    return true;
}

static bool load_hand(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    return case_read_seat(&loader->reader, &rest, &seat) &&
           read_counts(loader, rest, motherload_card_named, loader->state->hand[seat]);
}

static bool load_draw(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    if (!case_read_seat(&loader->reader, &rest, &seat))
        return false;
    int count =
        read_list(loader, rest, motherload_card_named, loader->state->pile[seat], CARDS_OF_A_SEAT);
    loader->state->pile_end[seat] = (uint8_t)(count < 0 ? 0 : count);
    return count >= 0;
}

static bool load_discard(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    if (!case_read_seat(&loader->reader, &rest, &seat))
        return false;
    loader->discards |= 1u << seat;
    return read_counts(loader, rest, motherload_card_named, loader->state->discard[seat]);
}

static bool load_minerals(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    uint8_t color;
    return case_read_seat(&loader->reader, &rest, &seat) &&
           read_name(loader, &rest, motherload_color_named, &color) &&
           read_counts(loader, rest, motherload_mineral_named,
                       loader->state->minerals[seat][color]);
}

static bool load_bombs(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    return case_read_seat(&loader->reader, &rest, &seat) &&
           case_read_number(&loader->reader, rest, BOMB_TOKENS, &loader->state->bombs[seat]);
}

/* Given: that many; else what the seats do not hold. */
static bool load_supply(struct case_loader *loader, struct span rest)
{
    unsigned held = 0;
    for (unsigned seat = 0; seat < loader->state->seats; seat++)
        held += loader->state->bombs[seat];
    if (held > BOMB_TOKENS)
        return case_complain(&loader->reader, "more than 16 bomb tokens, supply", rest);
    loader->state->supply = (uint8_t)(BOMB_TOKENS - held);
    return span_is(rest, "the rest") ||
           case_read_number(&loader->reader, rest, BOMB_TOKENS - held, &loader->state->supply);
}

static bool load_artifacts(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    return case_read_seat(&loader->reader, &rest, &seat) &&
           read_counts(loader, rest, motherload_artifact_named, loader->state->artifacts[seat]);
}

static bool load_achievements(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    if (!case_read_seat(&loader->reader, &rest, &seat))
        return false;
    while (rest.length > 0 && !span_is(rest, "-")) {
        uint8_t achievement;
        if (!read_name(loader, &rest, motherload_achievement_named, &achievement))
            return false;
        loader->state->claimed[seat] |= UINT32_C(1) << achievement;
    }
    return true;
}

static bool load_slots(struct case_loader *loader, struct span rest, uint8_t slots[static SLOTS],
                       bool minors)
{
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        struct span word = span_word(&rest);
        slots[slot] = motherload_achievement_named(word);
        if (!span_is(word, "-") && (slots[slot] == NONE || (slots[slot] < MINORS) != minors))
            return case_complain(&loader->reader, "no achievement for this slot:", word);
    }
    return true;
}

static bool load_majors(struct case_loader *loader, struct span rest)
{
    return load_slots(loader, rest, loader->state->majors, false);
}

static bool load_minors(struct case_loader *loader, struct span rest)
{
    return load_slots(loader, rest, loader->state->minors, true);
}

static bool load_minor_deck(struct case_loader *loader, struct span rest)
{
    int count = read_list(loader, rest, motherload_minor_named, loader->state->minor_deck, MINORS);
    loader->state->minor_deck_count = (uint8_t)(count < 0 ? 0 : count);
    return count >= 0;
}

static bool load_artifact_pile(struct case_loader *loader, struct span rest)
{
    uint8_t pile[ARTIFACT_TILES];
    int count = read_list(loader, rest, motherload_artifact_named, pile, ARTIFACT_TILES);
    if (count < 0)
        return false;
    loader->state->artifact_next = (uint8_t)(ARTIFACT_TILES - count);
    memcpy(loader->state->artifact_pile + loader->state->artifact_next, pile, (size_t)count);
    return true;
}

/* Every key, in the order of reading, with what holds when it is not given. */
static const struct case_key keys[] = {
    {"new", case_load_nothing, NULL, CASE_IN_SETUP | CASE_IN_POSITION},
    {"seats", case_load_nothing, NULL, CASE_IN_SETUP | CASE_IN_POSITION},
    {"stream", load_stream, NULL, CASE_IN_SETUP | CASE_IN_POSITION},
    {"options", load_options, NULL, CASE_IN_SETUP | CASE_IN_POSITION},
    {"decks", load_decks, NULL, CASE_IN_POSITION},
    {"boards", load_boards, "1a", CASE_IN_POSITION},
    {"tunnels", load_tunnels, NULL, CASE_IN_POSITION},
    {"at", load_at, "0", CASE_IN_POSITION},
    {"left", load_left, "2", CASE_IN_POSITION},
    {"taken", load_taken, NULL, CASE_IN_POSITION},
    {"idle", load_idle, NULL, CASE_IN_POSITION},
    {"bought", load_bought, NULL, CASE_IN_POSITION},
    {"hand", load_hand, NULL, CASE_IN_POSITION},
    {"draw", load_draw, NULL, CASE_IN_POSITION},
    {"discard", load_discard, NULL, CASE_IN_POSITION},
    {"minerals", load_minerals, NULL, CASE_IN_POSITION},
    {"bombs", load_bombs, NULL, CASE_IN_POSITION},
    {"supply", load_supply, "the rest", CASE_IN_POSITION},
    {"artifacts", load_artifacts, NULL, CASE_IN_POSITION},
    {"achievements", load_achievements, NULL, CASE_IN_POSITION},
    {"majors", load_majors, "red-and-blue red-and-yellow red-and-wild", CASE_IN_POSITION},
    {"minors", load_minors, "joker-drill four-fronts ruby-stock", CASE_IN_POSITION},
    {"minor-deck", load_minor_deck, "iron-stock diamond-stock", CASE_IN_POSITION},
    {"artifact-pile", load_artifact_pile, NULL, CASE_IN_POSITION},
};

enum { KEYS = sizeof keys / sizeof keys[0] };

static bool clear_table(struct case_loader *loader)
{
    struct motherload_state *state = loader->state;
    if (!case_read_seats(&loader->reader, SEATS_MIN, SEATS_MAX, SEATS_MIN))
        return false;
    motherload_clear(state, loader->reader.seats);
    for (uint8_t seat = 0; seat < state->seats; seat++) {
        state->deck[seat] = seat;
        state->bombs[seat] = OPENING_BOMBS;
    }
    return true;
}

/* The seat's own cards that lie nowhere else are in its discard pile; none may be missing. */
static bool complete_cards(const struct case_loader *loader, unsigned seat)
{
    struct motherload_state *state = loader->state;
    for (unsigned card = 0; card < CARDS; card++) {
        bool own = TIER_OF(card) <= state->bought[seat][COLOR_OF(card)];
        unsigned left = own ? motherload_cards[card].count : 0u;
        unsigned used = state->hand[seat][card];
        for (unsigned i = 0; i < state->pile_end[seat]; i++)
            used += state->pile[seat][i] == card;
        bool given = (loader->discards >> seat & 1) != 0;
        used += given ? state->discard[seat][card] : 0u;
        if (used > left || (given && used < left))
            return case_complain(&loader->reader,
                                 "not as many as the seat owns:", motherload_cards[card].name);
        if (!given)
            state->discard[seat][card] = (uint8_t)(left - used);
    }
    return true;
}

bool motherload_load(void *opaque, const struct case_line *lines, size_t count,
                     struct chance_stacks *stacks, const struct chance *chance, struct text *error)
{
    struct case_loader loader = {
        .reader = {lines, count, error, 0}, .state = opaque, .stacks = stacks, .chance = chance};
    bool new_game = case_find(&loader.reader, "new") != NULL;
    unsigned where = new_game ? CASE_IN_SETUP : CASE_IN_POSITION;
    if (!clear_table(&loader) || !case_check_keys(&loader.reader, keys, KEYS, where) ||
        !case_load_keys(&loader.reader, keys, KEYS, where, &loader))
        return false;
    if (new_game) {
        motherload_setup(loader.state, loader.state->seats, &loader.options, chance);
        return true;
    }
    for (unsigned seat = 0; seat < loader.state->seats; seat++)
        if (!complete_cards(&loader, seat))
            return false;
    loader.state->point = AT_MAIN;
    motherload_mark(loader.state);
    return true;
}
