#include "api/event/event_load.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/base/json_text.h"
#include "api/request/documents.h"
#include "api/request/problem.h"
#include "api/state/event_cache.h"
#include "db/link/db.h"
#include "db/store/events/rounds.h"
#include "db/store/service/secrets.h"
#include "engine/record/record.h"
#include "engine/tournament/event/tournament.h"

enum { LINES_AT_ONCE = 500 };

/* ---- The secret ---- */

bool event_secret_read(struct call *call, const struct id *id,
                       uint8_t secret[static KEYS_SECRET_BYTES])
{
    const uint8_t *sealed;
    size_t size;
    if (!call_found(call, event_secret(call->db, call->arena, id, &sealed, &size)))
        return false;
    return keys_open(&call->service->keys, sealed, size, secret, KEYS_SECRET_BYTES) ||
           call_problem(call, "internal-error", "The event's secret was sealed with another key.");
}

/* The event's stream of chance: BLAKE2b-256(key = secret, "tillroll/event/1" || event id). */
static bool load_chance(struct call *call, const struct id *id, struct chance *chance)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    if (!event_secret_read(call, id, secret))
        return false;
    record_event_seed(span_of(id->text), secret, chance->seed);
    sodium_memzero(secret, sizeof secret);
    chance->stacks = NULL;
    return true;
}

/* ---- Folding ---- */

static void free_tournament(void *object)
{
    tournament_free(object);
    free(object);
}

bool event_new_tournament(struct call *call, struct tournament **tournament)
{
    struct tournament *made = malloc(sizeof *made);
    *tournament = made;
    if (made == NULL) {
        call_problem(call, "unavailable",
                     "There is not enough memory for the event; try again soon.");
        return false;
    }
    tournament_init(made);
    arena_own(call->arena, made, free_tournament);
    return true;
}

bool event_copy_tournament(struct call *call, const struct tournament *tournament,
                           struct tournament **copy)
{
    *copy = tournament_copy(tournament);
    if (*copy == NULL)
        return call_problem(call, "unavailable",
                            "There is not enough memory for the event; try again soon.");
    arena_own(call->arena, *copy, free_tournament);
    return true;
}

/* A stored line was accepted once, so a refusal means damage, or a program older than the log. */
static bool refuse_log(struct call *call, unsigned line, const char *message)
{
    return call_problem_of(call, "log-damaged", "Line ", call_digits(call, line),
                           " of the event's log cannot be understood: ", message);
}

static bool apply(struct call *call, const struct event_step *step, json_t *detail,
                  struct tournament *tournament)
{
    struct refusal refusal;
    const struct tournament_line line = {.number = step->seq,
                                         .at_ms = step->at_ms,
                                         .actor = step->actor.text,
                                         .kind = step->kind,
                                         .detail = detail};
    return tournament_apply(tournament, &line, &refusal) ||
           refuse_log(call, step->seq, refusal.message);
}

static bool apply_step(struct call *call, const struct event_step *step,
                       struct tournament *tournament)
{
    json_t *detail = json_loads(step->detail, 0, NULL);
    bool good = detail == NULL ? refuse_log(call, step->seq, "it is not JSON.")
                               : apply(call, step, detail, tournament);
    json_decref(detail);
    return good;
}

/* Applies the lines after `after` up to the moment. `mark`, if not NULL, becomes that of the last
 * line. */
static bool apply_lines(struct call *call, const struct id *id, unsigned after,
                        const struct event_moment *moment, struct tournament *tournament,
                        struct event_mark *mark)
{
    size_t count = LINES_AT_ONCE;
    bool good = true;
    while (good && count == LINES_AT_ONCE) {
        struct arena arena = {NULL};
        struct event_step *steps;
        good = call_found(call, event_log_list(call->db, &arena, id, after, moment, LINES_AT_ONCE,
                                               &steps, &count));
        for (size_t i = 0; good && i < count; i++)
            good = apply_step(call, &steps[i], tournament);
        if (good && count > 0) {
            after = steps[count - 1].seq;
            if (mark != NULL)
                *mark = event_mark_of(&steps[count - 1]);
        }
        arena_free(&arena);
    }
    return good;
}

/* ---- Void tables ---- */

static bool may_have_void(const struct tournament *tournament)
{
    for (size_t i = 0; i < tournament->table_count; i++)
        if (tournament_may_be_void(&tournament->tables[i]))
            return true;
    return false;
}

/* Older logs do not mark tables as void: the table's dispute does, or its game's record. */
static bool mark_void_tables(struct call *call, const struct id *id, struct tournament *tournament)
{
    struct void_game *games;
    size_t count;
    if (!may_have_void(tournament))
        return true;
    if (!call_found(call, void_games(call->db, call->arena, id, &games, &count)))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct tournament_table *table =
            tournament_table(tournament, games[i].round, games[i].table);
        if (table != NULL && tournament_may_be_void(table) && table->line_ms == games[i].at_ms)
            tournament_mark_void(table);
    }
    return true;
}

/* ---- Cached folds ---- */

/* The cached fold, if its last line is in the log as this transaction sees it; else NULL. */
static struct tournament *find_cached(struct call *call, const struct id *id, unsigned first,
                                      struct event_mark *mark)
{
    struct event_step step;
    struct event_mark found = {{0}};
    struct tournament *kept = event_cache_copy(call->service->event_cache, id, mark);
    if (kept == NULL)
        return NULL;
    arena_own(call->arena, kept, free_tournament);
    if (kept->lines >= first &&
        event_log_find(call->db, call->arena, id, kept->lines, &step) == DB_OK)
        found = event_mark_of(&step);
    return memcmp(found.hash, mark->hash, sizeof found.hash) == 0 ? kept : NULL;
}

/* The current state, continued from the cached fold if there is one. Lines that this call has
 * written may be rolled back, so a fold with them is not cached. */
static bool fold_newest(struct call *call, const struct id *id, unsigned first,
                        struct tournament **tournament, struct event_mark *mark)
{
    struct tournament *kept = find_cached(call, id, first, mark);
    uint32_t known = kept == NULL ? 0 : kept->lines;
    if (kept != NULL)
        *tournament = kept;
    else if (!event_new_tournament(call, tournament))
        return false;
    if (!apply_lines(call, id, known == 0 ? first - 1 : known, NULL, *tournament, mark) ||
        ((*tournament)->lines > known && !mark_void_tables(call, id, *tournament)))
        return false;
    if ((*tournament)->lines == 0)
        return refuse_log(call, first, "it is missing.");
    if ((*tournament)->lines > known && !call->log_written)
        event_cache_keep(call->service->event_cache, id, *tournament, mark);
    return true;
}

/* ---- Earlier states ---- */

static bool refuse_too_early(struct call *call)
{
    return call_problem(call, "not-found", "The event did not exist yet at this time.");
}

/* The restated lines up to the time. */
static json_t *cut_lines(const json_t *detail, int64_t at_ms)
{
    json_t *kept = json_array();
    size_t i;
    json_t *line;
    json_array_foreach(json_object_get(detail, "lines"), i, line)
    {
        if (json_integer_value(json_object_get(line, "at")) > at_ms)
            break;
        json_array_append(kept, line);
    }
    return json_pack("{s:o}", "lines", kept);
}

/* Applies the restated lines up to a moment before the first line that is read. */
static bool apply_before(struct call *call, const struct event_step *first, int64_t at_ms,
                         struct tournament *tournament)
{
    json_t *detail = json_loads(first->detail, 0, NULL);
    json_t *cut = cut_lines(detail, at_ms);
    bool good = json_array_size(json_object_get(cut, "lines")) > 0
                    ? apply(call, first, cut, tournament)
                    : refuse_too_early(call);
    json_decref(detail);
    json_decref(cut);
    return good;
}

/* Converts the number of a line before the first one that is read to the time of that line. */
static bool line_to_time(struct call *call, const struct id *id, unsigned first,
                         struct event_moment *moment)
{
    struct event_step step;
    if (moment->line == 0 || moment->line >= first)
        return true;
    if (!call_found(call, event_log_find(call->db, call->arena, id, moment->line, &step)))
        return false;
    *moment = (struct event_moment){.at_ms = step.at_ms};
    return true;
}

static bool fold_as_of(struct call *call, const struct id *id, unsigned first,
                       struct event_moment moment, struct tournament *tournament)
{
    struct event_step step;
    if (!line_to_time(call, id, first, &moment))
        return false;
    if (moment.at_ms != 0) {
        if (!call_found(call, event_log_find(call->db, call->arena, id, first, &step)))
            return false;
        if (moment.at_ms < step.at_ms)
            return apply_before(call, &step, moment.at_ms, tournament);
    }
    if (!apply_lines(call, id, first - 1, &moment, tournament, NULL))
        return false;
    if (tournament->lines == 0)
        return refuse_log(call, first, "it is missing.");
    return moment.line == 0 || tournament->lines == moment.line ||
           call_problem(call, "bad-parameter",
                        "as_of names a line that the event's log does not have yet.");
}

static bool fold(struct call *call, const struct id *id, struct event_moment moment,
                 struct tournament **tournament, struct event_mark *mark)
{
    unsigned first;
    if (!call_found(call, event_log_begin(call->db, id, &first)))
        return false;
    if (moment.line == 0 && moment.at_ms == 0)
        return fold_newest(call, id, first, tournament, mark);
    return event_new_tournament(call, tournament) &&
           fold_as_of(call, id, first, moment, *tournament) &&
           mark_void_tables(call, id, *tournament);
}

/* ---- The fields of the event ---- */

static enum event_state state_of(enum tournament_phase phase)
{
    static const enum event_state states[] = {[PHASE_DRAFT] = EVENT_DRAFT,
                                              [PHASE_ENTRIES_OPEN] = EVENT_ENTRIES_OPEN,
                                              [PHASE_ENTRIES_CLOSED] = EVENT_ENTRIES_CLOSED,
                                              [PHASE_RUNNING] = EVENT_RUNNING,
                                              [PHASE_CLOSED] = EVENT_CLOSED};
    return states[phase];
}

enum entry_state event_entry_state(const struct entrant *entrant)
{
    switch (entrant->state) {
    case ENTRANT_WAITING:
        return ENTRY_WAITING;
    case ENTRANT_WITHDRAWN:
        return ENTRY_WITHDRAWN;
    case ENTRANT_NOT_THERE:
        return ENTRY_NOT_THERE;
    default:
        return tournament_has_dropped(entrant) ? ENTRY_DROPPED : ENTRY_ENTERED;
    }
}

static const char *stage_text(struct arena *arena, const json_t *stage, const char *field)
{
    const char *text = json_string_value(json_object_get(stage, field));
    return text == NULL ? "" : arena_copy(arena, span_of(text));
}

static unsigned stage_number(const json_t *stage, const char *field, unsigned otherwise)
{
    const json_t *number = json_object_get(stage, field);
    return json_is_integer(number) ? (unsigned)json_integer_value(number) : otherwise;
}

/* The columns that db/store/events/events.c reads for lists. Formats without table sizes have
 * tables of two. */
static void describe_stage(struct arena *arena, const json_t *settings, struct event *event)
{
    const json_t *stage = json_array_get(json_object_get(settings, "stages"), 0);
    event->options =
        json_text_of(arena, json_object_get(settings, "options"), JSON_COMPACT | JSON_SORT_KEYS);
    event->seats_min = stage_number(stage, "seats_min", 2);
    event->seats_max = stage_number(stage, "seats_max", 2);
    event->seats_preferred = stage_number(stage, "seats_preferred", 2);
    event->rounds = stage_number(stage, "rounds", 0);
    event->profile = stage_text(arena, stage, "profile");
    event->boards = stage_number(stage, "boards", 0);
    event->scoring = stage_text(arena, stage, "scoring");
    event->play = stage_text(arena, stage, "play");
}

void event_describe(struct arena *arena, struct loaded_event *loaded)
{
    const struct tournament *tournament = loaded->tournament;
    const struct tournament_settings *settings = &tournament->settings;
    struct event *event = &loaded->event;
    event->settings =
        json_text_of(arena, tournament->settings_document, JSON_COMPACT | JSON_SORT_KEYS);
    describe_stage(arena, tournament->settings_document, event);
    event->name = arena_copy(arena, span_of(settings->name));
    event->slug = settings->game->slug;
    event->version = settings->game->version;
    event->format = tournament_format_name(settings->stage[0].format);
    event->state = state_of(tournament->phase);
    event->cancelled = tournament->cancelled;
    event->rounds_started = tournament->rounds_started;
    event->entries = 0;
    event->waiting = 0;
    for (size_t i = 0; i < tournament->entrant_count; i++) {
        enum entry_state state = event_entry_state(&tournament->entrants[i]);
        event->entries += state == ENTRY_ENTERED;
        event->waiting += state == ENTRY_WAITING;
    }
}

/* ---- Loading ---- */

static bool load(struct call *call, const struct id *id, bool change, struct event_moment moment,
                 struct loaded_event *loaded)
{
    *loaded = (struct loaded_event){.past = moment.line != 0 || moment.at_ms != 0};
    if (!call_found(call, event_find(call->db, call->arena, id, change, &loaded->event)) ||
        !load_chance(call, id, &loaded->chance) ||
        !fold(call, id, moment, &loaded->tournament, &loaded->mark))
        return false;
    event_describe(call->arena, loaded);
    return true;
}

bool event_load(struct call *call, const struct id *id, bool change, struct loaded_event *loaded)
{
    return load(call, id, change, (struct event_moment){.line = 0}, loaded);
}

bool event_find_settings(struct call *call, const struct id *id,
                         const struct tournament_settings **settings)
{
    struct loaded_event loaded;
    *settings = NULL;
    if (id->text[0] == '\0')
        return true;
    if (!event_load(call, id, false, &loaded))
        return false;
    *settings = &loaded.tournament->settings;
    return true;
}

bool event_is_as_of(struct span parameter_name)
{
    return span_is(parameter_name, "as_of");
}

bool event_read_moment(struct call *call, struct event_moment *moment)
{
    *moment = (struct event_moment){.line = 0};
    for (size_t i = 0; i < call->request->parameters; i++) {
        struct http_parameter parameter = call->request->parameter[i];
        uint64_t line;
        if (!event_is_as_of(parameter.name))
            continue;
        if (span_number(parameter.value, INT32_MAX, &line) && line > 0)
            moment->line = (unsigned)line;
        else if (!time_parse(parameter.value, &moment->at_ms) || moment->at_ms <= 0)
            return call_problem(call, "bad-parameter",
                                "as_of takes the number of a line of the event's log, or a time "
                                "such as 2026-11-20T15:04:05Z.");
    }
    return true;
}

bool event_takes_as_of_only(struct call *call)
{
    for (size_t i = 0; i < call->request->parameters; i++)
        if (!event_is_as_of(call->request->parameter[i].name))
            return call_problem(call, "bad-parameter", "This address takes as_of=<line or time>.");
    return true;
}

bool event_load_as_of(struct call *call, struct loaded_event *loaded)
{
    struct event_moment moment;
    return event_read_moment(call, &moment) && load(call, &call->id[0], false, moment, loaded);
}

/* ---- People ---- */

struct id event_person_id(const struct tournament *tournament, uint16_t entry)
{
    struct id id;
    memcpy(id.text, tournament->entrants[entry].player, sizeof id.text);
    return id;
}

bool event_people_load(struct call *call, const struct loaded_event *loaded,
                       struct event_people *people)
{
    const struct tournament *tournament = loaded->tournament;
    struct event_entry *entries;
    size_t count;
    if (!call_found(call, entry_list(call->db, call->arena, &loaded->event.id, &entries, &count)))
        return false;
    *people = (struct event_people){
        tournament, arena_array(call->arena, tournament->entrant_count, sizeof *people->name)};
    for (size_t i = 0; i < tournament->entrant_count; i++)
        people->name[i] = "";
    for (size_t i = 0; i < count; i++) {
        uint16_t entry = tournament_entry(tournament, span_of(entries[i].player.text));
        if (entry != TOURNAMENT_NOBODY)
            people->name[entry] = entries[i].player_name;
    }
    return true;
}

json_t *event_person(const struct event_people *people, uint16_t entry)
{
    struct id id = event_person_id(people->tournament, entry);
    return player_reference(&id, people->name[entry]);
}

json_t *event_numbered_person(const struct event_people *people, uint16_t entry)
{
    json_t *person = event_person(people, entry);
    json_object_set_new(person, "number", json_integer(people->tournament->entrants[entry].number));
    return person;
}

/* ---- Results ---- */

void event_add_result(const struct tournament *tournament, const struct tournament_table *table,
                      unsigned seat, json_t *document)
{
    json_t *kind = NULL, *rank = NULL, *score = NULL;
    if (table != NULL && table->has_result) {
        const struct seat_result *result = &table->result.seat[seat];
        kind = json_string(round_kind_name(result->kind));
        if (tournament_has_place(table, seat))
            rank = json_integer(result->rank);
        if (tournament_has_score(tournament, table, seat))
            score = json_integer(result->score);
    }
    json_object_set_new(document, "kind", kind != NULL ? kind : json_null());
    json_object_set_new(document, "rank", rank != NULL ? rank : json_null());
    json_object_set_new(document, "score", score != NULL ? score : json_null());
}

/* ---- The requested stage ---- */

static bool refuse_stage_parameter(struct call *call)
{
    return call_problem(call, "bad-parameter",
                        "This takes stage=<number of a stage that has begun>, after_round=<number "
                        "of a started round> and as_of=<line of the log, or time>.");
}

static bool read_parameter(struct http_parameter parameter, struct stage_query *asked)
{
    uint64_t number = 0;
    bool good;
    if (span_is(parameter.name, "after_round")) {
        good = span_number(parameter.value, TOURNAMENT_ROUNDS_MAX, &number);
        asked->any_round = false;
        asked->rounds = (unsigned)number;
    } else if (span_is(parameter.name, "stage")) {
        good = span_number(parameter.value, SETTINGS_STAGES_MAX, &number) && number > 0;
        asked->any_stage = false;
        asked->stage = good ? (size_t)number - 1 : 0;
    } else {
        good = event_is_as_of(parameter.name);
    }
    return good;
}

bool stage_read_query(struct call *call, const char *const *further, struct stage_query *asked)
{
    *asked = (struct stage_query){.any_round = true, .any_stage = true};
    for (size_t i = 0; i < call->request->parameters; i++) {
        struct http_parameter parameter = call->request->parameter[i];
        if (!span_is_any(parameter.name, further) && !read_parameter(parameter, asked))
            return refuse_stage_parameter(call);
    }
    return true;
}

bool stage_settle(struct call *call, const struct loaded_event *loaded, struct stage_query *asked)
{
    const struct tournament *tournament = loaded->tournament;
    if (asked->any_round)
        asked->rounds = tournament->rounds_started;
    if (asked->any_stage)
        asked->stage = tournament->stages == 0 ? 0 : tournament->stages - 1;
    bool begun = asked->stage == 0 || asked->stage < tournament->stages;
    return (begun && asked->rounds <= tournament->rounds_started) || refuse_stage_parameter(call);
}

/* ---- Refusals ---- */

bool event_refuse(struct call *call, const struct refusal *refusal)
{
    if (strcmp(refusal->code, TOURNAMENT_REFUSAL_MEMORY) == 0)
        return call_problem(call, "unavailable", refusal->message);
    return call_problem(call, problem_find(refusal->code)->code, refusal->message);
}
