#include "engine/search/level.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/search/policy.h"

static const struct level levels[] = {
    {"beginner", "Knows the rules and what a good move looks like, and often misses it.", 6},
    {"casual", "Plays sensibly, with small mistakes.", 2},
    {"regular", "Plays sensibly, one move at a time.", 0},
};

enum { LEVELS = sizeof levels / sizeof *levels };

struct level_player {
    const struct game *game;
    const struct level *level;
    int32_t *weight;
    uint32_t *share;
};

const struct level *level_at(size_t i)
{
    return i < LEVELS ? &levels[i] : NULL;
}

const struct level *level_named(struct span name)
{
    for (size_t i = 0; i < LEVELS; i++)
        if (span_is(name, levels[i].name))
            return &levels[i];
    return NULL;
}

struct level_player *level_player_new(const struct game *game, const struct level *level)
{
    struct level_player *player = calloc(1, sizeof *player);
    if (player == NULL)
        return NULL;
    player->game = game;
    player->level = level;
    player->weight = calloc(game->legal_max, sizeof *player->weight);
    player->share = calloc(game->legal_max, sizeof *player->share);
    if (player->weight != NULL && player->share != NULL)
        return player;
    level_player_free(player);
    return NULL;
}

void level_player_free(struct level_player *player)
{
    if (player == NULL)
        return;
    free(player->weight);
    free(player->share);
    free(player);
}

size_t level_choose(struct level_player *player, const void *state, unsigned seat,
                    const struct chance *luck, const struct move_list *legal)
{
    const struct game *game = player->game;
    const struct level *level = player->level;
    struct chance_stream stream;
    if (legal->count == 1)
        return 0;
    game->weigh(state, seat, legal, player->weight);
    if (level->units == 0)
        return policy_best(legal, player->weight);
    policy_shares(player->weight, legal->count, game->weight_unit * (int32_t)level->units,
                  player->share);
    chance_open(&stream, luck, "level", 0);
    return policy_draw(player->share, legal->count, &stream);
}

void level_luck(struct chance *luck, const uint8_t head[static 32], unsigned seat)
{
    static const uint8_t label[] = "tillroll/house/" LEVEL_VERSION;
    uint8_t at = (uint8_t)seat;
    crypto_generichash_state hash;
    *luck = (struct chance){.stacks = NULL};
    crypto_generichash_init(&hash, NULL, 0, sizeof luck->seed);
    crypto_generichash_update(&hash, label, sizeof label - 1);
    crypto_generichash_update(&hash, head, 32);
    crypto_generichash_update(&hash, &at, 1);
    crypto_generichash_final(&hash, luck->seed, sizeof luck->seed);
}
