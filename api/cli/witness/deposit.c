/* `tillroll deposit`: leaves a move that a service does not take with witnesses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/client.h"
#include "api/cli/signer.h"
#include "engine/log/bundle.h"
#include "engine/log/deposit.h"

static const char receipt_start[] = "\n\xe2\x80\x94 "; /* an empty line, and a signature */

/* The record so far: everything but the move follows from it. False with a message. */
static bool read_record(const char *path, const struct signer *signer, struct deposit *deposit)
{
    static struct replay replay; /* large */
    struct record_fault fault;
    size_t length;
    struct text scope = TEXT_OVER(deposit->scope);
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return false;
    enum replay_verdict verdict = replay_verify((struct span){bytes, length}, &replay, &fault);
    free(bytes);
    if (verdict != REPLAY_UNFINISHED || replay.header.recorded) {
        if (verdict == REPLAY_INVALID)
            cli_print_fault(stderr, path, verdict, &fault);
        else
            fprintf(stderr, "tillroll: %s: the game is over, or was played at a real table\n",
                    path);
        return false;
    }
    record_scope(&replay.header, &scope);
    memcpy(deposit->game, replay.header.game_id, sizeof deposit->game);
    memcpy(deposit->commitment, replay.header.commitment, sizeof deposit->commitment);
    memcpy(deposit->head, replay.head, sizeof deposit->head);
    memcpy(deposit->key, signer->public_key, sizeof deposit->key);
    for (unsigned seat = 0; seat < replay.header.seats; seat++) {
        deposit->seat = seat;
        if (replay.header.seat[seat].has_key &&
            memcmp(replay.header.seat[seat].key, deposit->key, sizeof deposit->key) == 0)
            return true;
    }
    fprintf(stderr, "tillroll: %s: no seat of the game has this key\n", path);
    return false;
}

static bool sign(const struct signer *signer, const char *origin, const char *move,
                 struct deposit *deposit)
{
    char hex[SIGNER_HEX];
    char bytes[DEPOSIT_MAX];
    struct text text = TEXT_OVER(bytes);
    struct deposit again;
    struct text log = TEXT_OVER(deposit->origin);
    struct text words = TEXT_OVER(deposit->move);
    text_add(&log, origin);
    text_add(&words, move);
    signer_sign_move(signer, deposit->game, deposit->head, deposit->seat, span_of(move), hex);
    (void)span_hex(span_of(hex), deposit->signature, sizeof deposit->signature);
    deposit_print(deposit, &text);
    if (!log.overflow && !words.overflow && deposit_read(text_span(&text), &again))
        return true;
    fprintf(stderr,
            "tillroll: --log takes the name of a log, and a move is 1 to %d printable "
            "characters\n",
            GAME_MOVE_MAX);
    return false;
}

/* The signatures of the receipt in an answer; NULL unless it is one for this deposit. */
static const char *find_signatures(const json_t *answer, const struct deposit *deposit)
{
    char bytes[DEPOSIT_RECEIPT_MAX];
    struct text text = TEXT_OVER(bytes);
    const char *note = json_string_value(json_object_get(answer, "receipt"));
    deposit_print_receipt(deposit, &text);
    if (note == NULL || strncmp(note, bytes, text.length) != 0 ||
        strncmp(note + text.length, receipt_start, sizeof receipt_start - 1) != 0)
        return NULL;
    return note + text.length + 1;
}

/* Prints the signature of a witness. False with a message. */
static bool leave(const char *witness, const struct deposit *deposit, bool first)
{
    char bytes[DEPOSIT_MAX];
    struct text text = TEXT_OVER(bytes);
    struct client *client = client_new(witness, NULL);
    if (client == NULL)
        return false;
    deposit_print(deposit, &text);
    json_t *answer =
        client_need(client, "POST", "/add-deposit", json_pack("{s:s}", "deposit", bytes));
    const char *signatures = find_signatures(answer, deposit);
    if (signatures != NULL && first) {
        char receipt[DEPOSIT_RECEIPT_MAX];
        struct text printed = TEXT_OVER(receipt);
        deposit_print_receipt(deposit, &printed);
        printf("%s\n%s\n", bytes, receipt);
    }
    if (signatures != NULL)
        fputs(signatures, stdout);
    else if (answer != NULL)
        fprintf(stderr, "tillroll: %s: its answer is no receipt for this move\n", witness);
    bool left = signatures != NULL;
    json_decref(answer);
    client_free(client);
    return left;
}

int cli_deposit(const struct cli_given *given)
{
    static struct deposit deposit;
    struct signer signer;
    const char *key = cli_value(given, "key");
    const char *origin = cli_value(given, "log");
    const char *witness;
    size_t asked = 0;
    size_t left = 0;
    if (key == NULL || origin == NULL || cli_value(given, "witness") == NULL)
        return cli_wrong_usage(given, "needs --key, --log and --witness");
    if (!signer_read(key, &signer))
        return EXIT_UNKNOWN;
    bool good = read_record(given->word[0], &signer, &deposit) &&
                sign(&signer, origin, given->word[1], &deposit);
    signer_forget(&signer);
    if (!good)
        return EXIT_UNKNOWN;
    while ((witness = cli_value_at(given, "witness", asked)) != NULL) {
        left += leave(witness, &deposit, left == 0);
        asked++;
    }
    return left == asked ? EXIT_YES : EXIT_NO;
}
