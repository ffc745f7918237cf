/* Pod Swiss in an event: pod_swiss.h with what the log says of the stage so far. */
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/draw_parts.h"
#include "engine/tournament/placing.h"
#include "engine/tournament/pod_history.h"

/* A request and the arrays it borrows; player i is entry present[i]. */
struct pods {
    struct pod_request request;
    uint16_t *present;
    uint16_t *index; /* [entry]: player, or TOURNAMENT_NOBODY */
    struct pod_player *players;
    uint8_t *met, *before;
    uint16_t *groups;
    struct pod_pair *pairs;
    size_t count;
};

static bool is_over(const struct drawing *drawing, bool *over)
{
    *over = drawing->stage_round > drawing->settings->rounds;
    return true;
}

static void free_pods(struct pods *pods)
{
    free(pods->present);
    free(pods->index);
    free(pods->players);
    free(pods->met);
    free(pods->before);
    free(pods->groups);
    free(pods->pairs);
}

static bool take_memory(const struct drawing *drawing, struct pods *pods)
{
    size_t most = drawing->entry_count + 1;
    pods->present = calloc(most, sizeof *pods->present);
    pods->index = draw_positions(drawing);
    pods->groups = calloc(drawing->stage_round, sizeof *pods->groups);
    pods->pairs = calloc(drawing->tournament->pair_count + 1, sizeof *pods->pairs);
    return pods->present != NULL && pods->index != NULL && pods->groups != NULL &&
           pods->pairs != NULL;
}

/* Who is there, by number in the stage. */
static bool list_present(const struct drawing *drawing, struct pods *pods)
{
    if (!take_memory(drawing, pods))
        return false;
    for (size_t i = 0; i < drawing->entry_count; i++) {
        uint16_t entry = drawing->entries[i];
        bool present = draw_is_present(drawing, entry);
        pods->index[entry] = present ? (uint16_t)pods->count : TOURNAMENT_NOBODY;
        if (present)
            pods->present[pods->count++] = entry;
    }
    pods->players = calloc(pods->count + 1, sizeof *pods->players);
    pods->met = calloc(pods->count * pods->count + 1, 1);
    pods->before = calloc(pods->count * pods->count + 1, 1);
    return pods->players != NULL && pods->met != NULL && pods->before != NULL;
}

static bool count_history(const struct drawing *drawing, struct pods *pods)
{
    size_t entrants = drawing->tournament->entrant_count, result_count = 0;
    struct entry *entries = calloc(entrants, sizeof *entries);
    int32_t *work = calloc(entrants, sizeof *work);
    struct table_result *results = draw_stage_results(drawing, &result_count);
    bool good = entries != NULL && work != NULL && results != NULL;
    for (size_t i = 0; good && i < drawing->entry_count; i++)
        entries[drawing->entries[i]].tpn = (uint16_t)(i + 1);
    const struct pod_history history = {.entries = entries,
                                        .entry_count = entrants,
                                        .results = results,
                                        .result_count = result_count,
                                        .scoring = &drawing->settings->scoring,
                                        .present = pods->present,
                                        .present_count = pods->count,
                                        .rounds = (uint16_t)(drawing->stage_round - 1),
                                        .preferred = drawing->settings->table.preferred};
    if (good)
        pod_history_count(&history, pods->players, pods->met, pods->before, pods->groups, work);
    free(entries);
    free(work);
    free(results);
    return good || draw_no_memory(drawing);
}

static void take_places(const struct placing_group *group, struct pods *pods)
{
    for (size_t i = 0; i < group->count; i++) {
        uint16_t player = pods->index[group->rows[i].entry];
        if (player != TOURNAMENT_NOBODY)
            pods->players[player].place = group->rows[i].place;
    }
}

static bool find_places(const struct drawing *drawing, struct pods *pods)
{
    struct placing placing;
    if (!placing_make(drawing->tournament, drawing->chance, drawing->tournament->rounds_started,
                      &placing, drawing->refusal))
        return false;
    for (size_t i = 0; i < placing.group_count; i++)
        if (placing.groups[i].stage == drawing->stage)
            take_places(&placing.groups[i], pods);
    placing_free(&placing);
    return true;
}

static bool list_pairs(const struct drawing *drawing, struct pods *pods)
{
    struct tournament_pair *pairs = calloc(drawing->tournament->pair_count + 1, sizeof *pairs);
    if (pairs == NULL)
        return draw_no_memory(drawing);
    pods->request.pair_count = draw_pairs(drawing, pods->index, pairs);
    for (size_t i = 0; i < pods->request.pair_count; i++)
        pods->pairs[i] = (struct pod_pair){pairs[i].a, pairs[i].b, pairs[i].weight};
    free(pairs);
    return true;
}

static uint16_t later_rounds(const struct drawing *drawing)
{
    unsigned planned = drawing->settings->rounds;
    return (uint16_t)(planned > drawing->stage_round ? planned - drawing->stage_round : 0);
}

static bool prepare(const struct drawing *drawing, struct pods *pods)
{
    *pods = (struct pods){.count = 0};
    if (!list_present(drawing, pods))
        return draw_no_memory(drawing);
    if (!count_history(drawing, pods) || !find_places(drawing, pods) || !list_pairs(drawing, pods))
        return false;
    pods->request = (struct pod_request){.players = pods->players,
                                         .player_count = pods->count,
                                         .met = pods->met,
                                         .before = pods->before,
                                         .pairs = pods->pairs,
                                         .pair_count = pods->request.pair_count,
                                         .earlier_groups = pods->groups,
                                         .earlier_rounds = drawing->stage_round - 1,
                                         .rule = drawing->settings->table,
                                         .profile = drawing->settings->profile,
                                         .round = (uint16_t)drawing->round,
                                         .later_rounds = later_rounds(drawing),
                                         .version = drawing->settings->pairing_version,
                                         .attempt = (uint16_t)drawing->attempt,
                                         .chance = drawing->chance};
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

static json_t *explain(const struct drawing *drawing, const struct pod_pairing *pairing)
{
    json_t *criteria = json_array(), *tables = json_array();
    for (int i = 0; i < POD_CRITERIA; i++) {
        const struct pod_criterion_text *text = pod_criterion_describe((enum pod_criterion)i);
        draw_add_criterion(criteria, text->code, text->name, text->meaning,
                           pairing->criteria.value[i]);
    }
    for (size_t t = 0; t < pairing->table_count; t++)
        json_array_append_new(tables,
                              json_pack("{s:o}", "costs", costs_of(&pairing->tables[t].criteria)));
    draw_add_criterion(criteria, "B", "byes", "Players who are there and have no seat.",
                       (int64_t)pairing->bye_count);
    return json_pack("{s:s, s:i, s:o, s:I, s:b, s:o}", "method", "pod_swiss", "version",
                     (int)drawing->settings->pairing_version, "criteria", criteria, "repeats_bound",
                     (json_int_t)pairing->repeats_bound, "proved_best", (int)pairing->exhaustive,
                     "tables", tables);
}

static void fill(const struct drawing *drawing, const struct pods *pods,
                 const struct pod_pairing *pairing)
{
    for (size_t t = 0; t < pairing->table_count; t++) {
        const struct pod_table *table = &pairing->tables[t];
        uint16_t entries[TOURNAMENT_SEATS_MAX] = {0};
        for (unsigned seat = 0; seat < table->seats; seat++)
            entries[seat] = pods->present[table->player[seat]];
        draw_add_table(drawing, table->seats, entries, TOURNAMENT_NOBODY);
    }
    for (size_t i = 0; i < pairing->bye_count; i++)
        draw_add_bye(drawing, pods->present[pairing->byes[i]], ROUND_PAIRING_BYE);
    draw_add_absent(drawing);
    drawing->draw->quality = explain(drawing, pairing);
}

static bool make(const struct drawing *drawing)
{
    struct pods pods;
    struct pod_pairing pairing;
    bool made =
        prepare(drawing, &pods) && pod_swiss_pair(&pods.request, &pairing, drawing->refusal);
    if (made) {
        fill(drawing, &pods, &pairing);
        pod_pairing_free(&pairing);
    }
    free_pods(&pods);
    return made;
}

/* ---- A change by hand ---- */

static void read_tables(const struct pods *pods, const struct draw *by_hand,
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

static bool judge(const struct drawing *drawing, const struct draw *drawn,
                  const struct draw *by_hand)
{
    struct pods pods;
    struct pod_pairing pairing = {0};
    (void)drawn;
    if (!draw_check_everybody(drawing, by_hand))
        return false;
    bool judged = prepare(drawing, &pods);
    pairing.tables = calloc(by_hand->table_count + 1, sizeof *pairing.tables);
    pairing.byes = calloc(by_hand->bye_count + 1, sizeof *pairing.byes);
    if (judged && pairing.tables != NULL && pairing.byes != NULL) {
        read_tables(&pods, by_hand, &pairing);
        judged = pod_swiss_judge(&pods.request, &pairing, drawing->refusal);
    } else if (judged) {
        judged = draw_no_memory(drawing);
    }
    if (judged)
        fill(drawing, &pods, &pairing);
    pod_pairing_free(&pairing);
    free_pods(&pods);
    return judged;
}

const struct draw_format draw_pod_swiss = {is_over, make, judge};
