/* Chance: named streams of random words from one 32-byte seed.
 *
 *      key of a stream   BLAKE2b-256(key = seed, "tillroll/chance/1" || stream name)
 *      n-th word         word n of the ChaCha20 (RFC 8439, zero nonce) keystream, little-endian
 *      uniform(n)        words >= floor(2^32 / n) * n are thrown away, the next one mod n is taken
 *      shuffle           Fisher-Yates from the last index down, j = uniform(i + 1)
 *
 * A stream's whole memory is how many words were taken, so a game's state holds one counter per
 * stream and stays flat, and anybody can recompute any value. tests/engine/vectors/chance.json
 * holds values to check another implementation against.
 *
 * For worked cases, and for games played with physical components, the order of a named pile can be
 * fixed instead: a game that is about to shuffle or throw asks chance_stack_find() first.
 */
#ifndef TILLROLL_ENGINE_GAME_CHANCE_H
#define TILLROLL_ENGINE_GAME_CHANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/text.h"

enum { CHANCE_SEED_BYTES = 32, CHANCE_STACKS_MAX = 40, CHANCE_NAME_MAX = 40 };

/* A pile whose order is fixed: `items` are words parted by single blanks, the first one drawn
 * first. Both spans are borrowed. */
struct chance_stack {
    struct span name;
    struct span items;
};

struct chance_stacks {
    struct chance_stack stack[CHANCE_STACKS_MAX];
    size_t count;
};

/* What a game's luck comes from. `stacks` is borrowed and may be NULL. */
struct chance {
    uint8_t seed[CHANCE_SEED_BYTES];
    const struct chance_stacks *stacks;
};

struct chance_stream {
    uint8_t key[32];
    uint32_t next;  /* index of the next word: the stream's whole memory */
    uint32_t block; /* which 64-byte block is in `bytes`, UINT32_MAX = none */
    uint8_t bytes[64];
};

/* Opens the stream `name` (at most CHANCE_NAME_MAX bytes) after `next` words were taken. */
void chance_open(struct chance_stream *stream, const struct chance *chance, const char *name,
                 uint32_t next);

/* Opens the stream `<name>/e<epoch>`, or `<name>` for epoch 0: streams after a take-back. */
void chance_open_epoch(struct chance_stream *stream, const struct chance *chance, const char *name,
                       unsigned epoch, uint32_t next);

uint32_t chance_word(struct chance_stream *stream);

/* The next `count` words, as chance_word() gives them one after the other, in less time. Who has
 * taken some too many takes them off stream->next again. */
void chance_words(struct chance_stream *stream, uint32_t *words, size_t count);

/* A number 0 .. n - 1, each equally likely. n >= 1; n = 1 takes no word. */
uint32_t chance_uniform(struct chance_stream *stream, uint32_t n);

void chance_shuffle(struct chance_stream *stream, uint8_t *items, size_t count);

/* The fixed order of a pile, or NULL if it is to be shuffled. */
const struct chance_stack *chance_stack_find(const struct chance *chance, const char *name);

/* The same for what chance_open_epoch() opens. */
const struct chance_stack *chance_stack_find_epoch(const struct chance *chance, const char *name,
                                                   unsigned epoch);

/* Fixes the order of a pile. False when CHANCE_STACKS_MAX are fixed already. */
bool chance_stack_add(struct chance_stacks *stacks, struct span name, struct span items);

/* Moves the items that the stack names to the front, in its order; the others keep theirs. `find`
 * gives the item of a name. Names that are unknown, or not among the items, are passed over. */
void chance_stack_arrange(const struct chance_stack *stack, uint8_t *items, size_t count,
                          uint8_t (*find)(struct span name));

/* Puts items, which lie in an order that gives nothing away, in the fixed order of the stream's
 * pile or, where there is none, shuffles them with a stream of which no word was taken. Returns how
 * many words were taken. */
uint32_t chance_arrange_or_shuffle(const struct chance *chance, const char *name, unsigned epoch,
                                   uint8_t *items, size_t count, uint8_t (*find)(struct span name));

#endif
