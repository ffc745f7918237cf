/* Final results of events as seasons count them: the only link between seasons and standings of
 * events. */
#ifndef TILLROLL_API_SEASONS_SEASON_STANDINGS_H
#define TILLROLL_API_SEASONS_SEASON_STANDINGS_H

#include "api/request/call.h"

struct final_place {
    struct id player;
    const char *player_name;
    uint16_t place;  /* from 1, among these; shared places have the best of them */
    uint16_t shared; /* how many share it */
    int32_t points;  /* 60ths, rounded down, 0 .. SEASON_POINTS_MAX; matchpoints: of a percent */
};

/* The places of all who played in a closed event, best first, in the arena: its final standings
 * without the other entries. False with a problem. */
bool final_places(struct call *call, const struct event *event, struct final_place **places,
                  size_t *count);

/* The highest possible points at the end of an event that is not closed, in the same unit. */
int32_t final_points_most(const struct event *event);

#endif
