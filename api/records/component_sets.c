/* Component sets: organizers register those of printed games, by their bytes. A set is stored
 * forever under its SHA-256 and is the same for all users. Built-in sets are found in the same way.
 */
#include <string.h>

#include "api/people/names.h"
#include "api/records/handlers.h"
#include "api/request/documents.h"
#include "api/request/problem.h"
#include "db/store/people/players.h"
#include "db/store/service/component_sets.h"
#include "engine/game/catalog.h"
#include "engine/game/component_set.h"

enum { SETS_A_DAY = 20, DAY_MS = 24 * 60 * 60 * 1000, HEX_TEXT = 65 };

static const char immutable[] = "public, max-age=31536000, immutable";

static void print_hash(const uint8_t hash[static 32], char hex[static HEX_TEXT])
{
    struct text text = {.at = hex, .capacity = HEX_TEXT};
    text_clear(&text);
    text_add_hex(&text, hash, 32);
}

/* The catalog's ruleset whose built-in set has this hash, or NULL. */
static const struct game *built_in(struct span hash)
{
    for (size_t i = 0; catalog_at(i) != NULL; i++)
        if (span_equal(hash, span_of(catalog_at(i)->components_sha256)))
            return catalog_at(i);
    return NULL;
}

static const struct game *find_ruleset(struct call *call)
{
    const struct game *game = catalog_newest(call->word[0]);
    if (game == NULL)
        call_problem(call, "not-found", "There is no such ruleset; GET /v1/rulesets lists them.");
    return game;
}

/* ---- Reading ---- */

static void answer_bytes(struct call *call, struct span body)
{
    call_answer_body(call, "application/json", body);
    call->response->cache_control = immutable;
}

void component_sets_get(struct call *call)
{
    const struct game *own = built_in(call->word[0]);
    uint8_t hash[32];
    struct stored_set set;
    struct span body;
    if (own != NULL)
        answer_bytes(call, game_components(own));
    else if (!span_hex(call->word[0], hash, sizeof hash))
        call_problem(call, "not-found",
                     "A component set is named by its SHA-256, in lower-case hex digits.");
    else if (call_found(call, component_set_find(call->db, call->arena, hash, &set, &body)))
        answer_bytes(call, body);
}

static json_t *add_registration(json_t *document, json_t *at, json_t *by)
{
    json_object_set_new(document, "registered_at", at);
    json_object_set_new(document, "registered_by", by);
    return document;
}

/* Adds the built-in sets of a ruleset's versions, each once. */
static void add_built_in(json_t *items, const char *slug)
{
    for (size_t i = 0; catalog_at(i) != NULL; i++) {
        const char *hash = catalog_at(i)->components_sha256;
        if (strcmp(catalog_at(i)->slug, slug) != 0 || built_in(span_of(hash)) != catalog_at(i))
            continue;
        char name[COMPONENT_TITLE_MAX + 1];
        component_set_name(game_components(catalog_at(i)), name);
        json_array_append_new(items,
                              add_registration(component_set_document(hash, slug, name, true),
                                               json_null(), json_null()));
    }
}

void component_sets_list(struct call *call)
{
    struct list_range range;
    struct stored_set *sets;
    size_t count;
    const struct game *ruleset = find_ruleset(call);
    if (ruleset == NULL || !call_list_range(call, NULL, &range) ||
        !call_found(call, component_set_list(call->db, call->arena, ruleset->slug, &range.after,
                                             range.limit, &sets, &count)))
        return;
    json_t *items = json_array();
    if (range.after.text[0] == '\0')
        add_built_in(items, ruleset->slug);
    for (size_t i = 0; i < count; i++) {
        char hash[HEX_TEXT];
        print_hash(sets[i].hash, hash);
        json_array_append_new(
            items,
            add_registration(component_set_document(hash, ruleset->slug, sets[i].name, false),
                             time_json(sets[i].registered_at_ms),
                             player_reference(&sets[i].registered_by, sets[i].registrant)));
    }
    call_answer_tagged(
        call, list_with_next(items, count == range.limit ? sets[count - 1].id.text : NULL));
}

/* ---- Registering ---- */

/* Refuses a set with a sentence such as `line 32, /customer_kinds/rows: There must be 24 to 72
 * customers in all.` */
static void refuse_set(struct call *call, const struct component_fault *fault)
{
    bool line = fault->line > 0, path = fault->path[0] != '\0';
    const char *const detail[] = {line ? "line " : "",
                                  line ? call_digits(call, fault->line) : "",
                                  line && path ? ", " : "",
                                  fault->path,
                                  line || path ? ": " : "",
                                  fault->message,
                                  NULL};
    problem_answer(call->response, call->arena, "bad-components", call_strings(call, detail),
                   json_pack("{s:i, s:s}", "line", (int)fault->line, "path", fault->path));
}

/* True if the ruleset can be played with the body. False with a problem. */
static bool is_playable(struct call *call, const struct game *ruleset)
{
    struct component_fault fault = {0};
    struct game *game = component_set_game(ruleset, call->request->body, &fault);
    if (game == NULL)
        refuse_set(call, &fault);
    component_set_free(game);
    return game != NULL;
}

/* Names identify sets for readers. The engine, which has no tables of Unicode, accepts any name. */
static bool has_good_name(struct call *call, const char *name)
{
    struct component_fault fault = {0};
    if (name[0] == '\0' || name_tidy(call->arena, name, COMPONENT_TITLE_MAX) != NULL)
        return true;
    struct text message = TEXT_OVER(fault.message);
    text_add(&message, "The name of a set must be visible characters, without blanks at the ends "
                       "or in a row.");
    refuse_set(call, &fault);
    return false;
}

/* The lock keeps the count valid until commit. */
static bool has_room(struct call *call)
{
    unsigned count;
    if (!call_found(call, player_lock_person(call->db, &call->player)) ||
        !call_found(call, component_set_count(call->db, &call->player.id, call->now_ms - DAY_MS,
                                              SETS_A_DAY, &count)))
        return false;
    return count < SETS_A_DAY ||
           call_problem(call, "too-many-component-sets",
                        "You have registered 20 component sets within 24 hours, the maximum; "
                        "register further ones tomorrow.");
}

static bool store(struct call *call, const struct stored_set *set)
{
    return has_room(call) && call_db(call, component_set_add(call->db, set, call->request->body),
                                     "unavailable", "The same set is being registered; try again.");
}

void component_sets_create(struct call *call)
{
    char hex[HEX_TEXT];
    char name[COMPONENT_TITLE_MAX + 1];
    struct stored_set found;
    const struct game *ruleset = find_ruleset(call);
    if (ruleset == NULL)
        return;
    component_set_hash(call->request->body, hex);
    component_set_name(call->request->body, name);
    struct stored_set set = {.id = id_new(call->now_ms),
                             .ruleset = ruleset->slug,
                             .name = name,
                             .registered_at_ms = call->now_ms,
                             .registered_by = call->player.id};
    (void)span_hex(span_of(hex), set.hash, sizeof set.hash);
    const bool own = built_in(span_of(hex)) != NULL;
    enum db_status status =
        own ? DB_NONE : component_set_find(call->db, call->arena, set.hash, &found, NULL);
    const bool is_new = !own && status == DB_NONE;
    /* Checks the ruleset even of registered sets, so a set of another ruleset is refused. */
    if ((status != DB_NONE && !call_found(call, status)) || !is_playable(call, ruleset) ||
        (is_new && (!has_good_name(call, name) || !store(call, &set))))
        return;
    call_answer(call, is_new ? 201 : 200, component_set_document(hex, ruleset->slug, name, own));
}
