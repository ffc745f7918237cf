/* Analysis (engine/analysis/analysis.h): the sums, luck, planted mistakes, and the same numbers
 * everywhere.
 *
 *     test_analysis           the tests
 *     TILLROLL_LONG=1 test_analysis    with luck over more games, as tests/run long has it
 *     test_analysis digests   prints tests/engine/vectors/analysis.json
 *     test_analysis record SLUG        prints the record of which the digest is, for
 *                                      tests/engine/wasm/analysis.test.mjs
 *
 * When an analysis has been changed on purpose, and ANALYSIS_VERSION or LEVEL_VERSION with it:
 *
 *     build/release/tests/test_analysis digests >tests/engine/vectors/analysis.json
 */
#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/analysis/analysis.h"
#include "engine/game/catalog.h"
#include "engine/search/policy.h"
#include "source_dir.h"
#include "tests/engine/support/roll.h"
#include "tests/engine/support/table.h"
#include "tests/test.h"

static const struct game *newest(size_t i)
{
    const struct game *game = catalog_at(i);
    return game == NULL || game == catalog_newest(span_of(game->slug)) ? game : NULL;
}

static struct analysis *analyse(struct span record, uint32_t budget)
{
    enum replay_verdict verdict;
    struct record_fault fault;
    struct analysis *analysis = analysis_new(record, NULL, budget, &verdict, &fault);
    if (analysis == NULL)
        fail_msg("%s: %s", fault.code, fault.message);
    return analysis;
}

static void write_game(struct roll *roll, const struct game *game, uint32_t number,
                       enum roll_style style)
{
    const struct game_options options = game_options_initial(game);
    roll_write(roll, game, game->seats_min, &options, number, style);
}

/* ---- Sums and luck, in one game of each ruleset ---- */

static void add_number(crypto_hash_sha256_state *hash, int64_t number)
{
    char bytes[24];
    struct text text = TEXT_OVER(bytes);
    text_add_number(&text, number);
    text_add_char(&text, '\n');
    crypto_hash_sha256_update(hash, (const uint8_t *)bytes, text.length);
}

static void add_ply(crypto_hash_sha256_state *hash, const struct analysis_ply *ply, unsigned seats)
{
    add_number(hash, ply->seq);
    crypto_hash_sha256_update(hash, (const uint8_t *)ply->better, strlen(ply->better) + 1);
    add_number(hash, ply->loss);
    for (unsigned seat = 0; seat < seats; seat++) {
        add_number(hash, ply->skill[seat]);
        add_number(hash, ply->luck[seat]);
        add_number(hash, ply->value[seat]);
    }
}

/* In a game of seats whose places are all told, what one gains others lose. */
static void check_ply(const struct analysis_ply *ply, unsigned seats, const int64_t *before)
{
    int64_t sum = 0;
    for (unsigned seat = 0; seat < seats; seat++) {
        assert_int_equal(before[seat] + ply->skill[seat] + ply->luck[seat], ply->value[seat]);
        sum += ply->value[seat];
    }
    if (seats > 1)
        assert_int_equal(sum, (int64_t)seats * (seats - 1) / 2 * ANALYSIS_ONE);
    assert_true(ply->loss >= 0);
    assert_int_equal(ply->loss > 0, ply->better[0] != '\0');
    assert_string_not_equal(ply->move, ply->better);
}

static void check_totals(const struct analysis *analysis, const struct replay *replay)
{
    struct outcome outcome;
    replay->header.game->outcome(replay->header.game, replay->state, &outcome);
    for (unsigned seat = 0; seat < outcome.seats; seat++) {
        const struct analysis_total total = analysis_total(analysis, seat);
        int64_t halves = outcome.seats == 1 ? 2 * outcome.score[0] : 0;
        for (unsigned rival = 0; rival < outcome.seats; rival++)
            if (rival != seat)
                halves += outcome.rank[rival] > outcome.rank[seat]    ? 2
                          : outcome.rank[rival] == outcome.rank[seat] ? 1
                                                                      : 0;
        assert_int_equal(total.result, halves * ANALYSIS_ONE / 2);
        assert_int_equal(total.start + total.own + total.others + total.luck, total.result);
    }
}

static void digest_game(const struct game *game, char hex[17])
{
    struct roll roll;
    crypto_hash_sha256_state hash;
    uint8_t sum[crypto_hash_sha256_BYTES];
    int64_t before[GAME_SEATS_MAX];
    write_game(&roll, game, 7, ROLL_RANDOM);
    struct analysis *analysis = analyse(roll_span(&roll), ANALYSIS_BUDGET_MIN);
    const unsigned seats = analysis_header(analysis)->seats;
    crypto_hash_sha256_init(&hash);
    for (unsigned seat = 0; seat < seats; seat++)
        before[seat] = analysis_dealt(analysis, seat);
    while (analysis_step(analysis)) {
        const struct analysis_ply *ply = analysis_ply(analysis, analysis_done(analysis) - 1);
        check_ply(ply, seats, before);
        memcpy(before, ply->value, sizeof before);
        add_ply(&hash, ply, seats);
    }
    assert_int_equal(analysis_done(analysis), analysis_count(analysis));
    check_totals(analysis, &roll.replay);
    crypto_hash_sha256_final(&hash, sum);
    sodium_bin2hex(hex, 17, sum, 8);
    analysis_free(analysis);
    roll_free(&roll);
}

static int print_digests(void)
{
    printf("{\n  \"version\": \"%s\"", ANALYSIS_VERSION);
    for (size_t i = 0; catalog_at(i) != NULL; i++) {
        char hex[17];
        if (newest(i) == NULL)
            continue;
        digest_game(newest(i), hex);
        printf(",\n  \"%s\": \"%s\"", newest(i)->slug, hex);
    }
    printf("\n}\n");
    return 0;
}

static int print_record(const char *slug)
{
    struct roll roll;
    const struct game *game = catalog_newest(span_of(slug));
    if (game == NULL)
        return 1;
    write_game(&roll, game, 7, ROLL_RANDOM);
    const size_t written = fwrite(roll.bytes, 1, roll.length, stdout);
    const bool whole = written == roll.length;
    roll_free(&roll);
    return whole ? 0 : 1;
}

/* With sanitizers, of the games that are played out fastest. */
static bool is_sampled(const struct game *game)
{
#ifdef __SANITIZE_ADDRESS__
    return strcmp(game->slug, "mall-world") == 0 || strcmp(game->slug, "supermarche") == 0;
#else
    return game != NULL;
#endif
}

TEST(test_sums_and_numbers_of_every_game)
{
    json_t *file =
        json_load_file(TILLROLL_SOURCE_DIR "/tests/engine/vectors/analysis.json", 0, NULL);
    assert_non_null(file);
    assert_string_equal(json_string_value(json_object_get(file, "version")), ANALYSIS_VERSION);
    for (size_t i = 0; catalog_at(i) != NULL; i++) {
        char hex[17];
        if (newest(i) == NULL || !is_sampled(newest(i)))
            continue;
        digest_game(newest(i), hex);
        const char *expected = json_string_value(json_object_get(file, newest(i)->slug));
        if (expected == NULL || strcmp(hex, expected) != 0)
            fail_msg("%s: %s, not %s (see the head of this file)", newest(i)->slug, hex,
                     expected == NULL ? "known" : expected);
    }
    json_decref(file);
}

/* Take-backs: only what counts in the end is analysed, and the sums hold. */
TEST(test_take_backs)
{
    const struct game *game = catalog_newest(span_of("super-motherload"));
    unsigned analysed = 0, taken_back = 0;
    for (uint32_t number = 0; number < 4; number++) {
        struct roll roll;
        enum replay_verdict verdict;
        struct record_fault fault;
        write_game(&roll, game, number, ROLL_EVENTFUL);
        struct analysis *analysis =
            analysis_new(roll_span(&roll), NULL, ANALYSIS_BUDGET_MIN, &verdict, &fault);
        assert_int_equal(verdict, REPLAY_VALID);
        if (analysis == NULL)
            assert_string_equal(fault.code, "void");
        while (analysis != NULL && analysis_step(analysis))
            ;
        if (analysis != NULL) {
            check_totals(analysis, &roll.replay);
            analysed++;
            taken_back += analysis_count(analysis) < roll.replay.plies;
        }
        analysis_free(analysis);
        roll_free(&roll);
    }
    assert_true(analysed >= 2);
    assert_true(taken_back >= 1);
}

/* ---- Luck ---- */

/* However badly the seats play, the mean luck is 0: over all games it is less than four times its
 * standard error. And nothing is luck where nothing is revealed. */
TEST(test_luck_is_unbiased)
{
    const struct game *game = catalog_newest(span_of("super-motherload"));
    const uint32_t games = getenv("TILLROLL_LONG") == NULL ? 2 : 20;
    int64_t sum = 0, squares = 0;
    for (uint32_t number = 0; number < games; number++) {
        struct roll roll;
        write_game(&roll, game, number, ROLL_RANDOM);
        struct analysis *analysis = analyse(roll_span(&roll), ANALYSIS_BUDGET_MIN);
        while (analysis_step(analysis))
            ;
        const int64_t luck = analysis_total(analysis, 0).luck / 64; /* so that squares fit */
        sum += luck;
        squares += luck * luck;
        analysis_free(analysis);
        roll_free(&roll);
    }
    assert_true(squares > 0);
    assert_true(sum * sum < 16 * (games * squares - sum * sum) / (games - 1));
}

/* In Supermarché buying reveals nothing. */
TEST(test_no_luck_without_a_draw)
{
    const struct game *game = catalog_newest(span_of("supermarche"));
    struct roll roll;
    struct replay *replay = calloc(1, sizeof *replay);
    struct record_fault fault;
    struct span line;
    unsigned quiet = 0;
    assert_non_null(replay);
    write_game(&roll, game, 3, ROLL_RANDOM);
    struct analysis *analysis = analyse(roll_span(&roll), ANALYSIS_BUDGET_MIN);
    struct span rest = roll_span(&roll);
    assert_true(replay_begin(replay, NULL, &rest, roll.replay.secret, &fault));
    while (quiet < 4 && analysis_step(analysis)) {
        const struct analysis_ply *ply = analysis_ply(analysis, analysis_done(analysis) - 1);
        const uint32_t drawn = game->drawn(game, replay->state);
        while (replay->seq < ply->seq && span_line(&rest, &line))
            assert_true(replay_line(replay, line, &fault));
        if (game->drawn(game, replay->state) != drawn)
            continue;
        quiet++;
        for (unsigned seat = 0; seat < roll.replay.header.seats; seat++)
            assert_int_equal(ply->luck[seat], 0);
    }
    assert_int_equal(quiet, 4);
    analysis_free(analysis);
    free(replay);
    roll_free(&roll);
}

/* ---- Mistakes ---- */

enum { PLANTED = 9 };

/* The ply with which seat 0 goes on in a playout, or the one that weighs least. */
static void play_sketch(struct roll_writer *writer, struct move_list *list, bool worst)
{
    const struct replay *replay = &writer->roll->replay;
    const struct game *game = replay->header.game;
    int32_t weight[POLICY_MOVES_MAX];
    char words[GAME_MOVE_MAX + 32];
    struct text text = TEXT_OVER(words);
    table_legal(game, replay->state, 0, list);
    game->weigh(game, replay->state, 0, list, weight);
    size_t move = worst ? 0 : game->sketch(game, replay->state, 0, list);
    for (size_t i = 0; worst && i < list->count; i++)
        if (weight[i] < weight[move])
            move = i;
    text_add(&text, "0 ");
    text_add_number(&text, replay->seq * 10);
    text_add_char(&text, ' ');
    text_add_span(&text, move_list_get(list, move));
    assert_null(roll_say(writer, words));
}

/* A game alone, in which all plies but one are those of a playout. */
TEST(test_finds_a_planted_mistake)
{
    const struct game *game = catalog_newest(span_of("supermarche"));
    const struct game_options options = game_options_initial(game);
    struct record_header header;
    uint8_t secret[32];
    struct roll roll;
    struct roll_writer writer;
    struct move_list list;
    table_list_init(&list, game);
    roll_header(&header, game, 1, &options, 2, secret);
    roll_begin(&writer, &roll, &header, secret, 2);
    while (game->deciders(roll.replay.state) != 0)
        play_sketch(&writer, &list, roll.replay.seq + 1 == PLANTED);
    while (roll_due(&writer))
        ;
    struct analysis *analysis = analyse(roll_span(&roll), 512);
    while (analysis_done(analysis) < PLANTED && analysis_step(analysis))
        ;
    const struct analysis_ply *ply = analysis_ply(analysis, PLANTED - 1);
    assert_int_equal(ply->seq, PLANTED);
    assert_true(ply->loss > 10 * ANALYSIS_ONE);
    assert_true(ply->better[0] != '\0');
    assert_true(ply->skill[0] < -10 * ANALYSIS_ONE);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(analysis_ply(analysis, i)->skill[0], 0);
    json_t *events = analysis_events(analysis, span_of(ply->better));
    assert_true(json_array_size(events) > 0);
    json_decref(events);
    assert_null(analysis_events(analysis, span_of("no such move")));
    analysis_free(analysis);
    roll_end(&writer);
    roll_free(&roll);
    move_list_free(&list);
}

/* ---- Records that are not analysed ---- */

TEST(test_refuses_what_is_not_whole)
{
    struct roll roll;
    enum replay_verdict verdict;
    struct record_fault fault;
    write_game(&roll, catalog_newest(span_of("super-motherload")), 1, ROLL_SENSIBLE);
    struct span record = roll_span(&roll);
    size_t end = record.length - 1;
    while (record.at[end - 1] != '\n')
        end--;
    assert_null(analysis_new((struct span){record.at, end}, NULL, 8, &verdict, &fault));
    assert_int_equal(verdict, REPLAY_UNFINISHED);
    assert_string_equal(fault.code, "unfinished");
    roll.bytes[end - 10] ^= 1;
    assert_null(analysis_new(record, NULL, 8, &verdict, &fault));
    assert_int_equal(verdict, REPLAY_INVALID);
    assert_true(fault.line > 0);
    roll_free(&roll);
}

int main(int argc, char **argv)
{
    if (sodium_init() < 0)
        return 1;
    if (argc == 2 && strcmp(argv[1], "digests") == 0)
        return print_digests();
    if (argc == 3 && strcmp(argv[1], "record") == 0)
        return print_record(argv[2]);
    return run_all_tests(NULL, NULL);
}
