/* The Dutch system: against the pairings of another program, against all pairings of small fields,
 * and by its properties. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "dutch_event.h"
#include "dutch_reference.h"

static struct event event;
static void *work;
static char *stored;
static size_t stored_length;

static int set_up(void **state)
{
    const char *path = TILLROLL_SOURCE_DIR "/tests/engine/vectors/dutch/pairings.txt";
    FILE *file = fopen(path, "rb");
    (void)state;
    work = malloc(dutch_work_size(EVENT_PLAYERS_MAX));
    stored = malloc(1 << 20);
    if (file == NULL || work == NULL || stored == NULL)
        return -1;
    stored_length = fread(stored, 1, 1 << 20, file);
    return fclose(file);
}

static int tear_down(void **state)
{
    (void)state;
    free(work);
    free(stored);
    return 0;
}

/* ---- Against another program ---- */

static int compare_whites(const void *a, const void *b)
{
    const struct dutch_pair *first = a, *second = b;
    return (int)first->white - (int)second->white;
}

static void sort_by_white(struct dutch_pair *pairs, size_t count)
{
    qsort(pairs, count, sizeof *pairs, compare_whites);
}

static void assert_same_pairs(const struct dutch_pair *pairs, size_t count,
                              struct dutch_pair *expected, size_t expected_count)
{
    struct dutch_pair sorted[EVENT_PLAYERS_MAX];
    memcpy(sorted, pairs, count * sizeof *pairs);
    sort_by_white(sorted, count);
    sort_by_white(expected, expected_count);
    assert_int_equal(count, expected_count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(sorted[i].white, expected[i].white);
        assert_int_equal(sorted[i].black, expected[i].black);
    }
}

/* What a pairing has to keep whatever it is compared with. */
static void assert_lawful(const struct dutch_request *request, const struct dutch_pair *pairs,
                          size_t count)
{
    size_t present = 0, paired = 0;
    for (size_t i = 0; i < request->player_count; i++)
        present += request->players[i].present;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pairs[i].cost[DUTCH_C1], 0);
        assert_int_equal(pairs[i].cost[DUTCH_C2], 0);
        assert_int_equal(pairs[i].cost[DUTCH_C3], 0);
        assert_true(pairs[i].black != DUTCH_NOBODY || i + 1 == count);
        paired += pairs[i].black == DUTCH_NOBODY ? 1 : 2;
    }
    assert_int_equal(paired, present);
}

static void replay_round(struct span line, unsigned *rounds)
{
    struct dutch_pair pairs[EVENT_PLAYERS_MAX], expected[EVENT_PLAYERS_MAX];
    struct refusal refusal = {0};
    size_t count, expected_count;
    struct dutch_request request = event_open(&event);
    bool paired = dutch_pair_round(&request, work, pairs, &count, &refusal);
    (*rounds)++;
    if (span_is(line, "none")) {
        assert_false(paired);
        assert_string_equal(refusal.code, DUTCH_REFUSAL_IMPOSSIBLE);
        return;
    }
    assert_true(paired);
    assert_true(event_read_pairs(&event, line, expected, &expected_count));
    assert_same_pairs(pairs, count, expected, expected_count);
    assert_lawful(&request, pairs, count);
    event_play(&event, pairs, count);
}

static void test_stored_pairings(void **state)
{
    struct span rest = {stored, stored_length}, line;
    unsigned rounds = 0, events = 0;
    (void)state;
    while (span_line(&rest, &line)) {
        struct span number = line;
        if (span_is(span_word(&number), "event")) {
            uint64_t value;
            assert_true(span_number(number, UINT32_MAX, &value));
            event_start(&event, value);
            events++;
        } else {
            replay_round(line, &rounds);
        }
    }
    assert_true(events >= 300);
    assert_true(rounds >= 2000);
}

/* ---- Against all pairings of small fields ---- */

static void assert_is_best(const struct dutch_request *request, const struct dutch_pair *pairs,
                           size_t count, struct reference *reference)
{
    uint16_t rank_of[EVENT_PLAYERS_MAX];
    for (uint16_t rank = 0; rank < reference->count; rank++)
        rank_of[reference->order[rank]] = rank;
    for (size_t i = 0; i < count; i++) {
        int mate = reference->best_mate[rank_of[pairs[i].white]];
        if (pairs[i].black == DUTCH_NOBODY)
            assert_int_equal(mate, -1);
        else
            assert_int_equal(mate, rank_of[pairs[i].black]);
    }
    assert_lawful(request, pairs, count);
}

static void test_brute_force(void **state)
{
    static struct reference reference;
    unsigned rounds = 0;
    (void)state;
    for (uint64_t number = 5001; number <= 5600; number++) {
        struct dutch_pair pairs[EVENT_PLAYERS_MAX];
        struct refusal refusal;
        size_t count;
        bool paired = true;
        event_start(&event, number);
        while (event.count <= REFERENCE_PLAYERS && paired && event.played < event.rounds) {
            struct dutch_request request = event_open(&event);
            reference_pair(&reference, &request, work);
            paired = dutch_pair_round(&request, work, pairs, &count, &refusal);
            assert_int_equal(paired, reference.found);
            if (!paired)
                break;
            assert_is_best(&request, pairs, count, &reference);
            event_play(&event, pairs, count);
            rounds++;
        }
    }
    assert_true(rounds >= 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stored_pairings),
        cmocka_unit_test(test_brute_force),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
