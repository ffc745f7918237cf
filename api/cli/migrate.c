/* `tillroll migrate`: brings a database up to date. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/cli/cli.h"
#include "db/migrate.h"

static const char usage[] =
    "usage: tillroll migrate [--database URL] [--directory DIR]\n"
    "Applies the migrations that the database lacks. The URL is $DATABASE_URL if not given.\n";

static void say(void *context, const char *line)
{
    (void)context;
    printf("applied %s\n", line);
}

int cli_migrate(int argc, char **argv)
{
    static const struct option options[] = {{"database", required_argument, NULL, 'd'},
                                            {"directory", required_argument, NULL, 'i'},
                                            {0}};
    const char *url = getenv("DATABASE_URL");
    const char *directory = TILLROLL_SOURCE_DIR "/db/migrations";
    bool understood = true;
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c == 'd')
            url = optarg;
        else if (c == 'i')
            directory = optarg;
        else
            understood = false;
    }
    if (!understood || url == NULL || optind != argc) {
        fputs(usage, stderr);
        return EXIT_UNKNOWN;
    }
    char buffer[1024];
    struct text error = TEXT_OVER(buffer);
    if (migrate(url, directory, say, NULL, &error))
        return EXIT_YES;
    fprintf(stderr, "tillroll: %s\n", buffer);
    return EXIT_NO;
}
