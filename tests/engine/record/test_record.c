/* The text form of a record: what is printed is read again as it was, and every token that is not
 * in its one form is refused, with its line. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "tests/engine/support/roll.h"
#include "tests/engine/support/table.h"
#include "tests/test.h"

static struct record_fault fault;

/* ---- Headers ---- */

static void print(const struct record_header *header, char bytes[static RECORD_HEADER_MAX],
                  uint8_t hash[static 32])
{
    struct text text = {bytes, 0, RECORD_HEADER_MAX, false};
    text_clear(&text);
    record_print_header(header, &text, hash);
    assert_false(text.overflow);
}

static void assert_round_trip(const struct record_header *header)
{
    static char printed[RECORD_HEADER_MAX];
    static char again[RECORD_HEADER_MAX];
    struct record_header read;
    uint8_t hash[32];
    uint8_t hash_read[32];
    uint8_t hash_again[32];
    uint32_t count;
    print(header, printed, hash);
    struct span rest = span_of(printed);
    if (!record_read_header(&rest, &read, hash_read, &count, &fault))
        fail_msg("line %u: %s", (unsigned)fault.line, fault.message);
    print(&read, again, hash_again);
    assert_string_equal(printed, again);
    assert_memory_equal(hash, hash_read, sizeof hash);
    assert_memory_equal(hash, hash_again, sizeof hash);
    assert_int_equal(rest.length, 0);
    assert_ptr_equal(read.game, header->game);
    assert_int_equal(read.seats, header->seats);
    for (unsigned i = 0; i < header->seats; i++)
        assert_string_equal(read.seat[i].name, header->seat[i].name);
}

LISTED_TEST(test_headers_round_trip)
{
    for (size_t i = 0; catalog_at(i) != NULL; i++) {
        const struct game *game = catalog_at(i);
        struct game_options options = {{0}};
        uint32_t number = 0;
        do {
            for (unsigned seats = game->seats_min; seats <= game->seats_max; seats++) {
                struct record_header header;
                uint8_t secret[32];
                roll_header(&header, game, seats, &options, number++, secret);
                assert_round_trip(&header);
            }
        } while (table_next_options(game, &options));
    }
}

LISTED_TEST(test_longest_header)
{
    const struct game *game = catalog_at(0);
    struct game_options options = game_options_initial(game);
    struct record_header header;
    uint8_t secret[32];
    roll_header(&header, game, game->seats_max, &options, 1, secret);
    header.round = header.table = UINT32_MAX;
    for (unsigned i = 0; i < header.seats; i++) {
        memset(header.seat[i].name, '!', RECORD_NAME_ENCODED_MAX / 3);
        header.seat[i].name[RECORD_NAME_ENCODED_MAX / 3] = '\0';
        assert_true(record_is_name(span_of(header.seat[i].name)));
        header.seat[i].has_key = true;
        header.seat[i].entropy_size = RECORD_ENTROPY_MAX;
    }
    assert_round_trip(&header);
    for (unsigned i = 0; i < header.seats; i++)
        header.seat[i].entropy_size = 0;
    header.board = UINT32_MAX;
    assert_round_trip(&header);
}

/* Games of ladders and open play are played in no round, and so on no board of one. */
LISTED_TEST(test_header_without_round)
{
    const struct game *game = catalog_at(0);
    struct game_options options = game_options_initial(game);
    struct record_header header;
    struct record_header read;
    uint8_t secret[32];
    uint8_t hash[32];
    uint32_t count;
    static char printed[RECORD_HEADER_MAX];
    roll_header(&header, game, game->seats_max, &options, 1, secret);
    header.round = 0;
    assert_round_trip(&header);
    header.board = 1;
    print(&header, printed, hash);
    struct span rest = span_of(printed);
    assert_false(record_read_header(&rest, &read, hash, &count, &fault));
}

static struct roll_lines lines;

/* Line indices of the header that is changed below. */
enum { FIRST, GAME, EVENT };
static size_t option, clock_line, seat_0, commit, entropy, start;

FIXTURE(open_header)
{
    static char printed[RECORD_HEADER_MAX];
    struct record_header header;
    uint8_t secret[32];
    uint8_t hash[32];
    const struct game *game = catalog_newest(span_of("shinjuku"));
    struct game_options options = game_options_initial(game);
    roll_header(&header, game, 3, &options, 1, secret);
    print(&header, printed, hash);
    roll_lines_of(&lines, span_of(printed));
    option = roll_find(&lines, 0, "option ");
    clock_line = roll_find(&lines, 0, "clock ");
    seat_0 = roll_find(&lines, 0, "seat 0 ");
    commit = roll_find(&lines, 0, "commit ");
    entropy = roll_find(&lines, 0, "entropy 0 ");
    start = roll_find(&lines, 0, "start ");
    return 0;
}

FIXTURE(close_header)
{
    roll_lines_free(&lines);
    return 0;
}

static bool read_lines(void)
{
    struct text record = roll_chain(&lines);
    struct span rest = text_span(&record);
    struct record_header header;
    uint8_t hash[32];
    uint32_t count;
    bool good = record_read_header(&rest, &header, hash, &count, &fault);
    free(record.at);
    return good;
}

static void assert_fault(size_t line, const char *code)
{
    if (read_lines())
        fail_msg("was read: line %zu of the header", line);
    if (fault.line != line || strcmp(fault.code, code) != 0)
        fail_msg("line %u: %s: %s; expected line %zu: %s", (unsigned)fault.line, fault.code,
                 fault.message, line, code);
}

/* One word of one line changed: refused there. */
static void assert_bad_word(size_t at, size_t word, const char *value)
{
    struct roll_line line = lines.line[at];
    roll_set_word(&lines, at, word, value);
    assert_fault(at + 1, "bad-line");
    lines.line[at] = line;
}

static void assert_bad_line(size_t at, const char *bytes)
{
    struct roll_line line = lines.line[at];
    roll_remove(&lines, at);
    roll_insert(&lines, at, bytes);
    assert_fault(at + 1, "bad-line");
    lines.line[at] = line;
}

LISTED_TEST(test_malformed_words)
{
    static const char upper_id[] = "0190163D-8694-739b-aea5-966c26f8ad91";
    static const char short_id[] = "0190163d-8694-739b-aea5-966c26f8ad9";
    static const char moved_dash[] = "0190163d8-694-739b-aea5-966c26f8ad91";
    assert_true(read_lines());
    assert_bad_line(FIRST, "tillroll 3");
    assert_bad_line(FIRST, "tillroll");
    assert_bad_word(GAME, 0, "match");
    assert_bad_word(GAME, 1, upper_id);
    assert_bad_word(GAME, 1, short_id);
    assert_bad_word(GAME, 1, moved_dash);
    assert_bad_word(GAME, 4, "00");
    assert_bad_word(GAME, 5, "more");
    assert_bad_word(EVENT, 0, "events");
    assert_bad_word(EVENT, 1, upper_id);
    assert_bad_word(EVENT, 1, "-");
    assert_bad_word(EVENT, 2, "rounds");
    assert_bad_word(EVENT, 3, "00");
    assert_bad_word(EVENT, 3, "03");
    assert_bad_word(EVENT, 3, "4294967296");
    assert_bad_word(EVENT, 5, "-1");
    assert_bad_word(EVENT, 7, "");
    assert_bad_word(EVENT, 7, "0");
    assert_bad_word(EVENT, 7, "02");
    assert_bad_word(EVENT, 7, "--");
    assert_bad_word(option, 0, "options");
    assert_bad_word(option, 1, "advance");
    assert_bad_word(option, 2, "maybe");
    assert_bad_word(option, 3, "off");
    assert_bad_word(clock_line, 1, "10");
    assert_bad_word(clock_line, 1, "move=0");
    assert_bad_word(clock_line, 1, "bank=1 increment=0");
    assert_bad_word(clock_line, 0, "clocks");
    assert_bad_word(seat_0, 1, "1");
    assert_bad_word(seat_0, 1, "00");
    assert_bad_word(seat_0, 2, short_id);
    assert_bad_word(seat_0, 3, "");
    assert_bad_word(seat_0, 4, "0");
    assert_bad_word(seat_0, 5, "more");
    assert_bad_word(commit, 0, "commits");
    assert_bad_word(commit, 1, "00");
    assert_bad_word(entropy, 1, "3");
    assert_bad_word(entropy, 2, "1");
    assert_bad_word(entropy, 2, "0G");
    assert_bad_word(entropy, 2, "AB");
    assert_bad_word(entropy, 2,
                    "000000000000000000000000000000000000000000000000000000000000000000");
    assert_bad_word(start, 0, "begin");
}

LISTED_TEST(test_malformed_times)
{
    static const char *const wrong[] = {
        "2026-11-20T15:04:05.123",  "2026-11-20T15:04:05Z",      "2026-11-20 15:04:05.123Z",
        "2026-13-20T15:04:05.123Z", "2026-00-20T15:04:05.123Z",  "2026-11-32T15:04:05.123Z",
        "2026-11-00T15:04:05.123Z", "2026-11-20T24:04:05.123Z",  "2026-11-20T15:60:05.123Z",
        "2026-11-20T15:04:61.123Z", "2026-11-20t15:04:05.123z",  "2026-11-20T15:04:05.12aZ",
        "2026-11-20T15:04:05.123+", "2026-11-20T15:04:05.1234Z", "",
        "2026-02-30T15:04:05.123Z", "2026-02-29T15:04:05.123Z",  "2100-02-29T15:04:05.123Z",
        "2026-11-31T15:04:05.123Z", "2026-06-30T23:59:60.000Z"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_bad_word(start, 1, wrong[i]);
    static const char *const right[] = {"2024-02-29T00:00:00.000Z", "2000-02-29T23:59:59.999Z",
                                        "2026-12-31T23:59:59.999Z", "0000-02-29T00:00:00.000Z"};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        struct roll_line line = lines.line[start];
        roll_set_word(&lines, start, 1, right[i]);
        assert_true(read_lines());
        lines.line[start] = line;
    }
}

LISTED_TEST(test_lines_missing_or_out_of_order)
{
    for (size_t at = 0; at < lines.count; at++) {
        bool optional = at >= entropy && at < start;
        struct roll_line line = lines.line[at];
        roll_remove(&lines, at);
        assert_int_equal(read_lines(), optional);
        roll_insert(&lines, at, line.bytes);
    }
    assert_true(read_lines());
    roll_remove(&lines, seat_0 + 2);
    roll_remove(&lines, seat_0 + 1);
    assert_fault(seat_0 + 2, "bad-line");
}

LISTED_TEST(test_entropy_in_order)
{
    struct roll_line first = lines.line[entropy];
    lines.line[entropy] = lines.line[entropy + 1];
    lines.line[entropy + 1] = first;
    assert_fault(entropy + 2, "bad-line");
    lines.line[entropy] = first;
    assert_fault(entropy + 2, "bad-line");
}

LISTED_TEST(test_blanks)
{
    for (size_t at = 0; at < lines.count; at++) {
        struct roll_line line = lines.line[at];
        memcpy(lines.line[at].bytes + strlen(line.bytes), " ", 2);
        assert_false(read_lines());
        lines.line[at] = line;
        memmove(lines.line[at].bytes + 1, line.bytes, strlen(line.bytes) + 1);
        lines.line[at].bytes[0] = ' ';
        assert_false(read_lines());
        lines.line[at] = line;
    }
    assert_true(read_lines());
}

LISTED_TEST(test_too_many_seats)
{
    char bytes[RECORD_LINE_MAX];
    for (char seat = '3'; seat < '5'; seat++) {
        memcpy(bytes, lines.line[seat_0].bytes, sizeof bytes);
        bytes[5] = seat;
        roll_insert(&lines, seat_0 + (size_t)(seat - '0'), bytes);
        if (seat == '3')
            assert_true(read_lines());
    }
    assert_fault(seat_0 + 5, "bad-line");
}

LISTED_TEST(test_rulesets)
{
    roll_set_word(&lines, GAME, 3, "1.0");
    assert_fault(2, "unknown-ruleset");
    roll_set_word(&lines, GAME, 3, "1.0.0");
    assert_true(read_lines());
}

/* The header says that the set is another one; whoever replays the game has to have it. */
LISTED_TEST(test_other_components)
{
    struct text record;
    struct record_header header;
    uint8_t hash[32];
    uint32_t count;
    lines.line[GAME].bytes[strlen(lines.line[GAME].bytes) - 1] ^= 1;
    record = roll_chain(&lines);
    struct span rest = text_span(&record);
    assert_true(record_read_header(&rest, &header, hash, &count, &fault));
    free(record.at);
    assert_true(header.other_set);
    assert_true(catalog_has(header.game));
    assert_false(record_find_set(&header, NULL, &fault));
    assert_int_equal(fault.line, 2);
    assert_string_equal(fault.code, "wrong-components");
}

/* ---- Lines and marks ---- */

static void assert_bad_mark(const char *bytes, size_t length, const char *code)
{
    uint8_t hash[32];
    struct span line = {bytes, length};
    record_chain_start(hash);
    assert_false(record_chain_check(hash, &line, &fault));
    assert_string_equal(fault.code, code);
}

LISTED_TEST(test_marks)
{
    uint8_t hash[32];
    char bytes[RECORD_LINE_MAX + 2];
    struct text text = TEXT_OVER(bytes);
    text_add(&text, "event -");
    record_chain_start(hash);
    record_chain_mark(hash, &text);
    struct span line = text_span(&text);
    uint8_t again[32];
    record_chain_start(again);
    assert_true(record_chain_check(again, &line, &fault));
    assert_true(span_is(line, "event -"));
    assert_memory_equal(hash, again, sizeof hash);

    assert_bad_mark("", 0, "bad-line");
    assert_bad_mark(" #00000000", 10, "bad-line");
    assert_bad_mark("event -", 7, "bad-line");
    assert_bad_mark("event -#00000000", 16, "bad-line");
    assert_bad_mark("event - #00000000", 17, "broken-chain");
    assert_bad_mark("event\t- #00000000", 17, "bad-line");
    assert_bad_mark("event\0- #00000000", 17, "bad-line");
    assert_bad_mark("event\xff- #00000000", 17, "bad-line");
    memset(bytes, 'x', sizeof bytes);
    assert_bad_mark(bytes, RECORD_LINE_MAX + 1, "bad-line");
}

/* Every byte in every place of a line, in words of eight bytes and behind them. */
LISTED_TEST(test_bytes_of_a_line)
{
    enum { LENGTH = 19 };
    for (size_t at = 0; at < LENGTH; at++) {
        for (unsigned byte = 0; byte <= UINT8_MAX; byte++) {
            char bytes[] = "1 0 0 abcdefghijklm #00000000";
            bytes[at] = (char)byte;
            assert_bad_mark(bytes, sizeof bytes - 1,
                            byte < 0x20 || byte > 0x7e ? "bad-line" : "broken-chain");
        }
    }
}

/* The chain by hand, as `sha256sum` would have it. */
LISTED_TEST(test_chain_as_documented)
{
    uint8_t hash[32];
    uint8_t expected[32];
    char hex[65];
    char bytes[128];
    record_chain_start(hash);
    crypto_hash_sha256(expected, (const unsigned char *)"tillroll 1\n", 11);
    assert_memory_equal(hash, expected, 32);
    sodium_bin2hex(hex, sizeof hex, hash, sizeof hash);
    struct text text = TEXT_OVER(bytes);
    text_add(&text, hex);
    text_add(&text, " event -\n");
    crypto_hash_sha256(expected, (const unsigned char *)bytes, text.length);
    record_chain_add(hash, span_of("event -"));
    assert_memory_equal(hash, expected, 32);
}

/* ---- Entries ---- */

static void assert_entry(const char *bytes)
{
    char again[RECORD_LINE_MAX + 1];
    struct text text = TEXT_OVER(again);
    struct record_entry entry;
    if (!record_read_entry(span_of(bytes), &entry, &fault))
        fail_msg("%s: %s", bytes, fault.message);
    record_print_entry(&entry, &text);
    assert_string_equal(again, bytes);
}

#define GAME "0190163d-8694-739b-aea5-966c26f8adb0"
#define BY   " by 0190163d-8694-739b-aea5-966c26f8adc0 why "
#define KEY  "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

static const char *const entries[] = {
    "1 0 0 end",
    "2 4 999999999999999 move ueno > tokyo",
    "4294967295 0 1 a b  c",
    "7 0 1 undone 5",
    "7 3 1 undo 5",
    "7 3 1 undo 65535",
    "4 - 90500 sealed 0",
    "4 - 90500 timeout 4",
    "4 - 90500 fallback 2",
    "4 - 90500 return 2",
    "4 - 90500 forfeit 2",
    "4 - 90500 substitute 2 " GAME " Jo%20%C3%89. -",
    "4 - 90500 substitute 0 " GAME " - " KEY,
    "4 - 90500 stop pause",
    "4 - 90500 stop server",
    "4 - 90500 freeze " GAME,
    "4 - 90500 ruling " GAME " stands" BY "stands",
    "4 - 90500 ruling " GAME " void" BY "a1-b",
    "4 - 90500 ruling " GAME " forfeit 1" BY "abcdefghijklmnopqrstuvwxyz0123456789----",
    "4 - 90500 ruling " GAME " adjust 1 -3" BY "a",
    "4 - 90500 ruling " GAME " adjust 0 1000000" BY "a",
    "4 - 90500 ruling " GAME " takeback 1" BY "by",
    "4 - 90500 ruling " GAME " takeback 65535 rekey" BY "why",
    "4 - 90500 resume",
    "5 - 0 reveal " KEY,
    "6 - 0 result 0 59 1",
    "6 - 0 result 4 -2147483647 5",
    "6 - 0 result 3 2147483647 2",
};

enum { ENTRIES = sizeof entries / sizeof entries[0] };

LISTED_TEST(test_entries_round_trip)
{
    for (size_t i = 0; i < ENTRIES; i++)
        assert_entry(entries[i]);
}

/* A line that is read is the line that would be printed. True if it was read. */
static bool check_line(const char *bytes)
{
    char again[RECORD_LINE_MAX + 1];
    struct text text = TEXT_OVER(again);
    struct record_entry entry;
    if (!record_read_entry(span_of(bytes), &entry, &fault))
        return false;
    record_print_entry(&entry, &text);
    assert_string_equal(again, bytes);
    return true;
}

/* The line with `insert` put in at `at`, which leaves out `skip` characters there; if it is read,
 * it is printed the same. */
static bool check_changed(const char *line, size_t at, const char *insert, size_t skip)
{
    char bytes[RECORD_LINE_MAX + 1];
    struct text text = TEXT_OVER(bytes);
    size_t length = strlen(line);
    text_add_span(&text, (struct span){line, at});
    text_add(&text, insert);
    if (at + skip < length)
        text_add(&text, line + at + skip);
    return check_line(bytes);
}

/* Every entry with one character left out, put in or replaced. */
LISTED_TEST(test_every_entry_has_one_form)
{
    static const char *const others[] = {" ", "0", "1", "5", "9", "-", "a",
                                         "b", "y", "x", "e", "%", "."};
    unsigned read = 0;
    for (size_t i = 0; i < ENTRIES; i++)
        for (size_t at = 0; at <= strlen(entries[i]); at++) {
            read += check_changed(entries[i], at, "", 1);
            for (size_t other = 0; other < sizeof others / sizeof others[0]; other++) {
                read += check_changed(entries[i], at, others[other], 0);
                read += check_changed(entries[i], at, others[other], 1);
            }
        }
    assert_true(read > ENTRIES);
}

LISTED_TEST(test_malformed_entries)
{
    static const char *const wrong[] = {
        "",
        "1",
        "1 0",
        "1 0 5",
        "1 0 5 ",
        "a 0 5 end",
        "01 0 5 end",
        "-1 0 5 end",
        "4294967296 0 5 end",
        "1 5 5 end",
        "1 00 5 end",
        "1 a 5 end",
        "1  5 end",
        " 1 0 5 end",
        "1 0 05 end",
        "1 0 -5 end",
        "1 0 1000000000000000 end",
        "1 - 5",
        "1 - 5 end",
        "1 - 5 fallback",
        "1 - 5 fallback 5",
        "1 - 5 fallback 01",
        "1 - 5 fallback 1 ",
        "1 - 5 fallback 1 2",
        "1 - 5 Fallback 1",
        "1 - 5 reveal",
        "1 - 5 reveal 00",
        "1 - 5 reveal 00112233445566778899AABBCCDDEEFF00112233445566778899aabbccddeeff",
        "1 - 5 reveal 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff ",
        "1 - 5 result 0 59",
        "1 - 5 result 0 59 0",
        "1 - 5 result 0 59 6",
        "1 - 5 result 0 59 1 1",
        "1 - 5 result 0 -0 1",
        "1 - 5 result 0 059 1",
        "1 - 5 result 0 2147483648 1",
        "1 - 5 result 5 59 1",
        "1 - 5 result  0 59 1",
        "1 - 5 head 00",
        "1 - 5 ply",
        "1 - 5 undo 3",
        "1 0 5 undo",
        "1 0 5 undo ",
        "1 0 5 undo 0",
        "1 0 5 undo 65536",
        "1 0 5 undo 1 2",
        "1 - 5 timeout",
        "1 - 5 timeout -",
        "1 - 5 sealed 5",
        "1 - 5 resume ",
        "1 - 5 resume 1",
        "1 - 5 stop",
        "1 - 5 stop night",
        "1 - 5 stop pause ",
        "1 - 5 freeze",
        "1 - 5 freeze -",
        "1 - 5 freeze " GAME " ",
        "1 - 5 substitute 1 " GAME " Jo",
        "1 - 5 substitute 5 " GAME " Jo -",
        "1 - 5 substitute 1 " GAME " J o -",
        "1 - 5 substitute 1 - Jo -",
        "1 - 5 substitute 1 " GAME " Jo 00",
        "1 - 5 ruling " GAME " stands",
        "1 - 5 ruling " GAME " stands by why a",
        "1 - 5 ruling " GAME " stands 1" BY "a",
        "1 - 5 ruling " GAME " falls" BY "a",
        "1 - 5 ruling - stands" BY "a",
        "1 - 5 ruling " GAME " stands" BY,
        "1 - 5 ruling " GAME " stands" BY "A",
        "1 - 5 ruling " GAME " stands" BY "1",
        "1 - 5 ruling " GAME " stands" BY "a b",
        "1 - 5 ruling " GAME " stands" BY "abcdefghijklmnopqrstuvwxyz0123456789-----",
        "1 - 5 ruling " GAME " adjust 1" BY "a",
        "1 - 5 ruling " GAME " adjust 1 0" BY "a",
        "1 - 5 ruling " GAME " adjust 1 +1" BY "a",
        "1 - 5 ruling " GAME " adjust 1 1000001" BY "a",
        "1 - 5 ruling " GAME " takeback" BY "a",
        "1 - 5 ruling " GAME " takeback 0" BY "a",
        "1 - 5 ruling " GAME " takeback 65536" BY "a",
        "1 - 5 ruling " GAME " takeback rekey 5" BY "a",
        "1 - 5 ruling " GAME " takeback 5 rekey rekey" BY "a",
        "1 - 5 ruling " GAME " takeback 5 redraw" BY "a",
        "1 - 5 ruling " GAME " stands rekey" BY "a",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct record_entry entry;
        if (record_read_entry(span_of(wrong[i]), &entry, &fault))
            fail_msg("was read: %s", wrong[i]);
        assert_string_equal(fault.code, "bad-line");
    }
}

LISTED_TEST(test_faults_are_cut)
{
    char bytes[RECORD_LINE_MAX];
    memset(bytes, 'x', sizeof bytes);
    assert_false(record_fault(&fault, "code", "It is: ", (struct span){bytes, sizeof bytes}));
    assert_string_equal(fault.code, "code");
    assert_int_equal(strlen(fault.message), strlen("It is: ") + 100);
}

/* ---- Names ---- */

static void assert_name(const char *bytes, size_t length, bool good)
{
    if (record_is_name((struct span){bytes, length}) != good)
        fail_msg("%.*s: expected %s", (int)length, bytes, good ? "a name" : "no name");
}

#define GOOD_NAME(literal) assert_name(literal, sizeof(literal) - 1, true)
#define BAD_NAME(literal)  assert_name(literal, sizeof(literal) - 1, false)

LISTED_TEST(test_names)
{
    GOOD_NAME("A");
    GOOD_NAME("Ada Lovelace");
    GOOD_NAME("\xc3\x89mile");
    GOOD_NAME("\xe6\x9d\xb1\xe4\xba\xac");
    GOOD_NAME("\xf0\x9f\x8e\xb2");
    GOOD_NAME("\xd7\x90\xd7\x91");
    BAD_NAME("");
    BAD_NAME("a\nb");
    BAD_NAME("a\0b");
    BAD_NAME("a\x7f");
    BAD_NAME("a\xc2\x85");
    BAD_NAME("a\xc2\xad");
    BAD_NAME("a\xd8\x9c");
    BAD_NAME("a\xe2\x80\x8b");
    BAD_NAME("a\xe2\x80\x8e");
    BAD_NAME("a\xe2\x80\xa8");
    BAD_NAME("a\xe2\x80\xae"
             "b");
    BAD_NAME("a\xe2\x81\xa6");
    BAD_NAME("\xef\xbb\xbf"
             "a");
    BAD_NAME("a\xf3\xa0\x80\x81");
}

LISTED_TEST(test_names_in_nfc)
{
    BAD_NAME("E\xcc\x81mile");             /* E and an acute accent: U+00C9 */
    BAD_NAME("\xe2\x84\xab");              /* the sign Angstrom: U+00C5 */
    BAD_NAME("a\xcc\x81\xcc\xa3");         /* the dot below comes first */
    GOOD_NAME("\xe1\xba\xa1\xcc\x81");     /* which composes with the a */
    BAD_NAME("\xc3\xa1\xcc\xa3");          /* and so would do here */
    BAD_NAME("\xe1\x84\x80\xe1\x85\xa1");  /* Hangul: two letters, one syllable */
    BAD_NAME("\xea\xb0\x80\xe1\x86\xa8");  /* a syllable, and its last letter */
    GOOD_NAME("\xea\xb0\x81\xe1\x86\xa8"); /* which it has already */
    GOOD_NAME("\xe0\xa4\x95\xe0\xa4\xbc"); /* a composite that NFC leaves out */
    BAD_NAME("\xe0\xa5\x98");              /* the same in one */
    GOOD_NAME("\xcc\x81");                 /* an accent on nothing */
    GOOD_NAME("\xef\xbc\xa1");             /* full width: what NFKC would change */
    GOOD_NAME("\xe3\x85\xa4");             /* a filler: no account gets it now */
}

LISTED_TEST(test_malformed_utf8)
{
    BAD_NAME("\x80");
    BAD_NAME("\xff");
    BAD_NAME("\xc3");
    BAD_NAME("\xc3(");
    BAD_NAME("\xe6\x9d");
    BAD_NAME("\xf0\x9f\x8e");
    BAD_NAME("\xc0\xaf");
    BAD_NAME("\xc1\xbf");
    BAD_NAME("\xe0\x80\xaf");
    BAD_NAME("\xf0\x80\x80\xaf");
    BAD_NAME("\xed\xa0\x80");
    BAD_NAME("\xed\xbf\xbf");
    BAD_NAME("\xf4\x90\x80\x80");
    BAD_NAME("\xf8\x88\x80\x80\x80");
}

LISTED_TEST(test_name_lengths)
{
    char bytes[RECORD_NAME_MAX + 1];
    memset(bytes, 'a', sizeof bytes);
    assert_name(bytes, RECORD_NAME_MAX, true);
    assert_name(bytes, RECORD_NAME_MAX + 1, false);
    memset(bytes, ' ', sizeof bytes);
    assert_name(bytes, RECORD_NAME_ENCODED_MAX / 3, true);
    assert_name(bytes, RECORD_NAME_ENCODED_MAX / 3 + 1, false);
}

LISTED_TEST(test_percent_encoding)
{
    static const char *const wrong[] = {"%",   "%4",  "%zz",       "a%20%",    "%c3%a9", "%C3%a9",
                                        "%41", "%2D", "%7E",       "a+b",      "a/b",    "%00",
                                        "%0A", "%C3", "%E2%80%AE", "%ED%A0%80"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_bad_word(seat_0, 3, wrong[i]);
    roll_set_word(&lines, seat_0, 3, "%C3%A9%20%25");
    assert_true(read_lines());
}

LISTED_TEST(test_ids)
{
    assert_true(record_is_id(span_of("0190163d-8694-739b-aea5-966c26f8ad91")));
    assert_false(record_is_id(span_of("0190163d-8694-739b-aea5-966c26f8ad9g")));
    assert_false(record_is_id(span_of("0190163d-8694-739b-aea5-966c26f8ad911")));
    assert_false(record_is_id(span_of("0190163d 8694-739b-aea5-966c26f8ad91")));
    assert_false(record_is_id(span_of("")));
}

/* ---- Luck ---- */

LISTED_TEST(test_seed_depends_on_everything)
{
    const struct game *game = catalog_at(0);
    struct game_options options = game_options_initial(game);
    struct record_header header;
    uint8_t secret[32];
    uint8_t seeds[6][CHANCE_SEED_BYTES];
    roll_header(&header, game, 2, &options, 1, secret);
    record_seed(&header, secret, seeds[0]);
    header.board = 1;
    record_seed(&header, secret, seeds[1]);
    header.board = 0;
    header.game_id[0] ^= 1;
    record_seed(&header, secret, seeds[2]);
    header.seat[0].entropy[0] ^= 1;
    record_seed(&header, secret, seeds[3]);
    header.seat[1].entropy_size = header.seat[0].entropy_size;
    header.seat[0].entropy_size = 0;
    record_seed(&header, secret, seeds[4]);
    secret[31] ^= 1;
    record_seed(&header, secret, seeds[5]);
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < i; j++)
            assert_memory_not_equal(seeds[i], seeds[j], sizeof seeds[i]);
}

/* Tables of a round that play the same board share the luck; other boards and rounds do not. */
LISTED_TEST(test_seed_of_a_board)
{
    const struct game *game = catalog_at(0);
    struct game_options options = game_options_initial(game);
    struct record_header header;
    uint8_t secret[32];
    uint8_t seeds[4][CHANCE_SEED_BYTES];
    roll_header(&header, game, 2, &options, 3, secret);
    record_seed(&header, secret, seeds[0]);
    header.game_id[0] ^= 1;
    header.table++;
    header.seat[0].player[0] ^= 1;
    record_seed(&header, secret, seeds[1]);
    assert_memory_equal(seeds[0], seeds[1], sizeof seeds[0]);
    header.board++;
    record_seed(&header, secret, seeds[1]);
    header.round++;
    record_seed(&header, secret, seeds[2]);
    header.event_id[0] ^= 1;
    record_seed(&header, secret, seeds[3]);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < i; j++)
            assert_memory_not_equal(seeds[i], seeds[j], sizeof seeds[i]);
}

/* The hash written out by hand, from the description. */
LISTED_TEST(test_seed_as_documented)
{
    const struct game *game = catalog_at(0);
    struct game_options options = game_options_initial(game);
    struct record_header header;
    uint8_t secret[32];
    uint8_t seed[CHANCE_SEED_BYTES];
    uint8_t expected[CHANCE_SEED_BYTES];
    static const char own[] = "tillroll/seed/10190163d-8694-739b-aea5-966c26f8ad91-entropy 0 10\n";
    static const char shared[] = "tillroll/seed/10190163d-8694-739b-aea5-966c26f8ad92/round/32";
    for (uint32_t number = 0; number < 4; number++) {
        const char *message = number == 3 ? shared : own;
        roll_header(&header, game, 2, &options, number, secret);
        record_seed(&header, secret, seed);
        crypto_generichash(expected, sizeof expected, (const unsigned char *)message,
                           strlen(message), secret, sizeof secret);
        assert_memory_equal(seed, expected, sizeof seed);
    }
}

LISTED_TEST(test_scopes)
{
    const struct game *game = catalog_at(0);
    struct game_options options = game_options_initial(game);
    static const char *const scopes[] = {
        "0190163d-8694-739b-aea5-966c26f8ad91", "0190163d-8694-739b-aea5-966c26f8ad91",
        "0190163d-8694-739b-aea5-966c26f8ad91", "0190163d-8694-739b-aea5-966c26f8ad92/round/3"};
    for (uint32_t number = 0; number < 4; number++) {
        struct record_header header;
        uint8_t secret[32];
        char bytes[RECORD_SCOPE_MAX];
        struct text scope = TEXT_OVER(bytes);
        roll_header(&header, game, 2, &options, number, secret);
        record_scope(&header, &scope);
        assert_string_equal(bytes, scopes[number]);
    }
}

/* Entropy of one table would give it other luck than the others that play the board. */
LISTED_TEST(test_board_takes_no_entropy)
{
    assert_true(read_lines());
    roll_set_word(&lines, EVENT, 7, "2");
    assert_fault(entropy + 1, "bad-line");
    roll_remove(&lines, entropy);
    roll_remove(&lines, entropy);
    assert_true(read_lines());
}

#define ON_HEADER(test) cmocka_unit_test_setup_teardown(test, open_header, close_header)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headers_round_trip),
        cmocka_unit_test(test_longest_header),
        cmocka_unit_test(test_header_without_round),
        ON_HEADER(test_malformed_words),
        ON_HEADER(test_malformed_times),
        ON_HEADER(test_lines_missing_or_out_of_order),
        ON_HEADER(test_entropy_in_order),
        ON_HEADER(test_blanks),
        ON_HEADER(test_too_many_seats),
        ON_HEADER(test_rulesets),
        ON_HEADER(test_other_components),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_bytes_of_a_line),
        cmocka_unit_test(test_chain_as_documented),
        cmocka_unit_test(test_entries_round_trip),
        cmocka_unit_test(test_every_entry_has_one_form),
        cmocka_unit_test(test_malformed_entries),
        cmocka_unit_test(test_faults_are_cut),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_names_in_nfc),
        cmocka_unit_test(test_malformed_utf8),
        cmocka_unit_test(test_name_lengths),
        ON_HEADER(test_percent_encoding),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_seed_depends_on_everything),
        cmocka_unit_test(test_seed_of_a_board),
        cmocka_unit_test(test_seed_as_documented),
        cmocka_unit_test(test_scopes),
        ON_HEADER(test_board_takes_no_entropy),
    };
    return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
