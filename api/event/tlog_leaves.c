#include "api/event/tlog_leaves.h"

#include <sodium.h>
#include <string.h>

#include "db/store/log/tlog.h"

/* ---- Lines of an event's log ---- */

size_t tlog_step_length(const struct event_step *step)
{
    enum { REST = 128 }; /* numbers, time, id, blanks */
    return REST + strlen(step->kind) + strlen(step->detail);
}

void tlog_print_step(const struct event_step *step, struct text *text)
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

/* ---- Leaves ---- */

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

bool tlog_add_commitments(struct call *call, const struct span *scopes,
                          const uint8_t *const *commitments, size_t count)
{
    struct span *entries = arena_array(call->arena, count, sizeof *entries);
    for (size_t i = 0; i < count; i++) {
        struct tlog_leaf leaf = {.subject = TLOG_COMMITMENT, .name = scopes[i]};
        struct text text = {arena_take(call->arena, TLOG_LEAF_MAX), 0, TLOG_LEAF_MAX, false};
        memcpy(leaf.hash, commitments[i], sizeof leaf.hash);
        tlog_leaf_print(&leaf, &text);
        entries[i] = text_span(&text);
    }
    return call_found(call, tlog_queue_all(call->db, entries, count));
}

bool tlog_add_dispute(struct call *call, const struct id *dispute, const uint8_t head[static 32])
{
    struct tlog_leaf leaf = {.subject = TLOG_DISPUTE, .name = span_of(dispute->text)};
    memcpy(leaf.hash, head, sizeof leaf.hash);
    return add(call, &leaf);
}

/* Writes a name such as `<event>/line/12`. */
static struct span scope_of(struct text *text, const struct id *event, const char *part, unsigned n)
{
    text_add(text, event->text);
    text_add(text, part);
    text_add_number(text, n);
    return text_span(text);
}

bool tlog_add_ruling(struct call *call, const struct id *event, unsigned line)
{
    struct event_step step;
    char name[64];
    struct text scope = TEXT_OVER(name);
    struct tlog_leaf leaf = {.subject = TLOG_RULING,
                             .name = scope_of(&scope, event, "/line/", line)};
    if (!call_found(call, event_log_find(call->db, call->arena, event, line, &step)))
        return false;
    size_t length = tlog_step_length(&step);
    struct text text = {arena_take(call->arena, length), 0, length, false};
    tlog_print_step(&step, &text);
    crypto_hash_sha256(leaf.hash, (const unsigned char *)text.at, text.length);
    return add(call, &leaf);
}

void tlog_key_leaf(const struct id *player, const struct keyring_step *step, struct text *name,
                   struct tlog_leaf *leaf)
{
    char bytes[KEYRING_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    *leaf = (struct tlog_leaf){.subject = TLOG_KEY,
                               .name = scope_of(name, player, "/key/", step->number)};
    keyring_print(step, &line);
    text_add_char(&line, '\n');
    crypto_hash_sha256(leaf->hash, (const unsigned char *)line.at, line.length);
}

bool tlog_add_key_step(struct call *call, const struct id *player, const struct keyring_step *step)
{
    char name[64];
    struct text scope = TEXT_OVER(name);
    struct tlog_leaf leaf;
    tlog_key_leaf(player, step, &scope, &leaf);
    return add(call, &leaf);
}

/* ---- Documents ---- */

bool tlog_add_document(struct call *call, enum tlog_subject subject, struct span scope,
                       struct span body)
{
    struct tlog_leaf leaf = {.subject = subject, .name = scope};
    crypto_hash_sha256(leaf.hash, (const unsigned char *)body.at, body.length);
    return call_found(call,
                      tlog_document_keep(call->db, leaf.hash, arena_copy(call->arena, body))) &&
           add(call, &leaf);
}
