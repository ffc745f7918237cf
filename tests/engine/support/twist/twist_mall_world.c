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

/* What has been drawn lies in the stack's array as it was drawn. */
static bool drawn(void *opaque, unsigned seat, struct dice *dice)
{
    struct mall_world_state *state = opaque;
    (void)seat;
    return twist_pile(state->stack, 0, state->stack_next, dice);
}

static bool order_stack(void *opaque, unsigned seat, struct dice *dice)
{
    struct mall_world_state *state = opaque;
    (void)seat;
    unsigned rent = state->orders_next;
    while (rent < state->orders_end && state->orders[rent] < RENT_ORDER_FIRST)
        rent++;
    bool use = dice != NULL && dice_one_in(dice, 2);
    return use ? twist_pile(state->orders, state->orders_next, rent, dice)
               : twist_pile(state->orders, rent, state->orders_end, dice);
}

/* Exchanges dealt cards, as long as the stack is the one that they came from. */
static bool cards(void *opaque, unsigned seat, struct dice *dice)
{
    struct mall_world_state *state = opaque;
    uint8_t dealt[CARDS];
    bool fits = state->point != AT_OVER && state->reshuffles == 0;
    for (unsigned card = 0; card < CARDS; card++)
        dealt[card] = (uint8_t)(state->hand[seat][card] - state->known[seat][card]);
    if (!fits || state->barred[seat] != 0 || state->single[seat] != 0 ||
        !twist_counts(dealt, CARDS, state->stack, state->stack_next, state->stack_end, dice))
        return false;
    for (unsigned card = 0; card < CARDS; card++)
        state->hand[seat][card] = (uint8_t)(state->known[seat][card] + dealt[card]);
    return true;
}

static unsigned choose_order(uint32_t set, struct dice *dice)
{
    unsigned order = dice == NULL ? 0 : dice_below(dice, 32);
    while ((set >> order & 1) == 0)
        order = (order + 1) % 32;
    return order;
}

static uint32_t specials(uint32_t orders)
{
    return orders >> SPECIAL_ORDER_FIRST << SPECIAL_ORDER_FIRST;
}

/* The special order that the seat was dealt, against one in the box. */
static bool orders(void *opaque, unsigned seat, struct dice *dice)
{
    struct mall_world_state *state = opaque;
    uint32_t own = specials(state->held[seat]);
    uint32_t others = specials(state->boxed);
    if (own == 0 || others == 0 || state->point == AT_OVER)
        return false;
    uint32_t other = UINT32_C(1) << choose_order(others, dice);
    state->held[seat] ^= own | other;
    state->boxed ^= own | other;
    return true;
}

/* A use or rent order in the box, against one of its kind in the stack. */
static bool box(void *opaque, unsigned seat, struct dice *dice)
{
    struct mall_world_state *state = opaque;
    (void)seat;
    uint32_t set = state->boxed & ~specials(state->boxed);
    if (set == 0 || state->point == AT_OVER)
        return false;
    unsigned order = dice == NULL ? 31u - (unsigned)__builtin_clz(set) : choose_order(set, dice);
    unsigned left = (unsigned)(state->orders_end - state->orders_next);
    unsigned last = dice == NULL ? left : dice_below(dice, left + 1);
    for (unsigned i = 1; i <= left; i++) {
        uint8_t *other = &state->orders[state->orders_next + (last + left - i) % left];
        if ((*other < RENT_ORDER_FIRST) != (order < RENT_ORDER_FIRST))
            continue;
        state->boxed ^= UINT32_C(1) << order | UINT32_C(1) << *other;
        *other = (uint8_t)order;
        return true;
    }
    return false;
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
    {"approval stack", TWIST_NOBODY, stack, false},
    {"drawn cards", TWIST_NOBODY, drawn, false},
    {"order stack", TWIST_NOBODY, order_stack, false},
    {"box", TWIST_NOBODY, box, false},
    {"approval cards", TWIST_SEAT_AND_AUDITOR, cards, false},
    {"orders", TWIST_SEAT_AND_AUDITOR, orders, false},
    {"coins", TWIST_SEAT_AND_AUDITOR, coins, true},
    {"bid", TWIST_SEAT, bid, false},
    {"who has bid", TWIST_SEAT, bid_made, false},
};

static void tally(const void *opaque, unsigned counts[static TALLY_MAX])
{
    const struct mall_world_state *state = opaque;
    unsigned *orders_of = counts + CARDS;
    for (unsigned i = state->stack_next; i < state->stack_end; i++)
        counts[state->stack[i]]++;
    for (unsigned i = state->orders_next; i < state->orders_end; i++)
        orders_of[state->orders[i]]++;
    for (unsigned order = 0; order < ORDERS; order++)
        orders_of[order] += state->boxed >> order & 1;
    for (unsigned seat = 0; seat < state->seats; seat++) {
        for (unsigned card = 0; card < CARDS; card++)
            counts[card] += state->hand[seat][card];
        for (unsigned order = 0; order < ORDERS; order++)
            orders_of[order] += state->held[seat] >> order & 1;
    }
}

const struct twisting twisting_mall_world = {"mall-world", conceal, twists,
                                             sizeof twists / sizeof twists[0], tally};
