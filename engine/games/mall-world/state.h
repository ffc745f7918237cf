/* The state of a game of Mall World: everything on the table, and the progress of the turn.
 *
 * Decision points (in capitals) and the automatic steps between them (turn.c):
 *
 *      turn begins ──> ACCEPT ──> PROGRESS ──┬─ offer 2 or 3 ──> BID (all at once) ──┐
 *           ▲                      ▲   │     ├─ offer 1 ────────────> right comes up <┘
 *           │            round 3:  │   │     │                          │   ▲
 *           │             once more│   │pass │ confirm                  ▼   │
 *           │                      └───┼─────┴──── action done <─────── REALIZE
 *           │                          ▼                │
 *      turn ends, or OVER <─────── SUPPLY <─────────────┘ display is filled
 *
 * Cards of one type and chips of one value are alike, so most things are counts. Rooms, shops and
 * chips in them are sets of rooms.
 */
#ifndef TILLROLL_MALL_WORLD_STATE_H
#define TILLROLL_MALL_WORLD_STATE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "engine/game/game.h"
#include "engine/games/mall-world/components.h"

enum point {
    AT_ACCEPT,
    AT_PROGRESS,
    AT_BID,
    AT_REALIZE,
    AT_SUPPLY,
    AT_OVER,
    /* transient: */
    AT_START,
    AT_RIGHT,
    AT_ACTION_DONE,
    AT_FILL,
    AT_END
};

/* The payee for a right to realise: a seat, or one of these. */
enum { PAYS_SLUSH = SEATS_MAX, PAYS_NOBODY };

/* What the last ply did, step by step, for events(): automatic steps, drawn cards and opened bids
 * cannot be derived from the positions before and after. All of it happened in the open. */
enum note_kind {
    NOTE_NOTHING,
    NOTE_ACCEPTED,      /* order a by seat b, from site c */
    NOTE_DECLINED,      /* by seat a; b = 1 without a ply */
    NOTE_MARKER,        /* of seat a goes to the lobby */
    NOTE_MARKERS_BACK,  /* all of them */
    NOTE_ORDER_REMOVED, /* order a leaves the lobby and the game */
    NOTE_ORDER_LAID,    /* order a on site b */
    NOTE_RENTS_OPEN,
    NOTE_OFFERED,     /* by seat a; the cards follow as NOTE_CARD */
    NOTE_CARD,        /* of type a, belonging to the note before */
    NOTE_CONFIRMED,   /* order a by seat b, for a bribe chip of kind c */
    NOTE_IDLE,        /* seat a makes no (further) progress; b = 1 without a ply */
    NOTE_BID,         /* seat a bids b coins: opened */
    NOTE_PAID,        /* seat a pays b coins to seat c, or PAYS_SLUSH */
    NOTE_BUILT,       /* seat a, card b: use c in the room d */
    NOTE_LET,         /* seat a, card b: group c in the room d */
    NOTE_LAPSED,      /* nothing on offer can be realised; the cards follow as NOTE_CARD */
    NOTE_UNUSABLE,    /* card a leaves the game from display or stack */
    NOTE_REMOVED,     /* card a leaves the game from the hand of seat b */
    NOTE_REFRESHED,   /* by seat a; the cards follow as NOTE_CARD */
    NOTE_DISPLAYED,   /* card a is drawn and displayed */
    NOTE_SHUFFLED,    /* the discard pile becomes the stack */
    NOTE_TAKEN,       /* by seat a; the cards follow as NOTE_CARD */
    NOTE_DONE,        /* seat a takes nothing */
    NOTE_SHARED,      /* every seat gets a coins from the slush fund */
    NOTE_ROUND_ENDED, /* round a */
    NOTE_CASHED,      /* order a of seat b counts c */
    NOTE_ROUND,       /* round a begins; the chips lie in the bureau */
    NOTE_LAST_TURNS,  /* a of them follow */
    NOTE_TURN,        /* of seat a begins */
    NOTE_OVER
};

struct note {
    uint8_t kind, a, b, c, d;
};

/* At most 41 notes on cards, 10 orders cashed, 24 on the lobby and about 15 others. In an
 * artificial position, further ones are dropped. */
enum { NOTES_MAX = 96 };

struct mall_world_state {
    /* The mall. A room of `tile` has a shop; one of `chip` is let as well. */
    rooms covered;
    rooms tile[USES];
    rooms chip[GROUPS];

    int32_t account[SEATS_MAX]; /* CHF */

    uint32_t epoch;      /* of the chance streams: 0, or the epoch of the last rekey */
    uint32_t reshuffles; /* of approval cards, since the game began */

    /* Orders, bit o for order o. Orders neither here nor in the lobby or its stack are out of the
     * game from the start. */
    uint32_t held[SEATS_MAX];
    uint32_t confirmed[SEATS_MAX];
    uint32_t boxed;  /* returned to the box unseen */
    uint32_t closed; /* left the lobby, or cashed */

    /* What is remembered of approval cards in hand (recall.h): types as bits. */
    uint16_t barred[SEATS_MAX];
    uint16_t single[SEATS_MAX];

    uint8_t seats;
    uint8_t opening_fixed;
    uint8_t point;
    uint8_t active;
    uint8_t round; /* 1 .. 3 */
    uint8_t rents_open;
    uint8_t offer_made;     /* this turn */
    uint8_t confirm_made;   /* this turn */
    uint8_t progress;       /* the standstill counter returns to 0 after this turn */
    uint8_t standstill;     /* turns */
    uint8_t last_turns_run; /* 1 = the last turns are running */
    uint8_t last_turns;     /* turns left, including the current one */
    uint8_t slush;          /* coins */
    uint8_t markers;        /* in the lobby: bit s for seat s */

    uint8_t coins[SEATS_MAX];
    uint8_t bribes[BRIBES]; /* in the bureau */

    /* Approval cards, by type. */
    uint8_t hand[SEATS_MAX][CARDS];
    uint8_t known[SEATS_MAX][CARDS]; /* cards among these that everyone saw go there (recall.h) */
    uint8_t display[CARDS];
    uint8_t discard[CARDS];
    uint8_t gone[CARDS];
    uint8_t offer[CARDS];

    /* The auction. All zero, including holders and payees, if there is none. */
    uint8_t bids_in; /* bit s for seat s */
    uint8_t bid[SEATS_MAX];
    uint8_t offered;           /* cards that were offered */
    uint8_t right;             /* rights that are used up */
    uint8_t rights;            /* 1 .. 3 once the bids are open */
    uint8_t holder[OFFER_MAX]; /* seat */
    uint8_t price[OFFER_MAX];  /* coins */
    uint8_t payee[OFFER_MAX];  /* seat, PAYS_SLUSH or PAYS_NOBODY */

    /* Piles: the rest lies in [next .. end). */
    uint8_t stack_next, stack_end;
    uint8_t orders_next, orders_end;
    uint8_t stack[DECK];
    uint8_t orders[LOBBY_ORDERS];
    uint8_t lobby_orders;
    uint8_t lobby[SITES]; /* cheapest site first; 0 after the last order */

    uint8_t notes;
    struct note note[NOTES_MAX];
};

/* Rooms for a shop: neither covered nor occupied. */
rooms mall_world_empty(const struct mall_world_components *set,
                       const struct mall_world_state *state);

/* Shops of a use without a chip. */
static inline rooms mall_world_vacant(const struct mall_world_state *state, unsigned use)
{
    return state->tile[use] &
           ~(state->chip[MEN] | state->chip[WOMEN] | state->chip[TEENAGERS] | state->chip[KIDS]);
}

/* Shops of a chain store. */
static inline rooms mall_world_chain_rooms(const struct mall_world_components *set,
                                           const struct mall_world_state *state, unsigned chain)
{
    return state->tile[set->chains[chain].use] & state->chip[set->chains[chain].group];
}

/* Tiles and chips left in the supply. */
static inline unsigned mall_world_tiles_left(const struct mall_world_state *state, unsigned use)
{
    return TILES_OF_A_USE - mall_world_room_count(state->tile[use]);
}

static inline unsigned mall_world_chips_left(const struct mall_world_state *state, unsigned group)
{
    return CHIPS_OF_A_GROUP - mall_world_room_count(state->chip[group]);
}

/* Rooms in which the card allows a shop of card.use[which] to be built now. For cards of one use,
 * which = 0. */
rooms mall_world_building_sites(const struct mall_world_components *set,
                                const struct mall_world_state *state, unsigned card,
                                unsigned which);

/* Rooms that can become a shop of the chain store by a chip now. */
rooms mall_world_letting_sites(const struct mall_world_components *set,
                               const struct mall_world_state *state, unsigned chain);

/* How many different uses the card shows. */
unsigned mall_world_card_uses(const struct mall_world_components *set, unsigned card);

/* True if any move with the card would be legal now. */
bool mall_world_is_realizable(const struct mall_world_components *set,
                              const struct mall_world_state *state, unsigned card);

/* True if the card may still be realised in this game. */
bool mall_world_is_usable(const struct mall_world_components *set,
                          const struct mall_world_state *state, unsigned card);

/* How often the order's combination occurs in the mall now. */
unsigned mall_world_count(const struct mall_world_components *set,
                          const struct mall_world_state *state, unsigned order);

/* CHF for an order at the pay-off, with the current mall. */
int32_t mall_world_income(const struct mall_world_components *set,
                          const struct mall_world_state *state, unsigned order);

unsigned mall_world_card_total(const uint8_t cards[static CARDS]);

/* Cards in hand: approval cards, orders, both. */
unsigned mall_world_hand_cards(const struct mall_world_state *state, unsigned seat);
unsigned mall_world_hand_orders(const struct mall_world_state *state, unsigned seat);
unsigned mall_world_hand_size(const struct mall_world_state *state, unsigned seat);

/* The site, from 0, on which the order lies, or NONE. */
uint8_t mall_world_site_of(const struct mall_world_state *state, unsigned order);

/* Seats that may bid in an auction, bit s for seat s. */
uint32_t mall_world_bidders(const struct mall_world_state *state);

/* The deciding seat, if only one decides. */
uint8_t mall_world_decider(const struct mall_world_state *state);

/* True if a single card or set of cards could be offered now. */
bool mall_world_can_offer(const struct mall_world_components *set,
                          const struct mall_world_state *state);

/* True if the active seat may pass the progress action now. */
bool mall_world_may_pass(const struct mall_world_components *set,
                         const struct mall_world_state *state);

/* True if there is a card in display, stack or discard pile. */
bool mall_world_has_cards(const struct mall_world_state *state);

void mall_world_note(struct mall_world_state *state, enum note_kind kind, struct note what);

/* Notes the cards of a list, one by one, as part of the note before. */
void mall_world_note_cards(struct mall_world_state *state, const uint8_t cards[static CARDS]);

void mall_world_outcome(const struct game *game, const void *state, struct outcome *outcome);

/* Widest members first and no gaps: the bytes are the same on every machine. */
static_assert(sizeof(struct mall_world_state) == 904, "the same on every machine");
static_assert(offsetof(struct mall_world_state, account) == 9 * sizeof(rooms), "no gap in front");
static_assert(offsetof(struct mall_world_state, seats) ==
                  offsetof(struct mall_world_state, single) + SEATS_MAX * sizeof(uint16_t),
              "no gap between words and bytes");
static_assert(offsetof(struct mall_world_state, note) + NOTES_MAX * sizeof(struct note) ==
                  sizeof(struct mall_world_state),
              "no padding at the end");

#endif
