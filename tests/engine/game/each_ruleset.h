/* For the suites that run for every ruleset. */
#ifndef TILLROLL_TESTS_ENGINE_GAME_EACH_RULESET_H
#define TILLROLL_TESTS_ENGINE_GAME_EACH_RULESET_H

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "engine/game/catalog.h"

/* A program's end: `run`, which returns how many tests failed, for every ruleset, or those with the
 * slug argv[1]; there must be one. */
static inline int each_ruleset(int argc, char **argv, int (*run)(const struct game *game))
{
    int failed = 0;
    unsigned rulesets = 0;
    if (sodium_init() < 0)
        return 1;
    for (size_t i = 0; catalog_at(i) != NULL; i++) {
        if (argc > 1 && strcmp(argv[1], catalog_at(i)->slug) != 0)
            continue;
        rulesets++;
        failed += run(catalog_at(i));
    }
    if (rulesets == 0)
        fprintf(stderr, "the catalogue has no %s\n", argc > 1 ? argv[1] : "ruleset");
    return failed == 0 && rulesets > 0 ? 0 : 1;
}

#endif
