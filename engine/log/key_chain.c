#include "engine/log/key_chain.h"

#include <sodium.h>
#include <string.h>

static const struct span nothing = {NULL, 0};

static bool fail(struct record_fault *fault, const char *code, const char *message,
                 struct span detail)
{
    fault->line = 0;
    return record_fault(fault, code, message, detail);
}

static bool is_same(const struct note_key *one, const struct note_key *other)
{
    return strcmp(one->name, other->name) == 0 && memcmp(one->public, other->public, 32) == 0;
}

/* ---- A change ---- */

void key_change_print(const struct note_key *old, const struct note_key *new, struct text *text)
{
    text_add(text, KEY_CHANGE_FIRST_LINE "\n");
    note_key_print(old, text);
    text_add_char(text, '\n');
    note_key_print(new, text);
    text_add_char(text, '\n');
}

static bool read_keys(struct span text, struct key_change *change)
{
    struct span line;
    return span_line(&text, &line) && span_is(line, KEY_CHANGE_FIRST_LINE) &&
           span_line(&text, &line) && note_key_read(line, &change->old) &&
           span_line(&text, &line) && note_key_read(line, &change->new) && text.length == 0 &&
           strcmp(change->old.name, change->new.name) == 0 && !is_same(&change->old, &change->new);
}

static bool has_signed(const struct note *note, const struct note_key *key, const char *message,
                       struct record_fault *fault)
{
    switch (note_verify(note, key)) {
    case NOTE_SIGNED:
        return true;
    case NOTE_UNSIGNED:
        return fail(fault, "unsigned-key-change", message, nothing);
    case NOTE_FORGED:
        break;
    }
    return fail(fault, "forged-key-change",
                "A change of the log's key has a signature that its key did not make.", nothing);
}

bool key_change_read(struct span bytes, struct key_change *change, struct record_fault *fault)
{
    struct note note;
    struct text name = TEXT_OVER(change->name);
    if (!note_read(bytes, &note) || !read_keys(note.text, change))
        return fail(fault, "bad-key-change",
                    "This is not a change of a log's key: a signed note with two different "
                    "verification keys of one name.",
                    nothing);
    text_add_hex(&name, change->old.public, sizeof change->old.public);
    change->leaf.subject = TLOG_SERVER_KEY;
    change->leaf.name = text_span(&name);
    crypto_hash_sha256(change->leaf.hash, (const unsigned char *)bytes.at, bytes.length);
    return has_signed(&note, &change->old,
                      "A change of the log's key is not signed with the old key.", fault) &&
           has_signed(&note, &change->new,
                      "A change of the log's key is not signed with the new key.", fault);
}

/* ---- A chain ---- */

bool key_chain_add(struct key_chain *chain, const struct key_change *change, uint64_t index,
                   struct record_fault *fault)
{
    if (chain->count == 0)
        chain->key[chain->count++] = change->old;
    if (!is_same(&chain->key[chain->count - 1], &change->old))
        return fail(fault, "skipped-key",
                    "A change of the log's key does not continue the one before: a key between "
                    "them is missing.",
                    nothing);
    if (chain->count == KEY_CHAIN_MAX)
        return fail(fault, "skipped-key", "There are more than 31 changes of the log's key.",
                    nothing);
    chain->until[chain->count - 1] = index;
    chain->until[chain->count] = TLOG_SIZE_MAX;
    chain->key[chain->count++] = change->new;
    return true;
}

int key_chain_signer(const struct key_chain *chain, const struct note *note)
{
    for (int i = (int)chain->count - 1; i >= 0; i--)
        if (note_verify(note, &chain->key[i]) == NOTE_SIGNED)
            return i;
    return -1;
}

/* ---- A history ---- */

/* Returns the part before the first empty line that is followed by `mark`, including its LF, and
 * sets `rest` to the part after the empty line. */
static struct span cut(struct span *rest, const char *mark)
{
    struct span part = *rest;
    const char *found = part.length == 0 ? NULL : memmem(part.at, part.length, mark, strlen(mark));
    *rest = nothing;
    if (found == NULL)
        return part;
    size_t at = (size_t)(found - part.at);
    *rest = (struct span){found + 2, part.length - at - 2};
    part.length = at + 1;
    return part;
}

/* Where its leaf is, and the checkpoint to which the proof leads. */
static bool is_in_log(const struct key_change *change, struct span bytes, struct tlog_proof *proof,
                      struct note *note)
{
    struct checkpoint checkpoint;
    uint8_t hash[MERKLE_HASH];
    uint8_t root[MERKLE_HASH];
    if (bytes.length == 0 || !tlog_proof_read(bytes, proof) ||
        !note_read(proof->checkpoint, note) || !checkpoint_read(note->text, &checkpoint) ||
        !span_is(checkpoint.origin, change->new.name))
        return false;
    tlog_leaf_hash(&change->leaf, hash);
    return merkle_climb(hash, (size_t)proof->index, (size_t)checkpoint.size,
                        (const uint8_t(*)[MERKLE_HASH])proof->path, proof->length, root) &&
           memcmp(root, checkpoint.root, MERKLE_HASH) == 0;
}

static bool unlogged(struct record_fault *fault)
{
    return fail(fault, "unlogged-key-change",
                "A change of the log's key is not proved to be in the log, below a checkpoint that "
                "a later key has signed.",
                nothing);
}

/* Adds each change. The checkpoints' signatures are left for later, as any later key may have made
 * them. */
static bool read_changes(struct span text, struct note *checkpoint, struct key_chain *chain,
                         struct record_fault *fault)
{
    static const char next_change[] = "\n\n" KEY_CHANGE_FIRST_LINE "\n";
    static const char next_proof[] = "\n\n" TLOG_PROOF_FIRST_LINE "\n";
    struct tlog_proof proof;
    while (text.length > 0) {
        struct key_change change;
        struct note below;
        struct span rest = cut(&text, next_change);
        struct span note = cut(&rest, next_proof);
        if (!key_change_read(note, &change, fault))
            return false;
        if (!is_in_log(&change, rest, &proof, &below))
            return unlogged(fault);
        if (!key_chain_add(chain, &change, proof.index, fault))
            return false;
        checkpoint[chain->count - 1] = below;
    }
    return true;
}

bool key_chain_read(struct span text, const struct note_key *pinned,
                    const struct trust_policy *policy, struct key_chain *chain,
                    struct record_fault *fault)
{
    struct note checkpoint[KEY_CHAIN_MAX]; /* of the change to each key, from the second on */
    struct trust_finding finding;
    bool found = false;
    chain->count = 0;
    if (!read_changes(text, checkpoint, chain, fault))
        return false;
    for (size_t i = 0; i < chain->count; i++)
        found = found || is_same(&chain->key[i], pinned);
    if (!found)
        return fail(fault, "skipped-key", "The changes of the log's key do not lead to this key: ",
                    span_of(pinned->name));
    for (size_t i = 1; i < chain->count; i++) {
        if (key_chain_signer(chain, &checkpoint[i]) < (int)i)
            return unlogged(fault);
        if (policy != NULL && !trust_policy_is_met(policy, &checkpoint[i], 0, &finding, fault))
            return false;
    }
    return true;
}
