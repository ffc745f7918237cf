/* Redeals what a viewer has not seen. Every game's imagine() (game.h) draws in this way.
 *
 * Items that could be in each other's place are collected, put in an order that reveals nothing,
 * shuffled, and dealt back to the places, so every arrangement is equally likely. Their earlier
 * places leave no trace.
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

/* Opens the stream that supplies everything imagined under `chance`. Fixed orders in `chance` are
 * for the game itself and are ignored here. */
void unseen_open(struct chance_stream *stream, const struct chance *chance);

/* Starts with no items. `stream` shuffles them; it is borrowed for as long as `unseen` is used. */
void unseen_init(struct unseen *unseen, struct chance_stream *stream);

/* Adds `copies` of an item. More than UNSEEN_MAX items are a programming error. */
void unseen_add(struct unseen *unseen, uint8_t item, unsigned copies);

/* Adds the items of a pile. */
void unseen_add_pile(struct unseen *unseen, const uint8_t *items, size_t count);

/* Sorts and shuffles all items, including those that were dealt. */
void unseen_shuffle(struct unseen *unseen);

/* Deals one item. At least one must be left. */
uint8_t unseen_deal(struct unseen *unseen);

/* Deals `count` items into a pile. */
void unseen_deal_pile(struct unseen *unseen, uint8_t *items, size_t count);

/* Deals `count` items and adds them to counts by item. */
void unseen_deal_counts(struct unseen *unseen, uint8_t *counts, unsigned count);

/* Shuffles a single pile. */
void unseen_shuffle_pile(struct chance_stream *stream, uint8_t *items, size_t count);

#endif
