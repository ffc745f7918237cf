/* Faults, the chain, and the seeds of luck. */
#include <assert.h>
#include <sodium.h>
#include <string.h>

#include "engine/base/nfc.h"
#include "engine/base/sha256.h"
#include "engine/record/record_parts.h"

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

void record_chain_add(uint8_t hash[static 32], struct span line)
{
    sha256_chain(hash, line);
}

bool record_is_first_line(struct span line)
{
    return span_is(line, "tillroll 1") || span_is(line, "tillroll 2");
}

bool record_is_head(struct span line)
{
    return line.length > 5 && memcmp(line.at, "head ", 5) == 0;
}

static void advance(uint8_t hash[static 32], struct span line)
{
    if (record_is_first_line(line))
        sha256(hash, line, span_of("\n"));
    else
        record_chain_add(hash, line);
}

void record_chain_mark(uint8_t hash[static 32], struct text *line)
{
    advance(hash, text_span(line));
    text_add(line, " #");
    text_add_hex(line, hash, 4);
}

/* Bit 7 of each byte of the result is set if a byte is not in 0x20 .. 0x7e: it has bit 7 itself, or
 * does not get it when 0x60 is added, or gets it when 1 is added. (A sum that carries into the next
 * byte comes from a byte that has bit 7.) */
static uint64_t others(uint64_t bytes)
{
    const uint64_t each = UINT64_C(0x0101010101010101);
    return (bytes | ~(bytes + 0x60 * each) | (bytes + each)) & 0x80 * each;
}

static bool is_printable(struct span line)
{
    uint64_t found = 0;
    uint64_t bytes;
    if (line.length < sizeof bytes) {
        memset(&bytes, ' ', sizeof bytes);
        memcpy(&bytes, line.at, line.length);
        return others(bytes) == 0;
    }
    for (size_t at = 0; at + sizeof bytes <= line.length; at += sizeof bytes) {
        memcpy(&bytes, line.at + at, sizeof bytes);
        found |= others(bytes);
    }
    memcpy(&bytes, line.at + line.length - sizeof bytes, sizeof bytes); /* the end, maybe again */
    return (found | others(bytes)) == 0;
}

bool record_chain_check(uint8_t hash[static 32], struct span *line, struct record_fault *fault)
{
    if (line->length > RECORD_LINE_MAX)
        return record_bad_line(fault, "The line is longer than 512 bytes.", (struct span){NULL, 0});
    if (!is_printable(*line))
        return record_bad_line(fault, "The line has a byte that is not printable ASCII.",
                               (struct span){NULL, 0});
    if (line->length <= MARK_LENGTH || memcmp(line->at + line->length - MARK_LENGTH, " #", 2) != 0)
        return record_bad_line(fault, "The line does not end with its mark: ", *line);
    const char *mark = line->at + line->length - MARK_HEX;
    line->length -= MARK_LENGTH;
    advance(hash, *line);
    char expected[MARK_HEX + 1];
    struct text text = TEXT_OVER(expected);
    text_add_hex(&text, hash, MARK_HEX / 2);
    if (memcmp(mark, expected, MARK_HEX) != 0)
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
    char bytes[32 + RECORD_SCOPE_MAX];
    struct text text = TEXT_OVER(bytes);
    text_add(&text, "tillroll commit\n");
    text_add_span_line(&text, scope);
    assert(!text.overflow);
    sha256(commitment, text_span(&text), (struct span){(const char *)secret, 32});
}

/* The output and not the proof, of which a dealer could choose one of several. */
static void add_output(const struct record_dealer *dealer, struct text *text)
{
    uint8_t output[ECVRF_OUTPUT] = {0};
    record_print_dealer_key(dealer, text);
    if (dealer->missing) {
        text_add(text, "missing");
    } else {
        (void)ecvrf_output(dealer->proof, output);
        text_add_hex(text, output, sizeof output);
    }
    text_add_char(text, '\n');
}

void record_seed(const struct record_header *header, const uint8_t secret[static 32],
                 uint8_t seed[static CHANCE_SEED_BYTES])
{
    enum { DEALER_LINE = RECORD_DEALER_NAME_MAX + 2 * (ECVRF_KEY + ECVRF_OUTPUT) + 16 };
    char bytes[128 + GAME_SEATS_MAX * (2 * RECORD_ENTROPY_MAX + 16) +
               RECORD_DEALERS_MAX * DEALER_LINE];
    struct text text = TEXT_OVER(bytes);
    text_add(&text, header->dealers == 0 ? "tillroll/seed/1" : "tillroll/seed/2");
    record_scope(header, &text);
    record_print_board(header, &text);
    for (unsigned i = 0; i < header->seats; i++) {
        if (header->seat[i].entropy_size == 0)
            continue;
        record_print_entropy(&header->seat[i], i, &text);
        text_add_char(&text, '\n');
    }
    for (unsigned i = 0; i < header->dealers; i++)
        add_output(&header->dealer[i], &text);
    assert(!text.overflow);
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

/* The rules for identifiers and players' names, and the canonical encoding of a name. */

bool record_is_id(struct span text)
{
    if (text.length != RECORD_ID_LENGTH)
        return false;
    for (size_t i = 0; i < text.length; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        char c = text.at[i];
        if (dash ? c != '-' : !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
            return false;
    }
    return true;
}

bool record_is_house_name(const char *name)
{
    static const char begins[] = RECORD_HOUSE_NAME;
    return strncmp(name, begins, sizeof begins - 1) == 0;
}

bool record_is_dealer_name(struct span text)
{
    if (text.length == 0 || text.length > RECORD_DEALER_NAME_MAX)
        return false;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (!plain && (i == 0 || (c != '.' && c != '-')))
            return false;
    }
    return true;
}

/* Decodes one character of UTF-8 (RFC 3629) off the front of `rest`. False if it is malformed. */
static bool next_character(struct span *rest, uint32_t *character)
{
    static const struct {
        uint8_t mask, lead;
        uint32_t min;
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    uint8_t lead = (uint8_t)rest->at[0];
    for (size_t more = 0; more < 4; more++) {
        if ((lead & forms[more].mask) != forms[more].lead)
            continue;
        if (rest->length <= more)
            return false;
        uint32_t value = lead & (uint8_t)~forms[more].mask;
        for (size_t i = 1; i <= more; i++) {
            uint8_t byte = (uint8_t)rest->at[i];
            if ((byte & 0xc0) != 0x80)
                return false;
            value = value << 6 | (byte & 0x3f);
        }
        rest->at += more + 1;
        rest->length -= more + 1;
        *character = value;
        return value >= forms[more].min && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
    }
    return false;
}

static bool is_visible(uint32_t c)
{
    bool control = c < 0x20 || (c >= 0x7f && c <= 0x9f);
    bool separator = c == 0x2028 || c == 0x2029;
    bool invisible = c == 0xad || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
                     (c >= 0x202a && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
                     (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe0fff);
    return !control && !separator && !invisible;
}

static bool is_plain(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '~' || c == '-';
}

/* The length in bytes of a name in a seat line. */
static size_t encoded_length(struct span name)
{
    size_t length = 0;
    for (size_t i = 0; i < name.length; i++)
        length += is_plain(name.at[i]) ? 1 : 3;
    return length;
}

bool record_is_name(struct span name)
{
    if (name.length == 0 || name.length > RECORD_NAME_MAX ||
        encoded_length(name) > RECORD_NAME_ENCODED_MAX)
        return false;
    uint32_t characters[NFC_CHARACTERS_MAX];
    size_t count = 0;
    static_assert((int)RECORD_NAME_MAX <= (int)NFC_CHARACTERS_MAX, "every name fits");
    while (name.length > 0)
        if (!next_character(&name, &characters[count]) || !is_visible(characters[count++]))
            return false;
    return nfc_is(characters, count);
}

void record_print_name(struct text *text, const char *name)
{
    static const char digits[] = "0123456789ABCDEF";
    for (; *name != '\0'; name++) {
        if (is_plain(*name)) {
            text_add_char(text, *name);
            continue;
        }
        text_add_char(text, '%');
        text_add_char(text, digits[(uint8_t)*name >> 4]);
        text_add_char(text, digits[(uint8_t)*name & 15]);
    }
}

static int upper_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool record_read_name(struct span word, char name[static RECORD_NAME_MAX + 1])
{
    size_t length = 0;
    for (size_t i = 0; i < word.length; i++) {
        if (length == RECORD_NAME_MAX)
            return false;
        if (word.at[i] != '%') {
            if (!is_plain(word.at[i]))
                return false;
            name[length++] = word.at[i];
            continue;
        }
        int high = i + 2 < word.length ? upper_hex_digit(word.at[i + 1]) : -1;
        int low = i + 2 < word.length ? upper_hex_digit(word.at[i + 2]) : -1;
        if (high < 0 || low < 0 || is_plain((char)(high * 16 + low)))
            return false;
        name[length++] = (char)(high * 16 + low);
        i += 2;
    }
    name[length] = '\0';
    return record_is_name((struct span){name, length});
}
