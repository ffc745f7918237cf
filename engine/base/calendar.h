/* The Gregorian calendar. */
#ifndef TILLROLL_ENGINE_BASE_CALENDAR_H
#define TILLROLL_ENGINE_BASE_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/text.h"

/* True if this day exists: `month` from 1, `day` from 1. Uses the calendar's rules for all years
 * from 0 on (ISO 8601, proleptic). */
bool calendar_has_day(unsigned year, unsigned month, unsigned day);

/* Appends a moment, in seconds since 1970, in UTC: `2026-11-20T15:04:05Z`. At most 253402300799,
 * the end of the year 9999; later moments are printed as that. */
void calendar_print(uint64_t seconds, struct text *text);

/* The same of milliseconds, at least 0, as records and logs write it: `2026-11-20T15:04:05.123Z`.
 */
void calendar_print_ms(int64_t ms, struct text *text);

/* Days from 1970-01-01 to a day that exists, in years from 1970 on. */
int64_t calendar_days(int64_t year, int64_t month, int64_t day);

/* True for a moment in UTC as records and logs write it, `2026-11-20T15:04:05.123Z`: of a day that
 * exists, and no leap second. */
bool calendar_is_time(struct span text);

/* Its milliseconds since 1970. The text is assumed to be one. */
int64_t calendar_read_ms(const char *text);

#endif
