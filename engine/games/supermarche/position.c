/* Set-up lines of worked cases. tests/cases/supermarche/README.md explains the keys. Lines may
 * stand in any order; what they say is read in the order of the table `keys`, so that the round is
 * known before its cards, and the Distribution Center gets what is left. */
#include <string.h>

#include "engine/games/supermarche/rules.h"
#include "engine/games/supermarche/turn.h"

enum { MONEY_MAX = 9999 };

struct loader {
    struct supermarche_state *state;
    struct text *error;
    struct chance_stacks *stacks;
    const struct chance *chance;
    const struct case_line *lines;
    size_t count;
    bool dealt[CUSTOMERS]; /* has a place in the deck */
    bool priced[COST_CARDS];
};

static bool complain(const struct loader *loader, const char *what, struct span word)
{
    text_add(loader->error, what);
    text_add(loader->error, " `");
    text_add_span(loader->error, word);
    text_add_char(loader->error, '`');
    return false;
}

static bool read_number(const struct loader *loader, struct span word, unsigned least,
                        unsigned most, unsigned *number)
{
    uint64_t value;
    if (!span_number(word, most, &value) || value < least)
        return complain(loader, "no number in range:", word);
    *number = (unsigned)value;
    return true;
}

static bool read_food(const struct loader *loader, struct span word, uint8_t *food)
{
    *food = supermarche_food_named(word);
    return *food != NONE || complain(loader, "no food:", word);
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

static bool load_round(struct loader *loader, struct span rest)
{
    unsigned round;
    if (!read_number(loader, rest, 1, ROUNDS, &round))
        return false;
    loader->state->round = (uint8_t)round;
    return true;
}

static bool load_money(struct loader *loader, struct span rest)
{
    unsigned money;
    if (!read_number(loader, rest, 0, MONEY_MAX, &money))
        return false;
    loader->state->money = (int16_t)money;
    return true;
}

static bool take_supply(const struct loader *loader, unsigned food, unsigned number)
{
    uint8_t *supply = &loader->state->supply[food];
    if (number > *supply)
        return complain(loader, "more cubes than there are:", supermarche_foods[food].name);
    *supply = (uint8_t)(*supply - number);
    return true;
}

/* `bakery r3:2 r4:1` into counts[BAKERY]. */
static bool read_boxes(const struct loader *loader, struct span list, uint8_t counts[][BOXES])
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
            return complain(loader, "no box:", word);
        if (!read_number(loader, digits, 1, CUBES, &number) || !take_supply(loader, food, number))
            return false;
        counts[food][box] = (uint8_t)(counts[food][box] + number);
    }
    return true;
}

/* `none`, or foods parted by `; `. */
static bool read_shelves(const struct loader *loader, struct span rest, uint8_t counts[][BOXES])
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

static bool load_store(struct loader *loader, struct span rest)
{
    if (!read_shelves(loader, rest, loader->state->store))
        return false;
    return supermarche_store_size(loader->state) <= STORE_MAX ||
           complain(loader, "the Store is too full:", rest);
}

static bool load_stock(struct loader *loader, struct span rest)
{
    if (!read_shelves(loader, rest, loader->state->stock))
        return false;
    return supermarche_stock_size(loader->state) <= STOCK_ROOM_MAX ||
           complain(loader, "the Stock Room is too full:", rest);
}

static bool load_cards(struct loader *loader, struct span rest)
{
    while (rest.length > 0 && !span_is(rest, "none")) {
        uint8_t food;
        unsigned number;
        struct span word = span_word(&rest);
        struct span digits = split(&word, ':');
        if (!read_food(loader, word, &food) || !read_number(loader, digits, 1, CUBES, &number) ||
            !take_supply(loader, food, number))
            return false;
        loader->state->on_cards[food] = (uint8_t)(loader->state->on_cards[food] + number);
    }
    return true;
}

/* Puts a customer at deck[place]. */
static bool deal(struct loader *loader, struct span word, unsigned place)
{
    uint8_t customer = supermarche_customer_named(word);
    if (customer == NONE || loader->dealt[customer] || place >= CUSTOMERS)
        return complain(loader, "no customer, one twice, or too many:", word);
    loader->dealt[customer] = true;
    loader->state->deck[place] = customer;
    return true;
}

static bool read_card_state(const struct loader *loader, struct span word, uint8_t *card)
{
    if (word.length == 0)
        return true;
    for (unsigned i = CARD_DOWN; i <= CARD_DISCARDED; i++) {
        if (i != CARD_SHOPPING && span_is(word, supermarche_card_name(i))) {
            *card = (uint8_t)i;
            return true;
        }
    }
    return complain(loader, "no state of a card:", word);
}

static bool load_row(struct loader *loader, struct span rest)
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
    return (position == ROW && rest.length == 0) || complain(loader, "no five customers:", rest);
}

static bool load_next_row(struct loader *loader, struct span rest)
{
    unsigned place = (unsigned)ROW * loader->state->round;
    unsigned end = place + ROW;
    for (; rest.length > 0 && place < end; place++)
        if (!deal(loader, span_word(&rest), place))
            return false;
    return (place == end && rest.length == 0) || complain(loader, "no five customers:", rest);
}

static bool price(struct loader *loader, struct span word, unsigned round)
{
    uint8_t card = supermarche_cost_card_named(word);
    if (card == NONE || loader->priced[card] || round > ROUNDS)
        return complain(loader, "no cost card, one twice, or too many:", word);
    loader->priced[card] = true;
    loader->state->costs[round - 1] = card;
    return true;
}

static bool load_cost(struct loader *loader, struct span rest)
{
    return price(loader, rest, loader->state->round);
}

static bool load_next_cost(struct loader *loader, struct span rest)
{
    return price(loader, rest, loader->state->round + 1u);
}

static bool load_sale(struct loader *loader, struct span rest)
{
    struct supermarche_state *state = loader->state;
    if (span_is(rest, "none"))
        return true;
    if (!read_food(loader, rest, &state->on_sale))
        return false;
    state->sales |= (uint8_t)(1u << state->on_sale);
    return true;
}

static bool load_used(struct loader *loader, struct span rest)
{
    while (rest.length > 0 && !span_is(rest, "none")) {
        uint8_t food;
        if (!read_food(loader, span_word(&rest), &food))
            return false;
        loader->state->sales |= (uint8_t)(1u << food);
    }
    return true;
}

static bool load_restocked(struct loader *loader, struct span rest)
{
    if (!span_is(rest, "yes") && !span_is(rest, "no"))
        return complain(loader, "neither yes nor no:", rest);
    loader->state->restocked = span_is(rest, "yes");
    return true;
}

static bool load_dice(struct loader *loader, struct span rest)
{
    struct span word = span_word(&rest);
    uint8_t customer = supermarche_customer_named(word);
    if (customer == NONE)
        return complain(loader, "no customer:", word);
    struct span name = span_of(supermarche_customers[customer].stream);
    for (size_t i = 0; i < loader->stacks->count; i++)
        if (span_equal(loader->stacks->stack[i].name, name))
            return complain(loader, "dice twice for", word);
    bool added = chance_stack_add(loader->stacks, name, rest);
    assert(added); /* a pile for each customer and two decks are fewer than CHANCE_STACKS_MAX */
    return added;
}

static bool load_at(struct loader *loader, struct span rest)
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
    return complain(loader, "no decision point:", rest);
}

/* A new game: money and Store as the rules say. */
static bool load_difficulty(struct loader *loader, struct span rest)
{
    for (unsigned i = 0; i < DIFFICULTIES; i++) {
        if (span_is(rest, supermarche_difficulties[i].name)) {
            supermarche_lay_out(loader->state, i);
            loader->state->point = AT_ROUND_BEGIN;
            return true;
        }
    }
    return complain(loader, "no difficulty:", rest);
}

static bool load_deck(struct loader *loader, struct span rest)
{
    for (unsigned place = 0; rest.length > 0; place++)
        if (!deal(loader, span_word(&rest), place))
            return false;
    return true;
}

/* Every key, in the order of reading, with what holds when it is not given. */
static const struct key {
    const char *name;
    bool (*load)(struct loader *loader, struct span rest);
    const char *initial;
    bool in_game, in_position; /* where it may stand */
} keys[] = {
    {"difficulty", load_difficulty, NULL, true, false},
    {"deck", load_deck, NULL, true, false},
    {"round", load_round, NULL, false, true},
    {"money", load_money, NULL, false, true},
    {"store", load_store, NULL, false, true},
    {"stock", load_stock, NULL, false, true},
    {"cards", load_cards, NULL, false, true},
    {"row", load_row, "stu rory mo donna melanie", false, true},
    {"next-row", load_next_row, NULL, false, true},
    {"cost", load_cost, NULL, true, true},
    {"next-cost", load_next_cost, NULL, true, true},
    {"sale", load_sale, NULL, false, true},
    {"used", load_used, NULL, false, true},
    {"restocked", load_restocked, NULL, false, true},
    {"dice", load_dice, NULL, true, true},
    {"at", load_at, "CHOOSE", false, true},
};

enum { KEYS = sizeof keys / sizeof keys[0] };

static bool is_given(const struct loader *loader, const char *key)
{
    for (size_t i = 0; i < loader->count; i++)
        if (span_is(loader->lines[i].key, key))
            return true;
    return false;
}

static bool may_stand(const struct key *key, bool in_game)
{
    return in_game ? key->in_game : key->in_position;
}

static bool check_keys(const struct loader *loader, bool in_game)
{
    for (size_t i = 0; i < loader->count; i++) {
        size_t key = 0;
        while (key < KEYS && !span_is(loader->lines[i].key, keys[key].name))
            key++;
        if (key == KEYS || !may_stand(&keys[key], in_game))
            return complain(loader, "no set-up line here:", loader->lines[i].key);
    }
    return true;
}

static bool load_lines_of(struct loader *loader, const struct key *key)
{
    bool found = false;
    for (size_t i = 0; i < loader->count; i++) {
        if (!span_is(loader->lines[i].key, key->name))
            continue;
        if (found && !span_is(loader->lines[i].key, "dice"))
            return complain(loader, "twice:", loader->lines[i].key);
        found = true;
        if (!key->load(loader, loader->lines[i].rest))
            return false;
    }
    return found || key->initial == NULL || key->load(loader, span_of(key->initial));
}

/* Cards that no line names, in table order, where no line puts one. */
static void deal_rest(struct loader *loader)
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

static void price_rest(struct loader *loader)
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
static void fix_other_dice(struct loader *loader)
{
    for (unsigned i = 0; i < CUSTOMERS; i++)
        if (chance_stack_find(loader->chance, supermarche_customers[i].stream) == NULL)
            (void)chance_stack_add(loader->stacks, span_of(supermarche_customers[i].stream),
                                   span_of(""));
}

/* Takes the automatic steps and forgets what they did. */
static bool advance(struct loader *loader)
{
    bool decided = supermarche_advance(loader->state, loader->chance);
    loader->state->notes = 0;
    memset(loader->state->note, 0, sizeof loader->state->note);
    return decided || complain(loader, "no dice are given for this set-up", span_of(""));
}

bool supermarche_load(void *opaque, const struct case_line *lines, size_t count,
                      struct chance_stacks *stacks, const struct chance *chance, struct text *error)
{
    struct loader loader = {.state = opaque,
                            .error = error,
                            .stacks = stacks,
                            .chance = chance,
                            .lines = lines,
                            .count = count};
    bool in_game = is_given(&loader, "difficulty");
    if (!check_keys(&loader, in_game))
        return false;
    supermarche_clear(loader.state);
    memset(loader.state->deck, NONE, sizeof loader.state->deck);
    memset(loader.state->costs, NONE, sizeof loader.state->costs);
    for (size_t i = 0; i < KEYS; i++)
        if (may_stand(&keys[i], in_game) && !load_lines_of(&loader, &keys[i]))
            return false;
    deal_rest(&loader);
    price_rest(&loader);
    fix_other_dice(&loader);
    return advance(&loader);
}
