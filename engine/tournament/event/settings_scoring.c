/* The scoring of a stage: the code of a scheme, or an object for an organizer's own.
 *
 *      {"scheme": "3-1-0", "places": {"2": [3, 0], "4": [10, 7, 5, 3]}, "draw": 1,
 *       "pairing_bye": 1, "full_bye": 3, "half_bye": "3/2", "zero_bye": 0, "neutral": 1}
 *
 * `scheme` is required; other missing members are taken from it. Points are whole numbers, or
 * fractions as texts that are a whole number of 60ths; a `draw` of null is the mean of both places.
 * A written scheme has every member; one equal to its `scheme` is written as the code alone.
 */
#include <string.h>

#include "engine/tournament/event/settings_parts.h"

enum { MEMBERS = 6 };

struct member {
    const char *name;
    uint16_t offset;
};

/* In byte order of the names; `places` and `scheme` come before the last. */
static const struct member members[MEMBERS] = {
    {"draw", offsetof(struct scoring, draw)},
    {"full_bye", offsetof(struct scoring, unplayed[ROUND_FULL_BYE])},
    {"half_bye", offsetof(struct scoring, unplayed[ROUND_HALF_BYE])},
    {"neutral", offsetof(struct scoring, neutral)},
    {"pairing_bye", offsetof(struct scoring, unplayed[ROUND_PAIRING_BYE])},
    {"zero_bye", offsetof(struct scoring, unplayed[ROUND_ZERO_BYE])},
};

static int32_t *member_of(struct scoring *scoring, const struct member *member)
{
    return (int32_t *)(void *)((char *)scoring + member->offset);
}

/* ---- Reading ---- */

static bool fail_code(const struct settings_reading *reading, const char *field)
{
    char message[160];
    struct text text = TEXT_OVER(message);
    text_add(&text, "must be an object of its own, or one of:");
    for (size_t i = 0; i < scoring_scheme_count; i++) {
        text_add_char(&text, ' ');
        text_add(&text, scoring_schemes[i].code);
    }
    return settings_fail(reading, field, message);
}

/* `3/2`: digits, a slash, digits. */
static bool read_fraction(struct span written, uint64_t *numerator, uint64_t *denominator)
{
    const char *stroke = memchr(written.at, '/', written.length);
    if (stroke == NULL)
        return false;
    size_t before = (size_t)(stroke - written.at), after = written.length - before - 1;
    return span_number((struct span){written.at, before}, SCORING_POINTS_MAX, numerator) &&
           span_number((struct span){stroke + 1, after}, POINTS_PER_POINT, denominator) &&
           *denominator > 0;
}

/* A value in points as 60ths. */
static bool take_points(json_t *value, int32_t *points)
{
    uint64_t numerator = 0, denominator = 1;
    if (json_is_string(value)) {
        if (!read_fraction(span_of(json_string_value(value)), &numerator, &denominator))
            return false;
    } else if (json_is_integer(value) && json_integer_value(value) >= 0 &&
               json_integer_value(value) <= SCORING_POINTS_MAX / POINTS_PER_POINT) {
        numerator = (uint64_t)json_integer_value(value);
    } else {
        return false;
    }
    uint64_t sixtieths = numerator * POINTS_PER_POINT;
    *points = (int32_t)(sixtieths / denominator);
    return sixtieths % denominator == 0 && *points <= SCORING_POINTS_MAX;
}

static bool take_places(json_t *list, unsigned seats, int32_t *places)
{
    if (json_array_size(list) != seats)
        return false;
    for (unsigned i = 0; i < seats; i++)
        if (!take_points(json_array_get(list, i), &places[i]))
            return false;
    return places[0] > places[seats - 1];
}

static bool read_places(const struct settings_reading *reading, const char *field, json_t *object,
                        struct scoring *scoring)
{
    const char *seats;
    json_t *list;
    json_object_foreach(object, seats, list)
    {
        bool known = seats[0] >= '2' && seats[0] <= '0' + TOURNAMENT_SEATS_MAX && seats[1] == 0;
        unsigned count = known ? (unsigned)(seats[0] - '0') : 0;
        if (!known || !take_places(list, count, scoring->place[count]))
            return settings_fail(
                reading, field,
                "must have places as {\"2\": [3, 0], ..}: for each table size, as many points as "
                "seats, each from 0 to 273 (\"3/2\" if not whole), the first more than the last.");
    }
    return json_is_object(object) ||
           settings_fail(reading, field, "must have places as an object: {\"2\": [3, 0], ..}.");
}

static bool read_member(const struct settings_reading *reading, const char *field,
                        const struct member *member, json_t *value, struct scoring *scoring)
{
    bool draw = member == &members[0], shared = draw && json_is_null(value);
    if (draw)
        scoring->pairing_apart = !shared;
    if (shared)
        scoring->draw = 0;
    return shared || take_points(value, member_of(scoring, member)) ||
           settings_fail(reading, field,
                         "takes points from 0 to 273 each: whole, or as \"3/2\" in parts of 60.");
}

static const struct member *find_member(const char *name)
{
    for (size_t i = 0; i < MEMBERS; i++)
        if (strcmp(members[i].name, name) == 0)
            return &members[i];
    return NULL;
}

static bool read_members(const struct settings_reading *reading, const char *field, json_t *object,
                         struct scoring *scoring)
{
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        const struct member *member = find_member(name);
        bool places = strcmp(name, "places") == 0;
        if (strcmp(name, "scheme") == 0)
            continue;
        if (member == NULL && !places)
            return settings_fail(reading, field,
                                 "takes only scheme, places, draw, pairing_bye, full_bye, "
                                 "half_bye, zero_bye and neutral.");
        if (places ? !read_places(reading, field, value, scoring)
                   : !read_member(reading, field, member, value, scoring))
            return false;
    }
    return true;
}

/* True if it has every member, as in a log. */
static bool is_whole(json_t *object)
{
    return json_object_size(object) == MEMBERS + 2 &&
           json_object_size(json_object_get(object, "places")) == TOURNAMENT_SEATS_MAX - 1;
}

static bool read_own(const struct settings_reading *reading, const char *field, json_t *object,
                     struct stage_settings *stage)
{
    json_t *code = json_object_get(object, "scheme");
    const struct scoring_scheme *scheme =
        json_is_string(code) ? scoring_find(span_of(json_string_value(code))) : NULL;
    if (scheme == NULL)
        return settings_fail(reading, field,
                             "needs the code of a `scheme` to start from, such as 5-3-2-1.");
    stage->scheme = scheme;
    stage->scoring = scheme->scoring;
    if (!reading->newest && !is_whole(object))
        return settings_fail(reading, field, "must have every member.");
    return read_members(reading, field, object, &stage->scoring) &&
           (scoring_valid(&stage->scoring) ||
            settings_fail(reading, field,
                          "has a place worth more than a better one, a draw worth more than a win "
                          "or less than a loss, or places whose shares do not come out in 60ths."));
}

bool settings_read_scoring(const struct settings_reading *reading, const char *field, json_t *value,
                           struct stage_settings *stage)
{
    if (json_is_object(value))
        return read_own(reading, field, value, stage);
    stage->scheme = json_is_string(value) ? scoring_find(span_of(json_string_value(value))) : NULL;
    if (stage->scheme == NULL)
        return fail_code(reading, field);
    stage->scoring = stage->scheme->scoring;
    return true;
}

/* ---- Writing ---- */

static json_t *write_points(int32_t points)
{
    char bytes[16];
    struct text text = TEXT_OVER(bytes);
    int32_t divisor = POINTS_PER_POINT;
    if (points % POINTS_PER_POINT == 0)
        return json_integer(points / POINTS_PER_POINT);
    while (points % divisor != 0 || POINTS_PER_POINT % divisor != 0)
        divisor--;
    text_add_number(&text, points / divisor);
    text_add_char(&text, '/');
    text_add_number(&text, POINTS_PER_POINT / divisor);
    return json_string(bytes);
}

static json_t *write_places(const struct scoring *scoring)
{
    json_t *places = json_object();
    for (unsigned seats = 2; seats <= TOURNAMENT_SEATS_MAX; seats++) {
        const char key[] = {(char)('0' + seats), '\0'};
        json_t *list = json_array();
        for (unsigned i = 0; i < seats; i++)
            json_array_append_new(list, write_points(scoring->place[seats][i]));
        json_object_set_new(places, key, list);
    }
    return places;
}

/* If free rounds are worth nothing, the scheme's value of a pairing bye does not apply. */
static bool is_overruled(const struct stage_settings *stage, const struct member *member)
{
    return stage->free_rounds == FREE_ROUNDS_NOTHING &&
           member->offset == offsetof(struct scoring, unplayed[ROUND_PAIRING_BYE]);
}

static bool is_usual(const struct stage_settings *stage)
{
    const struct scoring *own = &stage->scoring, *usual = &stage->scheme->scoring;
    if (memcmp(own->place, usual->place, sizeof own->place) != 0 ||
        own->pairing_apart != usual->pairing_apart)
        return false;
    for (size_t i = 0; i < MEMBERS; i++)
        if (!is_overruled(stage, &members[i]) &&
            memcmp((const char *)own + members[i].offset, (const char *)usual + members[i].offset,
                   sizeof own->draw) != 0)
            return false;
    return true;
}

static void write_member(json_t *object, struct scoring *scoring, const struct member *member)
{
    bool shared = member == &members[0] && !scoring->pairing_apart;
    json_object_set_new(object, member->name,
                        shared ? json_null() : write_points(*member_of(scoring, member)));
}

/* In byte order of the names, like all settings. */
json_t *settings_write_scoring(const struct stage_settings *stage)
{
    if (is_usual(stage))
        return json_string(stage->scheme->code);
    struct scoring scoring = stage->scoring;
    json_t *object = json_object();
    for (size_t i = 0; i < MEMBERS - 1; i++)
        write_member(object, &scoring, &members[i]);
    json_object_set_new(object, "places", write_places(&scoring));
    json_object_set_new(object, "scheme", json_string(stage->scheme->code));
    write_member(object, &scoring, &members[MEMBERS - 1]);
    return object;
}
