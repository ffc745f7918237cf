/* Reading the transparency log: its checkpoint and tiles in the form of c2sp.org/tlog-tiles,
 * proofs, and records with their proofs. engine/log/tlog.h describes the log's contents. Each
 * transaction of the sequencer leaves only whole trees, so all data read here belong to the newest
 * checkpoint's tree. */
#include <string.h>

#include "api/play/move_request.h"
#include "api/push/witnesses.h"
#include "api/records/handlers.h"
#include "api/request/documents.h"
#include "api/request/visibility.h"
#include "api/tables/games.h"
#include "db/store/games/records.h"
#include "db/store/log/key_changes.h"
#include "db/store/log/tlog.h"
#include "db/store/service/component_sets.h"
#include "engine/log/bundle.h"
#include "engine/log/tlog.h"

static const char immutable[] = "public, max-age=31536000, immutable";

/* ---- The checkpoint ---- */

static bool find_checkpoint(struct call *call, struct tlog_checkpoint *checkpoint)
{
    enum db_status status = tlog_checkpoint_last(call->db, call->arena, checkpoint);
    if (status == DB_NONE)
        return call_problem(call, "not-logged", "The log has no checkpoint yet; try again soon.");
    return call_found(call, status);
}

void log_checkpoint(struct call *call)
{
    struct tlog_checkpoint checkpoint = {.size = 0};
    if (!find_checkpoint(call, &checkpoint))
        return;
    call_answer_body(call, "text/plain; charset=utf-8", checkpoint.note);
}

/* ---- Tiles ---- */

struct tile_name {
    bool entries;
    unsigned level;
    uint64_t number;
    size_t width; /* TLOG_TILE for a full tile */
};

static bool read_digits(struct span digits, uint64_t *number)
{
    if (digits.length != 3)
        return false;
    for (size_t i = 0; i < digits.length; i++) {
        if (digits.at[i] < '0' || digits.at[i] > '9')
            return false;
        *number = 10 * *number + (uint64_t)(digits.at[i] - '0');
    }
    return true;
}

/* Reads `x001`, `x234`, `067`: groups of three digits, all but the last after an x. */
static bool read_group(struct span group, bool last, uint64_t *number)
{
    if (!last && (group.length == 0 || *group.at++ != 'x' || group.length-- == 0))
        return false;
    return read_digits(group, number);
}

/* Reads the last two words of an open tile: `067.p`, `17`. */
static bool read_width(struct span *group, struct span width, size_t *hashes)
{
    uint64_t number;
    if (group->length < 2 || memcmp(group->at + group->length - 2, ".p", 2) != 0)
        return false;
    group->length -= 2;
    bool good = span_number(width, TLOG_TILE - 1, &number) && number > 0;
    *hashes = (size_t)number;
    return good;
}

/* Reads a name: word[0] is the level; the others are groups of the number, and possibly a width. */
static bool read_tile_name(const struct call *call, struct tile_name *name)
{
    struct span group[CALL_WORDS_MAX];
    size_t groups = call->words - 1;
    uint64_t level = 0;
    memcpy(group, call->word + 1, groups * sizeof *group);
    *name = (struct tile_name){.entries = span_is(call->word[0], "entries"), .width = TLOG_TILE};
    if (!name->entries && !span_number(call->word[0], 63, &level))
        return false;
    name->level = (unsigned)level;
    if (groups > 1 && read_width(&group[groups - 2], group[groups - 1], &name->width))
        groups--;
    for (size_t i = 0; i < groups; i++)
        if (!read_group(group[i], i == groups - 1, &name->number))
            return false;
    return groups == 1 || group[0].at[1] != '0' || group[0].at[2] != '0' || group[0].at[3] != '0';
}

static bool refuse_tile(struct call *call)
{
    return call_problem(call, "not-found", "The log has no tile of this name, or not one as wide.");
}

static void answer_tile(struct call *call, struct span body)
{
    call_answer_body(call, "application/octet-stream", body);
    call->response->cache_control = immutable;
}

static void answer_hashes(struct call *call, const struct tile_name *name)
{
    struct tlog_tile tile = {.level = name->level, .number = name->number};
    bool possible = name->level < TLOG_LEVELS && name->number <= TLOG_SIZE_MAX / TLOG_TILE;
    if (possible &&
        !call_found(call, tlog_tiles_read(call->db, call->arena, TLOG_SIZE_MAX, &tile, 1)))
        return;
    if (tile.count < name->width)
        refuse_tile(call);
    else
        answer_tile(call, (struct span){(const char *)tile.hash, name->width * MERKLE_HASH});
}

/* Each entry follows its length in two bytes, the high one first. */
static void answer_entries(struct call *call, const struct tile_name *name)
{
    struct tlog_entry *entries;
    size_t count = 0;
    if (name->number <= TLOG_SIZE_MAX / TLOG_TILE &&
        !call_found(call, tlog_entries(call->db, call->arena, name->number * TLOG_TILE, name->width,
                                       &entries, &count)))
        return;
    if (count < name->width) {
        refuse_tile(call);
        return;
    }
    size_t capacity = count * (2 + TLOG_LEAF_MAX) + 1;
    struct text text = {arena_take(call->arena, capacity), 0, capacity, false};
    for (size_t i = 0; i < count; i++) {
        text_add_char(&text, (char)(entries[i].entry.length >> 8));
        text_add_char(&text, (char)(entries[i].entry.length & 0xff));
        text_add_span(&text, entries[i].entry);
    }
    answer_tile(call, text_span(&text));
}

void log_tile(struct call *call)
{
    struct tile_name name;
    if (!read_tile_name(call, &name))
        call_problem(call, "not-found",
                     "A tile's name is <level>/<number> or entries/<number>, the number in groups "
                     "of three digits, `x001/x234/067`; an open tile adds `.p/<width>`.");
    else if (name.entries)
        answer_entries(call, &name);
    else
        answer_hashes(call, &name);
}

/* ---- Proofs ---- */

static bool hash_ranges(struct call *call, uint64_t size, const struct tlog_range *range,
                        size_t count, uint8_t (*hash)[MERKLE_HASH])
{
    struct tlog_tile tile[TLOG_TILES_MAX];
    size_t tiles = tlog_tiles_needed(range, count, tile);
    if (!call_found(call, tlog_tiles_read(call->db, call->arena, size, tile, tiles)))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!tlog_range_hash(range[i], tile, tiles, hash[i]))
            return call_problem(call, "internal-error", "The stored log lacks a hash.");
    return true;
}

/* True if the service's policy regards the checkpoint as witnessed. */
static bool is_witnessed(const struct call *call, const struct tlog_checkpoint *checkpoint)
{
    struct trust_finding finding;
    struct record_fault fault;
    struct note note;
    return note_read(checkpoint->note, &note) &&
           trust_policy_is_met(&call->service->witness_policy->policy, &note, 0, &finding, &fault);
}

/* Chooses the checkpoint for a proof of this leaf: if the log has witnesses, the newest of the last
 * few checkpoints that they have cosigned; otherwise, or if there is none, the newest one. */
static bool choose_checkpoint(struct call *call, uint64_t index, struct tlog_checkpoint *checkpoint)
{
    enum { LAST = 4 };
    struct tlog_checkpoint *last;
    size_t count;
    if (call->service->witness_policy == NULL)
        return find_checkpoint(call, checkpoint);
    if (!call_found(call, tlog_checkpoint_newest(call->db, call->arena, (int64_t)index, LAST, &last,
                                                 &count)))
        return false;
    for (size_t i = 0; i < count; i++)
        if (is_witnessed(call, &last[i])) {
            *checkpoint = last[i];
            return true;
        }
    return find_checkpoint(call, checkpoint);
}

/* Proves the inclusion of the leaf with this hash in a checkpoint. */
static bool prove(struct call *call, const uint8_t leaf[static MERKLE_HASH],
                  struct tlog_checkpoint *checkpoint, struct tlog_proof *proof)
{
    struct tlog_range range[TLOG_PATH_MAX];
    enum db_status status = tlog_find(call->db, leaf, &proof->index);
    if (status == DB_NONE)
        return call_problem(
            call, "not-logged",
            "This is not in the log, or not yet: recent additions come with the next checkpoint.");
    if (!call_found(call, status) || !choose_checkpoint(call, proof->index, checkpoint))
        return false;
    proof->length = tlog_inclusion(proof->index, checkpoint->size, range);
    proof->checkpoint = checkpoint->note;
    return hash_ranges(call, checkpoint->size, range, proof->length, proof->path);
}

static json_t *path_document(const uint8_t (*path)[MERKLE_HASH], size_t length)
{
    json_t *document = json_array();
    for (size_t i = 0; i < length; i++)
        json_array_append_new(document, hex_json(path[i], MERKLE_HASH));
    return document;
}

static void answer_inclusion(struct call *call, const uint8_t leaf[static MERKLE_HASH])
{
    struct tlog_checkpoint checkpoint = {.size = 0};
    struct tlog_proof proof = {.length = 0};
    if (!prove(call, leaf, &checkpoint, &proof))
        return;
    struct tlog_entry *entry;
    size_t count;
    if (!call_found(call, tlog_entries(call->db, call->arena, proof.index, 1, &entry, &count)))
        return;
    if (count == 0) {
        call_problem(call, "internal-error", "The stored log lacks a leaf.");
        return;
    }
    call_answer_tagged(
        call, json_pack("{s:s#, s:o, s:I, s:I, s:o, s:s}", "entry", entry->entry.at,
                        (int)entry->entry.length, "leaf", hex_json(leaf, MERKLE_HASH), "index",
                        (json_int_t)proof.index, "size", (json_int_t)checkpoint.size, "path",
                        path_document((const uint8_t(*)[MERKLE_HASH])proof.path, proof.length),
                        "checkpoint", checkpoint.note.at));
}

void log_inclusion(struct call *call)
{
    uint8_t leaf[MERKLE_HASH];
    if (call->request->parameters == 1 &&
        span_hex(http_parameter(call->request, "leaf"), leaf, sizeof leaf))
        answer_inclusion(call, leaf);
    else
        call_problem(call, "bad-parameter",
                     "A proof of inclusion takes leaf=<hash of the leaf, 64 lower-case hex "
                     "digits>.");
}

/* Reads from=<size> and to=<size>: 0 <= from <= to <= size of the newest checkpoint. */
static bool read_sizes(struct call *call, const struct tlog_checkpoint *checkpoint, uint64_t *from,
                       uint64_t *to)
{
    size_t known = 1;
    *to = checkpoint->size;
    if (http_parameter(call->request, "to").at != NULL)
        known += span_number(http_parameter(call->request, "to"), checkpoint->size, to);
    return (known == call->request->parameters &&
            span_number(http_parameter(call->request, "from"), *to, from)) ||
           call_problem(call, "bad-parameter",
                        "A proof of consistency takes from=<size> and, if not the newest "
                        "checkpoint's, to=<size>; from is at most to, and to at most the newest.");
}

void log_consistency(struct call *call)
{
    struct tlog_checkpoint checkpoint = {.size = 0};
    struct tlog_range range[TLOG_PATH_MAX];
    uint8_t path[TLOG_PATH_MAX][MERKLE_HASH];
    uint64_t from = 0;
    uint64_t to = 0;
    if (!find_checkpoint(call, &checkpoint) || !read_sizes(call, &checkpoint, &from, &to))
        return;
    size_t length = tlog_consistency(from, to, range);
    if (!hash_ranges(call, to, range, length, path))
        return;
    call_answer_tagged(call, json_pack("{s:I, s:I, s:o, s:s}", "from", (json_int_t)from, "to",
                                       (json_int_t)to, "path",
                                       path_document((const uint8_t(*)[MERKLE_HASH])path, length),
                                       "checkpoint", checkpoint.note.at));
}

/* ---- Documents ---- */

void log_document(struct call *call)
{
    uint8_t hash[32];
    struct span body;
    if (!span_hex(call->word[0], hash, sizeof hash)) {
        call_problem(call, "not-found",
                     "A document is named by its SHA-256, in lower-case hex digits.");
        return;
    }
    if (!call_found(call, tlog_document_find(call->db, call->arena, hash, &body)))
        return;
    call_answer_body(call, "text/plain; charset=utf-8", body);
    call->response->cache_control = immutable;
}

/* ---- Key changes ---- */

/* The first change of the chain that leads to the newest key; a lost key breaks the chain. */
static size_t first_change(const struct stored_key_change *changes, size_t count)
{
    size_t first = count;
    while (first > 0 &&
           (first == count || memcmp(changes[first - 1].new, changes[first].old, 32) == 0))
        first--;
    return first;
}

/* Appends a change with its proof. False with a problem. `in_log` is false for a change that is not
 * in the log yet, which is not appended. */
static bool add_change(struct call *call, struct span note, struct text *text, bool *in_log)
{
    struct key_change change;
    struct record_fault fault;
    struct tlog_checkpoint checkpoint = {.size = 0};
    struct tlog_proof proof = {.length = 0};
    uint8_t hash[MERKLE_HASH];
    uint64_t index;
    if (!key_change_read(note, &change, &fault))
        return call_problem(call, "internal-error", "The stored change of a key is damaged.");
    tlog_leaf_hash(&change.leaf, hash);
    enum db_status status = tlog_find(call->db, hash, &index);
    *in_log = status != DB_NONE;
    if (!*in_log)
        return true;
    if (!call_found(call, status) || !prove(call, hash, &checkpoint, &proof))
        return false;
    if (text->length > 0)
        text_add_char(text, '\n');
    text_add_span(text, note);
    text_add_char(text, '\n');
    tlog_proof_print(&proof, text);
    return true;
}

/* Changes that are not in the log yet are left out. */
void log_key_changes(struct call *call)
{
    enum {
        EACH_MAX = KEY_CHANGE_MAX + TLOG_PROOF_MAX + NOTE_SIGNATURES_MAX * COSIGNATURE_LINE_MAX
    };
    struct stored_key_change *changes;
    size_t count;
    if (!call_found(call, key_change_list(call->db, call->arena, &changes, &count)))
        return;
    size_t capacity = count * EACH_MAX + 1;
    struct text text = {arena_room(call->arena, capacity), 0, capacity, false};
    text.at[0] = '\0';
    bool in_log = true;
    for (size_t i = first_change(changes, count); i < count && in_log; i++)
        if (!add_change(call, changes[i].note, &text, &in_log))
            return;
    call_answer_body(call, "text/plain; charset=utf-8", text_span(&text));
}

/* ---- Records with their proofs ---- */

/* Reads the whole record of a finished game, and makes its leaf. */
static bool read_finished(struct call *call, struct span *record, struct tlog_leaf *leaf)
{
    struct game_row game;
    if (!visibility_find_game(call, &call->id[0], &game) ||
        !game_read_record(call, &game.id, record))
        return false;
    return tlog_leaf_of_record(*record, leaf) ||
           call_problem(call, "not-finished",
                        "The record is not finished; there is nothing to sign yet.");
}

void games_inclusion(struct call *call)
{
    struct span record;
    struct tlog_leaf leaf;
    uint8_t hash[MERKLE_HASH];
    if (!read_finished(call, &record, &leaf))
        return;
    tlog_leaf_hash(&leaf, hash);
    answer_inclusion(call, hash);
}

static void add_signed_record(const struct call *call, struct span record, struct text *text)
{
    uint8_t signature[64];
    keys_sign(&call->service->keys, record, signature);
    text_add_span(text, record);
    text_add_char(text, '\n');
    note_add_signature(&call->service->log_key, signature, text);
}

static void answer_text(struct call *call, const struct text *text, const char *ending)
{
    call_name_file(call, "inline", call->id[0].text, ending);
    call_answer_body(call, "text/plain; charset=utf-8", text_span(text));
}

void games_record_note(struct call *call)
{
    struct span record;
    struct tlog_leaf leaf;
    if (!read_finished(call, &record, &leaf))
        return;
    size_t capacity = record.length + NOTE_SIGNATURE_LINE_MAX + 2;
    struct text text = {arena_room(call->arena, capacity), 0, capacity, false};
    add_signed_record(call, record, &text);
    answer_text(call, &text, ".roll.note");
}

/* The bytes of the component set in the record; empty for the ruleset's own. */
static bool find_components(struct call *call, struct span record, struct span *body)
{
    struct stored_set set;
    uint8_t hash[32];
    *body = (struct span){NULL, 0};
    return !record_other_set(record, hash) ||
           call_found(call, component_set_find(call->db, call->arena, hash, &set, body));
}

static void add_components(struct span body, struct text *text)
{
    if (body.length == 0)
        return;
    text_add(text, "\n" BUNDLE_COMPONENTS_LINE "\n");
    text_add_span(text, body);
}

void games_record_bundle(struct call *call)
{
    struct span record, components;
    struct tlog_leaf leaf;
    struct tlog_checkpoint checkpoint = {.size = 0};
    struct tlog_proof proof = {.length = 0};
    struct span players;
    size_t signed_count;
    uint8_t hash[MERKLE_HASH];
    if (!read_finished(call, &record, &leaf))
        return;
    tlog_leaf_hash(&leaf, hash);
    if (!prove(call, hash, &checkpoint, &proof))
        return;
    if (!call_found(call, signed_moves_print(call->db, call->arena, &call->id[0], UINT32_MAX,
                                             &players, &signed_count)))
        return;
    if (!find_components(call, record, &components))
        return;
    size_t capacity = record.length + NOTE_SIGNATURE_LINE_MAX + players.length + TLOG_PROOF_MAX +
                      checkpoint.note.length + sizeof BUNDLE_COMPONENTS_LINE + components.length +
                      6;
    struct text text = {arena_room(call->arena, capacity), 0, capacity, false};
    add_signed_record(call, record, &text);
    text_add_char(&text, '\n');
    if (signed_count > 0) {
        text_add_span(&text, players);
        text_add_char(&text, '\n');
    }
    tlog_proof_print(&proof, &text);
    add_components(components, &text);
    answer_text(call, &text, ".roll.bundle");
}
