/* What a viewer may know, as JSON, built from what is allowed. In this game for one there is no
 * private knowledge: seat, spectator and auditor see the same, which is everything but face-down
 * cards and future dice. A card discarded unseen is turned up at the end. */
#include "engine/game/view_parts.h"
#include "engine/games/supermarche/rules.h"

static json_t *food_or_null(const struct supermarche_components *set, uint8_t food)
{
    return food == NONE ? json_null() : view_name(set->foods[food].name);
}

/* {"produce": 2, ...}: a number for each food. */
static json_t *numbers(const struct supermarche_components *set, const uint8_t counts[static FOODS])
{
    json_t *object = json_object();
    for (unsigned food = 0; food < FOODS; food++)
        view_set(object, set->foods[food].name.at, json_integer(counts[food]));
    return object;
}

/* {"bakery": {"r3": 2}}: only boxes that are not empty. */
static json_t *shelves(const struct supermarche_components *set, const uint8_t counts[FOODS][BOXES])
{
    json_t *object = json_object();
    for (unsigned food = 0; food < FOODS; food++) {
        json_t *boxes = json_object();
        for (unsigned box = 0; box < BOXES; box++)
            if (counts[food][box] > 0)
                view_set(boxes, set->boxes[box].name.at, json_integer(counts[food][box]));
        view_set(object, set->foods[food].name.at, boxes);
    }
    return object;
}

static json_t *prices(const struct supermarche_components *set,
                      const struct supermarche_state *state)
{
    uint8_t price[FOODS];
    for (unsigned food = 0; food < FOODS; food++)
        price[food] = (uint8_t)supermarche_price(set, state, food);
    return numbers(set, price);
}

static json_t *cost_card(const struct supermarche_components *set,
                         const struct supermarche_state *state)
{
    const struct supermarche_cost_card *card = &set->cost_cards[state->costs[state->round - 1]];
    json_t *object = json_object();
    view_set(object, "card", view_name(card->name));
    view_set(object, "costs", numbers(set, card->cost));
    return object;
}

/* In table order, which does not reveal when they come. */
static json_t *cost_cards_to_come(const struct supermarche_components *set,
                                  const struct supermarche_state *state)
{
    bool come[COST_CARDS] = {false};
    for (unsigned round = state->round; round < ROUNDS; round++)
        come[state->costs[round]] = true;
    json_t *list = json_array();
    for (unsigned card = 0; card < COST_CARDS; card++)
        if (come[card])
            json_array_append_new(list, view_name(set->cost_cards[card].name));
    return list;
}

static bool is_over(const struct supermarche_state *state)
{
    return state->point == AT_OVER;
}

static bool is_face_up(const struct supermarche_state *state, unsigned position)
{
    return state->row[position] != CARD_DOWN &&
           (state->row[position] != CARD_DISCARDED || is_over(state));
}

static json_t *row(const struct supermarche_components *set, const struct supermarche_state *state)
{
    json_t *list = json_array();
    for (unsigned position = 0; position < ROW; position++) {
        json_t *card = json_object();
        uint8_t customer = supermarche_customer_at(state, position);
        view_set(card, "position", json_integer(position + 1));
        view_set(card, "state", json_string(supermarche_card_name(state->row[position])));
        view_set(card, "customer",
                 is_face_up(state, position) ? view_name(set->customers[customer].name)
                                             : json_null());
        json_array_append_new(list, card);
    }
    return list;
}

/* Bit c for every customer whose face nobody has seen. */
static uint32_t unseen_customers(const struct supermarche_state *state)
{
    unsigned first = (unsigned)ROW * (state->round - 1u);
    uint32_t unseen = 0;
    for (unsigned i = 0; i < CUSTOMERS; i++) {
        bool hidden = i >= first + ROW || (i >= first && state->row[i - first] == CARD_DOWN) ||
                      ((state->discarded >> i & 1) != 0 && !is_over(state));
        unseen |= (uint32_t)hidden << state->deck[i];
    }
    return unseen;
}

static json_t *customers(const struct supermarche_components *set, uint32_t bits)
{
    json_t *list = json_array();
    for (unsigned customer = 0; customer < CUSTOMERS; customer++)
        if ((bits >> customer & 1) != 0)
            json_array_append_new(list, view_name(set->customers[customer].name));
    return list;
}

/* Only at the end: the customers sent away unseen, in the order of the rounds. */
static json_t *discarded(const struct supermarche_components *set,
                         const struct supermarche_state *state)
{
    if (!is_over(state))
        return json_null();
    json_t *list = json_array();
    for (unsigned i = 0; i < CUSTOMERS; i++)
        if ((state->discarded >> i & 1) != 0)
            json_array_append_new(list, view_name(set->customers[state->deck[i]].name));
    return list;
}

/* What the dice require, with one way of paying. */
static json_t *basket(const struct supermarche_components *set,
                      const struct supermarche_state *state, bool coupon)
{
    uint8_t food[SALE_ITEMS];
    unsigned count = supermarche_basket(set, state, coupon, food);
    json_t *object = json_object();
    json_t *list = json_array();
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(list, view_name(set->foods[food[i]].name));
    view_set(object, "foods", list);
    view_set(object, "available", json_boolean(supermarche_has(state, food, count)));
    return object;
}

static json_t *dice(const struct supermarche_state *state)
{
    if (state->dice[0] == 0)
        return json_null();
    return json_pack("[i,i]", (int)state->dice[0], (int)state->dice[1]);
}

static json_t *trip(const struct supermarche_components *set, const struct supermarche_state *state)
{
    if (state->shopper == NONE)
        return json_null();
    bool paying = state->point == AT_PAY;
    json_t *object = json_object();
    uint8_t customer = supermarche_customer_at(state, state->shopper);
    view_set(object, "customer", view_name(set->customers[customer].name));
    view_set(object, "space", json_integer(state->space));
    view_set(object, "coupons", json_integer(state->coupons));
    view_set(object, "bought", json_integer(state->bought));
    view_set(object, "takings", json_integer(state->takings));
    view_set(object, "dice", dice(state));
    view_set(object, "normal", paying ? basket(set, state, false) : json_null());
    view_set(object, "coupon", paying ? basket(set, state, true) : json_null());
    return object;
}

static json_t *sales_so_far(const struct supermarche_components *set,
                            const struct supermarche_state *state)
{
    json_t *list = json_array();
    for (unsigned food = 0; food < FOODS; food++)
        if ((state->sales >> food & 1) != 0)
            json_array_append_new(list, view_name(set->foods[food].name));
    return list;
}

/* What every game shows, plus how this one ended and the level reached. */
static json_t *final_result(const struct game *game, const struct supermarche_state *state)
{
    const struct supermarche_components *set = game->set;
    json_t *list = view_outcome(game, state, is_over(state), true);
    json_t *object = json_array_get(list, 0);
    if (object == NULL)
        return list;
    view_set(object, "result", json_string(supermarche_result_name(state->result)));
    view_set(object, "level", view_name(supermarche_level(set, state->money)->name));
    return list;
}

static void set_turn(json_t *view, const struct supermarche_state *state)
{
    const char *decision = supermarche_point_name(state->point);
    view_set(view, "over", json_boolean(is_over(state)));
    view_set(view, "deciders", view_seat_list(supermarche_deciders(state)));
    view_set(view, "decision", decision == NULL ? json_null() : json_string(decision));
    view_set(view, "round", json_integer(state->round));
    view_set(view, "money", json_integer(state->money));
}

static void set_cubes(const struct supermarche_components *set, json_t *view,
                      const struct supermarche_state *state)
{
    view_set(view, "store", shelves(set, state->store));
    view_set(view, "store_size", json_integer(supermarche_store_size(state)));
    view_set(view, "stock_room", shelves(set, state->stock));
    view_set(view, "stock_room_size", json_integer(supermarche_stock_size(state)));
    view_set(view, "distribution_center", numbers(set, state->supply));
    view_set(view, "on_customer_cards", numbers(set, state->on_cards));
}

json_t *supermarche_view(const struct game *game, const void *opaque, struct viewer viewer)
{
    const struct supermarche_state *state = opaque;
    const struct supermarche_components *set = game->set;
    (void)viewer;
    json_t *view = json_object();
    view_set(view, "ruleset", json_string("supermarche"));
    view_set(view, "seats", json_integer(1));
    view_set(view, "difficulty", json_string(set->difficulties[state->difficulty].name));
    set_turn(view, state);
    set_cubes(set, view, state);
    view_set(view, "cost_card", cost_card(set, state));
    view_set(view, "cost_cards_to_come", cost_cards_to_come(set, state));
    view_set(view, "prices", prices(set, state));
    view_set(view, "on_sale", food_or_null(set, state->on_sale));
    view_set(view, "sales_so_far", sales_so_far(set, state));
    view_set(view, "restocked", json_boolean(state->restocked));
    view_set(view, "row", row(set, state));
    view_set(view, "trip", trip(set, state));
    view_set(view, "customers_unseen", customers(set, unseen_customers(state)));
    view_set(view, "customers_discarded", discarded(set, state));
    view_set(view, "outcome", final_result(game, state));
    return view;
}
