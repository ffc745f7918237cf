/* What a test in C includes: cmocka, with the headers that it needs, and the list of tests.
 *
 *     TEST(test_words) { ... }          run by run_all_tests(), in the order of the file
 *     LISTED_TEST(test_of_a_game) { ... }    with set-ups of its own: for a list in main()
 *     FIXTURE(start_up) { ... }         what goes before or after a test, or all of them
 */
#ifndef TILLROLL_TESTS_TEST_H
#define TILLROLL_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { TESTS_MAX = 64 };

static struct CMUnitTest added_tests[TESTS_MAX]; /* in the order of their lines */
static int added_lines[TESTS_MAX];
static size_t added_count;

/* Called before main(), for each TEST() of a file and in any order: adds the one at this line. */
static inline void add_test(const char *name, CMUnitTestFunction function, int line)
{
    size_t i = added_count++;
    if (i == TESTS_MAX)
        abort();
    for (; i > 0 && added_lines[i - 1] > line; i--) {
        added_tests[i] = added_tests[i - 1];
        added_lines[i] = added_lines[i - 1];
    }
    added_tests[i] = (struct CMUnitTest){name, function, NULL, NULL, NULL};
    added_lines[i] = line;
}

/* Runs every TEST() of the file between `setup` and `teardown` (NULL for none). Returns how many
 * failed, or another number than 0 if `setup` did; a file without tests fails. */
static inline int run_all_tests(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    return added_count == 0
               ? 1
               : _cmocka_run_group_tests("tests", added_tests, added_count, setup, teardown);
}

#define LISTED_TEST(name) static void name(__attribute__((unused)) void **state_unused)

#define TEST(name)                                                                                 \
    LISTED_TEST(name);                                                                             \
    __attribute__((constructor)) static void add_##name(void)                                      \
    {                                                                                              \
        add_test(#name, name, __LINE__);                                                           \
    }                                                                                              \
    LISTED_TEST(name)

/* Returns 0, or another number if the tests cannot be run. */
#define FIXTURE(name) static int name(__attribute__((unused)) void **state_unused)

#endif
