/* Settings by organizers about people: roles in the event, and players who must not be drawn to the
 * same table. Both are in the event's log, which is public. */
#include <string.h>

#include "api/event/event_load.h"
#include "api/event/event_take.h"
#include "api/events/handlers.h"
#include "api/request/documents.h"
#include "engine/base/json.h"

/* ---- Roles ---- */

static json_t *role_document(const struct id *player, const char *name, const char *role)
{
    return json_pack("{s:o, s:s}", "player", player_reference(player, name), "role", role);
}

/* Lists the current officials. */
static bool list_roles(struct call *call, const struct id *event, json_t *items)
{
    struct event_role *roles;
    size_t count;
    if (!call_found(call, event_role_list(call->db, call->arena, event, &roles, &count)))
        return false;
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items,
                              role_document(&roles[i].player, roles[i].player_name, roles[i].role));
    return true;
}

/* Lists the officials at a moment of the past, in the order of the log, under today's names. */
static bool list_past_roles(struct call *call, const struct tournament *tournament, bool organizers,
                            json_t *items)
{
    for (size_t i = 0; i < tournament->role_count; i++) {
        const struct tournament_role *role = &tournament->roles[i];
        struct id id;
        struct player player;
        if (!(organizers ? role->organizer : role->arbiter) ||
            !id_parse(span_of(role->player), &id))
            continue;
        if (!call_found(call, player_by_id(call->db, call->arena, &id, &player)))
            return false;
        json_array_append_new(
            items, role_document(&id, player.name, organizers ? "organizer" : "arbiter"));
    }
    return true;
}

void roles_list(struct call *call)
{
    struct loaded_event loaded;
    if (!event_takes_as_of_only(call) || !event_load_as_of(call, &loaded))
        return;
    json_t *items = json_array();
    const bool good = loaded.past ? list_past_roles(call, loaded.tournament, true, items) &&
                                        list_past_roles(call, loaded.tournament, false, items)
                                  : list_roles(call, &loaded.event.id, items);
    if (good)
        call_answer_tagged(call, list_with_next(items, NULL));
    else
        json_decref(items);
}

static void answer_roles(struct call *call, const struct id *event)
{
    json_t *items = json_array();
    if (list_roles(call, event, items))
        call_answer(call, 200, list_with_next(items, NULL));
    else
        json_decref(items);
}

static bool read_player_id(struct call *call, const json_t *value, const char *key, struct id *id)
{
    const char *text = json_string_value(value);
    return (text != NULL && id_parse(span_of(text), id)) ||
           call_bad_field(call, key, "must be the id of a player.");
}

static bool read_role(struct call *call, struct id *player, const char **role)
{
    static const char *const keys[] = {"player", "role", NULL};
    static const char *const names[] = {"arbiter", "organizer", NULL};
    struct player found;
    return call_check_keys(call, keys) &&
           read_player_id(call, json_object_get(call->body, "player"), "player", player) &&
           call_choice(call, "role", names, role) &&
           call_found(call, player_by_id(call->db, call->arena, player, &found));
}

static json_t *role_detail(const struct id *player, const char *role)
{
    return json_pack("{s:s, s:s}", "player", player->text, "role", role);
}

void roles_give(struct call *call)
{
    struct loaded_event loaded;
    struct id player;
    const char *role;
    if (read_role(call, &player, &role) && event_load(call, &call->id[0], true, &loaded) &&
        event_take(call, &loaded, "role_given", role_detail(&player, role)))
        answer_roles(call, &loaded.event.id);
}

/* Keeps at least one organizer, who can give roles. */
static bool has_organizer(struct call *call, const struct tournament *tournament)
{
    for (size_t i = 0; i < tournament->role_count; i++)
        if (tournament->roles[i].organizer)
            return true;
    return call_problem(call, "last-organizer", "An event keeps at least one organizer.");
}

void roles_take(struct call *call)
{
    struct loaded_event loaded;
    struct id player;
    const char *role;
    if (read_role(call, &player, &role) && event_load(call, &call->id[0], true, &loaded) &&
        event_take(call, &loaded, "role_taken", role_detail(&player, role)) &&
        has_organizer(call, loaded.tournament))
        answer_roles(call, &loaded.event.id);
}

/* ---- Pairs that are kept apart ---- */

static json_t *pairs_document(const struct tournament *tournament)
{
    json_t *items = json_array();
    for (size_t i = 0; i < tournament->pair_count; i++) {
        const struct tournament_pair *pair = &tournament->pairs[i];
        json_array_append_new(
            items, json_pack("{s:[s, s], s:o}", "players", tournament->entrants[pair->a].player,
                             tournament->entrants[pair->b].player, "weight",
                             pair->weight == POD_FORBIDDEN ? json_string("forbidden")
                                                           : json_integer(pair->weight)));
    }
    return items;
}

void kept_apart_list(struct call *call)
{
    struct loaded_event loaded;
    if (event_takes_as_of_only(call) && event_load_as_of(call, &loaded))
        call_answer_tagged(call, list_with_next(pairs_document(loaded.tournament), NULL));
}

/* The two players in the body, in the form that the log has. */
static bool read_pair(struct call *call, json_t **players)
{
    *players = NULL;
    const json_t *given = json_object_get(call->body, "players");
    struct id id[2];
    if (json_array_size(given) != 2)
        return call_bad_field(call, "players", "must be the ids of two players.");
    for (size_t i = 0; i < 2; i++)
        if (!read_player_id(call, json_array_get(given, i), "players", &id[i]))
            return false;
    if (id_equal(&id[0], &id[1]))
        return call_bad_field(call, "players", "must be two players.");
    *players = json_pack("[s, s]", id[0].text, id[1].text);
    return true;
}

/* The cost of drawing the two players to one table, or `forbidden`. */
static bool read_weight(struct call *call, json_t **weight)
{
    *weight = NULL;
    json_t *given = json_object_get(call->body, "weight");
    const char *word = json_string_value(given);
    int64_t number;
    if (given != NULL && (word == NULL || strcmp(word, "forbidden") != 0) &&
        !json_read_whole(given, 1, POD_WEIGHT_MAX, &number))
        return call_bad_field(call, "weight",
                              "must be `forbidden` or a whole number from 1 to "
                              "10000.");
    *weight = given == NULL ? json_string("forbidden") : json_incref(given);
    return true;
}

/* Refuses weights that the draws of the event would ignore. */
static bool check_weight(struct call *call, const struct tournament *tournament,
                         const json_t *weight)
{
    enum parting parting = settings_parting(&tournament->settings);
    if (parting == PARTING_NONE)
        return call_problem(call, "pairs-not-parted",
                            "No stage of this event can keep players apart: a schedule, a bracket "
                            "or a queue decides who meets.");
    return parting == PARTING_WEIGHED || !json_is_integer(weight) ||
           call_problem(call, "pairs-not-parted",
                        "The Dutch system knows only forbidden pairs; leave out the weight, or use "
                        "multiplayer Swiss.");
}

static void change_pairs(struct call *call, const char *kind, json_t *detail)
{
    struct loaded_event loaded;
    const json_t *weight = json_object_get(detail, "weight");
    if (!event_load(call, &call->id[0], true, &loaded) ||
        (weight != NULL && !check_weight(call, loaded.tournament, weight))) {
        json_decref(detail);
        return;
    }
    if (event_take(call, &loaded, kind, detail))
        call_answer(call, 200, list_with_next(pairs_document(loaded.tournament), NULL));
}

void kept_apart_add(struct call *call)
{
    static const char *const keys[] = {"players", "weight", NULL};
    json_t *players;
    json_t *weight;
    if (call_check_keys(call, keys) && read_weight(call, &weight)) {
        if (read_pair(call, &players))
            change_pairs(call, "kept_apart",
                         json_pack("{s:o, s:o}", "players", players, "weight", weight));
        else
            json_decref(weight);
    }
}

void kept_apart_remove(struct call *call)
{
    static const char *const keys[] = {"players", NULL};
    json_t *players;
    if (call_check_keys(call, keys) && read_pair(call, &players))
        change_pairs(call, "not_kept_apart", json_pack("{s:o}", "players", players));
}
