/* Rounds of a report file paired again: what an arbiter asks of a second program. The pairing is
 * that of dutch.h, whatever the file was paired by. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_TRF_AGAIN_H
#define TILLROLL_ENGINE_TOURNAMENT_TRF_AGAIN_H

#include "engine/tournament/trf.h"

/* Starting ranks; `black` 0 is the pairing bye of `white`. */
struct trf_pair {
    uint16_t white, black;
};

#define TRF_AGAIN_REFUSAL_MEMORY "out-of-memory"

/* Pairs a round, 1 .. rounds_played + 1, from the rounds before it. `pairs` has room for
 * (player_count + 1) / 2 and is filled in the order of boards, the bye last. False: a refusal of
 * dutch_pair_round(). Pure but for the memory that it takes and gives back; any thread. */
bool trf_pair_again(const struct trf_event *event, uint16_t round, struct trf_pair *pairs,
                    size_t *count, struct refusal *refusal);

/* The pairs that the file has for a round up to rounds_played, forfeits among them, by starting
 * rank of white, the bye last. Same room. Returns how many. */
size_t trf_pairs_given(const struct trf_event *event, uint16_t round, struct trf_pair *pairs);

/* Whether two lists hold the same pairs with the same colours, in any order. */
bool trf_pairs_same(const struct trf_pair *a, size_t a_count, const struct trf_pair *b,
                    size_t b_count);

#endif
