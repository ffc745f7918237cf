/* Programs by others that play: one process a game, which is told of its decisions and answers with
 * moves (deploy/examples/BOTS.md). What it does wrong is said, and it is asked again; a process
 * that has ended, or takes too long, is started anew.
 */
#ifndef TILLROLL_API_CLI_BOT_EXEC_H
#define TILLROLL_API_CLI_BOT_EXEC_H

#include "api/cli/player.h"

struct bot_exec_settings {
    const char *program;
    unsigned long move_ms; /* for a decision */
    unsigned long tries;   /* for one, before the program has failed */
};

struct bot_exec;

/* Never NULL. `settings` must stay. */
struct bot_exec *bot_exec_new(const struct bot_exec_settings *settings);

/* Ends all programs. NULL is fine. */
void bot_exec_free(struct bot_exec *bots);

/* As player_turn(): has the program decide, if the client's player has to in this game. TURN_FAILED
 * with a message on standard error, and `program_failed` set if it was the program. */
enum turn bot_exec_turn(struct bot_exec *bots, struct client *client, const char *game,
                        const struct signer *signer, bool *program_failed);

/* When all running games have had their turns: tells the programs of those that were not among them
 * how they have ended. */
void bot_exec_end_others(struct bot_exec *bots, struct client *client);

#endif
