/* All chance in the game after the opening is here. Each stream is used up in one go, so no counter
 * of words is kept. The order of a pile can be fixed instead (chance_stack_find) under the name of
 * its stream; for `bribe-2` and `bribe-3` it is enough to name the chips that are put out. */
#include "engine/games/mall-world/piles.h"

#include <string.h>

#include "engine/game/told.h"
#include "engine/games/mall-world/recall.h"
#include "engine/games/mall-world/rules.h"

/* Lays the cards of a list into the stack, in card order. */
static void lay_in_card_order(struct mall_world_state *state, const uint8_t cards[static CARDS])
{
    state->stack_next = 0;
    state->stack_end = 0;
    memset(state->stack, 0, sizeof state->stack);
    for (uint8_t card = 0; card < CARDS; card++)
        for (unsigned i = 0; i < cards[card]; i++)
            state->stack[state->stack_end++] = card;
}

void mall_world_build_stack(const struct mall_world_components *set, struct mall_world_state *state,
                            const struct chance *chance)
{
    uint8_t all[CARDS];
    for (unsigned card = 0; card < CARDS; card++)
        all[card] = set->cards[card].count;
    lay_in_card_order(state, all);
    (void)chance_arrange_or_shuffle(chance, "approval", state->epoch, state->stack,
                                    state->stack_end, NAMES(set->cards, CARDS));
}

/* Shuffles the orders of one kind from `first` on and adds all but the last `removed` to the stack;
 * the rest go into the box. */
static void add_orders(const struct mall_world_components *set, struct mall_world_state *state,
                       const struct chance *chance, const char *stream, unsigned first,
                       unsigned count, unsigned removed)
{
    uint8_t order[LOBBY_ORDERS];
    for (unsigned i = 0; i < count; i++)
        order[i] = (uint8_t)(first + i);
    (void)chance_arrange_or_shuffle(chance, stream, state->epoch, order, count,
                                    NAMES(set->orders, ORDERS));
    for (unsigned i = 0; i < count - removed; i++)
        state->orders[state->orders_end++] = order[i];
    for (unsigned i = count - removed; i < count; i++)
        state->boxed |= UINT32_C(1) << order[i];
}

void mall_world_build_orders(const struct mall_world_components *set,
                             struct mall_world_state *state, const struct chance *chance)
{
    unsigned removed = set->orders_removed[state->seats - SEATS_MIN];
    add_orders(set, state, chance, "use", 0, USE_ORDERS, removed);
    add_orders(set, state, chance, "rent", RENT_ORDER_FIRST, RENT_ORDERS, removed);
}

void mall_world_deal_special_orders(const struct mall_world_components *set,
                                    struct mall_world_state *state, const struct chance *chance)
{
    uint8_t order[SPECIAL_ORDERS];
    for (unsigned i = 0; i < SPECIAL_ORDERS; i++)
        order[i] = (uint8_t)(SPECIAL_ORDER_FIRST + i);
    (void)chance_arrange_or_shuffle(chance, "special", state->epoch, order, SPECIAL_ORDERS,
                                    NAMES(set->orders, ORDERS));
    for (unsigned seat = 0; seat < state->seats; seat++)
        state->held[seat] |= UINT32_C(1) << order[seat];
    for (unsigned i = state->seats; i < SPECIAL_ORDERS; i++)
        state->boxed |= UINT32_C(1) << order[i];
}

static void reshuffle(const struct mall_world_components *set, struct mall_world_state *state,
                      const struct chance *chance)
{
    char bytes[CHANCE_NAME_MAX];
    struct text stream = TEXT_OVER(bytes);
    state->reshuffles++;
    text_add(&stream, "reshuffle-");
    text_add_number(&stream, state->reshuffles);
    lay_in_card_order(state, state->discard);
    memset(state->discard, 0, sizeof state->discard);
    (void)chance_arrange_or_shuffle(chance, bytes, state->epoch, state->stack, state->stack_end,
                                    NAMES(set->cards, CARDS));
    mall_world_note(state, NOTE_SHUFFLED, (struct note){0});
}

static bool need_card(const struct mall_world_components *set, struct mall_world_state *state,
                      const struct chance *chance)
{
    if (state->stack_next < state->stack_end)
        return true;
    if (mall_world_card_total(state->discard) == 0)
        return false;
    reshuffle(set, state, chance);
    return true;
}

uint8_t mall_world_draw_card(const struct mall_world_components *set,
                             struct mall_world_state *state, const struct chance *chance)
{
    return need_card(set, state, chance) ? state->stack[state->stack_next++] : NONE;
}

uint8_t mall_world_turn_card_up(const struct mall_world_components *set,
                                struct mall_world_state *state, const struct chance *chance)
{
    if (!need_card(set, state, chance))
        return NONE;
    uint8_t *card = state->stack + state->stack_next;
    uint8_t told = told_draw(chance, "stack", card, (size_t)(state->stack_end - state->stack_next),
                             NAMES(set->cards, CARDS));
    if (told != TOLD_NONE && !mall_world_exchange(set, state, told, chance))
        told_refuse(chance);
    return state->stack[state->stack_next++];
}

static size_t count_words(struct span words)
{
    size_t count = 0;
    for (; words.length > 0; count++)
        (void)span_word(&words);
    return count;
}

/* A fixed order names all ten chips, or only those that are put out. */
static size_t bribes_to_lay(const struct mall_world_components *set,
                            const struct mall_world_state *state, const struct chance *chance,
                            const char *stream)
{
    const struct chance_stack *stack = chance_stack_find_epoch(chance, stream, state->epoch);
    size_t named = stack == NULL ? BRIBE_CHIPS : count_words(stack->items);
    size_t laid = set->bribes_laid[state->seats - SEATS_MIN][state->round - 1];
    return named < BRIBE_CHIPS ? named : laid;
}

void mall_world_lay_bribes(const struct mall_world_components *set, struct mall_world_state *state,
                           const struct chance *chance)
{
    static const char *const streams[ROUNDS] = {"bribe-1", "bribe-2", "bribe-3"};
    const char *stream = streams[state->round - 1];
    uint8_t chip[BRIBE_CHIPS];
    size_t chips = 0;
    for (uint8_t bribe = 0; bribe < BRIBES; bribe++)
        for (unsigned i = 0; i < set->bribe_count[bribe]; i++)
            chip[chips++] = bribe;
    assert(chips == BRIBE_CHIPS);
    (void)chance_arrange_or_shuffle(chance, stream, state->epoch, chip, chips,
                                    NAMES_ALONE(set->bribe_name, BRIBES));
    memset(state->bribes, 0, sizeof state->bribes);
    size_t laid = bribes_to_lay(set, state, chance, stream);
    for (size_t i = 0; i < laid; i++) {
        told_draw_here(chance, "bribes", chip + i, chips - i, NAMES_ALONE(set->bribe_name, BRIBES));
        state->bribes[chip[i]]++;
    }
}

static void leave_game(struct mall_world_state *state, uint8_t card)
{
    state->gone[card]++;
    mall_world_note(state, NOTE_UNUSABLE, (struct note){.a = card});
}

static void clear_unusable(const struct mall_world_components *set, struct mall_world_state *state)
{
    for (uint8_t card = 0; card < CARDS; card++) {
        if (state->display[card] == 0 || mall_world_is_usable(set, state, card))
            continue;
        for (; state->display[card] > 0; state->display[card]--)
            leave_game(state, card);
    }
}

void mall_world_fill_display(const struct mall_world_components *set,
                             struct mall_world_state *state, const struct chance *chance)
{
    clear_unusable(set, state);
    unsigned displayed = mall_world_card_total(state->display);
    while (displayed < DISPLAY) {
        uint8_t card = mall_world_turn_card_up(set, state, chance);
        if (card == NONE)
            return;
        if (!mall_world_is_usable(set, state, card)) {
            leave_game(state, card);
            continue;
        }
        state->display[card]++;
        displayed++;
        mall_world_note(state, NOTE_DISPLAYED, (struct note){.a = card});
    }
}

/* Redraws which orders of one kind are in the stack, in which sequence, and which are in the box:
 * nobody has seen either. Those of the stack are orders[at .. at + count). */
static void redraw_orders(const struct mall_world_components *set, struct mall_world_state *state,
                          const struct chance *chance, const char *stream, unsigned first,
                          unsigned kinds, unsigned at, unsigned count)
{
    uint32_t unseen = state->boxed & ((UINT32_C(1) << kinds) - 1) << first;
    for (unsigned i = 0; i < count; i++)
        unseen |= UINT32_C(1) << state->orders[at + i];
    uint8_t order[LOBBY_ORDERS];
    size_t orders = 0;
    for (unsigned i = first; i < first + kinds; i++)
        if ((unseen >> i & 1) != 0)
            order[orders++] = (uint8_t)i;
    (void)chance_arrange_or_shuffle(chance, stream, state->epoch, order, orders,
                                    NAMES(set->orders, ORDERS));
    state->boxed &= ~unseen;
    for (unsigned i = 0; i < count; i++)
        state->orders[at + i] = order[i];
    for (size_t i = count; i < orders; i++)
        state->boxed |= UINT32_C(1) << order[i];
}

void mall_world_rekey(const struct game *game, void *opaque, unsigned epoch,
                      const struct chance *chance)
{
    struct mall_world_state *state = opaque;
    const struct mall_world_components *set = game->set;
    state->epoch = epoch;
    uint8_t left[CARDS] = {0};
    for (unsigned i = state->stack_next; i < state->stack_end; i++)
        left[state->stack[i]]++;
    lay_in_card_order(state, left);
    (void)chance_arrange_or_shuffle(chance, "approval", state->epoch, state->stack,
                                    state->stack_end, NAMES(set->cards, CARDS));

    unsigned rent = state->orders_next;
    while (rent < state->orders_end && state->orders[rent] < RENT_ORDER_FIRST)
        rent++;
    redraw_orders(set, state, chance, "use", 0, USE_ORDERS, state->orders_next,
                  rent - state->orders_next);
    redraw_orders(set, state, chance, "rent", RENT_ORDER_FIRST, RENT_ORDERS, rent,
                  state->orders_end - rent);
}

uint32_t mall_world_drawn(const struct game *game, const void *opaque)
{
    const struct mall_world_state *state = opaque;
    (void)game;
    return state->reshuffles * (DECK + 1u) + state->stack_next + state->orders_next + state->round;
}

/* The top order of the stack. Nobody has seen which orders of its kind are in the stack, and which
 * are in the box. */
static uint8_t turn_order_up(const struct mall_world_components *set,
                             struct mall_world_state *state, const struct chance *chance)
{
    uint8_t *top = state->orders + state->orders_next++;
    unsigned end = state->orders_next;
    while (end < state->orders_end &&
           set->orders[state->orders[end]].kind == set->orders[*top].kind)
        end++;
    uint8_t told =
        told_draw(chance, "orders", top, end - state->orders_next + 1, NAMES(set->orders, ORDERS));
    if (told == TOLD_NONE)
        return *top;
    if ((state->boxed >> told & 1) == 0 || set->orders[told].kind != set->orders[*top].kind) {
        told_refuse(chance);
        return *top;
    }
    state->boxed &= ~(UINT32_C(1) << told);
    state->boxed |= UINT32_C(1) << *top;
    *top = told;
    return told;
}

/* The lobby: orders lie on the cheapest sites without a gap, and are refilled from the stack. */

void mall_world_refill_lobby(const struct mall_world_components *set,
                             struct mall_world_state *state, const struct chance *chance)
{
    while (state->lobby_orders < SITES && state->orders_next < state->orders_end) {
        uint8_t order = turn_order_up(set, state, chance);
        mall_world_note(state, NOTE_ORDER_LAID,
                        (struct note){.a = order, .b = state->lobby_orders});
        state->lobby[state->lobby_orders++] = order;
    }
}

/* Takes the order off its site; the more expensive ones move down. */
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
static bool remove_use_orders(const struct mall_world_components *set,
                              struct mall_world_state *state)
{
    bool any = false;
    for (unsigned site = 0; site < state->lobby_orders;) {
        if (set->orders[state->lobby[site]].kind != USE_ORDER) {
            site++;
            continue;
        }
        remove_from_game(state, site);
        any = true;
    }
    return any;
}

void mall_world_purge_lobby(const struct mall_world_components *set, struct mall_world_state *state,
                            const struct chance *chance)
{
    while (remove_use_orders(set, state))
        mall_world_refill_lobby(set, state, chance);
}

void mall_world_remove_cheapest(const struct mall_world_components *set,
                                struct mall_world_state *state, const struct chance *chance)
{
    remove_from_game(state, 0);
    mall_world_refill_lobby(set, state, chance);
    state->progress = 1;
}

void mall_world_return_markers(struct mall_world_state *state)
{
    if (state->markers != 0)
        mall_world_note(state, NOTE_MARKERS_BACK, (struct note){0});
    state->markers = 0;
}

void mall_world_accept(const struct mall_world_components *set, struct mall_world_state *state,
                       unsigned site, const struct chance *chance)
{
    uint8_t order = take(state, site);
    state->account[state->active] -= set->site_price[site];
    state->held[state->active] |= UINT32_C(1) << order;
    state->progress = 1;
    mall_world_note(state, NOTE_ACCEPTED,
                    (struct note){.a = order, .b = state->active, .c = (uint8_t)site});
    mall_world_refill_lobby(set, state, chance);
    mall_world_return_markers(state);
    if (state->rents_open || set->orders[order].kind != RENT_ORDER)
        return;
    state->rents_open = 1;
    mall_world_note(state, NOTE_RENTS_OPEN, (struct note){0});
    mall_world_purge_lobby(set, state, chance);
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
