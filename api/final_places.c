#include "api/final_places.h"

#include <string.h>

#include "api/duplicate.h"
#include "engine/tournament/season.h"
#include "engine/tournament/wide.h"

enum { PERCENT_MOST = 100 };

/* ---- From standings ---- */

static int32_t points_of(const struct tie_break_value *value)
{
    if (value->numerator <= 0)
        return 0;
    uint64_t whole = (uint64_t)value->numerator / (uint64_t)value->denominator;
    if (whole >= SEASON_POINTS_MAX / POINTS_PER_POINT)
        return SEASON_POINTS_MAX;
    return (int32_t)wide_scale((uint64_t)value->numerator, POINTS_PER_POINT,
                               (uint64_t)value->denominator);
}

/* Appends a row of standings, which come best first; those who have not played are left out. */
static void add(struct final_place *places, size_t *count, const struct event_entry *entry,
                unsigned played, unsigned rank, unsigned *rank_before,
                const struct tie_break_value *points)
{
    if (played == 0)
        return;
    bool same = *count > 0 && rank == *rank_before;
    places[*count] =
        (struct final_place){.player = entry->player,
                             .player_name = entry->player_name,
                             .place = same ? places[*count - 1].place : (uint16_t)(*count + 1),
                             .points = points_of(points)};
    *rank_before = rank;
    ++*count;
}

static void count_shared(struct final_place *places, size_t count)
{
    for (size_t from = 0; from < count;) {
        size_t to = from;
        while (to < count && places[to].place == places[from].place)
            to++;
        for (size_t i = from; i < to; i++)
            places[i].shared = (uint16_t)(to - from);
        from = to;
    }
}

static bool add_duplicate(struct call *call, const struct event *event, struct final_place **places,
                          size_t *count)
{
    struct duplicate_event duplicate;
    unsigned rank_before = 0;
    if (!duplicate_load(call, event, event->rounds_started, &duplicate))
        return false;
    *places = arena_array(call->arena, duplicate.standings.count, sizeof **places);
    for (size_t i = 0; i < duplicate.standings.count; i++) {
        const struct duplicate_standing *row = &duplicate.standings.rows[i];
        add(*places, count, &duplicate.tournament.entries[row->entry], row->played, row->rank,
            &rank_before, &row->value[0]);
    }
    duplicate_free(&duplicate);
    return true;
}

static bool add_tournament(struct call *call, const struct event *event,
                           struct final_place **places, size_t *count)
{
    struct tournament tournament;
    struct standings standings;
    unsigned rank_before = 0;
    if (!tournament_load(call, event, &tournament) ||
        !event_standings(call, &tournament, event->rounds_started, &standings))
        return false;
    *places = arena_array(call->arena, standings.count, sizeof **places);
    for (size_t i = 0; i < standings.count; i++) {
        const struct standing *row = &standings.rows[i];
        const struct tie_break_value points = {.numerator = row->points,
                                               .denominator = POINTS_PER_POINT};
        add(*places, count, &tournament.entries[row->entry], row->played, row->rank, &rank_before,
            &points);
    }
    standings_free(&standings);
    return true;
}

bool final_places(struct call *call, const struct event *event, struct final_place **places,
                  size_t *count)
{
    *count = 0;
    if (!(duplicate_is(event) ? add_duplicate : add_tournament)(call, event, places, count))
        return false;
    count_shared(*places, *count);
    return true;
}

/* ---- Before the end ---- */

int32_t final_points_most(const struct event *event)
{
    if (!duplicate_is(event))
        return (int32_t)event->rounds * scoring_first(&scoring_default);
    return strcmp(event->scoring, "total") == 0 ? SEASON_POINTS_MAX
                                                : PERCENT_MOST * POINTS_PER_POINT;
}
