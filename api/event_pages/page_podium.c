#include "api/event_pages/page_podium.h"

#include <string.h>

#include "api/event_pages/page_standings.h"

enum { PLACES = 3 };

/* The list of places, and the key of a place: with several stages, the places in the whole event.
 */
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

size_t page_podium_find(const json_t *standings, struct podium_step steps[PODIUM_MOST])
{
    struct placing placing = placing_of(standings);
    size_t count = 0, i;
    json_t *each;
    if (strcmp(part_text(standings, "state"), "final") != 0 ||
        !page_standings_have_results(standings) ||
        !has_one_division(json_object_get(standings, "rows")))
        return 0;
    for (long long place = 1; place <= PLACES; place++)
        json_array_foreach(placing.list, i, each)
        {
            if (!is_first(&placing, each) || part_number(each, placing.key) != place)
                continue;
            if (count == PODIUM_MOST)
                return 0;
            steps[count++] = (struct podium_step){place, part_number(each, "shared"),
                                                  json_object_get(each, "player")};
        }
    return count;
}

void page_podium_write(struct growing *html, const json_t *standings)
{
    struct podium_step steps[PODIUM_MOST];
    size_t count = page_podium_find(standings, steps);
    if (count == 0)
        return;
    html_write(html, "<section id=\"podium\"><h2" PART_SAID(
                         "podium.title", "Podium") "</h2>\n<ol class=\"podium\">");
    for (size_t i = 0; i < count; i++) {
        html_write(html, "<li data-place=\"%lld\"><span class=\"place\">", steps[i].place);
        part_place(html, steps[i].place, steps[i].shared);
        html_write(html, "</span> ");
        part_player(html, steps[i].player);
        html_write(html, "</li>\n");
    }
    html_write(html, "</ol></section>\n");
}
