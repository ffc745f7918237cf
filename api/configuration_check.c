#include "api/configuration_check.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/base/listen.h"
#include "api/push/witnesses.h"
#include "api/state/dealer_list.h"
#include "db/lines/line_databases.h"
#include "db/link/db.h"
#include "db/link/schema.h"
#include "db/store/games/archive.h"

enum { MESSAGE_MAX = 1024 };

static bool check_address(const char *address, struct text *error)
{
    if (address == NULL || listen_address_good(address))
        return true;
    text_add(error, address);
    text_add(error, ": not an address or a known name with port, such as 127.0.0.1:8080.");
    return false;
}

static bool check_listen(const struct configuration *configuration, struct text *error)
{
    return check_address(configuration->listen, error) &&
           check_address(configuration->metrics_listen, error);
}

/* Checks that the line databases can be reached; their places are compared with the schema
 * elsewhere. */
static bool check_line_databases(const struct configuration *configuration, struct text *error)
{
    bool good = true;
    (void)configuration;
    for (size_t place = 1; good && place <= line_databases_count(); place++) {
        struct db *db = db_open(line_database_url(place), true, error);
        good = db != NULL;
        db_close(db);
    }
    if (!good)
        text_add(error, " (--line-databases)");
    return good;
}

static bool check_replica(const struct configuration *configuration, struct text *error)
{
    if (configuration->replica == NULL)
        return true;
    struct db *db = db_open_standby(configuration->replica, error);
    if (db == NULL)
        text_add(error, " (--database-read, which names a standby)");
    db_close(db);
    return db != NULL;
}

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode) && access(path, R_OK | X_OK) == 0;
}

/* Records that were moved to files cannot be read without their directory. */
static bool check_archive(const struct configuration *configuration, struct text *error)
{
    if (configuration->archive != NULL) {
        if (is_directory(configuration->archive))
            return true;
        text_add(error, configuration->archive);
        text_add(error, ": not a directory that can be read, for --archive.");
        return false;
    }
    uint64_t count = 0;
    char unused[512];
    struct text why = TEXT_OVER(unused);
    struct db *db = db_open(configuration->database, true, &why);
    bool made;
    if (db != NULL && db_begin(db, true) == DB_OK && schema_is_made(db, &made) == DB_OK && made)
        (void)archive_count(db, &count);
    db_close(db);
    if (count > 0)
        text_add(error, "The database has archived records: name their directory with --archive.");
    return count == 0;
}

static bool check_witnesses(const struct configuration *configuration, struct text *error)
{
    if (configuration->witnesses == NULL)
        return true;
    struct witness_policy *policy = witness_policy_read(configuration->witnesses, error);
    bool good = policy != NULL;
    witness_policy_free(policy);
    return good;
}

static bool check_dealers(const struct configuration *configuration, struct text *error)
{
    if (configuration->dealers == NULL)
        return true;
    struct dealer_list *list = dealer_list_read(configuration->dealers, error);
    bool good = list != NULL;
    dealer_list_free(list);
    return good;
}

bool configuration_check(const struct configuration *configuration)
{
    static bool (*const checks[])(const struct configuration *, struct text *) = {
        check_listen,  check_line_databases, check_archive,
        check_replica, check_witnesses,      check_dealers};
    bool good = true;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        char message[MESSAGE_MAX];
        struct text error = TEXT_OVER(message);
        if (checks[i](configuration, &error))
            continue;
        fprintf(stderr, "tillrolld: %s\n", message);
        good = false;
    }
    return good;
}
