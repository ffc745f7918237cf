#include "engine/tournament/odds/odds.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/sha256.h"
#include "engine/tournament/odds/odds_parts.h"
#include "engine/tournament/pairing/ranking.h"

/* ---- The seed: SHA-256(the hash so far || numbers of eight bytes, most significant first) ---- */

static void add_numbers(uint8_t seed[static 32], const uint64_t *numbers, size_t count)
{
    char bytes[8 * 16];
    for (size_t i = 0; i < count; i++)
        for (unsigned byte = 0; byte < 8; byte++)
            bytes[8 * i + byte] = (char)(uint8_t)(numbers[i] >> (56 - 8 * byte));
    sha256(seed, (struct span){(const char *)seed, 32}, (struct span){bytes, 8 * count});
}

static void add_settings(uint8_t seed[static 32], const struct tournament *tournament)
{
    char *written = json_dumps(tournament->settings_document, JSON_COMPACT | JSON_SORT_KEYS);
    if (written != NULL)
        sha256(seed, (struct span){(const char *)seed, 32}, span_of(written));
    free(written);
}

static void add_entrants(uint8_t seed[static 32], const struct tournament *tournament)
{
    for (size_t i = 0; i < tournament->entrant_count; i++) {
        const struct entrant *entrant = &tournament->entrants[i];
        const uint64_t numbers[] = {entrant->number,  entrant->from,     (uint64_t)entrant->rating,
                                    entrant->out,     entrant->full_bye, entrant->half_bye,
                                    entrant->zero_bye};
        add_numbers(seed, numbers, sizeof numbers / sizeof *numbers);
        if (tournament_has_strengths(tournament))
            add_numbers(seed,
                        (const uint64_t[]){(uint64_t)(int64_t)entrant->strength.mu,
                                           (uint64_t)entrant->strength.sigma},
                        2);
    }
    for (size_t stage = 0; stage < tournament->stages; stage++)
        for (size_t i = 0; i < tournament->stage[stage].entry_count; i++)
            add_numbers(seed, (const uint64_t[]){stage, tournament->stage[stage].entries[i]}, 2);
}

bool odds_is_contested(const struct tournament *tournament, const struct tournament_table *table)
{
    const struct tournament_report *report = tournament_report(tournament, table);
    return report != NULL && report->against != REPORT_NOBODY && !report->settled && !table->ruled;
}

static void add_tables(uint8_t seed[static 32], const struct tournament *tournament)
{
    for (size_t i = 0; i < tournament->table_count; i++) {
        const struct tournament_table *table = &tournament->tables[i];
        if (table->round > tournament->rounds_started)
            continue;
        const uint64_t numbers[] = {table->round,      table->table,
                                    table->stage,      table->match,
                                    table->has_result, odds_is_contested(tournament, table)};
        add_numbers(seed, numbers, sizeof numbers / sizeof *numbers);
        for (unsigned seat = 0; seat < table->seats; seat++) {
            const struct seat_result *result = &table->result.seat[seat];
            const uint64_t own[] = {table->entry[seat], table->has_result ? result->kind : 0,
                                    table->has_result ? result->rank : 0,
                                    table->has_result ? (uint64_t)result->score : 0};
            add_numbers(seed, own, sizeof own / sizeof *own);
        }
    }
    for (size_t i = 0; i < tournament->bye_count; i++) {
        const struct tournament_bye *bye = &tournament->byes[i];
        if (bye->round <= tournament->rounds_started)
            add_numbers(seed, (const uint64_t[]){bye->round, bye->entry, bye->kind}, 3);
    }
}

unsigned odds_version(const struct tournament *tournament)
{
    return tournament_has_strengths(tournament) ? ODDS_VERSION : ODDS_VERSION_RANKED;
}

void odds_seed(const struct tournament *tournament, uint8_t seed[static 32])
{
    memset(seed, 0, 32);
    add_numbers(seed, (const uint64_t[]){odds_version(tournament), tournament->rounds_started}, 2);
    add_settings(seed, tournament);
    add_entrants(seed, tournament);
    add_tables(seed, tournament);
}

/* ---- Is there anything to compute ---- */

bool odds_possible(const struct tournament *tournament, struct refusal *refusal)
{
    if (tournament->settings.stage_count > 0 &&
        (!tournament_format_has_rounds(tournament->settings.stage[0].format) ||
         tournament->settings.stage[0].format == FORMAT_DUPLICATE))
        return refuse(refusal, ODDS_REFUSAL_FORMAT,
                      "There are odds only for events in rounds that are ranked by points or "
                      "brackets, not for ladders, open play and duplicate events.");
    if (tournament->phase != PHASE_RUNNING || tournament->rounds_started == 0)
        return refuse(
            refusal, ODDS_REFUSAL_NOT_YET,
            "There are odds only from the start of the first round to the end of the event.");
    return true;
}

/* Rounds of the current stage that are not over, for the bound of work alone: brackets have few,
 * and fewer tables in each. */
static size_t rounds_left(const struct tournament *event)
{
    enum { OF_A_BRACKET = 16 };
    const struct tournament_stage *stage = &event->stage[event->stages - 1];
    const struct stage_settings *settings = &event->settings.stage[event->stages - 1];
    size_t planned = settings->rounds;
    size_t gone = event->rounds_started + 1U - stage->first_round;
    if (!tournament_format_has_points(settings->format))
        planned = OF_A_BRACKET;
    else if (planned == 0)
        planned = stage->entry_count * (settings->twice ? 2 : 1);
    return planned > gone ? planned - gone + 1 : 1;
}

static bool is_small(const struct tournament *event, struct refusal *refusal)
{
    size_t entries = event->stage[event->stages - 1].entry_count;
    return (entries <= ODDS_ENTRIES_MAX && entries * rounds_left(event) <= ODDS_SEATS_MAX) ||
           refuse(refusal, ODDS_REFUSAL_LARGE,
                  "Too many entries have too many rounds to play: odds would say little and cost "
                  "much. Ask again in a later round.");
}

/* ---- A sample ---- */

static bool begin_sample(struct odds_sample *sample, const struct odds_model *model,
                         const uint8_t seed[static 32], uint32_t number, struct refusal *refusal)
{
    *sample = (struct odds_sample){
        .model = model, .event = tournament_copy(model->base), .refusal = refusal};
    if (sample->event == NULL)
        return odds_no_memory(refusal);
    memcpy(sample->chance.seed, seed, 32);
    for (unsigned i = 0; i < 4; i++)
        sample->chance.seed[i] = (uint8_t)(sample->chance.seed[i] + (number >> 8 * i));
    chance_open(&sample->stream, &sample->chance, "odds", 0);
    sample->event->contested = 0;
    return odds_draw_strengths(sample) || odds_no_memory(refusal);
}

static unsigned stage_rounds(const struct tournament *event)
{
    return event->rounds_started + 1U - event->stage[event->stages - 1].first_round;
}

/* Begins the next stage with the best of this one. */
static bool cut(struct odds_sample *sample, bool *more)
{
    struct tournament *event = sample->event;
    size_t next = event->stages;
    struct ranking ranking;
    uint16_t *entries = calloc(event->entrant_count + 1, sizeof *entries);
    if (entries == NULL)
        return odds_no_memory(sample->refusal);
    bool good =
        ranking_make(event, &sample->chance, event->rounds_started, &ranking, sample->refusal);
    if (good) {
        size_t count =
            ranking_cut(event, &ranking, next - 1, event->settings.stage[next].entrants, entries);
        ranking_free(&ranking);
        *more = count >= 2;
        good = !*more || tournament_imagine_stage(event, entries, count) ||
               odds_no_memory(sample->refusal);
    }
    free(entries);
    return good;
}

/* The next round as it will be drawn. No round is left, or none can be seated: the event ends. */
static bool draw_round(struct odds_sample *sample, bool *more)
{
    struct tournament *event = sample->event;
    struct pairing pairing;
    struct refusal none;
    *more = pairing_next(event, &sample->chance, event->attempts + 1U, &pairing, &none);
    if (!*more)
        return strcmp(none.code, ODDS_REFUSAL_MEMORY) != 0 || odds_no_memory(sample->refusal);
    struct odds_round round = {.tables = NULL};
    bool good = odds_copy_round(&round, &pairing) &&
                (!pairing.begins_stage ||
                 tournament_imagine_stage(event, pairing.entries, pairing.entry_count)) &&
                odds_imagine_round(event, &round);
    odds_round_free(&round);
    pairing_free(&pairing);
    return good || odds_no_memory(sample->refusal);
}

/* True if the current stage is one whose rounds are known here, and has none left. */
static bool is_stage_over(const struct odds_sample *sample, bool by_points, bool planned)
{
    const struct tournament *event = sample->event;
    if (by_points)
        return stage_rounds(event) >= event->settings.stage[event->stages - 1].rounds;
    return planned && event->rounds_started - sample->model->base->rounds_started >=
                          (int)sample->model->planned_count;
}

static bool next_round(struct odds_sample *sample, bool *more)
{
    struct tournament *event = sample->event;
    const struct odds_model *model = sample->model;
    size_t stage = event->stages - 1;
    bool by_points = odds_is_seated_by_points(model, stage), seated = false;
    bool planned = model->planned != NULL && stage == model->stage;
    *more = event->rounds_started < TOURNAMENT_ROUNDS_MAX;
    if (!*more)
        return true;
    if (is_stage_over(sample, by_points, planned)) {
        *more = stage + 1 < event->settings.stage_count;
        if (!*more)
            return true;
        if (odds_is_seated_by_points(model, stage + 1))
            return cut(sample, more);
        return draw_round(sample, more);
    }
    if (by_points) {
        bool good = odds_seat_round(sample, &seated);
        *more = seated;
        return good;
    }
    if (!planned)
        return draw_round(sample, more);
    return odds_imagine_round(
               event, &model->planned[event->rounds_started - model->base->rounds_started]) ||
           odds_no_memory(sample->refusal);
}

static bool play_to_the_end(struct odds_sample *sample)
{
    bool more = true;
    while (more) {
        odds_play_tables(sample);
        if (!next_round(sample, &more))
            return false;
    }
    return true;
}

/* ---- Counting ---- */

static struct odds_entry *find_entry(struct odds *odds, const uint16_t *position, uint16_t entry)
{
    return position[entry] == TOURNAMENT_NOBODY ? NULL : &odds->entries[position[entry]];
}

static bool count_sample(struct odds *odds, const struct odds_sample *sample,
                         const uint16_t *position)
{
    const struct tournament *event = sample->event;
    struct ranking ranking;
    if (!ranking_make(event, &sample->chance, event->rounds_started, &ranking, sample->refusal))
        return false;
    for (size_t i = 0; i < ranking.group_count; i++) {
        const struct ranking_group *group = &ranking.groups[i];
        for (size_t j = 0; group->stage + 1U == event->stages && j < group->count; j++) {
            const struct ranking_row *row = &group->rows[j];
            struct odds_entry *entry = find_entry(odds, position, row->entry);
            if (row->place == 1 && entry != NULL)
                entry->first += (uint32_t)ODDS_PART / row->shared;
        }
    }
    ranking_free(&ranking);
    if ((size_t)odds->stage + 1 < event->stages)
        for (size_t i = 0; i < event->stage[odds->stage + 1U].entry_count; i++) {
            struct odds_entry *entry =
                find_entry(odds, position, event->stage[odds->stage + 1U].entries[i]);
            if (entry != NULL)
                entry->advanced++;
        }
    return true;
}

static bool run_samples(struct odds *odds, const struct odds_model *model, unsigned samples,
                        const uint16_t *position, const struct progress *progress,
                        struct refusal *refusal)
{
    enum { TELL_EVERY = 256 };
    bool good = true;
    for (unsigned i = 0; good && i < samples; i++) {
        struct odds_sample sample;
        good = begin_sample(&sample, model, odds->seed, i, refusal) && play_to_the_end(&sample) &&
               count_sample(odds, &sample, position);
        odds_sample_end(&sample);
        odds->samples += good;
        if (i % TELL_EVERY == 0)
            progress_tell(progress, i, samples);
    }
    return good;
}

/* ---- The whole ---- */

/* True if `a` belongs before `b`: what is certain first, then by chances. */
static bool comes_first(const struct odds_entry *a, const struct odds_entry *b)
{
    if ((a->win == ODDS_SURE) != (b->win == ODDS_SURE))
        return a->win == ODDS_SURE;
    if (a->first != b->first)
        return a->first > b->first;
    return a->advanced > b->advanced;
}

/* Stable: equal entries keep their order. */
static void sort_entries(struct odds *odds)
{
    for (size_t i = 1; i < odds->count; i++) {
        struct odds_entry entry = odds->entries[i];
        size_t at = i;
        for (; at > 0 && comes_first(&entry, &odds->entries[at - 1]); at--)
            odds->entries[at] = odds->entries[at - 1];
        odds->entries[at] = entry;
    }
}

static bool list_entries(struct odds *odds, const struct tournament *event, uint16_t *position,
                         struct refusal *refusal)
{
    const struct tournament_stage *stage = &event->stage[odds->stage];
    uint16_t *division = calloc(stage->entry_count + 1, sizeof *division);
    odds->count = stage->entry_count;
    odds->entries = calloc(odds->count + 1, sizeof *odds->entries);
    bool good = division != NULL && odds->entries != NULL;
    if (good && event->settings.stage[odds->stage].format == FORMAT_LEAGUE)
        good = pairing_divisions(event, odds->stage, division) > 0;
    memset(position, 0xff, event->entrant_count * sizeof *position);
    for (size_t i = 0; good && i < odds->count; i++) {
        odds->entries[i] = (struct odds_entry){.entry = stage->entries[i], .division = division[i]};
        position[stage->entries[i]] = (uint16_t)i;
    }
    free(division);
    return good || odds_no_memory(refusal);
}

static bool compute(struct odds *odds, const struct tournament *event, unsigned samples,
                    const struct progress *progress, struct refusal *refusal)
{
    struct odds_model model = {.base = NULL};
    struct chance chance = {.stacks = NULL};
    uint16_t *position = calloc(event->entrant_count + 1, sizeof *position);
    if (position == NULL)
        return odds_no_memory(refusal);
    memcpy(chance.seed, odds->seed, 32);
    bool good = list_entries(odds, event, position, refusal) &&
                odds_model_make(&model, event, &chance, refusal) &&
                (odds_certain(event, odds) || odds_no_memory(refusal)) &&
                run_samples(odds, &model, samples, position, progress, refusal);
    if (good)
        sort_entries(odds);
    odds_model_free(&model);
    free(position);
    return good;
}

bool odds_make(const struct tournament *tournament, unsigned samples,
               const struct progress *progress, struct odds *odds, struct refusal *refusal)
{
    *odds = (struct odds){.samples = 0};
    if (!odds_possible(tournament, refusal))
        return false;
    struct tournament *event = tournament_copy(tournament);
    if (event == NULL)
        return odds_no_memory(refusal);
    tournament_imagine_no_draft(event);
    odds->stage = (uint8_t)(event->stages - 1);
    odds->advancing = event->stages < event->settings.stage_count;
    odds->version = (uint8_t)odds_version(event);
    odds_seed(event, odds->seed);
    bool good = is_small(event, refusal) && compute(odds, event, samples, progress, refusal);
    tournament_free(event);
    free(event);
    if (!good)
        odds_free(odds);
    return good;
}

void odds_free(struct odds *odds)
{
    free(odds->entries);
    *odds = (struct odds){.samples = 0};
}
