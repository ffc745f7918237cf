/* Chance: named streams of random words from one 32-byte seed.
 *
 *      key of a stream   BLAKE2b-256(key = seed, "tillroll/chance/1" || stream name)
 *      n-th word         word n of the ChaCha20 (RFC 8439, zero nonce) keystream, little-endian
 *      uniform(n)        words >= floor(2^32 / n) * n are discarded; the next one mod n counts
 *      shuffle           Fisher-Yates from the last index down, j = uniform(i + 1)
 *
 * The only state of a stream is the number of words taken. A game's state holds one counter per
 * stream and stays flat, and anyone can recompute any value. tests/engine/vectors/chance.json holds
 * values for checking other implementations.
 *
 * For worked cases, the order of a named pile can be fixed instead: a game calls
 * chance_stack_find() before it shuffles or rolls. Games played with physical components:
 * engine/game/told.h.
 */
#ifndef TILLROLL_ENGINE_GAME_CHANCE_H
#define TILLROLL_ENGINE_GAME_CHANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/text.h"
#include "engine/game/names.h"

enum { CHANCE_SEED_BYTES = 32, CHANCE_STACKS_MAX = 40, CHANCE_NAME_MAX = 40 };

/* A pile whose order is fixed: `items` are words separated by single spaces, first drawn first.
 * Both spans are borrowed. */
struct chance_stack {
    struct span name;
    struct span items;
};

struct chance_stacks {
    struct chance_stack stack[CHANCE_STACKS_MAX];
    size_t count;
};

struct told;

/* The source of a game's chance. `stacks` and `told` are borrowed and may be NULL. */
struct chance {
    uint8_t seed[CHANCE_SEED_BYTES];
    const struct chance_stacks *stacks;
    struct told *told; /* what comes into the open is told, or heard (engine/game/told.h) */
};

struct chance_stream {
    uint8_t key[32];
    uint32_t next;  /* index of the next word: the stream's only state */
    uint32_t block; /* number of the 64-byte block in `bytes`, UINT32_MAX = none */
    uint8_t bytes[64];
};

/* Opens the stream `name` (at most CHANCE_NAME_MAX bytes) after `next` words were taken. */
void chance_open(struct chance_stream *stream, const struct chance *chance, const char *name,
                 uint32_t next);

/* Opens the stream `<name>/e<epoch>`, or `<name>` for epoch 0: streams after a take-back. */
void chance_open_epoch(struct chance_stream *stream, const struct chance *chance, const char *name,
                       unsigned epoch, uint32_t next);

uint32_t chance_word(struct chance_stream *stream);

/* The next `count` words, the same as from repeated calls of chance_word(), but faster. A caller
 * that took too many subtracts the surplus from stream->next. */
void chance_words(struct chance_stream *stream, uint32_t *words, size_t count);

/* Chance of its own, without stacks, whose seed is the next words. */
struct chance chance_draw(struct chance_stream *stream);

/* A number 0 .. n - 1, each equally likely. n >= 1; n = 1 takes no word. */
uint32_t chance_uniform(struct chance_stream *stream, uint32_t n);

void chance_shuffle(struct chance_stream *stream, uint8_t *items, size_t count);

/* The fixed order of a pile, or NULL if the pile is to be shuffled. */
const struct chance_stack *chance_stack_find(const struct chance *chance, const char *name);

/* The same for the stream that chance_open_epoch() opens. */
const struct chance_stack *chance_stack_find_epoch(const struct chance *chance, const char *name,
                                                   unsigned epoch);

/* Fixes the order of a pile. False when CHANCE_STACKS_MAX orders are fixed already. */
bool chance_stack_add(struct chance_stacks *stacks, struct span name, struct span items);

/* Moves the items that the stack names to the front, in the stack's order; the others keep theirs.
 * `names` has the names of items. Those that are unknown or not among the items are skipped. */
void chance_stack_arrange(const struct chance_stack *stack, uint8_t *items, size_t count,
                          struct names names);

/* Puts the items in the fixed order of the stream's pile, or shuffles them if it has none. Before
 * the call the items are in an order that reveals nothing, and no word of the stream has been
 * taken. Returns the number of words taken. */
uint32_t chance_arrange_or_shuffle(const struct chance *chance, const char *name, unsigned epoch,
                                   uint8_t *items, size_t count, struct names names);

#endif
