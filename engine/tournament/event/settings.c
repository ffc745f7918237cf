/* Reads the settings of an event: all that is not of a stage. */
#include <string.h>

#include "engine/base/json.h"
#include "engine/game/catalog.h"
#include "engine/tournament/event/settings_parts.h"

/* Fields of the event itself, not of its stages. */
static const char *const event_fields[] = {"bots",
                                           "capacity",
                                           "check_in",
                                           "clock",
                                           "components",
                                           "confirm_minutes",
                                           "dealers",
                                           "dealers_seconds",
                                           "delay_entries",
                                           "entropy_seconds",
                                           "guests",
                                           "house",
                                           "late_entries",
                                           "name",
                                           "official_signatures",
                                           "on_timeout",
                                           "options",
                                           "protest_minutes",
                                           "rate_house",
                                           "rate_reported",
                                           "ruleset",
                                           "same_owner",
                                           "seeding",
                                           "stages",
                                           "take_back",
                                           "version"};

bool settings_is_event_field(const char *name)
{
    for (size_t i = 0; i < sizeof event_fields / sizeof event_fields[0]; i++)
        if (strcmp(event_fields[i], name) == 0)
            return true;
    return settings_is_detail(name);
}

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
                             "is not in the catalogue; GET /v1/rulesets lists the rulesets.");
    settings->game = version == NULL ? newest : catalog_find(span_of(slug), span_of(version));
    reading->game = settings->game;
    return settings->game != NULL ||
           settings_fail(reading, "version",
                         "is not in the catalogue; GET /v1/rulesets lists the rulesets.");
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

const char *const settings_seedings[SEEDING_ORDERS + 1] = {
    [SEEDING_ENTERING] = "entering", [SEEDING_RATING] = "rating", [SEEDING_DRAW] = "draw"};

/* Who may enter; read after the stages, because the first one limits the entries. */
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
    if (!settings_read_whole(reading, "late_entries", 0, TOURNAMENT_ROUNDS_MAX, 0, &number) ||
        !settings_read_yes_no(reading, "check_in", &settings->check_in))
        return false;
    settings->late_entries = (uint16_t)number;
    if (!settings_read_word(reading, "seeding", settings_seedings, SEEDING_ORDERS, SEEDING_ENTERING,
                            &number))
        return false;
    settings->seeding = (enum seeding_order)number;
    return true;
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

const char *const settings_timeouts[TIMEOUT_POLICIES + 1] = {[TIMEOUT_ARBITER] = "arbiter",
                                                             [TIMEOUT_QUIET_MOVE] = "quiet_move",
                                                             [TIMEOUT_FALLBACK] = "fallback",
                                                             [TIMEOUT_FORFEIT] = "forfeit"};

const char *const settings_guests[GUESTS_CHOICES] = {
    [GUESTS_NO] = "no", [GUESTS_ALLOWED] = "allowed"};

const char *const settings_official_signatures[OFFICIAL_CHOICES] = {
    [OFFICIAL_OFF] = "off", [OFFICIAL_OPTIONAL] = "optional", [OFFICIAL_REQUIRED] = "required"};

const char *const settings_same_owner[SAME_OWNER_CHOICES] = {"allowed", "apart"};

const char *timeout_policy_name(enum timeout_policy policy)
{
    return settings_timeouts[policy];
}

int timeout_policy_find(struct span name)
{
    for (int i = 0; i < TIMEOUT_POLICIES; i++)
        if (span_is(name, settings_timeouts[i]))
            return i;
    return -1;
}

static bool read_play(const struct settings_reading *reading, struct tournament_settings *settings)
{
    int number;
    if (!read_clock(reading, &settings->clock) ||
        !settings_read_word(reading, "on_timeout", settings_timeouts, TIMEOUT_POLICIES,
                            TIMEOUT_ARBITER, &number) ||
        !settings_read_yes_no(reading, "take_back", &settings->take_back))
        return false;
    settings->on_timeout = (enum timeout_policy)number;
    return true;
}

static bool read_protest(const struct settings_reading *reading,
                         struct tournament_settings *settings)
{
    int minutes;
    if (!settings_read_whole(reading, "protest_minutes", 0, SETTINGS_PROTEST_MINUTES_MAX,
                             SETTINGS_PROTEST_MINUTES, &minutes))
        return false;
    settings->protest_minutes = (uint16_t)minutes;
    return true;
}

/* Of reported results. */
static bool read_confirm(const struct settings_reading *reading,
                         struct tournament_settings *settings)
{
    int minutes;
    if (!settings_read_whole(reading, "confirm_minutes", 0, SETTINGS_CONFIRM_MINUTES_MAX,
                             SETTINGS_CONFIRM_MINUTES, &minutes) ||
        !settings_read_yes_no(reading, "rate_reported", &settings->rate_reported))
        return false;
    settings->confirm_minutes = (uint16_t)minutes;
    return true;
}

static bool read_entropy(const struct settings_reading *reading,
                         struct tournament_settings *settings)
{
    int seconds;
    if (!settings_read_whole(reading, "entropy_seconds", 0, SETTINGS_ENTROPY_SECONDS_MAX, 0,
                             &seconds))
        return false;
    settings->entropy_seconds = (uint32_t)seconds;
    return seconds == 0 || settings->stage[0].format != FORMAT_DUPLICATE ||
           settings_fail(reading, "entropy_seconds",
                         "must be 0 in duplicate events: all tables of a board have the same luck, "
                         "so no table's players can add to it.");
}

static bool read_delay(const struct settings_reading *reading, struct tournament_settings *settings)
{
    int entries;
    if (!settings_read_whole(reading, "delay_entries", 0, SETTINGS_DELAY_ENTRIES_MAX, 0, &entries))
        return false;
    settings->delay_entries = (uint16_t)entries;
    return true;
}

static bool read_guests(const struct settings_reading *reading,
                        struct tournament_settings *settings)
{
    int number;
    if (!settings_read_word(reading, "guests", settings_guests, GUESTS_CHOICES, GUESTS_NO, &number))
        return false;
    settings->guests = (enum guests_choice)number;
    return true;
}

static bool read_official_signatures(const struct settings_reading *reading,
                                     struct tournament_settings *settings)
{
    int number;
    if (!settings_read_word(reading, "official_signatures", settings_official_signatures,
                            OFFICIAL_CHOICES, OFFICIAL_OFF, &number))
        return false;
    settings->official_signatures = (enum official_choice)number;
    return true;
}

static const char *const house_choices[HOUSE_CHOICES + 1] = {
    [HOUSE_NONE] = "none",       [HOUSE_BEGINNER] = "beginner", [HOUSE_CASUAL] = "casual",
    [HOUSE_REGULAR] = "regular", [HOUSE_STRONG] = "strong",     [HOUSE_MASTER] = "master"};

const char *house_choice_name(enum house_choice choice)
{
    return house_choices[choice];
}

int house_choice_find(struct span name)
{
    for (int i = 0; i < HOUSE_CHOICES; i++)
        if (span_is(name, house_choices[i]))
            return i;
    return -1;
}

/* Entries that are programs. */
static bool read_programs(const struct settings_reading *reading,
                          struct tournament_settings *settings)
{
    int number;
    bool bots;
    if (!settings_read_word(reading, "house", house_choices, HOUSE_CHOICES, HOUSE_NONE, &number) ||
        !settings_read_yes_no(reading, "bots", &bots) ||
        !settings_read_yes_no(reading, "rate_house", &settings->rate_house))
        return false;
    settings->house = (enum house_choice)number;
    settings->no_bots = json_object_get(reading->object, "bots") != NULL && !bots;
    return true;
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
           read_entering(&reading, settings) && read_play(&optional, settings) &&
           read_protest(&optional, settings) && read_confirm(&optional, settings) &&
           read_entropy(&optional, settings) && settings_read_dealers(&reading, settings) &&
           read_delay(&optional, settings) && read_guests(&optional, settings) &&
           read_official_signatures(&optional, settings) && read_programs(&optional, settings) &&
           read_same_owner(&reading, settings) && settings_read_details(&reading, settings);
}
