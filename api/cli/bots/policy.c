#include "api/cli/bots/policy.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = {"random", "sensible", "weighed"};

const char *policy_name(enum policy policy)
{
    return names[policy];
}

bool policy_read(const char *word, enum policy *policy)
{
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(word, names[i]) == 0) {
            *policy = (enum policy)i;
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
