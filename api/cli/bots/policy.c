#include "api/cli/bots/policy.h"

#include <stdio.h>
#include <string.h>

const char *policy_name(enum policy policy)
{
    return policy == POLICY_RANDOM ? "random" : "sensible";
}

bool policy_read(const char *word, enum policy *policy)
{
    if (strcmp(word, "random") == 0 || strcmp(word, "sensible") == 0) {
        *policy = word[0] == 'r' ? POLICY_RANDOM : POLICY_SENSIBLE;
        return true;
    }
    fprintf(stderr, "tillroll: a policy is `random` or `sensible`, not `%s`\n", word);
    return false;
}

size_t policy_choose(enum policy policy, const struct game *game, const json_t *view,
                     const struct move_list *list, struct chance_stream *stream)
{
    if (policy == POLICY_RANDOM)
        return chance_uniform(stream, (uint32_t)list->count);
    return game->advise(view, list);
}
