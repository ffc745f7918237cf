/* Settings as texts, for the tests of settings: what is read is written and read again, and what is
 * wrong is said of its field. */
#ifndef TILLROLL_TESTS_ENGINE_TOURNAMENT_EVENT_SETTINGS_TEXT_H
#define TILLROLL_TESTS_ENGINE_TOURNAMENT_EVENT_SETTINGS_TEXT_H

#include <stdlib.h>
#include <string.h>

#include "engine/tournament/event/settings.h"
#include "tests/test.h"

/* Events and stages with these members. */
#define EVENT(rest)  "{\"name\":\"Cup\",\"ruleset\":\"shinjuku\"," rest "}"
#define STAGES(rest) EVENT("\"stages\":[" rest "]")
#define SWISS        "{\"rounds\":5}"
#define SINGLE(rest) "{\"format\":\"single_elimination\"" rest "}"
#define TOP(n)       SINGLE(",\"entrants\":" #n)
#define CUP(members) "{\"name\":\"Cup\",\"ruleset\":\"shinjuku\",\"rounds\":3" members "}"

/* All that an event says of itself. */
#define EXAMPLE                                                                                    \
    ",\"banner\":\"violet\",\"contact\":\"Ada\",\"description\":\"One.\\n\\nTwo \u00fc.\","        \
    "\"fee\":\"5 EUR\",\"place\":\"Town hall\",\"prizes\":\"1st: a cup\\n2nd: none\","             \
    "\"starts_at\":\"2026-12-01T18:00:00.000Z\""

#define KEY_A             "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
#define KEY_B             "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
#define DEALERS(list)     EVENT("\"format\":\"pod_swiss\",\"rounds\":1,\"dealers\":" list)
#define DEALER(name, key) "{\"name\":\"" name "\",\"key\":\"" key "\"}"

static inline json_t *parse(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    if (value == NULL)
        fail_msg("not JSON: %s", text);
    return value;
}

static inline char *bytes_of(json_t *document)
{
    char *text = json_dumps(document, JSON_COMPACT | JSON_ENCODE_ANY);
    assert_non_null(text);
    return text;
}

/* Settings as read, written, and read and written once more, must be the same bytes. */
static inline json_t *read_and_write(json_t *document)
{
    struct tournament_settings settings, again;
    struct settings_fault fault = {0};
    if (!settings_read(document, true, &settings, &fault))
        fail_msg("%s %s", fault.field, fault.message);
    json_t *written = settings_write(&settings);
    if (!settings_read(written, false, &again, &fault))
        fail_msg("written: %s %s", fault.field, fault.message);
    json_t *twice = settings_write(&again);
    char *first = bytes_of(written), *second = bytes_of(twice);
    assert_string_equal(first, second);
    free(first);
    free(second);
    json_decref(twice);
    return written;
}

static inline void assert_fault(json_t *document, bool newest, enum settings_fault_kind kind,
                                const char *field)
{
    struct tournament_settings settings;
    struct settings_fault fault = {0};
    char *text = bytes_of(document);
    if (settings_read(document, newest, &settings, &fault))
        fail_msg("taken: %s", text);
    if (strcmp(fault.field, field) != 0 || fault.kind != kind)
        fail_msg("%s: %s %s", text, fault.field, fault.message);
    assert_true(strlen(fault.message) > 8);
    free(text);
}

static inline void assert_refused(const char *document, const char *field)
{
    json_t *object = parse(document);
    assert_fault(object, true, SETTINGS_FAULT_VALUE, field);
    json_decref(object);
}

static inline json_t *stage_of(json_t *written, size_t stage)
{
    return json_array_get(json_object_get(written, "stages"), stage);
}

static inline void assert_value(json_t *object, const char *field, const char *value)
{
    json_t *expected = parse(value);
    if (!json_equal(json_object_get(object, field), expected)) {
        char *text = bytes_of(object);
        fail_msg("%s is not %s in %s", field, value, text);
    }
    json_decref(expected);
}

#endif
