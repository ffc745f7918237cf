/* The co-dealers of an event. */
#include <string.h>

#include "engine/tournament/event/settings_parts.h"

static const char field[] = "dealers";

static bool read_dealer(json_t *value, struct settings_dealer *dealer)
{
    const char *name = json_string_value(json_object_get(value, "name"));
    const char *key = json_string_value(json_object_get(value, "key"));
    if (json_object_size(value) != 2 || name == NULL || key == NULL ||
        !record_is_dealer_name(span_of(name)) ||
        !span_hex(span_of(key), dealer->key, sizeof dealer->key))
        return false;
    memcpy(dealer->name, name, strlen(name) + 1);
    return ecvrf_key_is_valid(dealer->key);
}

/* Puts a dealer in its place by name. False if its name or key is there. */
static bool insert(struct tournament_settings *settings, const struct settings_dealer *dealer)
{
    unsigned at = 0;
    for (unsigned i = 0; i < settings->dealers; i++) {
        int order = strcmp(settings->dealer[i].name, dealer->name);
        if (order == 0 || memcmp(settings->dealer[i].key, dealer->key, sizeof dealer->key) == 0)
            return false;
        at += order < 0;
    }
    memmove(&settings->dealer[at + 1], &settings->dealer[at],
            (settings->dealers - at) * sizeof *dealer);
    settings->dealer[at] = *dealer;
    settings->dealers++;
    return true;
}

static bool read_seconds(const struct settings_reading *reading,
                         struct tournament_settings *settings)
{
    const json_t *value = json_object_get(reading->object, "dealers_seconds");
    json_int_t seconds = json_integer_value(value);
    settings->dealers_seconds = (uint32_t)seconds;
    return value == NULL ||
           (json_is_integer(value) && seconds >= 0 && seconds <= SETTINGS_DEALERS_SECONDS_MAX) ||
           settings_fail(reading, "dealers_seconds", "must be a number from 0 to 604800.");
}

bool settings_read_dealers(const struct settings_reading *reading,
                           struct tournament_settings *settings)
{
    json_t *list = json_object_get(reading->object, field);
    if (!read_seconds(reading, settings))
        return false;
    if (list == NULL)
        return true;
    if (!json_is_array(list) || json_array_size(list) > RECORD_DEALERS_MAX)
        return settings_fail(reading, field, "must be a list of at most 5 dealers.");
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct settings_dealer dealer;
        if (!read_dealer(json_array_get(list, i), &dealer))
            return settings_fail(reading, field,
                                 "must have dealers with a `name` (1 to 32 lower-case letters, "
                                 "digits, dots and hyphens) and their public `key` (64 lower-case "
                                 "hexadecimal digits), and nothing else.");
        if (!insert(settings, &dealer))
            return settings_fail(reading, field, "must not have a name or key twice.");
    }
    return true;
}

static json_t *write_dealer(const struct settings_dealer *dealer)
{
    char hex[2 * ECVRF_KEY + 1];
    struct text key = TEXT_OVER(hex);
    text_add_hex(&key, dealer->key, sizeof dealer->key);
    return json_pack("{s:s, s:s}", "key", hex, "name", dealer->name);
}

void settings_write_dealers(const struct tournament_settings *settings, json_t *document)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < settings->dealers; i++)
        json_array_append_new(list, write_dealer(&settings->dealer[i]));
    if (settings->dealers > 0)
        json_object_set(document, field, list);
    json_decref(list);
    if (settings->dealers_seconds > 0)
        json_object_set_new(document, "dealers_seconds", json_integer(settings->dealers_seconds));
}

static bool same_dealers(const struct tournament_settings *now,
                         const struct tournament_settings *then)
{
    if (now->dealers != then->dealers)
        return false;
    for (unsigned i = 0; i < now->dealers; i++)
        if (strcmp(now->dealer[i].name, then->dealer[i].name) != 0 ||
            memcmp(now->dealer[i].key, then->dealer[i].key, ECVRF_KEY) != 0)
            return false;
    return true;
}

/* `dealers_seconds` may not become 0 again: a log could then not show which games had to wait for
 * all dealers. */
bool settings_keep_dealers(const struct settings_reading *reading,
                           const struct tournament_settings *now,
                           const struct tournament_settings *then)
{
    if (!same_dealers(now, then))
        return settings_fail(reading, field, "can no longer change: the event has begun.");
    return then->dealers == 0 || now->dealers_seconds == 0 || then->dealers_seconds > 0 ||
           settings_fail(reading, "dealers_seconds",
                         "can no longer become 0: games may have started without a dealer.");
}

bool settings_games_wait(const struct tournament_settings *settings)
{
    return settings->entropy_seconds > 0 || settings->dealers > 0;
}
