/* What a witness or a dealer must not forget, as lines of a file:
 *
 *      <directory>/<name>   a line for each item; lines are only appended, and an item's line is on
 *                           disk before any answer about it is sent
 *
 * and in memory, in the same order. The caller holds a lock of the directory. One thread at a time.
 */
#ifndef TILLROLL_API_CLI_WITNESS_KEPT_LINES_H
#define TILLROLL_API_CLI_WITNESS_KEPT_LINES_H

#include "engine/base/text.h"

struct kept_lines {
    void **item; /* owned; never changed or removed before the end */
    size_t count, capacity;
    const char *name; /* of the file, static */
    int file;         /* -1 = not open */
    bool failed;      /* it is not certain what is on disk: nothing more is written */
};

/* How the lines are read at the start: `take` remembers the item of a line (without its LF), or is
 * false: then `damaged` is the message. */
struct kept_lines_reader {
    bool (*take)(void *context, struct span line);
    void *context;
    const char *damaged;
};

/* Makes an empty file, durably; there must be none. False with a message on standard error. */
bool kept_lines_make(const char *directory, const char *name);

/* Opens a file and reads it. With `make`, there need not be one. A last line without its end was
 * cut off by a crash before anything was said of it, and is removed. False with a message: the file
 * is missing or damaged; it has to be closed all the same. */
bool kept_lines_open(struct kept_lines *kept, const char *directory, const char *name, bool make,
                     const struct kept_lines_reader *reader);

/* Frees the items, too. */
void kept_lines_close(struct kept_lines *kept);

/* Remembers a copy of an item, and returns it. Aborts when out of memory. */
void *kept_lines_remember(struct kept_lines *kept, const void *item, size_t size);

/* Writes a line, given with its LF; true when it is durable. False with a message if it may not be:
 * then, too, if it has failed before. */
bool kept_lines_append(struct kept_lines *kept, struct span line);

/* The path of a file in a directory. False with a message if it is too long. */
enum { KEPT_PATH_MAX = 512 };
bool kept_path(char path[static KEPT_PATH_MAX], const char *directory, const char *name);

/* Makes a directory, unless there is one. False with a message. */
bool kept_directory(const char *directory);

/* Locks a directory by its file `lock`, until *lock is closed. False with a message; *lock may have
 * to be closed all the same, -1 if not. */
bool kept_lock(const char *directory, int *lock);

/* Makes the name of a file durable that has been made or renamed. False with errno. */
bool kept_lines_sync_name(const char *path);

#endif
