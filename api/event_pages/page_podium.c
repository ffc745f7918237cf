#include "api/event_pages/page_podium.h"

#include <string.h>

#include "api/event_pages/page_standings.h"

enum { PLACES = 3 };

/* With several stages, places are those of the whole event. */
struct placing {
    const json_t *list;
    const char *key;
};

static struct placing placing_of(const json_t *standings)
{
    bool several = part_number(standings, "stages") > 1;
    return several ? (struct placing){json_object_get(standings, "places"), "place"}
                   : (struct placing){json_object_get(standings, "rows"), "rank"};
}

static bool has_one_division(const json_t *rows)
{
    const json_t *first = json_object_get(json_array_get(rows, 0), "division");
    bool one = true;
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row) one =
        one && json_equal(json_object_get(row, "division"), first);
    return one;
}

static bool is_first(const struct placing *placing, const json_t *each)
{
    long long place = part_number(each, placing->key);
    return place >= 1 && place <= PLACES && !part_is(each, "annulled");
}

static size_t count_first(const struct placing *placing)
{
    size_t count = 0, i;
    json_t *each;
    json_array_foreach(placing->list, i, each) count += is_first(placing, each);
    return count;
}

static void write_step(struct growing *html, const struct placing *placing, const json_t *each)
{
    long long place = part_number(each, placing->key);
    html_write(html, "<li data-place=\"%lld\"><span class=\"place\">", place);
    part_place(html, place, part_number(each, "shared"));
    html_write(html, "</span> ");
    part_player(html, json_object_get(each, "player"));
    html_write(html, "</li>\n");
}

void page_podium_write(struct growing *html, const json_t *standings)
{
    struct placing placing = placing_of(standings);
    size_t count = count_first(&placing), i;
    json_t *each;
    if (strcmp(part_text(standings, "state"), "final") != 0 ||
        !page_standings_have_results(standings) || count == 0 || count > PODIUM_MOST ||
        !has_one_division(json_object_get(standings, "rows")))
        return;
    html_write(html, "<section id=\"podium\"><h2>Podium</h2>\n<ol class=\"podium\">");
    for (long long place = 1; place <= PLACES; place++)
        json_array_foreach(placing.list, i, each) if (is_first(&placing, each) &&
                                                      part_number(each, placing.key) == place)
            write_step(html, &placing, each);
    html_write(html, "</ol></section>\n");
}
