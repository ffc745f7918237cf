/* Reads the settings of an event: all that is not of a stage. */
#include <assert.h>
#include <string.h>

#include "engine/base/json.h"
#include "engine/game/catalog.h"
#include "engine/tournament/event/settings_parts.h"

/* ---- Fields with one value ---- */

static const char *const seedings[] = {
    [SEEDING_ENTERING] = "entering", [SEEDING_RATING] = "rating", [SEEDING_DRAW] = "draw"};

static const char *const timeouts[] = {[TIMEOUT_ARBITER] = "arbiter",
                                       [TIMEOUT_QUIET_MOVE] = "quiet_move",
                                       [TIMEOUT_FALLBACK] = "fallback",
                                       [TIMEOUT_FORFEIT] = "forfeit"};

static const char *const guests[] = {[GUESTS_NO] = "no", [GUESTS_ALLOWED] = "allowed"};

static const char *const signatures[] = {
    [OFFICIAL_OFF] = "off", [OFFICIAL_OPTIONAL] = "optional", [OFFICIAL_REQUIRED] = "required"};

static const char *const houses[] = {
    [HOUSE_NONE] = "none",       [HOUSE_BEGINNER] = "beginner", [HOUSE_CASUAL] = "casual",
    [HOUSE_REGULAR] = "regular", [HOUSE_STRONG] = "strong",     [HOUSE_MASTER] = "master"};

const char *const settings_same_owner[SAME_OWNER_CHOICES] = {"allowed", "apart"};

#define OWN(member, kind, most, initial, words)                                                    \
    {                                                                                              \
#member, 0, kind, false, sizeof(((struct tournament_settings *)NULL)->member),             \
            offsetof(struct tournament_settings, member), 0, most, initial, words                  \
    }

static const struct settings_field own_fields[] = {
    OWN(check_in, FIELD_YES_NO, 1, 0, NULL),
    OWN(confirm_minutes, FIELD_WHOLE, SETTINGS_CONFIRM_MINUTES_MAX, SETTINGS_CONFIRM_MINUTES, NULL),
    OWN(delay_entries, FIELD_WHOLE, SETTINGS_DELAY_ENTRIES_MAX, 0, NULL),
    OWN(entropy_seconds, FIELD_WHOLE, SETTINGS_ENTROPY_SECONDS_MAX, 0, NULL),
    OWN(guests, FIELD_WORD, GUESTS_CHOICES - 1, GUESTS_NO, guests),
    OWN(house, FIELD_WORD, HOUSE_CHOICES - 1, HOUSE_NONE, houses),
    OWN(late_entries, FIELD_WHOLE, TOURNAMENT_ROUNDS_MAX, 0, NULL),
    OWN(official_signatures, FIELD_WORD, OFFICIAL_CHOICES - 1, OFFICIAL_OFF, signatures),
    OWN(on_timeout, FIELD_WORD, TIMEOUT_POLICIES - 1, TIMEOUT_ARBITER, timeouts),
    OWN(protest_minutes, FIELD_WHOLE, SETTINGS_PROTEST_MINUTES_MAX, SETTINGS_PROTEST_MINUTES, NULL),
    OWN(rate_house, FIELD_YES_NO, 1, 0, NULL),
    OWN(rate_reported, FIELD_YES_NO, 1, 0, NULL),
    OWN(seeding, FIELD_WORD, SEEDING_ORDERS - 1, SEEDING_ENTERING, seedings),
    OWN(take_back, FIELD_YES_NO, 1, 0, NULL),
};

const struct settings_field *settings_find_own(const char *name)
{
    for (size_t i = 0; i < sizeof own_fields / sizeof own_fields[0]; i++)
        if (strcmp(own_fields[i].name, name) == 0)
            return &own_fields[i];
    return NULL;
}

static bool read_own(const struct settings_reading *reading, const char *name,
                     struct tournament_settings *settings)
{
    const struct settings_field *field = settings_find_own(name);
    assert(field != NULL);
    return settings_read_number(reading, field, field->initial, settings);
}

bool settings_is_event_field(const char *name)
{
    static const char *const others[] = {"bots",    "capacity",        "clock",  "components",
                                         "dealers", "dealers_seconds", "name",   "options",
                                         "ruleset", "same_owner",      "stages", "version"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(others[i], name) == 0)
            return true;
    return settings_find_own(name) != NULL || settings_is_detail(name);
}

const char *timeout_policy_name(enum timeout_policy policy)
{
    return timeouts[policy];
}

int timeout_policy_find(struct span name)
{
    for (int i = 0; i < TIMEOUT_POLICIES; i++)
        if (span_is(name, timeouts[i]))
            return i;
    return -1;
}

const char *house_choice_name(enum house_choice choice)
{
    return houses[choice];
}

int house_choice_find(struct span name)
{
    for (int i = 0; i < HOUSE_CHOICES; i++)
        if (span_is(name, houses[i]))
            return i;
    return -1;
}

/* ---- Other fields ---- */

bool settings_check_event_names(const struct settings_reading *reading)
{
    const char *name;
    json_t *value;
    json_object_foreach(reading->object, name, value)
    {
        if (settings_is_event_field(name))
            continue;
        if (settings_find_field(name) == NULL)
            return settings_fail_as(reading, SETTINGS_FAULT_UNKNOWN, name,
                                    "is not a field of an event.");
        return settings_fail(reading, name, "is a field of a stage: write it in `stages`.");
    }
    return true;
}

static bool read_ruleset(struct settings_reading *reading, struct tournament_settings *settings)
{
    const char *slug, *version;
    if (!settings_read_string(reading, "ruleset", true, &slug) ||
        !settings_read_string(reading, "version", false, &version))
        return false;
    const struct game *newest = catalog_newest(span_of(slug));
    if (newest == NULL)
        return settings_fail(reading, "ruleset",
                             "is not in the catalog; GET /v1/rulesets lists the rulesets.");
    settings->game = version == NULL ? newest : catalog_find(span_of(slug), span_of(version));
    reading->game = settings->game;
    return settings->game != NULL ||
           settings_fail(reading, "version",
                         "is not in the catalog; GET /v1/rulesets lists the rulesets.");
}

/* The built-in set is the same as none. Whether there is such a set is not known here. */
static bool read_components(const struct settings_reading *reading,
                            struct tournament_settings *settings)
{
    const json_t *value = json_object_get(reading->object, "components");
    if (value == NULL || json_is_null(value))
        return true;
    if (!json_is_string(value) ||
        !span_hex(span_of(json_string_value(value)), settings->set, sizeof settings->set))
        return settings_fail(reading, "components",
                             "must be the SHA-256 of a component set, 64 lower-case hex digits, "
                             "or null for the built-in one.");
    uint8_t own[32];
    game_components_hash(settings->game, own);
    settings->other_set = memcmp(own, settings->set, sizeof own) != 0;
    return true;
}

static bool read_options(const struct settings_reading *reading,
                         struct tournament_settings *settings)
{
    const struct game *game = settings->game;
    bool good;
    json_t *chosen = settings_look_up(reading, "options", false, &good), *value;
    const char *name;
    settings->options = game_options_initial(game);
    if (chosen == NULL)
        return good;
    if (!json_is_object(chosen))
        return settings_fail(reading, "options", "must be an object of option names and values.");
    if (!reading->newest && json_object_size(chosen) != game->option_count)
        return settings_fail(reading, "options", "must have every option of the ruleset.");
    json_object_foreach(chosen, name, value)
    {
        int option = game_option_index(game, span_of(name));
        int index =
            option < 0 || !json_is_string(value)
                ? -1
                : game_option_value(game, (size_t)option, span_of(json_string_value(value)));
        if (index < 0)
            return settings_fail(reading, "options",
                                 "has an option or value that this ruleset does not know; "
                                 "GET /v1/rulesets lists them.");
        settings->options.value[option] = (uint8_t)index;
    }
    return true;
}

/* Reads the conditions of entry; after the stages, because the first one limits the entries. */
static bool read_entering(const struct settings_reading *reading,
                          struct tournament_settings *settings)
{
    int most = (int)settings_entries_most(&settings->stage[0]), number;
    int initial = most < SETTINGS_ENTRIES_MAX ? most : 0;
    bool good;
    json_t *capacity = settings_look_up(reading, "capacity", false, &good);
    if (!good)
        return false;
    if (json_is_null(capacity))
        settings->capacity = 0;
    else if (!settings_read_whole(reading, "capacity", 1, most, initial, &number))
        return false;
    else
        settings->capacity = (uint16_t)number;
    return read_own(reading, "late_entries", settings) && read_own(reading, "check_in", settings) &&
           read_own(reading, "seeding", settings);
}

/* ---- Fields that a log may leave out ---- */

static bool read_time(const struct settings_reading *reading, json_t *clock, const char *name,
                      int64_t least, int64_t initial, int64_t *ms)
{
    json_t *value = json_object_get(clock, name);
    *ms = initial;
    if (value == NULL ? initial >= least : json_read_whole(value, least, CLOCK_MS_MAX, ms))
        return true;
    return settings_fail(reading, "clock",
                         "takes whole milliseconds, up to 366 days: bank_ms from 1, increment_ms, "
                         "and cap_ms not below the bank; or move_ms from 1 alone.");
}

static bool read_bank(const struct settings_reading *reading, json_t *clock,
                      struct clock_control *control)
{
    control->kind = CLOCK_BANK;
    return read_time(reading, clock, "bank_ms", 1, 0, &control->bank_ms) &&
           read_time(reading, clock, "increment_ms", 0, 0, &control->increment_ms) &&
           read_time(reading, clock, "cap_ms", control->bank_ms, CLOCK_MS_MAX, &control->cap_ms);
}

static bool read_clock(const struct settings_reading *reading, struct clock_control *control)
{
    json_t *clock = json_object_get(reading->object, "clock"), *value;
    const char *name;
    bool by_move = json_object_get(clock, "move_ms") != NULL;
    if (clock == NULL || json_is_null(clock))
        return true;
    if (!json_is_object(clock))
        return settings_fail(reading, "clock", "must be an object, or null for no clocks.");
    json_object_foreach(clock, name, value)
    {
        bool known = by_move ? strcmp(name, "move_ms") == 0
                             : strcmp(name, "bank_ms") == 0 || strcmp(name, "increment_ms") == 0 ||
                                   strcmp(name, "cap_ms") == 0;
        if (!known)
            return settings_fail(reading, "clock",
                                 "takes bank_ms, increment_ms and cap_ms, or move_ms alone.");
    }
    if (!by_move)
        return read_bank(reading, clock, control);
    control->kind = CLOCK_MOVE;
    return read_time(reading, clock, "move_ms", 1, 0, &control->move_ms);
}

static bool read_entropy(const struct settings_reading *reading,
                         struct tournament_settings *settings)
{
    return read_own(reading, "entropy_seconds", settings) &&
           (settings->entropy_seconds == 0 || settings->stage[0].format != FORMAT_DUPLICATE ||
            settings_fail(
                reading, "entropy_seconds",
                "must be 0 in duplicate events: all tables of a board have the same luck, "
                "so no table's players can add to it."));
}

static bool read_bots(const struct settings_reading *reading, struct tournament_settings *settings)
{
    bool bots, good = settings_read_yes_no(reading, "bots", &bots);
    settings->no_bots = json_object_get(reading->object, "bots") != NULL && !bots;
    return good;
}

/* Older logs leave this out; their default differs from today's. */
static bool read_same_owner(const struct settings_reading *reading,
                            struct tournament_settings *settings)
{
    enum { CHOICES = SAME_OWNER_CHOICES - SAME_OWNER_ALLOWED };
    int number;
    if (!reading->newest && json_object_get(reading->object, "same_owner") == NULL)
        return true;
    if (!settings_read_word(reading, "same_owner", settings_same_owner, CHOICES,
                            SAME_OWNER_APART - SAME_OWNER_ALLOWED, &number))
        return false;
    settings->same_owner = (enum same_owner)(SAME_OWNER_ALLOWED + number);
    return true;
}

bool settings_read(json_t *document, bool newest, struct tournament_settings *settings,
                   struct settings_fault *fault)
{
    struct settings_reading reading = {document, "", newest, NULL, fault};
    struct settings_reading optional = {document, "", true, NULL, fault};
    *settings = (struct tournament_settings){0};
    if (!json_is_object(document))
        return settings_fail(&reading, "settings", "must be an object.");
    bool flat = newest && json_object_get(document, "stages") == NULL;
    return (flat || settings_check_event_names(&reading)) &&
           settings_read_string(&reading, "name", true, &settings->name) &&
           read_ruleset(&reading, settings) && read_components(&reading, settings) &&
           read_options(&reading, settings) && settings_read_stages(&reading, settings) &&
           read_entering(&reading, settings) && read_clock(&optional, &settings->clock) &&
           read_own(&optional, "on_timeout", settings) &&
           read_own(&optional, "take_back", settings) &&
           read_own(&optional, "protest_minutes", settings) &&
           read_own(&optional, "confirm_minutes", settings) &&
           read_own(&optional, "rate_reported", settings) && read_entropy(&optional, settings) &&
           settings_read_dealers(&reading, settings) &&
           read_own(&optional, "delay_entries", settings) &&
           read_own(&optional, "guests", settings) &&
           read_own(&optional, "official_signatures", settings) &&
           read_own(&optional, "house", settings) && read_bots(&optional, settings) &&
           read_own(&optional, "rate_house", settings) && read_same_owner(&reading, settings) &&
           settings_read_details(&reading, settings);
}
