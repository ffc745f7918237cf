#include "api/cli/witness/witness_cosign.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROOF_LINES_MAX = 63 };

struct request {
    uint64_t old_size;
    uint8_t path[PROOF_LINES_MAX][MERKLE_HASH];
    size_t length;
    struct span bytes; /* of the note */
    struct note note;
    struct checkpoint checkpoint;
    size_t log; /* index in the policy */
};

static bool turn_down(struct witness_answer *answer, int status, const char *code,
                      const char *message)
{
    answer->status = status;
    answer->code = code;
    answer->message = message;
    return false;
}

static bool conflict(struct witness_answer *answer, uint64_t size)
{
    answer->status = 409;
    answer->size = size;
    return false;
}

/* ---- The request ---- */

static bool read_lines(struct span *body, struct request *request)
{
    struct span line;
    if (!span_line(body, &line) || !span_is(span_word(&line), "old") ||
        !span_number(line, TLOG_SIZE_MAX, &request->old_size))
        return false;
    while (span_line(body, &line) && line.length > 0) {
        size_t size;
        if (request->length == PROOF_LINES_MAX ||
            !span_base64(line, request->path[request->length++], MERKLE_HASH, &size) ||
            size != MERKLE_HASH)
            return false;
    }
    return body->length > 0;
}

static bool read_request(struct span body, struct request *request, struct witness_answer *answer)
{
    request->length = 0;
    if (!read_lines(&body, request))
        return turn_down(
            answer, 400, "bad-request",
            "The body is `old <size>`, at most 63 hashes in base 64, an empty line and "
            "the signed checkpoint; sizes go up to 2^32 - 1.");
    request->bytes = body;
    if (body.length + COSIGNATURE_LINE_MAX > WITNESS_NOTE_MAX)
        return turn_down(answer, 400, "too-long", "The signed checkpoint is longer than 31 KiB.");
    if (!note_read(body, &request->note) ||
        !checkpoint_read(request->note.text, &request->checkpoint) ||
        request->note.text.length > COSIGNATURE_TEXT_MAX)
        return turn_down(answer, 400, "bad-checkpoint",
                         "What follows the empty line is not a signed checkpoint.");
    if (request->old_size > request->checkpoint.size)
        return turn_down(answer, 400, "bad-size", "The old size is larger than the checkpoint's.");
    return true;
}

/* ---- The log ---- */

/* Finds the log of this origin. False if none of its keys has signed. */
static bool find_log(const struct witness *witness, struct request *request,
                     struct witness_answer *answer)
{
    bool known = false;
    for (size_t i = 0; i < witness->policy.logs; i++) {
        const struct note_key *key = &witness->policy.log[i].key;
        if (!span_is(request->checkpoint.origin, key->name))
            continue;
        known = true;
        request->log = i;
        if (note_verify(&request->note, key) == NOTE_SIGNED)
            return true;
    }
    return known ? turn_down(
                       answer, 403, "not-signed",
                       "No key that is known for this log has signed the checkpoint. If the log "
                       "has changed its key, its new verification key has to be added to the "
                       "policy of this witness.")
                 : turn_down(answer, 404, "unknown-log", "This witness does not know the log.");
}

/* ---- Cosigned checkpoints ---- */

static void newest(const struct witness *witness, struct span origin, struct checkpoint *checkpoint)
{
    const struct witness_entry *entry = witness_state_find(&witness->state, origin);
    *checkpoint = (struct checkpoint){.origin = origin};
    crypto_hash_sha256(checkpoint->root, NULL, 0); /* root of the empty tree */
    if (entry != NULL)
        *checkpoint = entry->checkpoint;
}

static void set_broken(struct witness *witness, struct span origin)
{
    for (size_t i = 0; i < witness->policy.logs; i++)
        if (span_is(origin, witness->policy.log[i].key.name))
            witness->broken[i] = true;
    fprintf(stderr,
            "tillroll: ALARM: this witness has cosigned two trees of %.*s that contradict each "
            "other; it signs no more of it\n",
            (int)origin.length, origin.at);
}

static bool put(struct witness *witness, struct span note, uint64_t time_s)
{
    if (witness_state_put(&witness->state, note, time_s))
        return true;
    witness->failed = true;
    return false;
}

/* Learns from a checkpoint signed by its log that may have this witness's cosignature. */
static void learn(struct witness *witness, const struct request *request)
{
    struct checkpoint known;
    uint64_t time_s;
    if (cosignature_verify(&request->note, &witness->key, &time_s) != NOTE_SIGNED)
        return;
    newest(witness, request->checkpoint.origin, &known);
    if (request->checkpoint.size == known.size &&
        memcmp(request->checkpoint.root, known.root, MERKLE_HASH) != 0)
        set_broken(witness, request->checkpoint.origin);
    if (request->checkpoint.size <= known.size)
        return;
    fprintf(stderr,
            "tillroll: the state was an old copy: this witness has cosigned %llu leaves of %.*s, "
            "not %llu; it goes on from there\n",
            (unsigned long long)request->checkpoint.size, (int)known.origin.length, known.origin.at,
            (unsigned long long)known.size);
    counter_add(&witness->figures.recovered, 1);
    (void)put(witness, request->bytes, time_s);
}

/* ---- Cosigning ---- */

/* Keeps the proof that the log has signed two trees of the same size. */
static void keep_fork(struct witness *witness, const struct request *request)
{
    const struct witness_entry *entry =
        witness_state_find(&witness->state, request->checkpoint.origin);
    char name_bytes[96];
    struct text name = TEXT_OVER(name_bytes);
    char *bytes = malloc(2 * WITNESS_NOTE_MAX + 2);
    counter_add(&witness->figures.forks, 1);
    fprintf(stderr, "tillroll: ALARM: %.*s has signed two trees of %llu leaves\n",
            (int)request->checkpoint.origin.length, request->checkpoint.origin.at,
            (unsigned long long)request->checkpoint.size);
    if (bytes != NULL && entry != NULL) {
        uint8_t hash[32];
        struct text text = {bytes, 0, 2 * WITNESS_NOTE_MAX + 2, (bytes[0] = '\0', false)};
        crypto_hash_sha256(hash, (const unsigned char *)request->checkpoint.origin.at,
                           request->checkpoint.origin.length);
        text_add(&name, "/fork-");
        text_add_hex(&name, hash, 8);
        text_add_span(&text, (struct span){entry->note, entry->length});
        text_add_char(&text, '\n');
        text_add_span(&text, request->bytes);
        witness_state_keep(&witness->state, name_bytes, text_span(&text));
    }
    free(bytes);
}

static bool follows(struct witness *witness, const struct request *request,
                    const struct checkpoint *known, struct witness_answer *answer)
{
    const struct checkpoint *next = &request->checkpoint;
    if (request->old_size != known->size)
        return conflict(answer, known->size);
    if (next->size == known->size && memcmp(next->root, known->root, MERKLE_HASH) != 0) {
        keep_fork(witness, request);
        return conflict(answer, known->size);
    }
    if (!tlog_is_consistent(known->size, known->root, next->size, next->root,
                            (const uint8_t(*)[MERKLE_HASH])request->path, request->length))
        return turn_down(
            answer, 422, "inconsistent",
            "The proof does not lead from the tree that was cosigned last to this one.");
    return true;
}

/* Prints the note with the new cosignature instead of earlier ones of this witness. */
static void print_note(const struct witness *witness, const struct request *request,
                       const char *line, struct text *text)
{
    struct span rest = request->note.signatures;
    struct span each;
    struct note_signature signature;
    text_add_span(text, request->note.text);
    text_add_char(text, '\n');
    while (span_line(&rest, &each)) {
        if (note_signature_read(each, &signature) &&
            note_signature_is_by(&signature, &witness->key))
            continue;
        text_add_span(text, each);
        text_add_char(text, '\n');
    }
    text_add(text, line);
}

/* The present time, but never before the time of the last cosignature. */
static uint64_t time_of(const struct witness *witness, struct span origin, uint64_t now_s)
{
    const struct witness_entry *entry = witness_state_find(&witness->state, origin);
    return entry != NULL && entry->time_s > now_s ? entry->time_s : now_s;
}

static bool cosign(struct witness *witness, const struct request *request, uint64_t now_s,
                   struct witness_answer *answer)
{
    char message_bytes[COSIGNATURE_TEXT_MAX + 64];
    struct text message = TEXT_OVER(message_bytes);
    struct text line = TEXT_OVER(answer->line);
    uint8_t signature[64];
    uint64_t time_s = time_of(witness, request->checkpoint.origin, now_s);
    char *bytes = malloc(WITNESS_NOTE_MAX + 1);
    if (bytes == NULL)
        return turn_down(answer, 500, "internal-error", "Memory is short.");
    struct text note = {bytes, 0, WITNESS_NOTE_MAX + 1, (bytes[0] = '\0', false)};
    cosignature_message(time_s, request->note.text, &message);
    crypto_sign_detached(signature, NULL, (const unsigned char *)message.at, message.length,
                         witness->signer.secret_key);
    cosignature_add(&witness->key, time_s, signature, &line);
    print_note(witness, request, answer->line, &note);
    bool stored = !message.overflow && !line.overflow && !note.overflow &&
                  put(witness, text_span(&note), time_s);
    free(bytes);
    if (!stored) {
        answer->line[0] = '\0';
        return turn_down(answer, 500, "not-stored",
                         "The checkpoint could not be stored, so it was not cosigned.");
    }
    answer->status = 200;
    return true;
}

static bool may_sign(const struct witness *witness, size_t log, struct witness_answer *answer)
{
    if (witness->failed)
        return turn_down(answer, 500, "not-stored",
                         "The state of this witness cannot be written; it has stopped signing.");
    if (witness->broken[log])
        return turn_down(
            answer, 500, "contradiction",
            "This witness has cosigned trees of the log that contradict each other; it "
            "signs no more of it.");
    if (witness->unsure[log])
        return turn_down(answer, 503, "starting",
                         "This witness has just started, and is asking others whether its state is "
                         "the newest; try again soon.");
    return true;
}

static bool judge(struct witness *witness, struct request *request, uint64_t now_s,
                  struct witness_answer *answer)
{
    struct checkpoint known;
    if (!find_log(witness, request, answer))
        return false;
    learn(witness, request);
    if (!may_sign(witness, request->log, answer))
        return false;
    newest(witness, request->checkpoint.origin, &known);
    return follows(witness, request, &known, answer) && cosign(witness, request, now_s, answer);
}

void witness_add_checkpoint(struct witness *witness, struct span body, uint64_t now_s,
                            struct witness_answer *answer)
{
    struct request *request = malloc(sizeof *request);
    *answer = (struct witness_answer){.status = 500};
    if (request == NULL) {
        turn_down(answer, 500, "internal-error", "Memory is short.");
        return;
    }
    if (read_request(body, request, answer)) {
        pthread_mutex_lock(&witness->mutex);
        (void)judge(witness, request, now_s, answer);
        pthread_mutex_unlock(&witness->mutex);
    }
    struct counter *counter = answer->status == 200   ? &witness->figures.cosigned
                              : answer->status == 409 ? &witness->figures.conflicts
                                                      : &witness->figures.refused;
    counter_add_shared(counter, 1);
    free(request);
}

void witness_look_at(struct witness *witness, struct span note)
{
    struct request request = {.bytes = note};
    struct witness_answer answer;
    if (note.length > WITNESS_NOTE_MAX || !note_read(note, &request.note) ||
        !checkpoint_read(request.note.text, &request.checkpoint))
        return;
    pthread_mutex_lock(&witness->mutex);
    if (find_log(witness, &request, &answer))
        learn(witness, &request);
    pthread_mutex_unlock(&witness->mutex);
}

char *witness_newest(struct witness *witness, const uint8_t hash[static 32], size_t *length)
{
    char *copy = NULL;
    pthread_mutex_lock(&witness->mutex);
    for (size_t i = 0; i < witness->state.entries && copy == NULL; i++) {
        const struct witness_entry *entry = &witness->state.entry[i];
        uint8_t own[32];
        crypto_hash_sha256(own, (const unsigned char *)entry->checkpoint.origin.at,
                           entry->checkpoint.origin.length);
        if (memcmp(own, hash, sizeof own) == 0 && (copy = malloc(entry->length + 1)) != NULL) {
            memcpy(copy, entry->note, entry->length + 1);
            *length = entry->length;
        }
    }
    pthread_mutex_unlock(&witness->mutex);
    return copy;
}
