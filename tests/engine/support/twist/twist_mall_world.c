/* Hidden in Mall World: the order of the piles, what went unseen into the box; hands and coins
 * until the end; in an auction what was bid, and by whom, until all bids are in. */
#include <string.h>

#include "engine/games/mall-world/state.h"
#include "tests/engine/support/twist/twist.h"

static bool stack(void *opaque, unsigned seat, struct dice *dice)
{
    struct mall_world_state *state = opaque;
    (void)seat;
    return twist_pile(state->stack, state->stack_next, state->stack_end, dice);
}

static bool order_stack(void *opaque, unsigned seat, struct dice *dice)
{
    struct mall_world_state *state = opaque;
    (void)seat;
    return twist_pile(state->orders, state->orders_next, state->orders_end, dice);
}

static bool cards(void *opaque, unsigned seat, struct dice *dice)
{
    struct mall_world_state *state = opaque;
    return state->point != AT_OVER && twist_counts(state->hand[seat], CARDS, state->stack,
                                                   state->stack_next, state->stack_end, dice);
}

/* Swaps one order of a set with one of the stack. */
static bool swap_order(struct mall_world_state *state, uint32_t *set, struct dice *dice)
{
    unsigned left = (unsigned)(state->orders_end - state->orders_next);
    if (*set == 0 || left == 0 || state->point == AT_OVER)
        return false;
    unsigned order = dice == NULL ? 0 : dice_below(dice, 32);
    while ((*set >> order & 1) == 0)
        order = (order + 1) % 32;
    unsigned last = left - 1;
    uint8_t *other =
        &state->orders[state->orders_next + (dice == NULL ? last : dice_below(dice, left))];
    *set = (*set & ~(UINT32_C(1) << order)) | UINT32_C(1) << *other;
    *other = (uint8_t)order;
    return true;
}

static bool orders(void *opaque, unsigned seat, struct dice *dice)
{
    struct mall_world_state *state = opaque;
    return swap_order(state, &state->held[seat], dice);
}

static bool box(void *opaque, unsigned seat, struct dice *dice)
{
    struct mall_world_state *state = opaque;
    (void)seat;
    return swap_order(state, &state->boxed, dice);
}

static bool coins(void *opaque, unsigned seat, struct dice *dice)
{
    struct mall_world_state *state = opaque;
    (void)dice;
    if (state->point == AT_OVER)
        return false;
    state->coins[seat]++;
    return true;
}

/* Another bid than the one that is in. */
static bool bid(void *opaque, unsigned seat, struct dice *dice)
{
    struct mall_world_state *state = opaque;
    (void)dice;
    if (state->point != AT_BID || (state->bids_in >> seat & 1) == 0 || state->coins[seat] == 0)
        return false;
    state->bid[seat] = (uint8_t)((state->bid[seat] + 1) % (state->coins[seat] + 1));
    return true;
}

/* A bid that is in and was not, as long as others have to decide. */
static bool bid_made(void *opaque, unsigned seat, struct dice *dice)
{
    struct mall_world_state *state = opaque;
    (void)dice;
    uint32_t waiting = mall_world_bidders(state) & ~(uint32_t)state->bids_in;
    uint32_t own = UINT32_C(1) << seat;
    if (state->point != AT_BID || (waiting & own) == 0 || waiting == own)
        return false;
    state->bids_in = (uint8_t)(state->bids_in | own);
    state->bid[seat] = state->coins[seat];
    return true;
}

/* Nobody but the seat itself is told of its bid. */
static void conceal_bids(struct mall_world_state *state, struct viewer viewer)
{
    for (unsigned seat = 0; seat < state->seats; seat++) {
        if (viewer.kind == VIEWER_SEAT && viewer.seat == seat)
            continue;
        state->bids_in = (uint8_t)(state->bids_in & ~(1u << seat));
        state->bid[seat] = 0;
    }
}

static void conceal(void *opaque, struct viewer viewer, unsigned mover)
{
    struct mall_world_state *state = opaque;
    (void)mover;
    memset(state->stack, 0, sizeof state->stack);
    memset(state->orders, 0, sizeof state->orders);
    if (state->point != AT_OVER)
        state->boxed = 0;
    if (state->point == AT_BID)
        conceal_bids(state, viewer);
    for (unsigned seat = 0; seat < state->seats && state->point != AT_OVER; seat++) {
        if (!conceals(viewer, seat))
            continue;
        conceal_counts(state->hand[seat], CARDS);
        state->held[seat] = (uint32_t)__builtin_popcount(state->held[seat]);
        state->coins[seat] = 0;
    }
}

static const struct twist twists[] = {
    {"approval stack", TWIST_NOBODY, stack},
    {"order stack", TWIST_NOBODY, order_stack},
    {"box", TWIST_NOBODY, box},
    {"approval cards", TWIST_SEAT_AND_AUDITOR, cards},
    {"orders", TWIST_SEAT_AND_AUDITOR, orders},
    {"coins", TWIST_SEAT_AND_AUDITOR, coins},
    {"bid", TWIST_SEAT, bid},
    {"who has bid", TWIST_SEAT, bid_made},
};

const struct twisting twisting_mall_world = {"mall-world", conceal, twists,
                                             sizeof twists / sizeof twists[0]};
