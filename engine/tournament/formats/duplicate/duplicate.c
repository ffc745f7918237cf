#include "engine/tournament/formats/duplicate/duplicate.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/wide.h"

static const struct duplicate_text texts[DUPLICATE_CRITERIA] = {
    [DUPLICATE_MP] =
        {"MP", "matchpoints",
         "The mean, over all boards played, of the share of the top in percent: 2 "
         "matchpoints for each result beaten in the same seat of the same board, 1 for "
         "each tie; smaller fields are brought up to the largest by Neuberg's formula."},
    [DUPLICATE_TOT] =
        {"TOT", "total score",
         "The sum of the game scores of all boards; a board that was not played counts "
         "as the mean of those that were."},
    [DUPLICATE_WON] = {"WON", "boards won",
                       "Boards with the best result of their field; a tie for it counts 1/2."},
    [DUPLICATE_LAST] = {"LAST", "last board",
                        "The share of the top on the last board in percent; 0 if it was not "
                        "played."},
    [DUPLICATE_RND] = {"RND", "draw", "A draw from the event's committed seed."},
};

const struct duplicate_text *duplicate_describe(enum duplicate_criterion criterion)
{
    assert(criterion < DUPLICATE_CRITERIA);
    return &texts[criterion];
}

enum duplicate_criterion duplicate_chain(enum duplicate_scoring scoring, size_t position)
{
    assert(position < DUPLICATE_CHAIN);
    if (position == 0)
        return scoring == DUPLICATE_TOTAL ? DUPLICATE_TOT : DUPLICATE_MP;
    return (enum duplicate_criterion)(DUPLICATE_WON + position - 1);
}

/* ---- One field ---- */

static int compare_scores(const void *a, const void *b)
{
    int32_t left = *(const int32_t *)a;
    int32_t right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

/* The number of sorted scores below `bound`. */
static size_t count_below(const int32_t *sorted, size_t count, int64_t bound)
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct duplicate_mark mark_score(const int32_t *sorted, size_t count, int32_t score)
{
    size_t lower = count_below(sorted, count, score);
    size_t equal = count_below(sorted, count, (int64_t)score + 1) - lower;
    return (struct duplicate_mark){.field = (uint16_t)count,
                                   .matchpoints = (uint16_t)(2 * lower + equal - 1),
                                   .place = (uint16_t)(count - lower - equal + 1),
                                   .tied = (uint16_t)(equal - 1)};
}

struct share duplicate_neuberg(uint16_t matchpoints, uint16_t field, uint16_t most)
{
    assert(field >= 1 && field <= most && most <= DUPLICATE_FIELD_MAX);
    assert(matchpoints <= 2 * (field - 1));
    return (struct share){(uint32_t)most * (matchpoints + 1U) - field, field};
}

struct share duplicate_share(uint16_t matchpoints, uint16_t field, uint16_t most)
{
    struct share points = duplicate_neuberg(matchpoints, field, most);
    if (most == 1)
        return (struct share){1, 2};
    return (struct share){points.own, points.total * 2 * (most - 1U)};
}

/* ---- All results ---- */

/* An order of results: by `key`, then by index. */
struct place {
    uint64_t key;
    uint32_t index;
    uint32_t padding;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *left = a;
    const struct place *right = b;
    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return (left->index > right->index) - (left->index < right->index);
}

static uint64_t field_key(const struct duplicate_result *result)
{
    return (uint64_t)result->round << 32 | (uint64_t)result->board << 16 | result->seat;
}

static uint64_t entry_key(const struct duplicate_result *result)
{
    return (uint64_t)result->entry << 32 | (uint64_t)result->round << 16 | result->board;
}

struct work {
    const struct duplicate_input *input;
    struct place *places;   /* one per result */
    int32_t *scores;        /* of one field, in order; room for the largest */
    struct share_sum *sums; /* one per entry */
    uint16_t *order, *scratch;
    struct duplicate_standing *rows; /* by entry */
    struct duplicate_mark *marks;    /* not of the batch: they stay */
    uint16_t field_most;
    struct arena_batch batch;
};

static void sort_places(struct work *work, uint64_t (*key)(const struct duplicate_result *))
{
    for (size_t i = 0; i < work->input->result_count; i++)
        work->places[i] =
            (struct place){.key = key(&work->input->results[i]), .index = (uint32_t)i};
    qsort(work->places, work->input->result_count, sizeof *work->places, compare_places);
}

static bool check_results(const struct duplicate_input *input, struct refusal *refusal)
{
    for (size_t i = 0; i < input->result_count; i++) {
        const struct duplicate_result *result = &input->results[i];
        if (result->entry >= input->entry_count || result->round == 0 || result->board == 0 ||
            result->seat >= TOURNAMENT_SEATS_MAX || result->score > RESULT_SCORE_MAX ||
            result->score < -RESULT_SCORE_MAX)
            return refuse(refusal, DUPLICATE_REFUSAL_RESULT, "A result is out of range.");
    }
    return true;
}

static bool check_input(const struct duplicate_input *input, struct refusal *refusal)
{
    if (input->entry_count > TOURNAMENT_ENTRIES_MAX ||
        input->result_count > DUPLICATE_RESULTS_MAX || input->boards > DUPLICATE_SITTINGS_MAX)
        return refuse(refusal, DUPLICATE_REFUSAL_INPUT,
                      "The input of the standings is out of range.");
    return check_results(input, refusal);
}

/* The end of the run of equal keys that begins at `from`. */
static size_t run_end(const struct work *work, size_t from)
{
    size_t end = from + 1;
    while (end < work->input->result_count && work->places[end].key == work->places[from].key)
        end++;
    return end;
}

/* Marks places[from .. end), which are one field. */
static void mark_field(struct work *work, size_t from, size_t end)
{
    size_t count = end - from;
    for (size_t i = 0; i < count; i++)
        work->scores[i] = work->input->results[work->places[from + i].index].score;
    qsort(work->scores, count, sizeof *work->scores, compare_scores);
    for (size_t i = from; i < end; i++) {
        uint32_t index = work->places[i].index;
        work->marks[index] = mark_score(work->scores, count, work->input->results[index].score);
    }
    if (count > work->field_most)
        work->field_most = (uint16_t)count;
}

/* Marks all results. An entry has at most one result on a board, so no field is too large. */
static void mark_results(struct work *work)
{
    size_t count = work->input->result_count;
    sort_places(work, field_key);
    for (size_t from = 0; from < count; from = run_end(work, from))
        mark_field(work, from, run_end(work, from));
    for (size_t i = 0; i < count; i++)
        work->marks[i].share =
            duplicate_share(work->marks[i].matchpoints, work->marks[i].field, work->field_most);
}

/* ---- Values ---- */

/* A fraction in percent, for pages; in billionths if whole numbers would be too large. */
static struct tie_break_value percent(int64_t numerator, int64_t denominator)
{
    enum { PERCENT = 100, BILLION = 1000000000 };
    uint64_t divisor = wide_divisor(PERCENT, (uint64_t)denominator);
    int64_t factor = PERCENT / (int64_t)divisor;
    if (numerator < (INT64_C(1) << 62) / factor)
        return (struct tie_break_value){.numerator = numerator * factor,
                                        .denominator = denominator / (int64_t)divisor};
    uint64_t parts = wide_scale((uint64_t)numerator, BILLION, (uint64_t)denominator);
    return (struct tie_break_value){
        .numerator = (int64_t)parts, .denominator = BILLION / PERCENT, .rounded = true};
}

static struct tie_break_value mean_percent(const struct share_sum *sum)
{
    int64_t numerator;
    int64_t denominator;
    bool exact = share_sum_mean(sum, &numerator, &denominator);
    struct tie_break_value value = percent(numerator, denominator);
    value.rounded = value.rounded || !exact;
    return value;
}

/* The results of one entry, gathered. */
struct tally {
    int64_t total;
    int64_t won; /* halves */
    struct share last;
};

static void count_result(struct work *work, const struct place *place, uint64_t last_board,
                         struct tally *tally)
{
    const struct duplicate_result *result = &work->input->results[place->index];
    const struct duplicate_mark *mark = &work->marks[place->index];
    struct share_sum *sum = &work->sums[result->entry];
    sum->share[sum->count++] = mark->share;
    work->rows[result->entry].played++;
    tally->total += result->score;
    if (mark->place == 1 && mark->field > 1)
        tally->won += mark->tied == 0 ? 2 : 1;
    if ((field_key(result) >> 16) == last_board)
        tally->last = mark->share;
}

static struct tie_break_value entry_value(const struct work *work, uint16_t entry,
                                          enum duplicate_criterion criterion,
                                          const struct tally *tally)
{
    const struct duplicate_input *input = work->input;
    unsigned played = work->rows[entry].played;
    struct chance_stream stream;
    switch (criterion) {
    case DUPLICATE_MP:
        return mean_percent(&work->sums[entry]);
    case DUPLICATE_TOT:
        return (struct tie_break_value){.numerator = tally->total * input->boards,
                                        .denominator = played == 0 ? 1 : played};
    case DUPLICATE_WON:
        return (struct tie_break_value){.numerator = tally->won, .denominator = 2};
    case DUPLICATE_LAST:
        return percent(tally->last.own, tally->last.total);
    case DUPLICATE_RND:
    case DUPLICATE_CRITERIA:
        break;
    }
    chance_open(&stream, input->chance, "standing", input->entries[entry].tpn);
    return (struct tie_break_value){.numerator = chance_word(&stream), .denominator = 1};
}

static void fill_row(struct work *work, uint16_t entry, const struct tally *tally)
{
    for (size_t i = 0; i < DUPLICATE_CHAIN; i++)
        work->rows[entry].value[i] =
            entry_value(work, entry, duplicate_chain(work->input->scoring, i), tally);
}

/* The last board played, as the upper part of a field's key. */
static uint64_t find_last_board(const struct work *work)
{
    uint64_t last = 0;
    for (size_t i = 0; i < work->input->result_count; i++) {
        uint64_t board = field_key(&work->input->results[i]) >> 16;
        if (board > last)
            last = board;
    }
    return last;
}

/* Gathers the results, which are sorted by entry. False if an entry has too many. */
static bool fill_rows(struct work *work)
{
    const struct duplicate_input *input = work->input;
    uint64_t last_board = find_last_board(work);
    size_t next = 0;
    for (size_t entry = 0; entry < input->entry_count; entry++) {
        struct tally tally = {.last = {0, 1}};
        work->rows[entry].entry = (uint16_t)entry;
        for (;
             next < input->result_count && input->results[work->places[next].index].entry == entry;
             next++) {
            if (work->sums[entry].count == DUPLICATE_SITTINGS_MAX)
                return false;
            count_result(work, &work->places[next], last_board, &tally);
        }
        fill_row(work, (uint16_t)entry, &tally);
    }
    return true;
}

/* ---- Order ---- */

/* Negative if row `a` is better at `position`. Cross products stay below 2^49. */
static int compare_at(const struct work *work, size_t position, uint16_t a, uint16_t b)
{
    if (duplicate_chain(work->input->scoring, position) == DUPLICATE_MP)
        return share_sum_compare(&work->sums[b], &work->sums[a]);
    const struct tie_break_value *left = &work->rows[a].value[position];
    const struct tie_break_value *right = &work->rows[b].value[position];
    int64_t difference =
        left->numerator * right->denominator - right->numerator * left->denominator;
    return (difference < 0) - (difference > 0);
}

/* The position at which two rows differ, DUPLICATE_CHAIN for none. */
static size_t differ_at(const struct work *work, uint16_t a, uint16_t b)
{
    size_t position = 0;
    while (position < DUPLICATE_CHAIN && compare_at(work, position, a, b) == 0)
        position++;
    return position;
}

static bool stands_before(const struct work *work, uint16_t a, uint16_t b)
{
    size_t position = differ_at(work, a, b);
    if (position < DUPLICATE_CHAIN)
        return compare_at(work, position, a, b) < 0;
    return work->input->entries[a].tpn < work->input->entries[b].tpn;
}

/* Merge sort of order[from .. to). */
static void sort_rows(struct work *work, size_t from, size_t to)
{
    if (to - from < 2)
        return;
    size_t middle = from + (to - from) / 2;
    sort_rows(work, from, middle);
    sort_rows(work, middle, to);
    size_t left = from;
    size_t right = middle;
    for (size_t at = from; at < to; at++) {
        bool take_right = left == middle || (right < to && stands_before(work, work->order[right],
                                                                         work->order[left]));
        work->scratch[at] = work->order[take_right ? right++ : left++];
    }
    memcpy(work->order + from, work->scratch + from, (to - from) * sizeof *work->order);
}

/* Marks the values of two neighbours that had to be compared to tell them apart. */
static void note_used(struct work *work, size_t above, size_t position)
{
    for (size_t i = 0; i <= position && i < DUPLICATE_CHAIN; i++) {
        work->rows[work->order[above]].value[i].used = true;
        work->rows[work->order[above + 1]].value[i].used = true;
    }
}

static void rank_rows(struct work *work, struct duplicate_standing *ranked)
{
    size_t count = work->input->entry_count;
    for (size_t i = 0; i < count; i++)
        work->order[i] = (uint16_t)i;
    sort_rows(work, 0, count);
    for (size_t i = 0; i + 1 < count; i++)
        note_used(work, i, differ_at(work, work->order[i], work->order[i + 1]));
    for (size_t i = 0; i < count; i++) {
        bool shared =
            i > 0 && differ_at(work, work->order[i - 1], work->order[i]) == DUPLICATE_CHAIN;
        ranked[i] = work->rows[work->order[i]];
        ranked[i].rank = shared ? ranked[i - 1].rank : (uint16_t)(i + 1);
    }
}

/* ---- Making them ---- */

static bool take_memory(struct work *work)
{
    size_t entries = work->input->entry_count + 1;
    size_t results = work->input->result_count + 1;
    struct arena_batch *batch = &work->batch;
    work->places = arena_batch_take(batch, results, sizeof *work->places);
    work->scores = arena_batch_take(batch, results, sizeof *work->scores);
    work->sums = arena_batch_take(batch, entries, sizeof *work->sums);
    work->order = arena_batch_take(batch, entries, sizeof *work->order);
    work->scratch = arena_batch_take(batch, entries, sizeof *work->scratch);
    work->rows = arena_batch_take(batch, entries, sizeof *work->rows);
    work->marks = calloc(results, sizeof *work->marks);
    return !batch->failed && work->marks != NULL;
}

static bool make(struct work *work, struct duplicate_standings *standings, struct refusal *refusal)
{
    standings->rows = calloc(work->input->entry_count + 1, sizeof *standings->rows);
    if (!take_memory(work) || standings->rows == NULL)
        return refuse(refusal, DUPLICATE_REFUSAL_MEMORY,
                      "There is not enough memory for the standings.");
    sort_places(work, entry_key);
    for (size_t i = 0; i < work->input->result_count; i++)
        if (run_end(work, i) > i + 1)
            return refuse(refusal, DUPLICATE_REFUSAL_TWICE,
                          "An entry has two results on one board.");
    mark_results(work);
    sort_places(work, entry_key);
    if (!fill_rows(work))
        return refuse(refusal, DUPLICATE_REFUSAL_INPUT, "An entry has too many results.");
    rank_rows(work, standings->rows);
    return true;
}

bool duplicate_standings_make(const struct duplicate_input *input,
                              struct duplicate_standings *standings, struct refusal *refusal)
{
    struct work work = {.input = input};
    *standings = (struct duplicate_standings){.rows = NULL};
    if (!check_input(input, refusal))
        return false;
    bool made = make(&work, standings, refusal);
    standings->marks = work.marks;
    standings->count = input->entry_count;
    standings->field_most = work.field_most;
    arena_batch_free(&work.batch);
    if (!made)
        duplicate_standings_free(standings);
    return made;
}

void duplicate_standings_free(struct duplicate_standings *standings)
{
    free(standings->rows);
    free(standings->marks);
    *standings = (struct duplicate_standings){.rows = NULL};
}
