/* Bodies of requests: the first line is If-Match, or a time; the rest is the body. Every reader of
 * fields tries its luck with it. */
#include <stdlib.h>
#include <string.h>

#include "api/base/json_text.h"
#include "api/people/names.h"
#include "api/play/move_request.h"
#include "engine/base/json.h"
#include "engine/record/record.h"
#include "tests/fuzz/support.h"

enum { VALUE_MOST = 80, FIELD_ROOM = 256 };

/* A reader that says no has written a problem, one that says yes has not. */
static void check_answer(struct call *call, bool taken)
{
    struct http_response *response = call->response;
    FUZZ_MUST(taken == (response->status == 0));
    if (!taken) {
        FUZZ_MUST(response->status >= 400 && response->status < 500);
        json_t *problem = json_loadb(response->body.at, response->body.length, 0, NULL);
        FUZZ_MUST(json_is_string(json_object_get(problem, "code")));
        json_decref(problem);
    }
    *response = (struct http_response){0};
}

/* A time that was read is printed in the one form that is stored, and read as the same. */
static void read_time(struct span written)
{
    int64_t ms;
    int64_t again;
    char text[TIME_TEXT];
    if (!time_parse(written, &ms))
        return;
    time_print(ms, text);
    FUZZ_MUST(time_parse(span_of(text), &again) && again == ms);
}

static void read_moves(struct call *call)
{
    struct move_request request;
    bool taken = move_request_read(call, 1, &request);
    check_answer(call, taken);
    if (!taken)
        return;
    FUZZ_MUST(request.count >= 1 && request.count <= PLIES_MOST && request.seat == 1);
    for (size_t i = 0; i < request.count; i++)
        FUZZ_MUST(request.move[i].at != NULL);
    FUZZ_MUST(!request.has_seq || request.seq <= INT32_MAX);
}

static void read_fields(struct call *call)
{
    static const char *const choices[] = {"first", "second", NULL};
    static const char *const keys[] = {"name", "password", "kind", "count", NULL};
    const char *text = NULL;
    unsigned number = 0;
    check_answer(call, call_check_keys(call, keys));
    bool taken = call_text(call, "password", 8, VALUE_MOST, NULL, &text);
    check_answer(call, taken);
    FUZZ_MUST(!taken || (strlen(text) >= 8 && strlen(text) <= VALUE_MOST));
    taken = call_whole(call, "count", 1, 99, -1, &number);
    check_answer(call, taken);
    FUZZ_MUST(!taken || (number >= 1 && number <= 99));
    taken = call_choice(call, "kind", choices, &text);
    check_answer(call, taken);
    FUZZ_MUST(!taken || text == choices[0] || text == choices[1]);
}

/* A name that was made tidy is tidy, and good for a record. */
static void read_name(struct call *call)
{
    const char *name = NULL;
    bool taken = name_read(call, "name", PLAYER_NAME_MAX, &name);
    check_answer(call, taken);
    if (taken) {
        const char *again = name_tidy(call->arena, name, PLAYER_NAME_MAX);
        FUZZ_MUST(again != NULL && strcmp(name, again) == 0);
        FUZZ_MUST(strlen(name) <= PLAYER_NAME_MAX && record_is_name(span_of(name)));
    }
    taken = name_read_account(call, "name", &name);
    check_answer(call, taken);
    if (taken) {
        char bytes[256];
        struct text wrong = TEXT_OVER(bytes);
        const char *again = account_name(call->arena, name, PLAYER_NAME_MAX, &wrong);
        FUZZ_MUST(again != NULL && strcmp(name, again) == 0 && record_is_name(span_of(name)));
        FUZZ_MUST(account_name_skeletons(call->arena, name).count > 0);
    }
    taken = name_read_bot(call, "name", &name);
    check_answer(call, taken);
    if (taken)
        FUZZ_MUST(strlen(name) <= PLAYER_NAME_MAX + 6 && record_is_name(span_of(name)) &&
                  strcmp(name + strlen(name) - 6, " [bot]") == 0);
}

static void write_value(struct json_text *json, const char *key, json_t *value);

static bool is_plain(const char *key)
{
    for (; *key != '\0'; key++)
        if ((unsigned char)*key < ' ' || *key == '"' || *key == '\\')
            return false;
    return true;
}

static void write_parts(struct json_text *json, const char *key, json_t *value)
{
    const char *name;
    json_t *part;
    size_t i;
    json_text_open(json, key, json_is_object(value) ? '{' : '[');
    json_object_foreach(value, name, part) write_value(json, name, part);
    json_array_foreach(value, i, part) write_value(json, NULL, part);
    json_text_close(json, json_is_object(value) ? '}' : ']');
}

static void write_value(struct json_text *json, const char *key, json_t *value)
{
    if (json_is_object(value) || json_is_array(value))
        write_parts(json, key, value);
    else if (json_is_string(value))
        json_text_string(json, key, json_string_value(value));
    else if (json_is_integer(value))
        json_text_number(json, key, json_integer_value(value));
    else if (json_is_boolean(value))
        json_text_boolean(json, key, json_is_true(value));
    else
        json_text_null(json, key);
}

static bool is_writable(const json_t *value)
{
    const char *name;
    json_t *part;
    size_t i;
    json_object_foreach((json_t *)value, name,
                        part) if (!is_plain(name) || !is_writable(part)) return false;
    json_array_foreach(value, i, part) if (!is_writable(part)) return false;
    return !json_is_real(value);
}

/* The writer writes what jansson writes. */
static void write_again(struct call *call)
{
    struct json_text json;
    if (!is_writable(call->body))
        return;
    json_text_begin(&json, call->arena, 1);
    write_value(&json, NULL, call->body);
    char *expected = json_dumps(call->body, JSON_COMPACT);
    FUZZ_MUST(expected != NULL && span_is(json_text_span(&json), expected));
    free(expected);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_input input = fuzz_begin(bytes, size);
    struct arena arena = {0};
    struct http_request request = {.content_type = "application/json", .host = "localhost"};
    struct http_response response = {0};
    struct call call = {.request = &request, .response = &response, .arena = &arena};
    char field[FIELD_ROOM];
    struct span if_match = fuzz_line(&input);
    request.if_match = if_match.length == 0 ? NULL : fuzz_string(if_match, field, sizeof field);
    read_time(if_match);
    request.body = fuzz_rest(&input);
    if (request.body.length > HTTP_BODY_MAX)
        return 0;
    bool taken = call_read_body(&call);
    check_answer(&call, taken);
    if (taken) {
        read_moves(&call);
        read_fields(&call);
        read_name(&call);
        write_again(&call);
        json_decref(call.body);
    }
    arena_free(&arena);
    return 0;
}
