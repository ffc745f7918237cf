/* Glicko-2, in addition to Plackett-Luce, for two-seat games in events. An event is a rating period
 * (engine/tournament/result/glicko.h), rated when it is closed. Scopes are `glicko.` and a
 * ruleset's slug. Events without such games are not periods, nor are events in which a player has
 * more such games than the model allows (GLICKO_GAMES_MAX).
 *
 * A stored rating is the one after the player's last period with games; later periods increase the
 * deviation when the player is next rated or shown (glicko_deviation()). */
#ifndef TILLROLL_API_RATINGS_GLICKO_RATINGS_H
#define TILLROLL_API_RATINGS_GLICKO_RATINGS_H

#include "api/request/call.h"
#include "db/store/people/ratings.h"

/* Rates an event that has just been closed. False with a problem. */
bool glicko_rate_event(struct call *call, const struct event *event);

/* Computes the period's rating changes from the ratings before it, as changes of revision 0; none
 * if it has no games. Owned by the call's arena. False with a problem. */
bool glicko_make_period(struct call *call, const struct rating_period *period,
                        struct rating_change **changes, size_t *count);

/* The scope of a ruleset. Owned by the arena. */
const char *glicko_scope(struct arena *arena, const char *slug);

/* The deviation of a rating after `periods` periods of its ruleset, in millionths. */
int64_t glicko_deviation(const struct rating_row *rating, unsigned periods);

#endif
