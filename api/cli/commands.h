/* The table of subcommands of `tillroll`: what each is called, takes and does. Reading the command
 * line, help, the manual page and completion in shells all come from it, so they say the same.
 */
#ifndef TILLROLL_API_CLI_COMMANDS_H
#define TILLROLL_API_CLI_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct cli_option {
    const char *name;  /* without `--`; NULL ends a list */
    const char *value; /* what it takes: `FILE`, `sensible|random`; NULL = nothing */
    const char *help;
};

struct cli_given;

struct cli_command {
    const char *name;  /* one word, or two: `event show` */
    const char *words; /* what follows: `EVENT [ROUND]`; "" for nothing */
    int words_min, words_max;
    const char *summary; /* a sentence without capital and dot */
    const char *text;    /* more, or NULL */
    const struct cli_option *options;
    int (*run)(const struct cli_given *given); /* one of these two: */
    int (*main)(int argc, char **argv);        /* reads its arguments itself; argv[0] is the name */
};

enum { CLI_WORDS_MANY = 10000 };

/* Command i, or NULL past the last. */
const struct cli_command *cli_command_at(size_t i);

/* What was given to a command, as its row of the table has it. */
enum { CLI_GIVEN_MAX = 64 };
struct cli_given {
    const struct cli_command *command;
    struct {
        const struct cli_option *option;
        const char *value; /* "" where it takes none */
    } given[CLI_GIVEN_MAX];
    size_t count;
    char **word;
    int words;
};

/* The i-th value that an option was given, or NULL. */
const char *cli_value_at(const struct cli_given *given, const char *name, size_t i);

/* The last one, or NULL. */
const char *cli_value(const struct cli_given *given, const char *name);

/* A decimal number that an option was given, `initial` if it was not. False with a message if it is
 * none from min to max. */
bool cli_value_number(const struct cli_given *given, const char *name, unsigned long min,
                      unsigned long max, unsigned long initial, unsigned long *value);

/* Says on standard error what is wrong with what was given (`why`: the end of a sentence without
 * dot; NULL if it has been said already), and what the command takes. Returns the exit status for
 * wrong usage. */
int cli_wrong_usage(const struct cli_given *given, const char *why);

/* Runs what the arguments of the program name; argv[0] is the program. Returns the exit status. */
int cli_run(int argc, char **argv);

/* `tillroll help [COMMAND]`, and what --help prints. */
void cli_print_help(FILE *file, const struct cli_command *command);

/* One line: `usage: tillroll move [--seq N] ... GAME MOVE...`. */
void cli_print_usage(FILE *file, const struct cli_command *command);

/* `tillroll man`: the manual page; `tillroll completion`: a script for bash. */
int cli_manual(const struct cli_given *given);
int cli_completion(const struct cli_given *given);

#endif
