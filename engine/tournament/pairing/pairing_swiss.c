/* Pod Swiss in an event: pod_swiss.h with input from the stage's log. */
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/tournament/formats/pods/pod_history.h"
#include "engine/tournament/pairing/pairing_parts.h"
#include "engine/tournament/pairing/ranking.h"

/* A request and the arrays it borrows; player i is entry present[i]. */
struct pods {
    struct pod_request request;
    struct arena_batch batch;
    uint16_t *present;
    uint16_t *index; /* [entry]: player, or TOURNAMENT_NOBODY */
    struct pod_player *players;
    uint8_t *met, *before;
    uint16_t *groups;
    struct pod_pair *pairs;
    size_t count;
};

static bool is_over(const struct pairing_run *run, bool *over)
{
    *over = run->stage_round > run->settings->rounds;
    return true;
}

static void free_pods(struct pods *pods)
{
    arena_batch_free(&pods->batch);
    free(pods->index);
}

/* Lists the present entries, by number in the stage. */
static bool list_present(const struct pairing_run *run, struct pods *pods)
{
    struct arena_batch *batch = &pods->batch;
    pods->present = arena_batch_take(batch, run->entry_count + 1, sizeof *pods->present);
    pods->groups = arena_batch_take(batch, run->stage_round, sizeof *pods->groups);
    pods->pairs = arena_batch_take(batch, pairing_pairs_most(run) + 1, sizeof *pods->pairs);
    pods->index = pairing_positions(run);
    if (batch->failed || pods->index == NULL)
        return false;
    for (size_t i = 0; i < run->entry_count; i++) {
        uint16_t entry = run->entries[i];
        bool present = pairing_is_present(run, entry);
        pods->index[entry] = present ? (uint16_t)pods->count : TOURNAMENT_NOBODY;
        if (present)
            pods->present[pods->count++] = entry;
    }
    pods->players = arena_batch_take(batch, pods->count + 1, sizeof *pods->players);
    pods->met = arena_batch_take(batch, pods->count * pods->count + 1, 1);
    pods->before = arena_batch_take(batch, pods->count * pods->count + 1, 1);
    return !batch->failed;
}

static bool count_history(const struct pairing_run *run, struct pods *pods)
{
    size_t entrants = run->tournament->entrant_count, result_count = 0;
    struct entry *entries = calloc(entrants, sizeof *entries);
    int32_t *work = calloc(entrants, sizeof *work);
    struct table_result *results = pairing_stage_results(run, &result_count);
    bool good = entries != NULL && work != NULL && results != NULL;
    for (size_t i = 0; good && i < run->entry_count; i++)
        entries[run->entries[i]].tpn = (uint16_t)(i + 1);
    const struct pod_history history = {.entries = entries,
                                        .entry_count = entrants,
                                        .results = results,
                                        .result_count = result_count,
                                        .scoring = &run->settings->scoring,
                                        .present = pods->present,
                                        .present_count = pods->count,
                                        .rounds = (uint16_t)(run->stage_round - 1),
                                        .preferred = run->settings->table.preferred};
    if (good)
        pod_history_count(&history, pods->players, pods->met, pods->before, pods->groups, work);
    free(entries);
    free(work);
    free(results);
    return good || pairing_no_memory(run);
}

static void take_places(const struct ranking_group *group, struct pods *pods)
{
    for (size_t i = 0; i < group->count; i++) {
        uint16_t player = pods->index[group->rows[i].entry];
        if (player != TOURNAMENT_NOBODY)
            pods->players[player].place = group->rows[i].place;
    }
}

static bool find_places(const struct pairing_run *run, struct pods *pods)
{
    struct ranking ranking;
    if (!ranking_make(run->tournament, run->chance, run->tournament->rounds_started, &ranking,
                      run->refusal))
        return false;
    for (size_t i = 0; i < ranking.group_count; i++)
        if (ranking.groups[i].stage == run->stage)
            take_places(&ranking.groups[i], pods);
    ranking_free(&ranking);
    return true;
}

static bool list_pairs(const struct pairing_run *run, struct pods *pods)
{
    struct tournament_pair *pairs = calloc(pairing_pairs_most(run) + 1, sizeof *pairs);
    if (pairs == NULL)
        return pairing_no_memory(run);
    pods->request.pair_count = pairing_pairs(run, pods->index, pairs);
    for (size_t i = 0; i < pods->request.pair_count; i++)
        pods->pairs[i] = (struct pod_pair){pairs[i].a, pairs[i].b, pairs[i].weight};
    free(pairs);
    return true;
}

static uint16_t later_rounds(const struct pairing_run *run)
{
    unsigned planned = run->settings->rounds;
    return (uint16_t)(planned > run->stage_round ? planned - run->stage_round : 0);
}

static bool prepare(const struct pairing_run *run, struct pods *pods)
{
    *pods = (struct pods){.count = 0};
    if (!list_present(run, pods))
        return pairing_no_memory(run);
    if (!count_history(run, pods) || !find_places(run, pods) || !list_pairs(run, pods))
        return false;
    pods->request = (struct pod_request){.players = pods->players,
                                         .player_count = pods->count,
                                         .met = pods->met,
                                         .before = pods->before,
                                         .pairs = pods->pairs,
                                         .pair_count = pods->request.pair_count,
                                         .earlier_groups = pods->groups,
                                         .earlier_rounds = run->stage_round - 1,
                                         .rule = run->settings->table,
                                         .profile = run->settings->profile,
                                         .round = (uint16_t)run->round,
                                         .later_rounds = later_rounds(run),
                                         .version = run->settings->pairing_version,
                                         .attempt = (uint16_t)run->attempt,
                                         .chance = run->chance};
    return true;
}

/* ---- Explaining ---- */

static json_t *costs_of(const struct pod_criteria *criteria)
{
    json_t *costs = json_object();
    for (int i = 0; i < POD_CRITERIA; i++)
        if (criteria->value[i] != 0)
            json_object_set_new(costs, pod_criterion_describe((enum pod_criterion)i)->code,
                                json_integer((json_int_t)criteria->value[i]));
    return costs;
}

static json_t *explain(const struct pairing_run *run, const struct pod_pairing *pairing)
{
    json_t *criteria = json_array(), *tables = json_array();
    for (int i = 0; i < POD_CRITERIA; i++) {
        const struct pod_criterion_text *text = pod_criterion_describe((enum pod_criterion)i);
        pairing_add_criterion(criteria, text->code, text->name, text->meaning,
                              pairing->criteria.value[i]);
    }
    for (size_t t = 0; t < pairing->table_count; t++)
        json_array_append_new(tables,
                              json_pack("{s:o}", "costs", costs_of(&pairing->tables[t].criteria)));
    pairing_add_criterion(criteria, "B", "byes", "Players who are there and have no seat.",
                          (int64_t)pairing->bye_count);
    return json_pack("{s:s, s:i, s:o, s:I, s:b, s:o}", "method", "pod_swiss", "version",
                     (int)run->settings->pairing_version, "criteria", criteria, "repeats_bound",
                     (json_int_t)pairing->repeats_bound, "proved_best", (int)pairing->exhaustive,
                     "tables", tables);
}

static void fill(const struct pairing_run *run, const struct pods *pods,
                 const struct pod_pairing *pairing)
{
    for (size_t t = 0; t < pairing->table_count; t++) {
        const struct pod_table *table = &pairing->tables[t];
        uint16_t entries[TOURNAMENT_SEATS_MAX] = {0};
        for (unsigned seat = 0; seat < table->seats; seat++)
            entries[seat] = pods->present[table->player[seat]];
        pairing_add_table(run, table->seats, entries, TOURNAMENT_NOBODY);
    }
    for (size_t i = 0; i < pairing->bye_count; i++)
        pairing_add_bye(run, pods->present[pairing->byes[i]], ROUND_PAIRING_BYE);
    pairing_add_absent(run);
    run->pairing->quality = explain(run, pairing);
}

static bool make(const struct pairing_run *run)
{
    struct pods pods;
    struct pod_pairing pairing;
    bool made = prepare(run, &pods) && pod_swiss_pair(&pods.request, &pairing, run->refusal);
    if (made) {
        fill(run, &pods, &pairing);
        pod_pairing_free(&pairing);
    }
    free_pods(&pods);
    return made;
}

/* ---- A change by hand ---- */

static void read_tables(const struct pods *pods, const struct pairing *by_hand,
                        struct pod_pairing *pairing)
{
    for (size_t t = 0; t < by_hand->table_count; t++) {
        pairing->tables[t].seats = by_hand->tables[t].seats;
        for (unsigned seat = 0; seat < by_hand->tables[t].seats; seat++)
            pairing->tables[t].player[seat] = pods->index[by_hand->tables[t].entry[seat]];
    }
    pairing->table_count = by_hand->table_count;
    for (size_t i = 0; i < by_hand->bye_count; i++)
        if (by_hand->byes[i].kind == ROUND_PAIRING_BYE)
            pairing->byes[pairing->bye_count++] = pods->index[by_hand->byes[i].entry];
}

static bool judge(const struct pairing_run *run, const struct pairing *drawn,
                  const struct pairing *by_hand)
{
    struct pods pods;
    struct pod_pairing pairing = {0};
    (void)drawn;
    if (!pairing_check_everybody(run, by_hand))
        return false;
    bool judged = prepare(run, &pods);
    pairing.tables = calloc(by_hand->table_count + 1, sizeof *pairing.tables);
    pairing.byes = calloc(by_hand->bye_count + 1, sizeof *pairing.byes);
    if (judged && pairing.tables != NULL && pairing.byes != NULL) {
        read_tables(&pods, by_hand, &pairing);
        judged = pod_swiss_judge(&pods.request, &pairing, run->refusal);
    } else if (judged) {
        judged = pairing_no_memory(run);
    }
    if (judged)
        fill(run, &pods, &pairing);
    pod_pairing_free(&pairing);
    free_pods(&pods);
    return judged;
}

const struct pairing_format pairing_pod_swiss = {is_over, make, judge};
