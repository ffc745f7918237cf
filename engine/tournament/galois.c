#include "engine/tournament/galois.h"

#include <assert.h>

/* The prime of which `size` is a power, or 0. */
static unsigned prime_of(unsigned size)
{
    unsigned prime = 2;
    while (size % prime != 0)
        prime++;
    while (size % prime == 0)
        size /= prime;
    return size == 1 ? prime : 0;
}

/* a + times * b, digit by digit. */
static unsigned combine(const struct galois *field, unsigned a, unsigned times, unsigned b)
{
    unsigned sum = 0;
    for (unsigned place = 1; place < field->size; place *= field->prime) {
        unsigned digit = (a / place + times * (b / place)) % field->prime;
        sum += digit * place;
    }
    return sum;
}

/* The element times x, where the highest power of x is `reduced`. */
static unsigned shift(const struct galois *field, unsigned element, unsigned reduced)
{
    unsigned top = field->size / field->prime;
    return combine(field, element % top * field->prime, element / top, reduced);
}

/* Fills in the powers of x; true if they are all elements but 0. */
static bool is_primitive(struct galois *field, unsigned reduced)
{
    unsigned element = 1;
    for (unsigned i = 0; i + 1 < field->size; i++) {
        field->power[i] = (uint8_t)element;
        field->logarithm[element] = (uint8_t)i;
        element = shift(field, element, reduced);
        if (element == 0 || (element == 1 && i + 2 < field->size))
            return false;
    }
    return element == 1;
}

bool galois_make(struct galois *field, unsigned size)
{
    *field = (struct galois){.size = size};
    if (size < 2 || size > GALOIS_SIZE_MAX)
        return false;
    field->prime = prime_of(size);
    for (unsigned reduced = 1; field->prime > 0 && reduced < size; reduced++)
        if (is_primitive(field, reduced))
            return true;
    return false;
}

unsigned galois_add(const struct galois *field, unsigned a, unsigned b)
{
    return combine(field, a, 1, b);
}

unsigned galois_subtract(const struct galois *field, unsigned a, unsigned b)
{
    return combine(field, a, field->prime - 1, b);
}

unsigned galois_power(const struct galois *field, unsigned exponent)
{
    return field->power[exponent % (field->size - 1)];
}

unsigned galois_multiply(const struct galois *field, unsigned a, unsigned b)
{
    assert(a < field->size && b < field->size);
    if (a == 0 || b == 0)
        return 0;
    return galois_power(field, (unsigned)field->logarithm[a] + field->logarithm[b]);
}
