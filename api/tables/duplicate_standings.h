/* Results and standings of duplicate events, by the pure functions of
 * engine/tournament/formats/duplicate/duplicate.h. On failure, these functions answer with a
 * problem and return false. */
#ifndef TILLROLL_API_TABLES_DUPLICATE_STANDINGS_H
#define TILLROLL_API_TABLES_DUPLICATE_STANDINGS_H

#include "api/event/event_load.h"
#include "engine/tournament/pairing/duplicate_board.h"

bool duplicate_is(const struct event *event);

/* The results and ranking of an event, with names. Players are indices as in
 * engine/tournament/pairing/duplicate_board.h. */
struct duplicate_event {
    const struct loaded_event *loaded;
    struct event_people people;
    struct duplicate_ranking ranking; /* freed by duplicate_free() */
};

/* Loads the opened results of the first `rounds` rounds. */
bool duplicate_load(struct call *call, const struct loaded_event *loaded, unsigned rounds,
                    struct duplicate_event *duplicate);
void duplicate_free(struct duplicate_event *duplicate);

/* The event's entry for an index of the pure functions. */
uint16_t duplicate_entry(const struct duplicate_event *duplicate, uint16_t index);

/* A share of the top, in percent, as a rational. */
json_t *duplicate_percent(struct share share);

/* Answers with the standings of a duplicate event, in the same form as for other formats. `only`:
 * the player whose row and place are requested; "" = all. */
void duplicate_answer_standings(struct call *call, const struct loaded_event *loaded,
                                unsigned rounds, const struct id *only);

#endif
