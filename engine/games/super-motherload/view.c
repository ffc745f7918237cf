#include "engine/games/super-motherload/rules.h"
json_t *motherload_view(const void *state, struct viewer viewer)
{
    (void)state;
    (void)viewer;
    return json_object();
}
