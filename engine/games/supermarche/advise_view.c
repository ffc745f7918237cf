/* Reading a view back into a position. */
#include <string.h>

#include "engine/games/supermarche/advise.h"
#include "engine/games/supermarche/rules.h"
#include "engine/view_reading.h"

static void read_numbers(const json_t *object, uint8_t counts[static FOODS])
{
    for (unsigned food = 0; food < FOODS; food++)
        counts[food] = view_read_number(json_object_get(object, supermarche_foods[food].name.at));
}

static void read_shelves(const json_t *object, uint8_t counts[FOODS][BOXES])
{
    for (unsigned food = 0; food < FOODS; food++) {
        const json_t *boxes = json_object_get(object, supermarche_foods[food].name.at);
        for (unsigned box = 0; box < BOXES; box++)
            counts[food][box] =
                view_read_number(json_object_get(boxes, supermarche_boxes[box].name.at));
    }
}

static uint8_t read_point(const json_t *decision)
{
    uint8_t point = AT_DELIVERY;
    while (point < AT_OVER && !span_is(view_read_text(decision), supermarche_point_name(point)))
        point++;
    return point;
}

static void read_round(struct supermarche_state *state, const json_t *view)
{
    state->point = read_point(json_object_get(view, "decision"));
    state->money = (int16_t)json_integer_value(json_object_get(view, "money"));
    state->round = view_read_number(json_object_get(view, "round"));
    if (state->round < 1 || state->round > ROUNDS)
        state->round = 1;
    state->restocked = json_is_true(json_object_get(view, "restocked"));
    state->on_sale = supermarche_food_named(view_read_text(json_object_get(view, "on_sale")));
    state->sales =
        (uint8_t)view_read_set(json_object_get(view, "sales_so_far"), supermarche_food_named);
}

static uint8_t read_card_state(const json_t *card)
{
    uint8_t state = CARD_DOWN;
    struct span word = view_read_text(json_object_get(card, "state"));
    while (state < CARD_DISCARDED && !span_is(word, supermarche_card_name(state)))
        state++;
    return state;
}

/* Puts the customers of the row in their places. Bit c of the result: customer c has one. */
static uint32_t read_row(struct supermarche_state *state, const json_t *row)
{
    uint32_t dealt = 0;
    for (unsigned position = 0; position < ROW; position++) {
        const json_t *card = json_array_get(row, position);
        unsigned place = (unsigned)ROW * (state->round - 1u) + position;
        uint8_t customer =
            supermarche_customer_named(view_read_text(json_object_get(card, "customer")));
        state->row[position] = read_card_state(card);
        state->deck[place] = customer;
        if (state->row[position] == CARD_DISCARDED)
            state->discarded |= UINT32_C(1) << place;
        if (customer != NONE)
            dealt |= UINT32_C(1) << customer;
        if (state->row[position] == CARD_SHOPPING)
            state->shopper = (uint8_t)position;
    }
    return dealt;
}

static uint8_t next_customer(uint32_t *dealt, uint32_t wanted)
{
    for (unsigned customer = 0; customer < CUSTOMERS; customer++) {
        if ((*dealt >> customer & 1) != 0 || (wanted >> customer & 1) == 0)
            continue;
        *dealt |= UINT32_C(1) << customer;
        return (uint8_t)customer;
    }
    return NONE;
}

/* The places after the row and those face down in it go to customers whom nobody has seen; places
 * before it to the others. One that was discarded in an earlier round is a place too few. */
static void deal_rest(struct supermarche_state *state, const json_t *view, uint32_t dealt)
{
    uint32_t unseen =
        view_read_set(json_object_get(view, "customers_unseen"), supermarche_customer_named);
    for (unsigned place = CUSTOMERS; place-- > 0;)
        if (state->deck[place] == NONE)
            state->deck[place] = next_customer(&dealt, unseen);
    for (unsigned place = 0; place < CUSTOMERS; place++)
        if (state->deck[place] == NONE)
            state->deck[place] = next_customer(&dealt, UINT32_MAX);
}

static void read_costs(struct supermarche_state *state, const json_t *view)
{
    const json_t *card = json_object_get(json_object_get(view, "cost_card"), "card");
    uint8_t now = supermarche_cost_card_named(view_read_text(card));
    const json_t *entry;
    size_t i;
    unsigned round = state->round;
    state->costs[state->round - 1] = now == NONE ? 0 : now;
    json_array_foreach(json_object_get(view, "cost_cards_to_come"), i, entry)
    {
        uint8_t later = supermarche_cost_card_named(view_read_text(entry));
        if (later != NONE && round < ROUNDS)
            state->costs[round++] = later;
    }
}

static void read_trip(struct supermarche_state *state, const json_t *trip)
{
    state->space = view_read_number(json_object_get(trip, "space"));
    state->coupons = view_read_number(json_object_get(trip, "coupons"));
    state->bought = view_read_number(json_object_get(trip, "bought"));
    state->takings = view_read_number(json_object_get(trip, "takings"));
    for (unsigned i = 0; i < 2; i++) {
        const json_t *die = json_array_get(json_object_get(trip, "dice"), i);
        state->dice[i] = (uint8_t)json_integer_value(die);
    }
}

void supermarche_read_view(struct supermarche_state *state, const json_t *view)
{
    supermarche_clear(state);
    read_round(state, view);
    read_shelves(json_object_get(view, "store"), state->store);
    read_shelves(json_object_get(view, "stock_room"), state->stock);
    read_numbers(json_object_get(view, "distribution_center"), state->supply);
    read_numbers(json_object_get(view, "on_customer_cards"), state->on_cards);
    read_costs(state, view);
    read_trip(state, json_object_get(view, "trip"));
    memset(state->deck, NONE, sizeof state->deck);
    deal_rest(state, view, read_row(state, json_object_get(view, "row")));
    bool shopping = state->point >= AT_INITIAL && state->point <= AT_PAY;
    if (shopping && state->shopper == NONE)
        state->point = AT_OVER; /* no view of this game: there is nothing to advise */
}
