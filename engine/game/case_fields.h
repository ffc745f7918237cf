/* What every game needs for `struct game_cases` (engine/game/game.h): set-up lines in, expectations
 * out.
 *
 * A game states its fields once, in one table: the key, where the value lies in the state, what
 * kind of value it is, and what holds when no line gives it. From this table lines are read, in
 * the table's order whatever the order of the lines, and expectations are written. A field that is
 * read or written in a way of its own has a function for it.
 *
 * Functions that read return false with a sentence in the reader's `error`, so that they can be
 * chained with &&. An expectation is words parted by single blanks; the functions that add to it
 * put the blank.
 */
#ifndef TILLROLL_ENGINE_GAME_CASE_FIELDS_H
#define TILLROLL_ENGINE_GAME_CASE_FIELDS_H

#include "engine/game/game.h"

/* ---- The table ---- */

/* Things with names: the index of a name and the name of an index. */
struct case_names {
    uint8_t (*find)(struct span name); /* 255 for an unknown name */
    const struct span *first;          /* the name of index 0; see CASE_NAMES */
    uint8_t stride;                    /* bytes from name to name */
    uint8_t from, to;                  /* the indices that may be set are from .. to - 1 */
    const uint8_t *order;              /* of writing; NULL: by index */
    const char *unknown;               /* the complaint about other words */
    /* Cuts off a word how often it counts (`2xfood`, `food=2`); NULL: once. False with a complaint
     * if that cannot be read. */
    bool (*split)(const struct case_reader *reader, struct span *word, uint8_t *count);
};

/* The members `first` and `stride` of a table whose rows begin with a name, or that is of names. */
#define CASE_NAMES(table)      .first = &(table)[0].name, .stride = sizeof(table)[0]
#define CASE_BARE_NAMES(table) .first = &(table)[0], .stride = sizeof(table)[0]

enum case_kind {
    CASE_OWN,    /* set and told by functions alone */
    CASE_NUMBER, /* least .. most; a member of 1, 2 or 4 bytes, signed if it is wider than one */
    CASE_EACH,   /* numbers as many as the member has bytes, each least .. most */
    CASE_FLAG,   /* one byte, 1 or 0: the words yes[0] and yes[1], `yes` and `no` if not given */
    CASE_SEAT,   /* the number of a seat */
    CASE_NAME,   /* the index of a name; 255 is no name */
    CASE_COUNTS, /* an array by index: each name as often as it counts, at most `most` times */
    CASE_SET,    /* one or four bytes: bit i for index i */
    CASE_LIST    /* names in order: [next .. end) of an array; without `end`, all of it, in which
                    255 is an empty place */
};

/* Where a field may be set. */
enum case_where {
    CASE_IN_POSITION, /* in positions */
    CASE_IN_SETUP,    /* in new games alone */
    CASE_EVERYWHERE,
    CASE_ANSWERED /* nowhere: it is only told */
};

struct case_field {
    const char *key;
    const char *initial;            /* what holds when no line has the key; NULL: the empty table */
    const struct case_names *by;    /* the field is of one of these, named behind the seat */
    const struct case_names *names; /* of NAME, COUNTS, SET, LIST */
    const char *yes[2];             /* of FLAG */
    /* Instead of what `kind` says, for the reader's `seat` and `item`. */
    bool (*load)(struct case_reader *reader, struct span rest);
    bool (*tell)(const struct case_reader *reader, struct text *out);
    uint16_t at, size;  /* the member's offset and bytes; of one seat, if it is by seat */
    uint16_t next, end; /* LIST: offsets of uint8_t, by seat if the list is; 0 = there is none */
    uint8_t seat_step, item_step; /* bytes from one to the next */
    bool by_seat;                 /* the line begins with a seat */
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
    const struct game_cases *cases;
    void *state;
    struct chance_stacks *stacks; /* of `chance` */
    const struct chance *chance;
    const struct case_line *lines;
    size_t count;
    struct text *error;
    unsigned seats;    /* 0 until case_read_seats() */
    uint8_t seat;      /* which the line names, 0 if the field is not by seat */
    uint8_t item;      /* of the field's `by` */
    struct span asked; /* of an expectation, what follows them */
};

/* The first line with this key, or NULL. */
const struct case_line *case_find(const struct case_reader *reader, const char *key);

/* Reads the line `seats`, `initial` without one, and keeps the number. */
bool case_read_seats(struct case_reader *reader, unsigned least, unsigned most, unsigned initial);

/* False if a line has a key that may not stand in `where`. */
bool case_check_keys(const struct case_reader *reader, enum case_where where);

/* The same, then sets every field that may stand there, in the order of the table: from its lines,
 * or else from its initial value. */
bool case_load(struct case_reader *reader, enum case_where where);

/* ---- Words ---- */

/* Writes `<what> `<word>`` and returns false. */
bool case_complain(const struct case_reader *reader, const char *what, struct span word);

/* A number least .. most. */
bool case_read_range(const struct case_reader *reader, struct span word, int32_t least,
                     int32_t most, int32_t *number);

/* A number 0 .. most, at most 255. */
bool case_read_number(const struct case_reader *reader, struct span word, unsigned most,
                      uint8_t *number);

/* Cuts the word off that names a seat. */
bool case_read_seat(const struct case_reader *reader, struct span *rest, uint8_t *seat);

/* Cuts the word off that is a name. */
bool case_read_name(const struct case_reader *reader, struct span *rest,
                    const struct case_names *names, uint8_t *index);

/* Reads all that is left as one name. */
bool case_read_only_name(const struct case_reader *reader, struct span rest,
                         const struct case_names *names, uint8_t *index);

/* True for the word `yes`, false for the word `no`. */
bool case_read_either(const struct case_reader *reader, struct span word, const char *yes,
                      const char *no, bool *answer);

/* Names, each counted in counts[], which stay at most `most`, 0 = no limit. */
bool case_read_counts(const struct case_reader *reader, struct span rest,
                      const struct case_names *names, uint8_t *counts, unsigned most);

/* Splits a word in two; the second part is empty, with `at` NULL, where there is no `mark`. */
struct span case_split(struct span *word, char mark);

/* ---- Expectations ---- */

/* Writes the text that would make `= key rest` true of the state, the word for none if there is
 * nothing to say. False if the key is none of the game's, or what it names cannot be read. */
bool case_tell(struct case_reader *reader, struct span key, struct span rest, struct text *out);

struct span case_name(const struct case_names *names, unsigned index);

void case_add_word(struct text *out, struct span word);
void case_add_number(struct text *out, int64_t number);

/* ` produce:3`, with the mark `:`. */
void case_add_pair(struct text *out, struct span name, char mark, int64_t number);

/* `yes` or `no`. */
void case_add_yes(struct text *out, bool yes);

/* Cuts a seat off and repeats it, as the reader's `seat`. False if it is none. */
bool case_echo_seat(struct case_reader *reader, struct span *rest, struct text *out);

/* Cuts a name off and repeats it. False if it is unknown. */
bool case_echo_name(struct span *rest, struct text *out, const struct case_names *names,
                    uint8_t *index);

/* The names of items that are counted in counts[] or, as bits, in a set, in the order of writing.
 */
void case_add_counts(struct text *out, const uint8_t *counts, const struct case_names *names);
void case_add_set(struct text *out, uint32_t set, const struct case_names *names);

#endif
