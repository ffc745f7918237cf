/* Lines about results that people report from tables where they play with their own copy. Reports,
 * confirmations, objections and corrections are lines of their own: nothing is changed or removed.
 */
#include <string.h>

#include "engine/tournament/event/tournament_parts.h"

int tournament_seat_of(const struct tournament_table *table, uint16_t entry)
{
    for (unsigned seat = 0; seat < table->seats; seat++)
        if (table->entry[seat] == entry)
            return (int)seat;
    return -1;
}

uint8_t tournament_seat(const struct tournament *tournament, const struct tournament_table *table,
                        const char *player)
{
    for (unsigned seat = 0; player[0] != '\0' && seat < table->seats; seat++) {
        const struct entrant *entrant = &tournament->entrants[table->entry[seat]];
        if (strcmp(entrant->player, player) == 0 || strcmp(entrant->owner, player) == 0)
            return (uint8_t)seat;
    }
    return REPORT_OFFICIAL;
}

static void set_against(struct tournament *event, struct tournament_report *report, uint8_t seat)
{
    bool was = report->against != REPORT_NOBODY, is = seat != REPORT_NOBODY;
    event->contested = event->contested + is - was;
    report->against = seat;
    report->differs = report->differs && is;
}

void drop_objection(struct tournament *event, const struct tournament_table *table)
{
    if (table->report != 0)
        set_against(event, &event->reports[table->report - 1], REPORT_NOBODY);
}

/* ---- Reading ---- */

/* A line about a table's report while it is taken. */
struct report_step {
    struct tournament_table *table;
    struct tournament_report *report; /* NULL if nothing has been reported */
    uint8_t by;                       /* a seat, REPORT_OFFICIAL or REPORT_TIME */
};

static bool refuse_called(struct taking *taking)
{
    return refuse(taking->refusal, TOURNAMENT_REFUSAL_CALLED,
                  "The arbiter decides about this table's result.");
}

static bool begin_step(struct taking *taking, struct report_step *step)
{
    struct tournament *event = taking->event;
    if (!find_table(taking, &step->table))
        return false;
    if (!step->table->at_table)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_ONLINE,
                      "This table's game is played on the service, which knows its result.");
    if (event->phase != PHASE_RUNNING)
        return not_now(taking, "Results are reported while the event is running; afterwards an "
                               "official rules.");
    if (step->table->ruled)
        return not_now(taking, "A ruling overrides the result of this table.");
    uint32_t at = step->table->report;
    step->report = at == 0 ? NULL : &event->reports[at - 1];
    step->by = taking->line->actor[0] == '\0'
                   ? REPORT_TIME
                   : tournament_seat(event, step->table, taking->line->actor);
    return true;
}

static bool begin_answer(struct taking *taking, struct report_step *step)
{
    return begin_step(taking, step) &&
           (step->report != NULL || refuse(taking->refusal, TOURNAMENT_REFUSAL_REPORT,
                                           "Nothing has been reported from this table."));
}

static bool read_report(struct taking *taking, const struct tournament_table *table,
                        struct table_result *result, bool *scored)
{
    const json_t *seats = json_object_get(taking->line->detail, "seats");
    *scored = json_array_size(json_array_get(seats, 0)) != SEAT_RANK;
    return read_seats(taking, table, *scored ? SEAT_SCORE : SEAT_RANK, result) &&
           (table_result_scores_fit(result) ||
            bad_line(taking, "A better score has a worse rank."));
}

/* The record that the result is from, if a scorer kept one. */
static bool read_record(struct taking *taking, bool scored, struct tournament_report *from)
{
    const json_t *record = json_object_get(taking->line->detail, "record");
    const json_t *id = json_object_get(record, "id"), *head = json_object_get(record, "head");
    if (record == NULL)
        return true;
    if (!scored || json_object_size(record) != 2 || !is_id(id) || !json_is_string(head) ||
        !span_hex(span_of(json_string_value(head)), from->head, sizeof from->head))
        return bad_line(taking, "The record needs an id, its last hash and the scores.");
    memcpy(from->recording, json_string_value(id), sizeof from->recording);
    return true;
}

static bool read_reason(struct taking *taking)
{
    const json_t *reason = json_object_get(taking->line->detail, "reason");
    return reason == NULL || json_is_string(reason) ||
           bad_line(taking, "The reason must be a text.");
}

/* ---- Deciding ---- */

static bool same_result(const struct table_result *one, bool one_scored,
                        const struct table_result *other, bool other_scored)
{
    bool same = one_scored == other_scored;
    for (unsigned i = 0; same && i < one->seats; i++)
        same =
            one->seat[i].rank == other->seat[i].rank && one->seat[i].score == other->seat[i].score;
    return same;
}

static void count_report(struct taking *taking, const struct report_step *step)
{
    struct tournament_table *table = step->table;
    step->report->counted_by = step->by;
    set_against(taking->event, step->report, REPORT_NOBODY);
    table->reported = true;
    table->game_result = step->report->result;
    decide(taking, table, &step->report->result);
}

static void set_record(struct tournament_report *report, const struct tournament_report *from)
{
    memcpy(report->recording, from->recording, sizeof report->recording);
    memcpy(report->head, from->head, sizeof report->head);
}

/* Only the result, its record and `scored` of `claim` are looked at. */
static void set_claim(struct taking *taking, const struct report_step *step,
                      const struct tournament_report *claim)
{
    step->report->result = claim->result;
    step->report->scored = claim->scored;
    set_record(step->report, claim);
    step->report->at_ms = taking->line->at_ms;
}

/* ---- The lines ---- */

static bool add_report(struct taking *taking, struct report_step *step,
                       const struct tournament_report *claim)
{
    struct tournament *event = taking->event;
    if (!grow(taking, (void **)&event->reports, &event->index->reports_most,
              event->report_count + 1, sizeof *event->reports))
        return false;
    step->report = &event->reports[event->report_count++];
    *step->report = (struct tournament_report){.table = (uint32_t)(step->table - event->tables),
                                               .by = step->by,
                                               .counted_by = REPORT_NOBODY,
                                               .against = REPORT_NOBODY};
    step->table->report = (uint32_t)event->report_count;
    step->table->line_ms = taking->line->at_ms;
    set_claim(taking, step, claim);
    if (step->by == REPORT_OFFICIAL)
        count_report(taking, step);
    return true;
}

/* A seat reports what another one has reported already. Of two records the first one stays. */
static bool answer_report(struct taking *taking, const struct report_step *step,
                          const struct tournament_report *claim)
{
    struct tournament_report *report = step->report;
    if (report->against != REPORT_NOBODY && report->against != step->by)
        return refuse_called(taking);
    if (same_result(&claim->result, claim->scored, &report->result, report->scored)) {
        if (report->recording[0] == '\0')
            set_record(report, claim);
        count_report(taking, step);
        return true;
    }
    report->other = claim->result;
    report->other_scored = claim->scored;
    report->differs = true;
    set_against(taking->event, report, step->by);
    return true;
}

/* A seat reports again, perhaps what the one that differed says. */
static void report_again(struct taking *taking, const struct report_step *step,
                         const struct tournament_report *claim)
{
    const struct tournament_report *report = step->report;
    bool agrees = report->differs &&
                  same_result(&claim->result, claim->scored, &report->other, report->other_scored);
    set_claim(taking, step, claim);
    if (agrees)
        count_report(taking, step);
}

bool take_reported(struct taking *taking)
{
    struct report_step step;
    struct tournament_report claim = {.recording = ""};
    if (!begin_step(taking, &step) ||
        !read_report(taking, step.table, &claim.result, &claim.scored) ||
        !read_record(taking, claim.scored, &claim))
        return false;
    if (step.by == REPORT_TIME)
        return bad_line(taking, "A report needs an actor.");
    if (step.report == NULL)
        return add_report(taking, &step, &claim);
    if (step.table->reported || step.by == REPORT_OFFICIAL)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_REPORTED,
                      "A result of this table has been reported: confirm it, object to it, or, as "
                      "an official, correct it.");
    if (step.by != step.report->by)
        return answer_report(taking, &step, &claim);
    report_again(taking, &step, &claim);
    return true;
}

static bool may_confirm_by_time(struct taking *taking, const struct report_step *step)
{
    int64_t due_ms = tournament_report_due_ms(taking->event, step->table);
    return (due_ms != 0 && due_ms <= taking->line->at_ms) ||
           bad_line(taking, "The time to object is not over.");
}

/* The seat that has called the arbiter may take that back. */
static bool may_confirm(struct taking *taking, const struct report_step *step)
{
    const struct tournament_report *report = step->report;
    bool called = report->against != REPORT_NOBODY;
    if (step->by == REPORT_TIME)
        return may_confirm_by_time(taking, step);
    if (step->table->reported && !called)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_REPORTED,
                      "The reported result counts already.");
    if (step->by == REPORT_OFFICIAL)
        return true;
    if (called && report->against != step->by)
        return refuse_called(taking);
    return step->by != report->by || step->table->reported ||
           refuse(taking->refusal, TOURNAMENT_REFUSAL_OWN,
                  "Another player at the table, or an official, has to confirm your report.");
}

bool take_report_confirmed(struct taking *taking)
{
    struct report_step step;
    if (!begin_answer(taking, &step) || !may_confirm(taking, &step))
        return false;
    if (step.by == REPORT_OFFICIAL)
        step.report->settled = true;
    count_report(taking, &step);
    return true;
}

bool take_report_objected(struct taking *taking)
{
    struct report_step step;
    if (!read_reason(taking) || !begin_answer(taking, &step))
        return false;
    if (step.by >= REPORT_OFFICIAL)
        return refuse(
            taking->refusal, TOURNAMENT_REFUSAL_TABLE,
            "Only a player at the table can object; an official corrects the result instead.");
    if (step.by == step.report->by && !step.table->reported)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_OWN,
                      "This is your own report: report the correct result instead.");
    if (step.report->against != REPORT_NOBODY || step.report->settled)
        return refuse_called(taking);
    set_against(taking->event, step.report, step.by);
    return true;
}

bool take_report_corrected(struct taking *taking)
{
    struct report_step step;
    struct tournament_report claim = {.recording = ""};
    if (!read_reason(taking) || !begin_answer(taking, &step) ||
        !read_report(taking, step.table, &claim.result, &claim.scored))
        return false;
    if (step.by != REPORT_OFFICIAL)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_TABLE,
                      "Only an official who does not play at the table can correct its result.");
    set_claim(taking, &step, &claim);
    step.report->settled = true;
    step.report->corrected = true;
    count_report(taking, &step);
    return true;
}

/* ---- Ratings ---- */

static bool is_rated(const struct tournament *tournament, const struct tournament_table *table)
{
    if (!tournament->settings.rate_reported || tournament->phase != PHASE_CLOSED ||
        !table->reported ||
        (!table->ruled && tournament_report(tournament, table)->counted_by == REPORT_TIME))
        return false;
    for (unsigned seat = 0; seat < table->seats; seat++)
        if (!round_kind_is_played(table->result.seat[seat].kind))
            return false;
    return true;
}

unsigned tournament_rated_seats(const struct tournament *tournament,
                                const struct tournament_table *table)
{
    unsigned seats = 0, count = 0;
    if (!is_rated(tournament, table))
        return 0;
    for (unsigned seat = 0; seat < table->seats; seat++) {
        unsigned rated = !tournament->entrants[table->entry[seat]].unrated;
        seats |= rated << seat;
        count += rated;
    }
    return count < 2 ? 0 : seats;
}
