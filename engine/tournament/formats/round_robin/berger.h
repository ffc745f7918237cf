/* Round robin for two seats by the Berger tables (FIDE Handbook C.05, annex 1).
 *
 * Everyone meets everyone once. The tables follow a formula: with n numbers, n even, the other n -
 * 1 stand on a circle, and in round r number n meets the x with 2x = r + 1 (mod n - 1); the number
 * i places after x has the first seat against the number i places before x. So seats alternate as
 * evenly as a single round robin allows. With an odd field the last number is a bye.
 *
 *      n = 6    round 1   1-6  2-5  3-4
 *               round 2   6-4  5-3  1-2
 *               round 3   2-6  3-1  4-5
 *               round 4   6-5  1-4  2-3
 *               round 5   3-6  4-2  5-1
 *
 * Played twice, the second half has the seats exchanged, and the last two rounds of the first half
 * are swapped: otherwise some entries would have one seat three times in a row (same annex, note).
 *
 * Entries are indices: index i has number i + 1. White is the first seat.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_ROUND_ROBIN_BERGER_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_ROUND_ROBIN_BERGER_H

#include <stdbool.h>
#include <stdint.h>

enum { BERGER_ENTRIES_MIN = 2, BERGER_ENTRIES_MAX = 128, BERGER_NOBODY = UINT16_MAX };

/* One game, or a bye: then `second` is BERGER_NOBODY. */
struct berger_pairing {
    uint16_t first;
    uint16_t second;
};

/* The number of rounds for `entries` (BERGER_ENTRIES_MIN .. BERGER_ENTRIES_MAX), once or twice. */
unsigned berger_rounds(unsigned entries, bool twice);

/* Writes the pairings of a round (1 .. berger_rounds()) in the order of the tables, that of the
 * last number first: a bye is pairings[0]. Returns their number, half of the entries rounded up;
 * `pairings` has room for them. Pure; any thread. */
unsigned berger_round(unsigned entries, bool twice, unsigned round,
                      struct berger_pairing *pairings);

/* Whether the results of an entry that left a round robin stay in the standings: they do if at
 * least half of its games were completed, and unplayed games are then forfeits; otherwise none of
 * them counts for anyone (FIDE C.05, withdrawal). `games` is the number of games of one entry in
 * the full tournament. Ratings keep the played games in both cases. */
bool berger_results_stand(unsigned completed, unsigned games);

#endif
