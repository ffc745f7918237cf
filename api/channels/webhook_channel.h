/* Notices to addresses that players have entered, by webhooks. */
#ifndef TILLROLL_API_CHANNELS_WEBHOOK_CHANNEL_H
#define TILLROLL_API_CHANNELS_WEBHOOK_CHANNEL_H

#include "api/notices/channel.h"

struct channels;
struct ticker;

/* The channel for notices_new(), valid as long as `channels`. */
struct notice_channel webhook_channel(struct channels *channels);

/* Sends the next test, or repeats the next delivery that a player wants again. False if none is
 * due. Uses transactions of its own on `db`. */
bool webhook_channel_repeat(struct channels *channels, struct ticker *ticker, struct db *db);

#endif
