/* What the channels (api/channels/channels.h) are started with. */
#ifndef TILLROLL_API_CHANNELS_CHANNELS_CONFIG_H
#define TILLROLL_API_CHANNELS_CHANNELS_CONFIG_H

#include "api/state/keys.h"

/* All members are borrowed for the lifetime of the channels. */
struct channels_config {
    const char *database;
    const struct keys *keys;
    const char *site;                 /* https://club.example; NULL if not configured */
    const char *mail_from;            /* an address of the operators, or NULL */
    bool private_too;                 /* allows targets in this network, and http */
    unsigned retry_ms;                /* the first delay after a failure */
    bool (*may)(const void *context); /* true if these are the database's keys; NULL = they are */
    const void *context;
};

#endif
