#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/cli/cli.h"
#include "engine/worked_case.h"

static const char usage[] = "usage: tillroll case --ruleset SLUG FILE...\n"
                            "Runs worked cases. Exit 0 if all hold.\n";

static void say(void *context, const char *line)
{
    printf("%s: %s\n", (const char *)context, line);
}

int cli_case(int argc, char **argv)
{
    static const struct option options[] = {{"ruleset", required_argument, NULL, 'r'}, {0}};
    const char *slug = NULL;
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c != 'r') {
            fputs(usage, stderr);
            return EXIT_UNKNOWN;
        }
        slug = optarg;
    }
    const struct game *game = cli_ruleset(slug);
    if (game == NULL || optind == argc) {
        fputs(usage, stderr);
        return EXIT_UNKNOWN;
    }
    struct worked_case_count total = {0, 0};
    for (int i = optind; i < argc; i++) {
        size_t length;
        char *bytes = cli_read_file(argv[i], &length);
        if (bytes == NULL)
            return EXIT_UNKNOWN;
        struct worked_case_count count =
            worked_cases_run(game, (struct span){bytes, length}, say, argv[i]);
        total.held += count.held;
        total.failed += count.failed;
        free(bytes);
    }
    printf("%u cases hold, %u do not\n", total.held, total.failed);
    return total.failed == 0 ? EXIT_YES : EXIT_NO;
}
