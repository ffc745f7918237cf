#include "engine/tournament/interchange/report_lines.h"

#include <string.h>

enum { COLUMNS_MAX = 64 };

/* ---- One table ---- */

void report_table_begin(struct reported_table *reported, const struct tournament_table *table,
                        size_t line)
{
    *reported = (struct reported_table){
        .line = line,
        .result = {.round = table->round, .table = table->table, .seats = table->seats}};
    for (unsigned seat = 0; seat < table->seats; seat++)
        reported->result.seat[seat] =
            (struct seat_result){.entry = table->entry[seat], .kind = ROUND_PLAYED};
}

static void rank_by_score(struct table_result *result)
{
    for (unsigned i = 0; i < result->seats; i++) {
        result->seat[i].rank = 1;
        for (unsigned j = 0; j < result->seats; j++)
            if (result->seat[j].score > result->seat[i].score)
                result->seat[i].rank++;
    }
}

/* `Table 3` and what is wrong with it. */
static bool fail_table(const struct reported_table *reported, const char *what,
                       char message[REPORT_MESSAGE_MAX])
{
    struct text text = {message, 0, REPORT_MESSAGE_MAX, false};
    text_clear(&text);
    text_add(&text, "Table ");
    text_add_number(&text, reported->result.table);
    text_add(&text, what);
    return false;
}

bool report_table_finish(struct reported_table *reported, char message[REPORT_MESSAGE_MAX])
{
    struct table_result *result = &reported->result;
    unsigned all = (1U << result->seats) - 1;
    bool ranked = reported->with_rank == all;
    reported->scored = reported->with_score == all;
    if ((!ranked && reported->with_rank != 0) || (!reported->scored && reported->with_score != 0) ||
        (!ranked && !reported->scored))
        return fail_table(reported,
                          " needs a score for every player, or a place for every player; if "
                          "somebody did not come, give a ruling.",
                          message);
    if (!ranked)
        rank_by_score(result);
    if (!table_result_ranks_fit(result))
        return fail_table(reported,
                          ": the places contradict each other: each is 1 + the number of better "
                          "players, and equal players share one.",
                          message);
    return !reported->scored || table_result_scores_fit(result) ||
           fail_table(reported, ": a better score has a worse place.", message);
}

void report_lines_fault(struct report_lines *lines, size_t line, const char *message)
{
    if (lines->fault_count == REPORT_FAULTS_MAX)
        return;
    struct report_fault *fault = &lines->faults[lines->fault_count++];
    struct text text = {fault->message, 0, sizeof fault->message, false};
    text_clear(&text);
    fault->line = line;
    text_add(&text, message);
}

/* ---- Reading ---- */

struct reading {
    const struct tournament *tournament;
    unsigned round;
    struct report_lines *lines;
    size_t line;
};

static bool fail(const struct reading *reading, const char *message)
{
    report_lines_fault(reading->lines, reading->line, message);
    return false;
}

static struct span trim(struct span span)
{
    while (span.length > 0 && (span.at[0] == ' ' || span.at[0] == '\t' || span.at[0] == '\r'))
        span = (struct span){span.at + 1, span.length - 1};
    while (span.length > 0 &&
           (span.at[span.length - 1] == ' ' || span.at[span.length - 1] == '\t' ||
            span.at[span.length - 1] == '\r'))
        span.length--;
    return span;
}

static const struct tournament_table *find_table(const struct reading *reading, struct span word)
{
    uint64_t number;
    const struct tournament_table *table =
        span_number(word, TOURNAMENT_TABLES_MAX, &number)
            ? tournament_table(reading->tournament, reading->round, (unsigned)number)
            : NULL;
    if (table == NULL)
        fail(reading, "There is no such table in this round.");
    return table;
}

static struct reported_table *find_reported(const struct report_lines *lines, unsigned number)
{
    for (size_t i = 0; i < lines->count; i++)
        if (lines->tables[i].result.table == number)
            return &lines->tables[i];
    return NULL;
}

static bool read_value(const struct reading *reading, struct reported_table *reported,
                       unsigned seat, struct span word, bool is_rank)
{
    int64_t value;
    if (!span_integer(word, RESULT_SCORE_MAX, &value) ||
        (is_rank && (value < 1 || value > reported->result.seats)))
        return fail(reading, is_rank ? "A place is not a number from 1 to the number of seats."
                                     : "A score is not a whole number, or is too large.");
    if (is_rank) {
        reported->result.seat[seat].rank = (uint8_t)value;
        reported->with_rank = (uint8_t)(reported->with_rank | 1U << seat);
    } else {
        reported->result.seat[seat].score = (int32_t)value;
        reported->with_score = (uint8_t)(reported->with_score | 1U << seat);
    }
    return true;
}

/* ---- One table a line ---- */

static bool is_between(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == ';';
}

/* Takes the next value off; empty at the end. */
static struct span next_value(struct span *rest)
{
    size_t first = 0, end;
    while (first < rest->length && is_between(rest->at[first]))
        first++;
    for (end = first; end < rest->length && !is_between(rest->at[end]);)
        end++;
    struct span value = {rest->at + first, end - first};
    *rest = (struct span){rest->at + end, rest->length - end};
    return value;
}

static bool read_values(const struct reading *reading, struct reported_table *reported,
                        struct span rest)
{
    struct span value;
    for (unsigned seat = 0; (value = next_value(&rest)).length > 0; seat++) {
        bool is_rank = value.at[value.length - 1] == '.';
        if (is_rank)
            value.length--;
        if (seat == reported->result.seats)
            return fail(reading, "There are more results than players at this table.");
        if (!read_value(reading, reported, seat, value, is_rank))
            return false;
    }
    return true;
}

static void read_table_line(const struct reading *reading, struct span line)
{
    const char *colon = memchr(line.at, ':', line.length);
    if (colon == NULL) {
        fail(reading, "Write the number of the table, a colon, and one score for each player, in "
                      "the order of seats: 3: 41 38 22");
        return;
    }
    size_t length = (size_t)(colon - line.at);
    const struct tournament_table *table =
        find_table(reading, trim((struct span){line.at, length}));
    struct span rest = {colon + 1, line.length - length - 1};
    if (table == NULL || trim(rest).length == 0)
        return;
    if (find_reported(reading->lines, table->table) != NULL) {
        fail(reading, "An earlier line already has the result of this table.");
        return;
    }
    struct reported_table *reported = &reading->lines->tables[reading->lines->count];
    char message[REPORT_MESSAGE_MAX];
    report_table_begin(reported, table, reading->line);
    if (!read_values(reading, reported, rest))
        return;
    if (report_table_finish(reported, message))
        reading->lines->count++;
    else
        fail(reading, message);
}

/* ---- Spreadsheets ---- */

enum column { TABLE, ROUND, SEAT, NUMBER, PLAYER_ID, RANK, SCORE, COLUMNS };

static const char *const columns[COLUMNS] = {"table",     "round", "seat", "number",
                                             "player_id", "rank",  "score"};

struct sheet {
    struct reading reading;
    char separator;
    int at[COLUMNS]; /* which cell; -1 = there is no such column */
};

/* Takes the next cell off, without its quotes; quotes inside are left doubled. False at the end. */
static bool next_cell(struct span *rest, char separator, struct span *cell)
{
    if (rest->at == NULL)
        return false;
    size_t end = 0;
    bool quoted = false;
    for (; end < rest->length && (quoted || rest->at[end] != separator); end++)
        quoted ^= rest->at[end] == '"';
    *cell = trim((struct span){rest->at, end});
    if (cell->length >= 2 && cell->at[0] == '"' && cell->at[cell->length - 1] == '"')
        *cell = trim((struct span){cell->at + 1, cell->length - 2});
    *rest = end == rest->length ? (struct span){NULL, 0}
                                : (struct span){rest->at + end + 1, rest->length - end - 1};
    return true;
}

static char find_separator(struct span head)
{
    if (memchr(head.at, '\t', head.length) != NULL)
        return '\t';
    return memchr(head.at, ';', head.length) != NULL ? ';' : ',';
}

static void read_head(struct sheet *sheet, struct span head)
{
    struct span cell;
    sheet->separator = find_separator(head);
    for (int i = 0; i < COLUMNS; i++)
        sheet->at[i] = -1;
    for (int number = 0; next_cell(&head, sheet->separator, &cell); number++)
        for (int i = 0; i < COLUMNS; i++)
            if (sheet->at[i] < 0 && span_is(cell, columns[i]))
                sheet->at[i] = number;
}

/* The seat that the row is about, by each column that says so. */
static bool find_seat(const struct sheet *sheet, const struct tournament_table *table,
                      const struct span *cells, unsigned *found)
{
    const struct tournament *tournament = sheet->reading.tournament;
    uint64_t number;
    for (unsigned seat = 0; seat < table->seats; seat++) {
        const struct entrant *entrant = &tournament->entrants[table->entry[seat]];
        bool fits = true;
        if (sheet->at[SEAT] >= 0)
            fits = span_number(cells[SEAT], TOURNAMENT_SEATS_MAX, &number) && number == seat + 1;
        if (sheet->at[NUMBER] >= 0)
            fits = fits && span_number(cells[NUMBER], UINT16_MAX, &number) &&
                   number == entrant->number;
        if (sheet->at[PLAYER_ID] >= 0)
            fits = fits && span_is(cells[PLAYER_ID], entrant->player);
        *found = seat;
        if (fits)
            return true;
    }
    return fail(&sheet->reading, "This player does not sit there.");
}

static bool is_of_round(const struct sheet *sheet, const struct span *cells)
{
    uint64_t number;
    return sheet->at[ROUND] < 0 || (span_number(cells[ROUND], TOURNAMENT_ROUNDS_MAX, &number) &&
                                    number == sheet->reading.round);
}

static void read_cells(struct sheet *sheet, const struct span *cells)
{
    const struct reading *reading = &sheet->reading;
    struct report_lines *lines = reading->lines;
    const struct tournament_table *table;
    unsigned seat;
    if (span_is(cells[TABLE], "0") || (cells[RANK].length == 0 && cells[SCORE].length == 0))
        return;
    if (!is_of_round(sheet, cells)) {
        fail(reading, "This row is of another round.");
        return;
    }
    if ((table = find_table(reading, cells[TABLE])) == NULL ||
        !find_seat(sheet, table, cells, &seat))
        return;
    struct reported_table *reported = find_reported(lines, table->table);
    if (reported == NULL) {
        reported = &lines->tables[lines->count++];
        report_table_begin(reported, table, reading->line);
    }
    if (((reported->with_rank | reported->with_score) >> seat & 1) != 0)
        fail(reading, "An earlier row already has the result of this seat.");
    else if (cells[RANK].length == 0 || read_value(reading, reported, seat, cells[RANK], true))
        (void)(cells[SCORE].length == 0 ||
               read_value(reading, reported, seat, cells[SCORE], false));
}

static void read_row(struct sheet *sheet, struct span row)
{
    struct span cells[COLUMNS] = {{NULL, 0}};
    struct span cell;
    for (int number = 0; number < COLUMNS_MAX && next_cell(&row, sheet->separator, &cell); number++)
        for (int i = 0; i < COLUMNS; i++)
            if (sheet->at[i] == number)
                cells[i] = cell;
    read_cells(sheet, cells);
}

/* A table is complete when the last row has been read. */
static void finish_sheet(const struct sheet *sheet)
{
    struct report_lines *lines = sheet->reading.lines;
    char message[REPORT_MESSAGE_MAX];
    if (lines->fault_count > 0)
        return;
    for (size_t i = 0; i < lines->count; i++)
        if (!report_table_finish(&lines->tables[i], message))
            report_lines_fault(lines, lines->tables[i].line, message);
}

static bool has_columns(const struct sheet *sheet)
{
    bool whose = sheet->at[SEAT] >= 0 || sheet->at[NUMBER] >= 0 || sheet->at[PLAYER_ID] >= 0;
    bool what = sheet->at[RANK] >= 0 || sheet->at[SCORE] >= 0;
    return (whose && what) ||
           fail(&sheet->reading,
                "The first row must name a column table; seat, number or player_id; and score or "
                "rank.");
}

/* ---- The text ---- */

static bool is_head(struct span line)
{
    char separator = find_separator(line);
    struct span cell;
    while (next_cell(&line, separator, &cell))
        if (span_is(cell, "table"))
            return true;
    return false;
}

static struct span without_mark(struct span text)
{
    bool marked = text.length >= 3 && memcmp(text.at, "\xef\xbb\xbf", 3) == 0;
    return marked ? (struct span){text.at + 3, text.length - 3} : text;
}

bool report_lines_read(const struct tournament *tournament, unsigned round, struct span text,
                       struct report_lines *lines)
{
    struct sheet sheet = {.reading = {tournament, round, lines, 0}};
    struct span rest = without_mark(text), line;
    bool begun = false, is_sheet = false;
    lines->count = lines->fault_count = 0;
    while (span_line(&rest, &line)) {
        sheet.reading.line++;
        line = trim(line);
        if (line.length == 0)
            continue;
        if (!begun && (is_sheet = is_head(line))) {
            read_head(&sheet, line);
            if (!has_columns(&sheet))
                return false;
        } else if (is_sheet) {
            read_row(&sheet, line);
        } else {
            read_table_line(&sheet.reading, line);
        }
        begun = true;
    }
    if (is_sheet)
        finish_sheet(&sheet);
    return lines->fault_count == 0;
}
