/* `tillroll verify`: proves finished records offline, without a server. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/verify_bundle.h"
#include "engine/signature.h"

static const char usage[] =
    "usage: tillroll verify [--log-key VKEY] [--key VKEY] FILE...\n"
    "       tillroll verify --signatures FILE RECORD\n"
    "       tillroll verify --receipt FILE --key HEX [RECORD]\n"
    "Verifies records. Exit 0 if all are valid, 1 if one is not, 2 if one cannot be judged.\n"
    "With --log-key: and that the server has signed them and has them in its log, as it proves in\n"
    "/v1/games/<id>/record.bundle; with --key alone: that it has signed them (record.note).\n"
    "With --signatures: verifies a record and the players' signatures of its moves.\n"
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
        printf("%s: valid: %s %s, %u plies%s\n", path, replay.header.game->slug,
               replay.header.game->version, (unsigned)replay.plies, replay.voided ? ", void" : "");
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

static int check_signatures(const char *path, struct span record, struct span signatures)
{
    struct signature_count count;
    struct record_fault fault;
    if (!signature_check(record, signatures, &count, &fault)) {
        cli_print_fault(stdout, path, REPLAY_INVALID, &fault);
        return EXIT_NO;
    }
    printf(
        "%s: valid: %u of %u plies of seats with a key are signed, and the entropy of %u seats\n",
        path, (unsigned)count.good, (unsigned)count.plies, (unsigned)count.entropy);
    return EXIT_YES;
}

static int verify_signed(const char *signatures_path, const char *path)
{
    struct bundle bundle;
    size_t length;
    size_t signatures_length;
    int status = EXIT_UNKNOWN;
    char *bytes = cli_read_file(path, &length);
    char *signatures = bytes == NULL ? NULL : cli_read_file(signatures_path, &signatures_length);
    if (signatures != NULL) {
        bundle_split((struct span){bytes, length}, &bundle);
        status = verify_record(path, bundle.record);
        if (status != EXIT_NO &&
            check_signatures(signatures_path, bundle.record,
                             (struct span){signatures, signatures_length}) == EXIT_NO)
            status = EXIT_NO;
    }
    free(signatures);
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
    if (argc == 4 && strcmp(argv[1], "--signatures") == 0)
        return verify_signed(argv[2], argv[3]);
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
