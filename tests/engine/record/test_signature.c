/* Signatures beside a record. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/record/signature.h"
#include "tests/engine/support/roll.h"
#include "tests/test.h"

static struct record_fault fault;
static struct signature_count count;

static void write_game(struct roll *roll, const char *slug, unsigned seats, uint32_t number)
{
    const struct game *game = catalog_newest(span_of(slug));
    struct game_options options = game_options_initial(game);
    roll_write(roll, game, seats, &options, number, ROLL_EVENTFUL);
}

static void assert_bad(struct span record, const char *signatures, uint32_t line, const char *code)
{
    if (signature_check(record, span_of(signatures), &count, &fault))
        fail_msg("accepted:\n%.300s", signatures);
    assert_string_equal(fault.code, code);
    assert_int_equal(fault.line, line);
}

TEST(test_what_is_signed)
{
    char bytes[SIGNATURE_MESSAGE_MAX];
    struct text message = TEXT_OVER(bytes);
    uint8_t head[32];
    memset(head, 0xab, sizeof head);
    signature_message("0190163d-8694-739b-aea5-966c26f8ad91", head, 3, span_of("undo 17"),
                      &message);
    assert_string_equal(bytes, "tillroll move\n0190163d-8694-739b-aea5-966c26f8ad91\n"
                               "abababababababababababababababababababababababababababababababab\n"
                               "3\nundo 17\n");
}

TEST(test_signatures_hold)
{
    unsigned good = 0;
    for (uint32_t number = 0; number < 30; number++) {
        struct roll roll;
        write_game(&roll, number % 2 == 0 ? "mall-world" : "shinjuku", 3, number);
        for (unsigned leave_out = 0; leave_out < 4; leave_out += 3) {
            struct text signatures = roll_sign(roll_span(&roll), leave_out);
            if (!signature_check(roll_span(&roll), text_span(&signatures), &count, &fault))
                fail_msg("game %u: line %u: %s", (unsigned)number, (unsigned)fault.line,
                         fault.message);
            if (leave_out == 0)
                assert_int_equal(count.good, count.plies);
            else
                assert_true(count.good <= count.plies);
            good += count.good;
            free(signatures.at);
        }
        roll_free(&roll);
    }
    assert_true(good > 1000);
}

/* A signature for one decision holds for no other. */
TEST(test_a_signature_holds_for_one_ply)
{
    struct roll roll;
    write_game(&roll, "shinjuku", 2, 8);
    struct text signatures = roll_sign(roll_span(&roll), 0);
    struct span lines = text_span(&signatures);
    struct span line[50];
    size_t found = 0;
    while (found < 50 && span_line(&lines, &line[found]))
        found += memcmp(line[found].at, "entropy ", 8) != 0;
    assert_true(found > 40);
    for (size_t i = 2; i < found; i++)
        for (size_t j = 2; j < found; j++) {
            char bytes[400];
            struct text forged = TEXT_OVER(bytes);
            struct span rest = line[j];
            struct span seq = line[i];
            text_add_span(&forged, line[0]);
            text_add_char(&forged, '\n');
            text_add_span(&forged, line[1]);
            text_add_char(&forged, '\n');
            text_add_span(&forged, span_word(&seq));
            text_add_char(&forged, ' ');
            span_word(&rest);
            text_add_span(&forged, rest);
            text_add_char(&forged, '\n');
            if (i == j)
                assert_true(signature_check(roll_span(&roll), span_of(bytes), &count, &fault));
            else
                assert_bad(roll_span(&roll), bytes, 3, "bad-signature");
        }
    free(signatures.at);
    roll_free(&roll);
}

TEST(test_form)
{
#define HEAD "tillroll signatures 1\ngame 0190163d-8694-739b-aea5-966c26f8ad91\n"
    struct roll roll;
    write_game(&roll, "shinjuku", 2, 3);
    struct span record = roll_span(&roll);
    assert_true(signature_check(record, span_of(HEAD), &count, &fault));
    assert_int_equal(count.good, 0);
    assert_bad(record, "", 1, "bad-line");
    assert_bad(record, "tillroll signatures 1", 1, "bad-line");
    assert_bad(record, "tillroll signatures 2\n", 1, "bad-line");
    assert_bad(record, "tillroll signatures 1\n", 2, "bad-line");
    assert_bad(record, "tillroll signatures 1\ngame 0190163d-8694-739b-aea5-966c26f8ad90\n", 2,
               "bad-line");
    assert_bad(record, HEAD "\n", 3, "bad-line");
    assert_bad(record, HEAD "1\n", 3, "bad-line");
    assert_bad(record, HEAD "1 00\n", 3, "bad-line");
    struct text all = roll_sign(record, 0);
    uint32_t lines = 0;
    for (size_t i = 0; i < all.length; i++)
        lines += all.at[i] == '\n';
    all.at[--all.length] = '\0';
    assert_bad(record, all.at, lines, "bad-line"); /* without its line feed */
    const char *last = strrchr(all.at, '\n');
    static char bytes[200000];
    struct text twice = TEXT_OVER(bytes);
    text_add(&twice, all.at);
    text_add(&twice, last);
    text_add_char(&twice, '\n');
    assert_bad(record, bytes, lines + 1, "bad-line");
    free(all.at);
    roll_free(&roll);
}

static const char zeros[] = "00000000000000000000000000000000000000000000000000000000000000000"
                            "000000000000000000000000000000000000000000000000000000000000000";

/* For entries that are none, or that nobody could sign. */
TEST(test_nothing_to_sign)
{
    struct roll roll;
    char bytes[400];
    assert_int_equal(strlen(zeros), 128);
    write_game(&roll, "shinjuku", 2, 8);
    snprintf(bytes, sizeof bytes, HEAD "65535 %s\n", zeros);
    assert_bad(roll_span(&roll), bytes, 3, "bad-line");

    struct roll_lines lines;
    roll_lines_of(&lines, roll_span(&roll));
    size_t first = roll_find(&lines, 0, "start ") + 1;
    size_t ply = first;
    struct record_entry entry;
    do
        assert_true(record_read_entry(span_of(lines.line[ply++].bytes), &entry, &fault));
    while (entry.kind != RECORD_PLY || entry.seat != 1);
    snprintf(bytes, sizeof bytes, HEAD "%u %s\n", (unsigned)entry.seq, zeros);
    assert_bad(roll_span(&roll), bytes, 3, "no-key");
    size_t reveal = roll_find(&lines, first, " reveal ");
    snprintf(bytes, sizeof bytes, HEAD "%zu %s\n", reveal - first + 1, zeros);
    assert_bad(roll_span(&roll), bytes, 3, "no-key");
    roll_lines_free(&lines);
    roll_free(&roll);
}

/* The entropy of a seat is signed together with the commitment: another commitment, made later,
 * would not fit. */
TEST(test_entropy_came_after_the_commitment)
{
    static struct replay replay;
    struct roll roll;
    write_game(&roll, "shinjuku", 3, 6);
    struct text signatures = roll_sign(roll_span(&roll), 1);
    assert_true(signature_check(roll_span(&roll), text_span(&signatures), &count, &fault));
    assert_int_equal(count.entropy, 2);
    assert_int_equal(count.good, 0);

    struct roll_lines lines;
    roll_lines_of(&lines, roll_span(&roll));
    size_t commit = roll_find(&lines, 0, "commit ");
    char *digit = &lines.line[commit].bytes[10];
    char before = *digit;
    *digit = before == '0' ? '1' : '0';
    struct text later = roll_chain(&lines);
    assert_bad(text_span(&later), signatures.at, 3, "bad-signature");
    free(later.at);
    *digit = before;
    struct roll_line swapped = lines.line[commit];
    lines.line[commit] = lines.line[commit + 1];
    lines.line[commit + 1] = swapped;
    later = roll_chain(&lines);
    assert_int_equal(replay_verify(text_span(&later), NULL, &replay, &fault), REPLAY_INVALID);
    assert_string_equal(fault.code, "bad-line");
    assert_int_equal(fault.line, commit + 1);
    free(later.at);
    roll_lines_free(&lines);

    char *second = strchr(strstr(signatures.at, "entropy 0"), '\n') + 1;
    second[8] = '1';
    assert_bad(roll_span(&roll), signatures.at, 4, "no-key");
    second[8] = '0';
    assert_bad(roll_span(&roll), signatures.at, 4, "bad-line");
    second[8] = '3';
    assert_bad(roll_span(&roll), signatures.at, 4, "bad-line");
    free(signatures.at);
    roll_free(&roll);
}

TEST(test_damaged_records)
{
    struct roll roll;
    write_game(&roll, "shinjuku", 2, 3);
    struct text signatures = roll_sign(roll_span(&roll), 0);
    roll.bytes[roll.length / 2] ^= 1;
    assert_false(signature_check(roll_span(&roll), text_span(&signatures), &count, &fault));
    assert_int_equal(fault.line, 0);
    assert_false(signature_check(span_of("x\n"), text_span(&signatures), &count, &fault));
    assert_int_equal(fault.line, 0);
    free(signatures.at);
    roll_free(&roll);
}

/* The text of signatures with one by an official, of `act` at `head`. */
static void sign_act(const char *game, uint32_t seq, const char *official, const uint8_t head[32],
                     struct span act, struct text *text)
{
    char bytes[SIGNATURE_MESSAGE_MAX + RECORD_LINE_MAX];
    struct text message = TEXT_OVER(bytes);
    uint8_t secret_key[64];
    struct signature signature = {.kind = SIGNATURE_OF_OFFICIAL, .number = seq};
    memcpy(signature.official, official, sizeof signature.official);
    roll_key(0, signature.key, secret_key);
    signature_official_message(game, head, official, act, &message);
    crypto_sign_detached(signature.bytes, NULL, (const unsigned char *)message.at, message.length,
                         secret_key);
    text_clear(text);
    signature_print_first(game, text);
    signature_print(&signature, text);
}

/* Each act of an official, signed as the game was before it, or as it was earlier. */
static unsigned check_acts(struct span record)
{
    static const char other[] = "0190163d-8694-739b-aea5-966c26f8adff";
    struct record_header header;
    struct record_entry entry, last = {.kind = RECORD_PLY};
    uint8_t hash[32], head[32], before[32];
    uint32_t lines;
    unsigned acts = 0;
    struct span rest = record, line;
    assert_true(record_read_header(&rest, &header, hash, &lines, &fault));
    memcpy(head, hash, sizeof head);
    for (; span_line(&rest, &line); last = entry) {
        char bytes[2 * RECORD_LINE_MAX];
        struct text text = TEXT_OVER(bytes);
        memcpy(before, head, sizeof before);
        memcpy(head, hash, sizeof head);
        if (!record_chain_check(hash, &line, &fault) || !record_read_entry(line, &entry, &fault))
            break;
        const char *official = entry.kind == RECORD_RULING ? entry.by : other;
        struct span act = signature_act(line);
        sign_act(header.game_id, entry.seq, official, head, act, &text);
        if (!signature_is_act(&entry)) {
            assert_bad(record, bytes, 3, SIGNATURE_FAULT_OFFICIAL);
            continue;
        }
        acts++;
        assert_true(signature_check(record, span_of(bytes), &count, &fault));
        assert_int_equal(count.officials, 1);
        assert_int_equal(count.good, 0);
        sign_act(header.game_id, entry.seq, official, head, span_of("forfeit 9"), &text);
        assert_bad(record, bytes, 3, SIGNATURE_FAULT_OFFICIAL);
        if (entry.kind == RECORD_RULING) {
            sign_act(header.game_id, entry.seq, other, head, act, &text);
            assert_bad(record, bytes, 3, SIGNATURE_FAULT_OFFICIAL);
        }
        bool same_request = entry.kind == RECORD_RULING && last.kind == RECORD_RULING &&
                            last.elapsed_ms == entry.elapsed_ms && strcmp(last.by, entry.by) == 0;
        sign_act(header.game_id, entry.seq, official, before, act, &text);
        if (same_request)
            assert_true(signature_check(record, span_of(bytes), &count, &fault));
        else if (memcmp(before, head, sizeof head) != 0)
            assert_bad(record, bytes, 3, SIGNATURE_FAULT_STALE);
    }
    return acts;
}

TEST(test_officials)
{
    unsigned acts = 0;
    for (uint32_t number = 0; number < 12; number++) {
        struct roll roll;
        write_game(&roll, "shinjuku", 3, number);
        acts += check_acts(roll_span(&roll));
        roll_free(&roll);
    }
    assert_true(acts > 12);
}

int main(void)
{
    return sodium_init() < 0 ? 1 : run_all_tests(NULL, NULL);
}
