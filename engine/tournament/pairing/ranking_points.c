#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/tournament/formats/round_robin/berger.h"
#include "engine/tournament/pairing/ranking_group.h"
#include "engine/tournament/standings/seat_advantage.h"

/* The arrays that standings borrow, by position in the group's members. */
struct ranking_input {
    struct arena_batch batch;
    struct entry *entries;
    int32_t *ratings;
    struct table_result *results;
    uint16_t *position; /* [entry] position in the members, or TOURNAMENT_NOBODY */
    bool *annulled;     /* [position] */
};

void ranking_free_input(struct ranking_input *input)
{
    if (input == NULL)
        return;
    arena_batch_free(&input->batch);
    free(input);
}

static bool take_memory(struct ranking_group *group, size_t entrants, size_t results)
{
    struct ranking_input *input = group->input = calloc(1, sizeof *input);
    group->results = calloc(results + 1, sizeof *group->results);
    if (input == NULL)
        return false;
    struct arena_batch *batch = &input->batch;
    input->entries = arena_batch_take(batch, group->count + 1, sizeof *input->entries);
    input->ratings = arena_batch_take(batch, group->count + 1, sizeof *input->ratings);
    input->annulled = arena_batch_take(batch, group->count + 1, sizeof *input->annulled);
    input->position = arena_batch_take(batch, entrants + 1, sizeof *input->position);
    input->results = arena_batch_take(batch, results + 1, sizeof *input->results);
    return group->results != NULL && !batch->failed;
}

static void fill_entries(const struct tournament *tournament, struct ranking_group *group)
{
    struct ranking_input *input = group->input;
    memset(input->position, 0xff, tournament->entrant_count * sizeof *input->position);
    for (size_t i = 0; i < group->count; i++) {
        const struct entrant *entrant = &tournament->entrants[group->members[i]];
        input->position[group->members[i]] = (uint16_t)i;
        input->entries[i].tpn = entrant->number;
        input->ratings[i] = entrant->rating;
    }
}

/* The rating that an unrated entry counts as: the lowest in the group. */
static int32_t lowest_rating(const struct ranking_group *group)
{
    int32_t lowest = 0;
    for (size_t i = 0; i < group->count; i++) {
        int32_t rating = group->input->ratings[i];
        if (rating > 0 && (lowest == 0 || rating < lowest))
            lowest = rating;
    }
    return lowest > 0 ? lowest : 1;
}

/* True for the results among the members of a division. */
static bool is_among_members(const struct ranking_group *group, const struct table_result *result)
{
    for (unsigned seat = 0; seat < result->seats; seat++)
        if (group->input->position[result->seat[seat].entry] == TOURNAMENT_NOBODY)
            return false;
    return true;
}

/* ---- Leaving a round robin: FIDE C.05, withdrawal ---- */

/* The last round of the event that counts for the group. */
static unsigned last_round(const struct ranking_stage *stage)
{
    const struct tournament *tournament = stage->tournament;
    unsigned last = stage->rounds;
    if (stage->number + 1 < tournament->stages) {
        unsigned end = tournament->stage[stage->number + 1].first_round - 1U;
        last = end < last ? end : last;
    }
    return last;
}

/* Rounds, or an entry's games, if everybody meets once in so many. */
static unsigned in_all(const struct stage_settings *settings, size_t once)
{
    return (unsigned)once * (settings->twice ? 2 : 1);
}

/* True if the group has played all its rounds with round `last`. */
static bool is_over(const struct ranking_stage *stage, const struct ranking_group *group,
                    unsigned last)
{
    size_t even = group->count + group->count % 2;
    return stage->number + 1 < stage->tournament->stages ||
           last + 1 >= group->first_round + in_all(stage->settings, even - 1);
}

/* While rounds remain, an entry has left if it is out of all of them. Dropping out after the last
 * round is not leaving. */
static bool has_left(const struct entrant *entrant, unsigned last, bool over)
{
    if (over || last >= TOURNAMENT_ROUNDS_MAX)
        return ranking_is_out(entrant, last);
    return entrant->out >> last == UINT64_MAX >> last;
}

static unsigned games_completed(const struct table_result *results, size_t count, uint16_t entry)
{
    unsigned completed = 0;
    for (size_t i = 0; i < count; i++)
        for (unsigned seat = 0; seat < results[i].seats; seat++)
            completed += results[i].seat[seat].entry == entry &&
                         round_kind_is_played(results[i].seat[seat].kind);
    return completed;
}

static void annul(const struct ranking_stage *stage, const struct table_result *results,
                  size_t count, struct ranking_group *group)
{
    unsigned games = in_all(stage->settings, group->count - 1);
    unsigned last = last_round(stage);
    bool over = is_over(stage, group, last);
    for (size_t i = 0; i < group->count; i++) {
        uint16_t entry = group->members[i];
        group->input->annulled[i] =
            has_left(&stage->tournament->entrants[entry], last, over) &&
            !berger_results_stand(games_completed(results, count, entry), games);
    }
}

static bool is_annulled(const struct ranking_group *group, const struct table_result *result)
{
    for (unsigned seat = 0; seat < result->seats; seat++)
        if (group->input->annulled[group->input->position[result->seat[seat].entry]])
            return true;
    return false;
}

/* ---- Results and standings ---- */

static struct table_result in_the_group(const struct ranking_group *group,
                                        struct table_result result)
{
    result.round = (uint16_t)(result.round - group->first_round + 1);
    for (unsigned seat = 0; seat < result.seats; seat++)
        result.seat[seat].entry = group->input->position[result.seat[seat].entry];
    return result;
}

static void fill_results(const struct table_result *results, size_t count,
                         struct ranking_group *group)
{
    for (size_t i = 0; i < count; i++) {
        if (!is_among_members(group, &results[i]) || is_annulled(group, &results[i]))
            continue;
        group->input->results[group->result_count] = in_the_group(group, results[i]);
        group->results[group->result_count++] = results[i];
    }
}

/* Computes the handicap of each seat from the group's own tables. */
static void measure_handicap(const struct ranking_group *group,
                             int32_t handicap[TOURNAMENT_SEATS_MAX + 1][TOURNAMENT_SEATS_MAX])
{
    struct seat_tallies tallies = {.tables = {0}};
    for (size_t i = 0; i < group->result_count; i++)
        (void)seat_count(&tallies, &group->input->results[i]);
    seat_handicaps(&tallies, handicap);
}

static bool make_standings(const struct ranking_stage *stage, struct ranking_group *group,
                           struct refusal *refusal)
{
    unsigned last = last_round(stage);
    int32_t handicap[TOURNAMENT_SEATS_MAX + 1][TOURNAMENT_SEATS_MAX];
    measure_handicap(group, handicap);
    const struct standings_input input = {
        .entries = group->input->entries,
        .entry_count = group->count,
        .results = group->input->results,
        .result_count = group->result_count,
        .scoring = group->scoring,
        .chain = group->chain,
        .chain_count = group->chain_count,
        .rules = stage->settings->unplayed,
        .rounds = (uint16_t)(last + 1 > group->first_round ? last + 1 - group->first_round : 0),
        .chance = stage->chance,
        .ratings = group->input->ratings,
        .unrated = lowest_rating(group),
        .handicap = (const int32_t(*)[TOURNAMENT_SEATS_MAX])handicap};
    return standings_make(&input, &group->standings, refusal);
}

/* Rows in the order of the standings, annulled entries last. */
static void fill_rows(struct ranking_group *group)
{
    const struct standing *standing = group->standings.rows;
    size_t filled = 0, stand = 0;
    for (size_t i = 0; i < group->count; i++)
        stand += !group->input->annulled[i];
    for (unsigned annulled = 0; annulled < 2; annulled++) {
        unsigned rank = 0;
        for (size_t i = 0; i < group->count; i++) {
            if (group->input->annulled[standing[i].entry] != annulled)
                continue;
            struct ranking_row *row = &group->rows[filled];
            *row = (struct ranking_row){.entry = group->members[standing[i].entry],
                                        .annulled = annulled,
                                        .standing = (uint32_t)i,
                                        .points = standing[i].points};
            if (annulled)
                row->place = (uint16_t)(stand + 1);
            else if (filled > 0 && standing[i].rank == rank)
                row->place = group->rows[filled - 1].place;
            else
                row->place = (uint16_t)(filled + 1);
            rank = standing[i].rank;
            filled++;
        }
    }
}

bool ranking_make_points(const struct ranking_stage *stage, const struct table_result *results,
                         size_t result_count, struct ranking_group *group, struct refusal *refusal)
{
    group->chain = stage->settings->chain;
    group->chain_count = stage->settings->chain_count;
    group->scoring = &stage->settings->scoring;
    if (!take_memory(group, stage->tournament->entrant_count, result_count))
        return ranking_refuse_memory(refusal);
    fill_entries(stage->tournament, group);
    if (settings_plays_everybody(stage->settings) && group->count > 0)
        annul(stage, results, result_count, group);
    fill_results(results, result_count, group);
    if (!make_standings(stage, group, refusal))
        return false;
    fill_rows(group);
    return true;
}

size_t ranking_operands(const struct ranking_group *group, const struct ranking_row *row,
                        size_t position, struct tie_break_operand *operands)
{
    size_t count = standings_operands(&group->standings, position,
                                      group->standings.rows[row->standing].entry, operands);
    for (size_t i = 0; i < count; i++) {
        operands[i].entry = group->members[operands[i].entry];
        operands[i].round = (uint16_t)(operands[i].round + group->first_round - 1);
    }
    return count;
}
