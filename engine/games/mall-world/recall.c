#include "engine/games/mall-world/recall.h"

#include <string.h>

#include "engine/game/told.h"
#include "engine/game/unseen.h"
#include "engine/games/mall-world/moves.h"

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

void mall_world_recall_passed(const struct mall_world_components *set,
                              struct mall_world_state *state)
{
    unsigned seat = state->active;
    unsigned cards = 0;
    unsigned known = 0;
    if (state->offer_made || state->confirm_made)
        return;
    for (unsigned card = 0; card < CARDS; card++) {
        if (!mall_world_is_realizable(set, state, card))
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

static unsigned unseen_in_hand(const struct mall_world_state *state, unsigned seat, unsigned card)
{
    return (unsigned)(state->hand[seat][card] - state->known[seat][card]);
}

/* True if the seat's unseen cards agree with what is remembered of it. */
static bool agrees(const struct mall_world_state *state, unsigned seat)
{
    unsigned singles = 0;
    for (unsigned card = 0; card < CARDS; card++) {
        unsigned unseen = unseen_in_hand(state, seat, card);
        if (unseen > 0 && (state->barred[seat] >> card & 1) != 0)
            return false;
        singles += (state->single[seat] >> card & 1) != 0 ? unseen : 0;
    }
    return singles <= 1;
}

static bool deal_hand(struct mall_world_state *state, struct cards *cards, unsigned seat,
                      struct chance_stream *stream)
{
    uint8_t unseen[CARDS] = {0};
    unsigned of = allowed(cards->all, state->barred[seat]);
    for (unsigned i = 0; i < cards->unseen[seat]; i++)
        if (!deal_card(cards, state->barred[seat], of - i, unseen, stream))
            return false;
    for (unsigned card = 0; card < CARDS; card++)
        state->hand[seat][card] = (uint8_t)(state->known[seat][card] + unseen[card]);
    return agrees(state, seat);
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

void mall_world_imagine(const struct game *game, void *opaque, struct viewer viewer,
                        const struct chance *chance)
{
    struct mall_world_state *state = opaque;
    (void)game;
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

/* ---- Luck that is told ---- */

enum { REDEALS_MAX = 4096 };

/* The seat gives a card that nobody has seen for another one from this place of the stack. */
static bool trade_with_stack(struct mall_world_state *state, unsigned seat, uint8_t give,
                             uint8_t *place)
{
    uint8_t take = *place;
    state->hand[seat][give]--;
    state->hand[seat][take]++;
    *place = give;
    if (agrees(state, seat))
        return true;
    state->hand[seat][give]++;
    state->hand[seat][take]--;
    *place = take;
    return false;
}

static bool trade_with_seat(struct mall_world_state *state, unsigned seat, uint8_t give,
                            unsigned other, uint8_t take)
{
    state->hand[seat][give]--;
    state->hand[seat][take]++;
    state->hand[other][give]++;
    state->hand[other][take]--;
    if (agrees(state, seat) && agrees(state, other))
        return true;
    state->hand[seat][give]++;
    state->hand[seat][take]--;
    state->hand[other][give]--;
    state->hand[other][take]++;
    return false;
}

static bool trade(struct mall_world_state *state, unsigned seat, uint8_t give, uint8_t take)
{
    for (unsigned i = state->stack_next; state->reshuffles == 0 && i < state->stack_end; i++)
        if (state->stack[i] == take && trade_with_stack(state, seat, give, &state->stack[i]))
            return true;
    for (unsigned other = 0; other < state->seats; other++)
        if (other != seat && unseen_in_hand(state, other, take) > 0 &&
            trade_with_seat(state, seat, give, other, take))
            return true;
    return false;
}

/* Lets the seat have these cards, by single exchanges. False if that did not do. */
static bool bring_by_trades(struct mall_world_state *state, unsigned seat,
                            const uint8_t need[static CARDS])
{
    for (uint8_t card = 0; card < CARDS; card++)
        while (state->hand[seat][card] < need[card]) {
            uint8_t give = 0;
            while (give < CARDS &&
                   (state->hand[seat][give] <= need[give] ||
                    unseen_in_hand(state, seat, give) == 0 || !trade(state, seat, give, card)))
                give++;
            if (give == CARDS)
                return false;
        }
    return true;
}

/* Gives away what would have to be offered, by single exchanges. */
static bool pass_by_trades(const struct mall_world_components *set, struct mall_world_state *state,
                           unsigned seat)
{
    for (uint8_t give = 0; give < CARDS && !mall_world_may_pass(set, state); give++) {
        if (!mall_world_is_realizable(set, state, give))
            continue;
        for (uint8_t take = 0; take < CARDS; take++)
            while (!mall_world_is_realizable(set, state, take) &&
                   unseen_in_hand(state, seat, give) > 0 && !mall_world_may_pass(set, state) &&
                   trade(state, seat, give, take))
                continue;
    }
    return mall_world_may_pass(set, state);
}

/* What a redeal has to lead to: the seat holds `need`, may pass, or `top` is in the stack. */
struct aim {
    unsigned seat;
    const uint8_t *need;
    bool pass;
    uint8_t top;
};

static bool has_card(const struct mall_world_state *state, uint8_t card)
{
    size_t count = (size_t)(state->stack_end - state->stack_next);
    return count > 0 && memchr(state->stack + state->stack_next, card, count) != NULL;
}

static bool is_met(const struct mall_world_components *set, const struct mall_world_state *state,
                   const struct aim *aim)
{
    for (unsigned card = 0; aim->need != NULL && card < CARDS; card++)
        if (state->hand[aim->seat][card] < aim->need[card])
            return false;
    return (!aim->pass || mall_world_may_pass(set, state)) &&
           (aim->top == NONE || has_card(state, aim->top));
}

/* Where no single exchange does, several may: deals anew until one of the deals fits. */
static bool redeal(const struct mall_world_components *set, struct mall_world_state *state,
                   const struct aim *aim, const struct chance *chance)
{
    struct mall_world_state trial = *state;
    struct chance_stream stream;
    unseen_open(&stream, chance);
    for (unsigned i = 0; i < REDEALS_MAX; i++) {
        imagine_cards(&trial, (struct viewer){.kind = VIEWER_SPECTATOR}, &stream);
        if (!is_met(set, &trial, aim))
            continue;
        *state = trial;
        return true;
    }
    return false;
}

bool mall_world_exchange(const struct mall_world_components *set, struct mall_world_state *state,
                         uint8_t card, const struct chance *chance)
{
    uint8_t *top = state->stack + state->stack_next;
    const struct aim aim = {.top = card};
    if (state->reshuffles > 0)
        return false;
    bool found = false;
    for (unsigned seat = 0; seat < state->seats && !found; seat++)
        for (unsigned i = state->stack_next; i < state->stack_end && !found; i++)
            found = unseen_in_hand(state, seat, card) > 0 &&
                    trade_with_stack(state, seat, card, &state->stack[i]);
    if (!found && !redeal(set, state, &aim, chance))
        return false;
    uint8_t *at = memchr(top, card, (size_t)(state->stack_end - state->stack_next));
    *at = *top;
    *top = card;
    return true;
}

/* The special order that a seat was dealt may be any that nobody has seen. */
static void bring_special(struct mall_world_state *state, unsigned seat, uint8_t order)
{
    uint32_t wanted = UINT32_C(1) << order;
    uint32_t own = specials(state->held[seat]);
    if (order < SPECIAL_ORDER_FIRST || own == 0 || (own & wanted) != 0)
        return;
    uint32_t *holder = (state->boxed & wanted) != 0 ? &state->boxed : NULL;
    for (unsigned other = 0; other < state->seats && holder == NULL; other++)
        holder = (state->held[other] & wanted) != 0 ? &state->held[other] : NULL;
    if (holder == NULL)
        return;
    *holder = (*holder & ~wanted) | own;
    state->held[seat] = (state->held[seat] & ~own) | wanted;
}

static void bring_cards(const struct mall_world_components *set, struct mall_world_state *state,
                        unsigned seat, const struct mall_world_move *move,
                        const struct chance *chance)
{
    uint8_t need[CARDS] = {0};
    const struct aim aim = {.seat = seat, .need = need, .top = NONE};
    if (move->ids > MOVE_IDS_MAX)
        return;
    for (size_t i = 0; i < move->ids; i++) {
        uint8_t card = mall_world_card_named(set, move->id[i]);
        if (card == NONE)
            return;
        need[card]++;
    }
    if (!bring_by_trades(state, seat, need))
        (void)redeal(set, state, &aim, chance);
}

void mall_world_fit(const struct game *game, void *opaque, unsigned seat, struct span text,
                    const struct chance *chance)
{
    struct mall_world_state *state = opaque;
    const struct mall_world_components *set = game->set;
    struct mall_world_move move;
    struct refusal refusal;
    const struct aim pass = {.seat = seat, .pass = true, .top = NONE};
    if (told_listens(chance) || state->point == AT_OVER || seat != state->active ||
        !mall_world_read_move(text, state->point, &move, &refusal))
        return;
    uint8_t order = move.verb == VERB_CONFIRM ? mall_world_order_named(set, move.id[0]) : NONE;
    if (move.verb == VERB_OFFER || move.verb == VERB_REMOVE)
        bring_cards(set, state, seat, &move, chance);
    else if (order != NONE)
        bring_special(state, seat, order);
    else if (move.verb == VERB_PASS && state->point == AT_PROGRESS &&
             !pass_by_trades(set, state, seat))
        (void)redeal(set, state, &pass, chance);
}
