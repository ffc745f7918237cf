/* The Gregorian calendar. */
#ifndef TILLROLL_ENGINE_BASE_CALENDAR_H
#define TILLROLL_ENGINE_BASE_CALENDAR_H

#include <stdbool.h>

/* True if this day exists: `month` from 1, `day` from 1. Uses the calendar's rules for all years
 * from 0 on (ISO 8601, proleptic). */
bool calendar_has_day(unsigned year, unsigned month, unsigned day);

#endif
