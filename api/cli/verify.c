/* `tillroll verify`: proves finished records offline, without a server. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/verify_bundle.h"

static const char usage[] =
    "usage: tillroll verify [--log-key VKEY] [--key VKEY] FILE...\n"
    "       tillroll verify --receipt FILE --key HEX [RECORD]\n"
    "Verifies records. Exit 0 if all are valid, 1 if one is not, 2 if one cannot be judged.\n"
    "With --log-key: and that the server has signed them and has them in its log, as it proves in\n"
    "/v1/games/<id>/record.bundle; with --key alone: that it has signed them (record.note).\n"
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

static int verify_record(const char *path, struct span record)
{
    static struct replay replay; /* large */
    struct record_fault fault;
    enum replay_verdict verdict = replay_verify(record, &replay, &fault);
    if (verdict == REPLAY_VALID) {
        printf("%s: valid: %s %s, %u plies\n", path, replay.header.game->slug,
               replay.header.game->version, (unsigned)replay.plies);
        return EXIT_YES;
    }
    cli_print_fault(stdout, path, verdict, &fault);
    return verdict == REPLAY_INVALID ? EXIT_NO : EXIT_UNKNOWN;
}

static int verify(const char *path, const struct verify_keys *keys)
{
    struct bundle bundle;
    size_t length;
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return EXIT_UNKNOWN;
    bundle_split((struct span){bytes, length}, &bundle);
    int status = verify_record(path, bundle.record);
    if (status == EXIT_YES)
        status = verify_bundle(path, &bundle, keys);
    free(bytes);
    return status;
}

int cli_verify(int argc, char **argv)
{
    struct verify_keys keys = {.has_record = false};
    bool invalid = false;
    bool unknown = false;
    int first = 1;
    if (argc > 1 && strcmp(argv[1], "--receipt") == 0)
        return cli_verify_receipt(argc - 1, argv + 1);
    while (first + 1 < argc &&
           (strcmp(argv[first], "--log-key") == 0 || strcmp(argv[first], "--key") == 0)) {
        if (!verify_keys_read(&keys, argv[first], argv[first + 1]))
            return EXIT_UNKNOWN;
        first += 2;
    }
    if (first >= argc || argv[first][0] == '-') {
        fputs(usage, stderr);
        return EXIT_UNKNOWN;
    }
    for (int i = first; i < argc; i++) {
        int status = verify(argv[i], &keys);
        invalid = invalid || status == EXIT_NO;
        unknown = unknown || status == EXIT_UNKNOWN;
    }
    if (invalid)
        return EXIT_NO;
    return unknown ? EXIT_UNKNOWN : EXIT_YES;
}
