/* Inside interchange/ only: one line of a FIDE report file (trf.h), its columns and fields, and
 * what is wrong with them. Columns count from 1, in characters.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_INTERCHANGE_TRF_LINE_H
#define TILLROLL_ENGINE_TOURNAMENT_INTERCHANGE_TRF_LINE_H

#include "engine/tournament/interchange/trf.h"

struct trf_line {
    struct span text; /* without its end, and spaces before that */
    size_t number;    /* from 1; 0 = the file as a whole */
    struct trf_error *error;
};

/* Both return false: refuse the line, or the content of one of its columns. */
bool trf_line_refuse(struct trf_line *line, const char *code, const char *message);
bool trf_line_refuse_column(struct trf_line *line, size_t column, const char *message);

/* Takes the next line off the front; CR, LF and CR LF end it. False if there is none. */
bool trf_line_cut(struct span *rest, struct span *text);

/* Checks that the line is UTF-8 without control characters; what follows needs that. */
bool trf_line_check(struct trf_line *line);

/* The rest of a text from a column on. */
struct span trf_line_from(struct span text, unsigned column);

struct span trf_line_columns(struct span text, unsigned first, unsigned last);

/* Without spaces at both ends. */
struct span trf_line_trim(struct span field);

/* The column at which a part of the line begins. */
size_t trf_line_column_of(const struct trf_line *line, struct span part);

/* Checks that columns first .. last are empty. Otherwise a shifted neighbouring field would be read
 * in part, or not at all. */
bool trf_line_check_blank(struct trf_line *line, unsigned first, unsigned last);

/* Checks that only spaces follow from a column to the end. */
bool trf_line_check_end(struct trf_line *line, unsigned column);

/* A number up to `max` with leading spaces or zeros; an empty field reads as 0. False, with nothing
 * refused, if the field is none. */
bool trf_line_number(struct span field, unsigned max, uint16_t *number);

/* The same of points as `11.5`, or without the decimal; not empty. */
bool trf_line_points(struct span field, uint16_t *points);

/* A starting rank, and a round, in a field of the line; refused if it is none. */
bool trf_line_rank_number(struct trf_line *line, struct span field, uint16_t *number);
bool trf_line_round(struct trf_line *line, struct span field, uint16_t *round);

#endif
