#include "engine/games/supermarche/rules.h"
json_t *supermarche_events(const void *before, const void *after, const struct ply *ply,
                           struct viewer viewer)
{
    (void)before;
    (void)after;
    (void)ply;
    (void)viewer;
    return json_array();
}
