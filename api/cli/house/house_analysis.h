/* Analyses that the house makes for the service, one at a time, while no move is due: it leases a
 * game (POST /v1/analyses/lease), reads its record, and delivers the plies as it goes. */
#ifndef TILLROLL_API_CLI_HOUSE_HOUSE_ANALYSIS_H
#define TILLROLL_API_CLI_HOUSE_HOUSE_ANALYSIS_H

#include "api/cli/client.h"
#include "engine/analysis/analysis.h"
#include "engine/base/counter.h"
#include "engine/game/component_list.h"

/* Zeroed: nothing to do yet. */
struct house_analysis {
    struct analysis *analysis;        /* NULL: none is being made */
    char *record;                     /* that it reads */
    struct component_list components; /* that the record names */
    char game[RECORD_ID_LENGTH + 1];
    unsigned attempt, delivered; /* of plies */
    json_t *plies;               /* that are not delivered yet */
    int64_t deliver_ms, look_ms; /* when to deliver, and to look for another; of CLOCK_MONOTONIC */
    bool refused;                /* by the service, for good */
    struct counter made;
};

/* Works for about `ms`, or less if cli_is_stopping(). If nothing is being made, and it is
 * time or `now`, asks the service for a game first. False if there is nothing to do. What fails is
 * left to the next one who asks. */
bool house_analysis_work(struct house_analysis *work, struct client *client, long ms, bool now);

/* Forgets what is being made. */
void house_analysis_drop(struct house_analysis *work);

#endif
