/* FIDE's tie-breaks against published numbers: the exercise of its technical commission for Swiss
 * events (Held, "Exercises in Tie-Breaking", 2023; under both versions of the rules for unplayed
 * rounds) and a round robin of six. */
#include <stdlib.h>

#include "tests/engine/support/two_seats.h"
#include "tests/test.h"

enum { PLAYERS = 16 };

static const char *const exercise[PLAYERS] = {
    "+W9 =B13 =W2 +B15 =W4",  "+B10 +W7 =B1 +W16 =B3",   "=W11 +B6 +W8 =B4 =W2",
    "+B12 H +W13 =W3 =B1",    "-W13 -B15 +W11 =B7 +W10", "-B14 -W3 U +W10 +B8",
    "+W15 -B2 -B16 =W5 -B11", "=B16 +W14 -B3 +W13 -W6",  "-B1 -W10 H -F11 U",
    "-W2 +B9 -W15 -B6 -B5",   "=B3 -W16 -B5 +F9 +W7",    "-W4 U +F14 Z Z",
    "+B5 =W1 -B4 -B8 -W14",   "+W6 -B8 -F12 Z +B13",     "-B7 +W5 +B10 -W1 -B16",
    "=W8 +B11 +W7 -B2 +W15"};

/* In hundredths, rounded half up. */
struct column {
    const char *rule;
    int32_t value[PLAYERS];
};

static const struct column columns_2023[] = {
    {"PTS", {350, 400, 350, 350, 250, 300, 150, 250, 150, 100, 250, 200, 150, 200, 200, 350}},
    {"BH",
     {1250, 1300, 1550, 1500, 850, 1200, 1450, 1350, 900, 1300, 1350, 1150, 1400, 1100, 1200,
      1250}},
    {"BH/C1",
     {1100, 1200, 1300, 1150, 750, 1100, 1250, 1200, 750, 1150, 1200, 950, 1200, 900, 1100, 1100}},
    {"FB",
     {1350, 1350, 1500, 1550, 1000, 1200, 1350, 1250, 950, 1250, 1250, 1150, 1350, 1050, 1200,
      1350}},
    {"SB", {800, 950, 1050, 975, 425, 650, 325, 525, 225, 150, 575, 400, 425, 450, 350, 725}},
    {"SB/C1", {725, 850, 925, 800, 325, 550, 125, 375, 225, 0, 425, 400, 425, 300, 250, 575}},
    {"AOB",
     {1260, 1360, 1340, 1338, 1340, 1325, 1190, 1300, 1275, 1090, 1275, 1500, 1210, 1317, 1220,
      1330}},
    {"WIN", {200, 300, 200, 200, 200, 300, 100, 200, 100, 100, 200, 200, 100, 200, 200, 300}},
    {"WON", {200, 300, 200, 200, 200, 200, 100, 200, 0, 100, 100, 0, 100, 200, 200, 300}},
    {"BPG", {200, 300, 200, 200, 200, 200, 300, 200, 100, 300, 200, 0, 300, 200, 300, 200}},
    {"BWG", {100, 100, 100, 100, 0, 100, 0, 0, 0, 100, 0, 0, 100, 100, 100, 100}},
    {"REP", {500, 500, 500, 400, 500, 500, 500, 500, 300, 500, 500, 300, 500, 300, 500, 500}},
    {"PS", {1100, 1300, 1100, 1150, 500, 600, 600, 850, 250, 400, 550, 700, 700, 600, 700, 1050}},
    {"PS/C1",
     {1000, 1200, 1050, 1050, 500, 600, 500, 800, 250, 400, 500, 700, 600, 500, 700, 1000}},
    {"ARO",
     {182000, 188000, 194000, 188800, 169000, 181300, 176000, 173000, 197500, 188000, 186300,
      205000, 193000, 180000, 186000, 182000}},
    {"TPR",
     {196900, 212000, 208900, 208100, 169000, 181300, 161100, 173000, 117500, 164000, 177600,
      125000, 178100, 192500, 178800, 196900}},
    {"PTP",
     {202900, 221600, 211200, 216800, 168900, 181000, 153100, 171500, 95000, 157500, 176300, 125000,
      174400, 194200, 176800, 201300}},
    {"APRO",
     {178900, 185600, 190400, 177200, 171900, 184600, 186900, 191500, 180500, 171700, 184000,
      208100, 187900, 177500, 177600, 180500}},
    {"APPO",
     {176900, 185200, 193400, 178400, 167600, 183600, 189000, 192400, 180200, 168700, 183600,
      216800, 190900, 175600, 176700, 179900}},
};

/* What the rules of 2026 change. */
static const struct column columns_2026[] = {
    {"BH",
     {1250, 1300, 1550, 1400, 850, 1150, 1450, 1350, 900, 1300, 1250, 1150, 1400, 1100, 1200,
      1250}},
    {"BH/C1",
     {1100, 1200, 1300, 1150, 750, 1050, 1250, 1200, 750, 1150, 1100, 950, 1200, 900, 1100, 1100}},
    {"FB",
     {1350, 1350, 1500, 1450, 1000, 1200, 1350, 1250, 950, 1250, 1200, 1100, 1350, 1050, 1200,
      1350}},
    {"SB", {800, 950, 1050, 925, 425, 600, 325, 525, 225, 150, 475, 400, 425, 450, 350, 725}},
    {"SB/C1", {725, 850, 925, 775, 325, 500, 125, 375, 225, 0, 325, 400, 425, 300, 250, 575}},
    {"AOB",
     {1240, 1360, 1290, 1338, 1320, 1325, 1170, 1290, 1275, 1080, 1275, 1400, 1190, 1300, 1220,
      1310}},
    {"WIN", {200, 300, 200, 200, 200, 300, 100, 200, 100, 100, 200, 200, 100, 200, 200, 300}},
    {"TPR",
     {196900, 212000, 208900, 208100, 169000, 181300, 161100, 173000, 117500, 164000, 177600,
      125000, 178100, 192500, 178800, 196900}},
};

static struct tie_break_rule rule_of(const char *written)
{
    struct tie_break_rule rule;
    if (!tie_break_parse(span_of(written), &rule))
        fail_msg("%s was not read", written);
    return rule;
}

static struct standings make(const struct standings_input *input)
{
    struct standings standings;
    struct refusal refusal;
    if (!standings_make(input, &standings, &refusal))
        fail_msg("refused: %s", refusal.code);
    return standings;
}

static int64_t hundredths(const struct tie_break_value *value)
{
    return (200 * value->numerator + value->denominator) / (2 * value->denominator);
}

static const struct standing *row_of(const struct standings *standings, uint16_t entry)
{
    for (size_t i = 0; i < standings->count; i++)
        if (standings->rows[i].entry == entry)
            return &standings->rows[i];
    abort();
}

static void assert_column(const struct two_seats *event, enum unplayed_rules rules,
                          const struct column *column)
{
    struct tie_break_rule chain[2] = {{.code = TIE_BREAK_PTS}, rule_of(column->rule)};
    size_t count = chain[1].code == TIE_BREAK_PTS ? 1 : 2;
    struct standings_input input = two_seats_input(event, rules, chain, count);
    struct standings standings = make(&input);
    for (uint16_t entry = 0; entry < event->players; entry++) {
        int64_t value = hundredths(&row_of(&standings, entry)->value[count - 1]);
        if (value != column->value[entry])
            fail_msg("%s, number %d: %lld, not %d", column->rule, entry + 1, (long long)value,
                     column->value[entry]);
    }
    standings_free(&standings);
}

TEST(swiss_exercise_by_the_rules_of_2023)
{
    struct two_seats event;
    assert_true(two_seats_read(&event, exercise, PLAYERS));
    for (size_t i = 0; i < sizeof columns_2023 / sizeof columns_2023[0]; i++)
        assert_column(&event, UNPLAYED_FIDE_2023, &columns_2023[i]);
}

TEST(swiss_exercise_by_the_rules_of_2026)
{
    struct two_seats event;
    assert_true(two_seats_read(&event, exercise, PLAYERS));
    for (size_t i = 0; i < sizeof columns_2026 / sizeof columns_2026[0]; i++)
        assert_column(&event, UNPLAYED_FIDE_2026, &columns_2026[i]);
}

static const char *const round_robin[] = {"=W5 +W2 +B3 -W4 +B6", "+W6 -B1 +W5 =W3 +B4",
                                          "+W4 +B6 -W1 =B2 +W5", "-B3 -B5 =W6 +B1 -W2",
                                          "=B1 +W4 -B2 -F6 -B3", "-B2 -W3 =B4 +F5 -W1"};

static const struct column round_robin_columns[] = {
    {"PTS", {350, 350, 350, 150, 150, 150}},   {"SB", {925, 625, 625, 425, 325, 225}},
    {"SB/C1", {925, 475, 475, 425, 325, 150}}, {"KS", {200, 50, 50, 100, 50, 0}},
    {"DE", {200, 0, 0, 0, 100, 200}},
};

TEST(round_robin_of_six)
{
    struct two_seats event;
    assert_true(two_seats_read(&event, round_robin, 6));
    for (size_t i = 0; i < sizeof round_robin_columns / sizeof round_robin_columns[0]; i++)
        assert_column(&event, UNPLAYED_ROUND_ROBIN, &round_robin_columns[i]);
}

/* A drawn event with every kind of unplayed round, byes and forfeits in the last one too; the
 * values are those of FIDE's own program (TieBreakServer 1.9.57). */
static const char *const drawn[] = {
    "=W11 +W5 =B6 +W12 -B13", "H Z -B5 =B9 -B10",      "-F6 =W12 F -F11 +B5",
    "U -W6 =W10 -W5 +B9",     "-W8 -B1 +W2 +B4 -W3",   "+F3 +B4 =W1 =W8 H",
    "-W10 U +B13 Z -F8",      "+B5 -F13 =W12 =B6 +F7", "Z Z Z =W2 -W4",
    "+B7 +F11 =B4 +W13 +W2",  "=B1 -F10 U +F3 =W12",   "+B13 =B3 =B8 -B1 =B11",
    "-W12 +F8 -W7 -B10 +W1"};

static const struct column drawn_2023[] = {
    {"BH", {1300, 900, 1200, 1300, 1200, 1550, 1250, 1400, 500, 1250, 1450, 1350, 1450}},
    {"BH/C2", {900, 700, 700, 1050, 850, 950, 850, 900, 400, 950, 900, 900, 1000}},
    {"BH/M1", {750, 350, 700, 800, 800, 850, 600, 750, 200, 700, 850, 850, 800}},
    {"BH/M2", {250, 50, 200, 250, 250, 300, 200, 250, 50, 250, 300, 300, 250}},
    {"SB", {775, 75, 575, 525, 350, 1075, 400, 800, 50, 1125, 875, 625, 500}},
    {"SB/C2", {575, 50, 375, 475, 250, 650, 400, 475, 50, 825, 750, 300, 300}},
    {"AOB", {1400, 983, 1275, 1125, 1220, 1333, 1350, 1367, 1100, 1225, 1325, 1360, 1288}},
    {"FB", {1300, 1050, 1100, 1300, 1150, 1500, 1300, 1350, 650, 1150, 1500, 1250, 1400}},
    {"FB/C1", {1150, 900, 900, 1200, 1000, 1150, 1050, 1100, 550, 1000, 1200, 1100, 1250}},
    {"FB/M1", {800, 500, 650, 800, 650, 800, 650, 750, 350, 600, 850, 750, 850}},
};

static const struct column drawn_2026[] = {
    {"BH", {1300, 900, 1200, 1300, 1200, 1350, 1250, 1250, 500, 1100, 1350, 1350, 1450}},
    {"BH/C2", {900, 700, 700, 1050, 850, 850, 850, 850, 400, 800, 800, 900, 1000}},
    {"BH/M1", {750, 350, 700, 800, 800, 800, 600, 700, 200, 700, 750, 850, 800}},
    {"BH/M2", {250, 50, 200, 250, 250, 250, 200, 250, 50, 250, 250, 300, 250}},
    {"SB", {775, 75, 575, 525, 350, 925, 400, 750, 50, 975, 775, 625, 500}},
    {"SB/C2", {575, 50, 375, 475, 250, 550, 400, 550, 50, 675, 400, 300, 300}},
    {"AOB", {1340, 933, 1275, 1038, 1190, 1283, 1275, 1300, 1100, 1225, 1325, 1310, 1250}},
    {"FB", {1300, 1050, 1100, 1300, 1150, 1250, 1300, 1250, 650, 1050, 1350, 1250, 1400}},
    {"FB/C1", {1150, 900, 900, 1200, 1000, 1000, 1050, 1100, 550, 900, 1050, 1100, 1250}},
    {"FB/M1", {800, 500, 650, 800, 650, 650, 650, 750, 350, 600, 700, 750, 850}},
    {"REP", {500, 300, 300, 500, 500, 400, 300, 400, 200, 500, 400, 500, 500}},
    {"PS/C2", {800, 250, 550, 550, 500, 900, 600, 650, 100, 1050, 700, 650, 400}},
    {"KS", {200, 0, 50, 50, 100, 300, 0, 100, 0, 150, 200, 150, 200}},
    {"KS/L60", {100, 0, 0, 50, 0, 100, 0, 50, 0, 100, 50, 100, 200}},
    {"KS/L+1", {100, 0, 0, 50, 0, 100, 0, 50, 0, 100, 50, 100, 200}},
    {"ARO",
     {178000, 185000, 182500, 187500, 207000, 203300, 167500, 186700, 210000, 192500, 192500,
      189000, 187500}},
    {"STD", {300, 100, 250, 250, 200, 350, 200, 300, 50, 450, 300, 250, 200}},
};

TEST(drawn_event_as_by_the_federations_program)
{
    struct two_seats event;
    assert_true(two_seats_read(&event, drawn, sizeof drawn / sizeof drawn[0]));
    for (size_t i = 0; i < sizeof drawn_2023 / sizeof drawn_2023[0]; i++)
        assert_column(&event, UNPLAYED_FIDE_2023, &drawn_2023[i]);
    for (size_t i = 0; i < sizeof drawn_2026 / sizeof drawn_2026[0]; i++)
        assert_column(&event, UNPLAYED_FIDE_2026, &drawn_2026[i]);
}

/* Number 2 gave up two rounds: a half bye, whose dummy is capped at 2 (16.4.2) and contributes 1 to
 * SB, and a game forfeited to number 1, whose dummy has 2.5 and contributes nothing. Its games
 * contribute 0.5 (against number 5, the weakest) and 2. By 16.5.1 the lowest contribution of the
 * rounds given up, 0, is less than the least significant value, 0.5, which is cut; the second cut
 * is of the half bye, which is the least significant value then. To go by the lowest dummy would
 * cut the half bye at once. By the rules of 2023 both dummies have 2.5. */
static const char *const given_up[] = {"+W6 +B3 +F2 +W5", "+W5 H -F1 +B4",   "=W4 -W1 +B5 -W6",
                                       "=B3 =W5 +B6 -W2", "-B2 =B4 -W3 -B1", "-B1 U -W4 +B3"};

TEST(cuts_prefer_the_lowest_contribution_of_rounds_given_up)
{
    static const struct {
        const char *rule;
        int32_t by_2023, by_2026; /* hundredths */
    } cases[] = {{"SB", 375, 350}, {"SB/C1", 325, 300}, {"SB/C2", 125, 200}};
    struct two_seats event;
    assert_true(two_seats_read(&event, given_up, sizeof given_up / sizeof given_up[0]));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tie_break_rule chain[2] = {{.code = TIE_BREAK_PTS}, rule_of(cases[i].rule)};
        for (int version = 2023; version <= 2026; version += 3) {
            struct standings_input input = two_seats_input(
                &event, version == 2023 ? UNPLAYED_FIDE_2023 : UNPLAYED_FIDE_2026, chain, 2);
            struct standings standings = make(&input);
            assert_int_equal(hundredths(&row_of(&standings, 1)->value[1]),
                             version == 2023 ? cases[i].by_2023 : cases[i].by_2026);
            standings_free(&standings);
        }
    }
}

/* An average of nothing is 0, before and behind nobody whose opponents have nothing either. */
TEST(average_buchholz_without_opponents_is_zero)
{
    static const char *const absent[] = {"+W2", "-B1", "U", "Z"};
    struct tie_break_rule chain[2] = {{.code = TIE_BREAK_PTS}, rule_of("AOB")};
    struct two_seats event;
    assert_true(two_seats_read(&event, absent, 4));
    struct standings_input input = two_seats_input(&event, UNPLAYED_FIDE_2026, chain, 2);
    struct standings standings = make(&input);
    for (uint16_t entry = 2; entry < 4; entry++) {
        assert_false(row_of(&standings, entry)->value[1].none);
        assert_int_equal(row_of(&standings, entry)->value[1].numerator, 0);
    }
    standings_free(&standings);
}

/* Numbers 1 and 2 both beat 3 and have not met. FIDE: nobody is sure of the first place, so nothing
 * is decided; our rules for pods: 3 is last whatever they would play. */
static const char *const unmet[] = {"+W3 Z", "U +W3", "-B1 -B2"};

TEST(direct_encounter_goes_from_the_top_down)
{
    struct two_seats event;
    struct scoring level = scoring_find(span_of("1-half-0"))->scoring;
    const struct tie_break_rule chain[2] = {{.code = TIE_BREAK_PTS}, {.code = TIE_BREAK_DE}};
    assert_true(two_seats_read(&event, unmet, 3));
    level.place[2][1] = level.draw = level.unplayed[ROUND_ZERO_BYE] = 60;
    struct standings_input input = two_seats_input(&event, UNPLAYED_FIDE_2026, chain, 2);
    input.scoring = &level;
    struct standings standings = make(&input);
    for (uint16_t entry = 0; entry < 3; entry++)
        assert_int_equal(row_of(&standings, entry)->rank, 1);
    standings_free(&standings);
    input.rules = UNPLAYED_PODS_1;
    standings = make(&input);
    for (uint16_t entry = 0; entry < 3; entry++)
        assert_int_equal(row_of(&standings, entry)->rank, entry < 2 ? 1 : 3);
    standings_free(&standings);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
