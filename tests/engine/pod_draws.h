/* Draws of pod Swiss, for tests/engine/state_hashes.c. */
#ifndef TILLROLL_TESTS_ENGINE_POD_DRAWS_H
#define TILLROLL_TESTS_ENGINE_POD_DRAWS_H

#include <stdint.h>

/* Draws rounds of events by the newest version, in every profile, in fields that it searches in
 * every way; gives `see` each number of the seatings and of the criteria. */
void pod_draws_see(void (*see)(void *to, uint64_t number), void *to);

#endif
