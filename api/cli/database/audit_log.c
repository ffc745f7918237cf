/* The tree is rebuilt from the texts of its leaves and compared at the size of every checkpoint.
 * Damage is reported at the first place where it shows. Everything is read in one snapshot. */
#include "api/cli/database/audit_log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/database/audit_subjects.h"
#include "db/link/db.h"
#include "db/store/games/audit.h"
#include "db/store/log/key_changes.h"
#include "db/store/log/tlog.h"
#include "engine/log/key_chain.h"
#include "engine/log/note.h"
#include "engine/log/tlog.h"

enum { PAGE = 4096, CHECKPOINTS = 1024, GAMES = 2000, FAULTS_SHOWN = 20 };

struct kept {
    char *bytes; /* NULL = there is none */
    struct checkpoint checkpoint;
    bool reached;
};

struct log_audit {
    struct db *db;
    const struct audit_log_options *options;
    struct tlog_edge edge; /* the tree of the leaves read so far, computed from their texts */
    uint64_t faults;
    uint64_t good_until; /* the largest size at which the root matched a checkpoint */
    bool wrong_root;     /* reported only once, because all later roots are wrong too */
    struct arena stored; /* owns the current tiles */
    struct tlog_tile tile[TLOG_LEVELS];
    struct arena page; /* owns the current checkpoints */
    struct tlog_checkpoint *checkpoints;
    size_t checkpoint, checkpoint_count; /* index of the next one, and their number */
    int64_t checkpoint_after;            /* the size of the last one read */
    struct kept kept;
    struct key_chain chain; /* of the key, if it has been replaced, or has replaced another */
};

__attribute__((format(printf, 3, 4))) static void fault(struct log_audit *audit, const char *code,
                                                        const char *format, ...)
{
    va_list arguments;
    if (++audit->faults > FAULTS_SHOWN)
        return;
    printf("log: invalid: %s: ", code);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
}

static unsigned long long number(uint64_t value)
{
    return (unsigned long long)value;
}

/* ---- The kept checkpoint ---- */

static bool is_in_chain(const struct key_chain *chain, const struct note_key *key)
{
    for (size_t i = 0; i < chain->count; i++)
        if (memcmp(chain->key[i].public, key->public, sizeof key->public) == 0)
            return true;
    return false;
}

/* Reads the changes of keys that are in the log, from the last gap on: after a key was lost, a new
 * chain begins. False if the database failed. */
static bool read_chain(struct log_audit *audit)
{
    struct arena arena = {NULL};
    struct key_chain *chain = &audit->chain;
    struct stored_key_change *changes = NULL;
    size_t count = 0;
    if (audit->options->key == NULL)
        return true;
    enum db_status status = key_change_list(audit->db, &arena, &changes, &count);
    for (size_t i = 0; status == DB_OK && i < count; i++) {
        struct key_change change;
        struct record_fault wrong;
        uint8_t hash[MERKLE_HASH];
        uint64_t index;
        if (!key_change_read(changes[i].note, &change, &wrong)) {
            fault(audit, wrong.code, "%s", wrong.message);
            chain->count = 0;
            continue;
        }
        tlog_leaf_hash(&change.leaf, hash);
        status = tlog_find(audit->db, hash, &index);
        if (status == DB_OK && !key_chain_add(chain, &change, index, &wrong)) {
            chain->count = 0;
            (void)key_chain_add(chain, &change, index, &wrong);
        }
    }
    arena_free(&arena);
    if (!is_in_chain(chain, audit->options->key))
        chain->count = 0;
    return status == DB_OK || status == DB_NONE;
}

static bool is_signed(const struct log_audit *audit, const struct note *note, uint64_t size)
{
    const struct note_key *key = audit->options->key;
    if (key == NULL || audit->chain.count == 0)
        return key == NULL || note_verify(note, key) == NOTE_SIGNED;
    int signer = key_chain_signer(&audit->chain, note);
    return signer >= 0 && size <= audit->chain.until[signer];
}

/* Reads the kept checkpoint. False, with a message, if it is invalid or not signed by a key of the
 * chain, so read_chain() must be called first. */
static bool read_kept(struct log_audit *audit)
{
    struct note note;
    size_t length;
    if (audit->options->checkpoint == NULL)
        return true;
    audit->kept.bytes = cli_read_file(audit->options->checkpoint, &length);
    if (audit->kept.bytes == NULL)
        return false;
    if (!note_read((struct span){audit->kept.bytes, length}, &note) ||
        !checkpoint_read(note.text, &audit->kept.checkpoint)) {
        fprintf(stderr, "tillroll: %s is not a checkpoint\n", audit->options->checkpoint);
        return false;
    }
    if (is_signed(audit, &note, audit->kept.checkpoint.size))
        return true;
    fprintf(stderr, "tillroll: %s is not signed with this key\n", audit->options->checkpoint);
    return false;
}

static void compare_kept(struct log_audit *audit, const uint8_t root[static MERKLE_HASH])
{
    struct kept *kept = &audit->kept;
    if (kept->bytes == NULL || kept->checkpoint.size != audit->edge.size)
        return;
    kept->reached = true;
    if (memcmp(kept->checkpoint.root, root, MERKLE_HASH) != 0)
        fault(audit, "other-log", "the first %llu leaves do not match the kept checkpoint",
              number(audit->edge.size));
}

/* ---- Stored checkpoints ---- */

/* Returns the next checkpoint, or NULL after the last. */
static const struct tlog_checkpoint *next_checkpoint(struct log_audit *audit,
                                                     enum db_status *status)
{
    *status = DB_OK;
    if (audit->checkpoint == audit->checkpoint_count) {
        arena_free(&audit->page);
        audit->page = (struct arena){NULL};
        audit->checkpoint = 0;
        audit->checkpoint_count = 0;
        *status = tlog_checkpoint_list(audit->db, &audit->page, audit->checkpoint_after,
                                       CHECKPOINTS, &audit->checkpoints, &audit->checkpoint_count);
    }
    return *status == DB_OK && audit->checkpoint < audit->checkpoint_count
               ? &audit->checkpoints[audit->checkpoint]
               : NULL;
}

static void compare_checkpoint(struct log_audit *audit, const struct tlog_checkpoint *stored,
                               const uint8_t root[static MERKLE_HASH])
{
    struct note note;
    struct checkpoint checkpoint;
    if (!note_read(stored->note, &note) || !checkpoint_read(note.text, &checkpoint) ||
        checkpoint.size != stored->size ||
        memcmp(checkpoint.root, stored->root, MERKLE_HASH) != 0 ||
        !is_signed(audit, &note, checkpoint.size))
        fault(audit, "bad-checkpoint", "the checkpoint of %llu leaves was changed after signing",
              number(stored->size));
    if (memcmp(stored->root, root, MERKLE_HASH) == 0) {
        audit->good_until = stored->size;
    } else if (!audit->wrong_root) {
        audit->wrong_root = true;
        fault(audit, "wrong-root",
              "leaves %llu to %llu do not match the signed checkpoint of %llu leaves",
              number(audit->good_until), number(stored->size - 1), number(stored->size));
    }
}

/* Compares the root at the current size of the tree with the checkpoints of that size. False if the
 * database failed. */
static bool compare_here(struct log_audit *audit)
{
    enum db_status status;
    uint8_t root[MERKLE_HASH];
    const struct tlog_checkpoint *stored = next_checkpoint(audit, &status);
    bool here = stored != NULL && stored->size == audit->edge.size;
    if (!here && (audit->kept.bytes == NULL || audit->kept.checkpoint.size != audit->edge.size))
        return status == DB_OK;
    tlog_edge_root(&audit->edge, root);
    compare_kept(audit, root);
    if (here) {
        compare_checkpoint(audit, stored, root);
        audit->checkpoint_after = (int64_t)stored->size;
        audit->checkpoint++;
    }
    return status == DB_OK;
}

/* ---- Leaves and tiles ---- */

static bool read_tile(struct log_audit *audit, const struct tlog_node *node)
{
    struct tlog_tile *tile = &audit->tile[node->level];
    if (tile->hash != NULL && tile->number == node->index / TLOG_TILE)
        return true;
    *tile = (struct tlog_tile){.level = node->level, .number = node->index / TLOG_TILE};
    return tlog_tiles_read(audit->db, &audit->stored, TLOG_SIZE_MAX, tile, 1) == DB_OK;
}

static bool compare_node(struct log_audit *audit, const struct tlog_node *node)
{
    const struct tlog_tile *tile = &audit->tile[node->level];
    size_t place = (size_t)(node->index % TLOG_TILE);
    if (!read_tile(audit, node))
        return false;
    if (place >= tile->count || memcmp(tile->hash[place], node->hash, MERKLE_HASH) != 0)
        fault(audit, "wrong-tile", "hash %llu of level %u does not match the leaves below it",
              number(node->index), node->level);
    return true;
}

static bool add_leaf(struct log_audit *audit, const struct tlog_entry *entry)
{
    uint8_t hash[MERKLE_HASH];
    struct tlog_node node[TLOG_LEVELS];
    merkle_leaf(entry->entry, hash);
    if (memcmp(hash, entry->hash, MERKLE_HASH) != 0)
        fault(audit, "wrong-leaf", "leaf %llu does not match the hash stored with it",
              number(entry->index));
    size_t count = tlog_edge_add(&audit->edge, hash, node);
    for (size_t i = 0; i < count; i++)
        if (!compare_node(audit, &node[i]))
            return false;
    return compare_here(audit);
}

static bool compare_heads(struct log_audit *audit, struct arena *arena, uint64_t first)
{
    struct audit_head *heads;
    size_t count;
    if (audit_heads(audit->db, arena, first, PAGE, &heads, &count) != DB_OK)
        return false;
    for (size_t i = 0; i < count; i++)
        fault(audit, "other-head", "leaf %llu: the record of game %s has another head",
              number(heads[i].index), heads[i].game.text);
    return true;
}

/* Compares the next leaf with the stored data about its subject. Heads of games are compared a page
 * at a time. */
static bool compare_subject(struct log_audit *audit, struct span entry)
{
    struct audit_fault found;
    if (!audit_subject(audit->db, audit->edge.size, entry, &found))
        return false;
    if (found.code != NULL)
        fault(audit, found.code, "%s", found.message);
    return true;
}

/* Reads and checks one page of leaves. False if the database failed; `more`: whether to continue.
 */
static bool read_page(struct log_audit *audit, bool *more)
{
    struct arena arena = {NULL};
    struct tlog_entry *entries;
    size_t count;
    uint64_t first = audit->edge.size;
    bool good = tlog_entries(audit->db, &arena, first, PAGE, &entries, &count) == DB_OK &&
                compare_heads(audit, &arena, first);
    *more = good && count == PAGE;
    for (size_t i = 0; good && i < count; i++) {
        if (entries[i].index != audit->edge.size) {
            fault(audit, "missing-leaf", "leaf %llu is missing", number(audit->edge.size));
            *more = false;
            break;
        }
        good = compare_subject(audit, entries[i].entry) && add_leaf(audit, &entries[i]);
    }
    arena_free(&arena);
    return good;
}

/* Reports leaves that were published, but are missing. */
static bool compare_kept_end(struct log_audit *audit)
{
    const struct checkpoint *kept = &audit->kept.checkpoint;
    if (audit->kept.bytes == NULL || audit->kept.reached)
        return true;
    fault(audit, "lost-tail",
          "the kept checkpoint has %llu leaves, the log only %llu: leaves %llu to %llu"
          " are lost",
          number(kept->size), number(audit->edge.size), number(audit->edge.size),
          number(kept->size - 1));
    return audit->options->leaves == NULL || audit_lost(audit->options->leaves, &audit->edge, kept);
}

/* Reports leaves that were signed, but are missing, and leaves without a signature. */
static bool compare_end(struct log_audit *audit)
{
    enum db_status status;
    struct arena arena = {NULL};
    struct tlog_checkpoint last;
    bool signed_at_all = tlog_checkpoint_last(audit->db, &arena, &last) == DB_OK;
    const struct tlog_checkpoint *beyond = next_checkpoint(audit, &status);
    if (beyond != NULL)
        fault(audit, "lost-tail",
              "a checkpoint of %llu leaves was signed, but the log has only %llu",
              number(last.size), number(audit->edge.size));
    else if (audit->edge.size > 0 && (!signed_at_all || last.size < audit->edge.size))
        fault(audit, "unsigned-leaves", "leaves from %llu on are in no checkpoint",
              number(signed_at_all ? last.size : 0));
    arena_free(&arena);
    return status == DB_OK && compare_kept_end(audit);
}

static bool read_leaves(struct log_audit *audit)
{
    bool more = true;
    if (!compare_here(audit))
        return false;
    while (more)
        if (!read_page(audit, &more))
            return false;
    return compare_end(audit);
}

/* ---- Missing games and events ---- */

/* Reports games or events without a leaf. `message` takes the id. */
__attribute__((format(printf, 3, 0))) static bool
find_unlogged(struct log_audit *audit, enum audit_leaf leaf, const char *message)
{
    struct id after = {""};
    enum db_status status = DB_OK;
    while (status == DB_OK) {
        struct arena arena = {NULL};
        struct id *ids;
        size_t count = 0;
        status = audit_unlogged(audit->db, leaf, &arena, &after, GAMES, &ids, &count, &after);
        for (size_t i = 0; status == DB_OK && i < count; i++)
            fault(audit, "not-in-log", message, ids[i].text);
        arena_free(&arena);
    }
    return status == DB_NONE;
}

/* ---- Missing rulings ---- */

static bool find_unlogged_ruling(struct log_audit *audit, struct arena *arena,
                                 const struct audit_ruling *ruling)
{
    char name[64];
    char bytes[TLOG_LEAF_MAX];
    struct text scope = TEXT_OVER(name);
    struct text text = TEXT_OVER(bytes);
    struct tlog_leaf leaf = {.subject = TLOG_RULING};
    bool logged = false;
    text_add(&scope, ruling->event.text);
    text_add(&scope, "/line/");
    text_add_number(&scope, ruling->line);
    leaf.name = text_span(&scope);
    if (audit_line_hash(audit->db, arena, &ruling->event, ruling->line, leaf.hash) != DB_OK)
        return false;
    tlog_leaf_print(&leaf, &text);
    if (audit_is_logged(audit->db, bytes, &logged) != DB_OK)
        return false;
    if (!logged)
        fault(audit, "not-in-log",
              "the ruling in line %u of event %s is not in the log in its stored form",
              ruling->line, ruling->event.text);
    return true;
}

static bool find_unlogged_rulings(struct log_audit *audit)
{
    struct audit_ruling after = {{""}, 0};
    size_t count = GAMES;
    bool good = true;
    while (good && count == GAMES) {
        struct arena arena = {NULL};
        struct audit_ruling *rulings;
        good = audit_rulings(audit->db, &arena, &after, GAMES, &rulings, &count) == DB_OK;
        for (size_t i = 0; good && i < count; i++)
            good = find_unlogged_ruling(audit, &arena, &rulings[i]);
        if (good && count > 0)
            after = rulings[count - 1];
        arena_free(&arena);
    }
    return good;
}

/* ---- The whole audit ---- */

static bool run(struct log_audit *audit)
{
    return read_leaves(audit) &&
           find_unlogged(audit, AUDIT_LEAF_GAME, "game %s is finished, but not in the log") &&
           find_unlogged(audit, AUDIT_LEAF_COMMITMENT,
                         "the commitment to the secret of game %s is not in the log") &&
           find_unlogged(audit, AUDIT_LEAF_EVENT_COMMITMENT,
                         "the commitment to the secret of event %s is not in the log") &&
           find_unlogged_rulings(audit) &&
           find_unlogged(audit, AUDIT_LEAF_EVENT,
                         "the newest line of event %s is not in the log in its stored form");
}

static int report(const struct log_audit *audit)
{
    if (audit->faults > FAULTS_SHOWN)
        printf("log: and %llu more\n", number(audit->faults - FAULTS_SHOWN));
    printf("log: %llu leaves, ", number(audit->edge.size));
    if (audit->faults > 0)
        printf("%llu wrong\n", number(audit->faults));
    else
        printf("nothing wrong%s\n", audit->kept.reached ? ", continues the kept checkpoint" : "");
    return audit->faults == 0 ? EXIT_YES : EXIT_NO;
}

int audit_log(struct db *db, const struct audit_log_options *options)
{
    struct log_audit *audit = must(calloc(1, sizeof *audit));
    int status = EXIT_UNKNOWN;
    audit->db = db;
    audit->options = options;
    audit->checkpoint_after = -1;
    bool read = db_begin(audit->db, true) == DB_OK && read_chain(audit);
    bool kept = !read || read_kept(audit);
    if (read && kept && run(audit))
        status = report(audit);
    else if (kept)
        fprintf(stderr, "tillroll: the log could not be read completely\n");
    db_rollback(audit->db);
    arena_free(&audit->page);
    arena_free(&audit->stored);
    free(audit->kept.bytes);
    free(audit);
    return status;
}
