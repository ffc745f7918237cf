/* How fast the engine is, a second of one core's time (whatever else the machine does):
 *
 *      replay     plies a second of replay_verify(), every check included, over records of random
 *                 games and over records of the sensible player's games
 *      playouts   decisions a second of random games, each with the whole list of legal moves
 *      weighed    decisions a second of games in which every move is the one with the best weight
 *
 * Build it with the release preset: `build/release/tests/bench_engine [SLUG]`. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/game/catalog.h"
#include "engine/search/policy.h"
#include "tests/engine/support/roll.h"
#include "tests/engine/support/table.h"

enum { RECORDS = 12 };
static const double seconds_each = 0.6;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

struct table_choice {
    const struct game *game;
    unsigned seats;
    struct game_options options;
};

/* Verifies the same records again and again. */
static double replay_rate(const struct table_choice *choice, enum roll_style style)
{
    static struct replay replay;
    struct record_fault fault;
    struct roll rolls[RECORDS];
    for (uint32_t i = 0; i < RECORDS; i++)
        roll_write(&rolls[i], choice->game, choice->seats, &choice->options, i, style);
    uint64_t plies = 0;
    double start = now();
    while (now() - start < seconds_each) {
        for (size_t i = 0; i < RECORDS; i++) {
            if (replay_verify(roll_span(&rolls[i]), NULL, &replay, &fault) != REPLAY_VALID)
                abort();
            plies += replay.plies;
        }
    }
    double rate = (double)plies / (now() - start);
    for (size_t i = 0; i < RECORDS; i++)
        roll_free(&rolls[i]);
    return rate;
}

/* A random move, or with room for weights the best. */
static size_t choose(const struct table *table, unsigned seat, struct dice *dice,
                     const struct move_list *list, int32_t *weight)
{
    if (weight == NULL)
        return dice_below(dice, list->count);
    table->game->weigh(table->game, table->state, seat, list, weight);
    return policy_best(list, weight);
}

static uint64_t play_out(struct table *table, struct dice *dice, struct move_list *list,
                         int32_t *weight)
{
    uint64_t decisions = 0;
    for (uint32_t deciders; (deciders = table->game->deciders(table->state)) != 0; decisions++) {
        unsigned seat = 0;
        while ((deciders >> seat & 1) == 0)
            seat++;
        struct refusal refusal;
        table_legal(table->game, table->state, seat, list);
        struct span move = move_list_get(list, choose(table, seat, dice, list, weight));
        if (!table->game->play(table->game, table->state, seat, move, &table->chance, &refusal))
            abort();
    }
    return decisions;
}

static double playout_rate(const struct table_choice *choice, bool weighed)
{
    static struct table table;
    struct move_list list;
    struct dice dice;
    if (weighed && choice->game->weigh == NULL)
        return 0;
    table_list_init(&list, choice->game);
    int32_t *weight = calloc(choice->game->legal_max, sizeof *weight);
    dice_open(&dice, "bench", 1);
    uint64_t decisions = 0;
    double start = now();
    /* Looking at the clock takes as long as a few decisions. */
    enum { GAMES_PER_LOOK = 8 };
    for (uint32_t number = 0; number % GAMES_PER_LOOK != 0 || now() - start < seconds_each;
         number++) {
        table_set(&table, choice->game, choice->seats, &choice->options, number);
        decisions += play_out(&table, &dice, &list, weighed ? weight : NULL);
    }
    double rate = (double)decisions / (now() - start);
    move_list_free(&list);
    free(weight);
    return rate;
}

static void print_row(const struct table_choice *choice)
{
    printf("%-20s %5u %7zu %16.0f %16.0f %16.0f %16.0f\n", choice->game->slug, choice->seats,
           choice->game->state_size, replay_rate(choice, ROLL_RANDOM),
           replay_rate(choice, ROLL_SENSIBLE), playout_rate(choice, false),
           playout_rate(choice, true));
    (void)fflush(stdout);
}

int main(int argc, char **argv)
{
    if (sodium_init() < 0)
        return 1;
    printf("%-20s %5s %7s %16s %16s %16s %16s\n", "ruleset", "seats", "bytes", "replay plies/s",
           "(sensible)", "decisions/s", "(weighed)");
    for (size_t i = 0; catalog_at(i) != NULL; i++) {
        const struct game *game = catalog_at(i);
        if (argc > 1 && strcmp(argv[1], game->slug) != 0)
            continue;
        for (unsigned seats = game->seats_min; seats <= game->seats_max; seats++)
            print_row(&(struct table_choice){game, seats, game_options_initial(game)});
    }
    return 0;
}
