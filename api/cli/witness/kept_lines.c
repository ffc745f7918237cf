#include "api/cli/witness/kept_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/cli/cli.h"

enum { KEPT_PATH_MAX = 512, CAPACITY_LEAST = 256 };

static bool fail(const char *path, const char *what)
{
    fprintf(stderr, "tillroll: %s: %s\n", path, what);
    return false;
}

/* `path` is empty at first. */
static bool join_path(const char *directory, const char *name, struct text *path)
{
    text_add(path, directory);
    text_add_char(path, '/');
    text_add(path, name);
    return !path->overflow || fail(directory, "the path is too long");
}

bool kept_lines_sync_name(const char *path)
{
    char bytes[KEPT_PATH_MAX];
    struct text folder = TEXT_OVER(bytes);
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        text_add(&folder, ".");
    else
        text_add_span(&folder, (struct span){path, slash == path ? 1 : (size_t)(slash - path)});
    int file = open(bytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool synced = file >= 0 && fsync(file) == 0;
    if (file >= 0)
        close(file);
    return synced;
}

bool kept_lines_make(const char *directory, const char *name)
{
    char bytes[KEPT_PATH_MAX];
    struct text path = TEXT_OVER(bytes);
    if (!join_path(directory, name, &path))
        return false;
    int file = open(bytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool made = file >= 0 && fsync(file) == 0 && kept_lines_sync_name(bytes);
    if (!made)
        fail(bytes, strerror(errno));
    if (file >= 0)
        close(file);
    return made;
}

static bool read_lines(struct kept_lines *kept, const char *path,
                       const struct kept_lines_reader *reader)
{
    size_t length;
    struct span line;
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return false;
    size_t whole = length;
    while (whole > 0 && bytes[whole - 1] != '\n')
        whole--;
    struct span rest = {bytes, whole};
    bool good = true;
    while (good && span_line(&rest, &line))
        good = reader->take(reader->context, line);
    free(bytes);
    if (!good)
        return fail(path, reader->damaged);
    return whole == length ||
           (ftruncate(kept->file, (off_t)whole) == 0 && fsync(kept->file) == 0) ||
           fail(path, strerror(errno));
}

bool kept_lines_open(struct kept_lines *kept, const char *directory, const char *name, bool make,
                     const struct kept_lines_reader *reader)
{
    char bytes[KEPT_PATH_MAX];
    struct text path = TEXT_OVER(bytes);
    *kept = (struct kept_lines){.name = name, .file = -1};
    if (!join_path(directory, name, &path))
        return false;
    kept->file = open(bytes, O_WRONLY | O_APPEND | O_CLOEXEC | (make ? O_CREAT : 0), 0600);
    bool open = kept->file >= 0 && (!make || kept_lines_sync_name(bytes));
    if (!open)
        fail(bytes, strerror(errno));
    return open && read_lines(kept, bytes, reader);
}

void kept_lines_close(struct kept_lines *kept)
{
    for (size_t i = 0; i < kept->count; i++)
        free(kept->item[i]);
    free(kept->item);
    if (kept->file >= 0)
        close(kept->file);
    *kept = (struct kept_lines){.file = -1};
}

void *kept_lines_remember(struct kept_lines *kept, const void *item, size_t size)
{
    if (kept->count == kept->capacity) {
        kept->capacity = kept->capacity == 0 ? CAPACITY_LEAST : 2 * kept->capacity;
        void **more = reallocarray(kept->item, kept->capacity, sizeof *more);
        if (more == NULL)
            abort();
        kept->item = more;
    }
    void *copy = malloc(size);
    if (copy == NULL)
        abort();
    memcpy(copy, item, size);
    kept->item[kept->count++] = copy;
    return copy;
}

bool kept_lines_append(struct kept_lines *kept, struct span line)
{
    if (kept->failed)
        return false;
    kept->failed =
        write(kept->file, line.at, line.length) != (ssize_t)line.length || fsync(kept->file) != 0;
    return !kept->failed || fail(kept->name, strerror(errno));
}
