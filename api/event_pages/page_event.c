/* The event page, and its embeddable part. */
#include <string.h>

#include "api/event_pages/handlers.h"
#include "api/event_pages/page_about.h"
#include "api/event_pages/page_podium.h"
#include "api/event_pages/page_round.h"
#include "api/event_pages/page_standings.h"
#include "api/pages/page.h"
#include "api/pages/page_read.h"
#include "engine/tournament/event/settings.h"

/* From this many entries on, the page omits parts as long as the standings themselves; its
 * script then reads only what is shown. */
enum { LARGE_ENTRIES = 100 };

/* The requested view, as in web-static/pages/event.js: a stage that has begun, after one of its
 * rounds (0 = now). */
struct chosen {
    long long stage, newest, after;
};

struct event_page {
    struct call *call;
    struct growing *html;
    const json_t *event, *rounds; /* rounds: list from the API */
    struct chosen chosen;
    bool german; /* an embedded page that requests German */
};

/* ---- Facts ---- */

static const char *state_words(const struct event_page *page)
{
    static const struct {
        const char *state, *words;
    } all[] = {{"draft", "being prepared"},
               {"entries_open", "open for entries"},
               {"entries_closed", "entries are closed, round 1 has not begun"},
               {"running", "running"},
               {"closed", "closed"}};
    size_t i = 0;
    if (json_is_true(json_object_get(page->event, "cancelled")))
        return "cancelled";
    while (i + 1 < sizeof all / sizeof all[0] &&
           strcmp(all[i].state, part_text(page->event, "state")) != 0)
        i++;
    return all[i].words;
}

static bool is_state(const json_t *event, const char *state)
{
    return strcmp(part_text(event, "state"), state) == 0;
}

static bool has_rounds(const json_t *event)
{
    return strcmp(part_text(event, "games_from"), "rounds") == 0;
}

static long long rounds_started(const json_t *event)
{
    return part_number(json_object_get(event, "rounds"), "started");
}

static const char *format_title(const json_t *stage)
{
    const char *name = part_text(stage, "format");
    const struct format *format = settings_format_find(name);
    return format == NULL ? name : format->title;
}

static void write_formats(struct growing *html, const json_t *event)
{
    size_t i;
    json_t *stage;
    json_array_foreach(json_object_get(json_object_get(event, "settings"), "stages"), i, stage)
    {
        html_write(html, i == 0 ? "%s" : ", then %s", format_title(stage));
    }
}

/* Before the first round, writes only the number of rounds, if it is known. */
static void write_rounds_and_format(struct growing *html, const json_t *event)
{
    const json_t *rounds = json_object_get(event, "rounds");
    const json_t *stages = json_object_get(json_object_get(event, "settings"), "stages");
    long long planned = part_number(rounds, "planned");
    bool begun = rounds_started(event) > 0;
    bool in_rounds = has_rounds(event) && (begun || (planned > 0 && json_array_size(stages) < 2));
    html_write(html, !in_rounds ? ". Format: " : begun ? ". Round " : ". ");
    if (in_rounds && begun)
        part_rounds(html, event);
    else if (in_rounds)
        html_write(html, planned == 1 ? "%lld round" : "%lld rounds", planned);
    html_write(html, in_rounds ? " (" : "");
    write_formats(html, event);
    html_write(html, in_rounds ? ")" : "");
}

/* Writes the summary without markup, since the page's description uses it too. */
static void write_summary(struct growing *html, const struct event_page *page)
{
    const json_t *event = page->event;
    const json_t *seats = json_object_get(event, "seats");
    long long least = part_number(seats, "min");
    long long most = part_number(seats, "max");
    html_write(html, "%s", part_text(json_object_get(event, "ruleset"), "title"));
    if (most > 1)
        html_write(html, ", tables of %lld", least);
    if (least != most)
        html_write(html, " to %lld", most);
    write_rounds_and_format(html, event);
    html_write(html, ", %lld %s", part_number(event, "entries"),
               part_number(event, "entries") == 1 ? "entry" : "entries");
    if (part_number(event, "waiting") > 0)
        html_write(html, ", %lld waiting", part_number(event, "waiting"));
    html_write(html, ".");
}

/* Writes a duration in the largest unit that divides it; else in seconds with a fraction. */
static void write_length(struct growing *html, long long ms)
{
    static const struct {
        const char *name;
        long long ms;
    } units[] = {{"day", 86400000}, {"hour", 3600000}, {"minute", 60000}, {"second", 1000}};
    size_t i = 0;
    while (i < 3 && (ms < units[i].ms || ms % units[i].ms != 0))
        i++;
    html_write(html, "%lld", ms / units[i].ms);
    if (i == 3 && ms % 1000 != 0) {
        char rest[24];
        int length = snprintf(rest, sizeof rest, ".%03lld", ms % 1000);
        while (rest[length - 1] == '0')
            rest[--length] = '\0';
        html_write(html, "%s", rest);
    }
    html_write(html, ms == units[i].ms ? " %s" : " %ss", units[i].name);
}

static void write_clock(const struct event_page *page)
{
    const json_t *clock = json_object_get(json_object_get(page->event, "settings"), "clock");
    struct growing *html = page->html;
    const bool each_move = json_object_get(clock, "move_ms") != NULL;
    if (!json_is_object(clock))
        return;
    html_write(html, "<p class=\"about\">Clock: ");
    write_length(html, part_number(clock, each_move ? "move_ms" : "bank_ms"));
    html_write(html, each_move ? " a move" : " a player");
    if (!each_move && part_number(clock, "increment_ms") > 0) {
        html_write(html, " + ");
        write_length(html, part_number(clock, "increment_ms"));
        html_write(html, " a move");
    }
    html_write(html, ".</p>\n");
}

/* Unusual settings that players should know before they enter. */
static void write_allowed(const struct event_page *page)
{
    const json_t *settings = json_object_get(page->event, "settings");
    const json_t *choice = json_object_get(settings, "same_owner");
    if (json_object_get(settings, "house") != NULL)
        html_write(
            page->html,
            "<p class=\"notice\">House players (programs of the service) may enter, up to the "
            "level %s. Games with them are rated %s.</p>\n",
            part_text(settings, "house"),
            part_is(settings, "rate_house") ? "like all others" : "on a separate list");
    if (json_is_true(json_object_get(settings, "rate_reported")))
        html_write(page->html,
                   "<p class=\"notice\">Reported results count for ratings here, once the event is "
                   "closed, if another player at the table or an official has confirmed "
                   "them.</p>\n");
    if (json_is_false(json_object_get(settings, "bots")))
        html_write(page->html, "<p class=\"notice\">Bots may not enter.</p>\n");
    if (choice != NULL && strcmp(json_string_value(choice), "allowed") == 0)
        html_write(page->html,
                   "<p class=\"notice\">A player and their bots, and several bots of one "
                   "owner, may sit at the same table here.</p>\n");
}

static void write_cancelled(const struct event_page *page)
{
    if (part_is(page->event, "cancelled"))
        html_write(page->html, "<p class=\"notice\">The event was cancelled: <bdi>%s</bdi></p>\n",
                   part_text(page->event, "cancelled_reason"));
}

static void write_facts(const struct event_page *page)
{
    struct growing *html = page->html;
    page_about_write_head(html, page->event);
    html_write(html, "<p class=\"about\" data-changes=\"%lld\"><span class=\"%s\">%s</span> ",
               part_number(page->event, "changes"),
               is_state(page->event, "closed") ? "badge good" : "badge", state_words(page));
    write_summary(html, page);
    html_write(html, " Organizer: ");
    part_player(html, json_object_get(page->event, "organizer"));
    html_write(html, ". Created ");
    part_time(html, part_text(page->event, "created_at"));
    html_write(html, ".</p>\n");
    write_clock(page);
    write_cancelled(page);
    write_allowed(page);
}

/* The script writes the reader's own actions; the server's page is the same for all readers. */
static void write_sign_in(const struct event_page *page)
{
    if (is_state(page->event, "entries_open"))
        html_write(page->html,
                   "<section id=\"mine\" class=\"mine no-print\"><p class=\"bar\">"
                   "<a href=\"/login?next=/events/%s\">Sign in to enter</a></p></section>\n",
                   part_text(page->event, "id"));
}

/* ---- Stage and round ---- */

static long long read_number(struct call *call, const char *name)
{
    enum { NUMBER_MOST = 1000000 };
    uint64_t number = 0;
    return span_number(http_parameter(call->request, name), NUMBER_MOST, &number)
               ? (long long)number
               : 0;
}

static long long stage_of(const json_t *rounds, long long number)
{
    size_t i;
    json_t *round;
    json_array_foreach(rounds, i, round) if (part_number(round, "number") ==
                                             number) return part_number(round, "stage");
    return 0;
}

static struct chosen choose(struct call *call, const json_t *rounds)
{
    long long newest = stage_of(rounds, (long long)json_array_size(rounds));
    long long after = read_number(call, "after_round");
    long long stage = read_number(call, "stage");
    newest = newest == 0 ? 1 : newest;
    if (stage < 1 || stage > newest)
        stage = stage_of(rounds, after) > 0 ? stage_of(rounds, after) : newest;
    return (struct chosen){stage, newest, stage_of(rounds, after) == stage ? after : 0};
}

static void write_stage_links(const struct event_page *page)
{
    struct growing *html = page->html;
    const json_t *stages = json_object_get(json_object_get(page->event, "settings"), "stages");
    size_t i;
    json_t *stage;
    if (json_array_size(stages) < 2)
        return;
    html_write(html, "<nav class=\"links no-print\"" PART_LABELED("event.stages", "Stages") ">");
    json_array_foreach(stages, i, stage)
    {
        const long long number = (long long)i + 1;
        const bool begun = number <= page->chosen.newest;
        if (begun) {
            html_write(html, "<a href=\"?stage=%lld\"", number);
            part_current(html, number == page->chosen.stage);
        }
        html_write(html, begun ? ">" : "<span>");
        html_write(html,
                   "<span data-number=\"%lld\" data-format=\"format.%s\"" PART_SAID(
                       "event.stage", "Stage %lld: %s") "</span>",
                   number, part_text(stage, "format"), number, format_title(stage));
        html_write(
            html, begun ? "</a> "
                        : " <span" PART_SAID("event.stage_to_come", "(to come)") "</span></span> ");
    }
    html_write(html, "</nav>\n");
}

static void write_after_links(const struct event_page *page)
{
    struct growing *html = page->html;
    long long shown = page->chosen.after;
    size_t i, count = 0;
    json_t *round;
    json_array_foreach(page->rounds, i, round) count +=
        part_number(round, "stage") == page->chosen.stage;
    if (count < 2)
        return;
    html_write(html, "<nav class=\"links no-print\"" PART_LABELED(
                         "event.standings_after_round",
                         "Standings after round") "><span" PART_SAID("event.after_round",
                                                                     "After round") "</span> ");
    json_array_foreach(page->rounds, i, round)
    {
        long long number = part_number(round, "number");
        bool last = stage_of(page->rounds, number + 1) != page->chosen.stage;
        if (part_number(round, "stage") != page->chosen.stage)
            continue;
        html_write(html, "<a href=\"?stage=%lld&amp;after_round=%lld\"", page->chosen.stage,
                   number);
        part_current(html, number == shown || (shown == 0 && last));
        html_write(html, ">%lld</a> ", number);
    }
    html_write(html, "</nav>\n");
}

static void write_round_links(const struct event_page *page)
{
    struct growing *html = page->html;
    if (json_array_size(page->rounds) == 0)
        return;
    html_write(html,
               "<nav id=\"round-links\" class=\"links\" aria-label=\"Rounds\">Tables of round ");
    for (size_t i = json_array_size(page->rounds); i > 0; i--) {
        long long number = part_number(json_array_get(page->rounds, i - 1), "number");
        html_write(html, "<a href=\"/events/%s/rounds/%lld\">%lld</a> ",
                   part_text(page->event, "id"), number, number);
    }
    html_write(html, "</nav>\n");
}

/* ---- Participants ---- */

/* Writes nothing for entries in the state `entered`. */
static void write_entry_state(struct growing *html, const json_t *entry, bool german)
{
    const char *state = part_text(entry, "state");
    const long long place = part_number(entry, "waiting_place");
    if (strcmp(state, "entered") == 0)
        return;
    html_write(html, " (<span");
    if (strcmp(state, "waiting") == 0 && german)
        html_write(html, ">auf der Warteliste, Platz %lld", place);
    else if (strcmp(state, "waiting") == 0)
        html_write(
            html,
            " data-place=\"%lld\"" PART_SAID("entry.is_waiting", "on the waiting list, place %lld"),
            place, place);
    else if (strcmp(state, "not_there") == 0)
        html_write(html, german ? ">nicht erschienen"
                                : PART_SAID("entry.is_not_there", "did not check in"));
    else
        html_write(html, german ? ">ausgestiegen" : PART_SAID("entry.is_dropped", "dropped out"));
    html_write(html, "</span>)");
}

static bool write_entries(const struct event_page *page)
{
    struct growing *html = page->html;
    const bool german = page->german;
    const json_t *entries =
        page_read(page->call, "/v1/events/%s/entries", part_text(page->event, "id"));
    size_t i;
    json_t *entry;
    if (entries == NULL)
        return false;
    html_write(html, german ? "<h2>Anmeldungen</h2>\n"
                            : "<h2" PART_SAID("entry.title", "Entries") "</h2>\n");
    if (json_array_size(json_object_get(entries, "items")) == 0)
        html_write(html, german ? "<p>Noch keine Anmeldungen.</p>\n"
                                : "<p" PART_SAID("entry.nobody", "No entries yet.") "</p>\n");
    html_write(html, "<ul class=\"names\">");
    json_array_foreach(json_object_get(entries, "items"), i, entry)
    {
        if (strcmp(part_text(entry, "state"), "withdrawn") == 0)
            continue;
        html_write(html, "<li>");
        part_player(html, json_object_get(entry, "player"));
        write_entry_state(html, entry, german);
        html_write(html, "</li>\n");
    }
    html_write(html, "</ul>\n");
    return true;
}

/* ---- Standings ---- */

static bool is_large(const json_t *event)
{
    return part_number(event, "entries") > LARGE_ENTRIES;
}

static const json_t *read_standings(const struct event_page *page, bool operands)
{
    const char *id = part_text(page->event, "id");
    const struct chosen *chosen = &page->chosen;
    const char *none = operands ? "" : "operands=none&";
    if (chosen->after > 0)
        return page_read(page->call, "/v1/events/%s/standings?%sstage=%lld&after_round=%lld", id,
                         none, chosen->stage, chosen->after);
    if (chosen->stage != chosen->newest)
        return page_read(page->call, "/v1/events/%s/standings?%sstage=%lld", id, none,
                         chosen->stage);
    return page_read(page->call, "/v1/events/%s/standings%s", id, operands ? "" : "?operands=none");
}

/* Writes the tables of the newest round; not for large events. */
static bool write_tables(const struct event_page *page)
{
    long long started = rounds_started(page->event);
    if (started == 0 || is_large(page->event))
        return true;
    const json_t *round =
        page_read(page->call, "/v1/events/%s/rounds/%lld", part_text(page->event, "id"), started);
    if (round == NULL)
        return false;
    html_write(page->html, "<h2>Round %lld</h2>\n", started);
    page_round_write(page->html, round);
    return true;
}

static bool write_standings(const struct event_page *page)
{
    const json_t *standings = read_standings(page, !is_large(page->event));
    if (standings == NULL)
        return false;
    if (is_state(page->event, "closed") && page->chosen.after == 0 &&
        page->chosen.stage == page->chosen.newest)
        page_podium_write(page->html, standings);
    html_write(page->html, "<h2" PART_SAID("event.standings", "Standings") "</h2>\n");
    write_after_links(page);
    page_standings_write(page->html, standings,
                         is_large(page->event) ? STANDINGS_PLAIN : STANDINGS_LINKED);
    return write_tables(page);
}

static bool has_standings(const json_t *event)
{
    bool open = is_state(event, "draft") || is_state(event, "entries_open");
    return rounds_started(event) > 0 || (!has_rounds(event) && !open);
}

/* ---- The page ---- */

static bool read_event(struct event_page *page)
{
    struct call *call = page->call;
    page->event = page_read(call, "/v1/events/%s", call->id[0].text);
    const json_t *rounds =
        page->event == NULL ? NULL : page_read(call, "/v1/events/%s/rounds", call->id[0].text);
    if (rounds == NULL)
        return false;
    page->rounds = json_object_get(rounds, "items");
    page->chosen = choose(call, page->rounds);
    return true;
}

/* Date and place, for link previews. */
static void write_when(struct growing *text, const struct event_page *page)
{
    enum { DAY = sizeof "2026-12-01" - 1 };
    const json_t *settings = json_object_get(page->event, "settings");
    const char *starts = part_text(settings, "starts_at"), *place = part_text(settings, "place");
    if (strlen(starts) > DAY)
        growing_add(text, (struct span){starts, DAY});
    if (starts[0] != '\0' && place[0] != '\0')
        growing_add(text, span_of(", "));
    growing_add(text, span_of(place));
    if (starts[0] != '\0' || place[0] != '\0')
        growing_add(text, span_of(". "));
}

static const char *summary_text(const struct event_page *page)
{
    struct growing text;
    growing_begin(&text, page->call->arena, 256);
    write_when(&text, page);
    write_summary(&text, page);
    return arena_copy(page->call->arena, growing_span(&text));
}

static bool write_event(const struct event_page *page)
{
    bool standings = has_standings(page->event);
    write_facts(page);
    write_sign_in(page);
    if (!standings)
        page_about_write(page->html, page->event);
    write_round_links(page);
    write_stage_links(page);
    if (!(standings ? write_standings(page) : write_entries(page)))
        return false;
    if (standings)
        page_about_write(page->html, page->event);
    html_write(
        page->html,
        "<p class=\"links no-print\"><a href=\"/events/%s/audit\">Audit and downloads</a></p>"
        "\n",
        part_text(page->event, "id"));
    return true;
}

/* ---- The image for link previews ---- */

static const char *text_of(const struct event_page *page, const struct growing *text)
{
    return arena_copy(page->call->arena, growing_span(text));
}

/* For example: 1 Dec 2026 · Town hall */
static const char *when_text(const struct event_page *page)
{
    const json_t *settings = json_object_get(page->event, "settings");
    const char *starts = part_text(settings, "starts_at"), *place = part_text(settings, "place");
    struct growing text;
    growing_begin(&text, page->call->arena, 128);
    part_day(&text, starts, page_is_german(page->call));
    if (starts[0] != '\0' && place[0] != '\0')
        growing_add(&text, span_of(" \u00b7 "));
    growing_add(&text, span_of(place));
    return text_of(page, &text);
}

/* For example: Anmeldung offen. Shinjuku, 4 Runden, 12 Anmeldungen. */
static const char *german_state_text(const struct event_page *page)
{
    static const struct {
        const char *state, *words;
    } all[] = {{"draft", "In Vorbereitung"},
               {"entries_open", "Anmeldung offen"},
               {"entries_closed", "Anmeldung geschlossen"},
               {"running", "L\u00e4uft"},
               {"closed", "Abgeschlossen"}};
    const json_t *rounds = json_object_get(page->event, "rounds");
    long long planned = part_number(rounds, "planned"), started = part_number(rounds, "started");
    struct growing text;
    size_t i = 0;
    growing_begin(&text, page->call->arena, 256);
    while (i + 1 < sizeof all / sizeof all[0] && !is_state(page->event, all[i].state))
        i++;
    html_write(&text, "%s. %s", part_is(page->event, "cancelled") ? "Abgesagt" : all[i].words,
               part_text(json_object_get(page->event, "ruleset"), "title"));
    if (!part_is_null(rounds, "planned") && started == 0)
        html_write(&text, ", %lld %s", planned, planned == 1 ? "Runde" : "Runden");
    else if (!part_is_null(rounds, "planned"))
        html_write(&text, ", Runde %lld von %lld", started, planned);
    html_write(&text, ", %lld %s.", part_number(page->event, "entries"),
               part_number(page->event, "entries") == 1 ? "Anmeldung" : "Anmeldungen");
    return text_of(page, &text);
}

/* For example: Open for entries. Shinjuku, tables of 3 to 4. Round 0 of 4 (Pod Swiss), 12 entries.
 */
static const char *state_text(const struct event_page *page)
{
    const char *words = state_words(page);
    struct growing text;
    if (page_is_german(page->call))
        return german_state_text(page);
    growing_begin(&text, page->call->arena, 256);
    const char first = (char)(words[0] >= 'a' && words[0] <= 'z' ? words[0] - 'a' + 'A' : words[0]);
    growing_add(&text, (struct span){&first, 1});
    growing_add(&text, span_of(words + 1));
    growing_add(&text, span_of(". "));
    write_summary(&text, page);
    return text_of(page, &text);
}

static const char *step_text(const struct event_page *page, const struct podium_step *step)
{
    struct growing text;
    growing_begin(&text, page->call->arena, 128);
    part_place(&text, step->place, step->shared);
    growing_add(&text, span_of(".  "));
    growing_add(&text, span_of(part_text(step->player, "name")));
    return text_of(page, &text);
}

static const char *rest_text(const struct event_page *page, size_t count)
{
    struct growing text;
    growing_begin(&text, page->call->arena, 32);
    html_write(&text, page_is_german(page->call) ? "und %d weitere" : "and %d more", (int)count);
    return text_of(page, &text);
}

/* False if the standings cannot be read. */
static bool add_podium(const struct event_page *page, struct picture *picture)
{
    struct podium_step steps[PODIUM_MOST];
    const json_t *standings = read_standings(page, false);
    if (standings == NULL)
        return false;
    size_t count = page_podium_find(standings, steps);
    size_t shown = count > PICTURE_LINES ? PICTURE_LINES - 1 : count;
    for (size_t i = 0; i < shown; i++)
        picture->lines[picture->line_count++] = step_text(page, &steps[i]);
    if (shown < count)
        picture->lines[picture->line_count++] = rest_text(page, count - shown);
    return true;
}

/* Draws the game's emblem with the event's facts, and the podium of a closed event. */
void event_picture(struct call *call)
{
    struct event_page page = {.call = call};
    if (!read_event(&page))
        return;
    page.chosen.after = 0;
    page.chosen.stage = page.chosen.newest;
    struct picture picture = {
        .emblem = page_emblem(call, part_text(json_object_get(page.event, "ruleset"), "slug")),
        .letter = part_text(page.event, "name"),
        .above = when_text(&page),
        .title = part_text(page.event, "name"),
        .below = state_text(&page),
        .foot = page_site_name(call)};
    if (!is_state(page.event, "closed") || !has_standings(page.event) ||
        add_podium(&page, &picture))
        page_answer_picture(call, &picture);
}

static struct page_image image_of(struct call *call, const json_t *event)
{
    const char *const path[] = {"/events/", part_text(event, "id"), "/card.png", NULL};
    return (struct page_image){
        page_picture_path(call, call_strings(call, path)),
        page_title(call, "Game, state and first places of ", part_text(event, "name"))};
}

/* Answers with the event's page. */
static void answer_event(struct call *call, const char *title, bool in_hall)
{
    enum { PAGE_BYTES = 32 * 1024 };
    struct growing html;
    struct event_page page = {.call = call, .html = &html};
    growing_begin(&html, call->arena, PAGE_BYTES);
    if (!read_event(&page) || !write_event(&page))
        return;
    const struct page_head head = {page_title(call, title, part_text(page.event, "name")),
                                   summary_text(&page)};
    const struct page_image image = image_of(call, page.event);
    page_answer_pictured(call, is_large(page.event) && !in_hall ? "event-large.html" : NULL, &head,
                         &image, &html);
}

void page_event(struct call *call)
{
    answer_event(call, "", false);
}

void page_hall(struct call *call)
{
    answer_event(call, "Hall screen, ", true);
}

/* ---- Embedded in other sites ---- */

void page_embed(struct call *call)
{
    enum { PAGE_BYTES = 16 * 1024 };
    struct growing html;
    struct event_page page = {.call = call, .html = &html, .german = page_is_german(call)};
    growing_begin(&html, call->arena, PAGE_BYTES);
    if (!read_event(&page))
        return;
    const char *summary = page.german ? german_state_text(&page) : summary_text(&page);
    html_write(&html,
               "<h1><a href=\"/events/%s\"><bdi>%s</bdi></a></h1>\n"
               "<p class=\"about\" data-changes=\"%lld\">",
               call->id[0].text, part_text(page.event, "name"), part_number(page.event, "changes"));
    if (page.german)
        html_write(&html, "%s", summary);
    else
        write_summary(&html, &page);
    html_write(&html, "</p>\n");
    if (has_standings(page.event)) {
        const json_t *standings = read_standings(&page, !is_large(page.event));
        if (standings == NULL)
            return;
        if (page.german)
            page_standings_write_german(&html, standings);
        else
            page_standings_write(&html, standings, STANDINGS_SHORT);
    } else if (!write_entries(&page)) {
        return;
    }
    const struct page_head head = {page_title(call, "", part_text(page.event, "name")), summary};
    (page.german ? page_answer_german : page_answer)(call, &head, &html);
    call->response->embeddable = true;
}
