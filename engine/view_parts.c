#include "engine/view_parts.h"

bool view_is_open_to(struct viewer viewer, unsigned seat)
{
    return viewer.kind == VIEWER_AUDITOR || (viewer.kind == VIEWER_SEAT && viewer.seat == seat);
}

void view_set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

json_t *view_name(struct span name)
{
    return json_stringn(name.at, name.length);
}

json_t *view_seat_list(uint32_t seats)
{
    json_t *list = json_array();
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++)
        if ((seats >> seat & 1) != 0)
            json_array_append_new(list, json_integer(seat));
    return list;
}

void view_set_turn(json_t *view, uint32_t deciders, const char *decision, unsigned active)
{
    bool over = decision == NULL;
    view_set(view, "over", json_boolean(over));
    view_set(view, "deciders", view_seat_list(deciders));
    view_set(view, "decision", over ? json_null() : json_string(decision));
    view_set(view, "active", over ? json_null() : json_integer(active));
}

static json_t *result_of(const struct outcome *outcome, unsigned seat, bool tie_break)
{
    json_t *object = json_object();
    view_set(object, "seat", json_integer(seat));
    view_set(object, "score", json_integer(outcome->score[seat]));
    if (tie_break)
        view_set(object, "tie_break", json_integer(outcome->tie_break[seat][0]));
    view_set(object, "rank", json_integer(outcome->rank[seat]));
    return object;
}

json_t *view_outcome(const void *state, bool over, bool tie_break,
                     void (*count)(const void *state, struct outcome *outcome))
{
    if (!over)
        return json_null();
    struct outcome outcome;
    count(state, &outcome);
    json_t *list = json_array();
    for (unsigned seat = 0; seat < outcome.seats; seat++)
        json_array_append_new(list, result_of(&outcome, seat, tie_break));
    return list;
}
