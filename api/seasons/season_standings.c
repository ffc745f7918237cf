/* The standings of a season, computed from the final standings of its closed events, with the
 * results that make up each total, and the best and worst places still possible. */
#include "api/seasons/handlers.h"

#include <string.h>

#include "api/event/event_load.h"
#include "api/ratings/id_list.h"
#include "api/request/documents.h"
#include "api/seasons/season_documents.h"
#include "api/tables/duplicate_standings.h"
#include "engine/base/wide.h"
#include "engine/tournament/pairing/ranking.h"
#include "engine/tournament/result/result.h"
#include "engine/tournament/standings/season.h"

/* The field strength of an event on FIDE's scale: a difference of beta, with which the stronger of
 * two players wins three games of four, is 200 points there. Ten players at the reference rating
 * weigh 1. */
enum {
    FIELD_REFERENCE = 1500,
    FIELD_UNIT = 5,
    FIDE_POINTS_PER_MU = 48,
    MU_INITIAL = 25000000,
    MU_UNIT = 1000000,
    FIDE_MOST = 4000
};

struct field_event {
    struct season_event_row row;
    struct final_place *places;
    size_t place_count;
};

struct reckoning {
    struct stored_season season;
    struct field_event *events;
    struct season_event *input_events;
    size_t event_count;
    struct id_list players;
    const char **names; /* by player */
    struct season_result *results;
    size_t result_count;
    struct season_input input;
    struct season standings;
};

/* ---- Final results of an event ---- */

struct final_place {
    struct id player;
    const char *player_name;
    uint16_t place;  /* from 1, without entries that have not played; the best of shared places */
    uint16_t shared; /* number of players who share the place */
    int32_t points;  /* 60ths, rounded down, 0 .. SEASON_POINTS_MAX; of a percent for matchpoints */
};

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

/* Appends the next place. */
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
    *places = arena_array(call->arena, duplicate.ranking.standings.count, sizeof **places);
    for (size_t i = 0; i < duplicate.ranking.standings.count; i++) {
        const struct duplicate_standing *row = &duplicate.ranking.standings.rows[i];
        if (row->played > 0)
            add(*places, count, &duplicate.people, duplicate_entry(&duplicate, row->entry),
                row->rank, &rank_before, &row->value[0]);
    }
    duplicate_free(&duplicate);
    return true;
}

/* [entry]: the entry has played at a table. Owned by the arena. */
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
    struct ranking ranking;
    struct refusal refusal;
    unsigned rank_before = 0;
    if (!event_people_load(call, loaded, &people))
        return false;
    if (!ranking_make(tournament, &loaded->chance, tournament->rounds_started, &ranking, &refusal))
        return event_refuse(call, &refusal);
    *places = arena_array(call->arena, ranking.place_count, sizeof **places);
    for (size_t i = 0; i < ranking.place_count; i++) {
        const struct ranking_place *place = &ranking.places[i];
        const struct tie_break_value points = {.numerator = place->points,
                                               .denominator = POINTS_PER_POINT};
        if (played[place->entry] && place->place > 0)
            add(*places, count, &people, place->entry, place->place, &rank_before, &points);
    }
    ranking_free(&ranking);
    return true;
}

/* The places of all who played in a closed event, best first: its final standings without the other
 * entries. Owned by the call's arena. False with a problem. */
static bool final_places(struct call *call, const struct event *event, struct final_place **places,
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

/* The most points of a stage. Uses the maximum number of rounds if the number depends on entries.
 */
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

/* The most points of an event: those of its highest stage, since a player's points are those of the
 * current stage. */
static int32_t final_points_most(const struct event *event)
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

/* ---- Events ---- */

static int32_t fide_rating(int64_t mu)
{
    int64_t rating = FIELD_REFERENCE;
    if (mu != 0)
        rating += (mu - MU_INITIAL) * FIDE_POINTS_PER_MU / MU_UNIT;
    return (int32_t)(rating < 1 ? 1 : rating > FIDE_MOST ? FIDE_MOST : rating);
}

static bool weigh_field(struct call *call, const struct season_event_row *row,
                        const struct id *players, size_t count, uint32_t *weight)
{
    int64_t *mu = arena_array(call->arena, count, sizeof *mu);
    int32_t *ratings = arena_array(call->arena, count, sizeof *ratings);
    if (!call_found(call, season_field(call->db, &row->event, row->slug, players, count, mu)))
        return false;
    for (size_t i = 0; i < count; i++)
        ratings[i] = fide_rating(mu[i]);
    *weight = season_field_weight(ratings, count, FIELD_REFERENCE, FIELD_UNIT);
    return true;
}

/* Lists the players who have played; before the end, the entries. */
static bool list_field(struct call *call, const struct field_event *event, struct id **players,
                       size_t *count)
{
    struct event_entry *entries;
    bool over = event->row.closed_at_ms > 0;
    *count = event->place_count;
    if (!over &&
        !call_found(call, entry_list(call->db, call->arena, &event->row.event, &entries, count)))
        return false;
    *players = arena_array(call->arena, *count, sizeof **players);
    for (size_t i = 0; i < *count; i++)
        (*players)[i] = over ? event->places[i].player : entries[i].player;
    return true;
}

static bool find_weight(struct call *call, const struct stored_season *season,
                        const struct field_event *event, uint32_t *weight)
{
    struct id *players;
    size_t count;
    *weight = SEASON_WEIGHT_ONE;
    return strcmp(season->weighting, "equal") == 0 ||
           (list_field(call, event, &players, &count) &&
            weigh_field(call, &event->row, players, count, weight));
}

static bool load_event(struct call *call, const struct stored_season *season,
                       struct field_event *event, struct season_event *input)
{
    struct event found;
    bool over = event->row.closed_at_ms > 0;
    if (!call_found(call, event_find(call->db, call->arena, &event->row.event, false, &found)) ||
        (over && !final_places(call, &found, &event->places, &event->place_count)) ||
        !find_weight(call, season, event, &input->weight))
        return false;
    input->points_most = final_points_most(&found);
    input->entrants = (uint16_t)event->place_count;
    input->over = over;
    return true;
}

static bool load_events(struct call *call, struct reckoning *reckoning)
{
    struct season_event_row *rows;
    size_t count;
    if (!call_found(call,
                    season_event_list(call->db, call->arena, &reckoning->season.id, &rows, &count)))
        return false;
    reckoning->events = arena_array(call->arena, count, sizeof *reckoning->events);
    reckoning->input_events = arena_array(call->arena, count, sizeof *reckoning->input_events);
    for (size_t i = 0; i < count; i++) {
        size_t at = reckoning->event_count;
        if (!season_event_counts(&rows[i]))
            continue;
        reckoning->events[at].row = rows[i];
        if (!load_event(call, &reckoning->season, &reckoning->events[at],
                        &reckoning->input_events[at]))
            return false;
        reckoning->event_count++;
    }
    return true;
}

/* ---- Results ---- */

static void find_players(struct call *call, struct reckoning *reckoning)
{
    size_t most = 0;
    for (size_t i = 0; i < reckoning->event_count; i++)
        most += reckoning->events[i].place_count;
    id_list_begin(&reckoning->players, call->arena, most);
    for (size_t i = 0; i < reckoning->event_count; i++)
        for (size_t at = 0; at < reckoning->events[i].place_count; at++)
            id_list_add(&reckoning->players, &reckoning->events[i].places[at].player);
    id_list_sort(&reckoning->players);
    reckoning->names = arena_array(call->arena, reckoning->players.count, sizeof *reckoning->names);
    reckoning->results = arena_array(call->arena, most, sizeof *reckoning->results);
}

static void add_result(struct reckoning *reckoning, size_t event, const struct final_place *place)
{
    size_t player = id_list_find(&reckoning->players, &place->player);
    reckoning->names[player] = place->player_name;
    reckoning->results[reckoning->result_count++] =
        (struct season_result){.player = (uint32_t)player,
                               .event = (uint16_t)event,
                               .place = place->place,
                               .shared = place->shared,
                               .points = place->points};
}

static bool make_standings(struct call *call, struct reckoning *reckoning)
{
    struct refusal refusal;
    find_players(call, reckoning);
    for (size_t i = 0; i < reckoning->event_count; i++)
        for (size_t at = 0; at < reckoning->events[i].place_count; at++)
            add_result(reckoning, i, &reckoning->events[i].places[at]);
    const struct stored_season *season = &reckoning->season;
    reckoning->input = (struct season_input){
        .rules = {.method =
                      strcmp(season->method, "points") == 0 ? SEASON_POINTS : SEASON_PERCENTILE,
                  .counted = (uint16_t)season->counted,
                  .least_entrants = (uint16_t)season->least_entrants},
        .events = reckoning->input_events,
        .event_count = reckoning->event_count,
        .results = reckoning->results,
        .result_count = reckoning->result_count,
        .player_count = reckoning->players.count};
    return season_make(&reckoning->input, &reckoning->standings, &refusal) ||
           call_problem(call, "internal-error", refusal.message);
}

/* ---- Documents ---- */

static json_t *counted_document(const struct reckoning *reckoning, size_t event)
{
    const struct season_event *input = &reckoning->input_events[event];
    json_t *points = reckoning->input.rules.method == SEASON_POINTS
                         ? rational_document(input->points_most, POINTS_PER_POINT)
                         : json_null();
    return json_pack("{s:o, s:b, s:i, s:I, s:o}", "event",
                     season_event_reference(&reckoning->events[event].row), "over",
                     (int)input->over, "entrants", (int)input->entrants, "weight_thousandths",
                     (json_int_t)input->weight, "points_most", points);
}

static json_t *events_document(const struct reckoning *reckoning)
{
    json_t *list = json_array();
    for (size_t i = 0; i < reckoning->event_count; i++)
        json_array_append_new(list, counted_document(reckoning, i));
    return list;
}

static const struct final_place *place_of(const struct reckoning *reckoning, size_t event,
                                          uint32_t player)
{
    const struct final_place *place = reckoning->events[event].places;
    while (!id_equal(&place->player, &reckoning->players.ids[player]))
        place++;
    return place;
}

/* A result of an event, and the numbers from which its value is computed. */
static json_t *result_document(const struct reckoning *reckoning, uint32_t player,
                               const struct season_value *value)
{
    const struct final_place *place = place_of(reckoning, value->event, player);
    return json_pack("{s:s, s:i, s:i, s:i, s:o, s:I, s:b}", "event",
                     reckoning->events[value->event].row.event.text, "place", (int)place->place,
                     "shared", (int)place->shared, "entrants",
                     (int)reckoning->input_events[value->event].entrants, "points",
                     rational_document(place->points, POINTS_PER_POINT), "value_millionths",
                     (json_int_t)value->value, "counted", (int)value->counted);
}

static json_t *results_document(const struct reckoning *reckoning, const struct season_row *row)
{
    json_t *list = json_array();
    for (size_t i = 0; i < row->value_count; i++)
        json_array_append_new(list,
                              result_document(reckoning, row->player,
                                              &reckoning->standings.values[row->value_from + i]));
    return list;
}

/* The next better total above this row, and the result needed to reach it; null if there is none.
 */
static json_t *next_document(const struct reckoning *reckoning, size_t at)
{
    const struct season *standings = &reckoning->standings;
    const struct season_row *row = &standings->rows[at];
    while (at > 0 && standings->rows[at].total == row->total)
        at--;
    int64_t target = standings->rows[at].total;
    if (target == row->total)
        return json_null();
    return json_pack("{s:i, s:I, s:I}", "rank", (int)standings->rows[at].rank, "total_millionths",
                     (json_int_t)target, "needed_millionths",
                     (json_int_t)season_needed(&reckoning->input.rules, standings, row, target));
}

static json_t *row_document(const struct reckoning *reckoning, size_t at)
{
    const struct season_row *row = &reckoning->standings.rows[at];
    return json_pack(
        "{s:i, s:o, s:I, s:I, s:i, s:i, s:o, s:o}", "rank", (int)row->rank, "player",
        player_reference(&reckoning->players.ids[row->player], reckoning->names[row->player]),
        "total_millionths", (json_int_t)row->total, "most_millionths", (json_int_t)row->most,
        "rank_best", (int)row->rank_best, "rank_worst", (int)row->rank_worst, "next_place",
        next_document(reckoning, at), "results", results_document(reckoning, row));
}

/* Finds the first row of the page. False with a problem. */
static bool find_first(struct call *call, const struct reckoning *reckoning,
                       const struct list_range *range, size_t *first)
{
    const struct season *standings = &reckoning->standings;
    *first = 0;
    if (range->after.text[0] == '\0')
        return true;
    for (size_t i = 0; i < standings->count; i++)
        if (id_equal(&reckoning->players.ids[standings->rows[i].player], &range->after)) {
            *first = i + 1;
            return true;
        }
    return call_problem(call, "bad-parameter", "after must be the `next` of a page.");
}

static void answer(struct call *call, const struct reckoning *reckoning,
                   const struct list_range *range)
{
    const struct stored_season *season = &reckoning->season;
    const struct season *standings = &reckoning->standings;
    size_t at;
    if (!find_first(call, reckoning, range, &at))
        return;
    json_t *items = json_array();
    for (; at < standings->count && json_array_size(items) < range->limit; at++)
        json_array_append_new(items, row_document(reckoning, at));
    json_t *next = at < standings->count && at > 0
                       ? json_string(reckoning->players.ids[standings->rows[at - 1].player].text)
                       : json_null();
    call_answer_tagged(call, json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "season", season->id.text,
                                       "state", season->closed ? "final" : "provisional", "rules",
                                       season_rules_document(season), "events",
                                       events_document(reckoning), "items", items, "next", next));
}

void season_standings_get(struct call *call)
{
    struct list_range range;
    struct reckoning reckoning = {.event_count = 0};
    if (!call_list_range(call, NULL, &range) ||
        !call_found(call,
                    season_find(call->db, call->arena, &call->id[0], false, &reckoning.season)) ||
        !load_events(call, &reckoning) || !make_standings(call, &reckoning))
        return;
    answer(call, &reckoning, &range);
    season_free(&reckoning.standings);
}
