#include "engine/tournament/standings/season.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/wide.h"
#include "engine/tournament/result/rating.h"
#include "engine/tournament/result/result.h"

/* A result with its value, before it enters the season. */
struct earned {
    uint32_t player;
    bool valid; /* the field was large enough */
    struct season_value value;
};

static bool check_rules(const struct season_input *input)
{
    const struct season_rules *rules = &input->rules;
    return input->event_count <= SEASON_EVENTS_MAX && input->player_count <= SEASON_PLAYERS_MAX &&
           input->result_count <= input->event_count * input->player_count &&
           rules->method < SEASON_METHODS && rules->counted >= 1 &&
           rules->counted <= SEASON_EVENTS_MAX && rules->least_entrants >= 2;
}

static bool check_event(const struct season_event *event)
{
    return event->weight <= SEASON_WEIGHT_MAX && event->points_most >= 0 &&
           event->points_most <= SEASON_POINTS_MAX && event->entrants <= SEASON_ENTRANTS_MAX;
}

static bool check_result(const struct season_input *input, const struct season_result *result)
{
    if (result->event >= input->event_count || result->player >= input->player_count)
        return false;
    const struct season_event *event = &input->events[result->event];
    return event->over && result->place >= 1 && result->shared >= 1 &&
           result->place + result->shared - 1 <= event->entrants && result->points >= 0 &&
           result->points <= SEASON_POINTS_MAX;
}

static bool check_input(const struct season_input *input, struct refusal *refusal)
{
    if (!check_rules(input))
        return refuse(refusal, SEASON_REFUSAL_INPUT, "The season's rules are not valid.");
    for (size_t i = 0; i < input->event_count; i++)
        if (!check_event(&input->events[i]))
            return refuse(refusal, SEASON_REFUSAL_EVENT, "The data of an event is not valid.");
    for (size_t i = 0; i < input->result_count; i++)
        if (!check_result(input, &input->results[i]))
            return refuse(refusal, SEASON_REFUSAL_RESULT, "A result is impossible.");
    return true;
}

static int64_t points_value(int32_t points, uint32_t weight)
{
    return (int64_t)points * weight * SEASON_UNIT / (POINTS_PER_POINT * SEASON_WEIGHT_ONE);
}

/* Twice the players behind plus those with the same place: 2 (n - p) for the mean place p. */
static int64_t percentile_value(const struct season_event *event, uint32_t place, uint32_t shared)
{
    uint64_t entrants = event->entrants, behind = 2 * (entrants - place) - (shared - 1);
    return (int64_t)wide_scale((entrants + 5) * behind, UINT64_C(100) * SEASON_UNIT * event->weight,
                               2 * (entrants + 6) * (entrants - 1) * SEASON_WEIGHT_ONE);
}

static int64_t value_of(const struct season_input *input, const struct season_result *result)
{
    const struct season_event *event = &input->events[result->event];
    if (input->rules.method == SEASON_POINTS)
        return points_value(result->points, event->weight);
    return percentile_value(event, result->place, result->shared);
}

/* The most that winning an unfinished event can give. */
static int64_t most_value(const struct season_input *input, size_t event)
{
    if (input->rules.method == SEASON_POINTS)
        return points_value(input->events[event].points_most, input->events[event].weight);
    return INT64_C(100) * SEASON_UNIT / SEASON_WEIGHT_ONE * input->events[event].weight;
}

/* By player, then results that can count, best first, then the earlier event. */
static int compare_earned(const void *a, const void *b)
{
    const struct earned *left = a, *right = b;
    if (left->player != right->player)
        return left->player < right->player ? -1 : 1;
    if (left->valid != right->valid)
        return left->valid ? -1 : 1;
    if (left->value.value != right->value.value)
        return left->value.value > right->value.value ? -1 : 1;
    return (left->value.event > right->value.event) - (left->value.event < right->value.event);
}

static void earn(const struct season_input *input, struct earned *earned)
{
    for (size_t i = 0; i < input->result_count; i++) {
        const struct season_result *result = &input->results[i];
        bool valid = input->events[result->event].entrants >= input->rules.least_entrants;
        earned[i] = (struct earned){
            .player = result->player,
            .valid = valid,
            .value = {.value = valid ? value_of(input, result) : 0, .event = result->event}};
    }
    qsort(earned, input->result_count, sizeof *earned, compare_earned);
}

/* Fills the rows in order of players, and their values. False if a player has two results in one
 * event. */
static bool fill_rows(const struct season_input *input, const struct earned *earned,
                      struct season *season)
{
    size_t at = 0;
    for (uint32_t player = 0; player < input->player_count; player++) {
        struct season_row *row = &season->rows[player];
        bool seen[SEASON_EVENTS_MAX] = {false};
        *row = (struct season_row){.player = player, .value_from = at};
        for (; at < input->result_count && earned[at].player == player; at++) {
            struct season_value *value = &season->values[at];
            *value = earned[at].value;
            value->counted = earned[at].valid && row->value_count < input->rules.counted;
            row->total += value->counted ? value->value : 0;
            row->value_count++;
            if (seen[value->event])
                return false;
            seen[value->event] = true;
        }
    }
    return true;
}

static int compare_numbers(const void *a, const void *b)
{
    const int64_t *left = a, *right = b;
    return (*left < *right) - (*left > *right);
}

/* The total if the player won every future event: `still` has the most that those can give, highest
 * first. */
static int64_t most_of(const struct season_input *input, const struct season *season,
                       const struct season_row *row, const int64_t *still, size_t still_count)
{
    const struct season_value *values = &season->values[row->value_from];
    int64_t most = 0;
    size_t own = 0, next = 0;
    for (unsigned i = 0; i < input->rules.counted; i++) {
        bool has_own = own < row->value_count && values[own].counted;
        if (next < still_count && (!has_own || still[next] >= values[own].value))
            most += still[next++];
        else if (has_own)
            most += values[own++].value;
    }
    return most;
}

static void fill_most(const struct season_input *input, struct season *season)
{
    int64_t still[SEASON_EVENTS_MAX] = {0};
    size_t count = 0;
    for (size_t event = 0; event < input->event_count; event++)
        if (!input->events[event].over)
            still[count++] = most_value(input, event);
    qsort(still, count, sizeof *still, compare_numbers);
    for (size_t i = 0; i < season->count; i++)
        season->rows[i].most = most_of(input, season, &season->rows[i], still, count);
}

/* ---- the order ---- */

/* The value of the i-th best result, 0 without one. */
static int64_t best_value(const struct season *season, const struct season_row *row, size_t i)
{
    return i < row->value_count ? season->values[row->value_from + i].value : 0;
}

static int64_t value_in(const struct season *season, const struct season_row *row, size_t event)
{
    for (size_t i = 0; i < row->value_count; i++)
        if (season->values[row->value_from + i].event == event)
            return season->values[row->value_from + i].value;
    return -1;
}

/* Negative if `a` is better: by total, then best result by best result. */
static int compare_results(const struct season *season, const struct season_row *a,
                           const struct season_row *b)
{
    size_t most = a->value_count > b->value_count ? a->value_count : b->value_count;
    if (a->total != b->total)
        return a->total > b->total ? -1 : 1;
    for (size_t i = 0; i < most; i++) {
        int64_t left = best_value(season, a, i), right = best_value(season, b, i);
        if (left != right)
            return left > right ? -1 : 1;
    }
    return 0;
}

/* Events in which `a` did better than `b`, minus those in which it did worse. */
static int head_to_head(const struct season *season, const struct season_row *a,
                        const struct season_row *b)
{
    int balance = 0;
    for (size_t i = 0; i < a->value_count; i++) {
        const struct season_value *own = &season->values[a->value_from + i];
        int64_t other = value_in(season, b, own->event);
        if (other >= 0)
            balance += (own->value > other) - (own->value < other);
    }
    return balance;
}

/* Negative if `a` did better in the last event in which they differ. */
static int compare_recent(const struct season *season, size_t event_count,
                          const struct season_row *a, const struct season_row *b)
{
    for (size_t event = event_count; event-- > 0;) {
        int64_t left = value_in(season, a, event), right = value_in(season, b, event);
        if (left != right)
            return left > right ? -1 : 1;
    }
    return 0;
}

static int compare_rows(const struct season *season, size_t event_count, bool recent,
                        const struct season_row *a, const struct season_row *b)
{
    return recent ? compare_recent(season, event_count, a, b) : compare_results(season, a, b);
}

/* Merge sort of rows[from .. to), by results or by the most recent event; equal ones stay in order.
 */
static void sort_rows(struct season *season, struct season_row *scratch, size_t event_count,
                      bool recent, size_t from, size_t to)
{
    if (to - from < 2)
        return;
    size_t middle = from + (to - from) / 2, left = from, right = middle;
    sort_rows(season, scratch, event_count, recent, from, middle);
    sort_rows(season, scratch, event_count, recent, middle, to);
    for (size_t at = from; at < to; at++) {
        bool take_right = left == middle || (right < to && compare_rows(season, event_count, recent,
                                                                        &season->rows[right],
                                                                        &season->rows[left]) < 0);
        scratch[at] = season->rows[take_right ? right++ : left++];
    }
    memcpy(season->rows + from, scratch + from, (to - from) * sizeof *scratch);
}

/* Orders rows[from .. to), which are tied on all results. */
static void part_tied(struct season *season, struct season_row *scratch, size_t event_count,
                      size_t from, size_t to)
{
    struct season_row *rows = season->rows;
    int balance = to - from == 2 ? head_to_head(season, &rows[from], &rows[from + 1]) : 0;
    if (balance < 0) {
        struct season_row moved = rows[from];
        rows[from] = rows[from + 1];
        rows[from + 1] = moved;
    }
    if (balance == 0)
        sort_rows(season, scratch, event_count, true, from, to);
    for (size_t i = from; i < to; i++) {
        bool same = i > from && balance == 0 &&
                    compare_recent(season, event_count, &rows[i - 1], &rows[i]) == 0;
        rows[i].rank = same ? rows[i - 1].rank : (uint32_t)(i + 1);
    }
}

static void rank_rows(struct season *season, struct season_row *scratch, size_t event_count)
{
    sort_rows(season, scratch, event_count, false, 0, season->count);
    for (size_t from = 0; from < season->count;) {
        size_t to = from + 1;
        while (to < season->count &&
               compare_results(season, &season->rows[from], &season->rows[to]) == 0)
            to++;
        part_tied(season, scratch, event_count, from, to);
        from = to;
    }
}

/* How many of `numbers`, highest first, are above `bound`, or not below it. */
static size_t count_above(const int64_t *numbers, size_t count, int64_t bound, bool or_equal)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (numbers[middle] > bound || (or_equal && numbers[middle] == bound))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* If nothing is left to play, the ranks are final. */
static void bound_ranks(const struct season_input *input, struct season *season, int64_t *totals,
                        int64_t *mosts)
{
    bool open = false;
    for (size_t i = 0; i < input->event_count; i++)
        open = open || !input->events[i].over;
    for (size_t i = 0; i < season->count; i++) {
        totals[i] = season->rows[i].total;
        mosts[i] = season->rows[i].most;
    }
    qsort(totals, season->count, sizeof *totals, compare_numbers);
    qsort(mosts, season->count, sizeof *mosts, compare_numbers);
    for (size_t i = 0; i < season->count; i++) {
        struct season_row *row = &season->rows[i];
        row->rank_best = row->rank_worst = row->rank;
        if (!open)
            continue;
        row->rank_best = (uint32_t)count_above(totals, season->count, row->most, false) + 1;
        /* the row itself can reach its own total */
        row->rank_worst = (uint32_t)count_above(mosts, season->count, row->total, true);
    }
}

struct room {
    struct earned *earned;
    struct season_row *scratch;
    int64_t *totals, *mosts;
};

static bool fill(const struct season_input *input, struct season *season, const struct room *room,
                 struct refusal *refusal)
{
    earn(input, room->earned);
    if (!fill_rows(input, room->earned, season))
        return refuse(refusal, SEASON_REFUSAL_TWICE, "A player has two results in one event.");
    fill_most(input, season);
    rank_rows(season, room->scratch, input->event_count);
    bound_ranks(input, season, room->totals, room->mosts);
    return true;
}

bool season_make(const struct season_input *input, struct season *season, struct refusal *refusal)
{
    *season = (struct season){.count = input->player_count};
    if (!check_input(input, refusal))
        return false;
    size_t players = input->player_count + 1, results = input->result_count + 1;
    season->rows = calloc(players, sizeof *season->rows);
    season->values = calloc(results, sizeof *season->values);
    struct arena_batch batch = {.count = 0};
    struct room room = {.earned = arena_batch_take(&batch, results, sizeof *room.earned),
                        .scratch = arena_batch_take(&batch, players, sizeof *room.scratch),
                        .totals = arena_batch_take(&batch, players, sizeof *room.totals),
                        .mosts = arena_batch_take(&batch, players, sizeof *room.mosts)};
    bool enough = season->rows != NULL && season->values != NULL && !batch.failed;
    bool made = enough ? fill(input, season, &room, refusal)
                       : refuse(refusal, SEASON_REFUSAL_MEMORY, "There is not enough memory.");
    arena_batch_free(&batch);
    if (!made)
        season_free(season);
    return made;
}

void season_free(struct season *season)
{
    free(season->rows);
    free(season->values);
    *season = (struct season){0};
}

int64_t season_needed(const struct season_rules *rules, const struct season *season,
                      const struct season_row *row, int64_t target)
{
    size_t counted = 0;
    while (counted < row->value_count && season->values[row->value_from + counted].counted)
        counted++;
    if (row->total >= target)
        return 0;
    if (counted < rules->counted)
        return target - row->total;
    return target - row->total + season->values[row->value_from + counted - 1].value;
}

uint32_t season_field_weight(const int32_t *ratings, size_t count, int32_t reference, uint32_t unit)
{
    uint64_t percent = 0;
    assert(unit >= 1 && count <= SEASON_ENTRANTS_MAX);
    for (size_t i = 0; i < count; i++)
        percent += performance_expected(ratings[i] - reference);
    uint64_t weight = percent * SEASON_WEIGHT_ONE / (UINT64_C(100) * unit);
    return weight > SEASON_WEIGHT_MAX ? SEASON_WEIGHT_MAX : (uint32_t)weight;
}
