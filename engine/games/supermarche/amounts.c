#include "engine/games/supermarche/amounts.h"

enum { SCALE = SUPERMARCHE_SCALE };

/* ---- Demand ---- */

/* The average content of a customer's cart. */
static void add_cart(unsigned demand[static FOODS], const struct supermarche_customer *customer,
                     unsigned items)
{
    for (unsigned food = 0; food < FOODS; food++)
        demand[food] += customer->rolls[food] * items;
}

static void add_average_carts(const struct supermarche_components *set,
                              unsigned demand[static FOODS], unsigned carts)
{
    for (unsigned food = 0; food < FOODS; food++)
        demand[food] += carts * set->carts[food] / CUSTOMERS;
}

void supermarche_estimate_demand(const struct supermarche_components *set,
                                 const struct supermarche_state *state,
                                 unsigned demand[static FOODS])
{
    for (unsigned food = 0; food < FOODS; food++)
        demand[food] = 1;
    for (unsigned position = 0; position < ROW; position++) {
        uint8_t customer = supermarche_customer_at(state, position);
        if (state->row[position] == CARD_UP)
            add_cart(demand, &set->customers[customer], set->customers[customer].cart);
        else if (state->row[position] == CARD_SHOPPING)
            add_cart(demand, &set->customers[customer], state->space);
    }
    add_average_carts(set, demand, supermarche_cards(state, CARD_DOWN));
}

bool supermarche_is_amount(const struct supermarche_state *state)
{
    return state->point == AT_DELIVERY || state->point == AT_STOCKING || state->point == AT_RESTOCK;
}

/* ---- Delivery ---- */

/* A purchase being composed. */
struct composing {
    unsigned cubes[FOODS]; /* in the shop, including the order */
    unsigned most[FOODS];  /* that may still be ordered */
    unsigned cost[FOODS];
    unsigned money, room;
};

static void begin(const struct supermarche_components *set, const struct supermarche_state *state,
                  unsigned reserve, struct composing *now)
{
    const unsigned money = state->money > 0 ? (unsigned)state->money : 0;
    *now = (struct composing){.money = money > reserve ? money - reserve : 0,
                              .room = STOCK_ROOM_MAX - supermarche_stock_size(state)};
    for (unsigned food = 0; food < FOODS; food++) {
        now->cubes[food] = supermarche_shelf(state, food) + supermarche_kept(state, food);
        now->most[food] = supermarche_buy_max(set, state, food);
        now->cost[food] = supermarche_cost(set, state, food);
    }
}

/* The appeal of one more cube. */
static unsigned appeal(const struct supermarche_order *order, const struct composing *now,
                       unsigned food)
{
    const unsigned wanted = order->wanted[food];
    if (now->most[food] == 0 || now->cost[food] > now->money || now->cubes[food] * SCALE >= wanted)
        return 0;
    unsigned missing = (wanted - now->cubes[food] * SCALE) * 100 / wanted;
    return missing * order->worth[food] / (now->cost[food] + order->dear);
}

void supermarche_fill_order(const struct supermarche_components *set,
                            const struct supermarche_state *state,
                            const struct supermarche_order *order, unsigned ordered[static FOODS])
{
    struct composing now;
    begin(set, state, order->reserve, &now);
    for (unsigned food = 0; food < FOODS; food++)
        ordered[food] = 0;
    for (; now.room > 0; now.room--) {
        unsigned best = 0;
        unsigned best_appeal = 0;
        for (unsigned food = 0; food < FOODS; food++) {
            unsigned value = appeal(order, &now, food);
            if (value > best_appeal) {
                best = food;
                best_appeal = value;
            }
        }
        if (best_appeal == 0)
            return;
        now.money -= now.cost[best];
        now.cubes[best]++;
        now.most[best]--;
        ordered[best]++;
    }
}

/* ---- Stocking ---- */

/* The food in stock that is shortest on the shelves relative to demand; NONE if there is none. */
static unsigned shortest(const unsigned demand[static FOODS], const unsigned shelf[static FOODS],
                         const unsigned stock[static FOODS])
{
    unsigned best = NONE;
    for (unsigned food = 0; food < FOODS; food++)
        if (stock[food] > 0 &&
            (best == NONE || (shelf[food] + 1) * demand[best] < (shelf[best] + 1) * demand[food]))
            best = food;
    return best;
}

/* How many cubes of each food go to the Store. */
static void share_shelves(const struct supermarche_state *state,
                          const unsigned demand[static FOODS], unsigned moved[static FOODS])
{
    unsigned shelf[FOODS];
    unsigned stock[FOODS];
    for (unsigned food = 0; food < FOODS; food++) {
        shelf[food] = supermarche_shelf(state, food);
        stock[food] = PAIR(food, 0) < state->next_pair ? 0 : supermarche_kept(state, food);
        moved[food] = 0;
    }
    for (unsigned pair = state->next_pair; pair % BOXES != 0; pair++)
        stock[pair / BOXES] += state->stock[pair / BOXES][pair % BOXES];
    for (unsigned room = STORE_MAX - supermarche_store_size(state); room > 0; room--) {
        unsigned food = shortest(demand, shelf, stock);
        if (food == NONE)
            return;
        shelf[food]++;
        stock[food]--;
        moved[food]++;
    }
}

void supermarche_share_pairs(const struct supermarche_state *state,
                             const unsigned demand[static FOODS], unsigned moved[static PAIRS])
{
    unsigned of_food[FOODS];
    share_shelves(state, demand, of_food);
    for (unsigned pair = 0; pair < PAIRS; pair++) {
        unsigned most = pair < state->next_pair ? 0 : state->stock[pair / BOXES][pair % BOXES];
        unsigned *left = &of_food[pair / BOXES];
        moved[pair] = *left < most ? *left : most;
        *left -= moved[pair];
    }
}

/* ---- The usual amounts ---- */

enum {
    SPARE = 20,       /* percent bought beyond the demand */
    KEPT = 1 * SCALE, /* and this much of durable food */
    RESERVE = 6,      /* dollars to keep for penalties */
    LIKED = 10,       /* what a cube is worth beside its price, when foods are compared */
    DEAR = 6          /* and what it costs */
};

static unsigned target(const struct supermarche_components *set,
                       const struct supermarche_state *state, unsigned demand, unsigned food)
{
    unsigned amount = demand * (100 + SPARE) / 100;
    if (set->foods[food].lasts == 1)
        return demand;
    return state->round == ROUNDS ? amount : amount + KEPT;
}

void supermarche_usual_order(const struct supermarche_components *set,
                             const struct supermarche_state *state, unsigned ordered[static FOODS])
{
    struct supermarche_order order = {.reserve = RESERVE, .dear = DEAR};
    supermarche_estimate_demand(set, state, order.wanted);
    for (unsigned food = 0; food < FOODS; food++) {
        order.wanted[food] = target(set, state, order.wanted[food], food);
        order.worth[food] = set->foods[food].price + LIKED;
    }
    supermarche_fill_order(set, state, &order, ordered);
}

void supermarche_usual_shelves(const struct supermarche_components *set,
                               const struct supermarche_state *state, unsigned moved[static PAIRS])
{
    unsigned demand[FOODS];
    supermarche_estimate_demand(set, state, demand);
    supermarche_share_pairs(state, demand, moved);
}
