/* `tillroll demo --club`: an example club with events, games and players. */
#ifndef TILLROLL_API_CLI_DEMO_CLUB_H
#define TILLROLL_API_CLI_DEMO_CLUB_H

#include "api/cli/cli.h"

/* Creates the club over REST. Returns an exit status. */
int cli_club(const struct cli_given *given);

#endif
