#include "engine/games/super-motherload/rules.h"
json_t *motherload_events(const void *b, const void *a, const struct ply *p, struct viewer viewer)
{
    (void)b;
    (void)a;
    (void)p;
    (void)viewer;
    return json_array();
}
