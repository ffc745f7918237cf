#include "db/writer/linger.h"

#include <stdlib.h>
#include <string.h>

enum { WAIT_LEAST_US = 750, PAUSES_MOST = 255, SERVE_MOST_US = 500, SIXTEENTHS = 16 };

/* Counts the processor time since the last batch as spent on the moves of this one. It is limited,
 * because the last batch may have been an hour ago. */
static void measure(struct linger *linger, size_t count, int64_t loop_us)
{
    int64_t each = (loop_us - linger->loop_us) * SIXTEENTHS / (int64_t)count;
    if (each > SERVE_MOST_US * SIXTEENTHS)
        each = SERVE_MOST_US * SIXTEENTHS;
    if (linger->loop_us > 0)
        linger->serve = linger->serve == 0 ? each : linger->serve + (each - linger->serve) / 16;
    linger->loop_us = loop_us;
}

int64_t linger_begin(struct linger *linger, struct write *const *answered, size_t count,
                     size_t waiting, int64_t commit_us, int64_t loop_us)
{
    size_t all = count + waiting;
    linger->expected = 0;
    measure(linger, count, loop_us);
    if (all < 2 || linger->serve == 0 || commit_us * SIXTEENTHS < (int64_t)all * linger->serve)
        return 0;
    if (linger->pause > 0) {
        linger->pause--;
        return 0;
    }
    for (size_t i = 0; i < count; i++)
        linger->game[i] = *answered[i]->game;
    linger->expected = count;
    linger->returned = 0;
    return WAIT_LEAST_US + commit_us / 4;
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct id *)a)->text, ((const struct id *)b)->text);
}

void linger_note(struct linger *linger, const struct id *game)
{
    if (linger->expected > 0 &&
        bsearch(game, linger->game, linger->expected, sizeof *game, compare) != NULL)
        linger->returned++;
}

bool linger_waits(const struct linger *linger)
{
    return linger->returned < linger->expected;
}

void linger_end(struct linger *linger)
{
    if (linger->expected == 0)
        return;
    bool in_vain = linger->returned * 4 < linger->expected * 3;
    linger->pauses = in_vain ? 2 * linger->pauses + 1 : 0;
    if (linger->pauses > PAUSES_MOST)
        linger->pauses = PAUSES_MOST;
    linger->pause = linger->pauses;
    linger->expected = 0;
    linger->returned = 0;
}
