/* A program by others that plays at one seat of one game: it is told of its decisions and answers
 * with moves (web-static/docs/reference/bot-protocol.md). What it does wrong is said on standard
 * error, and it is asked again; one that has ended, or takes too long, is restarted.
 */
#ifndef TILLROLL_API_CLI_BOTS_BOT_PROGRAM_H
#define TILLROLL_API_CLI_BOTS_BOT_PROGRAM_H

#include <jansson.h>
#include <stdbool.h>

#include "api/cli/bots/player.h"
#include "api/cli/bots/program.h"

struct bot_program_settings {
    const char *command;   /* as a shell takes it */
    unsigned long move_ms; /* for a decision */
    unsigned long tries;   /* for one, before the program has failed */
};

/* One decision. All is borrowed. */
struct bot_question {
    const char *game; /* what messages call it */
    const json_t *seq, *view, *moves;
    /* Makes the message `game`, which a program receives when it is started; NULL with a message.
     */
    json_t *(*hello)(void *context);
    void *context;
};

struct bot_program;

/* Never NULL; the program is started with its first decision. `settings` must stay. */
struct bot_program *bot_program_new(const struct bot_program_settings *settings);

/* Ends it. NULL is fine. */
void bot_program_free(struct bot_program *program);

/* Has it decide: one of the moves. False, with a message, if it has failed as often as it may. */
bool bot_program_decide(struct bot_program *program, const struct bot_question *question,
                        char move[static PROGRAM_LINE_MAX + 1]);

/* Tells it how the game has ended, if it runs: `seats` is as in the document of the game. */
void bot_program_over(struct bot_program *program, const json_t *seats);

/* The message `game`. The references are borrowed, that of `options` is taken. */
json_t *bot_program_hello(const char *game, const json_t *ruleset, json_t *options,
                          const json_t *seats, json_int_t seat);

/* ---- One program a game ---- */

/* Programs by others that play for an account: one a game (api/cli/bots/bot_program.h). */

struct bot_exec;

/* Never NULL. `settings` must stay. */
struct bot_exec *bot_exec_new(const struct bot_program_settings *settings);

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
