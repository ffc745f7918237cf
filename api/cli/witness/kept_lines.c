#include "api/cli/witness/kept_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/cli/cli.h"
#include "engine/base/arena.h"

enum { CAPACITY_LEAST = 256 };

bool kept_path(char path[static KEPT_PATH_MAX], const char *directory, const char *name)
{
    struct text text = {path, 0, KEPT_PATH_MAX, (path[0] = '\0', false)};
    text_add_all(&text, directory, "/", name);
    return !text.overflow || cli_fail(directory, "the path is too long");
}

bool kept_directory(const char *directory)
{
    return mkdir(directory, 0700) == 0 || errno == EEXIST || cli_fail(directory, strerror(errno));
}

bool kept_lock(const char *directory, int *lock)
{
    char path[KEPT_PATH_MAX];
    if (!kept_path(path, directory, "lock"))
        return false;
    *lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (*lock < 0)
        return cli_fail(path, strerror(errno));
    return flock(*lock, LOCK_EX | LOCK_NB) == 0 ||
           cli_fail(path, "another process uses this directory");
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
    char path[KEPT_PATH_MAX];
    if (!kept_path(path, directory, name))
        return false;
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool made = file >= 0 && fsync(file) == 0 && kept_lines_sync_name(path);
    if (!made)
        cli_fail(path, strerror(errno));
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
        return cli_fail(path, reader->damaged);
    return whole == length ||
           (ftruncate(kept->file, (off_t)whole) == 0 && fsync(kept->file) == 0) ||
           cli_fail(path, strerror(errno));
}

bool kept_lines_open(struct kept_lines *kept, const char *directory, const char *name, bool make,
                     const struct kept_lines_reader *reader)
{
    char path[KEPT_PATH_MAX];
    *kept = (struct kept_lines){.name = name, .file = -1};
    if (!kept_path(path, directory, name))
        return false;
    kept->file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | (make ? O_CREAT : 0), 0600);
    bool open = kept->file >= 0 && (!make || kept_lines_sync_name(path));
    if (!open)
        cli_fail(path, strerror(errno));
    return open && read_lines(kept, path, reader);
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
        kept->item = must(reallocarray(kept->item, kept->capacity, sizeof *kept->item));
    }
    void *copy = must(malloc(size));
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
    return !kept->failed || cli_fail(kept->name, strerror(errno));
}
