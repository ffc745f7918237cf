/* Shared support for `struct game_cases` (engine/game/game.h): reads set-up lines and writes
 * expectations.
 *
 * A game describes its fields in one table: the key, where the value lies in the state, its kind,
 * and the value that applies when no line gives one. Lines are read in the table's order, whatever
 * their order in the case; expectations are written from the same table. A field that needs special
 * reading or writing has a function for it.
 *
 * Reading functions return false and leave a sentence in the reader's `error`, so they can be
 * chained with &&. An expectation is words separated by single spaces; the functions that append to
 * it add the space.
 */
#ifndef TILLROLL_ENGINE_GAME_CASE_FIELDS_H
#define TILLROLL_ENGINE_GAME_CASE_FIELDS_H

#include "engine/game/game.h"

/* ---- The table ---- */

/* Maps names to indices and indices to names. */
struct case_names {
    uint16_t at, stride; /* offset of the name of index 0 in the component set, and bytes from one
                            name to the next; see CASE_NAMES */
    uint16_t order;      /* offset of the order of writing, an array of bytes; 0: by index */
    uint8_t from, to;    /* the indices that may be set are from .. to - 1 */
    uint8_t (*find)(struct span name); /* instead of a table; 255 for an unknown name */
    const char *unknown;               /* error message for other words */
    /* Splits the count off a word (`2xfood`, `food=2`). NULL: every word counts once. False with an
     * error if the count cannot be read. */
    bool (*split)(const struct case_reader *reader, struct span *word, uint8_t *count);
};

/* The members `at` and `stride` for a table whose rows begin with a name, or for an array of names,
 * in the component set, whose type a game calls CASE_COMPONENTS; and `order`. */
#define CASE_NAMES(table)                                                                          \
    .at = offsetof(CASE_COMPONENTS, table), .stride = sizeof((CASE_COMPONENTS *)0)->table[0]
#define CASE_ORDER(table) .order = offsetof(CASE_COMPONENTS, table)

enum case_kind {
    CASE_OWN,    /* read and written by functions only */
    CASE_NUMBER, /* least .. most; a member of 1, 2 or 4 bytes, signed if wider than one byte */
    CASE_EACH,   /* one number for each byte of the member, each least .. most */
    CASE_FLAG,   /* one byte, 1 or 0, written as yes[0] or yes[1]; by default `yes` and `no` */
    CASE_SEAT,   /* a seat number */
    CASE_NAME,   /* the index of a name; 255 = no name */
    CASE_COUNTS, /* an array by index; each name is repeated by its count, at most `most` times */
    CASE_SET,    /* one or four bytes: bit i for index i */
    CASE_LIST /* names in order: [next .. end) of an array; without `end`, the whole array, in which
                 255 is an empty place */
};

/* Where a field may be set. */
enum case_where {
    CASE_IN_POSITION, /* in positions */
    CASE_IN_SETUP,    /* in new games only */
    CASE_EVERYWHERE,
    CASE_ANSWERED /* nowhere: only in expectations */
};

struct case_field {
    const char *key;
    const char *initial; /* the value when no line has the key; NULL: the empty table */
    const struct case_names
        *by; /* the field has one value for each of these, named after the seat */
    const struct case_names *names; /* for NAME, COUNTS, SET, LIST */
    const char *yes[2];             /* for FLAG */
    /* Override `kind`, for the reader's `seat` and `item`. */
    bool (*load)(struct case_reader *reader, struct span rest);
    bool (*tell)(const struct case_reader *reader, struct text *out);
    uint16_t at,
        size; /* offset and size of the member in bytes; of one seat's part, if it is by seat */
    uint16_t next, end; /* LIST: offsets of uint8_t, by seat if the list is; 0 = none */
    uint16_t seat_step; /* bytes from a seat's value to the next one's */
    uint8_t item_step;  /* the same for items */
    bool by_seat;       /* the line begins with a seat */
    uint8_t kind, where;
    int32_t least, most;
};

/* A member of the state, whose type a game calls CASE_STATE; and one that is an array by seat. */
#define CASE_AT(member) .at = offsetof(CASE_STATE, member), .size = sizeof((CASE_STATE *)0)->member
#define CASE_BY_SEAT(array)                                                                        \
    .by_seat = true, .at = offsetof(CASE_STATE, array), .size = sizeof((CASE_STATE *)0)->array[0], \
    .seat_step = sizeof((CASE_STATE *)0)->array[0]

/* ---- Set-up lines ---- */

/* The set-up lines of one case. All pointers are borrowed. */
struct case_reader {
    const struct game *game;
    void *state;
    struct chance_stacks *stacks; /* those of `chance` */
    const struct chance *chance;
    const struct case_line *lines;
    size_t count;
    struct text *error;
    unsigned seats;    /* 0 until case_read_seats() */
    uint8_t seat;      /* the seat that the line names, 0 if the field is not by seat */
    uint8_t item;      /* index in the field's `by` */
    struct span asked; /* in an expectation, the words after seat and item */
};

/* The first line with this key, or NULL. */
const struct case_line *case_find(const struct case_reader *reader, const char *key);

/* Reads the line `seats`, or uses `initial` without one, and stores the number. */
bool case_read_seats(struct case_reader *reader, unsigned least, unsigned most, unsigned initial);

/* False if a line has a key that is not allowed in `where`. */
bool case_check_keys(const struct case_reader *reader, enum case_where where);

/* Does the same, then sets every field allowed there, in the table's order: from its lines, or from
 * its initial value. */
bool case_load(struct case_reader *reader, enum case_where where);

/* ---- Words ---- */

/* Writes `<what> `<word>`` and returns false. */
bool case_complain(const struct case_reader *reader, const char *what, struct span word);

/* A number least .. most. */
bool case_read_range(const struct case_reader *reader, struct span word, int32_t least,
                     int32_t most, int32_t *number);

/* A number 0 .. most; `most` is at most 255. */
bool case_read_number(const struct case_reader *reader, struct span word, unsigned most,
                      uint8_t *number);

/* Takes a word that names a seat off the front. */
bool case_read_seat(const struct case_reader *reader, struct span *rest, uint8_t *seat);

/* Takes a word that is a name off the front. */
bool case_read_name(const struct case_reader *reader, struct span *rest,
                    const struct case_names *names, uint8_t *index);

/* Reads the whole rest as one name. */
bool case_read_only_name(const struct case_reader *reader, struct span rest,
                         const struct case_names *names, uint8_t *index);

/* True for the word `yes`, false for the word `no`. */
bool case_read_either(const struct case_reader *reader, struct span word, const char *yes,
                      const char *no, bool *answer);

/* Reads names and counts each in counts[]; no count may exceed `most`, 0 = no limit. */
bool case_read_counts(const struct case_reader *reader, struct span rest,
                      const struct case_names *names, uint8_t *counts, unsigned most);

/* Splits a word at `mark`. Without a `mark` the second part is empty and its `at` is NULL. */
struct span case_split(struct span *word, char mark);

/* ---- Expectations ---- */

/* Writes the text that would make `= key rest` true of the state, or the word for none if there is
 * nothing to write. False if the game has no such key, or if `rest` cannot be read. */
bool case_tell(struct case_reader *reader, struct span key, struct span rest, struct text *out);

struct span case_name(const struct case_reader *reader, const struct case_names *names,
                      unsigned index);

void case_add_word(struct text *out, struct span word);
void case_add_number(struct text *out, int64_t number);

/* ` produce:3`, with the mark `:`. */
void case_add_pair(struct text *out, struct span name, char mark, int64_t number);

/* `yes` or `no`. */
void case_add_yes(struct text *out, bool yes);

/* Takes a seat off the front, writes it to the output and sets the reader's `seat`. False if it is
 * not a seat. */
bool case_echo_seat(struct case_reader *reader, struct span *rest, struct text *out);

/* Takes a name off the front and writes it to the output. False if it is unknown. */
bool case_echo_name(const struct case_reader *reader, struct span *rest, struct text *out,
                    const struct case_names *names, uint8_t *index);

/* Appends the names of items counted in counts[], or present as bits in a set, in writing order. */
void case_add_counts(const struct case_reader *reader, struct text *out, const uint8_t *counts,
                     const struct case_names *names);
void case_add_set(const struct case_reader *reader, struct text *out, uint32_t set,
                  const struct case_names *names);

#endif
