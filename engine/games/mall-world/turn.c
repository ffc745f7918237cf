/* The turn as a machine: each step that nobody decides moves the state on to the next point, until
 * a decision or the end of the game is reached. A decision is skipped only where all viewers can
 * see that it is forced. */
#include "engine/games/mall-world/turn.h"

#include <string.h>

#include "engine/games/mall-world/piles.h"

void mall_world_forget_notes(struct mall_world_state *state)
{
    memset(state->note, 0, state->notes * sizeof state->note[0]);
    state->notes = 0;
}

static void start_turn(struct mall_world_state *state)
{
    uint8_t everybody = (uint8_t)((1u << state->seats) - 1);
    mall_world_note(state, NOTE_TURN, (struct note){.a = state->active});
    if (state->markers == everybody && state->lobby_orders > 0)
        mall_world_remove_cheapest(state);
    state->point = AT_ACCEPT;
}

/* True if everybody can see that no order can be accepted. */
static bool pass_acceptance(struct mall_world_state *state)
{
    if (state->lobby_orders > 0 && mall_world_hand_size(state, state->active) < HAND_MAX)
        return false;
    mall_world_decline(state, true);
    state->point = AT_PROGRESS;
    return true;
}

/* True if the numbers of cards in hand show that no progress can be made. */
static bool pass_progress(struct mall_world_state *state)
{
    unsigned seat = state->active;
    if ((!state->offer_made && mall_world_hand_cards(state, seat) > 0) ||
        (!state->confirm_made && mall_world_hand_orders(state, seat) > 0))
        return false;
    mall_world_note(state, NOTE_IDLE, (struct note){.a = state->active, .b = 1});
    state->point = AT_FILL;
    return true;
}

/* True if all bids are in. */
static bool close_auction(struct mall_world_state *state)
{
    if (state->bids_in != mall_world_bidders(state))
        return false;
    mall_world_open_bids(state);
    return true;
}

static bool pass_realization(struct mall_world_state *state)
{
    struct realization only;
    if (!mall_world_only_realization(state, &only))
        return false;
    mall_world_realize(state, only);
    return true;
}

/* In the third round both actions are allowed. */
static void end_action(struct mall_world_state *state)
{
    bool once_more = state->round == ROUNDS && state->offer_made != state->confirm_made;
    state->point = once_more ? AT_PROGRESS : AT_FILL;
}

/* ---- The end of a turn ---- */

static void share_slush(struct mall_world_state *state)
{
    uint8_t each = state->slush / state->seats;
    if (each == 0)
        return;
    for (unsigned seat = 0; seat < state->seats; seat++)
        state->coins[seat] = (uint8_t)(state->coins[seat] + each);
    state->slush = (uint8_t)(state->slush - each * state->seats);
    mall_world_note(state, NOTE_SHARED, (struct note){.a = each});
}

static void count_standstill(struct mall_world_state *state)
{
    if (state->progress)
        state->standstill = 0;
    else if (state->standstill < UINT8_MAX)
        state->standstill++;
}

static void cash_orders(struct mall_world_state *state)
{
    for (uint8_t seat = 0; seat < state->seats; seat++) {
        for (uint8_t order = 0; order < ORDERS; order++) {
            if ((state->confirmed[seat] >> order & 1) == 0)
                continue;
            state->account[seat] += mall_world_income(state, order);
            mall_world_note(
                state, NOTE_CASHED,
                (struct note){.a = order, .b = seat, .c = (uint8_t)mall_world_count(state, order)});
        }
        state->closed |= state->confirmed[seat];
        state->confirmed[seat] = 0;
    }
}

static void end_game(struct mall_world_state *state)
{
    state->point = AT_OVER;
    mall_world_note(state, NOTE_OVER, (struct note){0});
}

static bool bureau_is_empty(const struct mall_world_state *state)
{
    for (unsigned bribe = 0; bribe < BRIBES; bribe++)
        if (state->bribes[bribe] > 0)
            return false;
    return true;
}

static void prepare_round(struct mall_world_state *state, const struct chance *chance)
{
    state->round++;
    mall_world_note(state, NOTE_ROUND, (struct note){.a = state->round});
    mall_world_return_markers(state);
    mall_world_lay_bribes(state, chance);
    if (!state->rents_open)
        mall_world_note(state, NOTE_RENTS_OPEN, (struct note){0});
    state->rents_open = 1;
    if (state->round == 2)
        mall_world_purge_lobby(state);
}

static void end_round(struct mall_world_state *state, const struct chance *chance)
{
    mall_world_note(state, NOTE_ROUND_ENDED, (struct note){.a = state->round});
    cash_orders(state);
    if (state->round == ROUNDS)
        end_game(state);
    else
        prepare_round(state, chance);
}

static bool ends_early(const struct mall_world_state *state)
{
    return mall_world_empty(state) == 0 || state->lobby_orders == 0 ||
           state->standstill >= 2 * state->seats;
}

static void count_last_turns(struct mall_world_state *state)
{
    if (!state->last_turns_run) {
        if (!ends_early(state))
            return;
        state->last_turns_run = 1;
        state->last_turns = state->seats;
        mall_world_note(state, NOTE_LAST_TURNS, (struct note){.a = state->last_turns});
        return;
    }
    state->last_turns--;
    if (state->last_turns > 0)
        return;
    cash_orders(state);
    end_game(state);
}

static void end_turn(struct mall_world_state *state, const struct chance *chance)
{
    share_slush(state);
    count_standstill(state);
    if (bureau_is_empty(state))
        end_round(state, chance);
    if (state->point == AT_OVER)
        return;
    count_last_turns(state);
    if (state->point == AT_OVER)
        return;
    state->offer_made = 0;
    state->confirm_made = 0;
    state->progress = 0;
    state->active = (uint8_t)((state->active + 1) % state->seats);
    state->point = AT_START;
}

/* One automatic step; false where somebody decides, or nobody any more. */
static bool step(struct mall_world_state *state, const struct chance *chance)
{
    switch ((enum point)state->point) {
    case AT_ACCEPT:
        return pass_acceptance(state);
    case AT_PROGRESS:
        return pass_progress(state);
    case AT_BID:
        return close_auction(state);
    case AT_REALIZE:
        return pass_realization(state);
    case AT_SUPPLY:
    case AT_OVER:
        return false;
    case AT_START:
        start_turn(state);
        return true;
    case AT_RIGHT:
        mall_world_next_right(state);
        return true;
    case AT_ACTION_DONE:
        end_action(state);
        return true;
    case AT_FILL:
        mall_world_fill_display(state, chance);
        state->point = AT_SUPPLY;
        return true;
    case AT_END:
        end_turn(state, chance);
        return true;
    }
    assert(false);
    return false;
}

void mall_world_advance(struct mall_world_state *state, const struct chance *chance)
{
    while (step(state, chance))
        continue;
}
