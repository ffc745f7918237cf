/* Disputes: each step in each state, who may take it, and the chain over them. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/record/dispute.h"
#include "tests/test.h"

#define ID    "01a10000-0000-7000-8000-000000000001"
#define GAME  "01a10000-0000-7000-8000-000000000002"
#define EVENT "01a10000-0000-7000-8000-000000000003"
#define ADA   "01a10000-0000-7000-8000-00000000000a"
#define BEN   "01a10000-0000-7000-8000-00000000000b"
#define OLGA  "01a10000-0000-7000-8000-00000000000c" /* rules first */
#define PIA   "01a10000-0000-7000-8000-00000000000d" /* rules on appeals */
#define ZOE   "01a10000-0000-7000-8000-00000000000e" /* opened it, and does not play */

#define OPENED                                                                                     \
    "{\"claim\":\"rules\",\"entry\":7,\"event\":\"" EVENT "\",\"game\":\"" GAME                    \
    "\",\"players\":[\"" ADA "\",\"" BEN "\"],\"text\":\"Look at ply 7.\"}"
#define RULED(orders, resumed)                                                                     \
    "{\"appeal_until\":5000,\"code\":\"legal\",\"orders\":" orders                                 \
    ",\"reason\":\"It was legal.\",\"resumed\":" resumed "}"
#define STANDS  RULED("[{\"order\":\"stands\"}]", "true")
#define UPHELD  RULED("[{\"order\":\"upheld\"}]", "true")
#define APPEAL  "{\"text\":\"It was not.\"}"
#define NOTHING "{}"

static struct dispute dispute;
static int64_t clock_ms;

/* Takes a step, which has to be taken, or refused with `code` and nothing changed. */
static void take(const char *actor, const char *kind, const char *detail, const char *code)
{
    struct refusal refusal = {"", ""};
    struct dispute before = dispute;
    json_t *object = json_loads(detail, 0, NULL);
    assert_non_null(object);
    const struct dispute_step step = {.number = dispute.steps + 1,
                                      .at_ms = clock_ms,
                                      .actor = actor,
                                      .kind = kind,
                                      .detail = object};
    bool taken = dispute_apply(&dispute, &step, &refusal);
    json_decref(object);
    if (strcmp(refusal.code, code) != 0)
        fail_msg("%s: `%s` (%s) instead of `%s`", kind, refusal.code, refusal.message, code);
    assert_int_equal(taken, code[0] == '\0');
    if (taken)
        assert_memory_not_equal(dispute.head, before.head, sizeof before.head);
    else
        assert_memory_equal(&dispute, &before, sizeof before);
}

static void open_dispute(const char *actor)
{
    clock_ms = 1000;
    dispute_init(&dispute, ID);
    take(actor, "opened", OPENED, "");
}

static void expect(enum dispute_state state, bool frozen)
{
    assert_int_equal(dispute.state, state);
    assert_int_equal(dispute.frozen, frozen);
}

TEST(test_opening)
{
    dispute_init(&dispute, ID);
    clock_ms = 1000;
    take(ADA, "frozen", NOTHING, "bad-dispute-step");
    take(ADA, "opened", NOTHING, "bad-dispute-step");
    take(ADA, "opened",
         "{\"claim\":\"weather\",\"entry\":7,\"event\":null,\"game\":\"" GAME
         "\",\"players\":[\"" ADA "\"],\"text\":\"x\"}",
         "bad-dispute-step");
    take(ADA, "opened",
         "{\"claim\":\"rules\",\"entry\":-1,\"event\":null,\"game\":\"" GAME
         "\",\"players\":[\"" ADA "\"],\"text\":\"x\"}",
         "bad-dispute-step");
    take(ADA, "opened",
         "{\"claim\":\"rules\",\"entry\":7,\"event\":null,\"game\":\"" GAME
         "\",\"players\":[],\"text\":\"x\"}",
         "bad-dispute-step");
    take(ADA, "opened",
         "{\"claim\":\"rules\",\"entry\":7,\"event\":null,\"game\":\"" GAME "\",\"players\":[\"" ADA
         "\"],\"text\":\"\"}",
         "bad-dispute-step");
    take("nobody", "opened", OPENED, "bad-dispute-step");
    take(ADA, "opened", OPENED, "");
    expect(DISPUTE_OPEN, false);
    assert_string_equal(dispute.game, GAME);
    assert_string_equal(dispute.event, EVENT);
    assert_string_equal(dispute.claim, "rules");
    assert_string_equal(dispute.opener, ADA);
    assert_int_equal(dispute.entry, 7);
    assert_true(dispute_is_player(&dispute, BEN));
    assert_false(dispute_is_player(&dispute, OLGA));
    take(ADA, "opened", OPENED, "wrong-dispute-state");
    take(ADA, "reopened", NOTHING, "bad-dispute-step");
    clock_ms = 999;
    take(OLGA, "frozen", NOTHING, "bad-dispute-step");
}

/* What is refused in each state, and by whom. */
TEST(test_open)
{
    open_dispute(ADA);
    take(OLGA, "resumed", NOTHING, "wrong-dispute-state");
    take(ADA, "appealed", APPEAL, "wrong-dispute-state");
    take(OLGA, "closed", NOTHING, "wrong-dispute-state");
    take(BEN, "frozen", NOTHING, "party-to-dispute");
    take(ADA, "ruled", STANDS, "party-to-dispute");
    take(BEN, "withdrawn", NOTHING, "not-your-dispute");
    take(OLGA, "withdrawn", NOTHING, "not-your-dispute");
    take(OLGA, "frozen", "{\"x\":1}", "bad-dispute-step");
    take(ADA, "withdrawn", NOTHING, "");
    expect(DISPUTE_CLOSED, false);
}

TEST(test_frozen)
{
    open_dispute(ADA);
    take(OLGA, "frozen", NOTHING, "");
    expect(DISPUTE_FROZEN, true);
    take(PIA, "frozen", NOTHING, "wrong-dispute-state");
    take(ADA, "resumed", NOTHING, "party-to-dispute");
    take(ADA, "appealed", APPEAL, "wrong-dispute-state");
    take(OLGA, "closed", NOTHING, "wrong-dispute-state");
    take(PIA, "resumed", NOTHING, "");
    expect(DISPUTE_OPEN, false);
    take(OLGA, "frozen", NOTHING, "");
    take(ADA, "withdrawn", NOTHING, "");
    expect(DISPUTE_CLOSED, false);
}

TEST(test_ruled)
{
    open_dispute(ADA);
    take(OLGA, "frozen", NOTHING, "");
    take(OLGA, "ruled", UPHELD, "bad-dispute-step");
    take(OLGA, "ruled", RULED("[{\"order\":\"takeback\",\"entry\":7}]", "false"), "");
    expect(DISPUTE_RULED, true);
    assert_string_equal(dispute.arbiter, OLGA);
    assert_int_equal(dispute.appeal_until_ms, 5000);
    take(OLGA, "ruled", STANDS, "wrong-dispute-state");
    take(OLGA, "frozen", NOTHING, "wrong-dispute-state");
    take(ADA, "withdrawn", NOTHING, "wrong-dispute-state");
    take(OLGA, "closed", NOTHING, "wrong-dispute-state");
    take(OLGA, "resumed", NOTHING, "");
    expect(DISPUTE_RULED, false);
    take(OLGA, "resumed", NOTHING, "wrong-dispute-state");
    take(OLGA, "closed", NOTHING, "appeal-possible");
    clock_ms = 5001;
    take(BEN, "closed", NOTHING, "party-to-dispute");
    take(BEN, "appealed", APPEAL, "too-late");
    take(OLGA, "closed", NOTHING, "");
    expect(DISPUTE_CLOSED, false);
}

/* Over a finished game nothing is frozen. */
TEST(test_ruled_at_once)
{
    open_dispute(ZOE);
    take(ZOE, "ruled", STANDS, "");
    expect(DISPUTE_RULED, false);
}

TEST(test_appealed)
{
    open_dispute(ZOE);
    take(OLGA, "ruled", STANDS, "");
    take(PIA, "appealed", APPEAL, "not-your-dispute");
    take(BEN, "appealed", NOTHING, "bad-dispute-step");
    clock_ms = 5000;
    take(BEN, "appealed", APPEAL, "");
    expect(DISPUTE_APPEALED, false);
    assert_string_equal(dispute.appellant, BEN);
    take(ADA, "appealed", APPEAL, "wrong-dispute-state");
    take(PIA, "closed", NOTHING, "wrong-dispute-state");
    take(ZOE, "withdrawn", NOTHING, "not-your-dispute");
    take(OLGA, "ruled", UPHELD, "same-arbiter");
    take(ZOE, "ruled", UPHELD, "party-to-dispute");
    take(BEN, "ruled", UPHELD, "party-to-dispute");
    take(PIA, "frozen", NOTHING, "");
    expect(DISPUTE_APPEALED, true);
    take(PIA, "ruled", RULED("[{\"order\":\"void\"}]", "false"), "bad-dispute-step");
    take(PIA, "ruled", UPHELD, "");
    expect(DISPUTE_CLOSED, false);
    static const char *const kinds[] = {"frozen", "resumed", "withdrawn", "closed"};
    for (size_t i = 0; i < 4; i++)
        take(PIA, kinds[i], NOTHING, "wrong-dispute-state");
    take(PIA, "ruled", STANDS, "wrong-dispute-state");
    take(BEN, "appealed", APPEAL, "wrong-dispute-state");
}

TEST(test_appeal_withdrawn)
{
    open_dispute(ADA);
    take(OLGA, "ruled", STANDS, "");
    take(BEN, "appealed", APPEAL, "");
    take(PIA, "frozen", NOTHING, "");
    take(ADA, "withdrawn", NOTHING, "not-your-dispute");
    take(BEN, "withdrawn", NOTHING, "");
    expect(DISPUTE_CLOSED, false);
    assert_string_equal(dispute.arbiter, OLGA);
}

TEST(test_steps_are_counted)
{
    open_dispute(ADA);
    while (dispute.steps < DISPUTE_STEPS_MAX)
        take(OLGA, dispute.frozen ? "resumed" : "frozen", NOTHING, "");
    take(OLGA, dispute.frozen ? "resumed" : "frozen", NOTHING, "bad-dispute-step");
}

/* ---- Orders ---- */

static bool read_orders(const char *list, bool appeal)
{
    struct dispute_order orders[DISPUTE_ORDERS_MAX];
    size_t count;
    const char *message = NULL;
    json_t *array = json_loads(list, JSON_DECODE_ANY, NULL);
    assert_non_null(array);
    bool good = dispute_read_orders(array, 3, appeal, orders, &count, &message);
    if (good) {
        json_t *again = dispute_write_orders(orders, count);
        assert_true(json_equal(array, again));
        json_decref(again);
    } else {
        assert_non_null(message);
    }
    json_decref(array);
    return good;
}

TEST(test_orders)
{
    static const char *const good[] = {
        "[{\"order\":\"stands\"}]",
        "[{\"order\":\"replay\"}]",
        "[{\"order\":\"void\"}]",
        "[{\"order\":\"takeback\",\"entry\":1}]",
        "[{\"order\":\"takeback\",\"entry\":65535},{\"order\":\"adjust\",\"seat\":2,\"points\":-5}"
        "]",
        "[{\"order\":\"forfeit\",\"seat\":0},{\"order\":\"forfeit\",\"seat\":1},"
        "{\"order\":\"adjust\",\"seat\":2,\"points\":1000000}]",
    };
    static const char *const bad[] = {
        "[]",
        "{}",
        "1",
        "[1]",
        "[{}]",
        "[{\"order\":1}]",
        "[{\"order\":\"hang\"}]",
        "[{\"order\":\"stands\",\"seat\":1}]",
        "[{\"order\":\"stands\"},{\"order\":\"void\"}]",
        "[{\"order\":\"forfeit\",\"seat\":0},{\"order\":\"replay\"}]",
        "[{\"order\":\"takeback\",\"entry\":0}]",
        "[{\"order\":\"takeback\",\"entry\":65536}]",
        "[{\"order\":\"takeback\"}]",
        "[{\"order\":\"takeback\",\"entry\":\"1\"}]",
        "[{\"order\":\"takeback\",\"entry\":1},{\"order\":\"takeback\",\"entry\":1}]",
        "[{\"order\":\"forfeit\",\"seat\":0},{\"order\":\"takeback\",\"entry\":1}]",
        "[{\"order\":\"forfeit\",\"seat\":3}]",
        "[{\"order\":\"forfeit\",\"seat\":-1}]",
        "[{\"order\":\"forfeit\"}]",
        "[{\"order\":\"adjust\",\"seat\":0,\"points\":0}]",
        "[{\"order\":\"adjust\",\"seat\":0,\"points\":1000001}]",
        "[{\"order\":\"adjust\",\"seat\":0,\"points\":-1000001}]",
        "[{\"order\":\"adjust\",\"seat\":0,\"points\":4294967297}]",
        "[{\"order\":\"adjust\",\"seat\":0,\"points\":1.5}]",
        "[{\"order\":\"adjust\",\"seat\":3,\"points\":1}]",
        "[{\"order\":\"adjust\",\"seat\":0,\"points\":1,\"why\":1}]",
        "[{\"order\":\"forfeit\",\"seat\":0},{\"order\":\"forfeit\",\"seat\":0},"
        "{\"order\":\"forfeit\",\"seat\":0},{\"order\":\"forfeit\",\"seat\":0},"
        "{\"order\":\"forfeit\",\"seat\":0},{\"order\":\"forfeit\",\"seat\":0},"
        "{\"order\":\"forfeit\",\"seat\":0}]",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(read_orders(good[i], false));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (read_orders(bad[i], true))
            fail_msg("%s", bad[i]);
    assert_false(read_orders("[{\"order\":\"upheld\"}]", false));
    assert_true(read_orders("[{\"order\":\"upheld\"}]", true));
}

TEST(test_rulings_are_whole)
{
    static const char *const bad[] = {
        NOTHING,
        "{\"appeal_until\":-1,\"code\":\"legal\",\"orders\":[{\"order\":\"stands\"}],"
        "\"reason\":\"x\",\"resumed\":true}",
        "{\"appeal_until\":1,\"code\":\"Not legal\",\"orders\":[{\"order\":\"stands\"}],"
        "\"reason\":\"x\",\"resumed\":true}",
        "{\"appeal_until\":1,\"code\":\"legal\",\"orders\":[],\"reason\":\"x\",\"resumed\":true}",
        "{\"appeal_until\":1,\"code\":\"legal\",\"orders\":[{\"order\":\"stands\"}],"
        "\"reason\":\"\",\"resumed\":true}",
        "{\"appeal_until\":1,\"code\":\"legal\",\"orders\":[{\"order\":\"stands\"}],"
        "\"reason\":\"x\",\"resumed\":1}",
        "{\"appeal_until\":1,\"code\":\"legal\",\"orders\":[{\"order\":\"replay\"}],"
        "\"reason\":\"x\",\"replayed_as\":\"it\",\"resumed\":true}",
    };
    open_dispute(ADA);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        take(OLGA, "ruled", bad[i], "bad-dispute-step");
    take(OLGA, "ruled",
         "{\"appeal_until\":1,\"code\":\"legal\",\"orders\":[{\"order\":\"replay\"}],"
         "\"reason\":\"x\",\"replayed_as\":\"" GAME "\",\"resumed\":true}",
         "");
}

/* ---- The chain ---- */

static void print(const struct dispute_step *step, char bytes[static 1024], const char *wanted)
{
    struct text line = {bytes, 0, 1024, false};
    bytes[0] = '\0';
    assert_true(dispute_print(step, &line));
    assert_string_equal(bytes, wanted);
}

/* The next value of the chain, as anybody would reckon it who has the line. */
static void chain(uint8_t hash[static 32], const char *line)
{
    static char bytes[DISPUTE_LINE_MAX + 128];
    char hex[65];
    struct text text = TEXT_OVER(bytes);
    sodium_bin2hex(hex, sizeof hex, hash, 32);
    text_add(&text, hex);
    text_add_char(&text, ' ');
    text_add(&text, line);
    text_add_char(&text, '\n');
    assert_false(text.overflow);
    crypto_hash_sha256(hash, (const unsigned char *)bytes, text.length);
}

TEST(test_chain)
{
    static const char first[] = "tillroll dispute 1 " ID "\n";
    uint8_t hash[32];
    char line[1024];
    open_dispute(ADA);
    crypto_hash_sha256(hash, (const unsigned char *)first, strlen(first));
    json_t *detail = json_loads(OPENED, 0, NULL);
    print(&(struct dispute_step){1, 1000, ADA, "opened", detail}, line,
          "1 1000 " ADA " opened " OPENED);
    json_decref(detail);
    chain(hash, line);
    assert_memory_equal(hash, dispute.head, sizeof hash);
}

TEST(test_lines_are_read_as_written)
{
    static const char *const bad[] = {
        "",
        "1",
        "1 2 " ADA " closed",
        "01 2 " ADA " closed {}",
        "0 2 me closed {}",
        "1 -2 " ADA " closed {}",
        "1 2 " ADA " closed { }",
        "1 2 " ADA "  closed {}",
        "1 2 " ADA " closed {}\n",
        "1 2 " ADA " closed {\"b\":1,\"a\":2}",
        "1 2 " ADA " closed {\"a\":1,\"a\":1}",
        "1 2 " ADA " closed {\"a\":\"\xc3\xa4\"}",
        "65 2 " ADA " closed {}",
        "1 2 " ADA " a-word-that-is-rather-too-long {}",
    };
    char actor[RECORD_ID_LENGTH + 1];
    char kind[DISPUTE_CLAIM_MAX];
    struct dispute_step step;
    json_t *detail;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (dispute_read(span_of(bad[i]), &step, &detail, actor, kind))
            fail_msg("%s", bad[i]);
        assert_null(detail);
    }
    assert_true(dispute_read(span_of("3 1000 " ADA " appealed {\"text\":\"\\u00E4 \\\"x\\\"\"}"),
                             &step, &detail, actor, kind));
    assert_int_equal(step.number, 3);
    assert_int_equal(step.at_ms, 1000);
    assert_string_equal(step.actor, ADA);
    assert_string_equal(step.kind, "appealed");
    assert_string_equal(json_string_value(json_object_get(step.detail, "text")), "\xc3\xa4 \"x\"");
    json_decref(detail);
}

/* The longest texts there can be fit into a line, and the chain is over all of it. */
TEST(test_longest_line)
{
    static char bytes[DISPUTE_LINE_MAX];
    struct text line = TEXT_OVER(bytes);
    uint8_t hash[32];
    char *text = malloc(DISPUTE_TEXT_MAX + 1);
    assert_non_null(text);
    for (size_t i = 0; i < DISPUTE_TEXT_MAX; i += 2)
        memcpy(text + i, "\xc3\xa4", 2);
    text[DISPUTE_TEXT_MAX] = '\0';
    open_dispute(ADA);
    take(OLGA, "ruled", STANDS, "");
    struct refusal refusal;
    json_t *detail = json_pack("{s:s}", "text", text);
    const struct dispute_step step = {3, clock_ms, ADA, "appealed", detail};
    memcpy(hash, dispute.head, sizeof hash);
    assert_true(dispute_apply(&dispute, &step, &refusal));
    assert_true(dispute_print(&step, &line));
    assert_true(line.length > 6 * DISPUTE_TEXT_MAX / 2);
    chain(hash, bytes);
    assert_memory_equal(hash, dispute.head, sizeof hash);
    json_decref(detail);
    free(text);
}

TEST(test_words)
{
    size_t count = 0;
    while (dispute_claim(count) != NULL)
        assert_true(strlen(dispute_claim(count++)) < DISPUTE_CLAIM_MAX);
    assert_int_equal(count, 9);
    assert_string_equal(dispute_state_name(DISPUTE_CLOSED), "closed");
    assert_string_equal(dispute_order_name(DISPUTE_VOID), "void");
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
