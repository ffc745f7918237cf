/* Recorded games: luck that is told leads to the same game as luck that is computed, in every game;
 * and no lie about components passes. `test_replay_told [SLUG]`; TILLROLL_PLAYOUTS sets the number
 * of games of each ruleset; up to 1,000 games are forged in each of 13 ways, and in seven others.
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "tests/engine/record/told_roll.h"
#include "tests/test.h"

#ifdef PLAYOUTS_DEFAULT /* fewer, because the build is slow */
enum { GAMES_USUAL = 10 };
#else
enum { GAMES_USUAL = 100 };
#endif

static struct replay proved;
static struct record_fault fault;
static const char *only; /* slug, or NULL for all */

static uint64_t playouts(void)
{
    uint64_t total = GAMES_USUAL;
    const char *wanted = getenv("TILLROLL_PLAYOUTS");
    if (wanted != NULL && !span_number(span_of(wanted), UINT32_MAX, &total))
        fail_msg("TILLROLL_PLAYOUTS takes a number");
    return total;
}

static uint64_t forged_games(void)
{
    enum { MOST = 1000 };
    return playouts() < MOST ? playouts() : MOST;
}

static void assert_valid(struct span record)
{
    enum replay_verdict verdict = replay_verify(record, NULL, &proved, &fault);
    if (verdict != REPLAY_VALID)
        fail_msg("verdict %d: line %u: %s: %s", (int)verdict, (unsigned)fault.line, fault.code,
                 fault.message);
}

/* Writes game `number` of a ruleset at one of its tables. */
static void write_number(struct roll *roll, const struct game *game, uint32_t number,
                         unsigned watch)
{
    struct game_options options = {{0}};
    struct dice dice;
    dice_open(&dice, "table", number);
    for (size_t i = 0; i < game->option_count; i++) {
        size_t values = 0;
        while (game->options[i].values[values] != NULL)
            values++;
        options.value[i] = (uint8_t)dice_below(&dice, values);
    }
    unsigned seats = game->seats_min + dice_below(&dice, game->seats_max - game->seats_min + 1);
    told_roll_write(roll, game, seats, &options, number, watch);
}

TEST(test_told_games_are_the_computed_ones)
{
    enum { WATCH = 8 };
    for (size_t i = 0; catalog_at(i) != NULL; i++) {
        const struct game *game = catalog_at(i);
        if (only != NULL && strcmp(only, game->slug) != 0)
            continue;
        for (uint32_t number = 0; number < playouts(); number++) {
            struct roll roll;
            write_number(&roll, game, number, WATCH);
            assert_valid(roll_span(&roll));
            assert_true(proved.header.recorded);
            assert_true(roll_packs(&proved));
            assert_memory_equal(proved.head, roll.replay.head, sizeof proved.head);
            assert_memory_equal(proved.state, roll.replay.state, game->state_size);
            roll_free(&roll);
        }
    }
}

/* ---- Forgeries ---- */

static size_t header_lines(const struct roll_lines *lines)
{
    return roll_find(lines, 0, "start ") + 1;
}

static bool says(const struct roll_lines *lines, size_t at, const char *word)
{
    struct span rest = span_of(lines->line[at].bytes);
    for (unsigned i = 0; i < 3; i++)
        span_word(&rest);
    return span_is(span_word(&rest), word);
}

/* Dice may fall twice as they did, and of some piles it depends on the cards how many come. */
static bool may_repeat(const struct roll_lines *lines, size_t at)
{
    return strstr(lines->line[at].bytes, " bind dice ") != NULL ||
           strstr(lines->line[at].bytes, " bind stack ") != NULL;
}

/* A line with this word, at random; 0 if there is none. */
static size_t any_line(const struct roll_lines *lines, struct dice *dice, const char *word)
{
    size_t found = 0;
    uint32_t seen = 0;
    for (size_t at = header_lines(lines); at < lines->count; at++)
        if (says(lines, at, word) && !may_repeat(lines, at) && dice_one_in(dice, ++seen))
            found = at;
    return found;
}

static void word_of(const struct roll_lines *lines, size_t at, size_t number, char *word)
{
    struct span rest = span_of(lines->line[at].bytes);
    struct span found = span_word(&rest);
    for (; number > 0; number--)
        found = span_word(&rest);
    memcpy(word, found.at, found.length);
    word[found.length] = '\0';
}

enum { PLACE = 4, COMPONENT = 5 };

enum forgery {
    LEAVE_OUT,     /* something that was told */
    TELL_TWICE,    /* the same thing once more */
    OTHER_PLACE,   /* from a place that there is not */
    OTHER_WORD,    /* a component that there is not */
    AFTER_THE_END, /* behind `show` */
    TWO_DEALS,     /* the game begins twice */
    NO_DEAL,       /* or never */
    NO_SHOW,       /* what was hidden stays so */
    CLAIM_PROVED,  /* another header */
    CLAIM_COMMITTED,
    REVEAL,
    CLOCKED,
    OTHER_RESULT,
    FORGERIES
};

/* Changes the lines. False if they have nothing to change in this way. */
static bool forge(struct roll_lines *lines, struct dice *dice, enum forgery forgery)
{
    static const char hash[] = "0000000000000000000000000000000000000000000000000000000000000000";
    char bytes[RECORD_LINE_MAX + 1];
    size_t bind = any_line(lines, dice, "bind");
    size_t show = any_line(lines, dice, "show");
    switch (forgery) {
    case LEAVE_OUT:
        roll_remove(lines, bind);
        return true;
    case TELL_TWICE:
        memcpy(bytes, lines->line[bind].bytes, sizeof bytes);
        roll_insert(lines, bind, bytes);
        return true;
    case OTHER_PLACE:
        roll_set_word(lines, bind, PLACE, "pocket");
        return true;
    case OTHER_WORD:
        roll_set_word(lines, bind, COMPONENT, "ace-of-spades");
        return true;
    case AFTER_THE_END:
        memcpy(bytes, lines->line[bind].bytes, sizeof bytes);
        roll_insert(lines, show + 1 + dice_below(dice, lines->count - show - 1), bytes);
        return true;
    case TWO_DEALS:
        memcpy(bytes, lines->line[any_line(lines, dice, "deal")].bytes, sizeof bytes);
        roll_insert(lines, show - dice_below(dice, show - header_lines(lines) - 1), bytes);
        return true;
    case NO_DEAL:
        roll_remove(lines, any_line(lines, dice, "deal"));
        return true;
    case NO_SHOW:
        roll_remove(lines, show);
        return true;
    case CLAIM_PROVED:
        roll_set_word(lines, 0, 1, "1");
        return true;
    case CLAIM_COMMITTED:
        if (dice_one_in(dice, 2))
            roll_set_word(lines, 0, 1, "1");
        roll_set_word(lines, roll_find(lines, 0, "chance "), 1, hash);
        roll_set_word(lines, roll_find(lines, 0, "chance "), 0, "commit");
        return true;
    case REVEAL:
        roll_set_word(lines, show, 3,
                      "reveal 0000000000000000000000000000000000000000000000000000"
                      "000000000000");
        return true;
    case CLOCKED:
        roll_set_word(lines, roll_find(lines, 0, "clock "), 1, "move=60000");
        return true;
    case OTHER_RESULT:
        roll_set_word(lines, any_line(lines, dice, "result"), 5, "31337");
        return true;
    case FORGERIES:
        break;
    }
    return false;
}

static void assert_forged(const struct roll_lines *lines, const char *what)
{
    struct text forged = roll_chain(lines);
    if (replay_verify(text_span(&forged), NULL, &proved, &fault) == REPLAY_VALID)
        fail_msg("%s: a forgery passes: %s", proved.header.game->slug, what);
    assert_non_null(fault.code);
    free(forged.at);
}

/* What is forged: one record of each ruleset after the other. */
TEST(test_forgeries_are_refused)
{
    size_t rulesets = 0;
    while (catalog_at(rulesets) != NULL)
        rulesets++;
    struct dice dice;
    dice_open(&dice, "forgeries", 0);
    for (uint32_t number = 0; number < forged_games(); number++) {
        struct roll roll;
        write_number(&roll, catalog_at(number % rulesets), number, 0);
        for (enum forgery forgery = LEAVE_OUT; forgery < FORGERIES; forgery++) {
            struct roll_lines lines;
            char what[RECORD_LINE_MAX + 32];
            roll_lines_of(&lines, roll_span(&roll));
            struct text same = roll_chain(&lines); /* what is not changed is the record itself */
            assert_int_equal(same.length, roll.length);
            assert_memory_equal(same.at, roll.bytes, roll.length);
            free(same.at);
            assert_true(forge(&lines, &dice, forgery));
            roll_renumber(&lines);
            snprintf(what, sizeof what, "game %u, kind %d", (unsigned)number, (int)forgery);
            assert_forged(&lines, what);
            roll_lines_free(&lines);
        }
        roll_free(&roll);
    }
}

/* A unique component that lies open cannot come again. The test tells the last component of its
 * kind in a record in the place of another that comes later. */
TEST(test_a_component_comes_once)
{
    static const struct {
        const char *slug, *place;
    } single[] = {{"supermarche", "customers"},   {"supermarche", "costs"},
                  {"mall-world", "orders"},       {"super-motherload", "minors"},
                  {"super-motherload", "majors"}, {"superstore-3000", "pink"},
                  {"superstore-3000", "main"}};
    uint64_t tried = 0;
    struct dice dice;
    dice_open(&dice, "once", 0);
    for (uint32_t number = 0; number < forged_games(); number++)
        for (size_t i = 0; i < sizeof single / sizeof single[0]; i++) {
            struct roll roll;
            struct roll_lines lines;
            char what[RECORD_LINE_MAX + 1];
            char place[RECORD_LINE_MAX + 1];
            size_t of_place[64];
            size_t count = 0;
            write_number(&roll, catalog_newest(span_of(single[i].slug)), number, 0);
            roll_lines_of(&lines, roll_span(&roll));
            for (size_t at = header_lines(&lines); at < lines.count && count < 64; at++) {
                if (!says(&lines, at, "bind"))
                    continue;
                word_of(&lines, at, PLACE, place);
                if (strcmp(place, single[i].place) == 0)
                    of_place[count++] = at;
            }
            if (count >= 2) {
                size_t second = 1 + dice_below(&dice, count - 1);
                word_of(&lines, of_place[dice_below(&dice, second)], COMPONENT, what);
                roll_set_word(&lines, of_place[second], COMPONENT, what);
                assert_forged(&lines, what);
                assert_string_equal(fault.code, "impossible-component");
                tried++;
            }
            roll_lines_free(&lines);
            roll_free(&roll);
        }
    assert_true(tried >= forged_games());
}

/* A computed game has no line of a recorded one, and the other way round. */
TEST(test_lines_of_the_other_version)
{
    static const char *const told[] = {"- 0 bind deck ueno", "- 0 deal", "- 0 show", "- 0 back 1"};
    static const char *const computed[] = {"- 0 fallback 0",       "- 0 forfeit 0", "- 0 timeout 0",
                                           "- 0 sealed 0",         "0 0 undo 1",    "- 0 return 0",
                                           "- 0 house 0 regular 1"};
    const struct game *game = catalog_newest(span_of("shinjuku"));
    struct game_options options = game_options_initial(game);
    struct record_header header;
    struct roll roll;
    struct roll_writer writer;
    uint8_t secret[32];
    roll_header(&header, game, 2, &options, 5, secret);
    roll_begin(&writer, &roll, &header, secret, 5);
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
        assert_non_null(roll_say(&writer, told[i]));
    roll_end(&writer);
    roll_free(&roll);

    told_header(&header, game, 2, &options, 5);
    roll_begin(&writer, &roll, &header, secret, 5);
    for (size_t i = 0; i < sizeof computed / sizeof computed[0]; i++)
        assert_non_null(roll_say(&writer, computed[i]));
    assert_string_equal(roll_say(&writer, "0 0 income"), "illegal-ply");
    roll_end(&writer);
    roll_free(&roll);
}

/* ---- The scorer's own mistakes ---- */

TEST(test_the_scorer_goes_back)
{
    const struct game *game = catalog_newest(span_of("supermarche"));
    struct game_options options = game_options_initial(game);
    struct record_header header;
    struct roll roll;
    struct roll_writer writer;
    uint8_t secret[32] = {0};
    told_header(&header, game, 1, &options, 5);
    roll_begin(&writer, &roll, &header, secret, 5);
    assert_string_equal(roll_say(&writer, "- 10 deal"), "untold");
    assert_null(roll_say(&writer, "- 10 bind costs cost-1"));   /* 1 */
    assert_null(roll_say(&writer, "- 10 bind customers ryan")); /* 2 */
    assert_string_equal(roll_say(&writer, "- 10 deal"), "untold");
    assert_null(roll_say(&writer, "- 10 bind customers ryan")); /* 3: again, by mistake */
    assert_string_equal(roll_say(&writer, "- 10 deal"), "impossible-component");
    assert_null(roll_say(&writer, "- 10 back 3"));              /* 4 */
    assert_null(roll_say(&writer, "- 10 bind customers rory")); /* 5 */
    const char *refused = roll_say(&writer, "- 10 deal");       /* 6 */
    if (refused != NULL)
        fail_msg("%s", refused);
    assert_string_equal(roll_say(&writer, "- 20 deal"), "bad-deal");
    struct replay dealt = roll.replay;
    assert_null(roll_say(&writer, "0 20 buy done")); /* 7: nothing is bought */
    assert_null(roll_say(&writer, "- 20 back 7"));   /* 8 */
    assert_memory_equal(roll.replay.state, dealt.state, game->state_size);
    assert_string_equal(roll_say(&writer, "- 20 back 7"), "bad-back"); /* it no longer counts */
    assert_null(roll_say(&writer, "- 20 bind dice 3,4"));              /* 9 */
    assert_string_equal(roll_say(&writer, "0 20 buy done"), "left-over");
    assert_null(roll_say(&writer, "- 30 back 1")); /* 10: all of it */
    assert_string_equal(roll_say(&writer, "0 40 buy done"), "illegal-ply");
    assert_int_equal(replay_verify(roll_span(&roll), NULL, &proved, &fault), REPLAY_UNFINISHED);
    assert_int_equal(proved.takebacks, 3);
    roll_end(&writer);
    roll_free(&roll);
}

/* An arbiter's words on a recorded game: points, a void game; what would need luck is refused. */
TEST(test_rulings)
{
#define DISPUTE "0190163d-8694-739b-aea5-966c26f8adb0"
#define BY      " by 0190163d-8694-739b-aea5-966c26f8adb1 why seed"
    const struct game *game = catalog_newest(span_of("superstore-3000"));
    struct game_options options = game_options_initial(game);
    struct record_header header;
    struct roll roll;
    struct roll_writer writer;
    uint8_t secret[32] = {0};
    told_header(&header, game, 2, &options, 5);
    roll_begin(&writer, &roll, &header, secret, 5);
    assert_null(roll_say(&writer, "- 10 freeze " DISPUTE));
    assert_null(roll_say(&writer, "- 10 ruling " DISPUTE " adjust 0 5" BY));
    assert_string_equal(roll_say(&writer, "- 10 ruling " DISPUTE " forfeit 0" BY), "bad-ruling");
    assert_string_equal(roll_say(&writer, "- 10 ruling " DISPUTE " takeback 1" BY), "bad-ruling");
    assert_null(roll_say(&writer, "- 10 ruling " DISPUTE " void" BY));
    assert_non_null(roll_say(&writer, "- 10 back 1"));
    while (roll_due(&writer))
        continue;
    assert_valid(roll_span(&roll));
    assert_true(proved.voided && proved.header.recorded);
    roll_end(&writer);
    roll_free(&roll);
}

int main(int argc, char **argv)
{
    only = argc > 1 ? argv[1] : NULL;
    if (sodium_init() < 0)
        return 2;
    return run_all_tests(NULL, NULL);
}
