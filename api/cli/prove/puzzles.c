/* `tillroll puzzles`: positions of finished games in which one move is better than all others by
 * far, one JSON object a line. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/cli/cli.h"
#include "engine/analysis/puzzle_record.h"
#include "engine/log/bundle.h"

struct printer {
    unsigned long most;
    unsigned found; /* in this game */
};

static bool print_puzzle(void *context, json_t *document)
{
    struct printer *printer = context;
    cli_print_json(document, JSON_SORT_KEYS);
    (void)fflush(stdout);
    return ++printer->found < printer->most;
}

static int read_file(const char *path, unsigned long most)
{
    struct printer printer = {.most = most};
    const struct puzzle_reader reader = {.found = print_puzzle, .context = &printer};
    struct record_fault fault;
    struct bundle bundle;
    size_t length;
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return EXIT_UNKNOWN;
    bundle_split((struct span){bytes, length}, &bundle);
    enum replay_verdict verdict = puzzle_record_read(bundle.record, &reader, &fault);
    if (verdict != REPLAY_VALID) {
        cli_print_fault(stderr, path, verdict, &fault);
        cli_tell_kind(path, bytes, false);
    }
    free(bytes);
    return verdict == REPLAY_VALID ? EXIT_YES : verdict == REPLAY_INVALID ? EXIT_NO : EXIT_UNKNOWN;
}

int cli_puzzles(const struct cli_given *given)
{
    unsigned long most;
    int status = EXIT_YES;
    if (!cli_value_number(given, "most", 1, 1000, 1000, &most))
        return cli_wrong_usage(given, NULL);
    for (int i = 0; i < given->words; i++) {
        int read = read_file(given->word[i], most);
        status = read > status ? read : status;
    }
    return status;
}
