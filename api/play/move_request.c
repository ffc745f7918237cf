#include "api/play/move_request.h"

#include <string.h>

#include "api/event/signing_keys.h"
#include "api/play/handlers.h"
#include "api/play/views.h"
#include "api/request/visibility.h"
#include "api/tables/receipts.h"
#include "db/link/db.h"
#include "db/store/games/records.h"
#include "engine/game/game.h"

/* ---- Reading ---- */

static bool read_moves(struct call *call, struct move_request *request)
{
    json_t *moves = json_object_get(call->body, "moves");
    request->count = json_array_size(moves);
    if (!json_is_array(moves) || request->count == 0 || request->count > PLIES_MOST)
        return call_bad_field(call, "moves", "must be a list of 1 to 32 moves.");
    for (size_t i = 0; i < request->count; i++) {
        json_t *move = json_array_get(moves, i);
        if (!json_is_string(move))
            return call_bad_field(call, "moves", "must be a list of texts, one per move.");
        request->move[i] = (struct span){json_string_value(move), json_string_length(move)};
    }
    return true;
}

/* Reads the sequence number of `If-Match: "<seq>"`. */
static bool read_if_match(struct call *call, struct move_request *request)
{
    const char *field = call->request->if_match;
    uint64_t number;
    if (field == NULL)
        return true;
    size_t length = strlen(field);
    bool good = length > 2 && field[0] == '"' && field[length - 1] == '"' &&
                span_number((struct span){field + 1, length - 2}, INT32_MAX, &number);
    if (!good || (request->has_seq && request->seq != number))
        return call_problem(call, "bad-field",
                            "If-Match takes the sequence number in quotes, the same as seq.");
    request->has_seq = true;
    request->seq = (unsigned)number;
    return true;
}

static bool read_body(struct call *call, unsigned seat, struct move_request *request)
{
    static const char *const keys[] = {"moves", "seq", "seat", "signature", NULL};
    unsigned named;
    request->seat = seat;
    request->has_seq = json_object_get(call->body, "seq") != NULL;
    if (!call_check_keys(call, keys) || !read_moves(call, request) ||
        !call_whole(call, "seq", 0, INT32_MAX, 0, &request->seq) ||
        !call_whole(call, "seat", 0, GAME_SEATS_MAX - 1, (int)seat, &named) ||
        !read_if_match(call, request) || !signed_moves_read(call, &request->signature))
        return false;
    if (named != seat)
        return call_problem(call, "not-your-seat", "You may move for your own seat only.");
    return !request->signature.given || request->has_seq ||
           call_bad_field(call, "seq",
                          "is needed with a signature: it says which head was signed.");
}

/* Removes `words` from the front of `rest`; each may be followed by one space. */
static bool take_words(struct span *rest, const char *const *words)
{
    for (; *words != NULL; words++) {
        size_t length = strlen(*words);
        if (rest->length < length || memcmp(rest->at, *words, length) != 0)
            return false;
        length += length < rest->length && rest->at[length] == ' ';
        *rest = (struct span){rest->at + length, rest->length - length};
    }
    return true;
}

/* Reads a text without escapes, up to its closing quotation mark, and removes both from `rest`. */
static bool take_plain_text(struct span *rest, struct span *text)
{
    *text = (struct span){rest->at, 0};
    while (text->length < rest->length && text->at[text->length] != '"') {
        char c = text->at[text->length++];
        if (c < ' ' || c > '~' || c == '\\')
            return false;
    }
    size_t cut = text->length + 1;
    if (cut > rest->length)
        return false;
    *rest = (struct span){rest->at + cut, rest->length - cut};
    return true;
}

/* Reads a body in the form that programs write, without the parser and without problems: one move,
 * then its `seq`, nothing escaped. False for any other body, which may be valid all the same. */
static bool read_plain(const struct call *call, unsigned seat, struct move_request *request)
{
    static const char *const before_move[] = {"{", "\"moves\":", "[", NULL};
    static const char *const after_move[] = {"]", ",", "\"seq\":", NULL};
    const struct http_request *http = call->request;
    struct span rest = http->body;
    uint64_t seq;
    if (http->if_match != NULL || http->content_type == NULL ||
        strcmp(http->content_type, "application/json") != 0 || !take_words(&rest, before_move) ||
        rest.length == 0 || *rest.at != '"')
        return false;
    rest = (struct span){rest.at + 1, rest.length - 1};
    if (!take_plain_text(&rest, &request->move[0]) || !take_words(&rest, after_move) ||
        rest.length == 0 || rest.at[rest.length - 1] != '}' ||
        !span_number((struct span){rest.at, rest.length - 1}, INT32_MAX, &seq))
        return false;
    request->seat = seat;
    request->has_seq = true;
    request->seq = (unsigned)seq;
    request->count = 1;
    request->signature.given = false;
    return true;
}

bool move_request_read(struct call *call, unsigned seat, struct move_request *request)
{
    return read_plain(call, seat, request) ||
           ((call->body != NULL || call_read_body(call)) && read_body(call, seat, request));
}

bool move_request_read_row(const struct record_row *row, struct record_entry *entry)
{
    enum { MARK_LENGTH = 10 };
    struct record_fault fault;
    struct span line = row->line;
    if (line.length < MARK_LENGTH)
        return false;
    line.length -= MARK_LENGTH;
    return record_read_entry(line, entry, &fault);
}

/* ---- Playing ---- */

enum move_outcome move_request_play(struct game_writer *writer, const struct move_request *request,
                                    struct move_played *played)
{
    for (played->count = 0; played->count < request->count; played->count++) {
        if (replay_simultaneous(writer->replay) != 0)
            return MOVE_TOGETHER;
        played->last = writer->count;
        if (!game_writer_ply(writer, request->seat, request->move[played->count], &played->refusal))
            return MOVE_REFUSED;
    }
    return MOVE_PLAYED;
}

/* ---- Answering ---- */

void move_request_answer(struct call *call, const struct replay *replay,
                         const struct record_row *row)
{
    const struct receipt receipt = {call->id[0].text, row->seq, row->hash};
    receipts_answer_one(&call->service->keys, &receipt, replay, call->arena, call->response);
}

/* The row of the request's last ply, if its plies are the first of this seat on `rows`. Fallback
 * moves of other seats may stand in between. */
static const struct record_row *find_again(const struct move_request *request,
                                           const struct record_row *rows, size_t count)
{
    size_t matched = 0;
    for (size_t i = 0; i < count; i++) {
        struct record_entry entry;
        if (!move_request_read_row(&rows[i], &entry) || entry.kind != RECORD_PLY)
            continue;
        if (entry.seat != request->seat) {
            if (matched == 0)
                return NULL;
            continue;
        }
        if (!span_equal(entry.move, request->move[matched]))
            return NULL;
        if (++matched == request->count)
            return &rows[i];
    }
    return NULL;
}

void move_request_answer_late(struct call *call, const struct replay *replay,
                              const struct move_request *request, const struct record_row *rows,
                              size_t count)
{
    const struct record_row *again = find_again(request, rows, count);
    if (again != NULL)
        move_request_answer(call, replay, again);
    else
        game_writer_stale(call, replay->seq);
}

/* ---- Signatures ---- */

/* A seat's key is the one named in its record. What a player has done with keys since the game
 * began is looked up only for seats with a key, so other seats pay nothing. */

bool signed_moves_read(struct call *call, struct move_signed *given)
{
    const char *hex;
    given->given = json_object_get(call->body, "signature") != NULL;
    if (!given->given)
        return true;
    if (!call_text(call, "signature", 0, 2 * SIGNATURE_BYTES, NULL, &hex))
        return false;
    return span_hex(span_of(hex), given->bytes, SIGNATURE_BYTES) ||
           call_bad_field(call, "signature",
                          "must be an Ed25519 signature: 128 lower-case hexadecimal digits.");
}

/* The state of the key that the record names for the seat. */
struct seat_key {
    bool there, revoked, required;
};

static bool load(struct call *call, const struct replay *replay, unsigned seat,
                 struct seat_key *found)
{
    const struct record_seat *sitting = &replay->header.seat[seat];
    struct keyring *ring = arena_take(call->arena, sizeof *ring);
    struct id player;
    *found = (struct seat_key){.there = sitting->has_key};
    if (!found->there)
        return true;
    memcpy(player.text, sitting->player, sizeof player.text);
    if (!signing_keys_load(call, &player, ring))
        return false;
    const struct keyring_key *key = keyring_find(ring, sitting->key);
    found->revoked = key == NULL || key->revoked_ms != 0;
    found->required = ring->required && !found->revoked;
    return true;
}

static bool refuse_unsigned(struct call *call)
{
    return call_problem(
        call, "signature-required",
        "You have chosen that your moves are accepted only with your signature, one at a time. "
        "Sign this one, or turn that off at /v1/players/<you>/signing-keys.");
}

static bool check_key(struct call *call, const struct seat_key *key)
{
    if (!key->there)
        return call_problem(call, "no-signing-key",
                            "The record names no key for your seat, because you had none in use "
                            "when you took it. Send the move without a signature.");
    return !key->revoked ||
           call_problem(call, KEYRING_REFUSAL_REVOKED,
                        "The key that the record names for your seat is revoked. Send the move "
                        "without a signature.");
}

bool signed_moves_check(struct call *call, const struct replay *replay, unsigned seat,
                        struct span move, const uint8_t head[static 32],
                        const struct move_signed *given)
{
    const struct record_header *header = &replay->header;
    struct seat_key key;
    if (!load(call, replay, seat, &key))
        return false;
    if (!given->given)
        return !key.required || refuse_unsigned(call);
    return check_key(call, &key) &&
           (signature_holds(header->game_id, head, seat, move, given->bytes,
                            header->seat[seat].key) ||
            call_problem(call, "bad-signature",
                         "The signature is not valid. Make it with the key that `legal-moves` "
                         "shows, over `tillroll move`, the game, the `head` that belongs to `seq`, "
                         "the seat and the move, each on a line of its own."));
}

bool signed_moves_check_several(struct call *call, const struct replay *replay, unsigned seat,
                                const struct move_signed *given)
{
    struct seat_key key;
    if (given->given)
        return call_bad_field(call, "signature", "is for one move: send each move by itself.");
    return load(call, replay, seat, &key) && (!key.required || refuse_unsigned(call));
}

/* ---- What is kept of a game ---- */

static bool is_within(const struct signature *signature, unsigned entries)
{
    return signature->kind == SIGNATURE_OF_ENTROPY || signature->number <= entries;
}

enum db_status signed_moves_print(struct db *db, struct arena *arena, const struct id *game,
                                  unsigned entries, struct span *text, size_t *count)
{
    enum { FIRST_LINES = 80 };
    struct signature *signatures;
    enum db_status status = signature_list(db, arena, game, &signatures, count);
    if (status != DB_OK)
        return status;
    size_t capacity = FIRST_LINES + *count * SIGNATURE_LINE_MAX;
    struct text printed = {arena_take(arena, capacity), 0, capacity, false};
    signature_print_first(game->text, &printed);
    for (size_t i = 0; i < *count; i++)
        if (is_within(&signatures[i], entries))
            signature_print(&signatures[i], &printed);
    *text = text_span(&printed);
    return DB_OK;
}

void games_signatures(struct call *call)
{
    struct game_row game;
    struct replay *replay;
    struct span text;
    size_t count;
    if (views_load_game(call, &game, &replay) &&
        call_found(call,
                   signed_moves_print(call->db, call->arena, &game.id, replay->seq, &text, &count)))
        call_answer_body(call, "text/plain; charset=utf-8", text);
}
