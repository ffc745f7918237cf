#include "api/cli/bots/policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"

struct policy_player {
    struct level_player *level; /* NULL = random */
};

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

struct policy_player *policy_player_new(const struct game *game, struct policy policy)
{
    struct policy_player *player = must(calloc(1, sizeof *player));
    if (policy.level != NULL && (player->level = level_player_new(game, policy.level)) == NULL)
        abort();
    return player;
}

void policy_player_free(struct policy_player *player)
{
    if (player == NULL)
        return;
    level_player_free(player->level);
    free(player);
}

size_t policy_choose(struct policy_player *player, const void *state, unsigned seat,
                     const struct chance *luck, const struct move_list *list)
{
    if (player->level != NULL)
        return level_choose(player->level, state, seat, luck, list);
    struct chance_stream stream;
    chance_open(&stream, luck, "random", 0);
    return chance_uniform(&stream, (uint32_t)list->count);
}
