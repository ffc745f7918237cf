/* Reading a field of an object by its kind. */
#include <string.h>

#include "engine/base/json.h"
#include "engine/tournament/event/settings_parts.h"

enum { FAULT_NAME_MOST = 40 /* bytes, so that it fits after its stage's prefix */ };

bool settings_fail_as(const struct settings_reading *reading, enum settings_fault_kind kind,
                      const char *field, const char *message)
{
    struct span name = span_of(field);
    struct text text = TEXT_OVER(reading->fault->field);
    reading->fault->kind = kind;
    text_add(&text, reading->prefix);
    text_add_span(&text, name.length <= FAULT_NAME_MOST ? name : span_of("(a long name)"));
    text = TEXT_OVER(reading->fault->message);
    text_add(&text, message);
    return false;
}

bool settings_fail(const struct settings_reading *reading, const char *field, const char *message)
{
    return settings_fail_as(reading, SETTINGS_FAULT_VALUE, field, message);
}

bool settings_fail_needed(const struct settings_reading *reading, const char *field)
{
    return settings_fail_as(reading, SETTINGS_FAULT_MISSING, field, "is needed.");
}

bool settings_fail_range(const struct settings_reading *reading, const char *field, int least,
                         int most)
{
    char message[80];
    struct text text = TEXT_OVER(message);
    json_say_whole(&text, least, most);
    return settings_fail(reading, field, message);
}

/* Fields that were added later: in older logs they have the former meaning. */
static bool is_later(const char *field)
{
    return strcmp(field, "answer_minutes") == 0 || strcmp(field, "free_rounds") == 0 ||
           strcmp(field, "pairing_version") == 0;
}

json_t *settings_look_up(const struct settings_reading *reading, const char *field, bool needed,
                         bool *good)
{
    json_t *value = json_object_get(reading->object, field);
    *good = value != NULL || ((reading->newest || is_later(field)) && !needed) ||
            settings_fail_needed(reading, field);
    return value;
}

bool settings_read_whole(const struct settings_reading *reading, const char *field, int least,
                         int most, int initial, int *number)
{
    bool good;
    json_t *value = settings_look_up(reading, field, initial == SETTINGS_NEEDED, &good);
    *number = initial;
    if (value == NULL)
        return good;
    int64_t whole;
    if (!json_read_whole(value, least, most, &whole))
        return settings_fail_range(reading, field, least, most);
    *number = (int)whole;
    return true;
}

bool settings_read_yes_no(const struct settings_reading *reading, const char *field, bool *yes)
{
    bool good;
    json_t *value = settings_look_up(reading, field, false, &good);
    *yes = json_is_true(value);
    if (value == NULL || json_is_boolean(value))
        return good;
    return settings_fail(reading, field, "must be true or false.");
}

bool settings_read_word(const struct settings_reading *reading, const char *field,
                        const char *const *words, int count, int initial, int *index)
{
    bool good;
    json_t *value = settings_look_up(reading, field, initial == SETTINGS_NEEDED, &good);
    *index = initial;
    if (value == NULL)
        return good;
    size_t found;
    if (json_read_word(value, words, (size_t)count, &found)) {
        *index = (int)found;
        return true;
    }
    char message[200];
    struct text text = TEXT_OVER(message);
    json_say_words(&text, words, (size_t)count);
    return settings_fail(reading, field, message);
}

static void set_number(void *settings, const struct settings_field *field, int value)
{
    char *at = (char *)settings + field->offset;
    uint32_t four = (uint32_t)value;
    uint16_t two = (uint16_t)value;
    switch (field->size) {
    case sizeof four:
        memcpy(at, &four, sizeof four);
        break;
    case sizeof two:
        memcpy(at, &two, sizeof two);
        break;
    default:
        *(uint8_t *)at = (uint8_t)value;
    }
}

bool settings_read_number(const struct settings_reading *reading,
                          const struct settings_field *field, int initial, void *settings)
{
    int number = 0;
    bool yes = false, good;
    if (field->kind == FIELD_YES_NO) {
        good = settings_read_yes_no(reading, field->name, &yes);
        number = yes;
    } else if (field->kind == FIELD_WORD) {
        good = settings_read_word(reading, field->name, field->words, field->most + 1, initial,
                                  &number);
    } else {
        good =
            settings_read_whole(reading, field->name, field->least, field->most, initial, &number);
    }
    if (good)
        set_number(settings, field, number);
    return good;
}

bool settings_read_string(const struct settings_reading *reading, const char *field, bool needed,
                          const char **string)
{
    bool good;
    json_t *value = settings_look_up(reading, field, needed, &good);
    *string = json_string_value(value);
    if (value == NULL || json_is_string(value))
        return good;
    return settings_fail(reading, field, "must be a text.");
}
