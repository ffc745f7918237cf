/* What an event is: its settings, as the lines `created` and `settings_changed` of its log hold
 * them, and as organizers write them. One JSON object, read and written here and nowhere else.
 *
 *      {
 *        "name": "Autumn cup",             1 .. 80 characters (checked where it is read from HTTP)
 *        "ruleset": "shinjuku", "version": "1.0.0",
 *        "options": {"advanced": "off"},   every option of the ruleset
 *        "capacity": 64,                   entries that are taken; more wait. null = no limit
 *        "check_in": false,                only who has checked in is numbered
 *        "late_entries": 2,                rounds that may have begun when somebody still enters
 *        "seeding": "entering",            who gets number 1: `entering`, `rating`, `draw`
 *        "stages": [{"format": "pod_swiss", ...}, {"format": "single_elimination", ...}],
 *        "clock": {"bank_ms": 1200000, "increment_ms": 20000, "cap_ms": 1800000},
 *                                          or {"move_ms": 259200000}; null = no clocks
 *        "on_timeout": "arbiter",          or `quiet_move`, `fallback`, `forfeit`
 *        "take_back": false                players may take back their own moves
 * (engine/record/RECORD.md) "protest_minutes": 1440,          after a game, or a ruling in a
 * dispute "entropy_seconds": 0              for which games wait for their players' entropy
 *                                          (engine/record/RECORD.md) before they start; 0 = not at
 * all. Not in duplicate events "delay_entries": 0                by how many entries of its record
 * who has no seat in a running game is behind "same_owner": "apart"             or `allowed`:
 * whether a player may sit at a table with a bot of theirs, and two bots of one owner together
 *      }
 *
 * `clock` to `delay_entries` are written only where they are not null, `arbiter`, false, 1440, 0,
 * 0; games have them that begin afterwards.
 *
 * What an event says of itself to people is written only where an organizer has said it: `banner`
 * (a word of settings_banners), `contact`, `description`, `fee`, `place`, `prizes` (texts), and
 * `starts_at` (2026-12-01T18:00:00.000Z). Nothing else of the event depends on it. null takes one
 * away.
 *
 * `guests` is `allowed` where people without an account may enter, with a name alone; it is written
 * only then, and is `no` in all other logs.
 *
 * `same_owner` is `apart` where an organizer says nothing. Logs that do not say it are older: in
 * their events nobody is kept apart, as with `allowed`, and it stays unsaid until an organizer
 * changes it.
 *
 * A stage has `format` and the fields of that format (the table in settings_fields.c says which,
 * with their ranges and defaults; settings_scoring.c has `scoring`); after the first also
 * `entrants`, how many go on into it. Ladder, open play and duplicate are the only stage of their
 * events. Written settings always have every field of their formats, in byte order of the names, so
 * that equal settings are equal bytes.
 *
 * `pairing_version` of pod Swiss, pod round robins and leagues is the newest where an organizer
 * says nothing, and 1 in logs that are older than it. A stage of pod Swiss that has begun can be
 * given a newer version, never an older one: what was drawn stands, and is made again by the
 * version of then.
 *
 * `free_rounds` of round robins and leagues says what a round without an opponent is worth: at
 * tables of two `nothing`, because everybody's turn comes (FIDE C.05: the last number of an odd
 * field is no player), and at larger ones `as_byes`, what the scoring has for a pairing bye,
 * because some may have more of them. Logs that do not say it are older, and mean `as_byes`.
 *
 * An organizer who wants one stage only may write its fields beside the others, without `stages`.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_EVENT_SETTINGS_H
#define TILLROLL_ENGINE_TOURNAMENT_EVENT_SETTINGS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/game/game.h"
#include "engine/record/clock.h"
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
    SETTINGS_ENTROPY_SECONDS_MAX = 7 * 24 * 60 * 60,
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

/* What a round of a schedule is worth in which somebody is left without an opponent. */
enum free_rounds { FREE_ROUNDS_AS_BYES, FREE_ROUNDS_NOTHING };

/* What follows when a clock has run out. */
enum timeout_policy {
    TIMEOUT_ARBITER,    /* an arbiter is called; until the arbiter acts the seat may still move */
    TIMEOUT_QUIET_MOVE, /* the quiet move, this once */
    TIMEOUT_FALLBACK,   /* the quiet move plays for the seat from here on */
    TIMEOUT_FORFEIT,    /* the seat is out of the game */
    TIMEOUT_POLICIES
};

/* Whether those sit at one table who are one person: a player and a bot of theirs, or two bots of
 * one owner. */
enum same_owner {
    SAME_OWNER_UNSAID,  /* of older logs: they may */
    SAME_OWNER_ALLOWED, /* they may */
    SAME_OWNER_APART,   /* no table of the event has two of them */
    SAME_OWNER_CHOICES
};

/* Whether those enter who have a name and no account. */
enum guests_choice { GUESTS_NO, GUESTS_ALLOWED, GUESTS_CHOICES };

/* What an event says of itself to people. */
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

/* `bytes`: at most, without the NUL; `lines`: it may have several. */
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
    uint16_t entrants;       /* that go on into it, at most; 0 in the first stage: everybody */
    uint16_t rounds;         /* planned; 0 where entries and results decide: round robin, league at
                                tables of two, eliminations, ladder, open play */
    uint16_t round_minutes;  /* a round's deadline after its start; 0 = none */
    struct table_rule table; /* sizes of tables; two for formats of two */
    enum pod_profile profile;
    uint8_t pairing_version;             /* of pod_swiss.h, pod_round_robin.h */
    const struct scoring_scheme *scheme; /* NULL in duplicate and eliminations, never else */
    struct scoring scoring;              /* the scheme's, or what an organizer made of it; with free
                                            rounds worth nothing, a pairing bye too */
    struct tie_break_rule chain[TIE_BREAK_CHAIN_MAX];
    size_t chain_count;
    enum unplayed_rules unplayed;
    bool twice;                 /* round robin, league: everybody meets twice */
    uint8_t free_rounds;        /* round robin, league: enum free_rounds */
    bool consolation;           /* elimination: a match for the third place */
    uint8_t grand_final;        /* enum grand_final */
    uint8_t advance;            /* pod elimination: how many of each table go on */
    uint16_t division;          /* league: entries in a division */
    uint16_t division_smallest; /* league */
    uint16_t moves;             /* league: up and down between two divisions after the season */
    uint16_t reach;             /* ladder: rungs that a challenge may reach up */
    uint8_t effect;             /* enum ladder_effect */
    uint16_t answer_minutes;    /* ladder: in which a challenge has to be accepted; 0 = any time */
    uint16_t best;              /* open play: how many games of each count */
    uint16_t patience_minutes;  /* open play: after which smaller tables are called */
    uint16_t boards;            /* duplicate */
    bool matchpoints;           /* duplicate: matchpoints, else total */
    bool barometer;             /* duplicate: board by board, else asynchronous */
};

struct tournament_settings {
    const char *name;
    const struct game *game; /* the ruleset in its version */
    struct game_options options;
    uint16_t capacity; /* 0 = no limit */
    bool check_in;
    uint16_t late_entries; /* rounds */
    enum seeding_order seeding;
    struct clock_control clock;
    enum timeout_policy on_timeout;
    bool take_back; /* by the players themselves */
    uint16_t protest_minutes;
    uint32_t entropy_seconds; /* 0 = games start at once */
    uint16_t delay_entries;   /* 0 = spectators see games as they are */
    enum guests_choice guests;
    enum same_owner same_owner;
    const char *detail[SETTINGS_DETAILS]; /* in UTF-8; NULL = not said */
    struct stage_settings stage[SETTINGS_STAGES_MAX];
    size_t stage_count;
};

/* Where the games of a format come from, which documents tell by these words. */
enum format_games {
    GAMES_FROM_ROUNDS,     /* `rounds`, drawn for everybody */
    GAMES_FROM_CHALLENGES, /* `challenges` of players */
    GAMES_FROM_QUEUE       /* `queue`: whoever waits in it is called to a table */
};

/* What a format is, whatever an event's settings say. */
struct format {
    const char *name;  /* as it is stored: `pod_swiss` */
    const char *title; /* for people, in English: `pod Swiss` */
    enum format_games games;
    bool two;            /* tables of two */
    bool points;         /* ranks by points and tie-breaks */
    const char *chain;   /* of tie-breaks that it begins with: tie_break_chain_find() */
    const char *scoring; /* that it begins with, or NULL */
    uint16_t entries;    /* at most */
};

extern const struct format settings_formats[TOURNAMENT_FORMATS];

/* The format with this name, or NULL. */
const struct format *settings_format_find(const char *name);

const char *format_games_name(enum format_games games);

const char *tournament_format_name(enum tournament_format format);

/* The words of settings: `quiet_move`. timeout_policy_find() gives -1 for others. */
const char *timeout_policy_name(enum timeout_policy policy);
int timeout_policy_find(struct span name);

/* True for formats that play in rounds drawn for everybody; not ladder and open play. */
bool tournament_format_has_rounds(enum tournament_format format);

/* True for formats that rank by points and tie-breaks; not eliminations, ladder, open play,
 * duplicate. */
bool tournament_format_has_points(enum tournament_format format);

/* How the draws of a format take pairs that are kept apart. */
enum parting {
    PARTING_NONE,      /* not at all: a schedule, a bracket or a queue says who meets */
    PARTING_FORBIDDEN, /* forbidden pairs only: FIDE's rules know of no others */
    PARTING_WEIGHED    /* forbidden pairs, and others by their weight */
};
enum parting tournament_format_parting(enum tournament_format format);

/* That of the stage which takes them best. */
enum parting settings_parting(const struct tournament_settings *settings);

/* The first stage whose tables cannot be made so that those with one owner sit apart, NULL if there
 * is none: pod Swiss and Dutch draws part them as forbidden pairs, a ladder refuses their
 * challenges, and a queue calls them to different tables; schedules, brackets and the tables of
 * boards are what they are. */
const struct stage_settings *settings_unparted(const struct tournament_settings *settings);

/* True if the clocks are those of one sitting, so that everybody is there when a round starts: less
 * than a day for a game, or at most an hour for a decision. Without clocks nobody has to be. */
bool settings_is_one_sitting(const struct tournament_settings *settings);

/* The most that can enter a stage: a single round robin has a round fewer than entries, and an
 * event has TOURNAMENT_ROUNDS_MAX at most. */
unsigned settings_entries_most(const struct stage_settings *stage);

/* The fewest with whom a stage can begin: as many as fill its smallest table. In ladders and open
 * play, which others can enter at any time, one. */
unsigned settings_entries_least(const struct stage_settings *stage);

enum settings_fault_kind {
    SETTINGS_FAULT_VALUE,   /* or a field of another format */
    SETTINGS_FAULT_MISSING, /* a field that is needed */
    SETTINGS_FAULT_UNKNOWN  /* a field that no format has */
};

/* What is wrong with settings. */
struct settings_fault {
    enum settings_fault_kind kind;
    char field[64];    /* `stages[1].rounds`, for problem documents */
    char message[200]; /* continues it: `must be a whole number from 1 to 20.` */
};

/* Reads settings. `newest`: a ruleset without a version is taken in its newest one, missing fields
 * get their defaults, and the form without `stages` is allowed: what an organizer writes. Without
 * it everything has to be there: what a log holds. `name` and `detail` borrow from `document`.
 * False: `fault` says why. Pure; any thread. */
bool settings_read(json_t *document, bool newest, struct tournament_settings *settings,
                   struct settings_fault *fault);

/* Settings as a new JSON object that the caller owns, in the form above with every field. */
json_t *settings_write(const struct tournament_settings *settings);

/* The value of `clock`: null without clocks. */
json_t *settings_write_clock(const struct clock_control *clock);

/* Settings changed by an organizer's object of new values: top-level fields replace, and `stages`,
 * where given, is the whole list. `started_stages` is how many stages have begun and
 * `rounds_started` how many rounds have, of all stages: what can no longer change by then is
 * refused (ruleset, options and seeding once a stage has begun; format, table sizes, the version of
 * the pairing (but for a newer one of pod Swiss) and whatever else makes the schedule of stages
 * that have begun; fewer rounds than begun). Scoring, tie-breaks,
 * rounds to come, capacity, deadlines may change at any time. Fields of the stage may stand beside
 * the others if there is only one: they replace its own, or with another `format` begin anew.
 * `result` borrows its name and details from `changes` or `now`. */
bool settings_change(const struct tournament_settings *now, json_t *changes, size_t started_stages,
                     unsigned rounds_started, struct tournament_settings *result,
                     struct settings_fault *fault);

#endif
