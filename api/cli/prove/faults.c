/* Printing what is wrong with a file. */
#include "api/cli/cli.h"
#include "api/cli/table.h"
#include "engine/log/bundle.h"

void cli_print_lines(FILE *file, const char *path, const struct text *said)
{
    struct span rest = text_span(said);
    struct span line;
    while (span_line(&rest, &line))
        table_say(file, "%s: %.*s\n", path, (int)line.length, line.at);
}

void cli_print_fault(FILE *file, const char *path, enum replay_verdict verdict,
                     const struct record_fault *fault)
{
    char bytes[VERDICT_LINE_MAX];
    struct text said = TEXT_OVER(bytes);
    verdict_say_fault(verdict, fault, &said);
    cli_print_lines(file, path, &said);
}
