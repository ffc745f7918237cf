/* A player's settings for notices, as documents of the API. */
#ifndef TILLROLL_API_PEOPLE_WISHES_H
#define TILLROLL_API_PEOPLE_WISHES_H

#include "api/request/call.h"

/* The caller's settings: {"channels", "language", "time_zone", "quiet_hours", "digest_at",
 * "kinds"}. NULL with a problem. */
json_t *wishes_document(struct call *call);

/* The organizers that the caller follows: {"items": [{"player", "since"}], "next"}. NULL with a
 * problem. */
json_t *wishes_following(struct call *call);

#endif
