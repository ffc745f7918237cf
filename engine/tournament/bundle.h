/* An event in one file: enough for a stranger to make pairings, standings and ratings again, bit
 * for bit, without the service that it was played on.
 *
 * Lines of JSON, each ended by LF. A line is written in the only way there is: no blanks, members
 * in byte order of their names, nothing escaped that need not be (jansson's JSON_COMPACT and
 * JSON_SORT_KEYS).
 *
 *      {"bundle":1,"commitment":hex,"event":id,"records":bool,"secret":hex}
 *              the secret is null until the event is closed
 *      {"actor":id,"at":ms,"detail":{..},"kind":"..","line":n}
 *              the log (tournament.h), line 1 first; "" for the service itself
 *      {"name":"..","player":id}           everybody who entered, and whoever else the log names
 *      {"game":id,"record":".."}           finished games, as engine/RECORD.md has them
 *      {"key":hex,"sha256":hex,"signature":hex}
 *              the hash of all bytes before this line, and the service's Ed25519 signature of
 *              "tillroll bundle\n<event>\n<sha256>\n"
 *
 * Reading begins at the newest line `restated`; what stands before it is for people.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_BUNDLE_H
#define TILLROLL_ENGINE_TOURNAMENT_BUNDLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/replay.h"
#include "engine/tournament/placing.h"
#include "engine/tournament/rating.h"
#include "engine/tournament/tournament.h"

enum {
    BUNDLE_VERSION = 1,
    BUNDLE_BYTES_MAX = 64 << 20,
    BUNDLE_MESSAGE_MAX = 192 /* bytes of what is signed */
};

/* ---- Writing: each line with its LF as a new string for free(); NULL if memory is short or a text
 * is not UTF-8 ---- */

/* `secret` is NULL before the event is closed; `records` says whether finished games follow. */
char *bundle_header_line(const char *event, const uint8_t commitment[static 32],
                         const uint8_t *secret, bool records);
char *bundle_log_line(const struct tournament_line *line);
char *bundle_player_line(const char *player, const char *name);
char *bundle_record_line(const char *game, struct span record);
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
#define BUNDLE_FAULT_RECORD    "bad-record"   /* does not hold by itself */
#define BUNDLE_FAULT_RESULT                                                                        \
    "result-differs" /* a record from the log, or one of both is missing                           \
                      */
#define BUNDLE_FAULT_MEMORY "out-of-memory"

struct bundle_record {
    const char *game;
    struct span text;
    size_t line;
};

struct bundle {
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
    size_t lines; /* of the log */
    size_t draws; /* made again and found the same */
    json_t *kept; /* owned; names and records */
};

/* Reads a bundle: form, hash and signature (by the key that the bundle names: whether that is whom
 * one trusts is for the caller to say), commitment, log; and if the secret is there makes every
 * numbering, stage and round again from the lines before it. Lines within `restated` are folded,
 * but not drawn again. False: `fault` says why, nothing to free. */
bool bundle_read(struct span text, struct bundle *bundle, struct bundle_fault *fault);

void bundle_free(struct bundle *bundle);

/* Verifies every record by replay, and that log and records tell the same: each game that the log
 * has a result of is there once, of these players in these seats at this table, with this result
 * and these marks of forfeits and substitutes.
 * `replay` is working memory. */
bool bundle_check_records(const struct bundle *bundle, struct replay *replay,
                          struct bundle_fault *fault);

/* Ratings by Plackett-Luce of everybody who entered, as if nobody had played before: all games in
 * the order of their first results, by what counts of them now (a ruling stands over a game; one of
 * which a seat was won or lost by forfeit is not rated). Who was replaced is not rated by that
 * game; the substitute, whose other games may be elsewhere, is met as somebody new. `ratings` has
 * room for all entrants. Returns how many games were rated. */
size_t bundle_rate(const struct bundle *bundle, struct rating *ratings);

#endif
