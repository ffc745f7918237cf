/* `tillroll verify`: proves finished records offline, without a server. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "db/link/now.h"
#include "engine/log/bundle.h"

static const char usage[] =
    "usage: tillroll verify [--log-key VKEY] [--key VKEY] [--key-changes FILE]\n"
    "                       [--components FILE] FILE...\n"
    "       tillroll verify --policy FILE [--max-age HOURS] [--key VKEY] [--key-changes FILE] "
    "FILE...\n"
    "       tillroll verify --house [--components FILE] FILE...\n"
    "       tillroll verify --signatures FILE [--components FILE] RECORD\n"
    "       tillroll verify --receipt FILE --key HEX [RECORD]\n"
    "       tillroll verify --deposit FILE --policy FILE [--components FILE] RECORD\n"
    "Verifies records. Exit 0 if all are valid, 1 if one is not, 2 if one cannot be judged.\n"
    "With --log-key: also that the server has signed them and has them in its log, as proved in\n"
    "/v1/games/<id>/record.bundle; with --key alone: also that it has signed them (record.note).\n"
    "With --policy: that they are in one of the policy's logs, and that enough of its witnesses "
    "have\n"
    "cosigned the log's checkpoint (c2sp.org/tlog-policy); --max-age ignores older cosignatures.\n"
    "With --key-changes: also what later and earlier keys of the log have signed, if its history "
    "of\n"
    "keys (GET /v1/log/key-changes) leads from the trusted key to them.\n"
    "With --components: records of games with the component set in the file; may be repeated.\n"
    "With --house: also makes the decisions of house players again. Exit 3 if only another version "
    "of\n"
    "this program can do that.\n"
    "With --signatures: verifies a record and the players' signatures of its moves.\n"
    "With --receipt: verifies the response to a move with the server's public key, and that the "
    "record\n"
    "contains what it promised.\n"
    "With --deposit: whether the record has the move that was left with witnesses of the policy. "
    "Exit\n"
    "1 if it was left in time and the record goes on without it.\n";

static int exit_status(enum verdict verdict)
{
    static const int status[] = {
        [VERDICT_VALID] = EXIT_YES, [VERDICT_INVALID] = EXIT_NO, [VERDICT_UNKNOWN] = EXIT_UNKNOWN};
    return status[verdict];
}

/* `list` has the component sets given; that of the bundle is added. */
static enum verdict judge_record(const char *path, const struct bundle *bundle,
                                 struct component_list *list)
{
    static struct replay replay; /* too large for the stack */
    struct record_fault fault;
    char bytes[2 * VERDICT_LINE_MAX];
    struct text said = TEXT_OVER(bytes);
    enum verdict verdict = verdict_of_components(bundle, list, &fault, &said);
    if (verdict == VERDICT_VALID)
        verdict =
            verdict_of_record(bundle, component_list_sets(list), NULL, &replay, &fault, &said);
    if (verdict == VERDICT_VALID)
        verdict_say_luck(&replay, &said);
    cli_print_lines(stdout, path, &said);
    return verdict;
}

static enum verdict judge_bundle(const char *path, const struct bundle *bundle,
                                 const struct verdict_keys *given)
{
    struct verdict_keys keys = *given;
    struct key_chain chain;
    char bytes[5 * VERDICT_LINE_MAX];
    struct text said = TEXT_OVER(bytes);
    enum verdict changes = verdict_of_key_changes(bundle, &keys, &chain, &said);
    enum verdict signature = verdict_of_signature(bundle, &keys, &said);
    enum verdict players = verdict_of_bundled_players(bundle, &said);
    enum verdict proof = verdict_of_proof(bundle, &keys, &said);
    enum verdict witnesses = verdict_of_witnesses(bundle, &keys, &said);
    cli_print_lines(stdout, path, &said);
    return verdict_both(
        changes, verdict_both(verdict_both(signature, players), verdict_both(proof, witnesses)));
}

static int verify(const char *path, const struct verdict_keys *keys, struct component_list *list,
                  bool house)
{
    struct bundle bundle;
    size_t length;
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return EXIT_UNKNOWN;
    bundle_split((struct span){bytes, length}, &bundle);
    /* The file may be of any kind. */
    const char *kind = cli_binary_kind(bytes);
    if (kind != NULL)
        printf("%s: invalid: no-record: The file is %s. A record is text and begins with "
               "\"tillroll\".\n",
               path, kind);
    enum verdict verdict = kind != NULL ? VERDICT_INVALID : judge_record(path, &bundle, list);
    if (verdict == VERDICT_VALID)
        verdict = judge_bundle(path, &bundle, keys);
    else if (strncmp(bytes, "{\"bundle\":", 10) == 0)
        cli_tell_kind(path, bytes, false);
    else if (bytes[0] == '{')
        fprintf(stderr, "tillroll: %s is JSON; a receipt goes with --receipt FILE --key HEX\n",
                path);
    else if (kind == NULL && strncmp(bytes, "tillroll", 8) != 0)
        fprintf(stderr, "tillroll: %s is no record: one begins with \"tillroll\"\n", path);
    int status = exit_status(verdict);
    if (house && status == EXIT_YES)
        status = cli_verify_house(path, bundle.record, component_list_sets(list));
    free(bytes);
    return status;
}

static enum verdict judge_players(const char *path, struct span record, struct span signatures)
{
    char bytes[VERDICT_LINE_MAX];
    struct text said = TEXT_OVER(bytes);
    enum verdict verdict = verdict_of_players(record, signatures, &said);
    cli_print_lines(stdout, path, &said);
    return verdict;
}

static int verify_signed(const char *signatures_path, const char *path, struct component_list *list)
{
    struct bundle bundle;
    size_t length;
    size_t signatures_length;
    enum verdict verdict = VERDICT_UNKNOWN;
    char *bytes = cli_read_file(path, &length);
    char *signatures = bytes == NULL ? NULL : cli_read_file(signatures_path, &signatures_length);
    if (signatures != NULL) {
        bundle_split((struct span){bytes, length}, &bundle);
        verdict = judge_record(path, &bundle, list);
        if (verdict != VERDICT_INVALID)
            verdict =
                verdict_both(verdict, judge_players(signatures_path, bundle.record,
                                                    (struct span){signatures, signatures_length}));
    }
    free(signatures);
    free(bytes);
    return exit_status(verdict);
}

/* ---- Options ---- */

struct options {
    struct verdict_keys keys;
    struct trust_policy policy;
    char *policy_text, *changes_text;
    struct component_list components;
    bool house;
    const char *signatures, *deposit; /* paths, or NULL */
};

/* Reads the value of `--key` or `--log-key`. False with a message. */
static bool read_key(struct verdict_keys *keys, const char *option, const char *word)
{
    bool of_log = option[2] == 'l';
    struct note_key *key = of_log ? &keys->log : &keys->record;
    if (!note_key_read(span_of(word), key)) {
        fprintf(stderr,
                "tillroll: %s takes a verification key, <name>+<8 hex digits>+<base 64>; GET "
                "/v1/keys shows the server's\n",
                option);
        return false;
    }
    keys->has_record |= !of_log;
    keys->has_log |= of_log;
    return true;
}

static bool read_policy(struct options *options, const char *path)
{
    struct record_fault fault = {.line = 0};
    size_t length;
    free(options->policy_text);
    options->policy_text = cli_read_file(path, &length);
    if (options->policy_text == NULL)
        return false;
    options->keys.policy = &options->policy;
    if (trust_policy_read((struct span){options->policy_text, length}, &options->policy, &fault))
        return true;
    fprintf(stderr, "tillroll: %s: line %u: %s\n", path, fault.line, fault.message);
    return false;
}

static bool read_changes(struct options *options, const char *path)
{
    size_t length;
    free(options->changes_text);
    options->changes_text = cli_read_file(path, &length);
    if (options->changes_text != NULL)
        options->keys.key_changes = (struct span){options->changes_text, length};
    return options->changes_text != NULL;
}

static bool read_max_age(struct options *options, const char *word)
{
    enum { HOUR_S = 3600, HOURS_MAX = 1000000 };
    unsigned long hours;
    if (!cli_number(word, "--max-age", 1, HOURS_MAX, &hours))
        return false;
    int64_t not_before_s = now_ms(CLOCK_REALTIME) / 1000 - (int64_t)hours * HOUR_S;
    options->keys.not_before_s = not_before_s < 1 ? 1 : (uint64_t)not_before_s;
    return true;
}

/* Reads an option that has a value; `known` becomes false for another word. False with a
 * message. */
static bool read_option(struct options *options, const char *option, const char *value, bool *known)
{
    *known = true;
    if (strcmp(option, "--log-key") == 0 || strcmp(option, "--key") == 0)
        return read_key(&options->keys, option, value);
    if (strcmp(option, "--policy") == 0)
        return read_policy(options, value);
    if (strcmp(option, "--max-age") == 0)
        return read_max_age(options, value);
    if (strcmp(option, "--key-changes") == 0)
        return read_changes(options, value);
    if (strcmp(option, "--components") == 0)
        return cli_add_components(value, &options->components);
    if (strcmp(option, "--signatures") == 0)
        options->signatures = value;
    else if (strcmp(option, "--deposit") == 0)
        options->deposit = value;
    else
        *known = false;
    return true;
}

/* Reads the options before the files. False with a message; `first`: the first word after them. */
static bool read_options(struct options *options, int argc, char **argv, int *first)
{
    bool known = true;
    while (known && *first < argc) {
        if (strcmp(argv[*first], "--house") == 0) {
            options->house = true;
            ++*first;
            continue;
        }
        if (*first + 1 == argc)
            break;
        if (!read_option(options, argv[*first], argv[*first + 1], &known))
            return false;
        *first += known ? 2 : 0;
    }
    return true;
}

static int wrong_usage(void)
{
    fputs(usage, stderr);
    return EXIT_UNKNOWN;
}

/* Reports a wrong option; `late`: it follows a file. */
static int wrong_option(const char *word, bool late)
{
    fprintf(stderr,
            late ? "tillroll: verify: options stand before the files: %s\n"
                 : "tillroll: verify: there is no option %s, or its value is missing\n",
            word);
    return wrong_usage();
}

static int verify_all(int argc, char **argv, int first, struct options *options)
{
    const struct verdict_keys *keys = &options->keys;
    bool invalid = false;
    bool unknown = false;
    bool other = false;
    if (keys->policy == NULL ? keys->not_before_s > 0 : keys->has_log)
        return wrong_usage();
    for (int i = first; i < argc; i++) {
        int status = verify(argv[i], keys, &options->components, options->house);
        invalid = invalid || status == EXIT_NO;
        unknown = unknown || status == EXIT_UNKNOWN;
        other = other || status == EXIT_OTHER_VERSION;
    }
    if (invalid)
        return EXIT_NO;
    if (unknown)
        return EXIT_UNKNOWN;
    return other ? EXIT_OTHER_VERSION : EXIT_YES;
}

/* Signatures and deposits belong to one record, which must be the only one. */
static int verify_files(int argc, char **argv, int first, struct options *options)
{
    const struct verdict_keys *keys = &options->keys;
    const bool more = options->house || keys->has_log || keys->has_record ||
                      keys->not_before_s > 0 || keys->key_changes.length > 0;
    for (int i = first; i < argc; i++)
        if (argv[i][0] == '-' && argv[i][1] != '\0')
            return wrong_option(argv[i], i > first);
    if (first >= argc)
        return wrong_usage();
    if (options->signatures == NULL && options->deposit == NULL)
        return verify_all(argc, argv, first, options);
    if (more || first + 1 < argc || (options->deposit == NULL) != (keys->policy == NULL) ||
        (options->deposit == NULL) == (options->signatures == NULL))
        return wrong_usage();
    return options->deposit == NULL
               ? verify_signed(options->signatures, argv[first], &options->components)
               : cli_verify_deposit(options->deposit, keys->policy, argv[first],
                                    &options->components);
}

int cli_verify(int argc, char **argv)
{
    static struct options options; /* too large for the stack */
    int first = 1;
    options = (struct options){.policy_text = NULL};
    if (argc > 1 && strcmp(argv[1], "--receipt") == 0)
        return cli_verify_receipt(argc - 1, argv + 1);
    int status = EXIT_UNKNOWN;
    if (read_options(&options, argc, argv, &first))
        status = verify_files(argc, argv, first, &options);
    free(options.policy_text);
    free(options.changes_text);
    component_list_free(&options.components);
    return status;
}
