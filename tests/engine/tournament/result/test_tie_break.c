/* The dictionary: every rule is read and written, nothing else is. */
#include <string.h>

#include "engine/tournament/result/rating.h"
#include "engine/tournament/result/tie_break.h"
#include "tests/test.h"

static void assert_written(const struct tie_break_rule *rule, const char *expected)
{
    char buffer[TIE_BREAK_CODE_MAX];
    struct text text = TEXT_OVER(buffer);
    tie_break_write(rule, &text);
    assert_false(text.overflow);
    assert_string_equal(buffer, expected);
}

static void assert_read(const char *written, const char *expected)
{
    struct tie_break_rule rule;
    if (!tie_break_parse(span_of(written), &rule))
        fail_msg("%s was not read", written);
    assert_written(&rule, expected);
}

TEST(every_code_is_described)
{
    for (uint8_t code = 0; code < TIE_BREAKS; code++) {
        const struct tie_break_text *text = tie_break_describe((enum tie_break)code);
        struct tie_break_rule rule = {.code = TIE_BREAKS};
        assert_true(tie_break_parse(span_of(text->code), &rule));
        assert_int_equal(rule.code, code);
        assert_written(&rule, text->code);
        assert_true(strlen(text->name) > 0);
        assert_int_equal(text->definition[strlen(text->definition) - 1], '.');
    }
}

/* Every combination that is valid comes back from its text, and fits in the buffers. */
TEST(every_rule_comes_back)
{
    static const int16_t halves[] = {-99, -1, 0, 1, 99};
    unsigned valid = 0;
    for (unsigned n = 0; n < TIE_BREAKS * 4U * 16 * 3 * 5; n++) {
        struct tie_break_rule rule = {.code = (uint8_t)(n % TIE_BREAKS)}, read;
        unsigned rest = n / TIE_BREAKS;
        rule.cut_low = (uint8_t)(rest % 4 * 3);
        rest /= 4;
        rule.cut_high = (rest & 1) != 0 ? rule.cut_low : 0;
        rule.flags =
            (uint8_t)((rest >> 1 & 1) * TIE_BREAK_FORE + (rest >> 2 & 1) * TIE_BREAK_FORFEITS);
        rest /= 16;
        rule.limit = (uint8_t)(rest % 3 * 50);
        rule.limit_halves = halves[rest / 3];
        if (!tie_break_valid(&rule))
            continue;
        char written[TIE_BREAK_CODE_MAX], name[128], definition[TIE_BREAK_DEFINITION_MAX];
        struct text text = TEXT_OVER(written), name_text = TEXT_OVER(name);
        struct text definition_text = TEXT_OVER(definition);
        tie_break_write(&rule, &text);
        tie_break_name(&rule, &name_text);
        tie_break_define(&rule, &definition_text);
        assert_false(text.overflow || name_text.overflow || definition_text.overflow);
        assert_int_equal(definition[definition_text.length - 1], '.');
        assert_true(tie_break_parse(text_span(&text), &read));
        assert_memory_equal(&read, &rule, sizeof rule);
        valid++;
    }
    assert_true(valid > 200);
}

TEST(spellings)
{
    assert_read("BH/C1", "BH/C1");
    assert_read("BH-C1", "BH/C1");
    assert_read("BH-M1", "BH/M1");
    assert_read("MB", "BH/M1");
    assert_read("MED2", "BH/M2");
    assert_read("GE", "REP");
    assert_read("EDE", "DE");
    assert_read("EDE/P", "DE/P");
    assert_read("DE/P", "DE/P");
    assert_read("AOB/P/F", "AOB/F/P");
    assert_read("KS/L60", "KS/L60");
    assert_read("KS/L+1", "KS/L+1");
    assert_read("KS/L-2", "KS/L-2");
    assert_read("PS/C9", "PS/C9");
}

TEST(what_is_no_rule)
{
    static const char *const wrong[] = {
        "",         "OPA/C", "OPA/",   "OPA-",       "/C1",    "BH/C0", "BH/C10",  "BH/C1/C2",
        "BH/M1/C1", "MB/C1", "PTS/C1", "WIN/P",      "TPR/C1", "KS/L0", "KS/L101", "KS/L+0",
        "KS/L+100", "KS/L",  "KS/L+",  "KS/L60/L+1", "DE/P/P", "DE/PP", "bh",      "BH/c1",
        "BH//C1",   "BH/X",  "XYZ",    "BH C1",      "PS/M1",  "SB/F",  "BH/C1 ",  "KS/L--1"};
    struct tie_break_rule rule;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (tie_break_parse(span_of(wrong[i]), &rule))
            fail_msg("%s was read", wrong[i]);
    static const struct tie_break_rule bad[] = {
        {.code = TIE_BREAKS},
        {.code = TIE_BREAK_BH, .cut_low = 1, .cut_high = 2},
        {.code = TIE_BREAK_BH, .cut_high = 1},
        {.code = TIE_BREAK_BH, .flags = 1},
        {.code = TIE_BREAK_KS, .limit = 60, .limit_halves = 1},
        {.code = TIE_BREAK_KS, .limit_halves = -100},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(tie_break_valid(&bad[i]));
}

TEST(names_and_definitions)
{
    char buffer[TIE_BREAK_DEFINITION_MAX];
    struct text text = TEXT_OVER(buffer);
    struct tie_break_rule rule;
    assert_true(tie_break_parse(span_of("BH/M2/F/P"), &rule));
    tie_break_name(&rule, &text);
    assert_string_equal(buffer,
                        "Buchholz without the 2 lowest and the 2 highest, last round drawn, "
                        "forfeits as games");
    assert_true(tie_break_parse(span_of("KS/L-1"), &rule));
    text_clear(&text);
    tie_break_name(&rule, &text);
    assert_string_equal(buffer, "Koya, limit 50 % less 1 half point");
    assert_true(tie_break_parse(span_of("PS/C2"), &rule));
    text_clear(&text);
    tie_break_define(&rule, &text);
    assert_string_equal(buffer, "The sum of the points that the player had after each round; cuts "
                                "leave out the first rounds. Without the first 2 rounds.");
}

TEST(chains_of_formats)
{
    for (size_t i = 0; i < tie_break_chain_count; i++) {
        const struct tie_break_chain *chain = &tie_break_chains[i];
        assert_ptr_equal(tie_break_chain_find(span_of(chain->format)), chain);
        assert_in_range(chain->count, 1, TIE_BREAK_CHAIN_MAX);
        assert_int_equal(chain->chain[0].code, TIE_BREAK_PTS);
        for (size_t j = 0; j < chain->count; j++)
            assert_true(tie_break_valid(&chain->chain[j]));
        /* The last one leaves nobody tied. */
        uint8_t last = chain->chain[chain->count - 1].code;
        assert_true(last == TIE_BREAK_RND || last == TIE_BREAK_TPN);
    }
    assert_null(tie_break_chain_find(span_of("ladder")));
}

/* The corners of FIDE's tables and of what is computed from them. */
TEST(performances)
{
    assert_int_equal(performance_expected(0), 50);
    assert_int_equal(performance_expected(3), 50);
    assert_int_equal(performance_expected(4), 51);
    assert_int_equal(performance_expected(-4), 49);
    assert_int_equal(performance_expected(735), 99);
    assert_int_equal(performance_expected(736), 100);
    assert_int_equal(performance_expected(-100000), 0);
    assert_int_equal(performance_difference(50), 0);
    assert_int_equal(performance_difference(75), 193);
    assert_int_equal(performance_difference(25), -193);
    assert_int_equal(performance_difference(100), 800);
    assert_int_equal(performance_difference(0), -800);
    static const int32_t ratings[] = {1500, 1601, 1700, 1701};
    assert_int_equal(performance_mean(ratings, 2), 1551); /* 1550.5 upwards */
    assert_int_equal(performance_mean(ratings, 4), 1626); /* 1625.5 upwards */
    assert_int_equal(performance_rating(ratings, 4, 8), 1626 + 800);
    assert_int_equal(performance_perfect(ratings, 4, 0), 1500 - 800);
    assert_int_equal(performance_perfect(ratings, 4, 8), 1701 + 736);
    /* A half from one game: the lowest rating from which a draw is expected is 3 below. */
    assert_int_equal(performance_perfect(ratings, 1, 1), 1497);
    for (uint32_t halves = 1; halves <= 8; halves++) {
        int32_t perfect = performance_perfect(ratings, 4, halves);
        unsigned at = 0, below = 0;
        for (size_t i = 0; i < 4; i++) {
            at += performance_expected(perfect - ratings[i]);
            below += performance_expected(perfect - 1 - ratings[i]);
        }
        assert_true(at >= 50 * halves && below < 50 * halves);
    }
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
