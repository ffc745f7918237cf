#include "engine/tournament/draw.h"

#include <stdlib.h>
#include <string.h>

#include "engine/tournament/draw_parts.h"
#include "engine/tournament/placing.h"

/* Formats without rounds, or whose rounds are not drawn here, have none. */
static const struct draw_format *const formats[TOURNAMENT_FORMATS] = {
    [FORMAT_POD_SWISS] = &draw_pod_swiss,
    [FORMAT_DUTCH] = &draw_dutch,
    [FORMAT_ROUND_ROBIN] = &draw_schedule,
    [FORMAT_POD_ROUND_ROBIN] = &draw_schedule,
    [FORMAT_LEAGUE] = &draw_schedule,
    [FORMAT_SINGLE_ELIMINATION] = &draw_elimination,
    [FORMAT_DOUBLE_ELIMINATION] = &draw_elimination,
    [FORMAT_POD_ELIMINATION] = &draw_pods,
};

static const struct draw_format *format_of(const struct tournament *tournament, size_t stage)
{
    return formats[tournament->settings.stage[stage].format];
}

/* ---- Which round ---- */

static bool may_draw(const struct tournament *tournament, struct refusal *refusal)
{
    if (tournament->phase == PHASE_CLOSED)
        return refuse(refusal, TOURNAMENT_REFUSAL_PHASE, "The event is closed.");
    if (tournament->phase < PHASE_ENTRIES_CLOSED)
        return refuse(refusal, TOURNAMENT_REFUSAL_PHASE,
                      "Close the entries first; then the first round can be drawn.");
    if (tournament_is_running(tournament))
        return refuse(refusal, TOURNAMENT_REFUSAL_ROUND,
                      "A table of the present round has no result yet; wait for it, or rule it.");
    if (tournament->rounds_started >= TOURNAMENT_ROUNDS_MAX)
        return refuse(refusal, DRAW_REFUSAL_NO_ROUNDS, "An event has 64 rounds at most.");
    return true;
}

static bool has_draft(const struct tournament *tournament)
{
    return tournament->round_count > tournament->rounds_started;
}

static void open_stage(struct drawing *drawing, const struct tournament *tournament, size_t stage)
{
    const struct tournament_stage *begun = &tournament->stage[stage];
    drawing->tournament = tournament;
    drawing->settings = &tournament->settings.stage[stage];
    drawing->stage = stage;
    drawing->entries = begun->entries;
    drawing->entry_count = begun->entry_count;
    drawing->first_round = begun->first_round;
    drawing->round = tournament->rounds_started + 1U;
    drawing->stage_round = drawing->round - drawing->first_round + 1;
}

/* The stage of the next round: the one that has begun, or the next. False: refused. */
static bool choose_stage(struct drawing *drawing, const struct tournament *tournament,
                         size_t *stage)
{
    bool over = true;
    *stage = tournament->stages;
    if (has_draft(tournament))
        *stage = tournament->rounds[tournament->rounds_started].stage;
    if (*stage < tournament->stages || tournament->stages == 0)
        return true;
    const struct draw_format *format = format_of(tournament, *stage - 1);
    open_stage(drawing, tournament, *stage - 1);
    if (format != NULL && !format->is_over(drawing, &over))
        return false;
    *stage -= !over;
    if (*stage < tournament->settings.stage_count)
        return true;
    return format == NULL ? refuse(drawing->refusal, DRAW_REFUSAL_FORMAT,
                                   "No rounds are drawn in this format.")
                          : refuse(drawing->refusal, DRAW_REFUSAL_NO_ROUNDS,
                                   "All rounds have been played; close the event.");
}

/* ---- Beginning a stage ---- */

static void list_everybody(const struct tournament *tournament, struct draw *draw)
{
    for (uint16_t number = 1; number <= tournament->numbered; number++)
        draw->entries[draw->entry_count++] = tournament_entry_numbered(tournament, number);
}

static bool cut(const struct drawing *drawing, const struct tournament *tournament, size_t stage)
{
    struct placing placing;
    uint16_t most = tournament->settings.stage[stage].entrants;
    if (!placing_make(tournament, drawing->chance, tournament->rounds_started, &placing,
                      drawing->refusal))
        return false;
    drawing->draw->entry_count =
        placing_cut(tournament, &placing, stage - 1, most, drawing->draw->entries);
    placing_free(&placing);
    return true;
}

static bool list_entries(const struct drawing *drawing, const struct tournament *tournament,
                         size_t stage)
{
    struct draw *draw = drawing->draw;
    draw->entries = calloc(tournament->entrant_count + 1, sizeof *draw->entries);
    if (draw->entries == NULL)
        return draw_no_memory(drawing);
    draw->begins_stage = true;
    draw->stage = (uint8_t)stage;
    if (stage == 0)
        list_everybody(tournament, draw);
    else if (!cut(drawing, tournament, stage))
        return false;
    return draw->entry_count >= 2 || refuse(drawing->refusal, DRAW_REFUSAL_TOO_FEW,
                                            "Fewer than two are left to play; that is no stage.");
}

/* The stage begins in a copy of the event, by its line, so that everything that follows finds it
 * like any other. NULL: refused. */
static struct tournament *begin(const struct drawing *drawing, const struct tournament *tournament)
{
    struct tournament *begun = tournament_copy(tournament);
    json_t *detail = draw_stage_line(tournament, drawing->draw);
    const struct tournament_line line = {.number = tournament->lines + 1,
                                         .at_ms = tournament->last_ms,
                                         .actor = "",
                                         .kind = "stage_started",
                                         .detail = detail};
    bool good = begun != NULL && detail != NULL;
    if (!good)
        draw_no_memory(drawing);
    else
        good = tournament_apply(begun, &line, drawing->refusal);
    json_decref(detail);
    if (good || begun == NULL)
        return begun;
    tournament_free(begun);
    free(begun);
    return NULL;
}

/* ---- Drawing ---- */

/* A round whose stage has begun: `own` is the copy in which it has, or NULL. */
struct opened {
    struct drawing drawing;
    struct tournament *own;
    const struct draw_format *format;
};

static void close_drawing(struct opened *opened)
{
    if (opened->own != NULL)
        tournament_free(opened->own);
    free(opened->own);
}

static bool open_drawing(struct opened *opened, const struct tournament *tournament)
{
    struct drawing *drawing = &opened->drawing;
    size_t stage;
    if (!choose_stage(drawing, tournament, &stage))
        return false;
    opened->format = format_of(tournament, stage);
    if (opened->format == NULL)
        return refuse(drawing->refusal, DRAW_REFUSAL_FORMAT, "No rounds are drawn in this format.");
    if (stage < tournament->stages) {
        open_stage(drawing, tournament, stage);
        return true;
    }
    if (!list_entries(drawing, tournament, stage))
        return false;
    opened->own = begin(drawing, tournament);
    if (opened->own == NULL)
        return false;
    open_stage(drawing, opened->own, stage);
    return true;
}

static bool take_room(const struct drawing *drawing)
{
    struct draw *draw = drawing->draw;
    draw->round = (uint16_t)drawing->round;
    draw->stage = (uint8_t)drawing->stage;
    draw->attempt = (uint16_t)drawing->attempt;
    draw->tables = calloc(drawing->entry_count + 1, sizeof *draw->tables);
    draw->byes = calloc(drawing->entry_count + 1, sizeof *draw->byes);
    return (draw->tables != NULL && draw->byes != NULL) || draw_no_memory(drawing);
}

static bool make_draw(struct opened *opened)
{
    const struct drawing *drawing = &opened->drawing;
    if (!take_room(drawing) || !opened->format->make(drawing))
        return false;
    if (drawing->draw->quality == NULL)
        return draw_no_memory(drawing);
    return drawing->draw->table_count > 0 ||
           refuse(drawing->refusal, DRAW_REFUSAL_TOO_FEW,
                  "Nobody could play in this round: too many are absent or have a bye.");
}

bool draw_next(const struct tournament *tournament, const struct chance *chance, unsigned attempt,
               struct draw *draw, struct refusal *refusal)
{
    struct opened opened = {
        .drawing = {.chance = chance, .attempt = attempt, .draw = draw, .refusal = refusal}};
    *draw = (struct draw){0};
    if (!may_draw(tournament, refusal))
        return false;
    if (has_draft(tournament))
        return refuse(refusal, TOURNAMENT_REFUSAL_ROUND,
                      "The next round has been drawn; start it, or withdraw it to draw again.");
    bool made = open_drawing(&opened, tournament) && make_draw(&opened);
    close_drawing(&opened);
    if (!made)
        draw_free(draw);
    return made;
}

/* ---- Changing by hand ---- */

/* The judged draw takes over how the stage began. */
static bool judge(struct opened *opened, struct draw *drawn, const struct draw *by_hand,
                  struct draw *changed)
{
    struct drawing *drawing = &opened->drawing;
    drawing->draw = changed;
    if (!take_room(drawing) || !opened->format->judge(drawing, drawn, by_hand))
        return false;
    if (changed->quality == NULL)
        return draw_no_memory(drawing);
    draw_compare(changed->quality, drawn->quality);
    changed->begins_stage = drawn->begins_stage;
    changed->entries = drawn->entries;
    changed->entry_count = drawn->entry_count;
    drawn->entries = NULL;
    return true;
}

bool draw_change(const struct tournament *tournament, const struct chance *chance, unsigned attempt,
                 const struct draw_table *tables, size_t table_count, const struct draw_bye *byes,
                 size_t bye_count, struct draw *changed, struct refusal *refusal)
{
    struct draw drawn = {0};
    struct draw by_hand = {.table_count = table_count, .bye_count = bye_count};
    struct opened opened = {
        .drawing = {.chance = chance, .attempt = attempt, .draw = &drawn, .refusal = refusal}};
    *changed = (struct draw){0};
    if (!may_draw(tournament, refusal))
        return false;
    by_hand.tables = (struct draw_table *)tables;
    by_hand.byes = (struct draw_bye *)byes;
    bool good = open_drawing(&opened, tournament) && make_draw(&opened) &&
                judge(&opened, &drawn, &by_hand, changed);
    close_drawing(&opened);
    draw_free(&drawn);
    if (!good)
        draw_free(changed);
    return good;
}

void draw_free(struct draw *draw)
{
    free(draw->entries);
    free(draw->tables);
    free(draw->byes);
    json_decref(draw->quality);
    *draw = (struct draw){0};
}
