#include "api/cli/bots/policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/search/policy.h"

struct policy_player {
    const struct game *game;
    struct policy policy;
    struct level_player *level; /* NULL = none */
};

const char *policy_name(struct policy policy)
{
    return policy.kind == POLICY_LEVEL    ? policy.level->name
           : policy.kind == POLICY_RANDOM ? "random"
                                          : "sensible";
}

bool policy_read(const char *word, struct policy *policy)
{
    *policy = (struct policy){POLICY_LEVEL, level_named(span_of(word))};
    if (policy->level != NULL)
        return true;
    policy->kind = strcmp(word, "random") == 0 ? POLICY_RANDOM : POLICY_SENSIBLE;
    if (policy->kind == POLICY_RANDOM || strcmp(word, "sensible") == 0)
        return true;
    fprintf(stderr, "tillroll: a policy is `random`, `sensible` or a level");
    for (size_t i = 0; level_at(i) != NULL; i++)
        fprintf(stderr, "%s`%s`", i == 0 ? " (" : ", ", level_at(i)->name);
    fprintf(stderr, "), not `%s`\n", word);
    return false;
}

struct policy_player *policy_player_new(const struct game *game, struct policy policy)
{
    struct policy_player *player = calloc(1, sizeof *player);
    if (player == NULL)
        abort();
    player->game = game;
    player->policy = policy;
    if (policy.kind == POLICY_LEVEL &&
        (player->level = level_player_new(game, policy.level)) == NULL)
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
    if (player->policy.kind == POLICY_RANDOM) {
        struct chance_stream stream;
        chance_open(&stream, luck, "random", 0);
        return chance_uniform(&stream, (uint32_t)list->count);
    }
    return policy_advise(player->game, state, seat, list);
}
