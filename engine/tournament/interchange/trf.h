/* Tournament report files of FIDE, in and out, for events of two seats.
 *
 *      TRF16   FIDE Handbook C.04 Annex 2 (2015), with the records XXR, XXC, XXP, XXZ and BB? by
 *              which pairing programs extended it
 *      TRF26   "Format of Tournament Report File, Version 2026", in use since 1 September 2025
 *
 * One record per line, ended by CR, LF or both, in UTF-8; fields stand in fixed columns, which
 * count characters. The reader takes both versions and mixtures:
 *
 *      001                  players with their results
 *      142, XXR             number of rounds
 *      152, XXC             colour drawn for the first player
 *      162, BBW .. BBU      points per result
 *      240, XXZ             byes and absences announced for coming rounds
 *      260, XXP             pairs that are not to meet
 *      other ??2 records, and national ratings (a federation's three letters)
 *                           kept as they are
 *      ###, empty lines     passed over
 *
 * Refused, because to pass them over would change a pairing or a standing: records of teams (013,
 * 300 .. 362, 801, 802), acceleration (250, XXA, a _BAKU type in 192), abnormal points (299), and
 * what is not known. Tables of more than two seats have no place in this format.
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
    TRF_POINTS_MAX = 999 * 6     /* 99.9 points in 60ths: what the field holds */
};

enum trf_version { TRF_16, TRF_26 };

/* One round of a player. */
struct trf_result {
    uint16_t opponent; /* starting rank; 0 = nobody */
    char colour;       /* 'w', 'b', '-' */
    char code;         /* - + W D L 1 = 0 H F U Z, or ' ': nothing entered */
};

struct trf_player {
    uint16_t number; /* starting rank, 1 .. TRF_NUMBER_MAX */
    uint16_t rating; /* 0 = none */
    uint16_t rank;   /* in the standings; 0 = none */
    uint16_t points; /* as declared, 60ths */
    char sex;        /* 'm', 'w', ' ' */
    struct span title, name, federation, fide_number, birth; /* without blanks at the ends */
    uint32_t line;                                           /* where it was read; 0 = nowhere */
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

/* Any other record, as it stood: code and what follows column 4. */
struct trf_record {
    struct span code, text;
};

/* Points in 60ths. `absence` is for zero-point byes and forfeits. */
struct trf_points {
    uint16_t win, draw, loss, absence, pairing_bye;
};

/* An event. Arrays and spans are borrowed: by trf_read() from the text and the memory. */
struct trf_event {
    const struct trf_player *players;
    const struct trf_result *results; /* [player * columns + round - 1] */
    const struct trf_bye *byes;
    const struct trf_forbidden *forbidden;
    const struct trf_record *records;
    size_t player_count, bye_count, forbidden_count, record_count;
    uint16_t columns;          /* rounds for which results are entered */
    uint16_t rounds_played;    /* up to the last that was paired; <= columns <= rounds_played + 1 */
    uint16_t rounds_planned;   /* 0 = not said */
    enum dutch_colour initial; /* DUTCH_NO_COLOUR = neither said nor to be seen from round 1 */
    struct trf_points points;
};

struct trf_error {
    struct refusal refusal;
    size_t line;   /* from 1; 0 = of no line */
    size_t column; /* from 1, in characters; 0 = of the line as a whole */
};

/* Refusals, stable. */
#define TRF_REFUSAL_TOO_LARGE   "trf-too-large"   /* a limit above */
#define TRF_REFUSAL_ENCODING    "trf-encoding"    /* not UTF-8, or control characters */
#define TRF_REFUSAL_SYNTAX      "trf-syntax"      /* a field does not hold what it should */
#define TRF_REFUSAL_UNSUPPORTED "trf-unsupported" /* a record that Tillroll cannot honour */
#define TRF_REFUSAL_CONTRADICTS "trf-contradicts" /* two records disagree */
#define TRF_REFUSAL_UNWRITABLE  "trf-unwritable"  /* a value for which a field is too narrow */

/* The points of FIDE's default: 1, half, 0. */
extern const struct trf_points trf_points_default;

/* Checks the syntax of a file and counts the memory that reading it takes. False: refused. */
bool trf_measure(struct span text, size_t *memory_size, struct trf_error *error);

/* Reads a file that trf_measure() took. `memory`, aligned as by malloc(), and the text stay
 * borrowed as long as the event is used. Results are checked against those of the opponents,
 * declared points against the results (those of a coming bye may be in or not). */
bool trf_read(struct span text, void *memory, struct trf_event *event, struct trf_error *error);

/* Bytes that trf_write() needs at most, NUL included. */
size_t trf_text_size(const struct trf_event *event);

/* Appends the event as a file; lines end in CR LF. Names are cut to their columns. False: refused,
 * the text is of no use. */
bool trf_write(const struct trf_event *event, enum trf_version version, struct text *text,
               struct trf_error *error);

/* The text of the first record with this code, empty if there is none. */
struct span trf_record_text(const struct trf_event *event, const char *code);

/* Points of a result, 60ths. */
uint16_t trf_result_points(const struct trf_points *points, char code);

/* The code for a result of the engine, ' ' if the format has none for it. */
char trf_result_code(const struct trf_points *points, uint8_t kind, uint16_t result_points);

/* The request to pair a round, 1 .. rounds_played + 1, of an event: for an earlier round those are
 * present who were paired then or had the pairing bye, otherwise those without an announced bye.
 * Arrays have room for player_count players, player_count * (round - 1) results and forbidden_count
 * pairs; the request borrows them. Index and TPN of a player are those of the event. */
void trf_request(const struct trf_event *event, uint16_t round, struct dutch_player *players,
                 struct dutch_result *results, struct dutch_forbidden *forbidden,
                 struct dutch_request *request);

/* Rounds of a report file paired again: what an arbiter asks of a second program. The pairing is
 * that of dutch.h, whatever the file was paired by. */

/* Starting ranks; `black` 0 is the pairing bye of `white`. */
struct trf_pair {
    uint16_t white, black;
};

#define TRF_AGAIN_REFUSAL_MEMORY "out-of-memory"

/* Pairs a round, 1 .. rounds_played + 1, from the rounds before it. `pairs` has room for
 * (player_count + 1) / 2 and is filled in the order of boards, the bye last. False: a refusal of
 * dutch_pair_round(). `progress` is told in players; NULL is fine. Pure but for the memory that it
 * takes and gives back; any thread. */
bool trf_pair_again(const struct trf_event *event, uint16_t round, const struct progress *progress,
                    struct trf_pair *pairs, size_t *count, struct refusal *refusal);

/* The pairs that the file has for a round up to rounds_played, forfeits among them, by starting
 * rank of white, the bye last. Same room. Returns how many. */
size_t trf_pairs_given(const struct trf_event *event, uint16_t round, struct trf_pair *pairs);

/* Whether two lists hold the same pairs with the same colours, in any order. */
bool trf_pairs_same(const struct trf_pair *a, size_t a_count, const struct trf_pair *b,
                    size_t b_count);

#endif
