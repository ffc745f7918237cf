/* Entries: participants and waiting list. Players enter, check in, withdraw and drop out
 * themselves; organizers do so for any player, and arbiters do all but enter players. */
#include <stdlib.h>
#include <string.h>

#include "api/event/event_take.h"
#include "api/events/entries.h"
#include "api/events/handlers.h"
#include "api/events/ruling_changes.h"
#include "api/request/documents.h"
#include "api/request/impartial.h"
#include "db/store/events/held_places.h"

/* ---- Documents ---- */

/* The place on the waiting list, from 1; 0 for entries that do not wait. */
static unsigned place_in_line(const struct tournament *tournament, const struct entrant *entrant)
{
    unsigned place = 1;
    if (entrant->state != ENTRANT_WAITING)
        return 0;
    for (size_t i = 0; i < tournament->entrant_count; i++)
        place += tournament->entrants[i].state == ENTRANT_WAITING &&
                 tournament->entrants[i].entered < entrant->entered;
    return place;
}

/* The byes on request, by round. */
static json_t *byes_document(const struct entrant *entrant)
{
    json_t *byes = json_array();
    for (unsigned round = 1; round <= TOURNAMENT_ROUNDS_MAX; round++) {
        round_set bit = (round_set)1 << (round - 1);
        const char *kind = (entrant->full_bye & bit) != 0   ? "full"
                           : (entrant->half_bye & bit) != 0 ? "half"
                           : (entrant->zero_bye & bit) != 0 ? "zero"
                                                            : NULL;
        if (kind != NULL)
            json_array_append_new(byes, json_pack("{s:i, s:s}", "round", (int)round, "kind", kind));
    }
    return byes;
}

static json_t *level_document(enum house_choice level)
{
    return level == HOUSE_NONE ? json_null()
                               : json_pack("{s:s}", "level", house_choice_name(level));
}

/* `entry` provides the player's name and the time of entering; the rest comes from the fold. */
static json_t *entry_document(const struct tournament *tournament, const struct entrant *entrant,
                              const struct event_entry *entry)
{
    enum entry_state state = event_entry_state(entrant);
    json_t *dropped =
        state == ENTRY_DROPPED ? json_integer(event_dropped_after(entrant)) : json_null();
    return json_pack("{s:o, s:o, s:o, s:s, s:o, s:o, s:b, s:o, s:i, s:o, s:o}", "player",
                     player_reference(&entry->player, entry->player_name), "house",
                     level_document((enum house_choice)entrant->house), "number",
                     number_or_null(entrant->number), "state", entry_state_name(state),
                     "dropped_after_round", dropped, "waiting_place",
                     number_or_null(place_in_line(tournament, entrant)), "checked_in",
                     (int)entrant->checked_in, "rating", number_or_null((unsigned)entrant->rating),
                     "from_round", entrant->from == 0 ? 1 : (int)entrant->from, "byes",
                     byes_document(entrant), "entered_at", time_json(entry->entered_at_ms));
}

bool entry_load_document(struct call *call, const struct loaded_event *loaded,
                         const struct id *player, json_t **document)
{
    struct event_entry entry;
    uint16_t index = tournament_entry(loaded->tournament, span_of(player->text));
    if (index == TOURNAMENT_NOBODY)
        return call_problem(call, "not-entered", "This player has not entered the event.");
    if (!call_found(call, entry_find(call->db, call->arena, &loaded->event.id, player, &entry)))
        return false;
    *document = entry_document(loaded->tournament, &loaded->tournament->entrants[index], &entry);
    return true;
}

static void answer_entry(struct call *call, const struct loaded_event *loaded,
                         const struct id *player, int status)
{
    json_t *document;
    if (entry_load_document(call, loaded, player, &document))
        call_answer(call, status, document);
}

/* ---- Permissions ---- */

static const struct tournament_role *role_of(const struct loaded_event *loaded,
                                             const struct id *player)
{
    const struct tournament *tournament = loaded->tournament;
    for (size_t i = 0; i < tournament->role_count; i++)
        if (strcmp(tournament->roles[i].player, player->text) == 0)
            return &tournament->roles[i];
    return NULL;
}

static bool is_organizer(const struct call *call, const struct loaded_event *loaded)
{
    const struct tournament_role *role = role_of(loaded, &call->player.id);
    return (call->player.roles & ROLE_ADMIN) != 0 || (role != NULL && role->organizer);
}

static bool is_official(const struct call *call, const struct loaded_event *loaded)
{
    const struct tournament_role *role = role_of(loaded, &call->player.id);
    return is_organizer(call, loaded) || (role != NULL && role->arbiter);
}

/* ---- Entering ---- */

/* House players do not choose events themselves, and cannot tell whether they are wanted. */
static bool check_not_house(struct call *call)
{
    return call->player.house == NULL ||
           call_problem(call, "house-not-allowed",
                        "House players do not enter events by themselves; an organizer enters "
                        "them.");
}

/* A guest who had entered when entries were closed, but had not checked in or was waiting: the
 * organizer may still enter such a guest late. */
static bool is_late_guest(const struct tournament *tournament, const struct player *player)
{
    uint16_t entry = tournament_entry(tournament, span_of(player->id.text));
    return player->guest && entry != TOURNAMENT_NOBODY &&
           (tournament->entrants[entry].state == ENTRANT_NOT_THERE ||
            tournament->entrants[entry].state == ENTRANT_WAITING);
}

/* The player to enter: the caller, or another player in the body. */
static bool read_player(struct call *call, const struct loaded_event *loaded, struct player *player)
{
    static const char *const keys[] = {"player", NULL};
    const char *text;
    struct id id;
    *player = call->player;
    if (call->player.guest && loaded->tournament->settings.guests != GUESTS_ALLOWED)
        return call_problem(
            call, "guest-not-allowed",
            "Guests may not enter this event; choose a password to have an account, which keeps "
            "your games, or ask the organizers to allow guests.");
    if (!call_check_keys(call, keys))
        return false;
    if (json_object_get(call->body, "player") == NULL)
        return check_not_house(call);
    if (!call_text(call, "player", 1, 64, NULL, &text))
        return false;
    if (!id_parse(span_of(text), &id))
        return call_bad_field(call, "player", "must be the id of a player.");
    if (!id_equal(&id, &call->player.id) && !is_organizer(call, loaded))
        return call_problem(call, "not-allowed", "Only an organizer may enter another player.");
    if (!call_found(call, player_by_id(call->db, call->arena, &id, player)))
        return false;
    return (player->origin == NULL && !player->deleted &&
            (!player->guest || is_late_guest(loaded->tournament, player))) ||
           call_bad_field(call, "player", "must be a player with an account here.");
}

/* True once numbers have been given. */
static bool is_late(const struct tournament *tournament)
{
    return tournament->phase == PHASE_ENTRIES_CLOSED || tournament->phase == PHASE_RUNNING;
}

static bool check_late(struct call *call, const struct tournament *tournament)
{
    return !is_late(tournament) || tournament->settings.late_entries > 0 ||
           call_problem(call, "wrong-state",
                        "Entries are closed, and the event takes no late entries; an organizer can "
                        "set `late_entries`.");
}

/* Without a capacity, the first stage's format limits the number of entries. */
static bool fits_format(const struct tournament *tournament)
{
    unsigned taken = 0;
    for (size_t i = 0; i < tournament->entrant_count; i++)
        taken += tournament->entrants[i].state == ENTRANT_TAKEN;
    return tournament->settings.capacity > 0 ||
           taken < settings_entries_most(&tournament->settings.stage[0]);
}

static bool has_room(struct call *call, const struct tournament *tournament)
{
    const struct stage_settings *stage = &tournament->settings.stage[0];
    return fits_format(tournament) ||
           call_problem_of(call, "event-full", "The event's format, ",
                           tournament_format_name(stage->format), ", takes ",
                           call_digits(call, settings_entries_most(stage)),
                           " entries, and all are taken; with a `capacity`, others could wait.");
}

const char *entry_outlook(const struct tournament *tournament)
{
    struct refusal refusal;
    bool open = tournament->phase == PHASE_ENTRIES_OPEN;
    bool late = is_late(tournament) && tournament->settings.late_entries > 0;
    bool may = late && tournament_may_come_late(tournament, &refusal);
    if (!open && (!late || (!may && strcmp(refusal.code, TOURNAMENT_REFUSAL_FULL) != 0)))
        return "closed";
    if (!fits_format(tournament) || (!open && !may))
        return "full";
    return open && tournament_is_full(tournament) ? "waiting_list" : "place";
}

static bool check_in_house(struct call *call, struct loaded_event *loaded, const struct id *player)
{
    const struct tournament *tournament = loaded->tournament;
    const struct entrant *entrant =
        &tournament->entrants[tournament_entry(tournament, span_of(player->text))];
    return entrant->house == HOUSE_NONE || !tournament->settings.check_in ||
           tournament->phase != PHASE_ENTRIES_OPEN ||
           event_take(call, loaded, "checked_in",
                      json_pack("{s:s, s:b}", "player", player->text, "present", 1));
}

bool entry_make(struct call *call, struct loaded_event *loaded, const struct id *player)
{
    json_t *detail;
    if (!check_late(call, loaded->tournament) || !has_room(call, loaded->tournament) ||
        !entry_line(call, loaded, player, &detail))
        return false;
    if (is_late(loaded->tournament))
        json_object_set_new(detail, "late", json_true());
    return event_take(call, loaded, "entered", detail) && check_in_house(call, loaded, player);
}

void entries_create(struct call *call)
{
    struct loaded_event loaded;
    struct player player;
    if (event_load(call, &call->id[0], true, &loaded) && read_player(call, &loaded, &player) &&
        entry_make(call, &loaded, &player.id))
        answer_entry(call, &loaded, &player.id, 201);
}

/* ---- Reading ---- */

static int compare_players(const void *a, const void *b)
{
    const struct event_entry *first = a;
    const struct event_entry *second = b;
    return strcmp(first->player.text, second->player.text);
}

static int compare_places(const void *a, const void *b)
{
    const struct entrant *first = *(const struct entrant *const *)a;
    const struct entrant *second = *(const struct entrant *const *)b;
    unsigned number_a = first->number == 0 ? UINT16_MAX + 1U : first->number;
    unsigned number_b = second->number == 0 ? UINT16_MAX + 1U : second->number;
    if (number_a != number_b)
        return number_a < number_b ? -1 : 1;
    return (first->entered > second->entered) - (first->entered < second->entered);
}

/* The entries that have not withdrawn, by number and then by time of entering. */
static const struct entrant **order_entrants(struct call *call, const struct tournament *tournament,
                                             size_t *count)
{
    const struct entrant **order =
        arena_array(call->arena, tournament->entrant_count, sizeof(struct entrant *));
    *count = 0;
    for (size_t i = 0; i < tournament->entrant_count; i++)
        if (tournament->entrants[i].state != ENTRANT_WITHDRAWN)
            order[(*count)++] = &tournament->entrants[i];
    qsort(order, *count, sizeof(struct entrant *), compare_places);
    return order;
}

static json_t *entries_document(struct call *call, const struct tournament *tournament,
                                struct event_entry *entries, size_t entry_count)
{
    size_t count;
    const struct entrant **order = order_entrants(call, tournament, &count);
    json_t *items = json_array();
    qsort(entries, entry_count, sizeof *entries, compare_players);
    for (size_t i = 0; i < count; i++) {
        struct event_entry key = {.number = 0};
        memcpy(key.player.text, order[i]->player, sizeof key.player.text);
        const struct event_entry *entry =
            bsearch(&key, entries, entry_count, sizeof *entries, compare_players);
        if (entry != NULL)
            json_array_append_new(items, entry_document(tournament, order[i], entry));
    }
    return items;
}

void entries_list(struct call *call)
{
    struct loaded_event loaded;
    struct event_entry *entries;
    size_t count;
    if (event_takes_as_of_only(call) && event_load_as_of(call, &loaded) &&
        call_found(call, entry_list(call->db, call->arena, &loaded.event.id, &entries, &count)))
        call_answer_tagged(
            call, list_with_next(entries_document(call, loaded.tournament, entries, count), NULL));
}

/* ---- Leaving and coming back ---- */

static json_t *player_detail(const struct id *player)
{
    return json_pack("{s:s}", "player", player->text);
}

static bool has_number(const struct tournament *tournament, const struct id *player)
{
    uint16_t entry = tournament_entry(tournament, span_of(player->text));
    return entry != TOURNAMENT_NOBODY && tournament->entrants[entry].number != 0;
}

/* Dropping out takes effect after the present round, which is played to its end. */
static json_t *dropped_detail(const struct tournament *tournament, const struct id *player)
{
    return json_pack("{s:s, s:i}", "player", player->text, "after",
                     (int)tournament->rounds_started);
}

/* Previews how the standings change if the player leaves. */
static void answer_leaving(struct call *call, const struct loaded_event *loaded, const char *kind,
                           json_t *detail)
{
    struct loaded_event tried;
    json_t *differences;
    if (event_try(call, loaded, kind, detail, &tried) &&
        event_differences(call, loaded, &tried, &differences))
        call_answer(call, 200, json_pack("{s:s, s:o}", "step", kind, "differences", differences));
}

void entries_delete(struct call *call)
{
    struct loaded_event loaded;
    bool preview;
    if (!preview_read(call, &preview) || !event_load(call, &call->id[0], true, &loaded))
        return;
    bool numbered = has_number(loaded.tournament, &call->id[1]);
    const char *kind = numbered ? "dropped" : "withdrawn";
    json_t *detail =
        numbered ? dropped_detail(loaded.tournament, &call->id[1]) : player_detail(&call->id[1]);
    if (preview)
        answer_leaving(call, &loaded, kind, detail);
    else if (event_take(call, &loaded, kind, detail) &&
             (numbered ||
              call_found(call, held_place_give_up(call->db, &loaded.event.id, &call->id[1]))))
        call->response->status = 204;
}

void entries_return(struct call *call)
{
    static const char *const keys[] = {"from", NULL};
    struct loaded_event loaded;
    unsigned from;
    if (!call_check_keys(call, keys) || !event_load(call, &call->id[0], true, &loaded))
        return;
    unsigned next = (unsigned)loaded.tournament->round_count + 1;
    if (call_whole(call, "from", 1, TOURNAMENT_ROUNDS_MAX, (int)next, &from) &&
        event_take(call, &loaded, "returned",
                   json_pack("{s:s, s:i}", "player", call->id[1].text, "from", (int)from)))
        answer_entry(call, &loaded, &call->id[1], 200);
}

/* ---- Check-in ---- */

void entries_check_in(struct call *call)
{
    static const char *const keys[] = {"present", NULL};
    struct loaded_event loaded;
    bool present = true;
    if (call_check_keys(call, keys) && call_boolean(call, "present", &present) &&
        event_load(call, &call->id[0], true, &loaded) &&
        event_take(call, &loaded, "checked_in",
                   json_pack("{s:s, s:b}", "player", call->id[1].text, "present", (int)present)))
        answer_entry(call, &loaded, &call->id[1], 200);
}

/* ---- Byes on request ---- */

/* Officials grant byes with points; players may announce their own absence. */
static bool may_have_bye(struct call *call, const struct loaded_event *loaded, const char *kind)
{
    if (strcmp(kind, "zero") == 0)
        return true;
    if (!is_official(call, loaded))
        return call_problem(
            call, "not-allowed",
            "Only an organizer or arbiter can grant a bye with points; you may take a zero bye.");
    return impartial_to_player(call, &call->id[1],
                               "Only another organizer or arbiter can grant you or your bot a bye "
                               "with points; you may take a zero bye.");
}

unsigned entry_bye_from(const struct tournament *tournament)
{
    unsigned planned = tournament_rounds_planned(tournament);
    unsigned next = (unsigned)tournament->round_count + 1;
    bool may = (tournament->numbered > 0 || tournament->phase == PHASE_ENTRIES_OPEN) &&
               tournament->phase != PHASE_CLOSED &&
               tournament_format_has_rounds(tournament->settings.stage[0].format);
    return may && next <= (planned == 0 ? (unsigned)TOURNAMENT_ROUNDS_MAX : planned) ? next : 0;
}

/* True if the round of the bye is one that the event plays. */
static bool check_bye_round(struct call *call, const struct loaded_event *loaded, unsigned round)
{
    const struct tournament *tournament = loaded->tournament;
    unsigned planned = tournament_rounds_planned(tournament);
    if (!tournament_format_has_rounds(tournament->settings.stage[0].format))
        return call_problem(call, "no-rounds",
                            "This event has no rounds, so it has no byes; a player who drops out "
                            "is neither called to a table nor challenged.");
    return planned == 0 || round <= planned ||
           call_problem_of(call, "bad-field",
                           "round must be one of the rounds that the event plays: it has ",
                           call_digits(call, planned), ".");
}

void entries_grant_bye(struct call *call)
{
    static const char *const keys[] = {"round", "kind", NULL};
    static const char *const kinds[] = {"zero", "half", "full", NULL};
    struct loaded_event loaded;
    unsigned round;
    const char *kind;
    if (event_load(call, &call->id[0], true, &loaded) && call_check_keys(call, keys) &&
        call_whole(call, "round", 1, TOURNAMENT_ROUNDS_MAX, -1, &round) &&
        call_choice(call, "kind", kinds, &kind) && check_bye_round(call, &loaded, round) &&
        may_have_bye(call, &loaded, kind) &&
        event_take(call, &loaded, "bye_granted",
                   json_pack("{s:s, s:i, s:s}", "player", call->id[1].text, "round", (int)round,
                             "kind", kind)))
        answer_entry(call, &loaded, &call->id[1], 200);
}

void entries_revoke_bye(struct call *call)
{
    struct loaded_event loaded;
    if (event_load(call, &call->id[0], true, &loaded) &&
        event_take(
            call, &loaded, "bye_revoked",
            json_pack("{s:s, s:i}", "player", call->id[1].text, "round", (int)call->number[0])))
        answer_entry(call, &loaded, &call->id[1], 200);
}
