/* An event in one file: enough for a stranger to make pairings, standings and ratings again, bit
 * for bit, without the service that it was played on.
 *
 * Lines of JSON, each ended by LF. A line is written in the only way there is: no blanks, members
 * in byte order of their names, nothing escaped that need not be (jansson's JSON_COMPACT and
 * JSON_SORT_KEYS).
 *
 *      {"bundle":2,"commitment":hex,"event":id,"records":bool,"secret":hex}
 *              the secret is null until the event is closed
 *      {"actor":id,"at":ms,"detail":{..},"kind":"..","line":n}
 *              the log (tournament.h), line 1 first; "" for the service itself
 *      {"name":"..","player":id}           everybody who entered, and whoever else the log names
 *      {"attempt":n,"game":id,"record":".."}   finished games, as engine/record/RECORD.md has them:
 * table by table, and of a table that was played anew each of its games, the first being attempt 1.
 * Games that are void are among them: their records say by which ruling. Where moves are signed
 * also "signatures":"..", as there
 *      {"key":hex,"sha256":hex,"signature":hex}
 *              the hash of all bytes before this line, and the service's Ed25519 signature of
 *              "tillroll bundle\n<event>\n<sha256>\n"
 *
 * A closed event's bundle is the same whenever it is asked for, until officials correct it: a later
 * ruling, or one taken back, is a line more. A game that still went on when its event was closed,
 * its table being ruled, is not in it, however it ends. (Logs of before this rule may have its
 * result behind the line `closed`.)
 *
 * Bundles of version 1 are read as well. They have the records of games that count, without
 * `attempt`, and no others.
 *
 * Reading begins at the newest line `restated`; what stands before it is for people.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_INTERCHANGE_BUNDLE_H
#define TILLROLL_ENGINE_TOURNAMENT_INTERCHANGE_BUNDLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/record/replay.h"
#include "engine/tournament/event/tournament.h"
#include "engine/tournament/pairing/ranking.h"
#include "engine/tournament/result/rating.h"

enum {
    BUNDLE_VERSION = 2,
    BUNDLE_BYTES_MAX = 64 << 20,
    BUNDLE_MESSAGE_MAX = 192 /* bytes of what is signed */
};

/* ---- Writing: each line with its LF as a new string for free(); NULL if memory is short or a text
 * is not UTF-8 ---- */

/* `version` is 1 or BUNDLE_VERSION, `secret` NULL before the event is closed; `records` says
 * whether finished games follow. */
char *bundle_header_line(unsigned version, const char *event, const uint8_t commitment[static 32],
                         const uint8_t *secret, bool records);
char *bundle_log_line(const struct tournament_line *line);
char *bundle_player_line(const char *player, const char *name);

/* `attempt` from 1; 0 in a bundle of version 1. `signatures` is empty where there are none. */
char *bundle_record_line(unsigned attempt, const char *game, struct span record,
                         struct span signatures);
char *bundle_seal_line(const uint8_t hash[static 32], const uint8_t key[static 32],
                       const uint8_t signature[static 64]);

/* Appends what is signed; at most BUNDLE_MESSAGE_MAX bytes. */
void bundle_message(const char *event, const uint8_t hash[static 32], struct text *text);

/* ---- Reading ---- */

/* What is wrong with a bundle, and in which line, from 1; 0 = of none. `code` is static and stable.
 */
struct bundle_fault {
    size_t line;
    const char *code;
    char message[320];
};

#define BUNDLE_FAULT_FORM      "not-canonical" /* no JSON, or not as it has to be written */
#define BUNDLE_FAULT_LINE      "bad-line"      /* a line that has no place there */
#define BUNDLE_FAULT_CUT       "cut-off"       /* the last line is not there */
#define BUNDLE_FAULT_HASH      "wrong-hash"
#define BUNDLE_FAULT_SIGNATURE "wrong-signature"
#define BUNDLE_FAULT_SECRET    "wrong-secret" /* not what was committed to */
#define BUNDLE_FAULT_LOG       "bad-log"      /* a line that the fold refuses */
#define BUNDLE_FAULT_DRAW      "draw-differs" /* from what the secret gives */
#define BUNDLE_FAULT_PLAYER    "no-name"      /* somebody entered and has no line */
#define BUNDLE_FAULT_RECORD    "bad-record"   /* does not hold by itself, or its signatures */
#define BUNDLE_FAULT_RESULT                                                                        \
    "result-differs" /* a record from the log, or one of both is missing                           \
                      */
#define BUNDLE_FAULT_MEMORY "out-of-memory"

struct bundle_record {
    const char *game;
    unsigned attempt; /* from 1; 0 in a bundle of version 1, where it is its table's last */
    struct span text;
    struct span signatures; /* empty for none */
    size_t line;
};

/* A table before it was played anew. */
struct bundle_earlier {
    size_t table; /* index of tournament.tables */
    struct tournament_table was;
};

/* A duplicate round, as the log began it: what the secret that its games share was committed to. */
struct bundle_round {
    bool committed;
    uint8_t commitment[32];
};

struct bundle {
    unsigned version; /* 1 .. BUNDLE_VERSION */
    char event[TOURNAMENT_ID_BYTES];
    uint8_t commitment[32], secret[32];
    bool revealed;     /* `secret` is the event's, and chance its streams; else both are zeros */
    bool with_records; /* records of finished games are there */
    struct chance chance;
    uint8_t hash[32], key[32], signature[64]; /* the seal */
    struct tournament tournament;
    const char **names;            /* owned; [entry], texts borrowed from `kept` */
    struct bundle_record *records; /* owned, texts borrowed from `kept` */
    size_t record_count;
    uint32_t
        *finished; /* owned; indices of tournament.tables in the order of their games' results */
    size_t finished_count;
    struct bundle_earlier *earlier; /* owned; as the log tells them */
    size_t earlier_count;
    size_t lines;     /* of the log */
    size_t told_anew; /* number of the newest line `restated`, before which nothing is drawn again;
                         0 = none */
    size_t draws;     /* made again and found the same; of a duplicate event, boards */
    struct bundle_round *rounds; /* owned; [number - 1] of duplicate rounds */
    size_t round_count;
    json_t *kept; /* owned; names and records */
};

/* Reads a bundle: form, hash and signature (by the key that the bundle names: whether that is whom
 * one trusts is for the caller to say), commitment, log; and if the secret is there makes every
 * numbering, stage, round and board again from the lines before it. Lines within `restated` are
 * folded, but not drawn again. False: `fault` says why, nothing to free. */
bool bundle_read(struct span text, struct bundle *bundle, struct bundle_fault *fault);

void bundle_free(struct bundle *bundle);

/* Verifies every record by replay, and its signatures, and that log and records tell the same: each
 * game that the log has a result of is there once, of these players in these seats at this table,
 * with this result and these marks of forfeits and substitutes, and of a duplicate event with the
 * board and the luck that its round was begun with; and from version 2 on each game
 * after which its table was played anew, with the result that the log had of it or, where it had
 * none, void by a ruling in its record. `replay` is working memory. */
bool bundle_check_records(const struct bundle *bundle, struct replay *replay,
                          struct bundle_fault *fault);

/* The games that table `index` had before its last one. */
unsigned bundle_count_earlier(const struct bundle *bundle, size_t index);

/* Ratings by Plackett-Luce of everybody who entered, as if nobody had played before: all games in
 * the order of their first results, by what counts of them now (a ruling stands over a game; one of
 * which a seat was won or lost by forfeit is not rated). Who was replaced is not rated by that
 * game; the substitute, whose other games may be elsewhere, is met as somebody new. `ratings` has
 * room for all entrants. Returns how many games were rated. */
size_t bundle_rate(const struct bundle *bundle, struct rating *ratings);

#endif
