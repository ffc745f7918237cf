#include "engine/game/case_fields.h"

#include <assert.h>
#include <string.h>

enum { UNKNOWN = 255 };

/* ---- Set-up lines ---- */

const struct case_line *case_find(const struct case_reader *reader, const char *key)
{
    for (size_t i = 0; i < reader->count; i++)
        if (span_is(reader->lines[i].key, key))
            return &reader->lines[i];
    return NULL;
}

static const struct case_field *field_named(const struct case_reader *reader, struct span key)
{
    for (size_t i = 0; i < reader->game->cases->count; i++)
        if (span_is(key, reader->game->cases->fields[i].key))
            return &reader->game->cases->fields[i];
    return NULL;
}

static bool may_stand(const struct case_field *field, enum case_where where)
{
    return field->where == where || field->where == CASE_EVERYWHERE;
}

bool case_read_seats(struct case_reader *reader, unsigned least, unsigned most, unsigned initial)
{
    const struct case_line *line = case_find(reader, "seats");
    uint64_t seats = initial;
    if (line != NULL && (!span_number(line->rest, most, &seats) || seats < least)) {
        text_add(reader->error, "seats are ");
        text_add_number(reader->error, least);
        text_add(reader->error, " to ");
        text_add_number(reader->error, most);
        return case_complain(reader, ", not", line->rest);
    }
    reader->seats = (unsigned)seats;
    return true;
}

static size_t place(const struct case_reader *reader, const struct case_field *field)
{
    return field->at + (size_t)field->seat_step * reader->seat +
           (size_t)field->item_step * reader->item;
}

static int64_t number_at(const uint8_t *at, size_t size)
{
    int32_t wide;
    int16_t narrow;
    if (size == sizeof wide) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    if (size == sizeof narrow) {
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
    return *at;
}

static bool load_number(const struct case_reader *reader, const struct case_field *field,
                        uint8_t *at, struct span word)
{
    int32_t number = 0;
    if (!case_read_range(reader, word, field->least, field->most, &number))
        return false;
    if (field->size == sizeof(int32_t)) {
        memcpy(at, &number, sizeof number);
    } else if (field->size == sizeof(int16_t)) {
        int16_t narrow = (int16_t)number;
        memcpy(at, &narrow, sizeof narrow);
    } else {
        *at = (uint8_t)number;
    }
    return true;
}

static bool load_set(const struct case_reader *reader, const struct case_field *field, uint8_t *at,
                     struct span rest)
{
    uint32_t set = (uint32_t)number_at(at, field->size);
    while (rest.length > 0 && !span_is(rest, reader->game->cases->none)) {
        uint8_t item;
        if (!case_read_name(reader, &rest, field->names, &item))
            return false;
        set |= UINT32_C(1) << item;
    }
    if (field->size == 1)
        *at = (uint8_t)set;
    else
        memcpy(at, &set, sizeof set);
    return true;
}

/* Loads the name at each place; each place has one name, or the word for none. */
static bool load_places(const struct case_reader *reader, const struct case_field *field,
                        uint8_t *at, struct span rest)
{
    for (unsigned i = 0; i < field->size; i++) {
        struct span after = rest;
        at[i] = UNKNOWN;
        if (span_is(span_word(&after), reader->game->cases->none))
            rest = after;
        else if (!case_read_name(reader, &rest, field->names, &at[i]))
            return false;
    }
    return rest.length == 0 || case_complain(reader, "one too many:", rest);
}

static bool load_list(const struct case_reader *reader, const struct case_field *field, uint8_t *at,
                      uint8_t *end, struct span rest)
{
    while (rest.length > 0 && !span_is(rest, reader->game->cases->none)) {
        struct span word = span_word(&rest);
        uint8_t times = 1;
        uint8_t item;
        if (field->names->split != NULL && !field->names->split(reader, &word, &times))
            return false;
        if (!case_read_name(reader, &(struct span){word.at, word.length}, field->names, &item))
            return false;
        for (; times > 0; times--) {
            if (*end == field->size)
                return case_complain(reader, "one too many:", word);
            at[(*end)++] = item;
        }
    }
    return true;
}

static bool load_value(struct case_reader *reader, const struct case_field *field, struct span rest)
{
    uint8_t *at = (uint8_t *)reader->state + place(reader, field);
    bool yes;
    switch ((enum case_kind)field->kind) {
    case CASE_NUMBER:
        return load_number(reader, field, at, rest);
    case CASE_EACH:
        for (unsigned i = 0; i < field->size; i++) {
            int32_t number = 0;
            if (!case_read_range(reader, span_word(&rest), field->least, field->most, &number))
                return false;
            at[i] = (uint8_t)number;
        }
        return true;
    case CASE_FLAG:
        if (!case_read_either(reader, rest, field->yes[0] == NULL ? "yes" : field->yes[0],
                              field->yes[1] == NULL ? "no" : field->yes[1], &yes))
            return false;
        *at = yes;
        return true;
    case CASE_SEAT:
        return case_read_number(reader, rest, reader->seats - 1u, at);
    case CASE_NAME:
        return span_is(rest, reader->game->cases->none) ||
               case_read_only_name(reader, rest, field->names, at);
    case CASE_COUNTS:
        return case_read_counts(reader, rest, field->names, at, (unsigned)field->most);
    case CASE_SET:
        return load_set(reader, field, at, rest);
    case CASE_LIST:
        if (field->end == 0)
            return load_places(reader, field, at, rest);
        return load_list(
            reader, field, at,
            (uint8_t *)reader->state + field->end + (field->by_seat ? reader->seat : 0), rest);
    case CASE_OWN:
        break;
    }
    return true; /* read before the others */
}

static bool load_field(struct case_reader *reader, const struct case_field *field, struct span rest)
{
    reader->seat = reader->item = 0;
    if ((field->by_seat && !case_read_seat(reader, &rest, &reader->seat)) ||
        (field->by != NULL && !case_read_name(reader, &rest, field->by, &reader->item)))
        return false;
    return field->load != NULL ? field->load(reader, rest) : load_value(reader, field, rest);
}

bool case_check_keys(const struct case_reader *reader, enum case_where where)
{
    for (size_t i = 0; i < reader->count; i++) {
        const struct case_field *field = field_named(reader, reader->lines[i].key);
        if (field == NULL || !may_stand(field, where))
            return case_complain(reader, "no set-up line here:", reader->lines[i].key);
    }
    return true;
}

bool case_load(struct case_reader *reader, enum case_where where)
{
    if (!case_check_keys(reader, where))
        return false;
    for (size_t f = 0; f < reader->game->cases->count; f++) {
        const struct case_field *field = &reader->game->cases->fields[f];
        if (!may_stand(field, where))
            continue;
        if (field->initial != NULL && case_find(reader, field->key) == NULL &&
            !load_field(reader, field, span_of(field->initial)))
            return false;
        for (size_t i = 0; i < reader->count; i++)
            if (span_is(reader->lines[i].key, field->key) &&
                !load_field(reader, field, reader->lines[i].rest))
                return false;
    }
    return true;
}

/* ---- Words ---- */

bool case_complain(const struct case_reader *reader, const char *what, struct span word)
{
    text_add(reader->error, what);
    text_add(reader->error, " `");
    text_add_span(reader->error, word);
    text_add_char(reader->error, '`');
    return false;
}

bool case_read_range(const struct case_reader *reader, struct span word, int32_t least,
                     int32_t most, int32_t *number)
{
    int64_t value;
    if (!span_integer(word, least < -most ? -(int64_t)least : most, &value) || value < least) {
        case_complain(reader, "no number in range:", word);
        return false;
    }
    *number = (int32_t)value;
    return true;
}

bool case_read_number(const struct case_reader *reader, struct span word, unsigned most,
                      uint8_t *number)
{
    int32_t value = 0;
    assert(most <= UINT8_MAX);
    if (!case_read_range(reader, word, 0, (int32_t)most, &value))
        return false;
    *number = (uint8_t)value;
    return true;
}

bool case_read_seat(const struct case_reader *reader, struct span *rest, uint8_t *seat)
{
    assert(reader->seats > 0);
    return case_read_number(reader, span_word(rest), reader->seats - 1u, seat);
}

static struct names table_of(const struct case_reader *reader, const struct case_names *names)
{
    const void *first = (const char *)reader->game->set + names->at;
    return (struct names){first, names->stride, names->to};
}

static uint8_t find(const struct case_reader *reader, const struct case_names *names,
                    struct span word)
{
    return names->find != NULL ? names->find(word) : names_find(table_of(reader, names), word);
}

bool case_read_name(const struct case_reader *reader, struct span *rest,
                    const struct case_names *names, uint8_t *index)
{
    struct span word = span_word(rest);
    *index = find(reader, names, word);
    return (*index >= names->from && *index < names->to) ||
           case_complain(reader, names->unknown, word);
}

bool case_read_only_name(const struct case_reader *reader, struct span rest,
                         const struct case_names *names, uint8_t *index)
{
    struct span whole = rest;
    return case_read_name(reader, &rest, names, index) &&
           (rest.length == 0 || case_complain(reader, names->unknown, whole));
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

bool case_read_counts(const struct case_reader *reader, struct span rest,
                      const struct case_names *names, uint8_t *counts, unsigned most)
{
    while (rest.length > 0 && !span_is(rest, reader->game->cases->none)) {
        struct span word = span_word(&rest);
        struct span name = word;
        uint8_t times = 1;
        uint8_t item;
        if ((names->split != NULL && !names->split(reader, &name, &times)) ||
            !case_read_name(reader, &name, names, &item))
            return false;
        if (most > 0 && counts[item] + times > (int)most)
            return case_complain(reader, "too many:", word);
        counts[item] = (uint8_t)(counts[item] + times);
    }
    return true;
}

struct span case_split(struct span *word, char mark)
{
    const char *at = word->length == 0 ? NULL : memchr(word->at, mark, word->length);
    if (at == NULL)
        return (struct span){NULL, 0};
    size_t length = (size_t)(at - word->at);
    struct span second = {at + 1, word->length - length - 1};
    word->length = length;
    return second;
}

/* ---- Expectations ---- */

struct span case_name(const struct case_reader *reader, const struct case_names *names,
                      unsigned index)
{
    return names_at(table_of(reader, names), index);
}

void case_add_word(struct text *out, struct span word)
{
    if (out->length > 0)
        text_add_char(out, ' ');
    text_add_span(out, word);
}

void case_add_number(struct text *out, int64_t number)
{
    case_add_word(out, span_of(""));
    text_add_number(out, number);
}

void case_add_pair(struct text *out, struct span name, char mark, int64_t number)
{
    case_add_word(out, name);
    text_add_char(out, mark);
    text_add_number(out, number);
}

void case_add_yes(struct text *out, bool yes)
{
    case_add_word(out, span_of(yes ? "yes" : "no"));
}

bool case_echo_seat(struct case_reader *reader, struct span *rest, struct text *out)
{
    uint64_t seat;
    if (!span_number(span_word(rest), reader->seats - 1u, &seat))
        return false;
    reader->seat = (uint8_t)seat;
    case_add_number(out, reader->seat);
    return true;
}

bool case_echo_name(const struct case_reader *reader, struct span *rest, struct text *out,
                    const struct case_names *names, uint8_t *index)
{
    struct span word = span_word(rest);
    *index = find(reader, names, word);
    if (*index != UNKNOWN)
        case_add_word(out, word);
    return *index != UNKNOWN;
}

static unsigned item_at(const struct case_reader *reader, const struct case_names *names,
                        unsigned i)
{
    const uint8_t *set = reader->game->set;
    return names->order == 0 ? i : set[names->order + i];
}

void case_add_counts(const struct case_reader *reader, struct text *out, const uint8_t *counts,
                     const struct case_names *names)
{
    for (unsigned i = names->from; i < names->to; i++)
        for (unsigned item = item_at(reader, names, i), j = 0; j < counts[item]; j++)
            case_add_word(out, case_name(reader, names, item));
}

void case_add_set(const struct case_reader *reader, struct text *out, uint32_t set,
                  const struct case_names *names)
{
    for (unsigned i = names->from; i < names->to; i++)
        if ((set >> item_at(reader, names, i) & 1) != 0)
            case_add_word(out, case_name(reader, names, item_at(reader, names, i)));
}

static void tell_name(const struct case_reader *reader, struct text *out,
                      const struct case_names *names, unsigned index, const char *none)
{
    case_add_word(out, index == UNKNOWN ? span_of(none) : case_name(reader, names, index));
}

static void tell_value(const struct case_reader *reader, const struct case_field *field,
                       struct text *out)
{
    const uint8_t *state = reader->state;
    const uint8_t *at = state + place(reader, field);
    unsigned counter = field->by_seat ? reader->seat : 0;
    unsigned first = field->next == 0 ? 0 : state[field->next + counter];
    unsigned end = field->end == 0 ? field->size : state[field->end + counter];
    switch ((enum case_kind)field->kind) {
    case CASE_NUMBER:
    case CASE_SEAT:
        case_add_number(out, number_at(at, field->size));
        return;
    case CASE_EACH:
        for (unsigned i = 0; i < field->size; i++)
            case_add_number(out, at[i]);
        return;
    case CASE_FLAG:
        if (field->yes[0] == NULL)
            case_add_yes(out, *at != 0);
        else
            case_add_word(out, span_of(field->yes[*at == 0]));
        return;
    case CASE_NAME:
        tell_name(reader, out, field->names, *at, reader->game->cases->none);
        return;
    case CASE_COUNTS:
        case_add_counts(reader, out, at, field->names);
        return;
    case CASE_SET:
        case_add_set(reader, out, (uint32_t)number_at(at, field->size), field->names);
        return;
    case CASE_LIST:
        for (unsigned i = first; i < end; i++)
            tell_name(reader, out, field->names, at[i], reader->game->cases->none);
        return;
    case CASE_OWN:
        return;
    }
}

bool case_tell(struct case_reader *reader, struct span key, struct span rest, struct text *out)
{
    const struct case_field *field = field_named(reader, key);
    if (field == NULL || (field->kind == CASE_OWN && field->tell == NULL))
        return false;
    reader->seat = reader->item = 0;
    if ((field->by_seat && !case_echo_seat(reader, &rest, out)) ||
        (field->by != NULL && !case_echo_name(reader, &rest, out, field->by, &reader->item)))
        return false;
    reader->asked = rest;
    size_t start = out->length;
    if (field->tell == NULL)
        tell_value(reader, field, out);
    else if (!field->tell(reader, out))
        return false;
    if (out->length == start)
        case_add_word(out, span_of(reader->game->cases->none));
    return true;
}
