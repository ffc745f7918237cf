/* Identifiers and arenas: no database needed. */
#include <sodium.h>
#include <stdalign.h>
#include <string.h>

#include "tests/db/database.h"

TEST(test_new_is_version_7)
{
    struct id id = id_new(0x0123456789ab);
    assert_int_equal(strncmp(id.text, "01234567-89ab-7", 15), 0);
    assert_non_null(strchr("89ab", id.text[19]));
    struct id again;
    assert_true(id_parse(span_of(id.text), &again));
    assert_true(id_equal(&id, &again));
    struct id other = id_new(0x0123456789ab);
    assert_false(id_equal(&id, &other));
}

TEST(test_new_sorts_by_time)
{
    for (int64_t ms = NOW_MS; ms < NOW_MS + 300; ms++) {
        struct id earlier = id_new(ms);
        struct id later = id_new(ms + 1);
        assert_true(strcmp(earlier.text, later.text) < 0);
    }
}

TEST(test_first_comes_before_all_of_its_time)
{
    for (int64_t ms = NOW_MS; ms < NOW_MS + 100; ms++) {
        struct id first = id_first(ms);
        struct id before = id_new(ms - 1);
        struct id made = id_new(ms);
        assert_true(strcmp(before.text, first.text) < 0);
        assert_true(strcmp(first.text, made.text) <= 0);
    }
}

TEST(test_bytes_and_back)
{
    struct id id = id_new(NOW_MS);
    uint8_t bytes[ID_BYTES];
    id_to_bytes(&id, bytes);
    struct id again = id_from_bytes(bytes);
    assert_string_equal(again.text, id.text);
}

TEST(test_parse_takes_canonical_form_only)
{
    static const char *const wrong[] = {
        "",
        "019aa2c0-0000-7000-8000-00000000000",
        "019aa2c0-0000-7000-8000-0000000000000",
        "019AA2C0-0000-7000-8000-000000000000",
        "019aa2c0-0000-7000-8000-00000000000g",
        "019aa2c0-0000-7000-80000-00000000000",
        "{19aa2c0-0000-7000-8000-00000000000}",
        "019aa2c000007000800000000000000000000",
        "019aa2c0 0000 7000 8000 000000000000",
    };
    struct id id;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(id_parse(span_of(wrong[i]), &id));
    assert_true(id_parse(span_of("019aa2c0-0000-7000-8000-000000000000"), &id));
    assert_string_equal(id.text, "019aa2c0-0000-7000-8000-000000000000");
}

TEST(test_arena)
{
    struct arena arena = {NULL};
    for (size_t size = 0; size < 3000; size += 7) {
        unsigned char *bytes = arena_take(&arena, size);
        assert_int_equal((uintptr_t)bytes % alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(bytes[i], 0);
        if (size > 0)
            memset(bytes, 0xff, size);
    }
    unsigned char *large = arena_array(&arena, 1000, 1000);
    assert_int_equal(large[999999], 0);
    char *first = arena_copy(&arena, span_of("first"));
    assert_string_equal(arena_copy(&arena, (struct span){NULL, 0}), "");
    assert_string_equal(first, "first");
    arena_free(&arena);
    assert_null(arena.newest);
}

static void note(void *object)
{
    char **next = object;
    *(*next)++ = 'x';
}

/* Released with the arena, once each, however many blocks there are. */
TEST(test_arena_owns)
{
    struct arena arena = {NULL};
    char marks[8] = "";
    char *next = marks;
    arena_own(&arena, &next, note);
    arena_own(&arena, &next, note);
    arena_take(&arena, 100000);
    arena_own(&arena, &next, note);
    assert_string_equal(marks, "");
    arena_free(&arena);
    assert_string_equal(marks, "xxx");
    arena_free(&arena);
    assert_string_equal(marks, "xxx");
}

int main(void)
{
    if (sodium_init() < 0)
        return 1;
    return run_all_tests(NULL, NULL);
}
