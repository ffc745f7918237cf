/* Chance against the published vectors, which an independent implementation made
 * (vectors/check_chance.mjs). */
#include <jansson.h>
#include <sodium.h>
#include <string.h>

#include "engine/game/chance.h"
#include "source_dir.h"
#include "tests/test.h"

static json_t *vectors;

FIXTURE(load)
{
    vectors = json_load_file(TILLROLL_SOURCE_DIR "/tests/engine/vectors/chance.json", 0, NULL);
    return json_is_array(vectors) ? 0 : -1;
}

FIXTURE(unload)
{
    json_decref(vectors);
    return 0;
}

static uint32_t number(const json_t *value)
{
    assert_true(json_is_integer(value));
    return (uint32_t)json_integer_value(value);
}

static void open_vector(struct chance_stream *stream, const json_t *vector, uint32_t next)
{
    struct chance chance = {.stacks = NULL};
    const char *seed = json_string_value(json_object_get(vector, "seed"));
    assert_true(span_hex(span_of(seed), chance.seed, sizeof chance.seed));
    chance_open_epoch(stream, &chance, json_string_value(json_object_get(vector, "stream")),
                      number(json_object_get(vector, "epoch")), next);
}

TEST(test_keys)
{
    size_t i;
    json_t *vector;
    assert_true(json_array_size(vectors) >= 18);
    json_array_foreach(vectors, i, vector)
    {
        struct chance_stream stream;
        uint8_t key[32];
        open_vector(&stream, vector, 0);
        assert_true(
            span_hex(span_of(json_string_value(json_object_get(vector, "key"))), key, sizeof key));
        assert_memory_equal(stream.key, key, sizeof key);
    }
}

TEST(test_words)
{
    size_t i;
    size_t j;
    json_t *vector;
    json_t *word;
    json_array_foreach(vectors, i, vector)
    {
        struct chance_stream stream;
        open_vector(&stream, vector, 0);
        json_array_foreach(json_object_get(vector, "words"), j, word)
        {
            struct chance_stream again;
            open_vector(&again, vector, (uint32_t)j);
            assert_int_equal(chance_word(&again), number(word));
            assert_int_equal(chance_word(&stream), number(word));
            assert_int_equal(stream.next, j + 1);
        }
        assert_int_equal(j, 20);
        json_array_foreach(json_object_get(vector, "far_words"), j, word)
        {
            open_vector(&stream, vector, number(json_object_get(word, "at")));
            assert_int_equal(chance_word(&stream), number(json_object_get(word, "word")));
        }
        assert_int_equal(j, 5);
    }
}

TEST(test_uniform)
{
    size_t i;
    size_t j;
    size_t k;
    json_t *vector;
    json_t *sequence;
    json_t *value;
    json_array_foreach(vectors, i, vector)
    {
        json_array_foreach(json_object_get(vector, "uniform"), j, sequence)
        {
            struct chance_stream stream;
            open_vector(&stream, vector, 0);
            json_array_foreach(json_object_get(sequence, "values"), k, value)
            {
                uint32_t drawn = chance_uniform(&stream, number(json_object_get(sequence, "n")));
                assert_int_equal(drawn, number(value));
            }
            assert_int_equal(k, 16);
            assert_int_equal(stream.next, number(json_object_get(sequence, "words_taken")));
        }
        assert_int_equal(j, 10);
    }
}

TEST(test_shuffle)
{
    size_t i;
    json_t *vector;
    json_array_foreach(vectors, i, vector)
    {
        struct chance_stream stream;
        const json_t *order = json_object_get(vector, "shuffle_of_72");
        uint8_t items[72];
        for (uint8_t item = 0; item < 72; item++)
            items[item] = item;
        open_vector(&stream, vector, 0);
        chance_shuffle(&stream, items, 72);
        assert_int_equal(json_array_size(order), 72);
        for (size_t item = 0; item < 72; item++)
            assert_int_equal(items[item], number(json_array_get(order, item)));
    }
}

TEST(test_shuffle_of_few_takes_no_word)
{
    struct chance_stream stream;
    uint8_t items[1] = {7};
    open_vector(&stream, json_array_get(vectors, 0), 0);
    chance_shuffle(&stream, items, 0);
    chance_shuffle(&stream, items, 1);
    assert_int_equal(items[0], 7);
    assert_int_equal(stream.next, 0);
}

TEST(test_names_and_epochs_differ)
{
    size_t i;
    size_t j;
    json_t *one;
    json_t *two;
    json_array_foreach(vectors, i, one)
    {
        json_array_foreach(vectors, j, two)
        {
            if (i != j)
                assert_string_not_equal(json_string_value(json_object_get(one, "key")),
                                        json_string_value(json_object_get(two, "key")));
        }
    }
}

TEST(test_stacks)
{
    static struct chance_stacks stacks;
    struct chance chance = {.stacks = NULL};
    struct span deck = SPAN_LITERAL("deck");
    struct span items = SPAN_LITERAL("ota kita");
    assert_null(chance_stack_find(&chance, "deck"));
    chance.stacks = &stacks;
    assert_null(chance_stack_find(&chance, "deck"));
    for (size_t i = 0; i < CHANCE_STACKS_MAX; i++)
        assert_true(chance_stack_add(&stacks, i == 3 ? deck : span_of("bag"), items));
    assert_false(chance_stack_add(&stacks, deck, items));
    assert_ptr_equal(chance_stack_find(&chance, "deck"), &stacks.stack[3]);
    assert_ptr_equal(chance_stack_find(&chance, "bag"), &stacks.stack[0]);
    assert_null(chance_stack_find(&chance, "dec"));
}

static const struct span letters[] = {SPAN_LITERAL("a"), SPAN_LITERAL("b"), SPAN_LITERAL("c"),
                                      SPAN_LITERAL("d"), SPAN_LITERAL("e")};
static const struct names names = {letters, sizeof letters[0], 5};
enum { A, B, C, D, E };

/* What the stack names comes first, as often as it is named and there; the rest keeps its order. */
TEST(test_stack_arrange)
{
    struct chance_stack stack = {SPAN_LITERAL("deck"), SPAN_LITERAL("c a unknown a x c a d")};
    const uint8_t expected[] = {C, A, A, D, B, E};
    uint8_t items[] = {A, B, A, C, D, E};
    chance_stack_arrange(&stack, items, sizeof items, names);
    assert_memory_equal(items, expected, sizeof items);
    stack.items.length = 0;
    chance_stack_arrange(&stack, items, sizeof items, names);
    assert_memory_equal(items, expected, sizeof items);
    chance_stack_arrange(&stack, items, 0, names);
}

/* A fixed order counts for its own epoch alone; without one, the whole stream is shuffled. */
TEST(test_arrange_or_shuffle)
{
    static struct chance_stacks stacks;
    struct chance chance = {.stacks = &stacks};
    const uint8_t fixed[] = {C, B, A, D};
    uint8_t items[] = {A, B, C, D};
    uint8_t expected[] = {A, B, C, D};
    struct chance_stream stream;
    assert_true(chance_stack_add(&stacks, span_of("bag/e2"), span_of("c b")));
    chance_open_epoch(&stream, &chance, "bag", 1, 0);
    chance_shuffle(&stream, expected, sizeof expected);
    assert_int_equal(chance_arrange_or_shuffle(&chance, "bag", 1, items, sizeof items, names),
                     stream.next);
    assert_memory_equal(items, expected, sizeof items);
    for (uint8_t i = 0; i < sizeof items; i++)
        items[i] = i;
    assert_int_equal(chance_arrange_or_shuffle(&chance, "bag", 2, items, sizeof items, names), 0);
    assert_memory_equal(items, fixed, sizeof items);
}

int main(void)
{
    return sodium_init() < 0 ? 1 : run_all_tests(load, unload);
}
