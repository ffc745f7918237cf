#include "api/queues.h"

#include <stdlib.h>

#include "api/documents.h"
#include "api/event_people.h"
#include "api/event_refuse.h"
#include "api/handlers.h"
#include "api/open_tables.h"
#include "engine/tournament/open_play.h"

/* ---- Calling tables ---- */

static bool is_open_play(const struct tournament *tournament)
{
    return tournament->settings.stage[0].format == FORMAT_OPEN_PLAY;
}

static bool is_at(const struct tournament_table *table, uint16_t entry)
{
    for (unsigned seat = 0; seat < table->seats; seat++)
        if (table->entry[seat] == entry)
            return true;
    return false;
}

/* Whom somebody met at the last tables, the newest first. */
static void find_recent(const struct tournament *tournament, struct open_play_waiting *waiting)
{
    for (size_t i = tournament->table_count; i-- > 0;) {
        const struct tournament_table *table = &tournament->tables[i];
        if (!is_at(table, waiting->entry))
            continue;
        for (unsigned seat = 0; seat < table->seats; seat++) {
            if (waiting->recent_count == OPEN_PLAY_RECENT_MAX)
                return;
            if (table->entry[seat] != waiting->entry)
                waiting->recent[waiting->recent_count++] = table->entry[seat];
        }
    }
}

/* Times are counted from the first who came, so that none is negative. */
static void list_waiting(const struct tournament *tournament, int64_t from_ms,
                         struct open_play_waiting *waiting)
{
    for (size_t i = 0; i < tournament->queue_count; i++) {
        waiting[i] = (struct open_play_waiting){
            .entry = tournament->queue[i].entry,
            .since = (uint64_t)(tournament->queue[i].since_ms - from_ms)};
        find_recent(tournament, &waiting[i]);
    }
}

static int64_t first_since(const struct tournament *tournament)
{
    int64_t first = tournament->last_ms;
    for (size_t i = 0; i < tournament->queue_count; i++)
        if (tournament->queue[i].since_ms < first)
            first = tournament->queue[i].since_ms;
    return first;
}

/* The call has the number of the first table that it starts: one that starts none can be made
 * again. "Now" is the time of the table's line that follows, so that the log alone says who was
 * called. */
static bool choose_tables(struct call *call, const struct loaded_event *loaded,
                          struct open_play_table *tables, size_t *count)
{
    enum { MINUTE_MS = 60 * 1000 };
    const struct tournament *tournament = loaded->tournament;
    const struct stage_settings *stage = &tournament->settings.stage[0];
    struct open_play_waiting *waiting =
        arena_array(call->arena, tournament->queue_count, sizeof *waiting);
    int64_t from_ms = first_since(tournament);
    int64_t now_ms = call->now_ms > tournament->last_ms ? call->now_ms : tournament->last_ms;
    struct refusal refusal;
    list_waiting(tournament, from_ms, waiting);
    const struct open_play_call open = {.waiting = waiting,
                                        .count = tournament->queue_count,
                                        .rule = stage->table,
                                        .now = (uint64_t)(now_ms - from_ms),
                                        .patience = (uint64_t)stage->patience_minutes * MINUTE_MS,
                                        .number = (uint32_t)tournament->open_tables + 1,
                                        .chance = &loaded->chance};
    return open_play_tables(&open, tables, count, &refusal) || event_refuse(call, &refusal);
}

bool queue_call_tables(struct call *call, struct loaded_event *loaded)
{
    const struct tournament *tournament = loaded->tournament;
    struct event_people people;
    size_t count;
    if (!is_open_play(tournament) || tournament->queue_count < 2 ||
        tournament->phase == PHASE_CLOSED)
        return true;
    struct open_play_table *tables =
        arena_array(call->arena, tournament->queue_count, sizeof *tables);
    if (!choose_tables(call, loaded, tables, &count) ||
        (count > 0 && !event_people_load(call, loaded, &people)))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!open_table_start(call, loaded, &people, tables[i].entry, tables[i].seats))
            return false;
    return true;
}

/* ---- The queue ---- */

static json_t *waiting_document(const struct event_people *people,
                                const struct tournament_wait *wait)
{
    json_t *document = event_numbered_person(people, wait->entry);
    return json_pack("{s:o, s:o}", "player", document, "since", time_json(wait->since_ms));
}

static bool queue_document(struct call *call, const struct loaded_event *loaded, json_t **document)
{
    const struct tournament *tournament = loaded->tournament;
    struct event_people people;
    if (!event_people_load(call, loaded, &people))
        return false;
    json_t *waiting = json_array();
    for (size_t i = 0; i < tournament->queue_count; i++)
        json_array_append_new(waiting, waiting_document(&people, &tournament->queue[i]));
    *document = json_pack("{s:s, s:i, s:o, s:o}", "event", loaded->event.id.text, "line",
                          (int)tournament->lines, "waiting", waiting, "tables",
                          open_tables_document(&people));
    return true;
}

void queues_get(struct call *call)
{
    struct loaded_event loaded;
    json_t *document;
    if (event_load_as_of(call, &loaded) && queue_document(call, &loaded, &document))
        call_answer_tagged(call, document);
}

static void take_step(struct call *call, const char *kind, bool calls)
{
    static const char *const no_keys[] = {NULL};
    struct loaded_event loaded;
    json_t *document;
    if (!call_check_keys(call, no_keys) || !event_load(call, &call->id[0], true, &loaded) ||
        !event_take(call, &loaded, kind, json_pack("{s:s}", "player", call->player.id.text)) ||
        (calls && !queue_call_tables(call, &loaded)) || !queue_document(call, &loaded, &document))
        return;
    call_answer(call, 200, document);
}

void queues_join(struct call *call)
{
    take_step(call, "queued", true);
}

void queues_leave(struct call *call)
{
    take_step(call, "unqueued", false);
}
