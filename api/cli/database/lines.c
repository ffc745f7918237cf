/* `tillroll lines`: joins line databases to the central one, removes lines of finished games from
 * them, and leaves them (db/lines/line_databases.h). */
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "db/lines/line_databases.h"
#include "db/lines/line_games.h"
#include "db/lines/line_setup.h"
#include "db/link/db.h"
#include "db/store/games/records.h"

enum { PAGE = 500 };

/* A pass over the games of one line database, page by page. */
struct walk {
    struct db *db;    /* the central database */
    struct db *lines; /* the line database, as the owner */
    size_t done;      /* lines copied, or rows removed */
    bool (*page)(struct walk *walk, struct arena *arena, const struct line_game *games,
                 size_t count);
};

static bool read_page(struct walk *walk, struct arena *arena, const struct id *after,
                      struct line_game **games, size_t *count)
{
    enum db_status status = db_begin(walk->lines, true);
    if (status == DB_OK)
        status = line_games(walk->lines, arena, after, PAGE, games, count);
    db_rollback(walk->lines);
    return status == DB_OK || cli_refuse(db_last_error(walk->lines));
}

static bool walk_games(struct walk *walk)
{
    struct id after = {""};
    size_t count = PAGE;
    bool good = true;
    while (good && count == PAGE) {
        struct arena arena = {NULL};
        struct line_game *games;
        good = read_page(walk, &arena, &after, &games, &count) &&
               (count == 0 || walk->page(walk, &arena, games, count));
        if (good && count > 0)
            after = games[count - 1].id;
        arena_free(&arena);
    }
    return good;
}

static bool walk_place(struct walk *walk, size_t place)
{
    walk->lines = cli_database(line_database_url(place), false);
    bool good = walk->lines != NULL && walk_games(walk);
    db_close(walk->lines);
    if (!good)
        fprintf(stderr, "tillroll: line database %zu is left as it is\n", place);
    return good;
}

/* Walks all line databases. If one cannot be reached, the others are processed nevertheless. */
static bool walk_all(const char *url, struct walk *walk)
{
    walk->db = cli_database(url, false);
    bool good = walk->db != NULL;
    for (size_t place = 1; walk->db != NULL && place <= line_databases_count(); place++)
        good = walk_place(walk, place) && good;
    db_close(walk->db);
    return good;
}

/* ---- Settling ---- */

static bool settle(struct walk *walk, const struct id *game)
{
    size_t copied = 0;
    enum db_status status = db_begin(walk->db, false);
    if (status == DB_OK)
        status = record_settle(walk->db, game, &copied);
    if (status == DB_OK)
        status = db_commit(walk->db);
    db_rollback(walk->db);
    walk->done += copied;
    if (status == DB_OK)
        return true;
    fprintf(stderr, "tillroll: the lines of game %s: ", game->text);
    return cli_refuse(db_last_error(walk->db));
}

static bool settle_page(struct walk *walk, struct arena *arena, const struct line_game *games,
                        size_t count)
{
    bool good = true;
    (void)arena;
    for (size_t i = 0; good && i < count; i++)
        good = settle(walk, &games[i].id);
    return good;
}

/* ---- Sweeping ---- */

static bool sweep_page(struct walk *walk, struct arena *arena, const struct line_game *games,
                       size_t count)
{
    struct id *over;
    size_t over_count = 0;
    size_t rows = 0;
    enum db_status status = db_begin(walk->db, true);
    if (status == DB_OK)
        status = line_games_over(walk->db, arena, games, count, &over, &over_count);
    db_rollback(walk->db);
    if (status != DB_OK)
        return cli_refuse(db_last_error(walk->db));
    status = db_begin(walk->lines, false);
    if (status == DB_OK)
        status = line_games_remove(walk->lines, over, over_count, &rows);
    if (status == DB_OK)
        status = db_commit(walk->lines);
    db_rollback(walk->lines);
    walk->done += rows;
    return status == DB_OK || cli_refuse(db_last_error(walk->lines));
}

/* ---- The command ---- */

static bool join(const char *url)
{
    char message[640];
    struct text error = TEXT_OVER(message);
    if (!line_setup_join(url, &error))
        return cli_refuse(message);
    printf("%zu line databases are joined\n", line_databases_count());
    return true;
}

static bool leave(const char *url)
{
    char message[640];
    struct text error = TEXT_OVER(message);
    struct walk walk = {.page = settle_page};
    if (!line_setup_close(url, &error))
        return cli_refuse(message);
    if (!walk_all(url, &walk))
        return false;
    if (!line_setup_leave(url, &error))
        return cli_refuse(message);
    printf("%zu lines are moved to the central database, which is alone again\n", walk.done);
    return true;
}

static bool sweep(const char *url)
{
    struct walk walk = {.page = sweep_page};
    bool good = walk_all(url, &walk);
    printf("%zu rows of finished games are removed\n", walk.done);
    return good;
}

int cli_lines(const struct cli_given *given)
{
    char message[160];
    struct text error = TEXT_OVER(message);
    const char *url = db_url(cli_value(given, "database"));
    const char *list = cli_value(given, "line-databases");
    bool (*act)(const char *url) = strcmp(given->word[0], "join") == 0    ? join
                                   : strcmp(given->word[0], "leave") == 0 ? leave
                                   : strcmp(given->word[0], "sweep") == 0 ? sweep
                                                                          : NULL;
    if (url == NULL)
        return cli_wrong_usage(given, DB_URL_ADVICE);
    if (act == NULL)
        return cli_wrong_usage(given, "join, leave or sweep");
    if (!line_databases_use(list == NULL ? getenv("TILLROLL_LINE_DATABASES") : list, false, 1,
                            &error))
        return cli_wrong_usage(given, message);
    if (line_databases_count() == 0)
        return cli_wrong_usage(given, "name them with --line-databases or TILLROLL_LINE_DATABASES");
    bool done = act(url);
    line_databases_end();
    return done ? EXIT_YES : EXIT_NO;
}
