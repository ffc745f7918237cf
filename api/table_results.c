#include "api/table_results.h"

#include <string.h>

#include "api/game_end.h"
#include "api/queues.h"
#include "api/ratings_again.h"
#include "db/ratings.h"

static int number_of(const struct tournament *tournament, uint16_t entry)
{
    return tournament->entrants[entry].number;
}

/* ---- Games ---- */

/* A list of nobody is not written. */
static void set_marks(json_t *detail, const char *name, json_t *marks)
{
    if (json_array_size(marks) > 0)
        json_object_set(detail, name, marks);
    json_decref(marks);
}

bool table_take_result(struct call *call, struct loaded_event *loaded, const struct game_row *game)
{
    const struct tournament *tournament = loaded->tournament;
    const struct tournament_table *table = tournament_table(tournament, game->round, game->table);
    if (table == NULL || table->seats != game->seats)
        return call_problem(call, "internal-error", "The game is of no table of the event.");
    json_t *seats = json_array();
    json_t *forfeited = json_array();
    json_t *substituted = json_array();
    for (unsigned i = 0; i < game->seats; i++) {
        const struct game_row_seat *seat = &game->seat[i];
        int number = number_of(tournament, table->entry[i]);
        json_array_append_new(seats, json_pack("[i, i, i]", number, (int)seat->rank, seat->score));
        if (seat->forfeited)
            json_array_append_new(forfeited, json_integer(number));
        if (strcmp(seat->player.text, tournament->entrants[table->entry[i]].player) != 0)
            json_array_append_new(substituted, json_integer(number));
    }
    json_t *detail = json_pack("{s:i, s:i, s:s, s:o}", "round", (int)game->round, "table",
                               (int)game->table, "game", game->id.text, "seats", seats);
    set_marks(detail, "forfeited", forfeited);
    set_marks(detail, "substituted", substituted);
    return event_take(call, loaded, "result", detail);
}

bool table_is_settled(const struct loaded_event *loaded, const struct game_row *game)
{
    const struct tournament *tournament = loaded->tournament;
    const struct tournament_table *table = tournament_table(tournament, game->round, game->table);
    return tournament->phase == PHASE_CLOSED && table != NULL && table->ruled && !table->played;
}

bool table_game_ended(struct call *call, struct loaded_event *loaded, const struct game_row *game)
{
    return table_take_result(call, loaded, game) && queue_call_tables(call, loaded);
}

bool table_rate_game(struct call *call, const struct loaded_event *loaded,
                     const struct game_row *game)
{
    const struct tournament_table *table =
        tournament_table(loaded->tournament, game->round, game->table);
    /* What is rated again needs the lock of all, which comes before those of players. */
    if (table->ruled && !call_found(call, rating_lock(call->db)))
        return false;
    return game_rate(call, game) &&
           (!table->ruled || ratings_again(call, &game->id, "A ruling stood when the game ended."));
}

/* ---- Rulings ---- */

json_t *table_ruling_line(const struct tournament *tournament, const struct table_result *result,
                          const char *reason)
{
    json_t *seats = json_array();
    for (unsigned i = 0; i < result->seats; i++) {
        const struct seat_result *seat = &result->seat[i];
        json_array_append_new(seats, json_pack("[i, i, i, s]", number_of(tournament, seat->entry),
                                               (int)seat->rank, (int)seat->score,
                                               round_kind_name(seat->kind)));
    }
    return json_pack("{s:i, s:i, s:o, s:s}", "round", (int)result->round, "table",
                     (int)result->table, "seats", seats, "reason", reason);
}

bool table_take_ruling(struct call *call, struct loaded_event *loaded,
                       const struct table_result *result, const char *reason)
{
    return event_take(call, loaded, "ruled", table_ruling_line(loaded->tournament, result, reason));
}
