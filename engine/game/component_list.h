/* Component sets that readers of records are given.
 *
 * Records name the set that they were played with. Those of the catalogue are known; for any other,
 * whoever replays records is asked.
 */
#ifndef TILLROLL_ENGINE_GAME_COMPONENT_LIST_H
#define TILLROLL_ENGINE_GAME_COMPONENT_LIST_H

#include "engine/game/game.h"

struct component_fault; /* engine/game/component_reader.h */

struct component_sets {
    /* The ruleset `rules` with the set of this SHA-256, or NULL. The game must stay as long as
     * anything that was replayed with it is used. */
    const struct game *(*find)(void *context, const struct game *rules,
                               const uint8_t hash[static 32]);
    void *context;
};

/* Whether `game` is the ruleset `rules`, of the same version, with the set of this SHA-256. */
bool component_set_is(const struct game *game, const struct game *rules,
                      const uint8_t hash[static 32]);

enum { COMPONENT_LIST_MAX = 32 };

/* A few sets, each as a game of every version of its ruleset. Zeroed, it is empty. */
struct component_list {
    struct game *game[COMPONENT_LIST_MAX];
    size_t count;
    struct component_sets sets; /* filled by component_list_sets() */
};

/* Adds a set; one that is there already is not added again. False with a fault if it is not one of
 * a ruleset of the catalogue, if the list is full, or when out of memory. */
bool component_list_add(struct component_list *list, struct span json,
                        struct component_fault *fault);

/* The ruleset `rules` with the set of this SHA-256, if the list has it; otherwise NULL. It stays as
 * long as the list. */
const struct game *component_list_find(const struct component_list *list, const struct game *rules,
                                       const uint8_t hash[static 32]);

/* The list as readers take it; NULL if it is empty. */
const struct component_sets *component_list_sets(struct component_list *list);

void component_list_free(struct component_list *list);

#endif
