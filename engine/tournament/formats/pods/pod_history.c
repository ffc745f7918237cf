#include "engine/tournament/formats/pods/pod_history.h"

#include <assert.h>
#include <string.h>

enum { NOT_PRESENT = UINT16_MAX };

/* The matrices are by player, results by entry. */
struct counting {
    const struct pod_history *history;
    struct pod_player *players;
    uint8_t *met, *before;
    uint16_t player_of[TOURNAMENT_ENTRIES_MAX];
};

static void raise_count(uint8_t *count)
{
    if (*count < UINT8_MAX)
        (*count)++;
}

static uint16_t player_at(const struct counting *counting, const struct table_result *table,
                          unsigned seat)
{
    return counting->player_of[table->seat[seat].entry];
}

static bool played_at(const struct counting *counting, const struct table_result *table,
                      unsigned seat)
{
    return round_kind_is_played(table->seat[seat].kind) &&
           player_at(counting, table, seat) != NOT_PRESENT;
}

static void count_meetings(const struct counting *counting, const struct table_result *table)
{
    size_t count = counting->history->present_count;
    for (unsigned a = 0; a < table->seats; a++) {
        for (unsigned b = 0; b < table->seats; b++) {
            if (a == b || !played_at(counting, table, a) || !played_at(counting, table, b))
                continue;
            size_t at = player_at(counting, table, a) * count + player_at(counting, table, b);
            raise_count(&counting->met[at]);
            if (b == (a + 1) % table->seats)
                raise_count(&counting->before[at]);
        }
    }
}

/* A winner's points for a round without a game. */
static bool is_full_without_play(const struct pod_history *history,
                                 const struct table_result *table, unsigned seat)
{
    return !round_kind_is_played(table->seat[seat].kind) &&
           scoring_points(history->scoring, table, seat) >=
               history->scoring->place[history->preferred][0];
}

static void count_seat(const struct counting *counting, const struct table_result *table,
                       unsigned seat)
{
    uint16_t index = player_at(counting, table, seat);
    if (index == NOT_PRESENT)
        return;
    struct pod_player *player = &counting->players[index];
    player->byes = (uint16_t)(player->byes + (table->seat[seat].kind == ROUND_PAIRING_BYE));
    player->full_without_play = (uint16_t)(player->full_without_play +
                                           is_full_without_play(counting->history, table, seat));
    if (!round_kind_is_played(table->seat[seat].kind))
        return;
    player->unplayed--;
    player->seat_count[seat]++;
    player->short_sittings =
        (uint16_t)(player->short_sittings + (table->seats != counting->history->preferred));
}

/* Scores before the round decide the floats; `ago` is 0 for the last round, 1 for the one
 * before. */
static void note_floats(const struct counting *counting, const struct table_result *table,
                        const int32_t *scores, unsigned ago)
{
    int64_t sum = 0;
    for (unsigned seat = 0; seat < table->seats; seat++)
        sum += scores[table->seat[seat].entry];
    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (!played_at(counting, table, seat))
            continue;
        int64_t score = table->seats * (int64_t)scores[table->seat[seat].entry];
        counting->players[player_at(counting, table, seat)].floats[ago] =
            (int8_t)((score > sum) - (score < sum));
    }
}

static void add_points(const struct pod_history *history, const struct table_result *table,
                       int32_t *scores)
{
    for (unsigned seat = 0; seat < table->seats; seat++)
        scores[table->seat[seat].entry] += scoring_points(history->scoring, table, seat);
}

static bool anybody_played(const struct counting *counting, const struct table_result *table,
                           unsigned *players)
{
    *players = 0;
    for (unsigned seat = 0; seat < table->seats; seat++)
        *players += played_at(counting, table, seat);
    return *players > 0;
}

/* Counts one round; returns its groups: tables, and present players who sat at none. */
static uint16_t count_round(const struct counting *counting, uint16_t round, int32_t *scores)
{
    const struct pod_history *history = counting->history;
    size_t groups = history->present_count;
    for (size_t i = 0; i < history->result_count; i++) {
        const struct table_result *table = &history->results[i];
        unsigned players = 0;
        if (table->round != round)
            continue;
        if (anybody_played(counting, table, &players))
            groups -= players - 1;
        count_meetings(counting, table);
        for (unsigned seat = 0; seat < table->seats; seat++)
            count_seat(counting, table, seat);
        if (history->rounds - round < 2)
            note_floats(counting, table, scores, (unsigned)(history->rounds - round));
    }
    for (size_t i = 0; i < history->result_count; i++)
        if (history->results[i].round == round)
            add_points(history, &history->results[i], scores);
    return (uint16_t)groups;
}

void pod_history_count(const struct pod_history *history, struct pod_player *players, uint8_t *met,
                       uint8_t *before, uint16_t *groups, int32_t *work)
{
    size_t count = history->present_count;
    struct counting counting = {history, players, met, before, {0}};
    assert(history->entry_count <= TOURNAMENT_ENTRIES_MAX);
    memset(counting.player_of, 0xff, sizeof counting.player_of);
    memset(players, 0, count * sizeof *players);
    memset(met, 0, count * count);
    memset(before, 0, count * count);
    memset(work, 0, history->entry_count * sizeof *work);
    for (size_t i = 0; i < count; i++) {
        counting.player_of[history->present[i]] = (uint16_t)i;
        players[i].tpn = history->entries[history->present[i]].tpn;
        players[i].place = 1;
        players[i].unplayed = history->rounds;
    }
    for (uint16_t round = 1; round <= history->rounds; round++)
        groups[round - 1] = count_round(&counting, round, work);
    for (size_t i = 0; i < count; i++)
        players[i].score = work[history->present[i]];
}
