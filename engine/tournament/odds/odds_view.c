#include "engine/tournament/odds/odds_view.h"

#include "engine/base/text.h"

enum { CHANCE_ONE = 10000 };

static const char *const words[] = {[ODDS_OPEN] = "open", [ODDS_SURE] = "sure", [ODDS_OUT] = "out"};

/* Rounded to the nearest, but never to all or nothing unless it is that in every sample. */
static json_t *chance(uint64_t count, uint64_t of)
{
    uint64_t rounded = of == 0 ? 0 : (count * CHANCE_ONE + of / 2) / of;
    if (rounded == 0 && count > 0)
        rounded = 1;
    if (rounded == CHANCE_ONE && count < of)
        rounded = CHANCE_ONE - 1;
    return json_integer((json_int_t)rounded);
}

static json_t *row(const struct odds *odds, const struct odds_entry *entry)
{
    json_t *division = entry->division == 0 ? json_null() : json_integer(entry->division);
    json_t *advance = odds->advancing ? json_string(words[entry->advance]) : json_null();
    json_t *advances = odds->advancing ? chance(entry->advanced, odds->samples) : json_null();
    return json_pack("{s:o, s:s, s:o, s:o, s:o}", "division", division, "win", words[entry->win],
                     "win_chance", chance(entry->first, (uint64_t)odds->samples * ODDS_PART),
                     "advance", advance, "advance_chance", advances);
}

json_t *odds_view(const struct odds *odds)
{
    char hex[65];
    struct text seed = TEXT_OVER(hex);
    json_t *rows = json_array();
    text_add_hex(&seed, odds->seed, sizeof odds->seed);
    for (size_t i = 0; i < odds->count; i++)
        json_array_append_new(rows, row(odds, &odds->entries[i]));
    return json_pack("{s:i, s:s, s:i, s:i, s:o}", "version", (int)odds->version, "seed", hex,
                     "samples", (int)odds->samples, "stage", odds->stage + 1, "rows", rows);
}
