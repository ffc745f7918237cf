/* Words, numbers and names as records and moves have them. */
#include <string.h>

#include "engine/game/game.h"
#include "engine/record/clock.h"
#include "engine/record/record.h"
#include "support.h"

enum { TEXT_MOST = 1024 };

static void check_words(struct span text)
{
    struct words words;
    if (!notation_split(text, &words))
        return;
    FUZZ_MUST(words.count <= NOTATION_WORDS_MAX);
    fuzz_check_words(&words, text);
}

static void check_numbers(struct span text)
{
    char bytes[64];
    uint64_t number = 0;
    int64_t integer = 0;
    struct text again = TEXT_OVER(bytes);
    if (span_number(text, INT64_MAX, &number)) {
        text_add_number(&again, (int64_t)number);
        FUZZ_MUST(span_equal(text_span(&again), text));
        FUZZ_MUST(span_integer(text, INT64_MAX, &integer) && integer == (int64_t)number);
    }
    text_clear(&again);
    if (span_integer(text, INT64_MAX, &integer)) {
        text_add_number(&again, integer);
        FUZZ_MUST(span_equal(text_span(&again), text));
    }
}

static void check_hex(struct span text)
{
    uint8_t decoded[32];
    char bytes[80];
    struct text again = TEXT_OVER(bytes);
    if (!span_hex(text, decoded, sizeof decoded))
        return;
    text_add_hex(&again, decoded, sizeof decoded);
    FUZZ_MUST(span_equal(text_span(&again), text));
}

static void check_clock(struct span text)
{
    struct clock_control control;
    char bytes[TEXT_MOST];
    struct text again = TEXT_OVER(bytes);
    if (!clock_read_control(text, &control))
        return;
    clock_print_control(&control, &again);
    FUZZ_MUST(span_equal(text_span(&again), text));
}

static void check_line(struct span text)
{
    check_words(text);
    check_numbers(text);
    check_hex(text);
    check_clock(text);
    if (record_is_name(text))
        FUZZ_MUST(text.length >= 1 && text.length <= RECORD_NAME_MAX);
    if (record_is_code(text))
        FUZZ_MUST(text.length >= 1 && text.length <= RECORD_CODE_MAX);
    if (record_is_id(text))
        FUZZ_MUST(text.length == RECORD_ID_LENGTH);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_input input = fuzz_begin(bytes, size);
    if (size > TEXT_MOST)
        return 0;
    while (input.left > 0)
        check_line(fuzz_line(&input));
    return 0;
}
