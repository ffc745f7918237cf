/* For the tests of `imagine` in small positions: every arrangement of what is hidden, listed one by
 * one, and how often each was imagined. Chi-square over SPREAD_DEALS deals; an arrangement that is
 * not in the list fails. */
#ifndef TILLROLL_TESTS_SPREAD_H
#define TILLROLL_TESTS_SPREAD_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/game.h"
#include "tests/engine/support/dice.h"
#include "tests/test.h"

enum { SPREAD_DEALS = 100000, SPREAD_SLOTS = 1 << 15 };

struct spread_slot {
    uint64_t digest;
    uint32_t expected, observed;
};

struct spread {
    const struct game *game;
    struct spread_slot *slot; /* SPREAD_SLOTS of them, by digest */
    uint32_t total;           /* arrangements */
};

static inline void spread_open(struct spread *spread, const struct game *game)
{
    spread->game = game;
    spread->total = 0;
    spread->slot = calloc(SPREAD_SLOTS, sizeof spread->slot[0]);
    assert_non_null(spread->slot);
}

static inline struct spread_slot *spread_find(const struct spread *spread, const void *state)
{
    const unsigned char *bytes = state;
    uint64_t digest = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < spread->game->state_size; i++)
        digest = (digest ^ bytes[i]) * UINT64_C(1099511628211);
    size_t at = digest >> 32 & (SPREAD_SLOTS - 1);
    while (spread->slot[at].expected > 0 && spread->slot[at].digest != digest)
        at = (at + 1) & (SPREAD_SLOTS - 1);
    spread->slot[at].digest = digest;
    return &spread->slot[at];
}

/* One more arrangement, as likely as any other that was added. */
static inline void spread_add(struct spread *spread, const void *state)
{
    spread_find(spread, state)->expected++;
    spread->total++;
}

/* Goes through the permutations of items, whatever of them are alike: true until all have been
 * there. `turns` are zeros at first, one for each item. (Heap's method.) */
static inline bool spread_permute(uint8_t *items, uint8_t *turns, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (turns[i] < i) {
            size_t other = i % 2 == 0 ? 0 : turns[i];
            uint8_t item = items[i];
            items[i] = items[other];
            items[other] = item;
            turns[i]++;
            return true;
        }
        turns[i] = 0;
    }
    return false;
}

/* Imagines and counts. Frees the list. */
static inline void spread_try(struct spread *spread, const void *state, struct viewer viewer)
{
    _Alignas(8) unsigned char bytes[GAME_STATE_MAX];
    double sum = 0;
    double freedom = -1;
    for (uint32_t i = 0; i < SPREAD_DEALS; i++) {
        struct chance chance = {.stacks = NULL};
        dice_seed(i, chance.seed);
        memcpy(bytes, state, spread->game->state_size);
        spread->game->imagine(spread->game, bytes, viewer, &chance);
        struct spread_slot *slot = spread_find(spread, bytes);
        if (slot->expected == 0)
            fail_msg("deal %u cannot be", (unsigned)i);
        slot->observed++;
    }
    for (size_t i = 0; i < SPREAD_SLOTS; i++) {
        double expected = (double)spread->slot[i].expected * SPREAD_DEALS / spread->total;
        if (expected == 0)
            continue;
        assert_true(expected >= 5);
        sum += (spread->slot[i].observed - expected) * (spread->slot[i].observed - expected) /
               expected;
        freedom++;
    }
    free(spread->slot);
    /* What chance exceeds once in a million times (Wilson and Hilferty 1931). */
    double edge = 1 - 2 / (9 * freedom) + 4.7534 * sqrt(2 / (9 * freedom));
    print_message("chi-square %.1f of %.0f, limit %.1f\n", sum, freedom,
                  freedom * edge * edge * edge);
    assert_true(freedom >= 1);
    assert_true(sum < freedom * edge * edge * edge);
}

#endif
