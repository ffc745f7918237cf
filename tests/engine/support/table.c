#include "tests/engine/support/table.h"

#include <stdlib.h>
#include <string.h>

#include "tests/engine/support/dice.h"

static const unsigned char fence = 0xa5;

void table_set(struct table *table, const struct game *game, unsigned seats,
               const struct game_options *options, uint32_t number)
{
    table->game = game;
    table->seats = seats;
    table->options = *options;
    table->chance = (struct chance){.stacks = NULL};
    dice_seed(number, table->chance.seed);
    memset(table->state, fence, sizeof table->state);
    memset(table->state, 0, game->state_size);
    game->setup(game, table->state, seats, options, &table->chance);
}

bool table_fence_stands(const struct table *table)
{
    const unsigned char *first = table->state + table->game->state_size;
    size_t length = sizeof table->state - table->game->state_size;
    return first[0] == fence && memcmp(first, first + 1, length - 1) == 0;
}

static size_t count_values(const struct game_option *option)
{
    size_t count = 0;
    while (option->values[count] != NULL)
        count++;
    return count;
}

bool table_next_options(const struct game *game, struct game_options *options)
{
    for (size_t i = 0; i < game->option_count; i++) {
        if (++options->value[i] < count_values(&game->options[i]))
            return true;
        options->value[i] = 0;
    }
    return false;
}

size_t table_combinations(const struct game *game)
{
    size_t count = game->seats_max - game->seats_min + 1;
    for (size_t i = 0; i < game->option_count; i++)
        count *= count_values(&game->options[i]);
    return count;
}

void table_list_init(struct move_list *list, const struct game *game)
{
    struct game roomy = *game;
    roomy.legal_max = 2 * game->legal_max + 16;
    roomy.move_max = 2 * GAME_MOVE_MAX;
    if (!move_list_init(list, &roomy))
        abort();
}

void table_legal(const struct game *game, const void *state, unsigned seat, struct move_list *list)
{
    move_list_clear(list);
    game->legal(game, state, seat, list);
}

struct span played_move(const struct played *played)
{
    return (struct span){played->move, played->length};
}
