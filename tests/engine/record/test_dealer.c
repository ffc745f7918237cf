/* Co-dealers in records: what they prove, what is mixed into the seed, and every fault. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "tests/engine/support/roll.h"
#include "tests/test.h"

static struct record_fault fault;
static struct record_header header;
static uint8_t secret[32];

/* Number 5 has its own secret and entropy; number 7 plays board 2 of a round. */
static void make_header(uint32_t number, unsigned dealers)
{
    const struct game *game = catalog_newest(span_of("supermarche"));
    const struct game_options options = game_options_initial(game);
    roll_header(&header, game, game->seats_max, &options, number, secret);
    if (dealers > 0)
        roll_deal(&header, dealers);
}

/* ---- What is proved ---- */

TEST(test_input_as_documented)
{
    char bytes[DEALER_INPUT_MAX];
    char expected[DEALER_INPUT_MAX];
    struct text text = TEXT_OVER(bytes);
    struct text own = TEXT_OVER(expected);
    struct dealer_input input;
    struct dealer_input read;
    uint8_t hash[32];
    static const char entropy[] = "entropy 0 10\n";
    make_header(5, 0);
    dealer_input_of(&header, &input);
    dealer_input_print(&input, &text);
    crypto_hash_sha256(hash, (const unsigned char *)entropy, sizeof entropy - 1);
    text_add(&own, "tillroll dealer 1\n0190163d-8694-739b-aea5-966c26f8ad91\n");
    text_add_hex(&own, header.commitment, 32);
    text_add_char(&own, '\n');
    text_add_hex(&own, hash, 32);
    text_add_char(&own, '\n');
    assert_string_equal(bytes, expected);
    assert_true(dealer_input_read(text_span(&text), &read));
    assert_memory_equal(&read, &input, sizeof read);

    make_header(7, 0);
    dealer_input_of(&header, &input);
    text_clear(&text);
    text_clear(&own);
    dealer_input_print(&input, &text);
    text_add(&own, "tillroll dealer 1\n0190163d-8694-739b-aea5-966c26f8ad92/round/3\n");
    text_add_hex(&own, header.commitment, 32);
    text_add(&own, "\n-\n");
    assert_string_equal(bytes, expected);
    assert_true(dealer_input_read(text_span(&text), &read));
    assert_memory_equal(&read, &input, sizeof read);
}

#define ID   "0190163d-8694-739b-aea5-966c26f8ad91"
#define HASH "c95997f89b71c9024b1ef5169f6830f668e46caef346d0ebace94a24d656a4f0"

TEST(test_malformed_inputs)
{
    static const char *const good[] = {
        "tillroll dealer 1\n" ID "\n" HASH "\n-\n",
        "tillroll dealer 1\n" ID "\n" HASH "\n" HASH "\n",
        "tillroll dealer 1\n" ID "/round/4294967295\n" HASH "\n-\n",
    };
    static const char *const bad[] = {
        "",
        "tillroll dealer 1\n" ID "\n" HASH "\n-",
        "tillroll dealer 1\n" ID "\n" HASH "\n",
        "tillroll dealer 1\n" ID "\n" HASH "\n-\n\n",
        "tillroll dealer 1\n" ID "\n" HASH "\n-\nmore\n",
        "tillroll dealer 2\n" ID "\n" HASH "\n-\n",
        "club.example/log\n" ID "\n" HASH "\n-\n",
        "tillroll dealer 1\n" ID "x\n" HASH "\n-\n",
        "tillroll dealer 1\n" ID "/round/\n" HASH "\n-\n",
        "tillroll dealer 1\n" ID "/round/0\n" HASH "\n-\n",
        "tillroll dealer 1\n" ID "/round/01\n" HASH "\n-\n",
        "tillroll dealer 1\n" ID "/round/4294967296\n" HASH "\n-\n",
        "tillroll dealer 1\n" ID "/table/1\n" HASH "\n-\n",
        "tillroll dealer 1\nmine\n" HASH "\n-\n",
        "tillroll dealer 1\n" ID "\nC9" HASH "\n-\n",
        "tillroll dealer 1\n" ID "\n-\n-\n",
        "tillroll dealer 1\n" ID "\n" HASH "\n" HASH "0\n",
    };
    struct dealer_input input;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(dealer_input_read(span_of(good[i]), &input));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(dealer_input_read(span_of(bad[i]), &input));
}

/* ---- The seed ---- */

/* Written out by hand, from the description. */
TEST(test_seed_as_documented)
{
    char message[2048];
    struct text text = TEXT_OVER(message);
    uint8_t seed[CHANCE_SEED_BYTES];
    uint8_t expected[CHANCE_SEED_BYTES];
    make_header(5, 3);
    text_add(&text, "tillroll/seed/20190163d-8694-739b-aea5-966c26f8ad91-entropy 0 10\n");
    for (unsigned i = 0; i < 3; i++) {
        uint8_t output[ECVRF_OUTPUT];
        text_add(&text, "dealer ");
        text_add(&text, header.dealer[i].name);
        text_add_char(&text, ' ');
        text_add_hex(&text, header.dealer[i].key, 32);
        text_add_char(&text, ' ');
        if (i < 2) {
            assert_true(ecvrf_output(header.dealer[i].proof, output));
            text_add_hex(&text, output, sizeof output);
        } else {
            text_add(&text, "missing");
        }
        text_add_char(&text, '\n');
    }
    record_seed(&header, secret, seed);
    crypto_generichash(expected, sizeof expected, (const unsigned char *)message, text.length,
                       secret, sizeof secret);
    assert_memory_equal(seed, expected, sizeof seed);
}

/* The output counts, and not which of its proofs was sent. */
TEST(test_seed_depends_on_outputs)
{
    uint8_t seeds[4][CHANCE_SEED_BYTES];
    make_header(5, 0);
    record_seed(&header, secret, seeds[0]);
    make_header(5, 1);
    record_seed(&header, secret, seeds[1]);
    header.dealer[0].missing = true;
    record_seed(&header, secret, seeds[2]);
    make_header(5, 2);
    record_seed(&header, secret, seeds[3]);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < i; j++)
            assert_memory_not_equal(seeds[i], seeds[j], sizeof seeds[i]);
    header.dealer[0].proof[40] ^= 1; /* the challenge: no longer a proof that holds */
    record_seed(&header, secret, seeds[0]);
    assert_memory_equal(seeds[0], seeds[3], sizeof seeds[0]);
}

/* ---- Whole records ---- */

static struct roll roll;
static struct roll_lines lines;

static void write_record(uint32_t number, unsigned dealers)
{
    struct roll_writer writer;
    make_header(number, dealers);
    roll_begin(&writer, &roll, &header, secret, number);
    while (roll.replay.phase == REPLAY_PLAYING)
        roll_ply(&writer);
    while (roll_due(&writer))
        ;
    roll_end(&writer);
    roll_lines_of(&lines, roll_span(&roll));
}

static void drop_record(void)
{
    roll_lines_free(&lines);
    roll_free(&roll);
}

static enum replay_verdict verdict(void)
{
    static struct replay replay;
    struct text text = roll_chain(&lines);
    enum replay_verdict found = replay_verify(text_span(&text), NULL, &replay, &fault);
    free(text.at);
    return found;
}

static void assert_refused(size_t at, const char *code)
{
    assert_int_equal(verdict(), REPLAY_INVALID);
    assert_string_equal(fault.code, code);
    assert_int_equal(fault.line, at + 1);
}

/* Also of a record whose end is missing, so that nothing can be replayed. */
static void assert_word_refused(size_t at, size_t word, const char *value, const char *code)
{
    struct roll_line line = lines.line[at];
    size_t count = lines.count;
    roll_set_word(&lines, at, word, value);
    assert_refused(at, code);
    lines.count = roll_find(&lines, 0, "start ") + 1;
    assert_refused(at, code);
    lines.count = count;
    lines.line[at] = line;
}

TEST(test_records_are_valid)
{
    for (unsigned dealers = 0; dealers <= RECORD_DEALERS_MAX; dealers++)
        for (uint32_t number = 5; number <= 7; number += 2) {
            write_record(number, dealers);
            assert_int_equal(verdict(), REPLAY_VALID);
            assert_true(roll_packs(&roll.replay));
            drop_record();
        }
}

static void hex_of(const uint8_t *bytes, size_t size, char hex[static 2 * ECVRF_PROOF + 1])
{
    struct text text = {hex, 0, 2 * ECVRF_PROOF + 1, (hex[0] = '\0', false)};
    text_add_hex(&text, bytes, size);
}

/* A proof by dealer `number` for the header as it now is. */
static void prove(unsigned number, char hex[static 2 * ECVRF_PROOF + 1])
{
    uint8_t key[ECVRF_SECRET];
    uint8_t proof[ECVRF_PROOF];
    char bytes[DEALER_INPUT_MAX];
    struct text text = TEXT_OVER(bytes);
    struct dealer_input input;
    dealer_input_of(&header, &input);
    dealer_input_print(&input, &text);
    roll_dealer_secret(number, key);
    assert_true(ecvrf_prove(key, text_span(&text), proof));
    hex_of(proof, sizeof proof, hex);
}

TEST(test_wrong_proofs)
{
    char hex[2 * ECVRF_PROOF + 1];
    write_record(5, 2);
    size_t at = roll_find(&lines, 0, "dealer ");
    hex_of(header.dealer[1].proof, ECVRF_PROOF, hex);
    assert_word_refused(at, 3, hex, "wrong-proof"); /* another dealer's */
    hex_of(header.dealer[1].key, ECVRF_KEY, hex);
    assert_word_refused(at, 2, hex, "wrong-proof"); /* another dealer's key */
    header.commitment[0] ^= 1;
    prove(0, hex);
    assert_word_refused(at, 3, hex, "wrong-proof"); /* for another commitment */
    header.commitment[0] ^= 1;
    header.seat[0].entropy[0] ^= 1;
    prove(0, hex);
    assert_word_refused(at, 3, hex, "wrong-proof"); /* for other entropy */
    header.seat[0].entropy[0] ^= 1;
    header.game_id[0] ^= 1;
    prove(0, hex);
    assert_word_refused(at, 3, hex, "wrong-proof"); /* for another game */
    header.game_id[0] ^= 1;
    prove(0, hex);
    roll_set_word(&lines, at, 3, hex);
    assert_int_equal(verdict(), REPLAY_VALID);
    drop_record();
}

TEST(test_malformed_lines)
{
    static const char weak[] = "0100000000000000000000000000000000000000000000000000000000000000";
    char hex[2 * ECVRF_PROOF + 1];
    write_record(5, 3);
    size_t at = roll_find(&lines, 0, "dealer ");
    assert_word_refused(at, 2, weak, "bad-dealer-key");
    assert_word_refused(at + 2, 2, weak, "bad-dealer-key");
    assert_word_refused(at, 2, "00", "bad-line");
    assert_word_refused(at, 1, "Ada", "bad-line");
    assert_word_refused(at, 1, "-ada", "bad-line");
    assert_word_refused(at, 1, "the-name-of-a-dealer-can-be-longs", "bad-line");
    assert_word_refused(at + 1, 1, "0.example", "bad-line"); /* twice */
    assert_word_refused(at + 1, 1, "0-", "bad-line");        /* out of order */
    assert_word_refused(at, 3, "missed", "bad-proof");
    hex_of(header.dealer[0].proof, ECVRF_PROOF, hex);
    hex[2 * ECVRF_PROOF - 2] = 'f'; /* a number above the order of the group */
    assert_word_refused(at, 3, hex, "bad-proof");
    memcpy(hex, weak, sizeof weak - 1);
    assert_word_refused(at, 3, hex, "bad-proof");
    hex[2 * ECVRF_PROOF - 2] = '\0';
    assert_word_refused(at, 3, hex, "bad-proof");
    drop_record();
}

/* What was drawn is not what these dealers give. */
TEST(test_lines_cannot_be_dropped)
{
    for (unsigned dealer = 0; dealer < 3; dealer++) {
        write_record(5, 3);
        size_t at = roll_find(&lines, 0, "dealer ");
        roll_remove(&lines, at + dealer);
        assert_int_equal(verdict(), REPLAY_INVALID);
        assert_true(fault.line > roll_find(&lines, 0, "start "));
        drop_record();
    }
    write_record(5, 1);
    size_t at = roll_find(&lines, 0, "dealer ");
    roll_set_word(&lines, at, 3, "missing");
    assert_int_equal(verdict(), REPLAY_INVALID);
    drop_record();
}

TEST(test_six_are_too_many)
{
    write_record(5, RECORD_DEALERS_MAX);
    size_t at = roll_find(&lines, 0, "dealer ") + RECORD_DEALERS_MAX;
    char line[RECORD_LINE_MAX + 1];
    memcpy(line, lines.line[at - 1].bytes, sizeof line);
    line[strlen("dealer ")] = 'z';
    roll_insert(&lines, at, line);
    assert_refused(at, "bad-line");
    drop_record();
}

int main(void)
{
    return sodium_init() < 0 ? 1 : run_all_tests(NULL, NULL);
}
