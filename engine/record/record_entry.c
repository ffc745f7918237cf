/* Entries as text. Reading is strict by construction: every token has exactly one form, so a line
 * that was read equals the line that would be printed. */
#include <string.h>

#include "engine/game/told.h"
#include "engine/record/record_parts.h"

static const uint64_t elapsed_max = 999999999999999; /* 31,000 years in ms */

static const char *const kind_names[RECORD_KINDS] = {
    [RECORD_PLY] = "ply",           [RECORD_UNDO] = "undo",
    [RECORD_SEALED] = "sealed",     [RECORD_TIMEOUT] = "timeout",
    [RECORD_FALLBACK] = "fallback", [RECORD_RETURN] = "return",
    [RECORD_FORFEIT] = "forfeit",   [RECORD_SUBSTITUTE] = "substitute",
    [RECORD_HOUSE] = "house",       [RECORD_STOP] = "stop",
    [RECORD_FREEZE] = "freeze",     [RECORD_RULING] = "ruling",
    [RECORD_RESUME] = "resume",     [RECORD_REVEAL] = "reveal",
    [RECORD_RESULT] = "result",     [RECORD_BIND] = "bind",
    [RECORD_DEAL] = "deal",         [RECORD_SHOW] = "show",
    [RECORD_BACK] = "back",
};

static const char *const reason_names[RECORD_REASONS] = {
    [RECORD_REASON_PAUSE] = "pause",
    [RECORD_REASON_SERVER] = "server",
};

static const char *const ruling_names[RECORD_RULINGS] = {
    [RECORD_RULING_ADJUST] = "adjust", [RECORD_RULING_FORFEIT] = "forfeit",
    [RECORD_RULING_STANDS] = "stands", [RECORD_RULING_TAKEBACK] = "takeback",
    [RECORD_RULING_VOID] = "void",
};

const char *record_kind_name(enum record_kind kind)
{
    return kind_names[kind];
}

const char *record_reason_name(enum record_reason reason)
{
    return reason_names[reason];
}

const char *record_ruling_name(enum record_ruling ruling)
{
    return ruling_names[ruling];
}

bool record_is_code(struct span text)
{
    if (text.length == 0 || text.length > RECORD_CODE_MAX || text.at[0] < 'a' || text.at[0] > 'z')
        return false;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-')
            return false;
    }
    return true;
}

/* True for the name of a level: 1 to RECORD_LEVEL_MAX lower-case letters. */
static bool record_is_level(struct span text)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.at[i] < 'a' || text.at[i] > 'z')
            return false;
    return text.length > 0 && text.length <= RECORD_LEVEL_MAX;
}

/* ---- Printing ---- */

static void add_word(struct text *text, const char *word)
{
    text_add_char(text, ' ');
    text_add(text, word);
}

static void add_value(struct text *text, int64_t value)
{
    text_add_char(text, ' ');
    text_add_number(text, value);
}

static void print_ruling(const struct record_entry *entry, struct text *text)
{
    add_word(text, entry->dispute);
    add_word(text, ruling_names[entry->ruling]);
    switch (entry->ruling) {
    case RECORD_RULING_ADJUST:
        add_value(text, entry->subject);
        add_value(text, entry->score);
        break;
    case RECORD_RULING_FORFEIT:
        add_value(text, entry->subject);
        break;
    case RECORD_RULING_TAKEBACK:
        add_value(text, entry->target);
        if (entry->rekey)
            add_word(text, "rekey");
        break;
    case RECORD_RULING_STANDS:
    case RECORD_RULING_VOID:
    case RECORD_RULINGS:
        break;
    }
    add_word(text, "by");
    add_word(text, entry->by);
    add_word(text, "why");
    add_word(text, entry->code);
}

/* Prints what follows the word for its kind. */
static void print_rest(const struct record_entry *entry, struct text *text)
{
    switch (entry->kind) {
    case RECORD_UNDO:
    case RECORD_BACK:
        add_value(text, entry->target);
        break;
    case RECORD_SEALED:
    case RECORD_TIMEOUT:
    case RECORD_FALLBACK:
    case RECORD_RETURN:
    case RECORD_FORFEIT:
        add_value(text, entry->subject);
        break;
    case RECORD_SUBSTITUTE:
        text_add_char(text, ' ');
        record_print_seat(&entry->player, entry->subject, text);
        break;
    case RECORD_HOUSE:
        add_value(text, entry->subject);
        add_word(text, entry->house.level);
        add_value(text, entry->house.version);
        break;
    case RECORD_STOP:
        add_word(text, reason_names[entry->reason]);
        break;
    case RECORD_FREEZE:
        add_word(text, entry->dispute);
        break;
    case RECORD_RULING:
        print_ruling(entry, text);
        break;
    case RECORD_REVEAL:
        text_add_char(text, ' ');
        text_add_hex(text, entry->secret, sizeof entry->secret);
        break;
    case RECORD_RESULT:
        add_value(text, entry->subject);
        add_value(text, entry->score);
        add_value(text, entry->rank);
        break;
    case RECORD_BIND:
        text_add_char(text, ' ');
        text_add_span(text, entry->place);
        text_add_char(text, ' ');
        text_add_span(text, entry->component);
        break;
    case RECORD_PLY:
    case RECORD_RESUME:
    case RECORD_DEAL:
    case RECORD_SHOW:
    case RECORD_KINDS:
        break;
    }
}

void record_print_entry(const struct record_entry *entry, struct text *text)
{
    text_add_number(text, entry->seq);
    text_add_char(text, ' ');
    if (entry->kind == RECORD_PLY || entry->kind == RECORD_UNDO)
        text_add_number(text, entry->seat);
    else
        text_add_char(text, '-');
    text_add_char(text, ' ');
    text_add_number(text, entry->elapsed_ms);
    text_add_char(text, ' ');
    if (entry->kind == RECORD_PLY) {
        text_add_span(text, entry->move);
        return;
    }
    text_add(text, kind_names[entry->kind]);
    print_rest(entry, text);
}

/* ---- Reading ---- */

static bool read_seat_number(struct span word, unsigned *seat)
{
    uint64_t number;
    if (!span_number(word, GAME_SEATS_MAX - 1, &number))
        return false;
    *seat = (unsigned)number;
    return true;
}

static bool read_target(struct span word, uint32_t *target)
{
    uint64_t number;
    if (!span_number(word, RECORD_LINES_MAX, &number) || number == 0)
        return false;
    *target = (uint32_t)number;
    return true;
}

/* The index of a word in a table of names, or -1. */
static int find_name(struct span word, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (word.length > 0 && word.at[0] == names[i][0] && span_is(word, names[i]))
            return i;
    return -1;
}

static bool read_reason(struct span word, enum record_reason *reason)
{
    int found = find_name(word, reason_names, RECORD_REASONS);
    *reason = (enum record_reason)found;
    return found >= 0;
}

/* Reads a ruling's order, and nothing after it. */
static bool read_order(struct span *rest, struct record_entry *entry)
{
    int64_t points;
    int found = find_name(span_word(rest), ruling_names, RECORD_RULINGS);
    entry->ruling = (enum record_ruling)found;
    switch (found) {
    case RECORD_RULING_ADJUST:
        if (!read_seat_number(span_word(rest), &entry->subject) ||
            !span_integer(span_word(rest), RECORD_POINTS_MAX, &points) || points == 0)
            return false;
        entry->score = (int32_t)points;
        return true;
    case RECORD_RULING_FORFEIT:
        return read_seat_number(span_word(rest), &entry->subject);
    case RECORD_RULING_TAKEBACK: {
        if (!read_target(span_word(rest), &entry->target))
            return false;
        struct span after = *rest;
        entry->rekey = span_is(span_word(&after), "rekey");
        if (entry->rekey)
            *rest = after;
        return true;
    }
    default:
        return found >= 0;
    }
}

static bool read_ruling(struct span rest, struct record_entry *entry)
{
    if (!record_copy_id(span_word(&rest), entry->dispute) || !read_order(&rest, entry) ||
        !span_is(span_word(&rest), "by") || !record_copy_id(span_word(&rest), entry->by) ||
        !span_is(span_word(&rest), "why") || !record_is_code(rest))
        return false;
    memcpy(entry->code, rest.at, rest.length);
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
    entry->score = (int32_t)score;
    entry->rank = (unsigned)rank;
    return true;
}

/* `<seat> <level> <version>` */
static bool read_house(struct span rest, struct record_entry *entry)
{
    uint64_t version;
    if (!read_seat_number(span_word(&rest), &entry->subject))
        return false;
    struct span level = span_word(&rest);
    if (!record_is_level(level) || !span_number(rest, UINT32_MAX, &version) || version == 0)
        return false;
    memcpy(entry->house.level, level.at, level.length);
    entry->house.version = (uint32_t)version;
    return true;
}

/* `<place> <component>`: two words. */
static bool read_bind(struct span rest, struct record_entry *entry)
{
    entry->place = span_word(&rest);
    entry->component = rest;
    return entry->place.length > 0 && entry->place.length <= TOLD_WORD_MAX && rest.length > 0 &&
           rest.length <= TOLD_WORD_MAX && memchr(rest.at, ' ', rest.length) == NULL;
}

static bool read_system_entry(struct span line, struct record_entry *entry)
{
    struct span rest = line;
    int found = find_name(span_word(&rest), kind_names, RECORD_KINDS);
    if (found < 0)
        return false;
    entry->kind = (enum record_kind)found;
    switch (entry->kind) {
    case RECORD_SEALED:
    case RECORD_TIMEOUT:
    case RECORD_FALLBACK:
    case RECORD_RETURN:
    case RECORD_FORFEIT:
        return read_seat_number(rest, &entry->subject);
    case RECORD_SUBSTITUTE:
        return record_read_seat(rest, GAME_SEATS_MAX, &entry->subject, &entry->player);
    case RECORD_HOUSE:
        return read_house(rest, entry);
    case RECORD_STOP:
        return read_reason(rest, &entry->reason);
    case RECORD_FREEZE:
        return record_copy_id(rest, entry->dispute);
    case RECORD_RULING:
        return read_ruling(rest, entry);
    case RECORD_RESUME:
    case RECORD_DEAL:
    case RECORD_SHOW:
        return span_is(line, kind_names[found]);
    case RECORD_BIND:
        return read_bind(rest, entry);
    case RECORD_BACK:
        return read_target(rest, &entry->target);
    case RECORD_REVEAL:
        return span_hex(rest, entry->secret, sizeof entry->secret);
    case RECORD_RESULT:
        return read_result(rest, entry);
    case RECORD_PLY:
    case RECORD_UNDO:
    case RECORD_KINDS:
        break;
    }
    return false;
}

static bool read_decision(struct span rest, struct record_entry *entry)
{
    struct span after = rest;
    entry->kind = RECORD_PLY;
    entry->move = rest;
    if (!span_is(span_word(&after), "undo"))
        return rest.length > 0;
    entry->kind = RECORD_UNDO;
    return read_target(after, &entry->target);
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
            return record_bad_line(fault, "This is not a system line: ", line);
        return true;
    }
    if (!read_seat_number(seat_word, &entry->seat) || !read_decision(rest, entry))
        return record_bad_line(fault, "This is not a ply: ", line);
    return true;
}
