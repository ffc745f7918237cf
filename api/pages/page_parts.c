#include "api/pages/page_parts.h"

#include <string.h>

#include "engine/record/record.h"

/* ---- Documents ---- */

const char *part_text(const json_t *document, const char *key)
{
    const char *text = json_string_value(json_object_get(document, key));
    return text == NULL ? "" : text;
}

long long part_number(const json_t *document, const char *key)
{
    return json_integer_value(json_object_get(document, key));
}

bool part_is(const json_t *document, const char *key)
{
    return json_is_true(json_object_get(document, key));
}

bool part_is_null(const json_t *document, const char *key)
{
    const json_t *part = json_object_get(document, key);
    return part == NULL || json_is_null(part);
}

const char *part_state(const json_t *game)
{
    return part_is(game, "voided") ? "void" : part_text(game, "state");
}

const char *part_parameter(struct call *call, const char *name)
{
    struct span value = http_parameter(call->request, name);
    return value.at == NULL ? "" : arena_copy(call->arena, value);
}

/* ---- Words ---- */

void part_words(struct growing *html, const char *name)
{
    for (const char *c = name; *c != '\0'; c++)
        html_text(html, *c == '_' ? span_of(" ") : (struct span){c, 1});
}

void part_place(struct growing *html, long long rank, long long shared)
{
    if (rank == 0)
        return;
    html_write(html, "%lld", rank);
    if (shared > 1)
        html_write(html, "\u2013%lld", rank + shared - 1);
}

void part_seat_place(struct growing *html, const json_t *seats, const json_t *seat)
{
    long long rank = part_number(seat, "rank");
    if (json_array_size(seats) > 1)
        part_place(html, rank, part_sharing(seats, rank));
}

void part_seat_score(struct growing *html, const json_t *seats, const json_t *seat)
{
    long long score = part_number(seat, "score");
    if (part_is_null(seat, "score"))
        return;
    if (json_array_size(seats) == 1 && score < 0)
        html_write(html, "Defeat");
    else
        html_write(html, "%lld", score);
}

long long part_sharing(const json_t *list, long long rank)
{
    long long sharing = 0;
    size_t i;
    json_t *each;
    json_array_foreach(list, i, each) sharing += part_number(each, "rank") == rank;
    return sharing;
}

enum { TIME_LEAST = sizeof "2026-11-22T10:27" - 1 };

void part_day(struct growing *text, const char *time, bool german)
{
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    if (strlen(time) < TIME_LEAST)
        return;
    int day = 10 * (time[8] - '0') + time[9] - '0';
    int month = 10 * (time[5] - '0') + time[6] - '0';
    if (german)
        html_write(text, "%d.%d.", day, month);
    else
        html_write(text, "%d %s ", day, months[(month + 11) % 12]);
    html_text(text, (struct span){time, 4});
}

void part_time(struct growing *html, const char *time)
{
    if (strlen(time) < TIME_LEAST)
        return;
    html_write(html, "<time datetime=\"%s\">", time);
    part_day(html, time, false);
    html_write(html, ", ");
    html_text(html, (struct span){time + 11, 5});
    html_write(html, " UTC</time>");
}

void part_when(struct growing *html, const json_t *settings)
{
    const char *starts = part_text(settings, "starts_at");
    const char *place = part_text(settings, "place");
    part_time(html, starts);
    if (place[0] != '\0')
        html_write(html, starts[0] == '\0' ? "<bdi>%s</bdi>" : " \u00b7 <bdi>%s</bdi>", place);
}

/* ---- Links ---- */

void part_player(struct growing *html, const json_t *player)
{
    const char *name = part_text(player, "name");
    html_write(html,
               record_is_house_name(name)
                   ? "<a href=\"/players/%s\" class=\"house\"><bdi>%s</bdi></a>"
                   : "<a href=\"/players/%s\"><bdi>%s</bdi></a>",
               part_text(player, "id"), name);
}

const json_t *part_seat(const json_t *seats, const char *player)
{
    size_t i;
    json_t *seat;
    json_array_foreach(seats, i, seat) if (strcmp(part_text(json_object_get(seat, "player"), "id"),
                                                  player) == 0) return seat;
    return NULL;
}

void part_game_name(struct growing *html, const json_t *game)
{
    const json_t *event = json_object_get(game, "event");
    html_write(html, "%s", part_text(json_object_get(game, "ruleset"), "title"));
    if (json_is_null(event))
        return;
    if (part_number(event, "round") > 0)
        html_write(html, ", round %lld", part_number(event, "round"));
    html_write(html, ", table %lld", part_number(event, "table"));
    if (!part_is_null(event, "board"))
        html_write(html, ", board %lld", part_number(event, "board"));
}

void part_game(struct growing *html, const json_t *game)
{
    bool hidden = part_is(game, "hidden");
    if (!hidden)
        html_write(html, "<a href=\"/games/%s\">", part_text(game, "id"));
    part_game_name(html, game);
    if (!hidden)
        html_write(html, "</a>");
}

void part_next(struct growing *html, const json_t *list, const char *query, const char *parameter,
               const char *text)
{
    const json_t *next = json_object_get(list, "next");
    if (json_is_string(next))
        html_write(html, "<p class=\"links no-print\"><a href=\"?%s%s=%s\">%s</a></p>\n", query,
                   parameter, json_string_value(next), text);
}

void part_current(struct growing *html, bool current)
{
    if (current)
        html_write(html, " aria-current=\"page\"");
}

void part_sign(struct growing *html, const json_t *ruleset)
{
    html_write(html, "<span class=\"game-sign\" data-game=\"%s\" aria-hidden=\"true\"></span>",
               part_text(ruleset, "slug"));
}

bool part_is_shown_before(const json_t *rulesets, size_t before, const char *slug)
{
    for (size_t i = 0; i < before; i++)
        if (strcmp(part_text(json_array_get(rulesets, i), "slug"), slug) == 0)
            return true;
    return false;
}

void part_rounds(struct growing *html, const json_t *event)
{
    const json_t *rounds = json_object_get(event, "rounds");
    const json_t *stages = json_object_get(json_object_get(event, "settings"), "stages");
    html_write(html, "%lld", part_number(rounds, "started"));
    if (!part_is_null(rounds, "planned") && json_array_size(stages) < 2)
        html_write(html, " of %lld", part_number(rounds, "planned"));
}

/* ---- Tables ---- */

void part_columns(struct growing *html, const struct part_column *columns, size_t count)
{
    html_write(html, "<thead><tr>");
    for (size_t i = 0; i < count; i++)
        html_write(html,
                   columns[i].number ? "<th scope=\"col\" class=\"number\">%s</th>"
                                     : "<th scope=\"col\">%s</th>",
                   columns[i].name);
    html_write(html, "</tr></thead>\n<tbody>\n");
}

void part_table(struct growing *html, const char *caption, const struct part_column *columns,
                size_t count)
{
    html_write(html, "<div class=\"scroll\"><table><caption>%s</caption>", caption);
    part_columns(html, columns, count);
}

void part_table_end(struct growing *html)
{
    html_write(html, "</tbody></table></div>\n");
}

/* Writes one decimal: more would suggest a precision that the games do not have. */
static void write_percentile(struct growing *html, const json_t *percentile)
{
    long long of = part_number(percentile, "denominator");
    long long tenths = (20 * part_number(percentile, "numerator") + of) / (2 * of);
    html_write(html, "%lld.%lld %%", tenths / 10, tenths % 10);
}

void part_best(struct growing *html, const json_t *items, bool solo)
{
    const struct part_column columns[] = {
        {"Player", false}, {solo ? "Percentile" : "Rating", true}, {"Games", true}};
    size_t i;
    json_t *each;
    part_table(html,
               solo ? "Best first" : "Best first, by the rating minus three times its deviation",
               columns, sizeof columns / sizeof columns[0]);
    json_array_foreach(items, i, each)
    {
        html_write(html, "<tr class=\"row\"><th scope=\"row\">");
        part_player(html, json_object_get(each, "player"));
        html_write(html, "</th><td class=\"number points\">");
        if (solo)
            write_percentile(html, json_object_get(each, "percentile"));
        else
            html_write(html, "%lld", part_number(json_object_get(each, "display"), "rating"));
        html_write(html, "</td><td class=\"number\">%lld</td></tr>\n", part_number(each, "games"));
    }
    part_table_end(html);
}
