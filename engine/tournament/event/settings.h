/* The settings of an event: one JSON object, as in the lines `created` and `settings_changed` of
 * its log, and as organizers write it. Only this module reads and writes it.
 *
 *      {
 *        "name": "Autumn cup",             1 .. 80 characters (checked where it is read from HTTP)
 *        "ruleset": "shinjuku", "version": "1.0.0",
 *        "options": {"advanced": "off"},   every option of the ruleset
 *        "capacity": 64,                   entries accepted; more wait. null = no limit
 *        "check_in": false,                true: only checked-in entries get a number
 *        "late_entries": 2,                rounds that may have begun before a late entry
 *        "seeding": "entering",            the order of numbers: `entering`, `rating`, `draw`
 *        "stages": [{"format": "pod_swiss", ...}, {"format": "single_elimination", ...}],
 *        "clock": {"bank_ms": 1200000, "increment_ms": 20000, "cap_ms": 1800000},
 *                                          or {"move_ms": 259200000}; null = no clocks
 *        "on_timeout": "arbiter",          or `quiet_move`, `fallback`, `forfeit`
 *        "take_back": false,               players may take back their own moves
 *                                          (engine/record/RECORD.md)
 *        "protest_minutes": 1440,          after a game, or a ruling in a dispute
 *        "confirm_minutes": 10,            after a result is reported at a table: unless somebody
 *                                          objects, it counts then; 0 = only when confirmed
 *        "rate_reported": false,           reported results count for ratings, once the event is
 *                                          closed (tournament_rated_seats())
 *        "entropy_seconds": 0,             time for players to give entropy before a game starts
 *                                          (engine/record/RECORD.md); 0 = none. Not for duplicate
 *        "dealers": [{"name": "ada.example", "key": "<64 hex digits>"}],
 *                                          co-dealers (engine/record/dealer.h), at most 5, in byte
 *                                          order of their names
 *        "dealers_seconds": 0,             after which a game starts without the outputs of dealers
 *                                          that have not answered; 0 = it waits for all
 *        "delay_entries": 0,               how many record entries the view of a running game lags
 *                                          for viewers without a seat in it
 *        "same_owner": "apart"             or `allowed`: a player and a bot of theirs, or two bots
 *                                          of one owner, may sit at one table
 *      }
 *
 * `clock` to `delay_entries` are written only if they differ from null, `arbiter`, false, 1440, 10,
 * false, 0, none, 0, 0; they apply to games that begin afterwards. Once the event has begun,
 * `rate_reported` and `dealers` cannot change, and `dealers_seconds` only between numbers or from 0
 * to one.
 *
 * The details that an event tells people about itself are written only if an organizer has set
 * them: `banner` (a word of settings_banners), `contact`, `description`, `fee`, `place`, `prizes`
 * (texts), and `starts_at` (2026-12-01T18:00:00.000Z). Nothing else depends on them. null removes
 * one.
 *
 * `guests` is `allowed` if people without an account may enter with only a name. It is written only
 * then, and is `no` in all other logs.
 *
 * `house` is the highest level at which house players may enter (engine/search/level.h):
 * `beginner`, `casual`, `regular`, `strong` or `master`; `bots` is false if bots may not enter;
 * `rate_house` is true if games with a house player are rated like all others, and not on a list of
 * their own. They are written only then: logs without them take no house players, take bots, and
 * rate apart. `rate_house` cannot change once the event has begun.
 *
 * `official_signatures` says whether the acts of officials (official.h) carry their signatures:
 * `off`, `optional` or `required`. It is written only if it is not `off`.
 *
 * `same_owner` is `apart` by default. Older logs do not have it: their events keep nobody apart, as
 * with `allowed`, and it stays missing until an organizer changes it.
 *
 * A stage has `format` and the fields of that format (settings_fields.c has the table with ranges
 * and defaults, settings_scoring.c has `scoring`). Stages after the first also have `entrants`, how
 * many advance into them. Ladder, open play and duplicate must be the only stage. Written settings
 * always have every field of their formats, in byte order of the names, so equal settings are equal
 * bytes.
 *
 * `pairing_version` of pod Swiss, pod round robins and leagues is the newest by default, and 1 in
 * logs older than the field. A pod Swiss stage that has begun can move to a newer version, never to
 * an older one: earlier draws stay, and are reproduced with the version of their time.
 *
 * `play` of a stage is `online`: its games are dealt and played on the service; or `table`: people
 * play with their own copy, and report the result (tournament.h). It is written only if it is
 * `table`, and holds for tables that start afterwards; a round may say otherwise when it starts.
 * Duplicate has a field of this name of its own, `asynchronous` or `barometer`, and cannot be
 * played at tables: only the service deals several tables the same luck.
 *
 * `free_rounds` of round robins and leagues is the value of a round without an opponent. At tables
 * of two the default is `nothing`, because everyone has one (FIDE C.05: the last number of an odd
 * field is no player). At larger tables it is `as_byes`, the scoring's pairing bye, because some
 * entries may have more of them. Older logs without the field mean `as_byes`.
 *
 * An organizer who wants a single stage may write its fields beside the others, without `stages`.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_EVENT_SETTINGS_H
#define TILLROLL_ENGINE_TOURNAMENT_EVENT_SETTINGS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/game/game.h"
#include "engine/record/record.h"
#include "engine/tournament/formats/pods/pod_swiss.h"
#include "engine/tournament/result/result.h"
#include "engine/tournament/result/scoring.h"
#include "engine/tournament/result/table_sizes.h"
#include "engine/tournament/result/tie_break.h"

enum {
    SETTINGS_STAGES_MAX = 4,
    SETTINGS_ENTRIES_MAX = TOURNAMENT_ENTRIES_MAX,
    SETTINGS_PROTEST_MINUTES = 24 * 60, /* the default */
    SETTINGS_PROTEST_MINUTES_MAX = 30 * 24 * 60,
    SETTINGS_CONFIRM_MINUTES = 10, /* the default */
    SETTINGS_CONFIRM_MINUTES_MAX = 7 * 24 * 60,
    SETTINGS_ENTROPY_SECONDS_MAX = 7 * 24 * 60 * 60,
    SETTINGS_DEALERS_SECONDS_MAX = 7 * 24 * 60 * 60,
    SETTINGS_DELAY_ENTRIES_MAX = 1000
};

/* The names are what is stored: `pod_swiss`, `dutch`, `round_robin` and so on. */
enum tournament_format {
    FORMAT_POD_SWISS,          /* pod_swiss.h */
    FORMAT_DUTCH,              /* dutch.h: tables of two */
    FORMAT_ROUND_ROBIN,        /* berger.h: tables of two, once or twice */
    FORMAT_POD_ROUND_ROBIN,    /* pod_round_robin.h */
    FORMAT_SINGLE_ELIMINATION, /* elimination.h: tables of two */
    FORMAT_DOUBLE_ELIMINATION, /* elimination.h: tables of two */
    FORMAT_POD_ELIMINATION,    /* pod_elimination.h; a cut to a final table is one of these */
    FORMAT_LEAGUE,             /* league.h: a round robin of each division */
    FORMAT_LADDER,             /* ladder.h: challenges, no rounds */
    FORMAT_OPEN_PLAY,          /* open_play.h: a queue, no rounds */
    FORMAT_DUPLICATE,          /* duplicate.h: one stage only */
    TOURNAMENT_FORMATS
};

enum seeding_order { SEEDING_ENTERING, SEEDING_RATING, SEEDING_DRAW, SEEDING_ORDERS };

/* The value of a schedule's round for an entry without an opponent. */
enum free_rounds { FREE_ROUNDS_AS_BYES, FREE_ROUNDS_NOTHING };

/* What happens when a clock has run out. */
enum timeout_policy {
    TIMEOUT_ARBITER,    /* an arbiter is called; until the arbiter acts, the seat may still move */
    TIMEOUT_QUIET_MOVE, /* one fallback move is played */
    TIMEOUT_FALLBACK,   /* fallback moves are played for the seat from here on */
    TIMEOUT_FORFEIT,    /* the seat is out of the game */
    TIMEOUT_POLICIES
};

/* Whether entries of one person may sit at one table: a player and a bot of theirs, or two bots of
 * one owner. */
enum same_owner {
    SAME_OWNER_UNSAID,  /* in older logs: allowed */
    SAME_OWNER_ALLOWED, /* allowed */
    SAME_OWNER_APART,   /* no table of the event has two of them */
    SAME_OWNER_CHOICES
};

/* Whether people without an account may enter. */
enum guests_choice { GUESTS_NO, GUESTS_ALLOWED, GUESTS_CHOICES };

/* Whether the acts of officials carry their signatures. */
enum official_choice { OFFICIAL_OFF, OFFICIAL_OPTIONAL, OFFICIAL_REQUIRED, OFFICIAL_CHOICES };

/* The levels of house players, the weakest first. */
enum house_choice {
    HOUSE_NONE,
    HOUSE_BEGINNER,
    HOUSE_CASUAL,
    HOUSE_REGULAR,
    HOUSE_STRONG,
    HOUSE_MASTER,
    HOUSE_CHOICES
};

/* What an event tells people about itself. */
enum settings_detail {
    DETAIL_BANNER,
    DETAIL_CONTACT,
    DETAIL_DESCRIPTION,
    DETAIL_FEE,
    DETAIL_PLACE,
    DETAIL_PRIZES,
    DETAIL_STARTS_AT,
    SETTINGS_DETAILS
};

/* `bytes`: the maximum without the NUL; `lines`: several lines are allowed. */
struct settings_detail_field {
    const char *name;
    uint16_t bytes;
    bool lines;
};

/* By enum settings_detail. */
extern const struct settings_detail_field settings_details[SETTINGS_DETAILS];

/* The colours of a banner, ended by NULL. */
extern const char *const settings_banners[];

/* Fields that a format does not have are 0. */
struct stage_settings {
    enum tournament_format format;
    uint16_t entrants; /* the maximum number of entries that advance into it; 0 in the first stage:
                          all */
    uint16_t rounds;   /* planned; 0 if entries and results decide: round robin, league at tables of
                          two, eliminations, ladder, open play */
    uint16_t round_minutes;  /* a round's deadline after its start; 0 = none */
    struct table_rule table; /* table sizes; two for formats of two */
    enum pod_profile profile;
    uint8_t pairing_version;             /* of pod_swiss.h, pod_round_robin.h */
    const struct scoring_scheme *scheme; /* NULL only in duplicate and eliminations */
    struct scoring scoring; /* the scheme's, or the organizer's own; if free rounds are worth
                               nothing, so is a pairing bye */
    struct tie_break_rule chain[TIE_BREAK_CHAIN_MAX];
    size_t chain_count;
    enum unplayed_rules unplayed;
    bool twice;                 /* round robin, league: everyone meets twice */
    uint8_t free_rounds;        /* round robin, league: enum free_rounds */
    bool consolation;           /* elimination: a match for third place */
    uint8_t grand_final;        /* enum grand_final */
    uint8_t advance;            /* pod elimination: how many of each table advance */
    uint16_t division;          /* league: entries in a division */
    uint16_t division_smallest; /* league */
    uint16_t moves; /* league: how many move up and down between two divisions after the season */
    uint16_t reach; /* ladder: how many rungs up a challenge may reach */
    uint8_t effect; /* enum ladder_effect */
    uint16_t answer_minutes;   /* ladder: time to accept a challenge; 0 = unlimited */
    uint16_t best;             /* open play: how many games of each player count */
    uint16_t patience_minutes; /* open play: wait after which smaller tables are called */
    uint16_t boards;           /* duplicate */
    bool matchpoints;          /* duplicate: matchpoints, otherwise total */
    bool barometer;            /* duplicate: board by board, otherwise asynchronous */
    bool at_table;             /* people play with their own copy, and report the result */
};

/* A round robin or a league at tables of two: who leaves it early takes their results along. */
static inline bool settings_plays_everybody(const struct stage_settings *stage)
{
    return (stage->format == FORMAT_ROUND_ROBIN || stage->format == FORMAT_LEAGUE) &&
           stage->table.allowed == 1U << 2;
}

struct settings_dealer {
    char name[RECORD_DEALER_NAME_MAX + 1];
    uint8_t key[ECVRF_KEY];
};

struct tournament_settings {
    const char *name;
    const struct game *game; /* the ruleset, in its version, with its own component set */
    bool other_set;          /* games are played with another set: */
    uint8_t set[32];         /* its SHA-256 */
    struct game_options options;
    uint16_t capacity; /* 0 = no limit */
    bool check_in;
    uint16_t late_entries; /* rounds */
    enum seeding_order seeding;
    struct clock_control clock;
    enum timeout_policy on_timeout;
    bool take_back; /* by the players themselves */
    uint16_t protest_minutes;
    uint16_t confirm_minutes; /* 0 = reported results count only when confirmed */
    bool rate_reported;       /* reported results count for ratings */
    uint32_t entropy_seconds; /* 0 = games start at once */
    unsigned dealers;
    struct settings_dealer dealer[RECORD_DEALERS_MAX];
    uint32_t dealers_seconds; /* 0 = games wait until all dealers have answered */
    uint16_t delay_entries;   /* 0 = spectators see games without delay */
    enum guests_choice guests;
    enum same_owner same_owner;
    enum house_choice house; /* the highest level that may enter */
    bool no_bots;            /* bots may not enter */
    enum official_choice official_signatures;
    bool rate_house;                      /* games with house players are rated like all others */
    const char *detail[SETTINGS_DETAILS]; /* in UTF-8; NULL = not given */
    struct stage_settings stage[SETTINGS_STAGES_MAX];
    size_t stage_count;
};

/* Where the games of a format come from; documents use these words. */
enum format_games {
    GAMES_FROM_ROUNDS,     /* `rounds`, drawn for all entries */
    GAMES_FROM_CHALLENGES, /* `challenges` of players */
    GAMES_FROM_QUEUE       /* `queue`: waiting players are called to a table */
};

/* The properties of a format, whatever an event's settings. */
struct format {
    const char *name;  /* as it is stored: `pod_swiss` */
    const char *title; /* for people, in English: `multiplayer Swiss` */
    enum format_games games;
    bool two;            /* tables of two */
    bool points;         /* ranks by points and tie-breaks */
    const char *chain;   /* default chain of tie-breaks: tie_break_chain_find() */
    const char *scoring; /* default scheme, or NULL */
    uint16_t entries;    /* maximum number of entries */
};

extern const struct format settings_formats[TOURNAMENT_FORMATS];

/* The format with this name, or NULL. */
const struct format *settings_format_find(const char *name);

const char *format_games_name(enum format_games games);

const char *tournament_format_name(enum tournament_format format);

/* The words of settings: `quiet_move`. timeout_policy_find() returns -1 for other words. */
const char *timeout_policy_name(enum timeout_policy policy);
int timeout_policy_find(struct span name);

/* The word of a level of house players, or `none`. house_choice_find() returns -1 for other words.
 */
const char *house_choice_name(enum house_choice choice);
int house_choice_find(struct span name);

/* True for formats that play in rounds drawn for all entries: all but ladder and open play. */
bool tournament_format_has_rounds(enum tournament_format format);

/* True for formats that rank by points and tie-breaks: all but eliminations, ladder, open play and
 * duplicate. */
bool tournament_format_has_points(enum tournament_format format);

/* How the draws of a format treat pairs that are kept apart. */
enum parting {
    PARTING_NONE,      /* ignores them: a schedule, a bracket or a queue decides who meets */
    PARTING_FORBIDDEN, /* separates forbidden pairs only: FIDE's rules have no others */
    PARTING_WEIGHED    /* separates forbidden pairs, and others by weight */
};

/* The parting of the stage that does most. */
enum parting settings_parting(const struct tournament_settings *settings);

/* The first stage whose tables cannot keep entries of one owner apart, or NULL. Pod Swiss and Dutch
 * draws treat them as forbidden pairs, a ladder refuses their challenges, and a queue calls them to
 * different tables; schedules, brackets and the tables of boards are fixed. */
const struct stage_settings *settings_unparted(const struct tournament_settings *settings);

/* True if games wait before they start: for entropy or for co-dealers. */
bool settings_games_wait(const struct tournament_settings *settings);

/* True if the clocks are those of one sitting, so that all players are present when a round starts:
 * less than a day for a game, or at most an hour for a decision. False without clocks. */
bool settings_is_one_sitting(const struct tournament_settings *settings);

/* The most entries a stage can take: a single round robin has one round fewer than entries, and an
 * event has at most TOURNAMENT_ROUNDS_MAX. */
unsigned settings_entries_most(const struct stage_settings *stage);

/* The fewest entries with which a stage can begin: enough for its smallest table. One for ladders
 * and open play, which players can enter at any time. */
unsigned settings_entries_least(const struct stage_settings *stage);

enum settings_fault_kind {
    SETTINGS_FAULT_VALUE,   /* or the field of another format */
    SETTINGS_FAULT_MISSING, /* a required field is missing */
    SETTINGS_FAULT_UNKNOWN  /* a field that no format has */
};

/* What is wrong with settings. */
struct settings_fault {
    enum settings_fault_kind kind;
    char field[64];    /* `stages[1].rounds`, for problem documents */
    char message[200]; /* continues the field's name: `must be a whole number from 1 to 20.` */
};

/* Reads settings. `newest` is for what an organizer writes: a ruleset without a version is taken in
 * its newest one, missing fields get their defaults, and the form without `stages` is allowed.
 * Without `newest` every field is required, as in a log. `name` and `detail` borrow from
 * `document`. False: `fault` says why. Pure; any thread. */
bool settings_read(json_t *document, bool newest, struct tournament_settings *settings,
                   struct settings_fault *fault);

/* Settings as a new JSON object that the caller owns, in the form above with every field. */
json_t *settings_write(const struct tournament_settings *settings);

/* The value of `clock`: null without clocks. */
json_t *settings_write_clock(const struct clock_control *clock);

/* Applies an organizer's object of new values: top-level fields replace, and `stages`, if given, is
 * the whole list. `started_stages` stages and `rounds_started` rounds (of all stages) have begun.
 * Refuses what can no longer change: ruleset, options and seeding once a stage has begun; format,
 * table sizes, pairing version (except for a newer one of pod Swiss) and whatever else determines
 * the schedule of stages that have begun; fewer rounds than have begun. Scoring, tie-breaks, future
 * rounds, capacity and deadlines may change at any time. If there is only one stage, its fields may
 * stand beside the others: they replace its own, or, with another `format`, start from defaults.
 * `result` borrows its name and details from `changes` or `now`. */
bool settings_change(const struct tournament_settings *now, json_t *changes, size_t started_stages,
                     unsigned rounds_started, struct tournament_settings *result,
                     struct settings_fault *fault);

#endif
