/* The catalogue of services that deal twins (tests/engine/support/twist/twist.h). It takes the
 * place of engine/game/catalog.c in a program of its own, twin_tillrolld. Several of these on one
 * database read the same records; one with TILLROLL_TWIN=<seat> believes in another deal: what
 * nobody knows lies otherwise at the far end of every pile, and that seat of every game holds other
 * things. So whatever two of them answer differently comes from what is hidden. */
/* What is in the catalogue, under other names. */
#define catalog_at     original_at
#define catalog_newest original_newest
#define catalog_find   original_find
#define catalog_named  original_named
#include "engine/game/catalog.c" /* NOLINT(bugprone-suspicious-include) */
#undef catalog_at
#undef catalog_newest
#undef catalog_find
#undef catalog_named

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/engine/support/twist/twist.h"

enum { TWINS_MAX = 8, NOBODY = GAME_SEATS_MAX };

static const struct game *originals[TWINS_MAX];
static struct game twins[TWINS_MAX];
static size_t count;
static unsigned twisted_seat = NOBODY;

/* The same for all games and services, so that a test finds the same games each time. */
static const struct chance luck = {.seed = {0x7a}};

static const struct game *original_of(const struct game *twin)
{
    return originals[twin - twins];
}

static void deal(const struct game *twin, void *state, unsigned seats,
                 const struct game_options *options, const struct chance *chance)
{
    const struct game *game = original_of(twin);
    (void)chance;
    const struct twisting *twisting = twisting_of(game);
    game->setup(game, state, seats, options, &luck);
    for (size_t t = 0; t < twisting->count && twisted_seat != NOBODY; t++) {
        const struct twist *twist = &twisting->twists[t];
        if (twist->remembered)
            continue;
        if (twist->seen == TWIST_NOBODY || twisted_seat < seats)
            (void)twist->apply(state, twisted_seat % seats, NULL);
    }
}

/* The twisted seat bids one coin less (Mall World), or one instead of none. */
static struct span twist_bid(struct span move, char bid[static GAME_MOVE_MAX + 1])
{
    unsigned coins;
    (void)snprintf(bid, GAME_MOVE_MAX + 1, "%.*s", (int)move.length, move.at);
    if (sscanf(bid, "bid %u", &coins) != 1)
        return move;
    (void)snprintf(bid, GAME_MOVE_MAX + 1, "bid %u", coins == 0 ? 1 : coins - 1);
    return span_of(bid);
}

static bool play(const struct game *twin, void *state, unsigned seat, struct span move,
                 const struct chance *chance, struct refusal *refusal)
{
    const struct game *game = original_of(twin);
    (void)chance;
    char bid[GAME_MOVE_MAX + 1];
    if (seat == twisted_seat)
        move = twist_bid(move, bid);
    return game->play(game, state, seat, move, &luck, refusal);
}

__attribute__((constructor)) static void make_twins(void)
{
    const char *seat = getenv("TILLROLL_TWIN");
    if (seat != NULL)
        twisted_seat = (unsigned)strtoul(seat, NULL, 10);
    for (count = 0; original_at(count) != NULL; count++) {
        assert(count < TWINS_MAX);
        originals[count] = original_at(count);
        twins[count] = *originals[count];
        twins[count].setup = deal;
        twins[count].play = play;
    }
}

const struct game *catalog_at(size_t i)
{
    return i < count ? &twins[i] : NULL;
}

static const struct game *twin_of(const struct game *original)
{
    size_t i = 0;
    while (original != NULL && original_at(i) != original)
        i++;
    return original == NULL ? NULL : &twins[i];
}

const struct game *catalog_newest(struct span slug)
{
    return twin_of(original_newest(slug));
}

const struct game *catalog_find(struct span slug, struct span version)
{
    return twin_of(original_find(slug, version));
}

const struct game *catalog_named(struct span name)
{
    return twin_of(original_named(name));
}
