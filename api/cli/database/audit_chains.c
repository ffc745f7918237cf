#include "api/cli/database/audit_chains.h"

#include <stdio.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/event/tlog_leaves.h"
#include "api/state/component_cache.h"
#include "db/link/db.h"
#include "db/store/games/audit.h"
#include "db/store/games/recordings.h"
#include "db/store/log/disputes.h"
#include "db/store/people/credentials.h"
#include "engine/log/tlog.h"
#include "engine/record/dispute.h"
#include "engine/record/replay.h"
#include "engine/tournament/event/event_chain.h"

enum { PAGE = 1024 };

struct chains_audit {
    struct db *db;
    uint64_t events, disputes, histories, recordings, wrong;
    struct component_cache *components;
    struct replay replay; /* of the recording checked last */
};

static const struct span none = {NULL, 0};

/* Prints a damaged line. `what` is `event`, `dispute`, `keys of` or `recording`. */
static void report(struct chains_audit *audit, const char *what, const struct id *id, unsigned line,
                   const char *code, const char *message)
{
    char bytes[64];
    struct text name = TEXT_OVER(bytes);
    struct record_fault fault = {.line = line};
    text_add_all(&name, what, " ", id->text);
    record_fault(&fault, code, message, none);
    cli_print_fault(stdout, bytes, REPLAY_INVALID, &fault);
    audit->wrong++;
}

static bool is_logged(struct chains_audit *audit, const struct tlog_leaf *leaf, bool *logged)
{
    char bytes[TLOG_LEAF_MAX];
    struct text text = TEXT_OVER(bytes);
    tlog_leaf_print(leaf, &text);
    return audit_is_logged(audit->db, bytes, logged) == DB_OK;
}

/* ---- Logs of events ---- */

/* The log being read. */
struct event_chain {
    struct id event;
    unsigned lines;
    uint8_t hash[32];
    bool broken; /* a fault has been printed */
};

static void begin_event(struct event_chain *chain, const struct id *event)
{
    *chain = (struct event_chain){.event = *event};
    event_chain_begin(span_of(event->text), chain->hash);
}

/* Adds a line to the chain, without its LF, which the chain adds. */
static void add_to_chain(struct arena *arena, const struct event_step *step,
                         uint8_t hash[static 32])
{
    size_t length = tlog_step_length(step);
    struct text text = {arena_take(arena, length), 0, length, false};
    tlog_print_step(step, &text);
    record_chain_add(hash, (struct span){text.at, text.length - 1});
}

static void check_event_line(struct chains_audit *audit, struct arena *arena,
                             struct event_chain *chain, const struct event_chained_step *line)
{
    if (!id_equal(&chain->event, &line->event)) {
        begin_event(chain, &line->event);
        audit->events++;
    }
    if (chain->broken)
        return;
    chain->broken = true;
    if (line->step.seq != chain->lines + 1) {
        report(audit, "event", &chain->event, chain->lines + 1, "missing-line",
               "The line is missing.");
        return;
    }
    add_to_chain(arena, &line->step, chain->hash);
    chain->lines++;
    if (memcmp(chain->hash, line->hash, sizeof chain->hash) == 0)
        chain->broken = false;
    else
        report(audit, "event", &chain->event, chain->lines, "broken-chain",
               "The line, or the hash stored with it, was changed.");
}

static bool read_events(struct chains_audit *audit)
{
    struct event_chain chain = {.lines = 0};
    struct id after = {""};
    unsigned after_line = 0;
    size_t count = PAGE;
    while (count == PAGE) {
        struct arena arena = {NULL};
        struct event_chained_step *steps;
        if (event_log_chain(audit->db, &arena, &after, after_line, PAGE, &steps, &count) != DB_OK) {
            arena_free(&arena);
            return false;
        }
        for (size_t i = 0; i < count; i++)
            check_event_line(audit, &arena, &chain, &steps[i]);
        if (count > 0) {
            after = steps[count - 1].event;
            after_line = steps[count - 1].step.seq;
        }
        arena_free(&arena);
    }
    return true;
}

/* ---- Disputes ---- */

/* Finds out whether a ruling or closing is missing from the transparency log. It may be if the
 * game's board still had to be played elsewhere. */
static bool is_missing_in_log(struct chains_audit *audit, const struct dispute_row *row,
                              const struct game_row *game, const struct dispute *dispute,
                              bool *missing)
{
    struct tlog_leaf leaf = {.subject = TLOG_DISPUTE, .name = span_of(row->id.text)};
    bool logged = true;
    memcpy(leaf.hash, dispute->head, sizeof leaf.hash);
    bool read = game->board > 0 || is_logged(audit, &leaf, &logged);
    *missing = !logged;
    return read;
}

/* Checks the next line. False if the database failed; `wrong` if the line was reported. */
static bool check_dispute_line(struct chains_audit *audit, const struct dispute_row *row,
                               const struct game_row *game, const struct dispute_line *line,
                               struct dispute *dispute, bool *wrong)
{
    struct refusal refusal;
    uint8_t hash[32];
    unsigned number = dispute->steps + 1;
    enum dispute_state before = dispute->state;
    bool missing = false;
    memcpy(hash, dispute->head, sizeof hash);
    record_chain_add(hash, line->line);
    *wrong = true;
    if (line->number != number)
        report(audit, "dispute", &row->id, number, "missing-line", "The line is missing.");
    else if (memcmp(hash, line->hash, sizeof hash) != 0)
        report(audit, "dispute", &row->id, number, "broken-chain",
               "The line, or the hash stored with it, was changed.");
    else if (!dispute_apply_line(dispute, line->line, &refusal))
        report(audit, "dispute", &row->id, number, refusal.code, refusal.message);
    else if (dispute_is_logged(before, dispute->state) &&
             !is_missing_in_log(audit, row, game, dispute, &missing))
        return false;
    else if (missing)
        report(audit, "dispute", &row->id, number, "not-in-log",
               "The transparency log does not contain this.");
    else
        *wrong = false;
    return true;
}

static void compare_row(struct chains_audit *audit, const struct dispute_row *row,
                        const struct dispute *dispute)
{
    if (dispute->steps == 0)
        report(audit, "dispute", &row->id, 1, "missing-line", "The line is missing.");
    else if (strcmp(row->state, dispute_state_name(dispute->state)) != 0)
        report(audit, "dispute", &row->id, 0, "wrong-state",
               "The stored state does not match its log.");
    else if (strcmp(row->game.text, dispute->game) != 0 ||
             strcmp(row->event.text, dispute->event) != 0)
        report(audit, "dispute", &row->id, 0, "wrong-game", "Its log is about another game.");
}

static bool check_dispute(struct chains_audit *audit, struct arena *arena,
                          const struct dispute_row *row)
{
    struct dispute dispute;
    struct dispute_line *lines;
    struct game_row game;
    size_t count;
    bool wrong = false;
    if (dispute_line_list(audit->db, arena, &row->id, 1, &lines, &count) != DB_OK ||
        game_find(audit->db, arena, &row->game, &game) != DB_OK)
        return false;
    audit->disputes++;
    dispute_init(&dispute, row->id.text);
    for (size_t i = 0; i < count && !wrong; i++)
        if (!check_dispute_line(audit, row, &game, &lines[i], &dispute, &wrong))
            return false;
    if (!wrong)
        compare_row(audit, row, &dispute);
    return true;
}

static bool read_disputes(struct chains_audit *audit)
{
    struct id after = {""};
    size_t count = PAGE;
    bool good = true;
    while (good && count == PAGE) {
        struct arena arena = {NULL};
        struct dispute_row *rows;
        good = dispute_list_all(audit->db, &arena, &after, PAGE, &rows, &count) == DB_OK;
        for (size_t i = 0; good && i < count; i++)
            good = check_dispute(audit, &arena, &rows[i]);
        if (good && count > 0)
            after = rows[count - 1].id;
        arena_free(&arena);
    }
    return good;
}

/* ---- Keys ---- */

/* Checks the history starting at `steps`. Returns its length; 0 if the database failed. */
static size_t check_keys(struct chains_audit *audit, const struct signing_key_step *steps,
                         size_t count)
{
    const struct id *player = &steps[0].player;
    struct keyring ring;
    struct refusal refusal;
    bool wrong = false;
    size_t used = 0;
    audit->histories++;
    keyring_init(&ring, player->text);
    for (; used < count && id_equal(&steps[used].player, player); used++) {
        const struct keyring_step *step = &steps[used].step;
        char name[64];
        struct text scope = TEXT_OVER(name);
        struct tlog_leaf leaf;
        bool logged = true;
        if (wrong)
            continue;
        wrong = true;
        tlog_key_leaf(player, step, &scope, &leaf);
        if (!is_logged(audit, &leaf, &logged))
            return 0;
        if (!keyring_is_signed(&ring, step))
            report(audit, "keys of", player, ring.steps + 1, "bad-signature",
                   "The key was not registered by its holder.");
        else if (!keyring_apply(&ring, step, &refusal))
            report(audit, "keys of", player, ring.steps + 1, refusal.code, refusal.message);
        else if (!logged)
            report(audit, "keys of", player, ring.steps, "not-in-log",
                   "The transparency log does not contain this.");
        else
            wrong = false;
    }
    return used;
}

static bool read_page_of_keys(struct chains_audit *audit, struct id *after, bool *more)
{
    struct arena arena = {NULL};
    struct signing_key_step *steps;
    size_t count;
    bool good = signing_key_list_all(audit->db, &arena, after, PAGE, &steps, &count) == DB_OK;
    *more = good && count > 0;
    for (size_t at = 0; good && at < count;) {
        size_t used = check_keys(audit, steps + at, count - at);
        good = used > 0;
        at += used;
    }
    if (*more)
        *after = steps[count - 1].player;
    arena_free(&arena);
    return good;
}

static bool read_keys(struct chains_audit *audit)
{
    struct id after = {""};
    bool more = true;
    while (more)
        if (!read_page_of_keys(audit, &after, &more))
            return false;
    return true;
}

/* ---- Games at real tables ---- */

/* The rows of a record, and the index of the row whose hash is checked next. */
struct recorded_rows {
    const struct record_row *rows;
    size_t count, next;
};

/* Compares the hash stored with a row; the next row is computed from it. */
static bool check_row(void *context, const uint8_t head[static 32], struct record_fault *fault)
{
    struct recorded_rows *recorded = context;
    size_t row = recorded->next++;
    return (row < recorded->count && recorded->rows[row].seq == row &&
            memcmp(recorded->rows[row].hash, head, sizeof recorded->rows[row].hash) == 0) ||
           record_fault(fault, "wrong-hash",
                        "The hash stored with the line is not the chain's, or a row is missing.",
                        none);
}

static bool is_of_recording(const struct record_header *header, const struct recording *recording)
{
    return header->recorded && header->in_event &&
           strcmp(header->game_id, recording->id.text) == 0 &&
           strcmp(header->event_id, recording->event.text) == 0 &&
           header->round == recording->round && header->table == recording->table;
}

/* Compares a valid record with other stored data. False if the database failed. The report may be
 * older than a replay of the table, but its record is the same. */
static bool compare_recording(struct chains_audit *audit, const struct recording *recording,
                              struct span record, bool whole)
{
    struct tlog_leaf leaf; /* from the record's last line */
    uint8_t head[32];
    enum db_status status = recording_reported_head(audit->db, recording, head);
    if (!is_of_recording(&audit->replay.header, recording))
        report(audit, "recording", &recording->id, 2, "wrong-game",
               "The record belongs to another table, or its luck is not told.");
    else if (whole != (recording->finished_at_ms != 0))
        report(audit, "recording", &recording->id, 0, whole ? "not-finished" : "cut-short",
               whole ? "The record is finished, the recording is not."
                     : "The recording is finished, but its record ends before its head.");
    else if (status == DB_OK &&
             !(tlog_leaf_of_record(record, &leaf) && memcmp(leaf.hash, head, sizeof head) == 0))
        report(audit, "recording", &recording->id, 0, "other-record",
               "The event's log has a result from a record with another head.");
    return status == DB_OK || status == DB_NONE;
}

static bool check_recording(struct chains_audit *audit, const struct recording *recording)
{
    struct component_lookup lookup;
    struct arena arena = {NULL};
    struct record_fault fault;
    struct recorded_rows recorded = {.next = 0};
    struct record_row *rows = NULL;
    const struct replay_listener listener = {check_row, &recorded};
    bool good = recording_read(audit->db, &arena, &recording->id, &rows, &recorded.count) == DB_OK;
    recorded.rows = rows;
    if (good && recorded.count == 0) {
        report(audit, "recording", &recording->id, 0, "no-record", "The recording has no record.");
    } else if (good) {
        const struct span record = record_join(&arena, rows, recorded.count);
        enum replay_verdict verdict = replay_verify_listening(
            record, component_cache_sets(audit->components, audit->db, &lookup), &listener,
            &audit->replay, &fault);
        if (verdict == REPLAY_INVALID)
            report(audit, "recording", &recording->id, fault.line, fault.code, fault.message);
        else
            good = compare_recording(audit, recording, record, verdict == REPLAY_VALID);
    }
    audit->recordings++;
    arena_free(&arena);
    return good;
}

static bool read_recordings(struct chains_audit *audit)
{
    struct id after = {""};
    size_t count = PAGE;
    bool good = true;
    while (good && count == PAGE) {
        struct arena arena = {NULL};
        struct recording *recordings;
        good = recording_list_all(audit->db, &arena, &after, PAGE, &recordings, &count) == DB_OK;
        for (size_t i = 0; good && i < count; i++)
            good = check_recording(audit, &recordings[i]);
        if (good && count > 0)
            after = recordings[count - 1].id;
        arena_free(&arena);
    }
    return good;
}

/* ---- The whole audit ---- */

int audit_chains(struct db *db)
{
    static struct chains_audit audit; /* large */
    audit = (struct chains_audit){.db = db, .components = component_cache_new()};
    bool read = db_begin(db, true) == DB_OK && read_events(&audit) && read_disputes(&audit) &&
                read_keys(&audit) && read_recordings(&audit);
    db_rollback(db);
    component_cache_free(audit.components);
    if (!read) {
        fprintf(stderr, "tillroll: the logs could not be read to the end\n");
        return EXIT_UNKNOWN;
    }
    printf("logs: of %llu events, %llu disputes, %llu players' keys, %llu recordings, ",
           (unsigned long long)audit.events, (unsigned long long)audit.disputes,
           (unsigned long long)audit.histories, (unsigned long long)audit.recordings);
    if (audit.wrong == 0)
        printf("nothing wrong\n");
    else
        printf("%llu wrong\n", (unsigned long long)audit.wrong);
    return audit.wrong == 0 ? EXIT_YES : EXIT_NO;
}
