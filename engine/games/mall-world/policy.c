/* A sensible player. It values every legal move in CHF.
 * Hidden information (rivals' hands and bids, piles) is replaced by assumptions: a rival who may
 * choose first leaves the worst card for us, a bid is about half the value of the choice, orders
 * grow until the end. */
#include <string.h>

#include "engine/games/mall-world/judge.h"
#include "engine/games/mall-world/moves.h"
#include "engine/games/mall-world/rules.h"
#include "engine/games/mall-world/state.h"
#include "engine/games/mall-world/turn.h"

/* Less than any value in CHF that a move can have. */
enum { IMPOSSIBLE = -1000000 };

/* What a player sees: rivals' hands, coins and sealed bids are empty in `state`. Piles are not
 * looked at. */
struct sight {
    struct mall_world_state state; /* without the notes */
    unsigned seat;                 /* the viewing seat */
    struct mall_world_shops shops;
    struct mall_world_ledger own;    /* its orders */
    struct mall_world_ledger theirs; /* what rivals have confirmed */
    int32_t rivals;
    bool is_judged[CARDS];
    int32_t best_gain[CARDS]; /* of cards that are judged */
};

/* How much the realisation adds to the value of the mall for the player, in CHF: its own orders and
 * their prospects, less what rivals have confirmed, on average. */
static int32_t mall_world_gain(const struct mall_world_components *set, struct sight *sight,
                               struct realization realization)
{
    int32_t own = mall_world_change(set, &sight->state, &sight->shops, &sight->own, realization);
    if (sight->rivals == 0)
        return own;
    const int32_t before = sight->theirs.worth;
    const int32_t after =
        before + mall_world_change(set, &sight->state, &sight->shops, &sight->theirs, realization);
    return own - (after / sight->rivals - before / sight->rivals);
}

static int32_t best_of_rooms(const struct mall_world_components *set, struct sight *sight,
                             struct realization realization, rooms sites, int32_t best)
{
    while (sites != 0) {
        realization.square = mall_world_next_room(&sites);
        int32_t gain = mall_world_gain(set, sight, realization);
        best = gain > best ? gain : best;
    }
    return best;
}

/* The best gain that a card allows now, IMPOSSIBLE if it cannot be realised. */
static int32_t find_best_gain(const struct mall_world_components *set, struct sight *sight,
                              unsigned card)
{
    const struct mall_world_card *type = &set->cards[card];
    int32_t best = IMPOSSIBLE;
    for (unsigned which = 0; which < mall_world_card_uses(set, card); which++)
        best = best_of_rooms(set, sight,
                             (struct realization){(uint8_t)card, false, type->use[which], 0},
                             mall_world_building_sites(set, &sight->state, card, which), best);
    for (unsigned i = 0; i < type->chain_count; i++) {
        uint8_t group = set->chains[type->chain[i]].group;
        best = best_of_rooms(set, sight, (struct realization){(uint8_t)card, true, group, 0},
                             mall_world_letting_sites(set, &sight->state, type->chain[i]), best);
    }
    return best;
}

static int32_t mall_world_best_gain(const struct mall_world_components *set, struct sight *sight,
                                    unsigned card)
{
    if (!sight->is_judged[card]) {
        sight->is_judged[card] = true;
        sight->best_gain[card] = find_best_gain(set, sight, card);
    }
    return sight->best_gain[card];
}

enum {
    ORDERS_WANTED = 3,        /* orders wanted in hand */
    RENT_GROWTH = 2500,       /* a round, of a rent order from the lobby */
    USE_GROWTH = 4000,        /* of a use order, in the first round only */
    WORTH_CONFIRMING = 12000, /* CHF, before the last round; twice as much of the last orders */
    USE_WORTH_CONFIRMING = 6000,
    FEW_ORDERS = 2,
    HELP_TO_RIVALS = 3000, /* CHF, for a card that a rival realises */
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

static int32_t growth(const struct mall_world_components *set, const struct sight *sight,
                      unsigned order)
{
    unsigned round = sight->state.round;
    if (set->orders[order].kind == USE_ORDER)
        return round == 1 ? USE_GROWTH : 0;
    int32_t rounds = sight->state.last_turns_run ? 0 : (int32_t)(ROUNDS - round);
    return RENT_GROWTH * rounds + (round == ROUNDS ? 0 : RENT_GROWTH);
}

static int32_t value_accept(const struct mall_world_components *set, const struct sight *sight,
                            const struct mall_world_option *move)
{
    const uint8_t order = move->id[0];
    const uint8_t site = mall_world_site_of(&sight->state, order);
    if (mall_world_hand_orders(&sight->state, sight->seat) >= ORDERS_WANTED)
        return IMPOSSIBLE;
    return mall_world_income(set, &sight->state, order) + growth(set, sight, order) -
           set->site_price[site] - USUAL_BID;
}

/* In the last round an order is confirmed or lost; before that, it may grow if there is time. */
static int32_t value_confirm(const struct mall_world_components *set, const struct sight *sight,
                             const struct mall_world_option *move)
{
    const uint8_t order = move->id[0];
    int32_t income = mall_world_income(set, &sight->state, order);
    int32_t paid = income + set->bribe_value[move->id[1]];
    if (sight->state.round == ROUNDS || sight->state.last_turns_run)
        return paid > 0 ? 2 * paid : paid;
    bool use_order = set->orders[order].kind == USE_ORDER;
    unsigned waiting = mall_world_hand_orders(&sight->state, sight->seat);
    int32_t wanted = use_order ? USE_WORTH_CONFIRMING : WORTH_CONFIRMING;
    if (!use_order && waiting <= FEW_ORDERS)
        wanted *= 2;
    return income >= wanted ? paid : paid - wanted - HELP_TO_RIVALS;
}

/* ---- Approval cards ---- */

static int32_t value_offer(const struct mall_world_components *set, struct sight *sight,
                           const struct mall_world_option *move)
{
    int32_t worst = mall_world_best_gain(set, sight, move->id[0]);
    if (move->ids == 1)
        return worst - COIN_VALUE;
    for (size_t i = 1; i < move->ids; i++) {
        int32_t gain = mall_world_best_gain(set, sight, move->id[i]);
        worst = gain < worst ? gain : worst;
    }
    if (move->ids == 2)
        return worst - HELP_TO_RIVALS;
    return worst + USUAL_BID - 2 * HELP_TO_RIVALS;
}

static int32_t value_bid(const struct mall_world_components *set, struct sight *sight,
                         const struct mall_world_option *move)
{
    int32_t best = 0;
    for (unsigned card = 0; card < CARDS; card++)
        if (sight->state.offer[card] > 0)
            best = at_least(mall_world_best_gain(set, sight, card), best);
    int32_t coins = sight->state.coins[sight->seat] - COINS_KEPT;
    int32_t wanted = best / BID_WORTH;
    wanted = wanted > BID_MOST ? BID_MOST : wanted;
    wanted = wanted > coins ? at_least(coins, 0) : wanted;
    return move->id[0] == wanted ? 1 : 0;
}

static int32_t value_realize(const struct mall_world_components *set, struct sight *sight,
                             const struct mall_world_option *move)
{
    return mall_world_gain(
        set, sight,
        (struct realization){move->id[0], move->verb == VERB_RENT, move->id[1], move->id[2]});
}

/* One place in hand is kept free for an order until the last round. */
static int32_t value_take(const struct mall_world_components *set, struct sight *sight,
                          const struct mall_world_option *move)
{
    size_t limit = sight->state.round == ROUNDS ? HAND_MAX : HAND_MAX - 1;
    if (mall_world_hand_size(&sight->state, sight->seat) + move->ids > limit)
        return -1;
    int32_t value = 0;
    for (size_t i = 0; i < move->ids; i++)
        value += at_least(mall_world_best_gain(set, sight, move->id[i]), 0) + CARD_WORTH;
    return value;
}

static int32_t value_of(const struct mall_world_components *set, struct sight *sight,
                        const struct mall_world_option *move)
{
    switch ((enum verb)move->verb) {
    case VERB_ACCEPT:
        return value_accept(set, sight, move);
    case VERB_OFFER:
        return value_offer(set, sight, move);
    case VERB_CONFIRM:
        return value_confirm(set, sight, move);
    case VERB_BID:
        return value_bid(set, sight, move);
    case VERB_BUILD:
    case VERB_RENT:
        return value_realize(set, sight, move);
    case VERB_TAKE:
        return value_take(set, sight, move);
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

static void look(const struct mall_world_components *set, struct sight *sight,
                 const struct mall_world_state *state, unsigned seat)
{
    memset(sight, 0, sizeof *sight);
    memcpy(&sight->state, state, offsetof(struct mall_world_state, notes));
    sight->seat = seat;
    mall_world_look_at_shops(set, state, &sight->shops);
    mall_world_add_orders(set, state, state->held[seat] | state->confirmed[seat], &sight->own);
    for (unsigned rival = 0; rival < state->seats; rival++) {
        if (rival == seat)
            continue;
        memset(sight->state.hand[rival], 0, sizeof sight->state.hand[rival]);
        sight->state.held[rival] = 0;
        sight->state.coins[rival] = 0;
        sight->state.bid[rival] = 0;
        sight->rivals++;
        mall_world_add_orders(set, state, state->confirmed[rival], &sight->theirs);
    }
}

static int32_t weigh(const struct mall_world_components *set, struct sight *sight,
                     const struct mall_world_option *option)
{
    int32_t value = value_of(set, sight, option);
    return value < IMPOSSIBLE ? IMPOSSIBLE : value;
}

void mall_world_weigh(const struct game *game, const void *state, unsigned seat,
                      const struct move_list *legal, int32_t *weight)
{
    const struct mall_world_components *set = game->set;
    struct mall_world_option options[LEGAL_MAX];
    struct sight sight;
    size_t count = mall_world_list_options(set, state, seat, options);
    assert(count == legal->count);
    (void)count;
    look(set, &sight, state, seat);
    for (size_t i = 0; i < legal->count; i++)
        weight[i] = weigh(set, &sight, &options[i]);
}

void mall_world_play_best(const struct game *game, void *state, unsigned seat,
                          const struct chance *chance)
{
    const struct mall_world_components *set = game->set;
    struct mall_world_option options[LEGAL_MAX];
    struct sight sight;
    size_t count = mall_world_list_options(set, state, seat, options);
    size_t best = 0;
    if (count > 1) {
        look(set, &sight, state, seat);
        int32_t most = weigh(set, &sight, &options[0]);
        for (size_t i = 1; i < count; i++) {
            int32_t weight = weigh(set, &sight, &options[i]);
            if (weight <= most)
                continue;
            most = weight;
            best = i;
        }
    }
    mall_world_make_move(set, state, seat, &options[best], chance);
}
