/* How an event has ended, as a season counts it: the one place where seasons meet the standings of
 * events. */
#ifndef TILLROLL_API_SEASONS_SEASON_STANDINGS_H
#define TILLROLL_API_SEASONS_SEASON_STANDINGS_H

#include "api/request/call.h"

struct final_place {
    struct id player;
    const char *player_name;
    uint16_t place;  /* from 1, among these; the best of the places that are shared */
    uint16_t shared; /* how many share it */
    int32_t points;  /* 60ths, rounded down, 0 .. SEASON_POINTS_MAX; matchpoints: of a percent */
};

/* The places of all who have played in a closed event, best first, in the arena: those of its final
 * standings, without the others. False with a problem. */
bool final_places(struct call *call, const struct event *event, struct final_place **places,
                  size_t *count);

/* What the best can end an event with that is not closed, in the same points. */
int32_t final_points_most(const struct event *event);

#endif
