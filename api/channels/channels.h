/* Web push and webhooks: channels of notices (api/notices/channel.h) to addresses that players have
 * entered, with a few threads for the tests and repeats that players request. */
#ifndef TILLROLL_API_CHANNELS_CHANNELS_H
#define TILLROLL_API_CHANNELS_CHANNELS_H

#include "api/channels/push_message.h"
#include "api/notices/channel.h"
#include "api/state/keys.h"

struct call;
struct channels;

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

/* Starts the threads. The key of web push is read, or created, as soon as the database answers.
 * NULL if the system has no threads left. */
struct channels *channels_new(const struct channels_config *config);

/* Waits for the threads, which stop what they are sending; no channel may be in use any more. NULL
 * is fine. */
void channels_free(struct channels *channels);

/* Channels for notices_new(), valid as long as `channels`. */
struct notice_channel channels_push(struct channels *channels);
struct notice_channel channels_webhook(struct channels *channels);

/* The public key with which browsers subscribe. False if it is not known yet. Any thread. */
bool channels_public_key(struct channels *channels, uint8_t public[static PUSH_PUBLIC]);

/* Reads an address from this field of the request's body, and checks that messages may be sent to
 * it. False with a problem. */
bool channels_read_address(struct call *call, const char *field, const char **address);

#endif
