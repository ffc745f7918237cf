/* From the JSON of a view back to a position, as far as the player can know it. */
#include <string.h>

#include "engine/games/shinjuku/advise.h"
#include "engine/view_reading.h"

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

void shinjuku_read_view(struct sight *sight, const json_t *view)
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
