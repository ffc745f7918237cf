#include "engine/bundle.h"

#include <string.h>

#include "engine/signature.h"
#include "engine/tlog_leaf.h"

static const struct span none = {NULL, 0};

static bool fail(struct record_fault *fault, const char *code, const char *message)
{
    fault->line = 0;
    return record_fault(fault, code, message, none);
}

/* Where `mark` begins; the end if it is not there. */
static size_t find(struct span bytes, const char *mark)
{
    const char *found =
        bytes.length == 0 ? NULL : memmem(bytes.at, bytes.length, mark, strlen(mark));
    return found == NULL ? bytes.length : (size_t)(found - bytes.at);
}

/* Cuts off what follows the empty line before `mark`, with which it begins. Empty if it is not
 * there. */
static struct span cut(struct span *bytes, const char *mark)
{
    size_t at = find(*bytes, mark);
    if (at == bytes->length)
        return none;
    struct span part = {bytes->at + at + 2, bytes->length - at - 2};
    bytes->length = at + 1;
    return part;
}

/* No line of a record is empty, and none of a signature block is the first of what follows. */
void bundle_split(struct span bytes, struct bundle *bundle)
{
    *bundle = (struct bundle){.proof = cut(&bytes, "\n\n" TLOG_PROOF_FIRST_LINE "\n")};
    bundle->players = cut(&bytes, "\n\n" SIGNATURE_FIRST_LINE "\n");
    size_t empty = find(bytes, "\n\n");
    bundle->record = bytes;
    if (empty == bytes.length)
        return;
    bundle->record.length = empty + 1;
    bundle->note = bytes;
}

bool bundle_is_signed(const struct bundle *bundle, const struct note_key *key,
                      struct record_fault *fault)
{
    struct note note;
    if (bundle->note.length == 0)
        return fail(fault, "no-signature", "The record is not followed by any signature.");
    if (!note_read(bundle->note, &note) || note.text.length != bundle->record.length)
        return fail(fault, "bad-note", "What follows the record is no block of signatures.");
    switch (key == NULL ? NOTE_SIGNED : note_verify(&note, key)) {
    case NOTE_SIGNED:
        return true;
    case NOTE_UNSIGNED:
        return fail(fault, "no-signature", "The record is not signed with this key.");
    case NOTE_FORGED:
        break;
    }
    return fail(fault, "forged-signature",
                "The signature that bears this key's name is not one of this record.");
}

static bool check_signature(const struct note *note, const struct checkpoint *checkpoint,
                            const struct note_key *key, struct record_fault *fault)
{
    if (key == NULL)
        return true;
    if (!span_is(checkpoint->origin, key->name))
        return fail(fault, "other-log", "The checkpoint is one of another log than the key's.");
    switch (note_verify(note, key)) {
    case NOTE_SIGNED:
        return true;
    case NOTE_UNSIGNED:
        return fail(fault, "unsigned-checkpoint",
                    "The log's checkpoint is not signed with its key.");
    case NOTE_FORGED:
        break;
    }
    return fail(fault, "forged-checkpoint",
                "The signature of the log's checkpoint is not one of this checkpoint.");
}

bool bundle_is_logged(const struct bundle *bundle, const struct note_key *key,
                      struct checkpoint *checkpoint, struct record_fault *fault)
{
    struct tlog_proof proof;
    struct note note;
    struct tlog_leaf leaf;
    uint8_t hash[MERKLE_HASH];
    uint8_t root[MERKLE_HASH];
    if (bundle->proof.length == 0)
        return fail(fault, "no-proof", "There is no proof that the record is in a log.");
    if (!tlog_proof_read(bundle->proof, &proof))
        return fail(fault, "bad-proof", "What follows the signatures is no proof.");
    if (!note_read(proof.checkpoint, &note) || !checkpoint_read(note.text, checkpoint))
        return fail(fault, "bad-checkpoint", "The proof does not end with a signed checkpoint.");
    if (!check_signature(&note, checkpoint, key, fault))
        return false;
    if (!tlog_leaf_of_record(bundle->record, &leaf))
        return fail(fault, "not-in-log", "The record has no head that could be in a log.");
    tlog_leaf_hash(&leaf, hash);
    return (merkle_climb(hash, (size_t)proof.index, (size_t)checkpoint->size,
                         (const uint8_t(*)[MERKLE_HASH])proof.path, proof.length, root) &&
            memcmp(root, checkpoint->root, MERKLE_HASH) == 0) ||
           fail(fault, "not-in-log",
                "The path does not lead from this record's head to the log's root.");
}
