#include "engine/record/signature.h"

#include <sodium.h>
#include <string.h>

#include "engine/record/record_parts.h"

static const struct span none = {NULL, 0};

void signature_message(const char *game_id, const uint8_t head[static 32], unsigned seat,
                       struct span move, struct text *message)
{
    text_add(message, "tillroll move\n");
    text_add(message, game_id);
    text_add_char(message, '\n');
    text_add_hex(message, head, 32);
    text_add_char(message, '\n');
    text_add_number(message, seat);
    text_add_char(message, '\n');
    text_add_span(message, move);
    text_add_char(message, '\n');
}

void signature_entropy_message(const struct record_header *header, unsigned seat,
                               struct text *message)
{
    const struct record_seat *giver = &header->seat[seat];
    text_add(message, "tillroll entropy\n");
    text_add(message, header->game_id);
    text_add_char(message, '\n');
    text_add_hex(message, header->commitment, sizeof header->commitment);
    text_add_char(message, '\n');
    text_add_number(message, seat);
    text_add_char(message, '\n');
    text_add_hex(message, giver->entropy, giver->entropy_size);
    text_add_char(message, '\n');
}

static bool is_signed(const struct text *message, const uint8_t *signature,
                      const uint8_t key[static 32])
{
    return crypto_sign_verify_detached(signature, (const unsigned char *)message->at,
                                       message->length, key) == 0;
}

bool signature_holds(const char *game_id, const uint8_t head[static 32], unsigned seat,
                     struct span move, const uint8_t signature[static SIGNATURE_BYTES],
                     const uint8_t key[static 32])
{
    char bytes[SIGNATURE_MESSAGE_MAX + RECORD_LINE_MAX];
    struct text message = TEXT_OVER(bytes);
    signature_message(game_id, head, seat, move, &message);
    return is_signed(&message, signature, key);
}

bool signature_of_entropy_holds(const struct record_header *header, unsigned seat,
                                const uint8_t signature[static SIGNATURE_BYTES])
{
    char bytes[SIGNATURE_MESSAGE_MAX];
    struct text message = TEXT_OVER(bytes);
    signature_entropy_message(header, seat, &message);
    return is_signed(&message, signature, header->seat[seat].key);
}

/* ---- The text of signatures ---- */

void signature_print_first(const char *game_id, struct text *text)
{
    text_add(text, SIGNATURE_FIRST_LINE "\ngame ");
    text_add(text, game_id);
    text_add_char(text, '\n');
}

void signature_print_entropy(unsigned seat, const uint8_t signature[static SIGNATURE_BYTES],
                             struct text *text)
{
    text_add(text, "entropy ");
    signature_print(seat, signature, text);
}

void signature_print(uint32_t seq, const uint8_t signature[static SIGNATURE_BYTES],
                     struct text *text)
{
    text_add_number(text, seq);
    text_add_char(text, ' ');
    text_add_hex(text, signature, SIGNATURE_BYTES);
    text_add_char(text, '\n');
}

struct signature {
    uint32_t seq; /* 0 = there are no more */
    uint8_t bytes[SIGNATURE_BYTES];
};

struct reader {
    struct span rest;
    struct signature next;
    struct record_fault *fault;
};

static bool bad_line(struct reader *reader, const char *message, struct span line)
{
    return record_bad_line(reader->fault, message, line);
}

static bool read_line(struct reader *reader, struct span *line)
{
    reader->fault->line++;
    const char *end = memchr(reader->rest.at, '\n', reader->rest.length);
    return end != NULL && span_line(&reader->rest, line);
}

static bool read_head(struct reader *reader, const char *game_id)
{
    struct span line;
    if (!read_line(reader, &line) || !span_is(line, SIGNATURE_FIRST_LINE))
        return bad_line(reader, "Signatures begin with `tillroll signatures 1`.", none);
    if (!read_line(reader, &line) || !span_is(span_word(&line), "game") || !span_is(line, game_id))
        return bad_line(reader, "The signatures belong to another game.", none);
    return true;
}

/* Reads and checks the lines about entropy. */
static bool check_entropy(struct reader *reader, const struct record_header *header, uint32_t *good)
{
    unsigned next_seat = 0;
    while (reader->rest.length > 8 && memcmp(reader->rest.at, "entropy ", 8) == 0) {
        uint8_t signature[SIGNATURE_BYTES];
        struct span line;
        uint64_t seat;
        if (!read_line(reader, &line))
            return bad_line(reader, "The last line does not end with a line feed.", none);
        struct span rest = line;
        span_word(&rest);
        if (!span_number(span_word(&rest), header->seats - 1, &seat) || seat < next_seat ||
            !span_hex(rest, signature, SIGNATURE_BYTES))
            return bad_line(reader, "Expected `entropy <seat> <signature>`, found: ", line);
        const struct record_seat *giver = &header->seat[seat];
        if (!giver->has_key || giver->entropy_size == 0)
            return record_fault(reader->fault, "no-key",
                                "The seat has no key, or gave no entropy: ", line);
        if (!signature_of_entropy_holds(header, (unsigned)seat, signature))
            return record_fault(
                reader->fault, "bad-signature",
                "The signature is not valid for the commitment and the entropy: ", line);
        next_seat = (unsigned)seat + 1;
        ++*good;
    }
    return true;
}

static bool read_next(struct reader *reader)
{
    struct span line;
    uint64_t seq;
    uint32_t before = reader->next.seq;
    reader->next.seq = 0;
    if (reader->rest.length == 0)
        return true;
    if (!read_line(reader, &line))
        return bad_line(reader, "The last line does not end with a line feed.", none);
    struct span rest = line;
    if (!span_number(span_word(&rest), RECORD_LINES_MAX, &seq) ||
        !span_hex(rest, reader->next.bytes, SIGNATURE_BYTES))
        return bad_line(reader, "Expected `<seq> <signature>`, found: ", line);
    if (seq <= before)
        return bad_line(reader, "Signatures must be in the order of entries: ", line);
    reader->next.seq = (uint32_t)seq;
    return true;
}

bool signature_next(struct span *rest, bool *of_entropy, uint32_t *number,
                    uint8_t signature[static SIGNATURE_BYTES])
{
    struct span line;
    uint64_t found;
    while (span_line(rest, &line)) {
        struct span word = span_word(&line);
        *of_entropy = span_is(word, "entropy");
        if (*of_entropy)
            word = span_word(&line);
        if (!span_number(word, RECORD_LINES_MAX, &found) ||
            !span_hex(line, signature, SIGNATURE_BYTES))
            continue;
        *number = (uint32_t)found;
        return true;
    }
    return false;
}

/* ---- The record ---- */

/* A line of the record: the chain's value before it, and what decides whether a signature may be
 * from before it. */
struct seen {
    uint8_t head[32]; /* before the line */
    int64_t elapsed_ms;
    unsigned seat;
    bool system; /* a system line that does not change the position */
    bool ply;
};

struct walk {
    struct record_header header;
    uint8_t head[32];
    struct seen seen[SIGNATURE_LINES_BACK]; /* line number n is at seen[n mod ..] */
    uint32_t lines;                         /* entries so far */
};

static struct seen *seen_at(struct walk *walk, uint32_t line)
{
    return &walk->seen[line % SIGNATURE_LINES_BACK];
}

static bool takes_back(const struct record_entry *entry)
{
    return entry->kind == RECORD_RULING && entry->ruling == RECORD_RULING_TAKEBACK;
}

static void see(struct walk *walk, const struct record_entry *entry, const uint8_t before[32])
{
    struct seen *seen = seen_at(walk, walk->lines++);
    bool decision = entry->kind == RECORD_PLY || entry->kind == RECORD_UNDO;
    memcpy(seen->head, before, sizeof seen->head);
    seen->elapsed_ms = entry->elapsed_ms;
    seen->seat = entry->seat;
    seen->ply = entry->kind == RECORD_PLY;
    seen->system = !decision && !takes_back(entry);
    if (entry->kind != RECORD_SUBSTITUTE)
        return;
    struct record_seat *seat = &walk->header.seat[entry->subject];
    seat->has_key = entry->player.has_key;
    memcpy(seat->key, entry->player.key, sizeof seat->key);
}

static bool holds(const struct walk *walk, const struct record_entry *entry, struct span move,
                  const uint8_t head[static 32], const uint8_t *signature)
{
    return signature_holds(walk->header.game_id, head, entry->seat, move, signature,
                           walk->header.seat[entry->seat].key);
}

/* Tries the head before the last line, which is the signed one, and the earlier heads at which the
 * player may have signed. */
static bool holds_somewhere(struct walk *walk, const struct record_entry *entry, struct span move,
                            const uint8_t *signature)
{
    uint32_t signed_line = walk->lines - 1;
    for (uint32_t back = 0; back < SIGNATURE_LINES_BACK && back <= signed_line; back++) {
        const struct seen *seen = seen_at(walk, signed_line - back);
        bool unseen = seen->system || (seen->ply && seen->seat < entry->seat &&
                                       seen->elapsed_ms == entry->elapsed_ms);
        if (back > 0 && !unseen)
            return false;
        if (holds(walk, entry, move, seen->head, signature))
            return true;
    }
    return false;
}

/* What follows the time in a line without mark. */
static struct span move_of(struct span line)
{
    span_word(&line);
    span_word(&line);
    span_word(&line);
    return line;
}

static bool check_entry(struct walk *walk, struct reader *reader, const struct record_entry *entry,
                        struct span line, struct signature_count *count)
{
    bool decision = entry->kind == RECORD_PLY || entry->kind == RECORD_UNDO;
    bool has_key = decision && walk->header.seat[entry->seat].has_key;
    count->plies += has_key;
    if (reader->next.seq != entry->seq)
        return true;
    if (!has_key)
        return record_fault(reader->fault, "no-key",
                            "The seat has no key for a signature of this entry: ", line);
    if (!holds_somewhere(walk, entry, move_of(line), reader->next.bytes))
        return record_fault(reader->fault, "bad-signature",
                            "The signature is not valid for the entry: ", line);
    count->good++;
    return read_next(reader);
}

static bool is_head(struct span line)
{
    return line.length > 5 && memcmp(line.at, "head ", 5) == 0;
}

/* A fault of the record has no line in the signatures. */
static bool bad_record(struct record_fault *fault)
{
    fault->line = 0;
    return false;
}

/* Reads the record's entries. False if the record cannot be read, or if a signature is not
 * valid. */
static bool check_entries(struct walk *walk, struct reader *reader, struct span rest,
                          struct signature_count *count)
{
    struct span line;
    struct record_entry entry;
    while (span_line(&rest, &line)) {
        uint8_t before[32];
        memcpy(before, walk->head, sizeof before);
        if (!record_chain_check(walk->head, &line, reader->fault))
            return bad_record(reader->fault);
        if (is_head(line))
            break;
        if (!record_read_entry(line, &entry, reader->fault))
            return bad_record(reader->fault);
        see(walk, &entry, before);
        if (!check_entry(walk, reader, &entry, line, count))
            return false;
    }
    return reader->next.seq == 0 ||
           record_fault(reader->fault, "bad-line", "The record has no such entry.", none);
}

bool signature_check(struct span record, struct span signatures, struct signature_count *count,
                     struct record_fault *fault)
{
    struct walk walk = {.lines = 0};
    struct reader reader = {.rest = signatures, .fault = fault};
    *count = (struct signature_count){.good = 0};
    uint32_t lines;
    if (!record_read_header(&record, &walk.header, walk.head, &lines, fault))
        return bad_record(fault);
    fault->line = 0;
    return read_head(&reader, walk.header.game_id) &&
           check_entropy(&reader, &walk.header, &count->entropy) && read_next(&reader) &&
           check_entries(&walk, &reader, record, count);
}
