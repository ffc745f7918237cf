/* Started rounds: their tables, their results, and the explanations of their draws. */
#include "db/store/events/rounds.h"
#include "api/deadlines/entropy.h"
#include "api/event/event_load.h"
#include "api/events/handlers.h"
#include "api/events/round_documents.h"
#include "api/request/documents.h"
#include "api/request/visibility.h"
#include "api/tables/duplicate.h"

/* ---- One round ---- */

/* The draw's explanation; null for duplicate rounds, whose boards have their own. */
static json_t *stored_quality(const struct round *round)
{
    json_t *quality = round->has_commitment ? NULL : json_loads(round->quality, 0, NULL);
    if (json_object_size(quality) > 0)
        return quality;
    json_decref(quality);
    return json_null();
}

/* Boards that wait for co-dealers have no tables yet. */
static bool waits_for_boards(const struct tournament_round *round)
{
    return round->boards_started < round->boards;
}

/* The secret that the round's games share is revealed when the last of them has ended (`over`). */
static bool read_revealed(struct call *call, const struct id *event, const struct round *round,
                          bool over, json_t **revealed)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    *revealed = json_null();
    if (!round->has_commitment || !over || round->tables_finished < round->tables)
        return true;
    if (!duplicate_read_secret(call, event, round->number, secret))
        return false;
    *revealed = hex_json(secret, sizeof secret);
    return true;
}

static bool is_contested(const struct tournament *tournament, const struct tournament_table *table)
{
    const struct tournament_report *report = tournament_report(tournament, table);
    return report != NULL && report->against != REPORT_NOBODY;
}

/* True while a result of the round is contested. */
static bool is_contested_round(const struct tournament *tournament,
                               const struct tournament_round *round)
{
    for (size_t i = 0; tournament->contested > 0 && i < round->table_count; i++)
        if (is_contested(tournament, &tournament->tables[round->first_table + i]))
            return true;
    return false;
}

static bool is_at_table(const struct tournament *tournament, const struct tournament_round *round)
{
    return round->table_count > 0 && tournament->tables[round->first_table].at_table;
}

/* The number of tables with a result. Tables of duplicate rounds have none before their board is
 * opened, so there the games that have ended are counted; for an earlier moment, the log does not
 * have their number. */
static unsigned count_decided(const struct round *stored, const struct tournament_round *round,
                              bool past)
{
    return stored->has_commitment && !past ? stored->tables_finished : (unsigned)round->decided;
}

static unsigned count_tables(const struct round *stored, const struct tournament_round *round,
                             bool past)
{
    return stored->has_commitment && !past ? stored->tables : (unsigned)round->table_count;
}

static bool round_document(struct call *call, const struct loaded_event *loaded,
                           const struct round *stored, json_t **document)
{
    const struct tournament_round *round = &loaded->tournament->rounds[stored->number - 1];
    unsigned tables = count_tables(stored, round, loaded->past);
    unsigned decided = count_decided(stored, round, loaded->past);
    bool over = decided == tables && !waits_for_boards(round);
    json_t *revealed;
    if (!read_revealed(call, &loaded->event.id, stored, over, &revealed))
        return false;
    *document =
        json_pack("{s:i, s:i, s:i, s:i, s:s, s:i, s:i, s:o, s:o, s:o, s:o, s:o}", "number",
                  (int)stored->number, "stage", round->stage + 1, "attempt", (int)stored->attempt,
                  "changes", (int)round->changes, "state",
                  over && !is_contested_round(loaded->tournament, round) ? "finished" : "running",
                  "tables", (int)tables, "tables_finished", (int)decided, "started_at",
                  time_json(stored->started_at_ms), "deadline", time_json(round->deadline_ms),
                  "quality", stored_quality(stored), "commitment",
                  stored->has_commitment ? hex_json(stored->commitment, sizeof stored->commitment)
                                         : json_null(),
                  "secret", revealed);
    json_object_set_new(*document, "play",
                        json_string(is_at_table(loaded->tournament, round) ? "table" : "online"));
    return true;
}

/* The stored rounds agree with the log, since both change in the same transaction. */
static bool list_rounds(struct call *call, const struct loaded_event *loaded, struct round **rounds,
                        size_t *count)
{
    size_t started = loaded->tournament->rounds_started;
    if (!call_found(call, round_list(call->db, call->arena, &loaded->event.id, rounds, count)))
        return false;
    if (loaded->past && *count > started)
        *count = started;
    return *count == started ||
           call_problem(call, "log-damaged", "The event's log and its rounds do not agree.");
}

void rounds_list(struct call *call)
{
    struct loaded_event loaded;
    struct round *rounds;
    size_t count;
    if (!event_load_as_of(call, &loaded) || !list_rounds(call, &loaded, &rounds, &count))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *item;
        if (!round_document(call, &loaded, &rounds[i], &item)) {
            json_decref(items);
            return;
        }
        json_array_append_new(items, item);
    }
    call_answer_tagged(call, list_with_next(items, NULL));
}

/* ---- Tables ---- */

static json_t *seat_document(const struct event_people *people,
                             const struct tournament_table *table, unsigned seat)
{
    json_t *document = json_pack("{s:i, s:o}", "seat", (int)seat, "player",
                                 event_numbered_person(people, table->entry[seat]));
    event_add_result(people->tournament, table, seat, document);
    return document;
}

/* ---- Reports ---- */

static json_t *claimed_document(const struct table_result *result, bool scored)
{
    json_t *seats = json_array();
    for (unsigned seat = 0; seat < result->seats; seat++)
        json_array_append_new(
            seats, json_pack("{s:i, s:o}", "rank", (int)result->seat[seat].rank, "score",
                             scored ? json_integer(result->seat[seat].score) : json_null()));
    return seats;
}

/* A seat, `official` or `time`; null for REPORT_NOBODY. */
static json_t *reporter_document(uint8_t who)
{
    switch (who) {
    case REPORT_OFFICIAL:
        return json_string("official");
    case REPORT_TIME:
        return json_string("time");
    case REPORT_NOBODY:
        return json_null();
    default:
        return json_integer(who);
    }
}

static json_t *report_document(const struct tournament *tournament,
                               const struct tournament_table *table)
{
    const struct tournament_report *report = tournament_report(tournament, table);
    if (report == NULL)
        return json_null();
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:o}", "by", reporter_document(report->by),
        "at", time_json(report->at_ms), "seats", claimed_document(&report->result, report->scored),
        "counted_by", reporter_document(report->counted_by), "due",
        time_json(tournament_report_due_ms(tournament, table)), "against",
        reporter_document(report->against), "other",
        report->differs ? claimed_document(&report->other, report->other_scored) : json_null(),
        "settled", (int)report->settled, "corrected", (int)report->corrected, "recording",
        text_or_null(report->recording));
}

/* An event's games that wait for entropy. */
struct waiting_list {
    struct waiting_game *games;
    size_t count;
};

static json_t *table_document(const struct event_people *people,
                              const struct tournament_table *table,
                              const struct waiting_list *waiting)
{
    json_t *seats = json_array();
    for (unsigned seat = 0; seat < table->seats; seat++)
        json_array_append_new(seats, seat_document(people, table, seat));
    json_t *match = table->match == TOURNAMENT_NOBODY ? json_null() : json_integer(table->match);
    json_t *board = number_or_null(table->board);
    json_t *document = json_pack(
        "{s:i, s:o, s:o, s:b, s:o, s:o, s:o}", "table", (int)table->table, "board", board, "match",
        match, "ruled", (int)table->ruled, "game", text_or_null(table->game), "seats", seats,
        "waiting",
        entropy_table_document(waiting->games, waiting->count, table->round, table->table));
    struct refusal refusal;
    json_object_set_new(document, "may_revoke",
                        json_boolean(tournament_may_revoke(people->tournament, table, &refusal)));
    json_object_set_new(document, "reported", json_boolean(table->reported && !table->ruled));
    json_object_set_new(document, "recorded",
                        json_boolean(tournament_is_recorded(people->tournament, table)));
    json_object_set_new(document, "report", report_document(people->tournament, table));
    return document;
}

json_t *round_table_document(const struct event_people *people,
                             const struct tournament_table *table)
{
    return table_document(people, table, &(struct waiting_list){.count = 0});
}

static json_t *tables_document(const struct event_people *people,
                               const struct tournament_round *round,
                               const struct waiting_list *waiting)
{
    json_t *tables = json_array();
    for (size_t i = 0; i < round->table_count; i++) {
        const struct tournament_table *table = &people->tournament->tables[round->first_table + i];
        json_array_append_new(tables, table_document(people, table, waiting));
    }
    return tables;
}

/* Boards have their own byes, shown with the travellers. */
static json_t *byes_document(const struct event_people *people,
                             const struct tournament_round *round)
{
    json_t *byes = json_array();
    for (size_t i = 0; round->boards == 0 && i < round->bye_count; i++) {
        const struct tournament_bye *bye = &people->tournament->byes[round->first_bye + i];
        json_array_append_new(byes,
                              json_pack("{s:o, s:s}", "player", event_person(people, bye->entry),
                                        "kind", round_kind_name(bye->kind)));
    }
    return byes;
}

/* The current documents of the round's games; none for an earlier moment. */
static bool games_document(struct call *call, const struct loaded_event *loaded, unsigned number,
                           json_t **document)
{
    struct game_row *games = NULL;
    size_t count = 0;
    if (!loaded->past && !call_found(call, round_games(call->db, call->arena, &loaded->event.id,
                                                       number, &games, &count)))
        return false;
    *document = visibility_game_documents(call, games, count);
    return true;
}

/* The games that wait now; none for an earlier moment. */
static bool find_waiting(struct call *call, const struct loaded_event *loaded,
                         struct waiting_list *waiting)
{
    *waiting = (struct waiting_list){.count = 0};
    return loaded->past ||
           call_found(call, waiting_of_event(call->db, call->arena, &loaded->event.id,
                                             &waiting->games, &waiting->count));
}

const char *round_address(struct call *call, const struct id *event, unsigned number)
{
    return call_strings(
        call, (const char *const[]){"/v1/events/", event->text, "/rounds/",
                                    number == 0 ? "next" : call_digits(call, number), NULL});
}

bool round_answer(struct call *call, const struct loaded_event *loaded, unsigned number, int status)
{
    struct event_people people;
    struct round *rounds;
    size_t count;
    struct waiting_list waiting;
    json_t *document, *games;
    if (number == 0 || number > loaded->tournament->rounds_started)
        return call_problem(call, "not-found", "This round has not been started.");
    if (!list_rounds(call, loaded, &rounds, &count) || !event_people_load(call, loaded, &people) ||
        !find_waiting(call, loaded, &waiting) ||
        !round_document(call, loaded, &rounds[number - 1], &document))
        return false;
    if (!games_document(call, loaded, number, &games)) {
        json_decref(document);
        return false;
    }
    const struct tournament_round *round = &loaded->tournament->rounds[number - 1];
    json_object_set_new(document, "games", games);
    json_object_set_new(document, "seating", tables_document(&people, round, &waiting));
    json_object_set_new(document, "byes", byes_document(&people, round));
    if (status == 200)
        call_answer_tagged(call, document);
    else
        call_answer(call, status, document);
    if (status == 201)
        call->response->location = round_address(call, &loaded->event.id, number);
    return true;
}

void rounds_get(struct call *call)
{
    struct loaded_event loaded;
    if (event_load_as_of(call, &loaded))
        round_answer(call, &loaded, (unsigned)call->number[0], 200);
}
