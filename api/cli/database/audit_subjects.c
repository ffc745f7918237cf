#include "api/cli/database/audit_subjects.h"

#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/event/tlog_leaves.h"
#include "db/link/db.h"
#include "db/store/games/audit.h"
#include "db/store/log/disputes.h"
#include "db/store/log/tlog.h"
#include "db/store/people/credentials.h"
#include "engine/log/tlog.h"

/* The leaf being compared. */
struct comparison {
    struct db *db;
    struct arena *arena;
    uint64_t index;
    struct tlog_leaf leaf;
    struct audit_fault *found;
};

__attribute__((format(printf, 3, 4))) static bool differs(struct comparison *at, const char *code,
                                                          const char *format, ...)
{
    va_list arguments;
    at->found->code = code;
    va_start(arguments, format);
    vsnprintf(at->found->message, sizeof at->found->message, format, arguments);
    va_end(arguments);
    return true;
}

/* Parses `<id>/line/12`, where `part` is `/line/`, into the id and the number. */
static bool read_name(struct span name, const char *part, struct id *id, unsigned *number)
{
    uint64_t read;
    size_t part_length = strlen(part);
    struct span first = {name.at, sizeof id->text - 1};
    if (name.length <= first.length + part_length ||
        memcmp(name.at + first.length, part, part_length) != 0 || !id_parse(first, id))
        return false;
    size_t used = first.length + part_length;
    if (!span_number((struct span){name.at + used, name.length - used}, UINT32_MAX, &read))
        return false;
    *number = (unsigned)read;
    return true;
}

/* True if the stored object exists and has the leaf's hash. */
static bool is_same(const struct comparison *at, enum db_status status,
                    const uint8_t hash[static 32])
{
    return status == DB_OK && memcmp(hash, at->leaf.hash, sizeof at->leaf.hash) == 0;
}

static bool was_read(enum db_status status)
{
    return status == DB_OK || status == DB_NONE;
}

/* ---- Rulings ---- */

enum db_status audit_line_hash(struct db *db, struct arena *arena, const struct id *event,
                               unsigned line, uint8_t hash[static 32])
{
    struct event_step step;
    enum db_status status = event_log_find(db, arena, event, line, &step);
    if (status != DB_OK)
        return status;
    size_t length = tlog_step_length(&step);
    struct text text = {arena_take(arena, length), 0, length, false};
    tlog_print_step(&step, &text);
    crypto_hash_sha256(hash, (const unsigned char *)text.at, text.length);
    return DB_OK;
}

static bool compare_ruling(struct comparison *at)
{
    struct id event;
    unsigned line;
    uint8_t hash[32] = {0};
    enum db_status status = read_name(at->leaf.name, "/line/", &event, &line)
                                ? audit_line_hash(at->db, at->arena, &event, line, hash)
                                : DB_NONE;
    if (was_read(status) && !is_same(at, status, hash))
        differs(at, "other-ruling", "leaf %llu: the ruling %.*s was changed",
                (unsigned long long)at->index, (int)at->leaf.name.length, at->leaf.name.at);
    return was_read(status);
}

/* ---- Steps of events ---- */

/* Compares a step's leaf with the stored chain; audit_chains.h recomputes the chains themselves. */
static bool compare_step(struct comparison *at)
{
    struct id event;
    unsigned line;
    uint8_t hash[32] = {0};
    enum db_status status = read_name(at->leaf.name, "/line/", &event, &line)
                                ? event_log_hash(at->db, &event, line, hash)
                                : DB_NONE;
    if (was_read(status) && !is_same(at, status, hash))
        differs(at, "other-event-log",
                "leaf %llu: the event's log up to %.*s was changed or is missing",
                (unsigned long long)at->index, (int)at->leaf.name.length, at->leaf.name.at);
    return was_read(status);
}

/* ---- Disputes and keys ---- */

static bool compare_dispute(struct comparison *at)
{
    struct id dispute;
    struct dispute_line *lines;
    size_t count = 0;
    bool same = false;
    if (id_parse(at->leaf.name, &dispute) &&
        dispute_line_list(at->db, at->arena, &dispute, 1, &lines, &count) != DB_OK)
        return false;
    for (size_t i = 0; i < count && !same; i++)
        same = is_same(at, DB_OK, lines[i].hash);
    return same ||
           differs(at, "other-dispute", "leaf %llu: the log of dispute %.*s was changed",
                   (unsigned long long)at->index, (int)at->leaf.name.length, at->leaf.name.at);
}

static bool compare_key(struct comparison *at)
{
    struct id player;
    unsigned number = 0;
    struct signing_key_step *steps;
    size_t count = 0;
    bool same = false;
    if (read_name(at->leaf.name, "/key/", &player, &number) &&
        signing_key_list(at->db, at->arena, &player, 1, &steps, &count) != DB_OK)
        return false;
    for (size_t i = 0; i < count && !same; i++) {
        char name[64];
        struct text scope = TEXT_OVER(name);
        struct tlog_leaf leaf;
        tlog_key_leaf(&player, &steps[i].step, &scope, &leaf);
        same = steps[i].step.number == number && is_same(at, DB_OK, leaf.hash);
    }
    return same ||
           differs(at, "other-key", "leaf %llu: the keys of player %.*s were changed",
                   (unsigned long long)at->index, (int)at->leaf.name.length, at->leaf.name.at);
}

/* ---- Documents ---- */

/* Compares a kept document with an event's log. The log only grows, so the document is a prefix of
 * it. */
static bool compare_event_log(struct comparison *at, struct span kept)
{
    enum { STEPS_MOST = 100000 };
    struct id event;
    struct event_step *steps;
    size_t count = 0;
    if (id_parse(at->leaf.name, &event) &&
        event_log_list(at->db, at->arena, &event, 0, NULL, STEPS_MOST, &steps, &count) != DB_OK)
        return false;
    for (size_t i = 0; i < count && kept.length > 0; i++) {
        size_t length = tlog_step_length(&steps[i]);
        struct text text = {arena_take(at->arena, length), 0, length, false};
        tlog_print_step(&steps[i], &text);
        if (text.length > kept.length || memcmp(text.at, kept.at, text.length) != 0)
            return differs(at, "other-event-log", "event %s: line %u was changed", event.text,
                           steps[i].seq);
        kept = (struct span){kept.at + text.length, kept.length - text.length};
    }
    return kept.length == 0 ||
           differs(at, "other-event-log", "event %.*s: lines are missing after line %zu",
                   (int)at->leaf.name.length, at->leaf.name.at, count);
}

static bool compare_document(struct comparison *at)
{
    struct span body;
    uint8_t hash[32];
    enum db_status status = tlog_document_find(at->db, at->arena, at->leaf.hash, &body);
    if (status == DB_NONE)
        return differs(at, "missing-document", "leaf %llu: the document that it names is missing",
                       (unsigned long long)at->index);
    if (status != DB_OK)
        return false;
    crypto_hash_sha256(hash, (const unsigned char *)body.at, body.length);
    if (!is_same(at, DB_OK, hash))
        return differs(at, "other-document", "leaf %llu: the document was changed",
                       (unsigned long long)at->index);
    return at->leaf.subject != TLOG_EVENT_LOG || compare_event_log(at, body);
}

/* ---- Any leaf ---- */

static bool compare(struct comparison *at)
{
    switch (at->leaf.subject) {
    case TLOG_RULING:
        return compare_ruling(at);
    case TLOG_EVENT_STEP:
        return compare_step(at);
    case TLOG_DISPUTE:
        return compare_dispute(at);
    case TLOG_KEY:
        return compare_key(at);
    case TLOG_EVENT_LOG:
    case TLOG_STANDINGS:
    case TLOG_SERVER_KEY:
        return compare_document(at);
    case TLOG_GAME:
    case TLOG_COMMITMENT:
        break;
    }
    return true;
}

bool audit_subject(struct db *db, uint64_t index, struct span entry, struct audit_fault *found)
{
    struct arena arena = {NULL};
    struct comparison at = {.db = db, .arena = &arena, .index = index, .found = found};
    found->code = NULL;
    bool read = !tlog_leaf_read(entry, &at.leaf) || compare(&at);
    arena_free(&arena);
    return read;
}

/* ---- Lost leaves ---- */

/* The file is read twice: the first pass checks that its leaves, appended to the existing ones,
 * produce the signed root. */

/* ---- The file ---- */

/* Unescapes a leaf: \n and \\ are the only escapes needed. */
static size_t unescape(char *text)
{
    size_t length = 0;
    for (const char *at = text; *at != '\0' && *at != '\n'; at++) {
        if (*at == '\\' && *++at == 'n')
            text[length++] = '\n';
        else
            text[length++] = *at;
    }
    return length;
}

/* Reads the next leaf with an index of at least `index`. False at the end of the file or at a
 * malformed line. */
static bool next_leaf(FILE *file, char **line, size_t *capacity, uint64_t *index, struct span *leaf)
{
    uint64_t wanted = *index;
    while (getline(line, capacity, file) > 0) {
        char *tab = strchr(*line, '\t');
        struct span number = {*line, tab == NULL ? 0 : (size_t)(tab - *line)};
        if (tab == NULL || !span_number(number, TLOG_SIZE_MAX, index))
            return false;
        if (*index >= wanted) {
            *leaf = (struct span){tab + 1, unescape(tab + 1)};
            return true;
        }
    }
    return false;
}

/* ---- Both passes ---- */

/* True if the file's leaves complete `there` to the signed log. */
static bool are_signed(FILE *file, const struct tlog_edge *there, const struct checkpoint *kept)
{
    struct tlog_edge *edge = must(malloc(sizeof *edge));
    struct tlog_node nodes[TLOG_LEVELS];
    uint8_t hash[MERKLE_HASH];
    char *line = NULL;
    size_t capacity = 0;
    struct span leaf;
    *edge = *there;
    for (uint64_t index; edge->size < kept->size;) {
        index = edge->size;
        if (!next_leaf(file, &line, &capacity, &index, &leaf) || index != edge->size)
            break;
        merkle_leaf(leaf, hash);
        tlog_edge_add(edge, hash, nodes);
    }
    tlog_edge_root(edge, hash);
    bool good = edge->size == kept->size && memcmp(hash, kept->root, MERKLE_HASH) == 0;
    free(edge);
    free(line);
    return good;
}

static void print_lost(FILE *file, uint64_t first, uint64_t end)
{
    char *line = NULL;
    size_t capacity = 0;
    struct span text;
    struct tlog_leaf leaf;
    for (uint64_t index = first; index < end; index++) {
        if (!next_leaf(file, &line, &capacity, &index, &text) || !tlog_leaf_read(text, &leaf))
            break;
        /* A leaf's first line names its kind. */
        struct span rest = text;
        struct span kind;
        span_line(&rest, &kind);
        printf("log: lost: leaf %llu: %.*s %.*s\n", (unsigned long long)index, (int)kind.length,
               kind.at, (int)leaf.name.length, leaf.name.at);
    }
    free(line);
}

bool audit_lost(const char *path, const struct tlog_edge *there, const struct checkpoint *kept)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "tillroll: cannot read %s\n", path);
        return false;
    }
    if (are_signed(file, there, kept)) {
        rewind(file);
        print_lost(file, there->size, kept->size);
    } else {
        printf("log: lost: %s does not contain the signed leaves\n", path);
    }
    fclose(file);
    return true;
}
