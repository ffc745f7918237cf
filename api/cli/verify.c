/* `tillroll verify`: proves finished records offline, without a server. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"

static const char usage[] =
    "usage: tillroll verify FILE...\n"
    "       tillroll verify --receipt FILE --key HEX [RECORD]\n"
    "Verifies records. Exit 0 if all are valid, 1 if one is not, 2 if one cannot be judged.\n"
    "With --receipt: verifies the answer to a move, by the server's public key, and that the "
    "record\n"
    "holds what it promised.\n";

void cli_print_fault(FILE *file, const char *path, enum replay_verdict verdict,
                     const struct record_fault *fault)
{
    if (verdict == REPLAY_UNFINISHED)
        fprintf(file, "%s: unfinished: %s\n", path, fault->message);
    else if (fault->line == 0)
        fprintf(file, "%s: invalid: %s: %s\n", path, fault->code, fault->message);
    else
        fprintf(file, "%s: invalid: line %u: %s: %s\n", path, (unsigned)fault->line, fault->code,
                fault->message);
}

static int verify(const char *path)
{
    static struct replay replay; /* large */
    struct record_fault fault;
    size_t length;
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return EXIT_UNKNOWN;
    enum replay_verdict verdict = replay_verify((struct span){bytes, length}, &replay, &fault);
    free(bytes);
    if (verdict == REPLAY_VALID) {
        printf("%s: valid: %s %s, %u plies\n", path, replay.header.game->slug,
               replay.header.game->version, (unsigned)replay.plies);
        return EXIT_YES;
    }
    cli_print_fault(stdout, path, verdict, &fault);
    return verdict == REPLAY_INVALID ? EXIT_NO : EXIT_UNKNOWN;
}

int cli_verify(int argc, char **argv)
{
    bool invalid = false;
    bool unknown = false;
    if (argc > 1 && strcmp(argv[1], "--receipt") == 0)
        return cli_verify_receipt(argc - 1, argv + 1);
    if (argc < 2 || argv[1][0] == '-') {
        fputs(usage, stderr);
        return EXIT_UNKNOWN;
    }
    for (int i = 1; i < argc; i++) {
        int status = verify(argv[i]);
        invalid = invalid || status == EXIT_NO;
        unknown = unknown || status == EXIT_UNKNOWN;
    }
    if (invalid)
        return EXIT_NO;
    return unknown ? EXIT_UNKNOWN : EXIT_YES;
}
