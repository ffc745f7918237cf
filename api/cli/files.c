#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/cli/cli.h"
#include "db/link/db.h"
#include "engine/base/arena.h"
#include "engine/game/catalog.h"
#include "engine/search/level.h"

enum { FILE_MAX = 64 * 1024 * 1024 };

bool cli_fail(const char *what, const char *why)
{
    fprintf(stderr, "tillroll: %s: %s\n", what, why);
    return false;
}

bool cli_refuse(const char *sentence)
{
    fprintf(stderr, "tillroll: %s\n", sentence);
    return false;
}

static volatile sig_atomic_t stopping;

static void stop(int signal_number)
{
    (void)signal_number;
    stopping = 1;
}

void cli_hear_signals(void)
{
    const struct sigaction action = {.sa_handler = stop};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
}

bool cli_is_stopping(void)
{
    return stopping != 0;
}

bool cli_write(int file, struct span bytes)
{
    while (bytes.length > 0) {
        ssize_t written = write(file, bytes.at, bytes.length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes.at += written;
        bytes.length -= (size_t)written;
    }
    return true;
}

static char *read_all(FILE *file, size_t *length)
{
    size_t capacity = 1 << 16;
    char *bytes = malloc(capacity);
    *length = 0;
    while (bytes != NULL) {
        *length += fread(bytes + *length, 1, capacity - *length - 1, file);
        if (*length < capacity - 1)
            break;
        if (capacity > FILE_MAX) {
            errno = EFBIG;
            free(bytes);
            return NULL;
        }
        capacity *= 2;
        char *more = realloc(bytes, capacity);
        if (more == NULL)
            free(bytes);
        bytes = more;
    }
    if (bytes == NULL || ferror(file)) {
        free(bytes);
        return NULL;
    }
    bytes[*length] = '\0';
    return bytes;
}

char *cli_read_file(const char *path, size_t *length)
{
    bool standard_input = path == NULL || strcmp(path, "-") == 0;
    FILE *file = standard_input ? stdin : fopen(path, "rb");
    char *bytes = file == NULL ? NULL : read_all(file, length);
    if (bytes == NULL)
        fprintf(stderr, "tillroll: cannot read %s: %s\n", standard_input ? "standard input" : path,
                strerror(errno));
    if (file != NULL && !standard_input)
        fclose(file);
    return bytes;
}

const char *cli_binary_kind(const char *bytes)
{
    static const struct {
        const char *begin, *kind;
    } known[] = {
        {"\x1f\x8b", "compressed with gzip"},
        {"\xfd\x37zXZ", "compressed with xz"},
        {"\x28\xb5\x2f\xfd", "compressed with zstd"},
        {"PK\x03\x04", "a ZIP archive"},
        {"\x7f\x45LF", "a program"},
        {"%PDF-", "a PDF document"},
        {"\x89PNG", "a picture"},
        {"\xff\xd8\xff", "a picture"},
        {"SQLite format 3", "a database"},
    };
    enum { LOOKED_AT = 512 };
    if (bytes[0] == '\0')
        return "empty, or a binary file";
    if (strncmp(bytes, "tillroll ", strlen("tillroll ")) == 0) /* a record, even if damaged */
        return NULL;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strncmp(bytes, known[i].begin, strlen(known[i].begin)) == 0)
            return known[i].kind;
    for (size_t i = 0; i < LOOKED_AT && bytes[i] != '\0'; i++)
        if ((unsigned char)bytes[i] < ' ' && strchr("\t\n\r", bytes[i]) == NULL)
            return "a binary file";
    return NULL;
}

void cli_tell_kind(const char *path, const char *bytes, bool wants_event)
{
    static const char event[] = "{\"bundle\":", game[] = "tillroll ";
    if (!wants_event && strncmp(bytes, event, sizeof event - 1) == 0)
        fprintf(stderr, "tillroll: %s is the bundle of an event; `tillroll event` checks it\n",
                path);
    else if (wants_event && strncmp(bytes, game, sizeof game - 1) == 0)
        fprintf(stderr, "tillroll: %s is of a single game; `tillroll verify` checks it\n", path);
    else if (cli_binary_kind(bytes) != NULL)
        fprintf(stderr, "tillroll: %s is %s; records and bundles are text\n", path,
                cli_binary_kind(bytes));
}

const struct game *cli_ruleset(const char *slug)
{
    const struct game *game = slug == NULL ? NULL : catalog_named(span_of(slug));
    if (game != NULL)
        return game;
    fprintf(stderr, "tillroll: --ruleset takes one of:");
    for (size_t i = 0; catalog_at(i) != NULL; i++)
        fprintf(stderr, " %s@%s", catalog_at(i)->slug, catalog_at(i)->version);
    fprintf(stderr, "\n");
    return NULL;
}

const struct level *cli_level(const char *name)
{
    const struct level *level = level_named(span_of(name));
    if (level != NULL)
        return level;
    fprintf(stderr, "tillroll: there is no level %s; the levels are", name);
    for (size_t i = 0; level_at(i) != NULL; i++)
        fprintf(stderr, "%s %s", i == 0 ? "" : ",", level_at(i)->name);
    fprintf(stderr, "\n");
    return NULL;
}

struct db *cli_database(const char *url, bool service)
{
    char bytes[1024];
    struct text error = TEXT_OVER(bytes);
    struct db *db = db_open(url, service, &error);
    if (db == NULL)
        cli_refuse(bytes);
    return db;
}

void cli_print_json(json_t *document, size_t flags)
{
    char *text = must(json_dumps(document, JSON_COMPACT | flags));
    json_decref(document);
    printf("%s\n", text);
    free(text);
}
