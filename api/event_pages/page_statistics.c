/* Statistics: an event's scores and its game's seat advantage, or a game's seat advantage alone. */
#include <stdlib.h>
#include <string.h>

#include "api/event_pages/handlers.h"
#include "api/pages/page.h"
#include "api/pages/page_parts.h"
#include "api/pages/page_read.h"

enum { PAGE_BYTES = 8 * 1024, MILLIONTHS_OF_A_TENTH_PERCENT = 1000 };

/* ---- Scores ---- */

struct scores {
    long long *value; /* owned by the call's arena */
    size_t count, defeats;
};

/* Collects the scores made at tables, without fallback moves and forfeits. The score of a lost game
 * for one is below zero, and only counted as a defeat. */
static void collect_rounds(struct scores *scores, const json_t *rounds)
{
    size_t i;
    json_t *round;
    json_array_foreach(rounds, i, round)
    {
        long long score = part_number(round, "score");
        if (strcmp(part_text(round, "kind"), "played") != 0 || part_is_null(round, "score") ||
            part_is_null(round, "rank"))
            continue;
        if (part_number(round, "seats") == 1 && score < 0)
            scores->defeats++;
        else
            scores->value[scores->count++] = score;
    }
}

static int compare(const void *one, const void *other)
{
    const long long *a = one, *b = other;
    return (*a > *b) - (*a < *b);
}

static void collect(struct call *call, const json_t *standings, struct scores *scores)
{
    const json_t *rows = json_object_get(standings, "rows");
    size_t i, most = 0;
    json_t *row;
    json_array_foreach(rows, i, row) most += json_array_size(json_object_get(row, "rounds"));
    *scores = (struct scores){.value = arena_take(call->arena, (most + 1) * sizeof(long long))};
    json_array_foreach(rows, i, row) collect_rounds(scores, json_object_get(row, "rounds"));
    qsort(scores->value, scores->count, sizeof *scores->value, compare);
}

/* Writes sum / of, rounded to tenths; `of` is positive. */
static void write_tenths(struct growing *html, long long sum, long long of)
{
    long long size = sum < 0 ? -sum : sum;
    long long tenths = (20 * size + of) / (2 * of);
    html_write(html, "%s%lld.%d", sum < 0 && tenths > 0 ? "\u2212" : "", tenths / 10,
               (int)(tenths % 10));
}

/* Writes half of the sum of the two middle scores. */
static void write_middle(struct growing *html, long long sum)
{
    if (sum % 2 == 0)
        html_write(html, "%lld", sum / 2);
    else
        write_tenths(html, sum, 2);
}

static void write_scores(struct growing *html, const struct scores *scores)
{
    const long long *value = scores->value;
    size_t count = scores->count;
    long long sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += value[i];
    html_write(html, "<h2>Scores at the tables</h2>\n");
    if (count > 0) {
        html_write(html, count == 1 ? "<p>%lld score" : "<p>%lld scores", (long long)count);
        html_write(html, " from %lld to %lld: median ", value[0], value[count - 1]);
        write_middle(html, value[(count - 1) / 2] + value[count / 2]);
        html_write(html, ", mean ");
        write_tenths(html, sum, (long long)count);
        html_write(html, ".</p>\n");
    }
    if (scores->defeats > 0)
        html_write(html,
                   scores->defeats == 1 ? "<p>%lld defeat, which has no score.</p>\n"
                                        : "<p>%lld defeats, which have no score.</p>\n",
                   (long long)scores->defeats);
    if (count == 0 && scores->defeats == 0)
        html_write(html, "<p>No table has a score yet.</p>\n");
}

/* ---- Seats ---- */

static void write_percent(struct growing *html, const json_t *wins, const char *key)
{
    long long tenths = (part_number(wins, key) + MILLIONTHS_OF_A_TENTH_PERCENT / 2) /
                       MILLIONTHS_OF_A_TENTH_PERCENT;
    html_write(html, "<td class=\"number\">%lld.%d %%</td>", tenths / 10, (int)(tenths % 10));
}

static void write_size(struct growing *html, const json_t *size)
{
    static const struct part_column columns[] = {
        {"Seat", true}, {"First places", true}, {"From", true}, {"To", true}};
    size_t i;
    json_t *each;
    html_write(html, "<h3>Tables of %lld: %lld finished</h3>\n", part_number(size, "seats"),
               part_number(size, "tables"));
    part_table(html, "Share of first places, with its 95 % confidence interval", columns,
               sizeof columns / sizeof columns[0]);
    json_array_foreach(json_object_get(size, "by_seat"), i, each)
    {
        const json_t *wins = json_object_get(each, "wins");
        html_write(html, "<tr class=\"row\"><td class=\"number\">%lld</td>",
                   part_number(each, "seat") + 1);
        write_percent(html, wins, "value_millionths");
        write_percent(html, wins, "low_millionths");
        write_percent(html, wins, "high_millionths");
        html_write(html, "</tr>\n");
    }
    part_table_end(html);
}

/* The table sizes of the ruleset's version. */
static const json_t *find_sizes(const json_t *advantage, const json_t *ruleset)
{
    size_t i;
    json_t *each;
    json_array_foreach(json_object_get(advantage, "versions"), i, each)
    {
        if (strcmp(part_text(json_object_get(each, "ruleset"), "version"),
                   part_text(ruleset, "version")) == 0)
            return json_object_get(each, "sizes");
    }
    return NULL;
}

static bool write_seats(struct call *call, struct growing *html, const json_t *ruleset)
{
    const json_t *advantage =
        page_read(call, "/v1/rulesets/%s/seat-advantage", part_text(ruleset, "slug"));
    if (advantage == NULL)
        return false;
    const json_t *sizes = find_sizes(advantage, ruleset);
    size_t i;
    json_t *size;
    html_write(html, "<h2>Seat advantage</h2>\n");
    if (json_array_size(sizes) == 0)
        html_write(html, "<p>No game of two or more players has finished.</p>\n");
    else
        html_write(html, "<p>From the last games of %s played here, %lld at most.</p>\n",
                   part_text(ruleset, "title"), part_number(advantage, "games_most"));
    json_array_foreach(sizes, i, size) write_size(html, size);
    return true;
}

/* ---- Pages ---- */

static bool write_event_scores(struct call *call, struct growing *html, const json_t *event)
{
    struct scores scores = {.count = 0};
    const char *state = part_text(event, "state");
    if (part_number(json_object_get(event, "rounds"), "started") > 0 ||
        strcmp(state, "running") == 0 || strcmp(state, "closed") == 0) {
        const json_t *standings =
            page_read(call, "/v1/events/%s/standings?operands=none", call->id[0].text);
        if (standings == NULL)
            return false;
        collect(call, standings, &scores);
    }
    write_scores(html, &scores);
    return true;
}

void page_statistics(struct call *call)
{
    struct growing html;
    growing_begin(&html, call->arena, PAGE_BYTES);
    const json_t *event = page_read(call, "/v1/events/%s", call->id[0].text);
    if (event == NULL)
        return;
    const char *name = part_text(event, "name");
    html_write(&html,
               "<h1>Statistics</h1>\n<p class=\"about\"><a href=\"/events/%s\"><bdi>%s</bdi></a>"
               "</p>\n",
               call->id[0].text, name);
    if (!write_event_scores(call, &html, event) ||
        !write_seats(call, &html, json_object_get(event, "ruleset")))
        return;
    const struct page_head head = {page_title(call, "Statistics, ", name),
                                   "How the scores are spread, and what each seat is worth."};
    page_answer(call, &head, &html);
}

void page_game_statistics(struct call *call)
{
    struct growing html;
    growing_begin(&html, call->arena, PAGE_BYTES);
    const json_t *ruleset =
        page_read(call, "/v1/rulesets/%s", arena_copy(call->arena, call->word[0]));
    if (ruleset == NULL) {
        page_not_found(call);
        return;
    }
    const char *title = part_text(ruleset, "title");
    html_write(&html, "<h1>Statistics</h1>\n<p class=\"about\"><a href=\"/games/%s\">%s</a></p>\n",
               part_text(ruleset, "slug"), title);
    if (!write_seats(call, &html, ruleset))
        return;
    const struct page_head head = {page_title(call, "Statistics, ", title),
                                   "What each seat is worth."};
    page_answer(call, &head, &html);
}
