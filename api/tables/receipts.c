#include "api/tables/receipts.h"

void receipts_sign(struct receipts *receipts, const struct keys *keys, struct arena *arena,
                   const struct receipt *receipt, size_t count)
{
    size_t nodes = merkle_nodes(count);
    char message[RECEIPT_MESSAGE_MAX];
    struct text text = TEXT_OVER(message);
    receipts->count = count;
    receipts->node = arena_array(arena, nodes, sizeof *receipts->node);
    for (size_t i = 0; i < count; i++)
        receipt_leaf(&receipt[i], receipts->node[i]);
    merkle_build(receipts->node, count);
    receipt_message(count, receipts->node[nodes - 1], &text);
    keys_sign(keys, text_span(&text), receipts->signature);
    keys_signing_id(keys, receipts->key);
}

/* -- The response: JSON of numbers, hex and known words only, without escapes -- */

static void add_name(struct text *text, const char *name)
{
    if (text->at[text->length - 1] != '{')
        text_add_char(text, ',');
    text_add_char(text, '"');
    text_add(text, name);
    text_add(text, "\":");
}

static void add_hex(struct text *text, const uint8_t *bytes, size_t size)
{
    text_add_char(text, '"');
    text_add_hex(text, bytes, size);
    text_add_char(text, '"');
}

static void add_word(struct text *text, const char *name, const char *word)
{
    add_name(text, name);
    text_add_char(text, '"');
    text_add(text, word);
    text_add_char(text, '"');
}

static void add_number(struct text *text, const char *name, int64_t number)
{
    add_name(text, name);
    text_add_number(text, number);
}

static void add_path(struct text *text, const struct receipts *receipts, size_t index)
{
    uint8_t path[MERKLE_PATH_MAX][MERKLE_HASH];
    size_t length =
        merkle_path((const uint8_t(*)[MERKLE_HASH])receipts->node, receipts->count, index, path);
    add_name(text, "path");
    text_add_char(text, '[');
    for (size_t i = 0; i < length; i++) {
        if (i > 0)
            text_add_char(text, ',');
        add_hex(text, path[i], MERKLE_HASH);
    }
    text_add_char(text, ']');
}

static void add_receipt(struct text *text, const struct receipts *receipts, size_t index,
                        const struct receipt *receipt)
{
    add_name(text, "receipt");
    text_add_char(text, '{');
    add_word(text, "game", receipt->game);
    add_number(text, "seq", receipt->seq);
    add_name(text, "head");
    add_hex(text, receipt->head, 32);
    add_word(text, "key", receipts->key);
    add_number(text, "leaves", (int64_t)receipts->count);
    add_number(text, "index", (int64_t)index);
    add_path(text, receipts, index);
    add_name(text, "signature");
    add_hex(text, receipts->signature, sizeof receipts->signature);
    text_add_char(text, '}');
}

static void add_deciders(struct text *text, uint32_t deciders)
{
    bool first = true;
    add_name(text, "deciders");
    text_add_char(text, '[');
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++) {
        if ((deciders >> seat & 1) == 0)
            continue;
        if (!first)
            text_add_char(text, ',');
        text_add_number(text, seat);
        first = false;
    }
    text_add_char(text, ']');
}

struct receipts_position receipts_position(const struct replay *replay)
{
    const bool playing = replay->phase == REPLAY_PLAYING;
    return (struct receipts_position){replay->seq, playing,
                                      playing ? replay->header.game->deciders(replay->state) : 0};
}

void receipts_answer(const struct receipts *receipts, size_t index, const struct receipt *receipt,
                     const struct receipts_position *position, struct arena *arena,
                     struct http_response *response)
{
    enum { SMALL = 640, HASH_ON_PATH = 2 * MERKLE_HASH + 3, PATH_MOST = 20 };
    size_t size = SMALL + (receipts->count > 1 ? HASH_ON_PATH * PATH_MOST : 0);
    struct text text = {arena_room(arena, size), 0, size, false};
    text_add_char(&text, '{');
    add_receipt(&text, receipts, index, receipt);
    add_number(&text, "seq", position->seq);
    add_name(&text, "finished");
    text_add(&text, position->playing ? "false" : "true");
    add_deciders(&text, position->deciders);
    text_add_char(&text, '}');
    response->status = 200;
    response->content_type = "application/json";
    response->body = text_span(&text);
}

void receipts_answer_one(const struct keys *keys, const struct receipt *receipt,
                         const struct replay *replay, struct arena *arena,
                         struct http_response *response)
{
    struct receipts receipts;
    const struct receipts_position position = receipts_position(replay);
    receipts_sign(&receipts, keys, arena, receipt, 1);
    receipts_answer(&receipts, 0, receipt, &position, arena, response);
}
