#include "api/cli/witness/deposit_box.h"

#include <string.h>

enum { BOX_LINE_MAX = DEPOSIT_MAX + 24 };

/* ---- Lines ---- */

static void replace_char(struct text *text, char from, char to)
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
    replace_char(line, '\n', '\t');
    text_add_char(line, '\n');
}

/* Reads a line, and checks its signature, so that damage is noticed. */
static bool read_line(struct span line, struct left_move *left)
{
    char bytes[BOX_LINE_MAX];
    struct text text = TEXT_OVER(bytes);
    const char *tab = line.length == 0 ? NULL : memchr(line.at, '\t', line.length);
    if (tab == NULL ||
        !span_number((struct span){line.at, (size_t)(tab - line.at)}, INT64_MAX, &left->time_s))
        return false;
    text_add_span(&text, (struct span){tab + 1, line.length - (size_t)(tab + 1 - line.at)});
    replace_char(&text, '\t', '\n');
    text_add_char(&text, '\n');
    return !text.overflow && deposit_read(text_span(&text), &left->deposit) &&
           deposit_is_signed(&left->deposit);
}

/* ---- The file ---- */

static void remember(struct deposit_box *box, const struct left_move *left)
{
    kept_lines_remember(&box->left, left, sizeof *left);
    counter_set(&box->stored, box->left.count);
}

static bool take_line(void *context, struct span line)
{
    struct deposit_box *box = context;
    struct left_move left;
    bool good = box->left.count < DEPOSITS_MAX && read_line(line, &left);
    if (good)
        remember(box, &left);
    return good;
}

bool deposit_box_open(struct deposit_box *box, const char *directory)
{
    const struct kept_lines_reader reader = {
        take_line, box,
        "a line is damaged. Receipts were given for these moves: restore the file, or begin a new "
        "witness with a new key"};
    *box = (struct deposit_box){.left = {.file = -1}};
    pthread_mutex_init(&box->mutex, NULL);
    if (kept_lines_open(&box->left, directory, "deposits", true, &reader))
        return true;
    kept_lines_close(&box->left);
    return false;
}

void deposit_box_close(struct deposit_box *box)
{
    kept_lines_close(&box->left);
}

static bool append(struct deposit_box *box, const struct left_move *left)
{
    char bytes[BOX_LINE_MAX];
    struct text line = TEXT_OVER(bytes);
    print_line(left, &line);
    return kept_lines_append(&box->left, text_span(&line));
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
    const struct left_move *other = NULL;
    for (size_t i = 0; i < box->left.count; i++) {
        other = box->left.item[i];
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
    if (box->left.count == DEPOSITS_MAX)
        return DEPOSIT_FULL;
    if (other != NULL && other->time_s > *time_s)
        *time_s = other->time_s;
    const struct left_move left = {*time_s, *deposit};
    if (!append(box, &left))
        return DEPOSIT_FAILED;
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
    while (*from < box->left.count && found == NULL) {
        const struct left_move *left = box->left.item[(*from)++];
        if (span_is(game, left->deposit.game))
            found = left;
    }
    pthread_mutex_unlock(&box->mutex);
    return found;
}
