#include "engine/tournament/number/share.h"

#include <assert.h>

#include "engine/base/wide.h"

enum {
    /* The denominators of 32 bits, and the same again for the other side of a cross product, with
     * room for the factors up to SHARES_MAX^2. */
    DIGITS_MAX = 2 * SHARES_MAX + 4,
    BILLION = 1000000000
};

/* A natural number in digits of 32 bits, lowest first, without leading zeros. */
struct natural {
    size_t count;
    uint32_t digit[DIGITS_MAX];
};

static struct natural natural_of(uint32_t value)
{
    struct natural number = {.count = value > 0};
    number.digit[0] = value;
    return number;
}

static void push_digit(struct natural *number, uint64_t digit)
{
    assert(number->count < DIGITS_MAX && digit <= UINT32_MAX);
    number->digit[number->count++] = (uint32_t)digit;
}

static void multiply(struct natural *number, uint32_t factor)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < number->count; i++) {
        carry += (uint64_t)number->digit[i] * factor;
        number->digit[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry > 0)
        push_digit(number, carry);
    while (number->count > 0 && number->digit[number->count - 1] == 0)
        number->count--;
}

/* number += other * factor */
static void add_product(struct natural *number, const struct natural *other, uint32_t factor)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < other->count || carry > 0; i++) {
        if (i >= number->count)
            push_digit(number, 0);
        carry += number->digit[i];
        if (i < other->count)
            carry += (uint64_t)other->digit[i] * factor;
        number->digit[i] = (uint32_t)carry;
        carry >>= 32;
    }
    while (number->count > 0 && number->digit[number->count - 1] == 0)
        number->count--;
}

static int compare(const struct natural *a, const struct natural *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (size_t i = a->count; i-- > 0;)
        if (a->digit[i] != b->digit[i])
            return a->digit[i] < b->digit[i] ? -1 : 1;
    return 0;
}

/* The product of all totals, and the sum of the shares as a multiple of its inverse. */
static void add_up(const struct share_sum *sum, struct natural *numerator,
                   struct natural *denominator)
{
    *numerator = natural_of(0);
    *denominator = natural_of(1);
    for (size_t i = 0; i < sum->count; i++) {
        multiply(numerator, sum->share[i].total);
        add_product(numerator, denominator, sum->share[i].own);
        multiply(denominator, sum->share[i].total);
    }
}

/* number *= the shares' totals, number by number. */
static void multiply_totals(struct natural *number, const struct share_sum *sum)
{
    for (size_t i = 0; i < sum->count; i++)
        multiply(number, sum->share[i].total);
}

int share_sum_compare(const struct share_sum *a, const struct share_sum *b)
{
    struct natural left, right, unused;
    add_up(a, &left, &unused);
    add_up(b, &right, &unused);
    multiply_totals(&left, b);
    multiply_totals(&right, a);
    multiply(&left, (uint32_t)(b->count > 0 ? b->count : 1));
    multiply(&right, (uint32_t)(a->count > 0 ? a->count : 1));
    return compare(&left, &right);
}

/* numerator / denominator += share, reduced. False, with nothing changed, above 62 bits. */
static bool add_share(uint64_t *numerator, uint64_t *denominator, struct share share)
{
    const uint64_t bound = UINT64_C(1) << 62;
    assert(*denominator >= 1 && share.total >= 1);
    uint64_t common = wide_divisor(*denominator, share.total);
    uint64_t widen = share.total / common;
    uint64_t factor = *denominator / common;
    if (*denominator >= bound / widen || *numerator >= bound / widen ||
        (share.own > 0 && factor >= bound / share.own))
        return false;
    uint64_t sum = *numerator * widen + factor * share.own;
    uint64_t whole = *denominator * widen;
    uint64_t divisor = wide_divisor(sum, whole);
    assert(divisor >= 1);
    *numerator = sum / divisor;
    *denominator = whole / divisor;
    return true;
}

static bool exact_mean(const struct share_sum *sum, uint64_t *numerator, uint64_t *denominator)
{
    assert(sum->count >= 1);
    *numerator = 0;
    *denominator = 1;
    for (size_t i = 0; i < sum->count; i++)
        if (!add_share(numerator, denominator, sum->share[i]))
            return false;
    uint64_t divisor = wide_divisor(*numerator, sum->count);
    if (*denominator >= (UINT64_C(1) << 62) / (sum->count / divisor))
        return false;
    *numerator /= divisor;
    *denominator *= sum->count / divisor;
    return *numerator < UINT64_C(1) << 62;
}

/* The billionths in the mean of the shares rounded down to 2^-32, and in that rounded up: the
 * mean's own lie between them, and the two are nearly always equal. */
static void bound_billionths(const struct share_sum *sum, uint32_t *low, uint32_t *high)
{
    uint64_t parts = 0, fraction = UINT64_C(1) << 32;
    for (size_t i = 0; i < sum->count; i++)
        parts += ((uint64_t)sum->share[i].own << 32) / sum->share[i].total;
    *low = (uint32_t)wide_scale(parts, BILLION, fraction * sum->count);
    *high = (uint32_t)wide_scale(parts + sum->count, BILLION, fraction * sum->count);
}

/* The largest n with n billionths not above the mean, by bisection on exact comparisons. */
static uint32_t billionths(const struct share_sum *sum)
{
    uint32_t low, high;
    bound_billionths(sum, &low, &high);
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        struct share_sum probe = {.count = 1, .share = {{middle, BILLION}}};
        if (share_sum_compare(&probe, sum) <= 0)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

bool share_sum_mean(const struct share_sum *sum, int64_t *numerator, int64_t *denominator)
{
    *numerator = 0;
    *denominator = 1;
    if (sum->count == 0)
        return true;
    uint64_t n = 0, d = 1;
    bool exact = exact_mean(sum, &n, &d);
    *numerator = exact ? (int64_t)n : billionths(sum);
    *denominator = exact ? (int64_t)d : BILLION;
    return exact;
}
