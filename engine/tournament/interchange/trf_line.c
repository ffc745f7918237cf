#include "engine/tournament/interchange/trf_line.h"

enum { POINTS_PER_TENTH = POINTS_PER_POINT / 10 };

bool trf_line_refuse(struct trf_line *line, const char *code, const char *message)
{
    line->error->line = line->number;
    line->error->column = 0;
    return refuse(&line->error->refusal, code, message);
}

bool trf_line_refuse_column(struct trf_line *line, size_t column, const char *message)
{
    trf_line_refuse(line, TRF_REFUSAL_SYNTAX, message);
    line->error->column = column;
    return false;
}

/* ---- Lines and columns ---- */

bool trf_line_cut(struct span *rest, struct span *text)
{
    size_t length = 0;
    if (rest->length == 0)
        return false;
    while (length < rest->length && rest->at[length] != '\r' && rest->at[length] != '\n')
        length++;
    *text = (struct span){rest->at, length};
    size_t cut = length;
    if (cut < rest->length)
        cut += rest->at[cut] == '\r' && cut + 1 < rest->length && rest->at[cut + 1] == '\n' ? 2 : 1;
    rest->at += cut;
    rest->length -= cut;
    while (text->length > 0 && text->at[text->length - 1] == ' ')
        text->length--;
    return true;
}

/* Length of the UTF-8 sequence (RFC 3629) at the start of the span; 0 if there is none. */
static size_t sequence_length(struct span text)
{
    const unsigned char *at = (const unsigned char *)text.at;
    size_t length = at[0] < 0x80 ? 1 : at[0] < 0xC2 ? 0 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : 4;
    if (at[0] > 0xF4 || length > text.length)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    if ((at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] > 0x9F) ||
        (at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] > 0x8F))
        return 0;
    return length;
}

bool trf_line_check(struct trf_line *line)
{
    struct span rest = line->text;
    while (rest.length > 0) {
        size_t length = sequence_length(rest);
        if (length == 0)
            return trf_line_refuse(line, TRF_REFUSAL_ENCODING, "The line is not UTF-8.");
        if ((unsigned char)rest.at[0] < ' ' && rest.at[0] != '\t')
            return trf_line_refuse(line, TRF_REFUSAL_ENCODING, "The line has a control character.");
        rest.at += length;
        rest.length -= length;
    }
    return true;
}

struct span trf_line_from(struct span text, unsigned column)
{
    for (unsigned at = 1; at < column && text.length > 0; at++) {
        size_t length = sequence_length(text);
        text.at += length;
        text.length -= length;
    }
    return text;
}

struct span trf_line_columns(struct span text, unsigned first, unsigned last)
{
    struct span from = trf_line_from(text, first);
    from.length -= trf_line_from(from, last - first + 2).length;
    return from;
}

struct span trf_line_trim(struct span field)
{
    while (field.length > 0 && field.at[0] == ' ') {
        field.at++;
        field.length--;
    }
    while (field.length > 0 && field.at[field.length - 1] == ' ')
        field.length--;
    return field;
}

bool trf_line_check_blank(struct trf_line *line, unsigned first, unsigned last)
{
    for (unsigned column = first; column <= last; column++) {
        struct span at = trf_line_columns(line->text, column, column);
        if (at.length > 0 && at.at[0] != ' ')
            return trf_line_refuse_column(
                line, column,
                "This column must be empty in records of this kind; the field beside "
                "it is shifted or too long.");
    }
    return true;
}

bool trf_line_check_end(struct trf_line *line, unsigned column)
{
    struct span rest = trf_line_from(line->text, column);
    for (unsigned at = column; rest.length > 0; at++) {
        if (rest.at[0] != ' ')
            return trf_line_refuse_column(
                line, at, "Nothing may follow an empty field; is this field shifted?");
        rest.at++;
        rest.length--;
    }
    return true;
}

/* ---- Fields ---- */

bool trf_line_number(struct span field, unsigned max, uint16_t *number)
{
    uint64_t value = 0;
    field = trf_line_trim(field);
    while (field.length > 1 && field.at[0] == '0') {
        field.at++;
        field.length--;
    }
    if (field.length > 0 && !span_number(field, max, &value))
        return false;
    *number = (uint16_t)value;
    return true;
}

bool trf_line_points(struct span field, uint16_t *points)
{
    uint16_t whole, tenths = 0;
    field = trf_line_trim(field);
    size_t dot = 0;
    while (dot < field.length && field.at[dot] != '.')
        dot++;
    if (field.length == 0 || (dot < field.length && dot + 2 != field.length))
        return false;
    if (!trf_line_number((struct span){field.at, dot}, 99, &whole) ||
        (dot < field.length && !trf_line_number((struct span){field.at + dot + 1, 1}, 9, &tenths)))
        return false;
    *points = (uint16_t)((10 * whole + tenths) * POINTS_PER_TENTH);
    return true;
}

size_t trf_line_column_of(const struct trf_line *line, struct span part)
{
    size_t column = 1;
    for (struct span rest = line->text; rest.at < part.at; column++) {
        size_t length = sequence_length(rest);
        rest.at += length;
        rest.length -= length;
    }
    return column;
}

bool trf_line_rank_number(struct trf_line *line, struct span field, uint16_t *number)
{
    if (!trf_line_number(field, TRF_NUMBER_MAX, number) || *number == 0)
        return trf_line_refuse_column(line, trf_line_column_of(line, field),
                                      "A starting rank must be a number from 1 to 9999.");
    return true;
}

bool trf_line_round(struct trf_line *line, struct span field, uint16_t *round)
{
    if (!trf_line_number(field, TOURNAMENT_ROUNDS_MAX, round) || *round == 0)
        return trf_line_refuse_column(line, trf_line_column_of(line, field),
                                      "A round must be a number from 1 to 64.");
    return true;
}
