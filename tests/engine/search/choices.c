#include "tests/engine/search/choices.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/search/policy.h"
#include "tests/engine/support/table.h"

/* Sixteenths of the game, 0-terminated. Searches are asked near its end, where they are quick. */
static const uint8_t by_weight[] = {1, 4, 7, 10, 13, 15, 0}, by_search[] = {13, 15, 0};

struct course {
    struct table table;
    struct move_list list;
    unsigned seat;
    unsigned long plies;
};

static void begin(struct course *course, const struct game *game)
{
    const struct game_options options = game_options_initial(game);
    course->plies = 0;
    table_set(&course->table, game, game->seats_max < 3 ? game->seats_max : 3, &options, 0);
    memset(course->table.state, 0, game->state_size);
    memset(course->table.chance.seed, 7, sizeof course->table.chance.seed);
    game->setup(game, course->table.state, course->table.seats, &options, &course->table.chance);
}

/* Lists the moves of the first seat that has to decide. False: the game is over. */
static bool look(struct course *course)
{
    const struct game *game = course->table.game;
    uint32_t deciders = game->deciders(course->table.state);
    if (deciders == 0)
        return false;
    course->seat = 0;
    while ((deciders >> course->seat & 1) == 0)
        course->seat++;
    table_legal(game, course->table.state, course->seat, &course->list);
    return true;
}

static void play_on(struct course *course)
{
    const struct game *game = course->table.game;
    struct refusal refusal;
    size_t move = policy_advise(game, course->table.state, course->seat, &course->list);
    if (!game->play(game, course->table.state, course->seat, move_list_get(&course->list, move),
                    &course->table.chance, &refusal))
        abort();
    course->plies++;
}

static void add_choice(struct course *course, struct level_player *player, uint8_t number,
                       bool imagined, crypto_hash_sha256_state *hash)
{
    const struct game *game = course->table.game;
    const struct viewer viewer = {VIEWER_SEAT, course->seat};
    _Alignas(8) unsigned char state[GAME_STATE_MAX];
    struct chance luck;
    uint8_t head[32];
    memcpy(state, course->table.state, game->state_size);
    if (imagined)
        game->imagine(game, state, viewer, &(const struct chance){.seed = {number}});
    memset(head, number, sizeof head);
    level_luck(&luck, head, course->seat);
    size_t chosen = level_choose(player, state, course->seat, &luck, &course->list);
    const struct span move = move_list_get(&course->list, chosen);
    crypto_hash_sha256_update(hash, (const uint8_t *)move.at, move.length);
    crypto_hash_sha256_update(hash, (const uint8_t *)"\n", 1);
}

void choices_digest(const struct game *game, const struct level *level, bool imagined,
                    char hex[static CHOICES_HEX + 1])
{
    struct course *course = calloc(1, sizeof *course);
    struct level_player *player = level_player_new(game, level);
    crypto_hash_sha256_state hash;
    uint8_t sum[crypto_hash_sha256_BYTES];
    if (course == NULL || player == NULL)
        abort();
    table_list_init(&course->list, game);
    for (begin(course, game); look(course);)
        play_on(course);
    const unsigned long plies = course->plies;
    const uint8_t *number = level_play(level, game)->search.playouts > 0 ? by_search : by_weight;
    crypto_hash_sha256_init(&hash);
    for (begin(course, game); *number != 0 && look(course); play_on(course))
        if (course->plies >= plies * *number / 16 && course->list.count > 1)
            add_choice(course, player, *number++, imagined, &hash);
    crypto_hash_sha256_final(&hash, sum);
    sodium_bin2hex(hex, CHOICES_HEX + 1, sum, CHOICES_HEX / 2);
    move_list_free(&course->list);
    level_player_free(player);
    free(course);
}
