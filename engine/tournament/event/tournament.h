/* An event as its log makes it. The log is all there is: who takes part, who was paired with whom,
 * what came of it and what was ruled are functions of its lines, so that any earlier moment can be
 * looked at, a step can be tried before it is taken, and another installation finds the same.
 *
 * A line has a number, a time, who did it, a kind and a JSON object:
 *
 *      created             {the settings: settings.h}    its actor is the first organizer
 *      settings_changed    {the settings as they are now}
 *      entries_opened      {}                         again: after entries_closed, before any round
 *      entered             {"player": id, "rating": n or null, "late": true?, "owner": id?}
 *                          rating: whole, 1 .. 2^24, for seeding and for tie-breaks by rating;
 *                          owner: whose bot it is
 *      withdrawn           {"player"}                 before the event's numbers are given
 *      checked_in          {"player", "present": bool}
 *      entries_closed      {"numbers": [id, ..]}      numbers 1, 2, .. in this order
 *      dropped             {"player", "after": round} out of later rounds
 *      returned            {"player", "from": round}
 *      bye_granted         {"player", "round", "kind": "full" | "half" | "zero"}
 *      bye_revoked         {"player", "round"}
 *      kept_apart          {"players": [id, id], "weight": 1 .. 10000 or "forbidden"}
 *      not_kept_apart      {"players": [id, id]}
 *      stage_started       {"stage": n, "entries": [number, ..]}   best seed first
 *      round_drawn         {"round", "stage", "attempt", "tables": [[number, ..], ..],
 *                           "matches": [n, ..]?, "byes": [number, ..], "absent":
 *                           [[number, kind], ..], "quality": {..}}  a draft; numbers in order of
 *                           seats; table n is the n-th; matches name those of a bracket
 *      round_changed       {"round", "tables", "matches"?, "byes", "quality", "reason"}
 *      round_withdrawn     {"round"}                  the draft; the next has another attempt
 *      round_started       {"round", "deadline": ms or null}       the draft is published and
 *                           played. Duplicate: {"round", "boards", "commitment"}, without a draft
 *      board_started       {"round", "board", "tables", "first_table"}   duplicate: its tables
 *      table_started       {"round": 0, "table", "numbers"}       ladder, open play: a game
 *      result              {"round", "table", "game": id, "seats": [[number, rank, score], ..],
 *                           "forfeited": [number, ..]?, "substituted": [number, ..]?}  marks, as
 *                           the game's record has them: who went out of it, for whom somebody else
 *                           ended it; in order of seats, written only where there are any
 *      ruled               {"round", "table", "seats": [[number, rank, score, kind], ..],
 *                           "reason"}                 stands over a result; `kind` by name
 *      ruling_revoked      {"round", "table", "reason"}
 *      table_replayed      {"round", "table", "reason"}          its game and ruling count no more:
 *                           another is played there; not in duplicate, ladder and open play
 *      challenged          {"players": [challenger, challenged]}   ladder
 *      challenge_cancelled {"players"}
 *      queued              {"player"}                 open play
 *      unqueued            {"player"}
 *      role_given          {"player", "role": "organizer" | "arbiter"}
 *      role_taken          {"player", "role"}
 *      closed              {}
 *      cancelled           {"reason"}                 closed without a game: before any round or
 *                                                     table has started
 *      restated            {"lines": [{"at": ms, "actor", "kind", "detail"}, ..]}  the event so far
 *                           in these kinds, of an event that was begun before there were some of
 *                           them; what stands before it is for people to read
 *
 * Kinds and fields that are not known are refused, so a log is either understood or not.
 * Capacity: who enters when the event is full waits, and is taken in the order of entering as soon
 * as somebody withdraws or capacity grows; that follows from the lines and is none of its own.
 *
 * One person: a player and their bots. Where the settings keep them apart (`same_owner`), no table
 * that a line makes has two of one person; and where a stage cannot part them, whoever comes second
 * does not enter.
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
#include "engine/tournament/result/result.h"

enum {
    TOURNAMENT_ID_BYTES = 37, /* a UUID with its NUL */
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

/* Bit r - 1 of a set of rounds is round r. */
typedef uint64_t round_set;

enum entrant_state {
    ENTRANT_TAKEN,
    ENTRANT_WAITING,   /* the event is full */
    ENTRANT_WITHDRAWN, /* before numbers were given; may enter again, at the end of the line */
    ENTRANT_NOT_THERE  /* taken, but had not checked in when numbers were given; may enter late */
};

/* Everybody who ever entered, in the order of the first `entered` line: the index is an entry in
 * the sense of result.h. */
struct entrant {
    char player[TOURNAMENT_ID_BYTES];
    char owner[TOURNAMENT_ID_BYTES]; /* of a bot; "" for who is none, and in older logs */
    bool checked_in;
    uint8_t state;    /* enum entrant_state */
    uint16_t number;  /* from 1; 0 until numbers are given */
    uint16_t from;    /* first round that it can be part of; 1 but for late entries */
    uint32_t entered; /* number of the line that counts for the order */
    int32_t rating;   /* 0 = none */
    round_set out;    /* rounds of which it is no part, because it has dropped */
    round_set full_bye, half_bye, zero_bye; /* granted */
};

/* One table of one round, played or to be played. */
struct tournament_table {
    uint16_t round; /* 0: ladder, open play */
    uint16_t table;
    uint16_t board; /* duplicate: from 1; else 0 */
    uint16_t match; /* of a bracket, or TOURNAMENT_NOBODY */
    uint8_t stage;  /* from 0 */
    uint8_t seats;
    bool has_result;     /* of a game, or ruled */
    bool ruled;          /* `result` is a ruling's */
    bool played;         /* the game has ended: `game_result` is its result */
    uint8_t forfeited;   /* bit s: seat s went out of the game, */
    uint8_t substituted; /* and: a substitute sat there at its end */
    uint8_t padding;
    uint32_t line;  /* that decided it */
    uint32_t since; /* line that started it */
    int64_t since_ms;
    uint16_t entry[TOURNAMENT_SEATS_MAX]; /* in order of seats */
    char game[TOURNAMENT_ID_BYTES];       /* "" until it has ended */
    struct table_result result;           /* what counts */
    struct table_result game_result;
};

/* Who has no seat in a round, and why. */
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
    bool started;       /* else a draft */
    uint16_t attempt;   /* of the draw */
    uint16_t changes;   /* by hand */
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

/* Two who are kept apart; entries. */
struct tournament_pair {
    uint16_t a, b;
    uint16_t weight; /* 1 .. POD_WEIGHT_MAX, or POD_FORBIDDEN */
};

/* Ladder and open play: what happened, in order. */
struct tournament_challenge {
    uint16_t challenger, challenged;
    uint16_t table; /* 0 until it is played */
    bool over;      /* cancelled or played */
    uint32_t line;
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
    bool cancelled; /* PHASE_CLOSED, and nothing was ever played */
    struct tournament_settings settings;
    json_t *settings_document; /* owned; settings borrow from it */
    struct entrant *entrants;
    size_t entrant_count;
    size_t numbered; /* highest number given */
    struct tournament_stage stage[SETTINGS_STAGES_MAX];
    size_t stages;                   /* begun */
    struct tournament_round *rounds; /* the last may be a draft */
    size_t round_count;
    uint16_t rounds_started;
    uint16_t attempts; /* draws of the round that is next: drafts that were withdrawn or stand */
    struct tournament_table *tables;
    size_t table_count;
    struct tournament_bye *byes;
    size_t bye_count;
    struct tournament_pair *pairs;
    size_t pair_count;
    struct tournament_challenge *challenges;
    size_t challenge_count;
    size_t open_tables; /* of round 0: their numbers are 1 .. open_tables */
    size_t open_undecided;
    struct tournament_wait *queue; /* who waits now */
    size_t queue_count;
    struct tournament_role *roles;
    size_t role_count;
    uint32_t lines;    /* number of the last line */
    int64_t last_ms;   /* the latest time of a line */
    json_t *schedules; /* owned, or NULL: those of the present stage's divisions, as the draw of
                          its first round tells them (pairing.h) */
    struct tournament_index *index; /* owned: players by id, entrants by number, tables by place */
};

/* One line. Borrowed. */
struct tournament_line {
    uint32_t number;   /* from 1, without gaps */
    int64_t at_ms;     /* as the server that took it saw its clock: several may differ a little */
    const char *actor; /* player id, or "" for the service itself */
    const char *kind;
    json_t *detail;
};

/* Refusals, stable; most name what an organizer can mend. */
#define TOURNAMENT_REFUSAL_LINE   "bad-event-line" /* not a line: kind, field, range, number */
#define TOURNAMENT_REFUSAL_PHASE  "wrong-state"    /* not now */
#define TOURNAMENT_REFUSAL_PLAYER "not-entered"    /* not entered, or not in this state */
#define TOURNAMENT_REFUSAL_TWICE                                                                   \
    "already-entered"                             /* or checked in, dropped, kept apart already    \
                                                   */
#define TOURNAMENT_REFUSAL_ROUND  "round-running" /* tables without a result; a draft is there */
#define TOURNAMENT_REFUSAL_STALE  "draw-is-stale" /* somebody in a draft has left since */
#define TOURNAMENT_REFUSAL_TABLE  "no-such-table" /* or a result of others than sit there */
#define TOURNAMENT_REFUSAL_LATE   "too-late"      /* entries, byes, settings after their time */
#define TOURNAMENT_REFUSAL_FULL   "event-full"    /* a limit of the service, not the capacity */
#define TOURNAMENT_REFUSAL_OWNER  "same-owner"    /* two of one person at a table, or entered */
#define TOURNAMENT_REFUSAL_MEMORY "out-of-memory"

/* An event before its first line. */
void tournament_init(struct tournament *tournament);
void tournament_free(struct tournament *tournament);

/* Applies the next line. False: refused, the event is as it was (but after `out-of-memory`, when it
 * can only be freed). Whoever wants to know whether a step is allowed, applies its line to an event
 * that it has loaded, and stores the line if that is taken. Pure. */
bool tournament_apply(struct tournament *tournament, const struct tournament_line *line,
                      struct refusal *refusal);

/* The same event, to try something on: NULL if memory is short. Free both. */
struct tournament *tournament_copy(const struct tournament *tournament);

/* The memory that a copy takes, in bytes. Settings and schedules are shared by all copies and
 * counted with none. */
size_t tournament_bytes(const struct tournament *tournament);

/* ---- Asking. TOURNAMENT_NOBODY, NULL or 0 where there is none ---- */

uint16_t tournament_entry(const struct tournament *tournament, struct span player);
uint16_t tournament_entry_numbered(const struct tournament *tournament, uint16_t number);
struct tournament_table *tournament_table(const struct tournament *tournament, unsigned round,
                                          unsigned table);
struct tournament_round *tournament_draft(const struct tournament *tournament);

/* Who would take part if entries closed now. */
struct tournament_field {
    unsigned there;   /* entered, and checked in where the event asks for it */
    unsigned missing; /* entered, but not checked in */
    unsigned needed;  /* of the first stage: settings_entries_least() */
};

/* True if as many would take part as are needed to begin. Whoever is about to close entries asks;
 * the line `entries_closed` is taken without: there are logs in which fewer got numbers. Pure. */
bool tournament_has_field(const struct tournament *tournament, struct tournament_field *field);
/* True of two different entries of one person whom the event keeps apart. */
bool tournament_parts(const struct tournament *tournament, uint16_t one, uint16_t other);

/* The stage that the next round belongs to, or NULL if none is left or has begun. */
const struct stage_settings *tournament_stage(const struct tournament *tournament);

/* The number that the event's last round has: those planned, or, of a round robin, those that its
 * entries make. 0 where results or entries to come decide: eliminations, leagues at tables of two,
 * a round robin before its entries are known. */
unsigned tournament_rounds_planned(const struct tournament *tournament);

/* True if a started round, or a game of ladder or open play, has no result yet. */
bool tournament_is_running(const struct tournament *tournament);

/* The earliest moment, in ms, at which something has to be done though nobody asks for it: a
 * challenge of a ladder was not answered in time, or somebody has waited in the queue of open play
 * for as long as its patience. 0 = none. */
int64_t tournament_due_ms(const struct tournament *tournament);

/* The moment until which a challenge has to be accepted; 0 = any time. */
int64_t tournament_answer_ms(const struct tournament *tournament,
                             const struct tournament_challenge *challenge);

/* How an entry takes part in a round that is to be drawn: ROUND_PLAYED if it wants a seat, else the
 * kind of its bye or absence. */
enum round_kind tournament_presence(const struct tournament *tournament, uint16_t entry,
                                    unsigned round);

/* Byes and results up to `rounds` of the stages `first_stage` .. `last_stage`, as standings.h and
 * the pairings take them: a new array that the caller frees with free(), `count` how many. Entries
 * are the indices of entrants. NULL if memory is short. */
struct table_result *tournament_results(const struct tournament *tournament, size_t first_stage,
                                        size_t last_stage, unsigned rounds, size_t *count);

/* `played`, `adjudicated`, `forfeit_win`, `forfeit_loss`, `pairing_bye`, `full_bye`, `half_bye`,
 * `zero_bye`, `absent`. The kind with this name, or -1. */
const char *round_kind_name(enum round_kind kind);
int round_kind_find(struct span name);

#endif
