/* The lobby: orders lie on the cheapest sites without a gap, and are refilled from the stack. */
#include "engine/games/mall-world/turn.h"

#include <string.h>

void mall_world_refill_lobby(struct mall_world_state *state)
{
    while (state->lobby_orders < SITES && state->orders_next < state->orders_end) {
        uint8_t order = state->orders[state->orders_next++];
        mall_world_note(state, NOTE_ORDER_LAID,
                        (struct note){.a = order, .b = state->lobby_orders});
        state->lobby[state->lobby_orders++] = order;
    }
}

/* Takes the order off its site; the dearer ones move down. */
static uint8_t take(struct mall_world_state *state, unsigned site)
{
    assert(site < state->lobby_orders);
    uint8_t order = state->lobby[site];
    state->lobby_orders--;
    memmove(state->lobby + site, state->lobby + site + 1, state->lobby_orders - site);
    state->lobby[state->lobby_orders] = 0;
    return order;
}

static void remove_from_game(struct mall_world_state *state, unsigned site)
{
    uint8_t order = take(state, site);
    state->closed |= UINT32_C(1) << order;
    mall_world_note(state, NOTE_ORDER_REMOVED, (struct note){.a = order});
}

/* True if there was one. */
static bool remove_use_orders(struct mall_world_state *state)
{
    bool any = false;
    for (unsigned site = 0; site < state->lobby_orders;) {
        if (mall_world_orders[state->lobby[site]].kind != USE_ORDER) {
            site++;
            continue;
        }
        remove_from_game(state, site);
        any = true;
    }
    return any;
}

void mall_world_purge_lobby(struct mall_world_state *state)
{
    while (remove_use_orders(state))
        mall_world_refill_lobby(state);
}

void mall_world_remove_cheapest(struct mall_world_state *state)
{
    remove_from_game(state, 0);
    mall_world_refill_lobby(state);
    state->progress = 1;
}

void mall_world_return_markers(struct mall_world_state *state)
{
    if (state->markers != 0)
        mall_world_note(state, NOTE_MARKERS_BACK, (struct note){0});
    state->markers = 0;
}

void mall_world_accept(struct mall_world_state *state, unsigned site)
{
    uint8_t order = take(state, site);
    state->account[state->active] -= mall_world_site_price[site];
    state->held[state->active] |= UINT32_C(1) << order;
    state->progress = 1;
    mall_world_note(state, NOTE_ACCEPTED,
                    (struct note){.a = order, .b = state->active, .c = (uint8_t)site});
    mall_world_refill_lobby(state);
    mall_world_return_markers(state);
    if (state->rents_open || mall_world_orders[order].kind != RENT_ORDER)
        return;
    state->rents_open = 1;
    mall_world_note(state, NOTE_RENTS_OPEN, (struct note){0});
    mall_world_purge_lobby(state);
}

void mall_world_decline(struct mall_world_state *state, bool by_itself)
{
    uint8_t marker = (uint8_t)(1u << state->active);
    mall_world_note(state, NOTE_DECLINED, (struct note){.a = state->active, .b = by_itself});
    if (state->orders_next == state->orders_end || (state->markers & marker) != 0)
        return;
    state->markers |= marker;
    mall_world_note(state, NOTE_MARKER, (struct note){.a = state->active});
}
