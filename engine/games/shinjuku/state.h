/* The state of a game of Shinjuku: everything on the table, and the progress of the turn.
 *
 * Decision points (in capitals) and the automatic steps between them (turn.c):
 *
 *      turn begins ──> MATSURI ──> ACTION 1 ──┬──────────> PAY ──┬──> action done ──> ACTION 2 ...
 *      (no MATSURI in the Advanced Variant)   │ costs a card     │         │
 *                                             └─ costs nothing ──┼─────────┘
 *                                                                │ move
 *                 turn ends <── action done <── move ends <──────▼
 *                     │                             ▲         arrival <──┐
 *                     ▼                             │            │       │ step
 *              next turn, or OVER                   └── ROUTE <──┴─ GIVE │
 *                                                         └──────────────┘
 *
 * Equal cards and customers have no identity, so most fields are counts.
 */
#ifndef TILLROLL_SHINJUKU_STATE_H
#define TILLROLL_SHINJUKU_STATE_H

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "engine/base/bytes.h"
#include "engine/games/shinjuku/components.h"
#include "engine/games/shinjuku/masks.h"

enum point {
    AT_MATSURI,
    AT_ACTION,
    AT_PAY,
    AT_GIVE,
    AT_ROUTE,
    AT_OVER,
    /* transient: */
    AT_TURN_BEGIN,
    AT_ARRIVAL,
    AT_MOVE_END,
    AT_ACTION_END,
    AT_TURN_END
};

enum action { OPEN, EXPAND, INCOME, MOVE, UPGRADE, ACTIONS };

/* What the last ply did, step by step, for events(): automatic steps and drawn cards cannot be
 * derived from the positions before and after. */
enum note_kind {
    NOTE_NOTHING,
    NOTE_MATSURI,    /* from ward a to ward b */
    NOTE_PAID,       /* card of ward a; three in a row for a wildcard */
    NOTE_OPENED,     /* station a, good b */
    NOTE_RELOCATED,  /* from station a to station b */
    NOTE_TRACK,      /* connection a */
    NOTE_GROUP,      /* a move starts in station a; the group follows as NOTE_CUSTOMERS */
    NOTE_STEP,       /* to station a over connection b */
    NOTE_GIVEN,      /* kind a to seat b in station c */
    NOTE_MOVE_END,   /* in station a; the rest of the group follows as NOTE_CUSTOMERS */
    NOTE_CUSTOMERS,  /* b of kind a, belonging to the note before */
    NOTE_INCOME,     /* seat a draws b cards; they follow as NOTE_CARD */
    NOTE_CARD,       /* of ward a */
    NOTE_UPGRADED,   /* station a, for a customer of kind b */
    NOTE_BONUS,      /* a tokens */
    NOTE_QUEUED,     /* a customer of kind b joins Queue space a */
    NOTE_REMOVED,    /* a customer of kind a leaves the game */
    NOTE_TURN_END,   /* of seat a */
    NOTE_TURN,       /* of seat a begins */
    NOTE_PLACED,     /* in ward a; customers follow as NOTE_CUSTOMERS */
    NOTE_QUEUE_CARD, /* of ward a is taken into the hand (b = 1) or discarded (b = 0) */
    NOTE_REVEALED,   /* card of ward a on the last Queue space */
    NOTE_SHUFFLED,   /* the discard pile becomes the draw pile */
    NOTE_FINAL,      /* the final phase begins */
    NOTE_OVER
};

struct note {
    uint8_t kind, a, b, c;
};

/* A ply that ends a MOVE with three incomes and begins a turn leaves fewer than 100. In an
 * artificial position, further ones are dropped. */
enum { NOTES_MAX = 160 };

struct shinjuku_state {
    /* Chance: the stream `deck` and its position. */
    uint32_t epoch; /* of both streams: 0, or the epoch of the last rekey */
    uint32_t deck_words;
    uint32_t deck_shuffles; /* in this epoch */

    uint8_t seats;
    uint8_t advanced; /* 1 = Advanced Variant */

    /* The progress of the turn. */
    uint8_t point;
    uint8_t active;
    uint8_t action_number; /* 1 or 2 */
    uint8_t actions_taken; /* bit a for enum action a */
    uint8_t final_phase;
    uint8_t matsuri; /* ward, NONE in the Advanced Variant */

    /* The action that awaits payment or, for a MOVE, is carried out. */
    uint8_t action;       /* enum action, NONE when there is none */
    uint8_t stations;     /* number of stations named */
    uint8_t station[4];   /* a relocation names the destination, then the origin */
    uint8_t detail;       /* good of a new Store, NONE for a relocation; kind for an UPGRADE */
    uint8_t current;      /* MOVE: station of the group, NONE outside a MOVE */
    uint8_t crossed;      /* MOVE: bit s if track of seat s was used */
    uint8_t group[KINDS]; /* MOVE: customers on their way */
    uint8_t visited[STATIONS];

    /* The map. */
    uint8_t customers[WARDS][KINDS];
    uint8_t store_owner[STATIONS];    /* seat or NONE */
    uint8_t store_sells[STATIONS];    /* good or DEPARTMENT; 0 where there is no Store */
    uint8_t track_owner[CONNECTIONS]; /* seat or NONE */

    /* The Queue; space 1 is queue_ward[0]. */
    uint8_t queue_ward[QUEUE_SPACES];
    uint8_t queue[QUEUE_SPACES][KINDS];

    /* Seats. For each hand, what is remembered: see recall.h. */
    uint8_t hand[SEATS_MAX][WARDS];
    uint8_t known[SEATS_MAX][WARDS];
    uint8_t older[SEATS_MAX][WARDS];
    uint8_t blurred;
    uint8_t stores_left[SEATS_MAX][GOODS];
    uint8_t departments_left[SEATS_MAX];
    uint8_t track_left[SEATS_MAX];
    uint8_t earned[SEATS_MAX][KINDS];
    uint8_t bonus[SEATS_MAX];
    uint8_t claim[SEATS_MAX]; /* number of the seat's first claiming upgrade, 0 = none */
    uint8_t upgrades;         /* by all seats */

    /* Piles. The draw pile is deck[deck_next .. deck_end), the bag bag[bag_next .. bag_end). */
    uint8_t deck_next, deck_end;
    uint8_t bag_next, bag_end;
    uint8_t deck[CARDS];
    uint8_t bag[CUSTOMERS];
    uint8_t discard[WARDS];
    uint8_t removed[KINDS];

    uint8_t notes;
    uint8_t gap; /* pads to a whole number of words */
    struct note note[NOTES_MAX];
};

/* All stations, and all wards, as sets. */
#define SHINJUKU_STATIONS ((UINT64_C(1) << STATIONS) - 1)
#define SHINJUKU_WARDS    ((UINT32_C(1) << WARDS) - 1)

/* The number of the seat's cards, all wards together. */
unsigned shinjuku_hand_size(const struct shinjuku_state *state, unsigned seat);

/* Bit w for every ward of which the seat holds a card. */
uint32_t shinjuku_hand_wards(const struct shinjuku_state *state, unsigned seat);

/* Bit s for every station with a Store, and for every one with a Store of the seat's. */
static inline uint64_t shinjuku_stores(const struct shinjuku_state *state)
{
    return shinjuku_others(state->store_owner, STATIONS, NONE);
}

static inline uint64_t shinjuku_stores_of(const struct shinjuku_state *state, unsigned seat)
{
    return ~shinjuku_others(state->store_owner, STATIONS, (uint8_t)seat) & SHINJUKU_STATIONS;
}

/* Bit s for every station with a Department Store. */
static inline uint64_t shinjuku_departments(const struct shinjuku_state *state)
{
    return ~shinjuku_others(state->store_sells, STATIONS, DEPARTMENT) & SHINJUKU_STATIONS;
}

/* Bit w for every ward in which somebody waits. */
static inline uint32_t shinjuku_crowded(const struct shinjuku_state *state)
{
    uint32_t wards = 0;
    for (unsigned ward = 0; ward < WARDS; ward++)
        wards |= (uint32_t)(bytes_eight(state->customers[ward]) != 0) << ward;
    return wards;
}

/* Bit s for every station in one of the wards. */
uint64_t shinjuku_stations_in(const struct shinjuku_components *set, uint32_t wards);

/* Bit w for every ward whose cards are wildcards for the seat (Rulebook, Wildcards). */
uint32_t shinjuku_wild_wards(const struct shinjuku_components *set,
                             const struct shinjuku_state *state, unsigned seat);

/* Bit w for every ward of which the seat could discard one card to pay for `wards`. */
uint32_t shinjuku_payments(const struct shinjuku_components *set,
                           const struct shinjuku_state *state, unsigned seat, uint32_t wards);

/* Bit w for every ward W whose actions the seat can pay for with its hand: all wards if it holds a
 * wildcard or three cards. */
uint32_t shinjuku_payable(const struct shinjuku_components *set, const struct shinjuku_state *state,
                          unsigned seat);

/* Bits of the wards whose cards match the action that awaits payment. */
uint32_t shinjuku_pending_wards(const struct shinjuku_components *set,
                                const struct shinjuku_state *state);

static inline unsigned shinjuku_customers(const uint8_t kinds[static KINDS])
{
    static_assert(KINDS == 8, "counted at once");
    return shinjuku_sum(bytes_eight(kinds));
}

/* True if track, or the permanent connection, can be used there. */
static inline bool shinjuku_has_rails(const struct shinjuku_components *set,
                                      const struct shinjuku_state *state, unsigned connection)
{
    return state->track_owner[connection] != NONE || set->connections[connection].permanent;
}

/* True if a Store in `station` sells what customers of `kind` want. */
static inline bool shinjuku_sells(const struct shinjuku_state *state, unsigned station,
                                  unsigned kind)
{
    return state->store_owner[station] != NONE && (state->store_sells[station] == DEPARTMENT ||
                                                   state->store_sells[station] == GOOD_OF(kind));
}

/* True if the group of the MOVE can continue to another station. */
bool shinjuku_can_step(const struct shinjuku_components *set, const struct shinjuku_state *state);

/* True if the active seat can only end its turn. */
bool shinjuku_only_end(const struct shinjuku_components *set, const struct shinjuku_state *state);

/* Clears the notes of the last ply; those that follow them are empty. */
static inline void shinjuku_forget_notes(struct shinjuku_state *state)
{
    static_assert(NOTES_MAX % BYTES_BLOCK == 0, "whole blocks");
    bytes_clear(state->note, state->notes, sizeof state->note[0]);
    state->notes = 0;
}

void shinjuku_note(struct shinjuku_state *state, enum note_kind kind, unsigned a, unsigned b,
                   unsigned c);

/* Notes the kinds in `kinds` as part of the note before. */
void shinjuku_note_customers(struct shinjuku_state *state, const uint8_t kinds[static KINDS]);

/* The decision point in words: `matsuri`, `action`, `pay`, `give`, `route`, `over`. */
const char *shinjuku_point_name(unsigned point);

/* `open`, `expand`, `income`, `move`, `upgrade`. */
const char *shinjuku_action_name(unsigned action);

/* Points for a collection with `bonus` wild tokens. */
int32_t shinjuku_score(const struct shinjuku_components *set, const uint8_t earned[static KINDS],
                       unsigned bonus);

/* Three words first, then only bytes, without gaps: the bytes are the same on every machine. */
static_assert(sizeof(struct shinjuku_state) == 1620, "the same on every machine");
static_assert(offsetof(struct shinjuku_state, seats) == 3 * sizeof(uint32_t), "no gap in front");
static_assert(offsetof(struct shinjuku_state, note) + NOTES_MAX * sizeof(struct note) ==
                  sizeof(struct shinjuku_state),
              "no padding at the end");

#endif
