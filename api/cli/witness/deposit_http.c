#include "api/cli/witness/deposit_http.h"

#include <jansson.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/link/now.h"

enum { RECEIPT_NOTE_MAX = DEPOSIT_RECEIPT_MAX + COSIGNATURE_LINE_MAX };

struct exchange {
    struct deposit_box *box;
    const struct witness *witness;
    const char *title;
    const struct http_request *request;
    struct arena *arena;
    struct http_response *response;
};

static void refuse_with(const struct exchange *exchange, int status, const char *code,
                        const char *detail)
{
    party_problem(exchange->response, exchange->arena, status, exchange->title, code, detail);
}

static void answer_json(const struct exchange *exchange, json_t *document)
{
    char *text = json_dumps(document, JSON_COMPACT);
    party_text(exchange->response, exchange->arena, 200, "application/json",
               text == NULL ? (struct span){NULL, 0} : span_of(text));
    free(text);
    json_decref(document);
}

/* Prints the receipt, which is always the same for the same deposit and time. */
static void print_receipt(const struct witness *witness, const struct left_move *left,
                          struct text *note)
{
    char text_bytes[DEPOSIT_RECEIPT_MAX];
    char message_bytes[DEPOSIT_RECEIPT_MAX + 64];
    struct text text = TEXT_OVER(text_bytes);
    struct text message = TEXT_OVER(message_bytes);
    uint8_t signature[64];
    deposit_print_receipt(&left->deposit, &text);
    cosignature_message(left->time_s, text_span(&text), &message);
    crypto_sign_detached(signature, NULL, (const unsigned char *)message.at, message.length,
                         witness->signer.secret_key);
    text_add_span(note, text_span(&text));
    text_add_char(note, '\n');
    cosignature_add(&witness->key, left->time_s, signature, note);
}

/* ---- Leaving a move ---- */

static bool read_body(const struct exchange *exchange, struct deposit *deposit)
{
    json_t *body = json_loadb(exchange->request->body.at, exchange->request->body.length,
                              JSON_REJECT_DUPLICATES, NULL);
    const json_t *text = json_object_get(body, "deposit");
    bool good =
        json_object_size(body) == 1 && json_is_string(text) &&
        deposit_read((struct span){json_string_value(text), json_string_length(text)}, deposit);
    json_decref(body);
    if (!good)
        refuse_with(exchange, 400, "bad-request",
                    "The body is {\"deposit\": \"..\"} with the ten lines of a deposit: tillroll "
                    "deposit 1, the log's origin, game, scope, commitment, head, seat, key, move "
                    "and signature. `tillroll deposit` prints them.");
    return good;
}

static bool is_wanted(const struct exchange *exchange, const struct deposit *deposit)
{
    if (trust_policy_log_key(&exchange->witness->policy, span_of(deposit->origin)) == NULL)
        refuse_with(exchange, 404, "unknown-log",
                    "This witness takes moves only for services whose logs it witnesses.");
    else if (!deposit_is_signed(deposit))
        refuse_with(exchange, 403, "bad-signature",
                    "The signature does not hold: it must be by this key, for this move of this "
                    "seat at this head of the game.");
    else
        return true;
    return false;
}

static void add(const struct exchange *exchange)
{
    struct left_move left;
    char bytes[RECEIPT_NOTE_MAX];
    struct text note = TEXT_OVER(bytes);
    if (exchange->request->method != HTTP_POST) {
        exchange->response->allow = "POST";
        refuse_with(exchange, 405, "method-not-allowed", "Use POST.");
        return;
    }
    if (!read_body(exchange, &left.deposit) || !is_wanted(exchange, &left.deposit))
        return;
    left.time_s = (uint64_t)(now_ms(CLOCK_REALTIME) / 1000);
    switch (deposit_box_take(exchange->box, &left.deposit, &left.time_s)) {
    case DEPOSIT_STORED:
    case DEPOSIT_REPEATED:
        print_receipt(exchange->witness, &left, &note);
        answer_json(exchange, json_pack("{s:s}", "receipt", bytes));
        return;
    case DEPOSIT_MANY:
        refuse_with(exchange, 429, "too-many-deposits",
                    "This witness has taken as many moves as it keeps for this game, or for this "
                    "key in it. Leave this one with another witness.");
        return;
    case DEPOSIT_FULL:
        refuse_with(exchange, 507, "full",
                    "This witness has taken as many moves as it can keep. Leave this one with "
                    "another witness.");
        return;
    case DEPOSIT_FAILED:
        refuse_with(exchange, 500, "not-stored",
                    "The move could not be stored, so there is no receipt. Leave it with another "
                    "witness.");
        return;
    }
}

/* ---- Lists of deposits ---- */

static void list(const struct exchange *exchange)
{
    struct span game = exchange->request->segment[1];
    char bytes[DEPOSITS_OF_GAME * (2 * DEPOSIT_HASH + 24)];
    struct text lines = TEXT_OVER(bytes);
    size_t from = 0;
    const struct left_move *left;
    while ((left = deposit_box_next(exchange->box, game, &from)) != NULL) {
        uint8_t hash[DEPOSIT_HASH];
        deposit_hash(&left->deposit, hash);
        text_add_number(&lines, (int64_t)left->time_s);
        text_add_char(&lines, ' ');
        text_add_hex(&lines, hash, sizeof hash);
        text_add_char(&lines, '\n');
    }
    party_text(exchange->response, exchange->arena, 200, "text/plain; charset=utf-8",
               text_span(&lines));
}

static void show(const struct exchange *exchange)
{
    uint8_t secret[32];
    size_t from = 0;
    const struct left_move *left;
    if (!span_hex(exchange->request->segment[2], secret, sizeof secret)) {
        refuse_with(exchange, 400, "bad-secret",
                    "After the game comes the secret that its record reveals at the end: 64 "
                    "lower-case hexadecimal digits.");
        return;
    }
    json_t *files = json_array();
    while ((left = deposit_box_next(exchange->box, exchange->request->segment[1], &from)) != NULL) {
        char bytes[DEPOSIT_MAX + RECEIPT_NOTE_MAX];
        struct text file = TEXT_OVER(bytes);
        if (!deposit_is_opened(&left->deposit, secret))
            continue;
        deposit_print(&left->deposit, &file);
        text_add_char(&file, '\n');
        print_receipt(exchange->witness, left, &file);
        json_array_append_new(files, json_string(bytes));
    }
    answer_json(exchange, json_pack("{s:o}", "deposits", files));
}

bool deposit_http_answer(struct deposit_box *box, const struct witness *witness, const char *title,
                         const struct http_request *request, struct arena *arena,
                         struct http_response *response)
{
    const struct exchange exchange = {box, witness, title, request, arena, response};
    bool reads = request->method == HTTP_GET || request->method == HTTP_HEAD;
    if (request->segments == 1 && span_is(request->segment[0], "add-deposit")) {
        add(&exchange);
        return true;
    }
    if (request->segments < 2 || request->segments > 3 || !reads ||
        !span_is(request->segment[0], "deposits") || !record_is_id(request->segment[1]))
        return false;
    (request->segments == 2 ? list : show)(&exchange);
    return true;
}
