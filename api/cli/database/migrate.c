/* `tillroll migrate`: brings a database up to date. */
#include <stdio.h>

#include "api/cli/cli.h"
#include "db/link/db.h"
#include "db/link/migrate.h"
#include "source_dir.h"

static void say(void *context, const char *line)
{
    (void)context;
    printf("applied %s\n", line);
}

int cli_migrate(const struct cli_given *given)
{
    const char *url = db_url(cli_value(given, "database"));
    const char *directory = cli_value(given, "directory");
    char buffer[1024];
    struct text error = TEXT_OVER(buffer);
    if (url == NULL)
        return cli_wrong_usage(given, DB_URL_ADVICE);
    if (migrate(url, directory == NULL ? TILLROLL_SOURCE_DIR "/db/migrations" : directory, say,
                NULL, &error))
        return EXIT_YES;
    cli_refuse(buffer);
    return EXIT_NO;
}
