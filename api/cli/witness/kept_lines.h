/* The durable memory of a witness or a dealer, as lines of a file:
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
    void **item; /* owned; never changed or removed before kept_lines_close() */
    size_t count, capacity;
    const char *name; /* of the file, static */
    int file;         /* -1 = not open */
    bool failed;      /* the content on disk is uncertain: nothing more is written */
};

/* How the lines are read at the start: `take` remembers the item of a line (without its LF), or
 * returns false: then `damaged` is the message. */
struct kept_lines_reader {
    bool (*take)(void *context, struct span line);
    void *context;
    const char *damaged;
};

/* Makes an empty file, durably; it must not exist. False with a message on standard error. */
bool kept_lines_make(const char *directory, const char *name);

/* Opens a file and reads it. With `make`, creates it if it is missing. A last line without its end
 * was cut off by a crash before anything was sent about it, and is removed. False with a message if
 * the file is missing or damaged; it must be closed all the same. */
bool kept_lines_open(struct kept_lines *kept, const char *directory, const char *name, bool make,
                     const struct kept_lines_reader *reader);

/* Also frees the items. */
void kept_lines_close(struct kept_lines *kept);

/* Remembers a copy of an item, and returns it. Aborts when out of memory. */
void *kept_lines_remember(struct kept_lines *kept, const void *item, size_t size);

/* Appends a line, given with its LF. True when it is durable. False with a message if it may not
 * be, and always after an earlier failure. */
bool kept_lines_append(struct kept_lines *kept, struct span line);

/* The path of a file in a directory. False with a message if it is too long. */
enum { KEPT_PATH_MAX = 512 };
bool kept_path(char path[static KEPT_PATH_MAX], const char *directory, const char *name);

/* Makes a directory, unless it exists. False with a message. */
bool kept_directory(const char *directory);

/* Locks a directory by its file `lock`, until *lock is closed. False with a message; *lock must be
 * closed all the same unless it is -1. */
bool kept_lock(const char *directory, int *lock);

/* Makes the name of a new or renamed file durable. False with errno. */
bool kept_lines_sync_name(const char *path);

#endif
