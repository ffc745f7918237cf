/* `bench_fill COMMAND [OPTION]...`: fills a scratch database for benches, as the service would have
 * left it if it had been used for long. The database is migrated; DATABASE_URL names a user who may
 * act as the tables' owner.
 *
 *      players --count N                     players with tokens, appended to the file of tokens
 *      running --ruleset SLUG --count N      running games in which --plies plies have been played;
 *              --script FILE                 what is left of each, or its next --moves plies,
 *                                            goes to the file (form: api/cli/load/load_script.h)
 *      finished --ruleset SLUG|all --count N finished games, revealed, with results and ratings
 *      event --ruleset SLUG --count N        an event with N entries and --rounds finished rounds;
 *                                            prints its id
 *
 *      --tokens FILE    the players to seat (all commands)
 *      --secrets DIR    the server's keys
 *      --seats N        seats at a table (0 = from the fewest to the most in turn)
 *      --seed N         other games with another number
 *      --unchecked      without the database's check of the chain, for large fillings
 *
 * Prints how many lines a second were stored. */
#include <getopt.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/game/catalog.h"
#include "fill_event.h"
#include "fill_store.h"

struct fill {
    const char *tokens, *secrets, *ruleset, *script;
    unsigned long count, seats, plies, moves, rounds, seed;
    bool unchecked;
    struct fill_store store;
    struct fill_players players;
    struct fill_maker maker;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int64_t now_ms(void)
{
    return (int64_t)time(NULL) * 1000;
}

static void fail(const char *message)
{
    (void)fprintf(stderr, "bench_fill: %s\n", message);
    exit(2);
}

/* The ruleset of game `number`, and how many seats it has. */
static const struct game *choose_game(const struct fill *fill, size_t number, unsigned *seats)
{
    size_t rulesets = 0;
    while (catalog_at(rulesets) != NULL)
        rulesets++;
    bool all = strcmp(fill->ruleset, "all") == 0;
    const struct game *game =
        all ? catalog_at(number % rulesets) : catalog_newest(span_of(fill->ruleset));
    if (game == NULL)
        fail("there is no such ruleset");
    size_t turn = all ? number / rulesets : number;
    *seats = fill->seats > 0
                 ? (unsigned)fill->seats
                 : game->seats_min + (unsigned)(turn % (game->seats_max - game->seats_min + 1));
    if (*seats < game->seats_min || *seats > game->seats_max)
        fail("the ruleset is not played with so many seats");
    return game;
}

/* Players are seated in turn, so that every one has as many games. */
static void seat_players(const struct fill *fill, size_t first, unsigned seats,
                         struct fill_seating *seating)
{
    if (fill->players.count < seats)
        fail("there are too few players");
    for (unsigned seat = 0; seat < seats; seat++)
        seating->player[seat] = (first + seat) % fill->players.count;
}

static void write_script(const struct fill *fill, size_t rows, const struct fill_seating *seating,
                         FILE *file)
{
    const struct fill_game *game = &fill->maker.game;
    const char *token[GAME_SEATS_MAX] = {NULL};
    for (unsigned seat = 0; seat < game->replay.header.seats; seat++)
        token[seat] = fill->players.player[seating->player[seat]].token;
    fill_game_write_script(game, rows, fill->moves, token, file);
}

/* They have begun an hour ago, so that their plies lie in the past. */
static void fill_running(struct fill *fill)
{
    enum { AGO_MS = 3600000 };
    FILE *file = fill->script == NULL ? NULL : fopen(fill->script, "w");
    int64_t start_ms = now_ms() - AGO_MS - (int64_t)fill->count;
    size_t seated = 0;
    if (file == NULL)
        fail("--script must name a file that can be written");
    for (size_t i = 0; i < fill->count; i++) {
        unsigned seats;
        const struct game *ruleset = choose_game(fill, i, &seats);
        struct fill_seating seating = {.started_at_ms = start_ms + (int64_t)i};
        seat_players(fill, seated, seats, &seating);
        seated += seats;
        fill_maker_make(&fill->maker, ruleset, seats, &seating, NULL);
        size_t rows = fill_game_rows_after(&fill->maker.game, fill->plies);
        fill_store_game(&fill->store, &fill->maker.game, rows, &seating, fill->maker.secret);
        write_script(fill, rows, &seating, file);
    }
    if (fclose(file) != 0)
        fail("the script cannot be written");
}

/* In the order of their starts over the last thirty days. */
static void fill_finished(struct fill *fill)
{
    const int64_t span_ms = INT64_C(1000) * 60 * 60 * 24 * 30;
    int64_t end_ms = now_ms() - INT64_C(3600000) * 6;
    size_t seated = 0;
    for (size_t i = 0; i < fill->count; i++) {
        unsigned seats;
        const struct game *ruleset = choose_game(fill, i, &seats);
        int64_t before_ms = span_ms / (int64_t)fill->count * (int64_t)(fill->count - i);
        struct fill_seating seating = {.started_at_ms = end_ms - before_ms};
        seat_players(fill, seated, seats, &seating);
        seated += seats;
        fill_maker_make(&fill->maker, ruleset, seats, &seating, NULL);
        fill_store_game(&fill->store, &fill->maker.game, fill->maker.game.count, &seating,
                        fill->maker.secret);
    }
}

static void fill_one_event(struct fill *fill, const char *url)
{
    unsigned seats;
    const struct game *ruleset = choose_game(fill, 0, &seats);
    if (fill->players.count < fill->count)
        fail("there are fewer players than entries");
    const struct fill_event event = {.ruleset = ruleset,
                                     .seats = seats,
                                     .entries = (unsigned)fill->count,
                                     .rounds = (unsigned)fill->rounds};
    fill_event_make(&event, url, &fill->store, &fill->maker);
}

/* ---- The command line ---- */

static bool read_number(const char *word, unsigned long *number)
{
    uint64_t value;
    if (!span_number(span_of(word), 100000000, &value))
        return false;
    *number = (unsigned long)value;
    return true;
}

static bool read_options(struct fill *fill, int argc, char **argv)
{
    static const struct option options[] = {
        {"tokens", required_argument, NULL, 't'},  {"secrets", required_argument, NULL, 's'},
        {"ruleset", required_argument, NULL, 'r'}, {"script", required_argument, NULL, 'f'},
        {"count", required_argument, NULL, 'n'},   {"seats", required_argument, NULL, 'k'},
        {"plies", required_argument, NULL, 'p'},   {"moves", required_argument, NULL, 'm'},
        {"rounds", required_argument, NULL, 'o'},  {"seed", required_argument, NULL, 'd'},
        {"unchecked", no_argument, NULL, 'u'},     {0}};
    bool good = true;
    for (int c; good && (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c == 't')
            fill->tokens = optarg;
        else if (c == 's')
            fill->secrets = optarg;
        else if (c == 'r')
            fill->ruleset = optarg;
        else if (c == 'f')
            fill->script = optarg;
        else if (c == 'u')
            fill->unchecked = true;
        else
            good = (c == 'n' && read_number(optarg, &fill->count)) ||
                   (c == 'k' && read_number(optarg, &fill->seats)) ||
                   (c == 'p' && read_number(optarg, &fill->plies)) ||
                   (c == 'm' && read_number(optarg, &fill->moves)) ||
                   (c == 'o' && read_number(optarg, &fill->rounds)) ||
                   (c == 'd' && read_number(optarg, &fill->seed));
    }
    return good && optind == argc && fill->tokens != NULL && fill->secrets != NULL &&
           fill->count > 0;
}

static bool run(struct fill *fill, const char *command, const char *url)
{
    if (strcmp(command, "running") == 0)
        fill_running(fill);
    else if (strcmp(command, "finished") == 0)
        fill_finished(fill);
    else if (strcmp(command, "event") == 0)
        fill_one_event(fill, url);
    else
        return strcmp(command, "players") == 0;
    return true;
}

int main(int argc, char **argv)
{
    struct fill fill = {.ruleset = "shinjuku", .moves = RECORD_LINES_MAX, .rounds = 3};
    const char *url = getenv("DATABASE_URL");
    if (sodium_init() < 0 || argc < 2 || url == NULL || !read_options(&fill, argc - 1, argv + 1))
        fail("usage: DATABASE_URL=... bench_fill players|running|finished|event --tokens FILE"
             " --secrets DIR --count N ...; see tests/bench/fill.c");
    double begin = now();
    fill_store_open(&fill.store, url, fill.secrets, fill.unchecked);
    if (strcmp(argv[1], "players") == 0)
        fill_players_make(fill.store.connection, fill.tokens, fill.count);
    fill.players = fill_players_read(fill.tokens);
    fill_ratings_open(&fill.store.ratings, &fill.players, fill.store.connection);
    fill_maker_open(&fill.maker, &fill.players, (uint32_t)fill.seed);
    bool known = run(&fill, argv[1], url);
    fill_store_close(&fill.store);
    fill_maker_close(&fill.maker);
    fill_players_free(&fill.players);
    double seconds = now() - begin;
    (void)fprintf(stderr, "%" PRIu64 " lines in %.1f s, %.0f a second\n", fill.store.lines_stored,
                  seconds, (double)fill.store.lines_stored / seconds);
    return known ? EXIT_SUCCESS : 2;
}
