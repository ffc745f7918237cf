#include "engine/analysis/adjudication.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/analysis/root.h"
#include "engine/search/level.h"
#include "engine/search/value.h"

enum { HUNDRED = 100, SCORE_MAX = 1000000 };

/* Sums over the samples. */
struct tally {
    int64_t score[GAME_SEATS_MAX], squares[GAME_SEATS_MAX];
    int64_t halves[GAME_SEATS_MAX];                /* rivals behind, in halves */
    int64_t ahead[GAME_SEATS_MAX][GAME_SEATS_MAX]; /* squares of differences of halves */
};

/* ---- Samples ---- */

static void seed_of(const struct replay *replay, uint32_t number, struct chance *chance)
{
    static const char label[] = "tillroll/adjudication/1";
    const uint8_t bytes[4] = {(uint8_t)number, (uint8_t)(number >> 8), (uint8_t)(number >> 16),
                              (uint8_t)(number >> 24)};
    crypto_generichash_state hash;
    *chance = (struct chance){.stacks = NULL};
    crypto_generichash_init(&hash, NULL, 0, sizeof chance->seed);
    crypto_generichash_update(&hash, (const uint8_t *)label, sizeof label - 1);
    crypto_generichash_update(&hash, replay->head, sizeof replay->head);
    crypto_generichash_update(&hash, bytes, sizeof bytes);
    crypto_generichash_final(&hash, chance->seed, sizeof chance->seed);
}

static int64_t limited(int32_t score)
{
    return score > SCORE_MAX ? SCORE_MAX : score < -SCORE_MAX ? -SCORE_MAX : score;
}

static void count(const struct outcome *outcome, struct adjudication *adjudication,
                  struct tally *tally)
{
    int32_t halves[GAME_SEATS_MAX] = {0};
    for (unsigned seat = 0; seat < outcome->seats; seat++) {
        int64_t score = limited(outcome->score[seat]);
        halves[seat] = value_halves(outcome, seat);
        tally->score[seat] += score;
        tally->squares[seat] += score * score;
        tally->halves[seat] += halves[seat];
        adjudication->seat[seat].ended[outcome->rank[seat] - 1]++;
    }
    for (unsigned a = 0; a < outcome->seats; a++)
        for (unsigned b = 0; b < outcome->seats; b++)
            tally->ahead[a][b] += (int64_t)(halves[a] - halves[b]) * (halves[a] - halves[b]);
}

static void sample(const struct replay *replay, enum adjudication_view view, struct search *search,
                   struct replay *copy, uint32_t number, struct adjudication *adjudication,
                   struct tally *tally)
{
    const struct viewer viewer = {view == ADJUDICATION_FULL ? VIEWER_AUDITOR : VIEWER_SPECTATOR, 0};
    struct chance chance;
    struct outcome outcome;
    seed_of(replay, number, &chance);
    *copy = *replay;
    copy->header.game->imagine(copy->header.game, copy->state, viewer, &chance);
    search_play_out(search, copy->state, &chance);
    replay_outcome(copy, &outcome);
    count(&outcome, adjudication, tally);
}

/* ---- The proposal ---- */

static int64_t root_rounded_up(int64_t square)
{
    int64_t root = root_of(square);
    return root + (root * root < square);
}

static int64_t rounded(int64_t sum, int64_t of)
{
    return sum >= 0 ? (sum + of / 2) / of : -((-sum + of / 2) / of);
}

/* The standard error is the root of (n * squares - sum * sum) / (n * n * (n - 1)). */
static void tell_score(struct adjudication_seat *seat, int64_t sum, int64_t squares, int64_t n)
{
    int64_t spread = (n * squares - sum * sum) / (n * (n - 1)); /* n times its square */
    seat->score = rounded(sum * HUNDRED, n);
    seat->score_error = root_rounded_up((spread * HUNDRED * HUNDRED + n - 1) / n);
}

/* True if `a` is ahead of `b` by more than two standard errors of their difference. */
static bool is_apart(const struct tally *tally, unsigned a, unsigned b, int64_t n)
{
    int64_t sum = tally->halves[a] - tally->halves[b];
    int64_t spread = n * tally->ahead[a][b] - sum * sum;
    return sum > 0 && sum * sum * (n - 1) > 4 * spread;
}

static void place(struct adjudication *adjudication, const struct tally *tally)
{
    unsigned order[GAME_SEATS_MAX] = {0};
    for (unsigned i = 0; i < adjudication->seats; i++) {
        unsigned at = i;
        for (; at > 0 && tally->halves[order[at - 1]] < tally->halves[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (unsigned i = 0; i < adjudication->seats; i++) {
        bool apart = i == 0 || is_apart(tally, order[i - 1], order[i], adjudication->samples);
        adjudication->seat[order[i]].place = apart ? i + 1 : adjudication->seat[order[i - 1]].place;
    }
}

static struct search *new_search(const struct game *game)
{
    const struct level_play *play = level_play(level_named(span_of("master")), game);
    const struct search_settings settings = {
        .candidates = 2, .playouts = 2, .margin = play->search.margin};
    return search_new(game, &settings);
}

bool adjudication_make(const struct replay *replay, enum adjudication_view view, uint32_t samples,
                       struct adjudication *adjudication)
{
    assert(samples >= ADJUDICATION_SAMPLES_MIN && samples <= ADJUDICATION_SAMPLES_MAX);
    struct tally tally = {.score = {0}};
    struct search *search = new_search(replay->header.game);
    struct replay *copy = malloc(sizeof *copy);
    bool good = search != NULL && copy != NULL;
    *adjudication = (struct adjudication){.seats = replay->header.seats, .samples = samples};
    for (uint32_t i = 0; good && i < samples; i++)
        sample(replay, view, search, copy, i, adjudication, &tally);
    for (unsigned seat = 0; good && seat < adjudication->seats; seat++)
        tell_score(&adjudication->seat[seat], tally.score[seat], tally.squares[seat], samples);
    if (good)
        place(adjudication, &tally);
    if (copy != NULL)
        sodium_memzero(copy, sizeof *copy);
    free(copy);
    search_free(search);
    return good;
}

/* ---- As JSON ---- */

json_t *adjudication_document(const struct adjudication *adjudication, enum adjudication_view view)
{
    json_t *seats = json_array();
    for (unsigned i = 0; i < adjudication->seats; i++) {
        const struct adjudication_seat *seat = &adjudication->seat[i];
        json_t *ended = json_array();
        for (unsigned place_of = 0; place_of < adjudication->seats; place_of++)
            json_array_append_new(ended, json_integer(seat->ended[place_of]));
        json_array_append_new(seats, json_pack("{s:i, s:i, s:o, s:I, s:I}", "seat", (int)i, "place",
                                               (int)seat->place, "ended", ended, "score_hundredths",
                                               (json_int_t)seat->score, "score_error_hundredths",
                                               (json_int_t)seat->score_error));
    }
    return json_pack("{s:i, s:i, s:s, s:o}", "version", ADJUDICATION_VERSION, "samples",
                     (int)adjudication->samples, "view",
                     view == ADJUDICATION_FULL ? "full" : "public", "seats", seats);
}
