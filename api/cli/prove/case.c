#include <stdio.h>
#include <stdlib.h>

#include "api/cli/cli.h"
#include "engine/game/worked_case.h"

static void say(void *context, const char *line)
{
    printf("%s: %s\n", (const char *)context, line);
}

int cli_case(const struct cli_given *given)
{
    const char *slug = cli_value(given, "ruleset");
    const struct game *game = cli_ruleset(slug);
    if (game == NULL)
        return cli_wrong_usage(given, NULL);
    struct worked_case_count total = {0, 0};
    for (int i = 0; i < given->words; i++) {
        size_t length;
        char *bytes = cli_read_file(given->word[i], &length);
        if (bytes == NULL)
            return EXIT_UNKNOWN;
        struct worked_case_count count =
            worked_cases_run(game, (struct span){bytes, length}, say, given->word[i]);
        total.held += count.held;
        total.failed += count.failed;
        free(bytes);
    }
    printf("%u cases hold, %u do not\n", total.held, total.failed);
    return total.failed == 0 ? EXIT_YES : EXIT_NO;
}
