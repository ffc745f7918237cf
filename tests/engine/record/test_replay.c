/* Replay: what was written is valid; what was damaged is not, and the first bad line is named. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "tests/engine/support/roll.h"
#include "tests/engine/support/table.h"
#include "tests/test.h"

/* A verdict with what belongs to it. The states are large, so one is used again. */
static struct replay proved;
static struct record_fault fault;

static void assert_verdict(struct span record, enum replay_verdict expected)
{
    enum replay_verdict verdict = replay_verify(record, NULL, &proved, &fault);
    if (verdict != expected)
        fail_msg("verdict %d, expected %d: line %u: %s: %s", (int)verdict, (int)expected,
                 (unsigned)fault.line, fault.code, fault.message);
}

static void assert_invalid(struct span record, size_t line, const char *code)
{
    assert_verdict(record, REPLAY_INVALID);
    if (fault.line != line || strstr(code, fault.code) == NULL)
        fail_msg("line %u: %s: %s; expected line %zu: %s", (unsigned)fault.line, fault.code,
                 fault.message, line, code);
}

/* Damage and forgeries are tried on one game, with two seats. */
static const struct game *first_game(void)
{
    return catalog_newest(span_of("shinjuku"));
}

/* Number 5 below is a game with a secret of its own, number 7 a duplicate one. */
static void write_number(struct roll *roll, uint32_t number, enum roll_style style)
{
    struct game_options options = game_options_initial(first_game());
    roll_write(roll, first_game(), first_game()->seats_min, &options, number, style);
}

static void write_first(struct roll *roll, enum roll_style style)
{
    write_number(roll, 5, style);
}

/* ---- Whole records ---- */

static void check_roll(const struct game *game, unsigned seats, const struct game_options *options,
                       uint32_t number, enum roll_style style)
{
    struct roll roll;
    roll_write(&roll, game, seats, options, number, style);
    assert_verdict(roll_span(&roll), REPLAY_VALID);
    assert_memory_equal(proved.state, roll.replay.state, sizeof proved.state);
    assert_memory_equal(proved.head, roll.replay.head, sizeof proved.head);
    assert_int_equal(proved.lines, roll.replay.lines);
    assert_int_equal(proved.seq, roll.replay.seq);
    assert_int_equal(proved.fallback, roll.replay.fallback);
    assert_true(roll_packs(&roll.replay));
    if (style == ROLL_ABSENT)
        assert_int_not_equal(proved.fallback, 0);
    roll_free(&roll);
}

LISTED_TEST(test_written_games_are_valid)
{
    for (size_t i = 0; catalog_at(i) != NULL; i++) {
        const struct game *game = catalog_at(i);
        struct game_options options = {{0}};
        uint32_t number = 0;
        do {
            for (unsigned seats = game->seats_min; seats <= game->seats_max; seats++)
                for (enum roll_style style = ROLL_RANDOM; style <= ROLL_EVENTFUL; style++)
                    check_roll(game, seats, &options, number++, style);
        } while (table_next_options(game, &options));
    }
}

LISTED_TEST(test_reading_follows_writing)
{
    struct roll roll;
    write_first(&roll, ROLL_ABSENT);
    struct span rest = roll_span(&roll);
    struct span line;
    assert_true(replay_begin(&proved, NULL, &rest, roll.replay.secret, &fault));
    while (span_line(&rest, &line)) {
        assert_int_not_equal(proved.phase, REPLAY_FINISHED);
        assert_true(replay_line(&proved, line, &fault));
    }
    assert_int_equal(proved.phase, REPLAY_FINISHED);
    assert_memory_equal(proved.head, roll.replay.head, sizeof proved.head);
    assert_memory_equal(proved.state, roll.replay.state, sizeof proved.state);
    assert_false(replay_line(&proved, span_of("92 - 1 fallback 1 #00000000"), &fault));
    assert_string_equal(fault.code, "bad-line");
    roll_free(&roll);
}

static size_t header_lines(struct span record)
{
    struct roll_lines lines;
    roll_lines_of(&lines, record);
    size_t count = roll_find(&lines, 0, "start ") + 1;
    roll_lines_free(&lines);
    return count;
}

LISTED_TEST(test_prefixes_are_unfinished)
{
    struct roll roll;
    write_first(&roll, ROLL_RANDOM);
    struct span record = roll_span(&roll);
    size_t in_header = header_lines(record);
    size_t line = 0;
    for (size_t end = 0; end < record.length; end++) {
        struct span prefix = {record.at, end};
        bool whole_lines = end > 0 && record.at[end - 1] == '\n';
        line += whole_lines;
        if (!whole_lines && end % 7 != 0)
            continue;
        if (whole_lines && line >= in_header)
            assert_verdict(prefix, REPLAY_UNFINISHED);
        else
            assert_verdict(prefix, REPLAY_INVALID);
    }
    roll_free(&roll);
}

/* Reckons the chain along, and refuses when it has been told `refuse_at` times. */
struct listening {
    struct span rest;
    uint8_t hash[32];
    uint32_t told, refuse_at;
};

static void reckon_line(struct listening *listening)
{
    struct span line;
    assert_true(span_line(&listening->rest, &line));
    line.length -= 10; /* the mark */
    if (span_is(line, "tillroll 1"))
        record_chain_start(listening->hash);
    else
        record_chain_add(listening->hash, line);
}

static bool hear(void *context, const uint8_t head[static 32], struct record_fault *heard)
{
    struct listening *listening = context;
    bool header = listening->told++ == 0;
    do
        reckon_line(listening);
    while (header && strncmp(listening->rest.at, "1 ", 2) != 0);
    assert_memory_equal(head, listening->hash, 32);
    return listening->told != listening->refuse_at ||
           record_fault(heard, "not-wanted", "The listener says no.", (struct span){NULL, 0});
}

static void assert_heard(struct span record, uint32_t refuse_at, enum replay_verdict expected,
                         uint32_t told)
{
    struct listening listening = {.rest = record, .refuse_at = refuse_at};
    const struct replay_listener listener = {hear, &listening};
    assert_int_equal(replay_verify_listening(record, NULL, &listener, &proved, &fault), expected);
    assert_int_equal(listening.told, told);
}

/* It hears the header and then every line, in finished records and in unfinished ones, and can stop
 * at any. */
LISTED_TEST(test_listener_hears_every_line)
{
    struct roll roll;
    write_first(&roll, ROLL_ABSENT);
    uint32_t entries = roll.replay.seq;
    struct span whole = roll_span(&roll);
    struct span played = whole;
    played.length = (size_t)(strstr(whole.at, " reveal ") - whole.at);
    while (played.at[played.length - 1] != '\n')
        played.length--;
    assert_heard(whole, 0, REPLAY_VALID, 1 + entries + 1);
    assert_heard(played, 0, REPLAY_UNFINISHED, 1 + entries - 1 - roll.replay.header.seats);
    assert_memory_equal(proved.header.commitment, roll.replay.header.commitment, 32);
    uint32_t header_lines = roll.replay.lines - entries - 1;
    for (uint32_t at = 1; at < 12; at += 5) {
        const struct span both[] = {whole, played};
        for (size_t i = 0; i < 2; i++) {
            assert_heard(both[i], at, REPLAY_INVALID, at);
            assert_string_equal(fault.code, "not-wanted");
            assert_int_equal(fault.line, header_lines + at - 1);
        }
    }
    roll_free(&roll);
}

LISTED_TEST(test_oversize_is_refused)
{
    size_t size = RECORD_BYTES_MAX + 1;
    char *bytes = malloc(size);
    assert_non_null(bytes);
    memset(bytes, '\n', size);
    assert_invalid((struct span){bytes, size}, 0, "too-long");
    free(bytes);
    assert_verdict(span_of(""), REPLAY_INVALID);
}

/* ---- Damage ---- */

struct cuts {
    struct span line[2048]; /* with LF */
    size_t count;
};

static void cut(struct span record, struct cuts *cuts)
{
    struct span line;
    cuts->count = 0;
    while (span_line(&record, &line)) {
        assert_true(cuts->count < sizeof cuts->line / sizeof cuts->line[0]);
        cuts->line[cuts->count++] = (struct span){line.at, line.length + 1};
    }
}

enum damage { DROP, DOUBLE, SWAP, DAMAGES };

static struct span damaged(const struct cuts *cuts, enum damage damage, size_t at, char *bytes,
                           size_t capacity)
{
    struct text text = {bytes, 0, capacity, false};
    text_clear(&text);
    for (size_t i = 0; i < cuts->count; i++) {
        if (i == at && damage == DROP)
            continue;
        if (i == at && damage == SWAP)
            text_add_span(&text, cuts->line[++i]);
        text_add_span(&text, i == at + 1 && damage == SWAP ? cuts->line[at] : cuts->line[i]);
        if (i == at && damage == DOUBLE)
            text_add_span(&text, cuts->line[i]);
    }
    assert_false(text.overflow);
    return text_span(&text);
}

#ifdef PLAYOUTS_DEFAULT /* fewer, because the build is slow */
enum { LINES_STEP = 3, BITS_STEP = 4 };
#else
enum { LINES_STEP = 1, BITS_STEP = 1 };
#endif

LISTED_TEST(test_lines_dropped_doubled_swapped)
{
    static struct cuts cuts;
    struct roll roll;
    write_first(&roll, ROLL_RANDOM);
    cut(roll_span(&roll), &cuts);
    size_t capacity = roll.length + RECORD_LINE_MAX + 2;
    char *bytes = malloc(capacity);
    assert_non_null(bytes);
    for (enum damage damage = DROP; damage < DAMAGES; damage++) {
        for (size_t at = damage % LINES_STEP; at + 1 < cuts.count; at += LINES_STEP)
            assert_invalid(damaged(&cuts, damage, at, bytes, capacity), at + 1 + (damage == DOUBLE),
                           "broken-chain bad-line");
    }
    size_t last = cuts.count - 1;
    assert_verdict(damaged(&cuts, DROP, last, bytes, capacity), REPLAY_UNFINISHED);
    assert_invalid(damaged(&cuts, DOUBLE, last, bytes, capacity), cuts.count + 1, "bad-line");
    free(bytes);
    roll_free(&roll);
}

LISTED_TEST(test_flipped_bits)
{
    struct roll roll;
    write_first(&roll, ROLL_ABSENT);
    size_t line = 1;
    for (size_t i = 0; i < roll.length; i++) {
        bool line_end = roll.bytes[i] == '\n';
        for (unsigned bit = i % BITS_STEP; bit < 8; bit += BITS_STEP) {
            roll.bytes[i] = (char)(roll.bytes[i] ^ 1 << bit);
            assert_invalid(roll_span(&roll), line, "broken-chain bad-line");
            roll.bytes[i] = (char)(roll.bytes[i] ^ 1 << bit);
        }
        line += line_end;
    }
    assert_verdict(roll_span(&roll), REPLAY_VALID);
    roll_free(&roll);
}

/* ---- Forgery: every chain holds ---- */

/* A finished record whose lines can be changed. */
static struct roll_lines lines;
static size_t first_entry, reveal, head; /* indices of lines */

static int open_number(uint32_t number)
{
    struct roll roll;
    write_number(&roll, number, ROLL_RANDOM);
    roll_lines_of(&lines, roll_span(&roll));
    first_entry = roll_find(&lines, 0, "start ") + 1;
    reveal = roll_find(&lines, first_entry, " reveal ");
    head = lines.count - 1;
    roll_free(&roll);
    return 0;
}

FIXTURE(open_forgery)
{
    return open_number(5);
}

FIXTURE(open_duplicate)
{
    return open_number(7);
}

FIXTURE(close_forgery)
{
    roll_lines_free(&lines);
    return 0;
}

/* `at` is the index of the line that is to be blamed. */
static void assert_forged(size_t at, const char *code)
{
    struct text record = roll_chain(&lines);
    assert_invalid(text_span(&record), at + 1, code);
    free(record.at);
}

LISTED_TEST(test_chaining_anew_is_faithful)
{
    struct text record = roll_chain(&lines);
    assert_verdict(text_span(&record), REPLAY_VALID);
    free(record.at);
}

LISTED_TEST(test_forged_score)
{
    roll_set_word(&lines, reveal + 1, 5, "99");
    assert_forged(reveal + 1, "wrong-result");
}

LISTED_TEST(test_forged_rank)
{
    bool winner = strstr(lines.line[reveal + 2].bytes + strlen(lines.line[reveal + 2].bytes) - 2,
                         " 1") != NULL;
    roll_set_word(&lines, reveal + 2, 6, winner ? "2" : "1");
    assert_forged(reveal + 2, "wrong-result");
}

LISTED_TEST(test_results_out_of_order)
{
    roll_set_word(&lines, reveal + 1, 4, "1");
    assert_forged(reveal + 1, "wrong-result");
}

LISTED_TEST(test_result_missing)
{
    roll_remove(&lines, reveal + 2);
    assert_forged(head - 1, "bad-line");
}

LISTED_TEST(test_result_before_the_end)
{
    roll_insert(&lines, first_entry, "1 - 0 result 0 0 1");
    roll_renumber(&lines);
    assert_forged(first_entry, "wrong-result");
}

LISTED_TEST(test_forged_ply)
{
    roll_set_word(&lines, first_entry + 5, 3, "conjure");
    assert_forged(first_entry + 5, "illegal-ply");
}

LISTED_TEST(test_ply_by_another_seat)
{
    roll_set_word(&lines, first_entry, 1, "1");
    assert_forged(first_entry, "illegal-ply");
    roll_set_word(&lines, first_entry, 1, "4");
    assert_forged(first_entry, "illegal-ply");
}

LISTED_TEST(test_ply_left_out)
{
    roll_remove(&lines, reveal - 1);
    roll_renumber(&lines);
    assert_forged(reveal - 1, "early-reveal");
}

LISTED_TEST(test_ply_after_the_end)
{
    char bytes[RECORD_LINE_MAX + 1];
    memcpy(bytes, lines.line[reveal - 1].bytes, sizeof bytes);
    roll_insert(&lines, reveal, bytes);
    roll_renumber(&lines);
    assert_forged(reveal, "illegal-ply");
}

LISTED_TEST(test_wrong_secret)
{
    char *digit = strrchr(lines.line[reveal].bytes, ' ') + 1;
    *digit = *digit == '0' ? '1' : '0';
    assert_forged(reveal, "wrong-commitment");
}

LISTED_TEST(test_wrong_commitment)
{
    char *digit = strrchr(lines.line[roll_find(&lines, 0, "commit ")].bytes, ' ') + 1;
    *digit = *digit == '0' ? '1' : '0';
    assert_forged(reveal, "wrong-commitment");
}

LISTED_TEST(test_early_reveal)
{
    char bytes[RECORD_LINE_MAX + 1];
    memcpy(bytes, lines.line[reveal].bytes, sizeof bytes);
    roll_remove(&lines, reveal);
    roll_insert(&lines, first_entry + 3, bytes);
    roll_set_word(&lines, first_entry + 3, 2, "1000000000");
    for (size_t i = first_entry + 4; i < head; i++)
        roll_set_word(&lines, i, 2, "1000000000");
    roll_renumber(&lines);
    assert_forged(first_entry + 3, "early-reveal");
}

LISTED_TEST(test_second_reveal)
{
    char bytes[RECORD_LINE_MAX + 1];
    memcpy(bytes, lines.line[reveal].bytes, sizeof bytes);
    roll_insert(&lines, reveal + 1, bytes);
    roll_renumber(&lines);
    assert_forged(reveal + 1, "early-reveal");
}

LISTED_TEST(test_head_without_reveal)
{
    while (lines.count > first_entry + 4)
        roll_remove(&lines, lines.count - 1);
    roll_insert(&lines, lines.count, "head ");
    assert_forged(lines.count - 1, "bad-line");
}

LISTED_TEST(test_wrong_head)
{
    roll_set_word(&lines, head, 1,
                  "0000000000000000000000000000000000000000000000000000000000000000");
    assert_forged(head, "wrong-head");
    roll_set_word(&lines, head, 1, "00");
    assert_forged(head, "wrong-head");
}

LISTED_TEST(test_clock_backwards)
{
    roll_set_word(&lines, first_entry + 4, 2, "0");
    assert_forged(first_entry + 4, "wrong-time");
}

LISTED_TEST(test_sequence)
{
    roll_set_word(&lines, first_entry + 4, 0, "4");
    assert_forged(first_entry + 4, "wrong-sequence");
    roll_set_word(&lines, first_entry + 4, 0, "6");
    assert_forged(first_entry + 4, "wrong-sequence");
}

LISTED_TEST(test_wrong_components)
{
    char *digit = strrchr(lines.line[1].bytes, ' ') + 1;
    *digit = *digit == '0' ? '1' : '0';
    assert_forged(1, "wrong-components");
}

LISTED_TEST(test_unknown_ruleset)
{
    roll_set_word(&lines, 1, 3, "99.0.0");
    assert_forged(1, "unknown-ruleset");
    roll_set_word(&lines, 1, 2, "chess");
    assert_forged(1, "unknown-ruleset");
}

/* The commitment is to one round's secret, and each board has luck of its own. */
LISTED_TEST(test_another_round_or_board)
{
    size_t event = roll_find(&lines, 0, "event ");
    roll_set_word(&lines, event, 7, "3");
    struct text record = roll_chain(&lines);
    assert_verdict(text_span(&record), REPLAY_INVALID);
    assert_true(fault.line > first_entry);
    free(record.at);
    roll_set_word(&lines, event, 7, "2");
    roll_set_word(&lines, event, 3, "4");
    assert_forged(reveal, "wrong-commitment");
    roll_set_word(&lines, event, 3, "3");
    roll_set_word(&lines, event, 7, "-");
    assert_forged(reveal, "wrong-commitment");
}

LISTED_TEST(test_another_seed)
{
    struct text record;
    size_t entropy = roll_find(&lines, 0, "entropy ");
    roll_set_word(&lines, entropy, 2, "11ff");
    record = roll_chain(&lines);
    assert_verdict(text_span(&record), REPLAY_INVALID);
    assert_true(fault.line > first_entry);
    free(record.at);
}

LISTED_TEST(test_quiet_move_not_played)
{
    roll_insert(&lines, first_entry, "1 - 0 fallback 0");
    roll_renumber(&lines);
    struct text record = roll_chain(&lines);
    assert_verdict(text_span(&record), REPLAY_INVALID);
    assert_string_equal(fault.code, "not-the-quiet-move");
    assert_true(fault.line > first_entry + 1);
    free(record.at);
}

LISTED_TEST(test_bad_fallback)
{
    roll_insert(&lines, first_entry, "1 - 0 fallback 4");
    roll_renumber(&lines);
    assert_forged(first_entry, "bad-fallback");
    roll_set_word(&lines, first_entry, 4, "1");
    roll_insert(&lines, first_entry, "1 - 0 fallback 1");
    roll_renumber(&lines);
    assert_forged(first_entry + 1, "bad-fallback");
}

LISTED_TEST(test_fallback_after_the_end)
{
    roll_insert(&lines, reveal, lines.line[reveal].bytes);
    roll_set_word(&lines, reveal, 3, "fallback");
    roll_set_word(&lines, reveal, 4, "0");
    roll_renumber(&lines);
    assert_forged(reveal, "bad-fallback");
}

/* ---- Writing ---- */

static void assert_no_ply(struct replay *replay, unsigned seat, const char *move, const char *code)
{
    static struct replay before;
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    struct refusal refusal = {"", ""};
    memcpy(&before, replay, sizeof before);
    assert_false(replay_add_ply(replay, seat, span_of(move), 5, &line, &refusal));
    assert_string_equal(refusal.code, code);
    assert_memory_equal(&before, replay, sizeof before);
    assert_string_equal(bytes, "");
}

LISTED_TEST(test_writer_refuses)
{
    struct roll roll;
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    struct refusal refusal = {"", ""};
    write_first(&roll, ROLL_RANDOM);
    struct span rest = roll_span(&roll);
    struct replay *replay = &proved;
    assert_true(replay_begin(replay, NULL, &rest, roll.replay.secret, &fault));
    assert_false(replay_add_due(replay, 5, true, &line));
    assert_no_ply(replay, GAME_SEATS_MAX, "end", REFUSAL_NOT_YOUR_TURN);
    assert_no_ply(replay, UINT32_MAX, "end", REFUSAL_NOT_YOUR_TURN);
    assert_no_ply(replay, 0, "", REFUSAL_BAD_SYNTAX);
    assert_false(replay_add_fallback(replay, GAME_SEATS_MAX, 5, &line, &refusal));
    assert_string_equal(refusal.code, "unknown-seat");
    assert_true(replay_add_fallback(replay, 1, 5, &line, &refusal));
    assert_no_ply(replay, 1, "end", "seat-on-fallback");
    assert_false(replay_add_fallback(replay, 1, 5, &line, &refusal));
    assert_string_equal(refusal.code, "seat-on-fallback");
    assert_no_ply(&roll.replay, 0, "end", REFUSAL_GAME_OVER);
    assert_false(replay_add_fallback(&roll.replay, 0, 5, &line, &refusal));
    assert_string_equal(refusal.code, REFUSAL_GAME_OVER);
    assert_false(replay_add_due(&roll.replay, 5, true, &line));
    roll_free(&roll);
}

/* Where other tables still play with the secret, the record waits: nothing more is due, and what
 * was written so far is unfinished. Later it goes on to its end. */
LISTED_TEST(test_reveal_can_wait)
{
    struct roll roll;
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    write_number(&roll, 7, ROLL_RANDOM);
    struct span rest = roll_span(&roll);
    struct span ply;
    struct replay *replay = &proved;
    assert_true(replay_begin(replay, NULL, &rest, roll.replay.secret, &fault));
    while (replay->phase == REPLAY_PLAYING) {
        assert_true(span_line(&rest, &ply));
        assert_true(replay_line(replay, ply, &fault));
    }
    struct span so_far = {roll.bytes, roll.length - rest.length};
    assert_false(replay_add_due(replay, replay->elapsed_ms, false, &line));
    assert_int_equal(replay->phase, REPLAY_OVER);
    static struct replay unused;
    assert_int_equal(replay_verify(so_far, NULL, &unused, &fault), REPLAY_UNFINISHED);
    roll.length = so_far.length;
    while (replay_add_due(replay, replay->elapsed_ms + 1000, true, &line)) {
        assert_true(roll.length + line.length < roll.capacity);
        memcpy(roll.bytes + roll.length, bytes, line.length);
        roll.length += line.length;
        roll.bytes[roll.length++] = '\n';
        text_clear(&line);
    }
    assert_verdict(roll_span(&roll), REPLAY_VALID);
    roll_free(&roll);
}

LISTED_TEST(test_wrong_secret_is_noticed_at_once)
{
    struct roll roll;
    write_first(&roll, ROLL_RANDOM);
    struct span rest = roll_span(&roll);
    roll.replay.secret[31] ^= 1;
    assert_false(replay_begin(&proved, NULL, &rest, roll.replay.secret, &fault));
    assert_string_equal(fault.code, "wrong-commitment");
    roll_free(&roll);
}

#define FORGERY(test) cmocka_unit_test_setup_teardown(test, open_forgery, close_forgery)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written_games_are_valid),
        cmocka_unit_test(test_reading_follows_writing),
        cmocka_unit_test(test_prefixes_are_unfinished),
        cmocka_unit_test(test_listener_hears_every_line),
        cmocka_unit_test(test_oversize_is_refused),
        cmocka_unit_test(test_lines_dropped_doubled_swapped),
        cmocka_unit_test(test_flipped_bits),
        FORGERY(test_chaining_anew_is_faithful),
        FORGERY(test_forged_score),
        FORGERY(test_forged_rank),
        FORGERY(test_results_out_of_order),
        FORGERY(test_result_missing),
        FORGERY(test_result_before_the_end),
        FORGERY(test_forged_ply),
        FORGERY(test_ply_by_another_seat),
        FORGERY(test_ply_left_out),
        FORGERY(test_ply_after_the_end),
        FORGERY(test_wrong_secret),
        FORGERY(test_wrong_commitment),
        FORGERY(test_early_reveal),
        FORGERY(test_second_reveal),
        FORGERY(test_head_without_reveal),
        FORGERY(test_wrong_head),
        FORGERY(test_clock_backwards),
        FORGERY(test_sequence),
        FORGERY(test_wrong_components),
        FORGERY(test_unknown_ruleset),
        FORGERY(test_another_seed),
        cmocka_unit_test_setup_teardown(test_another_round_or_board, open_duplicate, close_forgery),
        FORGERY(test_quiet_move_not_played),
        FORGERY(test_bad_fallback),
        FORGERY(test_fallback_after_the_end),
        cmocka_unit_test(test_writer_refuses),
        cmocka_unit_test(test_reveal_can_wait),
        cmocka_unit_test(test_wrong_secret_is_noticed_at_once),
    };
    return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
