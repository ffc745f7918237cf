/* A dispute over a game, derived from its log: the claims, the decisions, and what may follow.
 *
 *                 frozen                    ruled                     closed
 *        OPEN <────────────> FROZEN ─────────────────────> RULED ─────────────────> CLOSED
 *         │     resumed        │                            │ appealed                ▲
 *         ├────────────────────┤ withdrawn                  ▼              ruled,     │
 *         │                    │                         APPEALED ────────────────────┤
 *         │                    └──────────────────────────────────────────────────────┤
 *         └───────────────────────────────────────────────────────────────────────────┘
 *
 * The game is stopped (`frozen`) from the step `frozen` until `resumed`, a ruling that lets it go
 * on, or a withdrawal; this also applies after a ruling and during an appeal. A dispute over a
 * finished game is never frozen.
 *
 * A step has a number, a time, an actor, a kind and a JSON object:
 *
 *      opened      {"claim", "entry": n, "event": id or null, "game": id, "players": [id, ..],
 *                   "text"}               by anyone; entry 0 = the game as a whole
 *      frozen      {}
 *      resumed     {}
 *      ruled       {"appeal_until": ms, "code", "orders": [{"order", ..}, ..], "reason",
 *                   "resumed": bool}      not by a player; on an appeal not by one who ruled
 *                                         before, opened the dispute or appealed
 *      appealed    {"text"}               by the opener or a player, once, until `appeal_until`
 *      withdrawn   {}                     by the opener before a ruling; by the appellant after it
 *      closed      {}                     when the time to appeal is over
 *
 * Each step is a line, `<number> <ms since 1970> <player> <kind> <detail>`, with the detail in its
 * one canonical form: without spaces, members in byte order, all but ASCII escaped. The lines are
 * chained like those of a record: h(0) = SHA-256("tillroll dispute 1 <id>\n"), and h(i) =
 * SHA-256(hex(h(i-1)) " " line "\n"). So no line can be changed afterwards without detection.
 */
#ifndef TILLROLL_ENGINE_RECORD_DISPUTE_H
#define TILLROLL_ENGINE_RECORD_DISPUTE_H

#include <jansson.h>

#include "engine/record/record.h"

enum {
    DISPUTE_TEXT_MAX = 2000, /* bytes of text from a user */
    DISPUTE_ORDERS_MAX = 6,  /* orders in one ruling */
    DISPUTE_STEPS_MAX = 64,  /* steps in one dispute */
    DISPUTE_LINE_MAX =
        16384, /* bytes of a line, mark included: each byte of a text may take `\uXXXX` */
    DISPUTE_CLAIM_MAX = 24 /* bytes of a claim's name, with the NUL */
};

enum dispute_state {
    DISPUTE_OPEN,
    DISPUTE_FROZEN,
    DISPUTE_RULED,
    DISPUTE_APPEALED,
    DISPUTE_CLOSED,
    DISPUTE_STATES
};

enum dispute_kind {
    DISPUTE_STEP_OPENED,
    DISPUTE_STEP_FROZEN,
    DISPUTE_STEP_RESUMED,
    DISPUTE_STEP_RULED,
    DISPUTE_STEP_APPEALED,
    DISPUTE_STEP_WITHDRAWN,
    DISPUTE_STEP_CLOSED,
    DISPUTE_KINDS
};

enum dispute_order_kind {
    DISPUTE_ADJUST,   /* `seat` gets `points`, or loses them */
    DISPUTE_FORFEIT,  /* `seat` is out */
    DISPUTE_REPLAY,   /* the game is void, and is played again at its table */
    DISPUTE_STANDS,   /* the game stands as recorded */
    DISPUTE_TAKEBACK, /* the game goes back to before entry `entry` */
    DISPUTE_UPHELD,   /* on an appeal: the earlier ruling stands */
    DISPUTE_VOID,     /* the game is void */
    DISPUTE_ORDER_KINDS
};

struct dispute_order {
    enum dispute_order_kind kind;
    unsigned seat;  /* for adjust and forfeit */
    int32_t points; /* for adjust: not 0, at most RECORD_POINTS_MAX */
    uint32_t entry; /* for a take-back: from 1 */
};

struct dispute {
    char id[RECORD_ID_LENGTH + 1];
    enum dispute_state state;
    bool frozen; /* the game is stopped because of this dispute */
    char game[RECORD_ID_LENGTH + 1];
    char event[RECORD_ID_LENGTH + 1]; /* "" for none */
    unsigned players;
    char player[GAME_SEATS_MAX][RECORD_ID_LENGTH + 1]; /* the players when the dispute was opened */
    char claim[DISPUTE_CLAIM_MAX];
    uint32_t entry;
    char opener[RECORD_ID_LENGTH + 1];
    char arbiter[RECORD_ID_LENGTH + 1];   /* the arbiter of the first ruling; "" until then */
    char appellant[RECORD_ID_LENGTH + 1]; /* "" for none */
    int64_t appeal_until_ms;              /* 0 until there is a ruling */
    uint32_t steps;
    int64_t last_ms;  /* time of the last step */
    uint8_t head[32]; /* the chain's value */
};

/* One step. Borrowed. */
struct dispute_step {
    uint32_t number; /* from 1, without gaps */
    int64_t at_ms;   /* since 1970; never less than in the step before */
    const char *actor;
    const char *kind;
    const json_t *detail;
};

/* Refusal codes, stable. */
#define DISPUTE_REFUSAL_STEP     "bad-dispute-step" /* malformed step: kind, field, range or number */
#define DISPUTE_REFUSAL_STATE    "wrong-dispute-state" /* not possible in this state */
#define DISPUTE_REFUSAL_PARTY    "party-to-dispute"    /* players and complainants may not rule */
#define DISPUTE_REFUSAL_ARBITER  "same-arbiter"        /* an appeal needs another arbiter */
#define DISPUTE_REFUSAL_STRANGER "not-your-dispute"    /* not the opener, or not a player */
#define DISPUTE_REFUSAL_LATE     "too-late"            /* the time to appeal is over */
#define DISPUTE_REFUSAL_EARLY    "appeal-possible"     /* the time to appeal is not over yet */

/* A dispute before its first step. */
void dispute_init(struct dispute *dispute, const char *id);

/* Applies the next step. False: refused, and the dispute is unchanged. Pure. */
bool dispute_apply(struct dispute *dispute, const struct dispute_step *step,
                   struct refusal *refusal);

/* Appends the line of a step, without mark. False if it is longer than DISPUTE_LINE_MAX, or when
 * out of memory. */
bool dispute_print(const struct dispute_step *step, struct text *line);

/* Reads such a line, without mark. The detail is a new reference that the caller frees;
 * `actor` and `kind` are written into the two buffers. False if it is not what dispute_print()
 * would have written. */
bool dispute_read(struct span line, struct dispute_step *step, json_t **detail,
                  char actor[static RECORD_ID_LENGTH + 1], char kind[static DISPUTE_CLAIM_MAX]);

/* Reads such a line and applies it. */
bool dispute_apply_line(struct dispute *dispute, struct span line, struct refusal *refusal);

/* Appends the first line of the log, which starts the chain, without mark. */
void dispute_print_first(const char *id, struct text *line);

/* True if the step between two states ruled on or closed the dispute. The transparency log then
 * contains the chain's value after the step. */
bool dispute_is_logged(enum dispute_state before, enum dispute_state after);

/* True if the player played in the game when the dispute was opened. */
bool dispute_is_player(const struct dispute *dispute, const char *player);

/* Reads a ruling's orders: a list of 1 .. DISPUTE_ORDERS_MAX objects. `stands`, `upheld`, `replay`
 * and `void` must be the only order; a take-back must come first and only once. False: `message` is
 * a static sentence that continues `orders`. */
bool dispute_read_orders(const json_t *list, unsigned seats, bool appeal,
                         struct dispute_order orders[static DISPUTE_ORDERS_MAX], size_t *count,
                         const char **message);

/* The orders as a new JSON list in the same form. */
json_t *dispute_write_orders(const struct dispute_order *orders, size_t count);

/* `open`, `frozen`, `ruled`, `appealed`, `closed`. */
const char *dispute_state_name(enum dispute_state state);

/* `adjust`, `forfeit`, `replay`, `stands`, `takeback`, `upheld`, `void`. */
const char *dispute_order_name(enum dispute_order_kind kind);

/* What a dispute is about, claim i, or NULL past the last: `illegal-move`, `rules`, `clock`,
 * `misclick`, `connection`, `conduct`, `collusion`, `result`, `other`. */
const char *dispute_claim(size_t i);

#endif
