/* Elimination at larger tables in an event: the rounds of pod_elimination.h, built from the log's
 * tables.
 *
 * A table of the log belongs to the first table of the bracket, by rounds, with the same entries.
 * So a corrected result changes later tables only if other entries advance: tables with the same
 * entries keep their results, the others are replayed.
 */
#include "engine/base/arena.h"
#include "engine/tournament/formats/knockout/pod_elimination.h"
#include "engine/tournament/pairing/pairing_parts.h"

/* ---- The bracket ---- */

/* The input of a bracket; all owned except the tournament. */
struct gathering {
    const struct tournament *tournament;
    size_t stage;
    unsigned rounds;
    struct pod_elimination_input input;
    struct pod_withdrawal *withdrawn;
    struct table_result *results;
    bool *used;      /* [table of the log] */
    bool *left;      /* [position in the stage's entries]: whether it is in `withdrawn` */
    unsigned latest; /* latest round of the event in which a table was decided */
};

/* Entries out of the event's round get no seat from round `made` of the bracket on. */
static void gather_withdrawn(struct gathering *gathering, unsigned round, unsigned made)
{
    const struct tournament_stage *stage = &gathering->tournament->stage[gathering->stage];
    for (size_t i = 0; i < stage->entry_count; i++) {
        uint16_t entry = stage->entries[i];
        bool out = round <= TOURNAMENT_ROUNDS_MAX &&
                   (gathering->tournament->entrants[entry].out >> (round - 1) & 1) != 0;
        if (!out || gathering->left[i])
            continue;
        gathering->left[i] = true;
        gathering->withdrawn[gathering->input.withdrawn_count++] =
            (struct pod_withdrawal){entry, (uint16_t)made};
    }
}

static bool is_table(const struct gathering *gathering, size_t index,
                     const struct pod_elimination_table *made)
{
    const struct tournament_table *table = &gathering->tournament->tables[index];
    if (gathering->used[index] || table->stage != gathering->stage || !table->has_result ||
        table->round == 0 || table->round > gathering->rounds || table->seats != made->seats)
        return false;
    for (unsigned seat = 0; seat < made->seats; seat++)
        if (tournament_seat_of(table, made->entry[seat]) < 0)
            return false;
    return true;
}

static unsigned result_round(const struct gathering *gathering, size_t index)
{
    return gathering->tournament->tables[index].round;
}

static bool find_result(struct gathering *gathering, const struct pod_elimination_table *made)
{
    for (size_t i = 0; i < gathering->tournament->table_count; i++) {
        if (!is_table(gathering, i, made))
            continue;
        struct table_result *result = &gathering->results[gathering->input.result_count++];
        *result = gathering->tournament->tables[i].result;
        result->round = made->round;
        result->table = made->table;
        gathering->used[i] = true;
        if (result_round(gathering, i) > gathering->latest)
            gathering->latest = result_round(gathering, i);
        return true;
    }
    return false;
}

/* Finds results for tables without one. `all` tells whether every table now has one; false if none
 * is found. */
static bool find_results(struct gathering *gathering, const struct pod_elimination *made, bool *all)
{
    bool found = false;
    *all = true;
    for (size_t i = 0; i < made->table_count; i++) {
        if (made->tables[i].decided)
            continue;
        if (find_result(gathering, &made->tables[i]))
            found = true;
        else
            *all = false;
    }
    return found;
}

/* Results lead to the next round, without the entries that are out by then, and its tables to their
 * own results. */
static bool make_bracket(struct gathering *gathering, struct pod_elimination *made,
                         struct refusal *refusal)
{
    bool all;
    gather_withdrawn(gathering, gathering->latest + 1, 1);
    while (pod_elimination_make(&gathering->input, made, refusal)) {
        if (!find_results(gathering, made, &all))
            return true;
        if (all)
            gather_withdrawn(gathering, gathering->latest + 1, made->rounds + 1U);
        pod_elimination_free(made);
    }
    return false;
}

static bool check_stage(const struct tournament *tournament, size_t stage, struct refusal *refusal)
{
    return (stage < tournament->stages &&
            tournament->settings.stage[stage].format == FORMAT_POD_ELIMINATION) ||
           refuse(refusal, PAIRING_REFUSAL_FORMAT, "This stage has no bracket, or none yet.");
}

bool pairing_pod_bracket(const struct tournament *tournament, size_t stage, unsigned rounds,
                         struct pod_elimination *bracket, struct refusal *refusal)
{
    const struct tournament_stage *begun = &tournament->stage[stage];
    const struct stage_settings *settings = &tournament->settings.stage[stage];
    if (!check_stage(tournament, stage, refusal))
        return false;
    if (begun->entry_count < table_rule_smallest(settings->table))
        return refuse(refusal, PAIRING_REFUSAL_TOO_FEW, "There are too few entries for one table.");
    struct arena_batch batch = {.count = 0};
    struct gathering gathering = {
        .tournament = tournament,
        .stage = stage,
        .rounds = rounds,
        .latest = begun->first_round - 1U,
        .withdrawn = arena_batch_take(&batch, begun->entry_count + 1, sizeof *gathering.withdrawn),
        .left = arena_batch_take(&batch, begun->entry_count + 1, sizeof *gathering.left),
        .results = arena_batch_take(&batch, tournament->table_count + 1, sizeof *gathering.results),
        .used = arena_batch_take(&batch, tournament->table_count + 1, sizeof *gathering.used)};
    gathering.input = (struct pod_elimination_input){.rule = {settings->table, settings->advance},
                                                     .seeding = begun->entries,
                                                     .entry_count = begun->entry_count,
                                                     .results = gathering.results,
                                                     .withdrawn = gathering.withdrawn};
    bool made = batch.failed ? refuse(refusal, TOURNAMENT_REFUSAL_MEMORY,
                                      "There is not enough memory for the bracket.")
                             : make_bracket(&gathering, bracket, refusal);
    arena_batch_free(&batch);
    return made;
}

static bool is_over(const struct pairing_run *run, bool *over)
{
    struct pod_elimination bracket = {.tables = NULL};
    if (!pairing_pod_bracket(run->tournament, run->stage, run->tournament->rounds_started, &bracket,
                             run->refusal))
        return false;
    *over = bracket.over;
    pod_elimination_free(&bracket);
    return true;
}

/* ---- A round ---- */

static bool is_last_round(const struct pod_elimination *bracket,
                          const struct pod_elimination_table *table)
{
    return table->round == bracket->rounds;
}

static unsigned count_entries(const struct pod_elimination *bracket)
{
    unsigned entries = 0;
    for (size_t i = 0; i < bracket->table_count; i++)
        if (is_last_round(bracket, &bracket->tables[i]))
            entries += bracket->tables[i].seats;
    return entries;
}

static json_t *explain(const struct pairing_run *run, const struct pod_elimination *bracket)
{
    static const char *const names[] = {"", "final", "semi-final", "quarter-final"};
    const struct pod_elimination_rule rule = {run->settings->table, run->settings->advance};
    struct pod_elimination_round plan[TOURNAMENT_ROUNDS_MAX];
    char bytes[32];
    struct text name = TEXT_OVER(bytes);
    unsigned entries = count_entries(bracket);
    size_t left = pod_elimination_plan(rule, entries, plan);
    if (left < sizeof names / sizeof names[0]) {
        text_add(&name, names[left]);
    } else {
        text_add(&name, "round ");
        text_add_number(&name, bracket->rounds);
    }
    return json_pack("{s:s, s:o, s:s, s:i, s:i, s:i}", "method", "pod_bracket", "criteria",
                     pairing_seats_criteria(0), "name", bytes, "round", (int)bracket->rounds,
                     "entries", (int)entries, "on", left == 0 ? 0 : (int)plan[0].on);
}

/* An entry that asked for a bye in this round makes its table wait for the next round. */
static bool can_play(const struct pairing_run *run, const struct pod_elimination_table *table)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        enum round_kind kind = tournament_presence(run->tournament, table->entry[seat], run->round);
        if (kind != ROUND_PLAYED && kind != ROUND_ABSENT)
            return false;
    }
    return table->table != 0 && !table->decided;
}

static void pairing_round(const struct pairing_run *run, const struct pod_elimination *bracket)
{
    for (size_t i = 0; i < bracket->table_count; i++) {
        const struct pod_elimination_table *table = &bracket->tables[i];
        if (!is_last_round(bracket, table))
            continue;
        if (can_play(run, table)) {
            pairing_add_table(run, table->seats, table->entry, TOURNAMENT_NOBODY);
            continue;
        }
        for (unsigned seat = 0; seat < table->seats; seat++)
            pairing_add_without_seat(run, table->entry[seat]);
    }
}

static bool make(const struct pairing_run *run)
{
    struct pod_elimination bracket = {.tables = NULL};
    if (!pairing_pod_bracket(run->tournament, run->stage, run->tournament->rounds_started, &bracket,
                             run->refusal))
        return false;
    pairing_round(run, &bracket);
    run->pairing->quality = explain(run, &bracket);
    pod_elimination_free(&bracket);
    return true;
}

const struct pairing_format pairing_pods = {is_over, make, pairing_judge_seats};
