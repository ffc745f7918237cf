/* Set-up lines of worked cases. tests/cases/mall-world/README.md explains the keys. Lines may stand
 * in any order; what they say is read in the order of the table `keys`. */
#include <string.h>

#include "engine/case_reader.h"
#include "engine/games/mall-world/piles.h"
#include "engine/games/mall-world/rules.h"
#include "engine/games/mall-world/turn.h"

struct case_loader {
    struct case_reader reader;
    struct mall_world_state *state;
    struct chance_stacks *stacks;
    const struct chance *chance;
};

enum { ACCOUNT_LIMIT = 2000000, STANDSTILL_LIMIT = 200 };

static bool read_room(const struct case_loader *loader, struct span word, rooms *room)
{
    uint8_t square = mall_world_room_named(word);
    *room = square == NONE ? 0 : mall_world_room(square);
    return square != NONE || case_complain(&loader->reader, "no room:", word);
}

static bool read_rooms(const struct case_loader *loader, struct span rest, rooms *set)
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

static bool read_card(const struct case_loader *loader, struct span word, uint8_t *card)
{
    return case_read_name(&loader->reader, word, mall_world_card_named, "no approval card:", card);
}

static bool read_order(const struct case_loader *loader, struct span word, uint8_t *order)
{
    return case_read_name(&loader->reader, word, mall_world_order_named, "no order:", order);
}

static bool add_cards(const struct case_loader *loader, struct span word,
                      uint8_t cards[static CARDS])
{
    unsigned count = split_count(&word);
    uint8_t card;
    if (!read_card(loader, word, &card))
        return false;
    cards[card] = (uint8_t)(cards[card] + count);
    return cards[card] <= DECK || case_complain(&loader->reader, "too many cards:", word);
}

/* `none`, or cards that are counted. */
static bool read_cards(const struct case_loader *loader, struct span rest,
                       uint8_t cards[static CARDS])
{
    if (span_is(rest, "none"))
        return true;
    while (rest.length > 0)
        if (!add_cards(loader, span_word(&rest), cards))
            return false;
    return true;
}

/* `none`, or orders as a set. */
static bool read_order_set(const struct case_loader *loader, struct span rest, uint32_t *orders)
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
static bool read_order_list(const struct case_loader *loader, struct span rest, size_t max,
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
            return case_complain(&loader->reader, "no room for this order:", word);
        orders[(*count)++] = order;
    }
    return true;
}

static bool load_round(struct case_loader *loader, struct span rest)
{
    if (!case_read_number(&loader->reader, rest, ROUNDS, &loader->state->round))
        return false;
    loader->state->rents_open = loader->state->round > 1;
    return loader->state->round > 0 || case_complain(&loader->reader, "no round:", rest);
}

static bool load_active(struct case_loader *loader, struct span rest)
{
    return case_read_seat(&loader->reader, &rest, &loader->state->active);
}

static bool load_slush(struct case_loader *loader, struct span rest)
{
    return case_read_number(&loader->reader, rest, COINS_IN_BOX, &loader->state->slush);
}

static bool load_block(struct case_loader *loader, struct span rest)
{
    return read_rooms(loader, rest, &loader->state->covered);
}

static bool load_only(struct case_loader *loader, struct span rest)
{
    rooms open;
    if (!read_rooms(loader, rest, &open))
        return false;
    loader->state->covered = mall_world_plan & ~open;
    return true;
}

/* `c2=clothing` or `c2=clothing/men`. */
static bool load_tile(struct case_loader *loader, struct span word)
{
    struct mall_world_state *state = loader->state;
    const char *equals = memchr(word.at, '=', word.length);
    rooms room;
    if (equals == NULL)
        return case_complain(&loader->reader, "no tile:", word);
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
        return case_complain(&loader->reader, "no such shop can stand there:", word);
    state->tile[use] |= room;
    if (group == NONE)
        return true;
    if (mall_world_chips_left(state, group) == 0)
        return case_complain(&loader->reader, "no such chip is left:", word);
    state->chip[group] |= room;
    return true;
}

static bool load_tiles(struct case_loader *loader, struct span rest)
{
    while (rest.length > 0)
        if (!load_tile(loader, span_word(&rest)))
            return false;
    return true;
}

static bool load_rents(struct case_loader *loader, struct span rest)
{
    bool open;
    if (!case_read_either(&loader->reader, rest, "open", "closed", &open))
        return false;
    loader->state->rents_open = open;
    return true;
}

/* Approval cards and orders. */
static bool load_hand(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    if (!case_read_seat(&loader->reader, &rest, &seat))
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
           case_complain(&loader->reader, "more than eight cards in hand:", all);
}

static bool load_confirmed(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    return case_read_seat(&loader->reader, &rest, &seat) &&
           read_order_set(loader, rest, &loader->state->confirmed[seat]);
}

static bool load_account(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    int64_t account;
    if (!case_read_seat(&loader->reader, &rest, &seat))
        return false;
    if (!span_integer(rest, ACCOUNT_LIMIT, &account))
        return case_complain(&loader->reader, "no account:", rest);
    loader->state->account[seat] = (int32_t)account;
    return true;
}

static bool load_coins(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    return case_read_seat(&loader->reader, &rest, &seat) &&
           case_read_number(&loader->reader, rest, COINS_IN_BOX, &loader->state->coins[seat]);
}

static bool load_lobby(struct case_loader *loader, struct span rest)
{
    return read_order_list(loader, rest, SITES, loader->state->lobby, &loader->state->lobby_orders);
}

static bool load_orders(struct case_loader *loader, struct span rest)
{
    return read_order_list(loader, rest, LOBBY_ORDERS, loader->state->orders,
                           &loader->state->orders_end);
}

static bool load_display(struct case_loader *loader, struct span rest)
{
    return read_cards(loader, rest, loader->state->display);
}

static bool load_stack(struct case_loader *loader, struct span rest)
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
                return case_complain(&loader->reader, "too many cards:", word);
            state->stack[state->stack_end++] = card;
        }
    }
    return true;
}

static bool load_discard(struct case_loader *loader, struct span rest)
{
    return read_cards(loader, rest, loader->state->discard);
}

static bool load_markers(struct case_loader *loader, struct span rest)
{
    while (rest.length > 0 && !span_is(rest, "none")) {
        uint8_t seat;
        if (!case_read_seat(&loader->reader, &rest, &seat))
            return false;
        loader->state->markers |= (uint8_t)(1u << seat);
    }
    return true;
}

static bool load_bureau(struct case_loader *loader, struct span rest)
{
    while (rest.length > 0 && !span_is(rest, "none")) {
        struct span word = span_word(&rest);
        unsigned count = split_count(&word);
        int64_t value;
        uint8_t bribe =
            span_integer(word, ACCOUNT_LIMIT, &value) ? mall_world_bribe_of(value) : (uint8_t)NONE;
        if (bribe == NONE)
            return case_complain(&loader->reader, "no bribe chip:", word);
        loader->state->bribes[bribe] = (uint8_t)(loader->state->bribes[bribe] + count);
        if (loader->state->bribes[bribe] > mall_world_bribe_count[bribe])
            return case_complain(&loader->reader, "no such bribe chip is left:", word);
    }
    return true;
}

static bool load_next_bribes(struct case_loader *loader, struct span rest)
{
    struct span items = span_is(rest, "none") ? span_of("") : rest;
    if (loader->state->round == ROUNDS)
        return case_complain(&loader->reader, "there is no next round:", rest);
    return chance_stack_add(loader->stacks,
                            span_of(loader->state->round == 1 ? "bribe-2" : "bribe-3"), items) ||
           case_complain(&loader->reader, "too many piles:", rest);
}

static bool load_final(struct case_loader *loader, struct span rest)
{
    struct mall_world_state *state = loader->state;
    if (span_is(rest, "-1"))
        return true;
    state->last_turns_run = 1;
    return case_read_number(&loader->reader, rest, SEATS_MAX, &state->last_turns) &&
           (state->last_turns > 0 ||
            case_complain(&loader->reader, "no number of last turns:", rest));
}

static bool load_stall(struct case_loader *loader, struct span rest)
{
    return case_read_number(&loader->reader, rest, STANDSTILL_LIMIT, &loader->state->standstill);
}

static bool load_at(struct case_loader *loader, struct span rest)
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
    return case_complain(&loader->reader, "no point of a turn:", rest);
}

/* Every key, in the order of reading, with what holds when it is not given. */
static const struct case_key keys[] = {
    {"seats", case_load_nothing, NULL, CASE_IN_POSITION},
    {"round", load_round, "1", CASE_IN_POSITION},
    {"active", load_active, NULL, CASE_IN_POSITION},
    {"slush", load_slush, NULL, CASE_IN_POSITION},
    {"block", load_block, NULL, CASE_IN_POSITION},
    {"only", load_only, NULL, CASE_IN_POSITION},
    {"tiles", load_tiles, NULL, CASE_IN_POSITION},
    {"rents", load_rents, NULL, CASE_IN_POSITION},
    {"hand", load_hand, NULL, CASE_IN_POSITION},
    {"confirmed", load_confirmed, NULL, CASE_IN_POSITION},
    {"account", load_account, NULL, CASE_IN_POSITION},
    {"coins", load_coins, NULL, CASE_IN_POSITION},
    {"lobby", load_lobby, NULL, CASE_IN_POSITION},
    {"orders", load_orders, NULL, CASE_IN_POSITION},
    {"display", load_display, NULL, CASE_IN_POSITION},
    {"stack", load_stack, NULL, CASE_IN_POSITION},
    {"discard", load_discard, NULL, CASE_IN_POSITION},
    {"markers", load_markers, NULL, CASE_IN_POSITION},
    {"bureau", load_bureau, NULL, CASE_IN_POSITION},
    {"next-bribes", load_next_bribes, NULL, CASE_IN_POSITION},
    {"final", load_final, NULL, CASE_IN_POSITION},
    {"stall", load_stall, NULL, CASE_IN_POSITION},
    {"at", load_at, "START", CASE_IN_POSITION},
};

enum { KEYS = sizeof keys / sizeof keys[0] };

/* Set-up lines that fix the shuffles of a whole setup, and the streams they stand for. */
static const struct {
    const char *name;
    const char *stream;
} decks[] = {
    {"approval-deck", "approval"}, {"use-deck", "use"},       {"rent-deck", "rent"},
    {"special-deck", "special"},   {"bribe-deck", "bribe-1"},
};

enum { DECKS = sizeof decks / sizeof decks[0], DECK_TEXT = 2000 };

static bool load_position(struct case_loader *loader)
{
    return case_check_keys(&loader->reader, keys, KEYS, CASE_IN_POSITION) &&
           case_load_keys(&loader->reader, keys, KEYS, CASE_IN_POSITION, loader);
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
static bool run_setup(struct case_loader *loader, struct span opening)
{
    char bytes[DECK_TEXT];
    struct text text = TEXT_OVER(bytes);
    struct chance_stacks stacks = {.count = 0};
    struct chance chance = *loader->chance;
    chance.stacks = &stacks;
    struct game_options options = {{span_is(opening, "fixed")}};
    if (!span_is(opening, "fixed") && !span_is(opening, "drawn"))
        return case_complain(&loader->reader, "no opening:", opening);
    for (size_t i = 0; i < loader->reader.count; i++)
        if (!is_setup_key(loader->reader.lines[i].key))
            return case_complain(&loader->reader,
                                 "no set-up line here:", loader->reader.lines[i].key);
    for (size_t i = 0; i < DECKS; i++) {
        const struct case_line *line = case_find(&loader->reader, decks[i].name);
        if (line != NULL)
            (void)chance_stack_add(&stacks, span_of(decks[i].stream), spell_out(line->rest, &text));
    }
    if (text.overflow)
        return case_complain(&loader->reader, "decks too long:", opening);
    mall_world_setup(loader->state, loader->state->seats, &options, &chance);
    return true;
}

static bool clear_table(struct case_loader *loader)
{
    if (!case_read_seats(&loader->reader, SEATS_MIN, SEATS_MAX, 4))
        return false;
    mall_world_clear(loader->state, loader->reader.seats);
    return true;
}

bool mall_world_load(void *opaque, const struct case_line *lines, size_t count,
                     struct chance_stacks *stacks, const struct chance *chance, struct text *error)
{
    struct case_loader loader = {{lines, count, error, 0}, opaque, stacks, chance};
    if (!clear_table(&loader))
        return false;
    const struct case_line *opening = case_find(&loader.reader, "opening");
    if (opening != NULL)
        return run_setup(&loader, opening->rest);
    if (!load_position(&loader))
        return false;
    mall_world_forget_notes(loader.state);
    return true;
}
