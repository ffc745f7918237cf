#include "engine/tournament/exchange.h"

#include <string.h>

enum { MS_PER_DAY = 86400000, LINE_MOST = 75, PROPERTY_MOST = 2048 };

/* Days from 1 March of a year 0 on, in which a leap day is the last of its year: 400 years are
 * 146097 days, and months from March on have 153 days in five. 719468 is 1 January 1970. */
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

/* A property, in lines of at most 75 bytes, of which none ends within a character. */
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
