/* An event in one file: enough for anyone to reproduce pairings, standings and ratings bit for bit,
 * without the service it was played on.
 *
 * Lines of JSON, each ended by LF, in one canonical form: no spaces, members in byte order of their
 * names, no unnecessary escapes (jansson's JSON_COMPACT and JSON_SORT_KEYS).
 *
 *      {"bundle":5,"commitment":hex,"event":id,"records":bool,"secret":hex}
 *              the secret is null until the event is closed
 *      {"actor":id,"at":ms,"detail":{..},"kind":"..","line":n}
 *              the log (tournament.h), line 1 first; "" for the service itself
 *      {"base":n,"key":hex,"line":n,"signature":hex}
 *              after a line of the log: the signature of the official who gave it (official.h)
 *      {"name":"..","player":id}           all entrants, and everyone else named in the log
 *      {"components":".."}                 the component set that the event chose, byte for byte
 *      {"attempt":n,"game":id,"record":".."}
 *              finished games (engine/record/RECORD.md), table by table; a replayed table has all
 *              its games, from attempt 1 on. Void games are included: their records name the
 *              ruling. With signed moves also "signatures":"..", as there
 *      {"recorded":"..","recording":id}
 *              records of scorers at real tables, whose results count: luck as the scorer told it,
 *              not proved; what it led to is replayed like any other
 *      {"key":hex,"sha256":hex,"signature":hex}
 *              the hash of all bytes before this line, and the service's Ed25519 signature of
 *              "tillroll bundle\n<event>\n<sha256>\n"
 *
 * A closed event's bundle never changes unless officials correct the event: a later ruling, or its
 * revocation, adds a line. A game still in progress when its event was closed, its table decided by
 * a ruling, is not included, however it ends. (Logs older than this rule may have its result after
 * the line `closed`.)
 *
 * A bundle without a component set is of version 4, without records of scorers of version 3, and
 * without any official's signature of version 2: there, results of recorded games are reported like
 * others, and their records are elsewhere. Bundles of version 1 can be read too. They only have the
 * records of games that count, without `attempt`.
 *
 * Reading begins at the newest line `restated`; earlier lines are for people.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_INTERCHANGE_BUNDLE_H
#define TILLROLL_ENGINE_TOURNAMENT_INTERCHANGE_BUNDLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/progress.h"
#include "engine/game/component_list.h"
#include "engine/record/replay.h"
#include "engine/tournament/event/tournament.h"
#include "engine/tournament/pairing/ranking.h"
#include "engine/tournament/result/rating.h"

enum {
    BUNDLE_VERSION = 5,
    BUNDLE_VERSION_BUILT_IN = 4,   /* of events that play with the program's own component set */
    BUNDLE_VERSION_UNRECORDED = 3, /* without records of scorers; what officials did in running
                                    * games may be unsigned */
    BUNDLE_VERSION_UNSIGNED = 2,   /* nor signatures of officials */
    BUNDLE_BYTES_MAX = 64 << 20,
    BUNDLE_MESSAGE_MAX = 192 /* bytes of the signed message */
};

/* ---- Writing: each line with its LF as a new string for free(); NULL when out of memory or if a
 * text is not UTF-8 ---- */

/* `version` is 1 to BUNDLE_VERSION, `secret` NULL before the event is closed; `records` says
 * whether finished games follow. */
char *bundle_header_line(unsigned version, const char *event, const uint8_t commitment[static 32],
                         const uint8_t *secret, bool records);
char *bundle_log_line(const struct tournament_line *line);
char *bundle_signature_line(uint32_t line, uint32_t base, const uint8_t key[static 32],
                            const uint8_t signature[static 64]);
char *bundle_player_line(const char *player, const char *name);

/* From version 5 on. */
char *bundle_components_line(struct span set);

/* `attempt` from 1; 0 in a bundle of version 1. `signatures` is empty where there are none. */
char *bundle_record_line(unsigned attempt, const char *game, struct span record,
                         struct span signatures);

/* `recording` is the id that the log's report names. From version 4 on. */
char *bundle_recording_line(const char *recording, struct span record);
char *bundle_seal_line(const uint8_t hash[static 32], const uint8_t key[static 32],
                       const uint8_t signature[static 64]);

/* Appends the message that is signed; at most BUNDLE_MESSAGE_MAX bytes. */
void bundle_message(const char *event, const uint8_t hash[static 32], struct text *text);

/* ---- Reading ---- */

/* What is wrong with a bundle, and in which line, from 1; 0 = in none. `code` is static and
 * stable. */
struct bundle_fault {
    size_t line;
    const char *code;
    char message[320];
};

#define BUNDLE_FAULT_FORM      "not-canonical" /* not JSON, or not in canonical form */
#define BUNDLE_FAULT_LINE      "bad-line"      /* a line that is not allowed there */
#define BUNDLE_FAULT_CUT       "cut-off"       /* the last line is missing */
#define BUNDLE_FAULT_HASH      "wrong-hash"
#define BUNDLE_FAULT_SIGNATURE "wrong-signature"
#define BUNDLE_FAULT_SECRET    "wrong-secret"       /* does not match the commitment */
#define BUNDLE_FAULT_LOG       "bad-log"            /* a line that the fold refuses */
#define BUNDLE_FAULT_NO_SET    "missing-components" /* the event chose one that is not there */
#define BUNDLE_FAULT_SET       "other-components"   /* not the one that the event chose */
#define BUNDLE_FAULT_BAD_SET   "bad-components"     /* the ruleset cannot be played with it */
#define BUNDLE_FAULT_DRAW      "draw-differs"       /* the secret gives a different one */
#define BUNDLE_FAULT_UNSIGNED                                                                      \
    "no-official-signature" /* the event required the official to sign the line */
#define BUNDLE_FAULT_OFFICIAL "bad-official-signature"
#define BUNDLE_FAULT_STALE                                                                         \
    "stale-official-signature"           /* signed before others had changed the event */
#define BUNDLE_FAULT_PLAYER "no-name"    /* an entrant has no line with a name */
#define BUNDLE_FAULT_RECORD "bad-record" /* the record, or its signatures, are not valid */
#define BUNDLE_FAULT_RESULT                                                                        \
    "result-differs"                         /* a record from the log, or one of both is missing   \
                                              */
#define BUNDLE_FAULT_RULES     "other-rules" /* a game has others than the settings say */
#define BUNDLE_FAULT_NO_DEALER "missing-dealer"  /* the event names one that a record does not */
#define BUNDLE_FAULT_DEALER    "other-dealer"    /* a record has one that the event does not name */
#define BUNDLE_FAULT_WITHHELD  "withheld-dealer" /* has not answered, but games wait for all */
#define BUNDLE_FAULT_MEMORY    "out-of-memory"

struct bundle_record {
    const char *game;
    unsigned attempt; /* from 1; 0 in a bundle of version 1, where it is its table's last */
    struct span text;
    struct span signatures; /* empty for none */
    size_t line;
};

/* The record of a scorer. */
struct bundle_recording {
    const char *id;
    struct span text;
    size_t line;
};

/* A table before it was replayed. */
struct bundle_earlier {
    size_t table; /* index of tournament.tables */
    struct tournament_table was;
};

/* From when on the settings say whether officials sign, and which clock games begin with. */
struct bundle_choice {
    int64_t at_ms;
    enum official_choice choice;
    struct clock_control clock;
};

/* A duplicate round, as it began in the log: the commitment to the secret that its games share. */
struct bundle_round {
    bool committed;
    uint8_t commitment[32];
};

struct bundle {
    unsigned version; /* 1 .. BUNDLE_VERSION */
    char event[TOURNAMENT_ID_BYTES];
    uint8_t commitment[32], secret[32];
    bool revealed; /* `secret` is the event's, and chance has its streams; otherwise both are zeros
                    */
    bool with_records; /* includes records of finished games */
    struct chance chance;
    uint8_t hash[32], key[32], signature[64]; /* the seal */
    struct tournament tournament;
    const char **names;            /* owned; [entry], texts borrowed from `kept` */
    struct bundle_record *records; /* owned, texts borrowed from `kept` */
    size_t record_count;
    struct span components;     /* the event's set, borrowed from `kept`; empty for the built-in */
    struct component_list sets; /* owned; the same, read */
    struct bundle_recording *recordings; /* owned, texts borrowed from `kept` */
    size_t recording_count;
    uint32_t
        *finished; /* owned; indices of tournament.tables in the order of their games' results */
    size_t finished_count;
    struct bundle_earlier *earlier; /* owned; as in the log */
    size_t earlier_count;
    size_t lines;                  /* lines of the log */
    uint8_t head[32];              /* the chain's value after the last of them (event_chain.h) */
    struct bundle_choice *choices; /* owned; as in the log */
    size_t choice_count;
    size_t acts, signed_acts; /* of officials while the event took signatures; those signed */
    json_t *official_keys;    /* owned; official -> [key in hex, ..] */
    size_t restated_line;     /* number of the newest line `restated`; 0 = none */
    json_t *called;     /* owned; open play: the tables of the newest call, as their numbers */
    size_t called_next; /* index of the next of them to start */
    size_t draws; /* draws reproduced and found equal: rounds, boards, tables outside of rounds */
    struct bundle_round *rounds; /* owned; [number - 1] of duplicate rounds */
    size_t round_count;
    json_t *kept;                    /* owned; names and records */
    const struct progress *progress; /* borrowed; set after bundle_read(), if wanted: told of each
                                      * record that has been checked */
};

/* Reads a bundle: form, hash, signatures of officials, signature (by the key in the bundle; the
 * caller decides whether to trust it), commitment and log. If the bundle has the secret, reproduces
 * every numbering, stage, round and board from the lines before it, also among lines within
 * `restated`, and the tables of ladders and open play. False: `fault` says why, nothing to free. */
bool bundle_read(struct span text, struct bundle *bundle, struct bundle_fault *fault);

void bundle_free(struct bundle *bundle);

/* Verifies every record by replay, and its signatures, and that log and records agree. Each game
 * with a result in the log is there once, with the same players in the same seats at the same
 * table, the same result and the same marks of forfeits and substitutes; in a duplicate event also
 * with the board and luck of its round. Each game has the ruleset and the options of the event, and
 * a clock that the settings gave between its table's beginning and its own. From version 2 on, each
 * game before a replayed table's last is there too, with its former result in the log or, if it had
 * none, void by a ruling in its record. From version 4 on, each result that counts and is from a
 * scorer's record has that record, which replays to it. What officials did in running games is
 * signed from version 4 on where the event required it, and is counted in `acts`, `signed_acts` and
 * `official_keys`; call it once. `replay` is working memory. */
bool bundle_check_records(struct bundle *bundle, struct replay *replay, struct bundle_fault *fault);

/* The number of games at table `index` before its last one. */
unsigned bundle_count_earlier(const struct bundle *bundle, size_t index);

/* Plackett-Luce ratings of all entrants, starting without history: all games in the order of their
 * first results, with the results that count now (a ruling overrides a game; a game with a seat won
 * or lost by forfeit is not rated), then the reported results that the event rates
 * (tournament_rated_seats()). A player who was replaced is not rated by that game; the
 * substitute, whose other games may be elsewhere, counts as a new player. `ratings` has room for
 * all entrants. Returns how many games were rated. With `house`, only those that the event rates on
 * the list of house players; without, only the others (tournament_rates_apart()). */
size_t bundle_rate(const struct bundle *bundle, bool house, struct rating *ratings);

#endif
