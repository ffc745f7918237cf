#include "engine/tournament/interchange/exchange.h"

#include <stdlib.h>

#include "engine/base/wide.h"
#include "engine/tournament/pairing/duplicate_board.h"

enum { PLACES = 6 };

/* ---- Cells ---- */

struct table {
    struct text *text;
    bool begun; /* the line already has a cell */
};

static void next_cell(struct table *table)
{
    if (table->begun)
        text_add_char(table->text, ',');
    table->begun = true;
}

static void end_line(struct table *table)
{
    text_add(table->text, "\r\n");
    table->begun = false;
}

static bool is_formula(char first)
{
    return first == '=' || first == '+' || first == '-' || first == '@' || first == '\t' ||
           first == '\r';
}

static bool needs_quotes(const char *string)
{
    for (; *string != '\0'; string++)
        if (*string == ',' || *string == '"' || *string == '\r' || *string == '\n')
            return true;
    return false;
}

static void add_string(struct table *table, const char *string)
{
    bool quotes = needs_quotes(string);
    next_cell(table);
    if (quotes)
        text_add_char(table->text, '"');
    if (is_formula(*string))
        text_add_char(table->text, '\'');
    for (; *string != '\0'; string++) {
        if (*string == '"')
            text_add_char(table->text, '"');
        text_add_char(table->text, *string);
    }
    if (quotes)
        text_add_char(table->text, '"');
}

static void add_number(struct table *table, int64_t number)
{
    next_cell(table);
    text_add_number(table->text, number);
}

/* Empty if there is none. */
static void add_number_if(struct table *table, int64_t number, bool there)
{
    if (there)
        add_number(table, number);
    else
        add_string(table, "");
}

static void add_yes_no(struct table *table, bool yes)
{
    add_string(table, yes ? "yes" : "no");
}

/* A rational rounded towards zero, without trailing zeros. The parts are below 2^62. Ten times the
 * remainder may need more than 64 bits, but the remainder after the digit does not, so the low bits
 * are enough. */
static void add_decimal(struct table *table, int64_t numerator, int64_t denominator)
{
    uint64_t size = numerator < 0 ? (uint64_t)-numerator : (uint64_t)numerator;
    uint64_t part = (uint64_t)denominator;
    uint64_t whole = size / part;
    uint64_t rest = size % part;
    char digits[PLACES];
    unsigned used = 0;
    next_cell(table);
    for (unsigned i = 0; i < PLACES; i++) {
        uint64_t digit = wide_scale(rest, 10, part);
        digits[i] = (char)('0' + (char)digit);
        rest = rest * 10 - digit * part;
        used = digits[i] == '0' ? used : i + 1;
    }
    if (numerator < 0 && (whole > 0 || used > 0))
        text_add_char(table->text, '-');
    text_add_number(table->text, (int64_t)whole);
    if (used > 0)
        text_add_char(table->text, '.');
    text_add_span(table->text, (struct span){digits, used});
}

static void add_points(struct table *table, int32_t points)
{
    add_decimal(table, points, POINTS_PER_POINT);
    add_number(table, points);
}

static void add_player(struct table *table, const struct exchange *exchange, uint16_t entry)
{
    add_number(table, exchange->tournament->entrants[entry].number);
    add_string(table, exchange->tournament->entrants[entry].player);
    add_string(table, exchange->names[entry]);
}

/* Column names, separated by commas. */
static void add_head(struct table *table, const char *columns)
{
    next_cell(table);
    text_add(table->text, columns);
}

/* ---- Standings ---- */

/* Counts of an entry's rounds by kind. */
struct rounds_of {
    uint16_t kind[ROUND_KINDS];
    uint16_t forfeited, substituted; /* games that it went out of, or that a substitute ended */
    uint16_t reported, recorded;     /* results from real tables; with a scorer's record */
};

/* Whether the result that counts comes from a real table. */
static bool is_reported(const struct tournament_table *table)
{
    return table->reported && !table->ruled;
}

static void count_table(struct rounds_of *rounds, const struct tournament *tournament,
                        const struct tournament_table *table)
{
    bool recorded = tournament_is_recorded(tournament, table);
    for (unsigned seat = 0; seat < table->result.seats; seat++) {
        const struct seat_result *result = &table->result.seat[seat];
        rounds[result->entry].kind[result->kind]++;
        if ((table->forfeited >> seat & 1) != 0)
            rounds[result->entry].forfeited++;
        if ((table->substituted >> seat & 1) != 0)
            rounds[result->entry].substituted++;
        rounds[result->entry].reported += is_reported(table);
        rounds[result->entry].recorded += recorded;
    }
}

/* [entry], for a stage up to a round of the event; NULL when out of memory. */
static struct rounds_of *count_rounds(const struct tournament *tournament, size_t stage,
                                      unsigned last)
{
    struct rounds_of *rounds = calloc(tournament->entrant_count + 1, sizeof *rounds);
    for (size_t i = 0; rounds != NULL && i < tournament->table_count; i++) {
        const struct tournament_table *table = &tournament->tables[i];
        if (table->has_result && table->stage == stage && table->round <= last)
            count_table(rounds, tournament, table);
    }
    for (size_t i = 0; rounds != NULL && i < tournament->bye_count; i++) {
        const struct tournament_bye *bye = &tournament->byes[i];
        if (bye->stage == stage && bye->round <= last)
            rounds[bye->entry].kind[bye->kind]++;
    }
    return rounds;
}

static void add_kinds_head(struct table *table)
{
    for (unsigned kind = 0; kind < ROUND_KINDS; kind++)
        add_head(table, round_kind_name((enum round_kind)kind));
    add_head(table, "forfeited,substituted,reported,recorded");
}

static void add_kinds(struct table *table, const struct rounds_of *rounds)
{
    for (unsigned kind = 0; kind < ROUND_KINDS; kind++)
        add_number(table, rounds->kind[kind]);
    add_number(table, rounds->forfeited);
    add_number(table, rounds->substituted);
    add_number(table, rounds->reported);
    add_number(table, rounds->recorded);
}

static void add_criterion_head(struct table *table, const char *code)
{
    add_head(table, code);
    add_head(table, code);
    text_add(table->text, "_numerator");
    add_head(table, code);
    text_add(table->text, "_denominator");
}

static void add_criterion(struct table *table, const struct tie_break_value *value)
{
    add_decimal(table, value->numerator, value->denominator);
    add_number(table, value->numerator);
    add_number(table, value->denominator);
}

static void add_chain_head(struct table *table, const struct ranking_group *group)
{
    for (size_t i = 0; i < group->chain_count; i++) {
        char code[TIE_BREAK_CODE_MAX];
        struct text text = TEXT_OVER(code);
        tie_break_write(&group->chain[i], &text);
        add_criterion_head(table, code);
    }
}

static void add_values(struct table *table, const struct ranking_group *group,
                       const struct ranking_row *row)
{
    for (size_t i = 0; i < group->chain_count; i++)
        add_criterion(table, &group->standings.rows[row->standing].value[i]);
}

static void add_row(struct table *table, const struct exchange *exchange,
                    const struct ranking_group *group, const struct ranking_row *row,
                    const struct rounds_of *rounds)
{
    add_number(table, group->stage + 1);
    add_number(table, group->division);
    add_number(table, row->place);
    add_number(table, row->shared);
    add_player(table, exchange, row->entry);
    add_points(table, row->points);
    add_yes_no(table, row->on);
    add_yes_no(table, row->annulled);
    add_kinds(table, &rounds[row->entry]);
    add_values(table, group, row);
    end_line(table);
}

/* The header without the chain. */
static void add_standings_head(struct table *table)
{
    add_head(table, "stage,division,place,shared_by,number,player_id,player,points,points_60ths,"
                    "went_on,annulled");
    add_kinds_head(table);
}

bool exchange_standings_csv(const struct exchange *exchange, const struct ranking *ranking,
                            size_t stage, unsigned last_round, struct text *text)
{
    struct table table = {.text = text};
    struct rounds_of *rounds = count_rounds(exchange->tournament, stage, last_round);
    bool headed = false;
    for (size_t i = 0; rounds != NULL && i < ranking->group_count; i++) {
        const struct ranking_group *group = &ranking->groups[i];
        if (group->stage != stage)
            continue;
        if (!headed) {
            add_standings_head(&table);
            add_chain_head(&table, group);
            end_line(&table);
        }
        headed = true;
        for (size_t j = 0; j < group->count; j++)
            add_row(&table, exchange, group, &group->rows[j], rounds);
    }
    free(rounds);
    return rounds != NULL;
}

/* ---- Standings of duplicate events ---- */

static const char *duplicate_code(const struct tournament *tournament, size_t position)
{
    return duplicate_describe(duplicate_chain(duplicate_ranking_scoring(tournament), position))
        ->code;
}

static unsigned count_shared(const struct duplicate_standings *standings, unsigned rank)
{
    unsigned shared = 0;
    for (size_t i = 0; i < standings->count; i++)
        shared += standings->rows[i].rank == rank;
    return shared;
}

static void add_duplicate_row(struct table *table, const struct exchange *exchange,
                              const struct duplicate_standings *standings,
                              const struct duplicate_standing *row, const struct rounds_of *rounds)
{
    uint16_t entry = tournament_entry_numbered(exchange->tournament, (uint16_t)(row->entry + 1));
    add_number(table, 1); /* the only stage, without divisions */
    add_number(table, 0);
    add_number(table, row->rank);
    add_number(table, count_shared(standings, row->rank));
    add_player(table, exchange, entry);
    add_decimal(table, row->value[0].numerator, row->value[0].denominator);
    add_string(table, ""); /* no 60ths */
    add_yes_no(table, false);
    add_yes_no(table, false);
    add_kinds(table, &rounds[entry]);
    for (size_t i = 0; i < DUPLICATE_CHAIN; i++)
        add_criterion(table, &row->value[i]);
    end_line(table);
}

bool exchange_duplicate_csv(const struct exchange *exchange,
                            const struct duplicate_standings *standings, unsigned last_round,
                            struct text *text)
{
    struct table table = {.text = text};
    struct rounds_of *rounds = count_rounds(exchange->tournament, 0, last_round);
    add_standings_head(&table);
    for (size_t i = 0; i < DUPLICATE_CHAIN; i++)
        add_criterion_head(&table, duplicate_code(exchange->tournament, i));
    end_line(&table);
    for (size_t i = 0; rounds != NULL && i < standings->count; i++)
        add_duplicate_row(&table, exchange, standings, &standings->rows[i], rounds);
    free(rounds);
    return rounds != NULL;
}

/* ---- Pairings ---- */

static void add_place_at_table(struct table *table, const struct tournament_table *at,
                               unsigned seat)
{
    add_number(table, at->round);
    add_number(table, at->table);
    add_number(table, at->board);
    add_number(table, seat + 1);
}

static void add_table(struct table *table, const struct exchange *exchange,
                      const struct tournament_table *at)
{
    for (unsigned seat = 0; seat < at->seats; seat++) {
        add_place_at_table(table, at, seat);
        add_player(table, exchange, at->entry[seat]);
        add_string(table, "seat");
        end_line(table);
    }
}

static void add_no_seat(struct table *table, const struct exchange *exchange,
                        const struct tournament_bye *bye)
{
    add_number(table, bye->round);
    add_number(table, 0);
    add_number(table, bye->board);
    add_number(table, 0);
    add_player(table, exchange, bye->entry);
    add_string(table, round_kind_name((enum round_kind)bye->kind));
}

static void add_bye(struct table *table, const struct exchange *exchange,
                    const struct tournament_bye *bye)
{
    add_no_seat(table, exchange, bye);
    end_line(table);
}

void exchange_pairings_csv(const struct exchange *exchange, unsigned round, struct text *text)
{
    const struct tournament *tournament = exchange->tournament;
    struct table table = {.text = text};
    add_head(&table, "round,table,board,seat,number,player_id,player,kind");
    end_line(&table);
    if (round > tournament->rounds_started)
        return;
    for (size_t i = 0; i < tournament->table_count; i++)
        if (tournament->tables[i].round == round)
            add_table(&table, exchange, &tournament->tables[i]);
    for (size_t i = 0; i < tournament->bye_count; i++)
        if (tournament->byes[i].round == round)
            add_bye(&table, exchange, &tournament->byes[i]);
}

/* ---- Results ---- */

/* Points of a seat or a bye, if the format has any. */
static void add_points_of(struct table *table, const struct exchange *exchange, unsigned stage,
                          const struct table_result *result, unsigned seat)
{
    const struct stage_settings *settings = &exchange->tournament->settings.stage[stage];
    if (settings->scheme == NULL) {
        add_string(table, "");
        add_string(table, "");
        return;
    }
    add_points(table, scoring_points(&settings->scoring, result, seat));
}

static void add_result(struct table *table, const struct exchange *exchange,
                       const struct tournament_table *at, unsigned seat)
{
    const struct seat_result *result = &at->result.seat[seat];
    add_place_at_table(table, at, seat);
    add_player(table, exchange, result->entry);
    add_string(table, round_kind_name((enum round_kind)result->kind));
    add_number_if(table, result->rank, tournament_has_place(at, seat));
    add_number_if(table, result->score, tournament_has_score(exchange->tournament, at, seat));
    add_points_of(table, exchange, at->stage, &at->result, seat);
    add_yes_no(table, at->ruled);
    add_yes_no(table, (at->forfeited >> seat & 1) != 0);
    add_yes_no(table, (at->substituted >> seat & 1) != 0);
    add_string(table, at->game);
    add_yes_no(table, is_reported(at));
    add_yes_no(table, tournament_is_recorded(exchange->tournament, at));
    end_line(table);
}

static void add_bye_result(struct table *table, const struct exchange *exchange,
                           const struct tournament_bye *bye)
{
    const struct table_result result = {.seats = 1, .seat = {{.kind = bye->kind}}};
    add_no_seat(table, exchange, bye);
    add_string(table, ""); /* rank and score */
    add_string(table, "");
    add_points_of(table, exchange, bye->stage, &result, 0);
    for (unsigned i = 0; i < 3; i++)
        add_yes_no(table, false);
    add_string(table, "");
    add_yes_no(table, false);
    add_yes_no(table, false);
    end_line(table);
}

static void add_round(struct table *table, const struct exchange *exchange, unsigned round)
{
    const struct tournament *tournament = exchange->tournament;
    for (size_t i = 0; i < tournament->table_count; i++) {
        const struct tournament_table *at = &tournament->tables[i];
        for (unsigned seat = 0; at->round == round && at->has_result && seat < at->seats; seat++)
            add_result(table, exchange, at, seat);
    }
    for (size_t i = 0; i < tournament->bye_count; i++)
        if (tournament->byes[i].round == round)
            add_bye_result(table, exchange, &tournament->byes[i]);
}

void exchange_results_csv(const struct exchange *exchange, struct text *text)
{
    struct table table = {.text = text};
    add_head(&table, "round,table,board,seat,number,player_id,player,kind,rank,score,points,"
                     "points_60ths,ruled,forfeited,substituted,game_id,reported,recorded");
    end_line(&table);
    for (unsigned round = 0; round <= exchange->tournament->rounds_started; round++)
        add_round(&table, exchange, round);
}
