/* What a viewer may know, as JSON, built from what is allowed: everything on the table, the sizes
 * of the piles, and for a seat its own hand, collection and score. The auditor, and everyone once
 * the game is over, sees all hands and collections; nobody sees the order of a pile. */
#include "engine/game/view_parts.h"
#include "engine/games/shinjuku/rules.h"

/* {"food": 2}: without zero counts. */
static json_t *customers(const struct shinjuku_components *set, const uint8_t kinds[static KINDS])
{
    json_t *object = json_object();
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (kinds[kind] > 0)
            view_set(object, set->kinds[kind].name.at, json_integer(kinds[kind]));
    return object;
}

static json_t *cards(const struct shinjuku_components *set, const uint8_t wards[static WARDS])
{
    json_t *object = json_object();
    for (unsigned ward = 0; ward < WARDS; ward++)
        if (wards[ward] > 0)
            view_set(object, set->wards[ward].name.at, json_integer(wards[ward]));
    return object;
}

static json_t *action_list(uint8_t actions)
{
    json_t *list = json_array();
    for (unsigned action = 0; action < ACTIONS; action++)
        if ((actions >> action & 1) != 0)
            json_array_append_new(list, json_string(shinjuku_action_name(action)));
    return list;
}

static json_t *matching_wards(const struct shinjuku_components *set, uint32_t wards)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < WARDS; i++) {
        uint8_t ward = set->wards_in_byte_order[i];
        if ((wards >> ward & 1) != 0)
            json_array_append_new(list, view_name(set->wards[ward].name));
    }
    return list;
}

/* The action that awaits its payment. */
static json_t *pending(const struct shinjuku_components *set, const struct shinjuku_state *state)
{
    if (state->point != AT_PAY)
        return json_null();
    json_t *object = json_object();
    view_set(object, "action", json_string(shinjuku_action_name(state->action)));
    json_t *stations = json_array();
    for (unsigned i = 0; i < state->stations; i++)
        json_array_append_new(stations, view_name(set->stations[state->station[i]].name));
    view_set(object, "stations", stations);
    if (state->action == OPEN && state->detail != NONE)
        view_set(object, "good", view_name(set->goods[state->detail]));
    if (state->action == UPGRADE)
        view_set(object, "customer", view_name(set->kinds[state->detail].name));
    view_set(object, "wards", matching_wards(set, shinjuku_pending_wards(set, state)));
    return object;
}

/* The MOVE in progress. */
static json_t *movement(const struct shinjuku_components *set, const struct shinjuku_state *state)
{
    if (state->point != AT_GIVE && state->point != AT_ROUTE)
        return json_null();
    json_t *object = json_object();
    view_set(object, "station", view_name(set->stations[state->current].name));
    view_set(object, "customers", customers(set, state->group));
    json_t *visited = json_array();
    for (unsigned station = 0; station < STATIONS; station++)
        if (state->visited[station])
            json_array_append_new(visited, view_name(set->stations[station].name));
    view_set(object, "visited", visited);
    view_set(object, "income_for", view_seat_list(state->crossed));
    return object;
}

static json_t *ward_customers(const struct shinjuku_components *set,
                              const struct shinjuku_state *state)
{
    json_t *object = json_object();
    for (unsigned ward = 0; ward < WARDS; ward++)
        view_set(object, set->wards[ward].name.at, customers(set, state->customers[ward]));
    return object;
}

static json_t *stores(const struct shinjuku_components *set, const struct shinjuku_state *state)
{
    json_t *object = json_object();
    for (unsigned station = 0; station < STATIONS; station++) {
        if (state->store_owner[station] == NONE)
            continue;
        json_t *store = json_object();
        view_set(store, "seat", json_integer(state->store_owner[station]));
        uint8_t sells = state->store_sells[station];
        view_set(store, "sells",
                 sells == DEPARTMENT ? json_string("department") : view_name(set->goods[sells]));
        view_set(object, set->stations[station].name.at, store);
    }
    return object;
}

static json_t *track(const struct shinjuku_components *set, const struct shinjuku_state *state)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < set->connection_count; i++) {
        if (!shinjuku_has_rails(set, state, i))
            continue;
        json_t *segment = json_object();
        view_set(segment, "a", view_name(set->stations[set->connections[i].a].name));
        view_set(segment, "b", view_name(set->stations[set->connections[i].b].name));
        view_set(segment, "seat",
                 state->track_owner[i] == NONE ? json_null() : json_integer(state->track_owner[i]));
        json_array_append_new(list, segment);
    }
    return list;
}

static json_t *queue(const struct shinjuku_components *set, const struct shinjuku_state *state)
{
    json_t *list = json_array();
    for (unsigned space = 0; space < QUEUE_SPACES; space++) {
        json_t *card = json_object();
        view_set(card, "ward", view_name(set->wards[state->queue_ward[space]].name));
        view_set(card, "customers", customers(set, state->queue[space]));
        json_array_append_new(list, card);
    }
    return list;
}

static json_t *bonus_stacks(const struct shinjuku_components *set,
                            const struct shinjuku_state *state)
{
    json_t *list = json_array();
    for (unsigned i = state->upgrades; !state->advanced && i < BONUS_STACKS; i++)
        json_array_append_new(list, json_integer(set->bonus_stacks[i]));
    return list;
}

static unsigned count_cards(const uint8_t wards[static WARDS])
{
    unsigned count = 0;
    for (unsigned ward = 0; ward < WARDS; ward++)
        count += wards[ward];
    return count;
}

static json_t *piles(const struct shinjuku_components *set, const struct shinjuku_state *state)
{
    json_t *object = json_object();
    view_set(object, "deck", json_integer(state->deck_end - state->deck_next));
    view_set(object, "bag", json_integer(state->bag_end - state->bag_next));
    view_set(object, "discard", json_integer(count_cards(state->discard)));
    view_set(object, "discarded_cards", cards(set, state->discard));
    view_set(object, "removed_customers", customers(set, state->removed));
    return object;
}

static json_t *supply(const struct shinjuku_components *set, const struct shinjuku_state *state,
                      unsigned seat)
{
    json_t *object = json_object();
    view_set(object, "track", json_integer(state->track_left[seat]));
    view_set(object, "department", json_integer(state->departments_left[seat]));
    for (unsigned good = 0; good < GOODS; good++)
        view_set(object, set->goods[good].at, json_integer(state->stores_left[seat][good]));
    return object;
}

static json_t *player(const struct shinjuku_components *set, const struct shinjuku_state *state,
                      unsigned seat, struct viewer viewer)
{
    json_t *object = json_object();
    view_set(object, "seat", json_integer(seat));
    view_set(object, "hand_size", json_integer(shinjuku_hand_size(state, seat)));
    view_set(object, "supply", supply(set, state, seat));
    view_set(object, "bonus", json_integer(state->bonus[seat]));
    view_set(object, "claim", json_integer(state->claim[seat]));
    if (state->point != AT_OVER && !view_is_open_to(viewer, seat))
        return object;
    view_set(object, "hand", cards(set, state->hand[seat]));
    view_set(object, "wild_wards", matching_wards(set, shinjuku_wild_wards(set, state, seat)));
    view_set(object, "customers", customers(set, state->earned[seat]));
    view_set(object, "score",
             json_integer(shinjuku_score(set, state->earned[seat], state->bonus[seat])));
    return object;
}

static json_t *players(const struct shinjuku_components *set, const struct shinjuku_state *state,
                       struct viewer viewer)
{
    json_t *list = json_array();
    for (unsigned seat = 0; seat < state->seats; seat++)
        json_array_append_new(list, player(set, state, seat, viewer));
    return list;
}

/* Sets the seats to move and the decision. */
static void set_turn(const struct shinjuku_components *set, json_t *view,
                     const struct shinjuku_state *state)
{
    bool over = state->point == AT_OVER;
    view_set_turn(view, shinjuku_deciders(state), over ? NULL : shinjuku_point_name(state->point),
                  state->active);
    view_set(view, "action_number", json_integer(state->action_number));
    view_set(view, "actions_taken", action_list(state->actions_taken));
    view_set(view, "pending", pending(set, state));
    view_set(view, "movement", movement(set, state));
    view_set(view, "final_phase", json_boolean(state->final_phase));
}

json_t *shinjuku_view(const struct game *game, const void *opaque, struct viewer viewer)
{
    const struct shinjuku_state *state = opaque;
    const struct shinjuku_components *set = game->set;
    json_t *view = json_object();
    view_set(view, "ruleset", json_string("shinjuku"));
    view_set(view, "seats", json_integer(state->seats));
    view_set(view, "advanced", json_boolean(state->advanced));
    set_turn(set, view, state);
    view_set(view, "matsuri",
             state->matsuri == NONE ? json_null() : view_name(set->wards[state->matsuri].name));
    view_set(view, "wards", ward_customers(set, state));
    view_set(view, "stores", stores(set, state));
    view_set(view, "track", track(set, state));
    view_set(view, "queue", queue(set, state));
    view_set(view, "upgrades", json_integer(state->upgrades));
    view_set(view, "bonus_stacks", bonus_stacks(set, state));
    view_set(view, "piles", piles(set, state));
    view_set(view, "players", players(set, state, viewer));
    view_set(view, "outcome", view_outcome(game, state, state->point == AT_OVER, true));
    return view;
}
