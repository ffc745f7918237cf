/* Faults, the chain, entries, and what luck comes from. Reading is strict by construction: every
 * token has one form, so a line that was read is the line that would be printed. */
#include <sodium.h>
#include <string.h>

#include "engine/record_parts.h"

static const uint64_t elapsed_max = 999999999999999; /* 31,000 years in ms */

bool record_fault(struct record_fault *fault, const char *code, const char *message,
                  struct span detail)
{
    fault->code = code;
    struct text text = TEXT_OVER(fault->message);
    text_add(&text, message);
    if (detail.length > 100)
        detail.length = 100;
    text_add_span(&text, detail);
    return false;
}

bool record_bad_line(struct record_fault *fault, const char *message, struct span line)
{
    return record_fault(fault, "bad-line", message, line);
}

/* ---- The chain ---- */

void record_chain_start(uint8_t hash[static 32])
{
    static const char first[] = "tillroll 1\n";
    crypto_hash_sha256(hash, (const unsigned char *)first, sizeof first - 1);
}

void record_chain_add(uint8_t hash[static 32], struct span line)
{
    char bytes[64 + 1 + RECORD_LINE_MAX + 2];
    struct text text = TEXT_OVER(bytes);
    text_add_hex(&text, hash, 32);
    text_add_char(&text, ' ');
    text_add_span(&text, line);
    text_add_char(&text, '\n');
    crypto_hash_sha256(hash, (const unsigned char *)bytes, text.length);
}

bool record_is_first_line(struct span line)
{
    return span_is(line, "tillroll 1");
}

static void advance(uint8_t hash[static 32], struct span line)
{
    if (record_is_first_line(line))
        record_chain_start(hash);
    else
        record_chain_add(hash, line);
}

void record_chain_mark(uint8_t hash[static 32], struct text *line)
{
    advance(hash, text_span(line));
    text_add(line, " #");
    text_add_hex(line, hash, 4);
}

static bool is_printable(struct span line)
{
    for (size_t i = 0; i < line.length; i++)
        if (line.at[i] < 0x20 || line.at[i] > 0x7e)
            return false;
    return true;
}

bool record_chain_check(uint8_t hash[static 32], struct span *line, struct record_fault *fault)
{
    if (line->length > RECORD_LINE_MAX)
        return record_bad_line(fault, "The line is longer than 512 bytes.", (struct span){NULL, 0});
    if (!is_printable(*line))
        return record_bad_line(fault, "The line holds a byte that is not printable ASCII.",
                               (struct span){NULL, 0});
    if (line->length <= MARK_LENGTH || memcmp(line->at + line->length - MARK_LENGTH, " #", 2) != 0)
        return record_bad_line(fault, "The line does not end with its mark: ", *line);
    struct span mark = {line->at + line->length - 8, 8};
    line->length -= MARK_LENGTH;
    advance(hash, *line);
    char expected[9];
    struct text text = TEXT_OVER(expected);
    text_add_hex(&text, hash, 4);
    if (!span_equal(mark, text_span(&text)))
        return record_fault(fault, "broken-chain",
                            "This line or one before it was changed; the mark should be #",
                            text_span(&text));
    return true;
}

/* ---- Entries ---- */

void record_print_entry(const struct record_entry *entry, struct text *text)
{
    text_add_number(text, entry->seq);
    text_add_char(text, ' ');
    if (entry->kind == RECORD_PLY)
        text_add_number(text, entry->seat);
    else
        text_add_char(text, '-');
    text_add_char(text, ' ');
    text_add_number(text, entry->elapsed_ms);
    text_add_char(text, ' ');
    switch (entry->kind) {
    case RECORD_PLY:
        text_add_span(text, entry->move);
        break;
    case RECORD_FALLBACK:
        text_add(text, "fallback ");
        text_add_number(text, entry->subject);
        break;
    case RECORD_REVEAL:
        text_add(text, "reveal ");
        text_add_hex(text, entry->secret, sizeof entry->secret);
        break;
    case RECORD_RESULT:
        text_add(text, "result ");
        text_add_number(text, entry->subject);
        text_add_char(text, ' ');
        text_add_number(text, entry->score);
        text_add_char(text, ' ');
        text_add_number(text, entry->rank);
        break;
    }
}

static bool read_seat_number(struct span word, unsigned *seat)
{
    uint64_t number;
    if (!span_number(word, GAME_SEATS_MAX - 1, &number))
        return false;
    *seat = (unsigned)number;
    return true;
}

static bool read_result(struct span rest, struct record_entry *entry)
{
    int64_t score;
    uint64_t rank;
    if (!read_seat_number(span_word(&rest), &entry->subject) ||
        !span_integer(span_word(&rest), INT32_MAX, &score) ||
        !span_number(rest, GAME_SEATS_MAX, &rank) || rank == 0)
        return false;
    entry->kind = RECORD_RESULT;
    entry->score = (int32_t)score;
    entry->rank = (unsigned)rank;
    return true;
}

static bool read_system_entry(struct span rest, struct record_entry *entry)
{
    struct span key = span_word(&rest);
    if (span_is(key, "fallback")) {
        entry->kind = RECORD_FALLBACK;
        return read_seat_number(rest, &entry->subject);
    }
    if (span_is(key, "reveal")) {
        entry->kind = RECORD_REVEAL;
        return span_hex(rest, entry->secret, sizeof entry->secret);
    }
    return span_is(key, "result") && read_result(rest, entry);
}

bool record_read_entry(struct span line, struct record_entry *entry, struct record_fault *fault)
{
    struct span rest = line;
    uint64_t seq;
    uint64_t elapsed;
    *entry = (struct record_entry){.seq = 0};
    struct span seq_word = span_word(&rest);
    struct span seat_word = span_word(&rest);
    struct span elapsed_word = span_word(&rest);
    if (!span_number(seq_word, UINT32_MAX, &seq) ||
        !span_number(elapsed_word, elapsed_max, &elapsed))
        return record_bad_line(fault, "Expected `<seq> <seat> <elapsed ms> ...`, found: ", line);
    entry->seq = (uint32_t)seq;
    entry->elapsed_ms = (int64_t)elapsed;
    if (span_is(seat_word, "-")) {
        if (!read_system_entry(rest, entry))
            return record_bad_line(fault, "This is no system line: ", line);
        return true;
    }
    entry->kind = RECORD_PLY;
    entry->move = rest;
    if (!read_seat_number(seat_word, &entry->seat) || rest.length == 0)
        return record_bad_line(fault, "This is no ply: ", line);
    return true;
}

/* ---- Luck ---- */

void record_round_scope(const char *event_id, uint32_t round, struct text *text)
{
    text_add(text, event_id);
    text_add(text, "/round/");
    text_add_number(text, round);
}

void record_scope(const struct record_header *header, struct text *text)
{
    if (header->board == 0)
        text_add(text, header->game_id);
    else
        record_round_scope(header->event_id, header->round, text);
}

void record_commitment(struct span scope, const uint8_t secret[static 32],
                       uint8_t commitment[static 32])
{
    static const char domain[] = "tillroll commit\n";
    crypto_hash_sha256_state hash;
    crypto_hash_sha256_init(&hash);
    crypto_hash_sha256_update(&hash, (const unsigned char *)domain, sizeof domain - 1);
    crypto_hash_sha256_update(&hash, (const unsigned char *)scope.at, scope.length);
    crypto_hash_sha256_update(&hash, (const unsigned char *)"\n", 1);
    crypto_hash_sha256_update(&hash, secret, 32);
    crypto_hash_sha256_final(&hash, commitment);
}

void record_seed(const struct record_header *header, const uint8_t secret[static 32],
                 uint8_t seed[static CHANCE_SEED_BYTES])
{
    char bytes[128 + GAME_SEATS_MAX * (2 * RECORD_ENTROPY_MAX + 16)];
    struct text text = TEXT_OVER(bytes);
    text_add(&text, "tillroll/seed/1");
    record_scope(header, &text);
    record_print_board(header, &text);
    for (unsigned i = 0; i < header->seats; i++) {
        if (header->seat[i].entropy_size == 0)
            continue;
        record_print_entropy(&header->seat[i], i, &text);
        text_add_char(&text, '\n');
    }
    crypto_generichash(seed, CHANCE_SEED_BYTES, (const unsigned char *)bytes, text.length, secret,
                       32);
}

void record_event_seed(struct span event_id, const uint8_t secret[static 32],
                       uint8_t seed[static CHANCE_SEED_BYTES])
{
    static const char domain[] = "tillroll/event/1";
    crypto_generichash_state hash;
    crypto_generichash_init(&hash, secret, 32, CHANCE_SEED_BYTES);
    crypto_generichash_update(&hash, (const unsigned char *)domain, sizeof domain - 1);
    crypto_generichash_update(&hash, (const unsigned char *)event_id.at, event_id.length);
    crypto_generichash_final(&hash, seed, CHANCE_SEED_BYTES);
}
