/* The models: how a table ends, and how a round is seated that the event has not drawn yet. */
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/tournament/odds/odds_parts.h"
#include "engine/tournament/pairing/pairing.h"

bool odds_no_memory(struct refusal *refusal)
{
    return refuse(refusal, ODDS_REFUSAL_MEMORY, "There is not enough memory for the odds.");
}

/* ---- Scores ---- */

static bool is_of_a_game(const struct tournament_table *table)
{
    bool all = table->has_result && table->seats >= 2;
    for (unsigned seat = 0; all && seat < table->seats; seat++)
        all = table->result.seat[seat].kind == ROUND_PLAYED;
    return all;
}

static struct odds_scores sorted_scores(const struct table_result *result)
{
    struct odds_scores scores = {{0}};
    for (unsigned seat = 0; seat < result->seats; seat++) {
        unsigned at = seat;
        for (; at > 0 && scores.score[at - 1] < result->seat[seat].score; at--)
            scores.score[at] = scores.score[at - 1];
        scores.score[at] = result->seat[seat].score;
    }
    return scores;
}

static bool collect_scores(struct odds_model *model)
{
    const struct tournament *base = model->base;
    for (unsigned seats = 2; seats <= TOURNAMENT_SEATS_MAX; seats++) {
        model->scores[seats] = calloc(base->table_count + 1, sizeof *model->scores[seats]);
        if (model->scores[seats] == NULL)
            return false;
    }
    for (size_t i = 0; i < base->table_count; i++) {
        const struct tournament_table *table = &base->tables[i];
        if (is_of_a_game(table))
            model->scores[table->seats][model->score_count[table->seats]++] =
                sorted_scores(&table->result);
    }
    return true;
}

/* ---- A table ---- */

static struct odds_scores pick_scores(struct odds_sample *sample, unsigned seats)
{
    const struct odds_model *model = sample->model;
    if (model->score_count[seats] == 0)
        return (struct odds_scores){{0}};
    return model
        ->scores[seats][chance_uniform(&sample->stream, (uint32_t)model->score_count[seats])];
}

/* The seats of those who play, in the order of their places. */
static unsigned order_by_lot(struct odds_sample *sample, const struct tournament_table *table,
                             uint8_t order[static TOURNAMENT_SEATS_MAX])
{
    uint32_t weight[TOURNAMENT_SEATS_MAX] = {0}, sum = 0;
    unsigned there = 0, plays = 0;
    for (unsigned seat = 0; seat < table->seats; seat++)
        if (tournament_presence(sample->event, table->entry[seat], table->round) == ROUND_PLAYED) {
            plays |= 1U << seat;
            there++;
        }
    odds_weigh(sample, table, plays, weight);
    for (unsigned seat = 0; seat < table->seats; seat++)
        sum += weight[seat];
    for (unsigned place = 0; place < there; place++) {
        uint32_t drawn = chance_uniform(&sample->stream, sum);
        uint8_t seat = 0;
        for (; drawn >= weight[seat]; seat++)
            drawn -= weight[seat];
        order[place] = seat;
        sum -= weight[seat];
        weight[seat] = 0;
    }
    return there;
}

static void play_table(struct odds_sample *sample, struct tournament_table *table)
{
    struct table_result result = {
        .round = table->round, .table = table->table, .seats = table->seats};
    uint8_t order[TOURNAMENT_SEATS_MAX] = {0};
    unsigned there = order_by_lot(sample, table, order);
    struct odds_scores scores = pick_scores(sample, table->seats);
    for (unsigned seat = 0; seat < table->seats; seat++)
        result.seat[seat] =
            (struct seat_result){.entry = table->entry[seat],
                                 .kind = ROUND_FORFEIT_LOSS,
                                 .rank = (uint8_t)(there + 1),
                                 .score = there < table->seats ? scores.score[there] : 0};
    for (unsigned place = 0; place < there; place++) {
        struct seat_result *seat = &result.seat[order[place]];
        seat->kind = there == 1 ? ROUND_FORFEIT_WIN : ROUND_PLAYED;
        seat->rank = (uint8_t)(place + 1);
        seat->score = scores.score[place];
    }
    tournament_imagine_result(sample->event, table, &result);
}

void odds_play_tables(struct odds_sample *sample)
{
    struct tournament *event = sample->event;
    if (event->rounds_started == 0)
        return;
    const struct tournament_round *round = &event->rounds[event->rounds_started - 1];
    for (size_t i = 0; i < round->table_count; i++)
        if (!event->tables[round->first_table + i].has_result)
            play_table(sample, &event->tables[round->first_table + i]);
}

/* ---- A round by points ---- */

struct seating {
    struct odds_sample *sample;
    const struct stage_settings *settings;
    struct arena_batch batch; /* the arrays */
    uint16_t *order;          /* those who want a seat, best first */
    uint64_t *key;            /* [entry] points, then the lot: the greater is the better */
    uint8_t *had_bye;         /* [entry] */
    uint8_t *taken;           /* [position in order] */
    uint64_t *met;            /* bits [entry * entrants + entry] */
    struct tournament_table *tables;
    struct tournament_bye *byes;
    size_t entrants, count, table_count, bye_count;
};

static bool take_room(struct seating *seating)
{
    struct arena_batch *batch = &seating->batch;
    size_t entrants = seating->entrants = seating->sample->event->entrant_count;
    seating->order = arena_batch_take(batch, entrants + 1, sizeof *seating->order);
    seating->key = arena_batch_take(batch, entrants + 1, sizeof *seating->key);
    seating->had_bye = arena_batch_take(batch, entrants + 1, sizeof *seating->had_bye);
    seating->taken = arena_batch_take(batch, entrants + 1, sizeof *seating->taken);
    seating->met = arena_batch_take(batch, entrants * entrants / 64 + 1, sizeof *seating->met);
    seating->tables = arena_batch_take(batch, entrants + 1, sizeof *seating->tables);
    seating->byes = arena_batch_take(batch, entrants + 1, sizeof *seating->byes);
    return !batch->failed;
}

static void mark_met(struct seating *seating, const struct tournament_table *table)
{
    for (unsigned a = 0; a < table->seats; a++)
        for (unsigned b = 0; b < table->seats; b++) {
            size_t bit = table->entry[a] * seating->entrants + table->entry[b];
            seating->met[bit / 64] |= UINT64_C(1) << bit % 64;
        }
}

static bool has_met(const struct seating *seating, uint16_t a, uint16_t b)
{
    size_t bit = a * seating->entrants + b;
    return (seating->met[bit / 64] >> bit % 64 & 1) != 0;
}

/* Points of the stage so far, meetings and byes. */
static void look_back(struct seating *seating)
{
    const struct tournament *event = seating->sample->event;
    const struct scoring *scoring = &seating->settings->scoring;
    for (size_t i = 0; i < event->table_count; i++) {
        const struct tournament_table *table = &event->tables[i];
        if (table->stage + 1U != event->stages || !table->has_result)
            continue;
        mark_met(seating, table);
        for (unsigned seat = 0; seat < table->seats; seat++)
            seating->key[table->entry[seat]] +=
                (uint64_t)scoring_points(scoring, &table->result, seat);
    }
    for (size_t i = 0; i < event->bye_count; i++) {
        const struct tournament_bye *bye = &event->byes[i];
        if (bye->stage + 1U != event->stages)
            continue;
        seating->key[bye->entry] += (uint64_t)scoring->unplayed[bye->kind];
        seating->had_bye[bye->entry] |= bye->kind == ROUND_PAIRING_BYE;
    }
}

static int compare_keys(const void *left, const void *right, void *context)
{
    const struct seating *seating = context;
    uint16_t one = *(const uint16_t *)left, other = *(const uint16_t *)right;
    uint64_t a = seating->key[one], b = seating->key[other];
    return a != b ? (a < b) - (a > b) : (one > other) - (one < other);
}

static void add_bye(struct seating *seating, uint16_t entry, enum round_kind kind)
{
    seating->byes[seating->bye_count++] =
        (struct tournament_bye){.entry = entry, .kind = (uint8_t)kind};
}

/* Lists those who want a seat by points and lot; the others get their kind of bye. */
static void list_present(struct seating *seating)
{
    struct odds_sample *sample = seating->sample;
    const struct tournament *event = sample->event;
    const struct tournament_stage *stage = &event->stage[event->stages - 1];
    for (size_t i = 0; i < stage->entry_count; i++) {
        uint16_t entry = stage->entries[i];
        enum round_kind kind = tournament_presence(event, entry, event->rounds_started + 1U);
        seating->key[entry] = seating->key[entry] << 32 | chance_word(&sample->stream);
        if (kind == ROUND_PLAYED)
            seating->order[seating->count++] = entry;
        else
            add_bye(seating, entry, kind);
    }
    qsort_r(seating->order, seating->count, sizeof *seating->order, compare_keys, seating);
}

/* Byes go to the last who had none, then to the last. */
static void give_byes(struct seating *seating, unsigned byes)
{
    for (unsigned again = 0; again < 2; again++)
        for (size_t i = seating->count; byes > 0 && i-- > 0;) {
            uint16_t entry = seating->order[i];
            if (seating->taken[i] || (again == 0 && seating->had_bye[entry]))
                continue;
            seating->taken[i] = true;
            add_bye(seating, entry, ROUND_PAIRING_BYE);
            byes--;
        }
}

static bool fits(const struct seating *seating, const struct tournament_table *table,
                 uint16_t entry)
{
    for (unsigned seat = 0; seat < table->seats; seat++)
        if (has_met(seating, table->entry[seat], entry))
            return false;
    return true;
}

static void add_table(struct seating *seating, unsigned seats)
{
    struct tournament_table *table = &seating->tables[seating->table_count++];
    table->match = TOURNAMENT_NOBODY;
    while (table->seats < seats) {
        size_t first = seating->count, found = seating->count;
        for (size_t i = 0; found == seating->count && i < seating->count; i++) {
            if (seating->taken[i])
                continue;
            first = first == seating->count ? i : first;
            if (fits(seating, table, seating->order[i]))
                found = i;
        }
        found = found == seating->count ? first : found;
        seating->taken[found] = true;
        table->entry[table->seats++] = seating->order[found];
    }
}

static bool seat(struct seating *seating, bool *seated)
{
    struct table_sizes sizes;
    look_back(seating);
    list_present(seating);
    *seated = table_sizes_choose(seating->settings->table, (unsigned)seating->count, &sizes) &&
              sizes.table_count > 0;
    if (!*seated)
        return true;
    give_byes(seating, sizes.byes);
    for (unsigned seats = TOURNAMENT_SEATS_MAX; seats >= TABLE_SIZE_MIN; seats--)
        for (unsigned i = 0; i < sizes.tables[seats]; i++)
            add_table(seating, seats);
    return tournament_imagine_round(seating->sample->event, seating->tables, seating->table_count,
                                    seating->byes, seating->bye_count);
}

bool odds_seat_round(struct odds_sample *sample, bool *seated)
{
    const struct tournament *event = sample->event;
    struct seating seating = {.sample = sample,
                              .settings = &event->settings.stage[event->stages - 1]};
    bool good = take_room(&seating) && seat(&seating, seated);
    arena_batch_free(&seating.batch);
    return good || odds_no_memory(sample->refusal);
}

bool odds_is_seated_by_points(const struct odds_model *model, size_t stage)
{
    enum tournament_format format = model->base->settings.stage[stage].format;
    return format == FORMAT_POD_SWISS || format == FORMAT_DUTCH ||
           (format == FORMAT_POD_ROUND_ROBIN && stage != model->stage);
}

/* ---- Schedules ---- */

bool odds_copy_round(struct odds_round *round, const struct pairing *pairing)
{
    round->tables = calloc(pairing->table_count + 1, sizeof *round->tables);
    round->byes = calloc(pairing->bye_count + 1, sizeof *round->byes);
    if (round->tables == NULL || round->byes == NULL)
        return false;
    for (size_t i = 0; i < pairing->table_count; i++) {
        struct tournament_table *table = &round->tables[round->table_count++];
        table->seats = pairing->tables[i].seats;
        table->match = pairing->tables[i].match;
        memcpy(table->entry, pairing->tables[i].entry, sizeof table->entry);
    }
    for (size_t i = 0; i < pairing->bye_count; i++)
        round->byes[round->bye_count++] =
            (struct tournament_bye){.entry = pairing->byes[i].entry, .kind = pairing->byes[i].kind};
    return true;
}

void odds_round_free(struct odds_round *round)
{
    free(round->tables);
    free(round->byes);
}

bool odds_imagine_round(struct tournament *event, const struct odds_round *round)
{
    return tournament_imagine_round(event, round->tables, round->table_count, round->byes,
                                    round->bye_count);
}

/* Draws the schedule's rounds one after the other; their results do not matter. */
static bool plan(struct odds_sample *sample, struct odds_model *model)
{
    struct tournament *event = sample->event;
    struct pairing pairing;
    struct refusal none;
    bool good = true, more = true;
    while (good && more && event->rounds_started < TOURNAMENT_ROUNDS_MAX) {
        odds_play_tables(sample);
        more = pairing_next(event, &sample->chance, event->attempts + 1U, &pairing, &none);
        if (!more)
            break;
        more = !pairing.begins_stage;
        if (more) {
            struct odds_round *round = &model->planned[model->planned_count++];
            good = odds_copy_round(round, &pairing) && odds_imagine_round(event, round);
        }
        pairing_free(&pairing);
    }
    return good;
}

static bool make_plan(struct odds_model *model, const struct chance *chance,
                      struct refusal *refusal)
{
    enum tournament_format format = model->base->settings.stage[model->stage].format;
    if (format != FORMAT_ROUND_ROBIN && format != FORMAT_POD_ROUND_ROBIN && format != FORMAT_LEAGUE)
        return true;
    struct odds_sample sample = {.model = model,
                                 .event = tournament_copy(model->base),
                                 .chance = *chance,
                                 .refusal = refusal};
    model->planned = calloc(TOURNAMENT_ROUNDS_MAX, sizeof *model->planned);
    bool good = model->planned != NULL && sample.event != NULL;
    if (good) {
        sample.event->contested = 0;
        chance_open(&sample.stream, chance, "odds", 0);
        good = odds_draw_strengths(&sample) && plan(&sample, model);
    }
    odds_sample_end(&sample);
    return good;
}

void odds_sample_end(struct odds_sample *sample)
{
    if (sample->event != NULL)
        tournament_free(sample->event);
    free(sample->event);
    free(sample->strength);
}

bool odds_model_make(struct odds_model *model, const struct tournament *base,
                     const struct chance *chance, struct refusal *refusal)
{
    *model = (struct odds_model){.base = base, .stage = base->stages - 1};
    return (odds_rate(model) && collect_scores(model) && make_plan(model, chance, refusal)) ||
           odds_no_memory(refusal);
}

void odds_model_free(struct odds_model *model)
{
    free(model->weight);
    free(model->rating);
    for (unsigned seats = 0; seats <= TOURNAMENT_SEATS_MAX; seats++)
        free(model->scores[seats]);
    for (size_t i = 0; i < model->planned_count; i++)
        odds_round_free(&model->planned[i]);
    free(model->planned);
}
