/* A sensible player. It gives every legal move a value in CHF and takes the best, the first one of
 * equals. What it cannot see (rivals' hands and bids, piles) it replaces by habits: a rival who may
 * choose first leaves the card that is worst for us, a bid is about half of what the choice is
 * worth, orders grow until the end. */
#include "engine/games/mall-world/advise.h"

#include "engine/games/mall-world/moves.h"
#include "engine/games/mall-world/rules.h"

enum {
    ORDERS_WANTED = 3,        /* in hand */
    RENT_GROWTH = 2500,       /* a round, of a rent order from the lobby */
    USE_GROWTH = 4000,        /* of a use order, in the first round only */
    WORTH_CONFIRMING = 12000, /* CHF, before the last round; twice as much of the last orders */
    USE_WORTH_CONFIRMING = 6000,
    FEW_ORDERS = 2,
    HELP_TO_RIVALS = 3000, /* CHF, of a card that somebody else realises */
    USUAL_BID = 1500,      /* CHF, paid to the seat that offers three cards */
    BID_WORTH = 2500,      /* CHF of gain for each coin bid */
    BID_MOST = 3,
    COINS_KEPT = 2,
    CARD_WORTH = 300 /* CHF, of a card that gains nothing now */
};

static int32_t at_least(int32_t value, int32_t floor)
{
    return value > floor ? value : floor;
}

/* ---- Orders ---- */

static int32_t growth(const struct sight *sight, unsigned order)
{
    unsigned round = sight->state.round;
    if (mall_world_orders[order].kind == USE_ORDER)
        return round == 1 ? USE_GROWTH : 0;
    int32_t rounds = sight->state.last_turns_run ? 0 : (int32_t)(ROUNDS - round);
    return RENT_GROWTH * rounds + (round == ROUNDS ? 0 : RENT_GROWTH);
}

static int32_t value_accept(const struct sight *sight, const struct mall_world_move *move)
{
    uint8_t order = mall_world_order_named(move->id[0]);
    uint8_t site = mall_world_site_of(&sight->state, order);
    if (order == NONE || site == NONE)
        return IMPOSSIBLE;
    if (mall_world_hand_orders(&sight->state, sight->seat) >= ORDERS_WANTED)
        return IMPOSSIBLE;
    return mall_world_income(&sight->state, order) + growth(sight, order) -
           mall_world_site_price[site] - USUAL_BID;
}

/* In the last round an order is confirmed or lost; before, it may grow if there is time for it. */
static int32_t value_confirm(const struct sight *sight, const struct mall_world_move *move)
{
    uint8_t order = mall_world_order_named(move->id[0]);
    if (order == NONE)
        return IMPOSSIBLE;
    int32_t income = mall_world_income(&sight->state, order);
    int32_t paid = income + (int32_t)move->number;
    if (sight->state.round == ROUNDS || sight->state.last_turns_run)
        return paid > 0 ? 2 * paid : paid;
    bool use_order = mall_world_orders[order].kind == USE_ORDER;
    unsigned waiting = mall_world_hand_orders(&sight->state, sight->seat);
    int32_t wanted = use_order ? USE_WORTH_CONFIRMING : WORTH_CONFIRMING;
    if (!use_order && waiting <= FEW_ORDERS)
        wanted *= 2;
    return income >= wanted ? paid : paid - wanted - HELP_TO_RIVALS;
}

/* ---- Approval cards ---- */

/* The best gain with the i-th card that the move names. */
static int32_t gain_with(const struct sight *sight, const struct mall_world_move *move, size_t i)
{
    uint8_t card = mall_world_card_named(move->id[i]);
    return card == NONE ? IMPOSSIBLE : mall_world_best_gain(sight, card);
}

static int32_t value_offer(const struct sight *sight, const struct mall_world_move *move)
{
    int32_t worst = gain_with(sight, move, 0);
    if (move->ids == 1)
        return worst - COIN_VALUE;
    for (size_t i = 1; i < move->ids && i < MOVE_IDS_MAX; i++) {
        int32_t gain = gain_with(sight, move, i);
        worst = gain < worst ? gain : worst;
    }
    if (move->ids == 2)
        return worst - HELP_TO_RIVALS;
    return worst + USUAL_BID - 2 * HELP_TO_RIVALS;
}

static int32_t value_bid(const struct sight *sight, const struct mall_world_move *move)
{
    int32_t best = 0;
    for (unsigned card = 0; card < CARDS; card++)
        if (sight->state.offer[card] > 0)
            best = at_least(mall_world_best_gain(sight, card), best);
    int32_t coins = sight->state.coins[sight->seat] - COINS_KEPT;
    int32_t wanted = best / BID_WORTH;
    wanted = wanted > BID_MOST ? BID_MOST : wanted;
    wanted = wanted > coins ? at_least(coins, 0) : wanted;
    return move->number == wanted ? 1 : 0;
}

static int32_t value_realize(const struct sight *sight, const struct mall_world_move *move)
{
    struct realization realization = {mall_world_card_named(move->id[0]), move->verb == VERB_RENT,
                                      0, mall_world_room_named(move->id[2])};
    realization.what =
        realization.lets ? mall_world_group_named(move->id[1]) : mall_world_use_named(move->id[1]);
    if (realization.card == NONE || realization.what == NONE || realization.square == NONE)
        return IMPOSSIBLE;
    return mall_world_gain(sight, realization);
}

/* One place in hand is kept for an order, until the last round. */
static int32_t value_take(const struct sight *sight, const struct mall_world_move *move)
{
    size_t limit = sight->state.round == ROUNDS ? HAND_MAX : HAND_MAX - 1;
    if (mall_world_hand_size(&sight->state, sight->seat) + move->ids > limit)
        return -1;
    int32_t value = 0;
    for (size_t i = 0; i < move->ids && i < MOVE_IDS_MAX; i++)
        value += at_least(gain_with(sight, move, i), 0) + CARD_WORTH;
    return value;
}

static int32_t value_of(const struct sight *sight, const struct mall_world_move *move)
{
    switch (move->verb) {
    case VERB_ACCEPT:
        return value_accept(sight, move);
    case VERB_OFFER:
        return value_offer(sight, move);
    case VERB_CONFIRM:
        return value_confirm(sight, move);
    case VERB_BID:
        return value_bid(sight, move);
    case VERB_BUILD:
    case VERB_RENT:
        return value_realize(sight, move);
    case VERB_TAKE:
        return value_take(sight, move);
    case VERB_REMOVE:
        return -IMPOSSIBLE; /* an unusable card only takes up room */
    case VERB_REFRESH:
        return IMPOSSIBLE;
    case VERB_PASS:
    case VERB_DONE:
        break;
    }
    return 0;
}

static unsigned point_of(const json_t *view)
{
    const char *decision = json_string_value(json_object_get(view, "decision"));
    unsigned point = AT_ACCEPT;
    while (decision != NULL && point < AT_OVER &&
           !span_is(span_of(decision), mall_world_point_name(point)))
        point++;
    return point;
}

size_t mall_world_advise(const json_t *view, const struct move_list *legal)
{
    struct sight sight;
    struct mall_world_move move;
    struct refusal refusal;
    size_t best = 0;
    int32_t best_value = INT32_MIN;
    unsigned point = point_of(view);
    mall_world_read_view(&sight, view);
    for (size_t i = 0; i < legal->count; i++) {
        if (!mall_world_read_move(move_list_get(legal, i), point, &move, &refusal))
            continue;
        int32_t value = value_of(&sight, &move);
        if (value > best_value) {
            best = i;
            best_value = value;
        }
    }
    return best;
}
