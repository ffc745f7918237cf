/* For the tests of Super Motherload: a position from the set-up lines of a worked case. */
#ifndef TILLROLL_TESTS_MOTHERLOAD_POSITION_H
#define TILLROLL_TESTS_MOTHERLOAD_POSITION_H

#include <string.h>

#include "engine/games/super-motherload/rules.h"

/* Lines that have no meaning fail the running test. Include cmocka.h first. */
static inline void load_position(struct motherload_state *state, const char *text)
{
    struct case_line lines[24];
    struct chance_stacks stacks = {.count = 0};
    struct chance chance = {.stacks = &stacks};
    char bytes[200];
    struct text error = TEXT_OVER(bytes);
    struct span rest = span_of(text);
    struct span line;
    size_t count = 0;
    while (span_line(&rest, &line)) {
        assert_true(count < sizeof lines / sizeof lines[0]);
        lines[count].key = span_word(&line);
        lines[count++].rest = line;
    }
    memset(state, 0, sizeof *state);
    if (!motherload_load(state, lines, count, &stacks, &chance, &error))
        fail_msg("%s", bytes);
}

#endif
