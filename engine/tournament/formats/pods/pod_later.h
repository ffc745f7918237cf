/* Looking ahead for small fields: whether the rounds that are still planned can go without repeats.
 * Internal to the pairing. Versions 1 and 2; version 3 answers by pod_completion.h.
 *
 * A round can be perfect in itself and spoil the ones after it: of 16 players at tables of four,
 * three rounds without repeats can be of a kind that has no fourth. Sets of players are bits, the
 * player's number being the bit.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_LATER_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_LATER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/tournament/formats/pods/pod_cost.h"
#include "engine/tournament/result/table_sizes.h"

/* Whom each player has met. */
struct pod_acquaintance {
    uint16_t met[POD_EXHAUSTIVE_MAX];
    size_t count;
};

/* Of the players of a problem, of whom there are POD_EXHAUSTIVE_MAX at most. */
void pod_acquaintance_read(const struct pod_problem *problem,
                           struct pod_acquaintance *acquaintance);
void pod_acquaintance_add(struct pod_acquaintance *acquaintance, uint16_t table);

/* How many rounds after this one P2 asks about: those that are planned, as far as everybody has
 * enough others whom it has not met; in version 3 also no more than there are pairs for. 0 where P2
 * is not asked: in larger fields, with byes, in other profiles than `strict`, or if already this
 * round cannot go without repeats. */
unsigned pod_later_rounds(const struct pod_problem *problem, const struct table_sizes *sizes);

/* True if this seating has no repeats and `rounds` others without any can follow: P2 is 0. */
bool pod_later_fits(const struct pod_problem *problem, const struct table_sizes *sizes,
                    unsigned rounds, const uint16_t *players, const uint8_t *table_size);

/* True if so many rounds without repeats can follow, or if POD_LATER_STEPS tables tried do not tell
 * that none can: the same on every machine. */
bool pod_later_is_open(const struct pod_acquaintance *acquaintance, const struct table_sizes *sizes,
                       unsigned rounds);

enum { POD_LATER_STEPS = 200000 };

#endif
