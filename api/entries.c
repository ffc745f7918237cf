/* Entries: who takes part. A player enters for himself; a player or an organizer takes an entry
 * back while entries are open, and drops a player from the coming rounds later. */
#include <string.h>

#include "api/documents.h"
#include "api/event_steps.h"
#include "api/handlers.h"
#include "engine/tournament/result.h"

static json_t *entry_document(const struct event_entry *entry)
{
    json_t *number = entry->number == 0 ? json_null() : json_integer(entry->number);
    json_t *dropped = entry->dropped ? json_integer(entry->dropped_after) : json_null();
    return json_pack("{s:o, s:o, s:s, s:o, s:o}", "player",
                     player_reference(&entry->player, entry->player_name), "number", number,
                     "state", entry->dropped ? "dropped" : "entered", "dropped_after_round",
                     dropped, "entered_at", time_json(entry->entered_at_ms));
}

void entries_create(struct call *call)
{
    static const char *const no_keys[] = {NULL};
    struct event event;
    if (!call_check_keys(call, no_keys) || !event_open(call, &call->id[0], true, &event) ||
        !event_is_in(call, &event, EVENT_ENTRIES_OPEN))
        return;
    if (event.entries >= TOURNAMENT_ENTRIES_MAX) {
        call_problem(call, "wrong-state", "The event is full: it has 4096 entries.");
        return;
    }
    if (!call_db(call, entry_create(call->db, &event.id, &call->player.id, call->now_ms),
                 "already-entered", "You have entered this event already.") ||
        !event_step(call, &event.id, "entered", json_pack("{s:s}", "player", call->player.id.text)))
        return;
    struct event_entry entry = {
        .player = call->player.id, .player_name = call->player.name, .entered_at_ms = call->now_ms};
    call_answer(call, 201, entry_document(&entry));
}

void entries_list(struct call *call)
{
    struct event event;
    struct event_entry *entries;
    size_t count;
    if (!event_open(call, &call->id[0], false, &event) ||
        !call_found(call, entry_list(call->db, call->arena, &event.id, &entries, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, entry_document(&entries[i]));
    call_answer_tagged(call, page_document(items, NULL));
}

void entries_delete(struct call *call)
{
    struct event event;
    if (!event_open(call, &call->id[0], true, &event))
        return;
    if (event.state == EVENT_CLOSED) {
        call_problem(call, "wrong-state", "The event is closed.");
        return;
    }
    bool open = event.state == EVENT_ENTRIES_OPEN;
    enum db_status status =
        open ? entry_delete(call->db, &event.id, &call->id[1])
             : entry_drop(call->db, &event.id, &call->id[1], event.rounds_started);
    if (status == DB_NONE) {
        call_problem(call, "not-entered", "This player is not entered, or was dropped before.");
        return;
    }
    if (!call_found(call, status) || !event_step(call, &event.id, open ? "withdrawn" : "dropped",
                                                 json_pack("{s:s}", "player", call->id[1].text)))
        return;
    call->response->status = 204;
}
