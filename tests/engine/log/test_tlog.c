/* The log's arithmetic against the trees of engine/base/merkle.h, which are built from all leaves
 * at once. tests/engine/log/tlog.test.mjs holds it against other people's. */
#include <stdlib.h>
#include <string.h>

#include "tests/engine/support/grown_log.h"
#include "tests/test.h"

/* What takes long: every day there is less of it. */
static bool is_long(void)
{
    return getenv("TILLROLL_LONG") != NULL;
}

/* Every leaf is hashed once, for the trees of all sizes. */
static uint8_t (*build(uint64_t leaves))[MERKLE_HASH]
{
    static uint8_t leaf[GROWN_LEAVES_MAX][MERKLE_HASH];
    static uint64_t hashed;
    uint8_t(*node)[MERKLE_HASH] = calloc(merkle_nodes((size_t)leaves), MERKLE_HASH);
    char bytes[32];
    assert_non_null(node);
    assert_true(leaves <= GROWN_LEAVES_MAX);
    for (; hashed < leaves; hashed++)
        merkle_leaf(grown_log_leaf(hashed, bytes), leaf[hashed]);
    memcpy(node, leaf, (size_t)leaves * MERKLE_HASH);
    merkle_build(node, (size_t)leaves);
    return node;
}

static void check_inclusion(const struct grown_log *log, uint8_t (*node)[MERKLE_HASH],
                            uint64_t size, uint64_t index)
{
    struct tlog_range range[TLOG_PATH_MAX];
    uint8_t path[TLOG_PATH_MAX][MERKLE_HASH];
    uint8_t wanted[MERKLE_PATH_MAX][MERKLE_HASH];
    size_t length = tlog_inclusion(index, size, range);
    assert_true(grown_log_hash(log, size, range, length, path));
    assert_int_equal(
        merkle_path((const uint8_t(*)[MERKLE_HASH])node, (size_t)size, (size_t)index, wanted),
        length);
    assert_memory_equal(path, wanted, length * MERKLE_HASH);
}

static void check_size(const struct grown_log *log, uint64_t size, uint64_t step)
{
    uint8_t(*node)[MERKLE_HASH] = build(size);
    for (uint64_t index = 0; index < size; index += step)
        check_inclusion(log, node, size, index);
    check_inclusion(log, node, size, size - 1);
    free(node);
}

TEST(test_paths)
{
    static const uint64_t large[] = {511,   512,   513,   1000,   65280, 65535,
                                     65536, 65537, 66000, 131072, 131400};
    struct grown_log log;
    grown_log_make(&log, 131400);
    for (uint64_t size = 1; size <= 300; size++)
        check_size(&log, size, is_long() || size <= 64 ? 1 : 1 + size % 7);
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        check_size(&log, large[i], large[i] / 61);
    grown_log_free(&log);
}

TEST(test_roots)
{
    static const uint8_t empty[4] = {0xe3, 0xb0, 0xc4, 0x42};
    struct grown_log log;
    uint8_t root[MERKLE_HASH];
    grown_log_make(&log, 0);
    const uint64_t around = is_long() ? 10 : 2; /* the first full tile of level 1 */
    tlog_edge_root(&log.edge, root);
    assert_memory_equal(root, empty, sizeof empty);
    while (log.edge.size < 66200) {
        grown_log_add(&log);
        uint64_t size = log.edge.size;
        if (size > 600 && size % 9001 != 0 && (size + around < 65536 || size > 65536 + around))
            continue;
        uint8_t(*node)[MERKLE_HASH] = build(size);
        tlog_edge_root(&log.edge, root);
        assert_memory_equal(root, node[merkle_nodes((size_t)size) - 1], MERKLE_HASH);
        free(node);
    }
    grown_log_free(&log);
}

/* What a log stored when it was small is what it stores when it is large: a tile of an early size
 * is the beginning of that tile later. */
TEST(test_nothing_stored_changes)
{
    struct grown_log small;
    struct grown_log large;
    grown_log_make(&small, 65700);
    grown_log_make(&large, 131072);
    for (unsigned level = 0; level < TLOG_LEVELS; level++)
        assert_memory_equal(small.hash[level], large.hash[level],
                            (size_t)tlog_level_width(65700, level) * MERKLE_HASH);
    grown_log_free(&small);
    grown_log_free(&large);
}

TEST(test_missing_hashes_are_noticed)
{
    struct grown_log log;
    struct tlog_range range[TLOG_PATH_MAX];
    struct tlog_tile tile[TLOG_TILES_MAX];
    uint8_t hash[MERKLE_HASH];
    grown_log_make(&log, 600);
    size_t count = tlog_inclusion(3, 600, range);
    size_t tiles = tlog_tiles_needed(range, count, tile);
    for (size_t i = 0; i < tiles; i++)
        tile[i].count = 0;
    for (size_t i = 0; i < count; i++)
        assert_false(tlog_range_hash(range[i], tile, tiles, hash));
    assert_false(tlog_range_hash(range[0], tile, 0, hash));
    assert_false(tlog_range_hash((struct tlog_range){5, 5}, tile, tiles, hash));
    /* As of a smaller log they are not all there. */
    uint8_t path[TLOG_PATH_MAX][MERKLE_HASH];
    assert_true(grown_log_hash(&log, 600, range, count, path));
    assert_false(grown_log_hash(&log, 599, range, count, path));
    grown_log_free(&log);
}

TEST(test_the_largest)
{
    struct tlog_range range[TLOG_PATH_MAX];
    struct tlog_tile tile[TLOG_TILES_MAX];
    const uint64_t most = TLOG_SIZE_MAX;
    const uint64_t some[] = {0, 1, 255, 256, 65536, 1 << 24, most / 3, most / 2, most - 1};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        size_t count = tlog_inclusion(some[i], most, range);
        assert_in_range(count, 1, 32);
        assert_in_range(tlog_tiles_needed(range, count, tile), 1, TLOG_TILES_MAX);
        count = tlog_consistency(some[i], most, range);
        assert_in_range(count, some[i] > 0, TLOG_PATH_MAX);
        assert_in_range(tlog_tiles_needed(range, count, tile), some[i] > 0, TLOG_TILES_MAX);
    }
    assert_int_equal(tlog_consistency(most, most, range), 0);
}

/* Every pair of sizes (of larger ones every day some), then every hash of some proofs changed,
 * missing, or one too many. */
static void check_consistency(const struct grown_log *log, uint64_t from, uint64_t to,
                              const uint8_t (*root)[MERKLE_HASH], bool damage)
{
    struct tlog_range range[TLOG_PATH_MAX];
    uint8_t path[TLOG_PATH_MAX + 1][MERKLE_HASH] = {{0}};
    const uint8_t(*proof)[MERKLE_HASH] = (const uint8_t(*)[MERKLE_HASH])path;
    size_t length = tlog_consistency(from, to, range);
    assert_true(grown_log_hash(log, to, range, length, path));
    assert_true(tlog_is_consistent(from, root[from], to, root[to], proof, length));
    if (!damage)
        return;
    assert_false(tlog_is_consistent(from, root[from], to, root[to], proof, length + 1));
    if (from == 0)
        return;
    assert_false(tlog_is_consistent(from, root[from + 1], to, root[to], proof, length));
    assert_false(tlog_is_consistent(from, root[from], to, root[to - 1], proof, length) &&
                 from != to - 1);
    assert_int_equal(tlog_is_consistent(from, root[from], to, root[to], proof, 0), length == 0);
    for (size_t i = 0; i < length; i++) {
        path[i][i % MERKLE_HASH] ^= 1;
        assert_false(tlog_is_consistent(from, root[from], to, root[to], proof, length));
        path[i][i % MERKLE_HASH] ^= 1;
    }
}

TEST(test_consistency)
{
    enum { MOST = 300 };
    static uint8_t root[MOST + 2][MERKLE_HASH];
    struct grown_log log;
    grown_log_make(&log, 0);
    for (uint64_t size = 0; size <= MOST + 1; size++, grown_log_add(&log))
        tlog_edge_root(&log.edge, root[size]);
    for (uint64_t to = 0; to <= MOST; to++)
        for (uint64_t from = 0; from <= to; from++)
            if (is_long() || to <= 64 || from == to || (3 * from + to) % 5 == 0)
                check_consistency(&log, from, to, (const uint8_t(*)[MERKLE_HASH])root,
                                  from + 1 < to && (7 * from + to) % 11 == 0);
    const uint8_t(*none)[MERKLE_HASH] = NULL;
    assert_false(tlog_is_consistent(3, root[3], 2, root[2], none, 0));
    assert_false(tlog_is_consistent(3, root[3], 3, root[2], none, 0));
    assert_false(tlog_is_consistent(3, root[3], (uint64_t)TLOG_SIZE_MAX + 1, root[2], none, 0));
    grown_log_free(&log);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
