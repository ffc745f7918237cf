/* `tillroll match`: plays policies against each other in process and compares them. Each knows its
 * own view and its legal moves only. From game to game the policies move on by one seat, so that
 * after as many games as seats each has sat everywhere. In a game for one, every policy plays every
 * game by itself, with the same luck, and the results are ranked as if they had met. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/policy.h"

struct standing {
    double wins;
    double score, rank; /* sums */
};

struct match {
    const struct game *game;
    unsigned long seats, games;
    struct game_options options;
    struct chance chance;
    unsigned policies;
    enum policy policy[GAME_SEATS_MAX];
    struct standing standing[GAME_SEATS_MAX];
};

/* The seed of game `number`: 32 bytes of the stream `match/seed`, so that games do not depend on
 * each other. */
static struct chance game_chance(const struct match *match, unsigned long number)
{
    struct chance chance = {.stacks = NULL};
    struct chance_stream stream;
    chance_open(&stream, &match->chance, "match/seed", (uint32_t)(number * CHANCE_SEED_BYTES));
    for (size_t i = 0; i < CHANCE_SEED_BYTES; i++)
        chance.seed[i] = (uint8_t)chance_uniform(&stream, 256);
    return chance;
}

/* Policy `first` sits in seat 0, the next one in seat 1, and so on. */
static unsigned policy_of_seat(const struct match *match, unsigned long first, unsigned seat)
{
    assert(match->policies > 0);
    return (unsigned)((seat + first) % match->policies);
}

static void play_ply(const struct match *match, unsigned long first, const struct chance *chance,
                     void *state, struct move_list *list, struct chance_stream *luck)
{
    const struct game *game = match->game;
    uint32_t deciders = game->deciders(state);
    unsigned seat = 0;
    while ((deciders >> seat & 1) == 0)
        seat++;
    enum policy policy = match->policy[policy_of_seat(match, first, seat)];
    struct refusal refusal = {"", ""};
    move_list_clear(list);
    game->legal(state, seat, list);
    json_t *view = game->view(state, (struct viewer){VIEWER_SEAT, seat});
    size_t chosen = policy_choose(policy, game, view, list, luck);
    json_decref(view);
    if (!game->play(state, seat, move_list_get(list, chosen), chance, &refusal)) {
        fprintf(stderr, "tillroll: a legal move was refused: %s\n", refusal.code);
        abort();
    }
}

static void count(struct match *match, unsigned long first, const struct outcome *outcome)
{
    unsigned winners = 0;
    for (unsigned seat = 0; seat < outcome->seats; seat++)
        winners += outcome->rank[seat] == 1;
    for (unsigned seat = 0; seat < outcome->seats; seat++) {
        struct standing *standing = &match->standing[policy_of_seat(match, first, seat)];
        standing->wins += outcome->rank[seat] == 1 ? 1.0 / winners : 0.0;
        standing->score += outcome->score[seat];
        standing->rank += outcome->rank[seat];
    }
}

static void play_to_the_end(const struct match *match, unsigned long number, unsigned long first,
                            struct move_list *list, struct outcome *outcome)
{
    _Alignas(8) unsigned char state[GAME_STATE_MAX] = {0};
    struct chance chance = game_chance(match, number);
    struct chance_stream luck;
    chance_open(&luck, &chance, "match/policy", 0);
    match->game->setup(state, (unsigned)match->seats, &match->options, &chance);
    while (match->game->deciders(state) != 0)
        play_ply(match, first, &chance, state, list, &luck);
    match->game->outcome(state, outcome);
}

static void play_game(struct match *match, unsigned long number, struct move_list *list)
{
    struct outcome outcome;
    play_to_the_end(match, number, number, list, &outcome);
    count(match, number, &outcome);
}

static void play_game_for_one(struct match *match, unsigned long number, struct move_list *list)
{
    struct outcome all = {.seats = match->policies};
    for (unsigned i = 0; i < match->policies; i++) {
        struct outcome one;
        play_to_the_end(match, number, i, list, &one);
        all.tie_breaks = one.tie_breaks;
        all.score[i] = one.score[0];
        memcpy(all.tie_break[i], one.tie_break[0], sizeof all.tie_break[i]);
    }
    outcome_rank(&all);
    count(match, 0, &all);
}

static void print_standings(const struct match *match)
{
    double games = (double)match->games;
    printf("%-4s %-10s %10s %10s %10s\n", "", "policy", "wins", "score", "rank");
    for (unsigned i = 0; i < match->policies; i++)
        printf("%-4u %-10s %10.2f %10.2f %10.3f\n", i + 1, policy_name(match->policy[i]),
               match->standing[i].wins, match->standing[i].score / games,
               match->standing[i].rank / games);
}

static bool read_policies(struct match *match, const char *list)
{
    match->policies = 0;
    while (match->policies < GAME_SEATS_MAX) {
        char name[16];
        size_t length = strcspn(list, ",");
        if (length >= sizeof name)
            return false;
        memcpy(name, list, length);
        name[length] = '\0';
        if (!policy_read(name, &match->policy[match->policies++]))
            return false;
        if (list[length] == '\0')
            return true;
        list += length + 1;
    }
    return false;
}

static bool has_policies(const struct match *match)
{
    return match->seats == 1 ? match->policies > 0 : match->policies == match->seats;
}

static bool read_match(const struct cli_given *given, struct match *match)
{
    const char *slug = cli_value(given, "ruleset");
    const char *seed = cli_value(given, "seed");
    const char *policies = cli_value(given, "policy");
    *match = (struct match){.game = slug == NULL ? NULL : cli_ruleset(slug)};
    return match->game != NULL && seed != NULL && cli_seed(seed, match->chance.seed) &&
           policies != NULL && read_policies(match, policies) &&
           cli_options(given, match->game, &match->options) &&
           cli_value_number(given, "seats", match->game->seats_min, match->game->seats_max, 0,
                            &match->seats) &&
           cli_value_number(given, "games", 1, 1000000, 0, &match->games) && match->seats > 0 &&
           match->games > 0 && has_policies(match);
}

int cli_match(const struct cli_given *given)
{
    struct match match;
    struct move_list list;
    if (!read_match(given, &match))
        return cli_wrong_usage(given);
    if (!move_list_init(&list, match.game))
        abort();
    for (unsigned long number = 0; number < match.games; number++) {
        if (match.seats == 1)
            play_game_for_one(&match, number, &list);
        else
            play_game(&match, number, &list);
    }
    move_list_free(&list);
    print_standings(&match);
    return EXIT_YES;
}
