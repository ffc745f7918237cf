/* The games available here: ruleset documents, a page for each game with instructions, best players
 * and events, and one with its components. */
#include <string.h>

#include "api/pages/handlers.h"
#include "api/pages/page.h"
#include "api/pages/page_parts.h"
#include "api/pages/page_read.h"
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
    if (game != NULL)
        call_answer_body(call, "application/json", game_components(game));
}

/* ---- The page of a game ---- */

/* Writes the instructions, built with the service (api/docs/build_docs.c): English, trusted markup.
 * Nothing if there are none. */
static void write_rules(struct call *call, struct growing *html, const char *slug)
{
    const char *name = call_strings(call, (const char *const[]){"rules/", slug, ".html", NULL});
    const struct file *rules = files_find(call->service->files, span_of(name));
    if (rules == NULL)
        return;
    html_write(html, "<div id=\"rules\" class=\"rules\" lang=\"en\">\n");
    growing_add(html, file_bytes(rules));
    html_write(html, "</div>\n");
}

/* ---- The best players ---- */

static bool write_leaderboard(struct call *call, struct growing *html, const json_t *ruleset)
{
    const char *slug = part_text(ruleset, "slug");
    bool solo = part_number(ruleset, "seats_max") == 1;
    const char *kind = solo ? "solo." : "";
    const json_t *board = page_read(call, "/v1/leaderboard?limit=10&scope=%s%s", kind, slug);
    const json_t *items = json_object_get(board, "items");
    if (board == NULL)
        return false;
    html_write(html, "<h2>Leaderboard</h2>\n");
    if (json_array_size(items) == 0)
        html_write(html, "<p>No rated game yet.</p>\n");
    else
        part_best(html, items, solo);
    html_write(html,
               "<p class=\"links\"><a href=\"/leaderboard?scope=%s%s\">Whole leaderboard</a>"
               "<a href=\"/games/%s/statistics\">Statistics</a></p>\n",
               kind, slug, slug);
    return true;
}

/* ---- Events ---- */

/* Writes events in one state among the newest ones; returns their number, or -1 if the call has
 * failed. */
static int write_events(struct call *call, struct growing *html, const char *slug,
                        const char *state, const char *heading)
{
    const json_t *events = page_read(call, "/v1/events?limit=100&state=%s", state);
    int count = 0;
    size_t i;
    json_t *each;
    if (events == NULL)
        return -1;
    json_array_foreach(json_object_get(events, "items"), i, each)
    {
        if (strcmp(part_text(json_object_get(each, "ruleset"), "slug"), slug) != 0)
            continue;
        if (count++ == 0)
            html_write(html, "<h3>%s</h3>\n<ul>\n", heading);
        html_write(html, "<li><a href=\"/events/%s\"><bdi>%s</bdi></a>, %lld entered</li>\n",
                   part_text(each, "id"), part_text(each, "name"), part_number(each, "entries"));
    }
    html_write(html, count > 0 ? "</ul>\n" : "");
    return count;
}

static bool write_all_events(struct call *call, struct growing *html, const char *slug)
{
    html_write(html, "<h2>Events</h2>\n");
    int running = write_events(call, html, slug, "running", "Running");
    int open =
        running < 0 ? -1 : write_events(call, html, slug, "entries_open", "Open for entries");
    if (running == 0 && open == 0)
        html_write(html, "<p>No event is running or open for entries.</p>\n");
    return open >= 0;
}

/* ---- The whole page ---- */

/* Sets `has` if the game has a puzzle. False if the call has failed. */
static bool has_puzzle(struct call *call, const char *slug, bool *has)
{
    const json_t *puzzles = page_read(call, "/v1/puzzles");
    size_t i;
    json_t *each;
    *has = false;
    json_array_foreach(json_object_get(puzzles, "items"), i, each)
    {
        *has = *has || strcmp(part_text(each, "ruleset"), slug) == 0;
    }
    return puzzles != NULL;
}

static bool write_top(struct call *call, struct growing *html, const json_t *ruleset)
{
    const char *slug = part_text(ruleset, "slug");
    bool has;
    if (!has_puzzle(call, slug, &has))
        return false;
    html_write(
        html,
        "<h1><span class=\"game-sign\" data-game=\"%s\" aria-hidden=\"true\"></span> %s</h1>\n"
        "<p class=\"actions\"><a href=\"/practice/%s?learn=1\">Learn by playing</a>"
        "<a href=\"/practice/%s\">Practice alone</a>",
        slug, part_text(ruleset, "title"), slug, slug);
    if (has)
        html_write(html, "<a href=\"/puzzles/%s\">Puzzle</a>", slug);
    html_write(html, "<a href=\"/games/%s/components\">Components</a></p>\n", slug);
    return true;
}

void rulesets_page(struct call *call)
{
    enum { PAGE_BYTES = 32 * 1024 };
    struct growing html;
    const char *asked = arena_copy(call->arena, call->word[0]);
    const json_t *ruleset = page_read(call, "/v1/rulesets/%s", asked);
    if (ruleset == NULL)
        return;
    const char *slug = part_text(ruleset, "slug");
    growing_begin(&html, call->arena, PAGE_BYTES);
    if (!write_top(call, &html, ruleset))
        return;
    html_write(&html, "<div class=\"game-page\">\n");
    write_rules(call, &html, slug);
    html_write(&html, "<div class=\"aside\">\n");
    if (!write_leaderboard(call, &html, ruleset) || !write_all_events(call, &html, slug))
        return;
    html_write(&html, "</div></div>\n");
    const struct page_head head = {part_text(ruleset, "title"),
                                   "How it is played, with pictures; a first game that explains "
                                   "itself, the best players, and events."};
    page_answer_of_game(call, &head, slug, head.title, &html);
}

/* ---- The page of a game's components ---- */

/* The member of a part that says where its tables come from. */
static const char origin[] = "provenance";

static void write_value(struct growing *html, const json_t *value);

static void write_list(struct growing *html, const json_t *list)
{
    json_t *child;
    size_t i;
    json_array_foreach(list, i, child)
    {
        html_write(html, "%s%s",
                   i == 0                  ? ""
                   : json_is_object(child) ? "; "
                                           : ", ",
                   json_is_array(child) ? "[" : "");
        write_value(html, child);
        html_write(html, json_is_array(child) ? "]" : "");
    }
}

static void write_members(struct growing *html, const json_t *object)
{
    const char *key;
    json_t *child;
    size_t count = 0;
    json_object_foreach((json_t *)object, key, child)
    {
        html_write(html, "%s%s ", count++ == 0 ? "" : ", ", key);
        write_value(html, child);
    }
}

static void write_value(struct growing *html, const json_t *value)
{
    if (json_is_string(value))
        html_write(html, "%s", json_string_value(value));
    else if (json_is_integer(value))
        html_write(html, "%lld", (long long)json_integer_value(value));
    else if (json_is_boolean(value))
        html_write(html, json_is_true(value) ? "true" : "false");
    else if (json_is_array(value))
        write_list(html, value);
    else if (json_is_object(value))
        write_members(html, value);
}

static bool is_rows(const json_t *value)
{
    return json_is_array(value) &&
           (json_is_object(json_array_get(value, 0)) || json_is_array(json_array_get(value, 0)));
}

/* Writes a table with a column for every key of any row. */
static void write_rows(struct growing *html, const char *caption, const json_t *rows)
{
    json_t *columns = json_object(); /* in order of first appearance */
    const char *key;
    json_t *row, *value;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        json_object_update(columns, row);
    }
    html_write(html, "<div class=\"scroll\"><table><caption>%s</caption>", caption);
    if (json_object_size(columns) > 0) {
        html_write(html, "<thead><tr>");
        json_object_foreach(columns, key, value)
        {
            html_write(html, "<th scope=\"col\">");
            part_words(html, key);
            html_write(html, "</th>");
        }
        html_write(html, "</tr></thead>");
    }
    html_write(html, "<tbody>\n");
    json_array_foreach(rows, i, row)
    {
        html_write(html, "<tr class=\"row\">");
        if (!json_is_object(row)) {
            html_write(html, "<td>");
            write_value(html, row);
            html_write(html, "</td>");
        }
        json_object_foreach(columns, key, value)
        {
            html_write(html, json_is_object(row) ? "<td>" : "");
            write_value(html, json_object_get(row, key));
            html_write(html, json_is_object(row) ? "</td>" : "");
        }
        html_write(html, "</tr>\n");
    }
    part_table_end(html);
    json_decref(columns);
}

/* Writes a part of the set: single values as one list, and a table for each list of rows. */
static void write_part(struct growing *html, const char *name, const json_t *part)
{
    const char *key;
    json_t *value;
    size_t count = 0;
    html_write(html, "<h2>");
    part_words(html, name);
    html_write(html, "</h2>\n");
    if (part_text(part, origin)[0] != '\0')
        html_write(html, "<p class=\"hint\">%s</p>\n", part_text(part, origin));
    json_object_foreach((json_t *)part, key, value)
    {
        if (is_rows(value) || strcmp(key, origin) == 0)
            continue;
        html_write(html, count++ == 0 ? "<dl class=\"terms\">\n<dt>" : "<dt>");
        part_words(html, key);
        html_write(html, "</dt><dd>");
        write_value(html, value);
        html_write(html, "</dd>\n");
    }
    html_write(html, count > 0 ? "</dl>\n" : "");
    json_object_foreach((json_t *)part, key, value)
    {
        if (is_rows(value))
            write_rows(html, key, value);
    }
}

void rulesets_components_page(struct call *call)
{
    enum { PAGE_BYTES = 128 * 1024 };
    struct growing html;
    const char *key;
    json_t *part;
    const struct game *game = find(call);
    if (game == NULL)
        return;
    struct span text = game_components(game);
    json_t *set = json_loadb(text.at, text.length, 0, NULL);
    growing_begin(&html, call->arena, PAGE_BYTES);
    html_write(&html,
               "<h1>Components of %s</h1>\n<p>What is in the box, as this service plays it. Notes "
               "marked [D] were designed for Tillroll: whoever owns a printed game may have other "
               "lists. <a href=\"/docs/guides/organizers#component-sets\">"
               "Play with the printed lists that you own</a></p>\n<p class=\"links\"><a "
               "href=\"/v1/rulesets/%s/components\" download=\"%s.json\">Download this set</a><a "
               "href=\"/games/%s\">The game</a></p>\n",
               game->title, game->slug, game->slug, game->slug);
    json_object_foreach(set, key, part)
    {
        if (json_is_object(part))
            write_part(&html, key, part);
    }
    json_decref(set);
    const char *const title[] = {game->title, ": components", NULL};
    const struct page_head head = {call_strings(call, title),
                                   "The lists, counts and maps that the game is played with here."};
    page_answer(call, &head, &html);
}

void rulesets_shell(struct call *call)
{
    if (find(call) == NULL)
        page_not_found(call);
    else
        page_shell(call);
}
