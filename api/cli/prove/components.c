/* `tillroll components`: checks component sets of printed games, hashes them, and prints their
 * schemas. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/table.h"
#include "engine/base/embed.h"
#include "engine/game/catalog.h"
#include "engine/game/component_list.h"
#include "engine/game/component_set.h"
#include "engine/log/bundle.h"

/* The newest ruleset of the game named by the set; otherwise NULL with a fault. */
static const struct game *ruleset_of(struct span json, struct component_fault *fault)
{
    char slug[COMPONENT_NAME_MAX + 1];
    if (!component_set_slug(json, slug, fault))
        return NULL;
    const struct game *game = catalog_newest(span_of(slug));
    if (game != NULL)
        return game;
    struct text message = TEXT_OVER(fault->message);
    text_add_all(&message, "No ruleset here is called `", slug, "`.");
    return NULL;
}

/* Prints `file:12: /wards/rows/3/cards: This number must be from 1 to 9.` */
static void print_component_fault(FILE *file, const char *path, const struct component_fault *fault)
{
    fprintf(file, "%s", path);
    if (fault->line > 0)
        fprintf(file, ":%u", fault->line);
    if (fault->path[0] != '\0')
        table_say(file, ": %s", fault->path);
    table_say(file, ": %s\n", fault->message);
}

bool cli_add_components(const char *path, struct component_list *list)
{
    struct component_fault fault = {0};
    size_t length;
    char *bytes = cli_read_file(path, &length);
    bool good = bytes != NULL && component_list_add(list, (struct span){bytes, length}, &fault);
    if (bytes != NULL && !good)
        print_component_fault(stderr, path, &fault);
    free(bytes);
    return good;
}

bool cli_components(const struct cli_given *given, struct component_list *list)
{
    const char *path;
    for (size_t i = 0; (path = cli_value_at(given, "components", i)) != NULL; i++)
        if (!cli_add_components(path, list))
            return false;
    return true;
}

/* The ruleset with the last set of the list that belongs to it. NULL with a message. */
static const struct game *last_of(const struct game *rules, const struct component_list *list)
{
    for (size_t i = list->count; i-- > 0;)
        if (strcmp(list->game[i]->slug, rules->slug) == 0 &&
            strcmp(list->game[i]->version, rules->version) == 0)
            return list->game[i];
    fprintf(stderr, "tillroll: the component set is not one of %s\n", rules->slug);
    return NULL;
}

const struct game *cli_game(const struct cli_given *given, struct component_list *list)
{
    const struct game *rules = cli_ruleset(cli_value(given, "ruleset"));
    if (rules == NULL || !cli_components(given, list))
        return NULL;
    return list->count == 0 ? rules : last_of(rules, list);
}

const struct game *cli_game_of_set(const struct game *rules, const char *path,
                                   struct component_list *list)
{
    return cli_add_components(path, list) ? last_of(rules, list) : NULL;
}

bool cli_split_bundle(const char *path, struct span file, struct component_list *list,
                      struct bundle *bundle)
{
    struct record_fault fault;
    char bytes[VERDICT_LINE_MAX];
    struct text said = TEXT_OVER(bytes);
    bundle_split(file, bundle);
    if (verdict_of_components(bundle, list, &fault, &said) == VERDICT_VALID)
        return true;
    cli_print_fault(stderr, path, REPLAY_INVALID, &fault);
    return false;
}

static int check(const char *path, struct span json)
{
    struct component_fault fault = {0};
    const struct game *rules = ruleset_of(json, &fault);
    struct game *game = rules == NULL ? NULL : component_set_game(rules, json, &fault);
    if (game == NULL) {
        print_component_fault(stdout, path, &fault);
        return EXIT_NO;
    }
    const bool own =
        span_equal(span_of(game->components_sha256), span_of(rules->components_sha256));
    table_say(stdout, "%s: a component set of %s %s%s, %s\n", path, game->title, game->version,
              own ? ", the one that comes with it" : "", game->components_sha256);
    component_set_free(game);
    return EXIT_YES;
}

static int hash(const char *path, struct span json)
{
    char hex[65];
    component_set_hash(json, hex);
    printf("%s  %s\n", hex, path);
    return EXIT_YES;
}

static int each_file(const struct cli_given *given, int (*with)(const char *path, struct span json))
{
    int worst = EXIT_YES;
    for (int i = 0; i < given->words; i++) {
        size_t length;
        char *bytes = cli_read_file(given->word[i], &length);
        if (bytes == NULL)
            return EXIT_UNKNOWN;
        int status = with(given->word[i], (struct span){bytes, length});
        worst = status > worst ? status : worst;
        free(bytes);
    }
    return worst;
}

int cli_components_check(const struct cli_given *given)
{
    return each_file(given, check);
}

int cli_components_hash(const struct cli_given *given)
{
    return each_file(given, hash);
}

/* ---- Schemas ---- */

EMBED(mall_world_schema, "engine/games/mall-world/components.schema.json");
EMBED(shinjuku_schema, "engine/games/shinjuku/components.schema.json");
EMBED(motherload_schema, "engine/games/super-motherload/components.schema.json");
EMBED(supermarche_schema, "engine/games/supermarche/components.schema.json");
EMBED(superstore_schema, "engine/games/superstore-3000/components.schema.json");

static const struct {
    const char *slug;
    const unsigned char *schema, *end;
} schemas[] = {
    {"mall-world", mall_world_schema, mall_world_schema_end},
    {"shinjuku", shinjuku_schema, shinjuku_schema_end},
    {"super-motherload", motherload_schema, motherload_schema_end},
    {"supermarche", supermarche_schema, supermarche_schema_end},
    {"superstore-3000", superstore_schema, superstore_schema_end},
};

int cli_components_schema(const struct cli_given *given)
{
    for (size_t i = 0; i < sizeof schemas / sizeof schemas[0]; i++) {
        if (!span_is(span_of(given->word[0]), schemas[i].slug))
            continue;
        const size_t length = (size_t)(schemas[i].end - schemas[i].schema);
        return fwrite(schemas[i].schema, 1, length, stdout) == length ? EXIT_YES : EXIT_UNKNOWN;
    }
    fprintf(
        stderr,
        "tillroll: no game here that is called `%s` has a schema of component sets; the games are",
        given->word[0]);
    for (size_t i = 0; i < sizeof schemas / sizeof schemas[0]; i++)
        fprintf(stderr, "%s %s", i == 0 ? "" : ",", schemas[i].slug);
    fputs("\n", stderr);
    return EXIT_UNKNOWN;
}
