/* `tillroll bot`: plays for one player in all its running games, or in one of them. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/bots/bot_program.h"
#include "api/cli/bots/drop_box.h"
#include "api/cli/bots/player.h"
#include "api/cli/cli.h"
#include "api/cli/session.h"
#include "db/link/now.h"

struct bot {
    struct client *client;
    const char *game;      /* the only game to play, or NULL for all */
    struct bot_exec *exec; /* NULL = no program */
    bool has_policy;       /* use the policy if the program fails */
    struct policy policy;
    const struct signer *signer; /* NULL for none */
    bool entropy;                /* give entropy to games that wait for it */
    struct chance_stream stream;
    unsigned long plies;
};

static enum turn play_turn(struct bot *bot, const char *game)
{
    bool failed;
    if (bot->exec != NULL) {
        enum turn turn = bot_exec_turn(bot->exec, bot->client, game, bot->signer, &failed);
        if (!failed || !bot->has_policy)
            return turn;
        fprintf(stderr, "tillroll: this move is made by the policy instead\n");
    }
    return player_turn(bot->client, game, bot->policy, bot->signer, &bot->stream);
}

/* Plays as long as it is this player's turn. */
static enum turn play_game(struct bot *bot, const char *game)
{
    for (;;) {
        enum turn turn = play_turn(bot, game);
        if (turn != TURN_PLAYED)
            return turn;
        bot->plies++;
    }
}

/* Makes one pass over all running games. `running` is set to the number of games that are not over.
 */
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
    if (bot->exec != NULL && good)
        bot_exec_end_others(bot->exec, bot->client);
    json_decref(page);
    return good;
}

static bool play_one(struct bot *bot, size_t *running)
{
    enum turn turn = play_game(bot, bot->game);
    *running = turn == TURN_WAITING;
    return turn != TURN_FAILED;
}

/* Polls soon after a move, because other players may be quick, then less and less often. */
static int run(struct bot *bot, bool stay)
{
    enum { FIRST_MS = 20, MOST_MS = 200 };
    size_t running, waiting = 0;
    long pause_ms = FIRST_MS;
    for (;;) {
        unsigned long before = bot->plies;
        bool good = !bot->entropy || player_give_entropy(bot->client, bot->signer, &waiting);
        good = good && (bot->game != NULL ? play_one(bot, &running) : play_all(bot, &running));
        if (!good)
            return EXIT_NO;
        if (running + waiting == 0 && !stay)
            break;
        pause_ms = bot->plies != before     ? FIRST_MS
                   : 2 * pause_ms < MOST_MS ? 2 * pause_ms
                                            : MOST_MS;
        rest_ms(pause_ms);
    }
    printf("%lu plies played\n", bot->plies);
    return EXIT_YES;
}

/* ---- The command line ---- */

static bool read_policy(const struct cli_given *given, struct bot *bot)
{
    const char *policy = cli_value(given, "policy");
    bot->has_policy = policy != NULL;
    return policy_read(policy, &bot->policy);
}

static bool read_exec(const struct cli_given *given, struct bot_program_settings *settings)
{
    settings->command = cli_value(given, "exec");
    return cli_value_number(given, "move-ms", 1, 86400000, 10000, &settings->move_ms) &&
           cli_value_number(given, "tries", 1, 1000, 3, &settings->tries);
}

/* Reads the key of --key, if given. False with a message. */
static bool read_signer(const struct cli_given *given, struct signer *signer, struct bot *bot)
{
    const char *key = cli_value(given, "key");
    bot->signer = key == NULL ? NULL : signer;
    return key == NULL || signer_read(key, signer);
}

/* Prepares --witness, where moves that the service does not accept are deposited. False with a
 * message. */
static bool open_box(const struct cli_given *given, struct bot *bot, struct drop_box *box,
                     struct signer *signer)
{
    if (cli_value(given, "witness") == NULL)
        return true;
    signer->box = box;
    return drop_box_open(box, bot->client, given);
}

int cli_bot(const struct cli_given *given)
{
    static struct drop_box box;
    struct bot bot = {.game = cli_value(given, "game"),
                      .entropy = cli_value(given, "no-entropy") == NULL};
    struct bot_program_settings settings;
    struct chance chance = {.stacks = NULL};
    struct signer signer;
    const char *seed = cli_value(given, "seed");
    if (cli_value(given, "witness") != NULL && cli_value(given, "key") == NULL)
        return cli_wrong_usage(given, "--witness needs --key");
    randombytes_buf(chance.seed, sizeof chance.seed);
    if (!read_signer(given, &signer, &bot) || !read_policy(given, &bot) ||
        !read_exec(given, &settings) || (seed != NULL && !cli_seed(seed, chance.seed)))
        return EXIT_UNKNOWN;
    bot.client = session_client(given, true);
    if (bot.client == NULL)
        return EXIT_UNKNOWN;
    if (settings.command != NULL)
        bot.exec = bot_exec_new(&settings);
    chance_open(&bot.stream, &chance, "bot", 0);
    int status = open_box(given, &bot, &box, &signer) ? run(&bot, cli_value(given, "stay") != NULL)
                                                      : EXIT_UNKNOWN;
    bot_exec_free(bot.exec);
    client_free(bot.client);
    if (bot.signer != NULL)
        signer_forget(&signer);
    return status;
}
