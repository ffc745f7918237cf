#include "engine/game/component_set.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/sha256.h"

/* The object that names the set's game: the file's root, or its member `game`. */
static component about_of(struct component_reader *reader)
{
    component root = component_root(reader);
    component about = component_optional(reader, root, "game");
    return about == NULL ? root : about;
}

static void read_name(struct component_reader *reader, component about,
                      char name[static COMPONENT_TITLE_MAX + 1])
{
    name[0] = '\0';
    component_pool(reader, name, COMPONENT_TITLE_MAX + 1);
    if (component_optional(reader, about, "name") != NULL)
        (void)component_title(reader, about, "name");
}

bool component_set_read(const struct game *game, struct span json, void *set,
                        struct component_fault *fault)
{
    struct component_reader reader;
    char name[COMPONENT_TITLE_MAX + 1];
    component_begin(&reader, json, fault);
    memset(set, 0, game->set_size);
    component about = about_of(&reader);
    if (about != NULL && !component_is(&reader, about, "slug", game->slug))
        component_refuse(&reader, component_optional(&reader, about, "slug"),
                         "The set is not one of ", game->title, ".", PARTS_END);
    read_name(&reader, about, name);
    game->read(&reader, set);
    return component_end(&reader);
}

bool component_set_slug(struct span json, char slug[static COMPONENT_NAME_MAX + 1],
                        struct component_fault *fault)
{
    struct component_reader reader;
    component_begin(&reader, json, fault);
    component_pool(&reader, slug, COMPONENT_NAME_MAX + 1);
    (void)component_name(&reader, about_of(&reader), "slug");
    return component_end(&reader);
}

void component_set_name(struct span json, char name[static COMPONENT_TITLE_MAX + 1])
{
    struct component_reader reader;
    struct component_fault fault;
    component_begin(&reader, json, &fault);
    read_name(&reader, about_of(&reader), name);
    if (!component_end(&reader))
        name[0] = '\0';
}

void component_set_hash(struct span json, char hex[static 65])
{
    uint8_t hash[SHA256_BYTES];
    struct text text = {.at = hex, .capacity = 65};
    sha256(hash, json, (struct span){NULL, 0});
    text_clear(&text);
    text_add_hex(&text, hash, sizeof hash);
}

static void fail(struct component_fault *fault, const char *message)
{
    *fault = (struct component_fault){0};
    struct text text = TEXT_OVER(fault->message);
    text_add(&text, message);
}

/* The game comes first, so that its address is that of the whole. */
struct whole {
    struct game game;
    char sha256[65];
};

static struct whole *begin_game(const struct game *rules, struct span json)
{
    struct whole *whole = malloc(sizeof *whole);
    void *set = malloc(rules->set_size);
    unsigned char *copy = malloc(json.length + 1);
    if (whole == NULL || set == NULL || copy == NULL) {
        free(whole);
        free(set);
        free(copy);
        return NULL;
    }
    memcpy(copy, json.at, json.length);
    copy[json.length] = '\0';
    component_set_hash(json, whole->sha256);
    whole->game = *rules;
    whole->game.components = copy;
    whole->game.components_end = copy + json.length;
    whole->game.components_sha256 = whole->sha256;
    whole->game.set = set;
    return whole;
}

struct game *component_set_game(const struct game *rules, struct span json,
                                struct component_fault *fault)
{
    if (rules->read == NULL || json.length > COMPONENT_BYTES_MAX) {
        fail(fault, rules->read == NULL ? "This ruleset has no component set as data."
                                        : "The file is larger than 256 KiB.");
        return NULL;
    }
    struct whole *whole = begin_game(rules, json);
    if (whole == NULL) {
        fail(fault, "There is not enough memory to read the file.");
        return NULL;
    }
    if (component_set_read(rules, json, (void *)whole->game.set, fault))
        return &whole->game;
    component_set_free(&whole->game);
    return NULL;
}

void component_set_free(struct game *game)
{
    if (game == NULL)
        return;
    free((void *)game->set);
    free((void *)game->components);
    free((struct whole *)game);
}
