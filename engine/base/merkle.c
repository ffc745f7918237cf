#include "engine/base/merkle.h"

#include <assert.h>
#include <string.h>

#include "engine/base/sha256.h"

void merkle_leaf(struct span data, uint8_t hash[static MERKLE_HASH])
{
    sha256(hash, (struct span){"\0", 1}, data);
}

void merkle_join(const uint8_t left[static MERKLE_HASH], const uint8_t right[static MERKLE_HASH],
                 uint8_t hash[static MERKLE_HASH])
{
    uint8_t bytes[1 + 2 * MERKLE_HASH] = {1};
    memcpy(bytes + 1, left, MERKLE_HASH);
    memcpy(bytes + 1 + MERKLE_HASH, right, MERKLE_HASH);
    sha256(hash, (struct span){(const char *)bytes, sizeof bytes}, (struct span){NULL, 0});
}

static size_t above(size_t width)
{
    return (width + 1) / 2;
}

size_t merkle_nodes(size_t leaves)
{
    size_t nodes = leaves;
    for (size_t width = leaves; width > 1; width = above(width))
        nodes += above(width);
    return nodes;
}

static void build_level(const uint8_t (*below)[MERKLE_HASH], size_t width,
                        uint8_t (*level)[MERKLE_HASH])
{
    for (size_t i = 0; 2 * i + 1 < width; i++)
        merkle_join(below[2 * i], below[2 * i + 1], level[i]);
    if (width % 2 == 1)
        memcpy(level[width / 2], below[width - 1], MERKLE_HASH);
}

void merkle_build(uint8_t (*node)[MERKLE_HASH], size_t leaves)
{
    assert(leaves >= 1);
    for (size_t width = leaves; width > 1; width = above(width)) {
        build_level((const uint8_t(*)[MERKLE_HASH])node, width, node + width);
        node += width;
    }
}

size_t merkle_path(const uint8_t (*node)[MERKLE_HASH], size_t leaves, size_t index,
                   uint8_t path[static MERKLE_PATH_MAX][MERKLE_HASH])
{
    size_t length = 0;
    assert(index < leaves);
    for (size_t width = leaves; width > 1; width = above(width)) {
        if ((index ^ 1) < width)
            memcpy(path[length++], node[index ^ 1], MERKLE_HASH);
        node += width;
        index /= 2;
    }
    return length;
}

bool merkle_climb(const uint8_t leaf[static MERKLE_HASH], size_t index, size_t leaves,
                  const uint8_t (*path)[MERKLE_HASH], size_t length,
                  uint8_t root[static MERKLE_HASH])
{
    uint8_t hash[MERKLE_HASH];
    size_t used = 0;
    if (index >= leaves)
        return false;
    memcpy(hash, leaf, MERKLE_HASH);
    for (size_t width = leaves; width > 1; width = above(width), index /= 2) {
        if ((index ^ 1) >= width)
            continue;
        if (used == length)
            return false;
        const uint8_t *sibling = path[used++];
        if (index % 2 == 0)
            merkle_join(hash, sibling, hash);
        else
            merkle_join(sibling, hash, hash);
    }
    memcpy(root, hash, MERKLE_HASH);
    return used == length;
}
