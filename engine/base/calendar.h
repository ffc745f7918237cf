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

#endif
