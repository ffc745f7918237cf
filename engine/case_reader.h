/* What every game needs to answer for `struct game_cases` (engine/game.h): set-up lines in,
 * expectations out.
 *
 * A game lists its keys in the order in which they are to be read, whatever the order of the lines,
 * each with a function that loads one line. What the functions work on is the game's own `struct
 * case_loader`; here it is only handed through. Functions that read return false with a sentence in
 * the reader's `error`, so that they can be chained with &&.
 *
 * An expectation is words parted by single blanks; the functions that add to it put the blank.
 */
#ifndef TILLROLL_ENGINE_CASE_READER_H
#define TILLROLL_ENGINE_CASE_READER_H

#include "engine/game.h"

/* The set-up lines of one case. All pointers are borrowed. */
struct case_reader {
    const struct case_line *lines;
    size_t count;
    struct text *error;
    unsigned seats; /* 0 until case_read_seats() */
};

/* Each game that has cases defines it in its own position.c. */
struct case_loader;

/* Where a key may stand. */
enum { CASE_IN_POSITION = 1, CASE_IN_SETUP = 2 };

struct case_key {
    const char *name;
    bool (*load)(struct case_loader *loader, struct span rest);
    const char *initial; /* loaded when no line has the key; NULL = nothing is */
    unsigned where;      /* CASE_IN_POSITION | CASE_IN_SETUP */
};

/* ---- Lines ---- */

/* The first line with this key, or NULL. */
const struct case_line *case_find(const struct case_reader *reader, const char *key);

/* False if a line has none of the keys that may stand in `where`. */
bool case_check_keys(const struct case_reader *reader, const struct case_key *keys, size_t count,
                     unsigned where);

/* Loads every line of `key`, or its initial value if there is none. */
bool case_load_key(const struct case_reader *reader, const struct case_key *key,
                   struct case_loader *loader);

/* Loads those keys that may stand in `where`, in the order of the table. */
bool case_load_keys(const struct case_reader *reader, const struct case_key *keys, size_t count,
                    unsigned where, struct case_loader *loader);

/* Reads the line `seats`, `initial` without one, and keeps the number for case_read_seat(). */
bool case_read_seats(struct case_reader *reader, unsigned least, unsigned most, uint8_t initial);

/* A key whose line was read before the others. */
bool case_load_nothing(struct case_loader *loader, struct span rest);

/* ---- Words ---- */

/* Writes `<what> `<word>`` and returns false. */
bool case_complain(const struct case_reader *reader, const char *what, struct span word);

/* A number 0 .. most, at most 255. */
bool case_read_number(const struct case_reader *reader, struct span word, unsigned most,
                      uint8_t *number);

/* A number least .. most. */
bool case_read_range(const struct case_reader *reader, struct span word, unsigned least,
                     unsigned most, unsigned *number);

/* Cuts the word off that names a seat. */
bool case_read_seat(const struct case_reader *reader, struct span *rest, uint8_t *seat);

/* The index of a name, with a function that gives 255 for an unknown one; `what` is the complaint.
 */
bool case_read_name(const struct case_reader *reader, struct span word,
                    uint8_t (*find)(struct span name), const char *what, uint8_t *index);

/* True for the word `yes`, false for the word `no`. */
bool case_read_either(const struct case_reader *reader, struct span word, const char *yes,
                      const char *no, bool *answer);

/* Names, each counted in counts[]; `none` alone stands for an empty list. */
bool case_read_counts(const struct case_reader *reader, struct span rest, const char *none,
                      uint8_t (*find)(struct span name), const char *what, uint8_t *counts);

/* ---- Expectations ---- */

void case_add_word(struct text *out, struct span word);
void case_add_number(struct text *out, int64_t number);

/* `yes` or `no`. */
void case_add_yes(struct text *out, bool yes);

/* Adds `none` if nothing was added since the text was `start` bytes long. */
void case_close_list(struct text *out, size_t start, const char *none);

/* Cuts the word off that names one of `seats` seats, and repeats it. False if it names none. */
bool case_echo_seat(struct text *out, struct span *rest, unsigned seats, uint8_t *seat);

/* The names of items that are listed, counted in counts[] or, as bits, in a set. `order` gives the
 * `count` items in the order of writing; NULL is 0, 1, 2 ... */
void case_add_list(struct text *out, const uint8_t *items, size_t count,
                   struct span (*name)(unsigned item));
void case_add_counts(struct text *out, const uint8_t *counts, const uint8_t *order, unsigned count,
                     struct span (*name)(unsigned item));
void case_add_set(struct text *out, uint32_t set, const uint8_t *order, unsigned count,
                  struct span (*name)(unsigned item));

#endif
