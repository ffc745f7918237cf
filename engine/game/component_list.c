#include "engine/game/component_list.h"

#include <string.h>

#include "engine/base/sha256.h"
#include "engine/game/catalog.h"
#include "engine/game/component_set.h"

static void refuse_list(struct component_fault *fault, const char *message)
{
    *fault = (struct component_fault){0};
    struct text text = TEXT_OVER(fault->message);
    text_add(&text, message);
}

bool component_set_is(const struct game *game, const struct game *rules,
                      const uint8_t hash[static 32])
{
    uint8_t own[SHA256_BYTES];
    game_components_hash(game, own);
    return memcmp(own, hash, sizeof own) == 0 && strcmp(game->slug, rules->slug) == 0 &&
           strcmp(game->version, rules->version) == 0;
}

const struct game *component_list_find(const struct component_list *list, const struct game *rules,
                                       const uint8_t hash[static 32])
{
    for (size_t i = 0; i < list->count; i++)
        if (component_set_is(list->game[i], rules, hash))
            return list->game[i];
    return NULL;
}

static const struct game *find_in_list(void *context, const struct game *rules,
                                       const uint8_t hash[static 32])
{
    return component_list_find(context, rules, hash);
}

static bool add_version(struct component_list *list, const struct game *rules, struct span json,
                        struct component_fault *fault)
{
    uint8_t hash[SHA256_BYTES];
    sha256(hash, json, (struct span){NULL, 0});
    if (component_list_find(list, rules, hash) != NULL)
        return true;
    if (list->count == COMPONENT_LIST_MAX) {
        refuse_list(fault, "There are too many component sets.");
        return false;
    }
    list->game[list->count] = component_set_game(rules, json, fault);
    return list->game[list->count] != NULL && ++list->count > 0;
}

bool component_list_add(struct component_list *list, struct span json,
                        struct component_fault *fault)
{
    char slug[COMPONENT_NAME_MAX + 1];
    if (!component_set_slug(json, slug, fault))
        return false;
    if (catalog_newest(span_of(slug)) == NULL) {
        refuse_list(fault, "The set is of a ruleset that is not known here.");
        return false;
    }
    for (size_t i = 0; catalog_at(i) != NULL; i++)
        if (strcmp(catalog_at(i)->slug, slug) == 0 &&
            !add_version(list, catalog_at(i), json, fault))
            return false;
    return true;
}

const struct component_sets *component_list_sets(struct component_list *list)
{
    list->sets = (struct component_sets){find_in_list, list};
    return list->count == 0 ? NULL : &list->sets;
}

void component_list_free(struct component_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        component_set_free(list->game[i]);
    list->count = 0;
}
