/* `tillroll verify --deposit`: checks whether the service has taken a move that was left with
 * witnesses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/table.h"
#include "engine/log/bundle.h"
#include "engine/log/deposit.h"

static void print_fault(const char *path, const struct record_fault *fault)
{
    table_say(stdout, "%s: not judged: %s: %s\n", path, fault->code, fault->message);
}

/* The latest of the times at which the policy's witnesses have stored the move. False, with a
 * message, if the policy does not accept the receipt. */
static bool find_time(const char *path, const struct trust_policy *policy, const struct note *note,
                      uint64_t *time_s)
{
    struct trust_finding finding;
    struct record_fault fault;
    *time_s = 0;
    bool met = trust_policy_is_met(policy, note, 0, &finding, &fault);
    if (met && finding.count == 0)
        met = record_fault(&fault, "too-few-witnesses",
                           "No witness of the policy has signed the receipt.",
                           (struct span){NULL, 0});
    for (size_t i = 0; met && i < policy->parties; i++)
        if (finding.cosigned[i] && finding.time_s[i] > *time_s)
            *time_s = finding.time_s[i];
    if (!met)
        print_fault(path, &fault);
    return met;
}

static int judge(const struct deposit *deposit, uint64_t time_s, const char *record_path,
                 struct component_list *list)
{
    static struct deposit_room room; /* too large for the stack */
    struct bundle bundle;
    struct record_fault fault;
    char line[VERDICT_LINE_MAX];
    struct text said = TEXT_OVER(line);
    size_t length;
    char *bytes = cli_read_file(record_path, &length);
    if (bytes == NULL)
        return EXIT_UNKNOWN;
    bundle_split((struct span){bytes, length}, &bundle);
    enum deposit_finding finding = DEPOSIT_UNJUDGED;
    if (verdict_of_components(&bundle, list, &fault, &said) == VERDICT_VALID) {
        room.sets = component_list_sets(list);
        finding = deposit_judge(deposit, time_s, bundle.record, &room, &fault);
    }
    free(bytes);
    switch (finding) {
    case DEPOSIT_TAKEN:
        printf("%s: taken: the record has the move\n", record_path);
        return EXIT_YES;
    case DEPOSIT_LATE:
        table_say(stdout, "%s: line %u: %s: %s\n", record_path, fault.line, fault.code,
                  fault.message);
        return EXIT_YES;
    case DEPOSIT_DROPPED:
        table_say(stdout, "%s: line %u: %s: %s\n", record_path, fault.line, fault.code,
                  fault.message);
        return EXIT_NO;
    case DEPOSIT_UNJUDGED:
        break;
    }
    print_fault(record_path, &fault);
    return EXIT_UNKNOWN;
}

int cli_verify_deposit(const char *path, const struct trust_policy *policy, const char *record_path,
                       struct component_list *list)
{
    struct deposit deposit;
    struct note note;
    uint64_t time_s;
    size_t length;
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return EXIT_UNKNOWN;
    int status = EXIT_UNKNOWN;
    if (!deposit_read_file((struct span){bytes, length}, &deposit, &note))
        printf("%s: no deposit with its receipt, as `tillroll deposit` prints it\n", path);
    else if (!deposit_is_signed(&deposit))
        printf("%s: invalid: bad-signature: the key has not signed the move\n", path);
    else if (find_time(path, policy, &note, &time_s))
        status = judge(&deposit, time_s, record_path, list);
    free(bytes);
    return status;
}
