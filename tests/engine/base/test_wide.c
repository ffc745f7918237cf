/* Integers of 128 bits: at the ends of their range, and small ones. */
#include "engine/base/wide.h"
#include "tests/test.h"

TEST(products_quotients_and_roots)
{
    struct wide square = wide_product(UINT64_MAX, UINT64_MAX);
    assert_true(square.high == UINT64_MAX - 1 && square.low == 1);
    assert_true(wide_quotient(square, UINT64_MAX) == UINT64_MAX);
    assert_true(wide_root(square) == UINT64_MAX);
    square.low = 0;
    assert_true(wide_root(square) == UINT64_MAX - 1);
    assert_true(wide_scale(1000000007, 998244353, 1000) == UINT64_C(998244359987710));
    assert_true(wide_shift((struct wide){0, 5}, 1) == 3);
    assert_true(wide_shift((struct wide){3, UINT64_C(1) << 63}, 64) == 4);
    assert_true(wide_shift((struct wide){6, 0}, 66) == 2);
    assert_true(wide_compare((struct wide){1, 0}, (struct wide){0, UINT64_MAX}) > 0);
    for (uint64_t n = 0; n < 1000; n++) {
        uint64_t root = wide_root((struct wide){0, n});
        assert_true(root * root <= n && (root + 1) * (root + 1) > n);
    }
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
