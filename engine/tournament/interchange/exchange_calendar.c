#include <string.h>

#include "engine/base/calendar.h"
#include "engine/tournament/interchange/exchange.h"

enum { LINE_MOST = 75, PROPERTY_MOST = 2048 };

/* ---- Lines of content ---- */

/* A property, folded into lines of at most 75 bytes that do not split a character. */
static void add_property(struct text *text, const char *property)
{
    size_t used = 0;
    for (; *property != '\0'; property++) {
        size_t width = 1;
        while (((unsigned char)property[width] & 0xC0) == 0x80)
            width++;
        if (used + width > LINE_MOST) {
            text_add(text, "\r\n ");
            used = 1;
        }
        text_add_span(text, (struct span){property, width});
        used += width;
        property += width - 1;
    }
    text_add(text, "\r\n");
}

static void add_escaped(struct text *text, const char *string)
{
    for (; *string != '\0'; string++) {
        if (*string == '\n') {
            text_add(text, "\\n");
            continue;
        }
        if (*string == '\\' || *string == ';' || *string == ',')
            text_add_char(text, '\\');
        if ((unsigned char)*string >= ' ')
            text_add_char(text, *string);
    }
}

/* A moment without the dashes and colons of `2026-11-20T15:04:05Z`. */
static void add_time_property(struct text *text, const char *name, int64_t ms)
{
    char bytes[32];
    struct text time = TEXT_OVER(bytes);
    calendar_print((uint64_t)(ms / 1000), &time);
    text_add(text, name);
    for (const char *c = bytes; *c != '\0'; c++)
        if (*c != '-' && *c != ':')
            text_add_char(text, *c);
    text_add(text, "\r\n");
}

/* ---- Entries ---- */

/* Round 0: the event itself. */
static void add_uid(struct text *text, const struct exchange *exchange, unsigned round)
{
    char property[PROPERTY_MOST];
    struct text line = TEXT_OVER(property);
    text_add(&line, "UID:");
    text_add(&line, exchange->id);
    if (round > 0) {
        text_add(&line, "-round-");
        text_add_number(&line, round);
    }
    text_add(&line, "@tillroll");
    add_property(text, property);
}

static void add_summary(struct text *text, const struct exchange *exchange, unsigned round)
{
    char property[PROPERTY_MOST];
    struct text line = TEXT_OVER(property);
    text_add(&line, "SUMMARY:");
    add_escaped(&line, exchange->tournament->settings.name);
    if (round > 0) {
        text_add(&line, "\\, round ");
        text_add_number(&line, round);
    }
    add_property(text, property);
}

static void add_place(struct text *text, const struct exchange *exchange)
{
    char property[PROPERTY_MOST];
    struct text line = TEXT_OVER(property);
    const char *place = exchange->tournament->settings.detail[DETAIL_PLACE];
    if (place == NULL)
        return;
    text_add(&line, "LOCATION:");
    add_escaped(&line, place);
    add_property(text, property);
}

/* The page of the event (round 0) or of a round. */
static void add_page(struct text *text, const struct exchange *exchange, unsigned round)
{
    text_add(text, exchange->site);
    text_add(text, "/events/");
    text_add(text, exchange->id);
    if (round > 0) {
        text_add(text, "/rounds/");
        text_add_number(text, round);
    }
}

/* Adds the properties that all calendar entries share. */
static void add_about(struct text *text, const struct exchange *exchange, unsigned round)
{
    char property[PROPERTY_MOST];
    struct text line = TEXT_OVER(property);
    add_summary(text, exchange, round);
    add_place(text, exchange);
    if (exchange->site == NULL)
        return;
    text_add(&line, "URL:");
    add_page(&line, exchange, round);
    add_property(text, property);
}

/* The event, as it was announced. */
static void add_event(struct text *text, const struct exchange *exchange, const char *starts_at)
{
    text_add(text, "BEGIN:VEVENT\r\n");
    add_uid(text, exchange, 0);
    add_time_property(text, "DTSTAMP:", exchange->tournament->last_ms);
    add_time_property(text, "DTSTART:", calendar_read_ms(starts_at));
    if (exchange->tournament->cancelled)
        text_add(text, "STATUS:CANCELLED\r\n");
    add_about(text, exchange, 0);
    text_add(text, "END:VEVENT\r\n");
}

static void add_description(struct text *text, const struct tournament_round *round)
{
    char property[PROPERTY_MOST];
    struct text line = TEXT_OVER(property);
    text_add(&line, "DESCRIPTION:");
    text_add_number(&line, (int64_t)round->table_count);
    text_add(&line, round->table_count == 1 ? " table" : " tables");
    text_add(&line, round->deadline_ms == 0 ? "\\, no deadline" : "");
    add_property(text, property);
}

static void add_round(struct text *text, const struct exchange *exchange,
                      const struct tournament_round *round)
{
    text_add(text, "BEGIN:VEVENT\r\n");
    add_uid(text, exchange, round->number);
    add_time_property(text, "DTSTAMP:", round->started_ms);
    add_time_property(text, "DTSTART:", round->started_ms);
    if (round->deadline_ms > round->started_ms)
        add_time_property(text, "DTEND:", round->deadline_ms);
    add_about(text, exchange, round->number);
    add_description(text, round);
    text_add(text, "END:VEVENT\r\n");
}

void exchange_calendar(const struct exchange *exchange, struct text *text)
{
    char property[PROPERTY_MOST];
    struct text line = TEXT_OVER(property);
    text_add(text, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Tillroll//Rounds//EN\r\n");
    text_add(&line, "X-WR-CALNAME:");
    add_escaped(&line, exchange->tournament->settings.name);
    add_property(text, property);
    const char *starts_at = exchange->tournament->settings.detail[DETAIL_STARTS_AT];
    if (starts_at != NULL && exchange->tournament->rounds_started == 0)
        add_event(text, exchange, starts_at);
    for (size_t i = 0; i < exchange->tournament->rounds_started; i++)
        add_round(text, exchange, &exchange->tournament->rounds[i]);
    text_add(text, "END:VCALENDAR\r\n");
}

enum { TITLE_MOST = 256, CONTENT_MOST = 4096 };

static void add_numbered(struct text *text, const char *what, const struct tournament_line *line,
                         const char *name)
{
    text_add(text, what);
    text_add_number(text, json_integer_value(json_object_get(line->detail, name)));
}

/* ---- What a title begins with ---- */

static void name_stage(const struct tournament_line *line, struct text *title)
{
    add_numbered(title, "Stage ", line, "stage");
}

static void name_round(const struct tournament_line *line, struct text *title)
{
    add_numbered(title, "Round ", line, "round");
}

static void name_table(const struct tournament_line *line, struct text *title)
{
    bool in_round = json_integer_value(json_object_get(line->detail, "round")) > 0;
    if (in_round)
        name_round(line, title);
    add_numbered(title, in_round ? ", table " : "Game ", line, "table");
}

/* ---- Contents ---- */

static void add_count(struct text *text, size_t count, const char *one, const char *several)
{
    text_add_number(text, (int64_t)count);
    text_add_char(text, ' ');
    text_add(text, count == 1 ? one : several);
}

/* `1. Ada (59)` of `seat`: [number, rank, score]; without a score, `1. Ada`. */
static void add_seat(struct text *text, const struct exchange *exchange, const json_t *seat)
{
    uint16_t entry = tournament_entry_numbered(
        exchange->tournament, (uint16_t)json_integer_value(json_array_get(seat, 0)));
    text_add_number(text, json_integer_value(json_array_get(seat, 1)));
    text_add(text, ". ");
    text_add(text, entry == TOURNAMENT_NOBODY ? "?" : exchange->names[entry]);
    if (json_array_size(seat) < 3)
        return;
    text_add(text, " (");
    text_add_number(text, json_integer_value(json_array_get(seat, 2)));
    text_add_char(text, ')');
}

/* `1. Ada (59), 2. Grace (40)`, by places. */
static void add_seats(struct text *text, const struct exchange *exchange,
                      const struct tournament_line *line)
{
    const json_t *seats = json_object_get(line->detail, "seats");
    size_t i, told = 0;
    json_t *seat;
    for (json_int_t place = 1; place <= (json_int_t)json_array_size(seats); place++)
        json_array_foreach(seats, i, seat)
        {
            if (json_integer_value(json_array_get(seat, 1)) != place)
                continue;
            text_add(text, told++ == 0 ? "" : ", ");
            add_seat(text, exchange, seat);
        }
}

static void tell_reason(const struct exchange *exchange, const struct tournament_line *line,
                        struct text *content)
{
    (void)exchange;
    const char *reason = json_string_value(json_object_get(line->detail, "reason"));
    if (reason == NULL)
        return;
    text_add(content, content->length > 0 ? ". " : "");
    text_add(content, reason);
}

static void tell_players(const struct exchange *exchange, const struct tournament_line *line,
                         struct text *content)
{
    (void)exchange;
    const json_t *numbers = json_object_get(line->detail, "numbers");
    const json_t *players = numbers != NULL ? numbers : json_object_get(line->detail, "entries");
    add_count(content, json_array_size(players), "player", "players");
}

static void tell_round(const struct exchange *exchange, const struct tournament_line *line,
                       struct text *content)
{
    json_int_t round = json_integer_value(json_object_get(line->detail, "round"));
    if (round >= 1 && (size_t)round <= exchange->tournament->round_count)
        add_count(content, exchange->tournament->rounds[round - 1].table_count, "table", "tables");
}

static void tell_table(const struct exchange *exchange, const struct tournament_line *line,
                       struct text *content)
{
    add_seats(content, exchange, line);
    tell_reason(exchange, line, content);
}

/* The title of a kind of line is `name` and `title`, the first of which may be missing, as the
 * content may. */
static const struct {
    const char *kind;
    void (*name)(const struct tournament_line *line, struct text *title);
    const char *title;
    void (*tell)(const struct exchange *exchange, const struct tournament_line *line,
                 struct text *content);
} kinds[] = {
    {"entries_opened", NULL, "Entries are open", NULL},
    {"entries_closed", NULL, "Entries are closed", tell_players},
    {"stage_started", name_stage, " begins", tell_players},
    {"round_started", name_round, " has started", tell_round},
    {"result", name_table, " has ended", tell_table},
    {"reported", name_table, ": result reported", tell_table},
    {"report_corrected", name_table, ": result corrected", tell_table},
    {"ruled", name_table, ": ruling", tell_table},
    {"ruling_revoked", name_table, ": ruling revoked", tell_table},
    {"table_replayed", name_table, " is being replayed", tell_table},
    {"closed", NULL, "The event is over: standings are final", NULL},
    {"cancelled", NULL, "The event is cancelled", tell_reason},
};

/* Says where pages are, if the service knows its address. */
static void set_page(json_t *document, const char *name, const struct exchange *exchange,
                     unsigned round)
{
    char address[PROPERTY_MOST];
    struct text text = TEXT_OVER(address);
    if (exchange->site == NULL)
        return;
    add_page(&text, exchange, round);
    json_object_set_new(document, name, json_string(address));
}

json_t *exchange_feed_item(const struct exchange *exchange, const struct tournament_line *line)
{
    char id_bytes[TOURNAMENT_ID_BYTES + 16], time[40], title_bytes[TITLE_MOST], bytes[CONTENT_MOST];
    struct text id = TEXT_OVER(id_bytes), date = TEXT_OVER(time);
    struct text title = TEXT_OVER(title_bytes), content = TEXT_OVER(bytes);
    size_t i = 0;
    while (i < sizeof kinds / sizeof *kinds && strcmp(kinds[i].kind, line->kind) != 0)
        i++;
    if (i == sizeof kinds / sizeof *kinds)
        return NULL;
    if (kinds[i].name != NULL)
        kinds[i].name(line, &title);
    text_add(&title, kinds[i].title);
    if (kinds[i].tell != NULL)
        kinds[i].tell(exchange, line, &content);
    text_add(&id, exchange->id);
    text_add_char(&id, '/');
    text_add_number(&id, line->number);
    calendar_print_ms(line->at_ms, &date);
    json_t *item = json_pack("{s:s, s:s, s:s, s:s, s:{s:s, s:I}}", "id", id_bytes, "title",
                             title_bytes, "content_text", bytes, "date_published", time,
                             "_tillroll", "kind", line->kind, "line", (json_int_t)line->number);
    set_page(item, "url", exchange,
             (unsigned)json_integer_value(json_object_get(line->detail, "round")));
    return item;
}

json_t *exchange_feed(const struct exchange *exchange, json_t *items)
{
    json_t *feed =
        json_pack("{s:s, s:s, s:s, s:o}", "version", "https://jsonfeed.org/version/1.1", "title",
                  exchange->tournament->settings.name, "language", "en", "items", items);
    set_page(feed, "home_page_url", exchange, 0);
    return feed;
}
