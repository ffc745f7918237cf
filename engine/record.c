/* Reading is strict by construction: every token has one form, so a line that was read is the line
 * that would be printed. The header is printed again and compared all the same, for it has optional
 * lines whose order matters. */
#include "engine/record.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

#include "engine/catalog.h"
#include "engine/notation.h"

enum { MARK_LENGTH = 10 };
static_assert(sizeof "seat 0 " - 1 + RECORD_ID_LENGTH + 1 + RECORD_NAME_ENCODED_MAX + 1 + 64 +
                      MARK_LENGTH <=
                  RECORD_LINE_MAX,
              "every name fits into its line");
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

static bool bad_line(struct record_fault *fault, const char *message, struct span line)
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

static bool is_first_line(struct span line)
{
    return span_is(line, "tillroll 1");
}

static void advance(uint8_t hash[static 32], struct span line)
{
    if (is_first_line(line))
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
        return bad_line(fault, "The line is longer than 512 bytes.", (struct span){NULL, 0});
    if (!is_printable(*line))
        return bad_line(fault, "The line holds a byte that is not printable ASCII.",
                        (struct span){NULL, 0});
    if (line->length <= MARK_LENGTH || memcmp(line->at + line->length - MARK_LENGTH, " #", 2) != 0)
        return bad_line(fault, "The line does not end with its mark: ", *line);
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

/* ---- Names and identifiers ---- */

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

/* Bytes of a name as it stands in a seat line. */
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
    while (name.length > 0) {
        uint32_t character;
        if (!next_character(&name, &character) || !is_visible(character))
            return false;
    }
    return true;
}

static void print_name(struct text *text, const char *name)
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

static bool read_name(struct span word, char name[static RECORD_NAME_MAX + 1])
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

/* ---- Header: printing ---- */

struct header_printer {
    struct text *text;
    uint8_t *hash; /* NULL: lines without marks */
    char bytes[RECORD_LINE_MAX + 1];
    struct text line;
};

/* Appends a line, with an LF between it and the one before. */
static void add_line(struct text *text, struct span line)
{
    if (text->length > 0)
        text_add_char(text, '\n');
    text_add_span(text, line);
}

static void end_line(struct header_printer *printer)
{
    if (printer->hash != NULL)
        record_chain_mark(printer->hash, &printer->line);
    add_line(printer->text, text_span(&printer->line));
    printer->text->overflow = printer->text->overflow || printer->line.overflow;
    text_clear(&printer->line);
}

static void print_board(const struct record_header *header, struct text *text)
{
    if (header->board == 0)
        text_add_char(text, '-');
    else
        text_add_number(text, header->board);
}

static void print_event(const struct record_header *header, struct text *line)
{
    text_add(line, "event ");
    if (!header->in_event) {
        text_add_char(line, '-');
        return;
    }
    text_add(line, header->event_id);
    text_add(line, " round ");
    text_add_number(line, header->round);
    text_add(line, " table ");
    text_add_number(line, header->table);
    text_add(line, " board ");
    print_board(header, line);
}

static void print_seat(const struct record_seat *seat, unsigned number, struct text *line)
{
    text_add(line, "seat ");
    text_add_number(line, number);
    text_add_char(line, ' ');
    text_add(line, seat->player);
    text_add_char(line, ' ');
    print_name(line, seat->name);
    text_add_char(line, ' ');
    if (seat->has_key)
        text_add_hex(line, seat->key, sizeof seat->key);
    else
        text_add_char(line, '-');
}

static void print_entropy(const struct record_seat *seat, unsigned number, struct text *line)
{
    text_add(line, "entropy ");
    text_add_number(line, number);
    text_add_char(line, ' ');
    text_add_hex(line, seat->entropy, seat->entropy_size);
}

static void print_header(const struct record_header *header, struct text *text, uint8_t *hash)
{
    struct header_printer printer = {.text = text, .hash = hash};
    printer.line = TEXT_OVER(printer.bytes);
    struct text *line = &printer.line;
    text_add(line, "tillroll 1");
    end_line(&printer);

    uint8_t components[32];
    game_components_hash(header->game, components);
    text_add(line, "game ");
    text_add(line, header->game_id);
    text_add_char(line, ' ');
    text_add(line, header->game->slug);
    text_add_char(line, ' ');
    text_add(line, header->game->version);
    text_add_char(line, ' ');
    text_add_hex(line, components, sizeof components);
    end_line(&printer);

    print_event(header, line);
    end_line(&printer);
    for (size_t i = 0; i < header->game->option_count; i++) {
        const struct game_option *option = &header->game->options[i];
        text_add(line, "option ");
        text_add(line, option->name);
        text_add_char(line, ' ');
        text_add(line, option->values[header->options.value[i]]);
        end_line(&printer);
    }
    text_add(line, "clock -");
    end_line(&printer);
    for (unsigned i = 0; i < header->seats; i++) {
        print_seat(&header->seat[i], i, line);
        end_line(&printer);
    }
    text_add(line, "commit ");
    text_add_hex(line, header->commitment, sizeof header->commitment);
    end_line(&printer);
    for (unsigned i = 0; i < header->seats; i++) {
        if (header->seat[i].entropy_size == 0)
            continue;
        print_entropy(&header->seat[i], i, line);
        end_line(&printer);
    }
    text_add(line, "start ");
    text_add(line, header->start);
    end_line(&printer);
}

void record_print_header(const struct record_header *header, struct text *text,
                         uint8_t hash[static 32])
{
    print_header(header, text, hash);
}

/* ---- Header: reading ---- */

struct header_reader {
    struct span rest;
    uint8_t *hash;
    uint32_t *lines;
    struct record_fault *fault;
    struct span line;   /* the present line, without mark */
    struct text *seen;  /* all lines so far, without marks */
    struct words words; /* its words */
};

static bool next_line(struct header_reader *reader)
{
    if (reader->rest.length == 0 || !span_line(&reader->rest, &reader->line))
        return bad_line(reader->fault, "The record ends within its header.",
                        (struct span){NULL, 0});
    ++*reader->lines;
    if (!record_chain_check(reader->hash, &reader->line, reader->fault))
        return false;
    add_line(reader->seen, reader->line);
    struct span rest = reader->line;
    reader->words.count = 0;
    while (rest.length > 0 && reader->words.count < NOTATION_WORDS_MAX)
        reader->words.word[reader->words.count++] = span_word(&rest);
    return true;
}

/* True if the present line has `count` words and begins with `key`. */
static bool line_is(const struct header_reader *reader, const char *key, size_t count)
{
    return reader->words.count == count && span_is(reader->words.word[0], key);
}

static bool unexpected(const struct header_reader *reader, const char *wanted)
{
    return bad_line(reader->fault, wanted, reader->line);
}

static bool copy_id(struct span word, char id[static RECORD_ID_LENGTH + 1])
{
    if (!record_is_id(word))
        return false;
    memcpy(id, word.at, RECORD_ID_LENGTH);
    id[RECORD_ID_LENGTH] = '\0';
    return true;
}

static bool read_game(struct header_reader *reader, struct record_header *header)
{
    const struct span *word = reader->words.word;
    uint8_t named[32];
    uint8_t known[32];
    if (!line_is(reader, "game", 5) || !copy_id(word[1], header->game_id) ||
        !span_hex(word[4], named, sizeof named))
        return unexpected(reader, "Expected `game <id> <slug> <version> <hash>`, found: ");
    header->game = catalog_find(word[2], word[3]);
    if (header->game == NULL)
        return record_fault(reader->fault, "unknown-ruleset",
                            "This program does not know the ruleset: ", reader->line);
    game_components_hash(header->game, known);
    if (memcmp(named, known, sizeof known) != 0)
        return record_fault(reader->fault, "wrong-components",
                            "The game was played with another component set: ", word[4]);
    return true;
}

static bool read_count(struct span word, uint32_t *count)
{
    uint64_t number;
    if (!span_number(word, UINT32_MAX, &number) || number == 0)
        return false;
    *count = (uint32_t)number;
    return true;
}

static bool read_event(struct header_reader *reader, struct record_header *header)
{
    const struct span *word = reader->words.word;
    if (line_is(reader, "event", 2) && span_is(word[1], "-"))
        return true;
    header->in_event = true;
    if (line_is(reader, "event", 8) && copy_id(word[1], header->event_id) &&
        span_is(word[2], "round") && read_count(word[3], &header->round) &&
        span_is(word[4], "table") && read_count(word[5], &header->table) &&
        span_is(word[6], "board") && (span_is(word[7], "-") || read_count(word[7], &header->board)))
        return true;
    return unexpected(reader, "Expected `event <id> round <n> table <n> board <n or ->`, found: ");
}

static bool read_options(struct header_reader *reader, struct record_header *header)
{
    for (size_t i = 0; i < header->game->option_count; i++) {
        if (!next_line(reader))
            return false;
        const struct span *word = reader->words.word;
        int value = line_is(reader, "option", 3) && span_is(word[1], header->game->options[i].name)
                        ? game_option_value(header->game, i, word[2])
                        : -1;
        if (value < 0)
            return unexpected(reader, "Expected the game's options in the order of names, found: ");
        header->options.value[i] = (uint8_t)value;
    }
    return true;
}

static bool read_clock(struct header_reader *reader)
{
    if (line_is(reader, "clock", 2) && span_is(reader->words.word[1], "-"))
        return true;
    return unexpected(reader, "Expected `clock -`, found: ");
}

static bool read_seat(struct header_reader *reader, struct record_header *header)
{
    const struct span *word = reader->words.word;
    struct record_seat *seat = &header->seat[header->seats];
    uint64_t number;
    if (header->seats == header->game->seats_max || reader->words.count != 5 ||
        !span_number(word[1], GAME_SEATS_MAX - 1, &number) || number != header->seats ||
        !copy_id(word[2], seat->player) || !read_name(word[3], seat->name))
        return unexpected(reader, "Expected `seat <n> <player> <name> <key>`, found: ");
    seat->has_key = !span_is(word[4], "-");
    if (seat->has_key && !span_hex(word[4], seat->key, sizeof seat->key))
        return unexpected(reader, "A seat's key is 64 hex digits or `-`, found: ");
    header->seats++;
    return true;
}

static bool read_entropy(struct header_reader *reader, struct record_header *header,
                         unsigned *next_seat)
{
    const struct span *word = reader->words.word;
    uint64_t number;
    if (header->board != 0)
        return unexpected(reader, "The luck of a board is the same at every table; no entropy goes "
                                  "into it: ");
    if (reader->words.count != 3 || header->seats == 0 ||
        !span_number(word[1], header->seats - 1, &number) || number < *next_seat)
        return unexpected(reader, "Expected `entropy <seat> <hex>`, found: ");
    struct record_seat *seat = &header->seat[number];
    size_t size = word[2].length / 2;
    if (size == 0 || size > RECORD_ENTROPY_MAX || !span_hex(word[2], seat->entropy, size))
        return unexpected(reader, "Entropy is 1 to 32 bytes in hex, found: ");
    seat->entropy_size = (uint8_t)size;
    *next_seat = (unsigned)number + 1;
    return true;
}

/* `2026-11-20T15:04:05.123Z`: the shape, and each field within its range. */
static bool is_time(struct span word)
{
    static const char shape[] = "dddd-dd-ddTdd:dd:dd.dddZ";
    if (word.length != sizeof shape - 1)
        return false;
    for (size_t i = 0; i < word.length; i++) {
        bool digit = word.at[i] >= '0' && word.at[i] <= '9';
        if (shape[i] == 'd' ? !digit : word.at[i] != shape[i])
            return false;
    }
    static const struct {
        uint8_t at, min, max;
    } fields[] = {{5, 1, 12}, {8, 1, 31}, {11, 0, 23}, {14, 0, 59}, {17, 0, 60}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        int value = (word.at[fields[i].at] - '0') * 10 + word.at[fields[i].at + 1] - '0';
        if (value < fields[i].min || value > fields[i].max)
            return false;
    }
    return true;
}

static bool read_start(struct header_reader *reader, struct record_header *header)
{
    if (!line_is(reader, "start", 2) || !is_time(reader->words.word[1]))
        return unexpected(reader, "Expected `start <time>`, found: ");
    memcpy(header->start, reader->words.word[1].at, sizeof header->start - 1);
    header->start[sizeof header->start - 1] = '\0';
    return true;
}

static bool read_fields(struct header_reader *reader, struct record_header *header)
{
    if (!next_line(reader))
        return false;
    if (!is_first_line(reader->line))
        return unexpected(reader, "A record begins with `tillroll 1`, found: ");
    if (!next_line(reader) || !read_game(reader, header) || !next_line(reader) ||
        !read_event(reader, header) || !read_options(reader, header) || !next_line(reader) ||
        !read_clock(reader) || !next_line(reader))
        return false;
    while (reader->words.count > 0 && span_is(reader->words.word[0], "seat"))
        if (!read_seat(reader, header) || !next_line(reader))
            return false;
    if (header->seats < header->game->seats_min)
        return unexpected(reader, "There are too few seats for this game before: ");
    if (!line_is(reader, "commit", 2) ||
        !span_hex(reader->words.word[1], header->commitment, sizeof header->commitment))
        return unexpected(reader, "Expected `commit <hash>`, found: ");
    if (!next_line(reader))
        return false;
    unsigned next_seat = 0;
    while (reader->words.count > 0 && span_is(reader->words.word[0], "entropy"))
        if (!read_entropy(reader, header, &next_seat) || !next_line(reader))
            return false;
    return read_start(reader, header);
}

bool record_read_header(struct span *rest, struct record_header *header, uint8_t hash[static 32],
                        uint32_t *lines, struct record_fault *fault)
{
    *lines = 0;
    *header = (struct record_header){.game = NULL};
    record_chain_start(hash);
    char seen_bytes[RECORD_HEADER_MAX];
    struct text seen = TEXT_OVER(seen_bytes);
    struct header_reader reader = {
        .rest = *rest, .hash = hash, .lines = lines, .fault = fault, .seen = &seen};
    bool good = read_fields(&reader, header);
    fault->line = *lines;
    if (!good)
        return false;

    char printed_bytes[RECORD_HEADER_MAX];
    struct text printed = TEXT_OVER(printed_bytes);
    print_header(header, &printed, NULL);
    if (printed.overflow || !span_equal(text_span(&printed), text_span(&seen))) {
        fault->line = 0;
        return bad_line(fault, "The header is not in canonical form.", (struct span){NULL, 0});
    }
    *rest = reader.rest;
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
        return bad_line(fault, "Expected `<seq> <seat> <elapsed ms> ...`, found: ", line);
    entry->seq = (uint32_t)seq;
    entry->elapsed_ms = (int64_t)elapsed;
    if (span_is(seat_word, "-")) {
        if (!read_system_entry(rest, entry))
            return bad_line(fault, "This is no system line: ", line);
        return true;
    }
    entry->kind = RECORD_PLY;
    entry->move = rest;
    if (!read_seat_number(seat_word, &entry->seat) || rest.length == 0)
        return bad_line(fault, "This is no ply: ", line);
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
    print_board(header, &text);
    for (unsigned i = 0; i < header->seats; i++) {
        if (header->seat[i].entropy_size == 0)
            continue;
        print_entropy(&header->seat[i], i, &text);
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
