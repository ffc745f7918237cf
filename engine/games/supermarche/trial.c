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

uint64_t supermarche_mix(uint64_t number)
{
    uint64_t x = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static struct supermarche_spread spread_of(unsigned customer, unsigned roll)
{
    uint64_t luck = supermarche_mix((uint64_t)roll * CUSTOMERS + customer);
    return (struct supermarche_spread){
        .step = (uint8_t)(1 + luck % (SUPERMARCHE_TRIALS - 1)),
        .start = (uint8_t)((luck >> 16 & 0xffff) % SUPERMARCHE_TRIALS),
        .rest = (uint8_t)((luck >> 32) % SUPERMARCHE_SCALE),
    };
}

/* Every customer has rolls of its own in each trial, as in the game. The trials of one roll are
 * spread evenly over what two dice may show, each time in another order: each has a place of its
 * own in it. */
static inline unsigned total_at(const struct supermarche_spread *spread, unsigned place)
{
    /* what the dice may show, in order; the last one is never reached twice */
    static const uint8_t totals[SUPERMARCHE_SCALE + 1] = {
        2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 6, 6,  6,  6,  6,  7,  7,  7, 7,
        7, 7, 8, 8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 11, 11, 12, 2};
    return totals[(place * SUPERMARCHE_SCALE + spread->rest) / SUPERMARCHE_TRIALS];
}

static inline unsigned total_of(const struct supermarche_spread *spread, unsigned trial)
{
    return total_at(spread, (trial * spread->step + spread->start) % SUPERMARCHE_TRIALS);
}

static void find_spreads(const struct supermarche_components *set,
                         struct supermarche_trials *trials, unsigned customer)
{
    for (unsigned roll = 0; roll < set->customers[customer].cart; roll++)
        trials->spread[customer][roll] = spread_of(customer, roll);
    trials->spreads |= UINT32_C(1) << customer;
}

/* The spread over all rolls of a customer. */
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
    uint64_t luck = supermarche_mix((uint64_t)CUSTOMERS * 256 + trial);
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

/* The smaller number of each food. */
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
    uint64_t item[FOODS]; /* a byte for each food, the price from PRICE_AT on, the number of items
                           * from COUNT_AT on: 1 */
};

enum { PRICE_AT = 8 * FOODS, PRICE_MOST = 0xffff, COUNT_AT = PRICE_AT + 16 };

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
    for (unsigned food = 0; food < FOODS; food++) {
        terms->price[food] = (uint8_t)supermarche_price(set, state, food);
        terms->item[food] =
            ONE_OF(food) | (uint64_t)terms->price[food] << PRICE_AT | UINT64_C(1) << COUNT_AT;
    }
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

/* What a customer who finds everything takes for this total of the dice. */
static inline uint64_t part_of(const struct supermarche_components *set, const struct terms *terms,
                               const struct supermarche_customer *customer, unsigned total)
{
    const uint8_t rolled = customer->want[total];
    uint64_t part = terms->item[rolled];
    for (unsigned i = 0; rolled == terms->on_sale && i < COUPON_ITEMS; i++)
        part += terms->item[customer->want[set->chart[total][i]]];
    return part;
}

static inline void fill_cart(const struct supermarche_components *set, const struct terms *terms,
                             const struct supermarche_customer *customer,
                             struct supermarche_trip *trip)
{
    uint64_t all = (uint64_t)customer->bonus << PRICE_AT;
    for (unsigned roll = 0; all >> COUNT_AT < customer->cart; roll++)
        all += part_of(set, terms, customer, trip->total[roll]);
    trip->items = all & (ONE_OF(FOODS) - 1);
    trip->price = (uint16_t)(all >> PRICE_AT & PRICE_MOST);
}

/* What the customer of an open card in a position of the row rolls, in all trials. */
static void roll_everywhere(struct supermarche_trials *trials, unsigned position,
                            const struct supermarche_spread *spread, unsigned rolls)
{
    for (unsigned roll = 0; roll < rolls; roll++, spread++) {
        unsigned place = spread->start;
        for (unsigned trial = 0; trial < SUPERMARCHE_TRIALS; trial++) {
            trials->trip[trial][position].total[roll] = (uint8_t)total_at(spread, place);
            place += spread->step;
            place -= place < SUPERMARCHE_TRIALS ? 0 : SUPERMARCHE_TRIALS;
        }
    }
}

/* Finds the trips of the customer of an open card in a position of the row, in all trials. */
static void find_trips(const struct supermarche_components *set, struct supermarche_trials *trials,
                       const struct terms *terms, unsigned position)
{
    const unsigned id = trials->row[0][position];
    const uint8_t bit = (uint8_t)(1u << position);
    const struct supermarche_customer *customer = &set->customers[id];
    if ((trials->rolled[0] & bit) == 0)
        roll_everywhere(trials, position, spreads_of(set, trials, id), customer->cart);
    for (unsigned trial = 0; trial < SUPERMARCHE_TRIALS; trial++) {
        fill_cart(set, terms, customer, &trials->trip[trial][position]);
        trials->rolled[trial] |= bit;
        trials->known[trial] |= bit;
    }
}

/* Finds that of a card which lies face down. */
static void find_trip(const struct supermarche_components *set, struct supermarche_trials *trials,
                      const struct terms *terms, unsigned trial, unsigned position)
{
    const unsigned id = trials->row[trial][position];
    const uint8_t bit = (uint8_t)(1u << position);
    const struct supermarche_customer *customer = &set->customers[id];
    struct supermarche_trip *trip = &trials->trip[trial][position];
    if ((trials->rolled[trial] & bit) == 0) {
        const struct supermarche_spread *spread = spreads_of(set, trials, id);
        for (unsigned roll = 0; roll < customer->cart; roll++)
            trip->total[roll] = (uint8_t)total_of(&spread[roll], trial);
    }
    fill_cart(set, terms, customer, trip);
    trials->rolled[trial] |= bit;
    trials->known[trial] |= bit;
}

static const struct supermarche_trip *trip_of(const struct supermarche_components *set,
                                              struct supermarche_trials *trials,
                                              const struct terms *terms, unsigned trial,
                                              unsigned position)
{
    if ((trials->known[trial] >> position & 1) == 0) {
        if (trials->seen->row[position] == CARD_DOWN)
            find_trip(set, trials, terms, trial, position);
        else
            find_trips(set, trials, terms, position);
    }
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
static inline uint64_t estimate_demand(const struct supermarche_components *set,
                                       const struct shop *shop, const uint8_t row[static ROW])
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
static inline bool needs_restock(const struct supermarche_components *set, const struct shop *shop,
                                 const uint8_t row[static ROW])
{
    if (shop->restocked || shop->down == 0)
        return false;
    foods missing = tops_of(shop->stock) & ~tops_of(shop->shelf);
    if (missing == 0 || sum_of(shop->shelf) >= STORE_MAX)
        return false;
    const uint64_t demand = estimate_demand(set, shop, row);
    for (; missing != 0; missing &= missing - 1)
        if (demand_of(demand, (unsigned)__builtin_ctzll(missing) / 8) > SUPERMARCHE_SCALE / 2)
            return true;
    return false;
}

/* Cubes sold since the last count are taken from the expiring ones first. */
static void count_expiring(struct shop *shop)
{
    shop->expiring -= smaller_of(shop->expiring, shop->counted - shop->shelf);
    shop->counted = shop->shelf;
}

static inline void move_cubes(struct shop *shop, foods moved)
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
 * multiplied by all demands, each below 2^10: so numbers stay below 2^61. No two cubes have the
 * same key; where fewer cubes stay than move, those with the greatest keys are found. */
static void restock(const struct supermarche_components *set, struct shop *shop,
                    const uint8_t row[static ROW])
{
    enum { FOOD_BITS = 3 };
    const unsigned room = STORE_MAX - sum_of(shop->shelf);
    const unsigned all = sum_of(shop->stock);
    if (all <= room) {
        move_cubes(shop, shop->stock);
        return;
    }
    const uint64_t demand = estimate_demand(set, shop, row);
    const uint64_t a = demand_of(demand, 0), b = demand_of(demand, 1), c = demand_of(demand, 2),
                   d = demand_of(demand, 3), e = demand_of(demand, 4);
    const uint64_t ab = a * b, de = d * e;
    const uint64_t step[FOODS] = {b * c * de, a * c * de, ab * de, ab * c * e, ab * c * d};
    const bool stay = all - room < room;
    uint64_t key[FOODS]; /* of the next cube, least first; with `stay` all bits are inverted */
    foods left = shop->stock, taken = 0;
    for (unsigned food = 0; food < FOODS; food++) {
        const unsigned cubes = number_of(left, food);
        const unsigned shelf = number_of(shop->shelf, food) + (stay ? cubes : 1);
        const uint64_t next = (shelf * step[food] << FOOD_BITS) + food;
        key[food] = cubes == 0 ? UINT64_MAX : stay ? ~next : next;
    }
    for (unsigned count = stay ? all - room : room; count > 0; count--) {
        uint64_t least = key[0];
        unsigned food = 0;
        for (unsigned i = 1; i < FOODS; i++) {
            food = key[i] < least ? i : food;
            least = key[i] < least ? key[i] : least;
        }
        left -= ONE_OF(food);
        taken += ONE_OF(food);
        key[food] = number_of(left, food) == 0 ? UINT64_MAX : key[food] + (step[food] << FOOD_BITS);
    }
    move_cubes(shop, stay ? shop->stock - taken : taken);
}

const uint8_t supermarche_cube_worth[FOODS] = {
    [BAKERY] = 2, [DAIRY] = 2, [DRY_GOODS] = 5, [FROZEN] = 4};

static int worth_of_foods(foods of)
{
    unsigned sum = 0;
    for (unsigned food = 0; food < FOODS; food++)
        sum += supermarche_cube_worth[food] * number_of(of, food);
    return (int)sum;
}

int supermarche_shop_worth(const struct supermarche_state *state)
{
    int worth = state->money;
    if (state->result == RESULT_BANKRUPT)
        return SUPERMARCHE_RUIN;
    for (unsigned food = 0; state->result != RESULT_COMPLETE && food < FOODS; food++)
        worth += supermarche_cube_worth[food] *
                 (int)(supermarche_shelf(state, food) + supermarche_kept(state, food));
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

/* From a stage after a trip to the next customer. */
static inline void go_on(const struct supermarche_components *set, struct shop *shop,
                         const uint8_t row[static ROW], enum stage stage)
{
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
}

/* From the next customer on, or in a trip. */
static int end_round(const struct supermarche_components *set, struct shop *shop,
                     const struct terms *terms, struct supermarche_trials *trials, unsigned trial)
{
    const uint8_t *row = trials->row[trial];
    for (bool shopping = shop->stage == SHOPPING;; shopping = false) {
        if (!shopping && shop->up == 0)
            return close_shop(shop, terms);
        if (shopping || !serve_at_once(set, shop, terms, trials, trial)) {
            if (!shopping)
                serve(set, shop, row);
            if (!go_shopping(set, shop, terms, trials, trial))
                return SUPERMARCHE_RUIN;
        }
        go_on(set, shop, row, AFTER_TRIP);
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
    if (shop.stage != SHOPPING) /* all trials have the same open cards */
        go_on(set, &shop, trials->row[0], (enum stage)shop.stage);
    for (unsigned trial = 0; trial < SUPERMARCHE_TRIALS; trial++) {
        struct shop copy = shop;
        sum += end_round(set, &copy, &terms, trials, trial);
    }
    return sum;
}
