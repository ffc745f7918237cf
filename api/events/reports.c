/* Reports of results from tables with the players' own copy: by the players, by officials, or by an
 * official for a whole round. The event's fold decides what a report does
 * (engine/tournament/event/tournament.h). */
#include <stdlib.h>
#include <string.h>

#include "api/event/event_load.h"
#include "api/event/event_take.h"
#include "api/events/handlers.h"
#include "api/events/reports.h"
#include "api/events/round_documents.h"
#include "api/request/documents.h"
#include "api/request/problem.h"
#include "api/tables/tables.h"
#include "db/store/events/rounds.h"
#include "db/store/people/players.h"
#include "engine/base/json.h"
#include "engine/tournament/interchange/report_lines.h"

enum { REASON_MOST = 500 };

/* ---- The table, and permissions ---- */

const struct tournament_table *report_find_table(struct call *call,
                                                 const struct loaded_event *loaded)
{
    unsigned round = (unsigned)call->number[0];
    const struct tournament_table *table =
        round > loaded->tournament->rounds_started
            ? NULL
            : tournament_table(loaded->tournament, round, (unsigned)call->number[1]);
    if (table == NULL)
        call_problem(call, "no-such-table",
                     "There is no such table in a round that has been started.");
    return table;
}

bool report_is_allowed(struct call *call, const struct loaded_event *loaded,
                       const struct tournament_table *table)
{
    if (tournament_seat(loaded->tournament, table, call->player.id.text) != REPORT_OFFICIAL)
        return true;
    enum db_status status = event_official(call->db, &loaded->event.id, &call->player.id);
    if (status == DB_NONE && (call->player.roles & (unsigned)ROLE_ADMIN) != 0)
        status = DB_OK;
    if (status == DB_NONE)
        return call_problem(call, "not-allowed",
                            "Only the players at this table, and the organizers and arbiters of "
                            "the event, can report its result.");
    return call_found(call, status) && table_check_party(call, loaded, table);
}

/* Loads the event, and finds the table in the path. */
static bool begin(struct call *call, struct loaded_event *loaded,
                  const struct tournament_table **table)
{
    return event_load(call, &call->id[0], true, loaded) &&
           (*table = report_find_table(call, loaded)) != NULL;
}

/* ---- The result of a table ---- */

static bool bad_seats(struct call *call, const char *message)
{
    return call_bad_field(call, "seats", message);
}

static bool read_seat(struct call *call, const struct tournament *tournament,
                      const struct tournament_table *table, json_t *object,
                      struct reported_table *reported)
{
    static const char *const known[] = {"player", "rank", "score", NULL};
    json_t *rank = json_object_get(object, "rank"), *score = json_object_get(object, "score");
    int64_t place = 0, points = 0;
    if (!json_is_object(object) || json_unknown_key(object, known) != NULL)
        return bad_seats(call, "must be a list of objects with player, score and rank.");
    int seat = table_seat_of(tournament, table, json_object_get(object, "player"));
    if (seat < 0)
        return bad_seats(call, "names a player who has no seat at this table.");
    if (((reported->with_rank | reported->with_score) >> seat & 1) != 0)
        return bad_seats(call, "names a player twice.");
    if (rank != NULL && !json_read_whole(rank, 1, table->seats, &place))
        return bad_seats(call, "has a rank that is not from 1 to the number of seats.");
    if (score != NULL && !json_read_whole(score, -RESULT_SCORE_MAX, RESULT_SCORE_MAX, &points))
        return bad_seats(call, "has a score that is not a whole number, or is too large.");
    reported->result.seat[seat].rank = (uint8_t)place;
    reported->result.seat[seat].score = (int32_t)points;
    reported->with_rank = (uint8_t)(reported->with_rank | (rank != NULL) << seat);
    reported->with_score = (uint8_t)(reported->with_score | (score != NULL) << seat);
    return true;
}

static bool read_result(struct call *call, const struct tournament *tournament,
                        const struct tournament_table *table, struct reported_table *reported)
{
    json_t *list = json_object_get(call->body, "seats"), *each;
    char message[REPORT_MESSAGE_MAX];
    size_t i;
    report_table_begin(reported, table, 0);
    if (json_array_size(list) != table->seats)
        return bad_seats(call, "must list every player at the table.");
    json_array_foreach(list, i, each)
    {
        if (!read_seat(call, tournament, table, each, reported))
            return false;
    }
    return report_table_finish(reported, message) ||
           call_problem(call, "bad-field", arena_copy(call->arena, span_of(message)));
}

static json_t *result_detail(const struct tournament *tournament,
                             const struct reported_table *reported)
{
    const struct table_result *result = &reported->result;
    json_t *detail = table_line(result->round, result->table, ""), *seats = json_array();
    for (unsigned i = 0; i < result->seats; i++) {
        const struct seat_result *seat = &result->seat[i];
        json_t *values =
            json_pack("[i, i]", (int)tournament->entrants[seat->entry].number, (int)seat->rank);
        if (reported->scored)
            json_array_append_new(values, json_integer(seat->score));
        json_array_append_new(seats, values);
    }
    json_object_set_new(detail, "seats", seats);
    return detail;
}

/* ---- One table ---- */

static bool answer_table(struct call *call, const struct loaded_event *loaded, bool tagged)
{
    struct event_people people;
    const struct tournament_table *table = report_find_table(call, loaded);
    if (table == NULL || !event_people_load(call, loaded, &people))
        return false;
    json_t *document = round_table_document(&people, table);
    json_object_set_new(document, "event", json_string(loaded->event.id.text));
    json_object_set_new(document, "round", json_integer(table->round));
    json_object_set_new(document, "play", json_string(table->at_table ? "table" : "online"));
    if (tagged)
        call_answer_tagged(call, document);
    else
        call_answer(call, 200, document);
    return true;
}

void reports_get(struct call *call)
{
    struct loaded_event loaded;
    if (event_takes_as_of_only(call) && event_load_as_of(call, &loaded))
        answer_table(call, &loaded, true);
}

/* Takes the line and its consequences. `detail` is taken over. */
static void take_report(struct call *call, struct loaded_event *loaded, const char *kind,
                        json_t *detail)
{
    if (event_take(call, loaded, kind, detail) && queue_call_tables(call, loaded))
        answer_table(call, loaded, false);
}

void reports_create(struct call *call)
{
    static const char *const keys[] = {"seats", NULL};
    struct loaded_event loaded;
    const struct tournament_table *table;
    struct reported_table reported;
    if (call_check_keys(call, keys) && begin(call, &loaded, &table) &&
        report_is_allowed(call, &loaded, table) &&
        read_result(call, loaded.tournament, table, &reported))
        take_report(call, &loaded, "reported", result_detail(loaded.tournament, &reported));
}

void reports_confirm(struct call *call)
{
    struct loaded_event loaded;
    const struct tournament_table *table;
    if (call_check_keys(call, NULL) && begin(call, &loaded, &table) &&
        report_is_allowed(call, &loaded, table))
        take_report(call, &loaded, "report_confirmed", table_line(table->round, table->table, ""));
}

void reports_object(struct call *call)
{
    static const char *const keys[] = {"reason", NULL};
    struct loaded_event loaded;
    const struct tournament_table *table;
    const char *reason;
    if (call_check_keys(call, keys) && call_text(call, "reason", 1, REASON_MOST, "", &reason) &&
        begin(call, &loaded, &table) && report_is_allowed(call, &loaded, table))
        take_report(call, &loaded, "report_objected",
                    table_line(table->round, table->table, reason));
}

void reports_correct(struct call *call)
{
    static const char *const keys[] = {"seats", "reason", NULL};
    struct loaded_event loaded;
    const struct tournament_table *table;
    struct reported_table reported;
    const char *reason;
    if (!call_check_keys(call, keys) || !call_text(call, "reason", 1, REASON_MOST, "", &reason) ||
        !begin(call, &loaded, &table) || !table_check_party(call, &loaded, table) ||
        !read_result(call, loaded.tournament, table, &reported))
        return;
    json_t *detail = result_detail(loaded.tournament, &reported);
    if (reason[0] != '\0')
        json_object_set_new(detail, "reason", json_string(reason));
    take_report(call, &loaded, "report_corrected", detail);
}

/* ---- Results of a player ---- */

void players_reported(struct call *call)
{
    enum { RESULTS_MOST = 100 };
    struct player player;
    struct reported_seat *seats;
    size_t count;
    if (!call_found(call, player_by_id(call->db, call->arena, &call->id[0], &player)) ||
        !call_found(call, reported_of_player(call->db, call->arena, &player.id, RESULTS_MOST,
                                             &seats, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, reported_seat_document(&seats[i]));
    call_answer_tagged(call, list_with_next(items, NULL));
}

/* ---- Results that an official has to decide ---- */

void me_contested_results(struct call *call)
{
    enum { RESULTS_MOST = 100 };
    struct contested_table *tables;
    size_t count;
    if (!call_found(call, contested_to_decide(call->db, call->arena, &call->player.id, RESULTS_MOST,
                                              &tables, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *item = table_place_document(&tables[i].place);
        json_object_set_new(item, "since", time_json(tables[i].at_ms));
        json_array_append_new(items, item);
    }
    call_answer(call, 200, list_with_next(items, NULL));
}

/* ---- A whole round ---- */

/* The step for a line of the list: NULL if the table's report says the same and needs no
 * confirmation. */
static const char *find_step(struct report_lines *lines, const struct tournament *tournament,
                             const struct reported_table *reported, const char *actor)
{
    const struct tournament_table *table =
        tournament_table(tournament, reported->result.round, reported->result.table);
    const struct tournament_report *report = tournament_report(tournament, table);
    if (report == NULL)
        return "reported";
    bool same = report->scored == reported->scored;
    for (unsigned i = 0; same && i < table->seats; i++)
        same = report->result.seat[i].rank == reported->result.seat[i].rank &&
               report->result.seat[i].score == reported->result.seat[i].score;
    if (!same)
        report_lines_fault(
            lines, reported->line,
            "A different result has been reported from this table; correct it there.");
    bool counts = table->reported && report->against == REPORT_NOBODY;
    bool own = tournament_seat(tournament, table, actor) == report->by;
    return !same || counts || own ? NULL : "report_confirmed";
}

static json_t *detail_of(const struct tournament *tournament, const struct reported_table *reported,
                         const char *kind)
{
    return strcmp(kind, "reported") == 0
               ? result_detail(tournament, reported)
               : table_line(reported->result.round, reported->result.table, "");
}

/* Tries every line on a copy, so that all faults are known before any line is stored. */
static bool try_lines(struct call *call, const struct loaded_event *loaded,
                      struct report_lines *lines, const char **kinds)
{
    struct loaded_event tried = *loaded;
    const char *actor = call->player.id.text;
    tried.tournament = tournament_copy(loaded->tournament);
    if (tried.tournament == NULL)
        return call_problem(call, "unavailable",
                            "There is not enough memory for the event; try again soon.");
    for (size_t i = 0; i < lines->count; i++) {
        const struct reported_table *reported = &lines->tables[i];
        struct refusal refusal;
        kinds[i] = find_step(lines, loaded->tournament, reported, actor);
        if (kinds[i] == NULL)
            continue;
        json_t *detail = detail_of(tried.tournament, reported, kinds[i]);
        const struct tournament_line line = {.number = tried.tournament->lines + 1,
                                             .at_ms = call->now_ms,
                                             .actor = actor,
                                             .kind = kinds[i],
                                             .detail = detail};
        if (!tournament_apply(tried.tournament, &line, &refusal))
            report_lines_fault(lines, reported->line, refusal.message);
        json_decref(detail);
    }
    tournament_free(tried.tournament);
    free(tried.tournament);
    return true;
}

static bool refuse_lines(struct call *call, const struct report_lines *lines)
{
    json_t *list = json_array();
    for (size_t i = 0; i < lines->fault_count; i++)
        json_array_append_new(list, json_pack("{s:i, s:s}", "line", (int)lines->faults[i].line,
                                              "detail", lines->faults[i].message));
    const char *const detail[] = {"No result has been stored. Line ",
                                  call_digits(call, (int64_t)lines->faults[0].line), ": ",
                                  lines->faults[0].message, NULL};
    problem_answer(call->response, call->arena, "bad-results", call_strings(call, detail),
                   json_pack("{s:o}", "lines", list));
    return false;
}

/* Refuses an official who sits at one of the tables through a bot. */
static bool check_parties(struct call *call, const struct loaded_event *loaded,
                          const struct report_lines *lines)
{
    for (size_t i = 0; i < lines->count; i++) {
        const struct table_result *result = &lines->tables[i].result;
        if (!report_is_allowed(call, loaded,
                               tournament_table(loaded->tournament, result->round, result->table)))
            return false;
    }
    return true;
}

static bool take_lines(struct call *call, struct loaded_event *loaded,
                       const struct report_lines *lines, const char *const *kinds,
                       json_t **document)
{
    json_t *taken = json_array(), *kept = json_array();
    bool good = true;
    for (size_t i = 0; good && i < lines->count; i++) {
        const struct reported_table *reported = &lines->tables[i];
        json_array_append_new(kinds[i] == NULL ? kept : taken,
                              json_integer(reported->result.table));
        good = kinds[i] == NULL || event_take(call, loaded, kinds[i],
                                              detail_of(loaded->tournament, reported, kinds[i]));
    }
    *document = json_pack("{s:s, s:i, s:o, s:o}", "event", loaded->event.id.text, "round",
                          (int)call->number[0], "taken", taken, "unchanged", kept);
    return good && queue_call_tables(call, loaded);
}

static bool read_lines(struct call *call, const struct loaded_event *loaded,
                       struct report_lines *lines)
{
    const json_t *text = json_object_get(call->body, "results");
    if ((unsigned)call->number[0] > loaded->tournament->rounds_started)
        return call_problem(call, "not-found", "This round has not been started.");
    if (!json_is_string(text))
        return call_bad_field(call, "results",
                              "must be a text: one table per line (3: 41 38 22), or CSV.");
    lines->tables =
        arena_array(call->arena, loaded->tournament->table_count + 1, sizeof *lines->tables);
    if (!report_lines_read(loaded->tournament, (unsigned)call->number[0],
                           (struct span){json_string_value(text), json_string_length(text)}, lines))
        return refuse_lines(call, lines);
    return lines->count > 0 || call_bad_field(call, "results", "contains no result.");
}

void reports_create_all(struct call *call)
{
    static const char *const keys[] = {"results", NULL};
    struct loaded_event loaded;
    struct report_lines *lines = arena_take(call->arena, sizeof *lines);
    json_t *document;
    if (!call_check_keys(call, keys) || !event_load(call, &call->id[0], true, &loaded) ||
        !read_lines(call, &loaded, lines) || !check_parties(call, &loaded, lines))
        return;
    const char **kinds = arena_array(call->arena, lines->count, sizeof *kinds);
    if (!try_lines(call, &loaded, lines, kinds))
        return;
    if (lines->fault_count > 0) {
        refuse_lines(call, lines);
        return;
    }
    if (take_lines(call, &loaded, lines, kinds, &document))
        call_answer(call, 200, document);
    else
        json_decref(document);
}
