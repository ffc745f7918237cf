/* What things are worth to a seat at this stage of a game, in hundredths of a victory point. It
 * looks at nothing that the seat cannot know. */
#ifndef TILLROLL_SUPER_MOTHERLOAD_JUDGE_H
#define TILLROLL_SUPER_MOTHERLOAD_JUDGE_H

#include "engine/games/super-motherload/map.h"

/* Found by play of the policy against itself with changed numbers. */
enum worth {
    WORTH_ICON = 79,      /* of a card in hand */
    WORTH_CARD = 15,      /* besides its icons */
    WORTH_WILD = 45,      /* besides its icons */
    WORTH_REACH = 11,     /* an icon of the longest drill in hand */
    WORTH_LATE_CARD = 18, /* percent, of a card beyond what can be kept or played */
    WORTH_TOKEN = 223,
    WORTH_ARTIFACT = 268,
    WORTH_ACTION = 271,
    WORTH_COPY = 295,
    WORTH_SWAP = 31,
    WORTH_SPLIT = 27,
    WORTH_CHOICE = 23,     /* drawing before the last drill instead of after it */
    WORTH_NEXT = 72,       /* percent of what a second action of the turn promises */
    WORTH_OPENING = -7,    /* a new board, with an action left */
    WORTH_UNCOVERING = -2, /* a new board for the next seat */
    WORTH_WIN = 2854,      /* ending the game far ahead */
    WORTH_LEAD = 11,       /* of the same, for each hundredth ahead */
    HOLD_ACTION = 59,      /* artifacts not used yet */
    HOLD_DRAW = 35,
    HOLD_BOMB = 31,
    HOLD_MINERAL = 46,
    HOLD_COPY = 86,
    HOLD_RECRUIT = 61,
    WORTH_DECK_ICON = 76, /* of a card bought */
    WORTH_MATCH = 10,     /* of a card bought: each icon of its color in the deck */
    WORTH_TIER_1 = 77,    /* a card bought: the next card of the stack */
    WORTH_TIER_2 = 126,
    WORTH_TIER_3 = 83,
    WORTH_TIER_4 = 62,
    WORTH_BONUS = 44,   /* a card with a drill bonus */
    WORTH_MAJOR_1 = 91, /* percent of a major, the last missing card of it */
    WORTH_MAJOR_2 = 40, /* one of the last two */
    WORTH_MAJOR_3 = 19,
    STACK_LINE = 47,   /* percent of the prize that grow with every dollar alike */
    STACK_DOUBT = 120, /* percent: how income to come is doubted */
    INCOME = 4,        /* dollars of a turn */
    TURNS_A_FIND = 35, /* sixteenths, of all seats together */
    FADE_TURNS = 17    /* sixteenths of a turn before the end when what lasts is worth half */
};

enum { WORTH_POINT = 100, WHOLE = 256 /* of a share */ };

struct motherload_outlook {
    const struct motherload_state *state;
    unsigned seat;
    unsigned finds_left;  /* artifacts to be found before the game ends, the lowest board's first */
    unsigned last_finds;  /* of these on the lowest board */
    int32_t turns;        /* of the seat to come, in sixteenths, a guess */
    int32_t lasting;      /* share of WHOLE that what pays off in later turns is still worth */
    int32_t income;       /* $ to come, a guess */
    uint32_t face_up;     /* achievements */
    int32_t lead;         /* in hundredths of a point, before the best rival, as far as is known */
    uint8_t cost[COLORS]; /* of the top card; 0 if none is left */
    uint8_t dollars[COLORS];
    int32_t prize[COLORS];  /* for buying the top card */
    unsigned icons[COLORS]; /* in the whole deck */
    int32_t card[CARDS];    /* each kind of card in the seat's hand */
    int32_t drawn;          /* a card from the seat's draw pile */
};

/* What a minor asks of a tunnel's yield, beyond what the seat has already. */
struct motherload_wish {
    uint8_t field, least;
    uint8_t other_field, other_least;
    bool dollars, kinds, crossing;
    int32_t worth;
};

/* The dearest first. */
struct motherload_wishes {
    unsigned count;
    struct motherload_wish wish[SLOTS];
};

/* Looks at the game with the eyes of `seat`. */
void motherload_look(const struct motherload_components *set, const struct motherload_state *state,
                     unsigned seat, struct motherload_outlook *outlook);

/* The worth of a stack that holds so many dollars. */
int32_t motherload_stack_worth(const struct motherload_components *set,
                               const struct motherload_outlook *outlook, unsigned color,
                               unsigned dollars);

/* What further dollars on a stack add to its worth. */
int32_t motherload_put_worth(const struct motherload_components *set,
                             const struct motherload_outlook *outlook, unsigned color,
                             unsigned dollars);

/* What dollars add on the stack where they add most. */
int32_t motherload_best_put_worth(const struct motherload_components *set,
                                  const struct motherload_outlook *outlook, unsigned dollars);

/* The worth of `count` new cards beside `hand` others if so many actions are left then. */
int32_t motherload_draw_worth(const struct motherload_outlook *outlook, unsigned hand,
                              unsigned count, unsigned actions);

/* The seat's stacks with minerals. */
unsigned motherload_filled_stacks(const struct motherload_outlook *outlook);

/* The minors that a tunnel of this act could open, if the seat may claim one. Those for wild cards
 * only are left out. */
void motherload_wish_for(const struct motherload_components *set,
                         const struct motherload_outlook *outlook, const struct motherload_act *act,
                         struct motherload_wishes *wishes);

static inline bool motherload_is_met(const struct motherload_wish *wish, motherload_yield yield,
                                     bool crosses)
{
    enum { KINDS = 3 };
    if (wish->dollars)
        return motherload_dollars_of(yield) >= wish->least;
    if (wish->kinds) {
        unsigned kinds = 0;
        for (unsigned mineral = 0; mineral < MINERALS; mineral++)
            kinds += motherload_yield_of(yield, YIELD_MINERAL + 4 * mineral) > 0;
        return kinds >= KINDS;
    }
    if (wish->crossing)
        return crosses;
    return motherload_yield_of(yield, wish->field) >= wish->least &&
           motherload_yield_of(yield, wish->other_field) >= wish->other_least;
}

/* The worth of the best wish that a tunnel fulfils which yields this, and may cross the seam. */
static inline int32_t motherload_wishes_worth(const struct motherload_wishes *wishes,
                                              motherload_yield yield, bool crosses)
{
    for (unsigned i = 0; i < wishes->count; i++)
        if (motherload_is_met(&wishes->wish[i], yield, crosses))
            return wishes->wish[i].worth;
    return 0;
}

/* The part of `worth` that is left of it at this stage, if it pays off in later turns. */
static inline int32_t motherload_later(const struct motherload_outlook *outlook, int32_t worth)
{
    return worth * outlook->lasting / WHOLE;
}

#endif
