/* How a seat's mall stands, in the parts that count for it. */
#ifndef TILLROLL_SUPERSTORE_JUDGE_H
#define TILLROLL_SUPERSTORE_JUDGE_H

#include "engine/games/superstore-3000/score.h"

enum { SUPERSTORE_AIMS_MAX = COMMON_MAX + 1 };

/* An attraction that the seat may still build. */
struct superstore_aim {
    const struct superstore_condition *condition;
    int32_t points;
    uint8_t common;         /* index in the state's common[], NONE for the night club */
    uint8_t of[CATEGORIES]; /* COUNT_ELEMENTS: elements of each category, high enough */
};

/* What all moves of a decision have in common. */
struct superstore_outlook {
    const struct superstore_state *table;
    unsigned seat;
    int32_t rival[BALLOONS];     /* the best merit of another seat; -1: not looked at yet */
    uint8_t highest[CATEGORIES]; /* the highest floor with an element of each category, 0 if none */
    unsigned aims;
    struct superstore_aim aim[SUPERSTORE_AIMS_MAX];
};

/* The best cluster of a category, or all satisfied customers. */
struct superstore_size {
    int32_t stores, customers;
};

struct superstore_standing {
    int32_t points; /* of attractions and docking bays */
    struct superstore_size size[BALLOONS];
    int32_t waiting;                       /* worth of standing customers and free stores */
    int32_t notes;                         /* bank notes */
    uint32_t open;                         /* bit i: aim i has not been built */
    int32_t progress[SUPERSTORE_AIMS_MAX]; /* of each condition, in percent */
};

void superstore_look_around(const struct superstore_components *set,
                            const struct superstore_state *table, unsigned seat,
                            struct superstore_outlook *outlook);

/* How the seat stands before the move. */
void superstore_survey(const struct superstore_components *set,
                       const struct superstore_outlook *outlook,
                       struct superstore_standing *standing);

/* Accounts for everything but mall elements, in a state that followed from the outlook's table. */
void superstore_survey_again(const struct superstore_components *set,
                             const struct superstore_state *state,
                             const struct superstore_outlook *outlook,
                             struct superstore_standing *standing);

/* The store's cluster among stores of its category. */
struct superstore_size superstore_size_of(const struct superstore_plan *plan,
                                          const struct superstore_sets *sets, unsigned category,
                                          unsigned store);

/* Accounts for a mall element that was added to the outlook's mall, apart from its customers and
 * its cluster. */
void superstore_add_element(const struct superstore_components *set,
                            const struct superstore_outlook *outlook,
                            const struct superstore_tile *tile,
                            struct superstore_standing *standing);

/* Accounts for the customers of a tile that was added, or for a store without one; `cluster` is
 * that of the store. Nobody was served. */
void superstore_add_customers(const struct superstore_components *set,
                              const struct superstore_tile *tile, struct superstore_size cluster,
                              struct superstore_standing *standing);

/* Accounts for an attraction or docking bay that was added, after which nobody was served. */
void superstore_add_other(const struct superstore_components *set,
                          const struct superstore_outlook *outlook,
                          const struct superstore_tile *tile, struct superstore_standing *standing);

/* Accounts for an attraction that connects stores. `plan` is that with the attraction; `touched`
 * are the tiles at a distance of one from it, and `sets` those of the mall without it. */
void superstore_connect_stores(const struct superstore_plan *plan,
                               const struct superstore_sets *sets, uint32_t touched,
                               struct superstore_standing *standing);

/* True if superstore_connect_stores() would look at a cluster. */
bool superstore_connects(const struct superstore_sets *sets, uint32_t touched);

/* Accounts for the seat's number of bank notes. */
void superstore_set_notes(const struct superstore_outlook *outlook, int32_t notes,
                          struct superstore_standing *standing);

/* Turns that each seat has left, roughly. */
int32_t superstore_turns_left(const struct superstore_state *state);

/* What the seat gains by standing so, in hundredths of a point. */
int32_t superstore_worth(const struct superstore_standing *standing, int32_t turns,
                         struct superstore_outlook *outlook);

#endif
