/* Queries of a position that several files use. */
#include "engine/games/supermarche/state.h"

#include <string.h>

unsigned supermarche_sum(const uint8_t *counts, size_t length)
{
    unsigned sum = 0;
    for (size_t i = 0; i < length; i++)
        sum += counts[i];
    return sum;
}

/* Four words of eight bytes side by side, and three more: no sum of cubes exceeds a byte. */
static unsigned sum_all(const uint8_t counts[static FOODS][BOXES])
{
    const uint8_t *last = &counts[FOODS - 1][BOXES - 3];
    uint64_t word[4];
    static_assert(sizeof word + 3 == (size_t)FOODS * BOXES, "all of them");
    memcpy(word, counts, sizeof word);
    uint64_t sums = word[0] + word[1] + word[2] + word[3];
    return (unsigned)(sums * UINT64_C(0x0101010101010101) >> 56) + last[0] + last[1] + last[2];
}

unsigned supermarche_store_size(const struct supermarche_state *state)
{
    return sum_all(state->store);
}

unsigned supermarche_stock_size(const struct supermarche_state *state)
{
    return sum_all(state->stock);
}

unsigned supermarche_cost(const struct supermarche_components *set,
                          const struct supermarche_state *state, unsigned food)
{
    return set->cost_cards[state->costs[state->round - 1]].cost[food];
}

unsigned supermarche_price(const struct supermarche_components *set,
                           const struct supermarche_state *state, unsigned food)
{
    return food == state->on_sale ? set->foods[food].sale_price : set->foods[food].price;
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned supermarche_buy_max(const struct supermarche_components *set,
                             const struct supermarche_state *state, unsigned food)
{
    if (food < state->next_food)
        return 0;
    unsigned room = STOCK_ROOM_MAX - supermarche_stock_size(state);
    unsigned affordable = (unsigned)state->money / supermarche_cost(set, state, food);
    return smaller(state->supply[food], smaller(room, affordable));
}

unsigned supermarche_move_max(const struct supermarche_state *state, unsigned food, unsigned box)
{
    if (PAIR(food, box) < state->next_pair)
        return 0;
    return smaller(state->stock[food][box], STORE_MAX - supermarche_store_size(state));
}

bool supermarche_may_skip_sale(const struct supermarche_state *state)
{
    int used = 0;
    for (unsigned food = 0; food < FOODS; food++)
        used += state->sales >> food & 1;
    return SALES_REQUIRED - used < ROUNDS + 1 - state->round;
}

uint8_t supermarche_first_card(const struct supermarche_state *state, enum card card)
{
    for (unsigned position = 0; position < ROW; position++)
        if (state->row[position] == card)
            return (uint8_t)position;
    return NONE;
}

unsigned supermarche_cards(const struct supermarche_state *state, enum card card)
{
    unsigned count = 0;
    for (unsigned position = 0; position < ROW; position++)
        count += state->row[position] == card;
    return count;
}

unsigned supermarche_basket(const struct supermarche_components *set,
                            const struct supermarche_state *state, bool coupon,
                            uint8_t food[static SALE_ITEMS])
{
    const struct supermarche_customer *customer =
        &set->customers[supermarche_customer_at(state, state->shopper)];
    unsigned total = (unsigned)state->dice[0] + state->dice[1];
    unsigned count = 0;
    uint8_t rolled = customer->want[total];
    if (!coupon)
        food[count++] = rolled;
    if (coupon || rolled == state->on_sale)
        for (unsigned i = 0; i < COUPON_ITEMS; i++)
            food[count++] = customer->want[set->chart[total][i]];
    return count;
}

bool supermarche_has(const struct supermarche_state *state, const uint8_t *food, unsigned count)
{
    uint8_t wanted[FOODS] = {0};
    for (unsigned i = 0; i < count; i++)
        wanted[food[i]]++;
    for (unsigned i = 0; i < count; i++)
        if (wanted[food[i]] > supermarche_shelf(state, food[i]))
            return false;
    return true;
}

void supermarche_note(struct supermarche_state *state, enum note_kind kind, unsigned a, unsigned b,
                      unsigned c)
{
    if (state->notes < NOTES_MAX)
        state->note[state->notes++] =
            (struct note){(uint8_t)kind, (uint8_t)a, (uint8_t)b, (uint8_t)c};
}

/* ---- Words for decision points, cards and results, as views and worked cases write them ---- */

const char *supermarche_point_name(unsigned point)
{
    static const char *const names[] = {
        [AT_DELIVERY] = "delivery", [AT_STOCKING] = "stocking", [AT_SALE] = "sale",
        [AT_CHOOSE] = "choose",     [AT_INITIAL] = "initial",   [AT_ROLL] = "roll",
        [AT_PAY] = "pay",           [AT_BETWEEN] = "between",   [AT_RESTOCK] = "restock"};
    return point < sizeof names / sizeof names[0] ? names[point] : NULL;
}

const char *supermarche_card_name(unsigned card)
{
    static const char *const names[] = {[CARD_DOWN] = "down",
                                        [CARD_UP] = "up",
                                        [CARD_SHOPPING] = "shopping",
                                        [CARD_DONE] = "done",
                                        [CARD_DISCARDED] = "discarded"};
    assert(card < sizeof names / sizeof names[0]);
    return names[card];
}

const char *supermarche_result_name(unsigned result)
{
    static const char *const names[] = {
        [RESULT_NONE] = NULL, [RESULT_COMPLETE] = "complete", [RESULT_BANKRUPT] = "bankrupt"};
    assert(result < sizeof names / sizeof names[0]);
    return names[result];
}

/* The result: money, or -1 for a lost game; the rounds completed break ties between games. */

enum { BANKRUPT_SCORE = -1 };

static int32_t rounds_completed(const struct supermarche_state *state)
{
    return state->result == RESULT_COMPLETE ? ROUNDS : state->round - 1;
}

void supermarche_outcome(const struct game *game, const void *opaque, struct outcome *outcome)
{
    const struct supermarche_state *state = opaque;
    (void)game;
    *outcome = (struct outcome){.seats = 1, .tie_breaks = 1};
    outcome->score[0] = state->money < 0 ? BANKRUPT_SCORE : state->money;
    outcome->tie_break[0][0] = rounds_completed(state);
    outcome_rank(outcome);
}

const struct supermarche_level *supermarche_level(const struct supermarche_components *set,
                                                  int money)
{
    unsigned level = 0;
    while (money > set->levels[level].most)
        level++;
    return &set->levels[level];
}
