/* The next season of a league: another event, whose entries are in the final order of the last one,
 * so that its divisions follow the rules of engine/tournament/formats/round_robin/league.h. Its
 * entries are open: players who do not want to continue withdraw and all players below move up, and
 * newcomers enter at the bottom. */
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

/* A season and the next one. The call's arena owns the arrays. */
struct succession {
    struct loaded_event last;
    struct event_people people;
    struct league_place *places, *next;
    size_t place_count, next_count;
    uint16_t *leaving;
    size_t leaving_count;
};

/* ---- The last season ---- */

static bool check_over(struct call *call, const struct tournament *tournament)
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

static void take_group(struct succession *succession, const struct ranking_group *group)
{
    for (size_t i = 0; i < group->count; i++)
        succession->places[succession->place_count++] = (struct league_place){
            .entry = group->rows[i].entry, .division = group->division, .rank = (uint16_t)(i + 1)};
}

static bool load_places(struct call *call, struct succession *succession)
{
    const struct tournament *tournament = succession->last.tournament;
    struct ranking ranking;
    struct refusal refusal;
    if (!ranking_make(tournament, &succession->last.chance, tournament->rounds_started, &ranking,
                      &refusal))
        return event_refuse(call, &refusal);
    succession->places =
        arena_array(call->arena, tournament->entrant_count, sizeof *succession->places);
    for (size_t i = 0; i < ranking.group_count; i++)
        take_group(succession, &ranking.groups[i]);
    ranking_free(&ranking);
    return true;
}

/* ---- Leaving players ---- */

static bool is_leaving(const struct succession *succession, uint16_t entry)
{
    for (size_t i = 0; i < succession->leaving_count; i++)
        if (succession->leaving[i] == entry)
            return true;
    return false;
}

static void add_leaving(struct succession *succession, uint16_t entry)
{
    if (!is_leaving(succession, entry))
        succession->leaving[succession->leaving_count++] = entry;
}

static const struct league_place *place_of(const struct succession *succession, uint16_t entry)
{
    for (size_t i = 0; i < succession->place_count; i++)
        if (succession->places[i].entry == entry)
            return &succession->places[i];
    return NULL;
}

/* The players who dropped out of the last season, and those in the body. */
static bool read_leaving(struct call *call, struct succession *succession)
{
    const struct tournament *tournament = succession->last.tournament;
    json_t *list = json_object_get(call->body, "leaving"), *each;
    size_t i;
    succession->leaving =
        arena_array(call->arena, succession->place_count, sizeof *succession->leaving);
    for (i = 0; i < succession->place_count; i++) {
        uint16_t entry = succession->places[i].entry;
        if (event_entry_state(&tournament->entrants[entry]) == ENTRY_DROPPED)
            add_leaving(succession, entry);
    }
    if (list != NULL && !json_is_array(list))
        return call_bad_field(call, "leaving", "must be a list of ids of players.");
    json_array_foreach(list, i, each)
    {
        const char *player = json_string_value(each);
        uint16_t entry =
            player == NULL ? TOURNAMENT_NOBODY : tournament_entry(tournament, span_of(player));
        if (entry == TOURNAMENT_NOBODY || place_of(succession, entry) == NULL)
            return call_bad_field(call, "leaving",
                                  "names a player who was not in the last season.");
        add_leaving(succession, entry);
    }
    return true;
}

/* ---- The next season ---- */

static bool make_places(struct call *call, struct succession *succession)
{
    const struct stage_settings *stage = &succession->last.tournament->settings.stage[0];
    struct refusal refusal;
    const struct league_season season = {
        .rule = {stage->division, stage->division_smallest, stage->moves},
        .places = succession->places,
        .place_count = succession->place_count,
        .leaving = succession->leaving,
        .leaving_count = succession->leaving_count};
    succession->next = arena_array(call->arena, LEAGUE_ENTRIES_MAX, sizeof *succession->next);
    return league_next(&season, succession->next, &succession->next_count, &refusal) ||
           event_refuse(call, &refusal);
}

static json_t *place_document(const struct succession *succession, const struct league_place *place)
{
    const struct league_place *was = place_of(succession, place->entry);
    const char *moves = place->division < was->division   ? "up"
                        : place->division > was->division ? "down"
                                                          : "stays";
    return json_pack("{s:i, s:i, s:o, s:i, s:i, s:s}", "division", place->division, "rank",
                     place->rank, "player", event_person(&succession->people, place->entry),
                     "division_was", was->division, "rank_was", was->rank, "moves", moves);
}

static void answer_preview(struct call *call, const struct succession *succession)
{
    json_t *places = json_array(), *leaving = json_array();
    for (size_t i = 0; i < succession->next_count; i++)
        json_array_append_new(places, place_document(succession, &succession->next[i]));
    for (size_t i = 0; i < succession->leaving_count; i++)
        json_array_append_new(leaving, event_person(&succession->people, succession->leaving[i]));
    call_answer(call, 200, json_pack("{s:o, s:o}", "places", places, "leaving", leaving));
}

/* The seeding is by time of entering, whatever it was in the last season. */
static bool make_event(struct call *call, const struct succession *succession, const char *name,
                       struct loaded_event *made)
{
    json_t *document = settings_write(&succession->last.tournament->settings);
    json_object_set_new(document, "name", json_string(name));
    json_object_set_new(document, "seeding", json_string("entering"));
    json_object_del(document, settings_details[DETAIL_STARTS_AT].name);
    return event_make(call, document, made) &&
           event_take(call, made, "entries_opened", json_object());
}

static bool enter_all(struct call *call, const struct succession *succession,
                      struct loaded_event *made)
{
    for (size_t i = 0; i < succession->next_count; i++) {
        struct id player = event_person_id(succession->last.tournament, succession->next[i].entry);
        json_t *detail;
        jobs_progress(call, "storing", (unsigned)i, (unsigned)succession->next_count);
        if (!entry_line(call, made, &player, &detail) || !event_take(call, made, "entered", detail))
            return false;
    }
    return true;
}

void next_seasons_create(struct call *call)
{
    static const char *const keys[] = {"name", "leaving", NULL};
    struct succession succession = {.place_count = 0};
    struct loaded_event made;
    const char *name;
    bool preview;
    if (!preview_read(call, &preview) || !call_check_keys(call, keys) ||
        !name_read(call, "name", NAME_BYTES, &name) ||
        !event_load(call, &call->id[0], false, &succession.last) ||
        !check_over(call, succession.last.tournament) ||
        !event_people_load(call, &succession.last, &succession.people) ||
        !load_places(call, &succession) || !read_leaving(call, &succession) ||
        !make_places(call, &succession))
        return;
    if (preview)
        answer_preview(call, &succession);
    else if (make_event(call, &succession, name, &made) && enter_all(call, &succession, &made))
        call_answer_new(call, 201, "/v1/events/", &made.event.id, event_document(&made.event));
}
