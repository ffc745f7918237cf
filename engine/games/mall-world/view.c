/* What a viewer may know, as JSON, put together from what is allowed: everything on the table, the
 * sizes of hands and piles, and for a seat its own cards, coins and bid. The auditor, and everybody
 * once the game is over, sees all hands and coins. Nobody sees the order of a pile, what went
 * unseen into the box, or, while an auction is open, who has bid: the seats that decide are then
 * all bidders, and only the viewer itself is left out once its bid is in. */
#include <string.h>

#include "engine/games/mall-world/rules.h"

const char *mall_world_point_name(unsigned point)
{
    static const char *const names[] = {
        [AT_ACCEPT] = "ACCEPT",   [AT_PROGRESS] = "PROGRESS", [AT_BID] = "BID",
        [AT_REALIZE] = "REALIZE", [AT_SUPPLY] = "SUPPLY",     [AT_OVER] = "OVER",
    };
    assert(point <= AT_OVER);
    return names[point];
}

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static json_t *name(struct span span)
{
    return json_stringn(span.at, span.length);
}

static bool is_over(const struct mall_world_state *state)
{
    return state->point == AT_OVER;
}

static json_t *seat_list(uint32_t seats)
{
    json_t *list = json_array();
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        if ((seats >> seat & 1) != 0)
            json_array_append_new(list, json_integer(seat));
    return list;
}

static json_t *room_list(rooms set)
{
    json_t *list = json_array();
    while (set != 0)
        json_array_append_new(list, name(mall_world_room_name(mall_world_next_room(&set))));
    return list;
}

static json_t *order_list(uint32_t orders)
{
    json_t *list = json_array();
    for (unsigned order = 0; order < ORDERS; order++)
        if ((orders >> order & 1) != 0)
            json_array_append_new(list, name(mall_world_orders[order].name));
    return list;
}

/* {"food-food": 2}: only what there is. */
static json_t *card_counts(const uint8_t cards[static CARDS])
{
    json_t *object = json_object();
    for (unsigned card = 0; card < CARDS; card++)
        if (cards[card] > 0)
            set(object, mall_world_cards[card].name.at, json_integer(cards[card]));
    return object;
}

static json_t *card_list(const struct mall_world_state *state,
                         bool (*is)(const struct mall_world_state *state, unsigned card),
                         bool wanted)
{
    json_t *list = json_array();
    for (unsigned card = 0; card < CARDS; card++)
        if (is(state, card) == wanted)
            json_array_append_new(list, name(mall_world_cards[card].name));
    return list;
}

/* ---- The mall ---- */

static json_t *shop(const struct mall_world_state *state, unsigned use, rooms room)
{
    json_t *object = json_object();
    set(object, "use", name(mall_world_uses[use]));
    set(object, "group", json_null());
    set(object, "chain", json_null());
    for (unsigned chain = 0; chain < CHAINS; chain++) {
        if ((mall_world_chain_rooms(state, chain) & room) == 0)
            continue;
        set(object, "group", name(mall_world_groups[mall_world_chains[chain].group]));
        set(object, "chain", name(mall_world_chains[chain].name));
    }
    return object;
}

static json_t *shops(const struct mall_world_state *state)
{
    json_t *object = json_object();
    for (unsigned i = 0; i < ROOMS; i++) {
        rooms room = mall_world_room(mall_world_rooms[i].square);
        for (unsigned use = 0; use < USES; use++)
            if ((state->tile[use] & room) != 0)
                set(object, mall_world_rooms[i].name.at, shop(state, use, room));
    }
    return object;
}

static json_t *supply(const struct mall_world_state *state)
{
    json_t *object = json_object();
    for (unsigned use = 0; use < USES; use++)
        set(object, mall_world_uses[use].at, json_integer(mall_world_tiles_left(state, use)));
    for (unsigned group = 0; group < GROUPS; group++)
        set(object, mall_world_groups[group].at, json_integer(mall_world_chips_left(state, group)));
    return object;
}

/* How often each order counts as the mall is now. */
static json_t *order_counts(const struct mall_world_state *state)
{
    json_t *object = json_object();
    for (unsigned order = 0; order < ORDERS; order++)
        set(object, mall_world_orders[order].name.at, json_integer(mall_world_count(state, order)));
    return object;
}

static void set_mall(json_t *view, const struct mall_world_state *state)
{
    set(view, "covered", room_list(state->covered));
    set(view, "empty", room_list(mall_world_empty(state)));
    set(view, "shops", shops(state));
    set(view, "supply", supply(state));
    set(view, "order_counts", order_counts(state));
}

/* ---- Lobby, bureau, approval cards ---- */

static json_t *lobby(const struct mall_world_state *state)
{
    json_t *list = json_array();
    for (unsigned site = 0; site < state->lobby_orders; site++) {
        json_t *object = json_object();
        set(object, "order", name(mall_world_orders[state->lobby[site]].name));
        set(object, "price", json_integer(mall_world_site_price[site]));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *bureau(const struct mall_world_state *state)
{
    json_t *list = json_array();
    for (unsigned bribe = 0; bribe < BRIBES; bribe++)
        for (unsigned i = 0; i < state->bribes[bribe]; i++)
            json_array_append_new(list, json_integer(mall_world_bribe_value[bribe]));
    return list;
}

static void set_table(json_t *view, const struct mall_world_state *state)
{
    set(view, "lobby", lobby(state));
    set(view, "order_stack", json_integer(state->orders_end - state->orders_next));
    set(view, "orders_gone", order_list(state->closed));
    set(view, "orders_boxed", is_over(state) ? order_list(state->boxed) : json_null());
    set(view, "markers", seat_list(state->markers));
    set(view, "bureau", bureau(state));
    set(view, "slush", json_integer(state->slush));
    set(view, "display", card_counts(state->display));
    set(view, "stack", json_integer(state->stack_end - state->stack_next));
    set(view, "discard", card_counts(state->discard));
    set(view, "cards_gone", card_counts(state->gone));
    set(view, "realizable", card_list(state, mall_world_is_realizable, true));
    set(view, "unusable", card_list(state, mall_world_is_usable, false));
}

/* ---- The auction ---- */

/* A bid is its bidder's secret until all are in. */
static json_t *bids(const struct mall_world_state *state, struct viewer viewer)
{
    bool open = state->point != AT_BID;
    json_t *object = json_array();
    for (unsigned seat = 0; seat < state->seats; seat++) {
        bool own = viewer.kind == VIEWER_SEAT && viewer.seat == seat;
        if ((state->bids_in >> seat & 1) == 0 || !(open || own))
            continue;
        json_t *bid = json_object();
        set(bid, "seat", json_integer(seat));
        set(bid, "coins", json_integer(state->bid[seat]));
        json_array_append_new(object, bid);
    }
    return object;
}

static json_t *payee(unsigned whom)
{
    if (whom == PAYS_NOBODY)
        return json_null();
    return whom == PAYS_SLUSH ? json_string("slush") : json_integer(whom);
}

/* The rights that are not used up, the present one first. */
static json_t *rights(const struct mall_world_state *state)
{
    json_t *list = json_array();
    for (unsigned right = state->right; right < state->rights; right++) {
        json_t *object = json_object();
        set(object, "seat", json_integer(state->holder[right]));
        set(object, "price", json_integer(state->price[right]));
        set(object, "paid_to", payee(state->payee[right]));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *auction(const struct mall_world_state *state, struct viewer viewer)
{
    if (state->offered == 0)
        return json_null();
    json_t *object = json_object();
    set(object, "offered", json_integer(state->offered));
    set(object, "cards", card_counts(state->offer));
    set(object, "bidders", seat_list(state->offered > 1 ? mall_world_bidders(state) : 0));
    set(object, "bids", bids(state, viewer));
    set(object, "rights", rights(state));
    return object;
}

/* ---- Seats ---- */

static bool may_see_seat(const struct mall_world_state *state, struct viewer viewer, unsigned seat)
{
    return is_over(state) || viewer.kind == VIEWER_AUDITOR ||
           (viewer.kind == VIEWER_SEAT && viewer.seat == seat);
}

static json_t *player(const struct mall_world_state *state, unsigned seat, struct viewer viewer)
{
    json_t *object = json_object();
    set(object, "seat", json_integer(seat));
    set(object, "account", json_integer(state->account[seat]));
    set(object, "confirmed", order_list(state->confirmed[seat]));
    set(object, "cards_in_hand", json_integer(mall_world_hand_cards(state, seat)));
    set(object, "orders_in_hand", json_integer(mall_world_hand_orders(state, seat)));
    if (!may_see_seat(state, viewer, seat))
        return object;
    set(object, "coins", json_integer(state->coins[seat]));
    set(object, "cards", card_counts(state->hand[seat]));
    set(object, "orders", order_list(state->held[seat]));
    return object;
}

static json_t *players(const struct mall_world_state *state, struct viewer viewer)
{
    json_t *list = json_array();
    for (unsigned seat = 0; seat < state->seats; seat++)
        json_array_append_new(list, player(state, seat, viewer));
    return list;
}

static json_t *final_result(const struct mall_world_state *state)
{
    if (!is_over(state))
        return json_null();
    struct outcome outcome;
    mall_world_outcome(state, &outcome);
    json_t *list = json_array();
    for (unsigned seat = 0; seat < outcome.seats; seat++) {
        json_t *object = json_object();
        set(object, "seat", json_integer(seat));
        set(object, "score", json_integer(outcome.score[seat]));
        set(object, "rank", json_integer(outcome.rank[seat]));
        json_array_append_new(list, object);
    }
    return list;
}

/* ---- The turn ---- */

/* Who decides, as far as the viewer may know. */
static uint32_t visible_deciders(const struct mall_world_state *state, struct viewer viewer)
{
    if (state->point != AT_BID)
        return mall_world_deciders(state);
    uint32_t bidders = mall_world_bidders(state);
    if (viewer.kind != VIEWER_SEAT || viewer.seat >= state->seats)
        return bidders;
    uint32_t own = UINT32_C(1) << viewer.seat;
    return (state->bids_in & own) != 0 ? bidders & ~own : bidders;
}

static void set_turn(json_t *view, const struct mall_world_state *state, struct viewer viewer)
{
    set(view, "over", json_boolean(is_over(state)));
    set(view, "deciders", seat_list(visible_deciders(state, viewer)));
    set(view, "decision",
        is_over(state) ? json_null() : json_string(mall_world_point_name(state->point)));
    set(view, "active", is_over(state) ? json_null() : json_integer(state->active));
    set(view, "round", json_integer(state->round));
    set(view, "rents_open", json_boolean(state->rents_open));
    set(view, "offer_made", json_boolean(state->offer_made));
    set(view, "confirm_made", json_boolean(state->confirm_made));
    set(view, "last_turns", state->last_turns_run ? json_integer(state->last_turns) : json_null());
    set(view, "standstill", json_integer(state->standstill));
}

json_t *mall_world_view(const void *opaque, struct viewer viewer)
{
    const struct mall_world_state *state = opaque;
    json_t *view = json_object();
    set(view, "ruleset", json_string("mall-world"));
    set(view, "seats", json_integer(state->seats));
    set(view, "opening", json_string(state->opening_fixed ? "fixed" : "drawn"));
    set_turn(view, state, viewer);
    set_mall(view, state);
    set_table(view, state);
    set(view, "auction", auction(state, viewer));
    set(view, "players", players(state, viewer));
    set(view, "outcome", final_result(state));
    return view;
}
