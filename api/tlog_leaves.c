#include "api/tlog_leaves.h"

#include <sodium.h>
#include <string.h>

#include "api/handlers.h"
#include "db/tlog.h"
#include "engine/tlog_leaf.h"

static bool add(struct call *call, const struct tlog_leaf *leaf)
{
    char bytes[TLOG_LEAF_MAX];
    struct text text = TEXT_OVER(bytes);
    tlog_leaf_print(leaf, &text);
    return call_found(call, tlog_queue(call->db, text_span(&text)));
}

bool tlog_add_record(struct call *call, struct span record)
{
    struct tlog_leaf leaf;
    if (!tlog_leaf_of_record(record, &leaf))
        return call_problem(call, "internal-error", "The finished record has no head.");
    return add(call, &leaf);
}

bool tlog_add_commitment(struct call *call, struct span scope, const uint8_t commitment[static 32])
{
    struct tlog_leaf leaf = {.subject = TLOG_COMMITMENT, .name = scope};
    memcpy(leaf.hash, commitment, sizeof leaf.hash);
    return add(call, &leaf);
}

/* ---- Closed events ---- */

static bool add_document(struct call *call, enum tlog_subject subject, const struct id *event,
                         struct span body)
{
    struct tlog_leaf leaf = {.subject = subject, .name = span_of(event->text)};
    crypto_hash_sha256(leaf.hash, (const unsigned char *)body.at, body.length);
    return call_found(call,
                      tlog_document_keep(call->db, leaf.hash, arena_copy(call->arena, body))) &&
           add(call, &leaf);
}

static size_t step_length(const struct event_step *step)
{
    enum { REST = 128 }; /* numbers, time, id, blanks */
    return REST + strlen(step->kind) + strlen(step->detail);
}

/* A line a step: number, time, who, what, and its detail as stored. */
static void print_step(const struct event_step *step, struct text *text)
{
    char time[TIME_TEXT];
    time_print(step->at_ms, time);
    text_add_number(text, step->seq);
    text_add_char(text, ' ');
    text_add(text, time);
    text_add_char(text, ' ');
    text_add(text, step->actor.text[0] == '\0' ? "-" : step->actor.text);
    text_add_char(text, ' ');
    text_add(text, step->kind);
    text_add_char(text, ' ');
    text_add(text, step->detail);
    text_add_char(text, '\n');
}

static bool add_event_log(struct call *call, const struct id *event)
{
    enum { STEPS_MOST = 100000 };
    struct event_step *steps;
    size_t count;
    size_t length = 1;
    if (!call_found(call, event_log_list(call->db, call->arena, event, 0, NULL, STEPS_MOST, &steps,
                                         &count)))
        return false;
    for (size_t i = 0; i < count; i++)
        length += step_length(&steps[i]);
    struct text text = {arena_take(call->arena, length), 0, length, false};
    for (size_t i = 0; i < count; i++)
        print_step(&steps[i], &text);
    return add_document(call, TLOG_EVENT_LOG, event, text_span(&text));
}

/* What GET .../standings answers from now on to those who ask for nothing in particular. */
static bool add_standings(struct call *call, const struct id *event)
{
    struct http_response response = {.status = 0};
    struct http_request request = {.method = HTTP_GET};
    struct call reader = *call;
    reader.request = &request;
    reader.response = &response;
    reader.id[0] = *event;
    reader.body = NULL;
    standings_get(&reader);
    if (response.status == 200)
        return add_document(call, TLOG_STANDINGS, event, response.body);
    call->retry = reader.retry;
    return call_problem(call, "internal-error", "The final standings could not be made.");
}

bool tlog_add_closed_event(struct call *call, const struct id *event)
{
    return add_event_log(call, event) && add_standings(call, event);
}
