#include "api/cli/witness/deposit_box.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/cli/cli.h"

enum { BOX_PATH_MAX = 512, BOX_LINE_MAX = DEPOSIT_MAX + 24 };

static bool fail(const char *path, const char *what)
{
    fprintf(stderr, "tillroll: %s: %s\n", path, what);
    return false;
}

/* ---- Lines ---- */

static void exchange(struct text *text, char from, char to)
{
    for (size_t i = 0; i < text->length; i++)
        if (text->at[i] == from)
            text->at[i] = to;
}

static void print_line(const struct left_move *left, struct text *line)
{
    text_add_number(line, (int64_t)left->time_s);
    text_add_char(line, '\t');
    deposit_print(&left->deposit, line);
    line->length--;
    exchange(line, '\n', '\t');
    text_add_char(line, '\n');
}

/* Also checks the signature: so damage is noticed. */
static bool read_line(struct span line, struct left_move *left)
{
    char bytes[BOX_LINE_MAX];
    struct text text = TEXT_OVER(bytes);
    const char *tab = line.length == 0 ? NULL : memchr(line.at, '\t', line.length);
    if (tab == NULL ||
        !span_number((struct span){line.at, (size_t)(tab - line.at)}, INT64_MAX, &left->time_s))
        return false;
    text_add_span(&text, (struct span){tab + 1, line.length - (size_t)(tab + 1 - line.at)});
    exchange(&text, '\t', '\n');
    text_add_char(&text, '\n');
    return !text.overflow && deposit_read(text_span(&text), &left->deposit) &&
           deposit_is_signed(&left->deposit);
}

static void remember(struct deposit_box *box, const struct left_move *left)
{
    if (box->count == box->capacity) {
        box->capacity = box->capacity == 0 ? 256 : 2 * box->capacity;
        struct left_move **more =
            reallocarray(box->left, box->capacity, sizeof(struct left_move *));
        if (more == NULL)
            abort();
        box->left = more;
    }
    struct left_move *copy = malloc(sizeof *copy);
    if (copy == NULL)
        abort();
    *copy = *left;
    box->left[box->count++] = copy;
    counter_set(&box->stored, box->count);
}

/* ---- The file ---- */

static bool read_all(struct deposit_box *box, const char *path)
{
    size_t length;
    struct span line;
    struct left_move left;
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return false;
    size_t whole = length;
    while (whole > 0 && bytes[whole - 1] != '\n')
        whole--;
    struct span rest = {bytes, whole};
    bool good = true;
    while (good && span_line(&rest, &line)) {
        good = box->count < DEPOSITS_MAX && read_line(line, &left);
        if (good)
            remember(box, &left);
    }
    free(bytes);
    if (!good)
        return fail(path, "a line is damaged. Receipts were given for these moves: restore the "
                          "file, or begin a new witness with a new key");
    return whole == length || (ftruncate(box->file, (off_t)whole) == 0 && fsync(box->file) == 0) ||
           fail(path, strerror(errno));
}

static bool sync_folder(const char *directory)
{
    int folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool synced = folder >= 0 && fsync(folder) == 0;
    if (folder >= 0)
        close(folder);
    return synced || fail(directory, strerror(errno));
}

bool deposit_box_open(struct deposit_box *box, const char *directory)
{
    char path[BOX_PATH_MAX];
    struct text text = TEXT_OVER(path);
    *box = (struct deposit_box){.file = -1};
    pthread_mutex_init(&box->mutex, NULL);
    text_add(&text, directory);
    text_add(&text, "/deposits");
    if (text.overflow)
        return fail(directory, "the path is too long");
    box->file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (box->file < 0)
        return fail(path, strerror(errno));
    if (sync_folder(directory) && read_all(box, path))
        return true;
    deposit_box_close(box);
    return false;
}

void deposit_box_close(struct deposit_box *box)
{
    for (size_t i = 0; i < box->count; i++)
        free(box->left[i]);
    free(box->left);
    box->left = NULL;
    box->count = box->capacity = 0;
    if (box->file >= 0)
        close(box->file);
    box->file = -1;
}

static bool append(const struct deposit_box *box, const struct left_move *left)
{
    char bytes[BOX_LINE_MAX];
    struct text line = TEXT_OVER(bytes);
    print_line(left, &line);
    return (write(box->file, bytes, line.length) == (ssize_t)line.length &&
            fsync(box->file) == 0) ||
           fail("deposits", strerror(errno));
}

/* ---- Taking ---- */

static bool is_same(const struct deposit *a, const struct deposit *b)
{
    char first_bytes[DEPOSIT_MAX];
    char second_bytes[DEPOSIT_MAX];
    struct text first = TEXT_OVER(first_bytes);
    struct text second = TEXT_OVER(second_bytes);
    deposit_print(a, &first);
    deposit_print(b, &second);
    return span_equal(text_span(&first), text_span(&second));
}

static enum deposit_taken take(struct deposit_box *box, const struct deposit *deposit,
                               uint64_t *time_s)
{
    size_t of_game = 0;
    size_t of_seat = 0;
    for (size_t i = 0; i < box->count; i++) {
        const struct left_move *other = box->left[i];
        if (strcmp(other->deposit.game, deposit->game) != 0)
            continue;
        if (is_same(&other->deposit, deposit)) {
            *time_s = other->time_s;
            return DEPOSIT_REPEATED;
        }
        of_game++;
        of_seat += memcmp(other->deposit.key, deposit->key, sizeof deposit->key) == 0;
    }
    if (of_game >= DEPOSITS_OF_GAME || of_seat >= DEPOSITS_OF_SEAT)
        return DEPOSIT_MANY;
    if (box->count == DEPOSITS_MAX)
        return DEPOSIT_FULL;
    if (box->count > 0 && box->left[box->count - 1]->time_s > *time_s)
        *time_s = box->left[box->count - 1]->time_s;
    const struct left_move left = {*time_s, *deposit};
    if (box->failed || !append(box, &left)) {
        box->failed = true;
        return DEPOSIT_FAILED;
    }
    remember(box, &left);
    return DEPOSIT_STORED;
}

enum deposit_taken deposit_box_take(struct deposit_box *box, const struct deposit *deposit,
                                    uint64_t *time_s)
{
    pthread_mutex_lock(&box->mutex);
    enum deposit_taken taken = take(box, deposit, time_s);
    pthread_mutex_unlock(&box->mutex);
    return taken;
}

const struct left_move *deposit_box_next(struct deposit_box *box, struct span game, size_t *from)
{
    const struct left_move *found = NULL;
    pthread_mutex_lock(&box->mutex);
    while (*from < box->count && found == NULL) {
        const struct left_move *left = box->left[(*from)++];
        if (span_is(game, left->deposit.game))
            found = left;
    }
    pthread_mutex_unlock(&box->mutex);
    return found;
}
