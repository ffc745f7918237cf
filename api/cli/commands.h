/* The table of `tillroll` subcommands. Parsing, help, the manual page and shell completion are all
 * derived from it, so they agree. */
#ifndef TILLROLL_API_CLI_COMMANDS_H
#define TILLROLL_API_CLI_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct cli_option {
    const char *name;  /* without `--`; NULL ends a list */
    const char *value; /* its value: `FILE`, `sensible|random`; NULL = none */
    const char *help;
};

struct cli_given;

struct cli_command {
    const char *name;  /* one word, or two: `event show` */
    const char *words; /* its arguments: `EVENT [ROUND]`; "" for none */
    int words_min, words_max;
    const char *summary; /* a sentence without initial capital and full stop */
    const char *text;    /* more, or NULL */
    const struct cli_option *options;
    const char *needs; /* options that must be given, separated by spaces; or NULL */
    int (*run)(const struct cli_given *given); /* either this function, */
    int (*main)(int argc, char **argv); /* or this one, with its own parsing; argv[0] is the name */
};

enum { CLI_WORDS_MANY = 10000 };

/* Command i, or NULL past the last. */
const struct cli_command *cli_command_at(size_t i);

/* The parsed arguments of a command. */
enum { CLI_GIVEN_MAX = 64 };
struct cli_given {
    const struct cli_command *command;
    struct {
        const struct cli_option *option;
        const char *value; /* "" for an option without value */
    } given[CLI_GIVEN_MAX];
    size_t count;
    char **word;
    int words;
};

/* The i-th value of an option, or NULL. */
const char *cli_value_at(const struct cli_given *given, const char *name, size_t i);

/* The last value, or NULL. */
const char *cli_value(const struct cli_given *given, const char *name);

/* The number given to an option, `initial` if it was not given. False with a message unless it is
 * from min to max. */
bool cli_value_number(const struct cli_given *given, const char *name, unsigned long min,
                      unsigned long max, unsigned long initial, unsigned long *value);

/* Reports wrong arguments on standard error (`why`: the end of a sentence without full stop; NULL
 * if it has been printed already), and the usage. Returns the exit status for wrong usage. */
int cli_wrong_usage(const struct cli_given *given, const char *why);

/* Runs the program's command line; argv[0] is the program. Returns the exit status. */
int cli_run(int argc, char **argv);

/* Prints `tillroll help [COMMAND]` and --help. */
void cli_print_help(FILE *file, const struct cli_command *command);

/* Prints the help of a command of one word (or NULL, if there is none), and a list of the commands
 * whose names begin with it. False if there are none; then, and if `file` is NULL, prints
 * nothing. */
bool cli_print_group(FILE *file, const struct cli_command *command, const char *word);

/* True if the command needs the option. */
bool cli_is_needed(const struct cli_command *command, const char *option);

/* `usage: tillroll move [--seq N] ... GAME MOVE...`, on as many lines as it takes. */
void cli_print_usage(FILE *file, const struct cli_command *command);

/* `tillroll man`: the manual page; `tillroll completion`: a script for bash. */
int cli_manual(const struct cli_given *given);
int cli_completion(const struct cli_given *given);

#endif
