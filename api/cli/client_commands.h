/* Commands that talk to a service, by file. Their arguments are described in api/cli/commands.c;
 * each returns an exit status. */
#ifndef TILLROLL_API_CLI_CLIENT_COMMANDS_H
#define TILLROLL_API_CLI_CLIENT_COMMANDS_H

#include "api/cli/commands.h"

/* account.c */
int cli_register(const struct cli_given *given);
int cli_login(const struct cli_given *given);
int cli_logout(const struct cli_given *given);
int cli_whoami(const struct cli_given *given);

/* browse.c */
int cli_events(const struct cli_given *given);
int cli_event_show(const struct cli_given *given);
int cli_event_entries(const struct cli_given *given);
int cli_event_log(const struct cli_given *given);
int cli_pairings(const struct cli_given *given);
int cli_standings(const struct cli_given *given);
int cli_leaderboard(const struct cli_given *given);
int cli_games(const struct cli_given *given);

/* act.c */
int cli_event_create(const struct cli_given *given);
int cli_event_change(const struct cli_given *given);
int cli_event_open(const struct cli_given *given);
int cli_event_close_entries(const struct cli_given *given);
int cli_event_pairing(const struct cli_given *given);
int cli_event_close(const struct cli_given *given);
int cli_event_cancel(const struct cli_given *given);
int cli_event_hold(const struct cli_given *given);
int cli_event_import(const struct cli_given *given);
int cli_enter(const struct cli_given *given);
int cli_leave(const struct cli_given *given);
int cli_api(const struct cli_given *given);

/* play.c */
int cli_view(const struct cli_given *given);
int cli_moves(const struct cli_given *given);
int cli_sample(const struct cli_given *given);
int cli_move(const struct cli_given *given);
int cli_record(const struct cli_given *given);

/* bot.c */
int cli_bot(const struct cli_given *given);

/* house.c */
int cli_house(const struct cli_given *given);

/* watch.c */
int cli_watch(const struct cli_given *given);

#endif
