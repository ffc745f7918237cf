#include "api/move_request.h"

#include <string.h>

#include "engine/game.h"

static bool read_moves(struct call *call, struct move_request *request)
{
    json_t *moves = json_object_get(call->body, "moves");
    request->count = json_array_size(moves);
    if (!json_is_array(moves) || request->count == 0 || request->count > PLIES_MOST)
        return call_bad_field(call, "moves", "must be a list of 1 to 32 moves.");
    for (size_t i = 0; i < request->count; i++) {
        json_t *move = json_array_get(moves, i);
        if (!json_is_string(move))
            return call_bad_field(call, "moves", "must hold texts, one a move.");
        request->move[i] = (struct span){json_string_value(move), json_string_length(move)};
    }
    return true;
}

/* The sequence number of `If-Match: "<seq>"`. */
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

bool move_request_read(struct call *call, unsigned seat, struct move_request *request)
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
           call_bad_field(call, "seq", "must be there with a signature: it says for which head.");
}

/* Cuts `words` off the front of `rest`, in which a blank may follow each. */
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

/* Cuts off a text that stands for itself up to its second quotation mark. */
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

bool move_request_read_plain(const struct call *call, unsigned seat, struct move_request *request)
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

const struct record_row *move_request_find(const struct move_request *request,
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
