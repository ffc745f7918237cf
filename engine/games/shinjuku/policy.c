/* A sensible player: it takes the MOVE with the highest gain, otherwise spends customers on a
 * Department Store if the tokens pay for them, otherwise opens Stores and lays track near
 * customers. It plans anew at every decision, and reads neither rivals' hands nor piles. */
#include <string.h>

#include "engine/games/shinjuku/judge.h"
#include "engine/games/shinjuku/moves.h"
#include "engine/games/shinjuku/rules.h"
#include "engine/games/shinjuku/state.h"

struct sight {
    struct shinjuku_state state; /* what rivals have earned is not looked at */
    unsigned seat;               /* that decides */
    bool second_action;
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

/* Plans a MOVE that starts in `station`, or that continues from the group's station. */
static struct plan shinjuku_plan_start(const struct sight *sight, uint8_t station)
{
    struct shinjuku_state state = sight->state;
    struct search search = {&state, sight->seat, PLAN_NODES};
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
    struct shinjuku_state state = sight->state;
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
    return shinjuku_payments(&sight->state, sight->seat, wards) != 0 ? 1 : CARDS_AS_A_WILDCARD;
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
    const struct shinjuku_state *state = &sight->state;
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

/* What the actions of one decision have in common. */
struct context {
    uint8_t way_on; /* station, NONE to stop */
    struct shinjuku_map map;
    struct shinjuku_waiting waiting;
    int32_t reach[STATIONS][GOODS];    /* of a Store in each station */
    struct shinjuku_way way[STATIONS]; /* the same */
    unsigned stores;                   /* of the seat */
    uint8_t store[STATIONS];
};

static void look_around(const struct sight *sight, struct context *context)
{
    const struct shinjuku_state *state = &sight->state;
    context->stores = 0;
    shinjuku_draw_map(state, &context->map);
    shinjuku_count_waiting(state, sight->seat, &context->waiting);
    for (uint8_t station = 0; station < STATIONS; station++) {
        shinjuku_measure(&context->map, station, &context->way[station]);
        shinjuku_store_reach(&context->way[station], &context->waiting, context->reach[station]);
        if (state->store_owner[station] == sight->seat)
            context->store[context->stores++] = station;
    }
}

static int32_t judge_open(const struct sight *sight, const struct shinjuku_move *move,
                          const struct context *context)
{
    const struct shinjuku_state *state = &sight->state;
    uint8_t station = move->word[0];
    unsigned good = move->verb == VERB_RELOCATE ? state->store_sells[move->word[1]] : move->word[1];
    int32_t more = context->reach[station][good];
    if (move->verb == VERB_RELOCATE)
        more -= context->reach[move->word[1]][good];
    if (shinjuku_stations[station].sakura)
        more += more / 3;
    return FINE * (more / REACH_UNIT) - FINE * CARD_COST * cards_to_pay(sight, ward_of(station));
}

/* True if a stretch of new track shortens any way from a Store. */
static bool is_shortcut(const struct shinjuku_way *way, const struct shinjuku_move *move)
{
    for (unsigned i = 0; i + 1 < move->count; i++) {
        int apart = way->steps[move->word[i]] - way->steps[move->word[i + 1]];
        if (apart > 1 || apart < -1)
            return true;
    }
    return false;
}

static int32_t judge_expand(const struct sight *sight, const struct shinjuku_move *move,
                            const struct context *context)
{
    struct shinjuku_map map = context->map;
    uint32_t wards = 0;
    int32_t more = 0;
    for (unsigned i = 0; i < move->count; i++)
        wards |= ward_of(move->word[i]);
    for (unsigned i = 0; i + 1 < move->count; i++) {
        map.rails[move->word[i]] |= UINT64_C(1) << move->word[i + 1];
        map.rails[move->word[i + 1]] |= UINT64_C(1) << move->word[i];
    }
    for (unsigned i = 0; i < context->stores; i++) {
        struct shinjuku_way way;
        int32_t reach[GOODS];
        uint8_t store = context->store[i];
        if (!is_shortcut(&context->way[store], move))
            continue;
        shinjuku_measure(&map, store, &way);
        shinjuku_store_reach(&way, &context->waiting, reach);
        more += shinjuku_reach_sold(&sight->state, store, reach) -
                shinjuku_reach_sold(&sight->state, store, context->reach[store]);
    }
    int32_t cost = move->count == 2 ? 0 : CARD_COST * (1 + cards_to_pay(sight, wards));
    return FINE * (more / REACH_UNIT) - FINE * cost;
}

/* INCOME ends the turn, so it waits for the second action. */
static int32_t judge_income(const struct sight *sight)
{
    int32_t held = (int32_t)shinjuku_hand_size(&sight->state, sight->seat);
    int32_t drawn = held < INCOME_HAND ? INCOME_HAND - held : INCOME_EXTRA;
    return sight->second_action ? CARD_COST * drawn : 1;
}

static int32_t judge_payment(const struct sight *sight, const struct shinjuku_move *move)
{
    const struct shinjuku_state *state = &sight->state;
    uint32_t wild = 0;
    for (uint8_t station = 0; station < STATIONS; station++)
        if (state->store_owner[station] == sight->seat)
            wild |= ward_of(station);
    int32_t cost = 0;
    for (unsigned i = 0; i < move->count; i++) {
        uint8_t ward = move->word[i];
        cost += 4;
        cost += (wild >> ward & 1) != 0 ? 3 : 0;
        cost += shinjuku_customers(state->customers[ward]) > 0 ? 1 : 0;
    }
    return -cost;
}

static int32_t judge_matsuri(const struct sight *sight, const struct shinjuku_move *move)
{
    struct shinjuku_state state = sight->state;
    state.matsuri = NONE;
    bool wild_already = (shinjuku_wild_wards(&state, sight->seat) >> move->word[0] & 1) != 0;
    return wild_already ? 0 : state.hand[sight->seat][move->word[0]];
}

static int32_t judge(const struct sight *sight, const struct shinjuku_move *move,
                     const struct context *context)
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
        return FINE * (move->word[0] == shinjuku_choose_customer(&sight->state, sight->seat));
    case VERB_STEP:
        return FINE * (move->word[0] == context->way_on);
    case VERB_STOP:
        return FINE * (context->way_on == NONE);
    case VERB_END:
        return 0;
    }
    return NEVER;
}

void shinjuku_weigh(const void *state, unsigned seat, const struct move_list *legal,
                    int32_t *weight)
{
    struct sight sight = {.state = *(const struct shinjuku_state *)state, .seat = seat};
    struct refusal refusal;
    sight.second_action = sight.state.action_number == 2;
    struct context context;
    context.way_on = sight.state.current == NONE ? NONE : shinjuku_plan_rest(&sight).first;
    if (sight.state.point == AT_ACTION)
        look_around(&sight, &context);
    for (size_t i = 0; i < legal->count; i++) {
        struct shinjuku_move move;
        bool read = shinjuku_read_move(move_list_get(legal, i), &move, &refusal);
        weight[i] = read ? judge(&sight, &move, &context) : NEVER;
    }
}
