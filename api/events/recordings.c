/* Games at real tables, recorded by scorers. A scorer sends entries as they are in the record, with
 * their numbers, so entries that are sent again are neither lost nor doubled:
 *
 *      entries sent:    5 6 7 8 9         5 to 7 must equal the stored ones; 8 and 9 are
 *      stored so far:   1 .. 7            replayed, marked and appended
 *
 * Once the hidden parts have been shown, the service adds the lines with the results and the head.
 * The result is reported with a reference to the record, and counts like any other report
 * (reports.c).
 */
#include <stdlib.h>
#include <string.h>

#include "api/event/event_take.h"
#include "api/event/recording_view.h"
#include "api/events/handlers.h"
#include "api/events/reports.h"
#include "api/request/documents.h"
#include "api/request/problem.h"
#include "api/state/component_cache.h"
#include "api/tables/games.h"
#include "api/tables/tables.h"
#include "db/store/games/recordings.h"
#include "engine/game/catalog.h"
#include "engine/record/difference.h"

enum {
    RECORDINGS_MAX = 6,          /* per game */
    ENTRIES_AT_ONCE = 500,       /* per request */
    RECORDING_LINES_MAX = 10000, /* per record: many times the longest game */
    EARLY_MS = 60 * 60 * 1000,   /* maximum lead of a scorer's clock */
    LATE_DAYS = 31,              /* maximum age of a recording's start */
    DAY_MS = 24 * 60 * 60 * 1000,
    MARK = sizeof " #01234567" - 1 /* bytes after an entry */
};

/* ---- Reading ---- */

/* Finds a recording and its event. `lines` is cut to the rows that the caller may read. */
static bool find_readable(struct call *call, struct loaded_event *loaded,
                          struct recording *recording)
{
    if (!call_found(call, recording_find(call->db, call->arena, &call->id[0], recording)) ||
        !event_load(call, &recording->event, false, loaded))
        return false;
    recording->lines = recording_view_rows(call, loaded, recording);
    return true;
}

/* ---- Documents ---- */

/* True if the table's result comes from this record. */
static bool is_counted(const struct tournament *tournament, const struct recording *recording)
{
    const struct tournament_table *table =
        tournament_table(tournament, recording->round, recording->table);
    return table != NULL && tournament_is_recorded(tournament, table) &&
           strcmp(tournament_report(tournament, table)->recording, recording->id.text) == 0;
}

static json_t *recording_document(const struct loaded_event *loaded,
                                  const struct recording *recording)
{
    return json_pack("{s:s, s:o, s:i, s:i, s:o, s:o, s:o, s:o, s:i, s:b}", "id", recording->id.text,
                     "event", player_reference(&loaded->event.id, loaded->event.name), "round",
                     (int)recording->round, "table", (int)recording->table, "ruleset",
                     ruleset_reference(loaded->event.slug, loaded->event.version), "scorer",
                     player_reference(&recording->scorer, recording->scorer_name), "started_at",
                     time_json(recording->started_at_ms), "finished_at",
                     time_json(recording->finished_at_ms), "rows", (int)recording->lines, "counts",
                     (int)is_counted(loaded->tournament, recording));
}

/* Reads the record up to row `lines`. */
static bool read_record(struct call *call, const struct recording *recording, struct span *record)
{
    struct record_row *rows;
    size_t count;
    if (!call_found(call, recording_read(call->db, call->arena, &recording->id, &rows, &count)))
        return false;
    if (count > recording->lines + 1U)
        count = recording->lines + 1U;
    *record = record_join(call->arena, rows, count);
    return true;
}

/* The document includes the record, so that a scorer's page needs one request to continue. */
static bool make_document(struct call *call, const struct loaded_event *loaded,
                          const struct recording *recording, json_t **document)
{
    struct span record;
    if (!read_record(call, recording, &record))
        return false;
    *document = recording_document(loaded, recording);
    json_object_set_new(*document, "record", json_stringn(record.at, record.length));
    return true;
}

static void answer_recording(struct call *call, const struct loaded_event *loaded,
                             const struct id *id, int status)
{
    struct recording recording;
    json_t *document;
    if (call_found(call, recording_find(call->db, call->arena, id, &recording)) &&
        make_document(call, loaded, &recording, &document))
        call_answer(call, status, document);
}

void recordings_get(struct call *call)
{
    struct loaded_event loaded;
    struct recording recording;
    json_t *document;
    if (find_readable(call, &loaded, &recording) &&
        make_document(call, &loaded, &recording, &document))
        call_answer_tagged(call, document);
}

void recordings_record(struct call *call)
{
    struct loaded_event loaded;
    struct recording recording;
    struct span record;
    if (!find_readable(call, &loaded, &recording) || !read_record(call, &recording, &record))
        return;
    call_name_file(call, "inline", recording.id.text, ".roll");
    call_answer_body(call, "text/plain; charset=utf-8", record);
}

/* ---- Beginning ---- */

static bool make_header(struct call *call, const struct loaded_event *loaded,
                        const struct tournament_table *table, const struct recording *recording,
                        struct record_row *row)
{
    struct event_people people;
    const struct game *game =
        catalog_find(span_of(loaded->event.slug), span_of(loaded->event.version));
    struct record_header *header = arena_take(call->arena, sizeof *header);
    struct text text = {arena_take(call->arena, RECORD_HEADER_MAX), 0, RECORD_HEADER_MAX, false};
    if (!event_people_load(call, loaded, &people))
        return false;
    if (game == NULL)
        return call_problem(call, "internal-error", "This server does not know the ruleset.");
    *header = (struct record_header){.game = game,
                                     .options = game_stored_options(game, loaded->event.options),
                                     .in_event = true,
                                     .round = table->round,
                                     .table = table->table,
                                     .seats = table->seats,
                                     .recorded = true};
    const struct tournament_settings *settings = &loaded->tournament->settings;
    header->other_set = settings->other_set;
    memcpy(header->set, settings->set, sizeof header->set);
    memcpy(header->game_id, recording->id.text, sizeof header->game_id);
    memcpy(header->event_id, loaded->event.id.text, sizeof header->event_id);
    for (unsigned i = 0; i < table->seats; i++) {
        const struct id player = event_person_id(loaded->tournament, table->entry[i]);
        struct text name = TEXT_OVER(header->seat[i].name);
        memcpy(header->seat[i].player, player.text, sizeof header->seat[i].player);
        text_add(&name, people.name[table->entry[i]]);
    }
    time_print(recording->started_at_ms, header->start);
    *row = (struct record_row){.seq = 0};
    record_print_header(header, &text, row->hash);
    row->line = text_span(&text);
    return !text.overflow ||
           call_problem(call, "internal-error", "The record's header is too long.");
}

static bool read_start(struct call *call, struct id *id, int64_t *started_at_ms)
{
    const char *text, *start;
    if (!call_text(call, "id", RECORD_ID_LENGTH, RECORD_ID_LENGTH, NULL, &text) ||
        !call_text(call, "started_at", 1, 64, "", &start))
        return false;
    if (!id_parse(span_of(text), id))
        return call_bad_field(call, "id", "must be a UUID in lower case that you have generated.");
    *started_at_ms = call->now_ms;
    if (start[0] == '\0')
        return true;
    if (!time_parse(span_of(start), started_at_ms) || *started_at_ms > call->now_ms + EARLY_MS ||
        *started_at_ms < call->now_ms - (int64_t)LATE_DAYS * DAY_MS)
        return call_bad_field(call, "started_at",
                              "must be an RFC 3339 time within the last 31 days.");
    return true;
}

static bool refuse_another(struct call *call, const char *detail, const struct id *own)
{
    problem_answer(call->response, call->arena, "too-many-recordings", detail,
                   own == NULL ? NULL : json_pack("{s:s}", "recording", own->text));
    return false;
}

/* Allows one recording per game and scorer, and RECORDINGS_MAX per game. */
static bool has_room(struct call *call, const struct loaded_event *loaded,
                     const struct tournament_table *table)
{
    struct recording *recordings;
    size_t count, now = 0;
    if (!call_found(call, recording_list(call->db, call->arena, &loaded->event.id, table->round,
                                         table->table, &recordings, &count)))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (recordings[i].since != table->since)
            continue;
        if (strcmp(recordings[i].scorer.text, call->player.id.text) == 0)
            return refuse_another(call,
                                  "You are already recording this game: continue that recording.",
                                  &recordings[i].id);
        now++;
    }
    return now < RECORDINGS_MAX ||
           refuse_another(call, "Six people are recording this game, the maximum.", NULL);
}

/* Checks that a repeated request has the same beginning. */
static bool check_same_beginning(struct call *call, const struct loaded_event *loaded,
                                 const struct tournament_table *table,
                                 const struct recording *found)
{
    return (strcmp(found->event.text, loaded->event.id.text) == 0 && found->round == table->round &&
            found->table == table->table && found->since == table->since &&
            strcmp(found->scorer.text, call->player.id.text) == 0) ||
           call_problem(call, "recording-differs",
                        "Another recording has this id; generate a new one.");
}

static bool begin(struct call *call, const struct loaded_event *loaded,
                  const struct tournament_table *table, const struct id *id, int64_t started_at_ms)
{
    const struct recording recording = {.id = *id,
                                        .event = loaded->event.id,
                                        .round = table->round,
                                        .table = table->table,
                                        .since = table->since,
                                        .scorer = call->player.id,
                                        .started_at_ms = started_at_ms,
                                        .created_at_ms = call->now_ms};
    struct record_row row;
    if (!table->at_table)
        return call_problem(call, TOURNAMENT_REFUSAL_ONLINE,
                            "This table's game is played on the service, which has its record.");
    return has_room(call, loaded, table) && make_header(call, loaded, table, &recording, &row) &&
           call_db(call, recording_add(call->db, &recording, &row), "recording-differs",
                   "Another recording has this id; generate a new one.");
}

void recordings_create(struct call *call)
{
    static const char *const keys[] = {"id", "started_at", NULL};
    struct loaded_event loaded;
    struct recording found;
    struct id id;
    int64_t started_at_ms = 0;
    if (!call_check_keys(call, keys) || !read_start(call, &id, &started_at_ms) ||
        !event_load(call, &call->id[0], true, &loaded))
        return;
    const struct tournament_table *table = report_find_table(call, &loaded);
    if (table == NULL || !report_is_allowed(call, &loaded, table))
        return;
    enum db_status status = recording_find(call->db, call->arena, &id, &found);
    bool is_new = status == DB_NONE;
    if (is_new ? !begin(call, &loaded, table, &id, started_at_ms)
               : !call_found(call, status) || !check_same_beginning(call, &loaded, table, &found))
        return;
    answer_recording(call, &loaded, &id, is_new ? 201 : 200);
}

/* ---- Appending ---- */

/* A record to which entries are appended. */
struct growth {
    struct recording recording;
    struct replay *replay;
    struct growing text; /* the record */
    struct record_row *rows, *added;
    size_t count, added_count;
    unsigned whole; /* number of the last row that the table may see */
    bool holds;     /* after that row, some seats have decided and others have not */
};

/* Updates `whole` after the replay has accepted row `seq`. Simultaneous decisions are shown
 * together. Until all have been made, the rows after them are hidden too, since they would reveal
 * them. */
static void note_whole(struct growth *growth, enum record_kind kind, unsigned seq)
{
    if (kind == RECORD_PLY)
        growth->holds = growth->replay->together;
    if (kind != RECORD_BIND && !growth->holds)
        growth->whole = seq;
}

/* Calls note_whole() for a stored line; the line with the head is not an entry and is skipped. */
static void note_line(struct growth *growth, struct span line)
{
    struct record_entry entry;
    struct record_fault fault;
    line.length -= MARK;
    if (record_read_entry(line, &entry, &fault))
        note_whole(growth, entry.kind, entry.seq);
}

static bool load(struct call *call, struct growth *growth)
{
    struct record_fault fault;
    struct component_lookup lookup;
    const uint8_t none[32] = {0};
    struct span rest, line;
    if (!call_found(call, recording_read(call->db, call->arena, &growth->recording.id,
                                         &growth->rows, &growth->count)))
        return false;
    growth->replay = arena_take(call->arena, sizeof *growth->replay);
    growing_begin(&growth->text, call->arena, 4096);
    growing_add(&growth->text, record_join(call->arena, growth->rows, growth->count));
    rest = growing_span(&growth->text);
    const struct component_sets *sets =
        component_cache_sets(call->service->component_cache, call->db, &lookup);
    bool good = replay_begin(growth->replay, sets, &rest, none, &fault);
    if (!good && lookup.status != DB_NONE)
        return call_found(call, lookup.status);
    while (good && growth->replay->phase != REPLAY_FINISHED && span_line(&rest, &line)) {
        const struct span whole = growing_span(&growth->text);
        const struct span past = {whole.at, (size_t)(line.at - whole.at)};
        good = replay_line_after(growth->replay, past, line, &fault);
        if (good)
            note_line(growth, line);
    }
    return good || call_problem(call, "record-damaged", "The stored record is damaged.");
}

static json_t *entry_position(size_t index, unsigned last)
{
    return json_pack("{s:i, s:i}", "index", (int)index, "rows", (int)last);
}

static bool refuse_entry(struct call *call, size_t index, const char *code, const char *detail,
                         unsigned last)
{
    problem_answer(call->response, call->arena, code, detail, entry_position(index, last));
    return false;
}

/* True if row `seq` of the record has this entry. */
static bool is_stored(const struct growth *growth, uint32_t seq, struct span given)
{
    const struct record_row *row =
        seq < growth->count ? &growth->rows[seq] : &growth->added[seq - growth->count];
    return row->line.length == given.length + MARK &&
           memcmp(row->line.at, given.at, given.length) == 0;
}

static void add_row(struct growth *growth, struct arena *arena, const struct text *line)
{
    struct record_row *row = &growth->added[growth->added_count];
    *row = (struct record_row){.seq = (unsigned)(growth->count + growth->added_count)};
    row->line = span_of(arena_copy(arena, text_span(line)));
    memcpy(row->hash, growth->replay->head, sizeof row->hash);
    growth->added_count++;
    growing_add(&growth->text, row->line);
    growing_add(&growth->text, span_of("\n"));
}

static bool may_scorer_send(enum record_kind kind)
{
    return kind == RECORD_BIND || kind == RECORD_DEAL || kind == RECORD_PLY ||
           kind == RECORD_SHOW || kind == RECORD_BACK;
}

static bool take_entry(struct call *call, struct growth *growth, size_t index, struct span given)
{
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    struct record_entry entry;
    struct record_fault fault;
    struct refusal refusal = {"bad-entry", "This entry is not allowed here."};
    unsigned last = (unsigned)(growth->count + growth->added_count) - 1;
    if (given.length > RECORD_LINE_MAX || !record_read_entry(given, &entry, &fault))
        return refuse_entry(call, index, "bad-entry",
                            "This is not an entry of a record: a number, a seat or `-`, "
                            "milliseconds since the start, and what happened, without a mark.",
                            last);
    if (entry.seq <= last)
        return is_stored(growth, entry.seq, given) ||
               refuse_entry(call, index, "recording-differs",
                            "The record has another entry with this number: the recording was "
                            "continued elsewhere. Read it, and go on from there.",
                            last);
    if (!may_scorer_send(entry.kind))
        return refuse_entry(call, index, "bad-entry",
                            "A scorer sends `bind`, `deal`, moves, `back` and `show`.", last);
    if (entry.seq != last + 1)
        return refuse_entry(call, index, "entries-missing",
                            "Entries before this one are missing; send them, too.", last);
    if (last + 1 + GAME_SEATS_MAX + 1 > RECORDING_LINES_MAX)
        return refuse_entry(call, index, "bad-entry", "A recording has at most 10,000 lines.",
                            last);
    if (entry.elapsed_ms < growth->replay->elapsed_ms)
        return refuse_entry(call, index, "bad-entry",
                            "This entry is earlier than the one before it.", last);
    if (!replay_add(growth->replay, growing_span(&growth->text), &entry, &line, &refusal)) {
        problem_answer_refusal(call->response, call->arena, refusal.code, refusal.message,
                               entry_position(index, last));
        return false;
    }
    add_row(growth, call->arena, &line);
    note_whole(growth, entry.kind, entry.seq);
    return true;
}

/* Adds results and head, once the hidden parts have been shown. */
static void finish(struct growth *growth, struct arena *arena)
{
    if (growth->replay->phase != REPLAY_REVEALED && growth->replay->phase != REPLAY_CLOSING)
        return;
    for (;;) {
        char bytes[RECORD_LINE_MAX + 1];
        struct text line = TEXT_OVER(bytes);
        if (!replay_add_due(growth->replay, growth->replay->elapsed_ms, true, &line))
            return;
        add_row(growth, arena, &line);
    }
}

static bool take_entries(struct call *call, struct growth *growth)
{
    const json_t *list = json_object_get(call->body, "entries");
    size_t count = json_array_size(list);
    if (count == 0 || count > ENTRIES_AT_ONCE)
        return call_bad_field(call, "entries", "must be a list of 1 to 500 entries.");
    growth->added = arena_array(call->arena, count + GAME_SEATS_MAX + 1, sizeof *growth->added);
    for (size_t i = 0; i < count; i++) {
        const json_t *each = json_array_get(list, i);
        if (!json_is_string(each))
            return call_bad_field(call, "entries", "must be a list of texts.");
        const struct span given = {json_string_value(each), json_string_length(each)};
        if (!take_entry(call, growth, i, given))
            return false;
    }
    finish(growth, call->arena);
    return true;
}

/* ---- The result ---- */

static json_t *report_detail(const struct tournament *tournament,
                             const struct tournament_table *table, const struct growth *growth)
{
    struct outcome outcome;
    json_t *seats = json_array();
    /* The last line contains the chain's value before it. */
    const uint8_t *head = growth->added[growth->added_count - 2].hash;
    replay_outcome(growth->replay, &outcome);
    for (unsigned i = 0; i < table->seats; i++)
        json_array_append_new(seats, json_pack("[i, i, i]",
                                               (int)tournament->entrants[table->entry[i]].number,
                                               (int)outcome.rank[i], (int)outcome.score[i]));
    return json_pack("{s:i, s:i, s:o, s:{s:o, s:s}}", "round", (int)table->round, "table",
                     (int)table->table, "seats", seats, "record", "head",
                     hex_json(head, sizeof growth->replay->head), "id", growth->recording.id.text);
}

/* Tries the line on a copy of the event. True if the fold accepts it. */
static bool is_accepted(const struct call *call, const struct tournament *tournament,
                        json_t *detail)
{
    struct tournament *copy = tournament_copy(tournament);
    struct refusal refusal;
    if (copy == NULL)
        return false;
    const struct tournament_line line = {.number = copy->lines + 1,
                                         .at_ms = call->now_ms,
                                         .actor = call->player.id.text,
                                         .kind = "reported",
                                         .detail = detail};
    bool taken = tournament_apply(copy, &line, &refusal);
    tournament_free(copy);
    free(copy);
    return taken;
}

/* Reports the result, unless the table has another result, a ruling or another game by now: then
 * only the record is kept. */
static bool report_result(struct call *call, struct loaded_event *loaded,
                          const struct growth *growth)
{
    const struct tournament_table *table =
        tournament_table(loaded->tournament, growth->recording.round, growth->recording.table);
    if (table == NULL || table->since != growth->recording.since)
        return true;
    json_t *detail = report_detail(loaded->tournament, table, growth);
    if (!is_accepted(call, loaded->tournament, detail)) {
        json_decref(detail);
        return true;
    }
    return event_take(call, loaded, "reported", detail) && queue_call_tables(call, loaded);
}

/* Stores the numbers of the last rows that the table and all others may see, which notifies
 * followers. */
static bool show(struct call *call, const struct loaded_event *loaded, const struct growth *growth)
{
    const unsigned late = loaded->tournament->settings.delay_entries;
    const unsigned whole = growth->whole, open = whole > late ? whole - late : 0;
    return growth->recording.whole == whole ||
           call_found(call, recording_show(call->db, &growth->recording.id, whole, open));
}

static bool store(struct call *call, struct loaded_event *loaded, const struct growth *growth)
{
    if (growth->added_count == 0)
        return true;
    if (!call_found(call, recording_append(call->db, &growth->recording.id, growth->added,
                                           growth->added_count)) ||
        !show(call, loaded, growth))
        return false;
    return growth->replay->phase != REPLAY_FINISHED ||
           (call_found(call, recording_finish(call->db, &growth->recording.id, call->now_ms)) &&
            report_result(call, loaded, growth));
}

/* Locks the event before the recording, so that two scorers who finish at the same time do not wait
 * for each other. */
void recordings_append(struct call *call)
{
    static const char *const keys[] = {"entries", NULL};
    struct loaded_event loaded;
    struct growth growth = {.count = 0};
    struct recording *recording = &growth.recording;
    if (!call_check_keys(call, keys) || !call_within_share(call) ||
        !call_found(call, recording_find(call->db, call->arena, &call->id[0], recording)))
        return;
    if (strcmp(recording->scorer.text, call->player.id.text) != 0) {
        call_problem(call, "not-allowed", "Only the scorer who began a recording can continue it.");
        return;
    }
    if (event_load(call, &recording->event, true, &loaded) && load(call, &growth) &&
        take_entries(call, &growth) && store(call, &loaded, &growth))
        answer_recording(call, &loaded, &recording->id, 200);
}

/* ---- Comparing ---- */

static json_t *comparison_document(struct call *call, const struct recording *const pair[2],
                                   const struct span record[2])
{
    struct difference difference;
    record_difference(call->arena, record, &difference);
    json_t *ids = json_array(), *first = difference.differs ? json_array() : json_null();
    for (size_t i = 0; i < DIFFERENCE_SIDES; i++) {
        json_array_append_new(ids, json_string(pair[i]->id.text));
        if (difference.differs)
            json_array_append_new(first, json_pack("{s:i, s:o}", "seq", (int)difference.side[i].seq,
                                                   "entry",
                                                   json_stringn(difference.side[i].entry.at,
                                                                difference.side[i].entry.length)));
    }
    return json_pack("{s:o, s:i, s:o}", "recordings", ids, "plies", (int)difference.plies, "first",
                     first);
}

static bool compare_all(struct call *call, const struct recording *shown, size_t count,
                        json_t *comparisons)
{
    struct span *records = arena_array(call->arena, count + 1, sizeof *records);
    for (size_t i = 0; i < count; i++) {
        if (!read_record(call, &shown[i], &records[i]))
            return false;
        for (size_t k = 0; k < i; k++)
            if (shown[k].since == shown[i].since)
                json_array_append_new(
                    comparisons, comparison_document(
                                     call, (const struct recording *const[2]){&shown[k], &shown[i]},
                                     (const struct span[2]){records[k], records[i]}));
    }
    return true;
}

void recordings_list(struct call *call)
{
    struct loaded_event loaded;
    struct recording *recordings;
    size_t count;
    if (!call_within_share(call) || !event_load(call, &call->id[0], false, &loaded))
        return;
    const struct tournament_table *table = report_find_table(call, &loaded);
    if (table == NULL ||
        !call_found(call, recording_list(call->db, call->arena, &loaded.event.id, table->round,
                                         table->table, &recordings, &count)))
        return;
    json_t *items = json_array(), *comparisons = json_array();
    for (size_t i = 0; i < count; i++) {
        recordings[i].lines = recording_view_rows(call, &loaded, &recordings[i]);
        json_array_append_new(items, recording_document(&loaded, &recordings[i]));
    }
    bool good = compare_all(call, recordings, count, comparisons);
    json_t *document = json_pack("{s:o, s:o}", "items", items, "comparisons", comparisons);
    if (good)
        call_answer_tagged(call, document);
    else
        json_decref(document);
}
