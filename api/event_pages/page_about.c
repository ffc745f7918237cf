#include "api/event_pages/page_about.h"

#include <string.h>

/* ---- Text written by people ---- */

static bool begins_with(struct span text, const char *start)
{
    size_t length = strlen(start);
    return text.length >= length && memcmp(text.at, start, length) == 0;
}

/* Punctuation after an address is not part of it. */
static size_t address_length(struct span word)
{
    size_t length = word.length;
    while (length > 0 && strchr(".,;:!?)", word.at[length - 1]) != NULL)
        length--;
    return length;
}

/* Only complete http and https addresses become links. */
static bool is_address(struct span word)
{
    static const char secure[] = "https://", plain[] = "http://";
    size_t least = begins_with(word, secure) ? sizeof secure : sizeof plain;
    return (begins_with(word, secure) || begins_with(word, plain)) && address_length(word) >= least;
}

static void write_word(struct growing *html, struct span word)
{
    if (!is_address(word)) {
        html_text(html, word);
        return;
    }
    struct span address = {word.at, address_length(word)};
    growing_add(html, span_of("<a rel=\"nofollow\" href=\""));
    html_text(html, address);
    growing_add(html, span_of("\">"));
    html_text(html, address);
    growing_add(html, span_of("</a>"));
    html_text(html, (struct span){word.at + address.length, word.length - address.length});
}

static void write_line(struct growing *html, struct span line)
{
    while (line.length > 0) {
        size_t length = 0;
        while (length < line.length && line.at[length] != ' ')
            length++;
        write_word(html, (struct span){line.at, length});
        line = (struct span){line.at + length, line.length - length};
        if (line.length > 0) {
            growing_add(html, span_of(" "));
            line = (struct span){line.at + 1, line.length - 1};
        }
    }
}

/* Text written by people: blank lines separate paragraphs, addresses become links. */
static void page_about_write_text(struct growing *html, const char *text)
{
    struct span rest = span_of(text), line;
    bool open = false;
    while (span_line(&rest, &line)) {
        if (line.length == 0) {
            html_write(html, open ? "</p>\n" : "");
            open = false;
            continue;
        }
        html_write(html, open ? "<br>" : "<p dir=\"auto\">");
        write_line(html, line);
        open = true;
    }
    html_write(html, open ? "</p>\n" : "");
}

/* ---- The head ---- */

/* True if the event's announced start is in its calendar. */
static bool has_announced_start(const json_t *event)
{
    return !part_is_null(json_object_get(event, "settings"), "starts_at") &&
           strcmp(part_text(event, "state"), "closed") != 0 &&
           part_number(json_object_get(event, "rounds"), "started") == 0;
}

void page_about_write_head(struct growing *html, const json_t *event)
{
    const json_t *settings = json_object_get(event, "settings");
    const char *banner = part_text(settings, "banner");
    if (banner[0] != '\0')
        html_write(html, "<h1 class=\"banner\" data-banner=\"%s\" data-game=\"%s\">", banner,
                   part_text(json_object_get(event, "ruleset"), "slug"));
    else
        html_write(html, "<h1>");
    html_write(html, "<bdi>%s</bdi></h1>\n", part_text(event, "name"));
    if (part_is_null(settings, "starts_at") && part_is_null(settings, "place"))
        return;
    html_write(html, "<p class=\"when\">");
    part_when(html, settings);
    if (has_announced_start(event))
        html_write(html,
                   " <a class=\"calendar no-print\" href=\"/v1/events/%s/rounds.ics\">Add to "
                   "calendar</a>",
                   part_text(event, "id"));
    html_write(html, "</p>\n");
}

/* ---- The section ---- */

static void write_fact(struct growing *html, const json_t *settings, const char *name,
                       const char *words)
{
    if (part_is_null(settings, name))
        return;
    html_write(html, "<dt>%s</dt><dd>", words);
    page_about_write_text(html, part_text(settings, name));
    html_write(html, "</dd>\n");
}

void page_about_write(struct growing *html, const json_t *event)
{
    const json_t *settings = json_object_get(event, "settings");
    bool facts = !part_is_null(settings, "fee") || !part_is_null(settings, "prizes") ||
                 !part_is_null(settings, "contact");
    if (!facts && part_is_null(settings, "description"))
        return;
    html_write(html, "<section id=\"about\"><h2>About the event</h2>\n");
    page_about_write_text(html, part_text(settings, "description"));
    if (facts) {
        html_write(html, "<dl class=\"terms\">");
        write_fact(html, settings, "fee", "Entry fee");
        write_fact(html, settings, "prizes", "Prizes");
        write_fact(html, settings, "contact", "Contact");
        html_write(html, "</dl>\n");
    }
    html_write(html, "</section>\n");
}
