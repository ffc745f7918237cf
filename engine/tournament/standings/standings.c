#include "engine/tournament/standings/standings.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/wide.h"
#include "engine/tournament/standings/standings_work.h"

/* Twice the opponents that one entry can have met, and itself. */
enum { DECIDABLE = 2 * STANDINGS_OPERANDS_MAX + 1 };

/* Bound of the common denominator of direct-encounter means. Counts of meetings up to 27 stay
 * below; the scores of DECIDABLE players, 2^38 * SCORING_POINTS_MAX * 2^9, stay below 2^62. */
#define PARTS_MAX (UINT64_C(1) << 38)

static bool rules_equal(const struct tie_break_rule *a, const struct tie_break_rule *b)
{
    return a->code == b->code && a->cut_low == b->cut_low && a->cut_high == b->cut_high &&
           a->flags == b->flags && a->limit == b->limit && a->limit_halves == b->limit_halves;
}

static bool rule_valid(const struct standings_input *input, size_t position)
{
    const struct tie_break_rule *rule = &input->chain[position];
    if (!tie_break_valid(rule) || (rule->code == TIE_BREAK_RND && input->chance == NULL) ||
        (rule->code == TIE_BREAK_SH && input->handicap == NULL))
        return false;
    for (size_t before = 0; before < position; before++)
        if (rules_equal(rule, &input->chain[before]))
            return false;
    return true;
}

static bool chain_valid(const struct standings_input *input)
{
    if (input->chain_count < 1 || input->chain_count > TIE_BREAK_CHAIN_MAX ||
        input->chain[0].code != TIE_BREAK_PTS)
        return false;
    for (size_t i = 0; i < input->chain_count; i++)
        if (!rule_valid(input, i))
            return false;
    return true;
}

static bool handicap_valid(const struct standings_input *input)
{
    if (input->handicap == NULL)
        return true;
    for (unsigned seats = 2; seats <= TOURNAMENT_SEATS_MAX; seats++)
        for (unsigned seat = 0; seat < seats; seat++)
            if (input->handicap[seats][seat] < -STANDINGS_HANDICAP_MAX ||
                input->handicap[seats][seat] > STANDINGS_HANDICAP_MAX)
                return false;
    return true;
}

static bool needs_ratings(const struct standings_input *input)
{
    for (size_t i = 0; i < input->chain_count; i++)
        if (input->chain[i].code >= TIE_BREAK_ARO && input->chain[i].code <= TIE_BREAK_RTNG)
            return true;
    return false;
}

static bool check_ratings(const struct standings_input *input, struct refusal *refusal)
{
    bool valid =
        input->ratings != NULL && input->unrated >= 0 && input->unrated <= STANDINGS_RATING_MAX;
    if (!needs_ratings(input))
        return true;
    for (size_t i = 0; valid && i < input->entry_count; i++)
        valid =
            input->ratings[i] >= (input->unrated == 0) && input->ratings[i] <= STANDINGS_RATING_MAX;
    return valid || refuse(refusal, STANDINGS_REFUSAL_RATING,
                           "A tie-break needs ratings that are missing or out of range.");
}

static bool check_entries(const struct standings_input *input, struct refusal *refusal)
{
    uint8_t taken[(UINT16_MAX + 1) / 8] = {0};
    for (size_t i = 0; i < input->entry_count; i++) {
        uint16_t tpn = input->entries[i].tpn;
        uint8_t bit = (uint8_t)(1U << tpn % 8);
        if (tpn == 0 || (taken[tpn / 8] & bit) != 0)
            return refuse(refusal, STANDINGS_REFUSAL_ENTRY,
                          "A pairing number is 0 or has two entries.");
        taken[tpn / 8] |= bit;
    }
    return true;
}

/* The rank of a seat is 1 + the number of better ones. */
static bool rank_valid(const struct table_result *table, unsigned seat)
{
    unsigned better = 0;
    for (unsigned other = 0; other < table->seats; other++)
        better += table->seat[other].rank < table->seat[seat].rank;
    return table->seat[seat].rank == better + 1;
}

static bool seat_valid(const struct standings_input *input, const struct table_result *table,
                       unsigned seat)
{
    const struct seat_result *result = &table->seat[seat];
    if (result->entry >= input->entry_count)
        return false;
    if (table->table == 0)
        return !round_kind_is_seated(result->kind) && result->kind < ROUND_KINDS;
    return round_kind_is_seated(result->kind) && rank_valid(table, seat) &&
           result->score >= -RESULT_SCORE_MAX && result->score <= RESULT_SCORE_MAX;
}

static bool table_valid(const struct standings_input *input, const struct table_result *table)
{
    bool seats = table->table == 0 ? table->seats == 1
                                   : table->seats >= 2 && table->seats <= TOURNAMENT_SEATS_MAX;
    if (!seats || table->round < 1 || table->round > TOURNAMENT_ROUNDS_MAX)
        return false;
    for (unsigned seat = 0; seat < table->seats; seat++)
        if (!seat_valid(input, table, seat))
            return false;
    return true;
}

static bool check_input(const struct standings_input *input, struct refusal *refusal)
{
    if (input->entry_count > STANDINGS_ENTRIES_MAX || input->rounds > TOURNAMENT_ROUNDS_MAX ||
        input->result_count > STANDINGS_RESULTS_MAX || input->rules >= UNPLAYED_RULES ||
        !chain_valid(input) || !handicap_valid(input))
        return refuse(refusal, STANDINGS_REFUSAL_INPUT,
                      "Too many entries, results or rounds, or a chain of tie-breaks that does not "
                      "start with points.");
    if (!scoring_valid(input->scoring))
        return refuse(refusal, STANDINGS_REFUSAL_POINTS, "The points of places are not valid.");
    for (size_t i = 0; i < input->result_count; i++)
        if (!table_valid(input, &input->results[i]))
            return refuse(refusal, STANDINGS_REFUSAL_RESULT, "A result is impossible.");
    return check_entries(input, refusal) && check_ratings(input, refusal);
}

/* Indexes each entry's result of each round. False if one has two. */
static bool place_results(struct standings_work *work)
{
    const struct standings_input *input = &work->input;
    for (size_t i = 0; i < input->result_count; i++) {
        const struct table_result *table = &input->results[i];
        if (table->round > input->rounds)
            continue;
        for (unsigned seat = 0; seat < table->seats; seat++) {
            uint32_t *place =
                &work->place[(size_t)table->seat[seat].entry * input->rounds + table->round - 1U];
            if (*place != 0)
                return false;
            *place = (uint32_t)(1 + 8 * i + seat);
        }
    }
    return true;
}

static void count_rounds(const struct standings_work *work, struct standing *row)
{
    for (uint16_t round = 1; round <= work->input.rounds; round++) {
        unsigned seat = 0;
        const struct table_result *table = work_result(work, row->entry, round, &seat);
        if (table == NULL)
            continue;
        bool played = round_kind_is_played(table->seat[seat].kind);
        row->played = (uint16_t)(row->played + played);
        row->unplayed = (uint16_t)(row->unplayed + !played);
    }
}

/* The values averaged over opponents, computed once per entry instead of once per meeting. */
static void prepare_inner(struct standings_work *work, const struct tie_break_rule *rule)
{
    struct tie_break_rule inner;
    work->inner_ready = false;
    if (!work_inner_rule(rule, &inner))
        return;
    for (size_t entry = 0; entry < work->input.entry_count; entry++)
        work->inner[entry] = work_value(work, &inner, (uint16_t)entry);
    work->inner_ready = true;
}

static void make_values(struct standings_work *work, size_t position)
{
    const struct tie_break_rule *rule = &work->input.chain[position];
    prepare_inner(work, rule);
    for (size_t entry = 0; entry < work->input.entry_count; entry++)
        work->rows[entry].value[position] = work_value(work, rule, (uint16_t)entry);
    work->inner_ready = false;
}

static void make_rows(struct standings_work *work)
{
    for (size_t i = 0; i < work->input.chain_count; i++)
        make_values(work, i);
    for (size_t entry = 0; entry < work->input.entry_count; entry++) {
        struct standing *row = &work->rows[entry];
        row->entry = (uint16_t)entry;
        row->points = (int32_t)row->value[0].numerator;
        count_rounds(work, row);
    }
}

/* Merges two sorted neighbours of `order`; `position` of the chain decides, equal ones keep their
 * order. */
static void merge(struct standings_work *work, size_t from, size_t middle, size_t to,
                  size_t position)
{
    size_t left = from, right = middle;
    for (size_t at = from; at < to; at++) {
        bool take_right =
            left == middle ||
            (right < to && work_compare(work, position, work->order[right], work->order[left]) < 0);
        work->scratch[at] = work->order[take_right ? right++ : left++];
    }
    memcpy(work->order + from, work->scratch + from, (to - from) * sizeof *work->order);
}

static void sort(struct standings_work *work, size_t from, size_t to, size_t position)
{
    if (to - from < 2)
        return;
    size_t middle = from + (to - from) / 2;
    sort(work, from, middle, position);
    sort(work, middle, to, position);
    merge(work, from, middle, to, position);
}

/* A common multiple of all counts of meetings in the group, so that means over them are whole
 * parts; 0 if it exceeds PARTS_MAX. */
static uint64_t common_parts(const struct standings_work *work, const struct tie_break_rule *rule,
                             size_t from, size_t to)
{
    struct encounter encounters[STANDINGS_OPERANDS_MAX];
    uint64_t parts = 1;
    for (size_t i = from; i < to; i++) {
        size_t met = work_encounters(work, rule, work->order[i], encounters);
        for (size_t j = 0; j < met && parts <= PARTS_MAX; j++)
            parts *= encounters[j].tables / wide_divisor(parts, encounters[j].tables);
        if (parts > PARTS_MAX)
            return 0;
    }
    return parts;
}

static struct encounter_score score_encounters(const struct standings_work *work,
                                               const struct tie_break_rule *rule, uint16_t entry,
                                               size_t group, uint64_t parts)
{
    struct encounter encounters[STANDINGS_OPERANDS_MAX];
    const struct scoring *scoring = work->input.scoring;
    size_t met = work_encounters(work, rule, entry, encounters);
    uint64_t unmet = group - 1 - met;
    struct encounter_score score = {.entry = entry};
    for (size_t i = 0; i < met; i++)
        score.least += encounters[i].sum * (parts / encounters[i].tables);
    score.most = score.least + parts * unmet * (uint64_t)scoring_duel(scoring, DUEL_AHEAD);
    score.least += parts * unmet * (uint64_t)scoring_duel(scoring, DUEL_BEHIND);
    return score;
}

/* Highest certain score first; equal ones keep their order. */
static void sort_scores(struct encounter_score *scores, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct encounter_score moved = scores[i];
        size_t at = i;
        for (; at > 0 && scores[at - 1].least < moved.least; at--)
            scores[at] = scores[at - 1];
        scores[at] = moved;
    }
}

static uint64_t most_from(const struct encounter_score *scores, size_t from, size_t to)
{
    uint64_t most = 0;
    for (size_t i = from; i < to; i++)
        if (scores[i].most > most)
            most = scores[i].most;
    return most;
}

static bool all_met(const struct encounter_score *scores, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (scores[i].least != scores[i].most)
            return false;
    return true;
}

static void split_by_encounters(struct standings_work *work, const struct tie_break_rule *rule,
                                size_t from, size_t to);

/* Cuts order[from .. to) wherever every entry before is certain to stay ahead of every entry after,
 * and treats the parts in the same way. FIDE (C.07 6.2) goes from the top down and stops at the
 * first uncertain place, unless all have met. */
static void cut_by_encounters(struct standings_work *work, const struct tie_break_rule *rule,
                              size_t from, size_t to)
{
    bool top_down =
        (work->input.rules == UNPLAYED_FIDE_2023 || work->input.rules == UNPLAYED_FIDE_2026) &&
        !all_met(work->scores, from, to);
    size_t part = from;
    for (size_t cut = from + 1; cut <= to; cut++) {
        if (cut < to && work->scores[cut - 1].least <= most_from(work->scores, cut, to)) {
            if (top_down)
                cut = to - 1;
            continue;
        }
        if (cut == to && part == from)
            return;
        split_by_encounters(work, rule, part, cut);
        part = cut;
    }
}

/* ends[i] becomes the end of the part that contains order[i]. The end also identifies the part:
 * parts are made from the top down, so those above have smaller ends and those below larger ones.
 * In a group of more than DECIDABLE, no entry can have met enough of the others. */
static void split_by_encounters(struct standings_work *work, const struct tie_break_rule *rule,
                                size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        work->class[work->order[i]] = (uint16_t)to;
        work->ends[i] = (uint16_t)to;
    }
    if (to - from < 2 || to - from > DECIDABLE)
        return;
    uint64_t parts = common_parts(work, rule, from, to);
    if (parts == 0)
        return;
    for (size_t i = from; i < to; i++)
        work->scores[i] = score_encounters(work, rule, work->order[i], to - from, parts);
    sort_scores(work->scores + from, to - from);
    for (size_t i = from; i < to; i++)
        work->order[i] = work->scores[i].entry;
    cut_by_encounters(work, rule, from, to);
}

static void rank_range(struct standings_work *work, size_t from, size_t to, size_t position);

static void rank_by_encounters(struct standings_work *work, size_t from, size_t to, size_t position)
{
    for (size_t i = from; i < to; i++)
        work->tied[work->order[i]] = (uint16_t)(from + 1);
    split_by_encounters(work, &work->input.chain[position], from, to);
    for (size_t i = from; i < to; i++)
        work->rows[work->order[i]].value[position].numerator = (int64_t)to - work->ends[i];
    for (size_t part = from; part < to;) {
        size_t end = work->ends[part];
        rank_range(work, part, end, position + 1);
        part = end;
    }
}

static void rank_by_value(struct standings_work *work, size_t from, size_t to, size_t position)
{
    sort(work, from, to, position);
    for (size_t part = from; part < to;) {
        size_t end = part + 1;
        while (end < to && work_compare(work, position, work->order[part], work->order[end]) == 0)
            end++;
        rank_range(work, part, end, position + 1);
        part = end;
    }
}

/* Orders a group that is tied on everything before `position`. The recursion is at most as deep as
 * the chain is long. */
static void rank_range(struct standings_work *work, size_t from, size_t to, size_t position)
{
    for (size_t i = from; i < to; i++)
        work->rows[work->order[i]].rank = (uint16_t)(from + 1);
    if (to - from < 2 || position == work->input.chain_count)
        return;
    for (size_t i = from; i < to; i++)
        work->rows[work->order[i]].value[position].used = true;
    if (work->input.chain[position].code == TIE_BREAK_DE)
        rank_by_encounters(work, from, to, position);
    else
        rank_by_value(work, from, to, position);
}

/* Entries by TPN: equal entries keep this order. */
static void order_by_tpn(struct standings_work *work)
{
    uint16_t entry_of[UINT16_MAX + 1];
    size_t count = 0;
    size_t last = 0;
    for (size_t entry = 0; entry < work->input.entry_count; entry++)
        if (last < work->input.entries[entry].tpn)
            last = work->input.entries[entry].tpn;
    memset(entry_of, 0xff, (last + 1) * sizeof *entry_of);
    for (size_t entry = 0; entry < work->input.entry_count; entry++)
        entry_of[work->input.entries[entry].tpn] = (uint16_t)entry;
    for (size_t tpn = 1; tpn <= last; tpn++)
        if (entry_of[tpn] != UINT16_MAX)
            work->order[count++] = entry_of[tpn];
}

static void work_free(struct standings_work *work)
{
    if (work != NULL)
        arena_batch_free(&work->batch);
    free(work);
}

/* Room for one entry more, so that no array has size 0. */
static struct standings_work *work_new(const struct standings_input *input)
{
    struct standings_work *work = calloc(1, sizeof *work);
    size_t count = input->entry_count + 1;
    if (work == NULL)
        return NULL;
    struct arena_batch *batch = &work->batch;
    work->input = *input;
    work->place = arena_batch_take(batch, count * (input->rounds + 1U), sizeof *work->place);
    for (enum view view = VIEW_PLAIN; view < VIEWS; view++)
        work->points[view] = arena_batch_take(batch, count, sizeof *work->points[view]);
    work->inner = arena_batch_take(batch, count, sizeof *work->inner);
    work->tied = arena_batch_take(batch, count, sizeof *work->tied);
    work->class = arena_batch_take(batch, count, sizeof *work->class);
    work->order = arena_batch_take(batch, count, sizeof *work->order);
    work->scratch = arena_batch_take(batch, count, sizeof *work->scratch);
    work->ends = arena_batch_take(batch, count, sizeof *work->ends);
    work->scores = arena_batch_take(batch, count, sizeof *work->scores);
    work->rows = arena_batch_take(batch, count, sizeof *work->rows);
    if (!batch->failed)
        return work;
    work_free(work);
    return NULL;
}

static bool finish(struct standings_work *work, struct standings *standings)
{
    size_t count = work->input.entry_count;
    standings->rows = calloc(count + 1, sizeof *standings->rows);
    if (standings->rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        standings->rows[i] = work->rows[work->order[i]];
    standings->count = count;
    standings->work = work;
    return true;
}

bool standings_make(const struct standings_input *input, struct standings *standings,
                    struct refusal *refusal)
{
    *standings = (struct standings){0};
    if (!check_input(input, refusal))
        return false;
    struct standings_work *work = work_new(input);
    if (work == NULL)
        return refuse(refusal, STANDINGS_REFUSAL_MEMORY, "There is not enough memory.");
    if (!place_results(work)) {
        work_free(work);
        return refuse(refusal, STANDINGS_REFUSAL_TWICE, "An entry has two results in one round.");
    }
    work_count_points(work);
    make_rows(work);
    order_by_tpn(work);
    rank_range(work, 0, input->entry_count, 0);
    if (finish(work, standings))
        return true;
    work_free(work);
    return refuse(refusal, STANDINGS_REFUSAL_MEMORY, "There is not enough memory.");
}

void standings_free(struct standings *standings)
{
    free(standings->rows);
    work_free(standings->work);
    *standings = (struct standings){0};
}

size_t standings_operands(const struct standings *standings, size_t position, uint16_t entry,
                          struct tie_break_operand *operands)
{
    const struct standings_work *work = standings->work;
    struct operand_list list;
    assert(position < work->input.chain_count && entry < work->input.entry_count);
    work_list(work, &work->input.chain[position], entry, &list);
    memcpy(operands, list.operand, list.count * sizeof *operands);
    return list.count;
}
