/* Lines about the event itself: its settings, its officials and its end. */
#include <string.h>

#include "engine/tournament/event/tournament_parts.h"

enum { ROLES_MOST = 1000 };

/* ---- Settings ---- */

static bool bad_settings(struct taking *taking)
{
    return bad_line(taking, "The settings of the line are not valid.");
}

/* The creator of an event is its first organizer. */
static bool add_maker(struct taking *taking)
{
    struct tournament *event = taking->event;
    if (!record_is_id(span_of(taking->line->actor)))
        return true;
    if (!grow(taking, (void **)&event->roles, &event->index->roles_most, 1, sizeof *event->roles))
        return false;
    event->roles[event->role_count++] = (struct tournament_role){.organizer = true};
    memcpy(event->roles[0].player, taking->line->actor, TOURNAMENT_ID_BYTES);
    return true;
}

bool take_created(struct taking *taking)
{
    struct tournament *event = taking->event;
    struct settings_fault fault;
    struct tournament_settings settings;
    if (!settings_read(taking->line->detail, false, &settings, &fault))
        return bad_settings(taking);
    if (!add_maker(taking))
        return false;
    event->settings = settings;
    event->settings_document = json_incref(taking->line->detail);
    return true;
}

bool take_settings_changed(struct taking *taking)
{
    struct tournament *event = taking->event;
    struct settings_fault fault;
    struct tournament_settings settings;
    size_t started = event->phase < PHASE_ENTRIES_CLOSED ? 0 : event->stages;
    if (!settings_change(&event->settings, taking->line->detail, started, event->rounds_started,
                         &settings, &fault) ||
        !settings_read(taking->line->detail, false, &settings, &fault))
        return bad_settings(taking);
    json_decref(event->settings_document);
    event->settings = settings;
    event->settings_document = json_incref(taking->line->detail);
    take_waiting(event);
    return true;
}

/* ---- Roles ---- */

static struct tournament_role *find_role(const struct tournament *event, const char *player)
{
    for (size_t i = 0; i < event->role_count; i++)
        if (strcmp(event->roles[i].player, player) == 0)
            return &event->roles[i];
    return NULL;
}

static bool read_role(struct taking *taking, const char **player, bool *organizer)
{
    const char *role = json_string_value(json_object_get(taking->line->detail, "role"));
    if (!read_id(taking, "player", player))
        return false;
    *organizer = role != NULL && strcmp(role, "organizer") == 0;
    return *organizer || (role != NULL && strcmp(role, "arbiter") == 0) ||
           bad_line(taking, "The role must be organizer or arbiter.");
}

bool take_role_given(struct taking *taking)
{
    struct tournament *event = taking->event;
    const char *player;
    bool organizer;
    if (!read_role(taking, &player, &organizer))
        return false;
    struct tournament_role *role = find_role(event, player);
    if (role != NULL && (organizer ? role->organizer : role->arbiter))
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_TWICE,
                      "This player already has the role.");
    if (role == NULL) {
        if (event->role_count == ROLES_MOST)
            return refuse(taking->refusal, TOURNAMENT_REFUSAL_FULL,
                          "An event can give roles to at most 1000 players.");
        if (!grow(taking, (void **)&event->roles, &event->index->roles_most, event->role_count + 1,
                  sizeof *event->roles))
            return false;
        role = &event->roles[event->role_count++];
        *role = (struct tournament_role){.organizer = false};
        memcpy(role->player, player, TOURNAMENT_ID_BYTES);
    }
    *(organizer ? &role->organizer : &role->arbiter) = true;
    return true;
}

bool take_role_taken(struct taking *taking)
{
    const char *player;
    bool organizer;
    if (!read_role(taking, &player, &organizer))
        return false;
    struct tournament_role *role = find_role(taking->event, player);
    if (role == NULL || !(organizer ? role->organizer : role->arbiter))
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER,
                      "This player does not have the role.");
    *(organizer ? &role->organizer : &role->arbiter) = false;
    return true;
}

/* ---- The end ---- */

/* Players without an account, in the order of their entries. */
static bool check_unrated(struct taking *taking)
{
    const struct tournament *event = taking->event;
    const json_t *ids = json_object_get(taking->line->detail, "unrated"), *id;
    unsigned least = 0;
    size_t i;
    if (ids != NULL && (!event->settings.rate_reported || json_array_size(ids) == 0))
        return bad_line(taking, "`unrated` is a list of players, of an event that rates reported "
                                "results.");
    json_array_foreach(ids, i, id)
    {
        uint16_t entry =
            is_id(id) ? tournament_entry(event, span_of(json_string_value(id))) : TOURNAMENT_NOBODY;
        if (entry == TOURNAMENT_NOBODY || entry < least)
            return bad_line(taking, "`unrated` names players of the event in the order of their "
                                    "entries.");
        least = entry + 1U;
    }
    return true;
}

static void set_unrated(struct taking *taking)
{
    struct tournament *event = taking->event;
    const json_t *id;
    size_t i;
    json_array_foreach(json_object_get(taking->line->detail, "unrated"), i, id)
    {
        event->entrants[tournament_entry(event, span_of(json_string_value(id)))].unrated = true;
    }
}

bool tournament_may_close(const struct tournament *event, struct refusal *refusal)
{
    if (event->phase != PHASE_RUNNING)
        return refuse(refusal, TOURNAMENT_REFUSAL_PHASE,
                      "Only an event that is running can be closed.");
    return (!tournament_is_running(event) && tournament_draft(event) == NULL) ||
           refuse(refusal, TOURNAMENT_REFUSAL_ROUND,
                  "A table is still playing, or a round has been paired but not started.");
}

bool take_closed(struct taking *taking)
{
    struct tournament *event = taking->event;
    if (!tournament_may_close(event, taking->refusal) || !check_unrated(taking))
        return false;
    set_unrated(taking);
    event->phase = PHASE_CLOSED;
    return true;
}

bool tournament_may_cancel(const struct tournament *event, struct refusal *refusal)
{
    if (event->phase == PHASE_CLOSED)
        return refuse(refusal, TOURNAMENT_REFUSAL_PHASE, "The event is closed.");
    if (event->rounds_started > 0 || event->table_count > 0 || tournament_draft(event) != NULL)
        return refuse(
            refusal, TOURNAMENT_REFUSAL_PHASE,
            tournament_draft(event) != NULL && event->rounds_started == 0
                ? "A round has been paired: withdraw the pairings, then cancel the event."
                : "Games have been played: an event can be cancelled only before its first "
                  "game; close it instead.");
    return true;
}

bool take_cancelled(struct taking *taking)
{
    struct tournament *event = taking->event;
    if (!json_is_string(json_object_get(taking->line->detail, "reason")))
        return bad_line(taking, "Cancelling an event requires a reason.");
    if (!tournament_may_cancel(event, taking->refusal))
        return false;
    event->phase = PHASE_CLOSED;
    event->cancelled = true;
    return true;
}
