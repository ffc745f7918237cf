/* What a game provides for views, events and advice. A replay needs none of it, so the browser's
 * verifier leaves it out (engine/wasm/CMakeLists.txt omits its files), and the games' tables refer
 * to these stubs. (Their headers cannot be included together.) */
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
    size_t game##_advise(const json_t *view, const struct move_list *legal)                        \
    {                                                                                              \
        (void)view;                                                                                \
        (void)legal;                                                                               \
        return 0;                                                                                  \
    }

LEFT_OUT(mall_world)
LEFT_OUT(shinjuku)
LEFT_OUT(motherload)
LEFT_OUT(supermarche)
LEFT_OUT(superstore)
