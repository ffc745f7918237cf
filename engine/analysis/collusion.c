#include "engine/analysis/collusion.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/analysis/root.h"

struct collusion {
    struct collusion_game *games; /* owned */
    size_t count, most;
};

/* A seat of a game, in order of players. */
struct sitting {
    uint32_t player, game;
    uint8_t seat;
};

/* The sum of `drawn` of these values, drawn by lot, stands for the gifts to one opponent. */
struct stratum {
    size_t first; /* in values */
    uint32_t count, drawn;
};

/* The games of one player with one opponent, while they are tested. */
struct test {
    int64_t *values;        /* owned */
    struct stratum *strata; /* owned */
    size_t value_count, stratum_count;
};

struct collusion *collusion_new(void)
{
    return calloc(1, sizeof(struct collusion));
}

void collusion_free(struct collusion *collusion)
{
    if (collusion != NULL)
        free(collusion->games);
    free(collusion);
}

bool collusion_add(struct collusion *collusion, const struct collusion_game *game)
{
    if (collusion->count == collusion->most) {
        size_t most = collusion->most == 0 ? 64 : 2 * collusion->most;
        struct collusion_game *games = realloc(collusion->games, most * sizeof *games);
        if (games == NULL)
            return false;
        collusion->games = games;
        collusion->most = most;
    }
    collusion->games[collusion->count++] = *game;
    return true;
}

void collusion_read_move(struct collusion_game *game, unsigned seat,
                         const int64_t skill[static GAME_SEATS_MAX])
{
    game->cost[seat] -= skill[seat];
    for (unsigned other = 0; other < game->seats; other++)
        if (other != seat)
            game->gift[seat][other] += skill[other];
}

void collusion_read(const struct analysis *analysis, struct collusion_game *game)
{
    *game = (struct collusion_game){.seats = analysis_header(analysis)->seats};
    for (size_t i = 0; i < analysis_done(analysis); i++) {
        const struct analysis_ply *ply = analysis_ply(analysis, i);
        collusion_read_move(game, ply->seat, ply->skill);
    }
}

/* ---- One pair ---- */

/* Adds the mean and the variance of the sum that is drawn from a stratum. */
static void judge_stratum(const struct test *test, const struct stratum *stratum, int64_t *expected,
                          int64_t *variance)
{
    int64_t sum = 0, spread = 0, m = stratum->count, c = stratum->drawn;
    assert(m > 0);
    for (size_t i = 0; i < stratum->count; i++)
        sum += test->values[stratum->first + i];
    for (size_t i = 0; i < stratum->count; i++) {
        int64_t from_mean = test->values[stratum->first + i] - sum / m;
        spread += from_mean * from_mean;
    }
    *expected += sum * c / m;
    if (m > 1)
        *variance += spread / m * (c * (m - c)) / (m - 1);
}

/* The sum of a draw without replacement from each stratum. */
static int64_t draw(struct test *test, struct chance_stream *stream)
{
    int64_t sum = 0;
    for (size_t i = 0; i < test->stratum_count; i++) {
        const struct stratum *stratum = &test->strata[i];
        int64_t *values = &test->values[stratum->first];
        for (uint32_t n = 0; n < stratum->drawn; n++) {
            uint32_t at = n + chance_uniform(stream, stratum->count - n);
            int64_t value = values[at];
            values[at] = values[n];
            values[n] = value;
            sum += value;
        }
    }
    return sum;
}

static void permute(struct test *test, struct collusion_pair *pair)
{
    struct chance chance = {.stacks = NULL};
    struct chance_stream stream;
    chance_open(&stream, &chance, "permutations", 0);
    for (unsigned i = 0; i < COLLUSION_PERMUTATIONS; i++)
        pair->as_much += draw(test, &stream) >= pair->given;
    pair->permuted = true;
    pair->flagged = pair->cost > 0 &&
                    ((uint64_t)pair->as_much + 1) * COLLUSION_LEVEL <= COLLUSION_PERMUTATIONS + 1;
}

static void judge(struct test *test, struct collusion_pair *pair)
{
    int64_t expected = 0, variance = 0;
    for (size_t i = 0; i < test->stratum_count; i++)
        judge_stratum(test, &test->strata[i], &expected, &variance);
    pair->excess = pair->given - expected;
    int64_t deviation = root_of(variance);
    pair->deviates = deviation == 0 ? 0 : (int32_t)(pair->excess * 100 / deviation);
    if (pair->deviates >= COLLUSION_SCREEN)
        permute(test, pair);
}

/* ---- The games of a pair ---- */

static unsigned seat_of(const struct collusion_game *game, uint32_t player)
{
    unsigned seat = 0;
    while (seat < game->seats && game->player[seat] != player)
        seat++;
    return seat;
}

static void add_larger_table(struct test *test, const struct collusion_game *game, unsigned from)
{
    struct stratum *stratum = &test->strata[test->stratum_count++];
    *stratum = (struct stratum){
        .first = test->value_count, .count = (uint32_t)(game->seats - 1), .drawn = 1};
    for (unsigned seat = 0; seat < game->seats; seat++)
        if (seat != from)
            test->values[test->value_count++] = game->gift[from][seat];
}

static void add_up(struct collusion_pair *pair, const struct collusion_game *game, unsigned from,
                   unsigned to)
{
    pair->games++;
    pair->cost += game->cost[from];
    pair->given += game->gift[from][to];
}

/* Compares the gifts of the player who sits there in these games with what is expected. */
static void test_pair(const struct collusion *collusion, struct test *test,
                      const struct sitting *sittings, size_t count, struct collusion_pair *pair)
{
    struct stratum of_two = {.count = 0};
    test->value_count = test->stratum_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct collusion_game *game = &collusion->games[sittings[i].game];
        unsigned to = seat_of(game, pair->to);
        if (game->seats == 2)
            test->values[test->value_count++] = game->gift[sittings[i].seat][1 - sittings[i].seat];
        if (to < game->seats)
            add_up(pair, game, sittings[i].seat, to);
        of_two.count += game->seats == 2;
        of_two.drawn += game->seats == 2 && to < game->seats;
    }
    if (of_two.drawn > 0)
        test->strata[test->stratum_count++] = of_two;
    for (size_t i = 0; i < count; i++) {
        const struct collusion_game *game = &collusion->games[sittings[i].game];
        if (game->seats > 2 && seat_of(game, pair->to) < game->seats)
            add_larger_table(test, game, sittings[i].seat);
    }
    judge(test, pair);
}

/* ---- All pairs ---- */

static int compare_sittings(const void *left, const void *right)
{
    const struct sitting *a = left, *b = right;
    if (a->player != b->player)
        return a->player < b->player ? -1 : 1;
    return (a->game > b->game) - (a->game < b->game);
}

static int compare_pairs(const void *left, const void *right)
{
    const struct collusion_pair *a = left, *b = right;
    if (a->deviates != b->deviates)
        return a->deviates > b->deviates ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

static struct sitting *list_sittings(const struct collusion *collusion, size_t *count)
{
    struct sitting *sittings = calloc(collusion->count * GAME_SEATS_MAX + 1, sizeof *sittings);
    *count = 0;
    for (size_t i = 0; sittings != NULL && i < collusion->count; i++)
        for (unsigned seat = 0; seat < collusion->games[i].seats; seat++)
            sittings[(*count)++] =
                (struct sitting){collusion->games[i].player[seat], (uint32_t)i, (uint8_t)seat};
    if (sittings != NULL)
        qsort(sittings, *count, sizeof *sittings, compare_sittings);
    return sittings;
}

/* Adds a pair for everybody whom the player of these sittings met, once. `met` has a mark for each
 * player: that of the last one who met them. */
static void test_player(const struct collusion *collusion, struct test *test,
                        const struct sitting *sittings, size_t count, uint32_t *met,
                        struct collusion_pair *pairs, size_t *pair_count)
{
    uint32_t from = sittings[0].player;
    for (size_t i = 0; i < count; i++) {
        const struct collusion_game *game = &collusion->games[sittings[i].game];
        for (unsigned seat = 0; seat < game->seats; seat++) {
            uint32_t to = game->player[seat];
            if (to == from || met[to] == from + 1)
                continue;
            met[to] = from + 1;
            struct collusion_pair *pair = &pairs[(*pair_count)++];
            *pair = (struct collusion_pair){.from = from, .to = to};
            test_pair(collusion, test, sittings, count, pair);
        }
    }
}

struct collusion_pair *collusion_find(const struct collusion *collusion, size_t *count)
{
    size_t seats;
    struct sitting *sittings = list_sittings(collusion, &seats);
    struct collusion_pair *pairs = calloc(seats * (GAME_SEATS_MAX - 1) + 1, sizeof *pairs);
    struct test test = {.values = calloc(seats * GAME_SEATS_MAX + 1, sizeof *test.values),
                        .strata = calloc(seats + 1, sizeof *test.strata)};
    uint32_t *met = calloc(COLLUSION_PLAYERS_MAX, sizeof *met);
    bool good = sittings != NULL && pairs != NULL && test.values != NULL && test.strata != NULL &&
                met != NULL;
    *count = 0;
    for (size_t from = 0, end; good && from < seats; from = end) {
        for (end = from + 1; end < seats && sittings[end].player == sittings[from].player;)
            end++;
        test_player(collusion, &test, &sittings[from], end - from, met, pairs, count);
    }
    if (good)
        qsort(pairs, *count, sizeof *pairs, compare_pairs);
    free(sittings);
    free(test.values);
    free(test.strata);
    free(met);
    if (good)
        return pairs;
    free(pairs);
    return NULL;
}
