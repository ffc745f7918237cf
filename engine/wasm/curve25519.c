#include "engine/wasm/curve25519.h"

#include <string.h>

/* ---- Numbers modulo p = 2^255 - 19 ---- */

/* The sum of limb[i] * 2^(16 i). Limbs may be negative or larger than 2^16 for a while. */
struct field {
    int64_t limb[16];
};

static const struct field zero = {{0}};
static const struct field one = {{1}};
/* d of the curve -x^2 + y^2 = 1 + d x^2 y^2, twice d, and the square root of -1. */
static const struct field d = {{0x78a3, 0x1359, 0x4dca, 0x75eb, 0xd8ab, 0x4141, 0x0a4d, 0x0070,
                                0xe898, 0x7779, 0x4079, 0x8cc7, 0xfe73, 0x2b6f, 0x6cee, 0x5203}};
static const struct field twice_d = {{0xf159, 0x26b2, 0x9b94, 0xebd6, 0xb156, 0x8283, 0x149a,
                                      0x00e0, 0xd130, 0xeef3, 0x80f2, 0x198e, 0xfce7, 0x56df,
                                      0xd9dc, 0x2406}};
static const struct field root = {{0xa0b0, 0x4a0e, 0x1b27, 0xc4ee, 0xe478, 0xad2f, 0x1806, 0x2f43,
                                   0xd7a7, 0x3dfb, 0x0099, 0x2b4d, 0xdf0b, 0x4fc1, 0x2480, 0x2b83}};

static void carry(struct field *a)
{
    for (int i = 0; i < 16; i++) {
        a->limb[i] += INT64_C(1) << 16;
        int64_t over = a->limb[i] >> 16;
        if (i < 15)
            a->limb[i + 1] += over - 1;
        else
            a->limb[0] += 38 * (over - 1);
        a->limb[i] -= over * 65536;
    }
}

static struct field add(struct field a, struct field b)
{
    for (int i = 0; i < 16; i++)
        a.limb[i] += b.limb[i];
    return a;
}

static struct field subtract(struct field a, struct field b)
{
    for (int i = 0; i < 16; i++)
        a.limb[i] -= b.limb[i];
    return a;
}

static struct field multiply(struct field a, struct field b)
{
    int64_t wide[31] = {0};
    struct field product;
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++)
            wide[i + j] += a.limb[i] * b.limb[j];
    for (int i = 0; i < 15; i++)
        wide[i] += 38 * wide[i + 16];
    memcpy(product.limb, wide, sizeof product.limb);
    carry(&product);
    carry(&product);
    return product;
}

static struct field square(struct field a)
{
    return multiply(a, a);
}

/* a to the power of 2^255 - 21, which is p - 2. */
static struct field invert(struct field a)
{
    struct field power = a;
    for (int bit = 253; bit >= 0; bit--) {
        power = square(power);
        if (bit != 2 && bit != 4)
            power = multiply(power, a);
    }
    return power;
}

/* a to the power of 2^252 - 3, which is (p - 5) / 8. */
static struct field root_power(struct field a)
{
    struct field power = a;
    for (int bit = 250; bit >= 0; bit--) {
        power = square(power);
        if (bit != 1)
            power = multiply(power, a);
    }
    return power;
}

static struct field field_read(const uint8_t bytes[static 32])
{
    struct field a;
    for (int i = 0; i < 16; i++)
        a.limb[i] = bytes[2 * i] + ((int64_t)bytes[2 * i + 1] << 8);
    a.limb[15] &= 0x7fff;
    return a;
}

/* a - p, if that is not negative. */
static struct field less_p(struct field a)
{
    struct field less = a;
    less.limb[0] -= 0xffed;
    for (int i = 1; i < 16; i++) {
        less.limb[i] -= (i < 15 ? 0xffff : 0x7fff) + (less.limb[i - 1] >> 16 & 1);
        less.limb[i - 1] &= 0xffff;
    }
    return (less.limb[15] >> 16 & 1) != 0 ? a : less;
}

/* In the only form below p. */
static void field_write(struct field a, uint8_t bytes[static 32])
{
    carry(&a);
    carry(&a);
    carry(&a);
    a = less_p(less_p(a));
    for (int i = 0; i < 16; i++) {
        bytes[2 * i] = (uint8_t)(a.limb[i] & 0xff);
        bytes[2 * i + 1] = (uint8_t)(a.limb[i] >> 8 & 0xff);
    }
}

static bool is_same(struct field a, struct field b)
{
    uint8_t first[32];
    uint8_t second[32];
    field_write(a, first);
    field_write(b, second);
    return memcmp(first, second, sizeof first) == 0;
}

static unsigned lowest_bit(struct field a)
{
    uint8_t bytes[32];
    field_write(a, bytes);
    return bytes[0] & 1;
}

/* ---- Points ---- */

/* x / z and y / z; t is x y / z. */
struct point {
    struct field x, y, z, t;
};

static const struct point neutral = {{{0}}, {{1}}, {{1}}, {{0}}};
static const struct point base = {
    {{0xd51a, 0x8f25, 0x2d60, 0xc956, 0xa7b2, 0x9525, 0xc760, 0x692c, 0xdc5c, 0xfdd6, 0xe231,
      0xc0a4, 0x53fe, 0xcd6e, 0x36d3, 0x2169}},
    {{0x6658, 0x6666, 0x6666, 0x6666, 0x6666, 0x6666, 0x6666, 0x6666, 0x6666, 0x6666, 0x6666,
      0x6666, 0x6666, 0x6666, 0x6666, 0x6666}},
    {{1}},
    {{0xdda3, 0xa5b7, 0x8ab3, 0x6dde, 0x52f5, 0x7751, 0x9f80, 0x20f0, 0xe37d, 0x64ab, 0x4e8e,
      0x66ea, 0x7665, 0xd78b, 0x5f0f, 0x6787}}};

/* Complete: for all points, also for doubling (RFC 8032, 5.1.4). */
static struct point sum_of(const struct point *p, const struct point *q)
{
    struct field a = multiply(subtract(p->y, p->x), subtract(q->y, q->x));
    struct field b = multiply(add(p->x, p->y), add(q->x, q->y));
    struct field c = multiply(multiply(p->t, q->t), twice_d);
    struct field e = multiply(p->z, q->z);
    struct field g = add(e, e);
    struct field h = subtract(b, a);
    struct field f = subtract(g, c);
    g = add(g, c);
    b = add(b, a);
    return (struct point){multiply(h, f), multiply(b, g), multiply(g, f), multiply(h, b)};
}

static struct point product_of(const struct point *p, const uint8_t number[static 32])
{
    struct point product = neutral;
    for (int bit = 254; bit >= 0; bit--) {
        product = sum_of(&product, &product);
        if ((number[bit / 8] >> bit % 8 & 1) != 0)
            product = sum_of(&product, p);
    }
    return product;
}

static bool point_read(const uint8_t bytes[static 32], struct point *p)
{
    p->y = field_read(bytes);
    p->z = one;
    struct field y2 = square(p->y);
    struct field u = subtract(y2, one);
    struct field v = add(multiply(d, y2), one);
    struct field v3 = multiply(square(v), v);
    struct field v7 = multiply(square(v3), v);
    p->x = multiply(multiply(u, v3), root_power(multiply(u, v7)));
    if (!is_same(multiply(square(p->x), v), u))
        p->x = multiply(p->x, root);
    if (!is_same(multiply(square(p->x), v), u))
        return false;
    if (lowest_bit(p->x) != bytes[31] >> 7)
        p->x = subtract(zero, p->x);
    p->t = multiply(p->x, p->y);
    return true;
}

static void point_write(const struct point *p, uint8_t bytes[static 32])
{
    struct field inverse = invert(p->z);
    field_write(multiply(p->y, inverse), bytes);
    bytes[31] ^= (uint8_t)(lowest_bit(multiply(p->x, inverse)) << 7);
}

static bool is_neutral(const struct point *p)
{
    return is_same(p->x, zero) && is_same(p->y, p->z);
}

/* ---- The group ---- */

static bool read_valid(const uint8_t bytes[static 32], struct point *p)
{
    static const uint8_t order[32] = {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58,       0xd6,
                                      0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, [31] = 0x10};
    uint8_t same[32];
    if (!point_read(bytes, p))
        return false;
    point_write(p, same);
    struct point last = product_of(p, order);
    return memcmp(same, bytes, sizeof same) == 0 && !is_neutral(p) && is_neutral(&last);
}

bool curve25519_is_valid(const uint8_t point[static 32])
{
    struct point p;
    return read_valid(point, &p);
}

bool curve25519_add(uint8_t sum[static 32], const uint8_t a[static 32], const uint8_t b[static 32],
                    bool negative)
{
    struct point p;
    struct point q;
    if (!point_read(a, &p) || !point_read(b, &q))
        return false;
    if (negative) {
        q.x = subtract(zero, q.x);
        q.t = subtract(zero, q.t);
    }
    struct point result = sum_of(&p, &q);
    point_write(&result, sum);
    return true;
}

bool curve25519_multiply(uint8_t product[static 32], const uint8_t number[static 32],
                         const uint8_t *point)
{
    struct point p = base;
    if (point != NULL && !read_valid(point, &p))
        return false;
    struct point result = product_of(&p, number);
    point_write(&result, product);
    return !is_neutral(&result);
}
