/* Events: making one, and its way from draft to closed. Each step is a line of the event's log. */
#include <sodium.h>
#include <stdlib.h>

#include "api/documents.h"
#include "api/duplicate.h"
#include "api/event_steps.h"
#include "api/handlers.h"
#include "api/names.h"
#include "api/tlog_leaves.h"
#include "db/event_changes.h"
#include "engine/catalog.h"
#include "engine/record.h"
#include "engine/tournament/result.h"

enum { NAME_BYTES = 80, ROUNDS_MOST = 20 };

static const char *const formats[] = {"pod_swiss", "duplicate", NULL};
static const char *const profiles[] = {"strict", "balanced", "power", NULL};

/* ---- Making one ---- */

/* The ruleset's options with the chosen values, as a JSON object of every option. */
static bool read_options(struct call *call, const struct game *game, const char **stored)
{
    json_t *chosen = json_object_get(call->body, "options");
    if (chosen != NULL && !json_is_object(chosen))
        return call_bad_field(call, "options", "must be an object of option names and values.");
    json_t *all = json_object();
    for (size_t i = 0; i < game->option_count; i++)
        json_object_set_new(all, game->options[i].name,
                            json_string(game->options[i].values[game->options[i].initial]));
    const char *name;
    json_t *value;
    bool good = true;
    json_object_foreach(chosen, name, value)
    {
        int option = game_option_index(game, span_of(name));
        good = option >= 0 && json_is_string(value) &&
               game_option_value(game, (size_t)option, span_of(json_string_value(value))) >= 0;
        if (!good)
            break;
        json_object_set(all, name, value);
    }
    char *text = json_dumps(all, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(all);
    if (text == NULL)
        abort();
    *stored = arena_copy(call->arena, span_of(text));
    free(text);
    return good || call_bad_field(call, "options",
                                  "has an option or value that this ruleset does not know; "
                                  "GET /v1/rulesets lists them.");
}

static bool read_ruleset(struct call *call, struct event *event, const struct game **game)
{
    const char *slug;
    if (!call_text(call, "ruleset", 1, 64, NULL, &slug))
        return false;
    *game = catalog_newest(span_of(slug));
    if (*game == NULL)
        return call_bad_field(call, "ruleset",
                              "is not in the catalogue; GET /v1/rulesets lists them.");
    if ((*game)->seats_max < 2 && !duplicate_is(event))
        return call_bad_field(call, "ruleset",
                              "is a one-seat game, which pod Swiss cannot pair; its format is "
                              "duplicate.");
    event->slug = (*game)->slug;
    event->version = (*game)->version;
    return read_options(call, *game, &event->options);
}

static bool read_tables(struct call *call, const struct game *game, struct event *event)
{
    unsigned least = game->seats_min < 2 ? 2 : game->seats_min;
    if (!call_whole(call, "seats_min", least, game->seats_max, (int)least, &event->seats_min) ||
        !call_whole(call, "seats_max", event->seats_min, game->seats_max, (int)game->seats_max,
                    &event->seats_max))
        return false;
    return call_whole(call, "seats_preferred", event->seats_min, event->seats_max,
                      (int)event->seats_max, &event->seats_preferred);
}

/* All tables of a board have the same number of seats, or their seats could not be compared. */
static bool read_equal_tables(struct call *call, const struct game *game, struct event *event)
{
    return call_whole(call, "seats_preferred", game->seats_min, game->seats_max,
                      (int)game->seats_max, &event->seats_preferred) &&
           call_whole(call, "seats_min", event->seats_preferred, event->seats_preferred,
                      (int)event->seats_preferred, &event->seats_min) &&
           call_whole(call, "seats_max", event->seats_preferred, event->seats_preferred,
                      (int)event->seats_preferred, &event->seats_max);
}

static bool read_pod_swiss(struct call *call, const struct game *game, struct event *event)
{
    static const char *const others[] = {"boards", "scoring", "play", NULL};
    for (size_t i = 0; others[i] != NULL; i++)
        if (json_object_get(call->body, others[i]) != NULL)
            return call_bad_field(call, others[i], "is for duplicate events only.");
    return read_tables(call, game, event) &&
           call_whole(call, "rounds", 1, ROUNDS_MOST, -1, &event->rounds) &&
           call_choice(call, "profile", profiles, &event->profile);
}

static bool read_duplicate(struct call *call, const struct game *game, struct event *event)
{
    static const char *const scorings[] = {"matchpoints", "total", NULL};
    static const char *const plays[] = {"asynchronous", "barometer", NULL};
    static const char *const strict[] = {"strict", NULL};
    if (!read_equal_tables(call, game, event) ||
        !call_whole(call, "rounds", 1, ROUNDS_MOST, 1, &event->rounds) ||
        !call_choice(call, "profile", strict, &event->profile) ||
        !call_whole(call, "boards", 1, DUPLICATE_BOARDS_MAX, -1, &event->boards) ||
        !call_choice(call, "scoring", scorings, &event->scoring) ||
        !call_choice(call, "play", plays, &event->play))
        return false;
    return event->rounds * event->boards <= DUPLICATE_SITTINGS_MAX ||
           call_bad_field(call, "boards", "times rounds must be at most 64.");
}

/* The event's secret, from which its pairings are drawn; committed to before anybody enters. */
static bool store(struct call *call, struct event *event)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    uint8_t sealed[KEYS_SEALED_BYTES];
    randombytes_buf(secret, sizeof secret);
    record_commitment(span_of(event->id.text), secret, event->commitment);
    keys_seal(&call->service->keys, secret, sizeof secret, sealed);
    sodium_memzero(secret, sizeof secret);
    return call_found(call, event_create(call->db, event, sealed, sizeof sealed)) &&
           tlog_add_commitment(call, span_of(event->id.text), event->commitment);
}

void events_create(struct call *call)
{
    static const char *const keys[] = {"name",      "ruleset",         "options", "seats_min",
                                       "seats_max", "seats_preferred", "rounds",  "profile",
                                       "format",    "boards",          "scoring", "play",
                                       NULL};
    const struct game *game;
    struct event event = {.id = id_new(call->now_ms),
                          .state = EVENT_DRAFT,
                          .organizer = call->player.id,
                          .organizer_name = call->player.name,
                          .created_at_ms = call->now_ms};
    if (!call_check_keys(call, keys) || !name_read(call, "name", NAME_BYTES, &event.name) ||
        !call_choice(call, "format", formats, &event.format) ||
        !read_ruleset(call, &event, &game) ||
        !(duplicate_is(&event) ? read_duplicate : read_pod_swiss)(call, game, &event))
        return;
    if (!store(call, &event) || !event_step(call, &event.id, "created", event_document(&event)))
        return;
    char *location = arena_take(call->arena, 64);
    struct text text = {location, 0, 64, false};
    text_add(&text, "/v1/events/");
    text_add(&text, event.id.text);
    call->response->location = location;
    call_answer(call, 201, event_document(&event));
}

/* ---- Reading ---- */

void events_list(struct call *call)
{
    struct page page;
    struct event *events;
    size_t count;
    if (!call_page(call, NULL, &page) ||
        !call_found(call,
                    event_list(call->db, call->arena, &page.after, page.limit, &events, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, event_document(&events[i]));
    call_answer_tagged(
        call, page_document(items, count == page.limit ? events[count - 1].id.text : NULL));
}

/* The document with the secret, revealed when the event is closed, so that anybody can then check
 * the pairings; and with the number of the last change, from which on the event can be followed.
 * NULL with a problem. */
static json_t *open_document(struct call *call, const struct event *event)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    unsigned changes;
    if (!call_found(call, event_change_last(call->db, &event->id, &changes)))
        return NULL;
    json_t *document = event_document(event);
    json_t *revealed = json_null();
    if (event->state == EVENT_CLOSED) {
        if (!event_read_secret(call, &event->id, secret)) {
            json_decref(document);
            return NULL;
        }
        revealed = hex_json(secret, sizeof secret);
    }
    json_object_set_new(document, "secret", revealed);
    json_object_set_new(document, "changes", json_integer(changes));
    return document;
}

static void answer_event(struct call *call, const struct event *event)
{
    json_t *document = open_document(call, event);
    if (document != NULL)
        call_answer(call, 200, document);
}

void events_get(struct call *call)
{
    struct event event;
    json_t *document =
        event_open(call, &call->id[0], false, &event) ? open_document(call, &event) : NULL;
    if (document != NULL)
        call_answer_tagged(call, document);
}

void events_log(struct call *call)
{
    enum { STEPS_MOST = 1000 };
    struct event event;
    struct event_step *steps;
    size_t count;
    if (!event_open(call, &call->id[0], false, &event) ||
        !call_found(
            call, event_log_list(call->db, call->arena, &event.id, 0, STEPS_MOST, &steps, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, event_step_document(&steps[i]));
    call_answer_tagged(call, page_document(items, NULL));
}

/* ---- From draft to closed ---- */

/* Moves the event on and logs it. The body must be empty. */
static bool move_on(struct call *call, struct event *event, enum event_state from,
                    enum event_state to, const char *kind)
{
    static const char *const no_keys[] = {NULL};
    if (!call_check_keys(call, no_keys) || !event_open(call, &call->id[0], true, event) ||
        !event_is_in(call, event, from))
        return false;
    if (!call_db(call, event_set_state(call->db, &event->id, from, to), "wrong-state",
                 "Somebody else has just moved the event on.") ||
        !event_step(call, &event->id, kind, json_object()))
        return false;
    event->state = to;
    return true;
}

void events_open_entries(struct call *call)
{
    struct event event;
    if (move_on(call, &event, EVENT_DRAFT, EVENT_ENTRIES_OPEN, "entries_opened"))
        answer_event(call, &event);
}

void events_close_entries(struct call *call)
{
    struct event event;
    if (move_on(call, &event, EVENT_ENTRIES_OPEN, EVENT_ENTRIES_CLOSED, "entries_closed") &&
        call_found(call, entry_number_all(call->db, &event.id)))
        answer_event(call, &event);
}

void events_close(struct call *call)
{
    struct event event;
    bool running;
    if (!event_open(call, &call->id[0], true, &event) ||
        !event_round_is_running(call, &event, &running))
        return;
    if (running) {
        call_problem(call, "round-running",
                     "A table of the last round is still playing; wait for it.");
        return;
    }
    if (move_on(call, &event, EVENT_RUNNING, EVENT_CLOSED, "closed") &&
        tlog_add_closed_event(call, &event.id))
        answer_event(call, &event);
}
