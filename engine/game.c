#include "engine/game.h"

#include <assert.h>

static int compare_seats(const struct outcome *o, unsigned a, unsigned b)
{
    if (o->score[a] != o->score[b])
        return o->score[a] > o->score[b] ? 1 : -1;
    for (unsigned i = 0; i < o->tie_breaks; i++)
        if (o->tie_break[a][i] != o->tie_break[b][i])
            return o->tie_break[a][i] > o->tie_break[b][i] ? 1 : -1;
    return 0;
}

void outcome_rank(struct outcome *outcome)
{
    for (unsigned seat = 0; seat < outcome->seats; seat++) {
        outcome->rank[seat] = 1;
        for (unsigned other = 0; other < outcome->seats; other++)
            if (compare_seats(outcome, other, seat) > 0)
                outcome->rank[seat]++;
    }
}

int game_option_index(const struct game *game, struct span name)
{
    for (size_t i = 0; i < game->option_count; i++)
        if (span_is(name, game->options[i].name))
            return (int)i;
    return -1;
}

int game_option_value(const struct game *game, size_t option, struct span value)
{
    const char *const *values = game->options[option].values;
    for (size_t i = 0; values[i] != NULL; i++)
        if (span_is(value, values[i]))
            return (int)i;
    return -1;
}

struct game_options game_options_initial(const struct game *game)
{
    struct game_options options = {{0}};
    for (size_t i = 0; i < game->option_count; i++)
        options.value[i] = game->options[i].initial;
    return options;
}

struct span game_components(const struct game *game)
{
    return (struct span){(const char *)game->components,
                         (size_t)(game->components_end - game->components)};
}

void game_components_hash(const struct game *game, uint8_t hash[static 32])
{
    bool read = span_hex(span_of(game->components_sha256), hash, 32);
    assert(read);
    (void)read;
}

bool game_decides(const struct game *game, const void *state, unsigned seat)
{
    return seat < GAME_SEATS_MAX && (game->deciders(state) >> seat & 1) != 0;
}

bool refuse(struct refusal *refusal, const char *code, const char *message)
{
    *refusal = (struct refusal){code, message};
    return false;
}
