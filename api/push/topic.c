#include "api/push/topic.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/play/move_request.h"
#include "api/play/views.h"
#include "api/push/log_story.h"
#include "api/push/stream_message.h"
#include "api/request/documents.h"
#include "api/request/visibility.h"
#include "api/state/game_cache.h"
#include "api/tables/game_writer.h"
#include "db/link/db.h"
#include "db/store/events/event_log.h"
#include "db/store/games/recordings.h"

/* Batch sizes: messages for a reader that is behind, and new changes of an event or leaves of
 * the log. */
enum { PIECE_BYTES = 64 * 1024, CHANGES_AT_ONCE = 200, LEAVES_AT_ONCE = 500 };

/* ---- Topics ---- */

void topic_init(struct topic *topic, enum topic_kind kind, const struct id *id,
                struct broadcasts *broadcasts)
{
    *topic = (struct topic){.kind = kind, .id = *id};
    unsigned count = kind == TOPIC_GAME ? TOPIC_FEEDS : kind == TOPIC_RECORDING ? 2 : 1;
    for (unsigned i = 0; i < count; i++)
        topic->broadcast[i] = broadcast_new(broadcasts, BROADCAST_UNKNOWN, topic);
}

void topic_free(struct topic *topic)
{
    for (unsigned i = 0; i < TOPIC_FEEDS; i++)
        broadcast_free(topic->broadcast[i]);
    if (topic->replay != NULL)
        sodium_memzero(topic->replay, sizeof *topic->replay);
    free(topic->replay);
    free(topic->late);
}

struct broadcast *topic_feed(const struct topic *topic, struct viewer viewer)
{
    return topic->broadcast[viewer.kind == VIEWER_SEAT ? 1 + viewer.seat : 0];
}

static struct viewer viewer_of(unsigned broadcast)
{
    return broadcast == 0 ? (struct viewer){VIEWER_SPECTATOR, 0}
                          : (struct viewer){VIEWER_SEAT, broadcast - 1};
}

/* The number of the last message of a broadcast. */
static unsigned last_of(const struct topic *topic, unsigned broadcast)
{
    const bool varies = topic->kind == TOPIC_GAME || topic->kind == TOPIC_RECORDING;
    return broadcast == 0 && varies ? topic->shown : topic->published;
}

/* The last row of a game that viewers other than its players may see: visibility_open_row(). */
static unsigned open_row(const struct topic *topic)
{
    bool all = topic->late == NULL || topic->replay->phase == REPLAY_FINISHED;
    return all ? topic->published : visibility_open_row(topic->late, topic->published);
}

static void set_position(struct topic *topic, unsigned published)
{
    topic->known = true;
    topic->published = published;
    if (topic->kind == TOPIC_GAME)
        topic->shown = open_row(topic);
    for (unsigned i = 0; i < TOPIC_FEEDS && topic->broadcast[i] != NULL; i++)
        broadcast_know(topic->broadcast[i], last_of(topic, i));
}

/* Shows more of a delayed game: its readers are now behind, and are served from the record. */
static void show_late(struct topic *topic)
{
    for (unsigned open = open_row(topic); topic->shown < open; topic->shown++)
        broadcast_skip(topic->broadcast[0]);
}

static void finish(struct topic *topic)
{
    topic->over = true;
    for (unsigned i = 0; i < TOPIC_FEEDS && topic->broadcast[i] != NULL; i++)
        broadcast_finish(topic->broadcast[i]);
}

/* Sends a message that is the same for all readers. */
static void publish_to_all(struct topic *topic, struct span message)
{
    for (unsigned i = 0; i < TOPIC_FEEDS && topic->broadcast[i] != NULL; i++)
        broadcast_add(topic->broadcast[i], message);
    topic->published++;
}

/* Reports damage once; readers reconnect and get the error from the API. */
static enum db_status give_up(struct topic *topic, unsigned line, const char *message)
{
    fprintf(stderr, "%s cannot be streamed: line %u: %s\n", topic->id.text, line, message);
    for (unsigned i = 0; i < TOPIC_FEEDS && topic->broadcast[i] != NULL; i++)
        broadcast_break(topic->broadcast[i]);
    topic->known = true;
    topic->over = true;
    return DB_OK;
}

/* Handles a database that has been rolled back: messages sent earlier are no longer true. */
static enum db_status report_rollback(struct topic *topic)
{
    return give_up(topic, 0, "Messages that were already sent are missing from the database.");
}

static enum db_status result_of(struct topic *topic, const struct record_result *result)
{
    if (result->status == STORED_RECORD_DATABASE)
        return result->database;
    return result->status == STORED_RECORD_OK
               ? DB_OK
               : give_up(topic, result->fault.line, result->fault.message);
}

/* ---- Games ---- */

static struct story *new_story(const struct topic *topic, const struct topic_source *source,
                               struct replay *replay)
{
    struct story *story = arena_take(source->arena, sizeof *story);
    story->replay = replay;
    story->record = (struct stored_record){.keys = source->keys,
                                           .components = game_cache_components(source->game_cache),
                                           .db = source->db,
                                           .arena = source->arena,
                                           .game = &topic->id};
    return story;
}

/* The entry as in GET /v1/games/{id}/events, with the data that must accompany it. */
static json_t *entry_document(const struct story *story, struct viewer viewer)
{
    const struct replay *replay = story->replay;
    json_t *document = story_entry(story, viewer);
    json_object_set_new(document, "deciders", deciders_document(replay));
    json_object_set_new(document, "stopped", stop_document(replay));
    json_object_set_new(document, "clocks", clocks_document(replay));
    json_object_set_new(document, "finished", json_boolean(replay->phase != REPLAY_PLAYING));
    json_object_set_new(document, "head", hex_json(replay->head, sizeof replay->head));
    return document;
}

static void add_row(struct growing *piece, const struct story *story, bool is_entry,
                    unsigned number, struct viewer viewer)
{
    const struct replay *replay = story->replay;
    if (is_entry)
        stream_message_add(piece, number, "entry", entry_document(story, viewer));
    else
        stream_message_add(piece, number, "end",
                           json_pack("{s:i, s:o}", "seq", (int)replay->seq, "head",
                                     hex_json(replay->head, sizeof replay->head)));
}

/* From row `seq` on another player has the seat; the previous player loses its view. */
static void revoke_readers(const struct topic *topic, unsigned seat, unsigned seq)
{
    broadcast_revoke(topic->broadcast[1 + seat], seq);
}

static void publish_row(struct topic *topic, const struct story *story, bool is_entry,
                        struct arena *arena)
{
    topic->published++;
    if (is_entry && story->entry.kind == RECORD_SUBSTITUTE)
        revoke_readers(topic, story->entry.subject, topic->published);
    for (unsigned i = topic->late == NULL ? 0 : 1; i < TOPIC_FEEDS; i++) {
        struct growing piece = {.arena = arena};
        if (!broadcast_is_read(topic->broadcast[i])) {
            broadcast_skip(topic->broadcast[i]);
            continue;
        }
        add_row(&piece, story, is_entry, topic->published, viewer_of(i));
        broadcast_add(topic->broadcast[i], growing_span(&piece));
    }
    if (topic->late == NULL)
        topic->shown = topic->published;
}

/* Ends readers that joined before the topic was loaded and whose seats have been taken since.
 * Readers that join later but were checked even earlier have to reconnect. */
static enum db_status revoke_early(struct topic *topic, const struct topic_source *source,
                                   unsigned published)
{
    struct record_row *rows;
    size_t count;
    unsigned admitted = published;
    for (unsigned i = 1; i < TOPIC_FEEDS; i++)
        if (broadcast_admitted(topic->broadcast[i]) < admitted)
            admitted = broadcast_admitted(topic->broadcast[i]);
    for (unsigned i = 1; i < TOPIC_FEEDS; i++)
        broadcast_revoke(topic->broadcast[i], admitted);
    if (admitted == published)
        return DB_OK;
    enum db_status status =
        record_read(source->db, source->arena, &topic->id, (int)admitted, &rows, &count);
    if (status != DB_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        struct record_entry entry;
        if (move_request_read_row(&rows[i], &entry) && entry.kind == RECORD_SUBSTITUTE)
            revoke_readers(topic, entry.subject, rows[i].seq);
    }
    /* The cached game may be newer than this transaction's snapshot. */
    return count == 0 || rows[count - 1].seq < published ? DB_RETRY : DB_OK;
}

/* Reads the delay from the game's row, where it never changes. */
static enum db_status find_delay(struct topic *topic, const struct topic_source *source)
{
    struct game_row game;
    enum db_status status = game_find(source->db, source->arena, &topic->id, &game);
    if (status != DB_OK || game.delay_entries == 0)
        return status;
    topic->late = must(malloc(sizeof *topic->late));
    *topic->late = (struct game_row){.delay_entries = game.delay_entries};
    return DB_OK;
}

static enum db_status load_game(struct topic *topic, const struct topic_source *source)
{
    struct replay *replay;
    struct record_result result = game_cache_load(source->game_cache, source->keys, source->db,
                                                  source->arena, &topic->id, &replay);
    if (result.status != STORED_RECORD_OK)
        return result_of(topic, &result);
    enum db_status status = revoke_early(topic, source, (unsigned)game_cache_last_row(replay));
    if (status == DB_OK)
        status = find_delay(topic, source);
    if (status != DB_OK)
        return status;
    topic->replay = must(malloc(sizeof *topic->replay));
    memcpy(topic->replay, replay, sizeof *replay);
    set_position(topic, (unsigned)game_cache_last_row(replay));
    if (replay->phase == REPLAY_FINISHED)
        finish(topic);
    return DB_OK;
}

static enum db_status publish_game(struct topic *topic, const struct topic_source *source)
{
    struct record_row *rows;
    size_t count;
    struct story *story = new_story(topic, source, topic->replay);
    enum db_status status =
        record_read(source->db, source->arena, &topic->id, (int)topic->published, &rows, &count);
    if (status != DB_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        bool is_entry;
        struct record_result result = story_go_on(story, &rows[i], &is_entry);
        if (result.status != STORED_RECORD_OK)
            return result_of(topic, &result);
        publish_row(topic, story, is_entry, source->arena);
    }
    show_late(topic);
    if (topic->replay->phase == REPLAY_FINISHED)
        finish(topic);
    return DB_OK;
}

/* Replays the record from the beginning, and gives one batch of the rows after `after`. */
static struct record_result give_rows(const struct topic *topic, unsigned broadcast, unsigned after,
                                      struct story *story, const struct record_row *rows)
{
    struct growing piece = {.arena = story->record.arena};
    unsigned last = after;
    struct record_result result = story_begin(story, &rows[0]);
    for (const struct record_row *row = rows + 1;
         result.status == STORED_RECORD_OK && last < last_of(topic, broadcast) &&
         piece.length < PIECE_BYTES;
         row++) {
        bool is_entry;
        result = story_go_on(story, row, &is_entry);
        if (result.status != STORED_RECORD_OK || row->seq <= after)
            continue;
        last = row->seq;
        add_row(&piece, story, is_entry, last, viewer_of(broadcast));
    }
    if (result.status == STORED_RECORD_OK)
        broadcast_give(topic->broadcast[broadcast], after, last, growing_span(&piece));
    return result;
}

static enum db_status give_game(struct topic *topic, unsigned broadcast, unsigned after,
                                const struct topic_source *source)
{
    struct record_row *rows;
    size_t count;
    struct story *story =
        new_story(topic, source, arena_take(source->arena, sizeof(struct replay)));
    enum db_status status = record_read(source->db, source->arena, &topic->id, -1, &rows, &count);
    if (status != DB_OK)
        return status;
    if (count <= topic->published)
        return report_rollback(topic);
    struct record_result result = give_rows(topic, broadcast, after, story, rows);
    sodium_memzero(story->replay, sizeof *story->replay);
    return result_of(topic, &result);
}

/* ---- Events ---- */

/* The game as listed after the change, as visible to everyone. */
static json_t *game_at(const struct event_change *change)
{
    struct game_row game = *change->game;
    if (change->kind != EVENT_CHANGE_GAME_SCORED) {
        game.scored = false;
        game.finished = change->kind == EVENT_CHANGE_GAME_ENDED;
        game.voided = game.voided && game.finished;
        game.finished_at_ms = 0;
    }
    return visibility_open_document(&game);
}

static json_t *dispute_at(const struct event_change *change)
{
    const struct event_step *step = &change->step;
    return json_pack("{s:s, s:s, s:i, s:s, s:o, s:o}", "dispute", change->dispute.text, "game",
                     change->disputed.text, "number", (int)step->seq, "kind", step->kind, "by",
                     player_reference(&step->actor, step->actor_name), "at",
                     time_json(step->at_ms));
}

static void add_change(struct growing *piece, const struct event_change *change)
{
    if (change->kind == EVENT_CHANGE_LOG)
        stream_message_add(piece, change->seq, "log", event_step_document(&change->step));
    else if (change->kind == EVENT_CHANGE_STANDINGS || change->kind == EVENT_CHANGE_RECORDING)
        stream_message_add(piece, change->seq,
                           change->kind == EVENT_CHANGE_STANDINGS ? "standings" : "recording",
                           json_pack("{s:i}", "change", (int)change->seq));
    else if (change->kind == EVENT_CHANGE_DISPUTE)
        stream_message_add(piece, change->seq, "dispute", dispute_at(change));
    else
        stream_message_add(piece, change->seq, "game", game_at(change));
}

static void end_event(struct topic *topic, struct arena *arena)
{
    struct growing piece = {.arena = arena};
    stream_message_add(&piece, 0, "end", json_pack("{s:i}", "change", (int)topic->published));
    publish_to_all(topic, growing_span(&piece));
    finish(topic);
}

static enum db_status load_event(struct topic *topic, const struct topic_source *source)
{
    struct event event;
    unsigned last;
    enum db_status status = event_find(source->db, source->arena, &topic->id, false, &event);
    if (status == DB_OK)
        status = event_change_last(source->db, &topic->id, &last);
    if (status != DB_OK)
        return status;
    set_position(topic, last);
    if (event.state == EVENT_CLOSED)
        end_event(topic, source->arena);
    return DB_OK;
}

static bool closes(const struct event_change *change)
{
    return change->kind == EVENT_CHANGE_LOG && (strcmp(change->step.kind, "closed") == 0 ||
                                                strcmp(change->step.kind, "cancelled") == 0);
}

/* Closing is the last change of an event and comes with its final changes. */
static enum db_status publish_event(struct topic *topic, const struct topic_source *source,
                                    bool *more)
{
    struct event_change *changes;
    size_t count;
    enum db_status status =
        event_change_list(source->db, source->arena, &topic->id, topic->published, INT32_MAX,
                          CHANGES_AT_ONCE, &changes, &count);
    if (status != DB_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        struct growing piece = {.arena = source->arena};
        add_change(&piece, &changes[i]);
        publish_to_all(topic, growing_span(&piece));
        topic->closed = topic->closed || closes(&changes[i]);
    }
    *more = count == CHANGES_AT_ONCE;
    if (topic->closed && !*more)
        end_event(topic, source->arena);
    return DB_OK;
}

static enum db_status give_event(struct topic *topic, unsigned after,
                                 const struct topic_source *source)
{
    struct event_change *changes;
    size_t count;
    struct growing piece = {.arena = source->arena};
    unsigned last = after;
    enum db_status status = event_change_list(source->db, source->arena, &topic->id, after,
                                              topic->published, CHANGES_AT_ONCE, &changes, &count);
    if (status != DB_OK)
        return status;
    if (count == 0)
        return report_rollback(topic);
    for (size_t i = 0; i < count && piece.length < PIECE_BYTES; i++) {
        add_change(&piece, &changes[i]);
        last = changes[i].seq;
    }
    broadcast_give(topic->broadcast[0], after, last, growing_span(&piece));
    return DB_OK;
}

/* ---- Recordings ---- */

static enum db_status read_recording(const struct topic *topic, const struct topic_source *source,
                                     struct recording *recording)
{
    enum db_status status = recording_find(source->db, source->arena, &topic->id, recording);
    if (status == DB_OK && recording->finished_at_ms != 0)
        recording->whole = recording->open = recording->lines;
    return status;
}

static enum db_status load_recording(struct topic *topic, const struct topic_source *source)
{
    struct recording recording;
    enum db_status status = read_recording(topic, source, &recording);
    if (status != DB_OK)
        return status;
    topic->shown = recording.open;
    set_position(topic, recording.whole);
    if (recording.finished_at_ms != 0)
        finish(topic);
    return DB_OK;
}

/* Skips the new rows: readers are then behind, and get the numbers from give_recording(). */
static enum db_status publish_recording(struct topic *topic, const struct topic_source *source)
{
    struct recording recording;
    enum db_status status = read_recording(topic, source, &recording);
    if (status != DB_OK)
        return status;
    for (; topic->published < recording.whole; topic->published++)
        broadcast_skip(topic->broadcast[1]);
    for (; topic->shown < recording.open; topic->shown++)
        broadcast_skip(topic->broadcast[0]);
    if (recording.finished_at_ms != 0)
        finish(topic);
    return DB_OK;
}

static enum db_status give_recording(struct topic *topic, unsigned broadcast, unsigned after,
                                     const struct topic_source *source)
{
    struct growing piece = {.arena = source->arena};
    unsigned last = after;
    while (last < last_of(topic, broadcast) && piece.length < PIECE_BYTES) {
        last++;
        stream_message_add(&piece, last, "rows", json_pack("{s:i}", "rows", (int)last));
    }
    broadcast_give(topic->broadcast[broadcast], after, last, growing_span(&piece));
    return DB_OK;
}

/* ---- The log ---- */

static enum db_status load_log(struct topic *topic, const struct topic_source *source)
{
    struct tlog_checkpoint last = {.size = 0};
    enum db_status status = tlog_checkpoint_last(source->db, source->arena, &last);
    if (status != DB_OK && status != DB_NONE)
        return status;
    set_position(topic, (unsigned)last.size);
    return DB_OK;
}

static enum db_status leaf_is_none(struct topic *topic)
{
    return give_up(topic, 0, "The log contains an invalid leaf.");
}

static enum db_status publish_log(struct topic *topic, const struct topic_source *source,
                                  bool *more)
{
    struct log_story story;
    enum db_status status =
        log_story_read(source->db, source->arena, topic->published, LEAVES_AT_ONCE, &story);
    if (status != DB_OK)
        return status;
    for (size_t i = 0; i < story.count; i++) {
        struct growing piece = {.arena = source->arena};
        if (!log_story_add(&story, i, &piece))
            return leaf_is_none(topic);
        publish_to_all(topic, growing_span(&piece));
    }
    *more = story.count == LEAVES_AT_ONCE;
    return DB_OK;
}

static enum db_status give_log(struct topic *topic, unsigned after,
                               const struct topic_source *source)
{
    struct log_story story;
    struct growing piece = {.arena = source->arena};
    unsigned rest = topic->published - after;
    unsigned last = after;
    enum db_status status = log_story_read(source->db, source->arena, after,
                                           rest < LEAVES_AT_ONCE ? rest : LEAVES_AT_ONCE, &story);
    if (status != DB_OK)
        return status;
    if (story.count == 0)
        return report_rollback(topic);
    for (size_t i = 0; i < story.count && piece.length < PIECE_BYTES; i++, last++)
        if (!log_story_add(&story, i, &piece))
            return leaf_is_none(topic);
    broadcast_give(topic->broadcast[0], after, last, growing_span(&piece));
    return DB_OK;
}

/* ---- All events ---- */

/* A missing file of an archived game must not block the other games. */
static enum db_status report_missing_file(struct topic *topic, enum db_status status)
{
    return status == DB_ARCHIVE ? give_up(topic, 0, "The record's file is missing.") : status;
}

static enum db_status publish(struct topic *topic, const struct topic_source *source, bool *more)
{
    switch (topic->kind) {
    case TOPIC_GAME:
        return (topic->known ? publish_game : load_game)(topic, source);
    case TOPIC_EVENT:
        return topic->known ? publish_event(topic, source, more) : load_event(topic, source);
    case TOPIC_RECORDING:
        return (topic->known ? publish_recording : load_recording)(topic, source);
    case TOPIC_LOG:
        return topic->known ? publish_log(topic, source, more) : load_log(topic, source);
    }
    return DB_ERROR;
}

enum db_status topic_publish(struct topic *topic, const struct topic_source *source, bool *more)
{
    *more = false;
    return topic->over ? DB_OK : report_missing_file(topic, publish(topic, source, more));
}

static enum db_status give(struct topic *topic, unsigned broadcast, unsigned after,
                           const struct topic_source *source)
{
    switch (topic->kind) {
    case TOPIC_GAME:
        return give_game(topic, broadcast, after, source);
    case TOPIC_EVENT:
        return give_event(topic, after, source);
    case TOPIC_RECORDING:
        return give_recording(topic, broadcast, after, source);
    case TOPIC_LOG:
        return give_log(topic, after, source);
    }
    return DB_ERROR;
}

enum db_status topic_give(struct topic *topic, const struct topic_source *source, bool *more)
{
    unsigned after;
    enum db_status status = DB_OK;
    for (unsigned i = 0; i < TOPIC_FEEDS && topic->broadcast[i] != NULL && status == DB_OK; i++) {
        if (!broadcast_needs_backfill(topic->broadcast[i], &after))
            continue;
        status = report_missing_file(topic, give(topic, i, after, source));
        *more = broadcast_needs_backfill(topic->broadcast[i], &after) || *more;
    }
    return status;
}
