/* Events: creating them, changing their settings, and leading them from draft to closed. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/event/event_load.h"
#include "api/event/event_take.h"
#include "api/events/entries.h"
#include "api/events/handlers.h"
#include "api/events/ruling_changes.h"
#include "api/people/names.h"
#include "api/ratings/glicko_ratings.h"
#include "api/request/documents.h"
#include "api/state/dealer_list.h"
#include "api/tables/games.h"
#include "api/tables/reported_ratings.h"
#include "api/tables/tlog_documents.h"
#include "db/link/db.h"
#include "db/store/events/event_log.h"
#include "db/store/events/event_signatures.h"
#include "db/store/games/dealings.h"
#include "db/store/people/players.h"
#include "db/store/service/component_sets.h"
#include "engine/tournament/pairing/pairing.h"

enum { NAME_BYTES = 80 };

/* ---- Creating ---- */

static bool refuse_settings(struct call *call, const struct settings_fault *fault)
{
    static const char *const codes[] = {[SETTINGS_FAULT_VALUE] = "bad-field",
                                        [SETTINGS_FAULT_MISSING] = "missing-field",
                                        [SETTINGS_FAULT_UNKNOWN] = "unknown-field"};
    return call_problem_of(call, codes[fault->kind], fault->field, " ", fault->message);
}

/* Replaces the event's name in the body with its stored form. Handlers that need a name check for
 * its presence themselves. */
static bool tidy_name(struct call *call)
{
    const char *name;
    if (json_object_get(call->body, "name") == NULL)
        return true;
    if (!name_read(call, "name", NAME_BYTES, &name))
        return false;
    json_object_set_new(call->body, "name", json_string(name));
    return true;
}

/* Replaces a time, with any offset, with its stored form. */
static bool tidy_time(struct call *call, const char *name)
{
    const char *written = json_string_value(json_object_get(call->body, name));
    char text[TIME_TEXT];
    int64_t ms;
    if (written == NULL || !time_parse(span_of(written), &ms))
        return call_bad_field(call, name,
                              "must be null or an RFC 3339 time, such as 2026-12-01T18:00:00Z or "
                              "2026-12-01T19:00:00+01:00.");
    time_print(ms, text);
    json_object_set_new(call->body, name, json_string(text));
    return true;
}

/* Replaces the descriptive fields of the body with their stored forms. */
static bool tidy_details(struct call *call)
{
    for (size_t i = 0; i < SETTINGS_DETAILS; i++) {
        const struct settings_detail_field *field = &settings_details[i];
        const json_t *value = json_object_get(call->body, field->name);
        const char *text;
        if (value == NULL || json_is_null(value) || i == DETAIL_BANNER)
            continue;
        if (i == DETAIL_STARTS_AT) {
            if (!tidy_time(call, field->name))
                return false;
            continue;
        }
        if (!(field->lines ? name_read_lines : name_read_text)(call, field->name, field->bytes,
                                                               &text))
            return false;
        json_object_set_new(call->body, field->name, json_string(text));
    }
    return true;
}

/* The default wait for players' entropy. If all players are present when a round starts, the wait
 * is short, and without entropy the luck depends on the operator's honesty
 * (engine/record/RECORD.md). Tables of duplicate events share their luck, and tables with the
 * players' own copy have no game here. */
static unsigned default_entropy_seconds(const struct tournament_settings *settings)
{
    enum { PRESENT_SECONDS = 30 };
    bool waits = settings_is_one_sitting(settings) &&
                 settings->stage[0].format != FORMAT_DUPLICATE && !settings->stage[0].at_table;
    return waits ? PRESENT_SECONDS : 0;
}

/* The service contacts only dealers that its operator has configured. */
static bool knows_dealers(struct call *call, const struct tournament_settings *settings)
{
    for (unsigned i = 0; i < settings->dealers; i++)
        if (!dealer_list_has(call->service->dealer_list, settings->dealer[i].name,
                             settings->dealer[i].key))
            return call_bad_field(call, "dealers",
                                  "has a dealer that this service cannot ask. GET /v1/keys shows "
                                  "those that it can; its operator adds more (--dealers).");
    return true;
}

static bool read_settings(struct call *call, json_t **document)
{
    *document = NULL;
    struct tournament_settings settings;
    struct settings_fault fault = {.field = ""};
    if (!tidy_name(call) || !tidy_details(call))
        return false;
    if (!settings_read(call->body, true, &settings, &fault))
        return refuse_settings(call, &fault);
    if (json_object_get(call->body, "entropy_seconds") == NULL)
        settings.entropy_seconds = default_entropy_seconds(&settings);
    if (!game_knows_components(call, &settings) || !knows_dealers(call, &settings))
        return false;
    *document = settings_write(&settings);
    return true;
}

static void answer_new(struct call *call, const struct loaded_event *loaded)
{
    call_answer_new(call, 201, "/v1/events/", &loaded->event.id, event_document(&loaded->event));
}

void events_create(struct call *call)
{
    struct loaded_event loaded;
    json_t *document;
    if (read_settings(call, &document) && event_make(call, document, &loaded))
        answer_new(call, &loaded);
}

void events_clone(struct call *call)
{
    static const char *const keys[] = {"name", NULL};
    struct loaded_event model;
    struct loaded_event loaded;
    const char *name;
    if (!event_load(call, &call->id[0], false, &model) || !call_check_keys(call, keys) ||
        !name_read(call, "name", NAME_BYTES, &name))
        return;
    json_t *document = settings_write(&model.tournament->settings);
    json_object_set_new(document, "name", json_string(name));
    json_object_del(document, settings_details[DETAIL_STARTS_AT].name);
    if (model.tournament->settings.same_owner == SAME_OWNER_UNSAID)
        json_object_set_new(document, "same_owner", json_string("apart"));
    if (event_make(call, document, &loaded))
        answer_new(call, &loaded);
}

/* ---- Reading ---- */

/* Reads ?state=; sets `any` without the parameter. */
static bool read_state(struct call *call, bool *any, enum event_state *state)
{
    struct span wanted = http_parameter(call->request, "state");
    *any = wanted.at == NULL;
    for (*state = EVENT_DRAFT; *state <= EVENT_CLOSED; ++*state)
        if (*any || span_is(wanted, event_state_name(*state)))
            return true;
    return call_problem(call, "bad-parameter",
                        "state is draft, entries_open, entries_closed, running or closed.");
}

static enum db_status list_events(struct call *call, const struct list_range *range, bool any,
                                  enum event_state state, struct event **events, size_t *count)
{
    return any ? event_list(call->db, call->arena, &range->after, range->limit, events, count)
               : event_list_state(call->db, call->arena, state, &range->after, range->limit, events,
                                  count);
}

static void answer_list(struct call *call, const struct list_range *range,
                        const struct event *events, size_t count)
{
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, event_document(&events[i]));
    call_answer_tagged(
        call, list_with_next(items, count == range->limit ? events[count - 1].id.text : NULL));
}

void events_list(struct call *call)
{
    static const char *const further[] = {"state", NULL};
    struct list_range range;
    struct event *events;
    enum event_state state;
    size_t count;
    bool any;
    if (!call_list_range(call, further, &range) || !read_state(call, &any, &state) ||
        !call_found(call, list_events(call, &range, any, state, &events, &count)))
        return;
    answer_list(call, &range, events, count);
}

void me_events(struct call *call)
{
    struct list_range range;
    struct event *events;
    size_t count;
    if (!call_list_range(call, NULL, &range) ||
        !call_found(call, event_list_of_player(call->db, call->arena, &call->player.id,
                                               &range.after, range.limit, &events, &count)))
        return;
    answer_list(call, &range, events, count);
}

void players_organized(struct call *call)
{
    struct list_range range;
    struct player player;
    struct event *events;
    size_t count;
    if (!call_list_range(call, NULL, &range) ||
        !call_found(call, player_by_id(call->db, call->arena, &call->id[0], &player)) ||
        !call_found(call, event_list_organized(call->db, call->arena, &player.id, &range.after,
                                               range.limit, &events, &count)))
        return;
    answer_list(call, &range, events, count);
}

/* Describes a component set other than the ruleset's own. */
static bool add_component_set(struct call *call, json_t *document)
{
    const char *hash =
        json_string_value(json_object_get(json_object_get(document, "settings"), "components"));
    struct stored_set set;
    uint8_t bytes[32];
    if (hash == NULL || !span_hex(span_of(hash), bytes, sizeof bytes))
        return true;
    if (!call_found(call, component_set_find(call->db, call->arena, bytes, &set, NULL)))
        return false;
    json_object_set_new(document, "component_set",
                        component_set_document(hash, set.ruleset, set.name, false));
    return true;
}

/* The reason is in the last line of a cancelled event's log. */
static bool add_cancelled_reason(struct call *call, const struct event *event, json_t *document)
{
    json_t *reason = json_null();
    if (event->cancelled) {
        struct event_step step;
        if (!call_found(call, event_log_last(call->db, call->arena, &event->id, &step)))
            return false;
        json_t *detail = json_loads(step.detail, 0, NULL);
        json_t *written = json_object_get(detail, "reason");
        reason = json_is_string(written) ? json_incref(written) : reason;
        json_decref(detail);
    }
    json_object_set_new(document, "cancelled_reason", reason);
    return true;
}

/* Which steps the event's state allows now, so that pages offer no others and need no rules. */
static json_t *may_document(const struct tournament *tournament)
{
    struct refusal refusal;
    struct tournament_field field;
    bool enough =
        tournament->phase != PHASE_ENTRIES_OPEN || tournament_has_field(tournament, &field);
    return json_pack("{s:s, s:o, s:i, s:b, s:b, s:b}", "enter", entry_outlook(tournament),
                     "bye_from", number_or_null(entry_bye_from(tournament)), "players_missing",
                     enough ? 0 : (int)(field.needed - field.there), "return",
                     (int)tournament_may_return(tournament, &refusal), "close",
                     (int)tournament_may_close(tournament, &refusal), "cancel",
                     (int)tournament_may_cancel(tournament, &refusal));
}

/* The event's document with its secret, which is revealed when the event is closed so that anybody
 * can check the pairings, and with the number of the last change, from which clients can follow the
 * event. NULL with a problem. */
static json_t *full_document(struct call *call, const struct loaded_event *loaded)
{
    const struct event *event = &loaded->event;
    uint8_t secret[KEYS_SECRET_BYTES];
    unsigned changes;
    if (!call_found(call, event_change_last(call->db, &event->id, &changes)))
        return NULL;
    json_t *document = event_document(event);
    json_t *revealed = json_null();
    if (event->state == EVENT_CLOSED) {
        if (!event_secret_read(call, &event->id, secret)) {
            json_decref(document);
            return NULL;
        }
        revealed = hex_json(secret, sizeof secret);
        sodium_memzero(secret, sizeof secret);
    }
    json_object_set_new(document, "secret", revealed);
    json_object_set_new(document, "changes", json_integer(changes));
    json_object_set_new(document, "last_round",
                        number_or_null(tournament_rounds_planned(loaded->tournament)));
    json_object_set_new(document, "may", may_document(loaded->tournament));
    if (add_cancelled_reason(call, event, document) && add_component_set(call, document))
        return document;
    json_decref(document);
    return NULL;
}

static void answer_event(struct call *call, const struct loaded_event *loaded)
{
    json_t *document = full_document(call, loaded);
    if (document != NULL)
        call_answer(call, 200, document);
}

void events_get(struct call *call)
{
    struct loaded_event loaded;
    json_t *document = event_takes_as_of_only(call) && event_load_as_of(call, &loaded)
                           ? full_document(call, &loaded)
                           : NULL;
    if (document != NULL)
        call_answer_tagged(call, document);
}

/* ---- Changing settings ---- */

/* Refuses settings that would ignore a pair that is kept apart. */
static bool keeps_pairs_apart(struct call *call, const struct tournament *tournament,
                              const struct tournament_settings *settings)
{
    enum parting parting = settings_parting(settings);
    if (parting >= settings_parting(&tournament->settings))
        return true;
    for (size_t i = 0; i < tournament->pair_count; i++)
        if (parting == PARTING_NONE || tournament->pairs[i].weight != POD_FORBIDDEN)
            return call_problem(call, "pairs-not-parted",
                                "The event keeps pairs apart that would then be ignored; remove "
                                "them first (DELETE .../kept-apart).");
    return true;
}

/* Entries of older logs do not name the owners of bots. */
static bool knows_owners(struct call *call, const struct tournament *tournament,
                         const struct tournament_settings *settings)
{
    return tournament->settings.same_owner != SAME_OWNER_UNSAID ||
           settings->same_owner != SAME_OWNER_APART || tournament->entrant_count == 0 ||
           call_bad_field(call, "same_owner",
                          "cannot become `apart` in this event: its log is from before it named "
                          "the owners of bots. Keep pairs apart one by one (POST .../kept-apart).");
}

/* The description of a closed event cannot change. */
static bool may_change_details(struct call *call, const struct tournament *tournament)
{
    for (size_t i = 0; i < SETTINGS_DETAILS; i++)
        if (tournament->phase == PHASE_CLOSED &&
            json_object_get(call->body, settings_details[i].name) != NULL)
            return call_problem(call, "wrong-state",
                                "The event is closed, so this information can no longer change.");
    return true;
}

/* The settings with the changes in the body, as they are stored. */
static bool read_changes(struct call *call, const struct tournament *tournament, json_t **document)
{
    struct tournament_settings settings;
    struct settings_fault fault = {.field = ""};
    *document = NULL;
    if (!may_change_details(call, tournament) || !tidy_name(call) || !tidy_details(call))
        return false;
    if (!settings_change(&tournament->settings, call->body, tournament->stages,
                         tournament->rounds_started, &settings, &fault))
        return refuse_settings(call, &fault);
    if (!game_knows_components(call, &settings) ||
        !keeps_pairs_apart(call, tournament, &settings) ||
        !knows_owners(call, tournament, &settings) ||
        (json_object_get(call->body, "dealers") != NULL && !knows_dealers(call, &settings)))
        return false;
    *document = settings_write(&settings);
    return true;
}

/* Answers with the new settings, and how they would change the standings. */
static void answer_preview(struct call *call, const struct loaded_event *loaded, json_t *document)
{
    struct loaded_event tried;
    json_t *differences;
    if (event_try(call, loaded, "settings_changed", json_incref(document), &tried) &&
        event_differences(call, loaded, &tried, &differences))
        call_answer(call, 200,
                    json_pack("{s:O, s:o}", "settings", document, "differences", differences));
    json_decref(document);
}

/* Applies a new time limit for dealers to waiting games too. */
static bool update_dealing_limit(struct call *call, const struct loaded_event *loaded)
{
    const struct tournament_settings *settings = &loaded->tournament->settings;
    return settings->dealers == 0 || settings->dealers_seconds == 0 ||
           call_found(call,
                      dealing_set_due(call->db, &loaded->event.id, settings->dealers_seconds));
}

void events_change(struct call *call)
{
    struct loaded_event loaded;
    json_t *document;
    bool preview;
    if (!preview_read(call, &preview) || !event_load(call, &call->id[0], true, &loaded) ||
        !read_changes(call, loaded.tournament, &document))
        return;
    if (preview) {
        answer_preview(call, &loaded, document);
        return;
    }
    if (json_equal(document, loaded.tournament->settings_document))
        json_decref(document);
    else if (!event_take(call, &loaded, "settings_changed", document) ||
             !update_dealing_limit(call, &loaded))
        return;
    answer_event(call, &loaded);
}

/* ---- The log ---- */

enum { STEPS_MOST = 1000 };

/* Reads ?after=<line>&limit=<1..1000>&as_of=<line or time>. */
static bool read_log_page(struct call *call, unsigned *after, size_t *limit,
                          struct event_moment *moment)
{
    *after = 0;
    *limit = STEPS_MOST;
    for (size_t i = 0; i < call->request->parameters; i++) {
        struct http_parameter parameter = call->request->parameter[i];
        uint64_t number = 0;
        if (event_is_as_of(parameter.name))
            continue;
        bool first = span_is(parameter.name, "after");
        if ((!first && !span_is(parameter.name, "limit")) ||
            !span_number(parameter.value, first ? INT32_MAX : STEPS_MOST, &number) ||
            (!first && number == 0))
            return call_problem(call, "bad-parameter",
                                "A log takes after=<the `next` of the page before>, "
                                "limit=<1 to 1000> and as_of=<line or time>.");
        if (first)
            *after = (unsigned)number;
        else
            *limit = (size_t)number;
    }
    return event_read_moment(call, moment);
}

/* Joins lines and signatures, both in the order of lines. */
static json_t *log_items(const struct event_step *steps, size_t count,
                         const struct event_signature *signatures, size_t signature_count)
{
    json_t *items = json_array();
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        json_t *item = event_step_document(&steps[i]);
        while (at < signature_count && signatures[at].line < steps[i].seq)
            at++;
        bool is_signed = at < signature_count && signatures[at].line == steps[i].seq;
        json_object_set_new(
            item, "signature",
            !is_signed
                ? json_null()
                : json_pack("{s:i, s:o, s:o}", "base", (int)signatures[at].base, "key",
                            hex_json(signatures[at].key, sizeof signatures[at].key), "signature",
                            hex_json(signatures[at].signature, sizeof signatures[at].signature)));
        json_array_append_new(items, item);
    }
    return items;
}

void events_log(struct call *call)
{
    struct event event;
    struct event_moment moment;
    struct event_step *steps;
    struct event_signature *signatures;
    unsigned after;
    size_t limit;
    size_t count;
    size_t signature_count;
    if (!read_log_page(call, &after, &limit, &moment) ||
        !call_found(call, event_find(call->db, call->arena, &call->id[0], false, &event)) ||
        !call_found(call, event_log_list(call->db, call->arena, &event.id, after, &moment, limit,
                                         &steps, &count)) ||
        !call_found(call, event_signature_list(call->db, call->arena, &event.id, after, limit,
                                               &signatures, &signature_count)))
        return;
    json_t *items = log_items(steps, count, signatures, signature_count);
    const char *next = count == limit ? call_digits(call, steps[count - 1].seq) : NULL;
    call_answer_tagged(call, list_with_next(items, next));
}

/* ---- From draft to closed ---- */

void events_open_entries(struct call *call)
{
    struct loaded_event loaded;
    if (call_check_keys(call, NULL) && event_load(call, &call->id[0], true, &loaded) &&
        event_take(call, &loaded, "entries_opened", json_object()))
        answer_event(call, &loaded);
}

/* The players in the order of their numbers. */
static json_t *numbers_document(struct call *call, const struct loaded_event *loaded)
{
    const struct tournament *tournament = loaded->tournament;
    uint16_t *order = arena_array(call->arena, tournament->entrant_count, sizeof *order);
    size_t count = pairing_seeding(tournament, &loaded->chance, order);
    json_t *numbers = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(numbers, json_string(tournament->entrants[order[i]].player));
    return numbers;
}

static bool has_waiting_checked_in(const struct tournament *tournament)
{
    for (size_t i = 0; i < tournament->entrant_count; i++)
        if (tournament->entrants[i].state == ENTRANT_WAITING && tournament->entrants[i].checked_in)
            return true;
    return false;
}

/* The last entry with a place that has not checked in; NULL if there is none. */
static const struct entrant *last_missing(const struct tournament *tournament)
{
    const struct entrant *last = NULL;
    for (size_t i = 0; i < tournament->entrant_count; i++) {
        const struct entrant *each = &tournament->entrants[i];
        if (each->state == ENTRANT_TAKEN && !each->checked_in &&
            (last == NULL || each->entered > last->entered))
            last = each;
    }
    return last;
}

/* Gives the places of entries that have not checked in to waiting ones that have. */
static bool fill_places(struct call *call, struct loaded_event *loaded)
{
    const struct tournament *tournament = loaded->tournament;
    const struct entrant *missing;
    while (tournament->phase == PHASE_ENTRIES_OPEN && tournament->settings.check_in &&
           has_waiting_checked_in(tournament) && (missing = last_missing(tournament)) != NULL)
        if (!event_take(call, loaded, "withdrawn", json_pack("{s:s}", "player", missing->player)))
            return false;
    return true;
}

/* Appends a phrase such as `2 players take part`. */
static void add_players(struct text *text, unsigned count, const char *verb, const char *verbs)
{
    text_add_number(text, count);
    text_add(text, count == 1 ? " player " : " players ");
    text_add(text, count == 1 ? verb : verbs);
}

/* Refuses to close entries with too few players for one table: the only next step would be to open
 * entries again. */
static bool check_field(struct call *call, const struct tournament *tournament)
{
    const struct tournament_settings *settings = &tournament->settings;
    char detail[400];
    struct text text = TEXT_OVER(detail);
    struct tournament_field field;
    if (tournament->phase != PHASE_ENTRIES_OPEN || tournament_has_field(tournament, &field))
        return true;
    add_players(&text, field.there, "takes part", "take part");
    text_add(&text, " so far, and the event needs at least ");
    text_add_number(&text, field.needed);
    text_add(&text, ". Let more enter");
    if (field.missing > 0) {
        text_add(&text, ", or check in (");
        add_players(&text, field.missing, "has not", "have not");
        text_add(&text, " yet)");
    }
    if (settings->game->seats_min < field.needed && field.needed > 2) {
        text_add_all(&text, ", or allow smaller tables (seats_min: ", settings->game->title,
                     " is played by ");
        text_add_number(&text, settings->game->seats_min > 2 ? settings->game->seats_min : 2);
        text_add(&text, " or more)");
    }
    text_add(&text, "; then close entries.");
    return call_problem(call, "too-few-players", detail);
}

void events_close_entries(struct call *call)
{
    struct loaded_event loaded;
    if (call_check_keys(call, NULL) && event_load(call, &call->id[0], true, &loaded) &&
        fill_places(call, &loaded) && check_field(call, loaded.tournament) &&
        event_take(call, &loaded, "entries_closed",
                   json_pack("{s:o}", "numbers", numbers_document(call, &loaded))))
        answer_event(call, &loaded);
}

void events_close(struct call *call)
{
    struct loaded_event loaded;
    json_t *detail;
    if (call_check_keys(call, NULL) && event_load(call, &call->id[0], true, &loaded) &&
        (detail = reported_closed_detail(call, &loaded)) != NULL &&
        event_take(call, &loaded, "closed", detail) && reported_rate_event(call, &loaded) &&
        glicko_rate_event(call, &loaded.event) && tlog_add_closed_event(call, &loaded.event.id))
        answer_event(call, &loaded);
}

void events_cancel(struct call *call)
{
    enum { REASON_MOST = 500 };
    static const char *const keys[] = {"reason", NULL};
    struct loaded_event loaded;
    const char *reason;
    if (call_check_keys(call, keys) && call_text(call, "reason", 1, REASON_MOST, NULL, &reason) &&
        event_load(call, &call->id[0], true, &loaded) &&
        event_take(call, &loaded, "cancelled", json_pack("{s:s}", "reason", reason)) &&
        tlog_add_cancelled_event(call, &loaded.event.id))
        answer_event(call, &loaded);
}
