/* An event as the pure functions of engine/tournament/ see it: plain arrays, loaded once per call.
 */
#ifndef TILLROLL_API_TOURNAMENT_H
#define TILLROLL_API_TOURNAMENT_H

#include "api/call.h"
#include "db/rounds.h"
#include "engine/tournament/pod_swiss.h"
#include "engine/tournament/standings.h"

struct tournament {
    struct event event;
    struct event_entry *entries; /* entry i of the arrays below is entries[i] */
    size_t entry_count;
    uint16_t *by_player; /* indices of entries, in order of their players' ids */
    struct entry *numbers;
    struct game_row *games; /* all games so far, by round and table */
    size_t game_count;
    struct bye *byes;
    size_t bye_count;
    struct table_result *results; /* finished games and byes; no duplicate games */
    size_t result_count;
    const struct game_row **result_games; /* results[i] comes from this game; NULL for a bye */
    struct chance chance;                 /* the event's */
};

/* Loads an event that has been opened. Everything is in the call's arena. */
bool tournament_load(struct call *call, const struct event *event, struct tournament *tournament);

/* The index of a player's entry. The player has one: ids come from games and byes of this event. */
uint16_t event_entry_index(const struct tournament *tournament, const struct id *player);

/* Standings after `rounds` rounds. Free with standings_free(). */
bool event_standings(struct call *call, const struct tournament *tournament, unsigned rounds,
                          struct standings *standings);

#endif
