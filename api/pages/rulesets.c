#include "api/pages/handlers.h"
#include "engine/game/catalog.h"

static json_t *option_document(const struct game_option *option)
{
    json_t *values = json_array();
    for (const char *const *value = option->values; *value != NULL; value++)
        json_array_append_new(values, json_string(*value));
    return json_pack("{s:s, s:o, s:s, s:s}", "name", option->name, "values", values, "default",
                     option->values[option->initial], "meaning", option->meaning);
}

static json_t *ruleset_document(const struct game *game)
{
    uint8_t hash[32];
    char hex[65];
    struct text text = TEXT_OVER(hex);
    game_components_hash(game, hash);
    text_add_hex(&text, hash, sizeof hash);
    json_t *options = json_array();
    for (size_t i = 0; i < game->option_count; i++)
        json_array_append_new(options, option_document(&game->options[i]));
    return json_pack("{s:s, s:s, s:s, s:i, s:i, s:o, s:s}", "slug", game->slug, "title",
                     game->title, "version", game->version, "seats_min", (int)game->seats_min,
                     "seats_max", (int)game->seats_max, "options", options, "components_sha256",
                     hex);
}

void rulesets_list(struct call *call)
{
    json_t *items = json_array();
    for (size_t i = 0; catalog_at(i) != NULL; i++)
        json_array_append_new(items, ruleset_document(catalog_at(i)));
    call_answer_tagged(call, list_with_next(items, NULL));
}

static const struct game *find(struct call *call)
{
    const struct game *game = catalog_newest(call->word[0]);
    if (game == NULL)
        call_problem(call, "not-found", "There is no such ruleset; GET /v1/rulesets lists them.");
    return game;
}

void rulesets_get(struct call *call)
{
    const struct game *game = find(call);
    if (game != NULL)
        call_answer_tagged(call, ruleset_document(game));
}

void rulesets_components(struct call *call)
{
    const struct game *game = find(call);
    if (game == NULL)
        return;
    call->response->content_type = "application/json";
    call->response->body = game_components(game);
    call_tag(call, NULL);
}
