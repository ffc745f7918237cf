/* What a viewer may know, as JSON, put together from what is allowed: everything on the table, the
 * sizes of the piles, and for a seat its own hand, collection and score. The auditor, and everybody
 * once the game is over, sees all hands and collections; nobody sees the order of a pile. */
#include <string.h>

#include "engine/games/shinjuku/rules.h"

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static json_t *name(struct span span)
{
    return json_stringn(span.at, span.length);
}

/* {"food": 2}: only what there is. */
static json_t *customers(const uint8_t kinds[static KINDS])
{
    json_t *object = json_object();
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (kinds[kind] > 0)
            set(object, shinjuku_kinds[kind].name.at, json_integer(kinds[kind]));
    return object;
}

static json_t *cards(const uint8_t wards[static WARDS])
{
    json_t *object = json_object();
    for (unsigned ward = 0; ward < WARDS; ward++)
        if (wards[ward] > 0)
            set(object, shinjuku_wards[ward].name.at, json_integer(wards[ward]));
    return object;
}

static json_t *seat_list(uint32_t seats)
{
    json_t *list = json_array();
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        if ((seats >> seat & 1) != 0)
            json_array_append_new(list, json_integer(seat));
    return list;
}

static json_t *action_list(uint8_t actions)
{
    json_t *list = json_array();
    for (unsigned action = 0; action < ACTIONS; action++)
        if ((actions >> action & 1) != 0)
            json_array_append_new(list, json_string(shinjuku_action_name(action)));
    return list;
}

static json_t *matching_wards(uint32_t wards)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < WARDS; i++) {
        uint8_t ward = shinjuku_wards_in_byte_order[i];
        if ((wards >> ward & 1) != 0)
            json_array_append_new(list, name(shinjuku_wards[ward].name));
    }
    return list;
}

/* The action that waits for its payment. */
static json_t *pending(const struct shinjuku_state *state)
{
    if (state->point != AT_PAY)
        return json_null();
    json_t *object = json_object();
    set(object, "action", json_string(shinjuku_action_name(state->action)));
    json_t *stations = json_array();
    for (unsigned i = 0; i < state->stations; i++)
        json_array_append_new(stations, name(shinjuku_stations[state->station[i]].name));
    set(object, "stations", stations);
    if (state->action == OPEN && state->detail != NONE)
        set(object, "good", name(shinjuku_goods[state->detail]));
    if (state->action == UPGRADE)
        set(object, "customer", name(shinjuku_kinds[state->detail].name));
    set(object, "wards", matching_wards(shinjuku_pending_wards(state)));
    return object;
}

/* The MOVE that is under way. */
static json_t *movement(const struct shinjuku_state *state)
{
    if (state->point != AT_GIVE && state->point != AT_ROUTE)
        return json_null();
    json_t *object = json_object();
    set(object, "station", name(shinjuku_stations[state->current].name));
    set(object, "customers", customers(state->group));
    json_t *visited = json_array();
    for (unsigned station = 0; station < STATIONS; station++)
        if (state->visited[station])
            json_array_append_new(visited, name(shinjuku_stations[station].name));
    set(object, "visited", visited);
    set(object, "income_for", seat_list(state->crossed));
    return object;
}

static json_t *ward_customers(const struct shinjuku_state *state)
{
    json_t *object = json_object();
    for (unsigned ward = 0; ward < WARDS; ward++)
        set(object, shinjuku_wards[ward].name.at, customers(state->customers[ward]));
    return object;
}

static json_t *stores(const struct shinjuku_state *state)
{
    json_t *object = json_object();
    for (unsigned station = 0; station < STATIONS; station++) {
        if (state->store_owner[station] == NONE)
            continue;
        json_t *store = json_object();
        set(store, "seat", json_integer(state->store_owner[station]));
        uint8_t sells = state->store_sells[station];
        set(store, "sells",
            sells == DEPARTMENT ? json_string("department") : name(shinjuku_goods[sells]));
        set(object, shinjuku_stations[station].name.at, store);
    }
    return object;
}

static json_t *track(const struct shinjuku_state *state)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < CONNECTIONS; i++) {
        if (!shinjuku_has_rails(state, i))
            continue;
        json_t *segment = json_object();
        set(segment, "a", name(shinjuku_stations[shinjuku_connections[i].a].name));
        set(segment, "b", name(shinjuku_stations[shinjuku_connections[i].b].name));
        set(segment, "seat",
            state->track_owner[i] == NONE ? json_null() : json_integer(state->track_owner[i]));
        json_array_append_new(list, segment);
    }
    return list;
}

static json_t *queue(const struct shinjuku_state *state)
{
    json_t *list = json_array();
    for (unsigned space = 0; space < QUEUE_SPACES; space++) {
        json_t *card = json_object();
        set(card, "ward", name(shinjuku_wards[state->queue_ward[space]].name));
        set(card, "customers", customers(state->queue[space]));
        json_array_append_new(list, card);
    }
    return list;
}

static json_t *bonus_stacks(const struct shinjuku_state *state)
{
    json_t *list = json_array();
    for (unsigned i = state->upgrades; !state->advanced && i < BONUS_STACKS; i++)
        json_array_append_new(list, json_integer(shinjuku_bonus_stacks[i]));
    return list;
}

static unsigned count_cards(const uint8_t wards[static WARDS])
{
    unsigned count = 0;
    for (unsigned ward = 0; ward < WARDS; ward++)
        count += wards[ward];
    return count;
}

static json_t *piles(const struct shinjuku_state *state)
{
    json_t *object = json_object();
    set(object, "deck", json_integer(state->deck_end - state->deck_next));
    set(object, "bag", json_integer(state->bag_end - state->bag_next));
    set(object, "discard", json_integer(count_cards(state->discard)));
    set(object, "discarded_cards", cards(state->discard));
    set(object, "removed_customers", customers(state->removed));
    return object;
}

static json_t *supply(const struct shinjuku_state *state, unsigned seat)
{
    json_t *object = json_object();
    set(object, "track", json_integer(state->track_left[seat]));
    set(object, "department", json_integer(state->departments_left[seat]));
    for (unsigned good = 0; good < GOODS; good++)
        set(object, shinjuku_goods[good].at, json_integer(state->stores_left[seat][good]));
    return object;
}

static bool may_see_seat(const struct shinjuku_state *state, struct viewer viewer, unsigned seat)
{
    return state->point == AT_OVER || viewer.kind == VIEWER_AUDITOR ||
           (viewer.kind == VIEWER_SEAT && viewer.seat == seat);
}

static json_t *player(const struct shinjuku_state *state, unsigned seat, struct viewer viewer)
{
    json_t *object = json_object();
    set(object, "seat", json_integer(seat));
    set(object, "hand_size", json_integer(shinjuku_hand_size(state, seat)));
    set(object, "supply", supply(state, seat));
    set(object, "bonus", json_integer(state->bonus[seat]));
    set(object, "claim", json_integer(state->claim[seat]));
    if (!may_see_seat(state, viewer, seat))
        return object;
    set(object, "hand", cards(state->hand[seat]));
    set(object, "wild_wards", matching_wards(shinjuku_wild_wards(state, seat)));
    set(object, "customers", customers(state->earned[seat]));
    set(object, "score", json_integer(shinjuku_score(state->earned[seat], state->bonus[seat])));
    return object;
}

static json_t *players(const struct shinjuku_state *state, struct viewer viewer)
{
    json_t *list = json_array();
    for (unsigned seat = 0; seat < state->seats; seat++)
        json_array_append_new(list, player(state, seat, viewer));
    return list;
}

static json_t *final_result(const struct shinjuku_state *state)
{
    if (state->point != AT_OVER)
        return json_null();
    struct outcome outcome;
    shinjuku_outcome(state, &outcome);
    json_t *list = json_array();
    for (unsigned seat = 0; seat < outcome.seats; seat++) {
        json_t *object = json_object();
        set(object, "seat", json_integer(seat));
        set(object, "score", json_integer(outcome.score[seat]));
        set(object, "tie_break", json_integer(outcome.tie_break[seat][0]));
        set(object, "rank", json_integer(outcome.rank[seat]));
        json_array_append_new(list, object);
    }
    return list;
}

/* Whose turn it is, and what there is to decide. */
static void set_turn(json_t *view, const struct shinjuku_state *state)
{
    bool over = state->point == AT_OVER;
    set(view, "over", json_boolean(over));
    set(view, "deciders", seat_list(shinjuku_deciders(state)));
    set(view, "decision", over ? json_null() : json_string(shinjuku_point_name(state->point)));
    set(view, "active", over ? json_null() : json_integer(state->active));
    set(view, "action_number", json_integer(state->action_number));
    set(view, "actions_taken", action_list(state->actions_taken));
    set(view, "pending", pending(state));
    set(view, "movement", movement(state));
    set(view, "final_phase", json_boolean(state->final_phase));
}

json_t *shinjuku_view(const void *opaque, struct viewer viewer)
{
    const struct shinjuku_state *state = opaque;
    json_t *view = json_object();
    set(view, "ruleset", json_string("shinjuku"));
    set(view, "seats", json_integer(state->seats));
    set(view, "advanced", json_boolean(state->advanced));
    set_turn(view, state);
    set(view, "matsuri",
        state->matsuri == NONE ? json_null() : name(shinjuku_wards[state->matsuri].name));
    set(view, "wards", ward_customers(state));
    set(view, "stores", stores(state));
    set(view, "track", track(state));
    set(view, "queue", queue(state));
    set(view, "upgrades", json_integer(state->upgrades));
    set(view, "bonus_stacks", bonus_stacks(state));
    set(view, "piles", piles(state));
    set(view, "players", players(state, viewer));
    set(view, "outcome", final_result(state));
    return view;
}
