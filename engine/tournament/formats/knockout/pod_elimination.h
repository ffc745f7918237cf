/* Elimination at tables of two to five, and cuts to a final table.
 *
 * The best of each table advance, the others are out, until one table is left: the final. Like a
 * bracket, it is a function of seeding, results and withdrawals; a round is made as soon as all
 * tables of the round before have results.
 *
 *      tables     chosen by table_sizes.h for the number of entries. Entries without a seat have a
 *                 bye and advance: the best seeds
 *      seating    a snake in order of seeds over the tables, the smaller tables first, so that the
 *                 best seeds sit at them: 16 at tables of four are 1-8-9-16, 2-7-10-15, 3-6-11-14
 *                 and 4-5-12-13. Seats are in order of seeds
 *      order      at a table and within a round: place, then share of the best score at the table,
 *                 then seed. Byes come first; forfeits come last and never advance
 *      advancing  the first `advance` of each table who neither forfeited nor left, and the best of
 *                 the others if the next round is short of entries because no allowed table could
 *                 be filled, or too many forfeited or left. The number is fixed beforehand
 *      places     later rounds are above earlier ones; within a round, the order above
 *
 * A cut is the same with tables of one size k, of which the first advances. From k, 2k - 1,
 * 3k - 2 .. k * k entries (for four: 4, 7, 10, 13, 16) one round makes exactly one final table: of
 * 7, the seeds 1 to 3 wait, and 4 to 7 play for the fourth seat.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_KNOCKOUT_POD_ELIMINATION_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_KNOCKOUT_POD_ELIMINATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/game/game.h"
#include "engine/tournament/result/result.h"
#include "engine/tournament/result/table_sizes.h"

enum { POD_ELIMINATION_RESULTS_MAX = 2 * TOURNAMENT_ENTRIES_MAX };

struct pod_elimination_rule {
    struct table_rule tables;
    uint8_t advance; /* of each table, 1 .. smallest allowed table - 1 */
};

/* From `round` on, the entry takes no seat. */
struct pod_withdrawal {
    uint16_t entry;
    uint16_t round; /* >= 1 */
};

/* All pointers are borrowed. */
struct pod_elimination_input {
    struct pod_elimination_rule rule;
    const uint16_t *seeding; /* entries, best seed first, none twice */
    size_t entry_count;      /* 0 .. TOURNAMENT_ENTRIES_MAX */
    /* In any order; `round` and `table` are those of the tables below. Results of entries that no
     * longer sit at a table, because an earlier result was corrected, are ignored. */
    const struct table_result *results;
    size_t result_count; /* 0 .. POD_ELIMINATION_RESULTS_MAX */
    const struct pod_withdrawal *withdrawn;
    size_t withdrawn_count;
};

/* A table of a round, or a bye: `table` 0 with one seat. */
struct pod_elimination_table {
    uint16_t round; /* from 1 */
    uint16_t table; /* from 1, or 0 */
    uint8_t seats;
    bool decided; /* has a result; true for a bye */
    uint8_t on;   /* bit i: seat i advances; none in the final. Set once the round is over */
    uint8_t padding;
    uint16_t entry[TOURNAMENT_SEATS_MAX];
    uint16_t seed[TOURNAMENT_SEATS_MAX]; /* of these entries, from 1 */
};

struct pod_elimination {
    struct pod_elimination_table *tables; /* owned; in order of round and table, byes first */
    uint16_t *place;                      /* owned; [seed - 1]: final place from 1, or 0 */
    size_t table_count;
    size_t unused_results;
    uint16_t rounds; /* made so far */
    bool final;      /* the last of them is the final table */
    bool over;       /* the final is decided, or too few are left for any table */
};

static_assert(sizeof(struct pod_elimination_table) == 28, "no implicit padding");

/* The shape of a round if nobody leaves. */
struct pod_elimination_round {
    uint16_t entries;
    uint16_t byes;
    uint16_t tables;
    uint16_t on; /* how many advance; 0 for the final */
};

/* Refusals, stable. */
#define POD_ELIMINATION_REFUSAL_RULE    "bad-elimination-rule"
#define POD_ELIMINATION_REFUSAL_SEEDING "bad-seeding"  /* too few for a table, or an entry twice */
#define POD_ELIMINATION_REFUSAL_RESULT  "bad-result"   /* an index, kind or rank out of range */
#define POD_ELIMINATION_REFUSAL_TWICE   "result-twice" /* two results of the same table */
#define POD_ELIMINATION_REFUSAL_LEFT    "bad-withdrawal" /* an entry that was not seeded */
#define POD_ELIMINATION_REFUSAL_MEMORY  "out-of-memory"

/* True if the table rule is valid and `advance` eliminates at least one entry of every table. */
bool pod_elimination_rule_valid(struct pod_elimination_rule rule);

/* The future rounds for a number of entries, under a valid rule. Writes at most
 * TOURNAMENT_ROUNDS_MAX and returns how many there are, 0 for too few entries. Pure. */
size_t pod_elimination_plan(struct pod_elimination_rule rule, unsigned entries,
                            struct pod_elimination_round *rounds);

/* Makes the rounds. True: free with pod_elimination_free(). False: refused, nothing to free. Pure:
 * the order of results and withdrawals does not matter; any thread. */
bool pod_elimination_make(const struct pod_elimination_input *input,
                          struct pod_elimination *elimination, struct refusal *refusal);

void pod_elimination_free(struct pod_elimination *elimination);

#endif
