#include "engine/game/view_parts.h"

#include <assert.h>

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

json_t *view_outcome(const struct game *game, const void *state, bool over, bool tie_break)
{
    if (!over)
        return json_null();
    struct outcome outcome;
    game->outcome(game, state, &outcome);
    json_t *list = json_array();
    for (unsigned seat = 0; seat < outcome.seats; seat++)
        json_array_append_new(list, result_of(&outcome, seat, tie_break));
    return list;
}

void telling_init(struct telling *telling, const void *after, const struct ply *ply,
                  struct viewer viewer)
{
    *telling =
        (struct telling){.state = after, .viewer = viewer, .seat = ply->seat, .list = json_array()};
}

void telling_begin(struct telling *telling, const char *kind)
{
    telling->event = json_object();
    telling->text = TEXT_OVER(telling->bytes);
    telling_set(telling, "kind", json_string(kind));
}

void telling_begin_with_seat(struct telling *telling, const char *kind, unsigned seat)
{
    telling_begin(telling, kind);
    telling_seat(telling, seat);
}

void telling_finish(struct telling *telling)
{
    telling_say(telling, ".");
    assert(!telling->text.overflow);
    telling_set(telling, "text", json_string(telling->bytes));
    json_array_append_new(telling->list, telling->event);
    telling->event = NULL;
}

void telling_plain(struct telling *telling, const char *kind, const char *sentence)
{
    telling_begin(telling, kind);
    telling_say(telling, sentence);
    telling_finish(telling);
}

void telling_set(struct telling *telling, const char *key, json_t *value)
{
    json_object_set_new(telling->event, key, value);
}

void telling_set_name(struct telling *telling, const char *key, struct span name)
{
    telling_set(telling, key, json_stringn(name.at, name.length));
}

void telling_set_number(struct telling *telling, const char *key, int64_t number)
{
    telling_set(telling, key, json_integer(number));
}

void telling_say(struct telling *telling, const char *words)
{
    text_add(&telling->text, words);
}

void telling_say_span(struct telling *telling, struct span words)
{
    text_add_span(&telling->text, words);
}

void telling_say_number(struct telling *telling, int64_t number)
{
    text_add_number(&telling->text, number);
}

void telling_say_seat(struct telling *telling, unsigned seat)
{
    telling_say(telling, "{seat ");
    telling_say_number(telling, seat);
    telling_say(telling, "}");
}

void telling_say_count(struct telling *telling, unsigned count, const char *one, const char *many)
{
    telling_say_number(telling, count);
    telling_say(telling, " ");
    telling_say(telling, count == 1 ? one : many);
}

void telling_seat(struct telling *telling, unsigned seat)
{
    telling_set_number(telling, "seat", seat);
    telling_say_seat(telling, seat);
}
