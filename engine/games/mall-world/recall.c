#include "engine/games/mall-world/recall.h"

#include <string.h>

#include "engine/game/unseen.h"

/* ---- Memory ---- */

static void bar(struct mall_world_state *state, unsigned seat, unsigned cards)
{
    state->barred[seat] = (uint16_t)(state->barred[seat] | cards);
    state->single[seat] = (uint16_t)(state->single[seat] & ~cards);
}

void mall_world_recall_left(struct mall_world_state *state, unsigned card, unsigned count)
{
    unsigned seat = state->active;
    for (; count > 0; count--) {
        if (state->known[seat][card] > 0)
            state->known[seat][card]--;
        else if ((state->single[seat] >> card & 1) != 0)
            bar(state, seat, state->single[seat]);
    }
}

void mall_world_recall_passed(struct mall_world_state *state)
{
    unsigned seat = state->active;
    unsigned cards = 0;
    unsigned known = 0;
    if (state->offer_made || state->confirm_made)
        return;
    for (unsigned card = 0; card < CARDS; card++) {
        if (!mall_world_is_realizable(state, card))
            continue;
        cards |= 1u << card;
        known += state->known[seat][card];
    }
    if (known > 0 || state->coins[seat] >= SINGLE_CARD_FEE)
        bar(state, seat, cards);
    else
        state->single[seat] = (uint16_t)(cards & ~(unsigned)state->barred[seat]);
}

/* ---- Imagination ---- */

static bool is_hidden(const struct mall_world_state *state, struct viewer viewer, unsigned seat)
{
    return state->point != AT_OVER && viewer.kind != VIEWER_AUDITOR &&
           (viewer.kind != VIEWER_SEAT || viewer.seat != seat);
}

/* Cards by type that could be in each other's place, and how many of them each hand has. */
struct cards {
    unsigned all[CARDS], left[CARDS];
    unsigned unseen[SEATS_MAX];
};

static unsigned allowed(const unsigned counts[static CARDS], unsigned barred)
{
    unsigned sum = 0;
    for (unsigned card = 0; card < CARDS; card++)
        sum += (barred >> card & 1) == 0 ? counts[card] : 0;
    return sum;
}

/* Deals one card that is not barred. Each card is dealt once in `of` times, however many are left,
 * so all deals are equally likely; otherwise false, and the deal starts over. */
static bool deal_card(struct cards *cards, unsigned barred, unsigned of, uint8_t *hand,
                      struct chance_stream *stream)
{
    unsigned left = allowed(cards->left, barred);
    uint32_t number = chance_uniform(stream, of);
    if (number >= left)
        return false;
    unsigned card = 0;
    for (;; card++) {
        unsigned copies = (barred >> card & 1) == 0 ? cards->left[card] : 0;
        if (number < copies)
            break;
        number -= copies;
    }
    cards->left[card]--;
    hand[card]++;
    return true;
}

static bool deal_hand(struct mall_world_state *state, struct cards *cards, unsigned seat,
                      struct chance_stream *stream)
{
    uint8_t unseen[CARDS] = {0};
    unsigned of = allowed(cards->all, state->barred[seat]);
    for (unsigned i = 0; i < cards->unseen[seat]; i++)
        if (!deal_card(cards, state->barred[seat], of - i, unseen, stream))
            return false;
    unsigned singles = 0;
    for (unsigned card = 0; card < CARDS; card++) {
        singles += (state->single[seat] >> card & 1) != 0 ? unseen[card] : 0;
        state->hand[seat][card] = (uint8_t)(state->known[seat][card] + unseen[card]);
    }
    return singles <= 1;
}

static bool deal_hands(struct mall_world_state *state, struct cards *cards,
                       struct chance_stream *stream)
{
    memcpy(cards->left, cards->all, sizeof cards->left);
    for (unsigned seat = 0; seat < state->seats; seat++)
        if (cards->unseen[seat] > 0 && !deal_hand(state, cards, seat, stream))
            return false;
    return true;
}

/* Until the discards are shuffled, the stack and unseen cards in hands come from one pile;
 * afterwards everyone knows the composition of the stack. */
static void imagine_cards(struct mall_world_state *state, struct viewer viewer,
                          struct chance_stream *stream)
{
    struct cards cards = {{0}, {0}, {0}};
    uint8_t *stack = state->stack + state->stack_next;
    size_t count = (size_t)(state->stack_end - state->stack_next);
    for (size_t i = 0; state->reshuffles == 0 && i < count; i++)
        cards.all[stack[i]]++;
    for (unsigned seat = 0; seat < state->seats; seat++)
        for (unsigned card = 0; is_hidden(state, viewer, seat) && card < CARDS; card++) {
            unsigned unseen = (unsigned)(state->hand[seat][card] - state->known[seat][card]);
            cards.all[card] += unseen;
            cards.unseen[seat] += unseen;
        }
    while (!deal_hands(state, &cards, stream))
        continue;
    size_t at = 0;
    for (unsigned card = 0; state->reshuffles == 0 && card < CARDS; card++)
        for (; cards.left[card] > 0; cards.left[card]--)
            stack[at++] = (uint8_t)card;
    unseen_shuffle_pile(stream, stack, count);
    memset(state->stack, 0, state->stack_next);
}

/* Orders of one kind: those in the stack, and those in the box unless the game is over. */
static void imagine_orders(struct mall_world_state *state, unsigned first, unsigned kinds,
                           uint8_t *pile, size_t count, struct chance_stream *stream)
{
    struct unseen unseen;
    uint32_t boxed = state->point == AT_OVER ? 0 : state->boxed;
    unseen_init(&unseen, stream);
    unseen_add_pile(&unseen, pile, count);
    for (unsigned order = first; order < first + kinds; order++)
        unseen_add(&unseen, (uint8_t)order, boxed >> order & 1);
    unseen_shuffle(&unseen);
    for (unsigned i = 0; i < unseen.count; i++)
        state->boxed &= ~(UINT32_C(1) << unseen.item[i]);
    unseen_deal_pile(&unseen, pile, count);
    while (unseen.dealt < unseen.count)
        state->boxed |= UINT32_C(1) << unseen_deal(&unseen);
}

static uint32_t specials(uint32_t orders)
{
    return orders >> SPECIAL_ORDER_FIRST << SPECIAL_ORDER_FIRST;
}

/* The special orders that were dealt to seats and not confirmed. */
static void imagine_specials(struct mall_world_state *state, struct viewer viewer,
                             struct chance_stream *stream)
{
    struct unseen unseen;
    bool dealt[SEATS_MAX] = {false};
    uint32_t orders = specials(state->boxed);
    for (unsigned seat = 0; seat < state->seats; seat++) {
        uint32_t own = is_hidden(state, viewer, seat) ? specials(state->held[seat]) : 0;
        dealt[seat] = own != 0;
        orders |= own;
        state->held[seat] &= ~own;
    }
    unseen_init(&unseen, stream);
    for (unsigned order = SPECIAL_ORDER_FIRST; order < ORDERS; order++)
        unseen_add(&unseen, (uint8_t)order, orders >> order & 1);
    unseen_shuffle(&unseen);
    state->boxed &= ~orders;
    for (unsigned seat = 0; seat < state->seats; seat++)
        if (dealt[seat])
            state->held[seat] |= UINT32_C(1) << unseen_deal(&unseen);
    while (unseen.dealt < unseen.count)
        state->boxed |= UINT32_C(1) << unseen_deal(&unseen);
}

/* Whether a seat has bid is as secret as its bid: all other seats have to bid again. */
static void forget_bids(struct mall_world_state *state, struct viewer viewer)
{
    for (unsigned seat = 0; seat < state->seats; seat++) {
        if (viewer.kind == VIEWER_SEAT && viewer.seat == seat)
            continue;
        state->bids_in = (uint8_t)(state->bids_in & ~(1u << seat));
        state->bid[seat] = 0;
    }
}

void mall_world_imagine(void *opaque, struct viewer viewer, const struct chance *chance)
{
    struct mall_world_state *state = opaque;
    struct chance_stream stream;
    unsigned rent = state->orders_next;
    unseen_open(&stream, chance);
    imagine_cards(state, viewer, &stream);
    while (rent < state->orders_end && state->orders[rent] < RENT_ORDER_FIRST)
        rent++;
    imagine_orders(state, 0, USE_ORDERS, state->orders + state->orders_next,
                   rent - state->orders_next, &stream);
    imagine_orders(state, RENT_ORDER_FIRST, RENT_ORDERS, state->orders + rent,
                   state->orders_end - rent, &stream);
    imagine_specials(state, viewer, &stream);
    if (state->point == AT_BID)
        forget_bids(state, viewer);
    memset(state->note, 0, sizeof state->note);
    state->notes = 0;
}
