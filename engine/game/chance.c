#include "engine/game/chance.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

enum { EPOCH_NAME_SIZE = CHANCE_NAME_MAX + 16, BLOCK_WORDS = 16, READ_BLOCKS = 32 };

static const char domain[] = "tillroll/chance/1";

static void add_epoch_name(struct text *text, const char *name, unsigned epoch)
{
    text_add(text, name);
    assert(text->length <= CHANCE_NAME_MAX);
    if (epoch > 0) {
        text_add(text, "/e");
        text_add_number(text, epoch);
    }
}

static void open_stream(struct chance_stream *stream, const struct chance *chance, struct span name,
                        uint32_t next)
{
    crypto_generichash_state hash;
    crypto_generichash_init(&hash, chance->seed, sizeof chance->seed, sizeof stream->key);
    crypto_generichash_update(&hash, (const unsigned char *)domain, sizeof domain - 1);
    crypto_generichash_update(&hash, (const unsigned char *)name.at, name.length);
    crypto_generichash_final(&hash, stream->key, sizeof stream->key);
    stream->next = next;
    stream->block = UINT32_MAX;
}

void chance_open(struct chance_stream *stream, const struct chance *chance, const char *name,
                 uint32_t next)
{
    chance_open_epoch(stream, chance, name, 0, next);
}

void chance_open_epoch(struct chance_stream *stream, const struct chance *chance, const char *name,
                       unsigned epoch, uint32_t next)
{
    char full[EPOCH_NAME_SIZE];
    struct text text = TEXT_OVER(full);
    add_epoch_name(&text, name, epoch);
    open_stream(stream, chance, text_span(&text), next);
}

static void read_blocks(uint8_t *bytes, size_t size, const struct chance_stream *stream,
                        uint32_t block)
{
    static const uint8_t nonce[crypto_stream_chacha20_ietf_NONCEBYTES];
    memset(bytes, 0, size);
    crypto_stream_chacha20_ietf_xor_ic(bytes, bytes, size, nonce, block, stream->key);
}

static uint32_t word_at(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

uint32_t chance_word(struct chance_stream *stream)
{
    uint32_t block = stream->next / BLOCK_WORDS;
    if (stream->block != block) {
        read_blocks(stream->bytes, sizeof stream->bytes, stream, block);
        stream->block = block;
    }
    return word_at(stream->bytes + 4 * (size_t)(stream->next++ % BLOCK_WORDS));
}

void chance_words(struct chance_stream *stream, uint32_t *words, size_t count)
{
    uint8_t bytes[64 * READ_BLOCKS];
    for (; count > 0 && stream->next % BLOCK_WORDS != 0; count--)
        *words++ = chance_word(stream);
    while (count >= BLOCK_WORDS) {
        size_t blocks = count / BLOCK_WORDS < READ_BLOCKS ? count / BLOCK_WORDS : READ_BLOCKS;
        read_blocks(bytes, 64 * blocks, stream, stream->next / BLOCK_WORDS);
        for (size_t i = 0; i < BLOCK_WORDS * blocks; i++)
            *words++ = word_at(bytes + 4 * i);
        stream->next += (uint32_t)(BLOCK_WORDS * blocks);
        count -= BLOCK_WORDS * blocks;
    }
    for (; count > 0; count--)
        *words++ = chance_word(stream);
}

struct chance chance_draw(struct chance_stream *stream)
{
    struct chance chance = {.stacks = NULL};
    uint32_t words[CHANCE_SEED_BYTES / 4];
    chance_words(stream, words, CHANCE_SEED_BYTES / 4);
    for (size_t i = 0; i < CHANCE_SEED_BYTES; i++)
        chance.seed[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    return chance;
}

uint32_t chance_uniform(struct chance_stream *stream, uint32_t n)
{
    assert(n >= 1);
    if (n == 1)
        return 0;
    uint64_t limit = (UINT64_C(1) << 32) / n * n;
    uint32_t word = chance_word(stream);
    while (word >= limit)
        word = chance_word(stream);
    return word % n;
}

void chance_shuffle(struct chance_stream *stream, uint8_t *items, size_t count)
{
    for (size_t i = count; i-- > 1;) {
        size_t j = chance_uniform(stream, (uint32_t)(i + 1));
        uint8_t item = items[i];
        items[i] = items[j];
        items[j] = item;
    }
}

const struct chance_stack *chance_stack_find(const struct chance *chance, const char *name)
{
    if (chance->stacks == NULL)
        return NULL;
    for (size_t i = 0; i < chance->stacks->count; i++)
        if (span_is(chance->stacks->stack[i].name, name))
            return &chance->stacks->stack[i];
    return NULL;
}

const struct chance_stack *chance_stack_find_epoch(const struct chance *chance, const char *name,
                                                   unsigned epoch)
{
    char full[EPOCH_NAME_SIZE];
    struct text text = TEXT_OVER(full);
    add_epoch_name(&text, name, epoch);
    return chance_stack_find(chance, full);
}

bool chance_stack_add(struct chance_stacks *stacks, struct span name, struct span items)
{
    if (stacks->count == CHANCE_STACKS_MAX)
        return false;
    stacks->stack[stacks->count++] = (struct chance_stack){name, items};
    return true;
}

void chance_stack_arrange(const struct chance_stack *stack, uint8_t *items, size_t count,
                          struct names names)
{
    struct span words = stack->items;
    size_t placed = 0;
    while (words.length > 0) {
        uint8_t item = names_find(names, span_word(&words));
        size_t at = placed;
        while (at < count && items[at] != item)
            at++;
        if (at == count)
            continue;
        memmove(items + placed + 1, items + placed, at - placed);
        items[placed++] = item;
    }
}

uint32_t chance_arrange_or_shuffle(const struct chance *chance, const char *name, unsigned epoch,
                                   uint8_t *items, size_t count, struct names names)
{
    const struct chance_stack *stack = chance_stack_find_epoch(chance, name, epoch);
    if (stack != NULL) {
        chance_stack_arrange(stack, items, count, names);
        return 0;
    }
    struct chance_stream stream;
    chance_open_epoch(&stream, chance, name, epoch, 0);
    chance_shuffle(&stream, items, count);
    return stream.next;
}
