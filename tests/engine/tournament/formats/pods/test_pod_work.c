/* How much work a draw of pod Swiss is, counted in steps: never more than pod_search_steps_max(),
 * in any round of an event of any size. With TILLROLL_LONG in the environment for every size from 2
 * to 200, which takes a quarter of an hour. */
#include <stdio.h>
#include <stdlib.h>

#include "engine/tournament/formats/pods/pod_search.h"
#include "tests/engine/tournament/formats/pods/pod_event.h"
#include "tests/test.h"

enum { ROUNDS = 9, SMALL = 24, ALL_RULES = 64 };

static struct event event;

/* The most steps of a draw, in thousandths of what it may have. */
static unsigned most;

static void assert_bounded(const struct pod_pairing *pairing, size_t players)
{
    uint64_t bound = pod_search_steps_max(players - pairing->bye_count);
    unsigned part = (unsigned)(1000 * pairing->steps / bound);
    assert_true(pairing->steps > 0);
    assert_true(pairing->steps <= bound);
    most = part > most ? part : most;
}

/* An event of so many planned rounds, all of which are drawn. */
static void sweep_event(size_t players, struct table_rule rule, uint16_t planned)
{
    event_start(&event, players);
    event.planned = planned;
    event.luck = (uint32_t)(players * 100 + planned);
    event.field.request.rule = rule;
    event_count(&event, 0);
    for (uint16_t round = 1; round <= planned; round++) {
        struct pod_pairing pairing = pair_field(&event.field);
        assert_complete(&event.field, &pairing);
        assert_bounded(&pairing, players);
        event_play(&event, &pairing);
        event_count(&event, round);
        pod_pairing_free(&pairing);
    }
}

/* Rule number 0 .. 19: smallest, largest and preferred size. */
static bool take_rule(unsigned number, struct table_rule *rule)
{
    for (uint8_t smallest = 2; smallest <= SEATS; smallest++)
        for (uint8_t largest = smallest; largest <= SEATS; largest++)
            for (uint8_t preferred = smallest; preferred <= largest; preferred++)
                if (number-- == 0) {
                    *rule = table_rule_range(smallest, largest, preferred);
                    return true;
                }
    return false;
}

/* Whether an earlier rule with the same preferred size gives the same tables: then all is the same.
 */
static bool is_new(size_t players, unsigned number, struct table_rule rule)
{
    struct table_sizes sizes, others;
    struct table_rule other;
    if (!table_sizes_choose(rule, (unsigned)players, &sizes))
        return false;
    for (unsigned i = 0; i < number && take_rule(i, &other); i++)
        if (other.preferred == rule.preferred &&
            table_sizes_choose(other, (unsigned)players, &others) &&
            memcmp(&sizes, &others, sizeof sizes) == 0)
            return false;
    return true;
}

static void sweep_size(size_t players)
{
    struct table_rule rule;
    for (unsigned number = 0; take_rule(number, &rule); number++) {
        if (!is_new(players, number, rule) || (players > ALL_RULES && number != players % 20))
            continue;
        for (uint16_t planned = players <= SMALL ? 1 : ROUNDS; planned <= ROUNDS; planned++)
            sweep_event(players, rule, planned);
    }
}

/* Fields whose first round took versions 1 and 2 from 2 to 67 seconds, and some of other sizes. */
TEST(work_is_bounded)
{
    static const struct {
        size_t players;
        uint8_t smallest, largest, preferred;
        uint16_t planned;
    } fields[] = {{16, 3, 5, 5, 5},  {14, 2, 4, 4, 9}, {14, 2, 5, 4, 4}, {14, 3, 5, 3, 7},
                  {16, 2, 5, 5, 3},  {11, 2, 3, 3, 4}, {11, 2, 4, 3, 5}, {13, 3, 4, 4, 5},
                  {14, 3, 4, 4, 4},  {2, 2, 5, 4, 9},  {5, 3, 5, 4, 6},  {9, 4, 5, 5, 9},
#ifndef PLAYOUTS_DEFAULT /* these take long with checks built in */
                  {18, 3, 5, 4, 4},  {23, 2, 5, 5, 4}, {41, 3, 4, 4, 4}, {64, 2, 5, 5, 3},
                  {133, 3, 5, 5, 3}, {200, 2, 3, 3, 3}
#endif
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        sweep_event(fields[i].players,
                    table_rule_range(fields[i].smallest, fields[i].largest, fields[i].preferred),
                    fields[i].planned);
}

TEST(work_is_bounded_at_every_size)
{
    if (getenv("TILLROLL_LONG") == NULL)
        skip();
    for (size_t players = 2; players <= COUNT_MAX; players++)
        sweep_size(players);
    printf("at most %u thousandths of the bound\n", most);
}

/* Where everybody has enough left, counted one by one, but all together have not, nothing is asked
 * that no round could answer. */
TEST(asks_for_no_more_rounds_than_there_are_pairs)
{
    struct pod_pairing pairing;
    /* Nine at four tables of two, two, two and three: 36 pairs, six a round. */
    sweep_event(9, table_rule_range(2, 3, 2), 2);
    event.field.request.later_rounds = 5;
    pairing = pair_field(&event.field);
    assert_int_equal(pairing.criteria.value[POD_P2_COMPLETION], 0);
    assert_true(pairing.exhaustive);
    pod_pairing_free(&pairing);
    event.field.request.version = 2;
    pairing = pair_field(&event.field);
    assert_int_equal(pairing.criteria.value[POD_P2_COMPLETION], 1);
    assert_int_equal(pairing.steps, 0);
    pod_pairing_free(&pairing);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
