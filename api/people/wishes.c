#include "api/people/wishes.h"

#include <string.h>

#include "api/people/handlers.h"
#include "api/request/documents.h"
#include "db/store/people/notices.h"
#include "engine/base/json.h"

enum { HOUR_MINUTES = 60, TIME_OF_DAY = 6 };

static const char *const languages[] = {"en", "de", NULL};

/* ---- Documents ---- */

static json_t *minutes_json(int minutes)
{
    const int hour = minutes / HOUR_MINUTES;
    const int minute = minutes % HOUR_MINUTES;
    const char digits[TIME_OF_DAY] = {(char)('0' + hour / 10),   (char)('0' + hour % 10),   ':',
                                      (char)('0' + minute / 10), (char)('0' + minute % 10), '\0'};
    return json_string(digits);
}

static json_t *quiet_document(const struct notice_settings *settings)
{
    if (settings->quiet_from < 0)
        return json_null();
    return json_pack("{s:o, s:o}", "from", minutes_json(settings->quiet_from), "to",
                     minutes_json(settings->quiet_to));
}

static json_t *kinds_document(const struct notice_settings *settings)
{
    json_t *kinds = json_object();
    for (size_t kind = 0; kind < NOTICE_KINDS; kind++) {
        json_t *channels = json_object();
        for (size_t channel = 0; channel < NOTICE_CHANNELS; channel++)
            json_object_set_new(channels, notice_channels[channel],
                                json_string(settings->timing[kind][channel]));
        json_object_set_new(kinds, notice_kinds[kind], channels);
    }
    return kinds;
}

/* The channels of this service, each with whether it can reach the caller. */
static json_t *channels_document(const struct call *call, const struct notice_settings *settings)
{
    json_t *channels = json_array();
    const char *const *names = call->service->notice_channels;
    for (size_t i = 0; names != NULL && names[i] != NULL; i++)
        for (size_t channel = 0; channel < NOTICE_CHANNELS; channel++)
            if (strcmp(notice_channels[channel], names[i]) == 0)
                json_array_append_new(channels,
                                      json_pack("{s:s, s:b}", "channel", names[i], "reaches",
                                                (int)settings->reaches[channel]));
    return channels;
}

static json_t *settings_document(const struct call *call, const struct notice_settings *settings)
{
    return json_pack("{s:o, s:s?, s:s, s:o, s:o, s:o}", "channels",
                     channels_document(call, settings), "language", settings->language, "time_zone",
                     settings->time_zone, "quiet_hours", quiet_document(settings), "digest_at",
                     minutes_json((int)settings->digest_at), "kinds", kinds_document(settings));
}

static bool read_settings(struct call *call, struct notice_settings *settings)
{
    return call_found(call, notice_settings_get(call->db, call->arena, &call->player.id, settings));
}

json_t *wishes_document(struct call *call)
{
    struct notice_settings settings;
    return read_settings(call, &settings) ? settings_document(call, &settings) : NULL;
}

/* ---- Input ---- */

static const json_t *given_field(const struct call *call, const char *key)
{
    return json_object_get(call->body, key);
}

/* Reads a time such as `22:30` as minutes of the day. */
static bool read_minutes(struct call *call, const char *key, const json_t *value, int *minutes)
{
    const char *text = json_string_value(value);
    bool good = text != NULL && strlen(text) == TIME_OF_DAY - 1 && text[2] == ':';
    for (size_t i = 0; good && i < TIME_OF_DAY - 1; i++)
        good = i == 2 || (text[i] >= '0' && text[i] <= '9');
    if (good) {
        int hour = (text[0] - '0') * 10 + text[1] - '0';
        int minute = (text[3] - '0') * 10 + text[4] - '0';
        *minutes = hour * HOUR_MINUTES + minute;
        good = hour < 24 && minute < HOUR_MINUTES;
    }
    return good || call_bad_field(call, key, "takes a time of day from 00:00 to 23:59.");
}

static bool take_language(struct call *call, struct notice_settings *settings)
{
    const json_t *value = given_field(call, "language");
    if (value == NULL)
        return true;
    if (json_is_null(value)) {
        settings->language = NULL;
        return true;
    }
    return call_choice(call, "language", languages, &settings->language);
}

/* The database knows which time zones exist. */
static bool take_zone(struct call *call, struct notice_settings *settings)
{
    return given_field(call, "time_zone") == NULL ||
           call_text(call, "time_zone", 1, NOTICE_ZONE_MAX, NULL, &settings->time_zone);
}

static bool take_quiet(struct call *call, struct notice_settings *settings)
{
    static const char *const keys[] = {"from", "to", NULL};
    const json_t *value = given_field(call, "quiet_hours");
    if (value == NULL)
        return true;
    if (json_is_null(value)) {
        settings->quiet_from = settings->quiet_to = -1;
        return true;
    }
    if (!json_is_object(value) || json_unknown_key(value, keys) != NULL ||
        json_object_size(value) != 2)
        return call_bad_field(call, "quiet_hours",
                              "takes null, or an object with the members `from` and `to`, such as "
                              "{\"from\": \"22:00\", \"to\": \"07:00\"}.");
    return read_minutes(call, "quiet_hours", json_object_get(value, "from"),
                        &settings->quiet_from) &&
           read_minutes(call, "quiet_hours", json_object_get(value, "to"), &settings->quiet_to) &&
           (settings->quiet_from != settings->quiet_to ||
            call_bad_field(call, "quiet_hours",
                           "must begin and end at different times; to get no notices at all, turn "
                           "them off in `kinds`."));
}

static bool take_digest(struct call *call, struct notice_settings *settings)
{
    int minutes = (int)settings->digest_at;
    const json_t *value = given_field(call, "digest_at");
    if (value != NULL && !read_minutes(call, "digest_at", value, &minutes))
        return false;
    settings->digest_at = (unsigned)minutes;
    return true;
}

/* The index of `word` in one of the lists of db/store/people/notices.h, or -1. */
static int index_of(const char *const *list, const char *word)
{
    for (int i = 0; word != NULL && list[i] != NULL; i++)
        if (strcmp(list[i], word) == 0)
            return i;
    return -1;
}

static bool take_channels(struct call *call, int kind, json_t *channels,
                          struct notice_settings *settings)
{
    const char *name;
    json_t *value;
    json_object_foreach(channels, name, value)
    {
        int channel = index_of(notice_channels, name);
        int timing = index_of(notice_timings, json_string_value(value));
        if (channel < 0 || timing < 0)
            return call_bad_field(call, "kinds",
                                  "has channels `mail`, `push` and `webhook`, each with `off`, "
                                  "`at_once` or `digest`.");
        settings->timing[kind][channel] = notice_timings[timing];
    }
    return true;
}

static bool take_kinds(struct call *call, struct notice_settings *settings)
{
    json_t *kinds = json_object_get(call->body, "kinds");
    const char *name;
    json_t *value;
    if (kinds != NULL && !json_is_object(kinds))
        return call_bad_field(call, "kinds", "takes an object.");
    json_object_foreach(kinds, name, value)
    {
        int kind = index_of(notice_kinds, name);
        if (kind < 0 || !json_is_object(value))
            return call_bad_field(
                call, "kinds",
                "takes only the kinds that GET /v1/me/notices shows, each an object.");
        if (!take_channels(call, kind, value, settings))
            return false;
    }
    return true;
}

void me_notices_get(struct call *call)
{
    json_t *document = wishes_document(call);
    if (document != NULL)
        call_answer(call, 200, document);
}

/* Settings that the body does not name stay as they are. */
void me_notices_change(struct call *call)
{
    static const char *const keys[] = {"language",  "time_zone", "quiet_hours",
                                       "digest_at", "kinds",     NULL};
    struct notice_settings settings;
    if (!call_check_keys(call, keys) ||
        !call_found(call, player_lock(call->db, &call->player.id)) ||
        !read_settings(call, &settings) || !take_language(call, &settings) ||
        !take_zone(call, &settings) || !take_quiet(call, &settings) ||
        !take_digest(call, &settings) || !take_kinds(call, &settings))
        return;
    enum db_status status = notice_settings_set(call->db, &call->player.id, &settings);
    if (status == DB_CONFLICT)
        call_bad_field(call, "time_zone",
                       "must be a name of the IANA time zone database, such as Europe/Berlin.");
    else if (call_found(call, status))
        call_answer(call, 200, settings_document(call, &settings));
}

/* ---- Followed organizers ---- */

json_t *wishes_following(struct call *call)
{
    struct followed *followed;
    size_t count;
    if (!call_found(call, follow_list(call->db, call->arena, &call->player.id, &followed, &count)))
        return NULL;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items,
                              json_pack("{s:o, s:o}", "player",
                                        player_reference(&followed[i].organizer, followed[i].name),
                                        "since", time_json(followed[i].since_ms)));
    return list_with_next(items, NULL);
}

void me_following_list(struct call *call)
{
    json_t *document = wishes_following(call);
    if (document != NULL)
        call_answer(call, 200, document);
}

void me_following_add(struct call *call)
{
    if (!call_check_keys(call, NULL))
        return;
    if (id_equal(&call->id[0], &call->player.id)) {
        call_problem(call, "not-allowed", "You cannot follow yourself.");
        return;
    }
    if (call_found(call, player_lock(call->db, &call->player.id)) &&
        call_db(call, follow_add(call->db, &call->player.id, &call->id[0]), "follows-too-many",
                "You follow 200 organizers already; stop following one of them first."))
        call->response->status = 204;
}

void me_following_remove(struct call *call)
{
    if (call_found(call, follow_remove(call->db, &call->player.id, &call->id[0])))
        call->response->status = 204;
}
