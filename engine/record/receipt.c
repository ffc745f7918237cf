#include "engine/record/receipt.h"

#include <sodium.h>
#include <string.h>

void receipt_leaf(const struct receipt *receipt, uint8_t hash[static MERKLE_HASH])
{
    char message[RECEIPT_MESSAGE_MAX];
    struct text text = TEXT_OVER(message);
    text_add(&text, "tillroll receipt\n");
    text_add_line(&text, receipt->game);
    text_add_number_line(&text, receipt->seq);
    text_add_hex_line(&text, receipt->head, 32);
    merkle_leaf(text_span(&text), hash);
}

void receipt_message(size_t leaves, const uint8_t root[static MERKLE_HASH], struct text *text)
{
    text_add(text, "tillroll receipts\n");
    text_add_number_line(text, (int64_t)leaves);
    text_add_hex_line(text, root, MERKLE_HASH);
}

bool receipt_is_signed(const struct receipt *receipt, const struct receipt_proof *proof,
                       const uint8_t key[static 32])
{
    uint8_t leaf[MERKLE_HASH];
    uint8_t root[MERKLE_HASH];
    char message[RECEIPT_MESSAGE_MAX];
    struct text text = TEXT_OVER(message);
    receipt_leaf(receipt, leaf);
    if (!merkle_climb(leaf, proof->index, proof->leaves, (const uint8_t(*)[MERKLE_HASH])proof->path,
                      proof->path_length, root))
        return false;
    receipt_message(proof->leaves, root, &text);
    return crypto_sign_verify_detached(proof->signature, (const unsigned char *)text.at,
                                       text.length, key) == 0;
}

/* Reads up to the entry `seq`; `head` is the chain's value there. */
static bool find_entry(struct span rest, uint32_t seq, uint8_t head[static 32], uint32_t lines,
                       struct record_fault *fault)
{
    struct span line = {NULL, 0};
    struct record_entry entry = {.seq = 0};
    while (entry.seq < seq && span_line(&rest, &line)) {
        fault->line = ++lines;
        if (!record_chain_check(head, &line, fault))
            return false;
        struct span words = line;
        if (span_is(span_word(&words), "head"))
            break;
        if (!record_read_entry(line, &entry, fault))
            return false;
    }
    return entry.seq == seq ||
           record_fault(fault, "no-entry", "The record ends before the promised entry.",
                        (struct span){NULL, 0});
}

/* Reads the header and checks that the record is of this game. Leaves `record` after the header. */
static bool read_header_of(const char *game, struct span *record, struct record_header *header,
                           uint8_t head[static 32], uint32_t *lines, struct record_fault *fault)
{
    if (!record_read_header(record, header, head, lines, fault))
        return false;
    fault->line = 0;
    return strcmp(header->game_id, game) == 0 ||
           record_fault(fault, "other-game", "This is the record of another game.",
                        (struct span){NULL, 0});
}

bool receipt_is_kept(const struct receipt *receipt, struct span record, struct record_fault *fault)
{
    const struct span none = {NULL, 0};
    struct record_header header;
    uint8_t head[32];
    uint32_t lines = 0;
    if (!read_header_of(receipt->game, &record, &header, head, &lines, fault))
        return false;
    return find_entry(record, receipt->seq, head, lines, fault) &&
           (memcmp(head, receipt->head, sizeof head) == 0 ||
            record_fault(fault, "other-entry",
                         "This entry, or an earlier one, differs from the promised one.", none));
}

/* ---- Entropy ---- */

void receipt_entropy_message(const struct entropy_receipt *receipt, struct text *text)
{
    text_add(text, "tillroll entropy receipt\n");
    text_add_line(text, receipt->game);
    text_add_hex_line(text, receipt->commitment, 32);
    text_add_number_line(text, receipt->seat);
    text_add_hex_line(text, receipt->entropy, receipt->size);
}

bool receipt_entropy_is_signed(const struct entropy_receipt *receipt,
                               const uint8_t signature[static 64], const uint8_t key[static 32])
{
    char message[RECEIPT_ENTROPY_MAX];
    struct text text = TEXT_OVER(message);
    receipt_entropy_message(receipt, &text);
    return crypto_sign_verify_detached(signature, (const unsigned char *)text.at, text.length,
                                       key) == 0;
}

static bool has_entropy(const struct record_header *header, const struct entropy_receipt *receipt)
{
    if (receipt->seat >= header->seats)
        return false;
    const struct record_seat *seat = &header->seat[receipt->seat];
    return seat->entropy_size == receipt->size &&
           memcmp(seat->entropy, receipt->entropy, receipt->size) == 0;
}

bool receipt_entropy_is_kept(const struct entropy_receipt *receipt, struct span record,
                             struct record_fault *fault)
{
    const struct span none = {NULL, 0};
    struct record_header header;
    uint8_t head[32];
    uint32_t lines = 0;
    if (!read_header_of(receipt->game, &record, &header, head, &lines, fault))
        return false;
    if (memcmp(header.commitment, receipt->commitment, sizeof header.commitment) != 0)
        return record_fault(fault, "other-commitment",
                            "The record commits to a different secret from the one shown.", none);
    return has_entropy(&header, receipt) ||
           record_fault(fault, "other-entropy", "The record does not contain the accepted entropy.",
                        none);
}

/* ---- Sealed decisions ---- */

void receipt_sealed_message(const struct sealed_receipt *receipt, struct text *text)
{
    text_add(text, "tillroll sealed move\n");
    text_add_line(text, receipt->game);
    text_add_number_line(text, receipt->number);
    text_add_number_line(text, receipt->seat);
    text_add_span(text, receipt->move);
    text_add_char(text, '\n');
}

bool receipt_sealed_is_signed(const struct sealed_receipt *receipt,
                              const uint8_t signature[static 64], const uint8_t key[static 32])
{
    char message[RECEIPT_SEALED_MAX];
    struct text text = TEXT_OVER(message);
    receipt_sealed_message(receipt, &text);
    return !text.overflow && crypto_sign_verify_detached(signature, (const unsigned char *)text.at,
                                                         text.length, key) == 0;
}

static bool is_take_back(const struct record_entry *entry)
{
    return entry->kind == RECORD_UNDO ||
           (entry->kind == RECORD_RULING && entry->ruling == RECORD_RULING_TAKEBACK);
}

/* Reads the next entry. False at the end, or with a fault that is not empty. */
static bool next_entry(struct span *rest, struct record_entry *entry, uint8_t head[static 32],
                       uint32_t *lines, struct record_fault *fault)
{
    struct span line;
    if (!span_line(rest, &line))
        return false;
    fault->line = ++*lines;
    if (!record_chain_check(head, &line, fault))
        return false;
    struct span words = line;
    return !span_is(span_word(&words), "head") && record_read_entry(line, entry, fault);
}

/* Finds the seat's ply among those that are taken together from this number on. */
static bool find_ply(const struct sealed_receipt *receipt, struct span rest,
                     uint8_t head[static 32], uint32_t lines, struct record_entry *entry,
                     struct record_fault *fault)
{
    const struct span none = {NULL, 0};
    uint32_t number = 0;
    *fault = (struct record_fault){.code = ""};
    while (next_entry(&rest, entry, head, &lines, fault)) {
        if (is_take_back(entry) && number == receipt->number)
            return record_fault(fault, "taken-back",
                                "The game was taken back before this decision was complete.", none);
        if (entry->kind == RECORD_PLY && number >= receipt->number && entry->seat == receipt->seat)
            return true;
        number += entry->kind == RECORD_PLY || is_take_back(entry);
        if (number >= receipt->number + GAME_SEATS_MAX)
            break;
    }
    return fault->code[0] == '\0' &&
           record_fault(fault, "no-entry", "The record has no ply of this seat in this decision.",
                        none);
}

bool receipt_sealed_is_kept(const struct sealed_receipt *receipt, struct span record,
                            struct record_fault *fault)
{
    const struct span none = {NULL, 0};
    struct record_header header;
    struct record_entry entry;
    uint8_t head[32];
    uint32_t lines = 0;
    if (!read_header_of(receipt->game, &record, &header, head, &lines, fault) ||
        !find_ply(receipt, record, head, lines, &entry, fault))
        return false;
    return span_equal(entry.move, receipt->move) ||
           record_fault(fault, "other-entry",
                        "In this decision, the record has another move of the seat.", none);
}
