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

/* What the collection would be worth with one more customer. */
static int32_t worth_with(const struct shinjuku_components *set, const struct shinjuku_state *state,
                          unsigned seat, uint8_t kind)
{
    uint8_t earned[KINDS];
    memcpy(earned, state->earned[seat], sizeof earned);
    earned[kind]++;
    return shinjuku_worth(set, earned, state->bonus[seat]);
}

/* The customer to give up, or take, in the Store where the group stands; `gain` becomes what the
 * customer would add to what the seat has. */
static uint8_t choose_customer(const struct shinjuku_components *set,
                               const struct shinjuku_state *state, unsigned seat, int32_t *gain)
{
    const bool own = state->store_owner[state->current] == seat;
    uint8_t chosen = NONE;
    int32_t worth = 0;
    for (uint8_t kind = 0; kind < KINDS; kind++) {
        if (state->group[kind] == 0 || !shinjuku_sells(state, state->current, kind))
            continue;
        if (chosen == NONE)
            worth = shinjuku_worth(set, state->earned[seat], state->bonus[seat]);
        const int32_t more = worth_with(set, state, seat, kind) - worth;
        if (chosen != NONE && (own ? more <= *gain : more >= *gain))
            continue;
        chosen = kind;
        *gain = more;
    }
    return chosen;
}

struct search {
    struct shinjuku_state *state; /* scratch, restored after every step */
    unsigned seat;
    unsigned nodes; /* nodes left to examine */
};

static int32_t give_here(const struct shinjuku_components *set, const struct search *search)
{
    struct shinjuku_state *state = search->state;
    int32_t gain = 0;
    uint8_t kind = choose_customer(set, state, search->seat, &gain);
    if (kind == NONE)
        return 0;
    uint8_t owner = state->store_owner[state->current];
    int32_t value = owner == search->seat
                        ? gain
                        : -RIVAL_CUSTOMER * set->kinds[kind].value / (state->seats - 1);
    state->group[kind]--;
    state->earned[owner][kind]++;
    return value;
}

/* True if track, of which the group's station is part, leads to a Store of the seat's that sells
 * what the group wants. No other ride is worth anything. */
static bool leads_to_own_store(const struct shinjuku_components *set,
                               const struct shinjuku_state *state, unsigned seat)
{
    uint64_t seen = 0;
    uint64_t next = UINT64_C(1) << state->current;
    for (uint64_t here = next; here != 0; here = next & ~seen) {
        unsigned at = (unsigned)__builtin_ctzll(here);
        const struct shinjuku_station *station = &set->stations[at];
        seen |= UINT64_C(1) << at;
        if (at != state->current && state->store_owner[at] == seat)
            for (unsigned kind = 0; kind < KINDS; kind++)
                if (state->group[kind] > 0 && shinjuku_sells(state, at, kind))
                    return true;
        for (unsigned i = 0; i < station->link_count; i++)
            if (!state->visited[station->link[i].station] &&
                shinjuku_has_rails(set, state, station->link[i].connection))
                next |= UINT64_C(1) << station->link[i].station;
    }
    return false;
}

static struct plan best_way_on(const struct shinjuku_components *set, struct search *search,
                               unsigned steps);

/* Rides to a station and searches from there; restores the position before it returns. */
static int32_t ride(const struct shinjuku_components *set, struct search *search,
                    struct shinjuku_link link, unsigned steps)
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
    value += give_here(set, search);
    value += best_way_on(set, search, steps - 1).value;

    state->visited[link.station] = 0;
    state->current = from;
    state->crossed = crossed;
    memcpy(state->group, group, sizeof group);
    memcpy(state->earned, earned, sizeof earned);
    return value;
}

static struct plan best_way_on(const struct shinjuku_components *set, struct search *search,
                               unsigned steps)
{
    struct plan plan = {0, NONE};
    const struct shinjuku_station *station = &set->stations[search->state->current];
    if (steps == 0 || shinjuku_customers(search->state->group) == 0 ||
        !leads_to_own_store(set, search->state, search->seat))
        return plan;
    for (unsigned i = 0; i < station->link_count && search->nodes > 0; i++) {
        struct shinjuku_link link = station->link[i];
        if (search->state->visited[link.station] ||
            !shinjuku_has_rails(set, search->state, link.connection))
            continue;
        search->nodes--;
        int32_t value = ride(set, search, link, steps);
        if (value > plan.value)
            plan = (struct plan){value, link.station};
    }
    return plan;
}

/* True if a group that starts there can be served, or ride on. */
static bool is_place_to_start(const struct shinjuku_components *set,
                              const struct shinjuku_state *state, uint8_t station)
{
    const struct shinjuku_station *start = &set->stations[station];
    for (unsigned i = 0; i < start->link_count; i++)
        if (shinjuku_has_rails(set, state, start->link[i].connection))
            return true;
    return state->store_owner[station] != NONE;
}

/* Plans a MOVE that starts in `station`, or that continues from the group's station. */
static struct plan shinjuku_plan_start(const struct shinjuku_components *set,
                                       const struct sight *sight, uint8_t station)
{
    struct shinjuku_state state;
    struct search search = {&state, sight->seat, PLAN_NODES};
    if (!is_place_to_start(set, sight->state, station))
        return (struct plan){0, NONE};
    memcpy(&state, sight->state, offsetof(struct shinjuku_state, note));
    memcpy(state.group, state.customers[set->stations[station].ward], sizeof state.group);
    memset(state.visited, 0, sizeof state.visited);
    state.crossed = 0;
    state.current = station;
    state.visited[station] = 1;
    int32_t value = give_here(set, &search);
    struct plan plan = best_way_on(set, &search, STEPS_MAX);
    plan.value += value;
    return plan;
}

static struct plan shinjuku_plan_rest(const struct shinjuku_components *set,
                                      const struct sight *sight)
{
    struct shinjuku_state state = *sight->state;
    struct search search = {&state, sight->seat, PLAN_NODES};
    return best_way_on(set, &search, STEPS_MAX);
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

static uint32_t ward_of(const struct shinjuku_components *set, uint8_t station)
{
    return UINT32_C(1) << set->stations[station].ward;
}

static int32_t judge_move(const struct shinjuku_components *set, const struct sight *sight,
                          const struct shinjuku_move *move)
{
    int32_t value = shinjuku_plan_start(set, sight, move->word[0]).value;
    return value - CARD_COST * cards_to_pay(sight, ward_of(set, move->word[0]));
}

static int32_t judge_upgrade(const struct shinjuku_components *set, const struct sight *sight,
                             const struct shinjuku_move *move)
{
    const struct shinjuku_state *state = sight->state;
    uint8_t earned[KINDS];
    memcpy(earned, state->earned[sight->seat], sizeof earned);
    earned[move->word[1]]--;
    bool tokens = !state->advanced && state->upgrades < BONUS_STACKS;
    unsigned bonus = state->bonus[sight->seat];
    int32_t before = shinjuku_worth(set, state->earned[sight->seat], bonus);
    int32_t after =
        shinjuku_worth(set, earned, bonus + (tokens ? set->bonus_stacks[state->upgrades] : 0));
    int32_t store = state->final_phase ? 0 : DEPARTMENT_WORTH;
    return after - before + store - CARD_COST * cards_to_pay(sight, ward_of(set, move->word[0]));
}

/* A Store of the seat's. */
struct store {
    uint8_t station;
    struct shinjuku_way way;
    int32_t of[WARDS]; /* customers who wait in each ward of shinjuku_near and want what it sells */
};

/* What the actions of one decision have in common. */
struct context {
    uint8_t way_on; /* station, NONE to stop */
    uint8_t given;  /* customer */
    struct shinjuku_waiting waiting;
    struct shinjuku_near near;
    uint64_t measured;              /* bit s: reach[s] is known */
    int32_t reach[STATIONS][GOODS]; /* of a Store in each station */
    unsigned stores;                /* of the seat */
    struct store store[STATIONS];
    bool expanded; /* gained[] is known */
    int32_t gained[EXPANSIONS];
};

static void look_at_store(const struct sight *sight, const struct shinjuku_map *map,
                          const struct context *context, struct store *store)
{
    bool sold[GOODS];
    shinjuku_measure(map, store->station, &store->way);
    for (unsigned good = 0; good < GOODS; good++)
        sold[good] = shinjuku_sells(sight->state, store->station, 2 * good);
    for (unsigned i = 0; i < context->near.crowds; i++) {
        const int32_t *of = context->waiting.of[context->near.ward[i]];
        int32_t sum = 0;
        for (unsigned good = 0; good < GOODS; good++)
            sum += sold[good] ? of[good] : 0;
        store->of[i] = sum;
    }
}

static void look_around(const struct shinjuku_components *set, const struct sight *sight,
                        struct context *context)
{
    const struct shinjuku_state *state = sight->state;
    struct shinjuku_map map;
    context->stores = 0;
    context->measured = 0;
    context->expanded = false;
    shinjuku_draw_map(set, state, &map);
    shinjuku_count_waiting(set, state, sight->seat, &context->waiting);
    shinjuku_look_near(set, &map, &context->waiting, &context->near);
    for (uint8_t station = 0; station < STATIONS; station++) {
        if (state->store_owner[station] != sight->seat)
            continue;
        struct store *store = &context->store[context->stores++];
        store->station = station;
        look_at_store(sight, &map, context, store);
    }
}

static const int32_t *reach_of(struct context *context, unsigned station)
{
    if ((context->measured >> station & 1) == 0)
        shinjuku_store_reach(&context->near, &context->waiting, station, context->reach[station]);
    context->measured |= UINT64_C(1) << station;
    return context->reach[station];
}

static int32_t judge_open(const struct shinjuku_components *set, const struct sight *sight,
                          const struct shinjuku_move *move, struct context *context)
{
    const struct shinjuku_state *state = sight->state;
    uint8_t station = move->word[0];
    unsigned good = move->verb == VERB_RELOCATE ? state->store_sells[move->word[1]] : move->word[1];
    int32_t more = reach_of(context, station)[good];
    if (move->verb == VERB_RELOCATE)
        more -= reach_of(context, move->word[1])[good];
    if (set->stations[station].sakura)
        more += more / 3;
    return FINE * (more / REACH_UNIT) -
           FINE * CARD_COST * cards_to_pay(sight, ward_of(set, station));
}

/* ---- New track ----
 *
 * Ways are computed for all crowded wards at once, in lanes as in struct shinjuku_near. */

/* The smaller one in each lane; all are below 128. */
static uint64_t least_of(uint64_t a, uint64_t b)
{
    const uint64_t tops = UINT64_C(0x8080808080808080);
    uint64_t b_less = ((a | tops) - b) & tops; /* or equal */
    uint64_t lanes = b_less | (b_less - (b_less >> 7));
    return (a & ~lanes) | (b & lanes);
}

/* The same number in each lane. */
static uint64_t in_all_lanes(unsigned number)
{
    return number * UINT64_C(0x0101010101010101);
}

/* Ways from a Store to crowded wards: as they are, and over new track. */
struct ways {
    const struct store *store;
    const struct shinjuku_near *near;
    unsigned words;
    uint64_t before[SHINJUKU_WORDS]; /* 0 where nobody wants what the Store sells */
    uint64_t over[CONNECTIONS][SHINJUKU_WORDS];
    int32_t gained[CONNECTIONS]; /* by a single connection */
};

static void begin_ways(struct ways *ways, const struct store *store,
                       const struct shinjuku_near *near)
{
    ways->store = store;
    ways->near = near;
    ways->words = (near->crowds + SHINJUKU_LANES - 1) / SHINJUKU_LANES;
    memcpy(ways->before, near->steps[store->station], sizeof ways->before);
    for (unsigned i = 0; i < near->crowds; i++)
        if (store->of[i] == 0)
            ways->before[i / SHINJUKU_LANES] &= ~(UINT64_C(0xff) << (i % SHINJUKU_LANES * 8));
}

/* The ways are at most those that reach a station in so many steps, and go on as before. */
static inline void go_through(const struct ways *ways, unsigned station, unsigned steps,
                              uint64_t *after)
{
    for (unsigned i = 0; i < ways->words; i++)
        after[i] = least_of(after[i], ways->near->steps[station][i] + in_all_lanes(steps));
}

/* How many more customers can reach the Store, and by how much better. */
static int32_t count_gain(const struct ways *ways, const uint64_t *after)
{
    int32_t more = 0;
    for (unsigned i = 0; i < ways->words; i++) {
        const int32_t *of = ways->store->of + (size_t)i * SHINJUKU_LANES;
        for (uint64_t closer = ways->before[i] - after[i]; closer != 0; closer >>= 8)
            more += *of++ * (int32_t)(closer & 0xff);
    }
    return more;
}

/* Track between two stations can only help if one of them is more than a step further away. */
static void go_over(const struct shinjuku_components *set, struct ways *ways, unsigned connection)
{
    const uint8_t *steps = ways->store->way.steps;
    const uint8_t a = set->connections[connection].a, b = set->connections[connection].b;
    uint64_t *after = ways->over[connection];
    memcpy(after, ways->before, sizeof ways->before);
    ways->gained[connection] = 0;
    if (steps[a] + 1 < steps[b])
        go_through(ways, b, steps[a] + 1u, after);
    else if (steps[b] + 1 < steps[a])
        go_through(ways, a, steps[b] + 1u, after);
    else
        return;
    ways->gained[connection] = count_gain(ways, after);
}

/* Two connections also help together if one end is further away from the other than they are
 * long. */
static int32_t gain_over_both(const struct ways *ways, const struct shinjuku_expansion *expansion)
{
    const uint8_t one = expansion->connection[0], other = expansion->connection[1];
    const uint8_t a = expansion->way[0], b = expansion->way[EXPANSION_STATIONS - 1];
    const unsigned length = expansion->way[2] == b ? 2 : 3;
    const unsigned to_a = ways->store->way.steps[a], to_b = ways->store->way.steps[b];
    const bool together = to_a + length < to_b || to_b + length < to_a;
    uint64_t after[SHINJUKU_WORDS];
    if (!together && (ways->gained[one] == 0 || ways->gained[other] == 0))
        return ways->gained[one] + ways->gained[other];
    for (unsigned i = 0; i < ways->words; i++)
        after[i] = least_of(ways->over[one][i], ways->over[other][i]);
    if (together)
        go_through(ways, to_a < to_b ? b : a, (to_a < to_b ? to_a : to_b) + length, after);
    return count_gain(ways, after);
}

/* What each piece of new track gains for a Store. */
static void add_gains(const struct shinjuku_components *set, const struct store *store,
                      const struct shinjuku_near *near, const struct shinjuku_track *track,
                      int32_t gained[static EXPANSIONS])
{
    struct ways ways;
    begin_ways(&ways, store, near);
    for (unsigned i = 0; i < set->connection_count; i++)
        go_over(set, &ways, i);
    for (unsigned i = 0; i < track->count; i++) {
        const struct shinjuku_expansion *expansion = &set->expansions[track->expansion[i]];
        gained[track->expansion[i]] += expansion->connection[1] == NONE
                                           ? ways.gained[expansion->connection[0]]
                                           : gain_over_both(&ways, expansion);
    }
}

static void find_gains(const struct shinjuku_components *set, const struct sight *sight,
                       struct context *context)
{
    struct shinjuku_track track;
    shinjuku_find_track(set, sight->state, sight->seat, &track);
    memset(context->gained, 0, sizeof context->gained);
    for (unsigned i = 0; i < context->stores; i++)
        add_gains(set, &context->store[i], &context->near, &track, context->gained);
    context->expanded = true;
}

static int32_t judge_expand(const struct shinjuku_components *set, const struct sight *sight,
                            const struct shinjuku_move *move, struct context *context)
{
    const struct shinjuku_expansion *expansion = &set->expansions[move->word[0]];
    if (!context->expanded)
        find_gains(set, sight, context);
    int32_t more = context->gained[move->word[0]];
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

static int32_t judge(const struct shinjuku_components *set, const struct sight *sight,
                     const struct shinjuku_move *move, struct context *context)
{
    switch (move->verb) {
    case VERB_MATSURI:
        return FINE * judge_matsuri(sight, move);
    case VERB_OPEN:
    case VERB_RELOCATE:
        return judge_open(set, sight, move, context);
    case VERB_EXPAND:
        return judge_expand(set, sight, move, context);
    case VERB_INCOME:
        return FINE * judge_income(sight);
    case VERB_MOVE:
        return FINE * judge_move(set, sight, move);
    case VERB_UPGRADE:
        return FINE * judge_upgrade(set, sight, move);
    case VERB_PAY:
        return FINE * judge_payment(sight, move);
    case VERB_GIVE:
        return FINE * (move->word[0] == context->given);
    case VERB_STEP:
        return FINE * (move->word[0] == context->way_on);
    case VERB_STOP:
        return FINE * (context->way_on == NONE);
    case VERB_END:
        return 0;
    }
    return NEVER;
}

/* What the moves of a decision have in common. */
static void begin(const struct shinjuku_components *set, const struct shinjuku_state *state,
                  unsigned seat, struct sight *sight, struct context *context)
{
    *sight =
        (struct sight){.state = state, .seat = seat, .second_action = state->action_number == 2};
    sight->held = shinjuku_hand_wards(state, seat);
    sight->wilds = shinjuku_wild_wards(set, state, seat);
    for (uint8_t station = 0; station < STATIONS; station++)
        if (state->store_owner[station] == seat)
            sight->own |= ward_of(set, station);
    int32_t gain = 0;
    if (state->point == AT_GIVE)
        context->given = choose_customer(set, state, seat, &gain);
    if (state->point == AT_ROUTE)
        context->way_on = shinjuku_plan_rest(set, sight).first;
    if (state->point == AT_ACTION)
        look_around(set, sight, context);
}

void shinjuku_weigh(const struct game *game, const void *state, unsigned seat,
                    const struct move_list *legal, int32_t *weight)
{
    const struct shinjuku_components *set = game->set;
    struct shinjuku_move moves[LEGAL_MAX];
    struct sight sight;
    struct context context;
    begin(set, state, seat, &sight, &context);
    size_t count = shinjuku_list_moves(set, state, seat, moves);
    assert(count == legal->count);
    (void)count;
    for (size_t i = 0; i < legal->count; i++)
        weight[i] = judge(set, &sight, &moves[i], &context);
}

/* The move as play() reads it: an `expand` names its stations. */
static struct shinjuku_move spelled_out(const struct shinjuku_components *set,
                                        struct shinjuku_move move)
{
    if (move.verb != VERB_EXPAND)
        return move;
    const struct shinjuku_expansion *expansion = &set->expansions[move.word[0]];
    const uint8_t *way = expansion->way;
    move.count = expansion->connection[1] == NONE ? 2 : way[2] == way[3] ? 3 : 4;
    memcpy(move.word, way, sizeof move.word);
    return move;
}

void shinjuku_play_best(const struct game *game, void *state, unsigned seat,
                        const struct chance *chance)
{
    const struct shinjuku_components *set = game->set;
    struct shinjuku_move moves[LEGAL_MAX];
    struct sight sight;
    struct context context;
    const size_t count = shinjuku_list_moves(set, state, seat, moves);
    size_t best = 0;
    if (count > 1) {
        begin(set, state, seat, &sight, &context);
        int32_t most = judge(set, &sight, &moves[0], &context);
        for (size_t i = 1; i < count; i++) {
            int32_t weight = judge(set, &sight, &moves[i], &context);
            if (weight <= most)
                continue;
            most = weight;
            best = i;
        }
    }
    const struct shinjuku_move move = spelled_out(set, moves[best]);
    shinjuku_make_move(set, state, &move, chance);
}
