/* A sensible player. It values every legal move in CHF and takes the best, the first among equals.
 * Hidden information (rivals' hands and bids, piles) is replaced by assumptions: a rival who may
 * choose first leaves the worst card for us, a bid is about half the value of the choice, orders
 * grow until the end. */
#include <jansson.h>
#include <string.h>

#include "engine/game/view_parts.h"
#include "engine/games/mall-world/moves.h"
#include "engine/games/mall-world/rules.h"
#include "engine/games/mall-world/state.h"
#include "engine/games/mall-world/turn.h"

/* Less than any value in CHF that a move can have. */
enum { IMPOSSIBLE = -1000000 };

/* What a player sees. `state` holds only what the view contains: rivals' hands and coins, all piles
 * and sealed bids are empty. */
struct sight {
    struct mall_world_state state;
    unsigned seat; /* the viewing seat */
};

/* Rebuilds a position from the JSON of a view, as far as the player can know it. */

static rooms read_rooms(const json_t *list)
{
    rooms set = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        uint8_t square = mall_world_room_named(view_read_text(json_array_get(list, i)));
        if (square != NONE)
            set |= mall_world_room(square);
    }
    return set;
}

static void read_shops(struct mall_world_state *state, const json_t *shops)
{
    for (unsigned i = 0; i < ROOMS; i++) {
        const json_t *shop = json_object_get(shops, mall_world_rooms[i].name.at);
        rooms room = mall_world_room(mall_world_rooms[i].square);
        uint8_t use = mall_world_use_named(view_read_text(json_object_get(shop, "use")));
        uint8_t group = mall_world_group_named(view_read_text(json_object_get(shop, "group")));
        if (use != NONE)
            state->tile[use] |= room;
        if (group != NONE)
            state->chip[group] |= room;
    }
}

static void read_lobby(struct mall_world_state *state, const json_t *lobby)
{
    for (size_t i = 0; i < json_array_size(lobby) && i < SITES; i++) {
        const json_t *order = json_object_get(json_array_get(lobby, i), "order");
        uint8_t index = mall_world_order_named(view_read_text(order));
        if (index != NONE)
            state->lobby[state->lobby_orders++] = index;
    }
}

static void read_bureau(struct mall_world_state *state, const json_t *bureau)
{
    for (size_t i = 0; i < json_array_size(bureau); i++) {
        uint8_t bribe = mall_world_bribe_of(json_integer_value(json_array_get(bureau, i)));
        if (bribe != NONE)
            state->bribes[bribe]++;
    }
}

/* The player is the seat whose coins can be seen. */
static void read_player(struct sight *sight, const json_t *player, unsigned seat)
{
    struct mall_world_state *state = &sight->state;
    const json_t *coins = json_object_get(player, "coins");
    state->confirmed[seat] =
        view_read_set(json_object_get(player, "confirmed"), mall_world_order_named);
    if (coins == NULL)
        return;
    sight->seat = seat;
    state->coins[seat] = view_read_number(coins);
    state->held[seat] = view_read_set(json_object_get(player, "orders"), mall_world_order_named);
    view_read_counts(json_object_get(player, "cards"), mall_world_card_named, state->hand[seat]);
}

/* Reads a view made for a seat. Missing fields count as empty. */
static void mall_world_read_view(struct sight *sight, const json_t *view)
{
    struct mall_world_state *state = &sight->state;
    memset(sight, 0, sizeof *sight);
    state->seats = view_read_number(json_object_get(view, "seats"));
    state->active = view_read_number(json_object_get(view, "active")) % SEATS_MAX;
    state->round = view_read_number(json_object_get(view, "round"));
    state->rents_open = json_is_true(json_object_get(view, "rents_open"));
    state->offer_made = json_is_true(json_object_get(view, "offer_made"));
    state->confirm_made = json_is_true(json_object_get(view, "confirm_made"));
    state->last_turns_run = json_is_integer(json_object_get(view, "last_turns"));
    state->last_turns = view_read_number(json_object_get(view, "last_turns"));
    state->covered = read_rooms(json_object_get(view, "covered"));
    read_shops(state, json_object_get(view, "shops"));
    read_lobby(state, json_object_get(view, "lobby"));
    read_bureau(state, json_object_get(view, "bureau"));
    view_read_counts(json_object_get(view, "display"), mall_world_card_named, state->display);
    const json_t *auction = json_object_get(view, "auction");
    view_read_counts(json_object_get(auction, "cards"), mall_world_card_named, state->offer);
    state->offered = view_read_number(json_object_get(auction, "offered"));
    const json_t *players = json_object_get(view, "players");
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        read_player(sight, json_array_get(players, seat), seat);
}

/* The value of a mall for a player: what its orders count now, and a share of what they may count
 * with the shops in place. */

/* CHF for each shop or pair that needs one more chip, or two */
enum { RENT_PROSPECT = 700, PAIR_PROSPECT = 3500, FAR_PAIR_PROSPECT = 900, SITE_PROSPECT = 150 };

static unsigned neighbours(rooms a, rooms b)
{
    return mall_world_room_count(mall_world_neighbours(a) & b);
}

/* For each chain store at most as many shops as there are chips. */
static int32_t rent_prospect(const struct mall_world_state *state, unsigned chain)
{
    const struct mall_world_chain *store = &mall_world_chains[chain];
    unsigned ready = mall_world_room_count(mall_world_vacant(state, store->use));
    unsigned chips = mall_world_chips_left(state, store->group);
    return (int32_t)(ready < chips ? ready : chips) * RENT_PROSPECT;
}

static int32_t special_prospect(const struct mall_world_state *state, unsigned a, unsigned b)
{
    rooms first = mall_world_chain_rooms(state, a);
    rooms second = mall_world_chain_rooms(state, b);
    rooms first_ready = mall_world_vacant(state, mall_world_chains[a].use);
    rooms second_ready = mall_world_vacant(state, mall_world_chains[b].use);
    unsigned near = neighbours(first, second_ready) + neighbours(second, first_ready);
    return (int32_t)near * PAIR_PROSPECT +
           (int32_t)neighbours(first_ready, second_ready) * FAR_PAIR_PROSPECT;
}

static int32_t prospect(const struct mall_world_state *state, unsigned order)
{
    const struct mall_world_order *card = &mall_world_orders[order];
    if (card->kind == RENT_ORDER)
        return rent_prospect(state, card->first) + rent_prospect(state, card->second);
    if (card->kind == SPECIAL_ORDER)
        return special_prospect(state, card->first, card->second);
    rooms empty = mall_world_empty(state);
    return (int32_t)(neighbours(mall_world_vacant(state, card->first), empty) +
                     neighbours(mall_world_vacant(state, card->second), empty)) *
           SITE_PROSPECT;
}

static int32_t orders_worth(const struct mall_world_state *state, uint32_t orders)
{
    int32_t worth = 0;
    for (unsigned order = 0; order < ORDERS; order++)
        if ((orders >> order & 1) != 0)
            worth += mall_world_income(state, order) + prospect(state, order);
    return worth;
}

/* The value of the mall for the player, in CHF: its own orders and their prospects, less what
 * rivals have confirmed. Only differences between two malls are meaningful. */
static int32_t mall_world_worth(const struct sight *sight, const struct mall_world_state *state)
{
    const struct mall_world_state *seen = &sight->state;
    int32_t worth = orders_worth(state, seen->held[sight->seat] | seen->confirmed[sight->seat]);
    int32_t rivals = 0;
    int32_t theirs = 0;
    for (unsigned seat = 0; seat < seen->seats; seat++) {
        if (seat == sight->seat)
            continue;
        rivals++;
        theirs += orders_worth(state, seen->confirmed[seat]);
    }
    return rivals == 0 ? worth : worth - theirs / rivals;
}

/* How much the realisation adds to the value of the mall. */
static int32_t mall_world_gain(const struct sight *sight, struct realization realization)
{
    struct mall_world_state after = sight->state;
    rooms room = mall_world_room(realization.square);
    if (realization.lets)
        after.chip[realization.what] |= room;
    else
        after.tile[realization.what] |= room;
    return mall_world_worth(sight, &after) - mall_world_worth(sight, &sight->state);
}

static int32_t best_of_rooms(const struct sight *sight, struct realization realization, rooms sites,
                             int32_t best)
{
    while (sites != 0) {
        realization.square = mall_world_next_room(&sites);
        int32_t gain = mall_world_gain(sight, realization);
        best = gain > best ? gain : best;
    }
    return best;
}

/* The best gain that a card allows now, IMPOSSIBLE if it cannot be realised. */
static int32_t mall_world_best_gain(const struct sight *sight, unsigned card)
{
    const struct mall_world_card *type = &mall_world_cards[card];
    int32_t best = IMPOSSIBLE;
    for (unsigned which = 0; which < mall_world_card_uses(card); which++)
        best = best_of_rooms(sight, (struct realization){(uint8_t)card, false, type->use[which], 0},
                             mall_world_building_sites(&sight->state, card, which), best);
    for (unsigned i = 0; i < type->chain_count; i++) {
        uint8_t group = mall_world_chains[type->chain[i]].group;
        best = best_of_rooms(sight, (struct realization){(uint8_t)card, true, group, 0},
                             mall_world_letting_sites(&sight->state, type->chain[i]), best);
    }
    return best;
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

/* In the last round an order is confirmed or lost; before that, it may grow if there is time. */
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

/* One place in hand is kept free for an order until the last round. */
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
