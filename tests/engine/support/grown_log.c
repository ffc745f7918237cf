#include "tests/engine/support/grown_log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct span grown_log_leaf(uint64_t index, char bytes[static 32])
{
    struct text text = {bytes, 0, 32, false};
    text_add(&text, "leaf ");
    text_add_number(&text, (int64_t)index);
    return text_span(&text);
}

void grown_log_add(struct grown_log *log)
{
    char bytes[32];
    uint8_t hash[MERKLE_HASH];
    struct tlog_node node[TLOG_LEVELS];
    uint64_t index = log->edge.size;
    assert(index < GROWN_LEAVES_MAX);
    merkle_leaf(grown_log_leaf(index, bytes), hash);
    memcpy(log->hash[0][index], hash, MERKLE_HASH);
    size_t count = tlog_edge_add(&log->edge, hash, node);
    for (size_t i = 0; i < count; i++)
        memcpy(log->hash[node[i].level][node[i].index], node[i].hash, MERKLE_HASH);
}

void grown_log_make(struct grown_log *log, size_t leaves)
{
    *log = (struct grown_log){.edge = {.size = 0}};
    for (unsigned level = 0; level < TLOG_LEVELS; level++) {
        log->hash[level] =
            calloc((size_t)tlog_level_width(GROWN_LEAVES_MAX, level) + 1, MERKLE_HASH);
        if (log->hash[level] == NULL)
            abort();
    }
    for (size_t i = 0; i < leaves; i++)
        grown_log_add(log);
}

void grown_log_free(struct grown_log *log)
{
    for (unsigned level = 0; level < TLOG_LEVELS; level++)
        free(log->hash[level]);
}

bool grown_log_hash(const struct grown_log *log, uint64_t size, const struct tlog_range *range,
                    size_t count, uint8_t (*hash)[MERKLE_HASH])
{
    struct tlog_tile tile[TLOG_TILES_MAX];
    size_t tiles = tlog_tiles_needed(range, count, tile);
    for (size_t i = 0; i < tiles; i++) {
        uint64_t first = tile[i].number * TLOG_TILE;
        uint64_t width = tlog_level_width(size, tile[i].level);
        uint64_t more = width > first ? width - first : 0;
        tile[i].count = more < TLOG_TILE ? (size_t)more : TLOG_TILE;
        tile[i].hash = (const uint8_t(*)[MERKLE_HASH])log->hash[tile[i].level] + first;
    }
    for (size_t i = 0; i < count; i++)
        if (!tlog_range_hash(range[i], tile, tiles, hash[i]))
            return false;
    return true;
}
