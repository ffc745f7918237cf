/* The table of `tillroll` subcommands. Parsing, help, the manual page and shell completion are all
 * derived from it, so they agree. */
#ifndef TILLROLL_API_CLI_COMMANDS_H
#define TILLROLL_API_CLI_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct cli_command;

/* Command i, or NULL past the last. */
const struct cli_command *cli_command_at(size_t i);

/* Prints `tillroll help [COMMAND]` and --help. */
void cli_print_help(FILE *file, const struct cli_command *command);

/* Prints the help of a command of one word (or NULL, if there is none), and a list of the commands
 * whose names begin with it. False if there are none; then, and if `file` is NULL, prints
 * nothing. */
bool cli_print_group(FILE *file, const struct cli_command *command, const char *word);

#endif
