/* Faults, the chain, and what luck comes from. */
#include <sodium.h>
#include <string.h>

#include "engine/record_parts.h"
#include "engine/sha256.h"

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
    sha256(hash, span_of(first), (struct span){NULL, 0});
}

/* Records have no such lines, but the logs that are chained like them. */
static void add_long_line(uint8_t hash[static 32], struct span before, struct span line)
{
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)before.at, before.length);
    crypto_hash_sha256_update(&state, (const unsigned char *)line.at, line.length);
    crypto_hash_sha256_update(&state, (const unsigned char *)"\n", 1);
    crypto_hash_sha256_final(&state, hash);
}

void record_chain_add(uint8_t hash[static 32], struct span line)
{
    char bytes[64 + 1 + RECORD_LINE_MAX + 2];
    struct text text = TEXT_OVER(bytes);
    text_add_hex(&text, hash, 32);
    text_add_char(&text, ' ');
    if (line.length > RECORD_LINE_MAX) {
        add_long_line(hash, text_span(&text), line);
        return;
    }
    text_add_span(&text, line);
    text_add_char(&text, '\n');
    sha256(hash, text_span(&text), (struct span){NULL, 0});
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
