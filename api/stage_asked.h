/* Which stage of an event is asked for, after how many rounds: ?stage= and ?after_round=, beside
 * ?as_of=. */
#ifndef TILLROLL_API_STAGE_ASKED_H
#define TILLROLL_API_STAGE_ASKED_H

#include "api/event_load.h"

struct stage_asked {
    bool any_round, any_stage; /* not said */
    unsigned rounds;
    size_t stage; /* from 0 */
};

/* Reads the query. `bad-parameter` for anything else in it, but for the parameters in `further`
 * (NULL-terminated, or NULL), which are the caller's. */
bool stage_read_asked(struct call *call, const char *const *further, struct stage_asked *asked);

/* Fills in what was not said: all started rounds, the last stage that has begun. `bad-parameter`
 * for a round or a stage that has not. */
bool stage_settle(struct call *call, const struct loaded_event *loaded, struct stage_asked *asked);

#endif
