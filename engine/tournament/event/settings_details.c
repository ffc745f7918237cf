/* What an event tells people about itself: place, time, fee and contact. */
#include <string.h>

#include "engine/base/calendar.h"
#include "engine/base/json.h"
#include "engine/tournament/event/settings.h"
#include "engine/tournament/event/settings_parts.h"

const struct settings_detail_field settings_details[SETTINGS_DETAILS] = {
    [DETAIL_BANNER] = {"banner", 16, false},
    [DETAIL_CONTACT] = {"contact", 200, false},
    [DETAIL_DESCRIPTION] = {"description", 4000, true},
    [DETAIL_FEE] = {"fee", 200, false},
    [DETAIL_PLACE] = {"place", 200, false},
    [DETAIL_PRIZES] = {"prizes", 1000, true},
    [DETAIL_STARTS_AT] = {"starts_at", 24, false},
};

enum { BANNERS = 6 };

const char *const settings_banners[BANNERS + 1] = {"amber", "blue",   "green", "grey",
                                                   "red",   "violet", NULL};

bool settings_is_detail(const char *name)
{
    for (size_t i = 0; i < SETTINGS_DETAILS; i++)
        if (strcmp(settings_details[i].name, name) == 0)
            return true;
    return false;
}

/* ---- Reading ---- */

/* One line has no control characters; several lines are separated by line feeds. */
static bool is_written_well(const struct settings_detail_field *field, const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' && !(field->lines && *c == '\n'))
            return false;
    return true;
}

static bool fail_text(const struct settings_reading *reading,
                      const struct settings_detail_field *field)
{
    char message[120];
    struct text text = TEXT_OVER(message);
    text_add(&text, "must be null or a text of 1 to ");
    text_add_number(&text, field->bytes);
    text_add(&text, field->lines ? " bytes, without control characters other than line feeds."
                                 : " bytes in one line.");
    return settings_fail(reading, field->name, message);
}

static bool check(const struct settings_reading *reading, enum settings_detail detail,
                  const json_t *value)
{
    const struct settings_detail_field *field = &settings_details[detail];
    const char *text = json_string_value(value);
    char message[120];
    struct text words = TEXT_OVER(message);
    size_t word;
    if (text == NULL || json_string_length(value) != strlen(text) || text[0] == '\0' ||
        strlen(text) > field->bytes || !is_written_well(field, text))
        return fail_text(reading, field);
    if (detail == DETAIL_STARTS_AT && !calendar_is_time(span_of(text)))
        return settings_fail(reading, field->name,
                             "must be a time in UTC, such as 2026-12-01T18:00:00.000Z.");
    if (detail != DETAIL_BANNER || json_read_word(value, settings_banners, BANNERS, &word))
        return true;
    json_say_words(&words, settings_banners, BANNERS);
    return settings_fail(reading, field->name, message);
}

bool settings_read_details(const struct settings_reading *reading,
                           struct tournament_settings *settings)
{
    for (int i = 0; i < SETTINGS_DETAILS; i++) {
        const json_t *value = json_object_get(reading->object, settings_details[i].name);
        settings->detail[i] = NULL;
        if (value == NULL || json_is_null(value))
            continue;
        if (!check(reading, (enum settings_detail)i, value))
            return false;
        settings->detail[i] = json_string_value(value);
    }
    return true;
}

void settings_write_details(const struct tournament_settings *settings, json_t *document)
{
    for (size_t i = 0; i < SETTINGS_DETAILS; i++)
        if (settings->detail[i] != NULL)
            json_object_set_new(document, settings_details[i].name,
                                json_string(settings->detail[i]));
}
