/* Renders the table of commands for people and for shells. */
#include <string.h>

#include "api/base/version.h"
#include "api/cli/cli.h"
#include "api/cli/commands.h"
#include "engine/game/catalog.h"

enum { INDENT = 22 };

/* ---- Help ---- */

/* Wraps a text into lines that begin at `indent`; the first starts at `column`. */
static void print_wrapped(FILE *file, const char *text, int indent, int column)
{
    bool first = true;
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (!first && column + 1 + length > CLI_LINE) {
            fprintf(file, "\n%*s", indent, "");
            column = indent;
            first = true;
        }
        column += fprintf(file, "%s%.*s", first ? "" : " ", length, text);
        text += length + (text[length] == ' ');
        first = false;
    }
    fputc('\n', file);
}

static void print_sentence(FILE *file, const char *summary)
{
    int first = summary[0] >= 'a' && summary[0] <= 'z' ? summary[0] - 'a' + 'A' : summary[0];
    fputc(first, file);
    print_wrapped(file, summary + 1, 0, 1);
}

static void print_command(FILE *file, const struct cli_command *command)
{
    cli_print_usage(file, command);
    print_sentence(file, command->summary);
    if (command->text != NULL)
        print_wrapped(file, command->text, 0, 0);
    for (const struct cli_option *each = command->options; each->name != NULL; each++) {
        int column = fprintf(file, "  --%s%s%s", each->name, each->value == NULL ? "" : " ",
                             each->value == NULL ? "" : each->value);
        if (column >= INDENT) {
            fputc('\n', file);
            column = 0;
        }
        fprintf(file, "%*s", INDENT - column, "");
        print_wrapped(file, each->help, INDENT, INDENT);
    }
}

static void print_name(FILE *file, const struct cli_command *command)
{
    fprintf(file, "  %-19s ", command->name);
    print_wrapped(file, command->summary, INDENT, INDENT);
}

void cli_print_help(FILE *file, const struct cli_command *command)
{
    if (command != NULL) {
        print_command(file, command);
        return;
    }
    fprintf(file, "usage: tillroll COMMAND ...\n"
                  "       tillroll --version\n");
    for (size_t i = 0; (command = cli_command_at(i)) != NULL; i++)
        print_name(file, command);
    fprintf(file, "`tillroll help COMMAND` or `tillroll COMMAND --help` describes a command.\n");
}

bool cli_print_group(FILE *file, const struct cli_command *command, const char *word)
{
    const size_t length = strlen(word);
    bool found = false;
    for (size_t i = 0; cli_command_at(i) != NULL; i++) {
        const struct cli_command *each = cli_command_at(i);
        if (strncmp(each->name, word, length) != 0 || each->name[length] != ' ')
            continue;
        if (file == NULL)
            return true;
        if (!found && command != NULL) {
            print_command(file, command);
            fprintf(file, "Other commands that begin with %s:\n", word);
        }
        found = true;
        print_name(file, each);
    }
    return found;
}

/* ---- The manual page (groff_man(7)) ---- */

static void print_roff(const char *text)
{
    bool starts = true;
    for (; *text != '\0'; text++) {
        if (starts && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '\\')
            fputs("\\e", stdout);
        else
            putchar(*text);
        starts = *text == '\n';
    }
    putchar('\n');
}

static void print_roff_option(const struct cli_option *option)
{
    printf(".TP\n.B \\-\\-");
    for (const char *c = option->name; *c != '\0'; c++)
        if (*c == '-')
            fputs("\\-", stdout);
        else
            putchar(*c);
    if (option->value != NULL)
        printf(" \\fI%s\\fR", option->value);
    putchar('\n');
    print_roff(option->help);
}

static void print_roff_command(const struct cli_command *command)
{
    printf(".SS ");
    print_roff(command->name);
    printf(".B tillroll ");
    fputs(command->name, stdout);
    fputs("\\fR", stdout);
    for (const struct cli_option *each = command->options; each->name != NULL; each++)
        if (cli_is_needed(command, each->name))
            printf(" \\-\\-%s \\fI%s\\fR", each->name, each->value);
    printf("%s%s%s\n.PP\n", command->options[0].name == NULL ? "" : " [\\fIoption\\fR]...",
           command->words[0] == '\0' ? "" : " ", command->words);
    print_roff(command->summary);
    if (command->text != NULL) {
        printf(".PP\n");
        print_roff(command->text);
    }
    for (const struct cli_option *each = command->options; each->name != NULL; each++)
        print_roff_option(each);
}

int cli_manual(const struct cli_given *given)
{
    (void)given;
    printf(".TH TILLROLL 1 \"\" \"Tillroll %s\" \"User Commands\"\n"
           ".SH NAME\ntillroll \\- tournaments of board games: play, organize, watch, prove\n"
           ".SH SYNOPSIS\n.B tillroll\n.I command\n[\\fIoption\\fR]... [\\fIargument\\fR]...\n"
           ".SH DESCRIPTION\nA client of a Tillroll service, with tools for its operators and "
           "auditors. "
           "EVENT and GAME are ids, or addresses of pages that end in one.\n"
           ".SH COMMANDS\n",
           version_text());
    for (size_t i = 0; cli_command_at(i) != NULL; i++)
        print_roff_command(cli_command_at(i));
    printf(".SH EXIT STATUS\n0: success; 1: refused, or invalid; 2: cannot "
           "be determined, the command line is wrong, or the output could not be written.\n"
           ".SH ENVIRONMENT\n.TP\n.B TILLROLL_SERVER\nthe service to talk to\n.TP\n"
           ".B TILLROLL_TOKEN\na token to use instead of the stored ones\n.TP\n"
           ".B TILLROLL_DATABASE\nthe database, for commands that work on one; if it is not set, "
           "DATABASE_URL\n"
           ".SH FILES\n.TP\n.I $XDG_CONFIG_HOME/tillroll/accounts.json\n"
           "or below ~/.config: sessions started by register and login, by server and "
           "name, readable only by you (mode 0600)\n");
    return EXIT_YES;
}

/* ---- Completion ---- */

/* The length of the first word of a two-word name, if no earlier command begins with the same word;
 * else 0. */
static size_t starts_group(size_t at)
{
    const char *name = cli_command_at(at)->name;
    const size_t length = strcspn(name, " ");
    for (size_t i = 0; i < at; i++)
        if (strncmp(cli_command_at(i)->name, name, length + 1) == 0)
            return 0;
    return name[length] == ' ' ? length : 0;
}

/* True if this one word is a command's name. */
static bool is_whole(struct span word)
{
    for (size_t i = 0; cli_command_at(i) != NULL; i++)
        if (span_is(word, cli_command_at(i)->name))
            return true;
    return false;
}

/* The words with which a command can begin. */
static void print_first_words(void)
{
    for (size_t i = 0; cli_command_at(i) != NULL; i++) {
        const char *name = cli_command_at(i)->name;
        const size_t length = strcspn(name, " ");
        if (name[length] == '\0' || (starts_group(i) > 0 && !is_whole((struct span){name, length})))
            printf(" %.*s", (int)length, name);
    }
}

/* Prints, for each word that begins several commands, the words that can follow. */
static void print_second_words(void)
{
    printf("    case \"$command\" in\n");
    for (size_t i = 0; cli_command_at(i) != NULL; i++) {
        const char *first = cli_command_at(i)->name;
        const size_t length = starts_group(i);
        if (length == 0)
            continue;
        printf("    %.*s) seconds='", (int)length, first);
        for (size_t k = i; cli_command_at(k) != NULL; k++)
            if (strncmp(cli_command_at(k)->name, first, length + 1) == 0)
                printf(" %s", cli_command_at(k)->name + length + 1);
        printf("' ;;\n");
    }
    printf("    esac\n");
}

static void print_case(const struct cli_command *command)
{
    static const char *const named[] = {"FILE", "DIR", "BUNDLE", "RECORD", NULL};
    printf("    '%s') options='", command->name);
    for (const struct cli_option *each = command->options; each->name != NULL; each++)
        printf("--%s ", each->name);
    printf("--help' words='");
    /* Words in capitals are placeholders. */
    const bool given = command->words[0] >= 'a' && command->words[0] <= 'z';
    for (const char *c = command->words; given && *c != '\0' && *c != ' ' && *c != '['; c++)
        putchar(*c == '|' ? ' ' : *c);
    bool files = false;
    for (const char *const *each = named; *each != NULL; each++)
        files = files || strstr(command->words, *each) != NULL;
    printf("' files=%s ;;\n", files ? "yes" : "");
}

/* Prints what an option accepts: a file, a word from a list, or unknown. */
static void print_values(const struct cli_command *command)
{
    for (const struct cli_option *each = command->options; each->name != NULL; each++) {
        if (each->value == NULL)
            continue;
        printf("    '%s --%s') values='", command->name, each->name);
        for (const char *c = each->value; strchr(each->value, '|') != NULL && *c != '\0'; c++)
            putchar(*c == '|' ? ' ' : *c);
        for (size_t i = 0; strcmp(each->value, "SLUG") == 0 && catalog_at(i) != NULL; i++)
            printf("%s ", catalog_at(i)->slug);
        bool file = strcmp(each->value, "FILE") == 0 || strcmp(each->value, "DIR") == 0 ||
                    strcmp(each->value, "PROGRAM") == 0;
        printf("' files=%s taken=yes ;;\n", file ? "yes" : "");
    }
}

int cli_completion(const struct cli_given *given)
{
    if (strcmp(given->word[0], "bash") != 0) {
        fprintf(stderr, "tillroll: completion is available only for bash\n");
        return EXIT_UNKNOWN;
    }
    printf("# Completion of tillroll for bash, made by `tillroll completion bash`.\n"
           "_tillroll() {\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    local command=${COMP_WORDS[1]} second=${COMP_WORDS[2]} options= words= values= "
           "files= taken=\n"
           "    local seconds=\n"
           "    COMPREPLY=()\n");
    print_second_words();
    printf("    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W '");
    print_first_words();
    printf("' -- \"$current\"))\n        return\n    fi\n"
           "    if [ \"$COMP_CWORD\" -gt 2 ] && [[ \" $seconds \" = *\" $second \"* ]]; then\n"
           "        command=\"$command $second\"\n        seconds=\n    fi\n"
           "    case \"$command\" in\n");
    for (size_t i = 0; cli_command_at(i) != NULL; i++)
        print_case(cli_command_at(i));
    printf("    esac\n    [ \"$COMP_CWORD\" -eq 2 ] || seconds=\n"
           "    case \"$command $previous\" in\n");
    for (size_t i = 0; cli_command_at(i) != NULL; i++)
        print_values(cli_command_at(i));
    printf(
        "    esac\n"
        "    if [ -z \"$taken\" ] && [[ $current = -* ]]; then\n"
        "        COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n        return\n    fi\n"
        "    [ -n \"$taken\" ] || values=\"$words $seconds\"\n"
        "    COMPREPLY=($(compgen -W \"$values\" -- \"$current\"))\n"
        "    [ -z \"$files\" ] || COMPREPLY+=($(compgen -f -- \"$current\"))\n"
        "}\n"
        "complete -o filenames -F _tillroll tillroll\n");
    return EXIT_YES;
}
