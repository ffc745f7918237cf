/* Set-up lines of worked cases. tests/cases/mall-world/README.md explains the keys. Lines may stand
 * in any order; what they say is read in the order of the table `keys`. */
#include <string.h>

#include "engine/games/mall-world/piles.h"
#include "engine/games/mall-world/rules.h"
#include "engine/games/mall-world/turn.h"

struct loader {
    struct mall_world_state *state;
    struct text *error;
    struct chance_stacks *stacks;
    const struct chance *chance;
    const struct case_line *lines;
    size_t count;
};

enum { ACCOUNT_LIMIT = 2000000, STANDSTILL_LIMIT = 200 };

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

static bool read_room(const struct loader *loader, struct span word, rooms *room)
{
    uint8_t square = mall_world_room_named(word);
    if (square == NONE)
        return complain(loader, "no room:", word);
    *room = mall_world_room(square);
    return true;
}

static bool read_rooms(const struct loader *loader, struct span rest, rooms *set)
{
    *set = 0;
    while (rest.length > 0) {
        rooms room;
        if (!read_room(loader, span_word(&rest), &room))
            return false;
        *set |= room;
    }
    return true;
}

/* Splits `2xfood-food` into how many and what. */
static unsigned split_count(struct span *word)
{
    if (word->length < 3 || word->at[0] < '1' || word->at[0] > '9' || word->at[1] != 'x')
        return 1;
    unsigned count = (unsigned)(word->at[0] - '0');
    word->at += 2;
    word->length -= 2;
    return count;
}

static bool read_card(const struct loader *loader, struct span word, uint8_t *card)
{
    *card = mall_world_card_named(word);
    return *card != NONE || complain(loader, "no approval card:", word);
}

static bool read_order(const struct loader *loader, struct span word, uint8_t *order)
{
    *order = mall_world_order_named(word);
    return *order != NONE || complain(loader, "no order:", word);
}

static bool add_cards(const struct loader *loader, struct span word, uint8_t cards[static CARDS])
{
    unsigned count = split_count(&word);
    uint8_t card;
    if (!read_card(loader, word, &card))
        return false;
    cards[card] = (uint8_t)(cards[card] + count);
    return cards[card] <= DECK || complain(loader, "too many cards:", word);
}

/* `none`, or cards that are counted. */
static bool read_cards(const struct loader *loader, struct span rest, uint8_t cards[static CARDS])
{
    if (span_is(rest, "none"))
        return true;
    while (rest.length > 0)
        if (!add_cards(loader, span_word(&rest), cards))
            return false;
    return true;
}

/* `none`, or orders as a set. */
static bool read_order_set(const struct loader *loader, struct span rest, uint32_t *orders)
{
    if (span_is(rest, "none"))
        return true;
    while (rest.length > 0) {
        uint8_t order;
        if (!read_order(loader, span_word(&rest), &order))
            return false;
        *orders |= UINT32_C(1) << order;
    }
    return true;
}

/* `none`, or orders in sequence. */
static bool read_order_list(const struct loader *loader, struct span rest, size_t max,
                            uint8_t *orders, uint8_t *count)
{
    *count = 0;
    if (span_is(rest, "none"))
        return true;
    while (rest.length > 0) {
        struct span word = span_word(&rest);
        uint8_t order;
        if (!read_order(loader, word, &order))
            return false;
        if (*count == max || order >= SPECIAL_ORDER_FIRST)
            return complain(loader, "no room for this order:", word);
        orders[(*count)++] = order;
    }
    return true;
}

/* Read already when the table was cleared. */
static bool load_seats(struct loader *loader, struct span rest)
{
    (void)loader;
    (void)rest;
    return true;
}

static bool load_round(struct loader *loader, struct span rest)
{
    if (!read_number(loader, rest, ROUNDS, &loader->state->round))
        return false;
    loader->state->rents_open = loader->state->round > 1;
    return loader->state->round > 0 || complain(loader, "no round:", rest);
}

static bool load_active(struct loader *loader, struct span rest)
{
    return read_seat(loader, &rest, &loader->state->active);
}

static bool load_slush(struct loader *loader, struct span rest)
{
    return read_number(loader, rest, COINS_IN_BOX, &loader->state->slush);
}

static bool load_block(struct loader *loader, struct span rest)
{
    return read_rooms(loader, rest, &loader->state->covered);
}

static bool load_only(struct loader *loader, struct span rest)
{
    rooms open;
    if (!read_rooms(loader, rest, &open))
        return false;
    loader->state->covered = mall_world_plan & ~open;
    return true;
}

/* `c2=clothing` or `c2=clothing/men`. */
static bool load_tile(struct loader *loader, struct span word)
{
    struct mall_world_state *state = loader->state;
    const char *equals = memchr(word.at, '=', word.length);
    rooms room;
    if (equals == NULL)
        return complain(loader, "no tile:", word);
    struct span name = {word.at, (size_t)(equals - word.at)};
    struct span use_name = {equals + 1, word.length - name.length - 1};
    const char *slash = use_name.length == 0 ? NULL : memchr(use_name.at, '/', use_name.length);
    uint8_t group = NONE;
    if (slash != NULL) {
        size_t used = (size_t)(slash - use_name.at);
        group = mall_world_group_named((struct span){slash + 1, use_name.length - used - 1});
        use_name.length = used;
    }
    uint8_t use = mall_world_use_named(use_name);
    if (!read_room(loader, name, &room))
        return false;
    if (use == NONE || (slash != NULL && group == NONE) || (mall_world_empty(state) & room) == 0 ||
        mall_world_tiles_left(state, use) == 0)
        return complain(loader, "no such shop can stand there:", word);
    state->tile[use] |= room;
    if (group == NONE)
        return true;
    if (mall_world_chips_left(state, group) == 0)
        return complain(loader, "no such chip is left:", word);
    state->chip[group] |= room;
    return true;
}

static bool load_tiles(struct loader *loader, struct span rest)
{
    while (rest.length > 0)
        if (!load_tile(loader, span_word(&rest)))
            return false;
    return true;
}

static bool load_rents(struct loader *loader, struct span rest)
{
    loader->state->rents_open = span_is(rest, "open");
    return loader->state->rents_open || span_is(rest, "closed") ||
           complain(loader, "neither open nor closed:", rest);
}

/* Approval cards and orders. */
static bool load_hand(struct loader *loader, struct span rest)
{
    uint8_t seat;
    if (!read_seat(loader, &rest, &seat))
        return false;
    struct span all = rest;
    while (rest.length > 0 && !span_is(all, "none")) {
        struct span word = span_word(&rest);
        uint8_t order = mall_world_order_named(word);
        if (order != NONE)
            loader->state->held[seat] |= UINT32_C(1) << order;
        else if (!add_cards(loader, word, loader->state->hand[seat]))
            return false;
    }
    return mall_world_hand_size(loader->state, seat) <= HAND_MAX ||
           complain(loader, "more than eight cards in hand:", all);
}

static bool load_confirmed(struct loader *loader, struct span rest)
{
    uint8_t seat;
    return read_seat(loader, &rest, &seat) &&
           read_order_set(loader, rest, &loader->state->confirmed[seat]);
}

static bool load_account(struct loader *loader, struct span rest)
{
    uint8_t seat;
    int64_t account;
    if (!read_seat(loader, &rest, &seat))
        return false;
    if (!span_integer(rest, ACCOUNT_LIMIT, &account))
        return complain(loader, "no account:", rest);
    loader->state->account[seat] = (int32_t)account;
    return true;
}

static bool load_coins(struct loader *loader, struct span rest)
{
    uint8_t seat;
    return read_seat(loader, &rest, &seat) &&
           read_number(loader, rest, COINS_IN_BOX, &loader->state->coins[seat]);
}

static bool load_lobby(struct loader *loader, struct span rest)
{
    return read_order_list(loader, rest, SITES, loader->state->lobby, &loader->state->lobby_orders);
}

static bool load_orders(struct loader *loader, struct span rest)
{
    return read_order_list(loader, rest, LOBBY_ORDERS, loader->state->orders,
                           &loader->state->orders_end);
}

static bool load_display(struct loader *loader, struct span rest)
{
    return read_cards(loader, rest, loader->state->display);
}

static bool load_stack(struct loader *loader, struct span rest)
{
    struct mall_world_state *state = loader->state;
    while (rest.length > 0 && !span_is(rest, "none")) {
        struct span word = span_word(&rest);
        unsigned count = split_count(&word);
        uint8_t card;
        if (!read_card(loader, word, &card))
            return false;
        for (; count > 0; count--) {
            if (state->stack_end == DECK)
                return complain(loader, "too many cards:", word);
            state->stack[state->stack_end++] = card;
        }
    }
    return true;
}

static bool load_discard(struct loader *loader, struct span rest)
{
    return read_cards(loader, rest, loader->state->discard);
}

static bool load_markers(struct loader *loader, struct span rest)
{
    while (rest.length > 0 && !span_is(rest, "none")) {
        uint8_t seat;
        if (!read_seat(loader, &rest, &seat))
            return false;
        loader->state->markers |= (uint8_t)(1u << seat);
    }
    return true;
}

static bool load_bureau(struct loader *loader, struct span rest)
{
    while (rest.length > 0 && !span_is(rest, "none")) {
        struct span word = span_word(&rest);
        unsigned count = split_count(&word);
        int64_t value;
        uint8_t bribe =
            span_integer(word, ACCOUNT_LIMIT, &value) ? mall_world_bribe_of(value) : (uint8_t)NONE;
        if (bribe == NONE)
            return complain(loader, "no bribe chip:", word);
        loader->state->bribes[bribe] = (uint8_t)(loader->state->bribes[bribe] + count);
        if (loader->state->bribes[bribe] > mall_world_bribe_count[bribe])
            return complain(loader, "no such bribe chip is left:", word);
    }
    return true;
}

static bool load_next_bribes(struct loader *loader, struct span rest)
{
    struct span items = span_is(rest, "none") ? span_of("") : rest;
    if (loader->state->round == ROUNDS)
        return complain(loader, "there is no next round:", rest);
    return chance_stack_add(loader->stacks,
                            span_of(loader->state->round == 1 ? "bribe-2" : "bribe-3"), items) ||
           complain(loader, "too many piles:", rest);
}

static bool load_final(struct loader *loader, struct span rest)
{
    struct mall_world_state *state = loader->state;
    if (span_is(rest, "-1"))
        return true;
    state->last_turns_run = 1;
    return read_number(loader, rest, SEATS_MAX, &state->last_turns) &&
           (state->last_turns > 0 || complain(loader, "no number of last turns:", rest));
}

static bool load_stall(struct loader *loader, struct span rest)
{
    return read_number(loader, rest, STANDSTILL_LIMIT, &loader->state->standstill);
}

static bool load_at(struct loader *loader, struct span rest)
{
    static const struct {
        const char *name;
        uint8_t point;
    } points[] = {{"START", AT_START}, {"PROGRESS", AT_PROGRESS}, {"SUPPLY", AT_FILL}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        if (!span_is(rest, points[i].name))
            continue;
        loader->state->point = points[i].point;
        mall_world_advance(loader->state, loader->chance);
        return true;
    }
    return complain(loader, "no point of a turn:", rest);
}

/* Every key, in the order of reading, with what holds when it is not given. */
static const struct key {
    const char *name;
    bool (*load)(struct loader *loader, struct span rest);
    const char *initial;
} keys[] = {
    {"seats", load_seats, NULL},     {"round", load_round, "1"},
    {"active", load_active, NULL},   {"slush", load_slush, NULL},
    {"block", load_block, NULL},     {"only", load_only, NULL},
    {"tiles", load_tiles, NULL},     {"rents", load_rents, NULL},
    {"hand", load_hand, NULL},       {"confirmed", load_confirmed, NULL},
    {"account", load_account, NULL}, {"coins", load_coins, NULL},
    {"lobby", load_lobby, NULL},     {"orders", load_orders, NULL},
    {"display", load_display, NULL}, {"stack", load_stack, NULL},
    {"discard", load_discard, NULL}, {"markers", load_markers, NULL},
    {"bureau", load_bureau, NULL},   {"next-bribes", load_next_bribes, NULL},
    {"final", load_final, NULL},     {"stall", load_stall, NULL},
    {"at", load_at, "START"},
};

/* Set-up lines that fix the shuffles of a whole setup, and the streams they stand for. */
static const struct {
    const char *name;
    const char *stream;
} decks[] = {
    {"approval-deck", "approval"}, {"use-deck", "use"},       {"rent-deck", "rent"},
    {"special-deck", "special"},   {"bribe-deck", "bribe-1"},
};

enum { DECKS = sizeof decks / sizeof decks[0], DECK_TEXT = 2000 };

static const struct case_line *find_line(const struct loader *loader, const char *key)
{
    for (size_t i = 0; i < loader->count; i++)
        if (span_is(loader->lines[i].key, key))
            return &loader->lines[i];
    return NULL;
}

static bool load_lines_of(struct loader *loader, const struct key *key)
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

static bool check_keys(const struct loader *loader)
{
    for (size_t i = 0; i < loader->count; i++) {
        size_t key = 0;
        size_t count = sizeof keys / sizeof keys[0];
        while (key < count && !span_is(loader->lines[i].key, keys[key].name))
            key++;
        if (key == count)
            return complain(loader, "no set-up line here:", loader->lines[i].key);
    }
    return true;
}

static bool load_position(struct loader *loader)
{
    if (!check_keys(loader))
        return false;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!load_lines_of(loader, &keys[i]))
            return false;
    return true;
}

/* Writes `4xfood-food` as four words. */
static struct span spell_out(struct span rest, struct text *text)
{
    size_t start = text->length;
    while (rest.length > 0) {
        struct span word = span_word(&rest);
        for (unsigned count = split_count(&word); count > 0; count--) {
            if (text->length > start)
                text_add_char(text, ' ');
            text_add_span(text, word);
        }
    }
    return (struct span){text->at + start, text->length - start};
}

static bool is_setup_key(struct span key)
{
    bool known = span_is(key, "seats") || span_is(key, "opening");
    for (size_t i = 0; i < DECKS; i++)
        known = known || span_is(key, decks[i].name);
    return known;
}

/* `opening fixed`: the decks are fixed, the game's own setup does the rest. The spelt-out decks
 * are used here and nowhere later, so they need not outlive the call. */
static bool run_setup(struct loader *loader, struct span opening)
{
    char bytes[DECK_TEXT];
    struct text text = TEXT_OVER(bytes);
    struct chance_stacks stacks = {.count = 0};
    struct chance chance = *loader->chance;
    chance.stacks = &stacks;
    struct game_options options = {{span_is(opening, "fixed")}};
    if (!span_is(opening, "fixed") && !span_is(opening, "drawn"))
        return complain(loader, "no opening:", opening);
    for (size_t i = 0; i < loader->count; i++)
        if (!is_setup_key(loader->lines[i].key))
            return complain(loader, "no set-up line here:", loader->lines[i].key);
    for (size_t i = 0; i < DECKS; i++) {
        const struct case_line *line = find_line(loader, decks[i].name);
        if (line != NULL)
            (void)chance_stack_add(&stacks, span_of(decks[i].stream), spell_out(line->rest, &text));
    }
    if (text.overflow)
        return complain(loader, "decks too long:", opening);
    mall_world_setup(loader->state, loader->state->seats, &options, &chance);
    return true;
}

static bool clear_table(struct loader *loader)
{
    const struct case_line *seats = find_line(loader, "seats");
    uint8_t count = 4;
    if (seats != NULL &&
        (!read_number(loader, seats->rest, SEATS_MAX, &count) || count < SEATS_MIN))
        return complain(loader, "seats are 3 to 5, not", seats->rest);
    mall_world_clear(loader->state, count);
    return true;
}

bool mall_world_load(void *opaque, const struct case_line *lines, size_t count,
                     struct chance_stacks *stacks, const struct chance *chance, struct text *error)
{
    struct loader loader = {opaque, error, stacks, chance, lines, count};
    if (!clear_table(&loader))
        return false;
    const struct case_line *opening = find_line(&loader, "opening");
    if (opening != NULL)
        return run_setup(&loader, opening->rest);
    if (!load_position(&loader))
        return false;
    mall_world_forget_notes(loader.state);
    return true;
}
