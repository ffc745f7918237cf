#include "engine/base/calendar.h"

bool calendar_has_day(unsigned year, unsigned month, unsigned day)
{
    static const unsigned lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month >= 1 && month <= 12 && day >= 1 &&
           day <= lengths[month - 1] + (leap && month == 2 ? 1 : 0);
}

static void add_two_digits(struct text *text, unsigned number, char end)
{
    text_add_char(text, (char)('0' + number / 10 % 10));
    text_add_char(text, (char)('0' + number % 10));
    text_add_char(text, end);
}

void calendar_print(uint64_t seconds, struct text *text)
{
    static const uint64_t last = 253402300799;
    enum { DAY_SECONDS = 86400 };
    seconds = seconds > last ? last : seconds;
    uint64_t day = seconds / DAY_SECONDS; /* from 0, within the year and then the month */
    unsigned rest = (unsigned)(seconds % DAY_SECONDS);
    unsigned year = 1970;
    unsigned month = 1;
    for (; day >= (calendar_has_day(year, 2, 29) ? 366U : 365U); year++)
        day -= calendar_has_day(year, 2, 29) ? 366U : 365U;
    for (; !calendar_has_day(year, month, (unsigned)day + 1); month++)
        for (unsigned length = 31; length > 0; length--)
            if (calendar_has_day(year, month, length)) {
                day -= length;
                break;
            }
    text_add_number(text, year);
    text_add_char(text, '-');
    add_two_digits(text, month, '-');
    add_two_digits(text, (unsigned)day + 1, 'T');
    add_two_digits(text, rest / 3600, ':');
    add_two_digits(text, rest / 60 % 60, ':');
    add_two_digits(text, rest % 60, 'Z');
}

void calendar_print_ms(int64_t ms, struct text *text)
{
    calendar_print((uint64_t)(ms / 1000), text);
    if (!text->overflow)
        text->length--; /* the Z */
    text_add_char(text, '.');
    for (int unit = 100; unit > 0; unit /= 10)
        text_add_char(text, (char)('0' + ms / unit % 10));
    text_add_char(text, 'Z');
}

int64_t calendar_days(int64_t year, int64_t month, int64_t day)
{
    /* Years begin in March, so that the leap day is their last. */
    if (month < 3) {
        year--;
        month += 12;
    }
    return 365 * year + year / 4 - year / 100 + year / 400 + (153 * (month - 3) + 2) / 5 + day -
           719469;
}

static int64_t read_digits(const char *at, size_t count)
{
    int64_t number = 0;
    for (size_t i = 0; i < count; i++)
        number = 10 * number + (at[i] - '0');
    return number;
}

bool calendar_is_time(struct span text)
{
    static const char form[] = "0000-00-00T00:00:00.000Z";
    if (text.length != sizeof form - 1)
        return false;
    for (size_t i = 0; i < text.length; i++) {
        bool digit = text.at[i] >= '0' && text.at[i] <= '9';
        if (form[i] == '0' ? !digit : text.at[i] != form[i])
            return false;
    }
    return calendar_has_day((unsigned)read_digits(text.at, 4),
                            (unsigned)read_digits(text.at + 5, 2),
                            (unsigned)read_digits(text.at + 8, 2)) &&
           read_digits(text.at + 11, 2) < 24 && read_digits(text.at + 14, 2) < 60 &&
           read_digits(text.at + 17, 2) < 60;
}

int64_t calendar_read_ms(const char *text)
{
    int64_t days =
        calendar_days(read_digits(text, 4), read_digits(text + 5, 2), read_digits(text + 8, 2));
    int64_t minutes = 60 * (24 * days + read_digits(text + 11, 2)) + read_digits(text + 14, 2);
    return 1000 * (60 * minutes + read_digits(text + 17, 2)) + read_digits(text + 20, 3);
}
