#include "api/tables/tables.h"

#include <stdlib.h>
#include <string.h>

#include "api/event/event_load.h"
#include "api/event/event_take.h"
#include "api/ratings/ratings_again.h"
#include "api/request/documents.h"
#include "api/tables/games.h"
#include "api/tables/handlers.h"
#include "api/tables/tlog_documents.h"
#include "api/work/jobs.h"
#include "db/store/people/players.h"
#include "db/store/people/ratings.h"
#include "engine/tournament/pairing/pairing_open.h"

/* ---- The deadline ---- */

static int64_t default_deadline(const struct call *call, const struct loaded_event *loaded)
{
    enum { MINUTE_MS = 60 * 1000 };
    const struct tournament_round *draft = tournament_draft(loaded->tournament);
    size_t stage = draft != NULL ? draft->stage
                                 : loaded->tournament->stages - (loaded->tournament->stages > 0);
    unsigned minutes = loaded->tournament->settings.stage[stage].round_minutes;
    return minutes == 0 ? 0 : call->now_ms + (int64_t)minutes * MINUTE_MS;
}

static bool read_deadline(struct call *call, const struct loaded_event *loaded,
                          int64_t *deadline_ms)
{
    json_t *field = json_object_get(call->body, "deadline");
    if (field == NULL) {
        *deadline_ms = default_deadline(call, loaded);
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
           call_bad_field(call, "deadline", "must be later than the round's start.");
}

/* Reads `play`; by default, the stage's place of play. */
static bool read_play(struct call *call, const struct loaded_event *loaded, bool *at_table)
{
    static const char *const places[] = {"online", "table", NULL};
    const struct tournament_round *draft = tournament_draft(loaded->tournament);
    const char *word;
    *at_table = draft != NULL && loaded->tournament->settings.stage[draft->stage].at_table;
    if (json_object_get(call->body, "play") == NULL)
        return true;
    if (!call_choice(call, "play", places, &word))
        return false;
    *at_table = strcmp(word, "table") == 0;
    return true;
}

bool round_read_start(struct call *call, const struct loaded_event *loaded,
                      struct round_start *start)
{
    return read_deadline(call, loaded, &start->deadline_ms) &&
           read_play(call, loaded, &start->at_table);
}

/* ---- Tables ---- */

static struct game_row make_game(struct call *call, const struct loaded_event *loaded,
                                 const struct event_people *people,
                                 const struct tournament_table *table, unsigned attempt)
{
    struct game_row game = game_of_table(call, loaded, people, table);
    game.attempt = attempt;
    return game;
}

bool round_start_attempt(struct call *call, const struct loaded_event *loaded,
                         const struct event_people *people, const struct tournament_table *table,
                         unsigned attempt, struct id *id)
{
    const struct game_row game = make_game(call, loaded, people, table, attempt);
    *id = game.id;
    const struct tournament_settings *settings = &loaded->tournament->settings;
    return settings_games_wait(settings) ? game_wait(call, &game, settings->entropy_seconds)
                                         : game_start(call, &game);
}

/* Starts the game of a table in the event's log, or makes it wait for its players' entropy first if
 * the event requires it. Does nothing at a table with the players' own copy. */
static bool round_start_table(struct call *call, const struct loaded_event *loaded,
                              const struct event_people *people,
                              const struct tournament_table *table)
{
    struct id id;
    return table->at_table || round_start_attempt(call, loaded, people, table, 1, &id);
}

static bool is_present(const struct tournament *tournament, const struct tournament_table *table,
                       unsigned seat)
{
    return tournament_presence(tournament, table->entry[seat], table->round) == ROUND_PLAYED;
}

static unsigned count_present(const struct tournament *tournament,
                              const struct tournament_table *table)
{
    unsigned there = 0;
    for (unsigned seat = 0; seat < table->seats; seat++)
        there += is_present(tournament, table, seat);
    return there;
}

/* Makes present players win by forfeit and absent ones lose; if both are absent, both lose. */
static bool rule_table(struct call *call, struct loaded_event *loaded,
                       const struct tournament_table *table)
{
    const struct tournament *tournament = loaded->tournament;
    struct table_result result = {
        .round = table->round, .table = table->table, .seats = table->seats};
    bool nobody = count_present(tournament, table) == 0;
    for (unsigned seat = 0; seat < table->seats; seat++) {
        bool there = is_present(tournament, table, seat);
        result.seat[seat] =
            (struct seat_result){.entry = table->entry[seat],
                                 .kind = there ? ROUND_FORFEIT_WIN : ROUND_FORFEIT_LOSS,
                                 .rank = there || nobody ? 1 : 2};
    }
    return table_take_ruling(
        call, loaded, &result,
        "The pairing is fixed, and a player at this table takes no part in the "
        "round.");
}

/* Games that are collected to start together. */
struct collected {
    struct game_row *games;
    size_t count;
};

static bool start_collected(struct call *call, struct collected *collected, size_t at_least)
{
    size_t count = collected->count;
    if (count == 0 || count < at_least)
        return true;
    collected->count = 0;
    return game_start_all(call, collected->games, count);
}

static bool start_one(struct call *call, struct loaded_event *loaded,
                      const struct event_people *people, const struct tournament_table *table,
                      struct collected *collected)
{
    if (count_present(loaded->tournament, table) < table->seats)
        return rule_table(call, loaded, table);
    if (table->at_table)
        return true;
    if (settings_games_wait(&loaded->tournament->settings))
        return round_start_table(call, loaded, people, table);
    collected->games[collected->count++] = make_game(call, loaded, people, table, 1);
    return true;
}

/* Rulings do not move the event's array of tables, so the loop may continue over it. */
static bool start_tables(struct call *call, struct loaded_event *loaded, unsigned number)
{
    enum { TOGETHER = 100 };
    const struct tournament *tournament = loaded->tournament;
    const struct tournament_round *round = &tournament->rounds[number - 1];
    struct collected collected = {.games =
                                      arena_array(call->arena, TOGETHER, sizeof *collected.games)};
    struct event_people people;
    if (!event_people_load(call, loaded, &people))
        return false;
    for (size_t i = 0; i < round->table_count; i++) {
        const struct tournament_table *table = &tournament->tables[round->first_table + i];
        jobs_progress(call, "storing", (unsigned)i, (unsigned)round->table_count);
        if (!start_one(call, loaded, &people, table, &collected) ||
            !start_collected(call, &collected, TOGETHER))
            return false;
    }
    return start_collected(call, &collected, 1);
}

/* ---- The round ---- */

/* True if a larger table has an absent player: its other players would have to play with an empty
 * seat. */
static bool is_stale(const struct tournament *tournament, const struct tournament_round *draft)
{
    for (size_t i = 0; i < draft->table_count; i++) {
        const struct tournament_table *table = &tournament->tables[draft->first_table + i];
        if (table->seats > 2 && count_present(tournament, table) < table->seats)
            return true;
    }
    return false;
}

/* The line includes `play` only if it differs from the stage's. */
static json_t *start_line(const struct tournament *tournament, const struct round_start *start,
                          unsigned number)
{
    json_t *deadline = number_or_null(start->deadline_ms);
    json_t *detail = json_pack("{s:i, s:o}", "round", (int)number, "deadline", deadline);
    if (start->at_table != tournament_stage(tournament)->at_table)
        json_object_set_new(detail, "play", json_string(start->at_table ? "table" : "online"));
    return detail;
}

bool round_start_draft(struct call *call, struct loaded_event *loaded,
                       const struct round_start *start)
{
    const struct tournament_round *draft = tournament_draft(loaded->tournament);
    if (draft == NULL)
        return call_problem(call, "wrong-state", "No paired round is waiting to be started.");
    if (is_stale(loaded->tournament, draft))
        return call_problem(call, TOURNAMENT_REFUSAL_STALE,
                            "A player in this pairing has left since; pair the round again.");
    unsigned number = draft->number;
    if (number > 1 && !tlog_add_round_standings(call, &loaded->event.id, number - 1))
        return false;
    return event_take(call, loaded, "round_started",
                      start_line(loaded->tournament, start, number)) &&
           start_tables(call, loaded, number);
}

/* ---- Tables outside of rounds ---- */

bool open_table_start(struct call *call, struct loaded_event *loaded,
                      const struct event_people *people, const uint16_t *entries, unsigned seats)
{
    unsigned number = (unsigned)loaded->tournament->open_tables + 1;
    json_t *numbers = json_array();
    for (unsigned seat = 0; seat < seats; seat++)
        json_array_append_new(numbers,
                              json_integer(loaded->tournament->entrants[entries[seat]].number));
    return event_take(call, loaded, "table_started",
                      json_pack("{s:i, s:i, s:o}", "round", 0, "table", (int)number, "numbers",
                                numbers)) &&
           round_start_table(call, loaded, people, tournament_table(loaded->tournament, 0, number));
}

/* The tables without a result, in order of their numbers. */
static json_t *open_tables_document(const struct event_people *people)
{
    const struct tournament *tournament = people->tournament;
    json_t *tables = json_array();
    for (unsigned number = 1; number <= tournament->open_tables; number++) {
        const struct tournament_table *table = tournament_table(tournament, 0, number);
        if (table->has_result)
            continue;
        json_t *players = json_array();
        for (unsigned seat = 0; seat < table->seats; seat++)
            json_array_append_new(players, event_numbered_person(people, table->entry[seat]));
        json_array_append_new(tables,
                              json_pack("{s:i, s:o, s:o}", "table", (int)number, "started_at",
                                        time_json(table->since_ms), "players", players));
    }
    return tables;
}

/* ---- Calling tables ---- */

static bool is_open_play(const struct tournament *tournament)
{
    return tournament->settings.stage[0].format == FORMAT_OPEN_PLAY;
}

bool queue_call_tables(struct call *call, struct loaded_event *loaded)
{
    const struct tournament *tournament = loaded->tournament;
    int64_t now_ms = call->now_ms > tournament->last_ms ? call->now_ms : tournament->last_ms;
    struct event_people people;
    struct refusal refusal;
    size_t count;
    if (!is_open_play(tournament) || tournament->queue_count < 2 ||
        tournament->phase == PHASE_CLOSED)
        return true;
    struct open_play_table *tables =
        arena_array(call->arena, tournament->queue_count, sizeof *tables);
    if (!(pairing_open_tables(tournament, &loaded->chance, now_ms, tables, &count, &refusal) ||
          event_refuse(call, &refusal)) ||
        (count > 0 && !event_people_load(call, loaded, &people)))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!open_table_start(call, loaded, &people, tables[i].entry, tables[i].seats))
            return false;
    return true;
}

/* ---- The queue ---- */

static json_t *waiting_document(const struct event_people *people,
                                const struct tournament_wait *wait)
{
    json_t *document = event_numbered_person(people, wait->entry);
    return json_pack("{s:o, s:o}", "player", document, "since", time_json(wait->since_ms));
}

static bool queue_document(struct call *call, const struct loaded_event *loaded, json_t **document)
{
    const struct tournament *tournament = loaded->tournament;
    struct event_people people;
    if (!event_people_load(call, loaded, &people))
        return false;
    json_t *waiting = json_array();
    for (size_t i = 0; i < tournament->queue_count; i++)
        json_array_append_new(waiting, waiting_document(&people, &tournament->queue[i]));
    *document = json_pack("{s:s, s:i, s:o, s:o}", "event", loaded->event.id.text, "line",
                          (int)tournament->lines, "waiting", waiting, "tables",
                          open_tables_document(&people));
    return true;
}

void queues_get(struct call *call)
{
    struct loaded_event loaded;
    json_t *document;
    if (event_load_as_of(call, &loaded) && queue_document(call, &loaded, &document))
        call_answer_tagged(call, document);
}

static void take_step(struct call *call, const char *kind, bool calls)
{
    struct loaded_event loaded;
    json_t *document;
    if (!call_check_keys(call, NULL) || !event_load(call, &call->id[0], true, &loaded) ||
        !event_take(call, &loaded, kind, json_pack("{s:s}", "player", call->player.id.text)) ||
        (calls && !queue_call_tables(call, &loaded)) || !queue_document(call, &loaded, &document))
        return;
    call_answer(call, 200, document);
}

void queues_join(struct call *call)
{
    take_step(call, "queued", true);
}

void queues_leave(struct call *call)
{
    take_step(call, "unqueued", false);
}

/* ---- Results ---- */

static int number_of(const struct tournament *tournament, uint16_t entry)
{
    return tournament->entrants[entry].number;
}

/* Sets a list and releases it; an empty list is omitted. */
static void set_marks(json_t *detail, const char *name, json_t *marks)
{
    if (json_array_size(marks) > 0)
        json_object_set(detail, name, marks);
    json_decref(marks);
}

static bool is_substituted(const struct tournament *tournament,
                           const struct tournament_table *table, const struct game_row *game,
                           unsigned seat)
{
    return strcmp(game->seat[seat].player.text, tournament->entrants[table->entry[seat]].player) !=
           0;
}

/* Finds the seats of house players who came as substitutes. */
static bool find_house(struct call *call, const struct loaded_event *loaded,
                       const struct tournament_table *table, const struct game_row *game,
                       unsigned *seats)
{
    bool any = false;
    *seats = 0;
    for (unsigned seat = 0; seat < game->seats; seat++)
        any = any || is_substituted(loaded->tournament, table, game, seat);
    return !any || call_found(call, game_house_substitutes(call->db, &game->id, seats));
}

int table_seat_of(const struct tournament *tournament, const struct tournament_table *table,
                  const json_t *player)
{
    return json_is_string(player)
               ? tournament_seat_of(
                     table, tournament_entry(tournament, span_of(json_string_value(player))))
               : -1;
}

bool table_take_result(struct call *call, struct loaded_event *loaded, const struct game_row *game)
{
    const struct tournament *tournament = loaded->tournament;
    const struct tournament_table *table = tournament_table(tournament, game->round, game->table);
    if (table == NULL || table->seats != game->seats)
        return call_problem(call, "internal-error", "The game belongs to no table of the event.");
    unsigned house;
    if (!find_house(call, loaded, table, game, &house))
        return false;
    json_t *seats = json_array();
    json_t *forfeited = json_array();
    json_t *substituted = json_array();
    json_t *by_house = json_array();
    for (unsigned i = 0; i < game->seats; i++) {
        const struct game_row_seat *seat = &game->seat[i];
        int number = number_of(tournament, table->entry[i]);
        json_array_append_new(seats, json_pack("[i, i, i]", number, (int)seat->rank, seat->score));
        if (seat->forfeited)
            json_array_append_new(forfeited, json_integer(number));
        if (is_substituted(tournament, table, game, i))
            json_array_append_new(substituted, json_integer(number));
        if ((house >> i & 1) != 0)
            json_array_append_new(by_house, json_integer(number));
    }
    json_t *detail = json_pack("{s:i, s:i, s:s, s:o}", "round", (int)game->round, "table",
                               (int)game->table, "game", game->id.text, "seats", seats);
    set_marks(detail, "forfeited", forfeited);
    set_marks(detail, "substituted", substituted);
    set_marks(detail, "house", by_house);
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
    /* Rating again needs the lock of all ratings, which comes before the locks of players. */
    if (table->ruled && !call_found(call, rating_lock(call->db)))
        return false;
    bool apart = tournament_rates_apart(loaded->tournament, table);
    return game_rate(call, game, apart) &&
           (!table->ruled || ratings_again(call, &game->id, &loaded->event.id, apart,
                                           "A ruling stood when the game ended."));
}

/* ---- Parties ---- */

bool table_check_party(struct call *call, const struct loaded_event *loaded,
                       const struct tournament_table *table)
{
    struct player self;
    if (!table->at_table)
        return true;
    if (!call_found(call, player_by_id(call->db, call->arena, &call->player.id, &self)))
        return false;
    const char *person = self.owner.text[0] == '\0' ? self.id.text : self.owner.text;
    return tournament_seat(loaded->tournament, table, person) == REPORT_OFFICIAL ||
           call_problem(call, "party-to-the-game",
                        "You cannot decide this table's result as an official: you, your bot or "
                        "another bot of your owner plays at it. Another organizer or arbiter of "
                        "the event has to do this.");
}

/* ---- Rulings ---- */

json_t *table_line(unsigned round, unsigned table, const char *reason)
{
    json_t *detail = json_pack("{s:i, s:i}", "round", (int)round, "table", (int)table);
    if (reason[0] != '\0')
        json_object_set_new(detail, "reason", json_string(reason));
    return detail;
}

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
