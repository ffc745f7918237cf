#include "engine/tournament/interchange/trf.h"

#include <string.h>

#include "engine/base/arena.h"
#include "engine/tournament/interchange/trf_line.h"

enum { CODE_LENGTH = 3 };

const struct trf_points trf_points_default = {.win = 60, .draw = 30, .pairing_bye = 60};

/* One pass over the text; arrays are NULL while only measuring. */
struct reader {
    struct trf_event event;
    struct trf_player *players;
    struct trf_result *results;
    struct trf_bye *byes;
    struct trf_forbidden *forbidden;
    struct trf_record *records;
    uint16_t *index_of; /* [starting rank]: index + 1 */
    uint16_t columns;   /* of the results array */
    bool bye_points_said;
    struct trf_line line;
};

/* ---- 001 ---- */

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static const char NOT_IN_COLUMNS[] = "The results are not in their columns.";

/* The ten columns of a round: opponent, colour, code. `first` is the first of them. */
static bool read_result(struct reader *reader, struct span column, size_t first,
                        struct trf_result *result)
{
    char colour = column.length > 5 ? column.at[5] : ' ';
    char code = column.length > 7 ? upper(column.at[7]) : ' ';
    for (size_t i = 4; i < column.length; i++)
        if (i != 5 && i != 7 && column.at[i] != ' ')
            return trf_line_refuse_column(&reader->line, first + i, NOT_IN_COLUMNS);
    *result = (struct trf_result){.colour = colour == ' ' ? '-' : colour, .code = code};
    if (!trf_line_number(trf_line_columns(column, 1, 4), TRF_NUMBER_MAX, &result->opponent))
        return trf_line_refuse_column(&reader->line, first,
                                      "An opponent must be a starting rank or 0000.");
    if (!is_one_of(colour, "wb- "))
        return trf_line_refuse_column(&reader->line, first + 5, "A color must be w, b or -.");
    if (!is_one_of(code, "-+WDL1=0HFUZ "))
        return trf_line_refuse_column(&reader->line, first + 7,
                                      "A result must be one of - + W D L 1 = 0 H F U Z.");
    bool alone = is_one_of(code, "HFUZ ");
    if (result->opponent != 0 && (alone || result->colour == '-'))
        return trf_line_refuse_column(
            &reader->line, first,
            "A result against an opponent must have a color and no bye code.");
    if (result->opponent == 0 && (result->colour != '-' || is_one_of(code, "+WDL1=0")))
        return trf_line_refuse_column(&reader->line, first,
                                      "A result without an opponent must be a bye: H, F, U or Z.");
    if (result->opponent == 0 && code == '-')
        result->code = 'Z';
    return true;
}

static bool read_results(struct reader *reader)
{
    struct span rest = trf_line_from(reader->line.text, TRF_FIRST_ROUND_COLUMN);
    struct trf_event *event = &reader->event;
    for (size_t i = 0; i < rest.length; i++)
        if ((unsigned char)rest.at[i] >= 0x80 || rest.at[i] == '\t')
            return trf_line_refuse_column(&reader->line, TRF_FIRST_ROUND_COLUMN + i,
                                          NOT_IN_COLUMNS);
    size_t rounds = (rest.length + 9) / 10;
    if (rounds > TOURNAMENT_ROUNDS_MAX)
        return trf_line_refuse(&reader->line, TRF_REFUSAL_TOO_LARGE,
                               "There are more rounds than an event can have.");
    if (rounds > event->columns)
        event->columns = (uint16_t)rounds;
    for (size_t round = 0; round < rounds; round++) {
        struct trf_result result;
        struct span column = {rest.at + 10 * round, rest.length - 10 * round};
        column.length = column.length > 10 ? 10 : column.length;
        if (!read_result(reader, column, TRF_FIRST_ROUND_COLUMN + 10 * round, &result))
            return false;
        if (reader->results != NULL)
            reader->results[event->player_count * reader->columns + round] = result;
        if ((result.opponent != 0 || result.code == 'U') && round >= event->rounds_played)
            event->rounds_played = (uint16_t)(round + 1);
    }
    return true;
}

static bool read_player(struct reader *reader)
{
    struct span line = reader->line.text, sex = trf_line_columns(line, 10, 10);
    struct trf_player player = {.sex = sex.length == 0 ? ' ' : sex.at[0],
                                .title = trf_line_trim(trf_line_columns(line, 11, 13)),
                                .name = trf_line_trim(trf_line_columns(line, 15, 47)),
                                .federation = trf_line_trim(trf_line_columns(line, 54, 56)),
                                .fide_number = trf_line_trim(trf_line_columns(line, 58, 68)),
                                .birth = trf_line_trim(trf_line_columns(line, 70, 79)),
                                .line = (uint32_t)reader->line.number};
    if (reader->event.player_count == TOURNAMENT_ENTRIES_MAX)
        return trf_line_refuse(&reader->line, TRF_REFUSAL_TOO_LARGE,
                               "There are more players than an event can have.");
    if (!trf_line_rank_number(&reader->line, trf_line_columns(line, 5, 8), &player.number))
        return false;
    if (!is_one_of(player.sex, "mwf "))
        return trf_line_refuse_column(&reader->line, 10, "Column 10 must be m, w or a space.");
    if (!trf_line_number(trf_line_columns(line, 49, 52), 9999, &player.rating))
        return trf_line_refuse_column(&reader->line, 49,
                                      "A rating must be a number of up to four digits.");
    if (!trf_line_points(trf_line_columns(line, 81, 84), &player.points))
        return trf_line_refuse_column(&reader->line, 81,
                                      "Columns 81 to 84 must be the points, like 11.5.");
    if (!trf_line_number(trf_line_columns(line, 86, 89), 9999, &player.rank))
        return trf_line_refuse_column(&reader->line, 86,
                                      "A rank must be a number of up to four digits.");
    if (!trf_line_check_blank(&reader->line, 9, 9) ||
        !trf_line_check_blank(&reader->line, 53, 53) ||
        !trf_line_check_blank(&reader->line, 80, 80) ||
        !trf_line_check_blank(&reader->line, 85, 85) ||
        !trf_line_check_blank(&reader->line, 90, TRF_FIRST_ROUND_COLUMN - 1))
        return false;
    if (reader->players != NULL) {
        if (reader->index_of[player.number] != 0)
            return trf_line_refuse(&reader->line, TRF_REFUSAL_CONTRADICTS,
                                   "The starting rank occurs twice.");
        reader->players[reader->event.player_count] = player;
        reader->index_of[player.number] = (uint16_t)(reader->event.player_count + 1);
    }
    if (!read_results(reader))
        return false;
    reader->event.player_count++;
    return true;
}

/* ---- The other records ---- */

static bool read_rounds(struct reader *reader)
{
    return trf_line_round(&reader->line, trf_line_columns(reader->line.text, 4, 80),
                          &reader->event.rounds_planned);
}

static bool read_initial(struct reader *reader)
{
    struct span colour = trf_line_trim(trf_line_columns(reader->line.text, 4, 80));
    if (!span_is(colour, "W") && !span_is(colour, "B"))
        return trf_line_refuse_column(&reader->line, 5, "The first color must be W or B.");
    reader->event.initial = span_is(colour, "W") ? DUTCH_WHITE : DUTCH_BLACK;
    return true;
}

static bool read_options(struct reader *reader)
{
    struct span rest = trf_line_from(reader->line.text, 4);
    while (rest.length > 0) {
        struct span word = span_word(&rest);
        if (span_is(word, "white1"))
            reader->event.initial = DUTCH_WHITE;
        else if (span_is(word, "black1"))
            reader->event.initial = DUTCH_BLACK;
        else if (word.length > 0)
            return trf_line_refuse(&reader->line, TRF_REFUSAL_UNSUPPORTED,
                                   "XXC supports only the options white1 and black1.");
    }
    return true;
}

/* A win's points also apply to the bye, unless the bye has its own. */
static bool set_points(struct reader *reader, char symbol, uint16_t points)
{
    struct trf_points *all = &reader->event.points;
    switch (symbol) {
    case 'W':
        all->win = points;
        if (!reader->bye_points_said)
            all->pairing_bye = points;
        return true;
    case 'D':
        all->draw = points;
        return true;
    case 'L':
        all->loss = points;
        return true;
    case 'A':
    case 'Z':
        all->absence = points;
        return true;
    case 'P':
        all->pairing_bye = points;
        reader->bye_points_said = true;
        return true;
    default:
        return trf_line_refuse(&reader->line, TRF_REFUSAL_UNSUPPORTED,
                               "Points are supported for W, D, L, A and P only.");
    }
}

static bool read_point_system(struct reader *reader)
{
    for (unsigned column = 6;; column += 9) {
        struct span field = trf_line_columns(reader->line.text, column, column + 4);
        uint16_t points;
        if (trf_line_trim(field).length == 0)
            return trf_line_check_end(&reader->line, column);
        if (!trf_line_check_blank(&reader->line, column + 5, column + 8))
            return false;
        if (!trf_line_points((struct span){field.at + 1, field.length - 1}, &points))
            return trf_line_refuse_column(&reader->line, column,
                                          "Points must follow their letter, like W 1.0.");
        if (!set_points(reader, field.at[0], points))
            return false;
    }
}

/* BBW, BBD, BBL, BBZ, BBF, BBU. */
static bool read_points_of_one(struct reader *reader)
{
    char symbol = reader->line.text.at[2];
    uint16_t points;
    if (!trf_line_points(trf_line_columns(reader->line.text, 4, 80), &points))
        return trf_line_refuse_column(&reader->line, 4, "Points must be a number, like 1.0.");
    return set_points(reader, symbol == 'U' ? 'P' : symbol == 'F' ? 'A' : symbol, points);
}

static bool add_bye(struct reader *reader, struct trf_bye bye)
{
    if (reader->event.bye_count == TRF_LIST_MAX)
        return trf_line_refuse(&reader->line, TRF_REFUSAL_TOO_LARGE, "There are too many byes.");
    if (reader->byes != NULL)
        reader->byes[reader->event.bye_count] = bye;
    reader->event.bye_count++;
    return true;
}

static bool read_byes(struct reader *reader)
{
    struct span code = trf_line_columns(reader->line.text, 5, 5);
    struct trf_bye bye = {.code = code.length == 0 ? ' ' : upper(code.at[0])};
    if (!is_one_of(bye.code, "FHZ"))
        return trf_line_refuse_column(&reader->line, 5, "A bye in column 5 must be F, H or Z.");
    if (!trf_line_check_blank(&reader->line, 4, 4) || !trf_line_check_blank(&reader->line, 6, 6) ||
        !trf_line_check_blank(&reader->line, 10, 10) ||
        !trf_line_round(&reader->line, trf_line_columns(reader->line.text, 7, 9), &bye.round))
        return false;
    for (unsigned column = 11;; column += 5) {
        struct span field = trf_line_columns(reader->line.text, column, column + 3);
        if (trf_line_trim(field).length == 0 && column == 11)
            return trf_line_refuse_column(
                &reader->line, 11, "Columns 11 to 14 must be the starting rank of a player.");
        if (trf_line_trim(field).length == 0)
            return trf_line_check_end(&reader->line, column);
        if (!trf_line_check_blank(&reader->line, column + 4, column + 4) ||
            !trf_line_rank_number(&reader->line, field, &bye.number) || !add_bye(reader, bye))
            return false;
    }
}

/* XXZ: players who miss the round to be paired. */
static bool read_absences(struct reader *reader)
{
    struct span rest = trf_line_from(reader->line.text, 4);
    while (rest.length > 0) {
        struct span word = span_word(&rest);
        uint16_t number;
        if (word.length == 0)
            continue;
        if (!trf_line_rank_number(&reader->line, word, &number))
            return false;
        if (!add_bye(reader, (struct trf_bye){0, number, 'Z'}))
            return false;
    }
    return true;
}

static bool add_forbidden(struct reader *reader, struct trf_forbidden pair)
{
    if (reader->event.forbidden_count == TRF_LIST_MAX)
        return trf_line_refuse(&reader->line, TRF_REFUSAL_TOO_LARGE,
                               "There are too many forbidden pairs.");
    if (reader->forbidden != NULL)
        reader->forbidden[reader->event.forbidden_count] = pair;
    reader->event.forbidden_count++;
    return true;
}

/* Forbids every two of the numbers in `list`. */
static bool forbid_all(struct reader *reader, struct span list, uint16_t first, uint16_t last)
{
    struct trf_forbidden pair = {.first_round = first, .last_round = last};
    for (struct span rest = list; rest.length > 0;) {
        struct span word = span_word(&rest);
        if (word.length == 0)
            continue;
        if (!trf_line_rank_number(&reader->line, word, &pair.a))
            return false;
        for (struct span others = rest; others.length > 0;) {
            struct span other = span_word(&others);
            if (other.length == 0)
                continue;
            if (!trf_line_rank_number(&reader->line, other, &pair.b) ||
                !add_forbidden(reader, pair))
                return false;
            if (pair.a == pair.b)
                return trf_line_refuse_column(&reader->line,
                                              trf_line_column_of(&reader->line, other),
                                              "A forbidden pair must be two different players.");
        }
    }
    return true;
}

static bool read_forbidden(struct reader *reader)
{
    uint16_t first, last;
    if (!trf_line_check_blank(&reader->line, 4, 4) || !trf_line_check_blank(&reader->line, 8, 8) ||
        !trf_line_check_blank(&reader->line, 12, 12) ||
        !trf_line_round(&reader->line, trf_line_columns(reader->line.text, 5, 7), &first) ||
        !trf_line_round(&reader->line, trf_line_columns(reader->line.text, 9, 11), &last))
        return false;
    if (first > last)
        return trf_line_refuse_column(&reader->line, 9, "The last round is before the first.");
    return forbid_all(reader, trf_line_from(reader->line.text, 12), first, last);
}

static bool read_forbidden_always(struct reader *reader)
{
    return forbid_all(reader, trf_line_from(reader->line.text, 4), 1, TOURNAMENT_ROUNDS_MAX);
}

static bool keep_record(struct reader *reader)
{
    struct span code = trf_line_columns(reader->line.text, 1, CODE_LENGTH);
    struct span text = trf_line_from(reader->line.text, CODE_LENGTH + 2);
    if (reader->event.record_count == TRF_LIST_MAX)
        return trf_line_refuse(&reader->line, TRF_REFUSAL_TOO_LARGE, "There are too many records.");
    if (reader->records != NULL)
        reader->records[reader->event.record_count] = (struct trf_record){code, text};
    reader->event.record_count++;
    return true;
}

static const char teams[] = "Team events are not supported.";
static const char acceleration[] = "Accelerated pairings are not supported.";

static bool refuse_unsupported(struct reader *reader, const char *message)
{
    return trf_line_refuse(&reader->line, TRF_REFUSAL_UNSUPPORTED, message);
}

static bool read_type(struct reader *reader)
{
    struct span type = trf_line_trim(trf_line_from(reader->line.text, 5));
    struct span baku = SPAN_LITERAL("_BAKU");
    if (type.length >= baku.length &&
        span_equal((struct span){type.at + type.length - baku.length, baku.length}, baku))
        return refuse_unsupported(reader, acceleration);
    return keep_record(reader);
}

/* A record that is read, refused as unsupported with a message, or passed over. */
struct record_reader {
    const char *code;
    bool (*read)(struct reader *reader);
    const char *unsupported;
};

static const struct record_reader record_readers[] = {
    {"001", read_player, NULL},
    {"142", read_rounds, NULL},
    {"XXR", read_rounds, NULL},
    {"152", read_initial, NULL},
    {"XXC", read_options, NULL},
    {"162", read_point_system, NULL},
    {"BBW", read_points_of_one, NULL},
    {"BBD", read_points_of_one, NULL},
    {"BBL", read_points_of_one, NULL},
    {"BBZ", read_points_of_one, NULL},
    {"BBF", read_points_of_one, NULL},
    {"BBU", read_points_of_one, NULL},
    {"192", read_type, NULL},
    {"240", read_byes, NULL},
    {"XXZ", read_absences, NULL},
    {"260", read_forbidden, NULL},
    {"XXP", read_forbidden_always, NULL},
    {"013", NULL, teams},
    {"300", NULL, teams},
    {"310", NULL, teams},
    {"320", NULL, teams},
    {"330", NULL, teams},
    {"352", NULL, teams},
    {"362", NULL, teams},
    {"801", NULL, teams},
    {"802", NULL, teams},
    {"250", NULL, acceleration},
    {"XXA", NULL, acceleration},
    {"299", NULL, "Abnormal points are not supported."},
    {"###", NULL, NULL},
};

/* Records that do not affect pairings: other ??2, and a federation's ratings. */
static bool is_kept(struct span code)
{
    if (code.length != CODE_LENGTH)
        return false;
    if (code.at[0] >= '0' && code.at[0] <= '9')
        return code.at[1] >= '0' && code.at[1] <= '9' && code.at[2] == '2';
    for (size_t i = 0; i < CODE_LENGTH; i++)
        if (code.at[i] < 'A' || code.at[i] > 'Z')
            return false;
    return code.at[0] != 'X' || code.at[1] != 'X';
}

static bool read_line(struct reader *reader)
{
    if (reader->line.text.length == 0)
        return true;
    if (!trf_line_check(&reader->line))
        return false;
    struct span code = trf_line_columns(reader->line.text, 1, CODE_LENGTH);
    struct span blank = trf_line_columns(reader->line.text, CODE_LENGTH + 1, CODE_LENGTH + 1);
    for (size_t i = 0; i < sizeof record_readers / sizeof *record_readers; i++) {
        const struct record_reader *found = &record_readers[i];
        if (span_is(code, found->code))
            return found->read != NULL          ? found->read(reader)
                   : found->unsupported != NULL ? refuse_unsupported(reader, found->unsupported)
                                                : true;
    }
    if (is_kept(code) && (blank.length == 0 || span_is(blank, " ")))
        return keep_record(reader);
    return refuse_unsupported(reader, "This kind of record is not known.");
}

static bool read_lines(struct reader *reader, struct span text)
{
    reader->event.points = trf_points_default;
    reader->line.number = 0;
    *reader->line.error = (struct trf_error){0};
    if (text.length > TRF_TEXT_MAX)
        return trf_line_refuse(&reader->line, TRF_REFUSAL_TOO_LARGE, "The file is too large.");
    while (trf_line_cut(&text, &reader->line.text)) {
        reader->line.number++;
        if (!read_line(reader))
            return false;
    }
    reader->line.number = 0;
    if (reader->event.player_count == 0)
        return trf_line_refuse(&reader->line, TRF_REFUSAL_SYNTAX, "The file has no players.");
    if (reader->event.columns > reader->event.rounds_played + 1)
        return trf_line_refuse(&reader->line, TRF_REFUSAL_CONTRADICTS,
                               "Results are entered for more than one round that is not paired.");
    if (reader->event.rounds_planned != 0 &&
        reader->event.rounds_planned < reader->event.rounds_played)
        return trf_line_refuse(&reader->line, TRF_REFUSAL_CONTRADICTS,
                               "More rounds are paired than the event is declared to have.");
    return true;
}

/* ---- Checks between records ---- */

static const struct trf_result *result_at(const struct reader *reader, size_t player,
                                          unsigned round)
{
    return &reader->results[player * reader->columns + round - 1];
}

static bool is_played(char code)
{
    return is_one_of(code, "WDL1=0");
}

static bool is_won(char code)
{
    return is_one_of(code, "W1+");
}

static bool check_result(struct reader *reader, size_t player, unsigned round)
{
    const struct trf_result *result = result_at(reader, player, round);
    uint16_t number = reader->players[player].number;
    if (result->opponent == 0)
        return true;
    if (reader->index_of[result->opponent] == 0)
        return trf_line_refuse(&reader->line, TRF_REFUSAL_CONTRADICTS,
                               "An opponent is not in the file.");
    const struct trf_result *other =
        result_at(reader, reader->index_of[result->opponent] - 1U, round);
    if (result->opponent == number || other->opponent != number ||
        other->colour == result->colour || is_played(other->code) != is_played(result->code) ||
        (is_won(other->code) && is_won(result->code)))
        return trf_line_refuse(&reader->line, TRF_REFUSAL_CONTRADICTS,
                               "A result contradicts that of the opponent.");
    return true;
}

static bool check_player(struct reader *reader, size_t player)
{
    const struct trf_event *event = &reader->event;
    unsigned played = 0, all = 0;
    reader->line.number = reader->players[player].line;
    for (unsigned round = 1; round <= event->columns; round++) {
        if (!check_result(reader, player, round))
            return false;
        all += trf_result_points(&event->points, result_at(reader, player, round)->code);
        if (round <= event->rounds_played)
            played = all;
    }
    if (reader->players[player].points != played && reader->players[player].points != all)
        return trf_line_refuse(&reader->line, TRF_REFUSAL_CONTRADICTS,
                               "The points are not the sum of the results.");
    return true;
}

static bool check_numbers(struct reader *reader)
{
    const struct trf_event *event = &reader->event;
    bool known = true;
    for (size_t i = 0; i < event->bye_count; i++)
        known = known && reader->index_of[reader->byes[i].number] != 0;
    for (size_t i = 0; i < event->forbidden_count; i++)
        known = known && reader->index_of[reader->forbidden[i].a] != 0 &&
                reader->index_of[reader->forbidden[i].b] != 0;
    reader->line.number = 0;
    return known ||
           trf_line_refuse(&reader->line, TRF_REFUSAL_CONTRADICTS,
                           "A bye or a forbidden pair names a player who is not in the file.");
}

/* Article 5.2.5 backwards: the colours of the first paired round reveal the drawn colour. */
static enum dutch_colour infer_initial(const struct reader *reader)
{
    unsigned arrived = 0;
    if (reader->event.rounds_played == 0)
        return DUTCH_NO_COLOUR;
    for (uint16_t number = 1; number <= TRF_NUMBER_MAX; number++) {
        if (reader->index_of[number] == 0)
            continue;
        const struct trf_result *result = result_at(reader, reader->index_of[number] - 1U, 1);
        if (result->opponent == 0 && result->code != 'U')
            continue;
        arrived++;
        if (result->opponent != 0)
            return (result->colour == 'w') == (arrived % 2 == 1) ? DUTCH_WHITE : DUTCH_BLACK;
    }
    return DUTCH_NO_COLOUR;
}

/* ---- Public ---- */

static void carve_all(struct carver *carver, struct reader *reader, const struct trf_event *sizes)
{
    reader->columns = sizes->columns;
    reader->players = carve(carver, sizes->player_count, sizeof *reader->players);
    reader->results = carve(carver, sizes->player_count * sizes->columns, sizeof *reader->results);
    reader->byes = carve(carver, sizes->bye_count, sizeof *reader->byes);
    reader->forbidden = carve(carver, sizes->forbidden_count, sizeof *reader->forbidden);
    reader->records = carve(carver, sizes->record_count, sizeof *reader->records);
    reader->index_of = carve(carver, TRF_NUMBER_MAX + 1, sizeof *reader->index_of);
}

bool trf_measure(struct span text, size_t *memory_size, struct trf_error *error)
{
    struct reader reader = {.line = {.error = error}}, sizes = {0};
    struct carver carver = {NULL, 0};
    if (!read_lines(&reader, text))
        return false;
    carve_all(&carver, &sizes, &reader.event);
    *memory_size = carver.used;
    return true;
}

static void fill_empty(struct reader *reader, size_t count)
{
    for (size_t i = 0; i < count; i++)
        reader->results[i] = (struct trf_result){.colour = '-', .code = ' '};
    memset(reader->index_of, 0, (TRF_NUMBER_MAX + 1) * sizeof *reader->index_of);
}

bool trf_read(struct span text, void *memory, struct trf_event *event, struct trf_error *error)
{
    struct reader sizes = {.line = {.error = error}}, reader = {.line = {.error = error}};
    struct carver carver = {memory, 0};
    if (!read_lines(&sizes, text))
        return false;
    carve_all(&carver, &reader, &sizes.event);
    fill_empty(&reader, sizes.event.player_count * sizes.event.columns);
    if (!read_lines(&reader, text))
        return false;
    for (size_t i = 0; i < reader.event.bye_count; i++)
        if (reader.byes[i].round == 0)
            reader.byes[i].round = (uint16_t)(reader.event.rounds_played + 1);
    for (size_t player = 0; player < reader.event.player_count; player++)
        if (!check_player(&reader, player))
            return false;
    if (!check_numbers(&reader))
        return false;
    if (reader.event.initial == DUTCH_NO_COLOUR)
        reader.event.initial = infer_initial(&reader);
    *event = reader.event;
    event->players = reader.players;
    event->results = reader.results;
    event->byes = reader.byes;
    event->forbidden = reader.forbidden;
    event->records = reader.records;
    return true;
}
