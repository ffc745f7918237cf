#include "api/work/key_watch.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "api/work/ticker.h"

enum { LOOK_EVERY_MS = 250, SENTENCE_MAX = 1024 };

struct key_watch {
    struct key_check check;
    const struct keys *keys;
    bool (*found)(void *context, const struct key_check *check, struct text *error);
    void *context;
    struct ticker *ticker;
    atomic_bool good, bad; /* at most one of them becomes true, and stays so */
};

static void compare_keys(struct ticker *ticker, void *context)
{
    struct key_watch *watch = context;
    char message[SENTENCE_MAX];
    struct text error = TEXT_OVER(message);
    (void)ticker;
    if (watch->good || watch->bad)
        return;
    bool fits = key_check_again(&watch->check, watch->keys, &error);
    if (fits && !watch->check.known)
        return;
    if (fits && (watch->found == NULL || watch->found(watch->context, &watch->check, &error))) {
        watch->good = true;
        return;
    }
    watch->bad = true;
    fprintf(stderr, "tillrolld: %s\n", message);
    (void)kill(getpid(), SIGTERM);
}

struct key_watch *key_watch_new(const struct key_check *check, const struct keys *keys,
                                bool (*found)(void *context, const struct key_check *check,
                                              struct text *error),
                                void *context)
{
    struct key_watch *watch = calloc(1, sizeof *watch);
    if (watch == NULL)
        return NULL;
    watch->check = *check;
    watch->keys = keys;
    watch->found = found;
    watch->context = context;
    watch->ticker = ticker_new(LOOK_EVERY_MS, compare_keys, watch);
    if (watch->ticker != NULL)
        return watch;
    free(watch);
    return NULL;
}

bool key_watch_good(const struct key_watch *watch)
{
    return watch == NULL || watch->good;
}

bool key_watch_bad(const struct key_watch *watch)
{
    return watch != NULL && watch->bad;
}

void key_watch_free(struct key_watch *watch)
{
    if (watch == NULL)
        return;
    ticker_free(watch->ticker);
    free(watch);
}
