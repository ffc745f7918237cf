#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "api/cli/cli.h"

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"admin", cli_admin, "give roles, make accounts, reset passwords"},
    {"audit", cli_audit, "verify every record in a database"},
    {"bot", cli_bot, "play a player's games over REST"},
    {"demo", cli_demo, "play a whole event with bots"},
    {"event", cli_event, "prove an event from its bundle, offline"},
    {"case", cli_case, "run worked cases of a game's rules"},
    {"load", cli_load, "measure what a server bears"},
    {"match", cli_match, "play bots against each other, without a server"},
    {"migrate", cli_migrate, "bring the database up to date"},
    {"replay", cli_replay, "tell a recorded game ply by ply"},
    {"trace", cli_trace, "play given plies and print who may do what after each"},
    {"verify", cli_verify, "prove records, offline"},
};

static void print_usage(FILE *file)
{
    fprintf(file, "usage: tillroll COMMAND ...\n");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        fprintf(file, "  %-10s %s\n", commands[i].name, commands[i].summary);
}

int main(int argc, char **argv)
{
    if (sodium_init() < 0) {
        fprintf(stderr, "tillroll: libsodium cannot start\n");
        return EXIT_UNKNOWN;
    }
    for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    bool help = argc == 2 && strcmp(argv[1], "--help") == 0;
    print_usage(help ? stdout : stderr);
    return help ? EXIT_YES : EXIT_UNKNOWN;
}
