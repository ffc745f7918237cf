/* The state of a game of Super Motherload: everything on the table, and the progress of the turn.
 *
 * Decision points (in capitals) and the automatic steps between them (turn.c):
 *
 *      SIDE_1 ──> DECK ──> turn begins ──> settle <───────────────────────────────┐
 *                              ▲             │                                    │
 *                              │             ├─ a stack holds its cost ──> BUY ──>┤ COPY
 *      turn ends <── TRIM <────┼─────────────┼─ nothing left to do                │
 *          │                   │             │                                    │
 *          └──> next turn ─────┘             └─> MAIN ── draw, artifact, claim ──>┤
 *               or OVER                           │                               │
 *                                                 └ drill, bomb ──> SWAP ──> PLACE│
 *                                                                             │   │
 *                                    SIDE <── last artifact found <── PUT <───┘   │
 *                                      └───────────────────────────┴──────────────┘
 *
 * Equal things have no identity, so most fields are counts.
 */
#ifndef TILLROLL_SUPER_MOTHERLOAD_STATE_H
#define TILLROLL_SUPER_MOTHERLOAD_STATE_H

#include <assert.h>
#include <string.h>

#include "engine/base/bytes.h"
#include "engine/game/game.h"
#include "engine/games/super-motherload/components.h"

enum point {
    AT_SIDE_1,
    AT_DECK,
    AT_MAIN,
    AT_SWAP,
    AT_PLACE,
    AT_PUT,
    AT_SIDE,
    AT_BUY,
    AT_COPY,
    AT_TRIM,
    AT_OVER,
    /* transient: */
    AT_DEAL,
    AT_TURN_BEGIN,
    AT_PUT_END,
    AT_SETTLE,
    AT_TURN_END,
    AT_NEXT_TURN
};

/* What the last ply did, step by step, for events(): automatic steps and drawn cards cannot be
 * derived from the positions before and after. */
enum note_kind {
    NOTE_NOTHING,
    NOTE_BOARD,        /* a joins the table */
    NOTE_BOARD_GONE,   /* a leaves the table */
    NOTE_ACHIEVEMENTS, /* are dealt */
    NOTE_DECK,         /* seat a plays deck b */
    NOTE_ACTION_DRAW,  /* the seat spends an action on cards */
    NOTE_ACTION_DRILL, /* declared color a, length b; the cards follow as NOTE_PLAYED */
    NOTE_ACTION_BOMB,  /* pattern a; the card follows as NOTE_PLAYED */
    NOTE_PLAYED,       /* b cards a, belonging to the note before */
    NOTE_TOKEN,        /* a bomb token is taken */
    NOTE_DRAWN,        /* seat a draws card b: hidden */
    NOTE_SHUFFLED,     /* seat a shuffles the discard pile */
    NOTE_SWAPPED,      /* minor a goes under the deck */
    NOTE_REVEALED,     /* minor a comes face up */
    NOTE_TUNNEL,       /* the spaces are in state.last */
    NOTE_FOUND,        /* artifact a: hidden */
    NOTE_PUT,          /* on stack a; the minerals follow as NOTE_MINERAL */
    NOTE_LOST,         /* no stack is left; the minerals follow as NOTE_MINERAL */
    NOTE_MINERAL,      /* b tiles of kind a, belonging to the note before */
    NOTE_ENDING,       /* the last artifact is found */
    NOTE_BOUGHT,       /* card a; b = 1: to the hand, 2: to the hand by recruit */
    NOTE_EXTRA_ACTION, /* one more action this turn */
    NOTE_COPIED,       /* a tile of kind a on stack b */
    NOTE_USED,         /* artifact a */
    NOTE_CLAIMED,      /* achievement a */
    NOTE_DISCARDED,    /* card a */
    NOTE_TURN_END,     /* of seat a */
    NOTE_TURN,         /* of seat a begins */
    NOTE_OVER
};

struct note {
    uint8_t kind, a, b;
};

enum { NOTES_MAX = 112, TABLE_ROWS = TABLE_BOARDS * ROWS, TUNNEL_MAX = COLUMNS };

enum act_kind { ACT_NONE, ACT_DRILL, ACT_BOMB };

/* The Drill or Bomb begun last in this turn: its abilities, then its results. */
struct motherload_act {
    uint8_t kind;    /* enum act_kind */
    uint8_t color;   /* DRILL: declared */
    uint8_t length;  /* DRILL: spaces */
    uint8_t bonuses; /* DRILL: bit b for enum drill_bonus b */
    uint8_t pattern; /* BOMB */
    uint8_t wild_cards_only;
    uint8_t rock; /* spaces covered */
    uint8_t steel;
    uint8_t finds;  /* artifact spaces covered */
    uint8_t boards; /* covered */
    uint8_t kinds;  /* of mineral collected */
    uint8_t tiles;
    uint8_t value; /* $, at most 14 diamonds */
};

struct motherload_state {
    uint32_t epoch;                   /* of all streams: 0, or the epoch of the last rekey */
    uint32_t open;                    /* bit a: achievement a may be claimed */
    uint32_t claimed[SEATS_MAX];      /* bit a: achievement a was claimed by the seat */
    uint32_t reshuffles[SEATS_MAX];   /* of the seat's discard pile */
    uint16_t covered[TABLE_ROWS + 2]; /* bit c: column c; upper board first; two rows stay empty */
    uint16_t last[TUNNEL_MAX];        /* spaces of the last tunnel in reading order (see space) */

    uint8_t seats;
    uint8_t sides_drawn;   /* option sides=drawn */
    uint8_t decks_by_seat; /* option decks=seat */

    /* The progress of the turn. */
    uint8_t point;
    uint8_t active;
    uint8_t left;  /* actions */
    uint8_t taken; /* actions begun */
    uint8_t buys;
    uint8_t exact;
    uint8_t claimed_minor; /* this turn */
    uint8_t claimed_major;
    uint8_t placed; /* a tunnel, this turn */
    uint8_t ending;
    uint8_t idle; /* turns in a row without a tunnel */

    struct motherload_act act;
    uint8_t waiting[MINERALS]; /* PUT: minerals to be put */
    uint8_t put_mineral;       /* PUT: the previous mineral, NONE for the first */
    uint8_t put_stack;         /* PUT: the stack of that mineral */
    uint8_t bought_from;       /* COPY: stack, otherwise NONE */
    uint8_t last_count;

    /* The table. */
    uint8_t boards;              /* in play */
    uint8_t board[TABLE_BOARDS]; /* upper first, NONE if there is none */
    uint8_t side[DEPTHS];        /* drawn sides: 0 a, 1 b; NONE with sides=chosen */
    uint8_t supply;              /* bomb tokens */
    uint8_t majors[SLOTS];       /* face up; NONE = empty slot */
    uint8_t minors[SLOTS];
    uint8_t minor_deck_count;
    uint8_t minor_deck_known; /* cards among these put under the deck: everyone knows them */
    uint8_t minor_deck[MINORS];
    uint8_t artifact_next; /* the artifact pile is artifact_pile[artifact_next ..) */
    uint8_t artifact_pile[ARTIFACT_TILES];

    /* Seats. The draw pile of s is pile[s][pile_next[s] .. pile_end[s]). */
    uint8_t deck[SEATS_MAX]; /* NONE until it is taken */
    uint8_t bombs[SEATS_MAX];
    uint8_t bought[SEATS_MAX][COLORS];
    uint8_t pile_next[SEATS_MAX];
    uint8_t pile_end[SEATS_MAX];
    uint8_t pile[SEATS_MAX][CARDS_OF_A_SEAT];
    uint8_t hand[SEATS_MAX][CARDS];
    uint8_t known[SEATS_MAX][CARDS]; /* open cards among these (piles.h) */
    uint8_t discard[SEATS_MAX][CARDS];
    uint8_t minerals[SEATS_MAX][COLORS][MINERALS];
    uint8_t artifacts[SEATS_MAX][ARTIFACTS];

    uint8_t unused; /* pads the size to a multiple of four */
    uint8_t notes;
    struct note note[NOTES_MAX];
};

static_assert(sizeof(struct motherload_state) == 1020, "no padding, the same size everywhere");

/* A space as one number: (depth - 1) * 98 + row * 14 + column, in reading order of all depths. */
enum { BOARD_SPACES = ROWS * COLUMNS };

#define SPACE(depth, row, column) (((depth)-1) * BOARD_SPACES + (row)*COLUMNS + (column))

/* Adds `2f6`. */
void motherload_add_space(struct text *text, unsigned space);

unsigned motherload_hand_size(const struct motherload_state *state, unsigned seat);
unsigned motherload_pile_size(const struct motherload_state *state, unsigned seat);

/* Artifact tiles of all kinds that the seat holds. */
unsigned motherload_artifacts_held(const struct motherload_state *state, unsigned seat);

/* True if the seat has a card to draw, possibly after a shuffle. */
bool motherload_can_draw(const struct motherload_state *state, unsigned seat);

/* What a card does in the seat's deck. */
const struct motherload_feature *motherload_feature_of(const struct motherload_components *set,
                                                       const struct motherload_state *state,
                                                       unsigned seat, unsigned card);

static inline bool motherload_stack_left(const struct motherload_state *state, unsigned seat,
                                         unsigned color)
{
    return state->bought[seat][color] < STACK_CARDS;
}

/* The color's top card, which must still be on the stack. */
static inline uint8_t motherload_top_card(const struct motherload_state *state, unsigned seat,
                                          unsigned color)
{
    assert(motherload_stack_left(state, seat, color));
    return CARD(color, state->bought[seat][color] + 1u);
}

/* $ on a stack. */
static inline unsigned motherload_stack_value(const struct motherload_components *set,
                                              const struct motherload_state *state, unsigned seat,
                                              unsigned color)
{
    unsigned value = 0;
    for (unsigned mineral = 0; mineral < MINERALS; mineral++)
        value += (unsigned)state->minerals[seat][color][mineral] * set->minerals[mineral].value;
    return value;
}

/* True if the active seat's stack holds the cost of its top card. */
static inline bool motherload_is_due(const struct motherload_components *set,
                                     const struct motherload_state *state, unsigned color)
{
    unsigned seat = state->active;
    return motherload_stack_left(state, seat, color) &&
           motherload_stack_value(set, state, seat, color) >=
               set->cards[motherload_top_card(state, seat, color)].cost;
}

/* Bit c for every color whose stack is due. */
uint32_t motherload_due(const struct motherload_components *set,
                        const struct motherload_state *state);

/* True if a tile of this kind lies on one of the active seat's stacks. */
bool motherload_has_mineral(const struct motherload_state *state, unsigned mineral);

unsigned motherload_tiles(const uint8_t minerals[static MINERALS]);

/* The most valuable mineral waiting to be put; at least one waits. */
uint8_t motherload_dearest(const struct motherload_state *state);

/* True if minerals are put one by one: more than one was collected with the split bonus. */
bool motherload_puts_singly(const struct motherload_state *state);

/* Bit c: the waiting minerals, or the most valuable of them, may be put on stack c. */
uint32_t motherload_put_stacks(const struct motherload_state *state);

/* Bit c: a copied mineral may be put on stack c. */
uint32_t motherload_copy_stacks(const struct motherload_state *state);

/* Bit a: achievement a is face up. */
uint32_t motherload_face_up(const struct motherload_state *state);

/* Bit a: achievement a can be claimed by the active seat. */
uint32_t motherload_claimable(const struct motherload_state *state);

/* Bit d: nobody has taken deck d. */
uint32_t motherload_free_decks(const struct motherload_state *state);

/* The depth that follows the lowest board, 0 if there is none. */
unsigned motherload_next_depth(const struct motherload_components *set,
                               const struct motherload_state *state);

/* The decision point in words: `side-1`, `deck`, `main` ... `over`. */
const char *motherload_point_name(unsigned point);

/* A table for `seats` before the first board is laid. */
void motherload_clear(struct motherload_state *state, unsigned seats);

/* Points for what everyone can see: cards bought and achievements claimed. */
int32_t motherload_public_score(const struct motherload_components *set,
                                const struct motherload_state *state, unsigned seat);

/* Points of a seat, including hidden relics. */
int32_t motherload_score(const struct motherload_components *set,
                         const struct motherload_state *state, unsigned seat);

void motherload_outcome(const struct game *game, const void *state, struct outcome *outcome);

/* Opens every face-up achievement whose goal is met now for claims. */
void motherload_mark(const struct motherload_components *set, struct motherload_state *state);

/* Clears the notes of the last ply; those that follow them are empty. */
static inline void motherload_forget_notes(struct motherload_state *state)
{
    static_assert(NOTES_MAX % BYTES_BLOCK == 0, "whole blocks");
    bytes_clear(state->note, state->notes, sizeof state->note[0]);
    state->notes = 0;
}

void motherload_note(struct motherload_state *state, enum note_kind kind, unsigned a, unsigned b);

#endif
