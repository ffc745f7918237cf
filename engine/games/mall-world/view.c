/* What a viewer may know, as JSON, built from what is allowed: everything on the table, the sizes
 * of hands and piles, and for a seat its own cards, coins and bid. The auditor, and everyone once
 * the game is over, sees all hands and coins. Nobody sees the order of a pile, what was put into
 * the box unseen, or who has bid in an open auction: the deciding seats are then all bidders,
 * except the viewer itself once its bid is in. */
#include "engine/game/view_parts.h"
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

static bool is_over(const struct mall_world_state *state)
{
    return state->point == AT_OVER;
}

static json_t *room_list(const struct mall_world_components *set, rooms area)
{
    json_t *list = json_array();
    while (area != 0)
        json_array_append_new(list,
                              view_name(mall_world_room_name(set, mall_world_next_room(&area))));
    return list;
}

static json_t *order_list(const struct mall_world_components *set, uint32_t orders)
{
    json_t *list = json_array();
    for (unsigned order = 0; order < ORDERS; order++)
        if ((orders >> order & 1) != 0)
            json_array_append_new(list, view_name(set->orders[order].name));
    return list;
}

/* {"food-food": 2}: without zero counts. */
static json_t *card_counts(const struct mall_world_components *set,
                           const uint8_t cards[static CARDS])
{
    json_t *object = json_object();
    for (unsigned card = 0; card < CARDS; card++)
        if (cards[card] > 0)
            view_set(object, set->cards[card].name.at, json_integer(cards[card]));
    return object;
}

static json_t *card_list(const struct mall_world_components *set,
                         const struct mall_world_state *state,
                         bool (*is)(const struct mall_world_components *set,
                                    const struct mall_world_state *state, unsigned card),
                         bool wanted)
{
    json_t *list = json_array();
    for (unsigned card = 0; card < CARDS; card++)
        if (is(set, state, card) == wanted)
            json_array_append_new(list, view_name(set->cards[card].name));
    return list;
}

/* ---- The mall ---- */

static json_t *shop(const struct mall_world_components *set, const struct mall_world_state *state,
                    unsigned use, rooms room)
{
    json_t *object = json_object();
    view_set(object, "use", view_name(mall_world_uses[use]));
    view_set(object, "group", json_null());
    view_set(object, "chain", json_null());
    for (unsigned chain = 0; chain < CHAINS; chain++) {
        if ((mall_world_chain_rooms(set, state, chain) & room) == 0)
            continue;
        view_set(object, "group", view_name(mall_world_groups[set->chains[chain].group]));
        view_set(object, "chain", view_name(set->chains[chain].name));
    }
    return object;
}

static json_t *shops(const struct mall_world_components *set, const struct mall_world_state *state)
{
    json_t *object = json_object();
    for (unsigned i = 0; i < ROOMS; i++) {
        rooms room = mall_world_room(set->rooms[i].square);
        for (unsigned use = 0; use < USES; use++)
            if ((state->tile[use] & room) != 0)
                view_set(object, set->rooms[i].name.at, shop(set, state, use, room));
    }
    return object;
}

static json_t *supply(const struct mall_world_state *state)
{
    json_t *object = json_object();
    for (unsigned use = 0; use < USES; use++)
        view_set(object, mall_world_uses[use].at, json_integer(mall_world_tiles_left(state, use)));
    for (unsigned group = 0; group < GROUPS; group++)
        view_set(object, mall_world_groups[group].at,
                 json_integer(mall_world_chips_left(state, group)));
    return object;
}

/* How often each order counts in the current mall. */
static json_t *order_counts(const struct mall_world_components *set,
                            const struct mall_world_state *state)
{
    json_t *object = json_object();
    for (unsigned order = 0; order < ORDERS; order++)
        view_set(object, set->orders[order].name.at,
                 json_integer(mall_world_count(set, state, order)));
    return object;
}

static void set_mall(const struct mall_world_components *set, json_t *view,
                     const struct mall_world_state *state)
{
    view_set(view, "covered", room_list(set, state->covered));
    view_set(view, "empty", room_list(set, mall_world_empty(set, state)));
    view_set(view, "shops", shops(set, state));
    view_set(view, "supply", supply(state));
    view_set(view, "order_counts", order_counts(set, state));
}

/* ---- Lobby, bureau, approval cards ---- */

static json_t *lobby(const struct mall_world_components *set, const struct mall_world_state *state)
{
    json_t *list = json_array();
    for (unsigned site = 0; site < state->lobby_orders; site++) {
        json_t *object = json_object();
        view_set(object, "order", view_name(set->orders[state->lobby[site]].name));
        view_set(object, "price", json_integer(set->site_price[site]));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *bureau(const struct mall_world_components *set, const struct mall_world_state *state)
{
    json_t *list = json_array();
    for (unsigned bribe = 0; bribe < BRIBES; bribe++)
        for (unsigned i = 0; i < state->bribes[bribe]; i++)
            json_array_append_new(list, json_integer(set->bribe_value[bribe]));
    return list;
}

static void set_table(const struct mall_world_components *set, json_t *view,
                      const struct mall_world_state *state)
{
    view_set(view, "lobby", lobby(set, state));
    view_set(view, "order_stack", json_integer(state->orders_end - state->orders_next));
    view_set(view, "orders_gone", order_list(set, state->closed));
    view_set(view, "orders_boxed", is_over(state) ? order_list(set, state->boxed) : json_null());
    view_set(view, "markers", view_seat_list(state->markers));
    view_set(view, "bureau", bureau(set, state));
    view_set(view, "slush", json_integer(state->slush));
    view_set(view, "display", card_counts(set, state->display));
    view_set(view, "stack", json_integer(state->stack_end - state->stack_next));
    view_set(view, "discard", card_counts(set, state->discard));
    view_set(view, "cards_gone", card_counts(set, state->gone));
    view_set(view, "realizable", card_list(set, state, mall_world_is_realizable, true));
    view_set(view, "unusable", card_list(set, state, mall_world_is_usable, false));
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
        view_set(bid, "seat", json_integer(seat));
        view_set(bid, "coins", json_integer(state->bid[seat]));
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

/* The unused rights, the current one first. */
static json_t *rights(const struct mall_world_state *state)
{
    json_t *list = json_array();
    for (unsigned right = state->right; right < state->rights; right++) {
        json_t *object = json_object();
        view_set(object, "seat", json_integer(state->holder[right]));
        view_set(object, "price", json_integer(state->price[right]));
        view_set(object, "paid_to", payee(state->payee[right]));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *auction(const struct mall_world_components *set,
                       const struct mall_world_state *state, struct viewer viewer)
{
    if (state->offered == 0)
        return json_null();
    json_t *object = json_object();
    view_set(object, "offered", json_integer(state->offered));
    view_set(object, "cards", card_counts(set, state->offer));
    view_set(object, "bidders", view_seat_list(state->offered > 1 ? mall_world_bidders(state) : 0));
    view_set(object, "bids", bids(state, viewer));
    view_set(object, "rights", rights(state));
    return object;
}

/* ---- Seats ---- */

static json_t *player(const struct mall_world_components *set, const struct mall_world_state *state,
                      unsigned seat, struct viewer viewer)
{
    json_t *object = json_object();
    view_set(object, "seat", json_integer(seat));
    view_set(object, "account", json_integer(state->account[seat]));
    view_set(object, "confirmed", order_list(set, state->confirmed[seat]));
    view_set(object, "cards_in_hand", json_integer(mall_world_hand_cards(state, seat)));
    view_set(object, "orders_in_hand", json_integer(mall_world_hand_orders(state, seat)));
    if (!is_over(state) && !view_is_open_to(viewer, seat))
        return object;
    view_set(object, "coins", json_integer(state->coins[seat]));
    view_set(object, "cards", card_counts(set, state->hand[seat]));
    view_set(object, "orders", order_list(set, state->held[seat]));
    return object;
}

static json_t *players(const struct mall_world_components *set,
                       const struct mall_world_state *state, struct viewer viewer)
{
    json_t *list = json_array();
    for (unsigned seat = 0; seat < state->seats; seat++)
        json_array_append_new(list, player(set, state, seat, viewer));
    return list;
}

/* ---- The turn ---- */

/* The deciding seats, as far as the viewer may know. */
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
    view_set_turn(view, visible_deciders(state, viewer),
                  is_over(state) ? NULL : mall_world_point_name(state->point), state->active);
    view_set(view, "round", json_integer(state->round));
    view_set(view, "rents_open", json_boolean(state->rents_open));
    view_set(view, "offer_made", json_boolean(state->offer_made));
    view_set(view, "confirm_made", json_boolean(state->confirm_made));
    view_set(view, "last_turns",
             state->last_turns_run ? json_integer(state->last_turns) : json_null());
    view_set(view, "standstill", json_integer(state->standstill));
}

json_t *mall_world_view(const struct game *game, const void *opaque, struct viewer viewer)
{
    const struct mall_world_state *state = opaque;
    const struct mall_world_components *set = game->set;
    json_t *view = json_object();
    view_set(view, "ruleset", json_string("mall-world"));
    view_set(view, "seats", json_integer(state->seats));
    view_set(view, "opening", json_string(state->opening_fixed ? "fixed" : "drawn"));
    set_turn(view, state, viewer);
    set_mall(set, view, state);
    set_table(set, view, state);
    view_set(view, "auction", auction(set, state, viewer));
    view_set(view, "players", players(set, state, viewer));
    view_set(view, "outcome", view_outcome(game, state, is_over(state), false));
    return view;
}
