/* What a test in C includes: cmocka, with the headers that it needs, and functions for it that do
 * not use the state that they are called with. */
#ifndef TILLROLL_TESTS_TEST_H
#define TILLROLL_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A test. */
#define TEST(name) static void name(__attribute__((unused)) void **state_unused)

/* What goes before a test, or after it. Returns 0, or another number if the test cannot be. */
#define FIXTURE(name) static int name(__attribute__((unused)) void **state_unused)

#endif
