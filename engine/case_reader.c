#include "engine/case_reader.h"

#include <assert.h>

enum { UNKNOWN = 255 };

const struct case_line *case_find(const struct case_reader *reader, const char *key)
{
    for (size_t i = 0; i < reader->count; i++)
        if (span_is(reader->lines[i].key, key))
            return &reader->lines[i];
    return NULL;
}

static bool may_stand(struct span name, const struct case_key *keys, size_t count, unsigned where)
{
    for (size_t i = 0; i < count; i++)
        if (span_is(name, keys[i].name))
            return (keys[i].where & where) != 0;
    return false;
}

bool case_check_keys(const struct case_reader *reader, const struct case_key *keys, size_t count,
                     unsigned where)
{
    for (size_t i = 0; i < reader->count; i++)
        if (!may_stand(reader->lines[i].key, keys, count, where))
            return case_complain(reader, "no set-up line here:", reader->lines[i].key);
    return true;
}

bool case_load_key(const struct case_reader *reader, const struct case_key *key,
                   struct case_loader *loader)
{
    bool found = false;
    for (size_t i = 0; i < reader->count; i++) {
        if (!span_is(reader->lines[i].key, key->name))
            continue;
        found = true;
        if (!key->load(loader, reader->lines[i].rest))
            return false;
    }
    return found || key->initial == NULL || key->load(loader, span_of(key->initial));
}

bool case_load_keys(const struct case_reader *reader, const struct case_key *keys, size_t count,
                    unsigned where, struct case_loader *loader)
{
    for (size_t i = 0; i < count; i++)
        if ((keys[i].where & where) != 0 && !case_load_key(reader, &keys[i], loader))
            return false;
    return true;
}

static bool complain_of_seats(const struct case_reader *reader, unsigned least, unsigned most,
                              struct span rest)
{
    text_add(reader->error, "seats are ");
    text_add_number(reader->error, least);
    text_add(reader->error, " to ");
    text_add_number(reader->error, most);
    return case_complain(reader, ", not", rest);
}

bool case_read_seats(struct case_reader *reader, unsigned least, unsigned most, uint8_t initial)
{
    const struct case_line *line = case_find(reader, "seats");
    uint64_t seats = initial;
    if (line != NULL && (!span_number(line->rest, most, &seats) || seats < least))
        return complain_of_seats(reader, least, most, line->rest);
    reader->seats = (unsigned)seats;
    return true;
}

bool case_load_nothing(struct case_loader *loader, struct span rest)
{
    (void)loader;
    (void)rest;
    return true;
}

bool case_complain(const struct case_reader *reader, const char *what, struct span word)
{
    text_add(reader->error, what);
    text_add(reader->error, " `");
    text_add_span(reader->error, word);
    text_add_char(reader->error, '`');
    return false;
}

bool case_read_range(const struct case_reader *reader, struct span word, unsigned least,
                     unsigned most, unsigned *number)
{
    uint64_t value;
    if (!span_number(word, most, &value) || value < least)
        return case_complain(reader, "no number in range:", word);
    *number = (unsigned)value;
    return true;
}

bool case_read_number(const struct case_reader *reader, struct span word, unsigned most,
                      uint8_t *number)
{
    unsigned value;
    assert(most <= UINT8_MAX);
    if (!case_read_range(reader, word, 0, most, &value))
        return false;
    *number = (uint8_t)value;
    return true;
}

bool case_read_seat(const struct case_reader *reader, struct span *rest, uint8_t *seat)
{
    assert(reader->seats > 0);
    return case_read_number(reader, span_word(rest), reader->seats - 1u, seat);
}

bool case_read_name(const struct case_reader *reader, struct span word,
                    uint8_t (*find)(struct span name), const char *what, uint8_t *index)
{
    *index = find(word);
    return *index != UNKNOWN || case_complain(reader, what, word);
}

bool case_read_either(const struct case_reader *reader, struct span word, const char *yes,
                      const char *no, bool *answer)
{
    *answer = span_is(word, yes);
    if (*answer || span_is(word, no))
        return true;
    text_add(reader->error, "neither ");
    text_add(reader->error, yes);
    text_add(reader->error, " nor ");
    text_add(reader->error, no);
    return case_complain(reader, ":", word);
}

bool case_read_counts(const struct case_reader *reader, struct span rest, const char *none,
                      uint8_t (*find)(struct span name), const char *what, uint8_t *counts)
{
    if (span_is(rest, none))
        return true;
    while (rest.length > 0) {
        uint8_t index;
        if (!case_read_name(reader, span_word(&rest), find, what, &index))
            return false;
        counts[index]++;
    }
    return true;
}

static void part(struct text *out)
{
    if (out->length > 0)
        text_add_char(out, ' ');
}

void case_add_word(struct text *out, struct span word)
{
    part(out);
    text_add_span(out, word);
}

void case_add_number(struct text *out, int64_t number)
{
    part(out);
    text_add_number(out, number);
}

void case_add_yes(struct text *out, bool yes)
{
    case_add_word(out, span_of(yes ? "yes" : "no"));
}

void case_close_list(struct text *out, size_t start, const char *none)
{
    if (out->length == start)
        case_add_word(out, span_of(none));
}

bool case_echo_seat(struct text *out, struct span *rest, unsigned seats, uint8_t *seat)
{
    uint64_t number;
    if (!span_number(span_word(rest), seats - 1u, &number))
        return false;
    *seat = (uint8_t)number;
    case_add_number(out, *seat);
    return true;
}

void case_add_list(struct text *out, const uint8_t *items, size_t count,
                   struct span (*name)(unsigned item))
{
    for (size_t i = 0; i < count; i++)
        case_add_word(out, name(items[i]));
}

void case_add_counts(struct text *out, const uint8_t *counts, const uint8_t *order, unsigned count,
                     struct span (*name)(unsigned item))
{
    for (unsigned i = 0; i < count; i++) {
        unsigned item = order == NULL ? i : order[i];
        for (unsigned j = 0; j < counts[item]; j++)
            case_add_word(out, name(item));
    }
}

void case_add_set(struct text *out, uint32_t set, const uint8_t *order, unsigned count,
                  struct span (*name)(unsigned item))
{
    for (unsigned i = 0; i < count; i++) {
        unsigned item = order == NULL ? i : order[i];
        if ((set >> item & 1) != 0)
            case_add_word(out, name(item));
    }
}
