#include "engine/search/level.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/search/policy.h"

static const struct level levels[] = {
    {"beginner", "Knows the rules and what a good move looks like, and often misses it."},
    {"casual", "Plays sensibly, with small mistakes."},
    {"regular", "Plays sensibly, one move at a time."},
    {"strong", "Tries the most promising moves by playing the game to its end a few times."},
    {"master", "Tries more moves than a strong player, and each of them more often."},
};

enum { LEVELS = sizeof levels / sizeof *levels };

/* Searches have {candidates, playouts, reach, doubt, margin, plies, drop}. The last row is for
 * other games. */
static const struct {
    const char *slug;
    struct level_play play[LEVELS];
} games[] = {
    {"mall-world",
     {{.units = 6},
      {.units = 2},
      {.units = 0},
      {.search = {3, 16, 4, 4, 1000000, 0, 0}},
      {.search = {5, 128, 4, 4, 1000000, 0, 0}}}},
    {"shinjuku",
     {{.units = 6},
      {.units = 2},
      {.units = 0},
      {.search = {3, 24, 7, 4, 200, 36, 0}},
      {.search = {4, 128, 40, 4, 200, 36, 0}}}},
    {"super-motherload",
     {{.units = 6},
      {.units = 4},
      {.units = 0},
      {.search = {3, 12, 4, 4, 200, 25, 0}},
      {.search = {6, 768, 4, 4, 200, 60, 0}}}},
    {"supermarche",
     {{.units = 6},
      {.units = 2},
      {.units = 0},
      {.search = {3, 48, 4, 4, 500, 0, 0}},
      {.search = {64, 8192, 100, 1, 500, 0, 12}}}},
    {"superstore-3000",
     {{.units = 6},
      {.units = 2},
      {.units = 0},
      {.search = {2, 8, 4, 4, 600, 0, 0}},
      {.search = {6, 96, 6, 4, 600, 24, 0}}}},
    {NULL,
     {{.units = 6},
      {.units = 2},
      {.units = 0},
      {.search = {3, 16, 4, 4, 500, 0, 0}},
      {.search = {6, 96, 4, 4, 500, 0, 0}}}},
};

struct level_player {
    const struct game *game;
    const struct level_play *play;
    struct search *search; /* NULL: by weight alone */
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

const struct level_play *level_play(const struct level *level, const struct game *game)
{
    size_t i = 0;
    while (games[i].slug != NULL && strcmp(games[i].slug, game->slug) != 0)
        i++;
    return &games[i].play[level - levels];
}

struct level_player *level_player_new(const struct game *game, const struct level *level)
{
    struct level_player *player = calloc(1, sizeof *player);
    if (player == NULL)
        return NULL;
    player->game = game;
    player->play = level_play(level, game);
    player->weight = calloc(game->legal_max, sizeof *player->weight);
    player->share = calloc(game->legal_max, sizeof *player->share);
    bool searches = player->play->search.playouts > 0;
    if (searches)
        player->search = search_new(game, &player->play->search);
    if (player->weight != NULL && player->share != NULL && (player->search != NULL) == searches)
        return player;
    level_player_free(player);
    return NULL;
}

void level_player_free(struct level_player *player)
{
    if (player == NULL)
        return;
    search_free(player->search);
    free(player->weight);
    free(player->share);
    free(player);
}

size_t level_choose(struct level_player *player, const void *state, unsigned seat,
                    const struct chance *luck, const struct move_list *legal)
{
    const struct game *game = player->game;
    const uint32_t units = player->play->units;
    struct chance_stream stream;
    if (legal->count == 1)
        return 0;
    if (player->search != NULL)
        return search_choose(player->search, state, seat, luck, legal);
    game->weigh(game, state, seat, legal, player->weight);
    if (units == 0)
        return policy_best(legal, player->weight);
    policy_shares(player->weight, legal->count, game->weight_unit * (int32_t)units, player->share);
    chance_open(&stream, luck, "level", 0);
    return policy_draw(player->share, legal->count, &stream);
}

uint64_t level_playouts(const struct level_player *player)
{
    return player->search == NULL ? 0 : search_playouts(player->search);
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
