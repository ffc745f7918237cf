/* Merkle trees against RFC 6962: its definition, written down once more, and the reference
 * implementation's test vectors (certificate-transparency, cpp/merkletree/merkle_tree_test.cc). */
#include <string.h>

#include <sodium.h>

#include "engine/base/merkle.h"
#include "tests/test.h"

enum { LEAVES = 70 };

struct tree {
    uint8_t node[3 * LEAVES][MERKLE_HASH];
    size_t leaves;
};

static struct span leaf_data(size_t index)
{
    static char data[LEAVES][8];
    struct text text = TEXT_OVER(data[index]);
    text_add(&text, "leaf ");
    text_add_number(&text, (int64_t)index);
    return text_span(&text);
}

static void make_tree(struct tree *tree, size_t leaves)
{
    assert_true(merkle_nodes(leaves) <= sizeof tree->node / sizeof tree->node[0]);
    tree->leaves = leaves;
    for (size_t i = 0; i < leaves; i++)
        merkle_leaf(leaf_data(i), tree->node[i]);
    merkle_build(tree->node, leaves);
}

static const uint8_t *root_of(const struct tree *tree)
{
    return tree->node[merkle_nodes(tree->leaves) - 1];
}

/* MTH of RFC 6962 section 2.1, to the letter. */
static void define(size_t first, size_t count, uint8_t hash[static MERKLE_HASH])
{
    uint8_t bytes[1 + 2 * MERKLE_HASH] = {1};
    size_t left = 1;
    if (count == 1) {
        merkle_leaf(leaf_data(first), hash);
        return;
    }
    while (2 * left < count)
        left *= 2;
    define(first, left, bytes + 1);
    define(first + left, count - left, bytes + 1 + MERKLE_HASH);
    crypto_hash_sha256(hash, bytes, sizeof bytes);
}

TEST(test_definition)
{
    for (size_t leaves = 1; leaves <= LEAVES; leaves++) {
        struct tree tree;
        uint8_t defined[MERKLE_HASH];
        make_tree(&tree, leaves);
        define(0, leaves, defined);
        assert_memory_equal(root_of(&tree), defined, MERKLE_HASH);
    }
}

TEST(test_reference_vectors)
{
    static const char *const leaf[8] = {"",
                                        "00",
                                        "10",
                                        "2021",
                                        "3031",
                                        "40414243",
                                        "5051525354555657",
                                        "606162636465666768696a6b6c6d6e6f"};
    static const char *const root[8] = {
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"};
    for (size_t leaves = 1; leaves <= 8; leaves++) {
        struct tree tree = {.leaves = leaves};
        uint8_t expected[MERKLE_HASH];
        for (size_t i = 0; i < leaves; i++) {
            uint8_t bytes[16];
            size_t size = strlen(leaf[i]) / 2;
            assert_true(span_hex(span_of(leaf[i]), bytes, size));
            merkle_leaf((struct span){(const char *)bytes, size}, tree.node[i]);
        }
        merkle_build(tree.node, leaves);
        assert_true(span_hex(span_of(root[leaves - 1]), expected, sizeof expected));
        assert_memory_equal(root_of(&tree), expected, MERKLE_HASH);
    }
}

TEST(test_paths)
{
    for (size_t leaves = 1; leaves <= LEAVES; leaves++) {
        struct tree tree;
        make_tree(&tree, leaves);
        for (size_t i = 0; i < leaves; i++) {
            uint8_t path[MERKLE_PATH_MAX][MERKLE_HASH];
            uint8_t root[MERKLE_HASH];
            size_t length = merkle_path((const uint8_t(*)[MERKLE_HASH])tree.node, leaves, i, path);
            assert_true(merkle_climb(tree.node[i], i, leaves, (const uint8_t(*)[MERKLE_HASH])path,
                                     length, root));
            assert_memory_equal(root, root_of(&tree), MERKLE_HASH);
        }
    }
}

/* Another root for a path that was changed anywhere, another leaf or another place; none at all for
 * a path of the wrong length. */
TEST(test_wrong_paths)
{
    enum { SIZE = 21, PLACE = 13 };
    struct tree tree;
    uint8_t good[MERKLE_PATH_MAX][MERKLE_HASH];
    uint8_t root[MERKLE_HASH];
    make_tree(&tree, SIZE);
    const uint8_t(*path)[MERKLE_HASH] = (const uint8_t(*)[MERKLE_HASH])good;
    size_t length = merkle_path((const uint8_t(*)[MERKLE_HASH])tree.node, SIZE, PLACE, good);
    for (size_t bit = 0; bit < 8 * MERKLE_HASH * length; bit++) {
        good[bit / 8 / MERKLE_HASH][bit / 8 % MERKLE_HASH] ^= (uint8_t)(1 << bit % 8);
        assert_true(merkle_climb(tree.node[PLACE], PLACE, SIZE, path, length, root));
        assert_memory_not_equal(root, root_of(&tree), MERKLE_HASH);
        good[bit / 8 / MERKLE_HASH][bit / 8 % MERKLE_HASH] ^= (uint8_t)(1 << bit % 8);
    }
    for (size_t i = 0; i < SIZE; i++) {
        bool climbed = merkle_climb(tree.node[i], PLACE, SIZE, path, length, root);
        assert_true(climbed);
        assert_int_equal(memcmp(root, root_of(&tree), MERKLE_HASH) == 0, i == PLACE);
        climbed = merkle_climb(tree.node[PLACE], i, SIZE, path, length, root);
        assert_int_equal(climbed && memcmp(root, root_of(&tree), MERKLE_HASH) == 0, i == PLACE);
    }
    assert_false(merkle_climb(tree.node[PLACE], PLACE, SIZE, path, length - 1, root));
    assert_false(merkle_climb(tree.node[PLACE], PLACE, SIZE, path, length + 1, root));
    assert_false(merkle_climb(tree.node[PLACE], SIZE, SIZE, path, length, root));
    assert_false(merkle_climb(tree.node[PLACE], 0, 0, path, 0, root));
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
