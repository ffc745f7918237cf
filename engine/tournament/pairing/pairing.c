#include "engine/tournament/pairing/pairing.h"

#include <stdlib.h>
#include <string.h>

#include "engine/tournament/pairing/pairing_parts.h"
#include "engine/tournament/pairing/ranking.h"

/* Formats without rounds, and those whose rounds are drawn elsewhere, have none. */
static const struct pairing_format *const formats[TOURNAMENT_FORMATS] = {
    [FORMAT_POD_SWISS] = &pairing_pod_swiss,
    [FORMAT_DUTCH] = &pairing_dutch,
    [FORMAT_ROUND_ROBIN] = &pairing_schedule,
    [FORMAT_POD_ROUND_ROBIN] = &pairing_schedule,
    [FORMAT_LEAGUE] = &pairing_schedule,
    [FORMAT_SINGLE_ELIMINATION] = &pairing_elimination,
    [FORMAT_DOUBLE_ELIMINATION] = &pairing_elimination,
    [FORMAT_POD_ELIMINATION] = &pairing_pods,
};

static const struct pairing_format *format_of(const struct tournament *tournament, size_t stage)
{
    return formats[tournament->settings.stage[stage].format];
}

/* ---- Which round ---- */

static bool may_pairing(const struct tournament *tournament, struct refusal *refusal)
{
    if (tournament->phase == PHASE_CLOSED)
        return refuse(refusal, TOURNAMENT_REFUSAL_PHASE, "The event is closed.");
    if (tournament->phase < PHASE_ENTRIES_CLOSED)
        return refuse(refusal, TOURNAMENT_REFUSAL_PHASE,
                      "Close the entries first; then the first round can be paired.");
    if (tournament_is_running(tournament))
        return refuse(
            refusal, TOURNAMENT_REFUSAL_ROUND,
            "A table of the current round has no result yet; wait for it, or give a ruling.");
    if (tournament->rounds_started >= TOURNAMENT_ROUNDS_MAX)
        return refuse(refusal, PAIRING_REFUSAL_NO_ROUNDS, "An event can have at most 64 rounds.");
    return true;
}

static bool has_draft(const struct tournament *tournament)
{
    return tournament->round_count > tournament->rounds_started;
}

static void open_stage(struct pairing_run *run, const struct tournament *tournament, size_t stage)
{
    const struct tournament_stage *begun = &tournament->stage[stage];
    run->tournament = tournament;
    run->settings = &tournament->settings.stage[stage];
    run->stage = stage;
    run->entries = begun->entries;
    run->entry_count = begun->entry_count;
    run->first_round = begun->first_round;
    run->round = tournament->rounds_started + 1U;
    run->stage_round = run->round - run->first_round + 1;
}

/* The stage of the next round: the current one or the one after it. False: refused. */
static bool choose_stage(struct pairing_run *run, const struct tournament *tournament,
                         size_t *stage)
{
    bool over = true;
    *stage = tournament->stages;
    if (has_draft(tournament))
        *stage = tournament->rounds[tournament->rounds_started].stage;
    if (*stage < tournament->stages || tournament->stages == 0)
        return true;
    const struct pairing_format *format = format_of(tournament, *stage - 1);
    open_stage(run, tournament, *stage - 1);
    if (format != NULL && !format->is_over(run, &over))
        return false;
    *stage -= !over;
    if (*stage < tournament->settings.stage_count)
        return true;
    return format == NULL
               ? refuse(run->refusal, PAIRING_REFUSAL_FORMAT, "This format has no rounds to pair.")
               : refuse(run->refusal, PAIRING_REFUSAL_NO_ROUNDS,
                        "All rounds have been played; close the event.");
}

/* ---- Beginning a stage ---- */

static void list_everybody(const struct tournament *tournament, struct pairing *pairing)
{
    for (uint16_t number = 1; number <= tournament->numbered; number++)
        pairing->entries[pairing->entry_count++] = tournament_entry_numbered(tournament, number);
}

static bool cut(const struct pairing_run *run, const struct tournament *tournament, size_t stage)
{
    struct ranking ranking;
    uint16_t most = tournament->settings.stage[stage].entrants;
    if (!ranking_make(tournament, run->chance, tournament->rounds_started, &ranking, run->refusal))
        return false;
    run->pairing->entry_count =
        ranking_cut(tournament, &ranking, stage - 1, most, run->pairing->entries);
    ranking_free(&ranking);
    return true;
}

static bool list_entries(const struct pairing_run *run, const struct tournament *tournament,
                         size_t stage)
{
    struct pairing *pairing = run->pairing;
    pairing->entries = calloc(tournament->entrant_count + 1, sizeof *pairing->entries);
    if (pairing->entries == NULL)
        return pairing_no_memory(run);
    pairing->begins_stage = true;
    pairing->stage = (uint8_t)stage;
    if (stage == 0)
        list_everybody(tournament, pairing);
    else if (!cut(run, tournament, stage))
        return false;
    return pairing->entry_count >= 2 ||
           refuse(run->refusal, PAIRING_REFUSAL_TOO_FEW,
                  "Fewer than two entries are left; a stage needs at least two.");
}

/* Begins the stage in a copy of the event by applying its line, so that later code treats it like
 * any other stage. NULL: refused. */
static struct tournament *begin(const struct pairing_run *run, const struct tournament *tournament)
{
    struct tournament *begun = tournament_copy(tournament);
    json_t *detail = pairing_stage_line(tournament, run->pairing);
    const struct tournament_line line = {.number = tournament->lines + 1,
                                         .at_ms = tournament->last_ms,
                                         .actor = "",
                                         .kind = "stage_started",
                                         .detail = detail};
    bool good = begun != NULL && detail != NULL;
    if (!good)
        pairing_no_memory(run);
    else
        good = tournament_apply(begun, &line, run->refusal);
    json_decref(detail);
    if (good || begun == NULL)
        return begun;
    tournament_free(begun);
    free(begun);
    return NULL;
}

/* ---- Drawing ---- */

/* A round whose stage has begun: `own` is the copy in which it began, or NULL. */
struct opened {
    struct pairing_run run;
    struct tournament *own;
    const struct pairing_format *format;
};

static void close_run(struct opened *opened)
{
    if (opened->own != NULL)
        tournament_free(opened->own);
    free(opened->own);
}

static bool open_run(struct opened *opened, const struct tournament *tournament)
{
    struct pairing_run *run = &opened->run;
    size_t stage;
    if (!choose_stage(run, tournament, &stage))
        return false;
    opened->format = format_of(tournament, stage);
    if (opened->format == NULL)
        return refuse(run->refusal, PAIRING_REFUSAL_FORMAT, "This format has no rounds to pair.");
    if (stage < tournament->stages) {
        open_stage(run, tournament, stage);
        return true;
    }
    if (!list_entries(run, tournament, stage))
        return false;
    opened->own = begin(run, tournament);
    if (opened->own == NULL)
        return false;
    open_stage(run, opened->own, stage);
    return true;
}

static bool take_room(const struct pairing_run *run)
{
    struct pairing *pairing = run->pairing;
    pairing->round = (uint16_t)run->round;
    pairing->stage = (uint8_t)run->stage;
    pairing->attempt = (uint16_t)run->attempt;
    pairing->tables = calloc(run->entry_count + 1, sizeof *pairing->tables);
    pairing->byes = calloc(run->entry_count + 1, sizeof *pairing->byes);
    return (pairing->tables != NULL && pairing->byes != NULL) || pairing_no_memory(run);
}

static bool make_pairing(struct opened *opened)
{
    const struct pairing_run *run = &opened->run;
    if (!take_room(run) || !opened->format->make(run))
        return false;
    if (run->pairing->quality == NULL)
        return pairing_no_memory(run);
    return run->pairing->table_count > 0 ||
           refuse(
               run->refusal, PAIRING_REFUSAL_TOO_FEW,
               "No table can be seated in this round: too many players are absent or have a bye.");
}

bool pairing_next_telling(const struct tournament *tournament, const struct chance *chance,
                          unsigned attempt, const struct progress *progress,
                          struct pairing *pairing, struct refusal *refusal)
{
    struct opened opened = {.run = {.chance = chance,
                                    .attempt = attempt,
                                    .progress = progress,
                                    .pairing = pairing,
                                    .refusal = refusal}};
    *pairing = (struct pairing){0};
    if (!may_pairing(tournament, refusal))
        return false;
    if (has_draft(tournament))
        return refuse(
            refusal, TOURNAMENT_REFUSAL_ROUND,
            "The next round has been paired; start it, or withdraw the pairings to pair it again.");
    bool made = open_run(&opened, tournament) && make_pairing(&opened);
    close_run(&opened);
    if (!made)
        pairing_free(pairing);
    return made;
}

bool pairing_next(const struct tournament *tournament, const struct chance *chance,
                  unsigned attempt, struct pairing *pairing, struct refusal *refusal)
{
    return pairing_next_telling(tournament, chance, attempt, NULL, pairing, refusal);
}

/* ---- Changing by hand ---- */

/* The judged draw also takes the stage's beginning from the draw. */
static bool judge(struct opened *opened, struct pairing *drawn, const struct pairing *by_hand,
                  struct pairing *changed)
{
    struct pairing_run *run = &opened->run;
    run->pairing = changed;
    if (!take_room(run) || !opened->format->judge(run, drawn, by_hand))
        return false;
    if (changed->quality == NULL)
        return pairing_no_memory(run);
    pairing_compare(changed->quality, drawn->quality);
    changed->begins_stage = drawn->begins_stage;
    changed->entries = drawn->entries;
    changed->entry_count = drawn->entry_count;
    drawn->entries = NULL;
    return true;
}

bool pairing_change(const struct tournament *tournament, const struct chance *chance,
                    unsigned attempt, const struct pairing *by_hand,
                    const struct progress *progress, struct pairing *changed,
                    struct refusal *refusal)
{
    struct pairing drawn = {0};
    struct opened opened = {.run = {.chance = chance,
                                    .attempt = attempt,
                                    .progress = progress,
                                    .pairing = &drawn,
                                    .refusal = refusal}};
    *changed = (struct pairing){0};
    if (!may_pairing(tournament, refusal))
        return false;
    bool good = open_run(&opened, tournament) && make_pairing(&opened) &&
                judge(&opened, &drawn, by_hand, changed);
    close_run(&opened);
    pairing_free(&drawn);
    if (!good)
        pairing_free(changed);
    return good;
}

bool pairing_of_draft(const struct tournament *tournament, struct pairing *pairing)
{
    const struct tournament_round *draft = tournament_draft(tournament);
    *pairing = (struct pairing){.round = draft->number,
                                .stage = draft->stage,
                                .attempt = draft->attempt,
                                .table_count = draft->table_count,
                                .bye_count = draft->bye_count};
    pairing->tables = calloc(pairing->table_count + 1, sizeof *pairing->tables);
    pairing->byes = calloc(pairing->bye_count + 1, sizeof *pairing->byes);
    if (pairing->tables == NULL || pairing->byes == NULL) {
        pairing_free(pairing);
        return false;
    }
    for (size_t t = 0; t < pairing->table_count; t++) {
        const struct tournament_table *table = &tournament->tables[draft->first_table + t];
        pairing->tables[t] = (struct pairing_table){.seats = table->seats, .match = table->match};
        memcpy(pairing->tables[t].entry, table->entry, sizeof table->entry);
    }
    for (size_t i = 0; i < pairing->bye_count; i++) {
        const struct tournament_bye *bye = &tournament->byes[draft->first_bye + i];
        pairing->byes[i] = (struct pairing_bye){bye->entry, bye->kind};
    }
    return true;
}

void pairing_free(struct pairing *pairing)
{
    free(pairing->entries);
    free(pairing->tables);
    free(pairing->byes);
    json_decref(pairing->quality);
    *pairing = (struct pairing){0};
}
