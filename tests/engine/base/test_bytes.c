/* Sets of positions among 32 bytes: the processor's way and the portable one, against a look at
 * each byte. */
#include "engine/base/bytes.h"
#include "tests/engine/support/dice.h"
#include "tests/test.h"

static void check(const uint8_t bytes[static BYTES], uint8_t value)
{
    uint32_t equal = 0, at_least = 0;
    unsigned count = 0;
    for (unsigned i = 0; i < BYTES; i++) {
        equal |= (uint32_t)(bytes[i] == value) << i;
        at_least |= (uint32_t)(bytes[i] >= value) << i;
        count += bytes[i] >= value;
    }
    assert_int_equal(bytes_equal(bytes, value), equal);
    assert_int_equal(bytes_equal_portable(bytes, value), equal);
    assert_int_equal(bytes_at_least(bytes, value), at_least);
    assert_int_equal(bytes_at_least_portable(bytes, value), at_least);
    assert_int_equal(bytes_count(at_least), count);
}

TEST(test_every_value)
{
    uint8_t bytes[BYTES];
    struct dice dice;
    dice_open(&dice, "bytes", 1);
    for (unsigned round = 0; round < 200; round++) {
        const unsigned kinds = round % 2 == 0 ? 128 : 3; /* many different ones, and few */
        for (unsigned i = 0; i < BYTES; i++)
            bytes[i] = (uint8_t)dice_below(&dice, kinds);
        for (unsigned value = 0; value < 128; value++)
            check(bytes, (uint8_t)value);
    }
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
