/* `tillroll bot`: plays for one player in all its running games, or in one of them. */
#include <getopt.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/cli/cli.h"
#include "api/cli/player.h"

static const char usage[] =
    "usage: TILLROLL_TOKEN=tr_... tillroll bot --server URL [--game ID]\n"
    "                              [--policy sensible|random] [--seed HEX] [--stay]\n"
    "Plays for the token's player until its games are over; with --stay it waits for new ones.\n";

struct bot {
    struct client *client;
    const char *game; /* only this one, or NULL */
    enum policy policy;
    struct chance_stream stream;
    unsigned long plies;
};

static void rest(void)
{
    const struct timespec pause = {0, 200000000};
    nanosleep(&pause, NULL);
}

/* Plays as long as it is this player's turn. */
static enum turn play_game(struct bot *bot, const char *game)
{
    for (;;) {
        enum turn turn = player_turn(bot->client, game, bot->policy, &bot->stream);
        if (turn != TURN_PLAYED)
            return turn;
        bot->plies++;
    }
}

/* One look at every running game. `running` says how many are not over. */
static bool play_all(struct bot *bot, size_t *running)
{
    json_t *page = client_need(bot->client, "GET", "/v1/me/games?state=running&limit=100", NULL);
    json_t *games = json_object_get(page, "items");
    size_t i;
    json_t *game;
    bool good = page != NULL;
    *running = 0;
    json_array_foreach(games, i, game)
    {
        enum turn turn = play_game(bot, json_string_value(json_object_get(game, "id")));
        good = good && turn != TURN_FAILED;
        *running += turn == TURN_WAITING;
    }
    json_decref(page);
    return good;
}

static bool play_one(struct bot *bot, size_t *running)
{
    enum turn turn = play_game(bot, bot->game);
    *running = turn == TURN_WAITING;
    return turn != TURN_FAILED;
}

static int run(struct bot *bot, bool stay)
{
    size_t running;
    for (;;) {
        bool good = bot->game != NULL ? play_one(bot, &running) : play_all(bot, &running);
        if (!good)
            return EXIT_NO;
        if (running == 0 && !stay)
            break;
        rest();
    }
    printf("%lu plies played\n", bot->plies);
    return EXIT_YES;
}

int cli_bot(int argc, char **argv)
{
    static const struct option options[] = {
        {"server", required_argument, NULL, 's'}, {"game", required_argument, NULL, 'g'},
        {"policy", required_argument, NULL, 'p'}, {"seed", required_argument, NULL, 'd'},
        {"stay", no_argument, NULL, 't'},         {0}};
    struct bot bot = {.policy = POLICY_SENSIBLE};
    struct chance chance = {.stacks = NULL};
    const char *server = NULL;
    const char *token = getenv("TILLROLL_TOKEN");
    bool stay = false;
    randombytes_buf(chance.seed, sizeof chance.seed);
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        bool good = true;
        if (c == 's')
            server = optarg;
        else if (c == 'g')
            bot.game = optarg;
        else if (c == 'p')
            good = policy_read(optarg, &bot.policy);
        else if (c == 'd')
            good = cli_seed(optarg, chance.seed);
        else if (c == 't')
            stay = true;
        else
            good = false;
        if (!good) {
            fputs(usage, stderr);
            return EXIT_UNKNOWN;
        }
    }
    if (server == NULL || token == NULL || optind != argc) {
        fputs(usage, stderr);
        return EXIT_UNKNOWN;
    }
    bot.client = client_new(server, token);
    if (bot.client == NULL)
        return EXIT_UNKNOWN;
    chance_open(&bot.stream, &chance, "bot", 0);
    int status = run(&bot, stay);
    client_free(bot.client);
    return status;
}
