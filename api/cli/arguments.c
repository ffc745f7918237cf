/* The arguments of a command: reading them from the command line, and their values. */
#include <getopt.h>
#include <string.h>

#include "api/cli/cli.h"

/* ---- Words ---- */

bool cli_number(const char *word, const char *what, unsigned long min, unsigned long max,
                unsigned long *value)
{
    uint64_t number;
    if (word == NULL || !span_number(span_of(word), max, &number) || number < min) {
        fprintf(stderr, "tillroll: %s takes a number from %lu to %lu\n", what, min, max);
        return false;
    }
    *value = (unsigned long)number;
    return true;
}

bool cli_seed(const char *word, uint8_t seed[static CHANCE_SEED_BYTES])
{
    if (word != NULL && span_hex(span_of(word), seed, CHANCE_SEED_BYTES))
        return true;
    fprintf(stderr, "tillroll: --seed takes 64 lower-case hex digits\n");
    return false;
}

bool cli_option(const struct game *game, const char *assignment, struct game_options *options)
{
    const char *equals = strchr(assignment, '=');
    struct span name = span_of(assignment);
    if (equals != NULL)
        name.length = (size_t)(equals - assignment);
    int option = equals == NULL ? -1 : game_option_index(game, name);
    int value = option < 0 ? -1 : game_option_value(game, (size_t)option, span_of(equals + 1));
    if (value < 0) {
        fprintf(stderr, "tillroll: %s has no option \"%s\"; --option takes name=value:", game->slug,
                assignment);
        for (size_t i = 0; i < game->option_count; i++)
            for (const char *const *v = game->options[i].values; *v != NULL; v++)
                fprintf(stderr, " %s=%s", game->options[i].name, *v);
        fprintf(stderr, "\n");
        return false;
    }
    options->value[option] = (uint8_t)value;
    return true;
}

/* ---- Values ---- */

const char *cli_value_at(const struct cli_given *given, const char *name, size_t i)
{
    for (size_t at = 0; at < given->count; at++)
        if (strcmp(given->given[at].option->name, name) == 0 && i-- == 0)
            return given->given[at].value;
    return NULL;
}

const char *cli_value(const struct cli_given *given, const char *name)
{
    const char *value = NULL;
    for (size_t at = 0; at < given->count; at++)
        if (strcmp(given->given[at].option->name, name) == 0)
            value = given->given[at].value;
    return value;
}

bool cli_value_number(const struct cli_given *given, const char *name, unsigned long min,
                      unsigned long max, unsigned long initial, unsigned long *value)
{
    const char *word = cli_value(given, name);
    char bytes[64];
    struct text option = TEXT_OVER(bytes);
    text_add(&option, "--");
    text_add(&option, name);
    *value = initial;
    return word == NULL || cli_number(word, bytes, min, max, value);
}

bool cli_options(const struct cli_given *given, const struct game *game,
                 struct game_options *options)
{
    const char *assignment;
    *options = game_options_initial(game);
    for (size_t i = 0; (assignment = cli_value_at(given, "option", i)) != NULL; i++)
        if (!cli_option(game, assignment, options))
            return false;
    return true;
}

/* ---- Usage ---- */

bool cli_is_needed(const struct cli_command *command, const char *option)
{
    struct span rest = span_of(command->needs == NULL ? "" : command->needs);
    while (rest.length > 0)
        if (span_is(span_word(&rest), option))
            return true;
    return false;
}

/* Adds a part of a usage, on a new line if there is no more room on this one. */
static void print_part(FILE *file, const char *part, int *column)
{
    enum { USAGE_INDENT = 9 };
    int length = (int)strlen(part);
    if (*column + 1 + length > CLI_LINE)
        *column = fprintf(file, "\n%*s%s", USAGE_INDENT, "", part) - 1;
    else
        *column += fprintf(file, " %s", part);
}

void cli_print_usage(FILE *file, const struct cli_command *command)
{
    int column = fprintf(file, "usage: tillroll %s", command->name);
    for (const struct cli_option *each = command->options; each->name != NULL; each++) {
        char bytes[128];
        struct text part = TEXT_OVER(bytes);
        bool needed = cli_is_needed(command, each->name);
        text_add_all(&part, needed ? "--" : "[--", each->name, each->value == NULL ? "" : " ",
                     each->value == NULL ? "" : each->value, needed ? "" : "]");
        print_part(file, bytes, &column);
    }
    if (command->words[0] != '\0')
        print_part(file, command->words, &column);
    fputc('\n', file);
}

int cli_wrong_usage(const struct cli_given *given, const char *why)
{
    const char *name = given->command->name;
    if (why != NULL)
        fprintf(stderr, "tillroll: %s: %s\n", name, why);
    cli_print_usage(stderr, given->command);
    fprintf(stderr, "`tillroll help %s` explains each of them.\n", name);
    return EXIT_UNKNOWN;
}

/* ---- Reading ---- */

enum { OPTIONS_MAX = 16 };

/* Reports a wrong number of arguments. */
static int wrong_words(const struct cli_given *given)
{
    char bytes[256];
    struct text why = TEXT_OVER(bytes);
    if (given->words > given->command->words_max) {
        text_add(&why, "unexpected argument: ");
        text_add(&why, given->word[given->command->words_max]);
    } else {
        text_add_all(&why, "takes ", given->command->words,
                     given->words == 0 ? "" : ", and an argument is missing");
    }
    return cli_wrong_usage(given, bytes);
}

/* Reports an option that getopt_long() rejected: `c` is its result. */
static int wrong_option(const struct cli_given *given, int c, const char *word)
{
    char bytes[256];
    struct text why = TEXT_OVER(bytes);
    if (given->count == CLI_GIVEN_MAX) {
        text_add(&why, "there are too many options");
    } else {
        text_add(&why, c == ':' ? "a value is missing after " : "there is no option ");
        text_add(&why, word);
    }
    return cli_wrong_usage(given, bytes);
}

/* Reports the first required option that was not given. Returns 0 if none is missing. */
static int find_missing(const struct cli_given *given)
{
    char bytes[64];
    struct text why = TEXT_OVER(bytes);
    for (const struct cli_option *each = given->command->options; each->name != NULL; each++)
        if (cli_is_needed(given->command, each->name) && cli_value(given, each->name) == NULL) {
            text_add_all(&why, "--", each->name, " is missing");
            return cli_wrong_usage(given, bytes);
        }
    return 0;
}

int cli_read_given(const struct cli_command *command, int argc, char **argv,
                   struct cli_given *given)
{
    struct option options[OPTIONS_MAX + 1] = {{NULL, 0, NULL, 0}};
    for (int i = 0; command->options[i].name != NULL; i++)
        options[i] = (struct option){
            command->options[i].name,
            command->options[i].value == NULL ? no_argument : required_argument, NULL, i};
    *given = (struct cli_given){.command = command};
    optind = 1;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        if (c == '?' || c == ':' || given->count == CLI_GIVEN_MAX)
            return wrong_option(given, c, argv[optind - 1]);
        given->given[given->count].option = &command->options[c];
        given->given[given->count++].value = optarg == NULL ? "" : optarg;
    }
    given->word = argv + optind;
    given->words = argc - optind;
    return given->words >= command->words_min && given->words <= command->words_max
               ? find_missing(given)
               : wrong_words(given);
}
