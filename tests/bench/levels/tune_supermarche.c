/* Tunes the quick rule of thumb of Supermarché (engine/games/supermarche/sketch.h):
 *
 *      tune_supermarche BOARDS PASSES [SEED]
 *
 * plays so many boards with its numbers, then changes one number at a time, in an order that
 * follows from SEED (1), and keeps what earns more on them. Prints after each pass the mean score
 * on these boards, and on as many others, by which nothing is chosen; in the end the numbers, in
 * the order of struct supermarche_thumb. Stops when a pass changes nothing.
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/supermarche/sketch.h"
#include "engine/games/supermarche/trial.h"

enum {
    NUMBERS = sizeof(struct supermarche_thumb) / sizeof(int16_t),
    SKIP = 4, /* a part of the boards by which what is far worse is left at once */
    FAR = 3,  /* dollars */
    RUINED = -30
};

struct boards {
    const struct game *game;
    struct supermarche_state *start; /* twice as many as are tuned on */
    size_t count;
};

static double mean_score(const struct boards *boards, size_t first, size_t count,
                         const struct supermarche_thumb *thumb)
{
    double sum = 0;
    for (size_t i = first; i < first + count; i++) {
        struct supermarche_state state = boards->start[i];
        supermarche_finish_by(boards->game->set, thumb, &state, supermarche_mix(i));
        sum += state.result == RESULT_BANKRUPT ? RUINED : state.money;
    }
    return sum / (double)count;
}

static bool deal(struct boards *boards, size_t count)
{
    const struct game *game = catalog_newest(span_of("supermarche"));
    const struct game_options options = game_options_initial(game);
    *boards = (struct boards){game, calloc(2 * count, sizeof *boards->start), count};
    for (uint32_t i = 0; boards->start != NULL && i < 2 * count; i++) {
        struct chance chance = {.stacks = NULL};
        memcpy(chance.seed, &i, sizeof i);
        chance.seed[sizeof i] = 1; /* other boards than those of bench_levels */
        game->setup(game, &boards->start[i], 1, &options, &chance);
    }
    return boards->start != NULL;
}

/* Whether the numbers may be used at all: some are counts. */
static bool is_usable(const struct supermarche_thumb *thumb)
{
    bool usable = thumb->dear >= 1;
    for (unsigned food = 0; food < FOODS; food++)
        usable = usable && thumb->worth[food] >= 0 && thumb->shelf[food] >= 1;
    return usable;
}

/* Tries other values of a number. True if one is better. */
static bool tune(const struct boards *boards, unsigned number, struct supermarche_thumb *best,
                 double *most)
{
    static const int16_t steps[] = {1, -1, 2, -2, 4, -4, 8, -8, 16, -16, 32, -32};
    const struct supermarche_thumb start = *best;
    bool better = false;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        int16_t all[NUMBERS];
        struct supermarche_thumb tried;
        memcpy(all, &start, sizeof all);
        all[number] = (int16_t)(all[number] + steps[i]);
        memcpy(&tried, all, sizeof tried);
        if (!is_usable(&tried) || mean_score(boards, 0, boards->count / SKIP, &tried) < *most - FAR)
            continue;
        const double mean = mean_score(boards, 0, boards->count, &tried);
        if (mean <= *most)
            continue;
        *most = mean;
        *best = tried;
        better = true;
    }
    return better;
}

static void shuffle(unsigned order[static NUMBERS], uint64_t luck)
{
    for (unsigned i = 0; i < NUMBERS; i++)
        order[i] = i;
    for (unsigned i = NUMBERS - 1; i > 0; i--) {
        const unsigned j = (unsigned)(supermarche_mix(luck + i) % (i + 1)), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

static void print(const struct boards *boards, unsigned pass, double most,
                  const struct supermarche_thumb *thumb)
{
    printf("pass %u: %.2f, on other boards %.2f\n", pass, most,
           mean_score(boards, boards->count, boards->count, thumb));
    fflush(stdout);
}

int main(int argc, char **argv)
{
    struct boards boards;
    struct supermarche_thumb thumb = supermarche_thumb;
    int16_t all[NUMBERS];
    if (sodium_init() < 0 || argc < 3 || argc > 4)
        return 2;
    const size_t count = strtoul(argv[1], NULL, 10);
    const unsigned long passes = strtoul(argv[2], NULL, 10);
    const uint64_t seed = argc == 4 ? strtoul(argv[3], NULL, 10) : 1;
    if (count < SKIP || count > UINT32_MAX / 2 || !deal(&boards, count))
        return 2;
    double most = mean_score(&boards, 0, count, &thumb);
    print(&boards, 0, most, &thumb);
    for (unsigned pass = 1; pass <= passes; pass++) {
        unsigned order[NUMBERS];
        bool changed = false;
        shuffle(order, (seed << 32) + pass * NUMBERS);
        for (unsigned i = 0; i < NUMBERS; i++)
            changed |= tune(&boards, order[i], &thumb, &most);
        print(&boards, pass, most, &thumb);
        if (!changed)
            break;
    }
    memcpy(all, &thumb, sizeof all);
    for (unsigned i = 0; i < NUMBERS; i++)
        printf("%d%s", all[i], i + 1 < NUMBERS ? ", " : "\n");
    free(boards.start);
    return 0;
}
