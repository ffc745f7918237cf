/* How good the draws of pod Swiss are, beside others of the same rounds. */
#ifndef TILLROLL_TESTS_BENCH_PAIRING_QUALITY_H
#define TILLROLL_TESTS_BENCH_PAIRING_QUALITY_H

#include <stddef.h>

#include "engine/tournament/formats/pods/pod_cost.h"
#include "engine/tournament/formats/pods/pod_swiss.h"

/* Draws rounds of simulated events by the newest version, and again by version 2 and by a plain
 * annealer; prints how often the newest is better, equal or worse by the criteria of the profile,
 * and its time. Of all fields of 2 to 200 players (every size, every range of table sizes) each
 * `step`-th is taken. Result: 0 if it is never worse than version 2, else 1. */
int quality_compare(enum pod_profile profile, size_t step);

#endif
