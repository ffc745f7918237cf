#include "api/tables/reported_ratings.h"

#include <string.h>

#include "api/ratings/ratings_again.h"
#include "api/tables/games.h"
#include "db/store/people/ratings.h"

/* ---- Entrants without an account ---- */

static bool is_one_of(const struct id *ids, size_t count, const char *player)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(ids[i].text, player) == 0)
            return true;
    return false;
}

json_t *reported_closed_detail(struct call *call, const struct loaded_event *loaded)
{
    const struct tournament *tournament = loaded->tournament;
    json_t *detail = json_object();
    struct id *guests;
    size_t count;
    if (!tournament->settings.rate_reported)
        return detail;
    if (!call_found(
            call, rated_table_guests(call->db, call->arena, &loaded->event.id, &guests, &count))) {
        json_decref(detail);
        return NULL;
    }
    json_t *unrated = json_array();
    for (size_t i = 0; i < tournament->entrant_count; i++)
        if (is_one_of(guests, count, tournament->entrants[i].player))
            json_array_append_new(unrated, json_string(tournament->entrants[i].player));
    if (json_array_size(unrated) > 0)
        json_object_set(detail, "unrated", unrated);
    json_decref(unrated);
    return detail;
}

/* ---- Tables ---- */

/* Stores the result of a table that counts, as a game of the rated seats; without seats if there
 * are none. */
static bool put_table(struct call *call, const struct loaded_event *loaded,
                      const struct tournament_table *table, struct game_row *game,
                      enum db_status *status)
{
    const struct tournament *tournament = loaded->tournament;
    struct rated_table place = {.id = id_new(call->now_ms),
                                .event = loaded->event.id,
                                .round = table->round,
                                .table = table->table};
    struct rated_seat rated[TOURNAMENT_SEATS_MAX];
    unsigned seats = tournament_rated_seats(tournament, table), count = 0;
    *game = (struct game_row){.slug = tournament->settings.game->slug};
    for (unsigned seat = 0; seat < table->seats; seat++) {
        const struct seat_result *result = &table->result.seat[seat];
        if ((seats >> seat & 1) == 0)
            continue;
        rated[count] = (struct rated_seat){.seat = seat,
                                           .player = event_person_id(tournament, result->entry),
                                           .rank = result->rank};
        game->seat[count].player = rated[count].player;
        game->seat[count].rank = result->rank;
        count++;
    }
    game->seats = count;
    *status = rated_table_put(call->db, &place, table->seats, rated, count);
    game->id = place.id;
    return *status == DB_NONE || call_found(call, *status);
}

static bool rate_table(struct call *call, const struct loaded_event *loaded,
                       const struct tournament_table *table)
{
    struct game_row game;
    enum db_status status;
    return put_table(call, loaded, table, &game, &status) &&
           (status == DB_NONE ||
            game_rate(call, &game, tournament_rates_apart(loaded->tournament, table)));
}

bool reported_rate_event(struct call *call, const struct loaded_event *loaded)
{
    const struct tournament *tournament = loaded->tournament;
    if (!tournament->settings.rate_reported)
        return true;
    bool good = call_found(call, rating_lock(call->db));
    for (size_t i = 0; good && i < tournament->table_count; i++)
        good = rate_table(call, loaded, &tournament->tables[i]);
    return good;
}

bool reported_rate_again(struct call *call, const struct loaded_event *loaded, unsigned round,
                         unsigned table, const char *reason)
{
    const struct tournament *tournament = loaded->tournament;
    const struct tournament_table *corrected = tournament_table(tournament, round, table);
    struct game_row game;
    enum db_status status;
    if (!tournament->settings.rate_reported || tournament->phase != PHASE_CLOSED)
        return true;
    return call_found(call, rating_lock(call->db)) &&
           put_table(call, loaded, corrected, &game, &status) &&
           (status == DB_NONE ||
            ratings_again(call, &game.id, &loaded->event.id,
                          tournament_rates_apart(tournament, corrected), reason));
}
