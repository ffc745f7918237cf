/* How often the sequential test of `tillroll match --sprt` errs:
 *
 *      bench_sprt LOWER UPPER [TESTS]
 *
 * reads shares of points from standard input, one a line, and runs so many tests (2000), each on a
 * sequence of its own drawn from them with replacement. LOWER and UPPER are points of Elo. Prints
 * the tests that ended with the lower and with the upper one, those that were open after 100,000
 * deals, the mean number of deals, and the difference in Elo that the shares really have.
 *
 * A share is what a player has of the games of one deal: a win counts one, a tie half. They come
 * from a journal of `tillroll match` (api/cli/bots/match_journal.h). For players who are equal,
 * each share is given as its complement as well. web-static/docs/explanation/levels.md has results.
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/cli/bots/sprt.h"
#include "tests/engine/support/dice.h"

enum { SHARES_MAX = 1 << 20, DEALS_MAX = 100000 };

static double share[SHARES_MAX];

static enum sprt_verdict run(const struct sprt *sprt, struct dice *dice, size_t count,
                             unsigned long *deals)
{
    struct shares shares = {.count = 0};
    enum sprt_verdict verdict = SPRT_OPEN;
    while (verdict == SPRT_OPEN && shares.count < DEALS_MAX) {
        shares_add(&shares, share[dice_below(dice, count)]);
        verdict = sprt_judge(sprt, &shares);
    }
    *deals += shares.count;
    return verdict;
}

int main(int argc, char **argv)
{
    if (sodium_init() < 0 || argc < 3)
        return 2;
    struct sprt sprt = {share_of_elo(strtod(argv[1], NULL)), share_of_elo(strtod(argv[2], NULL)),
                        0.05};
    unsigned long tests = argc > 3 ? strtoul(argv[3], NULL, 10) : 2000;
    unsigned long deals = 0, verdicts[3] = {0};
    struct shares all = {.count = 0};
    struct dice dice;
    size_t count = 0;
    while (count < SHARES_MAX && scanf("%lf", &share[count]) == 1)
        shares_add(&all, share[count++]);
    if (count == 0)
        return 2;
    dice_open(&dice, "sprt", 1);
    for (unsigned long i = 0; i < tests; i++)
        verdicts[run(&sprt, &dice, count, &deals)]++;
    printf("lower %lu upper %lu open %lu deals %.1f elo %.1f\n", verdicts[SPRT_LOWER],
           verdicts[SPRT_UPPER], verdicts[SPRT_OPEN], (double)deals / (double)tests,
           elo_of_share(all.mean));
    return 0;
}
