/* Notices to browsers, by web push. */
#ifndef TILLROLL_API_CHANNELS_PUSH_CHANNEL_H
#define TILLROLL_API_CHANNELS_PUSH_CHANNEL_H

#include "api/channels/push_message.h"
#include "api/notices/channel.h"

struct channels;
struct ticker;

/* The channel for notices_new(), valid as long as `channels`. */
struct notice_channel push_channel(struct channels *channels);

/* The public key with which browsers subscribe. False if it is not known yet. Any thread. */
bool push_channel_key(struct channels *channels, uint8_t public[static PUSH_PUBLIC]);

/* Reads the key from the database, or creates it. */
void push_channel_find_key(struct channels *channels, struct db *db);

/* Sends the next test. False if none is due. Uses transactions of its own on `db`. */
bool push_channel_test(struct channels *channels, struct ticker *ticker, struct db *db);

#endif
