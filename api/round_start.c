#include "api/round_start.h"

#include "api/game_start.h"
#include "api/table_results.h"
#include "api/tlog_leaves.h"

/* ---- The deadline ---- */

static int64_t usual_deadline(const struct call *call, const struct loaded_event *loaded)
{
    enum { MINUTE_MS = 60 * 1000 };
    const struct tournament_round *draft = tournament_draft(loaded->tournament);
    size_t stage = draft != NULL ? draft->stage
                                 : loaded->tournament->stages - (loaded->tournament->stages > 0);
    unsigned minutes = loaded->tournament->settings.stage[stage].round_minutes;
    return minutes == 0 ? 0 : call->now_ms + (int64_t)minutes * MINUTE_MS;
}

bool round_read_deadline(struct call *call, const struct loaded_event *loaded, int64_t *deadline_ms)
{
    json_t *field = json_object_get(call->body, "deadline");
    if (field == NULL) {
        *deadline_ms = usual_deadline(call, loaded);
        return true;
    }
    *deadline_ms = 0;
    if (json_is_null(field))
        return true;
    if (!json_is_string(field) ||
        !time_parse((struct span){json_string_value(field), json_string_length(field)},
                    deadline_ms))
        return call_bad_field(call, "deadline",
                              "must be a time such as 2026-11-20T15:04:05Z, or null.");
    return *deadline_ms > call->now_ms ||
           call_bad_field(call, "deadline", "must lie ahead of the round's start.");
}

/* ---- Tables ---- */

bool round_start_attempt(struct call *call, const struct loaded_event *loaded,
                         const struct event_people *people, const struct tournament_table *table,
                         unsigned attempt, struct id *id)
{
    struct game_row game = game_of_table(call, loaded, table);
    game.attempt = attempt;
    *id = game.id;
    for (unsigned seat = 0; seat < table->seats; seat++)
        game.seat[seat] = (struct game_row_seat){
            .player = event_person_id(loaded->tournament, table->entry[seat]),
            .player_name = people->name[table->entry[seat]]};
    unsigned seconds = loaded->tournament->settings.entropy_seconds;
    return seconds > 0 ? game_wait(call, &game, seconds) : game_start(call, &game);
}

bool round_start_table(struct call *call, const struct loaded_event *loaded,
                       const struct event_people *people, const struct tournament_table *table)
{
    struct id id;
    return round_start_attempt(call, loaded, people, table, 1, &id);
}

static bool is_there(const struct tournament *tournament, const struct tournament_table *table,
                     unsigned seat)
{
    return tournament_presence(tournament, table->entry[seat], table->round) == ROUND_PLAYED;
}

static unsigned count_there(const struct tournament *tournament,
                            const struct tournament_table *table)
{
    unsigned there = 0;
    for (unsigned seat = 0; seat < table->seats; seat++)
        there += is_there(tournament, table, seat);
    return there;
}

/* Who is there wins by forfeit; of two who are not, both lose. */
static bool rule_table(struct call *call, struct loaded_event *loaded,
                       const struct tournament_table *table)
{
    const struct tournament *tournament = loaded->tournament;
    struct table_result result = {
        .round = table->round, .table = table->table, .seats = table->seats};
    bool nobody = count_there(tournament, table) == 0;
    for (unsigned seat = 0; seat < table->seats; seat++) {
        bool there = is_there(tournament, table, seat);
        result.seat[seat] =
            (struct seat_result){.entry = table->entry[seat],
                                 .kind = there ? ROUND_FORFEIT_WIN : ROUND_FORFEIT_LOSS,
                                 .rank = there || nobody ? 1 : 2};
    }
    return table_take_ruling(call, loaded, &result,
                             "The draw is fixed, and somebody at this table takes no part in the "
                             "round.");
}

/* The line moves nothing in the event's tables, so that they can be walked. */
static bool start_tables(struct call *call, struct loaded_event *loaded, unsigned number)
{
    const struct tournament *tournament = loaded->tournament;
    const struct tournament_round *round = &tournament->rounds[number - 1];
    struct event_people people;
    if (!event_people_load(call, loaded, &people))
        return false;
    for (size_t i = 0; i < round->table_count; i++) {
        const struct tournament_table *table = &tournament->tables[round->first_table + i];
        bool all = count_there(tournament, table) == table->seats;
        if (!(all ? round_start_table(call, loaded, &people, table)
                  : rule_table(call, loaded, table)))
            return false;
    }
    return true;
}

/* ---- The round ---- */

/* At larger tables the others would play a game in which a seat is empty. */
static bool is_stale(const struct tournament *tournament, const struct tournament_round *draft)
{
    for (size_t i = 0; i < draft->table_count; i++) {
        const struct tournament_table *table = &tournament->tables[draft->first_table + i];
        if (table->seats > 2 && count_there(tournament, table) < table->seats)
            return true;
    }
    return false;
}

bool round_start_draft(struct call *call, struct loaded_event *loaded, int64_t deadline_ms)
{
    const struct tournament_round *draft = tournament_draft(loaded->tournament);
    if (draft == NULL)
        return call_problem(call, "wrong-state", "No round has been drawn that is not started.");
    if (is_stale(loaded->tournament, draft))
        return call_problem(call, TOURNAMENT_REFUSAL_STALE,
                            "Somebody in this draw has left since; draw the round again.");
    unsigned number = draft->number;
    if (number > 1 && !tlog_add_round_standings(call, &loaded->event.id, number - 1))
        return false;
    json_t *deadline = deadline_ms == 0 ? json_null() : json_integer(deadline_ms);
    return event_take(call, loaded, "round_started",
                      json_pack("{s:i, s:o}", "round", (int)number, "deadline", deadline)) &&
           start_tables(call, loaded, number);
}
