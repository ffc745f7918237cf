/* A record's header. Reading is strict by construction: every token has exactly one form. The
 * header is still printed again and compared, because it has optional lines whose order matters. */
#include <assert.h>
#include <string.h>

#include "engine/base/calendar.h"
#include "engine/game/catalog.h"
#include "engine/game/component_list.h"
#include "engine/game/game.h"
#include "engine/record/record_parts.h"

static_assert(sizeof "seat 0 " - 1 + RECORD_ID_LENGTH + 1 + RECORD_NAME_ENCODED_MAX + 1 + 64 +
                      MARK_LENGTH <=
                  RECORD_LINE_MAX,
              "every name fits into its line");

/* ---- Printing ---- */

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

void record_print_board(const struct record_header *header, struct text *text)
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
    record_print_board(header, line);
}

void record_print_seat(const struct record_seat *seat, unsigned number, struct text *line)
{
    text_add_number(line, number);
    text_add_char(line, ' ');
    text_add(line, seat->player);
    text_add_char(line, ' ');
    record_print_name(line, seat->name);
    text_add_char(line, ' ');
    if (seat->has_key)
        text_add_hex(line, seat->key, sizeof seat->key);
    else
        text_add_char(line, '-');
}

void record_print_entropy(const struct record_seat *seat, unsigned number, struct text *line)
{
    text_add(line, "entropy ");
    text_add_number(line, number);
    text_add_char(line, ' ');
    text_add_hex(line, seat->entropy, seat->entropy_size);
}

void record_print_dealer_key(const struct record_dealer *dealer, struct text *line)
{
    text_add(line, "dealer ");
    text_add(line, dealer->name);
    text_add_char(line, ' ');
    text_add_hex(line, dealer->key, sizeof dealer->key);
    text_add_char(line, ' ');
}

static void print_dealer(const struct record_dealer *dealer, struct text *line)
{
    record_print_dealer_key(dealer, line);
    if (dealer->missing)
        text_add(line, "missing");
    else
        text_add_hex(line, dealer->proof, sizeof dealer->proof);
}

static void print_header(const struct record_header *header, struct text *text, uint8_t *hash)
{
    struct header_printer printer = {.text = text, .hash = hash};
    printer.line = TEXT_OVER(printer.bytes);
    struct text *line = &printer.line;
    text_add(line, header->recorded ? "tillroll 2" : "tillroll 1");
    end_line(&printer);

    uint8_t components[32];
    if (header->other_set)
        memcpy(components, header->set, sizeof components);
    else
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
    text_add(line, "clock ");
    clock_print_control(&header->clock, line);
    end_line(&printer);
    for (unsigned i = 0; i < header->seats; i++) {
        text_add(line, "seat ");
        record_print_seat(&header->seat[i], i, line);
        end_line(&printer);
    }
    if (header->recorded) {
        text_add(line, "chance recorded");
    } else {
        text_add(line, "commit ");
        text_add_hex(line, header->commitment, sizeof header->commitment);
    }
    end_line(&printer);
    for (unsigned i = 0; i < header->seats; i++) {
        if (header->seat[i].entropy_size == 0)
            continue;
        record_print_entropy(&header->seat[i], i, line);
        end_line(&printer);
    }
    for (unsigned i = 0; i < header->dealers; i++) {
        print_dealer(&header->dealer[i], line);
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

/* ---- Reading ---- */

struct header_reader {
    struct span rest;
    uint8_t *hash;
    uint32_t *lines;
    struct record_fault *fault;
    struct span line;   /* the current line, without mark */
    struct text *seen;  /* all lines so far, without marks */
    struct words words; /* words of the current line */
};

static bool next_line(struct header_reader *reader)
{
    if (reader->rest.length == 0 || !span_line(&reader->rest, &reader->line))
        return record_bad_line(reader->fault, "The record ends within its header.",
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

/* True if the current line has `count` words and begins with `key`. */
static bool line_is(const struct header_reader *reader, const char *key, size_t count)
{
    return reader->words.count == count && span_is(reader->words.word[0], key);
}

static bool unexpected(const struct header_reader *reader, const char *wanted)
{
    return record_bad_line(reader->fault, wanted, reader->line);
}

bool record_copy_id(struct span word, char id[static RECORD_ID_LENGTH + 1])
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
    uint8_t known[32];
    if (!line_is(reader, "game", 5) || !record_copy_id(word[1], header->game_id) ||
        !span_hex(word[4], header->set, sizeof header->set))
        return unexpected(reader, "Expected `game <id> <slug> <version> <hash>`, found: ");
    header->game = catalog_find(word[2], word[3]);
    if (header->game == NULL)
        return record_fault(reader->fault, "unknown-ruleset",
                            "This program does not know the ruleset: ", reader->line);
    game_components_hash(header->game, known);
    header->other_set = memcmp(header->set, known, sizeof known) != 0;
    return true;
}

bool record_find_set(struct record_header *header, const struct component_sets *sets,
                     struct record_fault *fault)
{
    char hex[65];
    struct text text = TEXT_OVER(hex);
    if (!header->other_set)
        return true;
    const struct game *game =
        sets == NULL ? NULL : sets->find(sets->context, header->game, header->set);
    if (game != NULL) {
        header->game = game;
        header->other_set = false;
        return true;
    }
    text_add_hex(&text, header->set, sizeof header->set);
    fault->line = 2;
    return record_fault(fault, "wrong-components",
                        "The game was played with another component set, which is needed to "
                        "replay it: ",
                        text_span(&text));
}

static bool read_count(struct span word, uint32_t *count)
{
    uint64_t number;
    if (!span_number(word, UINT32_MAX, &number) || number == 0)
        return false;
    *count = (uint32_t)number;
    return true;
}

/* Games of ladders and open play belong to no round; they have round 0. */
static bool read_round(struct span word, uint32_t *round)
{
    return span_is(word, "0") || read_count(word, round);
}

static bool read_event(struct header_reader *reader, struct record_header *header)
{
    const struct span *word = reader->words.word;
    if (line_is(reader, "event", 2) && span_is(word[1], "-"))
        return true;
    header->in_event = true;
    if (line_is(reader, "event", 8) && record_copy_id(word[1], header->event_id) &&
        span_is(word[2], "round") && read_round(word[3], &header->round) &&
        span_is(word[4], "table") && read_count(word[5], &header->table) &&
        span_is(word[6], "board") &&
        (span_is(word[7], "-") || (header->round > 0 && read_count(word[7], &header->board))))
        return true;
    return unexpected(reader, "Expected `event <id> round <n> table <n> board <n or ->`, found: ");
}

static bool read_options(struct header_reader *reader, struct record_header *header)
{
    assert(header->game != NULL); /* found in the lines before */
    for (size_t i = 0; i < header->game->option_count; i++) {
        if (!next_line(reader))
            return false;
        const struct span *word = reader->words.word;
        int value = line_is(reader, "option", 3) && span_is(word[1], header->game->options[i].name)
                        ? game_option_value(header->game, i, word[2])
                        : -1;
        if (value < 0)
            return unexpected(reader, "Expected the game's options in order of name, found: ");
        header->options.value[i] = (uint8_t)value;
    }
    return true;
}

static bool read_clock(struct header_reader *reader, struct record_header *header)
{
    struct span rest = reader->line;
    if (span_is(span_word(&rest), "clock") && clock_read_control(rest, &header->clock))
        return true;
    return unexpected(reader, "Expected `clock -`, `clock bank=<ms> increment=<ms> cap=<ms>` or "
                              "`clock move=<ms>`, found: ");
}

bool record_read_seat(struct span words, unsigned seats, unsigned *number, struct record_seat *seat)
{
    uint64_t value;
    if (!span_number(span_word(&words), seats - 1, &value) ||
        !record_copy_id(span_word(&words), seat->player) ||
        !record_read_name(span_word(&words), seat->name))
        return false;
    *number = (unsigned)value;
    seat->has_key = !span_is(words, "-");
    return !seat->has_key || span_hex(words, seat->key, sizeof seat->key);
}

static bool read_seat(struct header_reader *reader, struct record_header *header)
{
    struct span rest = reader->line;
    unsigned number;
    span_word(&rest);
    if (header->seats == header->game->seats_max ||
        !record_read_seat(rest, GAME_SEATS_MAX, &number, &header->seat[header->seats]) ||
        number != header->seats)
        return unexpected(reader, "Expected `seat <n> <player> <name> <key>`, the key 64 hex "
                                  "digits or `-`, found: ");
    header->seats++;
    return true;
}

static bool read_entropy(struct header_reader *reader, struct record_header *header,
                         unsigned *next_seat)
{
    const struct span *word = reader->words.word;
    uint64_t number;
    if (header->board != 0)
        return unexpected(reader, "A board's luck is the same at every table; no entropy can go "
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

/* Names in order, so that there is one form, and none twice. */
static bool read_dealer(struct header_reader *reader, struct record_header *header)
{
    const struct span *word = reader->words.word;
    struct record_dealer *dealer = &header->dealer[header->dealers];
    if (header->dealers == RECORD_DEALERS_MAX || reader->words.count != 4 ||
        !record_is_dealer_name(word[1]) ||
        (header->dealers > 0 && span_compare(span_of(dealer[-1].name), word[1]) >= 0) ||
        !span_hex(word[2], dealer->key, sizeof dealer->key))
        return unexpected(reader, "Expected `dealer <name> <key> <proof or missing>`, at most five "
                                  "in the order of their names, found: ");
    memcpy(dealer->name, word[1].at, word[1].length);
    dealer->missing = span_is(word[3], "missing");
    if (!ecvrf_key_is_valid(dealer->key))
        return record_fault(reader->fault, "bad-dealer-key",
                            "No proof can be checked with this key: ", word[2]);
    if (!dealer->missing && (!span_hex(word[3], dealer->proof, sizeof dealer->proof) ||
                             !ecvrf_proof_is_formed(dealer->proof)))
        return record_fault(reader->fault, "bad-proof",
                            "This is not a proof (RFC 9381): ", word[3]);
    header->dealers++;
    return true;
}

static bool read_start(struct header_reader *reader, struct record_header *header)
{
    if (!line_is(reader, "start", 2) || !calendar_is_time(reader->words.word[1]))
        return unexpected(reader, "Expected `start <time>`, found: ");
    memcpy(header->start, reader->words.word[1].at, sizeof header->start - 1);
    header->start[sizeof header->start - 1] = '\0';
    return true;
}

/* The commitment to luck; for a recorded game, the word that there is none. Its clock and its luck
 * are those of a real table. */
static bool read_chance(struct header_reader *reader, struct record_header *header)
{
    const struct span *word = reader->words.word;
    if (!header->recorded) {
        if (line_is(reader, "commit", 2) &&
            span_hex(word[1], header->commitment, sizeof header->commitment))
            return true;
        return unexpected(reader, "Expected `commit <hash>`, found: ");
    }
    if (header->clock.kind != CLOCK_NONE || header->board != 0)
        return unexpected(reader, "A recorded game has no clock and no board. Before the line: ");
    if (line_is(reader, "chance", 2) && span_is(word[1], "recorded"))
        return true;
    return unexpected(reader, "Expected `chance recorded`, found: ");
}

static bool read_fields(struct header_reader *reader, struct record_header *header)
{
    if (!next_line(reader))
        return false;
    if (!record_is_first_line(reader->line))
        return unexpected(reader, "A record begins with `tillroll 1` or `tillroll 2`, found: ");
    header->recorded = span_is(reader->line, "tillroll 2");
    if (!next_line(reader) || !read_game(reader, header) || !next_line(reader) ||
        !read_event(reader, header) || !read_options(reader, header) || !next_line(reader) ||
        !read_clock(reader, header) || !next_line(reader))
        return false;
    while (reader->words.count > 0 && span_is(reader->words.word[0], "seat"))
        if (!read_seat(reader, header) || !next_line(reader))
            return false;
    if (header->seats < header->game->seats_min)
        return unexpected(reader, "There are too few seats for this game before the line: ");
    if (!read_chance(reader, header) || !next_line(reader))
        return false;
    unsigned next_seat = 0;
    while (!header->recorded && reader->words.count > 0 &&
           span_is(reader->words.word[0], "entropy"))
        if (!read_entropy(reader, header, &next_seat) || !next_line(reader))
            return false;
    while (!header->recorded && reader->words.count > 0 && span_is(reader->words.word[0], "dealer"))
        if (!read_dealer(reader, header) || !next_line(reader))
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
        return record_bad_line(fault, "The header is not in canonical form.",
                               (struct span){NULL, 0});
    }
    *rest = reader.rest;
    return true;
}

bool record_other_set(struct span record, uint8_t set[static 32])
{
    struct record_header header;
    struct record_fault fault;
    uint8_t chain[32];
    uint32_t lines;
    if (!record_read_header(&record, &header, chain, &lines, &fault) || !header.other_set)
        return false;
    memcpy(set, header.set, sizeof header.set);
    return true;
}
