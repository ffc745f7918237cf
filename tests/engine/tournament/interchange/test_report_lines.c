/* The results of a round as an organizer writes them: lists, spreadsheets, and every way to be
 * wrong. */
#include <string.h>

#include "engine/tournament/interchange/report_lines.h"
#include "tests/engine/support/told_event.h"
#include "tests/test.h"

static struct tournament event;
static struct reported_table tables[8];
static struct report_lines lines = {.tables = tables};

/* Tables 1 (numbers 1 2 3) and 2 (4 5 6) of round 1. */
FIXTURE(begin)
{
    tournament_init(&event);
    tell_entries(&event,
                 "{'name':'Evening','ruleset':'shinjuku','format':'pod_swiss','rounds':2,"
                 "'seats_min':3,'seats_max':3,'play':'table'}",
                 6);
    tell_stage(&event, "");
    tell_round(&event, "1 2 3 / 4 5 6", "", "");
    return 0;
}

FIXTURE(end)
{
    tournament_free(&event);
    return 0;
}

static bool read_text(const char *text)
{
    return report_lines_read(&event, 1, span_of(text), &lines);
}

static void expect(size_t at, unsigned table, bool scored, const int *values)
{
    assert_true(at < lines.count);
    assert_int_equal(tables[at].result.table, table);
    assert_int_equal(tables[at].scored, scored);
    for (unsigned seat = 0; seat < 3; seat++) {
        assert_int_equal(tables[at].result.seat[seat].rank, values[seat]);
        assert_int_equal(tables[at].result.seat[seat].score, values[3 + seat]);
    }
}

static void expect_fault(const char *text, size_t line, const char *words)
{
    assert_false(read_text(text));
    if (lines.faults[0].line != line || strstr(lines.faults[0].message, words) == NULL)
        fail_msg("%s: line %zu: %s", text, lines.faults[0].line, lines.faults[0].message);
}

LISTED_TEST(a_list_has_one_table_a_line)
{
    assert_true(read_text("\n 2: 41 38 41\r\n1: 2. 1. 3.\n"));
    assert_int_equal(lines.count, 2);
    expect(0, 2, true, (int[]){1, 3, 1, 41, 38, 41});
    expect(1, 1, false, (int[]){2, 1, 3, 0, 0, 0});
    assert_int_equal(tables[0].line, 2);
    assert_true(read_text("1: -3, 0; 7"));
    expect(0, 1, true, (int[]){3, 2, 1, -3, 0, 7});
    assert_true(read_text("1:\n2: "));
    assert_int_equal(lines.count, 0);
    assert_true(read_text(""));
}

LISTED_TEST(faults_of_a_list_are_named)
{
    expect_fault("1 41 38 22", 1, "colon");
    expect_fault("\n3: 1 2 3", 2, "no such table");
    expect_fault("x: 1 2 3", 1, "no such table");
    expect_fault("1: 1 2", 1, "needs a score for every player");
    expect_fault("1: 1 2 3 4", 1, "more results than players");
    expect_fault("1: 1 2 x", 1, "not a whole number");
    expect_fault("1: 1 2 2.", 1, "needs a score for every player");
    expect_fault("1: 4. 1. 2.", 1, "A place");
    expect_fault("1: 1. 1. 2.", 1, "contradict each other");
    expect_fault("1: 1 2 3\n1: 1 2 3", 2, "earlier line");
    expect_fault("1: 1 2 268435457", 1, "too large");
    assert_false(read_text("1: 1\n2: 1 2 3\n9: 1"));
    assert_int_equal(lines.fault_count, 2);
    assert_int_equal(lines.count, 1);
}

LISTED_TEST(a_spreadsheet_has_one_seat_a_row)
{
    assert_true(read_text("\xef\xbb\xbfround;table;seat;number;player;score\r\n"
                          "1;1;1;1;\"A; B\";10\r\n1;1;2;2;Somebody;20\r\n1;1;3;3;;\"30\"\r\n"
                          "1;2;1;4;;\r\n1;0;0;7;bye;\r\n"));
    assert_int_equal(lines.count, 1);
    expect(0, 1, true, (int[]){3, 2, 1, 10, 20, 30});
    assert_true(read_text("table\tnumber\trank\tscore\n2\t6\t1\t9\n2\t4\t2\t9\n2\t5\t3\t1"));
    expect(0, 2, true, (int[]){2, 3, 1, 9, 1, 9});
    assert_true(read_text("table,player_id,rank\n"
                          "2,00000000-0000-7000-8000-000000000004,1\n"
                          "2,00000000-0000-7000-8000-000000000005,1\n"
                          "2,00000000-0000-7000-8000-000000000006,3\n"));
    expect(0, 2, false, (int[]){1, 1, 3, 0, 0, 0});
}

LISTED_TEST(faults_of_a_spreadsheet_are_named)
{
    expect_fault("table,player\n1,Ada", 1, "The first row");
    expect_fault("table,seat,score\n1,1,1\n1,4,1", 3, "does not sit there");
    expect_fault("table,seat,number,score\n1,1,2,1", 2, "does not sit there");
    expect_fault("table,seat,score\n1,1,1\n1,1,1", 3, "earlier row");
    expect_fault("table,seat,score\n1,1,1\n1,2,1", 2, "needs a score");
    expect_fault("round,table,seat,score\n2,1,1,1", 2, "another round");
    expect_fault("table,seat,score\n9,1,1", 2, "no such table");
    expect_fault("table,seat,score\n1,1,much", 2, "not a whole number");
    expect_fault("table,seat,rank,score\n1,1,1,1\n1,2,2,2\n1,3,3,3", 2, "worse place");
}

LISTED_TEST(faults_are_bounded)
{
    char text[3 * 300 + 1];
    for (size_t i = 0; i < 300; i++)
        memcpy(&text[3 * i], "x:\n", 3);
    text[sizeof text - 1] = '\0';
    assert_false(read_text(text));
    assert_int_equal(lines.fault_count, REPORT_FAULTS_MAX);
    assert_int_equal(lines.faults[REPORT_FAULTS_MAX - 1].line, REPORT_FAULTS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_list_has_one_table_a_line, begin, end),
        cmocka_unit_test_setup_teardown(faults_of_a_list_are_named, begin, end),
        cmocka_unit_test_setup_teardown(a_spreadsheet_has_one_seat_a_row, begin, end),
        cmocka_unit_test_setup_teardown(faults_of_a_spreadsheet_are_named, begin, end),
        cmocka_unit_test_setup_teardown(faults_are_bounded, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
