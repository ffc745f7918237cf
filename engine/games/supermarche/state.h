/* The state of a game of Supermarché: everything on the table, and the progress of the round.
 *
 * Decision points (in capitals) and the automatic steps between them (turn.c):
 *
 *      DELIVERY ──> STOCKING ──> SALE ──> CHOOSE ──> nobody waits ──> waste ──> next round, or OVER
 *                                         │    ▲
 *                                   serve │    └── flip a card <────────┬──────────┐
 *                                         ▼                             │          │
 *                                      INITIAL                       RESTOCK <── BETWEEN
 *                                         │                             ▲          ▲
 *                                         ▼                             │          │
 *                                   before a roll ──> ROLL ─────────────┘          │
 *                                     ▲   │            │                           │
 *                                     │   └──> dice <──┘                       trip over
 *                                     │         │                                  ▲
 *                                     │         └──> PAY ──> food sold, or missing ┘
 *                                     └── space left ─────────────┘
 *
 * Equal cubes have no identity, so the Store and the Stock Room are counts by food and box.
 */
#ifndef TILLROLL_SUPERMARCHE_STATE_H
#define TILLROLL_SUPERMARCHE_STATE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "engine/base/bytes.h"
#include "engine/game/game.h"
#include "engine/games/supermarche/components.h"

enum point {
    AT_DELIVERY,
    AT_STOCKING,
    AT_SALE,
    AT_CHOOSE,
    AT_INITIAL,
    AT_ROLL,
    AT_PAY,
    AT_BETWEEN,
    AT_RESTOCK,
    AT_OVER,
    /* transient: */
    AT_ROUND_BEGIN,
    AT_BEFORE_ROLL,
    AT_DICE,
    AT_TRIP_OVER,
    AT_FLIP,
    AT_CLOSE
};

/* A card of the row. */
enum card { CARD_DOWN, CARD_UP, CARD_SHOPPING, CARD_DONE, CARD_DISCARDED };

enum result { RESULT_NONE, RESULT_COMPLETE, RESULT_BANKRUPT };

/* What the last ply did, step by step, for events(): automatic steps cannot be derived from the
 * positions before and after. */
enum note_kind {
    NOTE_NOTHING,
    NOTE_BOUGHT,       /* b cubes of food a at c each */
    NOTE_STOCKED,      /* c cubes of food a from box b */
    NOTE_AUTO_STOCKED, /* the same, because nothing else was possible */
    NOTE_PHASE_END,    /* of the decision point a */
    NOTE_SALE,         /* food a, NONE for no sale */
    NOTE_SERVED,       /* customer a */
    NOTE_INITIAL_SKIPPED,
    NOTE_ROLLED,     /* dice a and b */
    NOTE_SOLD,       /* food a from box b for c */
    NOTE_COUPON,     /* a discount */
    NOTE_COMPLETED,  /* customer a, bonus b */
    NOTE_FAILED,     /* customer a, penalty b, refund c */
    NOTE_LEFT,       /* customer a, penalty b, because of a restock */
    NOTE_DISCARDED,  /* the card in position a, unseen */
    NOTE_NO_RESTOCK, /* between two customers */
    NOTE_FLIPPED,    /* customer b in position a */
    NOTE_RETURNED,   /* b cubes of food a from customer cards */
    NOTE_WASTED,     /* c cubes of food a in box b */
    NOTE_WASTE_PAID, /* a dollars */
    NOTE_ROUND,      /* a begins */
    NOTE_COST_CARD,  /* a */
    NOTE_OVER        /* enum result a */
};

struct note {
    uint8_t kind, a, b, c;
};

/* A ply that serves the last two customers of a round and begins the next one leaves at most 41:
 * two trips of 12 (at most five rolls with an item each), 5 returns, 5 for waste and 7 for the new
 * round. In an artificial position, further ones are dropped. */
enum { NOTES_MAX = 64 };

enum {
    DICE = 2,
    DICE_AHEAD = 8 /* a customer rolls at most five times */
};

struct supermarche_state {
    /* Chance. */
    uint32_t epoch;     /* of all streams: 0, or the epoch of the last rekey */
    uint32_t discarded; /* bit i: deck[i] was discarded unseen */
    int16_t money;
    uint8_t dice_words[CUSTOMERS]; /* taken from each customer's stream in this epoch */

    uint8_t difficulty;

    /* The progress of the round. */
    uint8_t point;
    uint8_t round;     /* 1 .. 6 */
    uint8_t result;    /* enum result */
    uint8_t next_food; /* DELIVERY: the first food that may still be bought */
    uint8_t next_pair; /* STOCKING, RESTOCK: PAIR() of the first one that may still be moved */
    uint8_t on_sale;   /* food, NONE without a sale */
    uint8_t sales;     /* bit f: food f is or has been on sale */
    uint8_t restocked; /* in this round */

    /* The shopping trip. Position NONE and zeros when no customer shops. */
    uint8_t shopper; /* position in the row */
    uint8_t space;   /* free in the cart */
    uint8_t coupons; /* left */
    uint8_t bought;
    uint8_t takings;
    uint8_t dice[DICE]; /* of the roll that awaits payment, and afterwards until the trip is over */

    /* Thrown ahead for the shopper, to be taken from ahead[DICE_AHEAD - dice_ahead]: they are what
     * the customer's stream has after dice_words, and as hidden as the rest of it. */
    uint8_t dice_ahead;
    uint8_t ahead[DICE_AHEAD];

    /* Cards. The row of round r is deck[5 (r - 1)] and the next four. */
    uint8_t row[ROW]; /* enum card */
    uint8_t deck[CUSTOMERS];
    uint8_t costs[COST_CARDS]; /* costs[r - 1] in round r */

    /* Cubes. */
    uint8_t store[FOODS][BOXES];
    uint8_t stock[FOODS][BOXES]; /* the Stock Room */
    uint8_t supply[FOODS];       /* the Distribution Center */
    uint8_t on_cards[FOODS];     /* customer cards, all together */

    uint8_t coupon_overflows; /* version 0.9.0: one free space is enough for a coupon */

    uint8_t notes;
    struct note note[NOTES_MAX];
};

/* Pairs of food and box in the order in which cubes are moved. */
#define PAIR(food, box) ((food)*BOXES + (box))
enum { PAIRS = FOODS * BOXES };

unsigned supermarche_sum(const uint8_t *counts, size_t length);

static inline unsigned supermarche_of_food(const uint8_t counts[static BOXES])
{
    static_assert(BOXES == 7, "each of them");
    return (unsigned)counts[0] + counts[1] + counts[2] + counts[3] + counts[4] + counts[5] +
           counts[6];
}

/* Cubes of one food in the Store, and in the Stock Room. */
static inline unsigned supermarche_shelf(const struct supermarche_state *state, unsigned food)
{
    return supermarche_of_food(state->store[food]);
}

static inline unsigned supermarche_kept(const struct supermarche_state *state, unsigned food)
{
    return supermarche_of_food(state->stock[food]);
}

/* All cubes in the Store, and in the Stock Room. */
unsigned supermarche_store_size(const struct supermarche_state *state);
unsigned supermarche_stock_size(const struct supermarche_state *state);

/* Cost of one cube in this round. */
unsigned supermarche_cost(const struct supermarche_components *set,
                          const struct supermarche_state *state, unsigned food);

/* What a customer pays for one cube in this round. */
unsigned supermarche_price(const struct supermarche_components *set,
                           const struct supermarche_state *state, unsigned food);

/* The number of cubes of `food` that can be bought now, 0 if its turn is over. */
unsigned supermarche_buy_max(const struct supermarche_components *set,
                             const struct supermarche_state *state, unsigned food);

/* The number of cubes of one food and box that can be moved to the Store now, 0 if their turn is
 * over. */
unsigned supermarche_move_max(const struct supermarche_state *state, unsigned food, unsigned box);

/* True if this round may have no sale: the remaining rounds are enough for three. */
bool supermarche_may_skip_sale(const struct supermarche_state *state);

/* The customer in a position of the row, face up or not. */
static inline uint8_t supermarche_customer_at(const struct supermarche_state *state,
                                              unsigned position)
{
    return state->deck[(unsigned)ROW * (state->round - 1u) + position];
}

/* The lowest position with a card of this kind, NONE if there is none; and the number of such
 * cards. */
uint8_t supermarche_first_card(const struct supermarche_state *state, enum card card);
unsigned supermarche_cards(const struct supermarche_state *state, enum card card);

/* The foods that the shopper would take for the current dice: with `coupon` the two of the chart,
 * otherwise the food rolled, plus those of the chart if it is on sale. Returns how many. */
unsigned supermarche_basket(const struct supermarche_components *set,
                            const struct supermarche_state *state, bool coupon,
                            uint8_t food[static SALE_ITEMS]);

/* True if the Store has a cube for each of them. */
bool supermarche_has(const struct supermarche_state *state, const uint8_t *food, unsigned count);

/* Clears the notes of the last ply; those that follow them are empty. */
static inline void supermarche_forget_notes(struct supermarche_state *state)
{
    static_assert(NOTES_MAX % BYTES_BLOCK == 0, "whole blocks");
    bytes_clear(state->note, state->notes, sizeof state->note[0]);
    state->notes = 0;
}

void supermarche_note(struct supermarche_state *state, enum note_kind kind, unsigned a, unsigned b,
                      unsigned c);

/* The decision point in words: `delivery` ... `restock`; NULL for the others. */
const char *supermarche_point_name(unsigned point);

/* `down`, `up`, `shopping`, `done`, `discarded`. */
const char *supermarche_card_name(unsigned card);

/* `complete`, `bankrupt`; NULL while the game goes on. */
const char *supermarche_result_name(unsigned result);

void supermarche_outcome(const struct game *game, const void *state, struct outcome *outcome);

/* The level of victory for this money. */
const struct supermarche_level *supermarche_level(const struct supermarche_components *set,
                                                  int money);

/* Words and bytes without gaps: the bytes are the same on every machine. */
static_assert(sizeof(struct supermarche_state) == 444, "the same on every machine");
static_assert(offsetof(struct supermarche_state, dice_words) == 10, "no gap in front");
static_assert(offsetof(struct supermarche_state, note) + NOTES_MAX * sizeof(struct note) ==
                  sizeof(struct supermarche_state),
              "no padding at the end");

#endif
