#include "api/event_steps.h"

#include <stdlib.h>

#include "db/rounds.h"

bool event_step(struct call *call, const struct id *event, const char *kind, json_t *detail)
{
    char *text = json_dumps(detail, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(detail);
    enum db_status status =
        text == NULL ? DB_ERROR
                     : event_log_add(call->db, event, &call->player.id, call->now_ms, kind, text);
    free(text);
    call->event_changed = *event;
    return call_found(call, status);
}

bool event_open(struct call *call, const struct id *id, bool change, struct event *event)
{
    return call_found(call, event_find(call->db, call->arena, id, change, event));
}

bool event_is_in(struct call *call, const struct event *event, enum event_state state)
{
    if (event->state == state)
        return true;
    char detail[160];
    struct text text = TEXT_OVER(detail);
    text_add(&text, "The event is in state ");
    text_add(&text, event_state_name(event->state));
    text_add(&text, "; this needs ");
    text_add(&text, event_state_name(state));
    text_add_char(&text, '.');
    return call_problem(call, "wrong-state", detail);
}

bool event_read_secret(struct call *call, const struct id *id,
                       uint8_t secret[static KEYS_SECRET_BYTES])
{
    const uint8_t *sealed;
    size_t size;
    if (!call_found(call, event_secret(call->db, call->arena, id, &sealed, &size)))
        return false;
    return keys_open(&call->service->keys, sealed, size, secret, KEYS_SECRET_BYTES) ||
           call_problem(call, "internal-error", "The event's secret was sealed with another key.");
}

bool event_round_is_running(struct call *call, const struct event *event, bool *running)
{
    struct round *rounds;
    size_t count;
    if (!call_found(call, round_list(call->db, call->arena, &event->id, &rounds, &count)))
        return false;
    *running = count > 0 && rounds[count - 1].tables_finished < rounds[count - 1].tables;
    return true;
}
