/* An event in mid-course: numbered entries, and rounds of finished games at tables drawn at
 * random. */
#ifndef TILLROLL_TESTS_FILL_EVENT_H
#define TILLROLL_TESTS_FILL_EVENT_H

#include "fill_store.h"

struct fill_event {
    const struct game *ruleset;
    unsigned seats;   /* at each table; whoever is left over has a bye */
    unsigned entries; /* the first so many of the players */
    unsigned rounds;
};

/* Makes the event with the first player as its organizer, and prints its id. */
void fill_event_make(const struct fill_event *event, const char *url, struct fill_store *store,
                     struct fill_maker *maker);

#endif
