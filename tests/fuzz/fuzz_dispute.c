/* The log of a dispute: a line of input is a letter for who takes the step, a digit for how long
 * after the one before, a blank, a kind, a blank and a detail in which <c> stands for the id of c.
 * Lines that begin with `!` are lines of a log as they are. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/record/dispute.h"
#include "support.h"

enum { LINES_MOST = 100, KIND_ROOM = 32, DETAIL_ROOM = DISPUTE_LINE_MAX };

#define ID "01a10000-0000-7000-8000-000000000001"

static const char *id_of(char letter)
{
    static char id[] = "01a10000-0000-7000-8000-00000000000a";
    id[sizeof id - 2] = letter;
    return id;
}

static bool is_person(char letter)
{
    return letter >= 'a' && letter < 'a' + 6;
}

/* The detail of a line, or NULL. */
static json_t *read_detail(struct span from)
{
    static char bytes[DETAIL_ROOM];
    struct text text = TEXT_OVER(bytes);
    for (size_t i = 0; i < from.length; i++) {
        bool person = i + 2 < from.length && from.at[i] == '<' && is_person(from.at[i + 1]) &&
                      from.at[i + 2] == '>';
        if (!person) {
            text_add_char(&text, from.at[i]);
            continue;
        }
        text_add_char(&text, '"');
        text_add(&text, id_of(from.at[i + 1]));
        text_add_char(&text, '"');
        i += 2;
    }
    return text.overflow ? NULL : json_loadb(text.at, text.length, JSON_REJECT_DUPLICATES, NULL);
}

/* ---- What must hold ---- */

/* Which states may follow each other; a step may also leave the state as it is. */
static bool may_follow(enum dispute_state before, enum dispute_state after)
{
    static const uint8_t after_of[DISPUTE_STATES] = {
        [DISPUTE_OPEN] = 1U << DISPUTE_FROZEN | 1U << DISPUTE_RULED | 1U << DISPUTE_CLOSED,
        [DISPUTE_FROZEN] = 1U << DISPUTE_OPEN | 1U << DISPUTE_RULED | 1U << DISPUTE_CLOSED,
        [DISPUTE_RULED] = 1U << DISPUTE_APPEALED | 1U << DISPUTE_CLOSED,
        [DISPUTE_APPEALED] = 1U << DISPUTE_CLOSED,
        [DISPUTE_CLOSED] = 0,
    };
    return before == after || (after_of[before] >> after & 1) != 0;
}

static bool is(const char *actor, const char *other)
{
    return strcmp(actor, other) == 0;
}

/* Nobody decides in their own cause, and an appeal goes to somebody else. */
static void check_actor(const struct dispute *before, const struct dispute_step *step)
{
    bool decides = is(step->kind, "frozen") || is(step->kind, "resumed") ||
                   is(step->kind, "ruled") || is(step->kind, "closed");
    bool appeal = is(step->kind, "ruled") && before->state == DISPUTE_APPEALED;
    FUZZ_MUST(!decides || !dispute_is_player(before, step->actor));
    FUZZ_MUST(!appeal || (!is(step->actor, before->arbiter) && !is(step->actor, before->opener) &&
                          !is(step->actor, before->appellant)));
    FUZZ_MUST(!is(step->kind, "appealed") || is(step->actor, before->opener) ||
              dispute_is_player(before, step->actor));
}

/* The chain as a stranger reckons it. */
static void check_chain(const struct dispute *before, const struct dispute *after, struct span line)
{
    crypto_hash_sha256_state state;
    uint8_t hash[32];
    char hex[65];
    sodium_bin2hex(hex, sizeof hex, before->head, sizeof before->head);
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)hex, 64);
    crypto_hash_sha256_update(&state, (const unsigned char *)" ", 1);
    crypto_hash_sha256_update(&state, (const unsigned char *)line.at, line.length);
    crypto_hash_sha256_update(&state, (const unsigned char *)"\n", 1);
    crypto_hash_sha256_final(&state, hash);
    FUZZ_MUST(memcmp(hash, after->head, sizeof hash) == 0);
}

static void check_orders(const struct dispute_step *step, bool appeal)
{
    struct dispute_order orders[DISPUTE_ORDERS_MAX];
    size_t count;
    const char *message;
    const json_t *list = json_object_get(step->detail, "orders");
    FUZZ_MUST(dispute_read_orders(list, GAME_SEATS_MAX, appeal, orders, &count, &message));
    json_t *again = dispute_write_orders(orders, count);
    FUZZ_MUST(json_equal(again, list));
    json_decref(again);
}

/* What is written is read again, and does the same. */
static void check_taken(const struct dispute *before, const struct dispute *after,
                        const struct dispute_step *step)
{
    static char bytes[DISPUTE_LINE_MAX];
    struct text line = TEXT_OVER(bytes);
    struct dispute again = *before;
    struct refusal refusal;
    FUZZ_MUST(dispute_print(step, &line));
    FUZZ_MUST(may_follow(before->state, after->state));
    FUZZ_MUST(after->steps == before->steps + 1 && after->steps <= DISPUTE_STEPS_MAX);
    FUZZ_MUST(after->state != DISPUTE_CLOSED || !after->frozen);
    FUZZ_MUST(after->state != DISPUTE_FROZEN || after->frozen);
    check_actor(before->steps == 0 ? after : before, step);
    check_chain(before, after, text_span(&line));
    if (is(step->kind, "ruled"))
        check_orders(step, before->state == DISPUTE_APPEALED);
    FUZZ_MUST(dispute_apply_line(&again, text_span(&line), &refusal));
    FUZZ_MUST(memcmp(again.head, after->head, sizeof again.head) == 0 &&
              again.state == after->state && again.frozen == after->frozen &&
              again.appeal_until_ms == after->appeal_until_ms && again.last_ms == after->last_ms);
}

/* ---- Steps ---- */

static void take(struct dispute *dispute, const struct dispute_step *step)
{
    struct dispute before = *dispute;
    struct refusal refusal = {NULL, NULL};
    if (dispute_apply(dispute, step, &refusal)) {
        check_taken(&before, dispute, step);
        return;
    }
    FUZZ_MUST(refusal.code != NULL && refusal.message != NULL);
    FUZZ_MUST(memcmp(&before, dispute, sizeof before) == 0);
}

static void take_line(struct dispute *dispute, struct span line)
{
    char actor[RECORD_ID_LENGTH + 1];
    char kind[DISPUTE_CLAIM_MAX];
    struct dispute_step step;
    json_t *detail;
    if (dispute_read(line, &step, &detail, actor, kind))
        take(dispute, &step);
    json_decref(detail);
}

static void take_words(struct dispute *dispute, struct span words)
{
    char kind[KIND_ROOM];
    struct span who = span_word(&words);
    if (who.length != 2 || !is_person(who.at[0]) || who.at[1] < '0' || who.at[1] > '9')
        return;
    fuzz_string(span_word(&words), kind, sizeof kind);
    json_t *detail = read_detail(words);
    const struct dispute_step step = {.number = dispute->steps + 1,
                                      .at_ms = dispute->last_ms + 100 * (who.at[1] - '0'),
                                      .actor = id_of(who.at[0]),
                                      .kind = kind,
                                      .detail = detail};
    if (detail != NULL)
        take(dispute, &step);
    json_decref(detail);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_input input = fuzz_begin(bytes, size);
    struct dispute dispute;
    dispute_init(&dispute, ID);
    for (int i = 0; i < LINES_MOST && input.left > 0; i++) {
        struct span line = fuzz_line(&input);
        if (line.length > 0 && line.at[0] == '!')
            take_line(&dispute, (struct span){line.at + 1, line.length - 1});
        else
            take_words(&dispute, line);
    }
    return 0;
}
