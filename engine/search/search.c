#include "engine/search/search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/wide.h"
#include "engine/search/policy.h"
#include "engine/search/value.h"

enum {
    FINE = 1 << 6,      /* values are compared in units of this */
    COMPARED_LEAST = 4, /* samples, before a comparison may end early */
    DROP_EVERY = 16     /* samples, those too far behind may be dropped */
};

/* The first candidate is the move that is made unless another is better: the others are compared
 * with it. */
struct candidate {
    uint32_t move;   /* index in the list of legal moves */
    int64_t lead;    /* sum of its values less those of the first candidate */
    int64_t squares; /* sum of the squares of these differences */
    int64_t halves;  /* sum of value_halves() less those of the first candidate */
};

struct search {
    const struct game *game;
    struct search_settings settings;
    struct value_weights weights;
    struct move_list list;
    int32_t *weight; /* room for the weights of a list */
    uint64_t playouts;
    /* of the search that runs: */
    unsigned seat, seats, count;
    struct candidate candidate[SEARCH_CANDIDATES_MAX];
    const struct move_list *legal;
    struct chance_stream luck;
    _Alignas(8) unsigned char imagined[GAME_STATE_MAX];
    _Alignas(8) unsigned char state[GAME_STATE_MAX];
};

struct search *search_new(const struct game *game, const struct search_settings *settings)
{
    struct search *search = calloc(1, sizeof *search);
    if (search == NULL)
        return NULL;
    assert(settings->candidates >= 2 && settings->candidates <= SEARCH_CANDIDATES_MAX);
    assert(settings->playouts >= 1 && settings->playouts <= SEARCH_PLAYOUTS_MAX);
    assert(settings->doubt <= SEARCH_DOUBT_MAX && settings->drop <= SEARCH_DOUBT_MAX);
    assert(settings->margin >= 1);
    search->game = game;
    search->settings = *settings;
    value_of_game(&search->weights, game);
    if (settings->plies == 0)
        search->settings.plies = UINT32_MAX;
    search->weight = calloc(game->legal_max, sizeof *search->weight);
    if (search->weight != NULL && move_list_init(&search->list, game))
        return search;
    search_free(search);
    return NULL;
}

void search_free(struct search *search)
{
    if (search == NULL)
        return;
    move_list_free(&search->list);
    free(search->weight);
    free(search);
}

uint64_t search_playouts(const struct search *search)
{
    return search->playouts;
}

/* ---- What a result is worth ---- */

static int32_t limited(int64_t value)
{
    return (int32_t)(value > VALUE_ONE ? VALUE_ONE : value < -VALUE_ONE ? -VALUE_ONE : value);
}

int32_t search_value(const struct outcome *outcome, unsigned seat, uint32_t margin)
{
    int32_t value[GAME_SEATS_MAX];
    int64_t best = INT32_MIN;
    if (outcome->seats == 1)
        return limited((int64_t)outcome->score[0] * VALUE_ONE / margin);
    for (unsigned i = 0; i < outcome->seats; i++)
        if (i != seat && outcome->score[i] > best)
            best = outcome->score[i];
    value_of_outcome(outcome, value);
    return value[seat] + limited((outcome->score[seat] - best) * VALUE_ONE / margin);
}

/* ---- Candidates ---- */

/* The moves with the greatest weights, sorted; the first among equals. */
static void find_candidates(struct search *search)
{
    const struct move_list *legal = search->legal;
    const int32_t *weight = search->weight;
    struct candidate *list = search->candidate;
    const uint32_t most = search->settings.candidates;
    const int64_t least = (int64_t)weight[policy_best(legal, weight)] -
                          (int64_t)search->settings.reach * search->game->weight_unit;
    search->count = 0;
    for (size_t i = 0; i < legal->count; i++) {
        if (weight[i] < least ||
            (search->count == most && weight[i] <= weight[list[most - 1].move]))
            continue;
        unsigned at = search->count < most ? search->count++ : most - 1;
        for (; at > 0 && weight[list[at - 1].move] < weight[i]; at--)
            list[at] = list[at - 1];
        list[at] = (struct candidate){.move = (uint32_t)i};
    }
}

/* Puts a move before all other candidates, in the place of the last one if it is none of them. */
static void put_first(struct search *search, uint32_t move)
{
    struct candidate *list = search->candidate;
    unsigned at = 0;
    while (at < search->count && list[at].move != move)
        at++;
    if (at == search->count) {
        if (search->count < search->settings.candidates)
            search->count++;
        else
            at--;
    }
    for (; at > 0; at--)
        list[at] = list[at - 1];
    list[0] = (struct candidate){.move = move};
}

/* Keeps the first candidate and those that lead it by most; the earlier among equals. */
static void keep_candidates(struct search *search, unsigned count)
{
    struct candidate *list = search->candidate;
    for (unsigned i = 2; i < search->count; i++) {
        const struct candidate moved = list[i];
        unsigned at = i;
        for (; at > 1 && list[at - 1].lead < moved.lead; at--)
            list[at] = list[at - 1];
        list[at] = moved;
    }
    search->count = count;
}

/* ---- Samples ---- */

static void play(const struct search *search, void *state, unsigned seat, struct span move,
                 const struct chance *chance)
{
    struct refusal refusal;
    bool played = search->game->play(search->game, state, seat, move, chance, &refusal);
    assert(played);
    (void)played;
}

/* What the position is worth to the seat, which may be that of a game that goes on; and, if it is
 * over, its value_halves(). */
static int32_t value_reached(const struct search *search, uint32_t deciders, int32_t *halves)
{
    int32_t value[GAME_SEATS_MAX];
    struct outcome outcome;
    *halves = 0;
    if (deciders != 0 && search->weights.count > 0) {
        value_of_state(&search->weights, search->game, search->state, search->seats, value);
        return value[search->seat];
    }
    search->game->outcome(search->game, search->state, &outcome);
    *halves = value_halves(&outcome, search->seat);
    return search_value(&outcome, search->seat, search->settings.margin);
}

size_t search_choose_quickly(struct search *search, const void *state, unsigned seat,
                             const struct move_list *legal)
{
    const struct game *game = search->game;
    if (legal->count == 1)
        return 0;
    if (game->sketch != NULL)
        return game->sketch(game, state, seat, legal);
    game->weigh(game, state, seat, legal, search->weight);
    return policy_best(legal, search->weight);
}

/* Every seat plays quickly. Returns who decides in the end: 0 = the game is over. */
static uint32_t play_on(struct search *search, void *state, const struct chance *chance)
{
    const struct game *game = search->game;
    uint32_t deciders, plies = 0;
    search->playouts++;
    if (game->finish != NULL && search->settings.plies == UINT32_MAX) {
        game->finish(game, state, chance);
        return 0;
    }
    while ((deciders = game->deciders(state)) != 0 && plies++ < search->settings.plies) {
        unsigned seat = 0;
        while ((deciders >> seat & 1) == 0)
            seat++;
        if (game->play_best != NULL && game->sketch == NULL) {
            game->play_best(game, state, seat, chance);
            continue;
        }
        move_list_clear(&search->list);
        game->legal(game, state, seat, &search->list);
        const size_t move = search_choose_quickly(search, state, seat, &search->list);
        play(search, state, seat, move_list_get(&search->list, move), chance);
    }
    return deciders;
}

void search_play_out(struct search *search, void *state, const struct chance *chance)
{
    assert(search->settings.plies == UINT32_MAX);
    play_on(search, state, chance);
}

/* Plays on from a copy of the imagined position, with this move first. */
static int32_t play_out(struct search *search, uint32_t first, const struct chance *chance,
                        int32_t *halves)
{
    memcpy(search->state, search->imagined, search->game->state_size);
    play(search, search->state, search->seat, move_list_get(search->legal, first), chance);
    return value_reached(search, play_on(search, search->state, chance), halves);
}

static void take_sample(struct search *search, const void *state)
{
    struct chance chance = {.stacks = NULL};
    uint32_t words[CHANCE_SEED_BYTES / 4];
    int32_t base = 0, base_halves = 0, halves;
    chance_words(&search->luck, words, CHANCE_SEED_BYTES / 4);
    for (size_t i = 0; i < CHANCE_SEED_BYTES; i++)
        chance.seed[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    memcpy(search->imagined, state, search->game->state_size);
    search->game->imagine(search->game, search->imagined,
                          (struct viewer){VIEWER_SEAT, search->seat}, &chance);
    for (unsigned i = 0; i < search->count; i++) {
        struct candidate *candidate = &search->candidate[i];
        int32_t value = play_out(search, candidate->move, &chance, &halves) / FINE;
        if (i == 0) {
            base = value;
            base_halves = halves;
        }
        candidate->halves += halves - base_halves;
        candidate->lead += value - base;
        candidate->squares += (int64_t)(value - base) * (value - base);
    }
}

/* ---- The choice ---- */

/* The mean beside its standard error: with the sums L of n leads and S of their squares the ratio
 * of their squares is n L^2 / (n S - L^2). It is compared with doubt^2 / 16. */
bool search_is_ahead(int64_t lead, int64_t squares, uint32_t samples, int32_t doubt)
{
    const uint64_t doubts = (uint64_t)((int64_t)doubt * doubt);
    const struct wide left = wide_product((uint64_t)(lead * lead), 16 * (uint64_t)samples + doubts);
    const struct wide right = wide_product((uint64_t)squares, samples * doubts);
    if (doubt < 0)
        return lead > 0 || wide_compare(left, right) < 0;
    return lead > 0 && wide_compare(left, right) > 0;
}

static bool is_ahead(const struct candidate *candidate, uint32_t samples, int32_t doubt)
{
    return search_is_ahead(candidate->lead, candidate->squares, samples, doubt);
}

static void begin(struct search *search, const void *state, unsigned seat,
                  const struct chance *luck, const struct move_list *legal)
{
    struct outcome outcome;
    search->game->outcome(search->game, state, &outcome);
    search->seats = outcome.seats;
    search->seat = seat;
    search->legal = legal;
    search->game->weigh(search->game, state, seat, legal, search->weight);
    find_candidates(search);
    if (search->game->sketch != NULL)
        put_first(search, (uint32_t)search->game->sketch(search->game, state, seat, legal));
    chance_open(&search->luck, luck, "search", 0);
}

static void drop_behind(struct search *search, uint32_t samples)
{
    struct candidate *list = search->candidate;
    unsigned kept = 1;
    for (unsigned i = 1; i < search->count; i++)
        if (is_ahead(&list[i], samples, -(int32_t)search->settings.drop))
            list[kept++] = list[i];
    search->count = kept;
}

/* Drops the worse half of the candidates after each part of the playouts, until two are left, and
 * compares these with the last part if they are `compared`. Returns the number of samples. */
static uint32_t halve_candidates(struct search *search, const void *state, bool compared)
{
    uint32_t samples = 0;
    uint32_t rounds = compared ? 1 : 0;
    for (unsigned left = search->count; left > 2; left = (left + 1) / 2)
        rounds++;
    const uint32_t each = rounds == 0 ? 0 : search->settings.playouts / rounds;
    while (search->count > (compared ? 1 : 2)) {
        const unsigned count = search->count;
        const uint32_t more = each / count;
        for (uint32_t i = 0; search->count > 1 && (i == 0 || i < more); i++) {
            take_sample(search, state);
            if (++samples % DROP_EVERY == 0 && search->settings.drop > 0)
                drop_behind(search, samples);
        }
        if (count == 2)
            break;
        if (search->count > (count + 1) / 2)
            keep_candidates(search, (count + 1) / 2);
    }
    return samples;
}

size_t search_choose(struct search *search, const void *state, unsigned seat,
                     const struct chance *luck, const struct move_list *legal)
{
    if (legal->count == 1)
        return 0;
    begin(search, state, seat, luck, legal);
    const uint32_t samples = halve_candidates(search, state, true);
    bool changed = search->count > 1 &&
                   is_ahead(&search->candidate[1], samples, (int32_t)search->settings.doubt);
    return search->candidate[changed ? 1 : 0].move;
}

/* Compares the two candidates that are left in new samples. At an eighth, a quarter and half of
 * them the comparison ends if the rival will hardly be ahead in the end. Returns the samples taken,
 * or 0 if it ended early. */
static uint32_t compare(struct search *search, const void *state, uint32_t samples)
{
    static const struct {
        uint32_t part;
        int32_t least; /* quarters of a standard error */
    } looks[] = {{8, -4}, {4, 0}, {2, 3}};
    struct candidate *rival = &search->candidate[1];
    *rival = (struct candidate){.move = rival->move};
    size_t look = 0;
    for (uint32_t i = 0; i < samples; i++) {
        for (; look < sizeof looks / sizeof *looks && i >= samples / looks[look].part; look++)
            if (i >= COMPARED_LEAST && !is_ahead(rival, i, looks[look].least))
                return 0;
        take_sample(search, state);
    }
    return samples;
}

bool search_review(struct search *search, const void *state, unsigned seat,
                   const struct chance *luck, const struct move_list *legal, size_t played,
                   uint32_t samples, struct search_finding *finding)
{
    assert(search->settings.plies == UINT32_MAX);
    assert(samples >= 1 && samples <= SEARCH_PLAYOUTS_MAX / 2);
    if (legal->count == 1)
        return false;
    begin(search, state, seat, luck, legal);
    put_first(search, (uint32_t)played);
    if (search->count == 1)
        return false;
    halve_candidates(search, state, false);
    const uint32_t taken = compare(search, state, samples);
    const struct candidate *rival = &search->candidate[1];
    *finding = (struct search_finding){rival->move, rival->halves, taken};
    return taken > 0 && rival->halves > 0 &&
           is_ahead(rival, taken, (int32_t)search->settings.doubt);
}
