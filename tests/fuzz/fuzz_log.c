/* The texts of the transparency log: whatever can be read is written again byte for byte. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/log/bundle.h"
#include "engine/log/tlog.h"
#include "support.h"

enum { TEXT_MOST = 1 << 14 };

static char bytes_again[2 * TEXT_MOST];

static bool is_part(struct span part, struct span whole)
{
    return part.length == 0 ||
           (part.at >= whole.at && part.at + part.length <= whole.at + whole.length);
}

static void check_leaf(struct span text)
{
    struct tlog_leaf leaf;
    struct text again = TEXT_OVER(bytes_again);
    if (!tlog_leaf_read(text, &leaf))
        return;
    tlog_leaf_print(&leaf, &again);
    FUZZ_MUST(span_equal(text_span(&again), text) && text.length < TLOG_LEAF_MAX);
}

/* Further lines are extensions, which are passed over. */
static void check_checkpoint(struct span text)
{
    struct checkpoint checkpoint;
    struct text again = TEXT_OVER(bytes_again);
    if (!checkpoint_read(text, &checkpoint))
        return;
    checkpoint_print(&checkpoint, &again);
    FUZZ_MUST(again.length <= text.length && memcmp(again.at, text.at, again.length) == 0);
    FUZZ_MUST(checkpoint.origin.length <= NOTE_NAME_MAX ? again.length <= CHECKPOINT_TEXT_MAX
                                                        : true);
}

/* A line `extra` after the first is passed over. */
static void check_proof(struct span text)
{
    struct tlog_proof proof;
    struct text again = TEXT_OVER(bytes_again);
    struct span line, printed, rest = text;
    if (!tlog_proof_read(text, &proof))
        return;
    FUZZ_MUST(proof.length <= TLOG_PATH_MAX);
    tlog_proof_print(&proof, &again);
    printed = text_span(&again);
    FUZZ_MUST(!again.overflow && span_line(&rest, &line) && span_line(&printed, &line));
    if (rest.length > 5 && memcmp(rest.at, "extra", 5) == 0)
        FUZZ_MUST(span_line(&rest, &line));
    FUZZ_MUST(span_equal(printed, rest));
}

static void check_key(struct span text)
{
    struct note_key key;
    struct text again = TEXT_OVER(bytes_again);
    if (!note_key_read(text, &key))
        return;
    note_key_print(&key, &again);
    FUZZ_MUST(span_equal(text_span(&again), text) && again.length <= NOTE_KEY_TEXT_MAX);
}

static void check_base64(struct span text)
{
    uint8_t decoded[256];
    size_t size = 0;
    struct text again = TEXT_OVER(bytes_again);
    if (!span_base64(text, decoded, sizeof decoded, &size))
        return;
    text_add_base64(&again, decoded, size);
    FUZZ_MUST(span_equal(text_span(&again), text));
}

/* A note holds only with its own text: signed with our key it does, with one byte more it does not.
 */
static void check_signing(struct span text)
{
    static const uint8_t seed[32] = {9};
    struct note_key key;
    uint8_t public_key[32];
    uint8_t secret_key[64];
    uint8_t signature[64];
    struct note note;
    struct text signed_text = TEXT_OVER(bytes_again);
    crypto_sign_seed_keypair(public_key, secret_key, seed);
    FUZZ_MUST(note_key_make(&key, span_of("log.example/tillroll"), public_key));
    crypto_sign_detached(signature, NULL, (const uint8_t *)text.at, text.length, secret_key);
    text_add_span(&signed_text, text);
    text_add_char(&signed_text, '\n');
    note_add_signature(&key, signature, &signed_text);
    if (!note_read(text_span(&signed_text), &note))
        return;
    FUZZ_MUST(span_equal(note.text, text));
    FUZZ_MUST(note_verify(&note, &key) == NOTE_SIGNED);
    signed_text.at[0] ^= 1;
    if (note_read(text_span(&signed_text), &note))
        FUZZ_MUST(note_verify(&note, &key) != NOTE_SIGNED);
}

static void check_note(struct span text)
{
    struct note note;
    if (!note_read(text, &note))
        return;
    FUZZ_MUST(is_part(note.text, text) && is_part(note.signatures, text));
    FUZZ_MUST(note.text.length > 0 && note.text.at[note.text.length - 1] == '\n');
    check_checkpoint(note.text);
    check_signing(note.text);
}

static void check_bundle(struct span text)
{
    struct bundle bundle;
    struct record_fault fault = {0};
    struct checkpoint checkpoint;
    bundle_split(text, &bundle);
    FUZZ_MUST(is_part(bundle.record, text) && is_part(bundle.note, text) &&
              is_part(bundle.players, text) && is_part(bundle.proof, text));
    if (!bundle_is_signed(&bundle, NULL, &fault))
        FUZZ_MUST(fault.code != NULL);
    if (!bundle_is_logged(&bundle, NULL, &checkpoint, &fault))
        FUZZ_MUST(fault.code != NULL);
}

static void check_policy(struct span text)
{
    static struct trust_policy policy;
    struct record_fault fault;
    if (!trust_policy_read(text, &policy, &fault))
        return;
    FUZZ_MUST(policy.witnesses <= policy.parties && policy.quorum < (int)policy.parties);
    for (size_t i = 0; i < policy.parties; i++) {
        FUZZ_MUST(is_part(policy.party[i].name, text) && is_part(policy.party[i].url, text));
        FUZZ_MUST(policy.party[i].group < 0 || policy.party[i].group > (int)i);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_input input = fuzz_begin(bytes, size);
    struct span text = fuzz_rest(&input);
    struct tlog_leaf leaf;
    if (text.length > TEXT_MOST)
        return 0;
    check_leaf(text);
    check_checkpoint(text);
    check_proof(text);
    check_key(text);
    check_base64(text);
    check_note(text);
    check_bundle(text);
    check_policy(text);
    if (tlog_leaf_of_record(text, &leaf))
        FUZZ_MUST(is_part(leaf.name, text));
    return 0;
}
