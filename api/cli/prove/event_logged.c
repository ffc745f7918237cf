#include "api/cli/prove/event_logged.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/table.h"
#include "engine/log/tlog.h"
#include "engine/log/trust_policy.h"

/* The content of a proof. */
struct proof {
    uint8_t leaf[MERKLE_HASH];
    uint64_t index, size;
    uint8_t path[TLOG_PATH_MAX][MERKLE_HASH];
    size_t length;
    struct span checkpoint; /* borrowed */
};

static bool read_number(const json_t *document, const char *name, uint64_t *number)
{
    const json_t *value = json_object_get(document, name);
    *number = (uint64_t)json_integer_value(value);
    return json_is_integer(value) && json_integer_value(value) >= 0 && *number <= TLOG_SIZE_MAX;
}

static bool read_hash(const json_t *value, uint8_t hash[static MERKLE_HASH])
{
    const char *hex = json_string_value(value);
    return hex != NULL && span_hex(span_of(hex), hash, MERKLE_HASH);
}

static bool read_proof(const json_t *document, struct proof *proof)
{
    const json_t *path = json_object_get(document, "path");
    const json_t *checkpoint = json_object_get(document, "checkpoint");
    bool good = read_hash(json_object_get(document, "leaf"), proof->leaf) &&
                read_number(document, "index", &proof->index) &&
                read_number(document, "size", &proof->size) && json_is_array(path) &&
                json_array_size(path) <= TLOG_PATH_MAX && json_is_string(checkpoint);
    proof->length = json_array_size(path);
    for (size_t i = 0; good && i < proof->length; i++)
        good = read_hash(json_array_get(path, i), proof->path[i]);
    proof->checkpoint =
        (struct span){json_string_value(checkpoint), json_string_length(checkpoint)};
    return good;
}

static bool wrong(struct record_fault *fault, const char *code, const char *message)
{
    return record_fault(fault, code, message, (struct span){NULL, 0});
}

static bool leads_to(const struct proof *proof, const struct checkpoint *checkpoint)
{
    uint8_t root[MERKLE_HASH];
    return proof->size == checkpoint->size && proof->index < proof->size &&
           merkle_climb(proof->leaf, (size_t)proof->index, (size_t)proof->size, proof->path,
                        proof->length, root) &&
           memcmp(root, checkpoint->root, sizeof root) == 0;
}

static bool holds(const struct proof *proof, const uint8_t leaf[static MERKLE_HASH],
                  const struct trust_policy *policy, struct checkpoint *checkpoint,
                  struct trust_finding *finding, struct record_fault *fault)
{
    struct note note;
    if (memcmp(proof->leaf, leaf, MERKLE_HASH) != 0)
        return wrong(fault, "other-leaf", "The proof is about another leaf than the event's log.");
    if (!note_read(proof->checkpoint, &note) || !checkpoint_read(note.text, checkpoint))
        return wrong(fault, "bad-checkpoint", "The proof has no checkpoint.");
    const struct note_key *key = trust_policy_log_key(policy, checkpoint->origin);
    if (key == NULL)
        return wrong(fault, "other-log", "The policy does not name the proof's log.");
    if (note_verify(&note, key) != NOTE_SIGNED)
        return wrong(fault, "unsigned-checkpoint",
                     "The log's key has not signed the proof's checkpoint.");
    if (!leads_to(proof, checkpoint))
        return wrong(fault, "not-in-log", "The proof does not lead to its checkpoint.");
    return trust_policy_is_met(policy, &note, 0, finding, fault);
}

static int judge(const char *path, const json_t *document, const uint8_t leaf[static MERKLE_HASH],
                 const struct trust_policy *policy)
{
    struct proof proof;
    struct checkpoint checkpoint;
    struct trust_finding finding = {.count = 0};
    struct record_fault fault = {.code = "bad-proof",
                                 .message = "The proof is not what GET /v1/log/inclusion answers."};
    if (!read_proof(document, &proof) ||
        !holds(&proof, leaf, policy, &checkpoint, &finding, &fault)) {
        table_say(stdout, "%s: invalid: %s: %s\n", path, fault.code, fault.message);
        return EXIT_NO;
    }
    char witnesses[48] = "";
    if (finding.count > 0)
        (void)snprintf(witnesses, sizeof witnesses, ", cosigned by %zu witnesses", finding.count);
    table_say(stdout, "%s: in the log %.*s of %llu leaves%s\n", path, (int)checkpoint.origin.length,
              checkpoint.origin.at, (unsigned long long)checkpoint.size, witnesses);
    return EXIT_YES;
}

int event_logged_check(const char *path, const uint8_t leaf[static MERKLE_HASH], const char *proof,
                       const char *policy)
{
    static struct trust_policy trusted; /* too large for the stack */
    struct record_fault fault = {.line = 0};
    size_t length, policy_length;
    int status = EXIT_UNKNOWN;
    char *policy_text = cli_read_file(policy, &policy_length);
    char *bytes = policy_text == NULL ? NULL : cli_read_file(proof, &length);
    if (bytes != NULL &&
        !trust_policy_read((struct span){policy_text, policy_length}, &trusted, &fault)) {
        fprintf(stderr, "tillroll: %s: line %u: %s\n", policy, fault.line, fault.message);
    } else if (bytes != NULL) {
        json_t *document = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, NULL);
        status = judge(path, document, leaf, &trusted);
        json_decref(document);
    }
    free(bytes);
    free(policy_text);
    return status;
}
