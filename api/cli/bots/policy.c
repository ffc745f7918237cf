#include "api/cli/bots/policy.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/arena.h"

const char *policy_name(struct policy policy)
{
    return policy.level == NULL ? "random" : policy.level->name;
}

bool policy_read(const char *word, struct policy *policy)
{
    policy->level = level_named(span_of(word == NULL ? "regular" : word));
    if (policy->level != NULL || strcmp(word, "random") == 0)
        return true;
    fprintf(stderr, "tillroll: a policy is `random`");
    for (size_t i = 0; level_at(i) != NULL; i++)
        fprintf(stderr, "%s`%s`", level_at(i + 1) == NULL ? " or " : ", ", level_at(i)->name);
    fprintf(stderr, ", not `%s`\n", word);
    return false;
}

struct level_player *policy_player_new(const struct game *game, struct policy policy)
{
    return policy.level == NULL ? NULL : must(level_player_new(game, policy.level));
}

struct chance policy_luck(struct chance_stream *stream)
{
    struct chance luck = {.stacks = NULL};
    for (size_t i = 0; i < CHANCE_SEED_BYTES; i++)
        luck.seed[i] = (uint8_t)chance_uniform(stream, 256);
    return luck;
}

size_t policy_choose(struct level_player *player, const void *state, unsigned seat,
                     const struct chance *luck, const struct move_list *list)
{
    if (player != NULL)
        return level_choose(player, state, seat, luck, list);
    struct chance_stream stream;
    chance_open(&stream, luck, "random", 0);
    return chance_uniform(&stream, (uint32_t)list->count);
}
