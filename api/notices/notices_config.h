/* What notices (api/notices/notices.h) are started with. */
#ifndef TILLROLL_API_NOTICES_NOTICES_CONFIG_H
#define TILLROLL_API_NOTICES_NOTICES_CONFIG_H

#include "api/notices/channel.h"
#include "api/state/game_cache.h"

/* Pointers are borrowed for the lifetime of the notices, unless stated otherwise. */
struct notices_config {
    const char *database; /* libpq connection string */
    const struct keys *keys;
    struct game_cache *game_cache;
    const char *site; /* https://club.example: start of links; NULL = not configured */
    const struct notice_channel *channels; /* copied */
    size_t channel_count; /* 0 .. NOTICE_CHANNELS; without channels, causes are dropped */
    unsigned interval_ms; /* between looks for causes and for due rows */
};

#endif
