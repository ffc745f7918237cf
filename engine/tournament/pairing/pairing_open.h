/* Tables of games that are played in no round: ladders and open play. Both follow from the event's
 * log and its chance, so a service and whoever checks its bundle get the same.
 *
 *      ladder       the first seat is drawn from the stream `ladder/<table>`. A challenge that
 *                   nobody has answered is not played: the challenger has the first seat
 *      open play    open_play.h: the stream is `open/<number of the call's first table>`, and the
 *                   time is that of the line that starts the tables
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_PAIRING_PAIRING_OPEN_H
#define TILLROLL_ENGINE_TOURNAMENT_PAIRING_PAIRING_OPEN_H

#include "engine/game/chance.h"
#include "engine/tournament/event/tournament.h"
#include "engine/tournament/formats/open_play/open_play.h"

/* The seats of a challenge that is accepted. */
void pairing_ladder_seats(const struct tournament *tournament, const struct chance *chance,
                          const struct tournament_challenge *challenge, uint16_t entries[static 2]);

/* The tables that are called from the queue at this time, not before that of the last line.
 * `tables` has room for one a waiting player. False with a refusal. */
bool pairing_open_tables(const struct tournament *tournament, const struct chance *chance,
                         int64_t now_ms, struct open_play_table *tables, size_t *count,
                         struct refusal *refusal);

#endif
