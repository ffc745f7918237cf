/* engine/base/nfc.c against another implementation of Unicode's normalization, utf8proc. */
#include <string.h>
#include <utf8proc.h>

#include "engine/base/nfc.h"
#include "tests/test.h"

enum { LENGTH_MOST = 8, CODE_POINTS = 0x110000 };

static bool is_surrogate(uint32_t c)
{
    return c >= 0xd800 && c <= 0xdfff;
}

static bool expected(const uint32_t *characters, size_t count)
{
    static const utf8proc_option_t form = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
    utf8proc_uint8_t bytes[4 * LENGTH_MOST];
    utf8proc_int32_t points[32 * LENGTH_MOST];
    utf8proc_ssize_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += utf8proc_encode_char((utf8proc_int32_t)characters[i], bytes + length);
    utf8proc_ssize_t found = utf8proc_decompose(bytes, length, points, 32 * LENGTH_MOST, form);
    assert_true(found > 0 && found <= 32 * LENGTH_MOST);
    found = utf8proc_normalize_utf32(points, found, form);
    return (size_t)found == count && memcmp(points, characters, count * sizeof *characters) == 0;
}

/* Whether both say that it is in the form. */
static bool both_say(const uint32_t *characters, size_t count)
{
    bool said = nfc_is(characters, count);
    if (said == expected(characters, count))
        return said;
    for (size_t i = 0; i < count; i++)
        print_error("U+%04X ", (unsigned)characters[i]);
    fail_msg("%s", said ? "is not in NFC" : "is in NFC");
    return said;
}

TEST(test_single_characters)
{
    unsigned never = 0;
    for (uint32_t c = 1; c < CODE_POINTS; c++) {
        if (is_surrogate(c))
            continue;
        never += !both_say(&c, 1);
    }
    assert_true(never > 1000);
}

/* What takes part in composing, a few starters that do not, and some marks of each class. */
static size_t collect(uint32_t *pool)
{
    size_t count = 0;
    for (uint32_t c = 0x20; c < CODE_POINTS; c++) {
        utf8proc_int32_t points[32];
        /* utf8proc takes U+11A7, which composes with nothing, for the last letter of a syllable. */
        if (is_surrogate(c) || c == 0x11a7 || !nfc_is(&c, 1) ||
            (c >= 0xac00 + 2 * 588 && c < 0xd7a4))
            continue;
        const utf8proc_property_t *property = utf8proc_get_property((utf8proc_int32_t)c);
        int last = 0;
        bool composes = property->comb_index != UINT16_MAX;
        bool decomposes =
            utf8proc_decompose_char((utf8proc_int32_t)c, points, 32, UTF8PROC_DECOMPOSE, &last) > 1;
        bool hangul = c >= 0x1100 && c < 0x1200;
        if (composes || decomposes || hangul || property->combining_class > 0 || c < 0x60)
            pool[count++] = c;
    }
    return count;
}

TEST(test_combinations)
{
    static uint32_t pool[CODE_POINTS];
    static const unsigned rounds = 400000;
    uint64_t random = 0x9e3779b97f4a7c15;
    unsigned good = 0;
    size_t size = collect(pool);
    assert_true(size > 3000);
    for (unsigned round = 0; round < rounds; round++) {
        uint32_t text[LENGTH_MOST];
        size_t count = 2 + round % (LENGTH_MOST - 1);
        /* Letters and marks of one script lie together. */
        size_t near = 0;
        for (size_t i = 0; i < count; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            size_t drawn = (size_t)(random >> 33);
            near = i == 0 || drawn % 3 == 0 ? drawn / 3 % size : (near + drawn / 3 % 64) % size;
            text[i] = pool[near];
        }
        good += both_say(text, count);
    }
    assert_true(good > rounds / 20 && rounds - good > rounds / 20);
}

/* Every composite with every mark that comes behind it, and taken apart. */
TEST(test_composites)
{
    static const uint32_t marks[] = {0x300, 0x301, 0x307, 0x323, 0x327, 0x345, 0x338, 0x304};
    for (uint32_t c = 0xc0; c < CODE_POINTS; c++) {
        utf8proc_int32_t points[32];
        int last = 0;
        if (is_surrogate(c))
            continue;
        utf8proc_ssize_t count =
            utf8proc_decompose_char((utf8proc_int32_t)c, points, 32, UTF8PROC_DECOMPOSE, &last);
        if (count < 2 || count > LENGTH_MOST)
            continue;
        uint32_t text[LENGTH_MOST];
        for (utf8proc_ssize_t i = 0; i < count; i++)
            text[i] = (uint32_t)points[i];
        both_say(text, (size_t)count);
        for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
            const uint32_t marked[] = {c, marks[i]};
            both_say(marked, 2);
        }
    }
}

int main(void)
{
    if (strcmp(utf8proc_unicode_version(), "15.0.0") != 0) {
        print_message("utf8proc is of another version of Unicode than records are\n");
        return 0;
    }
    return run_all_tests(NULL, NULL);
}
