/* `tillroll verify --receipt`: checks whether the server has kept its promise about a move, a
 * sealed move or entropy. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "engine/record/receipt.h"

struct given {
    json_t *document; /* owns all other members */
    struct receipt receipt;
    struct receipt_proof proof;
    uint8_t head[32];
    enum { OF_A_MOVE, OF_ENTROPY, OF_A_SEALED_MOVE } kind;
    struct entropy_receipt entropy;
    struct sealed_receipt sealed;
    uint8_t commitment[32], bytes[RECORD_ENTROPY_MAX];
};

static bool read_hex(const json_t *value, uint8_t *bytes, size_t size)
{
    const char *hex = json_string_value(value);
    return hex != NULL && span_hex(span_of(hex), bytes, size);
}

static bool read_path(const json_t *path, struct receipt_proof *proof)
{
    proof->path_length = json_array_size(path);
    if (!json_is_array(path) || proof->path_length > MERKLE_PATH_MAX)
        return false;
    for (size_t i = 0; i < proof->path_length; i++)
        if (!read_hex(json_array_get(path, i), proof->path[i], MERKLE_HASH))
            return false;
    return true;
}

static bool read_entropy_receipt(json_t *receipt, struct given *given)
{
    json_int_t seat;
    json_t *commitment;
    json_t *entropy;
    json_t *signature;
    if (json_unpack(receipt, "{s:s, s:o, s:I, s:o, s:o}", "game", &given->entropy.game,
                    "commitment", &commitment, "seat", &seat, "entropy", &entropy, "signature",
                    &signature) != 0 ||
        seat < 0 || seat >= GAME_SEATS_MAX || !record_is_id(span_of(given->entropy.game)))
        return false;
    given->kind = OF_ENTROPY;
    given->entropy.seat = (unsigned)seat;
    given->entropy.commitment = given->commitment;
    given->entropy.entropy = given->bytes;
    given->entropy.size = json_string_length(entropy) / 2;
    return given->entropy.size > 0 && given->entropy.size <= sizeof given->bytes &&
           read_hex(entropy, given->bytes, given->entropy.size) &&
           read_hex(commitment, given->commitment, sizeof given->commitment) &&
           read_hex(signature, given->proof.signature, sizeof given->proof.signature);
}

static bool read_move_receipt(json_t *receipt, struct given *given)
{
    json_int_t seq;
    json_int_t leaves;
    json_int_t index;
    json_t *path;
    json_t *head;
    json_t *signature;
    if (json_unpack(receipt, "{s:s, s:I, s:o, s:I, s:I, s:o, s:o}", "game", &given->receipt.game,
                    "seq", &seq, "head", &head, "leaves", &leaves, "index", &index, "path", &path,
                    "signature", &signature) != 0 ||
        seq < 1 || seq > RECORD_LINES_MAX || leaves < 1 || leaves > UINT32_MAX || index < 0 ||
        !record_is_id(span_of(given->receipt.game)))
        return false;
    given->receipt.seq = (uint32_t)seq;
    given->receipt.head = given->head;
    given->proof.leaves = (size_t)leaves;
    given->proof.index = (size_t)index;
    return read_hex(head, given->head, sizeof given->head) && read_path(path, &given->proof) &&
           read_hex(signature, given->proof.signature, sizeof given->proof.signature);
}

static bool read_sealed_receipt(json_t *receipt, struct given *given)
{
    json_int_t number;
    json_int_t seat;
    const char *move;
    json_t *signature;
    if (json_unpack(receipt, "{s:s, s:I, s:I, s:s, s:o}", "game", &given->sealed.game, "ply",
                    &number, "seat", &seat, "move", &move, "signature", &signature) != 0 ||
        number < 0 || number > RECORD_LINES_MAX || seat < 0 || seat >= GAME_SEATS_MAX ||
        !record_is_id(span_of(given->sealed.game)))
        return false;
    given->kind = OF_A_SEALED_MOVE;
    given->sealed.number = (uint32_t)number;
    given->sealed.seat = (unsigned)seat;
    given->sealed.move = span_of(move);
    return read_hex(signature, given->proof.signature, sizeof given->proof.signature);
}

/* Reads the response to a move or to entropy, or a receipt alone. */
static bool read_receipt(const char *bytes, size_t length, struct given *given)
{
    given->document = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, NULL);
    json_t *receipt = given->document;
    json_t *inner = json_object_get(receipt, "receipt");
    json_t *sealed = json_object_get(receipt, "sealed");
    if (inner != NULL || sealed != NULL)
        receipt = inner != NULL ? inner : sealed;
    if (json_object_get(receipt, "entropy") != NULL)
        return read_entropy_receipt(receipt, given);
    return json_object_get(receipt, "move") != NULL ? read_sealed_receipt(receipt, given)
                                                    : read_move_receipt(receipt, given);
}

static bool is_signed(const struct given *given, const uint8_t key[static 32])
{
    switch (given->kind) {
    case OF_ENTROPY:
        return receipt_entropy_is_signed(&given->entropy, given->proof.signature, key);
    case OF_A_SEALED_MOVE:
        return receipt_sealed_is_signed(&given->sealed, given->proof.signature, key);
    default:
        return receipt_is_signed(&given->receipt, &given->proof, key);
    }
}

static bool is_kept(const struct given *given, struct span record, struct record_fault *fault)
{
    switch (given->kind) {
    case OF_ENTROPY:
        return receipt_entropy_is_kept(&given->entropy, record, fault);
    case OF_A_SEALED_MOVE:
        return receipt_sealed_is_kept(&given->sealed, record, fault);
    default:
        return receipt_is_kept(&given->receipt, record, fault);
    }
}

static void print_signed(const char *path, const struct given *given)
{
    if (given->kind == OF_ENTROPY)
        printf("%s: signed: game %s, entropy of seat %u\n", path, given->entropy.game,
               given->entropy.seat);
    else if (given->kind == OF_A_SEALED_MOVE)
        printf("%s: signed: game %s, sealed move of seat %u\n", path, given->sealed.game,
               given->sealed.seat);
    else
        printf("%s: signed: game %s, entry %u\n", path, given->receipt.game,
               (unsigned)given->receipt.seq);
}

static void print_kept(const char *path, const struct given *given)
{
    if (given->kind == OF_ENTROPY)
        printf("%s: kept: commitment and entropy are those that were promised\n", path);
    else if (given->kind == OF_A_SEALED_MOVE)
        printf("%s: kept: the sealed move is in the record\n", path);
    else
        printf("%s: kept: entry %u is the one that was promised\n", path,
               (unsigned)given->receipt.seq);
}

static int check_record(const char *path, const struct given *given)
{
    struct record_fault fault;
    size_t length;
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return EXIT_UNKNOWN;
    bool kept = is_kept(given, (struct span){bytes, length}, &fault);
    free(bytes);
    if (kept)
        print_kept(path, given);
    else
        cli_print_fault(stdout, path, REPLAY_INVALID, &fault);
    return kept ? EXIT_YES : EXIT_NO;
}

static int check(const char *path, const uint8_t key[static 32], const char *record)
{
    struct given given = {.document = NULL};
    size_t length;
    int status = EXIT_NO;
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return EXIT_UNKNOWN;
    if (!read_receipt(bytes, length, &given)) {
        printf("%s: no receipt\n", path);
        status = EXIT_UNKNOWN;
    } else if (!is_signed(&given, key)) {
        printf("%s: invalid: not signed with this key\n", path);
    } else {
        print_signed(path, &given);
        status = record == NULL ? EXIT_YES : check_record(record, &given);
    }
    json_decref(given.document);
    free(bytes);
    return status;
}

int cli_verify_receipt(int argc, char **argv)
{
    uint8_t key[32];
    if (argc < 4 || argc > 5 || strcmp(argv[2], "--key") != 0) {
        fputs("usage: tillroll verify --receipt FILE --key HEX [RECORD]\n", stderr);
        return EXIT_UNKNOWN;
    }
    if (!span_hex(span_of(argv[3]), key, sizeof key)) {
        fputs("tillroll: a public key must have 64 hex digits; GET /v1/keys shows the server's\n",
              stderr);
        return EXIT_UNKNOWN;
    }
    return check(argv[1], key, argc == 5 ? argv[4] : NULL);
}
