#include "engine/log/bundle.h"

#include <string.h>

#include "engine/base/calendar.h"
#include "engine/base/sha256.h"
#include "engine/game/component_set.h"
#include "engine/log/tlog.h"
#include "engine/record/signature.h"

static const struct span none = {NULL, 0};

static bool fail(struct record_fault *fault, const char *code, const char *message)
{
    fault->line = 0;
    return record_fault(fault, code, message, none);
}

/* The index of `mark`, or of the end if it is not there. */
static size_t find(struct span bytes, const char *mark)
{
    const char *found =
        bytes.length == 0 ? NULL : memmem(bytes.at, bytes.length, mark, strlen(mark));
    return found == NULL ? bytes.length : (size_t)(found - bytes.at);
}

/* Cuts off what follows the empty line before `mark`; it begins with `mark`. Empty if it is not
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

/* A component set may have any lines, so it is cut off first. A record has no empty line, and no
 * line of a signature block looks like the first line of a later part. */
void bundle_split(struct span bytes, struct bundle *bundle)
{
    *bundle = (struct bundle){.components = cut(&bytes, "\n\n" BUNDLE_COMPONENTS_LINE "\n")};
    if (bundle->components.at != NULL) {
        bundle->components.at += sizeof BUNDLE_COMPONENTS_LINE;
        bundle->components.length -= sizeof BUNDLE_COMPONENTS_LINE;
    }
    bundle->proof = cut(&bytes, "\n\n" TLOG_PROOF_FIRST_LINE "\n");
    bundle->players = cut(&bytes, "\n\n" SIGNATURE_FIRST_LINE "\n");
    size_t empty = find(bytes, "\n\n");
    bundle->record = bytes;
    if (empty == bytes.length)
        return;
    bundle->record.length = empty + 1;
    bundle->note = bytes;
}

static bool read_note(const struct bundle *bundle, struct note *note, struct record_fault *fault)
{
    return (note_read(bundle->note, note) && note->text.length == bundle->record.length) ||
           fail(fault, "bad-note", "The text after the record is not a block of signatures.");
}

static bool read_proof(const struct bundle *bundle, struct tlog_proof *proof, struct note *note,
                       struct checkpoint *checkpoint, struct record_fault *fault)
{
    *note = (struct note){none, none};
    *checkpoint = (struct checkpoint){.size = 0};
    proof->index = 0;
    if (!tlog_proof_read(bundle->proof, proof))
        return fail(fault, "bad-proof", "The text after the signatures is not a proof.");
    return (note_read(proof->checkpoint, note) && checkpoint_read(note->text, checkpoint)) ||
           fail(fault, "bad-checkpoint", "The proof does not end with a signed checkpoint.");
}

/* True if what follows the record has the form of a bundle's parts: signatures, and a proof with a
 * checkpoint. The functions below check their validity; signature.h checks the players' signatures.
 * Otherwise a fault: `bad-note`, `bad-proof`, `bad-checkpoint`. */
static bool bundle_is_formed(const struct bundle *bundle, struct record_fault *fault)
{
    struct note note;
    struct tlog_proof proof;
    struct checkpoint checkpoint;
    return (bundle->note.length == 0 || read_note(bundle, &note, fault)) &&
           (bundle->proof.length == 0 || read_proof(bundle, &proof, &note, &checkpoint, fault));
}

bool bundle_is_signed(const struct bundle *bundle, const struct note_key *key,
                      struct record_fault *fault)
{
    struct note note;
    if (bundle->note.length == 0)
        return fail(fault, "no-signature", "No signature follows the record.");
    if (!read_note(bundle, &note, fault))
        return false;
    switch (key == NULL ? NOTE_SIGNED : note_verify(&note, key)) {
    case NOTE_SIGNED:
        return true;
    case NOTE_UNSIGNED:
        return fail(fault, "no-signature", "The record is not signed with this key.");
    case NOTE_FORGED:
        break;
    }
    return fail(fault, "forged-signature",
                "The signature with this key's name is not valid for this record.");
}

static bool check_signature(const struct note *note, const struct checkpoint *checkpoint,
                            const struct note_key *key, struct record_fault *fault)
{
    if (key == NULL)
        return true;
    if (!span_is(checkpoint->origin, key->name))
        return fail(fault, "other-log",
                    "The checkpoint belongs to a different log from the key's.");
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
                "The signature of the log's checkpoint is not valid for it.");
}

/* Whether the path has fewer hashes than there are levels. */
static bool is_truncated(const struct tlog_proof *proof, const struct checkpoint *checkpoint)
{
    struct tlog_range range[TLOG_PATH_MAX];
    return proof->index < checkpoint->size &&
           proof->length < tlog_inclusion(proof->index, checkpoint->size, range);
}

bool bundle_next_cosigner(const struct bundle *bundle, struct span *rest, struct span *name)
{
    struct tlog_proof proof;
    struct note note;
    struct note_signature signature;
    struct span line;
    if (rest->at == NULL) {
        if (!tlog_proof_read(bundle->proof, &proof) || !note_read(proof.checkpoint, &note))
            return false;
        *rest = note.signatures;
    }
    while (span_line(rest, &line)) {
        if (!note_signature_read(line, &signature) || signature.size != COSIGNATURE_BYTES)
            continue;
        *name = signature.name;
        return true;
    }
    return false;
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
    if (!read_proof(bundle, &proof, &note, checkpoint, fault))
        return false;
    if (!check_signature(&note, checkpoint, key, fault))
        return false;
    if (!tlog_leaf_of_record(bundle->record, &leaf))
        return fail(fault, "not-in-log", "The record has no head that could be in a log.");
    tlog_leaf_hash(&leaf, hash);
    if (is_truncated(&proof, checkpoint))
        return fail(fault, "truncated-proof",
                    "The proof lacks hashes: its path ends below the log's root.");
    return (merkle_climb(hash, (size_t)proof.index, (size_t)checkpoint->size,
                         (const uint8_t(*)[MERKLE_HASH])proof.path, proof.length, root) &&
            memcmp(root, checkpoint->root, MERKLE_HASH) == 0) ||
           fail(fault, "not-in-log",
                "The path does not lead from this record's head to the log's root.");
}

void verdict_say_fault(enum replay_verdict verdict, const struct record_fault *fault,
                       struct text *said)
{
    if (verdict == REPLAY_UNFINISHED) {
        text_add(said, "unfinished: ");
    } else {
        text_add(said, "invalid: ");
        if (fault->line > 0) {
            text_add(said, "line ");
            text_add_number(said, fault->line);
            text_add(said, ": ");
        }
        text_add(said, fault->code);
        text_add(said, ": ");
    }
    text_add_line(said, fault->message);
}

static enum verdict invalid(const struct record_fault *fault, struct text *said)
{
    verdict_say_fault(REPLAY_INVALID, fault, said);
    return VERDICT_INVALID;
}

/* ---- The component set ---- */

/* A header that cannot be read is judged with the record. */
static bool is_named(struct span record, struct span components)
{
    struct record_header header;
    struct record_fault fault;
    uint8_t chain[32], hash[32];
    uint32_t lines;
    sha256(hash, components, none);
    return !record_read_header(&record, &header, chain, &lines, &fault) ||
           memcmp(hash, header.set, sizeof hash) == 0;
}

enum verdict verdict_of_components(const struct bundle *bundle, struct component_list *list,
                                   struct record_fault *fault, struct text *said)
{
    struct component_fault wrong;
    if (bundle->components.at == NULL)
        return VERDICT_VALID;
    if (!is_named(bundle->record, bundle->components)) {
        fail(fault, "other-components",
             "The bundle has another component set than its record names.");
        return invalid(fault, said);
    }
    if (component_list_add(list, bundle->components, &wrong))
        return VERDICT_VALID;
    fault->line = 0;
    record_fault(
        fault, "bad-components",
        "The ruleset cannot be played with the bundle's component set: ", span_of(wrong.message));
    return invalid(fault, said);
}

/* ---- The record ---- */

enum verdict verdict_of_record(const struct bundle *bundle, const struct component_sets *sets,
                               const struct replay_listener *listener, struct replay *replay,
                               struct record_fault *fault, struct text *said)
{
    enum replay_verdict verdict =
        replay_verify_listening(bundle->record, sets, listener, replay, fault);
    if (verdict == REPLAY_VALID && !bundle_is_formed(bundle, fault))
        verdict = REPLAY_INVALID;
    if (verdict != REPLAY_VALID) {
        verdict_say_fault(verdict, fault, said);
        return verdict == REPLAY_INVALID ? VERDICT_INVALID : VERDICT_UNKNOWN;
    }
    text_add(said, replay->header.recorded ? "recorded: " : "valid: ");
    text_add(said, replay->header.game->slug);
    text_add_char(said, ' ');
    text_add(said, replay->header.game->version);
    text_add(said, ", ");
    text_add_number(said, replay->plies);
    text_add(said, replay->voided ? " plies, void\n" : " plies\n");
    return VERDICT_VALID;
}

static void say_dealers(const struct record_header *header, bool missing, struct text *said)
{
    const char *before =
        missing ? "dealers that did not answer: " : "dealers whose outputs are in the luck: ";
    for (unsigned i = 0; i < header->dealers; i++) {
        if (header->dealer[i].missing != missing)
            continue;
        text_add(said, before);
        text_add(said, header->dealer[i].name);
        before = ", ";
    }
    text_add_char(said, '\n');
}

void verdict_say_luck(const struct replay *replay, struct text *said)
{
    unsigned missing = 0;
    if (replay->header.recorded) {
        text_add(said, "legal play from the printed components; luck as told by the scorer\n");
        return;
    }
    for (unsigned i = 0; i < replay->header.dealers; i++)
        missing += replay->header.dealer[i].missing;
    bool given = missing < replay->header.dealers;
    if (given)
        say_dealers(&replay->header, false, said);
    if (missing > 0)
        say_dealers(&replay->header, true, said);
    for (unsigned seat = 0; seat < replay->header.seats; seat++)
        given = given || replay->header.seat[seat].entropy_size > 0;
    if (!given)
        text_add(said, "no player gave entropy: that the operator did not choose the luck is their "
                       "word, not proved\n");
}

/* ---- The signature and the log ---- */

/* The key of the policy's log that has signed the proof's checkpoint; if none has, any of that
 * name. NULL if there is no proof or the policy does not have its log. */
static const struct note_key *policy_key(const struct bundle *bundle,
                                         const struct trust_policy *policy)
{
    struct tlog_proof proof;
    struct note note;
    struct checkpoint checkpoint;
    struct record_fault fault;
    if (bundle->proof.length == 0 || !read_proof(bundle, &proof, &note, &checkpoint, &fault))
        return NULL;
    for (size_t i = 0; i < policy->logs; i++)
        if (span_is(checkpoint.origin, policy->log[i].key.name) &&
            note_verify(&note, &policy->log[i].key) == NOTE_SIGNED)
            return &policy->log[i].key;
    return trust_policy_log_key(policy, checkpoint.origin);
}

/* The server has one key for both. */
static const struct note_key *trusted_record_key(const struct bundle *bundle,
                                                 const struct verdict_keys *keys)
{
    if (keys->has_record)
        return &keys->record;
    if (keys->has_log)
        return &keys->log;
    return keys->policy == NULL ? NULL : policy_key(bundle, keys->policy);
}

static const struct note_key *trusted_log_key(const struct bundle *bundle,
                                              const struct verdict_keys *keys)
{
    if (keys->has_log)
        return &keys->log;
    if (keys->policy != NULL && keys->policy->logs > 0)
        return policy_key(bundle, keys->policy);
    return keys->has_record ? &keys->record : NULL;
}

/* The key of the trusted key's chain that has signed; NULL if there is none. */
static const struct note_key *chain_key(const struct verdict_keys *keys, const struct note *note)
{
    int signer = keys->chain == NULL ? -1 : key_chain_signer(keys->chain, note);
    return signer < 0 ? NULL : &keys->chain->key[signer];
}

static const struct note_key *record_key(const struct bundle *bundle,
                                         const struct verdict_keys *keys)
{
    struct note note;
    struct record_fault fault;
    const struct note_key *key = read_note(bundle, &note, &fault) ? chain_key(keys, &note) : NULL;
    return key == NULL ? trusted_record_key(bundle, keys) : key;
}

static const struct note_key *log_key(const struct bundle *bundle, const struct verdict_keys *keys)
{
    struct tlog_proof proof;
    struct note note;
    struct checkpoint checkpoint;
    struct record_fault fault;
    const struct note_key *key =
        read_proof(bundle, &proof, &note, &checkpoint, &fault) ? chain_key(keys, &note) : NULL;
    return key == NULL ? trusted_log_key(bundle, keys) : key;
}

enum verdict verdict_of_key_changes(const struct bundle *bundle, struct verdict_keys *keys,
                                    struct key_chain *chain, struct text *said)
{
    struct record_fault fault;
    const struct note_key *key = trusted_log_key(bundle, keys);
    keys->chain = NULL;
    if (keys->key_changes.length == 0 || key == NULL)
        return VERDICT_VALID;
    if (!key_chain_read(keys->key_changes, key, keys->policy, chain, &fault))
        return invalid(&fault, said);
    keys->chain = chain;
    text_add(said, key->name);
    text_add(said, " has replaced its key, as its log proves; keys up to now: ");
    text_add_number_line(said, (int64_t)chain->count);
    return VERDICT_VALID;
}

/* Whether the key may have signed a checkpoint of this size, as far as the chain tells. */
static bool is_in_time(const struct verdict_keys *keys, const struct note_key *key,
                       const struct checkpoint *checkpoint, struct record_fault *fault)
{
    for (size_t i = 0; keys->chain != NULL && key != NULL && i < keys->chain->count; i++)
        if (memcmp(keys->chain->key[i].public, key->public, sizeof key->public) == 0 &&
            checkpoint->size > keys->chain->until[i])
            return fail(fault, "retired-key",
                        "The checkpoint is signed with a key that had been replaced before.");
    return true;
}

/* A signature can't be judged without a key. */
static enum verdict unjudged(const char *what, struct text *said)
{
    text_add(said, "not judged: ");
    text_add(said, what);
    text_add(said, "; name the server's key with --log-key\n");
    return VERDICT_UNKNOWN;
}

enum verdict verdict_of_signature(const struct bundle *bundle, const struct verdict_keys *keys,
                                  struct text *said)
{
    const struct note_key *key = record_key(bundle, keys);
    struct record_fault fault;
    if (key == NULL && bundle->note.length == 0)
        return VERDICT_VALID;
    if (!bundle_is_signed(bundle, key, &fault))
        return invalid(&fault, said);
    if (key == NULL)
        return unjudged("who has signed it", said);
    text_add(said, "signed by ");
    text_add_line(said, key->name);
    return VERDICT_VALID;
}

enum verdict verdict_of_proof(const struct bundle *bundle, const struct verdict_keys *keys,
                              struct text *said)
{
    const struct note_key *key = log_key(bundle, keys);
    struct record_fault fault;
    struct checkpoint checkpoint = {.size = 0};
    bool has_policy = keys->policy != NULL;
    if (bundle->proof.length == 0 && !keys->has_log && !has_policy)
        return VERDICT_VALID;
    if (!bundle_is_logged(bundle, key, &checkpoint, &fault) ||
        !is_in_time(keys, key, &checkpoint, &fault))
        return invalid(&fault, said);
    if (key == NULL && has_policy && keys->policy->logs > 0) {
        (void)fail(&fault, "other-log", "The checkpoint belongs to a log that the policy lacks.");
        return invalid(&fault, said);
    }
    if (key == NULL)
        return unjudged("who has signed the log's checkpoint", said);
    text_add(said, "in the log ");
    text_add_span(said, checkpoint.origin);
    text_add(said, " of ");
    text_add_number(said, (int64_t)checkpoint.size);
    text_add(said, " leaves\n");
    return VERDICT_VALID;
}

/* ---- Witnesses ---- */

static void say_witnesses(const struct trust_policy *policy, const struct trust_finding *finding,
                          struct text *said)
{
    enum { NAMED_MAX = 5 };
    size_t named = 0;
    text_add(said, "witnessed by ");
    text_add_number(said, (int64_t)finding->count);
    text_add(said, " of ");
    text_add_number(said, (int64_t)policy->witnesses);
    text_add(said, policy->witnesses == 1 ? " witness" : " witnesses");
    for (size_t i = 0; i < policy->parties && named < NAMED_MAX; i++) {
        if (!finding->cosigned[i])
            continue;
        text_add(said, named++ == 0 ? ": " : ", ");
        text_add_span(said, policy->party[i].name);
        text_add_char(said, ' ');
        calendar_print(finding->time_s[i], said);
    }
    if (finding->count > named)
        text_add(said, ", and others");
    text_add_char(said, '\n');
}

enum verdict verdict_of_witnesses(const struct bundle *bundle, const struct verdict_keys *keys,
                                  struct text *said)
{
    struct tlog_proof proof;
    struct note note;
    struct checkpoint checkpoint;
    struct record_fault fault;
    struct trust_finding finding;
    if (keys->policy == NULL || bundle->proof.length == 0)
        return VERDICT_VALID;
    if (!read_proof(bundle, &proof, &note, &checkpoint, &fault) ||
        !trust_policy_is_met(keys->policy, &note, keys->not_before_s, &finding, &fault))
        return invalid(&fault, said);
    say_witnesses(keys->policy, &finding, said);
    return VERDICT_VALID;
}

/* ---- The players' signatures ---- */

enum verdict verdict_of_players(struct span record, struct span signatures, struct text *said)
{
    struct signature_count count;
    struct record_fault fault;
    if (!signature_check(record, signatures, &count, &fault))
        return invalid(&fault, said);
    text_add(said, "valid: ");
    text_add_number(said, count.good);
    text_add(said, " of ");
    text_add_number(said, count.plies);
    text_add(said, " plies of seats with a key are signed, and the entropy of ");
    text_add_number(said, count.entropy);
    text_add(said, " seats\n");
    if (count.officials > 0) {
        text_add(said, "valid: ");
        text_add_number(said, count.officials);
        text_add(said, count.officials == 1 ? " act of an official is signed\n"
                                            : " acts of officials are signed\n");
    }
    return VERDICT_VALID;
}

enum verdict verdict_of_bundled_players(const struct bundle *bundle, struct text *said)
{
    return bundle->players.length == 0 ? VERDICT_VALID
                                       : verdict_of_players(bundle->record, bundle->players, said);
}

enum verdict verdict_both(enum verdict one, enum verdict other)
{
    if (one == VERDICT_INVALID || other == VERDICT_INVALID)
        return VERDICT_INVALID;
    return one == VERDICT_VALID ? other : one;
}
