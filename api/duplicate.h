/* Duplicate events: starting rounds and boards, ending tables, and results as the pure functions of
 * engine/tournament/duplicate.h see them. All of these answer with a problem and return false where
 * something stands in the way.
 *
 * A round of asynchronous play starts all its boards at once and is open when its last table has
 * ended. A barometer starts the next board when the last table of the one before has ended; that
 * board is then open. Records wait for the reveal of the round's secret in both.
 */
#ifndef TILLROLL_API_DUPLICATE_H
#define TILLROLL_API_DUPLICATE_H

#include "api/tournament.h"
#include "engine/tournament/duplicate.h"

bool duplicate_is(const struct event *event);

/* Makes the round with its secret and starts its boards, in barometer play the first. The event is
 * locked. */
bool duplicate_start_round(struct call *call, const struct event *event, unsigned round);

/* Starts a further board of a barometer round. The event is locked. */
bool duplicate_start_board(struct call *call, const struct event *event, unsigned round,
                           unsigned board);

/* Goes on after a table has ended, whose lines and end have been stored in this transaction: stores
 * the results that can be compared now, starts the next board, or reveals the round's secret. */
bool duplicate_table_ended(struct call *call, const struct game_row *game);

/* The secret that the games of a round share. */
bool duplicate_read_secret(struct call *call, const struct id *event, unsigned round,
                           uint8_t secret[static KEYS_SECRET_BYTES]);

/* The results of an event and what they are worth. */
struct duplicate_event {
    struct tournament tournament;
    unsigned rounds; /* that count */
    unsigned boards; /* that count: open ones, of all these rounds */
    struct duplicate_result *results;
    uint32_t *games; /* results[i] comes from tournament.games[games[i]] */
    size_t count;
    struct duplicate_standings standings; /* marks and rows; freed by duplicate_free() */
};

/* Loads what is open of the first `rounds` rounds. Everything but the standings is in the call's
 * arena. */
bool duplicate_load(struct call *call, const struct event *event, unsigned rounds,
                    struct duplicate_event *duplicate);
void duplicate_free(struct duplicate_event *duplicate);

/* The game that results[i] comes from. */
const struct game_row *duplicate_game(const struct duplicate_event *duplicate, size_t i);

/* A share of the top as a rational in percent. */
json_t *duplicate_percent(struct share share);

/* The standings document of a duplicate event, in the same form as for other formats. */
void duplicate_answer_standings(struct call *call, const struct event *event, unsigned rounds);

#endif
