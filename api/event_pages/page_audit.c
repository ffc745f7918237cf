/* An event's audit page: downloads, commitments, and the reasons for its pairings. Kept off the
 * main page, since most readers do not need it. */
#include <string.h>

#include "api/event_pages/handlers.h"
#include "api/pages/page.h"
#include "api/pages/page_parts.h"
#include "api/pages/page_read.h"

struct audit_page {
    struct growing *html;
    const json_t *event, *rounds; /* rounds: list from the API */
};

/* ---- Downloads ---- */

static void write_file(const struct audit_page *page, const char *name, const char *words)
{
    html_write(page->html, "<li><a href=\"/v1/events/%s/%s\">%s</a></li>\n",
               part_text(page->event, "id"), name, words);
}

/* FIDE reports cover only formats with points at tables of two. */
static bool is_reported(const json_t *event)
{
    const char *format = part_text(event, "format");
    return strcmp(format, "dutch") == 0 || strcmp(format, "round_robin") == 0;
}

static void write_files(const struct audit_page *page)
{
    const char *state = part_text(page->event, "state");
    bool rounds = json_array_size(page->rounds) > 0;
    bool begun = rounds || (strcmp(part_text(page->event, "games_from"), "rounds") != 0 &&
                            strcmp(state, "draft") != 0 && strcmp(state, "entries_open") != 0);
    html_write(page->html, "<h2 id=\"files\">Downloads</h2>\n<ul>");
    write_file(page, "bundle", "Bundle: the whole event, for tillroll event");
    if (begun) {
        write_file(page, "standings.csv", "standings.csv");
        write_file(page, "results.csv", "results.csv");
        write_file(page, "standings", "Standings as JSON");
    }
    if (rounds) {
        write_file(page, "rounds.ics", "rounds.ics");
        write_file(page, "rounds", "Rounds as JSON");
    }
    if (rounds && is_reported(page->event)) {
        write_file(page, "export.trf16", "export.trf16");
        write_file(page, "export.trf26", "export.trf26");
    }
    write_file(page, "feed.json", "feed.json");
    write_file(page, "log", "The event's log as JSON");
    html_write(page->html, "</ul>\n");
}

/* ---- Luck ---- */

static void write_hash(struct growing *html, const char *hash)
{
    html_write(html, "<code class=\"hash\">%s</code>", hash);
}

/* A commitment, and the secret once revealed. `words`: the text before the hash. */
static void write_commitment(struct growing *html, const json_t *of, const char *words)
{
    html_write(html, "<p>%s ", words);
    write_hash(html, part_text(of, "commitment"));
    if (part_is_null(of, "secret")) {
        html_write(html, ". It is revealed at the end.</p>\n");
        return;
    }
    html_write(html, ". Revealed: ");
    write_hash(html, part_text(of, "secret"));
    html_write(html, "</p>\n");
}

static void write_origin(const struct audit_page *page)
{
    const json_t *imported = json_object_get(page->event, "imported");
    if (!json_is_object(imported))
        return;
    html_write(page->html, "<p>Played on the service that signs with ");
    write_hash(page->html, part_text(imported, "key"));
    html_write(page->html, ". Its bundle was verified, and imported ");
    part_time(page->html, part_text(imported, "at"));
    html_write(page->html, ".</p>\n");
}

/* The co-dealers that contribute to the luck of the games. */
static void write_dealers(const struct audit_page *page)
{
    struct growing *html = page->html;
    const json_t *settings = json_object_get(page->event, "settings");
    const json_t *dealers = json_object_get(settings, "dealers");
    size_t i;
    json_t *dealer;
    if (json_array_size(dealers) == 0)
        return;
    html_write(html,
               "<h2 id=\"dealers\">Luck in the games</h2>\n<p>Independent co-dealers add their "
               "random outputs to the luck of each game, after the service has committed to its "
               "own. %s</p>\n<ul>",
               json_object_get(settings, "dealers_seconds") == NULL
                   ? "Games wait until all have answered."
                   : "Games start without those who do not answer in time, and their records name "
                     "them.");
    json_array_foreach(dealers, i, dealer)
    {
        html_write(html, "<li>%s: ", part_text(dealer, "name"));
        write_hash(html, part_text(dealer, "key"));
        html_write(html, "</li>\n");
    }
    html_write(html, "</ul>\n");
}

/* ---- Rounds ---- */

static void write_criteria(struct growing *html, const json_t *criteria)
{
    size_t i;
    json_t *each;
    html_write(html, "<dl class=\"terms\">");
    json_array_foreach(criteria, i, each)
        html_write(html, "<dt>%s: %s = %lld</dt><dd>%s</dd>\n", part_text(each, "code"),
                   part_text(each, "name"), part_number(each, "value"), part_text(each, "meaning"));
    html_write(html, "</dl>\n");
}

static void write_draw(struct growing *html, const json_t *round)
{
    const json_t *quality = json_object_get(round, "quality");
    const json_t *criteria = json_object_get(quality, "criteria");
    html_write(html, "<p>Pairings made: %lld. Manual changes after that: %lld.",
               part_number(round, "attempt"), part_number(round, "changes"));
    if (!part_is_null(quality, "repeats_bound"))
        html_write(html, " No pairing could have fewer repeats than %lld.",
                   part_number(quality, "repeats_bound"));
    html_write(html, part_is(quality, "proved_best") ? " Proved that no pairing is better.</p>\n"
                                                     : "</p>\n");
    if (json_array_size(criteria) > 0)
        write_criteria(html, criteria);
}

static void write_round(const struct audit_page *page, const json_t *round)
{
    long long number = part_number(round, "number");
    html_write(page->html,
               "<section id=\"round-%lld\"><h3><a href=\"/events/%s/rounds/%lld\">Round %lld"
               "</a></h3>\n",
               number, part_text(page->event, "id"), number, number);
    if (!part_is_null(round, "commitment"))
        write_commitment(page->html, round,
                         "All tables play with one secret, to which the round committed before it "
                         "was drawn:");
    else
        write_draw(page->html, round);
    html_write(page->html, "</section>\n");
}

static void write_rounds(const struct audit_page *page)
{
    size_t i;
    json_t *round;
    if (json_array_size(page->rounds) == 0)
        return;
    html_write(page->html, "<h2 id=\"rounds\">Reasons for the pairings</h2>\n<p>Of two pairings, "
                           "the better one has the lower value where they first differ."
                           "</p>\n");
    json_array_foreach(page->rounds, i, round) write_round(page, round);
}

/* ---- The page ---- */

void page_audit(struct call *call)
{
    enum { PAGE_BYTES = 16 * 1024 };
    const char *id = call->id[0].text;
    struct growing html;
    const json_t *event = page_read(call, "/v1/events/%s", id);
    const json_t *rounds = event == NULL ? NULL : page_read(call, "/v1/events/%s/rounds", id);
    if (rounds == NULL)
        return;
    struct audit_page page = {&html, event, json_object_get(rounds, "items")};
    growing_begin(&html, call->arena, PAGE_BYTES);
    html_write(&html,
               "<h1>Audit</h1>\n<p class=\"about\" data-changes=\"%lld\"><a "
               "href=\"/events/%s\"><bdi>%s</bdi></a></p>\n",
               part_number(event, "changes"), id, part_text(event, "name"));
    write_files(&page);
    html_write(&html, "<h2 id=\"luck\">Luck in the pairings</h2>\n");
    write_commitment(
        &html, event,
        "Pairings are drawn from a secret to which the event committed before any player "
        "entered:");
    write_origin(&page);
    write_dealers(&page);
    write_rounds(&page);
    html_write(&html,
               "<h2 id=\"embed\">Standings in another page</h2>\n<p>The address for a frame: "
               "<a href=\"/events/%s/embed\">/events/%s/embed</a></p>\n",
               id, id);
    const struct page_head head = {page_title(call, "Audit, ", part_text(event, "name")),
                                   "Downloads, commitments, and the reasons for the pairings."};
    page_answer(call, &head, &html);
}
