#include "api/cli/witness/dealer_state.h"

#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/cli/cli.h"

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

/* A line has the words of an input, but not its first line, and spaces instead of line ends. */
bool dealer_answer_read(struct span line, struct dealer_input *input)
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

/* False if there is already an answer for the input's scope. */
static bool remember(struct dealer_state *state, const struct dealer_input *input)
{
    if (tfind(input, &state->by_scope, compare) != NULL)
        return false;
    const struct dealer_input *copy = kept_lines_remember(&state->answers, input, sizeof *input);
    if (tsearch(copy, &state->by_scope, compare) == NULL)
        abort();
    return true;
}

static bool is_same(const struct dealer_input *a, const struct dealer_input *b)
{
    return memcmp(a->commitment, b->commitment, sizeof a->commitment) == 0 &&
           a->has_entropy == b->has_entropy &&
           (!a->has_entropy || memcmp(a->entropy, b->entropy, sizeof a->entropy) == 0);
}

/* ---- The file ---- */

static bool append(struct dealer_state *state, const struct dealer_input *input)
{
    char bytes[DEALER_INPUT_MAX];
    struct text line = TEXT_OVER(bytes);
    dealer_answer_print(input, &line);
    return kept_lines_append(&state->answers, text_span(&line));
}

enum dealer_memory dealer_state_take(struct dealer_state *state, const struct dealer_input *input)
{
    struct dealer_input *const *found = tfind(input, &state->by_scope, compare);
    if (found != NULL)
        return is_same(*found, input) ? DEALER_REPEATED : DEALER_OTHER;
    if (state->answers.count == DEALER_ANSWERS_MAX)
        return DEALER_FULL;
    if (!append(state, input))
        return DEALER_FAILED;
    (void)remember(state, input);
    return DEALER_NEW;
}

static bool take_answer(void *context, struct span line)
{
    struct dealer_state *state = context;
    struct dealer_input input;
    return state->answers.count < DEALER_ANSWERS_MAX && dealer_answer_read(line, &input) &&
           remember(state, &input);
}

bool dealer_state_make(const char *directory)
{
    return kept_lines_make(directory, "answers");
}

bool dealer_state_open(struct dealer_state *state, const char *directory)
{
    const struct kept_lines_reader reader = {
        take_answer, state,
        "a line is damaged, or there twice. A dealer that has forgotten answers could answer "
        "twice: create a new one with a new key"};
    *state = (struct dealer_state){.answers = {.file = -1}, .lock = -1};
    if (kept_lock(directory, &state->lock) &&
        kept_lines_open(&state->answers, directory, "answers", false, &reader))
        return true;
    dealer_state_close(state);
    return false;
}

void dealer_state_close(struct dealer_state *state)
{
    for (size_t i = 0; i < state->answers.count; i++)
        tdelete(state->answers.item[i], &state->by_scope, compare);
    kept_lines_close(&state->answers);
    if (state->lock >= 0)
        close(state->lock);
    state->lock = -1;
}
