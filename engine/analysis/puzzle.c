#include "engine/analysis/puzzle.h"

#include <stdlib.h>
#include <string.h>

#include "engine/analysis/root.h"
#include "engine/search/level.h"
#include "engine/search/value.h"

struct puzzle_finder {
    const struct game *game;
    struct search *search;
    int32_t halves[PUZZLE_MOVES_MAX][PUZZLE_SAMPLES]; /* of each move in each sample */
    _Alignas(8) unsigned char imagined[GAME_STATE_MAX];
    _Alignas(8) unsigned char copy[GAME_STATE_MAX];
};

struct puzzle_finder *puzzle_finder_new(const struct game *game)
{
    const struct level_play *play = level_play(level_named(span_of("master")), game);
    const struct search_settings settings = {
        .candidates = 2, .playouts = 2, .margin = play->search.margin};
    struct puzzle_finder *finder = calloc(1, sizeof *finder);
    if (finder == NULL)
        return NULL;
    finder->game = game;
    finder->search = search_new(game, &settings);
    if (finder->search != NULL)
        return finder;
    free(finder);
    return NULL;
}

void puzzle_finder_free(struct puzzle_finder *finder)
{
    if (finder != NULL)
        search_free(finder->search);
    free(finder);
}

/* False if a move is refused: what is legal for the seat is legal in what it imagines, so that is a
 * fault of the game. */
static bool sample(struct puzzle_finder *finder, const void *state, unsigned seat,
                   const struct move_list *legal, const struct chance *chance, unsigned number)
{
    const struct game *game = finder->game;
    memcpy(finder->imagined, state, game->state_size);
    game->imagine(game, finder->imagined, (struct viewer){VIEWER_SEAT, seat}, chance);
    for (size_t i = 0; i < legal->count; i++) {
        struct refusal refusal;
        struct outcome outcome;
        memcpy(finder->copy, finder->imagined, game->state_size);
        if (!game->play(game, finder->copy, seat, move_list_get(legal, i), chance, &refusal))
            return false;
        search_play_out(finder->search, finder->copy, chance);
        game->outcome(game, finder->copy, &outcome);
        finder->halves[i][number] = value_halves(&outcome, seat);
    }
    return true;
}

static int64_t sum_of(const struct puzzle_finder *finder, size_t move, unsigned samples)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < samples; i++)
        sum += finder->halves[move][i];
    return sum;
}

static size_t best_of(const struct puzzle_finder *finder, size_t moves, unsigned samples)
{
    size_t best = 0;
    for (size_t i = 1; i < moves; i++)
        if (sum_of(finder, i, samples) > sum_of(finder, best, samples))
            best = i;
    return best;
}

/* How far `best` is ahead of `other`: the mean difference in hundredths of its standard error,
 * rounded down; at most `most`. */
static int32_t apart(const struct puzzle_finder *finder, size_t best, size_t other, int64_t n,
                     int32_t most)
{
    int64_t sum = 0, squares = 0;
    for (unsigned i = 0; i < n; i++) {
        int64_t difference = finder->halves[best][i] - finder->halves[other][i];
        sum += difference;
        squares += difference * difference;
    }
    int64_t spread = root_of((n * squares - sum * sum) / (n - 1)) + 1;
    int64_t hundredths = sum * 100 / spread;
    return hundredths > most ? most : (int32_t)hundredths;
}

static int32_t apart_from_all(const struct puzzle_finder *finder, size_t best, size_t moves,
                              unsigned samples)
{
    int32_t least = 100000;
    for (size_t i = 0; i < moves; i++)
        if (i != best)
            least = apart(finder, best, i, samples, least);
    return least;
}

static bool sample_all(struct puzzle_finder *finder, const void *state, unsigned seat,
                       const struct move_list *legal, struct chance_stream *stream,
                       unsigned samples)
{
    for (unsigned i = 0; i < samples; i++) {
        struct chance chance = chance_draw(stream);
        if (!sample(finder, state, seat, legal, &chance, i))
            return false;
    }
    return true;
}

bool puzzle_find(struct puzzle_finder *finder, const void *state, unsigned seat,
                 const struct chance *luck, const struct move_list *legal, struct puzzle *puzzle)
{
    struct chance_stream stream;
    if (legal->count < PUZZLE_MOVES_MIN || legal->count > PUZZLE_MOVES_MAX)
        return false;
    chance_open(&stream, luck, "puzzles", 0);
    if (!sample_all(finder, state, seat, legal, &stream, PUZZLE_SCREEN))
        return false;
    size_t best = best_of(finder, legal->count, PUZZLE_SCREEN);
    if (apart_from_all(finder, best, legal->count, PUZZLE_SCREEN) < 100 * (PUZZLE_APART - 2) ||
        !sample_all(finder, state, seat, legal, &stream, PUZZLE_SAMPLES))
        return false;
    *puzzle = (struct puzzle){.best = best, .samples = PUZZLE_SAMPLES};
    puzzle->apart = apart_from_all(finder, best, legal->count, PUZZLE_SAMPLES);
    for (size_t i = 0; i < legal->count; i++)
        puzzle->value[i] = sum_of(finder, i, PUZZLE_SAMPLES) * (ANALYSIS_ONE / 2) / PUZZLE_SAMPLES;
    return puzzle->apart >= 100 * PUZZLE_APART;
}
