/* Fills tables with house players: accounts of the service (`tillroll admin house`) enter the
 * event, as many as the last table of the next round lacks, or as many as requested. */
#include <string.h>

#include "api/event/event_take.h"
#include "api/events/entries.h"
#include "api/events/handlers.h"
#include "api/request/documents.h"
#include "db/store/people/players.h"
#include "db/store/people/ties.h"

enum {
    ACCOUNTS_MOST = 64,    /* considered accounts of one level */
    GAMES_OF_ACCOUNT = 20, /* running games of a house player */
    ENTRIES_MOST = 64      /* house players in one event */
};

/* ---- Number of house players ---- */

static bool is_entered(const struct entrant *entrant)
{
    return event_entry_state(entrant) == ENTRY_ENTERED;
}

/* Counts the players who will have a seat in the next round, as far as is known. */
static unsigned count_players(const struct tournament *tournament)
{
    unsigned count = 0;
    unsigned round = (unsigned)tournament->round_count + 1;
    for (size_t i = 0; i < tournament->entrant_count; i++) {
        const struct entrant *entrant = &tournament->entrants[i];
        count += tournament->numbered == 0
                     ? is_entered(entrant)
                     : entrant->number != 0 &&
                           tournament_presence(tournament, (uint16_t)i, round) == ROUND_PLAYED;
    }
    return count;
}

static unsigned count_house(const struct tournament *tournament)
{
    unsigned count = 0;
    for (size_t i = 0; i < tournament->entrant_count; i++)
        count +=
            tournament->entrants[i].house != HOUSE_NONE && is_entered(&tournament->entrants[i]);
    return count;
}

/* Reads `count`; without it, counts the empty seats of the last table. */
static bool read_count(struct call *call, const struct tournament *tournament, unsigned *count)
{
    const struct stage_settings *stage = tournament_stage(tournament);
    if (stage == NULL)
        stage = &tournament->settings.stage[0];
    if (json_object_get(call->body, "count") != NULL)
        return call_whole(call, "count", 1, ENTRIES_MOST, -1, count);
    if (!tournament_format_has_rounds(stage->format))
        return call_bad_field(call, "count",
                              "is needed: this format has no rounds whose tables could be filled.");
    unsigned last = count_players(tournament) % stage->table.preferred;
    *count = last == 0 ? 0 : stage->table.preferred - last;
    return true;
}

static bool has_places(struct call *call, const struct tournament *tournament, unsigned wanted)
{
    unsigned capacity = tournament->settings.capacity;
    unsigned taken = 0;
    for (size_t i = 0; i < tournament->entrant_count; i++)
        taken += is_entered(&tournament->entrants[i]);
    if (wanted + count_house(tournament) > ENTRIES_MOST)
        return call_problem(call, "house-unavailable",
                            "An event takes at most 64 house players; choose a smaller count.");
    return capacity == 0 || taken + wanted <= capacity ||
           call_problem(call, "event-full",
                        "The event does not have that many places left; choose a smaller count, or "
                        "raise its capacity. House players do not wait for places.");
}

/* ---- Choosing ---- */

static bool read_level(struct call *call, const struct tournament *tournament, int *level)
{
    const json_t *field = json_object_get(call->body, "level");
    const struct span word = {json_string_value(field), json_string_length(field)};
    *level = json_is_string(field) ? house_choice_find(word) : -1;
    if (*level <= HOUSE_NONE)
        return call_bad_field(call, "level", "must be a level of GET /v1/house.");
    if (*level <= (int)tournament->settings.house)
        return true;
    return call_problem(call, TOURNAMENT_REFUSAL_HOUSE,
                        tournament->settings.house == HOUSE_NONE
                            ? "House players may not enter this event; set `house` to the highest "
                              "level that may."
                            : "House players of this level may not enter this event; choose a "
                              "level up to the event's `house`.");
}

/* Sets `idle` if the account is neither in the event nor busy. */
static bool is_idle(struct call *call, const struct tournament *tournament, const struct id *player,
                    bool *idle)
{
    struct id *games;
    size_t count;
    uint16_t entry = tournament_entry(tournament, span_of(player->text));
    const struct entrant *entrant =
        entry == TOURNAMENT_NOBODY ? NULL : &tournament->entrants[entry];
    *idle = entrant == NULL || (entrant->state == ENTRANT_WITHDRAWN && entrant->number == 0);
    if (!*idle)
        return true;
    if (!call_found(call,
                    tie_games(call->db, call->arena, player, GAMES_OF_ACCOUNT, &games, &count)))
        return false;
    *idle = count < GAMES_OF_ACCOUNT;
    return true;
}

static bool choose(struct call *call, const struct tournament *tournament, int level,
                   unsigned wanted, struct id chosen[static ENTRIES_MOST])
{
    struct player *players;
    size_t count;
    unsigned found = 0;
    if (!call_found(call, player_list_house(call->db, call->arena,
                                            house_choice_name((enum house_choice)level),
                                            ACCOUNTS_MOST, &players, &count)))
        return false;
    for (size_t i = 0; i < count && found < wanted; i++) {
        bool idle;
        if (!is_idle(call, tournament, &players[i].id, &idle))
            return false;
        if (idle)
            chosen[found++] = players[i].id;
    }
    return found == wanted ||
           call_problem(call, "house-unavailable",
                        "Not that many house players of this level are free; choose a smaller "
                        "count or another level. `tillroll admin house` makes more.");
}

/* ---- Entering ---- */

static void answer(struct call *call, const struct loaded_event *loaded, const struct id *players,
                   unsigned count)
{
    json_t *items = json_array();
    for (unsigned i = 0; i < count; i++) {
        json_t *item;
        if (!entry_load_document(call, loaded, &players[i], &item)) {
            json_decref(items);
            return;
        }
        json_array_append_new(items, item);
    }
    call_answer(call, 200, list_with_next(items, NULL));
}

void house_entries_create(struct call *call)
{
    static const char *const keys[] = {"level", "count", NULL};
    struct loaded_event loaded;
    struct id chosen[ENTRIES_MOST] = {{.text = ""}};
    unsigned wanted;
    int level;
    if (!call_check_keys(call, keys) || !event_load(call, &call->id[0], true, &loaded) ||
        !read_level(call, loaded.tournament, &level) ||
        !read_count(call, loaded.tournament, &wanted) ||
        !has_places(call, loaded.tournament, wanted) ||
        !choose(call, loaded.tournament, level, wanted, chosen))
        return;
    for (unsigned i = 0; i < wanted; i++)
        if (!entry_make(call, &loaded, &chosen[i]))
            return;
    answer(call, &loaded, chosen, wanted);
}
