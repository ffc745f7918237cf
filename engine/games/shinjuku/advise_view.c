/* From the JSON of a view back to a position, as far as the player can know it. */
#include <string.h>

#include "engine/games/shinjuku/advise.h"

static struct span text_of(const json_t *value)
{
    const char *string = json_string_value(value);
    return string == NULL ? span_of("") : span_of(string);
}

static uint8_t number_of(const json_t *value)
{
    json_int_t number = json_integer_value(value);
    return number > 0 && number < NONE ? (uint8_t)number : 0;
}

/* {"name": count} into counts[index of name]. */
static void read_counts(uint8_t *counts, const json_t *object, uint8_t (*find)(struct span name))
{
    for (void *at = json_object_iter((json_t *)object); at != NULL;
         at = json_object_iter_next((json_t *)object, at)) {
        uint8_t index = find(span_of(json_object_iter_key(at)));
        if (index != NONE)
            counts[index] = number_of(json_object_iter_value(at));
    }
}

static void read_wards(struct shinjuku_state *state, const json_t *wards)
{
    for (unsigned ward = 0; ward < WARDS; ward++)
        read_counts(state->customers[ward], json_object_get(wards, shinjuku_wards[ward].name.at),
                    shinjuku_kind_named);
}

static void read_stores(struct shinjuku_state *state, const json_t *stores)
{
    for (unsigned station = 0; station < STATIONS; station++) {
        const json_t *store = json_object_get(stores, shinjuku_stations[station].name.at);
        if (store == NULL)
            continue;
        uint8_t good = shinjuku_good_named(text_of(json_object_get(store, "sells")));
        state->store_owner[station] = number_of(json_object_get(store, "seat"));
        state->store_sells[station] = good == NONE ? DEPARTMENT : good;
    }
}

static void read_track(struct shinjuku_state *state, const json_t *track)
{
    for (size_t i = 0; i < json_array_size(track); i++) {
        const json_t *segment = json_array_get(track, i);
        uint8_t a = shinjuku_station_named(text_of(json_object_get(segment, "a")));
        uint8_t b = shinjuku_station_named(text_of(json_object_get(segment, "b")));
        if (a == NONE || b == NONE || json_is_null(json_object_get(segment, "seat")))
            continue;
        uint8_t connection = shinjuku_connection_between(a, b);
        if (connection != NONE)
            state->track_owner[connection] = number_of(json_object_get(segment, "seat"));
    }
}

static void read_queue(struct shinjuku_state *state, const json_t *queue)
{
    for (size_t space = 0; space < QUEUE_SPACES; space++) {
        const json_t *card = json_array_get(queue, space);
        uint8_t ward = shinjuku_ward_named(text_of(json_object_get(card, "ward")));
        state->queue_ward[space] = ward == NONE ? 0 : ward;
        read_counts(state->queue[space], json_object_get(card, "customers"), shinjuku_kind_named);
    }
}

static void read_movement(struct shinjuku_state *state, const json_t *movement)
{
    state->current = shinjuku_station_named(text_of(json_object_get(movement, "station")));
    read_counts(state->group, json_object_get(movement, "customers"), shinjuku_kind_named);
    const json_t *visited = json_object_get(movement, "visited");
    for (size_t i = 0; i < json_array_size(visited); i++) {
        uint8_t station = shinjuku_station_named(text_of(json_array_get(visited, i)));
        if (station != NONE)
            state->visited[station] = 1;
    }
    const json_t *crossed = json_object_get(movement, "income_for");
    for (size_t i = 0; i < json_array_size(crossed); i++)
        state->crossed |= (uint8_t)(1u << (number_of(json_array_get(crossed, i)) % SEATS_MAX));
}

static void read_player(struct shinjuku_state *state, const json_t *player, unsigned seat)
{
    const json_t *supply = json_object_get(player, "supply");
    state->track_left[seat] = number_of(json_object_get(supply, "track"));
    state->departments_left[seat] = number_of(json_object_get(supply, "department"));
    read_counts(state->stores_left[seat], supply, shinjuku_good_named);
    state->bonus[seat] = number_of(json_object_get(player, "bonus"));
    read_counts(state->hand[seat], json_object_get(player, "hand"), shinjuku_ward_named);
    read_counts(state->earned[seat], json_object_get(player, "customers"), shinjuku_kind_named);
}

void shinjuku_read_view(struct sight *sight, const json_t *view)
{
    struct shinjuku_state *state = &sight->state;
    memset(sight, 0, sizeof *sight);
    memset(state->store_owner, NONE, sizeof state->store_owner);
    memset(state->track_owner, NONE, sizeof state->track_owner);
    sight->seat = number_of(json_object_get(view, "active")) % SEATS_MAX;
    sight->second_action = number_of(json_object_get(view, "action_number")) == 2;
    state->active = (uint8_t)sight->seat;
    state->seats = number_of(json_object_get(view, "seats"));
    state->advanced = json_is_true(json_object_get(view, "advanced"));
    state->final_phase = json_is_true(json_object_get(view, "final_phase"));
    state->upgrades = number_of(json_object_get(view, "upgrades"));
    state->matsuri = shinjuku_ward_named(text_of(json_object_get(view, "matsuri")));
    read_wards(state, json_object_get(view, "wards"));
    read_stores(state, json_object_get(view, "stores"));
    read_track(state, json_object_get(view, "track"));
    read_queue(state, json_object_get(view, "queue"));
    read_movement(state, json_object_get(view, "movement"));
    const json_t *players = json_object_get(view, "players");
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        read_player(state, json_array_get(players, seat), seat);
}
