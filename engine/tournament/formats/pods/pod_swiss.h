/* Tillroll Pod Swiss, versions 1 to 4: pairing a round of tables of two to five.
 *
 * A pairing is judged by a vector of criteria, compared from the first to the last; smaller is
 * better. Each criterion except P2 is a sum over tables, so a page can show the cost of each table,
 * and anyone can check the vector with pencil and paper.
 *
 *      A  table sizes    table_sizes.h
 *      B  byes           only as many as A needs; see pod_swiss_pair()
 *      C  criteria       enum pod_criterion (pod_round.h)
 *      D  search         up to POD_EXHAUSTIVE_MAX seated players: the optimum, by exhaustion
 *                        (pod_exhaustive.c). More: a fixed number of proposals, never a time limit,
 *                        so that every machine finds the same, then descent until no swap of two
 *                        players improves the vector (pod_search.c; version 3: pod_anneal.h)
 *      E  result         vector, values per table, lower bound of the repeats, stream, attempt
 *
 * Version 2 looks ahead in fields of 17 to 24 players (P2), unlike version 1; in all other fields
 * they are the same. Version 3 adds
 *
 *      a work limit         pod_search_steps_max(). Versions 1 and 2 can take more than a minute
 * for P2 of up to 16 players; version 3 uses a bounded number of steps, and P2 considers no more
 * rounds than the unmet pairs allow another search       for more than 16 players: the whole search
 * of version 2, then annealing over weighted criteria, because thresholds for one criterion after
 * the other seldom lead from one round without repeats to another. The better result is taken, so
 * by the criteria without P9 no draw of more than 16 players is worse than that of version 2.
 * Criteria at their known minimum, including the least P5, are not searched
 *
 * Version 4 is version 3 with `even` tables (table_sizes.h); the rule of a request says so.
 *
 * An event states its version, and can move to a newer one (settings.h).
 *
 * Everything is integer arithmetic. The order in which players are given does not matter:
 * internally they are in order of score, place and TPN, and TPNs are unique.
 *
 * Chance comes from one stream, `pair/<round>/<attempt>`, in this order: two words for P9; the
 * draws of the search (none if it is exhaustive; in version 3 two words of them seed its
 * annealing); per table one choice among the equally good seat orders. In round 1 all scores are
 * equal and nobody has met: the seeded start is then a draw, and the search only separates
 * forbidden and avoiding pairs.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_SWISS_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_SWISS_H

#include <stdbool.h>

#include "engine/tournament/formats/pods/pod_round.h"

/* Refusals, stable. */
#define POD_REFUSAL_TOO_FEW   "too-few-players"     /* fewer than the smallest table */
#define POD_REFUSAL_TOO_MANY  "too-many-players"    /* more than TOURNAMENT_ENTRIES_MAX */
#define POD_REFUSAL_RULE      "bad-table-rule"      /* table_rule_valid() is false */
#define POD_REFUSAL_REQUEST   "bad-pairing-request" /* profile, price, round or attempt */
#define POD_REFUSAL_PLAYER    "bad-player"          /* a number out of its range, a TPN twice */
#define POD_REFUSAL_PAIR      "bad-pair"            /* an index or a weight out of its range */
#define POD_REFUSAL_FORBIDDEN "forbidden-pairs"     /* no pairing found that separates them all */
#define POD_REFUSAL_MEMORY    "out-of-memory"

/* Pairs a round. Byes, if the number of players needs them, go to those with the fewest pairing
 * byes; among these to players without a full score for no game; then to the lowest score, the
 * fewest unplayed rounds, the last place, the highest TPN. So no player gets a second bye before
 * everyone had one.
 *
 * True: free `pairing` with pod_pairing_free(). False: refused, `refusal` says why, nothing to
 * free. Pure: the same request gives the same bytes in tables, byes and criteria; any thread.
 * Memory: about 6 bytes per pair of players besides the request's.
 */
bool pod_swiss_pair(const struct pod_request *request, struct pod_pairing *pairing,
                    struct refusal *refusal);

/* The vector and the values per table of a given seating, to show the cost of a manual change:
 * `pairing` holds tables with `seats` and `player`, and byes; criteria, floats and bound are
 * written. P7 is then the cost of the seats as given, not of the best order. The same refusals, and
 * bad-pairing-request if a player is missing, named twice or out of range, or a table has a size
 * that is not allowed. Forbidden pairs are counted in P1, not refused. */
bool pod_swiss_judge(const struct pod_request *request, struct pod_pairing *pairing,
                     struct refusal *refusal);

void pod_pairing_free(struct pod_pairing *pairing);

const struct pod_criterion_text *pod_criterion_describe(enum pod_criterion criterion);

#endif
