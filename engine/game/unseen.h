/* What a viewer has not seen, dealt anew: how every game's imagine() (game.h) draws.
 *
 * Items that might lie in each other's place are put together, brought into an order that gives
 * nothing away, shuffled, and dealt back to the places, so that each arrangement is as likely as
 * any other. Where they lay before leaves no trace.
 */
#ifndef TILLROLL_ENGINE_GAME_UNSEEN_H
#define TILLROLL_ENGINE_GAME_UNSEEN_H

#include "engine/game/chance.h"

enum { UNSEEN_MAX = 255 };

struct unseen {
    struct chance_stream *stream; /* borrowed */
    unsigned count, dealt;
    uint8_t item[UNSEEN_MAX];
};

/* Opens the stream of which everything that is imagined under `chance` comes. Orders that `chance`
 * fixes are for the game itself and not asked. */
void unseen_open(struct chance_stream *stream, const struct chance *chance);

/* No items, to be shuffled with `stream`, which is borrowed for as long as `unseen` is used. */
void unseen_init(struct unseen *unseen, struct chance_stream *stream);

/* Adds `copies` of an item. More than UNSEEN_MAX items are a programming error. */
void unseen_add(struct unseen *unseen, uint8_t item, unsigned copies);

/* Adds the items of a pile. */
void unseen_add_pile(struct unseen *unseen, const uint8_t *items, size_t count);

/* Sorts and shuffles all items; those that were dealt are back among them. */
void unseen_shuffle(struct unseen *unseen);

/* Deals one item, which must be left. */
uint8_t unseen_deal(struct unseen *unseen);

/* Deals `count` items into a pile. */
void unseen_deal_pile(struct unseen *unseen, uint8_t *items, size_t count);

/* Deals `count` items into counts by item. */
void unseen_deal_counts(struct unseen *unseen, uint8_t *counts, unsigned count);

/* A pile alone: its items in any order. */
void unseen_shuffle_pile(struct chance_stream *stream, uint8_t *items, size_t count);

#endif
