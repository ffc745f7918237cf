#include "engine/game/catalog.h"

#include <string.h>

extern const struct game game_mall_world_1_0_0;
extern const struct game game_shinjuku_1_0_0;
extern const struct game game_super_motherload_1_0_0;
extern const struct game game_supermarche_1_0_0;
extern const struct game game_supermarche_0_9_0;
extern const struct game game_superstore_3000_1_0_0;

static const struct game *const rulesets[] = {
    &game_mall_world_1_0_0,  &game_shinjuku_1_0_0,    &game_super_motherload_1_0_0,
    &game_supermarche_1_0_0, &game_supermarche_0_9_0, &game_superstore_3000_1_0_0,
};

const struct game *catalog_at(size_t i)
{
    return i < sizeof rulesets / sizeof rulesets[0] ? rulesets[i] : NULL;
}

const struct game *catalog_newest(struct span slug)
{
    for (size_t i = 0; catalog_at(i) != NULL; i++)
        if (span_is(slug, rulesets[i]->slug))
            return rulesets[i];
    return NULL;
}

const struct game *catalog_find(struct span slug, struct span version)
{
    for (size_t i = 0; catalog_at(i) != NULL; i++)
        if (span_is(slug, rulesets[i]->slug) && span_is(version, rulesets[i]->version))
            return rulesets[i];
    return NULL;
}

const struct game *catalog_named(struct span name)
{
    const char *at = memchr(name.at, '@', name.length);
    if (at == NULL)
        return catalog_newest(name);
    struct span slug = {name.at, (size_t)(at - name.at)};
    return catalog_find(slug, (struct span){at + 1, name.length - slug.length - 1});
}
