#include "engine/games/mall-world/rules.h"
const char *mall_world_point_name(unsigned point)
{
    static const char *const names[] = {
        [AT_ACCEPT] = "ACCEPT",   [AT_PROGRESS] = "PROGRESS", [AT_BID] = "BID",
        [AT_REALIZE] = "REALIZE", [AT_SUPPLY] = "SUPPLY",     [AT_OVER] = "OVER",
    };
    return names[point];
}
json_t *mall_world_view(const void *opaque, struct viewer viewer)
{
    (void)opaque;
    (void)viewer;
    return json_object();
}
json_t *mall_world_events(const void *before, const void *after, const struct ply *ply,
                          struct viewer viewer)
{
    (void)before;
    (void)after;
    (void)ply;
    (void)viewer;
    return json_array();
}
size_t mall_world_advise(const json_t *view, const struct move_list *legal)
{
    (void)view;
    (void)legal;
    return 0;
}
