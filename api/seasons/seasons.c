/* Seasons: creation, and their events. An event counts when both sides agree: the season's
 * organizer and an organizer of the event. Each step is a line of the season's log. */
#include "db/store/events/seasons.h"
#include "db/link/db.h"

#include <stdlib.h>
#include <string.h>

#include "api/people/names.h"
#include "api/request/documents.h"
#include "api/seasons/handlers.h"
#include "api/seasons/season_documents.h"
#include "engine/tournament/result/result.h"
#include "engine/tournament/standings/season.h"

enum { NAME_BYTES = 80, STEPS_MOST = 1000 };

/* ---- Documents ---- */

json_t *season_rules_document(const struct stored_season *season)
{
    json_t *best =
        season->counted == SEASON_EVENTS_MAX ? json_null() : json_integer(season->counted);
    return json_pack("{s:s, s:o, s:i, s:s}", "method", season->method, "best", best,
                     "least_entrants", (int)season->least_entrants, "weighting", season->weighting);
}

json_t *season_event_reference(const struct season_event_row *event)
{
    return json_pack("{s:s, s:s, s:o, s:s}", "id", event->event.text, "name", event->name,
                     "ruleset", ruleset_reference(event->slug, event->version), "state",
                     event->state);
}

bool season_event_counts(const struct season_event_row *event)
{
    return event->invited && event->offered;
}

static json_t *season_document(const struct stored_season *season)
{
    return json_pack("{s:s, s:s, s:s, s:o, s:i, s:o, s:o}", "id", season->id.text, "name",
                     season->name, "state", season->closed ? "closed" : "open", "rules",
                     season_rules_document(season), "events_counted", (int)season->events,
                     "organizer", player_reference(&season->organizer, season->organizer_name),
                     "created_at", time_json(season->created_at_ms));
}

/* The document with all requested events. NULL with a problem. */
static json_t *whole_document(struct call *call, const struct stored_season *season)
{
    struct season_event_row *events;
    size_t count;
    if (!call_found(call, season_event_list(call->db, call->arena, &season->id, &events, &count)))
        return NULL;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            items, json_pack("{s:o, s:b, s:b, s:b}", "event", season_event_reference(&events[i]),
                             "invited", (int)events[i].invited, "offered", (int)events[i].offered,
                             "counts", (int)season_event_counts(&events[i])));
    json_t *document = season_document(season);
    json_object_set_new(document, "events", items);
    return document;
}

static bool log_step(struct call *call, const struct id *season, const char *kind, json_t *detail)
{
    char *text = json_dumps(detail, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(detail);
    enum db_status status =
        text == NULL ? DB_ERROR
                     : season_log_add(call->db, season, &call->player.id, call->now_ms, kind, text);
    free(text);
    call->event_changed = *season;
    return call_found(call, status);
}

/* ---- Creation ---- */

static bool read_rules(struct call *call, struct stored_season *season)
{
    static const char *const methods[] = {"points", "percentile", NULL};
    static const char *const weightings[] = {"equal", "field", NULL};
    return call_choice(call, "method", methods, &season->method) &&
           call_whole(call, "best", 1, SEASON_EVENTS_MAX, SEASON_EVENTS_MAX, &season->counted) &&
           call_whole(call, "least_entrants", 2, TOURNAMENT_ENTRIES_MAX, 2,
                      &season->least_entrants) &&
           call_choice(call, "weighting", weightings, &season->weighting);
}

void seasons_create(struct call *call)
{
    static const char *const keys[] = {"name",           "method",    "best",
                                       "least_entrants", "weighting", NULL};
    struct stored_season season = {.id = id_new(call->now_ms),
                                   .organizer = call->player.id,
                                   .organizer_name = call->player.name,
                                   .created_at_ms = call->now_ms};
    if (!call_check_keys(call, keys) || !name_read(call, "name", NAME_BYTES, &season.name) ||
        !read_rules(call, &season) || !call_found(call, season_create(call->db, &season)) ||
        !log_step(call, &season.id, "created", season_document(&season)))
        return;
    json_t *document = whole_document(call, &season);
    if (document != NULL)
        call_answer_new(call, 201, "/v1/seasons/", &season.id, document);
}

/* ---- Reading ---- */

void seasons_list(struct call *call)
{
    static const char *const further[] = {"event", NULL};
    const struct span asked = http_parameter(call->request, "event");
    struct list_range range;
    struct stored_season *seasons;
    struct id event;
    size_t count;
    if (!call_list_range(call, further, &range))
        return;
    if (asked.at != NULL && !id_parse(asked, &event)) {
        call_problem(call, "bad-parameter", "event is the id of one event.");
        return;
    }
    if (!call_found(call, season_list(call->db, call->arena, asked.at == NULL ? NULL : &event,
                                      &range.after, range.limit, &seasons, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, season_document(&seasons[i]));
    call_answer_tagged(
        call, list_with_next(items, count == range.limit ? seasons[count - 1].id.text : NULL));
}

void seasons_get(struct call *call)
{
    struct stored_season season;
    if (!call_found(call, season_find(call->db, call->arena, &call->id[0], false, &season)))
        return;
    json_t *document = whole_document(call, &season);
    if (document != NULL)
        call_answer_tagged(call, document);
}

void seasons_log(struct call *call)
{
    struct stored_season season;
    struct event_step *steps;
    size_t count;
    unsigned after;
    if (!call_after(call, &after) ||
        !call_found(call, season_find(call->db, call->arena, &call->id[0], false, &season)) ||
        !call_found(call, season_log_list(call->db, call->arena, &season.id, after, STEPS_MOST,
                                          &steps, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, event_step_document(&steps[i]));
    const char *next = count == STEPS_MOST ? call_digits(call, steps[count - 1].seq) : NULL;
    call_answer_tagged(call, list_with_next(items, next));
}

/* ---- Events ---- */

static bool open_season(struct call *call, struct stored_season *season)
{
    if (!call_found(call, season_find(call->db, call->arena, &call->id[0], true, season)))
        return false;
    return !season->closed ||
           call_problem(call, "wrong-state", "The season is closed and cannot be changed.");
}

static bool read_event(struct call *call, struct event *event)
{
    const char *text;
    struct id id;
    if (!call_text(call, "event", 1, sizeof id.text - 1, NULL, &text))
        return false;
    if (!id_parse(span_of(text), &id))
        return call_bad_field(call, "event", "must be the id of an event.");
    enum db_status status = event_find(call->db, call->arena, &id, false, event);
    if (status == DB_NONE)
        return call_bad_field(call, "event", "must be the id of an existing event.");
    return call_found(call, status);
}

/* Finds the sides for which the caller may act. */
static bool read_sides(struct call *call, const struct stored_season *season,
                       const struct event *event, bool *invite, bool *offer)
{
    enum db_status status = event_organizer(call->db, &event->id, &call->player.id);
    if (status != DB_NONE && !call_found(call, status))
        return false;
    *offer = status == DB_OK;
    *invite = id_equal(&season->organizer, &call->player.id);
    return *offer || *invite ||
           call_problem(call, "not-allowed",
                        "Only the season's organizer or one of the event's may do this.");
}

static bool may_offer(struct call *call, const struct stored_season *season)
{
    unsigned own;
    return call_found(call, season_offers_of(call->db, &season->id, &call->player.id, &own)) &&
           (own < SEASON_OFFERS_OF_PERSON ||
            call_problem(call, "too-many-events",
                         "You have offered 16 events to this season that it has not accepted yet, "
                         "the maximum; wait until some are accepted."));
}

/* Finds the event in the season, all zero if it has not been requested, and checks that there is
 * room for it. Unanswered offers must not fill a season. */
static bool find_event(struct call *call, const struct stored_season *season,
                       const struct event *event, bool invite, struct season_event_row *found)
{
    struct season_event_row *events;
    size_t count;
    size_t invited = 0;
    *found = (struct season_event_row){.invited = false};
    if (!call_found(call, season_event_list(call->db, call->arena, &season->id, &events, &count)))
        return false;
    for (size_t i = 0; i < count; i++) {
        invited += events[i].invited;
        if (id_equal(&events[i].event, &event->id))
            *found = events[i];
    }
    if (found->name != NULL && (found->invited || !invite))
        return true;
    if (!invite && !may_offer(call, season))
        return false;
    return (invite ? invited < SEASON_EVENTS_MOST : count - invited < SEASON_OFFERS_MOST) ||
           call_problem(call, "too-many-events",
                        "A season can have at most 64 events, and 256 offers.");
}

void seasons_add_event(struct call *call)
{
    static const char *const keys[] = {"event", NULL};
    struct stored_season season;
    struct season_event_row now;
    struct event event = {.name = ""};
    bool invite = false;
    bool offer = false;
    if (!call_check_keys(call, keys) || !open_season(call, &season) || !read_event(call, &event) ||
        !read_sides(call, &season, &event, &invite, &offer) ||
        !find_event(call, &season, &event, invite, &now))
        return;
    if ((now.invited || !invite) && (now.offered || !offer)) {
        call_problem(call, "already-added", "You have already requested this event.");
        return;
    }
    bool counts = (now.invited || invite) && (now.offered || offer);
    const char *kind = counts ? "event_added" : invite ? "event_invited" : "event_offered";
    if (!call_found(call, season_event_ask(call->db, &season.id, &event.id, invite, offer)) ||
        !log_step(call, &season.id, kind,
                  json_pack("{s:s, s:s}", "event", event.id.text, "name", event.name)))
        return;
    season.events += counts;
    json_t *document = whole_document(call, &season);
    if (document != NULL)
        call_answer(call, 200, document);
}

void seasons_remove_event(struct call *call)
{
    struct stored_season season;
    struct event event;
    bool invite = false;
    bool offer = false;
    if (!open_season(call, &season) ||
        !call_found(call, event_find(call->db, call->arena, &call->id[1], false, &event)) ||
        !read_sides(call, &season, &event, &invite, &offer))
        return;
    enum db_status status = season_event_remove(call->db, &season.id, &event.id);
    if (status == DB_NONE)
        call_problem(call, "not-found", "This event is not in the season.");
    else if (call_found(call, status) &&
             log_step(call, &season.id, "event_removed",
                      json_pack("{s:s, s:s}", "event", event.id.text, "name", event.name)))
        call->response->status = 204;
}

static bool all_closed(struct call *call, const struct stored_season *season)
{
    struct season_event_row *events;
    size_t count;
    if (!call_found(call, season_event_list(call->db, call->arena, &season->id, &events, &count)))
        return false;
    for (size_t i = 0; i < count; i++)
        if (season_event_counts(&events[i]) && events[i].closed_at_ms == 0)
            return call_problem(call, "wrong-state",
                                "An event of the season is not closed; wait until it is.");
    return true;
}

void seasons_close(struct call *call)
{
    struct stored_season season;
    if (!call_check_keys(call, NULL) || !open_season(call, &season) || !all_closed(call, &season) ||
        !call_found(call, season_close(call->db, &season.id)) ||
        !log_step(call, &season.id, "closed", json_object()))
        return;
    season.closed = true;
    json_t *document = whole_document(call, &season);
    if (document != NULL)
        call_answer(call, 200, document);
}
