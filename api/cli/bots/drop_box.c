#include "api/cli/bots/drop_box.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/component_list.h"
#include "engine/log/bundle.h"

static const char receipt_start[] =
    "\n\xe2\x80\x94 "; /* an empty line, and the beginning of a signature line */

bool drop_box_read_record(const char *path, struct span record, const struct component_sets *sets,
                          const uint8_t key[static 32], struct deposit *deposit,
                          uint8_t head[static 32])
{
    static struct replay replay; /* large */
    struct record_fault fault;
    struct text scope = TEXT_OVER(deposit->scope);
    enum replay_verdict verdict = replay_verify(record, sets, &replay, &fault);
    if (verdict != REPLAY_UNFINISHED || replay.header.recorded) {
        if (verdict != REPLAY_INVALID)
            return cli_fail(path, "the game is over, or was played at a real table");
        cli_print_fault(stderr, path, verdict, &fault);
        return false;
    }
    record_scope(&replay.header, &scope);
    memcpy(deposit->game, replay.header.game_id, sizeof deposit->game);
    memcpy(deposit->commitment, replay.header.commitment, sizeof deposit->commitment);
    memcpy(head, replay.head, sizeof replay.head);
    memcpy(deposit->key, key, sizeof deposit->key);
    for (unsigned seat = 0; seat < replay.header.seats; seat++) {
        deposit->seat = seat;
        if (replay.header.seat[seat].has_key &&
            memcmp(replay.header.seat[seat].key, key, sizeof deposit->key) == 0)
            return true;
    }
    return cli_fail(path, "no seat of the game has this key");
}

bool drop_box_sign(const struct signer *signer, const char *move, struct deposit *deposit)
{
    char hex[SIGNER_HEX];
    char bytes[DEPOSIT_MAX];
    struct text text = TEXT_OVER(bytes);
    struct deposit again;
    struct text words = TEXT_OVER(deposit->move);
    text_add(&words, move);
    signer_sign_move(signer, deposit->game, deposit->head, deposit->seat, span_of(move), hex);
    (void)span_hex(span_of(hex), deposit->signature, sizeof deposit->signature);
    deposit_print(deposit, &text);
    if (!words.overflow && deposit_read(text_span(&text), &again))
        return true;
    fprintf(stderr,
            "tillroll: --log takes the name of a log, and a move is 1 to %d printable "
            "characters\n",
            GAME_MOVE_MAX);
    return false;
}

/* Returns the signatures of the receipt in a response; NULL unless it is a receipt for this
 * deposit. */
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

/* Deposits with one witness and writes its signature. False with a message. */
static bool deposit_with(const char *witness, const struct deposit *deposit, bool first, FILE *out)
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
        fprintf(out, "%s\n%s\n", bytes, receipt);
    }
    if (signatures != NULL)
        fputs(signatures, out);
    else if (answer != NULL)
        fprintf(stderr, "tillroll: %s: its answer is no receipt for this move\n", witness);
    bool left = signatures != NULL;
    json_decref(answer);
    client_free(client);
    return left;
}

bool drop_box_deposit(const struct cli_given *given, const struct deposit *deposit, FILE *out)
{
    const char *witness;
    size_t asked = 0;
    size_t left = 0;
    while ((witness = cli_value_at(given, "witness", asked)) != NULL) {
        left += deposit_with(witness, deposit, left == 0, out);
        asked++;
    }
    return left == asked;
}

/* ---- For playing programs ---- */

bool drop_box_open(struct drop_box *box, struct client *client, const struct cli_given *given)
{
    *box = (struct drop_box){.given = given};
    struct text origin = TEXT_OVER(box->deposit.origin);
    json_t *keys = client_need(client, "GET", "/v1/keys", NULL);
    const char *vkey = json_string_value(
        json_object_get(json_array_get(json_object_get(keys, "keys"), 0), "vkey"));
    size_t length = vkey == NULL ? 0 : strcspn(vkey, "+");
    if (length > 0)
        text_add_span(&origin, (struct span){vkey, length});
    else if (keys != NULL)
        fprintf(stderr, "tillroll: the service does not name its log\n");
    json_decref(keys);
    return length > 0;
}

void drop_box_see(struct drop_box *box, struct client *client, const char *game_id,
                  const uint8_t key[static 32])
{
    struct component_list list = {.count = 0};
    uint8_t head[32], set[32];
    if (strcmp(box->deposit.game, game_id) == 0)
        return;
    box->deposit.game[0] = '\0';
    char *record = client_text(client, client_path(client, "/v1/games/", game_id, "/record"));
    if (record != NULL && record_other_set(span_of(record), set))
        (void)client_add_components(client, set, &list);
    if (record != NULL &&
        !drop_box_read_record(game_id, span_of(record), component_list_sets(&list), key,
                              &box->deposit, head))
        box->deposit.game[0] = '\0';
    component_list_free(&list);
    free(record);
}

static FILE *new_file(const struct deposit *deposit, struct text *name)
{
    uint8_t hash[DEPOSIT_HASH];
    deposit_hash(deposit, hash);
    text_add_all(name, "left-", deposit->game, "-");
    text_add_hex(name, hash, 8);
    text_add(name, ".txt");
    return fopen(name->at, "we");
}

void drop_box_deposit_refused(const struct drop_box *box, const struct signer *signer,
                              const char *game_id, const uint8_t head[static 32], struct span move)
{
    char words[GAME_MOVE_MAX + 1], bytes[96];
    struct text text = TEXT_OVER(words), name = TEXT_OVER(bytes);
    struct deposit deposit = box->deposit;
    if (strcmp(deposit.game, game_id) != 0)
        return;
    memcpy(deposit.head, head, sizeof deposit.head);
    text_add_span(&text, move);
    if (!drop_box_sign(signer, words, &deposit))
        return;
    FILE *out = new_file(&deposit, &name);
    if (out == NULL) {
        cli_fail(bytes, strerror(errno));
        return;
    }
    bool left = drop_box_deposit(box->given, &deposit, out);
    bool written = ftell(out) > 0;
    if (fclose(out) != 0 || !written)
        (void)remove(bytes);
    fprintf(stderr,
            written ? "tillroll: the move is left with %s: keep %s for `verify --deposit`\n"
                    : "tillroll: the move could be left with %s: %s is not written\n",
            written && left ? "all witnesses"
            : written       ? "some witnesses"
                            : "no witness",
            bytes);
}
