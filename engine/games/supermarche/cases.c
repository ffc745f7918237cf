/* The fields of positions of worked cases, in the order in which they are set: the round is known
 * before its cards, and the Distribution Center gets the rest. tests/cases/supermarche/README.md
 * explains the keys. Every key stands alone or names seat 0, so an answer does not depend on the
 * expected text. */
#include <string.h>

#include "engine/game/case_fields.h"
#include "engine/games/supermarche/rules.h"
#include "engine/games/supermarche/turn.h"

#define CASE_STATE      struct supermarche_state
#define CASE_COMPONENTS struct supermarche_components

typedef const struct supermarche_state *position;

enum { MONEY_MAX = 9999 };

static const struct case_names foods = {CASE_NAMES(foods), .to = FOODS, .unknown = "no food:"};
static const struct case_names boxes = {CASE_NAMES(boxes), .to = BOXES, .unknown = "no box:"};

/* Takes `bakery:3`, or `r3:2`, off the front and the cubes from the supply. `food` is NONE if the
 * word names it. */
static bool read_cubes(const struct case_reader *reader, struct span *rest,
                       const struct case_names *names, uint8_t food, uint8_t *counts)
{
    struct supermarche_state *state = reader->state;
    const struct supermarche_components *set = reader->game->set;
    struct span word = span_word(rest);
    struct span digits = case_split(&word, ':');
    uint8_t index;
    int32_t number;
    if (!case_read_name(reader, &word, names, &index) ||
        !case_read_range(reader, digits, 1, CUBES, &number))
        return false;
    uint8_t *supply = &state->supply[food == NONE ? index : food];
    if (number > *supply)
        return case_complain(
            reader, "more cubes than there are:", set->foods[food == NONE ? index : food].name);
    *supply = (uint8_t)(*supply - number);
    counts[index] = (uint8_t)(counts[index] + number);
    return true;
}

/* `none`, or foods separated by `; `: `bakery r3:2 r4:1`. */
static bool read_shelves(const struct case_reader *reader, struct span rest,
                         uint8_t counts[][BOXES])
{
    if (span_is(rest, "none"))
        return true;
    while (rest.length > 0) {
        struct span list = rest;
        uint8_t food;
        rest = case_split(&list, ';');
        if (rest.length > 0 && rest.at[0] == ' ') {
            rest.at++;
            rest.length--;
        }
        if (!case_read_name(reader, &list, &foods, &food))
            return false;
        while (list.length > 0)
            if (!read_cubes(reader, &list, &boxes, food, counts[food]))
                return false;
    }
    return true;
}

static void add_shelves(const struct supermarche_components *set, struct text *out,
                        const uint8_t counts[FOODS][BOXES])
{
    for (unsigned food = 0; food < FOODS; food++) {
        if (supermarche_sum(counts[food], BOXES) == 0)
            continue;
        if (out->length > 0)
            text_add_char(out, ';');
        case_add_word(out, set->foods[food].name);
        for (unsigned box = 0; box < BOXES; box++)
            if (counts[food][box] > 0)
                case_add_pair(out, set->boxes[box].name, ':', counts[food][box]);
    }
}

static bool load_store(struct case_reader *reader, struct span rest)
{
    struct supermarche_state *state = reader->state;
    return read_shelves(reader, rest, state->store) &&
           (supermarche_store_size(state) <= STORE_MAX ||
            case_complain(reader, "the Store is too full:", rest));
}

static bool tell_store(const struct case_reader *reader, struct text *out)
{
    const struct supermarche_components *set = reader->game->set;
    position state = reader->state;
    add_shelves(set, out, state->store);
    return true;
}

static bool load_stock(struct case_reader *reader, struct span rest)
{
    struct supermarche_state *state = reader->state;
    return read_shelves(reader, rest, state->stock) &&
           (supermarche_stock_size(state) <= STOCK_ROOM_MAX ||
            case_complain(reader, "the Stock Room is too full:", rest));
}

static bool tell_stock(const struct case_reader *reader, struct text *out)
{
    const struct supermarche_components *set = reader->game->set;
    position state = reader->state;
    add_shelves(set, out, state->stock);
    return true;
}

static bool load_cards(struct case_reader *reader, struct span rest)
{
    struct supermarche_state *state = reader->state;
    while (rest.length > 0 && !span_is(rest, "none"))
        if (!read_cubes(reader, &rest, &foods, NONE, state->on_cards))
            return false;
    return true;
}

static bool tell_cards(const struct case_reader *reader, struct text *out)
{
    const struct supermarche_components *set = reader->game->set;
    position state = reader->state;
    for (unsigned food = 0; food < FOODS; food++)
        if (state->on_cards[food] > 0)
            case_add_pair(out, set->foods[food].name, ':', state->on_cards[food]);
    return true;
}

/* Puts a card at pile[place], unless it is already in the pile. */
static bool deal(const struct case_reader *reader, const char *unknown, struct span word,
                 uint8_t card, uint8_t *pile, unsigned place, unsigned size)
{
    if (card == NONE || memchr(pile, card, size) != NULL || place >= size)
        return case_complain(reader, unknown, word);
    pile[place] = card;
    return true;
}

static bool deal_customer(const struct case_reader *reader, struct span word, unsigned place)
{
    struct supermarche_state *state = reader->state;
    const struct supermarche_components *set = reader->game->set;
    return deal(reader, "no customer, one twice, or too many:", word,
                supermarche_customer_named(set, word), state->deck, place, CUSTOMERS);
}

static bool read_card_state(const struct case_reader *reader, struct span word, uint8_t *card)
{
    if (word.length == 0)
        return true;
    for (unsigned i = CARD_DOWN; i <= CARD_DISCARDED; i++) {
        if (i != CARD_SHOPPING && span_is(word, supermarche_card_name(i))) {
            *card = (uint8_t)i;
            return true;
        }
    }
    return case_complain(reader, "no state of a card:", word);
}

static bool load_row(struct case_reader *reader, struct span rest)
{
    struct supermarche_state *state = reader->state;
    unsigned first = (unsigned)ROW * (state->round - 1u);
    unsigned place = 0;
    for (; rest.length > 0 && place < ROW; place++) {
        struct span word = span_word(&rest);
        struct span card = case_split(&word, '/');
        state->row[place] = place < FACE_UP ? CARD_UP : CARD_DOWN;
        if (!read_card_state(reader, card, &state->row[place]) ||
            !deal_customer(reader, word, first + place))
            return false;
        if (state->row[place] == CARD_DISCARDED)
            state->discarded |= (uint32_t)(UINT64_C(1) << (first + place));
    }
    return (place == ROW && rest.length == 0) || case_complain(reader, "no five customers:", rest);
}

static void add_customer(const struct supermarche_components *set, struct text *out, position state,
                         unsigned place)
{
    case_add_word(out, set->customers[supermarche_customer_at(state, place)].name);
}

static bool tell_row(const struct case_reader *reader, struct text *out)
{
    const struct supermarche_components *set = reader->game->set;
    position state = reader->state;
    for (unsigned place = 0; place < ROW; place++) {
        add_customer(set, out, state, place);
        text_add_char(out, '/');
        text_add(out, supermarche_card_name(state->row[place]));
    }
    return true;
}

static bool tell_up(const struct case_reader *reader, struct text *out)
{
    const struct supermarche_components *set = reader->game->set;
    position state = reader->state;
    for (unsigned place = 0; place < ROW; place++)
        if (state->row[place] == CARD_UP)
            add_customer(set, out, state, place);
    return true;
}

static bool load_next_row(struct case_reader *reader, struct span rest)
{
    position state = reader->state;
    unsigned place = (unsigned)ROW * state->round;
    unsigned end = place + ROW;
    for (; rest.length > 0 && place < end; place++)
        if (!deal_customer(reader, span_word(&rest), place))
            return false;
    return (place == end && rest.length == 0) || case_complain(reader, "no five customers:", rest);
}

static bool price(const struct case_reader *reader, struct span word, unsigned round)
{
    struct supermarche_state *state = reader->state;
    const struct supermarche_components *set = reader->game->set;
    return deal(reader, "no cost card, one twice, or too many:", word,
                names_find(NAMES(set->cost_cards, COST_CARDS), word), state->costs, round - 1,
                ROUNDS);
}

static bool load_cost(struct case_reader *reader, struct span rest)
{
    position state = reader->state;
    return price(reader, rest, state->round);
}

static bool load_next_cost(struct case_reader *reader, struct span rest)
{
    position state = reader->state;
    return price(reader, rest, state->round + 1u);
}

static bool load_sale(struct case_reader *reader, struct span rest)
{
    struct supermarche_state *state = reader->state;
    if (span_is(rest, "none"))
        return true;
    if (!case_read_only_name(reader, rest, &foods, &state->on_sale))
        return false;
    state->sales |= (uint8_t)(1u << state->on_sale);
    return true;
}

static bool load_dice(struct case_reader *reader, struct span rest)
{
    const struct supermarche_components *set = reader->game->set;
    struct span word = span_word(&rest);
    uint8_t customer = supermarche_customer_named(set, word);
    if (customer == NONE)
        return case_complain(reader, "no customer:", word);
    struct span name = span_of(set->customers[customer].stream);
    for (size_t i = 0; i < reader->stacks->count; i++)
        if (span_equal(reader->stacks->stack[i].name, name))
            return case_complain(reader, "dice twice for", word);
    bool added = chance_stack_add(reader->stacks, name, rest);
    assert(added); /* a pile for each customer and two decks are fewer than CHANCE_STACKS_MAX */
    return added;
}

static bool load_at(struct case_reader *reader, struct span rest)
{
    static const struct {
        const char *name;
        enum point point;
    } points[] = {{"DELIVERY", AT_DELIVERY},
                  {"STOCKING", AT_STOCKING},
                  {"SALE", AT_SALE},
                  {"CHOOSE", AT_CHOOSE}};
    struct supermarche_state *state = reader->state;
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        if (span_is(rest, points[i].name)) {
            state->point = (uint8_t)points[i].point;
            return true;
        }
    }
    return case_complain(reader, "no decision point:", rest);
}

/* `0 DELIVERY`, or `0 none` at the end. */
static bool tell_decision(const struct case_reader *reader, struct text *out)
{
    position state = reader->state;
    const char *name = supermarche_point_name(state->point);
    text_add(out, name == NULL ? "0 none" : "0 ");
    for (; name != NULL && *name != '\0'; name++)
        text_add_char(out, (char)(*name - 'a' + 'A'));
    return true;
}

/* A new game: money and Store according to the rules. */
static bool load_difficulty(struct case_reader *reader, struct span rest)
{
    struct supermarche_state *state = reader->state;
    const struct supermarche_components *set = reader->game->set;
    for (unsigned i = 0; i < DIFFICULTIES; i++) {
        if (span_is(rest, set->difficulties[i].name)) {
            supermarche_lay_out(set, state, i);
            state->point = AT_ROUND_BEGIN;
            return true;
        }
    }
    return case_complain(reader, "no difficulty:", rest);
}

static bool load_deck(struct case_reader *reader, struct span rest)
{
    for (unsigned place = 0; rest.length > 0; place++)
        if (!deal_customer(reader, span_word(&rest), place))
            return false;
    return true;
}

static bool tell_tie_break(const struct case_reader *reader, struct text *out)
{
    position state = reader->state;
    struct outcome outcome;
    reader->game->outcome(reader->game, state, &outcome);
    text_add(out, "0 ");
    text_add_number(out, outcome.tie_break[0][0]);
    return state->point == AT_OVER;
}

static bool tell_result(const struct case_reader *reader, struct text *out)
{
    position state = reader->state;
    if (state->point != AT_OVER)
        return false;
    text_add(out, supermarche_result_name(state->result));
    return true;
}

static bool tell_level(const struct case_reader *reader, struct text *out)
{
    const struct supermarche_components *set = reader->game->set;
    position state = reader->state;
    text_add_span(out, supermarche_level(set, state->money)->name);
    return state->point == AT_OVER;
}

static bool tell_shelf(const struct case_reader *reader, struct text *out)
{
    case_add_number(out, supermarche_store_size(reader->state));
    return true;
}

static bool tell_space(const struct case_reader *reader, struct text *out)
{
    position state = reader->state;
    case_add_number(out, state->space);
    return state->shopper != NONE;
}

static bool tell_coupons(const struct case_reader *reader, struct text *out)
{
    position state = reader->state;
    case_add_number(out, state->coupons);
    return state->shopper != NONE;
}

static const struct case_field fields[] = {
    {"difficulty", .load = load_difficulty, .where = CASE_IN_SETUP},
    {"deck", .load = load_deck, .where = CASE_IN_SETUP},
    {"round", .kind = CASE_NUMBER, CASE_AT(round), .least = 1, .most = ROUNDS},
    {"money", .kind = CASE_NUMBER, CASE_AT(money), .most = MONEY_MAX},
    {"store", .load = load_store, .tell = tell_store},
    {"stock", .load = load_stock, .tell = tell_stock},
    {"cards", .load = load_cards, .tell = tell_cards},
    {"row", "stu rory mo donna melanie", .load = load_row, .tell = tell_row},
    {"next-row", .load = load_next_row},
    {"cost", .load = load_cost, .where = CASE_EVERYWHERE},
    {"next-cost", .load = load_next_cost, .where = CASE_EVERYWHERE},
    {"sale", .load = load_sale, .kind = CASE_NAME, CASE_AT(on_sale), .names = &foods},
    {"used", .kind = CASE_SET, CASE_AT(sales), .names = &foods},
    {"restocked", .kind = CASE_FLAG, CASE_AT(restocked)},
    {"dice", .load = load_dice, .where = CASE_EVERYWHERE},
    {"at", "CHOOSE", .load = load_at},
    {"decision", .tell = tell_decision, .where = CASE_ANSWERED},
    {"tiebreak", .tell = tell_tie_break, .where = CASE_ANSWERED},
    {"result", .tell = tell_result, .where = CASE_ANSWERED},
    {"level", .tell = tell_level, .where = CASE_ANSWERED},
    {"up", .tell = tell_up, .where = CASE_ANSWERED},
    {"supply", .kind = CASE_EACH, CASE_AT(supply), .where = CASE_ANSWERED},
    {"shelf", .tell = tell_shelf, .where = CASE_ANSWERED},
    {"space", .tell = tell_space, .where = CASE_ANSWERED},
    {"coupons", .tell = tell_coupons, .where = CASE_ANSWERED},
};

/* Only `dice` may be repeated. */
static bool check_repeats(const struct case_reader *reader)
{
    for (size_t i = 0; i < reader->count; i++)
        for (size_t j = 0; j < i; j++)
            if (span_equal(reader->lines[i].key, reader->lines[j].key) &&
                !span_is(reader->lines[i].key, "dice"))
                return case_complain(reader, "twice:", reader->lines[i].key);
    return true;
}

/* Puts cards that no line names, in table order, into the remaining places. */
static void deal_rest(uint8_t *pile, unsigned size)
{
    for (unsigned place = 0; place < size; place++) {
        uint8_t next = 0;
        if (pile[place] != NONE)
            continue;
        while (memchr(pile, next, size) != NULL)
            next++;
        pile[place] = next;
    }
}

/* A customer whose dice no line names may not roll. */
static void fix_other_dice(const struct case_reader *reader)
{
    const struct supermarche_components *set = reader->game->set;
    for (unsigned i = 0; i < CUSTOMERS; i++)
        if (chance_stack_find(reader->chance, set->customers[i].stream) == NULL)
            (void)chance_stack_add(reader->stacks, span_of(set->customers[i].stream), span_of(""));
}

static bool load_version(struct case_reader *reader, bool coupon_overflows)
{
    struct supermarche_state *state = reader->state;
    const struct supermarche_components *set = reader->game->set;
    bool in_game = case_find(reader, "difficulty") != NULL;
    reader->seats = 1;
    if (!check_repeats(reader))
        return false;
    supermarche_clear(state);
    state->coupon_overflows = coupon_overflows;
    memset(state->deck, NONE, sizeof state->deck);
    memset(state->costs, NONE, sizeof state->costs);
    if (!case_load(reader, in_game ? CASE_IN_SETUP : CASE_IN_POSITION))
        return false;
    deal_rest(state->deck, CUSTOMERS);
    deal_rest(state->costs, ROUNDS);
    fix_other_dice(reader);
    bool decided = supermarche_advance(set, state, reader->chance);
    state->notes = 0;
    memset(state->note, 0, sizeof state->note);
    return decided || case_complain(reader, "no dice are given for this set-up", span_of(""));
}

static bool load(struct case_reader *reader)
{
    return load_version(reader, false);
}

static bool load_0_9_0(struct case_reader *reader)
{
    return load_version(reader, true);
}

const struct game_cases supermarche_worked_cases = {fields, sizeof fields / sizeof fields[0],
                                                    "none", load};

const struct game_cases supermarche_worked_cases_0_9_0 = {fields, sizeof fields / sizeof fields[0],
                                                          "none", load_0_9_0};
