#include "engine/log/tlog.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

enum { TILE_BITS = 8, TREES_MAX = 32 /* full trees in a range */ };

uint64_t tlog_level_width(uint64_t size, unsigned level)
{
    return size >> (TILE_BITS * level);
}

/* The root above `count` hashes, a power of two of them up to a tile. */
static void fold(const uint8_t (*hash)[MERKLE_HASH], size_t count, uint8_t root[static MERKLE_HASH])
{
    uint8_t level[TLOG_TILE][MERKLE_HASH];
    memcpy(level, hash, count * MERKLE_HASH);
    for (; count > 1; count /= 2)
        for (size_t i = 0; i < count / 2; i++)
            merkle_join(level[2 * i], level[2 * i + 1], level[i]);
    memcpy(root, level[0], MERKLE_HASH);
}

/* ---- Growing ---- */

size_t tlog_edge_width(const struct tlog_edge *edge, unsigned level)
{
    return (size_t)(tlog_level_width(edge->size, level) % TLOG_TILE);
}

size_t tlog_edge_add(struct tlog_edge *edge, const uint8_t leaf[static MERKLE_HASH],
                     struct tlog_node node[static TLOG_LEVELS])
{
    size_t count = 0;
    assert(edge->size < TLOG_SIZE_MAX);
    memcpy(edge->hash[0][tlog_edge_width(edge, 0)], leaf, MERKLE_HASH);
    edge->size++;
    for (unsigned level = 1; level < TLOG_LEVELS && tlog_edge_width(edge, level - 1) == 0;
         level++) {
        uint64_t index = tlog_level_width(edge->size, level) - 1;
        node[count] = (struct tlog_node){.level = level, .index = index};
        fold((const uint8_t(*)[MERKLE_HASH])edge->hash[level - 1], TLOG_TILE, node[count].hash);
        memcpy(edge->hash[level][index % TLOG_TILE], node[count].hash, MERKLE_HASH);
        count++;
    }
    return count;
}

/* The binary digits of the size are the full trees, the smallest to the right. */
void tlog_edge_root(const struct tlog_edge *edge, uint8_t root[static MERKLE_HASH])
{
    bool begun = false;
    for (unsigned level = 0; level < TLOG_LEVELS; level++) {
        size_t width = tlog_edge_width(edge, level);
        for (size_t part = 1; part <= width; part *= 2) {
            uint8_t left[MERKLE_HASH];
            if ((width & part) == 0)
                continue;
            size_t first = width & ~(2 * part - 1);
            fold((const uint8_t(*)[MERKLE_HASH])edge->hash[level] + first, part, left);
            if (begun)
                merkle_join(left, root, root);
            else
                memcpy(root, left, MERKLE_HASH);
            begun = true;
        }
    }
    if (!begun)
        crypto_hash_sha256(root, NULL, 0);
}

/* ---- Ranges ---- */

/* The largest power of two below n, n >= 2. */
static uint64_t half(uint64_t n)
{
    uint64_t power = 1;
    while (2 * power < n)
        power *= 2;
    return power;
}

static void turn_round(struct tlog_range *range, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct tlog_range swap = range[i];
        range[i] = range[count - 1 - i];
        range[count - 1 - i] = swap;
    }
}

size_t tlog_inclusion(uint64_t index, uint64_t size, struct tlog_range range[static TLOG_PATH_MAX])
{
    struct tlog_range tree = {0, size};
    size_t count = 0;
    assert(index < size && size <= TLOG_SIZE_MAX);
    while (tree.end - tree.first > 1) {
        uint64_t middle = tree.first + half(tree.end - tree.first);
        if (index < middle) {
            range[count++] = (struct tlog_range){middle, tree.end};
            tree.end = middle;
        } else {
            range[count++] = (struct tlog_range){tree.first, middle};
            tree.first = middle;
        }
    }
    turn_round(range, count);
    return count;
}

size_t tlog_consistency(uint64_t from, uint64_t to, struct tlog_range range[static TLOG_PATH_MAX])
{
    struct tlog_range tree = {0, to};
    size_t count = 0;
    assert(from <= to && to <= TLOG_SIZE_MAX);
    if (from == 0 || from == to)
        return 0;
    while (tree.end != from) {
        uint64_t middle = tree.first + half(tree.end - tree.first);
        if (from <= middle) {
            range[count++] = (struct tlog_range){middle, tree.end};
            tree.end = middle;
        } else {
            range[count++] = (struct tlog_range){tree.first, middle};
            tree.first = middle;
        }
    }
    /* The verifier already knows the root of the smaller tree. */
    if (tree.first > 0)
        range[count++] = tree;
    turn_round(range, count);
    return count;
}

/* The first range is the tree that ends where the old one does; where there is none, the old tree
 * is that tree. What follows stands to its left, in both trees, or to its right, in the new one. */
bool tlog_is_consistent(uint64_t from, const uint8_t from_root[static MERKLE_HASH], uint64_t to,
                        const uint8_t to_root[static MERKLE_HASH],
                        const uint8_t (*path)[MERKLE_HASH], size_t length)
{
    struct tlog_range range[TLOG_PATH_MAX];
    uint8_t before[MERKLE_HASH];
    uint8_t after[MERKLE_HASH];
    if (from > to || to > TLOG_SIZE_MAX || length != tlog_consistency(from, to, range))
        return false;
    if (from == 0)
        return true;
    size_t used = length > 0 && range[0].end == from ? 1 : 0;
    memcpy(before, used == 1 ? path[0] : from_root, MERKLE_HASH);
    memcpy(after, before, MERKLE_HASH);
    for (; used < length; used++) {
        if (range[used].first >= from) {
            merkle_join(after, path[used], after);
            continue;
        }
        merkle_join(path[used], before, before);
        merkle_join(path[used], after, after);
    }
    return memcmp(before, from_root, MERKLE_HASH) == 0 && memcmp(after, to_root, MERKLE_HASH) == 0;
}

/* ---- Their hashes ---- */

/* The full tree at the start of a range, and where its hashes are stored. */
struct part {
    unsigned level;
    uint64_t first; /* index of the first among the level's hashes */
    size_t count;
};

/* Cuts the largest full tree off the left of the range. */
static struct part cut(struct tlog_range *range)
{
    unsigned height = 0;
    uint64_t left = range->end - range->first;
    while (left >> (height + 1) != 0)
        height++;
    assert(range->first % ((uint64_t)1 << height) == 0);
    struct part part = {.level = height / TILE_BITS,
                        .first = range->first >> (height / TILE_BITS * TILE_BITS),
                        .count = (size_t)1 << height % TILE_BITS};
    range->first += (uint64_t)1 << height;
    return part;
}

static const struct tlog_tile *find_tile(const struct tlog_tile *tile, size_t count,
                                         const struct part *part)
{
    for (size_t i = 0; i < count; i++)
        if (tile[i].level == part->level && tile[i].number == part->first / TLOG_TILE)
            return &tile[i];
    return NULL;
}

size_t tlog_tiles_needed(const struct tlog_range *range, size_t count,
                         struct tlog_tile tile[static TLOG_TILES_MAX])
{
    size_t tiles = 0;
    for (size_t i = 0; i < count; i++) {
        for (struct tlog_range rest = range[i]; rest.first < rest.end;) {
            struct part part = cut(&rest);
            if (find_tile(tile, tiles, &part) != NULL)
                continue;
            assert(tiles < TLOG_TILES_MAX);
            tile[tiles++] =
                (struct tlog_tile){.level = part.level, .number = part.first / TLOG_TILE};
        }
    }
    return tiles;
}

bool tlog_range_hash(struct tlog_range range, const struct tlog_tile *tile, size_t count,
                     uint8_t hash[static MERKLE_HASH])
{
    uint8_t full[TREES_MAX][MERKLE_HASH];
    size_t trees = 0;
    while (range.first < range.end) {
        struct part part = cut(&range);
        const struct tlog_tile *found = find_tile(tile, count, &part);
        size_t first = (size_t)(part.first % TLOG_TILE);
        if (found == NULL || first + part.count > found->count)
            return false;
        fold(found->hash + first, part.count, full[trees++]);
    }
    if (trees == 0)
        return false;
    memcpy(hash, full[--trees], MERKLE_HASH);
    while (trees > 0)
        merkle_join(full[--trees], hash, hash);
    return true;
}

static const char *const first_lines[] = {
    [TLOG_GAME] = "tillroll game",
    [TLOG_COMMITMENT] = "tillroll commitment",
    [TLOG_EVENT_LOG] = "tillroll event-log",
    [TLOG_STANDINGS] = "tillroll standings",
    [TLOG_RULING] = "tillroll ruling",
    [TLOG_DISPUTE] = "tillroll dispute",
    [TLOG_KEY] = "tillroll key",
    [TLOG_EVENT_STEP] = "tillroll event-step",
    [TLOG_SERVER_KEY] = "tillroll server-key",
};

enum { SUBJECTS = sizeof first_lines / sizeof first_lines[0], NAME_MAX_BYTES = 64 };

void tlog_leaf_print(const struct tlog_leaf *leaf, struct text *text)
{
    text_add_line(text, first_lines[leaf->subject]);
    text_add_span_line(text, leaf->name);
    text_add_hex_line(text, leaf->hash, sizeof leaf->hash);
}

void tlog_leaf_hash(const struct tlog_leaf *leaf, uint8_t hash[static MERKLE_HASH])
{
    char bytes[TLOG_LEAF_MAX];
    struct text text = TEXT_OVER(bytes);
    tlog_leaf_print(leaf, &text);
    merkle_leaf(text_span(&text), hash);
}

bool tlog_leaf_of_record(struct span record, struct tlog_leaf *leaf)
{
    struct span first;
    struct span line;
    struct span last, rest = record;
    if (!span_last_line(&rest, &last) || !span_line(&record, &first) ||
        !span_line(&record, &line) || !span_is(span_word(&line), "game") ||
        !span_is(span_word(&last), "head"))
        return false;
    leaf->subject = TLOG_GAME;
    leaf->name = span_word(&line);
    return leaf->name.length > 0 && leaf->name.length <= NAME_MAX_BYTES &&
           span_hex(span_word(&last), leaf->hash, sizeof leaf->hash);
}

bool tlog_leaf_read(struct span text, struct tlog_leaf *leaf)
{
    struct span first;
    struct span hash;
    if (text.length == 0 || text.at[text.length - 1] != '\n' || !span_line(&text, &first) ||
        !span_line(&text, &leaf->name) || !span_line(&text, &hash) || text.length > 0)
        return false;
    for (int subject = 0; subject < SUBJECTS; subject++) {
        if (!span_is(first, first_lines[subject]))
            continue;
        leaf->subject = (enum tlog_subject)subject;
        return leaf->name.length > 0 && leaf->name.length <= NAME_MAX_BYTES &&
               span_hex(hash, leaf->hash, sizeof leaf->hash);
    }
    return false;
}
