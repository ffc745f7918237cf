/* The one table of the fields of each format. Reading, writing, and the rules for later changes
 * follow it. */
#include <assert.h>
#include <string.h>

#include "engine/tournament/event/settings_parts.h"
#include "engine/tournament/formats/duplicate/duplicate.h"
#include "engine/tournament/formats/knockout/elimination.h"
#include "engine/tournament/formats/ladder/ladder.h"
#include "engine/tournament/formats/open_play/open_play.h"
#include "engine/tournament/formats/round_robin/berger.h"
#include "engine/tournament/formats/round_robin/pod_round_robin.h"

enum {
    ROUND_MINUTES_MOST = 30 * 24 * 60,
    PATIENCE_MINUTES_MOST = 7 * 24 * 60,
    ANSWER_MINUTES_MOST = 30 * 24 * 60
};

/* ---- Formats ---- */

const struct format settings_formats[TOURNAMENT_FORMATS] = {
    [FORMAT_POD_SWISS] = {"pod_swiss", "multiplayer Swiss", GAMES_FROM_ROUNDS, false, true, "pods",
                          "5-3-2-1", TOURNAMENT_ENTRIES_MAX},
    [FORMAT_DUTCH] = {"dutch", "two-player Swiss", GAMES_FROM_ROUNDS, true, true, "swiss",
                      "1-half-0", TOURNAMENT_ENTRIES_MAX},
    [FORMAT_ROUND_ROBIN] = {"round_robin", "two-player round robin", GAMES_FROM_ROUNDS, true, true,
                            "round-robin", "1-half-0", BERGER_ENTRIES_MAX},
    [FORMAT_POD_ROUND_ROBIN] = {"pod_round_robin", "multiplayer round robin", GAMES_FROM_ROUNDS,
                                false, true, "pods", "5-3-2-1", POD_ROUND_ROBIN_PLAYERS_MAX},
    [FORMAT_SINGLE_ELIMINATION] = {"single_elimination", "single elimination", GAMES_FROM_ROUNDS,
                                   true, false, "elimination", NULL, ELIMINATION_SIZE_MAX},
    [FORMAT_DOUBLE_ELIMINATION] = {"double_elimination", "double elimination", GAMES_FROM_ROUNDS,
                                   true, false, "elimination", NULL, ELIMINATION_SIZE_MAX},
    [FORMAT_POD_ELIMINATION] = {"pod_elimination", "multiplayer elimination", GAMES_FROM_ROUNDS,
                                false, false, "elimination", NULL, TOURNAMENT_ENTRIES_MAX},
    [FORMAT_LEAGUE] = {"league", "league with divisions", GAMES_FROM_ROUNDS, false, true, "pods",
                       "5-3-2-1", TOURNAMENT_ENTRIES_MAX},
    [FORMAT_LADDER] = {"ladder", "ladder", GAMES_FROM_CHALLENGES, true, false, "pods", "1-half-0",
                       LADDER_ENTRIES_MAX},
    [FORMAT_OPEN_PLAY] = {"open_play", "open play", GAMES_FROM_QUEUE, false, false, "pods",
                          "5-3-2-1", TOURNAMENT_ENTRIES_MAX},
    [FORMAT_DUPLICATE] = {"duplicate", "duplicate boards", GAMES_FROM_ROUNDS, false, false, "pods",
                          NULL, TOURNAMENT_ENTRIES_MAX},
};

const struct format *settings_format_find(const char *name)
{
    for (size_t i = 0; i < TOURNAMENT_FORMATS; i++)
        if (strcmp(settings_formats[i].name, name) == 0)
            return &settings_formats[i];
    return NULL;
}

const char *format_games_name(enum format_games games)
{
    static const char *const names[] = {[GAMES_FROM_ROUNDS] = "rounds",
                                        [GAMES_FROM_CHALLENGES] = "challenges",
                                        [GAMES_FROM_QUEUE] = "queue"};
    return names[games];
}

const char *tournament_format_name(enum tournament_format format)
{
    return settings_formats[format].name;
}

bool tournament_format_has_rounds(enum tournament_format format)
{
    return settings_formats[format].games == GAMES_FROM_ROUNDS;
}

bool tournament_format_has_points(enum tournament_format format)
{
    return settings_formats[format].points;
}

/* ---- Fields of a stage ---- */

#define OF(format)   (1U << FORMAT_##format)
#define SWISS        (OF(POD_SWISS) | OF(DUTCH))
#define ELIMINATIONS (OF(SINGLE_ELIMINATION) | OF(DOUBLE_ELIMINATION) | OF(POD_ELIMINATION))
#define POINTS       (SWISS | OF(ROUND_ROBIN) | OF(POD_ROUND_ROBIN) | OF(LEAGUE))
#define TABLES                                                                                     \
    (OF(POD_SWISS) | OF(POD_ROUND_ROBIN) | OF(POD_ELIMINATION) | OF(LEAGUE) | OF(OPEN_PLAY) |      \
     OF(DUPLICATE))
#define ALL ((1U << TOURNAMENT_FORMATS) - 1)

#define AT(member)                                                                                 \
    sizeof(((struct stage_settings *)NULL)->member), offsetof(struct stage_settings, member)

/* For fields with their own functions for reading and writing. */
#define NO_NUMBER 0, 0

static const char *const profiles[] = {"strict", "balanced", "power", NULL};
static const char *const grand_finals[] = {"none", "simple", "double", NULL};
static const char *const effects[] = {"take_place", "exchange", NULL};
static const char *const scorings[] = {"total", "matchpoints", NULL};
static const char *const plays[] = {"asynchronous", "barometer", NULL};
static const char *const places[] = {"online", "table", NULL};
static const char *const free_rounds[] = {"as_byes", "nothing", NULL};

/* In byte order of the names, which is also that of written settings. */
const struct settings_field settings_fields[] = {
    {"advance", OF(POD_ELIMINATION), FIELD_WHOLE, true, AT(advance), 1, TOURNAMENT_SEATS_MAX - 1, 1,
     NULL},
    {"answer_minutes", OF(LADDER), FIELD_WHOLE, false, AT(answer_minutes), 0, ANSWER_MINUTES_MOST,
     0, NULL},
    {"best", OF(OPEN_PLAY), FIELD_WHOLE, false, AT(best), 1, OPEN_PLAY_BEST_MAX, 5, NULL},
    {"boards", OF(DUPLICATE), FIELD_WHOLE, true, AT(boards), 1, DUPLICATE_BOARDS_MAX,
     SETTINGS_NEEDED, NULL},
    {"consolation", OF(SINGLE_ELIMINATION) | OF(DOUBLE_ELIMINATION), FIELD_YES_NO, true,
     AT(consolation), 0, 1, 0, NULL},
    {"division", OF(LEAGUE), FIELD_WHOLE, true, AT(division), 2, POD_ROUND_ROBIN_PLAYERS_MAX, 8,
     NULL},
    {"division_smallest", OF(LEAGUE), FIELD_WHOLE, true, AT(division_smallest), 2,
     POD_ROUND_ROBIN_PLAYERS_MAX, SETTINGS_HALF_DIVISION, NULL},
    {"effect", OF(LADDER), FIELD_WORD, true, AT(effect), 0, 1, 0, effects},
    {"entrants", ALL, FIELD_APART, true, AT(entrants), 2, SETTINGS_ENTRIES_MAX, SETTINGS_NEEDED,
     NULL},
    {"format", ALL, FIELD_APART, true, AT(format), 0, TOURNAMENT_FORMATS - 1, FORMAT_POD_SWISS,
     NULL},
    {"free_rounds", OF(ROUND_ROBIN) | OF(LEAGUE), FIELD_WORD, false, AT(free_rounds), 0, 1,
     SETTINGS_FREE_ROUNDS, free_rounds},
    {"grand_final", OF(DOUBLE_ELIMINATION), FIELD_WORD, true, AT(grand_final), 0, 2,
     GRAND_FINAL_SIMPLE, grand_finals},
    {"moves", OF(LEAGUE), FIELD_WHOLE, false, AT(moves), 0, POD_ROUND_ROBIN_PLAYERS_MAX / 2, 1,
     NULL},
    {"pairing_version", OF(POD_SWISS) | OF(POD_ROUND_ROBIN) | OF(LEAGUE), FIELD_WHOLE, true,
     AT(pairing_version), 1, POD_VERSION, SETTINGS_NEWEST, NULL},
    {"patience_minutes", OF(OPEN_PLAY), FIELD_WHOLE, false, AT(patience_minutes), 0,
     PATIENCE_MINUTES_MOST, 10, NULL},
    {"play", OF(DUPLICATE), FIELD_WORD, true, AT(barometer), 0, 1, 0, plays},
    {"play", ALL & ~OF(DUPLICATE), FIELD_WORD, false, AT(at_table), 0, 1, 0, places},
    {"profile", OF(POD_SWISS), FIELD_WORD, false, AT(profile), 0, 2, POD_STRICT, profiles},
    {"profile", OF(DUPLICATE), FIELD_WORD, false, AT(profile), 0, 0, POD_STRICT, profiles},
    {"reach", OF(LADDER), FIELD_WHOLE, true, AT(reach), 1, LADDER_ENTRIES_MAX, 3, NULL},
    {"round_minutes", POINTS | ELIMINATIONS, FIELD_WHOLE, false, AT(round_minutes), 0,
     ROUND_MINUTES_MOST, 0, NULL},
    {"rounds", SWISS, FIELD_WHOLE, false, AT(rounds), 1, SETTINGS_ROUNDS_MOST, SETTINGS_NEEDED,
     NULL},
    {"rounds", OF(POD_ROUND_ROBIN), FIELD_WHOLE, true, AT(rounds), 1, SETTINGS_ROUNDS_MOST,
     SETTINGS_NEEDED, NULL},
    {"rounds", OF(LEAGUE), FIELD_WHOLE, true, AT(rounds), 0, SETTINGS_ROUNDS_MOST, 0, NULL},
    {"rounds", OF(DUPLICATE), FIELD_WHOLE, false, AT(rounds), 1, SETTINGS_ROUNDS_MOST, 1, NULL},
    {"scoring", POINTS | OF(OPEN_PLAY), FIELD_SCORING, false, NO_NUMBER, 0, 0, 0, NULL},
    {"scoring", OF(DUPLICATE), FIELD_WORD, false, AT(matchpoints), 0, 1, 1, scorings},
    {"seats_max", TABLES, FIELD_APART, true, NO_NUMBER, 0, 0, 0, NULL},
    {"seats_min", TABLES, FIELD_APART, true, NO_NUMBER, 0, 0, 0, NULL},
    {"seats_preferred", TABLES, FIELD_APART, true, NO_NUMBER, 0, 0, 0, NULL},
    {"tie_breaks", POINTS, FIELD_CHAIN, false, NO_NUMBER, 0, 0, 0, NULL},
    {"twice", OF(ROUND_ROBIN) | OF(LEAGUE), FIELD_YES_NO, true, AT(twice), 0, 1, 0, NULL},
    {"unplayed_rules", POINTS, FIELD_UNPLAYED, false, NO_NUMBER, 0, 0, 0, NULL},
};
static_assert((int)POD_VERSION == (int)POD_SCHEDULE_VERSION, "one field has both");
static_assert(sizeof settings_fields / sizeof settings_fields[0] == SETTINGS_FIELDS,
              "SETTINGS_FIELDS counts them");

bool settings_has_field(enum tournament_format format, const struct settings_field *field)
{
    return (field->formats >> format & 1) != 0;
}

bool settings_is_seldom(const struct settings_field *field)
{
    return field->words == places;
}

/* NULL if no format has a field of this name. */
const struct settings_field *settings_find_field(const char *name)
{
    for (size_t i = 0; i < SETTINGS_FIELDS; i++)
        if (strcmp(settings_fields[i].name, name) == 0)
            return &settings_fields[i];
    return NULL;
}

const struct settings_field *settings_find_field_of(enum tournament_format format, const char *name)
{
    for (size_t i = 0; i < SETTINGS_FIELDS; i++)
        if (settings_has_field(format, &settings_fields[i]) &&
            strcmp(settings_fields[i].name, name) == 0)
            return &settings_fields[i];
    return NULL;
}

int settings_number(const void *settings, const struct settings_field *field)
{
    const char *at = (const char *)settings + field->offset;
    uint32_t four;
    uint16_t two;
    switch (field->size) {
    case sizeof four:
        memcpy(&four, at, sizeof four);
        return (int)four;
    case sizeof two:
        memcpy(&two, at, sizeof two);
        return two;
    default:
        return *(const uint8_t *)at;
    }
}

static enum parting tournament_format_parting(enum tournament_format format)
{
    switch (format) {
    case FORMAT_POD_SWISS:
        return PARTING_WEIGHED;
    case FORMAT_DUTCH:
        return PARTING_FORBIDDEN;
    default:
        return PARTING_NONE;
    }
}

const struct stage_settings *settings_unparted(const struct tournament_settings *settings)
{
    for (size_t i = 0; i < settings->stage_count; i++) {
        const struct stage_settings *stage = &settings->stage[i];
        bool called = stage->format == FORMAT_LADDER || stage->format == FORMAT_OPEN_PLAY;
        if (!called && tournament_format_parting(stage->format) == PARTING_NONE)
            return stage;
    }
    return NULL;
}

enum parting settings_parting(const struct tournament_settings *settings)
{
    enum parting best = PARTING_NONE;
    for (size_t i = 0; i < settings->stage_count; i++) {
        enum parting parting = tournament_format_parting(settings->stage[i].format);
        best = parting > best ? parting : best;
    }
    return best;
}

bool settings_is_one_sitting(const struct tournament_settings *settings)
{
    enum { HOUR_MS = 60 * 60 * 1000 };
    const struct clock_control *clock = &settings->clock;
    return (clock->kind == CLOCK_BANK && clock->bank_ms < INT64_C(24) * HOUR_MS) ||
           (clock->kind == CLOCK_MOVE && clock->move_ms <= HOUR_MS);
}
