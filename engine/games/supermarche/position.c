/* Set-up lines of worked cases. tests/cases/supermarche/README.md explains the keys. Lines may
 * stand in any order; what they say is read in the order of the table `keys`, so that the round is
 * known before its cards, and the Distribution Center gets what is left. */
#include <string.h>

#include "engine/case_reader.h"
#include "engine/games/supermarche/rules.h"
#include "engine/games/supermarche/turn.h"

enum { MONEY_MAX = 9999 };

struct case_loader {
    struct case_reader reader;
    struct supermarche_state *state;
    struct chance_stacks *stacks;
    const struct chance *chance;
    bool dealt[CUSTOMERS]; /* has a place in the deck */
    bool priced[COST_CARDS];
};

static bool read_food(const struct case_loader *loader, struct span word, uint8_t *food)
{
    return case_read_name(&loader->reader, word, supermarche_food_named, "no food:", food);
}

/* Splits a word in two; the second part is empty where there is no `mark`. */
static struct span split(struct span *word, char mark)
{
    const char *at = word->length == 0 ? NULL : memchr(word->at, mark, word->length);
    if (at == NULL)
        return (struct span){word->at, 0};
    size_t length = (size_t)(at - word->at);
    struct span second = {at + 1, word->length - length - 1};
    word->length = length;
    return second;
}

static bool load_round(struct case_loader *loader, struct span rest)
{
    unsigned round;
    if (!case_read_range(&loader->reader, rest, 1, ROUNDS, &round))
        return false;
    loader->state->round = (uint8_t)round;
    return true;
}

static bool load_money(struct case_loader *loader, struct span rest)
{
    unsigned money;
    if (!case_read_range(&loader->reader, rest, 0, MONEY_MAX, &money))
        return false;
    loader->state->money = (int16_t)money;
    return true;
}

static bool take_supply(const struct case_loader *loader, unsigned food, unsigned number)
{
    uint8_t *supply = &loader->state->supply[food];
    if (number > *supply)
        return case_complain(&loader->reader,
                             "more cubes than there are:", supermarche_foods[food].name);
    *supply = (uint8_t)(*supply - number);
    return true;
}

/* `bakery r3:2 r4:1` into counts[BAKERY]. */
static bool read_boxes(const struct case_loader *loader, struct span list, uint8_t counts[][BOXES])
{
    uint8_t food;
    if (!read_food(loader, span_word(&list), &food))
        return false;
    while (list.length > 0) {
        unsigned number;
        struct span word = span_word(&list);
        struct span digits = split(&word, ':');
        uint8_t box = supermarche_box_named(word);
        if (box == NONE)
            return case_complain(&loader->reader, "no box:", word);
        if (!case_read_range(&loader->reader, digits, 1, CUBES, &number) ||
            !take_supply(loader, food, number))
            return false;
        counts[food][box] = (uint8_t)(counts[food][box] + number);
    }
    return true;
}

/* `none`, or foods parted by `; `. */
static bool read_shelves(const struct case_loader *loader, struct span rest,
                         uint8_t counts[][BOXES])
{
    if (span_is(rest, "none"))
        return true;
    while (rest.length > 0) {
        struct span list = rest;
        struct span after = split(&list, ';');
        if (after.length > 0 && after.at[0] == ' ') {
            after.at++;
            after.length--;
        }
        if (!read_boxes(loader, list, counts))
            return false;
        rest = after;
    }
    return true;
}

static bool load_store(struct case_loader *loader, struct span rest)
{
    if (!read_shelves(loader, rest, loader->state->store))
        return false;
    return supermarche_store_size(loader->state) <= STORE_MAX ||
           case_complain(&loader->reader, "the Store is too full:", rest);
}

static bool load_stock(struct case_loader *loader, struct span rest)
{
    if (!read_shelves(loader, rest, loader->state->stock))
        return false;
    return supermarche_stock_size(loader->state) <= STOCK_ROOM_MAX ||
           case_complain(&loader->reader, "the Stock Room is too full:", rest);
}

static bool load_cards(struct case_loader *loader, struct span rest)
{
    while (rest.length > 0 && !span_is(rest, "none")) {
        uint8_t food;
        unsigned number;
        struct span word = span_word(&rest);
        struct span digits = split(&word, ':');
        if (!read_food(loader, word, &food) ||
            !case_read_range(&loader->reader, digits, 1, CUBES, &number) ||
            !take_supply(loader, food, number))
            return false;
        loader->state->on_cards[food] = (uint8_t)(loader->state->on_cards[food] + number);
    }
    return true;
}

/* Puts a customer at deck[place]. */
static bool deal(struct case_loader *loader, struct span word, unsigned place)
{
    uint8_t customer = supermarche_customer_named(word);
    if (customer == NONE || loader->dealt[customer] || place >= CUSTOMERS)
        return case_complain(&loader->reader, "no customer, one twice, or too many:", word);
    loader->dealt[customer] = true;
    loader->state->deck[place] = customer;
    return true;
}

static bool read_card_state(const struct case_loader *loader, struct span word, uint8_t *card)
{
    if (word.length == 0)
        return true;
    for (unsigned i = CARD_DOWN; i <= CARD_DISCARDED; i++) {
        if (i != CARD_SHOPPING && span_is(word, supermarche_card_name(i))) {
            *card = (uint8_t)i;
            return true;
        }
    }
    return case_complain(&loader->reader, "no state of a card:", word);
}

static bool load_row(struct case_loader *loader, struct span rest)
{
    struct supermarche_state *state = loader->state;
    unsigned first = (unsigned)ROW * (state->round - 1u);
    unsigned position = 0;
    for (; rest.length > 0 && position < ROW; position++) {
        struct span word = span_word(&rest);
        struct span card = split(&word, '/');
        state->row[position] = position < FACE_UP ? CARD_UP : CARD_DOWN;
        if (!read_card_state(loader, card, &state->row[position]) ||
            !deal(loader, word, first + position))
            return false;
        if (state->row[position] == CARD_DISCARDED)
            state->discarded |= UINT32_C(1) << (first + position);
    }
    return (position == ROW && rest.length == 0) ||
           case_complain(&loader->reader, "no five customers:", rest);
}

static bool load_next_row(struct case_loader *loader, struct span rest)
{
    unsigned place = (unsigned)ROW * loader->state->round;
    unsigned end = place + ROW;
    for (; rest.length > 0 && place < end; place++)
        if (!deal(loader, span_word(&rest), place))
            return false;
    return (place == end && rest.length == 0) ||
           case_complain(&loader->reader, "no five customers:", rest);
}

static bool price(struct case_loader *loader, struct span word, unsigned round)
{
    uint8_t card = supermarche_cost_card_named(word);
    if (card == NONE || loader->priced[card] || round > ROUNDS)
        return case_complain(&loader->reader, "no cost card, one twice, or too many:", word);
    loader->priced[card] = true;
    loader->state->costs[round - 1] = card;
    return true;
}

static bool load_cost(struct case_loader *loader, struct span rest)
{
    return price(loader, rest, loader->state->round);
}

static bool load_next_cost(struct case_loader *loader, struct span rest)
{
    return price(loader, rest, loader->state->round + 1u);
}

static bool load_sale(struct case_loader *loader, struct span rest)
{
    struct supermarche_state *state = loader->state;
    if (span_is(rest, "none"))
        return true;
    if (!read_food(loader, rest, &state->on_sale))
        return false;
    state->sales |= (uint8_t)(1u << state->on_sale);
    return true;
}

static bool load_used(struct case_loader *loader, struct span rest)
{
    while (rest.length > 0 && !span_is(rest, "none")) {
        uint8_t food;
        if (!read_food(loader, span_word(&rest), &food))
            return false;
        loader->state->sales |= (uint8_t)(1u << food);
    }
    return true;
}

static bool load_restocked(struct case_loader *loader, struct span rest)
{
    bool restocked;
    if (!case_read_either(&loader->reader, rest, "yes", "no", &restocked))
        return false;
    loader->state->restocked = restocked;
    return true;
}

static bool load_dice(struct case_loader *loader, struct span rest)
{
    struct span word = span_word(&rest);
    uint8_t customer = supermarche_customer_named(word);
    if (customer == NONE)
        return case_complain(&loader->reader, "no customer:", word);
    struct span name = span_of(supermarche_customers[customer].stream);
    for (size_t i = 0; i < loader->stacks->count; i++)
        if (span_equal(loader->stacks->stack[i].name, name))
            return case_complain(&loader->reader, "dice twice for", word);
    bool added = chance_stack_add(loader->stacks, name, rest);
    assert(added); /* a pile for each customer and two decks are fewer than CHANCE_STACKS_MAX */
    return added;
}

static bool load_at(struct case_loader *loader, struct span rest)
{
    static const struct {
        const char *name;
        enum point point;
    } points[] = {{"DELIVERY", AT_DELIVERY},
                  {"STOCKING", AT_STOCKING},
                  {"SALE", AT_SALE},
                  {"CHOOSE", AT_CHOOSE}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        if (span_is(rest, points[i].name)) {
            loader->state->point = (uint8_t)points[i].point;
            return true;
        }
    }
    return case_complain(&loader->reader, "no decision point:", rest);
}

/* A new game: money and Store as the rules say. */
static bool load_difficulty(struct case_loader *loader, struct span rest)
{
    for (unsigned i = 0; i < DIFFICULTIES; i++) {
        if (span_is(rest, supermarche_difficulties[i].name)) {
            supermarche_lay_out(loader->state, i);
            loader->state->point = AT_ROUND_BEGIN;
            return true;
        }
    }
    return case_complain(&loader->reader, "no difficulty:", rest);
}

static bool load_deck(struct case_loader *loader, struct span rest)
{
    for (unsigned place = 0; rest.length > 0; place++)
        if (!deal(loader, span_word(&rest), place))
            return false;
    return true;
}

/* Every key, in the order of reading, with what holds when it is not given. */
static const struct case_key keys[] = {
    {"difficulty", load_difficulty, NULL, CASE_IN_SETUP},
    {"deck", load_deck, NULL, CASE_IN_SETUP},
    {"round", load_round, NULL, CASE_IN_POSITION},
    {"money", load_money, NULL, CASE_IN_POSITION},
    {"store", load_store, NULL, CASE_IN_POSITION},
    {"stock", load_stock, NULL, CASE_IN_POSITION},
    {"cards", load_cards, NULL, CASE_IN_POSITION},
    {"row", load_row, "stu rory mo donna melanie", CASE_IN_POSITION},
    {"next-row", load_next_row, NULL, CASE_IN_POSITION},
    {"cost", load_cost, NULL, CASE_IN_SETUP | CASE_IN_POSITION},
    {"next-cost", load_next_cost, NULL, CASE_IN_SETUP | CASE_IN_POSITION},
    {"sale", load_sale, NULL, CASE_IN_POSITION},
    {"used", load_used, NULL, CASE_IN_POSITION},
    {"restocked", load_restocked, NULL, CASE_IN_POSITION},
    {"dice", load_dice, NULL, CASE_IN_SETUP | CASE_IN_POSITION},
    {"at", load_at, "CHOOSE", CASE_IN_POSITION},
};

enum { KEYS = sizeof keys / sizeof keys[0] };

/* Only `dice` may be said more than once. */
static bool check_repeats(const struct case_reader *reader)
{
    for (size_t i = 0; i < reader->count; i++)
        for (size_t j = 0; j < i; j++)
            if (span_equal(reader->lines[i].key, reader->lines[j].key) &&
                !span_is(reader->lines[i].key, "dice"))
                return case_complain(reader, "twice:", reader->lines[i].key);
    return true;
}

/* Cards that no line names, in table order, where no line puts one. */
static void deal_rest(struct case_loader *loader)
{
    uint8_t next = 0;
    for (unsigned place = 0; place < CUSTOMERS; place++) {
        if (loader->state->deck[place] != NONE)
            continue;
        while (loader->dealt[next])
            next++;
        loader->state->deck[place] = next++;
    }
}

static void price_rest(struct case_loader *loader)
{
    uint8_t next = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (loader->state->costs[round] != NONE)
            continue;
        while (loader->priced[next])
            next++;
        loader->state->costs[round] = next++;
    }
}

/* A customer whose dice no line names may not roll. */
static void fix_other_dice(struct case_loader *loader)
{
    for (unsigned i = 0; i < CUSTOMERS; i++)
        if (chance_stack_find(loader->chance, supermarche_customers[i].stream) == NULL)
            (void)chance_stack_add(loader->stacks, span_of(supermarche_customers[i].stream),
                                   span_of(""));
}

/* Takes the automatic steps and forgets what they did. */
static bool advance(struct case_loader *loader)
{
    bool decided = supermarche_advance(loader->state, loader->chance);
    loader->state->notes = 0;
    memset(loader->state->note, 0, sizeof loader->state->note);
    return decided ||
           case_complain(&loader->reader, "no dice are given for this set-up", span_of(""));
}

static bool load(struct case_loader *loader, bool coupon_overflows)
{
    bool in_game = case_find(&loader->reader, "difficulty") != NULL;
    unsigned where = in_game ? CASE_IN_SETUP : CASE_IN_POSITION;
    if (!case_check_keys(&loader->reader, keys, KEYS, where) || !check_repeats(&loader->reader))
        return false;
    supermarche_clear(loader->state);
    loader->state->coupon_overflows = coupon_overflows;
    memset(loader->state->deck, NONE, sizeof loader->state->deck);
    memset(loader->state->costs, NONE, sizeof loader->state->costs);
    if (!case_load_keys(&loader->reader, keys, KEYS, where, loader))
        return false;
    deal_rest(loader);
    price_rest(loader);
    fix_other_dice(loader);
    return advance(loader);
}

bool supermarche_load(void *opaque, const struct case_line *lines, size_t count,
                      struct chance_stacks *stacks, const struct chance *chance, struct text *error)
{
    struct case_loader loader = {
        .reader = {lines, count, error, 1}, .state = opaque, .stacks = stacks, .chance = chance};
    return load(&loader, false);
}

bool supermarche_load_0_9_0(void *opaque, const struct case_line *lines, size_t count,
                            struct chance_stacks *stacks, const struct chance *chance,
                            struct text *error)
{
    struct case_loader loader = {
        .reader = {lines, count, error, 1}, .state = opaque, .stacks = stacks, .chance = chance};
    return load(&loader, true);
}
