/* A player's own program at one seat of one game: it receives its decisions and answers with moves
 * (web-static/docs/reference/bot-protocol.md). Errors are reported on standard error and the
 * program is asked again; one that has ended or takes too long is restarted. */
#ifndef TILLROLL_API_CLI_BOTS_BOT_PROGRAM_H
#define TILLROLL_API_CLI_BOTS_BOT_PROGRAM_H

#include <jansson.h>
#include <stdbool.h>

#include "api/cli/bots/player.h"
#include "api/cli/bots/program.h"

struct bot_program_settings {
    const char *command;   /* a shell command */
    unsigned long move_ms; /* per decision */
    unsigned long tries;   /* failures at one decision before giving up */
};

/* One decision. Everything is borrowed. */
struct bot_question {
    const char *game; /* the game's name in messages */
    const json_t *seq, *view, *moves;
    /* Creates the message `game`, which the program receives when it starts; NULL with a message on
     * standard error. */
    json_t *(*hello)(void *context);
    void *context;
};

struct bot_program;

/* Creates a program; it is started for its first decision. Never NULL. `settings` must outlive it.
 */
struct bot_program *bot_program_new(const struct bot_program_settings *settings);

/* Ends the program. NULL is fine. */
void bot_program_free(struct bot_program *program);

/* Asks the program to choose one of the moves. False, with a message, after too many failures. */
bool bot_program_decide(struct bot_program *program, const struct bot_question *question,
                        char move[static PROGRAM_LINE_MAX + 1]);

/* Sends the outcome of the game if the program is running: `seats` as in the game's document. */
void bot_program_over(struct bot_program *program, const json_t *seats);

/* Creates the message `game`. `options` is consumed, the other references are borrowed;
 * `components` is the SHA-256 of a component set, NULL = the ruleset's own. */
json_t *bot_program_hello(const char *game, const json_t *ruleset, const char *components,
                          json_t *options, const json_t *seats, json_int_t seat);

/* ---- One program per game ---- */

/* Programs that play for an account, one per game (api/cli/bots/bot_program.h). */

struct bot_exec;

/* Creates the programs of an account. Never NULL. `settings` must outlive them. */
struct bot_exec *bot_exec_new(const struct bot_program_settings *settings);

/* Ends all programs. NULL is fine. */
void bot_exec_free(struct bot_exec *bots);

/* Plays like player_turn(), but the program decides. TURN_FAILED with a message on standard error,
 * and `program_failed` set if the program was the cause. */
enum turn bot_exec_turn(struct bot_exec *bots, struct client *client, const char *game,
                        const struct signer *signer, bool *program_failed);

/* Sends the outcome to the programs of all games that were not met since the last call. To be
 * called after a pass over all running games. */
void bot_exec_end_others(struct bot_exec *bots, struct client *client);

#endif
