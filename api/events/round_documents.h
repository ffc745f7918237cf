/* Documents of rounds. */
#ifndef TILLROLL_API_EVENTS_ROUND_DOCUMENTS_H
#define TILLROLL_API_EVENTS_ROUND_DOCUMENTS_H

#include "api/event/event_load.h"

/* Answers with a started round: its tables, games and byes. A response with status 200 gets an
 * entity tag. False with a problem: `not-found` for a round that has not been started. */
bool round_answer(struct call *call, const struct loaded_event *loaded, unsigned number,
                  int status);

/* `/v1/events/<event>/rounds/<number>`, or `.../next` for 0; owned by the call's arena. */
const char *round_address(struct call *call, const struct id *event, unsigned number);

/* A table with the result that counts and its report; `waiting` is always null. */
json_t *round_table_document(const struct event_people *people,
                             const struct tournament_table *table);

#endif
