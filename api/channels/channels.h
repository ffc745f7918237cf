/* Web push and webhooks: channels of notices (api/notices/channel.h) to addresses that players have
 * entered, with a few threads for the tests and repeats that players request. */
#ifndef TILLROLL_API_CHANNELS_CHANNELS_H
#define TILLROLL_API_CHANNELS_CHANNELS_H

#include "api/channels/channels_config.h"

struct call;
struct channels;

/* Starts the threads. The key of web push is read, or created, as soon as the database answers.
 * NULL if the system has no threads left. */
struct channels *channels_new(const struct channels_config *config);

/* Waits for the threads, which stop what they are sending; no channel may be in use any more. NULL
 * is fine. */
void channels_free(struct channels *channels);

/* Reads an address from this field of the request's body, and checks that messages may be sent to
 * it. False with a problem. */
bool channels_read_address(struct call *call, const char *field, const char **address);

#endif
