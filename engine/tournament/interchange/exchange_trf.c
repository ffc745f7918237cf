#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/calendar.h"
#include "engine/tournament/formats/round_robin/berger.h"
#include "engine/tournament/interchange/exchange.h"

enum { RECORDS_MOST = 8, RECORD_BYTES = 256, RATING_MOST = 9999 };

struct report {
    const struct exchange *exchange;
    const struct tournament *tournament;
    const struct stage_settings *stage;
    const struct ranking_group *group;
    struct trf_event event;
    struct arena_batch batch;
    struct trf_player *players; /* in order of numbers */
    struct trf_result *results; /* [player * columns + round - 1] */
    struct trf_bye *byes;
    struct trf_forbidden *forbidden;
    uint16_t *player_of; /* [entry] index of players */
    struct trf_record record[RECORDS_MOST];
    char record_text[RECORDS_MOST][RECORD_BYTES];
};

static bool refuse_format(struct refusal *refusal)
{
    return refuse(refusal, EXCHANGE_REFUSAL_FORMAT,
                  "FIDE's report files hold events that are ranked by points at tables of two.");
}

/* The number of complete rounds from the stage's first on. */
static uint16_t count_rounds(const struct tournament *tournament)
{
    uint16_t rounds = 0;
    while (rounds < tournament->rounds_started && tournament->rounds[rounds].stage == 0 &&
           tournament->rounds[rounds].decided == tournament->rounds[rounds].table_count)
        rounds++;
    return rounds;
}

static uint16_t rounds_planned(const struct report *report)
{
    if (report->stage->rounds > 0)
        return report->stage->rounds;
    size_t entries = report->tournament->stage[0].entry_count;
    if (entries < BERGER_ENTRIES_MIN || entries > BERGER_ENTRIES_MAX)
        return 0;
    return (uint16_t)berger_rounds((unsigned)entries, report->stage->twice);
}

static struct trf_points points_of(const struct scoring *scoring)
{
    return (struct trf_points){
        .win = (uint16_t)scoring->place[2][0],
        .draw = (uint16_t)scoring_all_level(scoring, 2),
        .loss = (uint16_t)scoring->place[2][1],
        .absence = (uint16_t)scoring->unplayed[ROUND_ZERO_BYE],
        .pairing_bye = (uint16_t)scoring->unplayed[ROUND_PAIRING_BYE],
    };
}

/* A pair of one owner, at least one of them a bot, that the event keeps apart: each pair once. */
static bool is_one_person(const struct tournament *tournament, size_t bot, size_t other)
{
    const struct entrant *entrants = tournament->entrants;
    bool twice = other < bot && entrants[other].owner[0] != '\0';
    return entrants[bot].owner[0] != '\0' && !twice &&
           tournament_parts(tournament, (uint16_t)bot, (uint16_t)other);
}

static size_t count_of_one_person(const struct tournament *tournament)
{
    size_t count = 0;
    for (size_t i = 0; i < tournament->entrant_count; i++)
        for (size_t j = 0; j < tournament->entrant_count; j++)
            count += is_one_person(tournament, i, j);
    return count;
}

static bool take_memory(struct report *report, size_t players, uint16_t rounds)
{
    const struct tournament *tournament = report->tournament;
    struct arena_batch *batch = &report->batch;
    size_t forbidden = tournament->pair_count + count_of_one_person(tournament) + 1;
    report->players = arena_batch_take(batch, players + 1, sizeof *report->players);
    report->results = arena_batch_take(batch, players * rounds + 1, sizeof *report->results);
    report->byes = arena_batch_take(batch, TRF_LIST_MAX, sizeof *report->byes);
    report->forbidden = arena_batch_take(batch, forbidden, sizeof *report->forbidden);
    report->player_of =
        arena_batch_take(batch, tournament->entrant_count + 1, sizeof *report->player_of);
    return !batch->failed;
}

/* ---- Players and their results ---- */

static int compare_players(const void *left, const void *right)
{
    const struct trf_player *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

static void fill_players(struct report *report)
{
    const struct tournament *tournament = report->tournament;
    const struct ranking_group *group = report->group;
    for (size_t i = 0; i < group->count; i++) {
        const struct ranking_row *row = &group->rows[i];
        const struct entrant *entrant = &tournament->entrants[row->entry];
        report->players[i] = (struct trf_player){
            .number = entrant->number,
            .rating = (uint16_t)(entrant->rating <= RATING_MOST ? entrant->rating : 0),
            .rank = row->place,
            .sex = ' ',
            .title = span_of(""),
            .name = span_of(report->exchange->names[row->entry]),
            .federation = span_of(""),
            .fide_number = span_of(""),
            .birth = span_of("")};
    }
    qsort(report->players, group->count, sizeof *report->players, compare_players);
    for (size_t i = 0; i < group->count; i++)
        report->player_of[tournament_entry_numbered(tournament, report->players[i].number)] =
            (uint16_t)i;
}

static bool put_result(struct report *report, uint16_t entry, unsigned round,
                       struct trf_result result)
{
    uint16_t player = report->player_of[entry];
    unsigned points = report->players[player].points +
                      (unsigned)trf_result_points(&report->event.points, result.code);
    report->results[(size_t)player * report->event.columns + round - 1] = result;
    report->players[player].points = (uint16_t)(points < UINT16_MAX ? points : UINT16_MAX);
    return result.code != ' ';
}

static bool put_table(struct report *report, const struct tournament_table *table)
{
    const struct scoring *scoring = &report->stage->scoring;
    bool good = table->seats == 2;
    for (unsigned seat = 0; good && seat < 2; seat++) {
        const struct seat_result *other = &table->result.seat[1 - seat];
        int32_t points = scoring_points(scoring, &table->result, seat);
        struct trf_result result = {.opponent = report->tournament->entrants[other->entry].number,
                                    .colour = seat == 0 ? 'w' : 'b',
                                    .code = trf_result_code(&report->event.points,
                                                            table->result.seat[seat].kind,
                                                            (uint16_t)points)};
        good = put_result(report, table->result.seat[seat].entry, table->round, result);
    }
    return good;
}

static bool put_bye(struct report *report, const struct tournament_bye *bye)
{
    int32_t points = report->stage->scoring.unplayed[bye->kind];
    return put_result(report, bye->entry, bye->round,
                      (struct trf_result){.colour = '-',
                                          .code = trf_result_code(&report->event.points, bye->kind,
                                                                  (uint16_t)points)});
}

/* Late entries were absent before. */
static void put_absences(struct report *report)
{
    size_t cells = report->event.player_count * report->event.columns;
    for (size_t i = 0; i < cells; i++)
        if (report->results[i].code == '\0')
            report->results[i] = (struct trf_result){.colour = '-', .code = 'Z'};
}

static bool fill_results(struct report *report, struct refusal *refusal)
{
    const struct tournament *tournament = report->tournament;
    bool good = true;
    for (size_t i = 0; good && i < tournament->table_count; i++) {
        const struct tournament_table *table = &tournament->tables[i];
        if (table->stage == 0 && table->round <= report->event.columns)
            good = put_table(report, table);
    }
    for (size_t i = 0; good && i < tournament->bye_count; i++) {
        const struct tournament_bye *bye = &tournament->byes[i];
        if (bye->stage == 0 && bye->round <= report->event.columns)
            good = put_bye(report, bye);
    }
    put_absences(report);
    return good || refuse(refusal, TRF_REFUSAL_UNWRITABLE,
                          "The format has no letter for the points of a result.");
}

/* ---- Future rounds ---- */

static void add_bye(struct report *report, const struct entrant *entrant, unsigned round, char code)
{
    if (report->event.bye_count < TRF_LIST_MAX)
        report->byes[report->event.bye_count++] =
            (struct trf_bye){.round = (uint16_t)round, .number = entrant->number, .code = code};
}

static void fill_byes(struct report *report)
{
    const struct tournament *tournament = report->tournament;
    for (size_t i = 0; i < report->event.player_count; i++) {
        uint16_t entry = tournament_entry_numbered(tournament, report->players[i].number);
        const struct entrant *entrant = &tournament->entrants[entry];
        for (unsigned round = report->event.columns + 1U; round <= report->event.rounds_planned;
             round++) {
            enum round_kind kind = tournament_presence(tournament, entry, round);
            if (kind == ROUND_FULL_BYE)
                add_bye(report, entrant, round, 'F');
            else if (kind == ROUND_HALF_BYE)
                add_bye(report, entrant, round, 'H');
            else if (kind != ROUND_PLAYED)
                add_bye(report, entrant, round, 'Z');
        }
    }
}

static void forbid(struct report *report, size_t one, size_t other)
{
    const struct entrant *entrants = report->tournament->entrants;
    uint16_t a = entrants[one].number;
    uint16_t b = entrants[other].number;
    if (a == 0 || b == 0 || report->event.columns >= report->event.rounds_planned ||
        report->event.forbidden_count == TRF_LIST_MAX)
        return;
    report->forbidden[report->event.forbidden_count++] =
        (struct trf_forbidden){.first_round = (uint16_t)(report->event.columns + 1),
                               .last_round = report->event.rounds_planned,
                               .a = a,
                               .b = b};
}

static void fill_forbidden(struct report *report)
{
    const struct tournament *tournament = report->tournament;
    for (size_t i = 0; i < tournament->pair_count; i++) {
        const struct tournament_pair *pair = &tournament->pairs[i];
        if (pair->weight == POD_FORBIDDEN && !tournament_parts(tournament, pair->a, pair->b))
            forbid(report, pair->a, pair->b);
    }
    for (size_t i = 0; i < tournament->entrant_count; i++)
        for (size_t j = 0; j < tournament->entrant_count; j++)
            if (is_one_person(tournament, i, j))
                forbid(report, i, j);
}

/* ---- The head ---- */

static struct text add_record(struct report *report, const char *code)
{
    size_t i = report->event.record_count++;
    report->record[i].code = span_of(code);
    return (struct text){report->record_text[i], 0, RECORD_BYTES, false};
}

static void end_record(struct report *report, const struct text *text)
{
    report->record[report->event.record_count - 1].text = text_span(text);
}

static void add_text_record(struct report *report, const char *code, const char *string)
{
    struct text text = add_record(report, code);
    text_add(&text, string);
    end_record(report, &text);
}

static void add_date_record(struct report *report, const char *code, int64_t ms)
{
    enum { DATE_BYTES = 10 };
    char bytes[32];
    struct text time = TEXT_OVER(bytes), text = add_record(report, code);
    calendar_print((uint64_t)(ms / 1000), &time);
    for (size_t i = 0; i < DATE_BYTES; i++)
        text_add_char(&text, (char)(bytes[i] == '-' ? '/' : bytes[i]));
    end_record(report, &text);
}

static void fill_records(struct report *report)
{
    const struct tournament *tournament = report->tournament;
    bool dutch = report->stage->format == FORMAT_DUTCH;
    add_text_record(report, "012", tournament->settings.name);
    if (report->event.columns > 0) {
        add_date_record(report, "042", tournament->rounds[0].started_ms);
        add_date_record(report, "052", tournament->rounds[report->event.columns - 1].started_ms);
    }
    struct text text = add_record(report, "062");
    text_add_number(&text, (int64_t)report->event.player_count);
    end_record(report, &text);
    add_text_record(report, "092",
                    dutch                                       ? "Individual: Swiss-System"
                    : report->stage->format == FORMAT_POD_SWISS ? "Individual: other Swiss"
                                                                : "Individual: Round-Robin");
    if (dutch)
        add_text_record(report, "192", "FIDE_DUTCH");
}

/* ---- The whole ---- */

static bool fill(struct report *report, struct refusal *refusal)
{
    report->event.columns = report->event.rounds_played = count_rounds(report->tournament);
    report->event.player_count = report->group->count;
    report->event.points = points_of(&report->stage->scoring);
    report->event.initial = DUTCH_NO_COLOUR;
    report->event.rounds_planned = rounds_planned(report);
    if (!take_memory(report, report->group->count, report->event.columns))
        return refuse(refusal, EXCHANGE_REFUSAL_MEMORY,
                      "There is not enough memory for the report.");
    fill_players(report);
    if (!fill_results(report, refusal))
        return false;
    fill_byes(report);
    fill_forbidden(report);
    fill_records(report);
    report->event.players = report->players;
    report->event.results = report->results;
    report->event.byes = report->byes;
    report->event.forbidden = report->forbidden;
    report->event.records = report->record;
    return true;
}

static bool is_two_seats(const struct tournament *tournament, const struct ranking *ranking)
{
    const struct stage_settings *stage = &tournament->settings.stage[0];
    return tournament_format_has_points(stage->format) && stage->table.allowed == 1U << 2 &&
           ranking->group_count > 0 && ranking->groups[0].division == 0 &&
           stage->scoring.margin_unit == 0;
}

bool exchange_trf(const struct exchange *exchange, const struct ranking *ranking,
                  enum trf_version version, struct text *text, struct refusal *refusal)
{
    struct report report = {.exchange = exchange, .tournament = exchange->tournament};
    struct trf_error error;
    if (!is_two_seats(report.tournament, ranking))
        return refuse_format(refusal);
    report.stage = &report.tournament->settings.stage[0];
    report.group = &ranking->groups[0];
    bool good = fill(&report, refusal);
    if (good && trf_text_size(&report.event) > text->capacity) {
        text->overflow = true;
    } else if (good && !trf_write(&report.event, version, text, &error)) {
        *refusal = error.refusal;
        good = false;
    }
    arena_batch_free(&report.batch);
    return good;
}
