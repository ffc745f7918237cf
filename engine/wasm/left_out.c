/* What a game provides for views, events and players made of code. A replay needs none of it, so
 * the browser's verifier leaves it out (engine/wasm/CMakeLists.txt omits its files), and the games'
 * tables refer to these stubs. (Their headers cannot be included together.) */
#include "engine/game/game.h"

#define LEFT_OUT(name)                                                                             \
    json_t *name##_view(const struct game *game, const void *state, struct viewer viewer)          \
    {                                                                                              \
        (void)game;                                                                                \
        (void)state;                                                                               \
        (void)viewer;                                                                              \
        return NULL;                                                                               \
    }                                                                                              \
    json_t *name##_events(const struct game *game, const void *before, const void *after,          \
                          const struct ply *ply, struct viewer viewer)                             \
    {                                                                                              \
        (void)game;                                                                                \
        (void)before;                                                                              \
        (void)after;                                                                               \
        (void)ply;                                                                                 \
        (void)viewer;                                                                              \
        return NULL;                                                                               \
    }                                                                                              \
    void name##_weigh(const struct game *game, const void *state, unsigned seat,                   \
                      const struct move_list *legal, int32_t *weight)                              \
    {                                                                                              \
        (void)game;                                                                                \
        (void)state;                                                                               \
        (void)seat;                                                                                \
        (void)legal;                                                                               \
        (void)weight;                                                                              \
    }                                                                                              \
    void name##_play_best(const struct game *game, void *state, unsigned seat,                     \
                          const struct chance *chance)                                             \
    {                                                                                              \
        (void)game;                                                                                \
        (void)state;                                                                               \
        (void)seat;                                                                                \
        (void)chance;                                                                              \
    }                                                                                              \
    void name##_finish(const struct game *game, void *state, const struct chance *chance)          \
    {                                                                                              \
        (void)game;                                                                                \
        (void)state;                                                                               \
        (void)chance;                                                                              \
    }

LEFT_OUT(mall_world)
LEFT_OUT(shinjuku)
LEFT_OUT(motherload)
LEFT_OUT(supermarche)
LEFT_OUT(superstore)

#define NO_FEATURES(name)                                                                          \
    unsigned name##_features(const struct game *game, const void *state, unsigned seat,            \
                             int32_t *feature)                                                     \
    {                                                                                              \
        (void)game;                                                                                \
        (void)state;                                                                               \
        (void)seat;                                                                                \
        (void)feature;                                                                             \
        return 0;                                                                                  \
    }

NO_FEATURES(shinjuku)
NO_FEATURES(motherload)

size_t supermarche_sketch(const struct game *game, const void *state, unsigned seat,
                          const struct move_list *legal)
{
    (void)game;
    (void)state;
    (void)seat;
    (void)legal;
    return 0;
}
