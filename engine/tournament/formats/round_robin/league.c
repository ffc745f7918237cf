#include "engine/tournament/formats/round_robin/league.h"

#include <stdlib.h>
#include <string.h>

static int compare_places(const void *left, const void *right)
{
    const struct league_place *a = left, *b = right;
    if (a->division != b->division)
        return a->division < b->division ? -1 : 1;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

static bool rule_valid(const struct league_rule *rule)
{
    return rule->size >= 2 && rule->size <= LEAGUE_ENTRIES_MAX && rule->smallest >= 2 &&
           rule->smallest <= rule->size && rule->moves <= rule->size / 2;
}

/* Sorted places: divisions and ranks from 1 on without gaps. */
static bool has_no_gaps(const struct league_place *row, size_t count)
{
    uint16_t division = 0, rank = 0;
    for (size_t i = 0; i < count; i++) {
        if (row[i].division != division) {
            division++;
            rank = 0;
        }
        if (row[i].division != division || row[i].rank != ++rank)
            return false;
    }
    return true;
}

static size_t size_of_division(const struct league_place *row, size_t count)
{
    size_t size = 0;
    while (size < count && row[size].division == row[0].division)
        size++;
    return size;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void reverse(struct league_place *row, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct league_place place = row[i];
        row[i] = row[count - 1 - i];
        row[count - 1 - i] = place;
    }
}

/* Exchanges two adjacent blocks of equal length. */
static void exchange(struct league_place *row, size_t length)
{
    reverse(row, length);
    reverse(row + length, length);
    reverse(row, 2 * length);
}

static void move_between_divisions(const struct league_rule *rule, struct league_place *row,
                                   size_t count)
{
    size_t from = 0, size = size_of_division(row, count);
    while (from + size < count) {
        size_t below = size_of_division(row + from + size, count - from - size);
        size_t moves = least(rule->moves, least(size / 2, below / 2));
        size_t boundary = from + size;
        /* Both divisions keep their numbers, so their sizes can still be read. */
        exchange(row + boundary - moves, moves);
        for (size_t i = 0; i < moves; i++) {
            row[boundary - moves + i].division--;
            row[boundary + i].division++;
        }
        from = boundary;
        size = below;
    }
}

static bool contains(const uint16_t *entries, size_t count, uint16_t entry)
{
    for (size_t i = 0; i < count; i++)
        if (entries[i] == entry)
            return true;
    return false;
}

static size_t take_out(const struct league_season *season, struct league_place *row)
{
    size_t count = 0;
    for (size_t i = 0; i < season->place_count; i++)
        if (!contains(season->leaving, season->leaving_count, row[i].entry))
            row[count++] = row[i];
    return count;
}

static void cut(const struct league_rule *rule, struct league_place *row, size_t count)
{
    size_t divisions = count / rule->size + (count % rule->size >= rule->smallest);
    for (size_t i = 0; i < count; i++) {
        size_t division = i / rule->size;
        if (division > 0 && division >= divisions)
            division--;
        row[i].division = (uint16_t)(division + 1);
        row[i].rank = (uint16_t)(i - division * rule->size + 1);
    }
}

/* Marks the entries; false if one occurs twice. */
static bool mark_all(const struct league_season *season, bool *there)
{
    for (size_t i = 0; i < season->place_count; i++) {
        if (there[season->places[i].entry])
            return false;
        there[season->places[i].entry] = true;
    }
    for (size_t i = 0; i < season->joining_count; i++) {
        if (there[season->joining[i]])
            return false;
        there[season->joining[i]] = true;
    }
    for (size_t i = 0; i < season->joining_count; i++)
        there[season->joining[i]] = false;
    for (size_t i = 0; i < season->leaving_count; i++) {
        if (!there[season->leaving[i]])
            return false;
        there[season->leaving[i]] = false;
    }
    return true;
}

bool league_next(const struct league_season *season, struct league_place *next, size_t *count,
                 struct refusal *refusal)
{
    bool there[UINT16_MAX + 1] = {false};
    *count = 0;
    if (!rule_valid(&season->rule))
        return refuse(
            refusal, LEAGUE_REFUSAL_RULE,
            "A division must have at least two entries, and at most half of them may move.");
    if (season->place_count + season->joining_count > LEAGUE_ENTRIES_MAX ||
        season->leaving_count > season->place_count || !mark_all(season, there))
        return refuse(
            refusal, LEAGUE_REFUSAL_ENTRY,
            "There are too many entries, one is listed twice, or one that leaves is not listed.");
    if (season->place_count > 0)
        memcpy(next, season->places, season->place_count * sizeof *next);
    qsort(next, season->place_count, sizeof *next, compare_places);
    if (!has_no_gaps(next, season->place_count))
        return refuse(refusal, LEAGUE_REFUSAL_ENTRY,
                      "Divisions and ranks must be numbered from 1 without gaps.");
    move_between_divisions(&season->rule, next, season->place_count);
    *count = take_out(season, next);
    for (size_t i = 0; i < season->joining_count; i++)
        next[(*count)++] = (struct league_place){.entry = season->joining[i]};
    cut(&season->rule, next, *count);
    return true;
}
