/* Signing a record as its players would have done. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/record/signature.h"
#include "tests/engine/support/roll.h"

enum { MARK_LENGTH = 10 };

void roll_key(unsigned number, uint8_t public_key[static 32], uint8_t secret_key[static 64])
{
    uint8_t seed[crypto_sign_SEEDBYTES];
    memset(seed, (int)(0x40 + number), sizeof seed);
    crypto_sign_seed_keypair(public_key, secret_key, seed);
}

static bool find_secret_key(const uint8_t public_key[static 32], uint8_t secret_key[static 64])
{
    uint8_t candidate[32];
    for (unsigned number = 0; number < ROLL_KEYS; number++) {
        roll_key(number, candidate, secret_key);
        if (memcmp(candidate, public_key, 32) == 0)
            return true;
    }
    return false;
}

struct signer {
    struct record_header header;
    struct record_entry *entry;
    uint8_t (*head)[32]; /* before entry i */
    size_t count;
    struct text signatures;
};

/* The first entry before which the head may be signed for entry `at`. */
static size_t earliest(const struct signer *signer, size_t at)
{
    const struct record_entry *mine = &signer->entry[at];
    size_t first = at;
    while (first > 0 && at - first < SIGNATURE_LINES_BACK - 1) {
        const struct record_entry *other = &signer->entry[first - 1];
        bool together = other->kind == RECORD_PLY && other->seat < mine->seat &&
                        other->elapsed_ms == mine->elapsed_ms;
        bool system = other->kind != RECORD_PLY && other->kind != RECORD_UNDO &&
                      !(other->kind == RECORD_RULING && other->ruling == RECORD_RULING_TAKEBACK);
        if (!together && !system)
            break;
        first--;
    }
    return first;
}

static void add_signature(struct signer *signer, struct text *message,
                          const uint8_t secret_key[static 64])
{
    uint8_t signature[SIGNATURE_BYTES];
    crypto_sign_detached(signature, NULL, (const unsigned char *)message->at, message->length,
                         secret_key);
    text_add_char(&signer->signatures, ' ');
    text_add_hex(&signer->signatures, signature, sizeof signature);
    text_add_char(&signer->signatures, '\n');
}

static void sign(struct signer *signer, size_t at, struct span move)
{
    char bytes[SIGNATURE_MESSAGE_MAX + RECORD_LINE_MAX];
    struct text message = TEXT_OVER(bytes);
    const struct record_entry *entry = &signer->entry[at];
    uint8_t secret_key[64];
    if (!signer->header.seat[entry->seat].has_key ||
        !find_secret_key(signer->header.seat[entry->seat].key, secret_key))
        return;
    size_t head = at % 2 == 0 ? at : earliest(signer, at);
    signature_message(signer->header.game_id, signer->head[head], entry->seat, move, &message);
    text_add_number(&signer->signatures, entry->seq);
    add_signature(signer, &message, secret_key);
}

static void sign_entropy(struct signer *signer)
{
    uint8_t secret_key[64];
    for (unsigned seat = 0; seat < signer->header.seats; seat++) {
        const struct record_seat *giver = &signer->header.seat[seat];
        char bytes[SIGNATURE_MESSAGE_MAX];
        struct text message = TEXT_OVER(bytes);
        if (giver->entropy_size == 0 || !giver->has_key || !find_secret_key(giver->key, secret_key))
            continue;
        signature_entropy_message(&signer->header, seat, &message);
        text_add(&signer->signatures, "entropy ");
        text_add_number(&signer->signatures, seat);
        add_signature(signer, &message, secret_key);
    }
}

static void sign_all(struct signer *signer, struct span rest, uint8_t hash[static 32],
                     unsigned leave_out)
{
    struct span line;
    struct record_fault fault;
    while (span_line(&rest, &line)) {
        size_t at = signer->count;
        memcpy(signer->head[at], hash, 32);
        if (!record_chain_check(hash, &line, &fault) ||
            !record_read_entry(line, &signer->entry[at], &fault))
            return; /* the head */
        signer->count++;
        const struct record_entry *entry = &signer->entry[at];
        if (entry->kind == RECORD_SUBSTITUTE)
            signer->header.seat[entry->subject] = entry->player;
        for (int word = 0; word < 3; word++)
            span_word(&line);
        bool decision = entry->kind == RECORD_PLY || entry->kind == RECORD_UNDO;
        if (decision && (leave_out == 0 || entry->seq % leave_out != 0))
            sign(signer, at, line);
    }
}

struct text roll_sign(struct span record, unsigned leave_out)
{
    struct signer signer = {.count = 0};
    struct record_fault fault;
    uint8_t hash[32];
    uint32_t lines;
    size_t capacity = 100;
    for (size_t i = 0; i < record.length; i++)
        capacity += record.at[i] == '\n';
    signer.entry = calloc(capacity, sizeof *signer.entry);
    signer.head = calloc(capacity, sizeof *signer.head);
    signer.signatures = (struct text){calloc(capacity, 160), 0, capacity * 160, false};
    if (signer.entry == NULL || signer.head == NULL || signer.signatures.at == NULL ||
        !record_read_header(&record, &signer.header, hash, &lines, &fault))
        abort();
    text_add(&signer.signatures, "tillroll signatures 1\ngame ");
    text_add(&signer.signatures, signer.header.game_id);
    text_add_char(&signer.signatures, '\n');
    sign_entropy(&signer);
    sign_all(&signer, record, hash, leave_out);
    free(signer.entry);
    free(signer.head);
    return signer.signatures;
}
