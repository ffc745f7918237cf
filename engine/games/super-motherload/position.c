/* Positions for worked cases: set-up lines in. tests/cases/super-motherload/README.md explains the
 * keys. Lines may stand in any order; what they say is read in the order of the table `keys`, so
 * that what follows from other lines (a discard pile, the supply) is known when it is needed. */
#include <string.h>

#include "engine/games/super-motherload/piles.h"
#include "engine/games/super-motherload/rules.h"
#include "engine/games/super-motherload/turn.h"

struct loader {
    struct motherload_state *state;
    struct game_options options;
    struct text *error;
    struct chance_stacks *stacks;
    const struct chance *chance;
    const struct case_line *lines;
    size_t count;
    unsigned discards; /* bit s: the discard pile of seat s is given */
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

/* Cuts a word off and finds its index; `-` stands for an empty slot or list. */
static bool read_name(const struct loader *loader, struct span *rest,
                      uint8_t (*find)(struct span name), uint8_t *index)
{
    struct span word = span_word(rest);
    *index = find(word);
    return *index != NONE || complain(loader, "no such name:", word);
}

/* A list of names, counted in counts[]. */
static bool read_counts(const struct loader *loader, struct span rest,
                        uint8_t (*find)(struct span name), uint8_t *counts)
{
    if (span_is(rest, "-"))
        return true;
    while (rest.length > 0) {
        uint8_t index;
        if (!read_name(loader, &rest, find, &index))
            return false;
        counts[index]++;
    }
    return true;
}

/* A list of names in order; -1 if it cannot be read. */
static int read_list(const struct loader *loader, struct span rest,
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
            complain(loader, "one too many before", rest);
            return -1;
        }
        list[count++] = index;
    }
    return count;
}

static bool load_nothing(struct loader *loader, struct span rest)
{
    (void)loader;
    (void)rest;
    return true;
}

static bool load_option(struct loader *loader, struct span item)
{
    const char *equals = item.length == 0 ? NULL : memchr(item.at, '=', item.length);
    if (equals == NULL)
        return complain(loader, "no option:", item);
    struct span name = {item.at, (size_t)(equals - item.at)};
    struct span value = {equals + 1, item.length - name.length - 1};
    bool decks = span_is(name, "decks");
    bool other = span_is(value, decks ? "seat" : "drawn");
    if ((!decks && !span_is(name, "sides")) || (!other && !span_is(value, "chosen")))
        return complain(loader, "no option:", item);
    loader->options.value[decks ? OPTION_DECKS : OPTION_SIDES] = other;
    return true;
}

static bool load_options(struct loader *loader, struct span rest)
{
    while (rest.length > 0)
        if (!load_option(loader, span_word(&rest)))
            return false;
    loader->state->decks_by_seat = loader->options.value[OPTION_DECKS];
    loader->state->sides_drawn = loader->options.value[OPTION_SIDES];
    return true;
}

static bool load_stream(struct loader *loader, struct span rest)
{
    struct span name = span_word(&rest);
    return chance_stack_add(loader->stacks, name, rest) ||
           complain(loader, "too many streams, from", name);
}

static bool load_decks(struct loader *loader, struct span rest)
{
    memset(loader->state->deck, NONE, sizeof loader->state->deck);
    for (unsigned seat = 0; seat < loader->state->seats; seat++) {
        uint8_t deck;
        if (!read_name(loader, &rest, motherload_deck_named, &deck))
            return false;
        if ((motherload_free_decks(loader->state) >> deck & 1) == 0)
            return complain(loader, "taken twice:", motherload_decks[deck].name);
        loader->state->deck[seat] = deck;
    }
    return true;
}

static bool load_boards(struct loader *loader, struct span rest)
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
static bool load_tunnel(const struct loader *loader, struct span word)
{
    struct motherload_state *state = loader->state;
    if (word.length != 3 && (word.length != 5 || word.at[3] != '-'))
        return complain(loader, "no spaces:", word);
    int column = word.at[1] - 'a';
    int row = word.at[2] - '1';
    int last = word.at[word.length - 1] - '1';
    int first = first_row(state, word.at[0]);
    if (first < 0 || column < 0 || column >= COLUMNS || row < 0 || last < row || last >= ROWS)
        return complain(loader, "no spaces in play:", word);
    for (; row <= last; row++)
        state->covered[first + row] |= (uint16_t)(1u << column);
    return true;
}

static bool load_tunnels(struct loader *loader, struct span rest)
{
    while (rest.length > 0)
        if (!load_tunnel(loader, span_word(&rest)))
            return false;
    return true;
}

static bool load_at(struct loader *loader, struct span rest)
{
    return read_seat(loader, &rest, &loader->state->active);
}

static bool load_left(struct loader *loader, struct span rest)
{
    return read_number(loader, rest, 20, &loader->state->left);
}

static bool load_taken(struct loader *loader, struct span rest)
{
    return read_number(loader, rest, 20, &loader->state->taken);
}

static bool load_idle(struct loader *loader, struct span rest)
{
    return read_number(loader, rest, IDLE_TURNS * SEATS_MAX, &loader->state->idle);
}

static bool load_bought(struct loader *loader, struct span rest)
{
    uint8_t seat;
    if (!read_seat(loader, &rest, &seat))
        return false;
    for (unsigned color = 0; color < COLORS; color++)
        if (!read_number(loader, span_word(&rest), STACK_CARDS,
                         &loader->state->bought[seat][color]))
            return false;
    return true;
}

static bool load_hand(struct loader *loader, struct span rest)
{
    uint8_t seat;
    return read_seat(loader, &rest, &seat) &&
           read_counts(loader, rest, motherload_card_named, loader->state->hand[seat]);
}

static bool load_draw(struct loader *loader, struct span rest)
{
    uint8_t seat;
    if (!read_seat(loader, &rest, &seat))
        return false;
    int count =
        read_list(loader, rest, motherload_card_named, loader->state->pile[seat], CARDS_OF_A_SEAT);
    loader->state->pile_end[seat] = (uint8_t)(count < 0 ? 0 : count);
    return count >= 0;
}

static bool load_discard(struct loader *loader, struct span rest)
{
    uint8_t seat;
    if (!read_seat(loader, &rest, &seat))
        return false;
    loader->discards |= 1u << seat;
    return read_counts(loader, rest, motherload_card_named, loader->state->discard[seat]);
}

static bool load_minerals(struct loader *loader, struct span rest)
{
    uint8_t seat;
    uint8_t color;
    return read_seat(loader, &rest, &seat) &&
           read_name(loader, &rest, motherload_color_named, &color) &&
           read_counts(loader, rest, motherload_mineral_named,
                       loader->state->minerals[seat][color]);
}

static bool load_bombs(struct loader *loader, struct span rest)
{
    uint8_t seat;
    return read_seat(loader, &rest, &seat) &&
           read_number(loader, rest, BOMB_TOKENS, &loader->state->bombs[seat]);
}

/* Given: that many; else what the seats do not hold. */
static bool load_supply(struct loader *loader, struct span rest)
{
    unsigned held = 0;
    for (unsigned seat = 0; seat < loader->state->seats; seat++)
        held += loader->state->bombs[seat];
    if (held > BOMB_TOKENS)
        return complain(loader, "more than 16 bomb tokens, supply", rest);
    loader->state->supply = (uint8_t)(BOMB_TOKENS - held);
    return span_is(rest, "the rest") ||
           read_number(loader, rest, BOMB_TOKENS - held, &loader->state->supply);
}

static bool load_artifacts(struct loader *loader, struct span rest)
{
    uint8_t seat;
    return read_seat(loader, &rest, &seat) &&
           read_counts(loader, rest, motherload_artifact_named, loader->state->artifacts[seat]);
}

static bool load_achievements(struct loader *loader, struct span rest)
{
    uint8_t seat;
    if (!read_seat(loader, &rest, &seat))
        return false;
    while (rest.length > 0 && !span_is(rest, "-")) {
        uint8_t achievement;
        if (!read_name(loader, &rest, motherload_achievement_named, &achievement))
            return false;
        loader->state->claimed[seat] |= UINT32_C(1) << achievement;
    }
    return true;
}

static bool load_slots(struct loader *loader, struct span rest, uint8_t slots[static SLOTS],
                       bool minors)
{
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        struct span word = span_word(&rest);
        slots[slot] = motherload_achievement_named(word);
        if (!span_is(word, "-") && (slots[slot] == NONE || (slots[slot] < MINORS) != minors))
            return complain(loader, "no achievement for this slot:", word);
    }
    return true;
}

static bool load_majors(struct loader *loader, struct span rest)
{
    return load_slots(loader, rest, loader->state->majors, false);
}

static bool load_minors(struct loader *loader, struct span rest)
{
    return load_slots(loader, rest, loader->state->minors, true);
}

static bool load_minor_deck(struct loader *loader, struct span rest)
{
    int count = read_list(loader, rest, motherload_minor_named, loader->state->minor_deck, MINORS);
    loader->state->minor_deck_count = (uint8_t)(count < 0 ? 0 : count);
    return count >= 0;
}

static bool load_artifact_pile(struct loader *loader, struct span rest)
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
static const struct key {
    const char *name;
    bool (*load)(struct loader *loader, struct span rest);
    const char *initial;
    bool with_new; /* has a meaning beside `new` */
} keys[] = {
    {"new", load_nothing, NULL, true},
    {"seats", load_nothing, NULL, true},
    {"stream", load_stream, NULL, true},
    {"options", load_options, NULL, true},
    {"decks", load_decks, NULL, false},
    {"boards", load_boards, "1a", false},
    {"tunnels", load_tunnels, NULL, false},
    {"at", load_at, "0", false},
    {"left", load_left, "2", false},
    {"taken", load_taken, NULL, false},
    {"idle", load_idle, NULL, false},
    {"bought", load_bought, NULL, false},
    {"hand", load_hand, NULL, false},
    {"draw", load_draw, NULL, false},
    {"discard", load_discard, NULL, false},
    {"minerals", load_minerals, NULL, false},
    {"bombs", load_bombs, NULL, false},
    {"supply", load_supply, "the rest", false},
    {"artifacts", load_artifacts, NULL, false},
    {"achievements", load_achievements, NULL, false},
    {"majors", load_majors, "red-and-blue red-and-yellow red-and-wild", false},
    {"minors", load_minors, "joker-drill four-fronts ruby-stock", false},
    {"minor-deck", load_minor_deck, "iron-stock diamond-stock", false},
    {"artifact-pile", load_artifact_pile, NULL, false},
};

enum { KEYS = sizeof keys / sizeof keys[0] };

static const struct case_line *find_line(const struct loader *loader, const char *key)
{
    for (size_t i = 0; i < loader->count; i++)
        if (span_is(loader->lines[i].key, key))
            return &loader->lines[i];
    return NULL;
}

static bool check_keys(const struct loader *loader, bool new_game)
{
    for (size_t i = 0; i < loader->count; i++) {
        size_t key = 0;
        while (key < KEYS && !span_is(loader->lines[i].key, keys[key].name))
            key++;
        if (key == KEYS || (new_game && !keys[key].with_new))
            return complain(loader, "no set-up line here:", loader->lines[i].key);
    }
    return true;
}

static bool load_lines_of(struct loader *loader, const struct key *key, bool new_game)
{
    bool found = false;
    for (size_t i = 0; i < loader->count; i++) {
        if (!span_is(loader->lines[i].key, key->name))
            continue;
        found = true;
        if (!key->load(loader, loader->lines[i].rest))
            return false;
    }
    return found || new_game || key->initial == NULL || key->load(loader, span_of(key->initial));
}

static bool clear_table(struct loader *loader)
{
    struct motherload_state *state = loader->state;
    const struct case_line *seats = find_line(loader, "seats");
    uint8_t count = SEATS_MIN;
    if (seats != NULL &&
        (!read_number(loader, seats->rest, SEATS_MAX, &count) || count < SEATS_MIN))
        return complain(loader, "seats are 2 to 4, not", seats->rest);
    motherload_clear(state, count);
    for (uint8_t seat = 0; seat < count; seat++) {
        state->deck[seat] = seat;
        state->bombs[seat] = OPENING_BOMBS;
    }
    return true;
}

/* The seat's own cards that lie nowhere else are in its discard pile; none may be missing. */
static bool complete_cards(const struct loader *loader, unsigned seat)
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
            return complain(loader, "not as many as the seat owns:", motherload_cards[card].name);
        if (!given)
            state->discard[seat][card] = (uint8_t)(left - used);
    }
    return true;
}

bool motherload_load(void *opaque, const struct case_line *lines, size_t count,
                     struct chance_stacks *stacks, const struct chance *chance, struct text *error)
{
    struct loader loader = {.state = opaque,
                            .error = error,
                            .stacks = stacks,
                            .chance = chance,
                            .lines = lines,
                            .count = count};
    bool new_game = find_line(&loader, "new") != NULL;
    if (!clear_table(&loader) || !check_keys(&loader, new_game))
        return false;
    for (size_t i = 0; i < KEYS; i++)
        if (!load_lines_of(&loader, &keys[i], new_game))
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
