#include <string.h>

#include "engine/replay.h"

static uint32_t out_of_game(const struct replay *replay)
{
    uint32_t seats = 0;
    for (unsigned i = 0; i < replay->forfeits; i++)
        seats |= UINT32_C(1) << replay->forfeited[i];
    return seats;
}

/* Ranks those who played on as if nobody else were there. */
static unsigned rank_players(struct outcome *outcome, uint32_t out)
{
    struct outcome playing = {.tie_breaks = outcome->tie_breaks};
    unsigned seat_of[GAME_SEATS_MAX] = {0};
    for (unsigned seat = 0; seat < outcome->seats; seat++) {
        if ((out >> seat & 1) != 0)
            continue;
        seat_of[playing.seats] = seat;
        playing.score[playing.seats] = outcome->score[seat];
        memcpy(playing.tie_break[playing.seats], outcome->tie_break[seat],
               sizeof outcome->tie_break[seat]);
        playing.seats++;
    }
    outcome_rank(&playing);
    for (unsigned i = 0; i < playing.seats; i++)
        outcome->rank[seat_of[i]] = playing.rank[i];
    return playing.seats;
}

void replay_outcome(const struct replay *replay, struct outcome *outcome)
{
    replay->header.game->outcome(replay->state, outcome);
    for (unsigned seat = 0; seat < outcome->seats; seat++)
        outcome->score[seat] += replay->adjusted[seat];
    unsigned players = rank_players(outcome, out_of_game(replay));
    for (unsigned i = 0; i < replay->forfeits; i++)
        outcome->rank[replay->forfeited[i]] = (uint8_t)(players + replay->forfeits - i);
}
