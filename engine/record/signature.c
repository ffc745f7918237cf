#include "engine/record/signature.h"

#include <sodium.h>
#include <string.h>

#include "engine/record/record_parts.h"

static const struct span none = {NULL, 0};

void signature_message(const char *game_id, const uint8_t head[static 32], unsigned seat,
                       struct span move, struct text *message)
{
    text_add(message, "tillroll move\n");
    text_add_line(message, game_id);
    text_add_hex_line(message, head, 32);
    text_add_number_line(message, seat);
    text_add_span_line(message, move);
}

void signature_entropy_message(const struct record_header *header, unsigned seat,
                               struct text *message)
{
    const struct record_seat *giver = &header->seat[seat];
    text_add(message, "tillroll entropy\n");
    text_add_line(message, header->game_id);
    text_add_hex_line(message, header->commitment, sizeof header->commitment);
    text_add_number_line(message, seat);
    text_add_hex_line(message, giver->entropy, giver->entropy_size);
}

struct span signature_act(struct span line)
{
    span_word(&line);
    span_word(&line);
    span_word(&line);
    return line;
}

bool signature_is_act(const struct record_entry *entry)
{
    return entry->kind == RECORD_FORFEIT || entry->kind == RECORD_FALLBACK ||
           entry->kind == RECORD_RETURN || entry->kind == RECORD_SUBSTITUTE ||
           entry->kind == RECORD_RULING;
}

void signature_official_message(const char *game_id, const uint8_t head[static 32],
                                const char *official, struct span act, struct text *message)
{
    text_add(message, "tillroll official\n");
    text_add_line(message, game_id);
    text_add_hex_line(message, head, 32);
    text_add_line(message, official);
    text_add_span_line(message, span_word(&act));
    text_add_span_line(message, act);
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

bool signature_of_official_holds(const char *game_id, const uint8_t head[static 32],
                                 struct span act, const struct signature *signature)
{
    char bytes[SIGNATURE_MESSAGE_MAX + RECORD_LINE_MAX];
    struct text message = TEXT_OVER(bytes);
    signature_official_message(game_id, head, signature->official, act, &message);
    return is_signed(&message, signature->bytes, signature->key);
}

/* ---- The text of signatures ---- */

void signature_print_first(const char *game_id, struct text *text)
{
    text_add(text, SIGNATURE_FIRST_LINE "\ngame ");
    text_add_line(text, game_id);
}

void signature_print(const struct signature *signature, struct text *text)
{
    if (signature->kind == SIGNATURE_OF_ENTROPY)
        text_add(text, "entropy ");
    if (signature->kind == SIGNATURE_OF_OFFICIAL)
        text_add(text, "official ");
    text_add_number(text, signature->number);
    text_add_char(text, ' ');
    if (signature->kind == SIGNATURE_OF_OFFICIAL) {
        text_add(text, signature->official);
        text_add_char(text, ' ');
        text_add_hex(text, signature->key, sizeof signature->key);
        text_add_char(text, ' ');
    }
    text_add_hex_line(text, signature->bytes, SIGNATURE_BYTES);
}

/* Reads a line other than the first two. */
static bool read_signature(struct span line, struct signature *signature)
{
    struct span word = span_word(&line);
    uint64_t number;
    *signature = (struct signature){.kind = span_is(word, "entropy")    ? SIGNATURE_OF_ENTROPY
                                            : span_is(word, "official") ? SIGNATURE_OF_OFFICIAL
                                                                        : SIGNATURE_OF_MOVE};
    if (signature->kind != SIGNATURE_OF_MOVE)
        word = span_word(&line);
    if (!span_number(word, RECORD_LINES_MAX, &number))
        return false;
    signature->number = (uint32_t)number;
    return (signature->kind != SIGNATURE_OF_OFFICIAL ||
            (record_copy_id(span_word(&line), signature->official) &&
             span_hex(span_word(&line), signature->key, sizeof signature->key))) &&
           span_hex(line, signature->bytes, SIGNATURE_BYTES);
}

struct reader {
    struct span rest;
    struct signature next; /* number 0: there are no more */
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
        struct signature read;
        struct span line;
        if (!read_line(reader, &line))
            return bad_line(reader, "The last line does not end with a line feed.", none);
        if (!read_signature(line, &read) || read.number >= header->seats || read.number < next_seat)
            return bad_line(reader, "Expected `entropy <seat> <signature>`, found: ", line);
        const struct record_seat *giver = &header->seat[read.number];
        if (!giver->has_key || giver->entropy_size == 0)
            return record_fault(reader->fault, "no-key",
                                "The seat has no key, or gave no entropy: ", line);
        if (!signature_of_entropy_holds(header, read.number, read.bytes))
            return record_fault(
                reader->fault, "bad-signature",
                "The signature is not valid for the commitment and the entropy: ", line);
        next_seat = read.number + 1;
        ++*good;
    }
    return true;
}

static bool read_next(struct reader *reader)
{
    struct span line;
    struct signature read;
    uint32_t before = reader->next.number;
    reader->next.number = 0;
    if (reader->rest.length == 0)
        return true;
    if (!read_line(reader, &line))
        return bad_line(reader, "The last line does not end with a line feed.", none);
    if (!read_signature(line, &read) || read.kind == SIGNATURE_OF_ENTROPY)
        return bad_line(reader, "Expected `<seq> <signature>` or `official ..`, found: ", line);
    if (read.number <= before)
        return bad_line(reader, "Signatures must be in the order of entries: ", line);
    reader->next = read;
    return true;
}

bool signature_next(struct span *rest, struct signature *signature)
{
    struct span line;
    while (span_line(rest, &line))
        if (read_signature(line, signature))
            return true;
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
    char ruled_by[RECORD_ID_LENGTH + 1]; /* "" if it is no ruling */
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

static void see(struct walk *walk, const struct record_entry *entry, const uint8_t before[32])
{
    struct seen *seen = seen_at(walk, walk->lines++);
    bool decision = entry->kind == RECORD_PLY || entry->kind == RECORD_UNDO;
    memcpy(seen->head, before, sizeof seen->head);
    seen->elapsed_ms = entry->elapsed_ms;
    seen->seat = entry->seat;
    seen->ply = entry->kind == RECORD_PLY;
    seen->system = !decision && !record_takes_back(entry);
    seen->ruled_by[0] = '\0';
    if (entry->kind == RECORD_RULING)
        memcpy(seen->ruled_by, entry->by, sizeof seen->ruled_by);
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

/* Whether the official has signed the last line, and if so whether that was before something else
 * happened. */
static bool is_officials(struct walk *walk, const struct record_entry *entry, struct span act,
                         const struct signature *signature, bool *stale)
{
    uint32_t signed_line = walk->lines - 1;
    *stale = false;
    for (uint32_t back = 0; back < SIGNATURE_LINES_BACK && back <= signed_line; back++) {
        const struct seen *seen = seen_at(walk, signed_line - back);
        *stale = *stale || (back > 0 && (seen->elapsed_ms != entry->elapsed_ms ||
                                         strcmp(seen->ruled_by, signature->official) != 0));
        if (signature_of_official_holds(walk->header.game_id, seen->head, act, signature))
            return true;
    }
    return false;
}

static bool check_official(struct walk *walk, struct reader *reader,
                           const struct record_entry *entry, struct span line,
                           struct signature_count *count)
{
    const struct signature *signature = &reader->next;
    bool stale;
    if (!signature_is_act(entry) ||
        (entry->kind == RECORD_RULING && strcmp(entry->by, signature->official) != 0))
        return record_fault(reader->fault, SIGNATURE_FAULT_OFFICIAL,
                            "The entry is not by this official: ", line);
    if (!is_officials(walk, entry, signature_act(line), signature, &stale))
        return record_fault(reader->fault, SIGNATURE_FAULT_OFFICIAL,
                            "The official's signature is not valid for the entry: ", line);
    if (stale)
        return record_fault(reader->fault, SIGNATURE_FAULT_STALE,
                            "The official had signed before the game went on to the entry: ", line);
    count->officials++;
    return read_next(reader);
}

static bool check_entry(struct walk *walk, struct reader *reader, const struct record_entry *entry,
                        struct span line, struct signature_count *count)
{
    bool decision = entry->kind == RECORD_PLY || entry->kind == RECORD_UNDO;
    bool has_key = decision && walk->header.seat[entry->seat].has_key;
    count->plies += has_key;
    if (reader->next.number != entry->seq)
        return true;
    if (reader->next.kind == SIGNATURE_OF_OFFICIAL)
        return check_official(walk, reader, entry, line, count);
    if (!has_key)
        return record_fault(reader->fault, "no-key",
                            "The seat has no key for a signature of this entry: ", line);
    if (!holds_somewhere(walk, entry, signature_act(line), reader->next.bytes))
        return record_fault(reader->fault, "bad-signature",
                            "The signature is not valid for the entry: ", line);
    count->good++;
    return read_next(reader);
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
        if (record_is_head(line))
            break;
        if (!record_read_entry(line, &entry, reader->fault))
            return bad_record(reader->fault);
        see(walk, &entry, before);
        if (!check_entry(walk, reader, &entry, line, count))
            return false;
    }
    return reader->next.number == 0 ||
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
