#include "api/channels/channel_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "db/link/now.h"

/* ---- One message at a time to each target ---- */

static size_t find_busy(const struct channels *channels, const struct id *target)
{
    size_t i = 0;
    while (i < channels->busy_count && !id_equal(&channels->busy[i], target))
        i++;
    return i;
}

static bool is_free(const struct channels *channels, const struct id *target)
{
    return channels->busy_count < CHANNEL_BUSY_MAX &&
           find_busy(channels, target) == channels->busy_count;
}

bool channel_enter(struct channels *channels, const struct id *target, unsigned wait_ms)
{
    struct timespec end = moment_in(wait_ms);
    int timeout = wait_ms == 0 ? ETIMEDOUT : 0;
    pthread_mutex_lock(&channels->lock);
    while (!is_free(channels, target) && timeout == 0)
        timeout = pthread_cond_timedwait(&channels->free, &channels->lock, &end);
    bool entered = is_free(channels, target);
    if (entered)
        channels->busy[channels->busy_count++] = *target;
    pthread_mutex_unlock(&channels->lock);
    return entered;
}

void channel_leave(struct channels *channels, const struct id *target)
{
    pthread_mutex_lock(&channels->lock);
    size_t i = find_busy(channels, target);
    channels->busy[i] = channels->busy[--channels->busy_count];
    pthread_cond_broadcast(&channels->free);
    pthread_mutex_unlock(&channels->lock);
}

struct notice_channel channel_make(struct channels *channels, const char *name, notice_find *find,
                                   notice_deliver *deliver, notice_ended *ended)
{
    return (struct notice_channel){.name = name,
                                   .context = channels,
                                   .threads = CHANNEL_THREADS,
                                   .timeout_ms = CHANNEL_TIMEOUT_MS,
                                   .retry_ms = channels->config.retry_ms,
                                   .find = find,
                                   .deliver = deliver,
                                   .ended = ended};
}

/* ---- Summaries ---- */

enum { TITLES_MOST = 5 /* listed in a summary */ };

static const char *title_of(const struct notice_delivery *delivery, struct arena *arena)
{
    char bytes[64];
    bool german = strcmp(delivery->language, "de") == 0;
    snprintf(bytes, sizeof bytes, german ? "%zu Benachrichtigungen" : "%zu notices",
             delivery->count);
    return arena_copy(arena, span_of(bytes));
}

static const char *titles_of(const struct notice_delivery *delivery, struct arena *arena)
{
    char bytes[TITLES_MOST * (NOTICE_TITLE_MAX + 1) + 8];
    struct text text = TEXT_OVER(bytes);
    for (size_t i = 0; i < delivery->count && i < TITLES_MOST; i++)
        text_add_all(&text, i == 0 ? "" : "\n", delivery->notices[i].title);
    if (delivery->count > TITLES_MOST)
        text_add(&text, "\n…");
    return arena_copy(arena, text_span(&text));
}

struct channel_summary channel_summarize(const struct notice_delivery *delivery,
                                         struct arena *arena)
{
    const struct notice *first = &delivery->notices[0];
    const struct notice *last = &delivery->notices[delivery->count - 1];
    bool one = delivery->count == 1;
    return (struct channel_summary){
        .kind = one ? first->kind : "digest",
        .title = one ? first->title : title_of(delivery, arena),
        .text = one ? first->text : titles_of(delivery, arena),
        .path = one ? first->path : "/",
        .url = one ? first->url : NULL,
        .at_ms = last->at_ms,
    };
}
