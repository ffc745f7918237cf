#include "api/final_places.h"

#include <string.h>

#include "api/duplicate.h"
#include "api/event_people.h"
#include "api/event_refuse.h"
#include "engine/tournament/placing.h"
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

/* Appends one of those who come best first. */
static void add(struct final_place *places, size_t *count, const struct event_people *people,
                uint16_t entry, unsigned rank, unsigned *rank_before,
                const struct tie_break_value *points)
{
    bool same = *count > 0 && rank == *rank_before;
    places[*count] =
        (struct final_place){.player = event_person_id(people->tournament, entry),
                             .player_name = people->name[entry],
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

static bool add_duplicate(struct call *call, const struct loaded_event *loaded,
                          struct final_place **places, size_t *count)
{
    struct duplicate_event duplicate;
    unsigned rank_before = 0;
    if (!duplicate_load(call, loaded, loaded->tournament->rounds_started, &duplicate))
        return false;
    *places = arena_array(call->arena, duplicate.placing.standings.count, sizeof **places);
    for (size_t i = 0; i < duplicate.placing.standings.count; i++) {
        const struct duplicate_standing *row = &duplicate.placing.standings.rows[i];
        if (row->played > 0)
            add(*places, count, &duplicate.people, duplicate_entry(&duplicate, row->entry),
                row->rank, &rank_before, &row->value[0]);
    }
    duplicate_free(&duplicate);
    return true;
}

/* [entry]: has played at a table. In the arena. */
static bool *find_played(struct arena *arena, const struct tournament *tournament)
{
    bool *played = arena_array(arena, tournament->entrant_count, sizeof *played);
    for (size_t i = 0; i < tournament->table_count; i++) {
        const struct tournament_table *table = &tournament->tables[i];
        for (unsigned seat = 0; table->has_result && seat < table->seats; seat++)
            if (round_kind_is_played(table->result.seat[seat].kind))
                played[table->entry[seat]] = true;
    }
    return played;
}

static bool add_tournament(struct call *call, const struct loaded_event *loaded,
                           struct final_place **places, size_t *count)
{
    const struct tournament *tournament = loaded->tournament;
    bool *played = find_played(call->arena, tournament);
    struct event_people people;
    struct placing placing;
    struct refusal refusal;
    unsigned rank_before = 0;
    if (!event_people_load(call, loaded, &people))
        return false;
    if (!placing_make(tournament, &loaded->chance, tournament->rounds_started, &placing, &refusal))
        return event_refuse(call, &refusal);
    *places = arena_array(call->arena, placing.place_count, sizeof **places);
    for (size_t i = 0; i < placing.place_count; i++) {
        const struct placing_place *place = &placing.places[i];
        const struct tie_break_value points = {.numerator = place->points,
                                               .denominator = POINTS_PER_POINT};
        if (played[place->entry] && place->place > 0)
            add(*places, count, &people, place->entry, place->place, &rank_before, &points);
    }
    placing_free(&placing);
    return true;
}

bool final_places(struct call *call, const struct event *event, struct final_place **places,
                  size_t *count)
{
    struct loaded_event loaded;
    *count = 0;
    if (!event_load(call, &event->id, false, &loaded) ||
        !(duplicate_is(event) ? add_duplicate : add_tournament)(call, &loaded, places, count))
        return false;
    count_shared(*places, *count);
    return true;
}

/* ---- Before the end ---- */

/* Where entries decide how many rounds there are, an event's most. */
static int32_t stage_points_most(const struct stage_settings *stage)
{
    if (stage->format == FORMAT_DUPLICATE)
        return stage->matchpoints ? PERCENT_MOST * POINTS_PER_POINT : SEASON_POINTS_MAX;
    if (stage->format == FORMAT_OPEN_PLAY)
        return stage->best * scoring_first(&stage->scoring);
    if (!tournament_format_has_points(stage->format))
        return 0;
    int32_t rounds = stage->rounds > 0 ? stage->rounds : TOURNAMENT_ROUNDS_MAX;
    return rounds * scoring_first(&stage->scoring);
}

/* Points are those of the stage in which somebody stands. */
int32_t final_points_most(const struct event *event)
{
    struct tournament_settings settings;
    struct settings_fault fault = {.field = ""};
    json_t *document = json_loads(event->settings, 0, NULL);
    int32_t most = 0;
    if (document == NULL || !settings_read(document, false, &settings, &fault))
        most = SEASON_POINTS_MAX;
    for (size_t i = 0; most < SEASON_POINTS_MAX && i < settings.stage_count; i++) {
        int32_t points = stage_points_most(&settings.stage[i]);
        most = points > most ? points : most;
    }
    json_decref(document);
    return most < SEASON_POINTS_MAX ? most : SEASON_POINTS_MAX;
}
