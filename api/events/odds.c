/* Chances of winning, computed from the event's log outside of any transaction, and cached by their
 * seed. */
#include <string.h>

#include "api/event/event_load.h"
#include "api/events/handlers.h"
#include "api/request/documents.h"
#include "api/request/service.h"
#include "api/work/odds_cache.h"
#include "engine/tournament/odds/odds_view.h"

/* The input and output of a computation. */
struct odds_work {
    const struct tournament *tournament; /* owned by the call's arena */
    bool made;
    struct odds odds;
    struct refusal refusal;
};

static void free_odds(void *object)
{
    odds_free(object);
}

static void run(struct call *call, void *context)
{
    struct odds_work *work = context;
    work->made = odds_make(work->tournament, ODDS_SAMPLES, NULL, &work->odds, &work->refusal);
    if (!work->made)
        return;
    arena_own(call->arena, &work->odds, free_odds);
    odds_cache_keep(call->service->odds_cache, &work->odds);
}

static void answer(struct call *call, const struct loaded_event *loaded, const struct odds *odds)
{
    struct event_people people;
    if (!event_people_load(call, loaded, &people))
        return;
    json_t *document = odds_view(odds);
    for (size_t i = 0; i < odds->count; i++)
        json_object_set_new(json_array_get(json_object_get(document, "rows"), i), "player",
                            event_person(&people, odds->entries[i].entry));
    json_object_set_new(document, "event", json_string(loaded->event.id.text));
    call_answer_tagged(call, document);
}

void odds_get(struct call *call)
{
    struct loaded_event loaded;
    struct odds_work *work = arena_take(call->arena, sizeof *work);
    struct refusal refusal;
    uint8_t key[32];
    void *done = work;
    if (!event_takes_as_of_only(call) || !event_load_as_of(call, &loaded))
        return;
    if (!odds_possible(loaded.tournament, &refusal)) {
        event_refuse(call, &refusal);
        return;
    }
    *work = (struct odds_work){.tournament = loaded.tournament};
    odds_seed(loaded.tournament, key);
    if (odds_cache_find(call->service->odds_cache, key, &work->odds)) {
        arena_own(call->arena, &work->odds, free_odds);
        answer(call, &loaded, &work->odds);
        return;
    }
    if (!call_compute(call, key, run, &done))
        return;
    work = done;
    if (work->made)
        answer(call, &loaded, &work->odds);
    else
        event_refuse(call, &work->refusal);
}
