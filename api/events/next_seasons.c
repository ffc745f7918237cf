/* The next season of a league: another event, in which everybody has entered in the order in which
 * the last one left them, so that its divisions are those of
 * engine/tournament/formats/round_robin/league.h. Entries are open then: who has had enough
 * withdraws and everybody below moves up, newcomers enter at the bottom. */
#include <string.h>

#include "api/event/event_load.h"
#include "api/event/event_take.h"
#include "api/events/handlers.h"
#include "api/people/names.h"
#include "api/request/documents.h"
#include "api/work/jobs.h"
#include "engine/tournament/formats/round_robin/league.h"
#include "engine/tournament/pairing/ranking.h"

enum { NAME_BYTES = 80 };

/* One season and the next. Arrays are in the arena. */
struct turn {
    struct loaded_event last;
    struct event_people people;
    struct league_place *places, *next;
    size_t place_count, next_count;
    uint16_t *leaving;
    size_t leaving_count;
};

/* ---- The last season ---- */

static bool is_over(struct call *call, const struct tournament *tournament)
{
    const struct tournament_settings *settings = &tournament->settings;
    if (settings->stage_count != 1 || settings->stage[0].format != FORMAT_LEAGUE)
        return call_problem(call, "no-league", "Only a league has a next season.");
    if (tournament->cancelled)
        return call_problem(call, "wrong-state",
                            "The season was cancelled, so it has no final places for the next "
                            "one. Copy the event instead: POST "
                            "/v1/events/<id>/clone.");
    return tournament->phase == PHASE_CLOSED ||
           call_problem(call, "wrong-state",
                        "The season is not over; close the event first, then its standings are "
                        "final.");
}

static void take_group(struct turn *turn, const struct ranking_group *group)
{
    for (size_t i = 0; i < group->count; i++)
        turn->places[turn->place_count++] = (struct league_place){
            .entry = group->rows[i].entry, .division = group->division, .rank = (uint16_t)(i + 1)};
}

static bool load_places(struct call *call, struct turn *turn)
{
    const struct tournament *tournament = turn->last.tournament;
    struct ranking ranking;
    struct refusal refusal;
    if (!ranking_make(tournament, &turn->last.chance, tournament->rounds_started, &ranking,
                      &refusal))
        return event_refuse(call, &refusal);
    turn->places = arena_array(call->arena, tournament->entrant_count, sizeof *turn->places);
    for (size_t i = 0; i < ranking.group_count; i++)
        take_group(turn, &ranking.groups[i]);
    ranking_free(&ranking);
    return true;
}

/* ---- Who leaves ---- */

static bool is_leaving(const struct turn *turn, uint16_t entry)
{
    for (size_t i = 0; i < turn->leaving_count; i++)
        if (turn->leaving[i] == entry)
            return true;
    return false;
}

static void leave(struct turn *turn, uint16_t entry)
{
    if (!is_leaving(turn, entry))
        turn->leaving[turn->leaving_count++] = entry;
}

static const struct league_place *place_of(const struct turn *turn, uint16_t entry)
{
    for (size_t i = 0; i < turn->place_count; i++)
        if (turn->places[i].entry == entry)
            return &turn->places[i];
    return NULL;
}

/* Who dropped out of the last season, and whom the body names. */
static bool read_leaving(struct call *call, struct turn *turn)
{
    const struct tournament *tournament = turn->last.tournament;
    json_t *list = json_object_get(call->body, "leaving"), *each;
    size_t i;
    turn->leaving = arena_array(call->arena, turn->place_count, sizeof *turn->leaving);
    for (i = 0; i < turn->place_count; i++) {
        uint16_t entry = turn->places[i].entry;
        if (event_entry_state(&tournament->entrants[entry]) == ENTRY_DROPPED)
            leave(turn, entry);
    }
    if (list != NULL && !json_is_array(list))
        return call_bad_field(call, "leaving", "must be a list of ids of players.");
    json_array_foreach(list, i, each)
    {
        const char *player = json_string_value(each);
        uint16_t entry =
            player == NULL ? TOURNAMENT_NOBODY : tournament_entry(tournament, span_of(player));
        if (entry == TOURNAMENT_NOBODY || place_of(turn, entry) == NULL)
            return call_bad_field(call, "leaving",
                                  "names a player who was not in the last season.");
        leave(turn, entry);
    }
    return true;
}

/* ---- The next season ---- */

static bool make_places(struct call *call, struct turn *turn)
{
    const struct stage_settings *stage = &turn->last.tournament->settings.stage[0];
    struct refusal refusal;
    const struct league_season season = {
        .rule = {stage->division, stage->division_smallest, stage->moves},
        .places = turn->places,
        .place_count = turn->place_count,
        .leaving = turn->leaving,
        .leaving_count = turn->leaving_count};
    turn->next = arena_array(call->arena, LEAGUE_ENTRIES_MAX, sizeof *turn->next);
    return league_next(&season, turn->next, &turn->next_count, &refusal) ||
           event_refuse(call, &refusal);
}

static json_t *place_document(const struct turn *turn, const struct league_place *place)
{
    const struct league_place *was = place_of(turn, place->entry);
    const char *moves = place->division < was->division   ? "up"
                        : place->division > was->division ? "down"
                                                          : "stays";
    return json_pack("{s:i, s:i, s:o, s:i, s:i, s:s}", "division", place->division, "rank",
                     place->rank, "player", event_person(&turn->people, place->entry),
                     "division_was", was->division, "rank_was", was->rank, "moves", moves);
}

static void answer_preview(struct call *call, const struct turn *turn)
{
    json_t *places = json_array(), *leaving = json_array();
    for (size_t i = 0; i < turn->next_count; i++)
        json_array_append_new(places, place_document(turn, &turn->next[i]));
    for (size_t i = 0; i < turn->leaving_count; i++)
        json_array_append_new(leaving, event_person(&turn->people, turn->leaving[i]));
    call_answer(call, 200, json_pack("{s:o, s:o}", "places", places, "leaving", leaving));
}

/* Numbers are given in the order of entering, whatever the last season began with. */
static bool make_event(struct call *call, const struct turn *turn, const char *name,
                       struct loaded_event *made)
{
    json_t *document = settings_write(&turn->last.tournament->settings);
    json_object_set_new(document, "name", json_string(name));
    json_object_set_new(document, "seeding", json_string("entering"));
    json_object_del(document, settings_details[DETAIL_STARTS_AT].name);
    return event_make(call, document, made) &&
           event_take(call, made, "entries_opened", json_object());
}

static bool enter_all(struct call *call, const struct turn *turn, struct loaded_event *made)
{
    for (size_t i = 0; i < turn->next_count; i++) {
        struct id player = event_person_id(turn->last.tournament, turn->next[i].entry);
        json_t *detail;
        jobs_progress(call, "storing", (unsigned)i, (unsigned)turn->next_count);
        if (!entry_line(call, made, &player, &detail) || !event_take(call, made, "entered", detail))
            return false;
    }
    return true;
}

void next_seasons_create(struct call *call)
{
    static const char *const keys[] = {"name", "leaving", NULL};
    struct turn turn = {.place_count = 0};
    struct loaded_event made;
    const char *name;
    bool preview;
    if (!preview_read(call, &preview) || !call_check_keys(call, keys) ||
        !name_read(call, "name", NAME_BYTES, &name) ||
        !event_load(call, &call->id[0], false, &turn.last) ||
        !is_over(call, turn.last.tournament) ||
        !event_people_load(call, &turn.last, &turn.people) || !load_places(call, &turn) ||
        !read_leaving(call, &turn) || !make_places(call, &turn))
        return;
    if (preview)
        answer_preview(call, &turn);
    else if (make_event(call, &turn, name, &made) && enter_all(call, &turn, &made))
        call_answer_new(call, 201, "/v1/events/", &made.event.id, event_document(&made.event));
}
