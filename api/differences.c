#include "api/differences.h"

#include <string.h>

#include "api/documents.h"
#include "api/event_people.h"
#include "api/event_refuse.h"
#include "engine/tournament/placing.h"

static json_t *place_json(unsigned place)
{
    return place == 0 ? json_null() : json_integer(place);
}

static json_t *difference_document(const struct event_people *people,
                                   const struct placing_difference *difference)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "player",
                     event_numbered_person(people, difference->entry), "place_was",
                     place_json(difference->place_was), "place_is",
                     place_json(difference->place_is), "points_was",
                     rational_document(difference->points_was, POINTS_PER_POINT), "points_is",
                     rational_document(difference->points_is, POINTS_PER_POINT));
}

/* `none`: there are no standings. */
static bool make(struct call *call, const struct loaded_event *loaded, struct placing *placing,
                 bool *none)
{
    struct refusal refusal;
    *none = false;
    if (placing_make(loaded->tournament, &loaded->chance, loaded->tournament->rounds_started,
                     placing, &refusal))
        return true;
    *none = strcmp(refusal.code, PLACING_REFUSAL_NOT_YET) == 0;
    return !*none && event_refuse(call, &refusal);
}

static bool compare(struct call *call, const struct loaded_event *is, const struct placing *before,
                    const struct placing *after, json_t *list)
{
    struct event_people people;
    struct placing_difference *differences =
        arena_array(call->arena, is->tournament->entrant_count, sizeof *differences);
    if (!event_people_load(call, is, &people))
        return false;
    size_t count = placing_compare(before, after, differences);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, difference_document(&people, &differences[i]));
    return true;
}

bool event_differences(struct call *call, const struct loaded_event *was,
                       const struct loaded_event *is, json_t **list)
{
    struct placing before;
    struct placing after;
    bool none;
    *list = json_array();
    if (!make(call, was, &before, &none)) {
        if (none)
            return true;
        json_decref(*list);
        return false;
    }
    bool good = make(call, is, &after, &none);
    if (good) {
        good = compare(call, is, &before, &after, *list);
        placing_free(&after);
    }
    placing_free(&before);
    if (good || none)
        return true;
    json_decref(*list);
    return false;
}
