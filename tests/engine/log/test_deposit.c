/* Deposits: their one form, and what a record makes of them. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/log/deposit.h"
#include "engine/record/signature.h"
#include "tests/engine/support/roll.h"
#include "tests/test.h"

static const uint64_t start_s = 1795187045; /* 2026-11-20T15:04:05Z: see roll_header() */
static struct deposit_room room;
static struct record_fault fault;

/* A deposit of a seat of a replayed game; the key is one of roll_key(). */
static void make(const struct replay *replay, unsigned seat, struct span move,
                 struct deposit *deposit)
{
    uint8_t key[32], secret[64];
    char bytes[SIGNATURE_MESSAGE_MAX];
    struct text message = TEXT_OVER(bytes);
    struct text scope = TEXT_OVER(deposit->scope);
    struct text words = TEXT_OVER(deposit->move);
    memcpy(deposit->origin, "club.example/log", sizeof "club.example/log");
    memcpy(deposit->game, replay->header.game_id, sizeof deposit->game);
    record_scope(&replay->header, &scope);
    memcpy(deposit->commitment, replay->header.commitment, 32);
    memcpy(deposit->head, replay->head, 32);
    deposit->seat = seat;
    memcpy(deposit->key, replay->header.seat[seat].key, 32);
    text_add_span(&words, move);
    for (unsigned i = 0; i < ROLL_KEYS; i++) {
        roll_key(i, key, secret);
        if (memcmp(key, deposit->key, 32) == 0)
            break;
    }
    signature_message(deposit->game, deposit->head, seat, move, &message);
    crypto_sign_detached(deposit->signature, NULL, (const unsigned char *)bytes, message.length,
                         secret);
}

static bool has_roll_key(const struct record_seat *seat)
{
    uint8_t key[32], secret[64];
    for (unsigned i = 0; seat->has_key && i < ROLL_KEYS; i++) {
        roll_key(i, key, secret);
        if (memcmp(key, seat->key, 32) == 0)
            return true;
    }
    return false;
}

/* ---- The text ---- */

TEST(test_it_has_one_form)
{
    struct replay *replay = &room.replay;
    struct deposit deposit, read;
    struct note note;
    char bytes[DEPOSIT_MAX], file_bytes[2 * DEPOSIT_MAX];
    struct text text = TEXT_OVER(bytes);
    struct text file = TEXT_OVER(file_bytes);
    memset(replay, 0, sizeof *replay);
    memcpy(replay->header.game_id, "0190163d-8694-739b-aea5-966c26f8ad91", RECORD_ID_LENGTH);
    roll_key(3, replay->header.seat[1].key, (uint8_t[64]){0});
    make(replay, 1, span_of("open shinjuku food"), &deposit);
    deposit_print(&deposit, &text);
    assert_true(deposit_read(text_span(&text), &read));
    assert_memory_equal(&read.signature, &deposit.signature, 64);
    assert_string_equal(read.move, "open shinjuku food");
    assert_true(deposit_is_signed(&read));
    /* Cut short, or with one byte more: none. With one byte changed: none, or not signed, or of
     * another log or secret, which the signature does not cover. */
    for (size_t length = 0; length < text.length; length++)
        assert_false(deposit_read((struct span){bytes, length}, &read));
    for (size_t i = 0; i < text.length; i++) {
        char before = bytes[i];
        bytes[i] = before == 'x' ? 'y' : 'x';
        if (deposit_read(text_span(&text), &read))
            assert_true(!deposit_is_signed(&read) || strcmp(read.origin, deposit.origin) != 0 ||
                        strcmp(read.scope, deposit.scope) != 0);
        bytes[i] = before;
    }
    deposit_print(&deposit, &file);
    text_add_char(&file, '\n');
    assert_false(deposit_read_file(text_span(&file), &read, &note));
    deposit_print_receipt(&deposit, &file);
    text_add(&file, "\n\xe2\x80\x94 w.example AAAAAAAA\n");
    assert_true(deposit_read_file(text_span(&file), &read, &note));
    deposit.move[0] = 'O';
    text_clear(&file);
    deposit_print(&deposit, &file);
    text_add_char(&file, '\n');
    text_add_span(&file, note.text); /* of the other one */
    text_add(&file, "\n\xe2\x80\x94 w.example AAAAAAAA\n");
    assert_false(deposit_read_file(text_span(&file), &read, &note));
}

/* ---- The record ---- */

struct seen {
    unsigned taken, other, dropped, late;
};

/* What the first entry about the seat's decision says, found without the function under test. */
static enum deposit_finding expect(struct span rest, uint8_t head[static 32],
                                   const struct deposit *deposit, bool in_time)
{
    struct span line;
    struct record_entry entry;
    while (span_line(&rest, &line) && record_chain_check(head, &line, &fault) &&
           record_read_entry(line, &entry, &fault)) {
        bool mine = entry.seat == deposit->seat;
        bool about = entry.subject == deposit->seat;
        if (entry.kind == RECORD_PLY && mine)
            return span_is(entry.move, deposit->move) ? DEPOSIT_TAKEN : DEPOSIT_UNJUDGED;
        if (entry.kind == RECORD_UNDO && mine)
            return DEPOSIT_UNJUDGED;
        bool ends = entry.kind == RECORD_UNDO || entry.kind == RECORD_REVEAL ||
                    (entry.kind == RECORD_RULING && entry.ruling != RECORD_RULING_ADJUST &&
                     entry.ruling != RECORD_RULING_STANDS &&
                     (entry.ruling != RECORD_RULING_FORFEIT || about)) ||
                    (about && (entry.kind == RECORD_TIMEOUT || entry.kind == RECORD_FALLBACK ||
                               entry.kind == RECORD_FORFEIT || entry.kind == RECORD_SUBSTITUTE ||
                               entry.kind == RECORD_HOUSE));
        if (ends)
            return in_time ? DEPOSIT_DROPPED : DEPOSIT_LATE;
    }
    fail_msg("the record ends before anything happens");
    return DEPOSIT_UNJUDGED;
}

static void judge(const struct replay *replay, unsigned seat, struct span record, struct span rest,
                  struct seen *seen)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text move = TEXT_OVER(bytes);
    struct deposit deposit;
    uint8_t head[32];
    replay->header.game->fallback(replay->header.game, replay->state, seat, &move);
    make(replay, seat, text_span(&move), &deposit);
    assert_true(deposit_is_signed(&deposit));
    for (unsigned late = 0; late < 2; late++) {
        memcpy(head, replay->head, sizeof head);
        enum deposit_finding wanted = expect(rest, head, &deposit, late == 0);
        uint64_t time_s = late == 0 ? start_s - 1 : UINT64_MAX;
        assert_int_equal(deposit_judge(&deposit, time_s, record, &room, &fault), wanted);
        seen->taken += wanted == DEPOSIT_TAKEN;
        seen->dropped += wanted == DEPOSIT_DROPPED;
        seen->late += wanted == DEPOSIT_LATE;
        if (wanted == DEPOSIT_UNJUDGED) {
            assert_string_equal(fault.code, "other-move");
            seen->other++;
        }
    }
}

static void judge_game(uint32_t number, struct seen *seen)
{
    static struct replay replay;
    struct roll roll;
    struct span line;
    const struct game *game = catalog_newest(span_of(number % 2 == 0 ? "mall-world" : "shinjuku"));
    struct game_options options = game_options_initial(game);
    uint8_t secret[32];
    roll_write(&roll, game, 3, &options, number, ROLL_EVENTFUL);
    struct span record = roll_span(&roll);
    struct span rest = record;
    assert_int_equal(replay_verify(record, NULL, &replay, &fault), REPLAY_VALID);
    memcpy(secret, replay.secret, sizeof secret);
    assert_true(replay_begin(&replay, NULL, &rest, secret, &fault));
    for (unsigned lines = 0; replay.phase == REPLAY_PLAYING; lines++) {
        struct span past = {record.at, record.length - rest.length};
        for (unsigned seat = 0; seat < 3; seat++)
            if (lines % 5 == number % 5 && (replay_awaits(&replay) >> seat & 1) != 0 &&
                has_roll_key(&replay.header.seat[seat]))
                judge(&replay, seat, record, rest, seen);
        if (!span_line(&rest, &line))
            break;
        assert_true(replay_line_after(&replay, past, line, &fault));
    }
    roll_free(&roll);
}

TEST(test_a_record_answers_for_what_was_left)
{
    struct seen seen = {0};
    for (uint32_t number = 0; number < 12; number++)
        judge_game(number, &seen);
    assert_true(seen.taken > 0 && seen.other > 0 && seen.dropped > 0 && seen.late > 0);
}

/* To the second: whoever is in doubt is the player. */
TEST(test_times_are_compared_with_the_start)
{
    static struct replay replay;
    struct roll roll;
    struct roll_writer writer;
    struct record_header header;
    struct deposit deposit;
    uint8_t secret[32], key[64];
    char bytes[GAME_MOVE_MAX + 1];
    struct text move = TEXT_OVER(bytes);
    const struct game *game = catalog_newest(span_of("shinjuku"));
    struct game_options options = game_options_initial(game);
    roll_header(&header, game, 2, &options, 4, secret);
    for (unsigned seat = 0; seat < 2; seat++) {
        header.seat[seat].has_key = true;
        roll_key(seat, header.seat[seat].key, key);
    }
    roll_begin(&writer, &roll, &header, secret, 4);
    struct span rest = roll_span(&roll);
    assert_true(replay_begin(&replay, NULL, &rest, secret, &fault));
    unsigned seat = (replay_awaits(&replay) & 1) != 0 ? 0 : 1;
    replay.header.game->fallback(replay.header.game, replay.state, seat, &move);
    make(&replay, seat, text_span(&move), &deposit);
    char words[64];
    snprintf(words, sizeof words, "- 9900 fallback %u", seat);
    assert_null(roll_say(&writer, words));
    while (roll_due(&writer))
        continue;
    snprintf(words, sizeof words, "- 9901 fallback %u", 1 - seat);
    assert_null(roll_say(&writer, words));
    while (roll_due(&writer))
        continue;
    roll_end(&writer);
    /* The game began at .123: the seconds 13 and 14 end 8.876 and 9.876 s later. */
    const struct {
        uint64_t time_s;
        enum deposit_finding finding;
    } each[] = {{start_s - 100, DEPOSIT_DROPPED},
                {start_s + 9, DEPOSIT_DROPPED},
                {start_s + 10, DEPOSIT_LATE}};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        assert_int_equal(deposit_judge(&deposit, each[i].time_s, roll_span(&roll), &room, &fault),
                         each[i].finding);
    assert_string_equal(fault.code, "late-move");
    /* What is nobody's drop. */
    static const char *const codes[] = {"unknown-head", "wrong-key", "not-awaited", "illegal-move",
                                        "other-game"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        struct deposit bad = deposit;
        if (i == 0)
            bad.head[0] ^= 1;
        else if (i == 1)
            bad.key[0] ^= 1;
        else if (i == 3)
            memcpy(bad.move, "nonsense", sizeof "nonsense");
        else if (i == 4)
            bad.game[0] = '1';
        if (i == 2) {
            bad.seat = 1 - seat;
            memcpy(bad.key, header.seat[1 - seat].key, 32);
        }
        assert_int_equal(deposit_judge(&bad, start_s, roll_span(&roll), &room, &fault),
                         DEPOSIT_UNJUDGED);
        assert_string_equal(fault.code, codes[i]);
    }
    assert_true(deposit_is_opened(&deposit, secret));
    secret[0] ^= 1;
    assert_false(deposit_is_opened(&deposit, secret));
    roll_free(&roll);
}

int main(void)
{
    return sodium_init() < 0 ? 1 : run_all_tests(NULL, NULL);
}
