/* Policies: how a built-in player chooses among its legal moves, using only what a player may know.
 */
#ifndef TILLROLL_API_CLI_BOTS_POLICY_H
#define TILLROLL_API_CLI_BOTS_POLICY_H

#include "engine/search/level.h"

struct policy {
    const struct level *level; /* NULL = any legal move at random */
};

/* Reads `random` or the name of a level; NULL is `regular`. False with a message on standard error.
 */
bool policy_read(const char *word, struct policy *policy);

/* The policy's name, a static string. */
const char *policy_name(struct policy policy);

/* Creates a player with this policy in games of one ruleset; NULL for one that plays at random.
 * Free with level_player_free(). One thread at a time may use it. */
struct level_player *policy_player_new(const struct game *game, struct policy policy);

/* Returns luck whose seed is the next 32 bytes of a stream. */
struct chance policy_luck(struct chance_stream *stream);

/* Returns the index of the chosen move. `list` is what legal() lists for `seat` and is not empty;
 * all luck comes from `luck`. */
size_t policy_choose(struct level_player *player, const void *state, unsigned seat,
                     const struct chance *luck, const struct move_list *list);

#endif
