#include "engine/verdict.h"

#include "engine/signature.h"

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
    text_add(said, fault->message);
    text_add_char(said, '\n');
}

static enum verdict invalid(const struct record_fault *fault, struct text *said)
{
    verdict_say_fault(REPLAY_INVALID, fault, said);
    return VERDICT_INVALID;
}

/* ---- The record ---- */

enum verdict verdict_of_record(struct span record, const struct replay_listener *listener,
                               struct replay *replay, struct record_fault *fault, struct text *said)
{
    enum replay_verdict verdict = replay_verify_listening(record, listener, replay, fault);
    if (verdict != REPLAY_VALID) {
        verdict_say_fault(verdict, fault, said);
        return verdict == REPLAY_INVALID ? VERDICT_INVALID : VERDICT_UNKNOWN;
    }
    text_add(said, "valid: ");
    text_add(said, replay->header.game->slug);
    text_add_char(said, ' ');
    text_add(said, replay->header.game->version);
    text_add(said, ", ");
    text_add_number(said, replay->plies);
    text_add(said, replay->voided ? " plies, void\n" : " plies\n");
    return VERDICT_VALID;
}

/* ---- Who has signed it, and where it stands ---- */

/* The server has one key for both. */
static const struct note_key *record_key(const struct verdict_keys *keys)
{
    return keys->has_record ? &keys->record : keys->has_log ? &keys->log : NULL;
}

static const struct note_key *log_key(const struct verdict_keys *keys)
{
    return keys->has_log ? &keys->log : keys->has_record ? &keys->record : NULL;
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
    const struct note_key *key = record_key(keys);
    struct record_fault fault;
    if (key == NULL && bundle->note.length == 0)
        return VERDICT_VALID;
    if (!bundle_is_signed(bundle, key, &fault))
        return invalid(&fault, said);
    if (key == NULL)
        return unjudged("who has signed it", said);
    text_add(said, "signed by ");
    text_add(said, key->name);
    text_add_char(said, '\n');
    return VERDICT_VALID;
}

enum verdict verdict_of_proof(const struct bundle *bundle, const struct verdict_keys *keys,
                              struct text *said)
{
    const struct note_key *key = log_key(keys);
    struct record_fault fault;
    struct checkpoint checkpoint;
    if (bundle->proof.length == 0 && !keys->has_log)
        return VERDICT_VALID;
    if (!bundle_is_logged(bundle, key, &checkpoint, &fault))
        return invalid(&fault, said);
    if (key == NULL)
        return unjudged("who has signed the log's checkpoint", said);
    text_add(said, "in the log ");
    text_add_span(said, checkpoint.origin);
    text_add(said, " of ");
    text_add_number(said, (int64_t)checkpoint.size);
    text_add(said, " leaves\n");
    return VERDICT_VALID;
}

/* ---- What its players have signed ---- */

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
