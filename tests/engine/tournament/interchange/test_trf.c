/* Report files: what is written reads back the same, by columns; what is broken is refused with its
 * line. */
#include <stdio.h>

#include "tests/engine/tournament/formats/dutch/dutch_event.h"
#include "tests/test.h"

static char text_bytes[1 << 17], second_bytes[1 << 17];

static void play(struct event *event, uint64_t number, uint16_t rounds)
{
    void *work = malloc(dutch_work_size(EVENT_PLAYERS_MAX));
    struct dutch_pair pairs[EVENT_PLAYERS_MAX];
    struct refusal refusal;
    size_t count;
    event_start(event, number);
    while (event->played < rounds) {
        struct dutch_request request = event_open(event);
        assert_true(dutch_pair_round(&request, work, pairs, &count, &refusal));
        event_play(event, pairs, count);
    }
    if (event->played < event->rounds)
        event_open(event);
    free(work);
}

/* Reads a good file; the caller frees the memory. */
static void *read_file(struct span text, struct trf_event *file)
{
    struct trf_error error = {0};
    size_t size;
    if (!trf_measure(text, &size, &error))
        fail_msg("line %zu: %s", error.line, error.refusal.message);
    void *memory = malloc(size);
    if (!trf_read(text, memory, file, &error))
        fail_msg("line %zu: %s", error.line, error.refusal.message);
    return memory;
}

static void assert_same_span(struct span a, struct span b)
{
    assert_true(span_equal(a, b));
}

static void assert_same_event(const struct trf_event *a, const struct trf_event *b)
{
    assert_int_equal(a->player_count, b->player_count);
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->rounds_played, b->rounds_played);
    assert_int_equal(a->rounds_planned, b->rounds_planned);
    assert_int_equal(a->initial, b->initial);
    assert_memory_equal(&a->points, &b->points, sizeof a->points);
    assert_int_equal(a->record_count, b->record_count);
    for (size_t i = 0; i < a->record_count; i++) {
        assert_same_span(a->records[i].code, b->records[i].code);
        assert_same_span(a->records[i].text, b->records[i].text);
    }
    for (size_t i = 0; i < a->player_count; i++) {
        const struct trf_player *first = &a->players[i], *second = &b->players[i];
        assert_int_equal(first->number, second->number);
        assert_int_equal(first->rating, second->rating);
        assert_int_equal(first->rank, second->rank);
        assert_int_equal(first->points, second->points);
        assert_int_equal(first->sex, second->sex);
        assert_same_span(first->title, second->title);
        assert_same_span(first->name, second->name);
        assert_same_span(first->federation, second->federation);
        assert_same_span(first->fide_number, second->fide_number);
        assert_same_span(first->birth, second->birth);
    }
    size_t results = a->player_count * a->columns;
    if (results > 0)
        assert_memory_equal(a->results, b->results, results * sizeof *a->results);
}

#ifdef PLAYOUTS_DEFAULT /* fewer, because the build is slow */
enum { ROUND_TRIPS = 12, REQUESTS = 6 };
#else
enum { ROUND_TRIPS = 40, REQUESTS = 20 };
#endif

TEST(test_round_trip)
{
    static struct event event;
    for (uint64_t number = 1; number <= ROUND_TRIPS; number++) {
        play(&event, number, (uint16_t)(number % 6));
        for (enum trf_version version = TRF_16; version <= TRF_26; version++) {
            struct text text = TEXT_OVER(text_bytes), second = TEXT_OVER(second_bytes);
            struct trf_event file, again;
            struct trf_error error = {0};
            assert_true(event_write_trf(&event, true, version, &text, &error));
            void *memory = read_file(text_span(&text), &file);
            assert_int_equal(file.rounds_played, number % 6);
            assert_int_equal(file.initial, event.initial);
            assert_true(text.length < trf_text_size(&file));
            assert_true(trf_write(&file, version, &second, &error));
            assert_string_equal(text.at, second.at);
            void *second_memory = read_file(text_span(&second), &again);
            assert_same_event(&file, &again);
            free(memory);
            free(second_memory);
        }
    }
}

/* The request made from a file is paired as the event itself, in every round. */
TEST(test_request)
{
    static struct event event, replay;
    static struct dutch_player players[EVENT_PLAYERS_MAX];
    static struct dutch_result results[EVENT_PLAYERS_MAX * EVENT_ROUNDS_MAX];
    static struct dutch_forbidden forbidden[EVENT_FORBIDDEN_MAX];
    void *work = malloc(dutch_work_size(EVENT_PLAYERS_MAX));
    for (uint64_t number = 1; number <= REQUESTS; number++) {
        struct text text = TEXT_OVER(text_bytes);
        struct trf_event file;
        struct trf_error error = {0};
        play(&event, number, 4);
        assert_true(
            event_write_trf(&event, true, number % 2 == 0 ? TRF_26 : TRF_16, &text, &error));
        void *memory = read_file(text_span(&text), &file);
        event_start(&replay, number);
        for (uint16_t round = 1; round <= 5; round++) {
            struct dutch_pair pairs[EVENT_PLAYERS_MAX], expected[EVENT_PLAYERS_MAX];
            struct dutch_request request, direct = event_open(&replay);
            struct refusal refusal;
            size_t count, expected_count;
            trf_request(&file, round, players, results, forbidden, &request);
            assert_true(dutch_pair_round(&request, work, pairs, &count, &refusal));
            assert_true(dutch_pair_round(&direct, work, expected, &expected_count, &refusal));
            assert_int_equal(count, expected_count);
            assert_memory_equal(pairs, expected, count * sizeof *pairs);
            event_play(&replay, pairs, count);
        }
        free(memory);
    }
    free(work);
}

/* A file by hand, with what the columns are for. */
static const char by_hand[] =
    "### a comment\n"
    "012 Sommerturnier \xC3\x96lten\r\n"
    "XYZ    1 kept as it is\r"
    "142 3\r"
    "162  W 3.0    D 1.0    L 0.0    P 1.0\n"
    "\n"
    "001   11 wWIM M\xC3\xBCller, \xC3\x84nne                      2101 SUI"
    "     1234567 1990/01/02  4.0    1    22 w 1    33 b =\n"
    "001   22 m    Roth, Bo                                                "
    "           1.0    3    11 b 0  0000 - u\n"
    "001   33                                                              "
    "           1.0    2  0000 - H    11 w =\n"
    "240 H 003   22\n"
    "260 003 003   22   33\n";

TEST(test_columns)
{
    struct trf_event file;
    struct trf_error error = {0};
    size_t size;
    assert_false(trf_measure(span_of("013 Team\n"), &size, &error));
    void *memory = NULL;
    /* Player 33 has 1 point for the half bye and 1 for the draw: the declared 1.0 is wrong. */
    struct span text = span_of(by_hand);
    assert_true(trf_measure(text, &size, &error));
    memory = malloc(size);
    assert_false(trf_read(text, memory, &file, &error));
    assert_string_equal(error.refusal.code, TRF_REFUSAL_CONTRADICTS);
    assert_int_equal(error.line, 9);
    free(memory);

    char fixed[sizeof by_hand];
    memcpy(fixed, by_hand, sizeof by_hand);
    *strstr(fixed, "1.0    2  0000") = '2'; /* 2.0 */
    memory = read_file(span_of(fixed), &file);
    assert_int_equal(file.player_count, 3);
    assert_int_equal(file.rounds_played, 2);
    assert_int_equal(file.rounds_planned, 3);
    assert_int_equal(file.points.win, 180);
    assert_int_equal(file.points.draw, 60);
    assert_int_equal(file.points.pairing_bye, 60);
    assert_true(span_is(trf_record_text(&file, "012"), "Sommerturnier \xC3\x96lten"));
    assert_true(span_is(trf_record_text(&file, "XYZ"), "   1 kept as it is"));
    assert_int_equal(trf_record_text(&file, "022").length, 0);
    const struct trf_player *player = &file.players[0];
    assert_int_equal(player->number, 11);
    assert_int_equal(player->sex, 'w');
    assert_true(span_is(player->title, "WIM"));
    assert_true(span_is(player->name, "M\xC3\xBCller, \xC3\x84nne"));
    assert_int_equal(player->rating, 2101);
    assert_true(span_is(player->federation, "SUI"));
    assert_true(span_is(player->fide_number, "1234567"));
    assert_true(span_is(player->birth, "1990/01/02"));
    assert_int_equal(player->points, 240);
    assert_int_equal(player->rank, 1);
    assert_int_equal(file.initial, DUTCH_WHITE); /* seen from round 1 */
    assert_int_equal(file.results[0].opponent, 22);
    assert_int_equal(file.results[3].code, 'U');
    assert_int_equal(file.results[4].code, 'H');
    assert_int_equal(file.bye_count, 1);
    assert_int_equal(file.byes[0].round, 3);
    assert_int_equal(file.forbidden_count, 1);
    assert_int_equal(file.forbidden[0].b, 33);
    free(memory);
}

struct broken {
    const char *text;
    const char *code;
    size_t line;
};

#define HEAD "                                                                        "
#define ONE  "001    1" HEAD " 0.0    1"
#define TWO  "001    2" HEAD " 0.0    2"
#define FINE ONE "\n" TWO "\n"

static const struct broken broken[] = {
    {"", TRF_REFUSAL_SYNTAX, 0},
    {"012 Name\n", TRF_REFUSAL_SYNTAX, 0},
    {"012 N\xFFme\n", TRF_REFUSAL_ENCODING, 1},
    {"012 N\xC3\n", TRF_REFUSAL_ENCODING, 1},
    {"012 N\xED\xA0\x80\n", TRF_REFUSAL_ENCODING, 1},
    {"012 N\x01\n", TRF_REFUSAL_ENCODING, 1},
    {FINE "0012\n", TRF_REFUSAL_SYNTAX, 3},
    {FINE "001 9x\n", TRF_REFUSAL_SYNTAX, 3},
    {FINE "001    3\n", TRF_REFUSAL_SYNTAX, 3},
    {ONE "\n" ONE "\n", TRF_REFUSAL_CONTRADICTS, 2},
    {ONE "  0009 w 1\n" TWO "\n", TRF_REFUSAL_CONTRADICTS, 1},
    {ONE "     2 w 0\n" TWO "\n", TRF_REFUSAL_CONTRADICTS, 1},
    {ONE "     2 w 0\n" TWO "     1 w 0\n", TRF_REFUSAL_CONTRADICTS, 1},
    {ONE "     2 w 0\n" TWO "     1 b -\n", TRF_REFUSAL_CONTRADICTS, 1},
    {ONE "     2 w 1\n" TWO "     1 b 1\n", TRF_REFUSAL_CONTRADICTS, 1},
    {ONE "     2 w 0\n" TWO "     1 b 1\n", TRF_REFUSAL_CONTRADICTS, 2},
    {ONE "     1 w 0\n" TWO "\n", TRF_REFUSAL_CONTRADICTS, 1},
    {ONE "     2 w X\n", TRF_REFUSAL_SYNTAX, 1},
    {ONE "     2 x 1\n", TRF_REFUSAL_SYNTAX, 1},
    {ONE "     2 - 1\n", TRF_REFUSAL_SYNTAX, 1},
    {ONE "     2 w U\n", TRF_REFUSAL_SYNTAX, 1},
    {ONE "  0000 w U\n", TRF_REFUSAL_SYNTAX, 1},
    {ONE "  0000 - 1\n", TRF_REFUSAL_SYNTAX, 1},
    {ONE "  00a0 - Z\n", TRF_REFUSAL_SYNTAX, 1},
    {ONE "  0000 -Z\n", TRF_REFUSAL_SYNTAX, 1},
    {ONE "     2 w 1x\n", TRF_REFUSAL_SYNTAX, 1},
    {ONE "  0000 - Z  0000 - Z\n", TRF_REFUSAL_CONTRADICTS, 0},
    {ONE "  \xC3\xA4"
         "000 - Z\n",
     TRF_REFUSAL_SYNTAX, 1},
    {FINE "142 0\n", TRF_REFUSAL_SYNTAX, 3},
    {FINE "142 65\n", TRF_REFUSAL_SYNTAX, 3},
    {FINE "XXR five\n", TRF_REFUSAL_SYNTAX, 3},
    {FINE "152 w\n", TRF_REFUSAL_SYNTAX, 3},
    {FINE "XXC rank\n", TRF_REFUSAL_UNSUPPORTED, 3},
    {FINE "162  W one\n", TRF_REFUSAL_SYNTAX, 3},
    {FINE "162  X 1.0\n", TRF_REFUSAL_UNSUPPORTED, 3},
    {FINE "162  W 1.05\n", TRF_REFUSAL_SYNTAX, 3},
    {FINE "BBW  x\n", TRF_REFUSAL_SYNTAX, 3},
    {FINE "192 FIDE_DUTCH_BAKU\n", TRF_REFUSAL_UNSUPPORTED, 3},
    {FINE "240 U 001    1\n", TRF_REFUSAL_SYNTAX, 3},
    {FINE "240 H 000    1\n", TRF_REFUSAL_SYNTAX, 3},
    {FINE "240 H 001    9\n", TRF_REFUSAL_CONTRADICTS, 0},
    {FINE "240 H 001    x\n", TRF_REFUSAL_SYNTAX, 3},
    {FINE "XXZ 0\n", TRF_REFUSAL_SYNTAX, 3},
    {FINE "250      1.0 001 003    1    2\n", TRF_REFUSAL_UNSUPPORTED, 3},
    {FINE "260 003 001    1    2\n", TRF_REFUSAL_SYNTAX, 3},
    {FINE "260 001 003    1    1\n", TRF_REFUSAL_SYNTAX, 3},
    {FINE "260 001 003    1    7\n", TRF_REFUSAL_CONTRADICTS, 0},
    {FINE "XXP 1 b\n", TRF_REFUSAL_SYNTAX, 3},
    {FINE "XXS W=1\n", TRF_REFUSAL_UNSUPPORTED, 3},
    {FINE "299 W\n", TRF_REFUSAL_UNSUPPORTED, 3},
    {FINE "310   1 Team\n", TRF_REFUSAL_UNSUPPORTED, 3},
    {FINE "777 what\n", TRF_REFUSAL_UNSUPPORTED, 3},
    {FINE "ab\n", TRF_REFUSAL_UNSUPPORTED, 3},
};

TEST(test_broken)
{
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct span text = span_of(broken[i].text);
        struct trf_event file;
        struct trf_error error = {0};
        size_t size;
        bool read = trf_measure(text, &size, &error);
        if (read) {
            void *memory = malloc(size);
            read = trf_read(text, memory, &file, &error);
            free(memory);
        }
        if (read || strcmp(error.refusal.code, broken[i].code) != 0 || error.line != broken[i].line)
            fail_msg("%s: %s in line %zu", broken[i].text, read ? "read" : error.refusal.code,
                     error.line);
    }
}

/* Fields that stand beside their columns are refused, not passed over: who announced a bye would be
 * paired. */
static const struct {
    const char *text;
    size_t column;
} shifted[] = {
    {FINE "240 H 001    x\n", 11},
    {FINE "240 Z   1     1\n", 11},
    {FINE "240 Z   1    1    12\n", 20},
    {FINE "240 Z   1    1       2\n", 22},
    {FINE "240 Z    1   1\n", 10},
    {FINE "240 Z  1\n", 11},
    {FINE "240Z   1    1\n", 5},
    {FINE "240  Z   1    1\n", 5},
    {FINE "260 001  003    1    2\n", 12},
    {FINE "260  001 003    1    2\n", 8},
    {FINE "XXP 1 b\n", 7},
    {FINE "162  W 1.0         D 0.5\n", 20},
    {"001     1" HEAD " 0.0    1\n", 5},
    {"001   12 3" HEAD "0.0    1\n", 10},
    {"001    1" HEAD "  0.0   1\n", 81},
    {"001    1" HEAD " 0.01\n", 85},
    {ONE " 0000 - Z\n", 91},
    {ONE "  0000  - Z\n", 98},
    {ONE "     2 w 1       1 w 1\n", 111},
};

TEST(test_shifted)
{
    for (size_t i = 0; i < sizeof shifted / sizeof *shifted; i++) {
        struct trf_error error = {0};
        size_t size;
        bool read = trf_measure(span_of(shifted[i].text), &size, &error);
        if (read || strcmp(error.refusal.code, TRF_REFUSAL_SYNTAX) != 0 ||
            error.column != shifted[i].column)
            fail_msg("%s: %s in column %zu", shifted[i].text, read ? "read" : error.refusal.code,
                     error.column);
    }
}

/* However a file is cut off or a byte of it changed, reading ends with an answer; what it takes can
 * be written. */
TEST(test_damaged)
{
    static struct event event;
    struct text text = TEXT_OVER(text_bytes);
    struct trf_error error = {0};
    unsigned taken = 0;
    play(&event, 11, 4);
    assert_true(event_write_trf(&event, true, TRF_26, &text, &error));
    char *copy = malloc(text.length);
    for (uint32_t i = 0; i < 3000; i++) {
        struct trf_event file;
        size_t size;
        memcpy(copy, text.at, text.length);
        size_t length =
            i % 3 == 0 ? draw(&event, PAIRING_COUNT, i, 1, (uint32_t)text.length) : text.length;
        size_t at = draw(&event, PAIRING_COUNT, i, 2, (uint32_t)text.length);
        copy[at] = "0129 -w\n\r\xC3\x00+HZU."[draw(&event, PAIRING_COUNT, i, 3, 16)];
        if (!trf_measure((struct span){copy, length}, &size, &error)) {
            assert_non_null(error.refusal.code);
            continue;
        }
        void *memory = malloc(size);
        if (trf_read((struct span){copy, length}, memory, &file, &error)) {
            struct text second = TEXT_OVER(second_bytes);
            assert_true(trf_write(&file, TRF_16, &second, &error));
            taken++;
        }
        free(memory);
    }
    assert_true(taken > 0 && taken < 3000);
    free(copy);
}

TEST(test_unwritable)
{
    struct text text = TEXT_OVER(text_bytes);
    struct trf_player player = {.number = 1,
                                .sex = 'm',
                                .name = SPAN_LITERAL("A name that is longer "
                                                     "than its column")};
    struct trf_record record = {SPAN_LITERAL("012"), SPAN_LITERAL("Two\nlines")};
    struct trf_event file = {.players = &player, .player_count = 1, .points = trf_points_default};
    struct trf_error error = {0};
    char few[40];
    struct text narrow = TEXT_OVER(few);
    assert_true(trf_write(&file, TRF_26, &text, &error));
    assert_non_null(strstr(text.at, "A name that is longer than its co "));
    assert_false(trf_write(&file, TRF_26, &narrow, &error));
    assert_string_equal(error.refusal.code, TRF_REFUSAL_UNWRITABLE);
    player.points = 20; /* a third of a point */
    assert_false(trf_write(&file, TRF_26, &text, &error));
    assert_string_equal(error.refusal.code, TRF_REFUSAL_UNWRITABLE);
    player.points = TRF_POINTS_MAX + 6;
    assert_false(trf_write(&file, TRF_26, &text, &error));
    player.points = 0;
    player.number = 10000;
    assert_false(trf_write(&file, TRF_26, &text, &error));
    player.number = 1;
    file.records = &record;
    file.record_count = 1;
    assert_false(trf_write(&file, TRF_26, &text, &error));
    file.record_count = 0;
    file.points.draw = 20;
    assert_false(trf_write(&file, TRF_16, &text, &error));
}

TEST(test_codes)
{
    const struct trf_points *points = &trf_points_default;
    assert_int_equal(trf_result_code(points, ROUND_PLAYED, 60), '1');
    assert_int_equal(trf_result_code(points, ROUND_ADJUDICATED, 30), '=');
    assert_int_equal(trf_result_code(points, ROUND_PLAYED, 0), '0');
    assert_int_equal(trf_result_code(points, ROUND_PLAYED, 20), ' ');
    assert_int_equal(trf_result_code(points, ROUND_FORFEIT_WIN, 60), '+');
    assert_int_equal(trf_result_code(points, ROUND_FORFEIT_LOSS, 0), '-');
    assert_int_equal(trf_result_code(points, ROUND_PAIRING_BYE, 60), 'U');
    assert_int_equal(trf_result_code(points, ROUND_PAIRING_BYE, 30), ' ');
    assert_int_equal(trf_result_code(points, ROUND_ABSENT, 0), 'Z');
    assert_int_equal(trf_result_points(points, 'D'), 30);
    assert_int_equal(trf_result_points(points, 'F'), 60);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
