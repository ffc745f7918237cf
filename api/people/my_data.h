/* An account's obligations, and the export of its data. */
#ifndef TILLROLL_API_PEOPLE_MY_DATA_H
#define TILLROLL_API_PEOPLE_MY_DATA_H

#include "api/request/call.h"

/* True if the caller's account can be deleted: neither it nor its bots have a seat in a running or
 * waiting game or are entered in an event that is not over, and no event visible to others would be
 * left without organizer. Otherwise false with `still-needed` or `last-organizer`, whose detail
 * names a few of the reasons. Runs in the open transaction; the account must be locked. */
bool my_data_is_free(struct call *call);

#endif
