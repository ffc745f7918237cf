/* A trial deals the unseen cards in its own order, rolls its own dice (each roll spread evenly over
 * the trials), makes the move and continues by rule of thumb until the round is over. All moves of
 * a choice go through the same trials.
 *
 * From the move on, the shop is a few counts: of the cubes of a food, only those that expire in
 * this round are told apart, as they are sold first. Decisions that the rule of thumb always makes
 * in the same way (rolling on, skipping the initial item) are left out. A test plays trials by the
 * rules and compares (tests/engine/games/supermarche/test_supermarche_trial.c). */
#include "engine/games/supermarche/trial.h"

#include <string.h>

/* ---- Luck ---- */

/* 64 bits that differ for every `number` (the last steps of SplitMix64). */
static uint64_t luck_of(uint64_t number)
{
    uint64_t x = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static struct supermarche_spread spread_of(unsigned customer, unsigned roll)
{
    uint64_t luck = luck_of((uint64_t)roll * CUSTOMERS + customer);
    return (struct supermarche_spread){
        .step = (uint8_t)(1 + luck % (SUPERMARCHE_TRIALS - 1)),
        .start = (uint8_t)((luck >> 16 & 0xffff) % SUPERMARCHE_TRIALS),
        .rest = (uint8_t)((luck >> 32) % SUPERMARCHE_SCALE),
    };
}

/* Every customer has rolls of its own in each trial, as in the game. The trials of one roll are
 * spread evenly over what two dice may show, each time in another order. */
static inline unsigned total_of(const struct supermarche_spread *spread, unsigned trial)
{
    /* what the dice may show, in order; the last one is never reached twice */
    static const uint8_t totals[SUPERMARCHE_SCALE + 1] = {
        2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 6, 6,  6,  6,  6,  7,  7,  7, 7,
        7, 7, 8, 8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 11, 11, 12, 2};
    unsigned place = (trial * spread->step + spread->start) % SUPERMARCHE_TRIALS;
    return totals[(place * SUPERMARCHE_SCALE + spread->rest) / SUPERMARCHE_TRIALS];
}

static void find_spreads(const struct supermarche_components *set,
                         struct supermarche_trials *trials, unsigned customer)
{
    for (unsigned roll = 0; roll < set->customers[customer].cart; roll++)
        trials->spread[customer][roll] = spread_of(customer, roll);
    trials->spreads |= UINT32_C(1) << customer;
}

/* Of all rolls of a customer. */
static inline const struct supermarche_spread *spreads_of(const struct supermarche_components *set,
                                                          struct supermarche_trials *trials,
                                                          unsigned customer)
{
    if ((trials->spreads >> customer & 1) == 0)
        find_spreads(set, trials, customer);
    return trials->spread[customer];
}

unsigned supermarche_trial_dice(const struct supermarche_components *set,
                                struct supermarche_trials *trials, unsigned customer, unsigned roll,
                                unsigned trial)
{
    if (roll < set->customers[customer].cart)
        return total_of(&spreads_of(set, trials, customer)[roll], trial);
    const struct supermarche_spread spread = spread_of(customer, roll); /* no cart is so large */
    return total_of(&spread, trial);
}

/* Deals other cards to the row for those that lie face down. */
static void deal(const struct supermarche_state *seen, const uint8_t unseen[static CUSTOMERS],
                 unsigned count, unsigned trial, uint8_t row[static ROW])
{
    uint8_t cards[CUSTOMERS];
    uint64_t luck = luck_of((uint64_t)CUSTOMERS * 256 + trial);
    memcpy(cards, unseen, sizeof cards);
    for (unsigned position = 0; position < ROW; position++) {
        if (seen->row[position] != CARD_DOWN)
            continue;
        uint8_t *card = &cards[luck % count];
        luck /= count;
        row[position] = *card;
        *card = cards[--count];
    }
}

void supermarche_begin_trials(struct supermarche_trials *trials,
                              const struct supermarche_state *seen)
{
    const unsigned first = (unsigned)ROW * (seen->round - 1u);
    uint8_t unseen[CUSTOMERS]; /* in the order of the component data */
    unsigned count = 0;
    uint32_t known = 0;
    trials->seen = seen;
    trials->spreads = 0;
    memset(trials->known, 0, sizeof trials->known);
    memset(trials->rolled, 0, sizeof trials->rolled);
    trials->on_sale = seen->on_sale;
    for (unsigned i = 0; i < first + ROW; i++)
        if ((seen->discarded >> i & 1) == 0 && (i < first || seen->row[i - first] != CARD_DOWN))
            known |= UINT32_C(1) << seen->deck[i];
    for (uint8_t customer = 0; customer < CUSTOMERS; customer++)
        if ((known >> customer & 1) == 0)
            unseen[count++] = customer;
    memset(unseen + count, 0, CUSTOMERS - count);
    const bool hidden = supermarche_cards(seen, CARD_DOWN) > 0;
    for (unsigned trial = 0; trial < SUPERMARCHE_TRIALS; trial++) {
        memcpy(trials->row[trial], seen->deck + first, ROW);
        if (hidden)
            deal(seen, unseen, count, trial, trials->row[trial]);
    }
}

/* ---- Counts ---- */

/* A number for each food, a byte each; all are below 128. */
typedef uint64_t foods;

#define ONE_OF(food) (UINT64_C(1) << (8 * (food)))
#define ALL_TOPS     UINT64_C(0x8080808080808080)

static unsigned number_of(foods of, unsigned food)
{
    return of >> (8 * food) & 0xff;
}

static unsigned sum_of(foods of)
{
    return (unsigned)(of * UINT64_C(0x0101010101010101) >> 56);
}

/* True if there are as many of each food. */
static bool holds(foods of, foods needed)
{
    return (((of | ALL_TOPS) - needed) & ALL_TOPS) == ALL_TOPS;
}

/* Of each food the smaller number. */
static foods smaller_of(foods a, foods b)
{
    foods b_less = ((a | ALL_TOPS) - b) & ALL_TOPS; /* or equal */
    foods bytes = b_less | (b_less - (b_less >> 7));
    return (a & ~bytes) | (b & bytes);
}

/* Bit 8f + 7 for every food of which there is one. */
static foods tops_of(foods of)
{
    return (of + (ALL_TOPS - UINT64_C(0x0101010101010101))) & ALL_TOPS;
}

/* Where the trial continues. */
enum stage { SHOPPING, AFTER_TRIP, RESTOCKING, NEXT_CARD, NEXT_CUSTOMER, GAME_OVER };

struct shop {
    uint8_t stage;
    uint8_t up, down; /* bit p: such a card is in position p of the row */
    uint8_t restocked;
    uint8_t space, coupons, takings; /* of the shopper */
    uint8_t shopper;                 /* position in the row */
    int money;
    foods shelf, stock;
    foods expiring, stock_expiring; /* of them, this round; what was sold since `counted` is still
                                     * to be taken off */
    foods counted;                  /* on the shelf */
};

/* What does not change during a trial. */
struct terms {
    uint8_t round;
    uint8_t on_sale;
    uint8_t coupon_space;
    uint8_t price[FOODS];
};

/* All cubes, and those that expire in this round. */
static void count_cubes(const struct supermarche_components *set,
                        const uint8_t of[static FOODS][BOXES], unsigned round, foods *all,
                        foods *expiring)
{
    *all = 0;
    *expiring = 0;
    for (unsigned food = 0; food < FOODS; food++)
        *all += supermarche_of_food(of[food]) * ONE_OF(food);
    for (unsigned box = 0; box < BOXES; box++)
        if (set->boxes[box].expires == 0 || set->boxes[box].expires == round)
            for (unsigned food = 0; food < FOODS; food++)
                *expiring += of[food][box] * ONE_OF(food);
}

static enum stage stage_of(const struct supermarche_state *state)
{
    switch ((enum point)state->point) {
    case AT_CHOOSE:
        return NEXT_CUSTOMER;
    case AT_RESTOCK:
        return RESTOCKING;
    case AT_TRIP_OVER:
        return AFTER_TRIP;
    case AT_FLIP:
        return NEXT_CARD;
    case AT_OVER:
        return GAME_OVER;
    default:
        return SHOPPING;
    }
}

static void open_shop(const struct supermarche_components *set,
                      const struct supermarche_state *state, struct shop *shop, struct terms *terms)
{
    *shop = (struct shop){.stage = (uint8_t)stage_of(state),
                          .restocked = state->restocked,
                          .space = state->space,
                          .coupons = state->coupons,
                          .takings = state->takings,
                          .shopper = state->shopper,
                          .money = state->money};
    count_cubes(set, state->store, state->round, &shop->shelf, &shop->expiring);
    count_cubes(set, state->stock, state->round, &shop->stock, &shop->stock_expiring);
    shop->counted = shop->shelf;
    for (unsigned position = 0; position < ROW; position++) {
        shop->up |= (uint8_t)((state->row[position] == CARD_UP) << position);
        shop->down |= (uint8_t)((state->row[position] == CARD_DOWN) << position);
    }
    *terms = (struct terms){.round = state->round,
                            .on_sale = state->on_sale,
                            .coupon_space = state->coupon_overflows ? 1 : COUPON_ITEMS};
    for (unsigned food = 0; food < FOODS; food++)
        terms->price[food] = (uint8_t)supermarche_price(set, state, food);
}

/* ---- A round ---- */

static unsigned lowest(unsigned set)
{
    return (unsigned)__builtin_ctz(set);
}

/* The shopper takes these items, if the shelves hold them. */
static bool take(struct shop *shop, foods items, unsigned count, unsigned price)
{
    if (!holds(shop->shelf, items))
        return false;
    shop->shelf -= items;
    shop->money += (int)price;
    shop->takings = (uint8_t)(shop->takings + price);
    shop->space = (uint8_t)(shop->space > count ? shop->space - count : 0);
    return true;
}

/* What a roll asks for; with a coupon, only where nothing else is possible. False if there is
 * nothing. */
static bool buy(const struct supermarche_components *set, struct shop *shop,
                const struct terms *terms, const struct supermarche_customer *customer,
                unsigned total)
{
    static_assert(COUPON_ITEMS == 2, "one, and the other");
    const uint8_t rolled = customer->want[total];
    if (rolled != terms->on_sale && take(shop, ONE_OF(rolled), 1, terms->price[rolled]))
        return true;
    const bool coupon = shop->coupons > 0 && shop->space >= terms->coupon_space;
    if (rolled != terms->on_sale && !coupon)
        return false;
    const uint8_t one = customer->want[set->chart[total][0]];
    const uint8_t other = customer->want[set->chart[total][1]];
    const foods chart = ONE_OF(one) + ONE_OF(other);
    const unsigned price = (unsigned)terms->price[one] + terms->price[other];
    if (rolled == terms->on_sale &&
        take(shop, chart + ONE_OF(rolled), COUPON_ITEMS + 1, price + terms->price[rolled]))
        return true;
    if (!coupon || !take(shop, chart, COUPON_ITEMS, price - COUPON_DISCOUNT))
        return false;
    shop->coupons--;
    return true;
}

/* What a customer buys who finds everything. */
static inline void fill_cart(const struct supermarche_components *set, const struct terms *terms,
                             const struct supermarche_customer *customer,
                             struct supermarche_trip *trip)
{
    foods items = 0;
    unsigned price = customer->bonus;
    for (unsigned count = 0, roll = 0; count < customer->cart; roll++) {
        const unsigned total = trip->total[roll];
        const uint8_t rolled = customer->want[total];
        items += ONE_OF(rolled);
        price += terms->price[rolled];
        count++;
        if (rolled != terms->on_sale)
            continue;
        for (unsigned i = 0; i < COUPON_ITEMS; i++) {
            const uint8_t also = customer->want[set->chart[total][i]];
            items += ONE_OF(also);
            price += terms->price[also];
        }
        count += COUPON_ITEMS;
    }
    trip->items = items;
    trip->price = (uint16_t)price;
}

/* Finds the trip of the customer in a position of the row: where the card lies open, in all trials
 * at once. */
static void find_trips(const struct supermarche_components *set, struct supermarche_trials *trials,
                       const struct terms *terms, unsigned trial, unsigned position)
{
    const bool same = trials->seen->row[position] != CARD_DOWN;
    const unsigned id = trials->row[trial][position];
    const uint8_t bit = (uint8_t)(1u << position);
    const struct supermarche_customer *customer = &set->customers[id];
    const struct supermarche_spread *spread = spreads_of(set, trials, id);
    for (unsigned i = same ? 0 : trial; i < (same ? SUPERMARCHE_TRIALS : trial + 1); i++) {
        struct supermarche_trip *trip = &trials->trip[i][position];
        for (unsigned roll = 0; (trials->rolled[i] & bit) == 0 && roll < customer->cart; roll++)
            trip->total[roll] = (uint8_t)total_of(&spread[roll], i);
        fill_cart(set, terms, customer, trip);
        trials->rolled[i] |= bit;
        trials->known[i] |= bit;
    }
}

static const struct supermarche_trip *trip_of(const struct supermarche_components *set,
                                              struct supermarche_trials *trials,
                                              const struct terms *terms, unsigned trial,
                                              unsigned position)
{
    if ((trials->known[trial] >> position & 1) == 0)
        find_trips(set, trials, terms, trial, position);
    return &trials->trip[trial][position];
}

/* The rest of a trip. False if it ruins the shop. */
static bool go_shopping(const struct supermarche_components *set, struct shop *shop,
                        const struct terms *terms, struct supermarche_trials *trials,
                        unsigned trial)
{
    const unsigned id = trials->row[trial][shop->shopper];
    const struct supermarche_customer *customer = &set->customers[id];
    const struct supermarche_trip *trip = trip_of(set, trials, terms, trial, shop->shopper);
    for (unsigned roll = 0; shop->space > 0; roll++) {
        unsigned total = roll < customer->cart
                             ? trip->total[roll]
                             : supermarche_trial_dice(set, trials, id, roll, trial);
        if (buy(set, shop, terms, customer, total))
            continue;
        shop->money -= customer->penalty + shop->takings;
        return shop->money >= 0;
    }
    shop->money += customer->bonus;
    return true;
}

/* Serves a customer who finds everything. False if something is missing, and nothing is done. */
static bool serve_at_once(const struct supermarche_components *set, struct shop *shop,
                          const struct terms *terms, struct supermarche_trials *trials,
                          unsigned trial)
{
    const struct supermarche_trip *trip = trip_of(set, trials, terms, trial, lowest(shop->up));
    if (!holds(shop->shelf, trip->items))
        return false;
    shop->shelf -= trip->items;
    shop->money += trip->price;
    shop->up &= (uint8_t)(shop->up - 1);
    return true;
}

/* What is still to be bought, CONTENT_BITS for each food, and at least one part. Face-down cards
 * count as the average of all. */
static uint64_t estimate_demand(const struct supermarche_components *set, const struct shop *shop,
                                const uint8_t row[static ROW])
{
    static const uint64_t least = UINT64_C(1) | UINT64_C(1) << CONTENT_BITS |
                                  UINT64_C(1) << CONTENT_BITS * 2 |
                                  UINT64_C(1) << CONTENT_BITS * 3 | UINT64_C(1) << CONTENT_BITS * 4;
    unsigned down = 0;
    uint64_t demand = least;
    for (unsigned up = shop->up; up != 0; up &= up - 1)
        demand += set->customers[row[lowest(up)]].content;
    for (unsigned left = shop->down; left != 0; left &= left - 1)
        down++;
    return demand + set->contents[down];
}

static unsigned demand_of(uint64_t demand, unsigned food)
{
    return demand >> CONTENT_BITS * food & ((1u << CONTENT_BITS) - 1);
}

/* Between two trips: a food that is still wanted is missing in the Store. */
static bool needs_restock(const struct supermarche_components *set, const struct shop *shop,
                          const uint8_t row[static ROW])
{
    foods missing = tops_of(shop->stock) & ~tops_of(shop->shelf);
    if (shop->restocked || missing == 0 || shop->down == 0 || sum_of(shop->shelf) >= STORE_MAX)
        return false;
    const uint64_t demand = estimate_demand(set, shop, row);
    for (; missing != 0; missing &= missing - 1)
        if (demand_of(demand, (unsigned)__builtin_ctzll(missing) / 8) > SUPERMARCHE_SCALE / 2)
            return true;
    return false;
}

/* What was sold since the last count expired first. */
static void count_expiring(struct shop *shop)
{
    shop->expiring -= smaller_of(shop->expiring, shop->counted - shop->shelf);
    shop->counted = shop->shelf;
}

static void move_cubes(struct shop *shop, foods moved)
{
    const foods expiring = smaller_of(moved, shop->stock_expiring);
    count_expiring(shop);
    shop->expiring += expiring;
    shop->stock_expiring -= expiring;
    shop->shelf += moved;
    shop->counted = shop->shelf;
    shop->stock -= moved;
}

/* Moves cubes to the Store as long as there is room, each of the food that is shortest there
 * relative to demand: of which shelf + 1 by demand is least, or the first of equals. All are
 * multiplied by all demands, each below 2^10: so numbers stay below 2^61. */
static void restock(const struct supermarche_components *set, struct shop *shop,
                    const uint8_t row[static ROW])
{
    enum { FOOD_BITS = 3 };
    const uint64_t none = UINT64_MAX;
    unsigned room = STORE_MAX - sum_of(shop->shelf);
    if (sum_of(shop->stock) <= room) {
        move_cubes(shop, shop->stock);
        return;
    }
    const uint64_t demand = estimate_demand(set, shop, row);
    const uint64_t a = demand_of(demand, 0), b = demand_of(demand, 1), c = demand_of(demand, 2),
                   d = demand_of(demand, 3), e = demand_of(demand, 4);
    const uint64_t all_but[FOODS] = {b * c * d * e, a * c * d * e, a * b * d * e, a * b * c * e,
                                     a * b * c * d};
    uint64_t step[FOODS], key[FOODS];
    foods left = shop->stock;
    for (unsigned food = 0; food < FOODS; food++) {
        step[food] = all_but[food] << FOOD_BITS;
        key[food] = number_of(left, food) == 0
                        ? none
                        : (number_of(shop->shelf, food) + 1) * step[food] + food;
    }
    for (; room > 0; room--) {
        uint64_t least = key[0];
        for (unsigned food = 1; food < FOODS; food++)
            least = key[food] < least ? key[food] : least;
        const unsigned food = least & ((1u << FOOD_BITS) - 1);
        left -= ONE_OF(food);
        key[food] = number_of(left, food) == 0 ? none : key[food] + step[food];
    }
    move_cubes(shop, shop->stock - left);
}

static const uint8_t dollars[FOODS] = {[BAKERY] = 2, [DAIRY] = 2, [DRY_GOODS] = 5, [FROZEN] = 4};

static int worth_of_foods(foods of)
{
    unsigned sum = 0;
    for (unsigned food = 0; food < FOODS; food++)
        sum += dollars[food] * number_of(of, food);
    return (int)sum;
}

int supermarche_shop_worth(const struct supermarche_state *state)
{
    int worth = state->money;
    if (state->result == RESULT_BANKRUPT)
        return SUPERMARCHE_RUIN;
    for (unsigned food = 0; state->result != RESULT_COMPLETE && food < FOODS; food++)
        worth +=
            dollars[food] * (int)(supermarche_shelf(state, food) + supermarche_kept(state, food));
    return worth;
}

static int close_shop(struct shop *shop, const struct terms *terms)
{
    count_expiring(shop);
    shop->money -= WASTE_FEE * (int)(sum_of(shop->expiring) + sum_of(shop->stock_expiring));
    if (shop->money < 0)
        return SUPERMARCHE_RUIN;
    if (terms->round == ROUNDS)
        return shop->money;
    return shop->money +
           worth_of_foods(shop->shelf - shop->expiring + shop->stock - shop->stock_expiring);
}

static void discard_unseen(struct shop *shop)
{
    unsigned position = ROW - 1;
    while ((shop->down >> position & 1) == 0)
        position--;
    shop->down &= (uint8_t) ~(1u << position);
    shop->restocked = 1;
}

static void serve(const struct supermarche_components *set, struct shop *shop,
                  const uint8_t row[static ROW])
{
    unsigned position = lowest(shop->up);
    const struct supermarche_customer *customer = &set->customers[row[position]];
    shop->up &= (uint8_t)(shop->up - 1);
    shop->shopper = (uint8_t)position;
    shop->space = customer->cart;
    shop->coupons = customer->coupons;
    shop->takings = 0;
}

static int end_round(const struct supermarche_components *set, struct shop *shop,
                     const struct terms *terms, struct supermarche_trials *trials, unsigned trial)
{
    const uint8_t *row = trials->row[trial];
    for (enum stage stage = (enum stage)shop->stage;;) {
        if (stage == SHOPPING && !go_shopping(set, shop, terms, trials, trial))
            return SUPERMARCHE_RUIN;
        if (stage <= AFTER_TRIP && needs_restock(set, shop, row)) {
            discard_unseen(shop);
            stage = RESTOCKING;
        }
        if (stage == RESTOCKING)
            restock(set, shop, row);
        if (stage <= NEXT_CARD && shop->down != 0) {
            shop->up |= (uint8_t)(1u << lowest(shop->down));
            shop->down &= (uint8_t)(shop->down - 1);
        }
        if (shop->up == 0)
            return close_shop(shop, terms);
        stage = AFTER_TRIP;
        if (serve_at_once(set, shop, terms, trials, trial))
            continue;
        serve(set, shop, row);
        stage = SHOPPING;
    }
}

int supermarche_try(const struct supermarche_components *set, struct supermarche_trials *trials,
                    const struct supermarche_move *move)
{
    struct supermarche_state state;
    struct shop shop;
    struct terms terms;
    int sum = 0;
    memcpy(&state, trials->seen, offsetof(struct supermarche_state, note));
    state.notes = NOTES_MAX; /* further ones are dropped */
    supermarche_apply(set, &state, move);
    if (state.point == AT_OVER)
        return SUPERMARCHE_TRIALS * supermarche_shop_worth(&state);
    open_shop(set, &state, &shop, &terms);
    if (terms.on_sale != trials->on_sale)
        memset(trials->known, 0, sizeof trials->known);
    trials->on_sale = terms.on_sale;
    for (unsigned trial = 0; trial < SUPERMARCHE_TRIALS; trial++) {
        struct shop copy = shop;
        sum += end_round(set, &copy, &terms, trials, trial);
    }
    return sum;
}
