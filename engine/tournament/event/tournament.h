/* An event as the fold of its log. Entries, pairings, results and rulings are functions of its
 * lines alone, so any earlier moment can be rebuilt, a step can be tried before it is taken, and
 * another installation gets the same state.
 *
 * engine/tournament/EVENT.md defines the lines, and what follows from them. Unknown kinds and
 * fields are refused, so a log is understood completely or not at all.
 *
 * A member `strength` of `entered` is the rating (rating.h) from which `rating` is mu - 3 sigma in
 * thousandths, at least 1; without a rating, that of a new player. All entries of a log have it, or
 * none has: logs from before there was this member. Older lines `ruled` have `forfeit_loss` for the
 * seats of a void table: see tournament_may_be_void(). A line `round_started` has `play` if it is
 * not the stage's. With scores, a better score never has a worse rank.
 *
 * If the settings keep a player and their bots apart (`same_owner`) and a stage cannot keep them
 * apart, the second entry is refused.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_EVENT_TOURNAMENT_H
#define TILLROLL_ENGINE_TOURNAMENT_EVENT_TOURNAMENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/text.h"
#include "engine/game/game.h"
#include "engine/tournament/event/settings.h"
#include "engine/tournament/result/rating.h"
#include "engine/tournament/result/result.h"

enum {
    TOURNAMENT_ID_BYTES = 37, /* a UUID with its NUL */
    TOURNAMENT_HEAD_BYTES = 32,
    TOURNAMENT_TABLES_MAX = 65535,
    TOURNAMENT_NOBODY = UINT16_MAX
};

enum tournament_phase {
    PHASE_DRAFT,
    PHASE_ENTRIES_OPEN,
    PHASE_ENTRIES_CLOSED,
    PHASE_RUNNING,
    PHASE_CLOSED
};

/* Bit r - 1 of a set of rounds stands for round r. */
typedef uint64_t round_set;

enum entrant_state {
    ENTRANT_TAKEN,
    ENTRANT_WAITING,   /* the event is full */
    ENTRANT_WITHDRAWN, /* before numbers were given; may enter again, at the end of the waiting list
                        */
    ENTRANT_NOT_THERE  /* accepted, but not checked in when numbers were given; may enter late */
};

/* All who ever entered, in the order of their first `entered` line. The index is an entry in the
 * sense of result.h. */
struct entrant {
    char player[TOURNAMENT_ID_BYTES];
    char owner[TOURNAMENT_ID_BYTES]; /* a bot's owner; "" for others, and in older logs */
    bool checked_in;
    bool unrated;           /* had no account when the event was closed (see `closed`) */
    uint8_t house;          /* enum house_choice: the level of a house player */
    uint8_t state;          /* enum entrant_state */
    uint16_t number;        /* from 1; 0 until numbers are given */
    uint16_t from;          /* first round it can take part in; 1 except for late entries */
    uint32_t entered;       /* number of the line that determines the order */
    int32_t rating;         /* 0 = none */
    struct rating strength; /* at the time of entering; sigma 0 = not in this log */
    round_set out;          /* rounds it misses because it has dropped */
    round_set full_bye, half_bye, zero_bye; /* granted byes */
};

/* An entry that has dropped out is out of all later rounds, including the last possible one. */
static inline bool tournament_has_dropped(const struct entrant *entrant)
{
    return entrant->out >> (TOURNAMENT_ROUNDS_MAX - 1) != 0;
}

/* One table of one round, played or to be played. */
struct tournament_table {
    uint16_t round; /* 0: ladder, open play */
    uint16_t table;
    uint16_t board; /* duplicate: from 1; else 0 */
    uint16_t match; /* match of a bracket, or TOURNAMENT_NOBODY */
    uint8_t stage;  /* from 0 */
    uint8_t seats;
    bool has_result;     /* of a game, or by ruling */
    bool ruled;          /* `result` is a ruling's */
    bool played;         /* the game has ended: `game_result` is its result */
    bool at_table;       /* people play with their own copy: no game is dealt */
    bool reported;       /* a reported result counts, and is `game_result` */
    uint8_t forfeited;   /* bit s: seat s went out of the game */
    uint8_t substituted; /* bit s: a substitute held the seat at the end */
    uint8_t house;       /* bit s: a house player held the seat as a substitute */
    uint32_t report;     /* reports[report - 1]; 0 = nothing has been reported */
    uint32_t since;      /* number of the line that started it */
    int64_t since_ms;
    int64_t line_ms;                      /* the time of the line that decided it */
    uint16_t entry[TOURNAMENT_SEATS_MAX]; /* in order of seats */
    char game[TOURNAMENT_ID_BYTES];       /* "" until the game has ended */
    struct table_result result;           /* the result that counts */
    struct table_result game_result;
};

/* The author of a step about a report: a seat of the table, or one of these. */
enum { REPORT_OFFICIAL = 100, REPORT_TIME, REPORT_NOBODY };

/* What has been reported of a table. */
struct tournament_report {
    uint32_t table;     /* index */
    int64_t at_ms;      /* the time of the line with `result` */
    uint8_t by;         /* who reported it */
    uint8_t counted_by; /* who made it count: REPORT_NOBODY while it does not */
    uint8_t against;    /* seat that objects or differs: the arbiter is called; or REPORT_NOBODY */
    bool scored;        /* otherwise places alone: scores are 0 */
    bool differs;       /* `other` is the result that the seat `against` reports */
    bool other_scored;
    bool settled;                        /* an official has decided: seats object no more */
    bool corrected;                      /* by an official */
    char recording[TOURNAMENT_ID_BYTES]; /* the record of a scorer that `result` is from; "" = none
                                          */
    uint8_t head[TOURNAMENT_HEAD_BYTES]; /* that record's last hash */
    struct table_result result, other;
};

/* An entry without a seat in a round, and why. */
struct tournament_bye {
    uint16_t round;
    uint16_t board; /* duplicate: from 1; else 0 */
    uint16_t entry;
    uint8_t kind; /* enum round_kind: PAIRING_BYE .. ABSENT */
    uint8_t stage;
};

struct tournament_round {
    uint16_t number;
    uint8_t stage;
    uint16_t attempt;   /* attempt of the draw */
    uint16_t changes;   /* changes by hand */
    size_t first_table; /* tables[first_table .. + table_count) */
    size_t table_count;
    size_t first_bye;
    size_t bye_count;
    size_t decided;                  /* tables with a result */
    uint16_t boards, boards_started; /* duplicate; else 0 */
    uint32_t drawn;                  /* number of the line with the draw that counts */
    int64_t started_ms, deadline_ms; /* 0 = none */
};

struct tournament_stage {
    uint16_t *entries; /* owned; best seed first */
    size_t entry_count;
    uint16_t first_round; /* number of its first round */
};

/* A pair that is kept apart; entries. */
struct tournament_pair {
    uint16_t a, b;
    uint16_t weight; /* 1 .. POD_WEIGHT_MAX, or POD_FORBIDDEN */
};

/* Ladder and open play: the events in order. */
struct tournament_challenge {
    uint16_t challenger, challenged;
    uint16_t table; /* 0 until played */
    bool over;      /* cancelled or played */
    int64_t at_ms;
};

struct tournament_wait {
    uint16_t entry;
    int64_t since_ms;
};

struct tournament_role {
    char player[TOURNAMENT_ID_BYTES];
    bool organizer, arbiter;
};

struct tournament {
    enum tournament_phase phase;
    bool cancelled; /* PHASE_CLOSED, and no game was ever played */
    struct tournament_settings settings;
    json_t *settings_document; /* owned; the settings borrow from it */
    struct entrant *entrants;
    size_t entrant_count;
    size_t numbered; /* highest number given */
    struct tournament_stage stage[SETTINGS_STAGES_MAX];
    size_t stages;                   /* that have begun */
    struct tournament_round *rounds; /* the last may be a draft */
    size_t round_count;
    uint16_t rounds_started;
    uint16_t attempts; /* draws of the next round: drafts withdrawn or pending */
    struct tournament_table *tables;
    size_t table_count;
    struct tournament_report *reports;
    size_t report_count;
    size_t contested; /* tables whose report needs an official */
    struct tournament_bye *byes;
    size_t bye_count;
    struct tournament_pair *pairs;
    size_t pair_count;
    struct tournament_challenge *challenges;
    size_t challenge_count;
    size_t open_tables; /* of round 0: their numbers are 1 .. open_tables */
    size_t open_undecided;
    struct tournament_wait *queue; /* the players waiting now */
    size_t queue_count;
    struct tournament_role *roles;
    size_t role_count;
    uint32_t lines;    /* number of the last line */
    int64_t last_ms;   /* the latest time of a line */
    json_t *schedules; /* owned, or NULL: schedules of the current stage's divisions, from the draw
                          of its first round (pairing.h) */
    struct tournament_index *index; /* owned: players by id, entrants by number, tables by place */
};

/* One line. Borrowed. */
struct tournament_line {
    uint32_t number;   /* from 1, without gaps */
    int64_t at_ms;     /* by the clock of the server that wrote it: servers may differ a little */
    const char *actor; /* player id, or "" for the service itself */
    const char *kind;
    json_t *detail;
};

/* Refusals, stable; most name something that an organizer can fix. */
#define TOURNAMENT_REFUSAL_LINE                                                                    \
    "bad-event-line"                            /* malformed line: kind, field, range or number    \
                                                 */
#define TOURNAMENT_REFUSAL_PHASE  "wrong-state" /* not possible in this state */
#define TOURNAMENT_REFUSAL_PLAYER "not-entered" /* not entered, or not in this state */
#define TOURNAMENT_REFUSAL_TWICE                                                                   \
    "already-entered"                            /* or checked in, dropped, kept apart already     \
                                                  */
#define TOURNAMENT_REFUSAL_ROUND "round-running" /* tables without a result; a draft is pending */
#define TOURNAMENT_REFUSAL_STALE "draw-is-stale" /* somebody in the draft has left since */
#define TOURNAMENT_REFUSAL_TABLE "no-such-table" /* or a result of players who do not sit there */
#define TOURNAMENT_REFUSAL_LATE  "too-late"      /* entries, byes, settings after their time */
#define TOURNAMENT_REFUSAL_FULL  "event-full"    /* a limit of the service, not the capacity */
#define TOURNAMENT_REFUSAL_OWNER                                                                   \
    "same-owner" /* two entries of one person at a table, or entered                               \
                  */
#define TOURNAMENT_REFUSAL_HOUSE  "house-not-allowed" /* or not at this level */
#define TOURNAMENT_REFUSAL_BOT    "bot-not-allowed"
#define TOURNAMENT_REFUSAL_ONLINE "not-at-table" /* the table's game is played on the service */
#define TOURNAMENT_REFUSAL_REPORT                                                                  \
    "no-report" /* nothing has been reported that could be confirmed, objected to or corrected */
#define TOURNAMENT_REFUSAL_OWN      "own-report" /* only others confirm a report, or object to it */
#define TOURNAMENT_REFUSAL_REPORTED "already-reported" /* the reported result counts */
#define TOURNAMENT_REFUSAL_CALLED   "arbiter-called"   /* now only an official decides */
#define TOURNAMENT_REFUSAL_MEMORY   "out-of-memory"

/* An event before its first line. */
void tournament_init(struct tournament *tournament);
void tournament_free(struct tournament *tournament);

/* Applies the next line. False: refused, and the event is unchanged (except after `out-of-memory`,
 * when it can only be freed). To learn whether a step is allowed, apply its line to a loaded event,
 * and store the line if it is accepted. Pure. */
bool tournament_apply(struct tournament *tournament, const struct tournament_line *line,
                      struct refusal *refusal);

/* A copy of the event for trial steps; NULL when out of memory. Free both. */
struct tournament *tournament_copy(const struct tournament *tournament);

/* The memory that a copy takes, in bytes. Settings and schedules are shared by all copies and not
 * counted. */
size_t tournament_bytes(const struct tournament *tournament);

/* ---- Queries. TOURNAMENT_NOBODY, NULL or 0 if there is none ---- */

uint16_t tournament_entry(const struct tournament *tournament, struct span player);
uint16_t tournament_entry_numbered(const struct tournament *tournament, uint16_t number);
struct tournament_table *tournament_table(const struct tournament *tournament, unsigned round,
                                          unsigned table);
struct tournament_round *tournament_draft(const struct tournament *tournament);

/* The entries that would take part if entries closed now. */
struct tournament_field {
    unsigned there;   /* entered, and checked in if the event requires it */
    unsigned missing; /* entered, but not checked in */
    unsigned needed;  /* of the first stage: settings_entries_least() */
};

/* True if enough would take part to begin. Ask before closing entries; the line `entries_closed`
 * itself is accepted without this check, because in some logs fewer got numbers. Pure. */
bool tournament_has_field(const struct tournament *tournament, struct tournament_field *field);

/* True if the event has a capacity and no place is free; a player who has dropped out of the next
 * round leaves a place free. Pure. */
bool tournament_is_full(const struct tournament *tournament);

/* True if a player who is not in the event may enter it although entries are closed, as far as the
 * event's state decides: rounds and stages have not gone too far for its format, and a place is
 * free. False with a refusal. That `late_entries` is 0 matters only to formats with rounds here.
 * Pure. */
bool tournament_may_come_late(const struct tournament *tournament, struct refusal *refusal);

/* True if a player who has dropped out may return: the event is not closed, and its present stage
 * is no bracket. False with a refusal. Pure. */
bool tournament_may_return(const struct tournament *tournament, struct refusal *refusal);

/* True if the table's ruling can be revoked: it has one, and the game has a result of its own or
 * nothing has been paired from the ruling. False with a refusal. Pure. */
bool tournament_may_revoke(const struct tournament *tournament,
                           const struct tournament_table *table, struct refusal *refusal);

/* True if the event can be closed: it is running, all of its tables have results, and no round is
 * waiting to be started. False with a refusal. Pure. */
bool tournament_may_close(const struct tournament *tournament, struct refusal *refusal);

/* True if the event can be cancelled: nothing has been played, and no round is paired. False with
 * a refusal. Pure. */
bool tournament_may_cancel(const struct tournament *tournament, struct refusal *refusal);

/* True if one entry of a ladder may challenge another one (numbers of entrants), as far as their
 * rungs do not decide, which ladder_may_challenge() knows. False with a refusal. Pure. */
bool tournament_may_challenge(const struct tournament *tournament, uint16_t challenger,
                              uint16_t challenged, struct refusal *refusal);

/* True for two different entries of one person that the event keeps apart. */
bool tournament_parts(const struct tournament *tournament, uint16_t one, uint16_t other);

/* True if the table's game is rated on the list of house players: one has, or as a substitute had,
 * a seat there, and the event does not rate such games like all others (`rate_house`). */
bool tournament_rates_apart(const struct tournament *tournament,
                            const struct tournament_table *table);

/* The seats of a table, as bits, whose reported result is rated: none unless `rate_reported` is set
 * and the event is closed. A result is rated if an official entered, confirmed, corrected or
 * overruled it, or another seat confirmed it; not if it counts by time alone, nor if a seat was won
 * or lost by forfeit. Seats of players without an account are left out, and the others rated among
 * themselves: two at least. Such tables are rated in the order of `tables`, when the event is
 * closed. Pure. */
unsigned tournament_rated_seats(const struct tournament *tournament,
                                const struct tournament_table *table);

/* True if the log's entries have a `strength`; false also before the first entry. Pure. */
bool tournament_has_strengths(const struct tournament *tournament);

/* Rates the result of a table by Plackett-Luce. `seats` are those that take part, as bits;
 * `ratings` has one of each entry, and those of these seats change. A seat that a substitute held
 * at the end is rated as a new player's, and changes nothing. False, with nothing changed, if there
 * are fewer than two seats. Pure. */
bool tournament_rate(const struct tournament_table *table, unsigned seats, struct rating *ratings);

/* All seats of a table, as bits, for tournament_rate(); none if a seat was won or lost by forfeit:
 * that does not measure anyone's strength. Pure. */
unsigned tournament_seats_played(const struct table_result *result);

/* The stage of the next round, or NULL if none is left or none has begun. */
const struct stage_settings *tournament_stage(const struct tournament *tournament);

/* The number of the event's last round: as planned or, for a round robin, determined by its
 * entries. 0 if results or future entries decide: eliminations, leagues at tables of two, a round
 * robin before its entries are known. */
unsigned tournament_rounds_planned(const struct tournament *tournament);

/* True if a started round, or a game of ladder or open play, has no result yet, or a reported
 * result needs an official. */
bool tournament_is_running(const struct tournament *tournament);

/* The earliest moment, in ms, at which something is due without a request: an unanswered challenge
 * of a ladder expires, a wait in the queue of open play exceeds the patience, or a report counts by
 * time. 0 = none. */
int64_t tournament_due_ms(const struct tournament *tournament);

/* What has been reported of a table; NULL if nothing. */
const struct tournament_report *tournament_report(const struct tournament *tournament,
                                                  const struct tournament_table *table);

/* True if the result that counts is reported from the record of a scorer. */
bool tournament_is_recorded(const struct tournament *tournament,
                            const struct tournament_table *table);

/* What is told of a seat's result. A place: not at a table without a result, or a void one. A
 * score: not where places alone were reported or ruled, nor of a forfeit, unless a score was said
 * for it; always on a board of duplicate, where it counts. Pure; any thread. */
bool tournament_has_place(const struct tournament_table *table, unsigned seat);
bool tournament_has_score(const struct tournament *tournament, const struct tournament_table *table,
                          unsigned seat);

/* True for a table whose ruling is one of a void game, or of a game to which nobody came: before
 * the kind `void`, logs had the same line for both. The caller, who knows more of the game, tells
 * the first by tournament_mark_void(), which changes the kind and nothing that follows from it. */
bool tournament_may_be_void(const struct tournament_table *table);
void tournament_mark_void(struct tournament_table *table);

/* The moment at which the table's report counts by time; 0 = it does not, or counts already. */
int64_t tournament_report_due_ms(const struct tournament *tournament,
                                 const struct tournament_table *table);

/* The seat of an entry at a table; -1 if it has none there. */
int tournament_seat_of(const struct tournament_table *table, uint16_t entry);

/* The seat at a table of this player, or of a bot of theirs; REPORT_OFFICIAL for anybody else. */
uint8_t tournament_seat(const struct tournament *tournament, const struct tournament_table *table,
                        const char *player);

/* The moment until which a challenge must be accepted; 0 = unlimited. */
int64_t tournament_answer_ms(const struct tournament *tournament,
                             const struct tournament_challenge *challenge);

/* How an entry takes part in the next round to be drawn: ROUND_PLAYED if it wants a seat, otherwise
 * the kind of its bye or absence. */
enum round_kind tournament_presence(const struct tournament *tournament, uint16_t entry,
                                    unsigned round);

/* Byes and results up to `rounds` of the stages `first_stage` .. `last_stage`, in the form that
 * standings.h and the pairings take: a new array for free(), with its length in `count`. Entries
 * are the indices of entrants. NULL when out of memory. */
struct table_result *tournament_results(const struct tournament *tournament, size_t first_stage,
                                        size_t last_stage, unsigned rounds, size_t *count);

/* ---- Imagined play: how an event may continue (tournament_imagine.c). For a copy, which is no
 * fold of a log any more from the first of these on. They check nothing: the caller passes what a
 * line could say. False when out of memory; then the copy can only be freed ---- */

/* Takes back a draft, if there is one. */
void tournament_imagine_no_draft(struct tournament *copy);

/* Begins the next stage with these entries, best seed first; `count` is 1 .. entrants. */
bool tournament_imagine_stage(struct tournament *copy, const uint16_t *entries, size_t count);

/* Starts the next round of the stage. Of a table its seats, match and entries are read; of a bye
 * its entry and kind. */
bool tournament_imagine_round(struct tournament *copy, const struct tournament_table *tables,
                              size_t table_count, const struct tournament_bye *byes,
                              size_t bye_count);

/* Decides a table of a started round that has no result yet. `result` has its seats. */
void tournament_imagine_result(struct tournament *copy, struct tournament_table *table,
                               const struct table_result *result);

/* `played`, `adjudicated`, `forfeit_win`, `forfeit_loss`, `pairing_bye`, `full_bye`, `half_bye`,
 * `zero_bye`, `absent`, `void`. The kind with this name, or -1. */
const char *round_kind_name(enum round_kind kind);
int round_kind_find(struct span name);

#endif
