/* `tillroll match`: plays policies and programs against each other, without a server, and compares
 * them. Each sees only its own view and legal moves. After each game the players move on by one
 * seat, so after as many games as seats each has sat everywhere. In one-player games, each player
 * plays every game alone with the same luck, and the results are ranked as if they had met. */
#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/bots/bot_program.h"
#include "api/cli/bots/policy.h"
#include "api/cli/cli.h"
#include "engine/search/policy.h"

struct standing {
    double wins;
    double score, rank; /* sums */
};

struct match {
    const struct game *game;
    unsigned long seats, games;
    struct game_options options;
    struct chance chance;
    unsigned players;
    struct player {
        enum policy policy;                   /* how it plays */
        struct bot_program_settings settings; /* used unless a program decides; command NULL =
                                               * none */
        struct bot_program *program;          /* in this game */
        struct standing standing;
    } player[GAME_SEATS_MAX];
};

/* A game that is being played. */
struct table {
    struct match *match;
    unsigned long number; /* of the game, from 0 */
    unsigned long first;  /* the player in seat 0; the next one is in seat 1, and so on */
    struct chance chance;
    void *state;
    struct move_list *list;
    struct chance_stream luck; /* of random play */
    unsigned long plies;
    unsigned seat; /* the deciding seat */
    char name[32]; /* the name that programs receive */
};

/* The seed of game `number`: 32 bytes of the stream `match/seed`, so that games are independent. */
static struct chance game_chance(const struct match *match, unsigned long number)
{
    struct chance chance = {.stacks = NULL};
    struct chance_stream stream;
    chance_open(&stream, &match->chance, "match/seed", (uint32_t)(number * CHANCE_SEED_BYTES));
    for (size_t i = 0; i < CHANCE_SEED_BYTES; i++)
        chance.seed[i] = (uint8_t)chance_uniform(&stream, 256);
    return chance;
}

static struct player *player_at(const struct table *table, unsigned seat)
{
    struct match *match = table->match;
    assert(match->players > 0);
    return &match->player[(seat + table->first) % match->players];
}

/* ---- Messages to programs ---- */

static const char *name_of(const struct player *player)
{
    return player->settings.command != NULL ? player->settings.command
                                            : policy_name(player->policy);
}

/* As in GET /v1/games/<id>, as far as it applies. `outcome` NULL: the game is running. */
static json_t *seats_document(const struct table *table, const struct outcome *outcome)
{
    json_t *seats = json_array();
    for (unsigned seat = 0; seat < table->match->seats; seat++)
        json_array_append_new(
            seats,
            json_pack("{s:i, s:{s:n, s:s}, s:o, s:o}", "seat", (int)seat, "player", "id", "name",
                      name_of(player_at(table, seat)), "score",
                      outcome == NULL ? json_null() : json_integer(outcome->score[seat]), "rank",
                      outcome == NULL ? json_null() : json_integer(outcome->rank[seat])));
    return seats;
}

static json_t *options_document(const struct match *match)
{
    json_t *options = json_object();
    for (size_t i = 0; i < match->game->option_count; i++) {
        const struct game_option *option = &match->game->options[i];
        json_object_set_new(options, option->name,
                            json_string(option->values[match->options.value[i]]));
    }
    return options;
}

static json_t *hello(void *context)
{
    const struct table *table = context;
    const struct game *game = table->match->game;
    json_t *seats = seats_document(table, NULL);
    json_t *ruleset = json_pack("{s:s, s:s, s:s}", "slug", game->slug, "version", game->version,
                                "title", game->title);
    json_t *message = bot_program_hello(table->name, ruleset, options_document(table->match), seats,
                                        (json_int_t)table->seat);
    json_decref(ruleset);
    json_decref(seats);
    return message;
}

static json_t *moves_document(const struct move_list *list)
{
    json_t *moves = json_array();
    for (size_t i = 0; i < list->count; i++) {
        struct span move = move_list_get(list, i);
        json_array_append_new(moves, json_stringn(move.at, move.length));
    }
    return moves;
}

static void end_programs(const struct table *table, const struct outcome *outcome)
{
    json_t *seats = seats_document(table, outcome);
    for (unsigned seat = 0; seat < table->match->seats; seat++) {
        struct player *player = player_at(table, seat);
        if (player->program != NULL)
            bot_program_over(player->program, seats);
        bot_program_free(player->program);
        player->program = NULL;
    }
    json_decref(seats);
}

/* ---- Playing ---- */

/* A program's decision. False with a message if it has failed too often. */
static bool ask_program(struct table *table, struct player *player, const json_t *view,
                        char move[static PROGRAM_LINE_MAX + 1])
{
    json_t *moves = moves_document(table->list);
    json_t *seq = json_integer((json_int_t)table->plies);
    const struct bot_question question = {.game = table->name,
                                          .seq = seq,
                                          .view = view,
                                          .moves = moves,
                                          .hello = hello,
                                          .context = table};
    if (player->program == NULL)
        player->program = bot_program_new(&player->settings);
    bool decided = bot_program_decide(player->program, &question, move);
    json_decref(moves);
    json_decref(seq);
    return decided;
}

/* False with a message if a program has failed. */
static bool play_ply(struct table *table)
{
    const struct game *game = table->match->game;
    char bytes[PROGRAM_LINE_MAX + 1];
    uint32_t deciders = game->deciders(table->state);
    table->seat = 0;
    while ((deciders >> table->seat & 1) == 0)
        table->seat++;
    struct player *player = player_at(table, table->seat);
    struct refusal refusal = {"", ""};
    move_list_clear(table->list);
    game->legal(table->state, table->seat, table->list);
    json_t *view = game->view(table->state, (struct viewer){VIEWER_SEAT, table->seat});
    bool decided = player->settings.command == NULL || ask_program(table, player, view, bytes);
    struct span move = {bytes, 0};
    if (!decided) {
        json_decref(view);
        return false;
    }
    if (player->settings.command == NULL && player->policy == POLICY_WEIGHED) {
        int32_t *weight = calloc(table->list->count, sizeof *weight);
        game->weigh(table->state, table->seat, table->list, weight);
        move = move_list_get(table->list, policy_best(table->list, weight));
        free(weight);
    } else if (player->settings.command == NULL)
        move = move_list_get(table->list,
                             policy_choose(player->policy, game, view, table->list, &table->luck));
    else
        move.length = strlen(bytes);
    json_decref(view);
    if (!game->play(table->state, table->seat, move, &table->chance, &refusal)) {
        fprintf(stderr, "tillroll: a legal move was refused: %s\n", refusal.code);
        abort();
    }
    table->plies++;
    return true;
}

static void count(struct match *match, unsigned long first, const struct outcome *outcome)
{
    unsigned winners = 0;
    for (unsigned seat = 0; seat < outcome->seats; seat++)
        winners += outcome->rank[seat] == 1;
    for (unsigned seat = 0; seat < outcome->seats; seat++) {
        struct standing *standing = &match->player[(seat + first) % match->players].standing;
        standing->wins += outcome->rank[seat] == 1 ? 1.0 / winners : 0.0;
        standing->score += outcome->score[seat];
        standing->rank += outcome->rank[seat];
    }
}

/* False with a message if a program has failed. */
static bool play_to_the_end(struct match *match, unsigned long number, unsigned long first,
                            struct move_list *list, struct outcome *outcome)
{
    _Alignas(8) unsigned char state[GAME_STATE_MAX] = {0};
    struct table table = {.match = match,
                          .number = number,
                          .first = first,
                          .chance = game_chance(match, number),
                          .state = state,
                          .list = list};
    bool good = true;
    snprintf(table.name, sizeof table.name, "match-%lu", number + 1);
    chance_open(&table.luck, &table.chance, "match/policy", 0);
    match->game->setup(state, (unsigned)match->seats, &match->options, &table.chance);
    while (good && match->game->deciders(state) != 0)
        good = play_ply(&table);
    if (good)
        match->game->outcome(state, outcome);
    end_programs(&table, good ? outcome : NULL);
    return good;
}

static bool play_game(struct match *match, unsigned long number, struct move_list *list)
{
    struct outcome outcome;
    if (!play_to_the_end(match, number, number, list, &outcome))
        return false;
    count(match, number, &outcome);
    return true;
}

static bool play_game_for_one(struct match *match, unsigned long number, struct move_list *list)
{
    struct outcome all = {.seats = match->players};
    for (unsigned i = 0; i < match->players; i++) {
        struct outcome one;
        if (!play_to_the_end(match, number, i, list, &one))
            return false;
        all.tie_breaks = one.tie_breaks;
        all.score[i] = one.score[0];
        memcpy(all.tie_break[i], one.tie_break[0], sizeof all.tie_break[i]);
    }
    outcome_rank(&all);
    count(match, 0, &all);
    return true;
}

/* ---- The result ---- */

static void print_standings(const struct match *match)
{
    double games = (double)match->games;
    int width = 10;
    for (unsigned i = 0; i < match->players; i++)
        if ((int)strlen(name_of(&match->player[i])) > width)
            width = (int)strlen(name_of(&match->player[i]));
    printf("%-4s %-*s %10s %10s %10s\n", "", width, "player", "wins", "score", "rank");
    for (unsigned i = 0; i < match->players; i++) {
        const struct standing *standing = &match->player[i].standing;
        printf("%-4u %-*s %10.2f %10.2f %10.3f\n", i + 1, width, name_of(&match->player[i]),
               standing->wins, standing->score / games, standing->rank / games);
    }
}

static void print_seed(const struct match *match)
{
    char hex[2 * CHANCE_SEED_BYTES + 1];
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, match->chance.seed, CHANCE_SEED_BYTES);
    printf("seed %s\n", hex);
}

/* ---- The command line ---- */

/* One name applies to all players. */
static bool read_policies(struct match *match, const char *list)
{
    bool more = true;
    match->players = 0;
    while (more && match->players < GAME_SEATS_MAX) {
        char name[16];
        size_t length = strcspn(list, ",");
        struct text text = TEXT_OVER(name);
        text_add_span(&text, (struct span){list, length});
        if (!policy_read(name, &match->player[match->players++].policy))
            return false;
        more = list[length] != '\0';
        list += length + more;
    }
    if (more) {
        fprintf(stderr, "tillroll: --policy names at most %d policies\n", GAME_SEATS_MAX);
        return false;
    }
    for (unsigned i = match->players; match->players == 1 && i < GAME_SEATS_MAX; i++)
        match->player[i].policy = match->player[0].policy;
    return true;
}

/* `[N=]PROGRAM` of every --exec. False with a message. */
static bool read_programs(const struct cli_given *given, struct match *match, unsigned *most)
{
    const char *word;
    for (size_t i = 0; (word = cli_value_at(given, "exec", i)) != NULL; i++) {
        unsigned number = 1;
        if (word[0] >= '0' && word[0] <= '9' && word[1] == '=') {
            number = (unsigned)(word[0] - '0');
            word += 2;
        }
        if (number < 1 || number > GAME_SEATS_MAX || word[0] == '\0') {
            fprintf(stderr,
                    "tillroll: --exec takes a program, or N=PROGRAM for player N, from 1\n");
            return false;
        }
        struct bot_program_settings *settings = &match->player[number - 1].settings;
        settings->command = word;
        if (!cli_value_number(given, "move-ms", 1, 86400000, 10000, &settings->move_ms) ||
            !cli_value_number(given, "tries", 1, 1000, 3, &settings->tries))
            return false;
        if (number > *most)
            *most = number;
    }
    return true;
}

/* Seats per table: as given, or as many as were named, but at least two if possible. False with a
 * message. */
static bool read_seats(const struct cli_given *given, struct match *match, unsigned named)
{
    const struct game *game = match->game;
    unsigned long seats = game->seats_max < 2 ? game->seats_max : 2;
    seats = named > seats ? named : seats;
    seats = seats < game->seats_min ? game->seats_min : seats;
    seats = seats > game->seats_max ? game->seats_max : seats;
    return cli_value_number(given, "seats", game->seats_min, game->seats_max, seats, &match->seats);
}

static const char too_many[] = "name one policy for all players or one for each seat, and only "
                               "programs of existing seats";

/* NULL, or the error; "" if it has been printed. */
static const char *read_match(const struct cli_given *given, struct match *match)
{
    const char *slug = cli_value(given, "ruleset");
    const char *seed = cli_value(given, "seed");
    const char *policies = cli_value(given, "policy");
    unsigned programs = 0;
    *match = (struct match){.game = slug == NULL ? NULL : cli_ruleset(slug)};
    randombytes_buf(match->chance.seed, sizeof match->chance.seed);
    if (slug == NULL)
        return "--ruleset is missing";
    if (match->game == NULL || (seed != NULL && !cli_seed(seed, match->chance.seed)) ||
        !read_policies(match, policies == NULL ? "sensible" : policies) ||
        !read_programs(given, match, &programs))
        return "";
    unsigned named = match->players > programs ? match->players : programs;
    if (!cli_options(given, match->game, &match->options) ||
        !cli_value_number(given, "games", 1, 1000000, 1, &match->games) ||
        !read_seats(given, match, named))
        return "";
    bool alone = match->seats == 1;
    if ((!alone && named > match->seats) ||
        (match->players > 1 && !alone && match->players != match->seats))
        return too_many;
    match->players = alone ? named : (unsigned)match->seats;
    return NULL;
}

int cli_match(const struct cli_given *given)
{
    struct match match;
    struct move_list list;
    const char *wrong = read_match(given, &match);
    if (wrong != NULL)
        return cli_wrong_usage(given, wrong[0] == '\0' ? NULL : wrong);
    if (!move_list_init(&list, match.game))
        abort();
    bool good = true;
    for (unsigned long number = 0; good && number < match.games; number++)
        good = match.seats == 1 ? play_game_for_one(&match, number, &list)
                                : play_game(&match, number, &list);
    move_list_free(&list);
    if (!good)
        return EXIT_NO;
    if (cli_value(given, "seed") == NULL)
        print_seed(&match);
    print_standings(&match);
    return EXIT_YES;
}
