/* A sensible player: it takes the MOVE with the highest gain, otherwise spends customers on a
 * Department Store if the tokens pay for them, otherwise opens Stores and lays track near
 * customers. It plans anew at every decision, and reads neither rivals' hands nor piles. */
#include <string.h>

#include "engine/games/shinjuku/judge.h"
#include "engine/games/shinjuku/moves.h"
#include "engine/games/shinjuku/rules.h"
#include "engine/games/shinjuku/state.h"

struct sight {
    const struct shinjuku_state *state; /* what rivals have earned is not looked at */
    unsigned seat;                      /* that decides */
    bool second_action;
    uint32_t held;  /* bit w: the seat has a card of ward w */
    uint32_t own;   /* bit w: the seat has a Store in ward w */
    uint32_t wilds; /* bit w: cards of ward w are wildcards for the seat */
};

/* The value of the rest of a MOVE from the group's station, for the planning player. It continues
 * with `first`, NONE if stopping is best. */
struct plan {
    int32_t value;
    uint8_t first;
};

/* Judging a position: the value of a collection, the customers in reach, and the ride of a group of
 * customers. All numbers are integers and all searches bounded, so a position gets the same advice
 * on every machine. */

enum {
    STEPS_MAX = 12,     /* steps of a planned ride */
    PLAN_NODES = 2500,  /* stations examined for one plan */
    RIVAL_CUSTOMER = 9, /* harm of a customer for a rival, shared among the rivals */
    RIVAL_INCOME = 2    /* harm of cards for a rival */
};

/* The value that one more customer would add. */
static int32_t gain(const struct shinjuku_state *state, unsigned seat, uint8_t kind)
{
    uint8_t earned[KINDS];
    memcpy(earned, state->earned[seat], sizeof earned);
    earned[kind]++;
    return shinjuku_worth(earned, state->bonus[seat]) -
           shinjuku_worth(state->earned[seat], state->bonus[seat]);
}

/* The customer to give up, or take, in the Store where the group stands. */
static uint8_t shinjuku_choose_customer(const struct shinjuku_state *state, unsigned seat)
{
    bool own = state->store_owner[state->current] == seat;
    uint8_t chosen = NONE;
    int32_t best = 0;
    for (uint8_t kind = 0; kind < KINDS; kind++) {
        if (state->group[kind] == 0 || !shinjuku_sells(state, state->current, kind))
            continue;
        int32_t wish = gain(state, seat, kind);
        if (!own)
            wish = -wish;
        if (chosen == NONE || wish > best) {
            chosen = kind;
            best = wish;
        }
    }
    return chosen;
}

struct search {
    struct shinjuku_state *state; /* scratch, restored after every step */
    unsigned seat;
    unsigned nodes; /* nodes left to examine */
};

static int32_t give_here(const struct search *search)
{
    struct shinjuku_state *state = search->state;
    uint8_t kind = shinjuku_choose_customer(state, search->seat);
    if (kind == NONE)
        return 0;
    uint8_t owner = state->store_owner[state->current];
    int32_t value = owner == search->seat
                        ? gain(state, search->seat, kind)
                        : -RIVAL_CUSTOMER * shinjuku_kinds[kind].value / (state->seats - 1);
    state->group[kind]--;
    state->earned[owner][kind]++;
    return value;
}

/* True if track, of which the group's station is part, leads to a Store of the seat's that sells
 * what the group wants. No other ride is worth anything. */
static bool leads_to_own_store(const struct shinjuku_state *state, unsigned seat)
{
    uint64_t seen = 0;
    uint64_t next = UINT64_C(1) << state->current;
    for (uint64_t here = next; here != 0; here = next & ~seen) {
        unsigned at = (unsigned)__builtin_ctzll(here);
        const struct shinjuku_station *station = &shinjuku_stations[at];
        seen |= UINT64_C(1) << at;
        if (at != state->current && state->store_owner[at] == seat)
            for (unsigned kind = 0; kind < KINDS; kind++)
                if (state->group[kind] > 0 && shinjuku_sells(state, at, kind))
                    return true;
        for (unsigned i = 0; i < station->link_count; i++)
            if (!state->visited[station->link[i].station] &&
                shinjuku_has_rails(state, station->link[i].connection))
                next |= UINT64_C(1) << station->link[i].station;
    }
    return false;
}

static struct plan best_way_on(struct search *search, unsigned steps);

/* Rides to a station and searches from there; restores the position before it returns. */
static int32_t ride(struct search *search, struct shinjuku_link link, unsigned steps)
{
    struct shinjuku_state *state = search->state;
    uint8_t group[KINDS];
    uint8_t earned[SEATS_MAX][KINDS];
    uint8_t from = state->current;
    uint8_t crossed = state->crossed;
    memcpy(group, state->group, sizeof group);
    memcpy(earned, state->earned, sizeof earned);

    int32_t value = 0;
    uint8_t owner = state->track_owner[link.connection];
    if (owner != NONE && owner != search->seat && (crossed >> owner & 1) == 0) {
        state->crossed |= (uint8_t)(1u << owner);
        value -= RIVAL_INCOME;
    }
    state->current = link.station;
    state->visited[link.station] = 1;
    value += give_here(search);
    value += best_way_on(search, steps - 1).value;

    state->visited[link.station] = 0;
    state->current = from;
    state->crossed = crossed;
    memcpy(state->group, group, sizeof group);
    memcpy(state->earned, earned, sizeof earned);
    return value;
}

static struct plan best_way_on(struct search *search, unsigned steps)
{
    struct plan plan = {0, NONE};
    const struct shinjuku_station *station = &shinjuku_stations[search->state->current];
    if (steps == 0 || shinjuku_customers(search->state->group) == 0 ||
        !leads_to_own_store(search->state, search->seat))
        return plan;
    for (unsigned i = 0; i < station->link_count && search->nodes > 0; i++) {
        struct shinjuku_link link = station->link[i];
        if (search->state->visited[link.station] ||
            !shinjuku_has_rails(search->state, link.connection))
            continue;
        search->nodes--;
        int32_t value = ride(search, link, steps);
        if (value > plan.value)
            plan = (struct plan){value, link.station};
    }
    return plan;
}

/* True if a group that starts there can be served, or ride on. */
static bool is_place_to_start(const struct shinjuku_state *state, uint8_t station)
{
    const struct shinjuku_station *start = &shinjuku_stations[station];
    for (unsigned i = 0; i < start->link_count; i++)
        if (shinjuku_has_rails(state, start->link[i].connection))
            return true;
    return state->store_owner[station] != NONE;
}

/* Plans a MOVE that starts in `station`, or that continues from the group's station. */
static struct plan shinjuku_plan_start(const struct sight *sight, uint8_t station)
{
    struct shinjuku_state state;
    struct search search = {&state, sight->seat, PLAN_NODES};
    if (!is_place_to_start(sight->state, station))
        return (struct plan){0, NONE};
    memcpy(&state, sight->state, offsetof(struct shinjuku_state, note));
    memcpy(state.group, state.customers[shinjuku_stations[station].ward], sizeof state.group);
    memset(state.visited, 0, sizeof state.visited);
    state.crossed = 0;
    state.current = station;
    state.visited[station] = 1;
    int32_t value = give_here(&search);
    struct plan plan = best_way_on(&search, STEPS_MAX);
    plan.value += value;
    return plan;
}

static struct plan shinjuku_plan_rest(const struct sight *sight)
{
    struct shinjuku_state state = *sight->state;
    struct search search = {&state, sight->seat, PLAN_NODES};
    return best_way_on(&search, STEPS_MAX);
}

enum {
    CARD_COST = 3,         /* value of a card, in the units of shinjuku_worth() */
    REACH_UNIT = 24,       /* reach worth one unit */
    DEPARTMENT_WORTH = 20, /* of selling everything */
    FINE = 16,             /* weights are in so many parts of a unit */
    NEVER = -100000
};

static int32_t cards_to_pay(const struct sight *sight, uint32_t wards)
{
    return (sight->held & (wards | sight->wilds)) != 0 ? 1 : CARDS_AS_A_WILDCARD;
}

static uint32_t ward_of(uint8_t station)
{
    return UINT32_C(1) << shinjuku_stations[station].ward;
}

static int32_t judge_move(const struct sight *sight, const struct shinjuku_move *move)
{
    int32_t value = shinjuku_plan_start(sight, move->word[0]).value;
    return value - CARD_COST * cards_to_pay(sight, ward_of(move->word[0]));
}

static int32_t judge_upgrade(const struct sight *sight, const struct shinjuku_move *move)
{
    const struct shinjuku_state *state = sight->state;
    uint8_t earned[KINDS];
    memcpy(earned, state->earned[sight->seat], sizeof earned);
    earned[move->word[1]]--;
    bool tokens = !state->advanced && state->upgrades < BONUS_STACKS;
    unsigned bonus = state->bonus[sight->seat];
    int32_t before = shinjuku_worth(state->earned[sight->seat], bonus);
    int32_t after =
        shinjuku_worth(earned, bonus + (tokens ? shinjuku_bonus_stacks[state->upgrades] : 0));
    int32_t store = state->final_phase ? 0 : DEPARTMENT_WORTH;
    return after - before + store - CARD_COST * cards_to_pay(sight, ward_of(move->word[0]));
}

/* A Store of the seat's. */
struct store {
    uint8_t station;
    struct shinjuku_way way;
    int32_t of[WARDS]; /* customers who wait and want what it sells */
};

/* What the actions of one decision have in common. */
struct context {
    uint8_t way_on; /* station, NONE to stop */
    struct shinjuku_waiting waiting;
    struct shinjuku_near near;
    uint64_t measured;              /* bit s: reach[s] is known */
    int32_t reach[STATIONS][GOODS]; /* of a Store in each station */
    uint64_t nearer[CONNECTIONS];   /* bit i: track there brings something nearer to store[i] */
    unsigned stores;                /* of the seat */
    struct store store[STATIONS];
};

static void look_at_store(const struct sight *sight, const struct shinjuku_map *map,
                          const struct shinjuku_waiting *waiting, struct store *store)
{
    bool sold[GOODS];
    shinjuku_measure(map, store->station, &store->way);
    for (unsigned good = 0; good < GOODS; good++)
        sold[good] = shinjuku_sells(sight->state, store->station, 2 * good);
    for (unsigned ward = 0; ward < WARDS; ward++) {
        store->of[ward] = 0;
        for (unsigned good = 0; good < GOODS; good++)
            store->of[ward] += sold[good] ? waiting->of[ward][good] : 0;
    }
}

/* True if track there would shorten ways from the Store. */
static bool is_shortcut(const struct shinjuku_way *way, unsigned connection)
{
    int apart = way->steps[shinjuku_connections[connection].a] -
                way->steps[shinjuku_connections[connection].b];
    return apart > 1 || apart < -1;
}

static void look_around(const struct sight *sight, struct context *context)
{
    const struct shinjuku_state *state = sight->state;
    struct shinjuku_map map;
    context->stores = 0;
    context->measured = 0;
    memset(context->nearer, 0, sizeof context->nearer);
    shinjuku_draw_map(state, &map);
    shinjuku_count_waiting(state, sight->seat, &context->waiting);
    shinjuku_look_near(&map, &context->waiting, &context->near);
    for (uint8_t station = 0; station < STATIONS; station++) {
        if (state->store_owner[station] != sight->seat)
            continue;
        struct store *store = &context->store[context->stores++];
        store->station = station;
        look_at_store(sight, &map, &context->waiting, store);
        for (unsigned i = 0; i < CONNECTIONS; i++)
            context->nearer[i] |= (uint64_t)is_shortcut(&store->way, i) << (context->stores - 1);
    }
}

static const int32_t *reach_of(struct context *context, unsigned station)
{
    if ((context->measured >> station & 1) == 0)
        shinjuku_store_reach(&context->near, &context->waiting, station, context->reach[station]);
    context->measured |= UINT64_C(1) << station;
    return context->reach[station];
}

static int32_t judge_open(const struct sight *sight, const struct shinjuku_move *move,
                          struct context *context)
{
    const struct shinjuku_state *state = sight->state;
    uint8_t station = move->word[0];
    unsigned good = move->verb == VERB_RELOCATE ? state->store_sells[move->word[1]] : move->word[1];
    int32_t more = reach_of(context, station)[good];
    if (move->verb == VERB_RELOCATE)
        more -= reach_of(context, move->word[1])[good];
    if (shinjuku_stations[station].sakura)
        more += more / 3;
    return FINE * (more / REACH_UNIT) - FINE * CARD_COST * cards_to_pay(sight, ward_of(station));
}

/* New track from end to end. Two connections meet in a station, which is then listed twice, or are
 * joined by the permanent connection. */
struct stretch {
    unsigned count; /* stations */
    uint8_t station[4];
    uint8_t joint; /* steps from the second to the third */
};

static bool are_joined(uint8_t a, uint8_t b)
{
    return a == b || (a == shinjuku_link_from && b == shinjuku_link_to) ||
           (a == shinjuku_link_to && b == shinjuku_link_from);
}

static struct stretch stretch_of(const struct shinjuku_expansion *expansion)
{
    const struct shinjuku_connection *one = &shinjuku_connections[expansion->connection[0]];
    if (expansion->connection[1] == NONE)
        return (struct stretch){2, {one->a, one->b}, 0};
    const struct shinjuku_connection *other = &shinjuku_connections[expansion->connection[1]];
    bool from_a = are_joined(one->a, other->a) || are_joined(one->a, other->b);
    uint8_t near = from_a ? one->a : one->b;
    bool to_a = are_joined(near, other->a);
    uint8_t far = to_a ? other->a : other->b;
    return (struct stretch){
        4, {from_a ? one->b : one->a, near, far, to_a ? other->b : other->a}, near != far};
}

static void bring_nearer(uint8_t *steps, unsigned to)
{
    if (*steps > to)
        *steps = (uint8_t)to;
}

/* Steps from a Store to the stations of a stretch of new track, which may be on the way. */
static void measure_stretch(const struct shinjuku_way *way, const struct stretch *stretch,
                            uint8_t steps[static 4])
{
    for (unsigned i = 0; i < stretch->count; i++)
        steps[i] = way->steps[stretch->station[i]];
    for (unsigned i = 1; i < stretch->count; i++)
        bring_nearer(&steps[i], steps[i - 1] + (i == 2 ? stretch->joint : 1u));
    for (unsigned i = stretch->count - 1; i > 0; i--)
        bring_nearer(&steps[i - 1], steps[i] + (i == 2 ? stretch->joint : 1u));
}

/* How many more customers can reach the Store, and by how much better. New track helps those whose
 * way from one of its stations on is the same as before, and who were further away. */
static int32_t reach_gained(const struct store *store, const struct stretch *stretch,
                            const struct shinjuku_near *near)
{
    uint8_t steps[4];
    int32_t more = 0;
    measure_stretch(&store->way, stretch, steps);
    unsigned nearest = SHINJUKU_FAR;
    for (unsigned i = 0; i < stretch->count; i++)
        if (steps[i] == store->way.steps[stretch->station[i]])
            steps[i] = SHINJUKU_FAR;
        else if (steps[i] < nearest)
            nearest = steps[i];
    for (unsigned far = nearest; far < SHINJUKU_FAR; far++) {
        const uint32_t further = ~near->within[far][store->station] & near->crowded;
        uint32_t wards = 0;
        if (further == 0)
            break;
        for (unsigned i = 0; i < stretch->count; i++)
            if (steps[i] <= far)
                wards |= near->within[far - steps[i]][stretch->station[i]];
        for (wards &= further; wards != 0; wards &= wards - 1)
            more += store->of[__builtin_ctz(wards)];
    }
    return more;
}

static int32_t judge_expand(const struct sight *sight, const struct shinjuku_move *move,
                            const struct context *context)
{
    const struct shinjuku_expansion *expansion = &shinjuku_expansions[move->word[0]];
    uint64_t nearer = context->nearer[expansion->connection[0]];
    int32_t more = 0;
    if (expansion->connection[1] != NONE)
        nearer |= context->nearer[expansion->connection[1]];
    if (nearer != 0) {
        const struct stretch stretch = stretch_of(expansion);
        for (; nearer != 0; nearer &= nearer - 1)
            more +=
                reach_gained(&context->store[__builtin_ctzll(nearer)], &stretch, &context->near);
    }
    int32_t cost =
        expansion->wards == 0 ? 0 : CARD_COST * (1 + cards_to_pay(sight, expansion->wards));
    return FINE * (more / REACH_UNIT) - FINE * cost;
}

/* INCOME ends the turn, so it waits for the second action. */
static int32_t judge_income(const struct sight *sight)
{
    int32_t held = (int32_t)shinjuku_hand_size(sight->state, sight->seat);
    int32_t drawn = held < INCOME_HAND ? INCOME_HAND - held : INCOME_EXTRA;
    return sight->second_action ? CARD_COST * drawn : 1;
}

static int32_t judge_payment(const struct sight *sight, const struct shinjuku_move *move)
{
    const struct shinjuku_state *state = sight->state;
    int32_t cost = 0;
    for (unsigned i = 0; i < move->count; i++) {
        uint8_t ward = move->word[i];
        cost += 4;
        cost += (sight->own >> ward & 1) != 0 ? 3 : 0;
        cost += shinjuku_customers(state->customers[ward]) > 0 ? 1 : 0;
    }
    return -cost;
}

static int32_t judge_matsuri(const struct sight *sight, const struct shinjuku_move *move)
{
    bool wild_already = (sight->own >> move->word[0] & 1) != 0;
    return wild_already ? 0 : sight->state->hand[sight->seat][move->word[0]];
}

static int32_t judge(const struct sight *sight, const struct shinjuku_move *move,
                     struct context *context)
{
    switch (move->verb) {
    case VERB_MATSURI:
        return FINE * judge_matsuri(sight, move);
    case VERB_OPEN:
    case VERB_RELOCATE:
        return judge_open(sight, move, context);
    case VERB_EXPAND:
        return judge_expand(sight, move, context);
    case VERB_INCOME:
        return FINE * judge_income(sight);
    case VERB_MOVE:
        return FINE * judge_move(sight, move);
    case VERB_UPGRADE:
        return FINE * judge_upgrade(sight, move);
    case VERB_PAY:
        return FINE * judge_payment(sight, move);
    case VERB_GIVE:
        return FINE * (move->word[0] == shinjuku_choose_customer(sight->state, sight->seat));
    case VERB_STEP:
        return FINE * (move->word[0] == context->way_on);
    case VERB_STOP:
        return FINE * (context->way_on == NONE);
    case VERB_END:
        return 0;
    }
    return NEVER;
}

void shinjuku_weigh(const void *opaque, unsigned seat, const struct move_list *legal,
                    int32_t *weight)
{
    const struct shinjuku_state *state = opaque;
    struct shinjuku_move moves[LEGAL_MAX];
    struct sight sight = {.state = state, .seat = seat, .second_action = state->action_number == 2};
    struct context context;
    sight.held = shinjuku_hand_wards(state, seat);
    sight.wilds = shinjuku_wild_wards(state, seat);
    for (uint8_t station = 0; station < STATIONS; station++)
        if (state->store_owner[station] == seat)
            sight.own |= ward_of(station);
    if (state->point == AT_ROUTE)
        context.way_on = shinjuku_plan_rest(&sight).first;
    if (state->point == AT_ACTION)
        look_around(&sight, &context);
    size_t count = shinjuku_list_moves(state, seat, moves);
    assert(count == legal->count);
    (void)count;
    for (size_t i = 0; i < legal->count; i++)
        weight[i] = judge(&sight, &moves[i], &context);
}
