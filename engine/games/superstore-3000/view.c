#include "engine/games/superstore-3000/rules.h"
json_t *superstore_view(const void *state, struct viewer viewer)
{
    (void)state;
    (void)viewer;
    return json_object();
}
json_t *superstore_events(const void *before, const void *after, const struct ply *ply,
                          struct viewer viewer)
{
    (void)before;
    (void)after;
    (void)ply;
    (void)viewer;
    return json_array();
}
size_t superstore_advise(const json_t *view, const struct move_list *legal)
{
    (void)view;
    (void)legal;
    return 0;
}
