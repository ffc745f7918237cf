/* Policies: how a bot chooses among its legal moves. They see only what a player sees: the seat's
 * view and the list. */
#ifndef TILLROLL_API_CLI_BOTS_POLICY_H
#define TILLROLL_API_CLI_BOTS_POLICY_H

#include "engine/game/game.h"

enum policy { POLICY_RANDOM, POLICY_SENSIBLE, POLICY_WEIGHED };

/* Reads `random`, `sensible` or `weighed`. False with a message on standard error. */
bool policy_read(const char *word, enum policy *policy);

/* The policy's name, static. */
const char *policy_name(enum policy policy);

/* The index of the chosen move. `list` is not empty; `stream` is used by POLICY_RANDOM. */
size_t policy_choose(enum policy policy, const struct game *game, const json_t *view,
                     const struct move_list *list, struct chance_stream *stream);

#endif
