/* Who the entrants of a loaded event are: its log holds ids, people have names. */
#ifndef TILLROLL_API_EVENT_PEOPLE_H
#define TILLROLL_API_EVENT_PEOPLE_H

#include "api/event_load.h"

/* In the call's arena. */
struct event_people {
    const struct tournament *tournament;
    const char **name; /* by entry; "" for nobody */
};

/* False with a problem. */
bool event_people_load(struct call *call, const struct loaded_event *loaded,
                       struct event_people *people);

/* {"id", "name"} of an entry. */
json_t *event_person(const struct event_people *people, uint16_t entry);

/* The same with the `number`. */
json_t *event_numbered_person(const struct event_people *people, uint16_t entry);

/* The id of an entry. */
struct id event_person_id(const struct tournament *tournament, uint16_t entry);

#endif
