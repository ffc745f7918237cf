#include "engine/tournament/pairing/ranking.h"

#include <stdlib.h>
#include <string.h>

#include "engine/tournament/pairing/pairing.h"
#include "engine/tournament/pairing/ranking_group.h"

bool ranking_refuse_memory(struct refusal *refusal)
{
    return refuse(refusal, RANKING_REFUSAL_MEMORY, "There is not enough memory for the standings.");
}

/* ---- The entries of a stage ---- */

static enum ranking_kind kind_of(enum tournament_format format)
{
    if (tournament_format_has_points(format))
        return RANKING_POINTS;
    if (format == FORMAT_LADDER)
        return RANKING_LADDER;
    return format == FORMAT_OPEN_PLAY ? RANKING_OPEN_PLAY : RANKING_BRACKET;
}

size_t ranking_entries(const struct tournament *tournament, size_t stage, uint16_t *entries)
{
    size_t count = 0;
    if (stage < tournament->stages) {
        count = tournament->stage[stage].entry_count;
        memcpy(entries, tournament->stage[stage].entries, count * sizeof *entries);
    }
    if (stage > 0)
        return count;
    bool listed[UINT16_MAX + 1];
    memset(listed, 0, tournament->entrant_count * sizeof *listed);
    for (size_t i = 0; i < count; i++)
        listed[entries[i]] = true;
    for (size_t number = 1; number <= tournament->numbered; number++) {
        uint16_t entry = tournament_entry_numbered(tournament, (uint16_t)number);
        if (!listed[entry])
            entries[count++] = entry;
    }
    return count;
}

/* The entries of a stage; standings of earlier rounds leave out later entries. */
static size_t members_of(const struct tournament *tournament, size_t stage, unsigned rounds,
                         uint16_t *entries)
{
    size_t count = ranking_entries(tournament, stage, entries), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (rounds == tournament->rounds_started ||
            tournament->entrants[entries[i]].from <= rounds + 1)
            entries[kept++] = entries[i];
    return kept;
}

/* Whether a stage began within the rounds that count. */
static bool has_begun(const struct tournament *tournament, size_t stage, unsigned rounds)
{
    if (stage == 0)
        return true;
    if (stage >= tournament->stages)
        return false;
    unsigned first = tournament->stage[stage].first_round;
    return tournament_format_has_rounds(tournament->settings.stage[stage].format)
               ? first <= rounds
               : first <= rounds + 1;
}

static size_t stages_begun(const struct tournament *tournament, unsigned rounds)
{
    size_t count = 1;
    while (has_begun(tournament, count, rounds))
        count++;
    return count;
}

/* ---- Groups ---- */

static void free_group(struct ranking_group *group)
{
    standings_free(&group->standings);
    ranking_free_input(group->input);
    free(group->members);
    free(group->rows);
    free(group->results);
    free(group->open_rows);
    free(group->open_games);
}

/* Adds a group with the members of `division` among `entries`; all of them for division 0. */
static struct ranking_group *add_group(struct ranking *ranking, const struct ranking_stage *stage,
                                       unsigned division, const uint16_t *entries, size_t count,
                                       const uint16_t *division_of)
{
    const struct tournament_stage *begun = &stage->tournament->stage[stage->number];
    struct ranking_group *group = &ranking->groups[ranking->group_count++];
    *group = (struct ranking_group){.stage = (uint8_t)stage->number,
                                    .division = (uint16_t)division,
                                    .kind = kind_of(stage->settings->format),
                                    .first_round = stage->number < stage->tournament->stages &&
                                                           begun->first_round > 0
                                                       ? begun->first_round
                                                       : 1,
                                    .members = calloc(count + 1, sizeof *group->members),
                                    .rows = calloc(count + 1, sizeof *group->rows)};
    if (group->members == NULL || group->rows == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (division == 0 || division_of[i] == division)
            group->members[group->count++] = entries[i];
    return group;
}

static bool make_group(const struct ranking_stage *stage, const struct table_result *results,
                       size_t result_count, struct ranking_group *group, struct refusal *refusal)
{
    if (group == NULL)
        return ranking_refuse_memory(refusal);
    switch (group->kind) {
    case RANKING_POINTS:
        return ranking_make_points(stage, results, result_count, group, refusal);
    case RANKING_BRACKET:
        return ranking_make_bracket(stage, group, refusal);
    case RANKING_LADDER:
        return ranking_make_ladder(stage, group, refusal);
    case RANKING_OPEN_PLAY:
        break;
    }
    return ranking_make_open_play(stage, group, refusal);
}

static bool has_divisions(const struct ranking_stage *stage)
{
    return stage->settings->format == FORMAT_LEAGUE && stage->number < stage->tournament->stages;
}

/* Entries that are not in the schedule belong to the last division. */
static unsigned find_divisions(const struct ranking_stage *stage, size_t count, uint16_t *division)
{
    if (!has_divisions(stage))
        return 0;
    unsigned divisions = pairing_divisions(stage->tournament, stage->number, division);
    for (size_t i = stage->tournament->stage[stage->number].entry_count; i < count; i++)
        division[i] = (uint16_t)divisions;
    return divisions;
}

static bool make_groups(struct ranking *ranking, const struct ranking_stage *stage,
                        const uint16_t *entries, size_t count, uint16_t *division_of,
                        struct refusal *refusal)
{
    bool made = true;
    size_t result_count = 0;
    struct table_result *results = NULL;
    unsigned divisions = find_divisions(stage, count, division_of);
    struct ranking_group *groups =
        realloc(ranking->groups, (ranking->group_count + divisions + 1) * sizeof *groups);
    if (groups == NULL)
        return ranking_refuse_memory(refusal);
    ranking->groups = groups;
    if (kind_of(stage->settings->format) == RANKING_POINTS) {
        results = tournament_results(stage->tournament, stage->number, stage->number, stage->rounds,
                                     &result_count);
        if (results == NULL)
            return ranking_refuse_memory(refusal);
    }
    for (unsigned division = divisions > 0; made && division <= divisions; division++)
        made =
            make_group(stage, results, result_count,
                       add_group(ranking, stage, division, entries, count, division_of), refusal);
    free(results);
    return made;
}

static bool make_stage(struct ranking *ranking, const struct ranking_stage *stage,
                       struct refusal *refusal)
{
    size_t entrants = stage->tournament->entrant_count;
    uint16_t *entries = calloc(2 * entrants + 1, sizeof *entries);
    if (entries == NULL)
        return ranking_refuse_memory(refusal);
    size_t count = members_of(stage->tournament, stage->number, stage->rounds, entries);
    bool made = make_groups(ranking, stage, entries, count, entries + entrants, refusal);
    free(entries);
    return made;
}

static void mark_those_who_went_on(struct ranking *ranking, const struct tournament *tournament,
                                   size_t stages)
{
    bool on[UINT16_MAX + 1];
    for (size_t i = 0; i < ranking->group_count; i++) {
        struct ranking_group *group = &ranking->groups[i];
        if (group->stage + 1U >= stages)
            continue;
        const struct tournament_stage *next = &tournament->stage[group->stage + 1];
        memset(on, 0, tournament->entrant_count * sizeof *on);
        for (size_t j = 0; j < next->entry_count; j++)
            on[next->entries[j]] = true;
        for (size_t j = 0; j < group->count; j++)
            group->rows[j].on = on[group->rows[j].entry];
    }
}

/* The end of the rows that share the place of row `from`. */
static size_t end_of_place(const struct ranking_group *group, size_t from)
{
    size_t end = from + 1;
    while (end < group->count && group->rows[end].place == group->rows[from].place)
        end++;
    return end;
}

static void count_shared(struct ranking_group *group)
{
    for (size_t from = 0, end; from < group->count; from = end) {
        end = end_of_place(group, from);
        for (size_t i = from; i < end; i++)
            group->rows[i].shared = group->rows[i].place > 0 ? (uint16_t)(end - from) : 0;
    }
}

/* ---- Places in the event ---- */

static bool is_listed(const struct ranking *ranking, uint16_t entry)
{
    return ranking->of_entry[entry] != RANKING_NONE;
}

/* Lists those of the rows [from, end), which share a place, that are not listed yet; returns how
 * many. */
static size_t list_place(struct ranking *ranking, uint16_t number, size_t from, size_t end,
                         unsigned place)
{
    const struct ranking_group *group = &ranking->groups[number];
    size_t first = ranking->place_count;
    for (size_t i = from; i < end; i++) {
        const struct ranking_row *row = &group->rows[i];
        if (is_listed(ranking, row->entry))
            continue;
        ranking->of_entry[row->entry] = (uint32_t)ranking->place_count;
        ranking->places[ranking->place_count++] = (struct ranking_place){
            .entry = row->entry, .place = (uint16_t)place, .group = number, .points = row->points};
    }
    size_t listed = ranking->place_count - first;
    for (size_t i = first; place > 0 && i < ranking->place_count; i++)
        ranking->places[i].shared = (uint16_t)listed;
    return end - from - listed;
}

/* Follows the entries already listed. An entry that advanced takes no place from those that did
 * not. */
static void list_group(struct ranking *ranking, uint16_t number)
{
    const struct ranking_group *group = &ranking->groups[number];
    size_t before = ranking->place_count, gone_on = 0;
    for (size_t from = 0, end; from < group->count; from = end) {
        end = end_of_place(group, from);
        unsigned place = group->rows[from].place;
        if (place > 0)
            place = (unsigned)(before + place - gone_on);
        gone_on += list_place(ranking, number, from, end, place);
    }
}

struct numbered_place {
    struct ranking_place place;
    uint16_t number; /* of the entry */
};

/* By place, entries without one last; then in the order of listing, or by number. */
static int compare_places(const void *left, const void *right)
{
    const struct numbered_place *a = left, *b = right;
    unsigned place_a = a->place.place - 1U, place_b = b->place.place - 1U;
    if (place_a != place_b)
        return place_a < place_b ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static bool sort_places(struct ranking *ranking, const struct tournament *tournament,
                        struct refusal *refusal)
{
    struct numbered_place *sorted = calloc(ranking->place_count + 1, sizeof *sorted);
    if (sorted == NULL)
        return ranking_refuse_memory(refusal);
    for (size_t i = 0; i < ranking->place_count; i++) {
        sorted[i].place = ranking->places[i];
        sorted[i].number = tournament->entrants[ranking->places[i].entry].number;
    }
    qsort(sorted, ranking->place_count, sizeof *sorted, compare_places);
    for (size_t i = 0; i < ranking->place_count; i++) {
        ranking->places[i] = sorted[i].place;
        ranking->of_entry[sorted[i].place.entry] = (uint32_t)i;
    }
    free(sorted);
    return true;
}

/* The groups of the last stage come first; those of one stage keep their order. */
static bool make_places(struct ranking *ranking, const struct tournament *tournament, size_t stages,
                        struct refusal *refusal)
{
    ranking->entry_count = tournament->entrant_count;
    ranking->places = calloc(tournament->entrant_count + 1, sizeof *ranking->places);
    ranking->of_entry = calloc(tournament->entrant_count + 1, sizeof *ranking->of_entry);
    if (ranking->places == NULL || ranking->of_entry == NULL)
        return ranking_refuse_memory(refusal);
    memset(ranking->of_entry, 0xff, tournament->entrant_count * sizeof *ranking->of_entry);
    for (size_t stage = stages; stage-- > 0;)
        for (size_t i = 0; i < ranking->group_count; i++)
            if (ranking->groups[i].stage == stage)
                list_group(ranking, (uint16_t)i);
    return sort_places(ranking, tournament, refusal);
}

/* ---- The whole ---- */

static bool is_ready(const struct tournament *tournament)
{
    return tournament->phase >= PHASE_ENTRIES_CLOSED &&
           tournament->settings.stage[0].format != FORMAT_DUPLICATE;
}

static bool make(const struct tournament *tournament, const struct chance *chance, unsigned rounds,
                 struct ranking *ranking, struct refusal *refusal)
{
    size_t stages = stages_begun(tournament, rounds);
    for (size_t i = 0; i < stages; i++) {
        const struct ranking_stage stage = {.tournament = tournament,
                                            .settings = &tournament->settings.stage[i],
                                            .chance = chance,
                                            .number = i,
                                            .rounds = rounds};
        if (!make_stage(ranking, &stage, refusal))
            return false;
    }
    for (size_t i = 0; i < ranking->group_count; i++)
        count_shared(&ranking->groups[i]);
    mark_those_who_went_on(ranking, tournament, stages);
    return make_places(ranking, tournament, stages, refusal);
}

bool ranking_make(const struct tournament *tournament, const struct chance *chance, unsigned rounds,
                  struct ranking *ranking, struct refusal *refusal)
{
    *ranking = (struct ranking){0};
    if (!is_ready(tournament))
        return refuse(refusal, RANKING_REFUSAL_NOT_YET,
                      "Standings exist once entries are closed; those of duplicate events are made "
                      "of boards.");
    if (rounds > tournament->rounds_started)
        rounds = tournament->rounds_started;
    if (make(tournament, chance, rounds, ranking, refusal))
        return true;
    ranking_free(ranking);
    return false;
}

void ranking_free(struct ranking *ranking)
{
    for (size_t i = 0; i < ranking->group_count; i++)
        free_group(&ranking->groups[i]);
    free(ranking->groups);
    free(ranking->places);
    free(ranking->of_entry);
    *ranking = (struct ranking){0};
}

size_t ranking_cut(const struct tournament *tournament, const struct ranking *ranking, size_t stage,
                   size_t most, uint16_t *order)
{
    size_t count = 0;
    for (size_t i = 0; i < ranking->group_count; i++) {
        const struct ranking_group *group = &ranking->groups[i];
        for (size_t j = 0; group->stage == stage && j < group->count && count < most; j++) {
            const struct ranking_row *row = &group->rows[j];
            if (row->place > 0 &&
                !ranking_is_out(&tournament->entrants[row->entry], tournament->rounds_started + 1U))
                order[count++] = row->entry;
        }
    }
    return count;
}

/* ---- Meetings ---- */

static bool is_started(const struct tournament *tournament, const struct tournament_table *table,
                       unsigned rounds)
{
    return table->round <= rounds && table->round <= tournament->rounds_started;
}

void ranking_crosstable(const struct tournament *tournament, size_t stage, unsigned rounds,
                        void (*found)(void *context, uint16_t a, uint16_t b,
                                      const struct tournament_table *table),
                        void *context)
{
    for (size_t i = 0; i < tournament->table_count; i++) {
        const struct tournament_table *table = &tournament->tables[i];
        if (table->stage != stage || !is_started(tournament, table, rounds))
            continue;
        for (unsigned one = 0; one < table->seats; one++)
            for (unsigned other = one + 1; other < table->seats; other++) {
                uint16_t a = table->entry[one], b = table->entry[other];
                bool in_order = tournament->entrants[a].number < tournament->entrants[b].number;
                found(context, in_order ? a : b, in_order ? b : a, table);
            }
    }
}

/* ---- Before and after ---- */

static struct ranking_place place_of(const struct ranking *ranking, uint16_t entry)
{
    if (entry >= ranking->entry_count || !is_listed(ranking, entry))
        return (struct ranking_place){.entry = entry};
    return ranking->places[ranking->of_entry[entry]];
}

size_t ranking_compare(const struct ranking *was, const struct ranking *is,
                       struct ranking_difference *differences)
{
    size_t count = 0;
    for (size_t i = 0; i < is->place_count; i++) {
        const struct ranking_place *now = &is->places[i];
        struct ranking_place then = place_of(was, now->entry);
        if (then.place != now->place || then.points != now->points)
            differences[count++] = (struct ranking_difference){.entry = now->entry,
                                                               .place_was = then.place,
                                                               .place_is = now->place,
                                                               .points_was = then.points,
                                                               .points_is = now->points};
    }
    return count;
}
