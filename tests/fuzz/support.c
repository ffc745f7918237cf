#include "support.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void fuzz_fail(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

struct fuzz_input fuzz_begin(const uint8_t *bytes, size_t size)
{
    static const uint8_t none;
    if (sodium_init() < 0)
        abort();
    return (struct fuzz_input){size == 0 ? &none : bytes, size};
}

uint8_t fuzz_byte(struct fuzz_input *input)
{
    if (input->left == 0)
        return 0;
    input->left--;
    return *input->at++;
}

unsigned fuzz_below(struct fuzz_input *input, unsigned n)
{
    unsigned number = fuzz_byte(input);
    if (n > 256)
        number = number << 8 | fuzz_byte(input);
    return number % n;
}

struct span fuzz_line(struct fuzz_input *input)
{
    const uint8_t *end = input->left == 0 ? NULL : memchr(input->at, '\n', input->left);
    size_t length = end == NULL ? input->left : (size_t)(end - input->at);
    size_t taken = end == NULL ? length : length + 1;
    struct span line = {(const char *)input->at, length};
    input->at += taken;
    input->left -= taken;
    return line;
}

struct span fuzz_rest(struct fuzz_input *input)
{
    struct span rest = {(const char *)input->at, input->left};
    input->at += input->left;
    input->left = 0;
    return rest;
}

const char *fuzz_string(struct span span, char *bytes, size_t room)
{
    size_t length = span.length < room ? span.length : room - 1;
    memcpy(bytes, span.at, length);
    bytes[length] = '\0';
    return bytes;
}

void fuzz_check_words(const struct words *words, struct span text)
{
    const char *at = text.at;
    for (size_t i = 0; i < words->count; i++) {
        FUZZ_MUST(i == 0 || *at++ == ' ');
        FUZZ_MUST(words->word[i].at == at && words->word[i].length >= 1);
        at += words->word[i].length;
    }
    FUZZ_MUST(words->count >= 1 && at == text.at + text.length);
}
