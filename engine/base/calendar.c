#include "engine/base/calendar.h"

bool calendar_has_day(unsigned year, unsigned month, unsigned day)
{
    static const unsigned lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month >= 1 && month <= 12 && day >= 1 &&
           day <= lengths[month - 1] + (leap && month == 2 ? 1 : 0);
}
