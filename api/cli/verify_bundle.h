/* Checking what stands around a record in a bundle (engine/bundle.h). */
#ifndef TILLROLL_API_CLI_VERIFY_BUNDLE_H
#define TILLROLL_API_CLI_VERIFY_BUNDLE_H

#include "engine/bundle.h"

/* Whom to believe; zeroed, nobody. One key alone counts for both. */
struct verify_keys {
    bool has_record, has_log;
    struct note_key record; /* --key: signs records */
    struct note_key log;    /* --log-key: signs the log's checkpoints */
};

/* Takes the value of `--key` or `--log-key`. False with a message. */
bool verify_keys_read(struct verify_keys *keys, const char *option, const char *word);

/* Prints a line for what is proved or wrong, and returns an exit status: EXIT_UNKNOWN where there
 * is a signature and no key. With a key there has to be a signature, with --log-key a proof. */
int verify_bundle(const char *path, const struct bundle *bundle, const struct verify_keys *keys);

#endif
