#include "api/subject.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/clock_documents.h"
#include "api/documents.h"
#include "api/game_writer.h"
#include "api/log_story.h"
#include "api/move_request.h"
#include "api/sight.h"
#include "api/story.h"
#include "api/stream_message.h"
#include "db/event_changes.h"

/* What is given to a hungry reader at once, and how many changes of an event, or leaves of the log,
 * are told at once. */
enum { PIECE_BYTES = 64 * 1024, CHANGES_AT_ONCE = 200, LEAVES_AT_ONCE = 500 };

/* ---- Subjects ---- */

void subject_init(struct subject *subject, enum subject_kind kind, const struct id *id,
                  struct feeds *feeds)
{
    *subject = (struct subject){.kind = kind, .id = *id};
    unsigned count = kind == SUBJECT_GAME ? SUBJECT_FEEDS : 1;
    for (unsigned i = 0; i < count; i++)
        subject->feed[i] = feed_new(feeds, FEED_UNKNOWN, subject);
}

void subject_free(struct subject *subject)
{
    for (unsigned i = 0; i < SUBJECT_FEEDS; i++)
        feed_free(subject->feed[i]);
    if (subject->replay != NULL)
        sodium_memzero(subject->replay, sizeof *subject->replay);
    free(subject->replay);
    free(subject->late);
}

struct feed *subject_feed(const struct subject *subject, struct viewer viewer)
{
    return subject->feed[viewer.kind == VIEWER_SEAT ? 1 + viewer.seat : 0];
}

static struct viewer viewer_of(unsigned feed)
{
    return feed == 0 ? (struct viewer){VIEWER_SPECTATOR, 0}
                     : (struct viewer){VIEWER_SEAT, feed - 1};
}

/* The number of the last message of a feed. */
static unsigned last_of(const struct subject *subject, unsigned feed)
{
    return feed == 0 && subject->kind == SUBJECT_GAME ? subject->shown : subject->told;
}

/* How much of what was told of a game others than its players may have: sight_open_row(). */
static unsigned open_row(const struct subject *subject)
{
    bool all = subject->late == NULL || subject->replay->phase == REPLAY_FINISHED;
    return all ? subject->told : sight_open_row(subject->late, subject->told);
}

static void know(struct subject *subject, unsigned told)
{
    subject->known = true;
    subject->told = told;
    if (subject->kind == SUBJECT_GAME)
        subject->shown = open_row(subject);
    for (unsigned i = 0; i < SUBJECT_FEEDS && subject->feed[i] != NULL; i++)
        feed_know(subject->feed[i], last_of(subject, i));
}

/* Of a game that is shown late: who reads is hungry, and is given it out of the record. */
static void show_late(struct subject *subject)
{
    for (unsigned open = open_row(subject); subject->shown < open; subject->shown++)
        feed_skip(subject->feed[0]);
}

static void finish(struct subject *subject)
{
    subject->over = true;
    for (unsigned i = 0; i < SUBJECT_FEEDS && subject->feed[i] != NULL; i++)
        feed_finish(subject->feed[i]);
}

/* A message that is the same for everybody. */
static void tell_all(struct subject *subject, struct span message)
{
    for (unsigned i = 0; i < SUBJECT_FEEDS && subject->feed[i] != NULL; i++)
        feed_add(subject->feed[i], message);
    subject->told++;
}

/* Says so once: its readers come again and are answered that it is damaged. */
static enum db_status give_up(struct subject *subject, const struct record_fault *fault)
{
    fprintf(stderr, "%s cannot be told: line %u: %s\n", subject->id.text, fault->line,
            fault->message);
    for (unsigned i = 0; i < SUBJECT_FEEDS && subject->feed[i] != NULL; i++)
        feed_break(subject->feed[i]);
    subject->known = true;
    subject->over = true;
    return DB_OK;
}

/* What was there is not there any more: the database has been set back. */
static enum db_status lost(struct subject *subject)
{
    struct record_fault fault = {.line = 0};
    record_fault(&fault, "lost", "What has been told already is missing.", (struct span){NULL, 0});
    return give_up(subject, &fault);
}

static enum db_status result_of(struct subject *subject, const struct live_result *result)
{
    if (result->status == LIVE_DATABASE)
        return result->database;
    return result->status == LIVE_OK ? DB_OK : give_up(subject, &result->fault);
}

/* ---- Games ---- */

static struct story *new_story(const struct subject *subject, const struct subject_source *source,
                               struct replay *replay)
{
    struct story *story = arena_take(source->arena, sizeof *story);
    story->replay = replay;
    story->record = (struct stored_record){
        .keys = source->keys, .db = source->db, .arena = source->arena, .game = &subject->id};
    return story;
}

/* What GET /v1/games/{id}/events says of the entry, and what there is to do after it. */
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

static void add_row(struct stream_piece *piece, const struct story *story, bool told,
                    unsigned number, struct viewer viewer)
{
    const struct replay *replay = story->replay;
    if (told)
        stream_message_add(piece, number, "entry", entry_document(story, viewer));
    else
        stream_message_add(piece, number, "end",
                           json_pack("{s:i, s:o}", "seq", (int)replay->seq, "head",
                                     hex_json(replay->head, sizeof replay->head)));
}

/* From row `seq` on somebody else has the seat, and who had it does not see with its eyes. */
static void turn_out(const struct subject *subject, unsigned seat, unsigned seq)
{
    feed_turn_out(subject->feed[1 + seat], seq);
}

static void tell_row(struct subject *subject, const struct story *story, bool told,
                     struct arena *arena)
{
    subject->told++;
    if (told && story->entry.kind == RECORD_SUBSTITUTE)
        turn_out(subject, story->entry.subject, subject->told);
    for (unsigned i = subject->late == NULL ? 0 : 1; i < SUBJECT_FEEDS; i++) {
        struct stream_piece piece = {.arena = arena};
        if (!feed_is_read(subject->feed[i])) {
            feed_skip(subject->feed[i]);
            continue;
        }
        add_row(&piece, story, told, subject->told, viewer_of(i));
        feed_add(subject->feed[i], stream_piece_span(&piece));
    }
    if (subject->late == NULL)
        subject->shown = subject->told;
}

/* Readers that came before the subject was known, and whose seats have been taken since then. Who
 * comes later and was seen to have a seat even earlier has to come again. */
static enum db_status turn_out_early(struct subject *subject, const struct subject_source *source,
                                     unsigned told)
{
    struct record_row *rows;
    size_t count;
    unsigned admitted = told;
    for (unsigned i = 1; i < SUBJECT_FEEDS; i++)
        if (feed_admitted(subject->feed[i]) < admitted)
            admitted = feed_admitted(subject->feed[i]);
    for (unsigned i = 1; i < SUBJECT_FEEDS; i++)
        feed_turn_out(subject->feed[i], admitted);
    if (admitted == told)
        return DB_OK;
    enum db_status status =
        record_read(source->db, source->arena, &subject->id, (int)admitted, &rows, &count);
    if (status != DB_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        struct record_entry entry;
        if (move_request_read_row(&rows[i], &entry) && entry.kind == RECORD_SUBSTITUTE)
            turn_out(subject, entry.subject, rows[i].seq);
    }
    /* What is in memory may be newer than what this transaction sees. */
    return count == 0 || rows[count - 1].seq < told ? DB_RETRY : DB_OK;
}

/* What is said of the game in its row holds for all of its time. */
static enum db_status find_delay(struct subject *subject, const struct subject_source *source)
{
    struct game_row game;
    enum db_status status = game_find(source->db, source->arena, &subject->id, &game);
    if (status != DB_OK || game.delay_entries == 0)
        return status;
    subject->late = malloc(sizeof *subject->late);
    if (subject->late == NULL)
        abort();
    *subject->late = (struct game_row){.delay_entries = game.delay_entries};
    return DB_OK;
}

static enum db_status know_game(struct subject *subject, const struct subject_source *source)
{
    struct replay *replay;
    struct live_result result =
        live_load(source->live, source->keys, source->db, source->arena, &subject->id, &replay);
    if (result.status != LIVE_OK)
        return result_of(subject, &result);
    enum db_status status = turn_out_early(subject, source, (unsigned)live_last_row(replay));
    if (status == DB_OK)
        status = find_delay(subject, source);
    if (status != DB_OK)
        return status;
    subject->replay = malloc(sizeof *subject->replay);
    if (subject->replay == NULL)
        abort();
    memcpy(subject->replay, replay, sizeof *replay);
    know(subject, (unsigned)live_last_row(replay));
    if (replay->phase == REPLAY_FINISHED)
        finish(subject);
    return DB_OK;
}

static enum db_status tell_game(struct subject *subject, const struct subject_source *source)
{
    struct record_row *rows;
    size_t count;
    struct story *story = new_story(subject, source, subject->replay);
    enum db_status status =
        record_read(source->db, source->arena, &subject->id, (int)subject->told, &rows, &count);
    if (status != DB_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        bool told;
        struct live_result result = story_go_on(story, &rows[i], &told);
        if (result.status != LIVE_OK)
            return result_of(subject, &result);
        tell_row(subject, story, told, source->arena);
    }
    show_late(subject);
    if (subject->replay->phase == REPLAY_FINISHED)
        finish(subject);
    return DB_OK;
}

/* Goes through the record from its beginning and gives the rows after `after`, as many as make a
 * piece. */
static struct live_result give_rows(const struct subject *subject, unsigned feed, unsigned after,
                                    struct story *story, const struct record_row *rows)
{
    struct stream_piece piece = {.arena = story->record.arena};
    unsigned last = after;
    struct live_result result = story_begin(story, &rows[0]);
    for (const struct record_row *row = rows + 1;
         result.status == LIVE_OK && last < last_of(subject, feed) && piece.length < PIECE_BYTES;
         row++) {
        bool told;
        result = story_go_on(story, row, &told);
        if (result.status != LIVE_OK || row->seq <= after)
            continue;
        last = row->seq;
        add_row(&piece, story, told, last, viewer_of(feed));
    }
    if (result.status == LIVE_OK)
        feed_give(subject->feed[feed], after, last, stream_piece_span(&piece));
    return result;
}

static enum db_status give_game(struct subject *subject, unsigned feed, unsigned after,
                                const struct subject_source *source)
{
    struct record_row *rows;
    size_t count;
    struct story *story =
        new_story(subject, source, arena_take(source->arena, sizeof(struct replay)));
    enum db_status status = record_read(source->db, source->arena, &subject->id, -1, &rows, &count);
    if (status != DB_OK)
        return status;
    if (count <= subject->told)
        return lost(subject);
    struct live_result result = give_rows(subject, feed, after, story, rows);
    sodium_memzero(story->replay, sizeof *story->replay);
    return result_of(subject, &result);
}

/* ---- Events ---- */

/* The game as it stood in lists after the change, as everybody might know it. */
static json_t *game_at(const struct event_change *change)
{
    struct game_row game = *change->game;
    if (change->kind != EVENT_CHANGE_GAME_SCORED) {
        game.scored = false;
        game.finished = change->kind == EVENT_CHANGE_GAME_ENDED;
        game.voided = game.voided && game.finished;
        game.finished_at_ms = 0;
    }
    return sight_open_document(&game);
}

static json_t *dispute_at(const struct event_change *change)
{
    const struct event_step *step = &change->step;
    return json_pack("{s:s, s:s, s:i, s:s, s:o, s:o}", "dispute", change->dispute.text, "game",
                     change->disputed.text, "number", (int)step->seq, "kind", step->kind, "by",
                     player_reference(&step->actor, step->actor_name), "at",
                     time_json(step->at_ms));
}

static void add_change(struct stream_piece *piece, const struct event_change *change)
{
    if (change->kind == EVENT_CHANGE_LOG)
        stream_message_add(piece, change->seq, "log", event_step_document(&change->step));
    else if (change->kind == EVENT_CHANGE_STANDINGS)
        stream_message_add(piece, change->seq, "standings",
                           json_pack("{s:i}", "change", (int)change->seq));
    else if (change->kind == EVENT_CHANGE_DISPUTE)
        stream_message_add(piece, change->seq, "dispute", dispute_at(change));
    else
        stream_message_add(piece, change->seq, "game", game_at(change));
}

static void end_event(struct subject *subject, struct arena *arena)
{
    struct stream_piece piece = {.arena = arena};
    stream_message_add(&piece, 0, "end", json_pack("{s:i}", "change", (int)subject->told));
    tell_all(subject, stream_piece_span(&piece));
    finish(subject);
}

static enum db_status know_event(struct subject *subject, const struct subject_source *source)
{
    struct event event;
    unsigned last;
    enum db_status status = event_find(source->db, source->arena, &subject->id, false, &event);
    if (status == DB_OK)
        status = event_change_last(source->db, &subject->id, &last);
    if (status != DB_OK)
        return status;
    know(subject, last);
    if (event.state == EVENT_CLOSED)
        end_event(subject, source->arena);
    return DB_OK;
}

static bool closes(const struct event_change *change)
{
    return change->kind == EVENT_CHANGE_LOG && strcmp(change->step.kind, "closed") == 0;
}

/* Closing is the last thing that happens to an event, and comes with its last changes. */
static enum db_status tell_event(struct subject *subject, const struct subject_source *source,
                                 bool *more)
{
    struct event_change *changes;
    size_t count;
    enum db_status status =
        event_change_list(source->db, source->arena, &subject->id, subject->told, INT32_MAX,
                          CHANGES_AT_ONCE, &changes, &count);
    if (status != DB_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        struct stream_piece piece = {.arena = source->arena};
        add_change(&piece, &changes[i]);
        tell_all(subject, stream_piece_span(&piece));
        subject->closed = subject->closed || closes(&changes[i]);
    }
    *more = count == CHANGES_AT_ONCE;
    if (subject->closed && !*more)
        end_event(subject, source->arena);
    return DB_OK;
}

static enum db_status give_event(struct subject *subject, unsigned after,
                                 const struct subject_source *source)
{
    struct event_change *changes;
    size_t count;
    struct stream_piece piece = {.arena = source->arena};
    unsigned last = after;
    enum db_status status = event_change_list(source->db, source->arena, &subject->id, after,
                                              subject->told, CHANGES_AT_ONCE, &changes, &count);
    if (status != DB_OK)
        return status;
    if (count == 0)
        return lost(subject);
    for (size_t i = 0; i < count && piece.length < PIECE_BYTES; i++) {
        add_change(&piece, &changes[i]);
        last = changes[i].seq;
    }
    feed_give(subject->feed[0], after, last, stream_piece_span(&piece));
    return DB_OK;
}

/* ---- The log ---- */

static enum db_status know_log(struct subject *subject, const struct subject_source *source)
{
    struct tlog_checkpoint last = {.size = 0};
    enum db_status status = tlog_checkpoint_last(source->db, source->arena, &last);
    if (status != DB_OK && status != DB_NONE)
        return status;
    know(subject, (unsigned)last.size);
    return DB_OK;
}

static enum db_status leaf_is_none(struct subject *subject)
{
    struct record_fault fault = {.line = 0};
    record_fault(&fault, "no-leaf", "The log holds something that is no leaf.",
                 (struct span){NULL, 0});
    return give_up(subject, &fault);
}

static enum db_status tell_log(struct subject *subject, const struct subject_source *source,
                               bool *more)
{
    struct log_story story;
    enum db_status status =
        log_story_read(source->db, source->arena, subject->told, LEAVES_AT_ONCE, &story);
    if (status != DB_OK)
        return status;
    for (size_t i = 0; i < story.count; i++) {
        struct stream_piece piece = {.arena = source->arena};
        if (!log_story_tell(&story, i, &piece))
            return leaf_is_none(subject);
        tell_all(subject, stream_piece_span(&piece));
    }
    *more = story.count == LEAVES_AT_ONCE;
    return DB_OK;
}

static enum db_status give_log(struct subject *subject, unsigned after,
                               const struct subject_source *source)
{
    struct log_story story;
    struct stream_piece piece = {.arena = source->arena};
    unsigned rest = subject->told - after;
    unsigned last = after;
    enum db_status status = log_story_read(source->db, source->arena, after,
                                           rest < LEAVES_AT_ONCE ? rest : LEAVES_AT_ONCE, &story);
    if (status != DB_OK)
        return status;
    if (story.count == 0)
        return lost(subject);
    for (size_t i = 0; i < story.count && piece.length < PIECE_BYTES; i++, last++)
        if (!log_story_tell(&story, i, &piece))
            return leaf_is_none(subject);
    feed_give(subject->feed[0], after, last, stream_piece_span(&piece));
    return DB_OK;
}

/* ---- All of them ---- */

/* A game whose file is missing must not hold up the others. */
static enum db_status archived(struct subject *subject, enum db_status status)
{
    struct record_fault fault = {.line = 0};
    if (status != DB_ARCHIVE)
        return status;
    record_fault(&fault, "archived-record-missing", "The file of the record cannot be had.",
                 (struct span){NULL, 0});
    return give_up(subject, &fault);
}

static enum db_status tell(struct subject *subject, const struct subject_source *source, bool *more)
{
    switch (subject->kind) {
    case SUBJECT_GAME:
        return (subject->known ? tell_game : know_game)(subject, source);
    case SUBJECT_EVENT:
        return subject->known ? tell_event(subject, source, more) : know_event(subject, source);
    case SUBJECT_LOG:
        return subject->known ? tell_log(subject, source, more) : know_log(subject, source);
    }
    return DB_ERROR;
}

enum db_status subject_tell(struct subject *subject, const struct subject_source *source,
                            bool *more)
{
    *more = false;
    return subject->over ? DB_OK : archived(subject, tell(subject, source, more));
}

static enum db_status give(struct subject *subject, unsigned feed, unsigned after,
                           const struct subject_source *source)
{
    switch (subject->kind) {
    case SUBJECT_GAME:
        return give_game(subject, feed, after, source);
    case SUBJECT_EVENT:
        return give_event(subject, after, source);
    case SUBJECT_LOG:
        return give_log(subject, after, source);
    }
    return DB_ERROR;
}

enum db_status subject_give(struct subject *subject, const struct subject_source *source,
                            bool *more)
{
    unsigned after;
    enum db_status status = DB_OK;
    for (unsigned i = 0; i < SUBJECT_FEEDS && subject->feed[i] != NULL && status == DB_OK; i++) {
        if (!feed_is_hungry(subject->feed[i], &after))
            continue;
        status = archived(subject, give(subject, i, after, source));
        *more = feed_is_hungry(subject->feed[i], &after) || *more;
    }
    return status;
}
