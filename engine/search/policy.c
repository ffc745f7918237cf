#include "engine/search/policy.h"

#include <assert.h>

size_t policy_best(const struct move_list *list, const int32_t *weight)
{
    size_t best = 0;
    for (size_t i = 1; i < list->count; i++)
        if (weight[i] > weight[best])
            best = i;
    return best;
}

size_t policy_advise(const struct game *game, const void *state, unsigned seat,
                     const struct move_list *list)
{
    int32_t weight[POLICY_MOVES_MAX];
    assert(list->count >= 1 && list->count <= POLICY_MOVES_MAX);
    game->weigh(game, state, seat, list, weight);
    return policy_best(list, weight);
}

void policy_shares(const int32_t *weight, size_t count, int32_t unit, uint32_t *share)
{
    int32_t best = weight[0];
    for (size_t i = 1; i < count; i++)
        best = weight[i] > best ? weight[i] : best;
    for (size_t i = 0; i < count; i++) {
        /* Sixteenths of a unit, rounded down; between two powers of two the line. */
        int64_t behind = ((int64_t)best - weight[i]) * 16 / unit;
        unsigned halvings = behind >= 16 * 16 ? 16 : (unsigned)(behind / 16);
        uint32_t high = POLICY_SHARE_ONE >> halvings;
        share[i] = high - (uint32_t)((high / 2) * (uint64_t)(behind % 16) / 16);
        if (halvings >= 16 || share[i] == 0)
            share[i] = 1;
    }
}

size_t policy_draw(const uint32_t *share, size_t count, struct chance_stream *stream)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += share[i];
    uint32_t left = chance_uniform(stream, sum);
    size_t i = 0;
    while (left >= share[i])
        left -= share[i++];
    return i;
}
