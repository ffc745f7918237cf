/* FIDE's tournament report files: reads and writes events at tables of two.
 *
 *      TRF16   FIDE Handbook C.04 Annex 2 (2015), with the records XXR, XXC, XXP, XXZ and BB?
 *              that pairing programs added
 *      TRF26   "Format of Tournament Report File, Version 2026", in use since 1 September 2025
 *
 * One record per line, ended by CR, LF or both, in UTF-8; fields are in fixed columns, which
 * count characters. The reader takes both versions and mixtures:
 *
 *      001                  players with their results
 *      142, XXR             number of rounds
 *      152, XXC             colour drawn for the first player
 *      162, BBW .. BBU      points per result
 *      240, XXZ             byes and absences announced for future rounds
 *      260, XXP             pairs that must not meet
 *      other ??2 records, and national ratings (a federation's three letters)
 *                           kept unchanged
 *      ###, empty lines     ignored
 *
 * Records are refused if ignoring them would change a pairing or a standing: teams (013, 300 ..
 * 362, 801, 802), acceleration (250, XXA, a _BAKU type in 192), abnormal points (299), and unknown
 * records. The format does not support tables of more than two seats.
 *
 * No files, no allocation; text in, text out.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_INTERCHANGE_TRF_H
#define TILLROLL_ENGINE_TOURNAMENT_INTERCHANGE_TRF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/text.h"
#include "engine/game/game.h"
#include "engine/tournament/formats/dutch/dutch.h"

enum {
    TRF_TEXT_MAX = 16 << 20,     /* bytes of a file */
    TRF_NUMBER_MAX = 9999,       /* starting rank */
    TRF_LIST_MAX = 1 << 16,      /* byes; forbidden pairs; other records */
    TRF_FIRST_ROUND_COLUMN = 92, /* of the results, ten columns per round */
    TRF_POINTS_MAX = 999 * 6     /* 99.9 points in 60ths: the maximum of the field */
};

enum trf_version { TRF_16, TRF_26 };

/* One round of a player. */
struct trf_result {
    uint16_t opponent; /* starting rank; 0 = nobody */
    char colour;       /* 'w', 'b', '-' */
    char code;         /* - + W D L 1 = 0 H F U Z, or ' ': empty */
};

struct trf_player {
    uint16_t number; /* starting rank, 1 .. TRF_NUMBER_MAX */
    uint16_t rating; /* 0 = none */
    uint16_t rank;   /* in the standings; 0 = none */
    uint16_t points; /* as declared, 60ths */
    char sex;        /* 'm', 'w', ' ' */
    struct span title, name, federation, fide_number, birth; /* without spaces at the ends */
    uint32_t line;                                           /* line it was read from; 0 = none */
};

/* A bye announced by 240 or XXZ. */
struct trf_bye {
    uint16_t round, number;
    char code; /* F, H or Z */
};

struct trf_forbidden {
    uint16_t first_round, last_round;
    uint16_t a, b; /* starting ranks */
};

/* Any other record, unchanged: code and what follows column 4. */
struct trf_record {
    struct span code, text;
};

/* Points in 60ths. `absence` applies to zero-point byes and forfeits. */
struct trf_points {
    uint16_t win, draw, loss, absence, pairing_bye;
};

/* An event. Arrays and spans are borrowed; after trf_read(), from the text and the memory. */
struct trf_event {
    const struct trf_player *players;
    const struct trf_result *results; /* [player * columns + round - 1] */
    const struct trf_bye *byes;
    const struct trf_forbidden *forbidden;
    const struct trf_record *records;
    size_t player_count, bye_count, forbidden_count, record_count;
    uint16_t columns;          /* rounds with results entered */
    uint16_t rounds_played;    /* up to the last paired round; <= columns <= rounds_played + 1 */
    uint16_t rounds_planned;   /* 0 = not given */
    enum dutch_colour initial; /* DUTCH_NO_COLOUR = neither given nor visible in round 1 */
    struct trf_points points;
};

struct trf_error {
    struct refusal refusal;
    size_t line;   /* from 1; 0 = no line */
    size_t column; /* from 1, in characters; 0 = the whole line */
};

/* Refusals, stable. */
#define TRF_REFUSAL_TOO_LARGE   "trf-too-large"   /* exceeds a limit above */
#define TRF_REFUSAL_ENCODING    "trf-encoding"    /* not UTF-8, or control characters */
#define TRF_REFUSAL_SYNTAX      "trf-syntax"      /* a field has the wrong content */
#define TRF_REFUSAL_UNSUPPORTED "trf-unsupported" /* a record that Tillroll cannot support */
#define TRF_REFUSAL_CONTRADICTS "trf-contradicts" /* two records disagree */
#define TRF_REFUSAL_UNWRITABLE  "trf-unwritable"  /* a value that does not fit its field */

/* The points of FIDE's default: 1, half, 0. */
extern const struct trf_points trf_points_default;

/* Checks the syntax of a file and computes the memory that reading it takes. False: refused. */
bool trf_measure(struct span text, size_t *memory_size, struct trf_error *error);

/* Reads a file that trf_measure() accepted. `memory`, aligned as by malloc(), and the text stay
 * borrowed as long as the event is used. Checks results against those of the opponents, and
 * declared points against the results (with or without those of a coming bye). */
bool trf_read(struct span text, void *memory, struct trf_event *event, struct trf_error *error);

/* The most bytes that trf_write() needs, including the NUL. */
size_t trf_text_size(const struct trf_event *event);

/* Appends the event as a file; lines end in CR LF. Names are truncated to their columns. False:
 * refused, the text is unusable. */
bool trf_write(const struct trf_event *event, enum trf_version version, struct text *text,
               struct trf_error *error);

/* The text of the first record with this code, empty if there is none. */
struct span trf_record_text(const struct trf_event *event, const char *code);

/* Points of a result, 60ths. */
uint16_t trf_result_points(const struct trf_points *points, char code);

/* The code for a result of the engine, ' ' if the format has none for it. */
char trf_result_code(const struct trf_points *points, uint8_t kind, uint16_t result_points);

/* The request to pair a round of an event, 1 .. rounds_played + 1. For an earlier round, the
 * players paired in it or with its pairing bye are present; otherwise those without an announced
 * bye. Arrays have room for player_count players, player_count * (round - 1) results and
 * forbidden_count pairs; the request borrows them. Index and TPN of a player are those of the
 * event. */
void trf_request(const struct trf_event *event, uint16_t round, struct dutch_player *players,
                 struct dutch_result *results, struct dutch_forbidden *forbidden,
                 struct dutch_request *request);

/* Pairs rounds of a report file again, as arbiters require of a second program. Uses dutch.h,
 * whatever program paired the file. */

/* Starting ranks; `black` 0 is the pairing bye of `white`. */
struct trf_pair {
    uint16_t white, black;
};

#define TRF_AGAIN_REFUSAL_MEMORY "out-of-memory"

/* Pairs a round, 1 .. rounds_played + 1, from the rounds before it. `pairs` has room for
 * (player_count + 1) / 2 and is filled in the order of boards, the bye last. False: a refusal of
 * dutch_pair_round(). `progress` counts players and may be NULL. Pure except for allocating and
 * freeing memory; any thread. */
bool trf_pair_again(const struct trf_event *event, uint16_t round, const struct progress *progress,
                    struct trf_pair *pairs, size_t *count, struct refusal *refusal);

/* The pairs that the file has for a round up to rounds_played, including forfeits, by White's
 * starting rank, the bye last. The same room. Returns how many. */
size_t trf_pairs_given(const struct trf_event *event, uint16_t round, struct trf_pair *pairs);

/* Whether two lists hold the same pairs with the same colours, in any order. */
bool trf_pairs_same(const struct trf_pair *a, size_t a_count, const struct trf_pair *b,
                    size_t b_count);

#endif
