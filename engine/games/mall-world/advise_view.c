/* From the JSON of a view back to a position, as far as the player can know it. */
#include <string.h>

#include "engine/games/mall-world/advise.h"
#include "engine/view_reading.h"

static rooms read_rooms(const json_t *list)
{
    rooms set = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        uint8_t square = mall_world_room_named(view_read_text(json_array_get(list, i)));
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
        uint8_t use = mall_world_use_named(view_read_text(json_object_get(shop, "use")));
        uint8_t group = mall_world_group_named(view_read_text(json_object_get(shop, "group")));
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
        uint8_t index = mall_world_order_named(view_read_text(order));
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
    state->confirmed[seat] =
        view_read_set(json_object_get(player, "confirmed"), mall_world_order_named);
    if (coins == NULL)
        return;
    sight->seat = seat;
    state->coins[seat] = view_read_number(coins);
    state->held[seat] = view_read_set(json_object_get(player, "orders"), mall_world_order_named);
    view_read_counts(json_object_get(player, "cards"), mall_world_card_named, state->hand[seat]);
}

void mall_world_read_view(struct sight *sight, const json_t *view)
{
    struct mall_world_state *state = &sight->state;
    memset(sight, 0, sizeof *sight);
    state->seats = view_read_number(json_object_get(view, "seats"));
    state->active = view_read_number(json_object_get(view, "active")) % SEATS_MAX;
    state->round = view_read_number(json_object_get(view, "round"));
    state->rents_open = json_is_true(json_object_get(view, "rents_open"));
    state->offer_made = json_is_true(json_object_get(view, "offer_made"));
    state->confirm_made = json_is_true(json_object_get(view, "confirm_made"));
    state->last_turns_run = json_is_integer(json_object_get(view, "last_turns"));
    state->last_turns = view_read_number(json_object_get(view, "last_turns"));
    state->covered = read_rooms(json_object_get(view, "covered"));
    read_shops(state, json_object_get(view, "shops"));
    read_lobby(state, json_object_get(view, "lobby"));
    read_bureau(state, json_object_get(view, "bureau"));
    view_read_counts(json_object_get(view, "display"), mall_world_card_named, state->display);
    const json_t *auction = json_object_get(view, "auction");
    view_read_counts(json_object_get(auction, "cards"), mall_world_card_named, state->offer);
    state->offered = view_read_number(json_object_get(auction, "offered"));
    const json_t *players = json_object_get(view, "players");
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        read_player(sight, json_array_get(players, seat), seat);
}
