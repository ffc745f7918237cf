/* What `tillroll verify` looks at besides the record: who has signed it, and that it is in the
 * transparency log. */
#include <stdio.h>

#include "api/cli/cli.h"
#include "api/cli/verify_bundle.h"

bool verify_keys_read(struct verify_keys *keys, const char *option, const char *word)
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

/* The server has one key for both. */
static const struct note_key *record_key(const struct verify_keys *keys)
{
    return keys->has_record ? &keys->record : keys->has_log ? &keys->log : NULL;
}

static const struct note_key *log_key(const struct verify_keys *keys)
{
    return keys->has_log ? &keys->log : keys->has_record ? &keys->record : NULL;
}

static int invalid(const char *path, const struct record_fault *fault)
{
    cli_print_fault(stdout, path, REPLAY_INVALID, fault);
    return EXIT_NO;
}

/* A signature can't be judged without a key. */
static int unjudged(const char *path, const char *what)
{
    printf("%s: not judged: %s; name the server's key with --log-key\n", path, what);
    return EXIT_UNKNOWN;
}

static int check_signature(const char *path, const struct bundle *bundle,
                           const struct note_key *key)
{
    struct record_fault fault;
    if (key == NULL && bundle->note.length == 0)
        return EXIT_YES;
    if (!bundle_is_signed(bundle, key, &fault))
        return invalid(path, &fault);
    if (key == NULL)
        return unjudged(path, "who has signed it");
    printf("%s: signed by %s\n", path, key->name);
    return EXIT_YES;
}

static int check_proof(const char *path, const struct bundle *bundle, const struct note_key *key,
                       bool wanted)
{
    struct record_fault fault;
    struct checkpoint checkpoint;
    if (bundle->proof.length == 0 && !wanted)
        return EXIT_YES;
    if (!bundle_is_logged(bundle, key, &checkpoint, &fault))
        return invalid(path, &fault);
    if (key == NULL)
        return unjudged(path, "who has signed the log's checkpoint");
    printf("%s: in the log %.*s of %llu leaves\n", path, (int)checkpoint.origin.length,
           checkpoint.origin.at, (unsigned long long)checkpoint.size);
    return EXIT_YES;
}

int verify_bundle(const char *path, const struct bundle *bundle, const struct verify_keys *keys)
{
    int signature = check_signature(path, bundle, record_key(keys));
    int proof = check_proof(path, bundle, log_key(keys), keys->has_log);
    if (signature == EXIT_NO || proof == EXIT_NO)
        return EXIT_NO;
    return signature == EXIT_YES ? proof : signature;
}
