/* What a player has chosen about notices, as documents of the API. */
#ifndef TILLROLL_API_PEOPLE_WISHES_H
#define TILLROLL_API_PEOPLE_WISHES_H

#include "api/request/call.h"

/* {"channels", "language", "time_zone", "quiet_hours", "digest_at", "kinds"} of the caller. NULL
 * with a problem. */
json_t *wishes_document(struct call *call);

/* {"items": [{"player", "since"}], "next"} of those whom the caller follows. NULL with a problem.
 */
json_t *wishes_following(struct call *call);

#endif
