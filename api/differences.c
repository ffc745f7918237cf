#include "api/differences.h"

#include <string.h>

#include "api/documents.h"
#include "api/duplicate.h"
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

/* ---- Duplicate events ---- */

static const struct duplicate_standing *standing_of(const struct duplicate_event *duplicate,
                                                    uint16_t entry)
{
    for (size_t i = 0; i < duplicate->placing.standings.count; i++)
        if (duplicate->placing.standings.rows[i].entry == entry)
            return &duplicate->placing.standings.rows[i];
    return NULL;
}

static json_t *standing_points(const struct duplicate_standing *standing)
{
    return rational_document(standing->value[0].numerator, standing->value[0].denominator);
}

static bool is_same(const struct duplicate_standing *was, const struct duplicate_standing *is)
{
    return was != NULL && was->rank == is->rank &&
           was->value[0].numerator == is->value[0].numerator &&
           was->value[0].denominator == is->value[0].denominator;
}

static void compare_duplicates(const struct duplicate_event *was, const struct duplicate_event *is,
                               json_t *list)
{
    for (size_t i = 0; i < is->placing.standings.count; i++) {
        const struct duplicate_standing *row = &is->placing.standings.rows[i];
        const struct duplicate_standing *before = standing_of(was, row->entry);
        if (is_same(before, row))
            continue;
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o, s:o, s:o}", "player",
                            event_numbered_person(&is->people, duplicate_entry(is, row->entry)),
                            "place_was", place_json(before == NULL ? 0 : before->rank), "place_is",
                            place_json(row->rank), "points_was",
                            before == NULL ? rational_document(0, 1) : standing_points(before),
                            "points_is", standing_points(row)));
    }
}

static bool list_duplicate(struct call *call, const struct loaded_event *was,
                           const struct loaded_event *is, json_t *list)
{
    struct duplicate_event before, after;
    if (was->tournament->rounds_started == 0)
        return true;
    if (!duplicate_load(call, was, was->tournament->rounds_started, &before))
        return false;
    bool good = duplicate_load(call, is, is->tournament->rounds_started, &after);
    if (good) {
        compare_duplicates(&before, &after, list);
        duplicate_free(&after);
    }
    duplicate_free(&before);
    return good;
}

/* ---- All others ---- */

static bool list_placing(struct call *call, const struct loaded_event *was,
                         const struct loaded_event *is, json_t *list)
{
    struct placing before;
    struct placing after;
    bool none;
    if (!make(call, was, &before, &none))
        return none;
    bool good = make(call, is, &after, &none);
    if (good) {
        good = compare(call, is, &before, &after, list);
        placing_free(&after);
    }
    placing_free(&before);
    return good || none;
}

bool event_differences(struct call *call, const struct loaded_event *was,
                       const struct loaded_event *is, json_t **list)
{
    *list = json_array();
    if ((duplicate_is(&was->event) ? list_duplicate : list_placing)(call, was, is, *list))
        return true;
    json_decref(*list);
    return false;
}
