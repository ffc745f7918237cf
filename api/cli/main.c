#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "api/base/version.h"
#include "api/cli/cli.h"
#include "api/cli/commands.h"
#include "api/cli/nearest.h"

/* ---- Finding the command ---- */

/* The longest matching name: `event show` before `event`. `words`: its length in words. */
static const struct cli_command *find_command(int argc, char **argv, int *words)
{
    const struct cli_command *found = NULL;
    for (size_t i = 0; cli_command_at(i) != NULL; i++) {
        const char *name = cli_command_at(i)->name;
        const char *blank = strchr(name, ' ');
        size_t first = blank == NULL ? strlen(name) : (size_t)(blank - name);
        if (argc < 1 || strlen(argv[0]) != first || strncmp(argv[0], name, first) != 0)
            continue;
        if (blank != NULL && (argc < 2 || strcmp(argv[1], blank + 1) != 0))
            continue;
        if (found != NULL && blank == NULL)
            continue;
        found = cli_command_at(i);
        *words = blank == NULL ? 1 : 2;
    }
    return found;
}

/* The command whose name is most similar to the first word; for names of two words, the first must
 * match and the second be similar. NULL if none is close. */
static const struct cli_command *nearest_command(int argc, char **argv)
{
    const struct cli_command *found = NULL;
    size_t best = SIZE_MAX;
    bool first_is_right = false;
    for (size_t i = 0; cli_command_at(i) != NULL; i++)
        first_is_right = first_is_right || strcmp(cli_command_at(i)->name, argv[0]) == 0;
    for (size_t i = 0; cli_command_at(i) != NULL; i++) {
        const char *known = cli_command_at(i)->name;
        const char *word = argv[0];
        const char *blank = strchr(known, ' ');
        if (blank == NULL && first_is_right)
            continue;
        if (blank != NULL) {
            size_t first = (size_t)(blank - known);
            if (argc < 2 || strlen(word) != first || strncmp(word, known, first) != 0)
                continue;
            known = blank + 1;
            word = argv[1];
        }
        size_t distance = nearest_distance(word, known);
        if (distance < best && nearest_is_near(word, known)) {
            best = distance;
            found = cli_command_at(i);
        }
    }
    return found;
}

/* Reports an unknown command. `words`: the number of arguments that form the intended name. */
static int no_command(int argc, char **argv, int words)
{
    if (argc == 0) {
        cli_print_help(stderr, NULL);
        return EXIT_UNKNOWN;
    }
    if (argv[0][0] == '-') {
        fprintf(stderr,
                "tillroll: options follow a command: tillroll COMMAND %s ...\n"
                "`tillroll help` lists all commands.\n",
                argv[0]);
        return EXIT_UNKNOWN;
    }
    const struct cli_command *near = nearest_command(argc, argv);
    if (argc == 1 && cli_print_group(NULL, NULL, argv[0])) {
        fprintf(stderr, "tillroll: `%s` is only the first word of these commands:\n", argv[0]);
        (void)cli_print_group(stderr, NULL, argv[0]);
        return EXIT_UNKNOWN;
    }
    fprintf(stderr, "tillroll: there is no command `%s%s%s`", argv[0], words == 2 ? " " : "",
            words == 2 ? argv[1] : "");
    if (near != NULL)
        fprintf(stderr, "; did you mean `%s`?", near->name);
    fprintf(stderr, "\n`tillroll help` lists all commands.\n");
    return EXIT_UNKNOWN;
}

/* True if the word after `event`, which proves a file, was probably meant as part of a longer
 * name. */
static bool means_longer(int argc, char **argv)
{
    const struct cli_command *near = argc < 2 ? NULL : nearest_command(argc, argv);
    return near != NULL && strchr(near->name, ' ') != NULL && access(argv[1], F_OK) != 0;
}

static int help(int argc, char **argv)
{
    int words = 0;
    const struct cli_command *command = argc == 0 ? NULL : find_command(argc, argv, &words);
    if (argc == 1 && cli_print_group(stdout, command, argv[0]))
        return EXIT_YES;
    if (argc > words)
        return no_command(argc, argv, argc > 1 ? 2 : 1);
    cli_print_help(stdout, command);
    return EXIT_YES;
}

static bool wants_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

/* Runs the program's command line; argv[0] is the program. Returns the exit status. */
static int run(int argc, char **argv)
{
    int words = 0;
    const struct cli_command *command = find_command(argc - 1, argv + 1, &words);
    struct cli_given given;
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        printf("tillroll %s\n", version_text());
        return EXIT_YES;
    }
    if (wants_help(argc - 1, argv + 1)) {
        int named = argc > 1 && argv[1][0] != '-' && strcmp(argv[1], "help") != 0;
        return help(named ? words > 1 ? 2 : 1 : 0, argv + 1);
    }
    if (argc > 1 && strcmp(argv[1], "help") == 0)
        return help(argc - 2, argv + 2);
    if (command == NULL)
        return no_command(argc - 1, argv + 1, 1);
    if (words == 1 && means_longer(argc - 1, argv + 1))
        return no_command(argc - 1, argv + 1, 2);
    /* The last word of the name becomes argv[0]. */
    argc -= words;
    argv += words;
    if (command->main != NULL)
        return command->main(argc, argv);
    int wrong = cli_read_given(command, argc, argv, &given);
    return wrong != 0 ? wrong : command->run(&given);
}

/* ---- The program ---- */

int main(int argc, char **argv)
{
    if (sodium_init() < 0) {
        fprintf(stderr, "tillroll: libsodium cannot start\n");
        return EXIT_UNKNOWN;
    }
    int status = run(argc, argv);
    /* Output that was not written, as on a full disk, must not look like success. */
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "tillroll: the output could not be written%s%s\n", errno == 0 ? "" : ": ",
                errno == 0 ? "" : strerror(errno));
        return EXIT_UNKNOWN;
    }
    return status;
}
