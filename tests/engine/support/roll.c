#include "tests/engine/support/roll.h"
#include "engine/search/policy.h"

#include <stdlib.h>
#include <string.h>

static void *must(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

static void require(bool good)
{
    if (!good)
        abort();
}

/* ---- Writing ---- */

void roll_dealer_secret(unsigned number, uint8_t secret[static ECVRF_SECRET])
{
    memset(secret, (int)(0xd0 + number), ECVRF_SECRET);
}

void roll_deal(struct record_header *header, unsigned dealers)
{
    static const char *const names[] = {"0.example", "ada.example", "ben-1", "chess.club.example",
                                        "the-name-of-a-dealer-can-be-long"};
    struct dealer_input input;
    char bytes[DEALER_INPUT_MAX];
    struct text text = TEXT_OVER(bytes);
    dealer_input_of(header, &input);
    dealer_input_print(&input, &text);
    header->dealers = dealers;
    for (unsigned i = 0; i < dealers; i++) {
        struct record_dealer *dealer = &header->dealer[i];
        uint8_t secret[ECVRF_SECRET];
        roll_dealer_secret(i, secret);
        *dealer = (struct record_dealer){.missing = i % 3 == 2};
        memcpy(dealer->name, names[i], strlen(names[i]) + 1);
        ecvrf_public_key(secret, dealer->key);
        if (!dealer->missing)
            require(ecvrf_prove(secret, text_span(&text), dealer->proof));
    }
}

void roll_header(struct record_header *header, const struct game *game, unsigned seats,
                 const struct game_options *options, uint32_t number, uint8_t secret[static 32])
{
    static const char *const names[] = {"Ada L.", "Grace", "\xc3\x89mile",
                                        "\xe6\x9d\xb1\xe4\xba\xac", "50% ~a_b-c"};
    memset(header, 0, sizeof *header);
    memcpy(header->game_id, "0190163d-8694-739b-aea5-966c26f8ad91", RECORD_ID_LENGTH);
    memcpy(header->event_id, "0190163d-8694-739b-aea5-966c26f8ad92", RECORD_ID_LENGTH);
    header->game = game;
    header->options = *options;
    header->in_event = number % 2 == 1;
    header->board = number % 4 == 3 ? 2 : 0;
    header->round = 3;
    header->table = 12;
    header->seats = seats;
    for (unsigned i = 0; i < seats; i++) {
        struct record_seat *seat = &header->seat[i];
        memcpy(seat->player, "0190163d-8694-739b-aea5-966c26f8ada0", RECORD_ID_LENGTH);
        seat->player[RECORD_ID_LENGTH - 1] = (char)('0' + i);
        memcpy(seat->name, names[i], strlen(names[i]) + 1);
        seat->has_key = i == 1;
        memset(seat->key, (int)(0xa0 + i), sizeof seat->key);
        seat->entropy_size = (uint8_t)(header->board == 0 && i % 2 == 0 ? 1 + 7 * i : 0);
        memset(seat->entropy, (int)(0x10 + i), sizeof seat->entropy);
    }
    memcpy(header->start, "2026-11-20T15:04:05.123Z", sizeof header->start);
    dice_seed(number, secret);
    char scope[RECORD_SCOPE_MAX];
    struct text text = TEXT_OVER(scope);
    record_scope(header, &text);
    record_commitment(text_span(&text), secret, header->commitment);
}

static void append(struct roll *roll, struct span line)
{
    require(roll->length + line.length + 1 < roll->capacity);
    memcpy(roll->bytes + roll->length, line.at, line.length);
    roll->length += line.length;
    roll->bytes[roll->length++] = '\n';
}

static const struct game *find_own(void *context, const struct game *rules,
                                   const uint8_t hash[static 32])
{
    const struct game *game = context;
    return component_set_is(game, rules, hash) ? game : NULL;
}

struct component_sets roll_sets(const struct game *game)
{
    return (struct component_sets){find_own, (void *)(uintptr_t)game};
}

static void begin(struct roll *roll, const struct record_header *header, const uint8_t secret[32])
{
    const struct component_sets sets = roll_sets(header->game);
    char *bytes = must(malloc(RECORD_HEADER_MAX));
    struct text text = {bytes, 0, RECORD_HEADER_MAX, false};
    struct record_fault fault;
    uint8_t hash[32];
    text_clear(&text);
    record_print_header(header, &text, hash);
    require(!text.overflow);
    append(roll, text_span(&text));
    struct span rest = roll_span(roll);
    require(replay_begin(&roll->replay, &sets, &rest, secret, &fault) && rest.length == 0);
    free(bytes);
}

static const char *refused(struct roll_writer *writer, const struct record_entry *entry)
{
    static struct refusal refusal;
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    refusal = (struct refusal){NULL, NULL};
    if (replay_add(&writer->roll->replay, roll_span(writer->roll), entry, &line, &refusal)) {
        append(writer->roll, text_span(&line));
        return NULL;
    }
    require(refusal.code != NULL && line.length == 0);
    return refusal.code;
}

bool roll_add(struct roll_writer *writer, const struct record_entry *wanted)
{
    struct record_entry entry = *wanted;
    entry.elapsed_ms = writer->elapsed_ms;
    return refused(writer, &entry) == NULL;
}

const char *roll_say(struct roll_writer *writer, const char *words)
{
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    struct record_entry entry;
    struct record_fault fault;
    text_add_number(&line, writer->roll->replay.seq + 1);
    text_add_char(&line, ' ');
    text_add(&line, words);
    require(record_read_entry(text_span(&line), &entry, &fault));
    writer->elapsed_ms = entry.elapsed_ms;
    return refused(writer, &entry);
}

static void silence(struct roll_writer *writer, unsigned seat)
{
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    struct refusal refusal;
    if (replay_add_fallback(&writer->roll->replay, seat, writer->elapsed_ms, &line, &refusal))
        append(writer->roll, text_span(&line));
}

static size_t choose(struct roll_writer *writer, unsigned seat)
{
    const struct replay *replay = &writer->roll->replay;
    if (writer->style != ROLL_SENSIBLE)
        return dice_below(&writer->dice, writer->legal.count);
    size_t choice = policy_advise(replay->header.game, replay->state, seat, &writer->legal);
    return choice;
}

/* The lowest of the seats that decide: decisions taken at the same time stand in the order of
 * seats, those of absent ones among them. */
void roll_ply(struct roll_writer *writer)
{
    struct replay *replay = &writer->roll->replay;
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    struct refusal refusal;
    unsigned seat = 0;
    while (!game_decides(replay->header.game, replay->state, seat))
        seat++;
    if ((replay->fallback >> seat & 1) != 0) {
        replay_add_quiet(replay, seat, writer->elapsed_ms, &line);
        append(writer->roll, text_span(&line));
        return;
    }
    move_list_clear(&writer->legal);
    replay->header.game->legal(replay->header.game, replay->state, seat, &writer->legal);
    struct span move = move_list_get(&writer->legal, choose(writer, seat));
    require(replay_add_ply(replay, seat, move, writer->elapsed_ms, &line, &refusal));
    append(writer->roll, text_span(&line));
}

bool roll_due(struct roll_writer *writer)
{
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    if (!replay_add_due(&writer->roll->replay, writer->elapsed_ms, true, &line))
        return false;
    append(writer->roll, text_span(&line));
    return true;
}

static void write_all(struct roll_writer *writer)
{
    struct replay *replay = &writer->roll->replay;
    while (replay->phase != REPLAY_FINISHED) {
        if (!replay->together)
            writer->elapsed_ms += dice_below(&writer->dice, 5000);
        if (roll_due(writer) || (writer->style == ROLL_EVENTFUL && roll_event(writer)))
            continue;
        if (writer->style == ROLL_ABSENT && !replay->together && dice_one_in(&writer->dice, 20))
            silence(writer, dice_below(&writer->dice, replay->header.seats));
        else
            roll_ply(writer);
    }
}

/* One game in three without clocks, with a bank, with a deadline for every decision. */
static void set_clock(struct clock_control *clock, uint32_t number)
{
    static const struct clock_control controls[] = {
        {.kind = CLOCK_NONE},
        {.kind = CLOCK_BANK, .bank_ms = 60000, .increment_ms = 1500, .cap_ms = 70000},
        {.kind = CLOCK_MOVE, .move_ms = 12000},
    };
    *clock = controls[number % 3];
}

/* Every other seat can sign. */
static void give_keys(struct record_header *header)
{
    uint8_t secret_key[64];
    for (unsigned seat = 0; seat < header->seats; seat++) {
        header->seat[seat].has_key = seat % 2 == 0;
        roll_key(seat, header->seat[seat].key, secret_key);
    }
}

void roll_begin(struct roll_writer *writer, struct roll *roll, const struct record_header *header,
                const uint8_t secret[static 32], uint32_t number)
{
    size_t room = header->game->plies_max > 20000 ? 20000 : header->game->plies_max;
    roll->length = 0;
    roll->capacity = RECORD_HEADER_MAX + (room + 1000) * 200;
    roll->bytes = must(malloc(roll->capacity));
    begin(roll, header, secret);
    *writer = (struct roll_writer){.roll = roll, .style = ROLL_RANDOM};
    dice_open(&writer->dice, "roll", number);
    require(move_list_init(&writer->legal, header->game));
}

void roll_end(struct roll_writer *writer)
{
    move_list_free(&writer->legal);
}

void roll_write(struct roll *roll, const struct game *game, unsigned seats,
                const struct game_options *options, uint32_t number, enum roll_style style)
{
    struct record_header header;
    struct roll_writer writer;
    uint8_t secret[32];
    roll_header(&header, game, seats, options, number, secret);
    if (style == ROLL_DEALT) {
        roll_deal(&header, 1 + number % RECORD_DEALERS_MAX);
        style = ROLL_EVENTFUL;
    }
    if (style == ROLL_EVENTFUL) {
        set_clock(&header.clock, number);
        give_keys(&header);
    }
    roll_begin(&writer, roll, &header, secret, number);
    writer.style = style;
    if (style == ROLL_ABSENT)
        silence(&writer, 0);
    write_all(&writer);
    roll_end(&writer);
}

void roll_free(struct roll *roll)
{
    free(roll->bytes);
    roll->bytes = NULL;
}

struct span roll_span(const struct roll *roll)
{
    return (struct span){roll->bytes, roll->length};
}

/* ---- Forging ---- */

static void set_line(struct roll_line *line, struct span bytes)
{
    require(bytes.length < sizeof line->bytes);
    memcpy(line->bytes, bytes.at, bytes.length);
    line->bytes[bytes.length] = '\0';
}

void roll_lines_of(struct roll_lines *lines, struct span record)
{
    struct span line;
    lines->count = 0;
    lines->capacity = 64;
    for (size_t i = 0; i < record.length; i++)
        lines->capacity += record.at[i] == '\n';
    lines->line = must(malloc(lines->capacity * sizeof *lines->line));
    while (span_line(&record, &line)) {
        line.length -= 10;
        if (line.length > 5 && memcmp(line.at, "head ", 5) == 0)
            line.length = 5;
        set_line(&lines->line[lines->count++], line);
    }
}

void roll_lines_free(struct roll_lines *lines)
{
    free(lines->line);
    lines->line = NULL;
}

void roll_insert(struct roll_lines *lines, size_t at, const char *bytes)
{
    require(lines->count < lines->capacity && at <= lines->count);
    memmove(lines->line + at + 1, lines->line + at, (lines->count - at) * sizeof *lines->line);
    lines->count++;
    set_line(&lines->line[at], span_of(bytes));
}

void roll_remove(struct roll_lines *lines, size_t at)
{
    require(at < lines->count);
    lines->count--;
    memmove(lines->line + at, lines->line + at + 1, (lines->count - at) * sizeof *lines->line);
}

size_t roll_find(const struct roll_lines *lines, size_t from, const char *part)
{
    while (from < lines->count && strstr(lines->line[from].bytes, part) == NULL)
        from++;
    require(from < lines->count);
    return from;
}

void roll_set_word(struct roll_lines *lines, size_t at, size_t word, const char *value)
{
    char bytes[RECORD_LINE_MAX + 1];
    struct text text = TEXT_OVER(bytes);
    struct span rest = span_of(lines->line[at].bytes);
    for (size_t i = 0; rest.length > 0 || i <= word; i++) {
        struct span present = span_word(&rest);
        if (i > 0)
            text_add_char(&text, ' ');
        text_add_span(&text, i == word ? span_of(value) : present);
    }
    require(!text.overflow);
    set_line(&lines->line[at], text_span(&text));
}

void roll_renumber(struct roll_lines *lines)
{
    uint32_t seq = 0;
    for (size_t i = roll_find(lines, 0, "start ") + 1; i < lines->count; i++) {
        char number[12];
        struct text text = TEXT_OVER(number);
        text_add_number(&text, ++seq);
        if (strncmp(lines->line[i].bytes, "head ", 5) != 0)
            roll_set_word(lines, i, 0, number);
    }
}

struct text roll_chain(const struct roll_lines *lines)
{
    size_t capacity = lines->count * (RECORD_LINE_MAX + 12) + 1;
    struct text record = {must(malloc(capacity)), 0, capacity, false};
    uint8_t hash[32];
    text_clear(&record);
    record_chain_start(hash);
    for (size_t i = 0; i < lines->count; i++) {
        char bytes[RECORD_LINE_MAX + 12];
        struct text line = TEXT_OVER(bytes);
        text_add(&line, lines->line[i].bytes);
        if (strcmp(line.at, "head ") == 0)
            text_add_hex(&line, hash, sizeof hash);
        record_chain_mark(hash, &line);
        text_add_span(&record, text_span(&line));
        text_add_char(&record, '\n');
    }
    require(!record.overflow);
    return record;
}

bool roll_packs(const struct replay *replay)
{
    static struct replay copy;
    const size_t size = replay_packed_size(replay);
    unsigned char *packed = malloc(size);
    if (packed == NULL)
        abort();
    memset(&copy, 0xff, sizeof copy);
    replay_pack(replay, packed);
    replay_unpack(&copy, packed, size);
    free(packed);
    return size < replay_size(replay) && memcmp(&copy, replay, replay_size(replay)) == 0;
}
