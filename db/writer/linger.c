#include "db/writer/linger.h"

#include <stdlib.h>
#include <string.h>

/* SERVE_US: what the loop does for one move, reading and answering it. */
enum { SERVE_US = 40, WAIT_LEAST_US = 750, PAUSES_MOST = 255 };

int64_t linger_begin(struct linger *linger, struct write *const *answered, size_t count,
                     size_t waiting, int64_t commit_us)
{
    size_t all = count + waiting;
    linger->expected = 0;
    if (all < 2 || commit_us < (int64_t)all * SERVE_US)
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
