#include "api/cli/witness/dealer_state.h"

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "api/cli/cli.h"

static bool fail(const char *path, const char *what)
{
    fprintf(stderr, "tillroll: %s: %s\n", path, what);
    return false;
}

bool dealer_path(char path[static DEALER_PATH_MAX], const char *directory, const char *name)
{
    struct text text = {path, 0, DEALER_PATH_MAX, (path[0] = '\0', false)};
    text_add(&text, directory);
    text_add_char(&text, '/');
    text_add(&text, name);
    return !text.overflow || fail(directory, "the path is too long");
}

static int compare(const void *a, const void *b)
{
    const struct dealer_input *first = a;
    const struct dealer_input *second = b;
    return strcmp(first->scope, second->scope);
}

/* ---- Lines ---- */

void dealer_answer_print(const struct dealer_input *input, struct text *text)
{
    text_add(text, input->scope);
    text_add_char(text, ' ');
    text_add_hex(text, input->commitment, sizeof input->commitment);
    text_add_char(text, ' ');
    if (input->has_entropy)
        text_add_hex(text, input->entropy, sizeof input->entropy);
    else
        text_add_char(text, '-');
    text_add_char(text, '\n');
}

/* Every line has the form of an input, but for the first line of that and the ends of lines. */
static bool read_answer(struct span line, struct dealer_input *input)
{
    char bytes[DEALER_INPUT_MAX];
    struct text text = TEXT_OVER(bytes);
    text_add(&text, "tillroll dealer 1\n");
    for (unsigned i = 0; i < 3; i++) {
        text_add_span(&text, span_word(&line));
        text_add_char(&text, '\n');
    }
    return line.length == 0 && !text.overflow && dealer_input_read(text_span(&text), input);
}

/* ---- Memory ---- */

/* False if there is an answer for its scope already. */
static bool remember(struct dealer_state *state, const struct dealer_input *input)
{
    if (state->answers == state->capacity) {
        state->capacity = state->capacity == 0 ? 1024 : 2 * state->capacity;
        struct dealer_input **more =
            reallocarray(state->answer, state->capacity, sizeof(struct dealer_input *));
        if (more == NULL)
            abort();
        state->answer = more;
    }
    struct dealer_input *copy = malloc(sizeof *copy);
    if (copy == NULL)
        abort();
    *copy = *input;
    struct dealer_input *const *found = tsearch(copy, &state->by_scope, compare);
    if (found == NULL)
        abort();
    if (*found != copy) {
        free(copy);
        return false;
    }
    state->answer[state->answers++] = copy;
    return true;
}

static bool is_same(const struct dealer_input *a, const struct dealer_input *b)
{
    return memcmp(a->commitment, b->commitment, sizeof a->commitment) == 0 &&
           a->has_entropy == b->has_entropy &&
           (!a->has_entropy || memcmp(a->entropy, b->entropy, sizeof a->entropy) == 0);
}

/* ---- The file ---- */

static bool append(const struct dealer_state *state, const struct dealer_input *input)
{
    char bytes[DEALER_INPUT_MAX];
    struct text line = TEXT_OVER(bytes);
    dealer_answer_print(input, &line);
    return (write(state->file, bytes, line.length) == (ssize_t)line.length &&
            fsync(state->file) == 0) ||
           fail("answers", strerror(errno));
}

enum dealer_memory dealer_state_take(struct dealer_state *state, const struct dealer_input *input)
{
    struct dealer_input *const *found = tfind(input, &state->by_scope, compare);
    if (found != NULL)
        return is_same(*found, input) ? DEALER_REPEATED : DEALER_OTHER;
    if (state->answers == DEALER_ANSWERS_MAX)
        return DEALER_FULL;
    if (state->failed || !append(state, input)) {
        state->failed = true;
        return DEALER_FAILED;
    }
    (void)remember(state, input);
    return DEALER_NEW;
}

static bool read_answers(struct dealer_state *state, const char *path)
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
    while (good && span_line(&rest, &line)) {
        struct dealer_input input;
        good = state->answers < DEALER_ANSWERS_MAX && read_answer(line, &input) &&
               remember(state, &input);
    }
    free(bytes);
    if (!good)
        return fail(path, "a line is damaged, or there twice. A dealer that has forgotten answers "
                          "could answer twice: create a new one with a new key");
    return whole == length || ftruncate(state->file, (off_t)whole) == 0 ||
           fail(path, strerror(errno));
}

static bool take_lock(struct dealer_state *state, const char *directory)
{
    char path[DEALER_PATH_MAX];
    if (!dealer_path(path, directory, "lock"))
        return false;
    state->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (state->lock < 0)
        return fail(path, strerror(errno));
    return flock(state->lock, LOCK_EX | LOCK_NB) == 0 ||
           fail(path, "another process uses this directory");
}

static bool sync_folder(const char *directory)
{
    int folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool synced = folder >= 0 && fsync(folder) == 0;
    if (folder >= 0)
        close(folder);
    return synced || fail(directory, strerror(errno));
}

bool dealer_state_make(const char *directory)
{
    char path[DEALER_PATH_MAX];
    if (!dealer_path(path, directory, "answers"))
        return false;
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool made = file >= 0 && fsync(file) == 0;
    if (!made)
        fail(path, strerror(errno));
    if (file >= 0)
        close(file);
    return made && sync_folder(directory);
}

bool dealer_state_open(struct dealer_state *state, const char *directory)
{
    char path[DEALER_PATH_MAX];
    *state = (struct dealer_state){.lock = -1, .file = -1};
    bool good = dealer_path(path, directory, "answers") && take_lock(state, directory);
    if (good) {
        state->file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
        good = state->file >= 0 || fail(path, strerror(errno));
    }
    if (good && read_answers(state, path))
        return true;
    dealer_state_close(state);
    return false;
}

void dealer_state_close(struct dealer_state *state)
{
    for (size_t i = 0; i < state->answers; i++) {
        tdelete(state->answer[i], &state->by_scope, compare);
        free(state->answer[i]);
    }
    free(state->answer);
    state->answer = NULL;
    state->answers = state->capacity = 0;
    if (state->file >= 0)
        close(state->file);
    if (state->lock >= 0)
        close(state->lock);
    state->file = state->lock = -1;
}
