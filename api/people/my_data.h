/* What an account is tied to, and a copy of what is known of it. */
#ifndef TILLROLL_API_PEOPLE_MY_DATA_H
#define TILLROLL_API_PEOPLE_MY_DATA_H

#include "api/request/call.h"

/* True if nobody waits for the caller's account: neither it nor one of its bots has a seat in a
 * game that runs or waits to start, or is entered in an event that is not over, and no event that
 * others have seen would be without organizer. Otherwise false with `still-needed` or
 * `last-organizer`, whose sentence names a few. In the open transaction; the caller holds the
 * account's lock. */
bool my_data_is_free(struct call *call);

#endif
