/* Prints proofs for tests/engine/log/tlog.test.mjs, a line each:
 *
 *      root <size> <hash>
 *      in <index> <size> <hash>...
 *      from <size> <size> <hash>...
 *
 * write_tlog ALL SAMPLED LARGE...: all pairs of sizes up to ALL, for sizes up to SAMPLED some
 * indices of each, and some of each of the sizes LARGE. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/engine/support/grown_log.h"

static void print_hashes(uint8_t (*hash)[MERKLE_HASH], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char hex[2 * MERKLE_HASH + 1];
        struct text text = TEXT_OVER(hex);
        text_add_hex(&text, hash[i], MERKLE_HASH);
        printf(" %s", hex);
    }
    printf("\n");
}

static void print_proof(const struct grown_log *log, const char *kind, uint64_t first,
                        uint64_t size, const struct tlog_range *range, size_t count)
{
    uint8_t hash[TLOG_PATH_MAX][MERKLE_HASH];
    if (!grown_log_hash(log, size, range, count, hash))
        abort();
    printf("%s %llu %llu", kind, (unsigned long long)first, (unsigned long long)size);
    print_hashes(hash, count);
}

static void print_size(const struct grown_log *log, uint64_t step)
{
    struct tlog_range range[TLOG_PATH_MAX];
    uint64_t size = log->edge.size;
    uint8_t root[1][MERKLE_HASH];
    tlog_edge_root(&log->edge, root[0]);
    printf("root %llu", (unsigned long long)size);
    print_hashes(root, 1);
    for (uint64_t i = 0; i < size; i += step)
        print_proof(log, "in", i, size, range, tlog_inclusion(i, size, range));
    for (uint64_t from = 0; from <= size; from += step)
        print_proof(log, "from", from, size, range, tlog_consistency(from, size, range));
}

int main(int argc, char **argv)
{
    struct grown_log log;
    if (argc < 3)
        return 2;
    uint64_t all = strtoull(argv[1], NULL, 10);
    uint64_t sampled = strtoull(argv[2], NULL, 10);
    grown_log_make(&log, 0);
    for (; log.edge.size <= sampled; grown_log_add(&log))
        print_size(&log, log.edge.size <= all ? 1 : log.edge.size / 13);
    for (int i = 3; i < argc; i++) {
        while (log.edge.size < strtoull(argv[i], NULL, 10))
            grown_log_add(&log);
        print_size(&log, log.edge.size / 13);
    }
    grown_log_free(&log);
    return 0;
}
