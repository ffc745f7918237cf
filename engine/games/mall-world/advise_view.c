/* From the JSON of a view back to a position, as far as the player can know it. */
#include <string.h>

#include "engine/games/mall-world/advise.h"

static struct span text_of(const json_t *value)
{
    const char *string = json_string_value(value);
    return string == NULL ? span_of("") : span_of(string);
}

static uint8_t number_of(const json_t *value)
{
    json_int_t number = json_integer_value(value);
    return number > 0 && number < NONE ? (uint8_t)number : 0;
}

/* {"name": count} into counts[index of card]. */
static void read_cards(uint8_t cards[static CARDS], const json_t *object)
{
    for (unsigned card = 0; card < CARDS; card++)
        cards[card] = number_of(json_object_get(object, mall_world_cards[card].name.at));
}

static uint32_t read_orders(const json_t *list)
{
    uint32_t orders = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        uint8_t order = mall_world_order_named(text_of(json_array_get(list, i)));
        if (order != NONE)
            orders |= UINT32_C(1) << order;
    }
    return orders;
}

static rooms read_rooms(const json_t *list)
{
    rooms set = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        uint8_t square = mall_world_room_named(text_of(json_array_get(list, i)));
        if (square != NONE)
            set |= mall_world_room(square);
    }
    return set;
}

static void read_shops(struct mall_world_state *state, const json_t *shops)
{
    for (unsigned i = 0; i < ROOMS; i++) {
        const json_t *shop = json_object_get(shops, mall_world_rooms[i].name.at);
        rooms room = mall_world_room(mall_world_rooms[i].square);
        uint8_t use = mall_world_use_named(text_of(json_object_get(shop, "use")));
        uint8_t group = mall_world_group_named(text_of(json_object_get(shop, "group")));
        if (use != NONE)
            state->tile[use] |= room;
        if (group != NONE)
            state->chip[group] |= room;
    }
}

static void read_lobby(struct mall_world_state *state, const json_t *lobby)
{
    for (size_t i = 0; i < json_array_size(lobby) && i < SITES; i++) {
        const json_t *order = json_object_get(json_array_get(lobby, i), "order");
        uint8_t index = mall_world_order_named(text_of(order));
        if (index != NONE)
            state->lobby[state->lobby_orders++] = index;
    }
}

static void read_bureau(struct mall_world_state *state, const json_t *bureau)
{
    for (size_t i = 0; i < json_array_size(bureau); i++) {
        uint8_t bribe = mall_world_bribe_of(json_integer_value(json_array_get(bureau, i)));
        if (bribe != NONE)
            state->bribes[bribe]++;
    }
}

/* The player is the seat whose coins can be seen. */
static void read_player(struct sight *sight, const json_t *player, unsigned seat)
{
    struct mall_world_state *state = &sight->state;
    const json_t *coins = json_object_get(player, "coins");
    state->confirmed[seat] = read_orders(json_object_get(player, "confirmed"));
    if (coins == NULL)
        return;
    sight->seat = seat;
    state->coins[seat] = number_of(coins);
    state->held[seat] = read_orders(json_object_get(player, "orders"));
    read_cards(state->hand[seat], json_object_get(player, "cards"));
}

void mall_world_read_view(struct sight *sight, const json_t *view)
{
    struct mall_world_state *state = &sight->state;
    memset(sight, 0, sizeof *sight);
    state->seats = number_of(json_object_get(view, "seats"));
    state->active = number_of(json_object_get(view, "active")) % SEATS_MAX;
    state->round = number_of(json_object_get(view, "round"));
    state->rents_open = json_is_true(json_object_get(view, "rents_open"));
    state->offer_made = json_is_true(json_object_get(view, "offer_made"));
    state->confirm_made = json_is_true(json_object_get(view, "confirm_made"));
    state->last_turns_run = json_is_integer(json_object_get(view, "last_turns"));
    state->last_turns = number_of(json_object_get(view, "last_turns"));
    state->covered = read_rooms(json_object_get(view, "covered"));
    read_shops(state, json_object_get(view, "shops"));
    read_lobby(state, json_object_get(view, "lobby"));
    read_bureau(state, json_object_get(view, "bureau"));
    read_cards(state->display, json_object_get(view, "display"));
    const json_t *auction = json_object_get(view, "auction");
    read_cards(state->offer, json_object_get(auction, "cards"));
    state->offered = number_of(json_object_get(auction, "offered"));
    const json_t *players = json_object_get(view, "players");
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        read_player(sight, json_array_get(players, seat), seat);
}
