/* What a game provides for views, events and players made of code. A replay needs none of it, so
 * the browser's verifier leaves it out (engine/wasm/CMakeLists.txt omits its files), and the games'
 * tables refer to these stubs. (Their headers cannot be included together.) */
#include "engine/game/game.h"

#define LEFT_OUT(game)                                                                             \
    json_t *game##_view(const void *state, struct viewer viewer)                                   \
    {                                                                                              \
        (void)state;                                                                               \
        (void)viewer;                                                                              \
        return NULL;                                                                               \
    }                                                                                              \
    json_t *game##_events(const void *before, const void *after, const struct ply *ply,            \
                          struct viewer viewer)                                                    \
    {                                                                                              \
        (void)before;                                                                              \
        (void)after;                                                                               \
        (void)ply;                                                                                 \
        (void)viewer;                                                                              \
        return NULL;                                                                               \
    }                                                                                              \
    void game##_weigh(const void *state, unsigned seat, const struct move_list *legal,             \
                      int32_t *weight)                                                             \
    {                                                                                              \
        (void)state;                                                                               \
        (void)seat;                                                                                \
        (void)legal;                                                                               \
        (void)weight;                                                                              \
    }

LEFT_OUT(mall_world)
LEFT_OUT(shinjuku)
LEFT_OUT(motherload)
LEFT_OUT(supermarche)
LEFT_OUT(superstore)

unsigned motherload_features(const void *state, unsigned seat, int32_t *feature)
{
    (void)state;
    (void)seat;
    (void)feature;
    return 0;
}

void supermarche_finish(void *state, const struct chance *chance)
{
    (void)state;
    (void)chance;
}
