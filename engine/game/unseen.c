#include "engine/game/unseen.h"

#include <assert.h>
#include <string.h>

void unseen_open(struct chance_stream *stream, const struct chance *chance)
{
    chance_open(stream, chance, "imagine", 0);
}

void unseen_init(struct unseen *unseen, struct chance_stream *stream)
{
    unseen->stream = stream;
    unseen->count = 0;
    unseen->dealt = 0;
}

void unseen_add(struct unseen *unseen, uint8_t item, unsigned copies)
{
    assert(unseen->count + copies <= UNSEEN_MAX);
    memset(unseen->item + unseen->count, item, copies);
    unseen->count += copies;
}

void unseen_add_pile(struct unseen *unseen, const uint8_t *items, size_t count)
{
    assert(unseen->count + count <= UNSEEN_MAX);
    memcpy(unseen->item + unseen->count, items, count);
    unseen->count += (unsigned)count;
}

static void sort(uint8_t *items, size_t count)
{
    uint8_t how_many[UINT8_MAX + 1] = {0};
    for (size_t i = 0; i < count; i++)
        how_many[items[i]]++;
    size_t at = 0;
    for (unsigned item = 0; at < count; item++) {
        memset(items + at, (int)item, how_many[item]);
        at += how_many[item];
    }
}

void unseen_shuffle_pile(struct chance_stream *stream, uint8_t *items, size_t count)
{
    assert(count <= UNSEEN_MAX);
    sort(items, count);
    chance_shuffle(stream, items, count);
}

void unseen_shuffle(struct unseen *unseen)
{
    unseen_shuffle_pile(unseen->stream, unseen->item, unseen->count);
    unseen->dealt = 0;
}

uint8_t unseen_deal(struct unseen *unseen)
{
    assert(unseen->dealt < unseen->count);
    return unseen->item[unseen->dealt++];
}

void unseen_deal_pile(struct unseen *unseen, uint8_t *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        items[i] = unseen_deal(unseen);
}

void unseen_deal_counts(struct unseen *unseen, uint8_t *counts, unsigned count)
{
    for (; count > 0; count--)
        counts[unseen_deal(unseen)]++;
}
