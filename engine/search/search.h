/* Search among the moves of one seat: information-set Monte Carlo tree search.
 *
 * Each iteration imagines what the seat cannot know (imagine() in game.h), follows the tree of the
 * seat's own decisions by the rule of PUCT, lets all others play by their weights, adds one node,
 * plays on by the weights for some plies, and adds the value of the position reached to every
 * decision on the way. The choice is the move tried most often.
 *
 * A node stands for the moves that led to it and for the legal moves there, which are all that the
 * seat itself can tell apart. The work is a number of iterations, never a time, and all of it is
 * done in integers: the same position, seat, luck, settings and weights give the same move on every
 * machine. Since positions are imagined first, the choice depends on nothing that the seat cannot
 * know.
 *
 * After P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", 2012; PUCT
 * after C. Rosin, "Multi-armed bandits with episode context", 2011.
 */
#ifndef TILLROLL_ENGINE_SEARCH_SEARCH_H
#define TILLROLL_ENGINE_SEARCH_SEARCH_H

#include "engine/game/game.h"

enum { SEARCH_ITERATIONS_MAX = 1 << 20 };

struct search_settings {
    uint32_t iterations; /* at most, 1 .. SEARCH_ITERATIONS_MAX */
    uint32_t rollout;    /* plies played by weight below the tree before the position is valued;
                          * a game without learned value is always played to its end */
    uint32_t explore;    /* weight of untried moves beside the best value, in 1 / 256 */
};

struct search;

/* Memory for searches in games with this ruleset. NULL when out of memory. search_free() frees. It
 * may be used by one thread at a time. */
struct search *search_new(const struct game *game, const struct search_settings *settings);
void search_free(struct search *search);

/* The index of the move that `seat`, one of the deciders, should make. `legal` is what legal()
 * lists for it. `luck` is the source of all luck of the search. */
size_t search_choose(struct search *search, const void *state, unsigned seat,
                     const struct chance *luck, const struct move_list *legal);

#endif
