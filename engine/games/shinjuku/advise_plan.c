/* Judging a position: what a collection is worth, which customers can be reached, and where a group
 * of customers should ride. All numbers are whole and all searches bounded, so that a position gets
 * the same advice on every machine. */
#include "engine/games/shinjuku/advise.h"

#include <string.h>

#include "engine/games/shinjuku/rules.h"

enum {
    STEPS_MAX = 12,     /* of a planned ride */
    PLAN_NODES = 2500,  /* stations looked at for one plan */
    POINT = 4,          /* worth of a point */
    CUSTOMER = 3,       /* worth of a customer beside its points */
    RIVAL_CUSTOMER = 9, /* harm of a customer for a rival, shared among the rivals */
    RIVAL_INCOME = 2,   /* harm of cards for a rival */
    FAR = 9,            /* steps beyond which a customer is out of reach */
    UNBUILT = 4         /* steps that a connection without track counts for */
};

int32_t shinjuku_worth(const uint8_t earned[static KINDS], unsigned bonus)
{
    int32_t worth = POINT * shinjuku_score(earned, bonus);
    for (unsigned kind = 0; kind < KINDS; kind++)
        worth += CUSTOMER * earned[kind] * shinjuku_kinds[kind].value;
    return worth;
}

/* The worth that one more customer would add. */
static int32_t gain(const struct shinjuku_state *state, unsigned seat, uint8_t kind)
{
    uint8_t earned[KINDS];
    memcpy(earned, state->earned[seat], sizeof earned);
    earned[kind]++;
    return shinjuku_worth(earned, state->bonus[seat]) -
           shinjuku_worth(state->earned[seat], state->bonus[seat]);
}

uint8_t shinjuku_choose_customer(const struct shinjuku_state *state, unsigned seat)
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
    struct shinjuku_state *state; /* scratch, put back after every step */
    unsigned seat;
    unsigned nodes; /* left to look at */
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

static struct plan best_way_on(struct search *search, unsigned steps);

/* Rides to a station and looks on from there; the position is as before when it returns. */
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
    if (steps == 0 || shinjuku_customers(search->state->group) == 0)
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

struct plan shinjuku_plan_start(const struct sight *sight, uint8_t station)
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

struct plan shinjuku_plan_rest(const struct sight *sight)
{
    struct shinjuku_state state = sight->state;
    struct search search = {&state, sight->seat, PLAN_NODES};
    return best_way_on(&search, STEPS_MAX);
}

/* Steps from one station to each other one, FAR at most; missing track counts UNBUILT. */
static void measure(const struct shinjuku_state *state, unsigned from, uint8_t steps[STATIONS])
{
    uint64_t ring[FAR + UNBUILT] = {UINT64_C(1) << from};
    uint64_t seen = 0;
    memset(steps, FAR, STATIONS);
    for (uint8_t distance = 0; distance < FAR; distance++) {
        for (unsigned at = 0; at < STATIONS; at++) {
            if (((ring[distance] & ~seen) >> at & 1) == 0)
                continue;
            seen |= UINT64_C(1) << at;
            steps[at] = distance;
            const struct shinjuku_station *station = &shinjuku_stations[at];
            for (unsigned i = 0; i < station->link_count; i++) {
                bool rails = shinjuku_has_rails(state, station->link[i].connection);
                ring[distance + (rails ? 1 : UNBUILT)] |= UINT64_C(1) << station->link[i].station;
            }
        }
    }
}

/* What one Store can hope for: customers it sells to, by how near they are and how much needed.
 * Customers in the Queue come later and count half. */
static int32_t store_reach(const struct shinjuku_state *state, unsigned station,
                           const int32_t need[static GOODS], int32_t waiting[static WARDS][GOODS])
{
    uint8_t steps[STATIONS];
    uint8_t nearest[WARDS];
    int32_t reach = 0;
    memset(nearest, FAR, sizeof nearest);
    measure(state, station, steps);
    for (unsigned i = 0; i < STATIONS; i++)
        if (steps[i] < nearest[shinjuku_stations[i].ward])
            nearest[shinjuku_stations[i].ward] = steps[i];
    for (unsigned ward = 0; ward < WARDS; ward++)
        for (unsigned good = 0; nearest[ward] < FAR && good < GOODS; good++)
            if (state->store_sells[station] == DEPARTMENT || state->store_sells[station] == good)
                reach += waiting[ward][good] * need[good] * (FAR - nearest[ward]);
    return reach;
}

int32_t shinjuku_reach(const struct shinjuku_state *state, unsigned seat)
{
    int32_t need[GOODS];
    int32_t waiting[WARDS][GOODS] = {{0}};
    for (unsigned good = 0; good < GOODS; good++) {
        int32_t owned =
            state->earned[seat][2 * good] + 2 * (int32_t)state->earned[seat][2 * good + 1];
        need[good] = owned < 4 ? 6 - owned : 2;
    }
    for (unsigned kind = 0; kind < KINDS; kind++) {
        int32_t value = shinjuku_kinds[kind].value;
        for (unsigned ward = 0; ward < WARDS; ward++)
            waiting[ward][GOOD_OF(kind)] += 2 * value * state->customers[ward][kind];
        for (unsigned space = 0; space < QUEUE_SPACES; space++)
            waiting[state->queue_ward[space]][GOOD_OF(kind)] += value * state->queue[space][kind];
    }
    int32_t reach = 0;
    for (unsigned station = 0; station < STATIONS; station++)
        if (state->store_owner[station] == seat)
            reach += store_reach(state, station, need, waiting);
    return reach;
}
