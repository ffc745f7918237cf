/* Analyses made for the service, one at a time, while no move is due: the house leases a game (POST
 * /v1/analyses/lease), reads its record, and delivers plies while it works. */
#ifndef TILLROLL_API_CLI_HOUSE_HOUSE_ANALYSIS_H
#define TILLROLL_API_CLI_HOUSE_HOUSE_ANALYSIS_H

#include "api/cli/client.h"
#include "engine/analysis/analysis.h"
#include "engine/base/counter.h"
#include "engine/game/component_list.h"

/* The current analysis; zeroed: none. */
struct house_analysis {
    struct analysis *analysis;        /* NULL: there is none */
    char *record;                     /* of the game */
    struct component_list components; /* named by the record */
    char game[RECORD_ID_LENGTH + 1];
    unsigned attempt, delivered; /* `delivered`: number of plies */
    json_t *plies;               /* not delivered yet */
    int64_t deliver_ms,
        look_ms;  /* when to deliver, and to ask for another game; of CLOCK_MONOTONIC */
    bool refused; /* the service makes analyses of another version: no more requests */
    struct counter made;
};

/* Works for about `ms`, or less if cli_is_stopping(). If there is no current analysis, and it is
 * time or `now`, asks the service for a game first. False if there is nothing to do. A failed
 * analysis is left to the next one to lease it. */
bool house_analysis_work(struct house_analysis *work, struct client *client, long ms, bool now);

/* Discards the current analysis. */
void house_analysis_drop(struct house_analysis *work);

#endif
