/* Web push and webhooks: channels of notices (api/notices/channel.h) that lead to addresses which
 * players have entered, with a few threads for the tests and repeats that players ask for. */
#ifndef TILLROLL_API_CHANNELS_CHANNELS_H
#define TILLROLL_API_CHANNELS_CHANNELS_H

#include "api/channels/push_message.h"
#include "api/notices/channel.h"
#include "api/state/keys.h"

struct call;
struct channels;

/* All is borrowed for as long as the channels live. */
struct channels_config {
    const char *database;
    const struct keys *keys;
    const char *site;                 /* https://club.example; NULL = not said */
    const char *mail_from;            /* an address of those who run the service, or NULL */
    bool private_too;                 /* targets may be in this network, and http */
    unsigned retry_ms;                /* the first delay after a failure */
    bool (*may)(const void *context); /* the keys are the database's; NULL = they are */
    const void *context;
};

/* Starts the threads; the key of web push is read, or made, as soon as the database answers. NULL
 * if the system has no threads left. */
struct channels *channels_new(const struct channels_config *config);

/* Waits for the threads, which give up what they are sending; no channel may be in use any more.
 * NULL is fine. */
void channels_free(struct channels *channels);

/* For notices_new(). They may be used while the channels live. */
struct notice_channel channels_push(struct channels *channels);
struct notice_channel channels_webhook(struct channels *channels);

/* The public key that browsers subscribe with. False while it is not known. Any thread. */
bool channels_public_key(struct channels *channels, uint8_t public[static PUSH_PUBLIC]);

/* The address in this field of the request's body, if it may be sent to. False with a problem. */
bool channels_read_address(struct call *call, const char *field, const char **address);

#endif
