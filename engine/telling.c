#include "engine/telling.h"

#include <assert.h>

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
