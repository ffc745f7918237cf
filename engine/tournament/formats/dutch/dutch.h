/* Swiss pairing of two-seat events: the Dutch system of FIDE.
 *
 * The rules are FIDE Handbook C.04.3, "FIDE (Dutch) System", in the version effective from 1
 * February 2026 (DUTCH_RULES), with the colours, byes and order of boards of C.04.1 and C.04.2.
 * Article by article:
 *
 *      1.2   order of players by score and TPN; a TPN here counts arrived players only, see
 *            dutch_request
 *      1.4   floats: an unplayed round that gave more points than a loss is also a downfloat
 *      1.7   colour preferences, and 1.8 topscorers (last round only)
 *      2     the criteria C1 .. C21, enum dutch_criterion
 *      3, 4  the order in which equally good pairings are preferred: moved-down players, exchanges
 *            by the sum of bracket sequence numbers, transpositions
 *      5     allocation of colours
 *
 * Brackets are paired from the top. A bracket is one minimum-cost perfect matching (matching.h)
 * over all players who are still without a pair, so C4 (the others can be paired) always holds. The
 * criteria are digits of the cost, C6 the highest; the choices of articles 3 and 4 follow as small
 * changes of the lowest digits. For an odd number of players the bye is one more vertex.
 *
 * Accelerated pairings are not supported.
 *
 * Pure integer arithmetic without allocation: the caller supplies memory of dutch_work_size(). The
 * order in which players are given does not matter, because TPNs are unique.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_DUTCH_DUTCH_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_DUTCH_DUTCH_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/progress.h"
#include "engine/game/game.h"
#include "engine/tournament/result/result.h"

#define DUTCH_RULES "FIDE C.04.3, 1 February 2026"

enum { DUTCH_NOBODY = UINT16_MAX };

enum dutch_colour { DUTCH_NO_COLOUR, DUTCH_WHITE, DUTCH_BLACK };

/* Article 2. Each comment says what struct dutch_pair.cost[] holds; smaller is better. */
enum dutch_criterion {
    DUTCH_C1,  /* 1: they have played each other, or the organizer forbids the pair */
    DUTCH_C2,  /* bye: 1: had one, or a winner's points for an unplayed round */
    DUTCH_C3,  /* 1: two with the same absolute colour preference, neither a topscorer */
    DUTCH_C4,  /* 0: whole rounds are paired, so the others can be */
    DUTCH_C5,  /* bye: the score, 60ths */
    DUTCH_C6,  /* brackets that the higher player left as a downfloater */
    DUTCH_C7,  /* the same times that player's score, 60ths */
    DUTCH_C8,  /* 0: covered by C6 and C7 of the next bracket */
    DUTCH_C9,  /* bye: rounds that the player did not play */
    DUTCH_C10, /* 1: a player gets a colour difference beyond 2 */
    DUTCH_C11, /* 1: a player gets the same colour three times in a row */
    DUTCH_C12, /* 1: a colour preference is not granted */
    DUTCH_C13, /* 1: a strong colour preference is not granted */
    DUTCH_C14, /* 1: the higher player downfloats from its own bracket as it did in the last round
                */
    DUTCH_C15, /* 1: the lower player upfloats as it did in the last round */
    DUTCH_C16, /* 1: as C14, two rounds before */
    DUTCH_C17, /* 1: as C15, two rounds before */
    DUTCH_C18, /* score difference, 60ths, if the higher player downfloated in the last round */
    DUTCH_C19, /* score difference, 60ths, if the lower player upfloated in the last round */
    DUTCH_C20, /* as C18, two rounds before */
    DUTCH_C21, /* as C19, two rounds before */
    DUTCH_CRITERIA
};

/* For pages: `C6`, `downfloaters`, and a sentence. Static strings. */
struct dutch_criterion_text {
    const char *code;
    const char *name;
    const char *meaning;
};

/* How one player fared in one earlier round. */
struct dutch_result {
    uint16_t opponent; /* index into dutch_request.players; DUTCH_NOBODY if none */
    uint16_t points;   /* 60ths */
    uint8_t kind;      /* enum round_kind. A forfeit keeps its opponent; the round was not played */
    uint8_t colour;    /* enum dutch_colour; for played rounds only */
};

struct dutch_player {
    uint16_t tpn; /* >= 1, unique */
    bool present; /* to be paired in this round */
};

/* Two players, as indices, who must not meet in this round. */
struct dutch_forbidden {
    uint16_t a, b;
};

/* All pointers are borrowed for the call. */
struct dutch_request {
    /* All players who take part, took part or may still arrive. The parity of TPNs (article 5.2.5)
     * counts only players who have arrived: those present, or ever paired or given the pairing
     * bye. */
    const struct dutch_player *players;
    size_t player_count; /* 0 .. TOURNAMENT_ENTRIES_MAX */
    /* results[player * rounds_played + round - 1]; rounds before an arrival are ROUND_ABSENT. */
    const struct dutch_result *results;
    uint16_t rounds_played;    /* 0 .. TOURNAMENT_ROUNDS_MAX - 1 */
    uint16_t rounds_planned;   /* > rounds_played; the last round has topscorers */
    uint16_t points_for_win;   /* 60ths, >= 1 */
    uint16_t points_for_loss;  /* for a played game, 60ths, < points_for_win */
    enum dutch_colour initial; /* the colour drawn for the first player of round 1 */
    const struct dutch_forbidden *forbidden;
    size_t forbidden_count;
    const struct progress *progress; /* updated after each bracket, in players; may be NULL */
};

/* One pair, or with `black` DUTCH_NOBODY the pairing bye. Players are indices into the request. */
struct dutch_pair {
    uint16_t white, black;
    uint32_t bracket;              /* score of the lower player, 60ths; 0 for the bye */
    uint32_t turned;               /* judged: 1 if the colours are not those of article 5 */
    uint32_t cost[DUTCH_CRITERIA]; /* see enum dutch_criterion */
};

static_assert(sizeof(struct dutch_result) == 6, "no implicit padding");
static_assert(sizeof(struct dutch_pair) == 12 + 4 * DUTCH_CRITERIA, "no implicit padding");

/* Refusals, stable. */
#define DUTCH_REFUSAL_TOO_MANY   "too-many-players"    /* more than TOURNAMENT_ENTRIES_MAX */
#define DUTCH_REFUSAL_REQUEST    "bad-pairing-request" /* rounds, points, initial colour */
#define DUTCH_REFUSAL_PLAYER     "bad-player"          /* a TPN 0, or twice */
#define DUTCH_REFUSAL_RESULT     "bad-result"          /* two players' results disagree */
#define DUTCH_REFUSAL_PAIR       "bad-pair"         /* a forbidden pair, or a pair to be judged */
#define DUTCH_REFUSAL_IMPOSSIBLE "no-legal-pairing" /* C1 - C3 allow none */
#define DUTCH_REFUSAL_TOO_DEEP   "too-many-downfloaters" /* with too many different scores */

/* Bytes of memory that pairing and judging need: about 2 * player_count^2 + 1300 * player_count
 * + 1.1 million (120 players: 1.3 MB, 1,000 players: 4.4 MB). */
size_t dutch_work_size(size_t player_count);

/* Pairs a round. `pairs` has room for (present + 1) / 2; it is filled in the order of boards
 * (C.04.2: higher score of the two, then lower score, then rank of the higher player; the bye
 * last). `work` is memory of dutch_work_size(), aligned as by malloc(), with any content.
 *
 * True: `*pair_count` pairs. False: refused, `refusal` says why. Pure: the same request gives the
 * same bytes; any thread with its own `work`.
 */
bool dutch_pair_round(const struct dutch_request *request, void *work, struct dutch_pair *pairs,
                      size_t *pair_count, struct refusal *refusal);

/* Fills in `bracket`, `turned` and `cost` of given pairs, to show the cost of a manual change. The
 * criteria ignore which of the two has White; `turned` does not. Every present player must be in
 * exactly one pair. Violations of C1 - C3 are counted, not refused. */
bool dutch_judge(const struct dutch_request *request, void *work, struct dutch_pair *pairs,
                 size_t pair_count, struct refusal *refusal);

const struct dutch_criterion_text *dutch_criterion_describe(enum dutch_criterion criterion);

#endif
