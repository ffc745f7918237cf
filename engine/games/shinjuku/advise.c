/* A sensible player: it takes the MOVE with the highest gain, otherwise spends customers on a
 * Department Store if the tokens pay for them, otherwise opens Stores and lays track near
 * customers. It uses only its own view and its legal moves, and plans anew at every decision. */
#include <jansson.h>
#include <string.h>

#include "engine/game/view_parts.h"
#include "engine/games/shinjuku/moves.h"
#include "engine/games/shinjuku/rules.h"
#include "engine/games/shinjuku/state.h"

/* What a player sees. `state` holds only what the view contains: rivals' hands and collections and
 * all piles are empty. */
struct sight {
    struct shinjuku_state state;
    unsigned seat; /* the viewing seat */
    bool second_action;
};

/* The value of the rest of a MOVE from the group's station, for the planning player. It continues
 * with `first`, NONE if stopping is best. */
struct plan {
    int32_t value;
    uint8_t first;
};

/* Rebuilds a position from the JSON of a view, as far as the player can know it. */

static void read_wards(struct shinjuku_state *state, const json_t *wards)
{
    for (unsigned ward = 0; ward < WARDS; ward++)
        view_read_counts(json_object_get(wards, shinjuku_wards[ward].name.at), shinjuku_kind_named,
                         state->customers[ward]);
}

static void read_stores(struct shinjuku_state *state, const json_t *stores)
{
    for (unsigned station = 0; station < STATIONS; station++) {
        const json_t *store = json_object_get(stores, shinjuku_stations[station].name.at);
        if (store == NULL)
            continue;
        uint8_t good = shinjuku_good_named(view_read_text(json_object_get(store, "sells")));
        state->store_owner[station] = view_read_number(json_object_get(store, "seat"));
        state->store_sells[station] = good == NONE ? DEPARTMENT : good;
    }
}

static void read_track(struct shinjuku_state *state, const json_t *track)
{
    for (size_t i = 0; i < json_array_size(track); i++) {
        const json_t *segment = json_array_get(track, i);
        uint8_t a = shinjuku_station_named(view_read_text(json_object_get(segment, "a")));
        uint8_t b = shinjuku_station_named(view_read_text(json_object_get(segment, "b")));
        if (a == NONE || b == NONE || json_is_null(json_object_get(segment, "seat")))
            continue;
        uint8_t connection = shinjuku_connection_between(a, b);
        if (connection != NONE)
            state->track_owner[connection] = view_read_number(json_object_get(segment, "seat"));
    }
}

static void read_queue(struct shinjuku_state *state, const json_t *queue)
{
    for (size_t space = 0; space < QUEUE_SPACES; space++) {
        const json_t *card = json_array_get(queue, space);
        uint8_t ward = shinjuku_ward_named(view_read_text(json_object_get(card, "ward")));
        state->queue_ward[space] = ward == NONE ? 0 : ward;
        view_read_counts(json_object_get(card, "customers"), shinjuku_kind_named,
                         state->queue[space]);
    }
}

static void read_movement(struct shinjuku_state *state, const json_t *movement)
{
    state->current = shinjuku_station_named(view_read_text(json_object_get(movement, "station")));
    view_read_counts(json_object_get(movement, "customers"), shinjuku_kind_named, state->group);
    const json_t *visited = json_object_get(movement, "visited");
    for (size_t i = 0; i < json_array_size(visited); i++) {
        uint8_t station = shinjuku_station_named(view_read_text(json_array_get(visited, i)));
        if (station != NONE)
            state->visited[station] = 1;
    }
    const json_t *crossed = json_object_get(movement, "income_for");
    for (size_t i = 0; i < json_array_size(crossed); i++)
        state->crossed |=
            (uint8_t)(1u << (view_read_number(json_array_get(crossed, i)) % SEATS_MAX));
}

static void read_player(struct shinjuku_state *state, const json_t *player, unsigned seat)
{
    json_t *supply = json_object_get(player, "supply");
    state->track_left[seat] = view_read_number(json_object_get(supply, "track"));
    state->departments_left[seat] = view_read_number(json_object_get(supply, "department"));
    view_read_counts(supply, shinjuku_good_named, state->stores_left[seat]);
    state->bonus[seat] = view_read_number(json_object_get(player, "bonus"));
    view_read_counts(json_object_get(player, "hand"), shinjuku_ward_named, state->hand[seat]);
    view_read_counts(json_object_get(player, "customers"), shinjuku_kind_named,
                     state->earned[seat]);
}

/* Reads a view made for a seat. Missing fields count as empty. */
static void shinjuku_read_view(struct sight *sight, const json_t *view)
{
    struct shinjuku_state *state = &sight->state;
    memset(sight, 0, sizeof *sight);
    memset(state->store_owner, NONE, sizeof state->store_owner);
    memset(state->track_owner, NONE, sizeof state->track_owner);
    sight->seat = view_read_number(json_object_get(view, "active")) % SEATS_MAX;
    sight->second_action = view_read_number(json_object_get(view, "action_number")) == 2;
    state->active = (uint8_t)sight->seat;
    state->seats = view_read_number(json_object_get(view, "seats"));
    state->advanced = json_is_true(json_object_get(view, "advanced"));
    state->final_phase = json_is_true(json_object_get(view, "final_phase"));
    state->upgrades = view_read_number(json_object_get(view, "upgrades"));
    state->matsuri = shinjuku_ward_named(view_read_text(json_object_get(view, "matsuri")));
    read_wards(state, json_object_get(view, "wards"));
    read_stores(state, json_object_get(view, "stores"));
    read_track(state, json_object_get(view, "track"));
    read_queue(state, json_object_get(view, "queue"));
    read_movement(state, json_object_get(view, "movement"));
    const json_t *players = json_object_get(view, "players");
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        read_player(state, json_array_get(players, seat), seat);
}

/* Judging a position: the value of a collection, the customers in reach, and the ride of a group of
 * customers. All numbers are integers and all searches bounded, so a position gets the same advice
 * on every machine. */

enum {
    STEPS_MAX = 12,     /* steps of a planned ride */
    PLAN_NODES = 2500,  /* stations examined for one plan */
    POINT = 4,          /* value of a point */
    CUSTOMER = 3,       /* value of a customer besides its points */
    RIVAL_CUSTOMER = 9, /* harm of a customer for a rival, shared among the rivals */
    RIVAL_INCOME = 2,   /* harm of cards for a rival */
    FAR = 9,            /* steps beyond which a customer is out of reach */
    UNBUILT = 4         /* steps that a connection without track counts for */
};

/* The value of a collection to a player who may add to it. */
static int32_t shinjuku_worth(const uint8_t earned[static KINDS], unsigned bonus)
{
    int32_t worth = POINT * shinjuku_score(earned, bonus);
    for (unsigned kind = 0; kind < KINDS; kind++)
        worth += CUSTOMER * earned[kind] * shinjuku_kinds[kind].value;
    return worth;
}

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

/* Steps from one station to every other, FAR at most; missing track counts UNBUILT. */
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

/* The prospects of one Store: customers it sells to, by distance and need. Customers in the Queue
 * come later and count half. */
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

/* How well the customers on the map and in the Queue can reach the player's Stores. */
static int32_t shinjuku_reach(const struct shinjuku_state *state, unsigned seat)
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

enum {
    CARD_COST = 3,         /* value of a card, in the units of shinjuku_worth() */
    REACH_UNIT = 24,       /* reach worth one unit */
    DEPARTMENT_WORTH = 20, /* of selling everything */
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

static int32_t judge_open(const struct sight *sight, const struct shinjuku_move *move,
                          int32_t reach_now)
{
    struct shinjuku_state state = sight->state;
    uint8_t station = move->word[0];
    state.store_owner[station] = (uint8_t)sight->seat;
    if (move->verb == VERB_RELOCATE) {
        state.store_sells[station] = state.store_sells[move->word[1]];
        state.store_owner[move->word[1]] = NONE;
    } else {
        state.store_sells[station] = move->word[1];
    }
    int32_t more = shinjuku_reach(&state, sight->seat) - reach_now;
    if (shinjuku_stations[station].sakura)
        more += more / 3;
    return more / REACH_UNIT - CARD_COST * cards_to_pay(sight, ward_of(station));
}

static int32_t judge_expand(const struct sight *sight, const struct shinjuku_move *move,
                            int32_t reach_now)
{
    struct shinjuku_state state = sight->state;
    uint32_t wards = 0;
    for (unsigned i = 0; i < move->count; i++)
        wards |= ward_of(move->word[i]);
    for (unsigned i = 0; i + 1 < move->count; i++) {
        uint8_t connection = shinjuku_connection_between(move->word[i], move->word[i + 1]);
        if (connection != NONE && !shinjuku_has_rails(&state, connection))
            state.track_owner[connection] = (uint8_t)sight->seat;
    }
    int32_t more = shinjuku_reach(&state, sight->seat) - reach_now;
    int32_t cost = move->count == 2 ? 0 : CARD_COST * (1 + cards_to_pay(sight, wards));
    return more / REACH_UNIT - cost;
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

/* Values shared by all moves of one decision. */
struct context {
    int32_t reach_now;
    uint8_t way_on; /* station, NONE to stop */
};

static int32_t judge(const struct sight *sight, const struct shinjuku_move *move,
                     const struct context *context)
{
    switch (move->verb) {
    case VERB_MATSURI:
        return judge_matsuri(sight, move);
    case VERB_OPEN:
    case VERB_RELOCATE:
        return judge_open(sight, move, context->reach_now);
    case VERB_EXPAND:
        return judge_expand(sight, move, context->reach_now);
    case VERB_INCOME:
        return judge_income(sight);
    case VERB_MOVE:
        return judge_move(sight, move);
    case VERB_UPGRADE:
        return judge_upgrade(sight, move);
    case VERB_PAY:
        return judge_payment(sight, move);
    case VERB_GIVE:
        return move->word[0] == shinjuku_choose_customer(&sight->state, sight->seat);
    case VERB_STEP:
        return move->word[0] == context->way_on;
    case VERB_STOP:
        return context->way_on == NONE;
    case VERB_END:
        return 0;
    }
    return NEVER;
}

size_t shinjuku_advise(const json_t *view, const struct move_list *legal)
{
    struct sight sight;
    struct refusal refusal;
    shinjuku_read_view(&sight, view);
    struct context context = {
        .reach_now = shinjuku_reach(&sight.state, sight.seat),
        .way_on = sight.state.current == NONE ? NONE : shinjuku_plan_rest(&sight).first};
    size_t chosen = 0;
    int32_t best = NEVER;
    for (size_t i = 0; i < legal->count; i++) {
        struct shinjuku_move move;
        if (!shinjuku_read_move(move_list_get(legal, i), &move, &refusal))
            continue;
        int32_t value = judge(&sight, &move, &context);
        if (value > best) {
            best = value;
            chosen = i;
        }
    }
    return chosen;
}
