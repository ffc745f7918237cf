#include <stdio.h>
#include <string.h>

#include "engine/tournament/interchange/exchange.h"

enum { MS_PER_DAY = 86400000, LINE_MOST = 75, PROPERTY_MOST = 2048 };

/* Counts days from 1 March of a year 0, so that a leap day is the last of its year: 400 years have
 * 146097 days, and from March on five months have 153 days. 719468 is 1 January 1970. */
struct exchange_time exchange_time_of(int64_t ms)
{
    unsigned days = (unsigned)(ms / MS_PER_DAY) + 719468;
    unsigned seconds = (unsigned)(ms % MS_PER_DAY / 1000);
    unsigned day = days % 146097;
    unsigned year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    day -= 365 * year + year / 4 - year / 100;
    unsigned month = (5 * day + 2) / 153;
    struct exchange_time time = {.day = day - (153 * month + 2) / 5 + 1,
                                 .hour = seconds / 3600,
                                 .minute = seconds / 60 % 60,
                                 .second = seconds % 60};
    time.month = month < 10 ? month + 3 : month - 9;
    time.year = days / 146097 * 400 + year + (time.month <= 2);
    return time;
}

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

static void add_padded(struct text *text, unsigned number, unsigned width)
{
    for (unsigned bound = 10; --width > 0; bound *= 10)
        if (number < bound)
            text_add_char(text, '0');
    text_add_number(text, number);
}

static void add_time_property(struct text *text, const char *name, int64_t ms)
{
    struct exchange_time time = exchange_time_of(ms);
    text_add(text, name);
    add_padded(text, time.year, 4);
    add_padded(text, time.month, 2);
    add_padded(text, time.day, 2);
    text_add_char(text, 'T');
    add_padded(text, time.hour, 2);
    add_padded(text, time.minute, 2);
    add_padded(text, time.second, 2);
    text_add(text, "Z\r\n");
}

/* ---- Rounds ---- */

static void add_uid(struct text *text, const struct exchange *exchange, unsigned round)
{
    char property[PROPERTY_MOST];
    struct text line = TEXT_OVER(property);
    text_add(&line, "UID:");
    text_add(&line, exchange->id);
    text_add(&line, "-round-");
    text_add_number(&line, round);
    text_add(&line, "@tillroll");
    add_property(text, property);
}

static void add_summary(struct text *text, const struct exchange *exchange, unsigned round)
{
    char property[PROPERTY_MOST];
    struct text line = TEXT_OVER(property);
    text_add(&line, "SUMMARY:");
    add_escaped(&line, exchange->tournament->settings.name);
    text_add(&line, "\\, round ");
    text_add_number(&line, round);
    add_property(text, property);
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
    add_summary(text, exchange, round->number);
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
    for (size_t i = 0; i < exchange->tournament->rounds_started; i++)
        add_round(text, exchange, &exchange->tournament->rounds[i]);
    text_add(text, "END:VCALENDAR\r\n");
}

enum { TITLE_MOST = 256, CONTENT_MOST = 4096 };

struct news {
    struct text title, content;
};

static json_int_t whole(const struct tournament_line *line, const char *name)
{
    return json_integer_value(json_object_get(line->detail, name));
}

static void add_where(struct text *text, const struct tournament_line *line)
{
    if (whole(line, "round") > 0) {
        text_add(text, "Round ");
        text_add_number(text, whole(line, "round"));
        text_add(text, ", table ");
    } else {
        text_add(text, "Game ");
    }
    text_add_number(text, whole(line, "table"));
}

static void add_count(struct text *text, size_t count, const char *one, const char *several)
{
    text_add_number(text, (int64_t)count);
    text_add_char(text, ' ');
    text_add(text, count == 1 ? one : several);
}

/* `1. Ada (59), 2. Grace (40)`, in order of seats. */
static void add_seats(struct text *text, const struct exchange *exchange,
                      const struct tournament_line *line)
{
    size_t i;
    json_t *seat;
    json_array_foreach(json_object_get(line->detail, "seats"), i, seat)
    {
        uint16_t entry = tournament_entry_numbered(
            exchange->tournament, (uint16_t)json_integer_value(json_array_get(seat, 0)));
        text_add(text, i == 0 ? "" : ", ");
        text_add_number(text, json_integer_value(json_array_get(seat, 1)));
        text_add(text, ". ");
        text_add(text, entry == TOURNAMENT_NOBODY ? "?" : exchange->names[entry]);
        text_add(text, " (");
        text_add_number(text, json_integer_value(json_array_get(seat, 2)));
        text_add_char(text, ')');
    }
}

static void add_reason(struct text *text, const struct tournament_line *line)
{
    const char *reason = json_string_value(json_object_get(line->detail, "reason"));
    text_add(text, text->length > 0 ? ". " : "");
    text_add(text, reason == NULL ? "" : reason);
}

static void tell_entries_opened(const struct exchange *exchange, const struct tournament_line *line,
                                struct news *news)
{
    (void)exchange;
    (void)line;
    text_add(&news->title, "Entries are open");
}

static void tell_entries_closed(const struct exchange *exchange, const struct tournament_line *line,
                                struct news *news)
{
    (void)exchange;
    text_add(&news->title, "Entries are closed");
    add_count(&news->content, json_array_size(json_object_get(line->detail, "numbers")), "player",
              "players");
}

static void tell_stage(const struct exchange *exchange, const struct tournament_line *line,
                       struct news *news)
{
    (void)exchange;
    text_add(&news->title, "Stage ");
    text_add_number(&news->title, whole(line, "stage"));
    text_add(&news->title, " begins");
    add_count(&news->content, json_array_size(json_object_get(line->detail, "entries")), "player",
              "players");
}

static void tell_round(const struct exchange *exchange, const struct tournament_line *line,
                       struct news *news)
{
    json_int_t round = whole(line, "round");
    text_add(&news->title, "Round ");
    text_add_number(&news->title, round);
    text_add(&news->title, " has started");
    if (round >= 1 && (size_t)round <= exchange->tournament->round_count)
        add_count(&news->content, exchange->tournament->rounds[round - 1].table_count, "table",
                  "tables");
}

static void tell_result(const struct exchange *exchange, const struct tournament_line *line,
                        struct news *news)
{
    add_where(&news->title, line);
    text_add(&news->title, " has ended");
    add_seats(&news->content, exchange, line);
}

static void tell_ruling(const struct exchange *exchange, const struct tournament_line *line,
                        struct news *news)
{
    add_where(&news->title, line);
    text_add(&news->title, strcmp(line->kind, "ruled") == 0            ? ": ruling"
                           : strcmp(line->kind, "ruling_revoked") == 0 ? ": ruling revoked"
                                                                       : " is being replayed");
    add_seats(&news->content, exchange, line);
    add_reason(&news->content, line);
}

static void tell_closed(const struct exchange *exchange, const struct tournament_line *line,
                        struct news *news)
{
    (void)exchange;
    (void)line;
    text_add(&news->title, "The event is over: standings are final");
}

static void tell_cancelled(const struct exchange *exchange, const struct tournament_line *line,
                           struct news *news)
{
    (void)exchange;
    text_add(&news->title, "The event is cancelled");
    add_reason(&news->content, line);
}

static const struct {
    const char *kind;
    void (*tell)(const struct exchange *exchange, const struct tournament_line *line,
                 struct news *news);
} kinds[] = {
    {"entries_opened", tell_entries_opened},
    {"entries_closed", tell_entries_closed},
    {"stage_started", tell_stage},
    {"round_started", tell_round},
    {"result", tell_result},
    {"ruled", tell_ruling},
    {"ruling_revoked", tell_ruling},
    {"table_replayed", tell_ruling},
    {"closed", tell_closed},
    {"cancelled", tell_cancelled},
};

/* RFC 3339. */
static json_t *date_of(int64_t ms)
{
    char date[40];
    struct exchange_time time = exchange_time_of(ms);
    snprintf(date, sizeof date, "%04u-%02u-%02uT%02u:%02u:%02u.%03uZ", time.year, time.month,
             time.day, time.hour, time.minute, time.second, (unsigned)(ms % 1000));
    return json_string(date);
}

static json_t *write_item(const struct exchange *exchange, const struct tournament_line *line,
                          const struct news *news)
{
    char id[TOURNAMENT_ID_BYTES + 16];
    struct text text = TEXT_OVER(id);
    text_add(&text, exchange->id);
    text_add_char(&text, '/');
    text_add_number(&text, line->number);
    return json_pack("{s:s, s:s, s:s, s:o, s:{s:s, s:I}}", "id", id, "title", news->title.at,
                     "content_text", news->content.at, "date_published", date_of(line->at_ms),
                     "_tillroll", "kind", line->kind, "line", (json_int_t)line->number);
}

json_t *exchange_feed_item(const struct exchange *exchange, const struct tournament_line *line)
{
    char title[TITLE_MOST], content[CONTENT_MOST];
    struct news news = {TEXT_OVER(title), TEXT_OVER(content)};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].kind, line->kind) == 0) {
            kinds[i].tell(exchange, line, &news);
            return write_item(exchange, line, &news);
        }
    return NULL;
}

json_t *exchange_feed(const struct exchange *exchange, json_t *items)
{
    return json_pack("{s:s, s:s, s:s, s:o}", "version", "https://jsonfeed.org/version/1.1", "title",
                     exchange->tournament->settings.name, "language", "en", "items", items);
}
