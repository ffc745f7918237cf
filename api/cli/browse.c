/* Public data: events, rounds, standings, ratings, games, as tables or JSON. */
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/session.h"
#include "api/cli/table.h"

#define COUNT(columns) (sizeof(columns) / sizeof(columns)[0])

enum { PATH_BYTES = 256 };

/* Reads a document and prints it with `print`, or as JSON. */
static int show(const struct cli_given *given, const char *path, bool needed,
                void (*print)(const json_t *document))
{
    struct client *client = session_client(given, needed);
    json_t *document = client == NULL ? NULL : client_need(client, "GET", path, NULL);
    return session_end(given, client, document, print);
}

/* Appends a limit, as in `/v1/events?limit=20`. False with a message. */
static bool add_limit(const struct cli_given *given, struct text *path)
{
    unsigned long limit;
    if (!cli_value_number(given, "limit", 1, 100, 20, &limit))
        return false;
    text_add(path, strchr(path->at, '?') == NULL ? "?limit=" : "&limit=");
    text_add_number(path, (int64_t)limit);
    return true;
}

/* Shows the document at `/v1/events/<first argument>` + rest. */
static int show_of_event(const struct cli_given *given, const char *rest, bool list,
                         void (*print)(const json_t *document))
{
    char bytes[PATH_BYTES];
    char id[37];
    struct text path = TEXT_OVER(bytes);
    if (session_id(given->word[0], id) == NULL)
        return EXIT_UNKNOWN;
    text_add_all(&path, "/v1/events/", id, rest);
    if (list && !add_limit(given, &path))
        return EXIT_UNKNOWN;
    return show(given, bytes, false, print);
}

/* ---- Events ---- */

static void print_events(const json_t *document)
{
    static const struct column columns[] = {
        {"id", "id", false},         {"state", "state", false},    {"game", "ruleset.slug", false},
        {"format", "format", false}, {"entries", "entries", true}, {"name", "name", false}};
    table_print(json_object_get(document, "items"), columns, COUNT(columns), "no events");
}

int cli_events(const struct cli_given *given)
{
    char bytes[PATH_BYTES];
    struct text path = TEXT_OVER(bytes);
    text_add(&path, "/v1/events");
    return add_limit(given, &path) ? show(given, bytes, false, print_events) : EXIT_UNKNOWN;
}

static void print_event(const json_t *document)
{
    static const struct column members[] = {{"name", "name", false},
                                            {"id", "id", false},
                                            {"state", "state", false},
                                            {"game", "ruleset.title", false},
                                            {"format", "format", false},
                                            {"rounds planned", "rounds.planned", false},
                                            {"rounds started", "rounds.started", false},
                                            {"entries", "entries", false},
                                            {"waiting", "waiting", false},
                                            {"organizer", "organizer.name", false},
                                            {"made", "created_at", false}};
    table_print_members(document, members, COUNT(members));
}

int cli_event_show(const struct cli_given *given)
{
    return show_of_event(given, "", false, print_event);
}

static void print_entries(const json_t *document)
{
    static const struct column columns[] = {{"number", "number", true},
                                            {"state", "state", false},
                                            {"player", "player.name", false},
                                            {"id", "player.id", false}};
    table_print(json_object_get(document, "items"), columns, COUNT(columns), "no entries");
}

int cli_event_entries(const struct cli_given *given)
{
    return show_of_event(given, "/entries", false, print_entries);
}

static void print_log(const json_t *document)
{
    static const struct column columns[] = {{"line", "seq", true},
                                            {"time", "at", false},
                                            {"by", "by.name", false},
                                            {"what", "kind", false},
                                            {"", "detail", false}};
    table_print(json_object_get(document, "items"), columns, COUNT(columns), "nothing");
}

int cli_event_log(const struct cli_given *given)
{
    return show_of_event(given, "/log", true, print_log);
}

static void print_standings(const json_t *document)
{
    static const struct column columns[] = {{"place", "rank", true},
                                            {"points", "points.text", true},
                                            {"played", "played", true},
                                            {"player", "player.name", false}};
    table_print(json_object_get(document, "rows"), columns, COUNT(columns), "no standings yet");
}

int cli_standings(const struct cli_given *given)
{
    char bytes[64];
    struct text rest = TEXT_OVER(bytes);
    unsigned long round;
    if (!cli_value_number(given, "after-round", 1, 1000, 0, &round))
        return EXIT_UNKNOWN;
    text_add(&rest, "/standings");
    if (round > 0) {
        text_add(&rest, "?after_round=");
        text_add_number(&rest, (int64_t)round);
    }
    return show_of_event(given, bytes, false, print_standings);
}

/* ---- Rounds ---- */

/* Prints the players without a seat, and the reason. */
static void print_byes(const json_t *round)
{
    size_t i;
    json_t *bye;
    json_array_foreach(json_object_get(round, "byes"), i, bye)
    {
        table_say(stdout, "no seat  %s  %s\n", json_string_value(json_object_get(bye, "kind")),
                  json_string_value(table_find(bye, "player.name")));
    }
}

/* Prints a line for each table: players, with their scores if there are any. */
static void print_tables(const json_t *round)
{
    size_t i;
    size_t at;
    json_t *game;
    json_t *seat;
    table_say(stdout, "round %lld, %s\n",
              (long long)json_integer_value(json_object_get(round, "number")),
              json_string_value(json_object_get(round, "state")));
    json_array_foreach(json_object_get(round, "games"), i, game)
    {
        const json_t *board = table_find(game, "event.board");
        printf("table %lld  ", (long long)json_integer_value(table_find(game, "event.table")));
        if (json_is_integer(board))
            printf("board %lld  ", (long long)json_integer_value(board));
        table_say(stdout, "%s  %s  ", json_string_value(json_object_get(game, "id")),
                  json_string_value(json_object_get(game, "state")));
        json_array_foreach(json_object_get(game, "seats"), at, seat)
        {
            const json_t *score = json_object_get(seat, "score");
            const char *name = json_string_value(table_find(seat, "player.name"));
            table_say(stdout, "%s%s", at == 0 ? "" : ", ", name == NULL ? "?" : name);
            if (json_is_integer(score))
                printf(" %lld", (long long)json_integer_value(score));
        }
        printf("\n");
    }
    print_byes(round);
}

/* The number of the newest round, 0 for none. */
static long long newest_round(struct client *client, const char *event)
{
    json_t *document =
        client_need(client, "GET", client_path(client, "/v1/events/", event, ""), NULL);
    long long number = json_integer_value(table_find(document, "rounds.started"));
    json_decref(document);
    return number;
}

int cli_pairings(const struct cli_given *given)
{
    char id[37];
    char bytes[64];
    struct text rest = TEXT_OVER(bytes);
    unsigned long round = 0;
    if (session_id(given->word[0], id) == NULL ||
        (given->words > 1 && !cli_number(given->word[1], "ROUND", 1, 1000, &round)))
        return EXIT_UNKNOWN;
    if (round == 0) {
        struct client *client = session_client(given, false);
        round = client == NULL ? 0 : (unsigned long)newest_round(client, id);
        client_free(client);
    }
    if (round == 0) {
        fprintf(stderr, "tillroll: no round has been started\n");
        return EXIT_NO;
    }
    text_add(&rest, "/rounds/");
    text_add_number(&rest, (int64_t)round);
    return show_of_event(given, bytes, false, print_tables);
}

/* ---- Ratings and games ---- */

static void print_leaderboard(const json_t *document)
{
    static const char none[] = "no rated players yet";
    static const struct column rated[] = {
        {"rating", "display.rating", true},       {"deviation", "display.deviation", true},
        {"ranked by", "display.ranked_by", true}, {"games", "games", true},
        {"provisional", "provisional", false},    {"player", "player.name", false}};
    static const struct column alone[] = {{"mean percentile (%)", "percentile.text", true},
                                          {"games", "games", true},
                                          {"player", "player.name", false}};
    const json_t *items = json_object_get(document, "items");
    if (table_find(json_array_get(items, 0), "percentile") != NULL)
        table_print(items, alone, COUNT(alone), none);
    else
        table_print(items, rated, COUNT(rated), none);
}

static bool is_scope(const char *scope)
{
    return scope[strspn(scope, "abcdefghijklmnopqrstuvwxyz0123456789.-")] == '\0';
}

int cli_leaderboard(const struct cli_given *given)
{
    char bytes[PATH_BYTES];
    struct text path = TEXT_OVER(bytes);
    const char *scope = cli_value(given, "scope");
    text_add(&path, "/v1/leaderboard?scope=");
    text_add(&path, scope == NULL ? "overall" : scope);
    if (path.overflow || (scope != NULL && !is_scope(scope))) {
        fprintf(stderr, "tillroll: unknown scope\n");
        return EXIT_UNKNOWN;
    }
    return add_limit(given, &path) ? show(given, bytes, false, print_leaderboard) : EXIT_UNKNOWN;
}

static void print_games(const json_t *document)
{
    static const struct column columns[] = {{"id", "id", false},
                                            {"state", "state", false},
                                            {"game", "ruleset.slug", false},
                                            {"round", "event.round", true},
                                            {"table", "event.table", true},
                                            {"begun", "started_at", false}};
    table_print(json_object_get(document, "items"), columns, COUNT(columns), "no games");
}

int cli_games(const struct cli_given *given)
{
    char bytes[PATH_BYTES];
    struct text path = TEXT_OVER(bytes);
    text_add(&path, "/v1/me/games");
    if (cli_value(given, "running") != NULL)
        text_add(&path, "?state=running");
    return add_limit(given, &path) ? show(given, bytes, true, print_games) : EXIT_UNKNOWN;
}
