/* Reads component sets: the files components.json of the games, and those of whoever owns a printed
 * game with other lists. The same code runs in servers, on the command line and in browsers, so it
 * needs no JSON library; it knows where everything stands, so every fault names line and place.
 *
 * A game's read function walks through the file and fills its tables. Faults are sticky: after the
 * first one, every function returns something harmless, and the game asks component_good() before
 * it relies on what it has read.
 *
 *      bytes ──> nodes, in the order of the text: each value, its key, parent and next sibling
 *            ──> the game's struct: tables by index, names in a pool of bytes at its end
 *
 * A member that nobody has asked for is a fault as well (a misspelt key must not be ignored),
 * unless it is `provenance` or among the keys that the game says are for display only.
 */
#ifndef TILLROLL_ENGINE_GAME_COMPONENT_READER_H
#define TILLROLL_ENGINE_GAME_COMPONENT_READER_H

#include "engine/game/names.h"

enum {
    COMPONENT_BYTES_MAX = 262144, /* of a file */
    COMPONENT_NODES_MAX = 16384,  /* values of a file */
    COMPONENT_DEPTH_MAX = 12,
    COMPONENT_NAME_MAX = 40,  /* bytes of a name */
    COMPONENT_TITLE_MAX = 160 /* bytes of a text for people */
};

/* Why a file was refused. */
struct component_fault {
    unsigned line;     /* from 1; 0 if the fault has no place: out of memory */
    char path[120];    /* RFC 6901: `/wards/rows/3/cards`; empty for the whole file */
    char message[240]; /* a sentence for the person who wrote the file */
};

struct component_node {
    uint32_t start, length; /* in the text; of a string without its quotes */
    uint32_t key, key_length;
    uint32_t parent, next; /* nodes; `next` is 0 for the last member or element */
    uint32_t count;        /* members or elements */
    uint8_t kind;          /* enum component_kind */
    bool asked;
};

enum component_kind {
    COMPONENT_OBJECT,
    COMPONENT_ARRAY,
    COMPONENT_STRING,
    COMPONENT_NUMBER,
    COMPONENT_TRUE,
    COMPONENT_FALSE,
    COMPONENT_NULL
};

struct component_reader {
    struct span text;
    struct component_node *node; /* owned */
    uint32_t nodes;
    char *pool; /* names and titles go here */
    size_t pool_left;
    bool faulty;
    struct component_fault *fault;
};

/* A value of the file; NULL after a fault. */
typedef const struct component_node *component;

/* Parses `text`, which is borrowed and must stay until component_end(). The reader works even if
 * the text is no JSON: then it is faulty from the start. */
void component_begin(struct component_reader *reader, struct span text,
                     struct component_fault *fault);

/* Frees the nodes. True if there was no fault. */
bool component_end(struct component_reader *reader);

/* Where names and titles are kept: `size` bytes of the game's struct. */
void component_pool(struct component_reader *reader, char *pool, size_t size);

/* False after a fault. */
bool component_good(const struct component_reader *reader);

/* Says what is wrong with `at` (NULL: the file): the parts of a sentence up to PARTS_END. Only the
 * first fault counts. */
void component_refuse(struct component_reader *reader, component at, ...);
#define PARTS_END ((const char *)NULL)

/* Faults every member that has not been asked for. `display` are keys, up to NULL, that are for
 * display only wherever they stand. */
void component_finish(struct component_reader *reader, const char *const *display);

/* ---- Values ----
 *
 * `key` names a member of the object `at`; with NULL, `at` itself is the value. A member that is
 * missing, or of another type, is a fault. */

component component_root(struct component_reader *reader);
component component_member(struct component_reader *reader, component at, const char *key);

/* The member if it is there, otherwise NULL without a fault. */
component component_optional(struct component_reader *reader, component at, const char *key);

/* A list of `least` to `most` elements; and the list `rows` of the member `table` of the file. */
component component_list(struct component_reader *reader, component at, const char *key,
                         unsigned least, unsigned most);
component component_rows(struct component_reader *reader, const char *table, const char *rows,
                         unsigned least, unsigned most);

/* The number of elements or members, and element i; 0 and NULL after a fault. */
unsigned component_count(component at);
component component_element(const struct component_reader *reader, component list, unsigned i);

/* The element after this one of a list; NULL after the last. */
component component_next(const struct component_reader *reader, component element);

/* A whole number least .. most; `least` after a fault. */
int32_t component_number(struct component_reader *reader, component at, const char *key,
                         int32_t least, int32_t most);

/* A number that the ruleset fixes: anything else is a fault. */
void component_fixed(struct component_reader *reader, component at, const char *key, int32_t value);

bool component_flag(struct component_reader *reader, component at, const char *key);

/* A name: lower-case letters, digits and single hyphens, at most COMPONENT_NAME_MAX bytes. In the
 * pool, and ended by NUL. */
struct span component_name(struct component_reader *reader, component at, const char *key);

/* A text for people: UTF-8 without control characters, at most COMPONENT_TITLE_MAX bytes. In the
 * pool, and ended by NUL. */
struct span component_title(struct component_reader *reader, component at, const char *key);

/* True if the value is null; otherwise it has to be what is read of it then. */
bool component_is_null(struct component_reader *reader, component at, const char *key);

/* The number of the word that the value is; 0 after a fault. `words` ends with NULL. */
unsigned component_word(struct component_reader *reader, component at, const char *key,
                        const char *const *words);

/* True if the value is this string. */
bool component_is(struct component_reader *reader, component at, const char *key, const char *word);

/* The bytes of a string between its quotes; 0 for other values. */
size_t component_length(component at);

/* A line of a drawing: exactly `length` of the characters in `signs`. In the pool, ended by NUL. */
struct span component_drawing(struct component_reader *reader, component at, const char *key,
                              const char *signs, size_t length);

/* Keeps a text that the game has made. In the pool, and ended by NUL. */
struct span component_keep(struct component_reader *reader, struct span text);

/* The row of `names` that the value names; 0 after a fault. `what` names a row for people: `ward`.
 */
uint8_t component_reference(struct component_reader *reader, component at, const char *key,
                            struct names names, const char *what);

/* A name that no earlier row of `names` has, which are those read so far. */
struct span component_new_name(struct component_reader *reader, component at, const char *key,
                               struct names names);

/* The member `index` of row i is i, as the rows are in order. */
void component_index(struct component_reader *reader, component at, unsigned i);

/* Writes the rows' numbers in the byte order of their names. */
void component_sort(struct names names, uint8_t *order);

#endif
