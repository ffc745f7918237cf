/* What a game shows, tells and advises, and worked cases: a replay asks for none of it, so it stays
 * out of the verifier for browsers (engine/wasm/CMakeLists.txt leaves out its files), and what the
 * games' tables name ends here. (Their headers cannot stand beside each other.) */
#include "engine/game.h"

#define LEFT_OUT_SHOWING(game)                                                                     \
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

#define LEFT_OUT_LOADING(function)                                                                 \
    bool function(void *state, const struct case_line *lines, size_t count,                        \
                  struct chance_stacks *stacks, const struct chance *chance, struct text *error)   \
    {                                                                                              \
        (void)state;                                                                               \
        (void)lines;                                                                               \
        (void)count;                                                                               \
        (void)stacks;                                                                              \
        (void)chance;                                                                              \
        (void)error;                                                                               \
        return false;                                                                              \
    }

#define LEFT_OUT_READING(function)                                                                 \
    bool function(const void *state, struct span key, struct span rest, struct text *actual)       \
    {                                                                                              \
        (void)state;                                                                               \
        (void)key;                                                                                 \
        (void)rest;                                                                                \
        (void)actual;                                                                              \
        return false;                                                                              \
    }

LEFT_OUT_SHOWING(mall_world)
LEFT_OUT_LOADING(mall_world_load)
LEFT_OUT_READING(mall_world_read)

LEFT_OUT_SHOWING(shinjuku)
LEFT_OUT_LOADING(shinjuku_load)
LEFT_OUT_READING(shinjuku_read)

LEFT_OUT_SHOWING(motherload)
LEFT_OUT_LOADING(motherload_load)
LEFT_OUT_READING(motherload_read)

LEFT_OUT_SHOWING(supermarche)
LEFT_OUT_LOADING(supermarche_load)
LEFT_OUT_LOADING(supermarche_load_0_9_0)
LEFT_OUT_READING(supermarche_read)

LEFT_OUT_SHOWING(superstore)
LEFT_OUT_LOADING(superstore_load_position)
LEFT_OUT_READING(superstore_read_position)
