/* A plain annealer for rounds of pod Swiss, written without regard to the engine's searches: what
 * these are held beside. */
#ifndef TILLROLL_TESTS_BENCH_PAIRING_PLAIN_ANNEALER_H
#define TILLROLL_TESTS_BENCH_PAIRING_PLAIN_ANNEALER_H

#include <stdbool.h>

#include "engine/tournament/formats/pods/pod_cost.h"
#include "engine/tournament/formats/pods/pod_swiss.h"

/* Seats those whom `pairing` seats anew, at tables of the same sizes: swaps of two players, judged
 * by one weighed sum of P1, P3, P4 and P5 while the temperature falls; the best that it meets, in
 * the order of the profile. Writes its criteria (pod_swiss_judge()). False if it has forbidden
 * pairs or there is no memory. */
bool plain_annealer_draw(const struct pod_request *request, const struct pod_pairing *pairing,
                         struct pod_criteria *criteria);

#endif
