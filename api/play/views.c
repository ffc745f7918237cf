#include "api/play/views.h"

#include <string.h>

#include "api/play/handlers.h"
#include "api/play/sealed.h"
#include "api/request/auth.h"
#include "api/request/documents.h"
#include "api/request/limits.h"
#include "api/request/visibility.h"
#include "api/state/game_cache.h"
#include "api/state/stored_record.h"
#include "api/tables/game_writer.h"
#include "api/tables/games.h"
#include "api/work/shared_responses.h"
#include "db/link/db.h"
#include "engine/game/catalog.h"

/* Loads the game as it was after entry `seq`. */
static bool load_earlier(struct call *call, const struct game_row *game, unsigned seq,
                         struct replay *replay)
{
    struct record_row *rows;
    size_t count;
    struct stored_record record = game_stored_record(call, &game->id);
    if (!call_found(call, record_read(call->db, call->arena, &game->id, -1, &rows, &count)) ||
        (count == 0 && !call_found(call, DB_NONE)))
        return false;
    struct record_result result = stored_record_begin(&record, rows[0].line, replay);
    for (size_t i = 1; i < count && result.status == STORED_RECORD_OK && replay->seq < seq; i++)
        result = stored_record_continue(&record, &rows[i], replay);
    return result.status == STORED_RECORD_OK || game_live_problem(call, &result);
}

/* The game is loaded up to the last row that the caller may see. */
bool views_load_game(struct call *call, struct game_row *game, struct replay **replay)
{
    if (!visibility_find_game(call, &call->id[0], game) || !game_load(call, &game->id, replay))
        return false;
    unsigned seq = visibility_last_row(call, game, (*replay)->seq);
    return seq == (*replay)->seq || load_earlier(call, game, seq, *replay);
}

/* ---- Views ---- */

static json_t *viewer_document(struct viewer viewer)
{
    if (viewer.kind == VIEWER_SEAT)
        return json_pack("{s:s, s:i}", "kind", "seat", "seat", (int)viewer.seat);
    return json_pack("{s:s}", "kind", viewer.kind == VIEWER_AUDITOR ? "auditor" : "spectator");
}

/* The entity tag: "<lines>" for the spectators' view, "<lines>-<seat>" for a seat's, with an
 * appended `d` if the seat has sealed its decision, and "<lines>-a" for the view with everything
 * open. */
static void print_etag(const struct replay *replay, struct viewer viewer, bool decided,
                       struct text *etag)
{
    text_add_number(etag, replay->lines);
    if (viewer.kind == VIEWER_SEAT) {
        text_add_char(etag, '-');
        text_add_number(etag, viewer.seat);
        text_add(etag, decided ? "d" : "");
    } else if (viewer.kind == VIEWER_AUDITOR) {
        text_add(etag, "-a");
    }
}

/* `decided`: the viewer is a seat that has sealed its decision. `clocks` is consumed. */
static void answer_view(struct call *call, const struct replay *replay, struct viewer viewer,
                        bool decided, json_t *clocks)
{
    char bytes[32];
    struct text etag = TEXT_OVER(bytes);
    print_etag(replay, viewer, decided, &etag);
    json_t *document =
        json_pack("{s:i, s:o, s:o}", "seq", (int)replay->seq, "viewer", viewer_document(viewer),
                  "view", replay->header.game->view(replay->header.game, replay->state, viewer));
    json_object_set_new(document, "clocks", clocks);
    if (viewer.kind == VIEWER_SEAT)
        json_object_set_new(document, "decided", json_boolean(decided));
    if (!catalog_has(replay->header.game))
        json_object_set_new(document, "components",
                            json_string(replay->header.game->components_sha256));
    call_answer_cached(call, document, bytes);
}

/* ---- Earlier positions ---- */

/* Reads ?seq=<n>: the position after entry n, at most `last`; otherwise -1. */
static bool read_seq(struct call *call, unsigned last, int *seq)
{
    *seq = -1;
    for (size_t i = 0; i < call->request->parameters; i++) {
        struct http_parameter parameter = call->request->parameter[i];
        uint64_t number;
        if (!span_is(parameter.name, "seq") || !span_number(parameter.value, last, &number))
            return call_problem(call, "bad-parameter",
                                "Ask for a position with seq=<the number of an entry of the "
                                "record>, 0 for the beginning.");
        *seq = (int)number;
    }
    return true;
}

/* Everything is open once the game is finished, because its record then reveals everything that was
 * hidden. */
static void answer_earlier(struct call *call, const struct game_row *game,
                           const struct replay *current, unsigned seq)
{
    struct replay *earlier = arena_take(call->arena, sizeof *earlier);
    struct viewer viewer = visibility_viewer(call, game);
    if (current->phase == REPLAY_FINISHED)
        viewer = (struct viewer){VIEWER_AUDITOR, 0};
    if (load_earlier(call, game, seq, earlier))
        answer_view(call, earlier, viewer, false, clocks_document(earlier));
}

void games_view(struct call *call)
{
    struct game_row game;
    struct replay *replay;
    json_t *clocks;
    bool decided = false;
    int seq;
    if (!views_load_game(call, &game, &replay) || !read_seq(call, replay->seq, &seq))
        return;
    struct viewer viewer = visibility_viewer(call, &game);
    if (seq >= 0 && (unsigned)seq < replay->seq)
        answer_earlier(call, &game, replay, (unsigned)seq);
    else if ((viewer.kind != VIEWER_SEAT ||
              sealed_has_decided(call, &game.id, replay, viewer.seat, &decided)) &&
             sealed_clocks(call, &game.id, replay, viewer, &clocks))
        answer_view(call, replay, viewer, decided, clocks);
}

/* ---- Legal moves ---- */

/* The legal moves of a seat; none once it has sealed its decision. */
/* The key with which the player of the seat signs in this game. */
static json_t *key_document(const struct record_seat *seat)
{
    return seat->has_key ? hex_json(seat->key, sizeof seat->key) : json_null();
}

/* The house program that decides for the seat, or null. */
static json_t *house_document(const struct record_house *house)
{
    return house->version == 0 ? json_null()
                               : json_pack("{s:s, s:I}", "level", house->level, "version",
                                           (json_int_t)house->version);
}

static void answer_legal_moves(struct call *call, const struct replay *replay, unsigned seat,
                               bool decided)
{
    const struct game *ruleset = replay->header.game;
    call_answer(call, 200,
                json_pack("{s:o, s:i, s:o, s:o, s:i, s:o, s:o, s:b, s:o}", "ruleset",
                          ruleset_reference(ruleset->slug, ruleset->version), "seq",
                          (int)replay->seq, "head", hex_json(replay->head, sizeof replay->head),
                          "decided_at", hex_json(replay->decided_at, sizeof replay->decided_at),
                          "seat", (int)seat, "house", house_document(&replay->house[seat]), "key",
                          key_document(&replay->header.seat[seat]), "decided", (int)decided,
                          "moves", decided ? json_array() : legal_moves_document(replay, seat)));
}

void games_legal_moves(struct call *call)
{
    struct game_row game;
    struct replay *replay;
    bool decided;
    if (!views_load_game(call, &game, &replay))
        return;
    struct viewer viewer = visibility_viewer(call, &game);
    if (viewer.kind != VIEWER_SEAT)
        call_problem(call, "not-a-seat", "Only the players of this game have moves in it.");
    else if (sealed_has_decided(call, &game.id, replay, viewer.seat, &decided))
        answer_legal_moves(call, replay, viewer.seat, decided);
}

/* ---- From memory ---- */

/* True if the caller has a seat in a running game that is up to date in memory, and the response
 * does not need the database (to know whether the caller has sealed a decision). */
static bool find_own(struct call *call, struct replay **replay, unsigned *seat)
{
    if (call->request->body.length > 0 || !auth_is_given(call->request) ||
        !shared_responses_are_on(call->service->reads) || !auth_recall(call, SCOPE_READ))
        return false;
    *replay = arena_room(call->arena, sizeof **replay);
    return game_cache_look(call->service->game_cache, &call->id[0], *replay) &&
           (*replay)->phase == REPLAY_PLAYING && visibility_own_seat(call, *replay, seat) &&
           (replay_simultaneous(*replay) >> *seat & 1) == 0;
}

enum http_quick views_quick(struct call *call, struct http_pending *pending)
{
    struct replay *replay;
    unsigned seat;
    (void)pending;
    if (call->request->parameters > 0 || !find_own(call, &replay, &seat))
        return QUICK_NO;
    if (call_within_limit(call, LIMIT_READ))
        answer_view(call, replay, (struct viewer){VIEWER_SEAT, seat}, false,
                    clocks_document(replay));
    return QUICK_DONE;
}

enum http_quick legal_moves_quick(struct call *call, struct http_pending *pending)
{
    struct replay *replay;
    unsigned seat;
    (void)pending;
    if (!find_own(call, &replay, &seat))
        return QUICK_NO;
    if (call_within_limit(call, LIMIT_READ))
        answer_legal_moves(call, replay, seat, false);
    return QUICK_DONE;
}

/* ---- A game told entry by entry ---- */

struct record_result story_begin(struct story *story, const struct record_row *header)
{
    return stored_record_begin(&story->record, header->line, story->replay);
}

struct record_result story_go_on(struct story *story, const struct record_row *row, bool *is_entry)
{
    enum { MARK_LENGTH = 10 };
    struct replay *replay = story->replay;
    struct span line = row->line;
    memcpy(story->before, replay->state, replay->header.game->state_size);
    struct record_result result = stored_record_continue(&story->record, row, replay);
    line.length -= MARK_LENGTH;
    *is_entry = result.status == STORED_RECORD_OK && replay->phase != REPLAY_FINISHED;
    if (*is_entry && !record_read_entry(line, &story->entry, &result.fault))
        result.status = STORED_RECORD_DAMAGED;
    return result;
}

/* ---- What entries of each kind say ---- */

static void set_number(json_t *item, const char *key, int64_t number)
{
    json_object_set_new(item, key, json_integer(number));
}

static void set_text(json_t *item, const char *key, const char *text)
{
    json_object_set_new(item, key, json_string(text));
}

static void add_ply(const struct story *story, struct viewer viewer, json_t *item)
{
    const struct game *game = story->replay->header.game;
    const struct record_entry *entry = &story->entry;
    const struct ply ply = {entry->seat, entry->move};
    set_number(item, "seat", entry->seat);
    json_object_set_new(item, "move", json_stringn(entry->move.at, entry->move.length));
    json_object_set_new(item, "events",
                        game->events(game, story->before, story->replay->state, &ply, viewer));
}

static void add_ruling(const struct record_entry *entry, json_t *item)
{
    set_text(item, "dispute", entry->dispute);
    set_text(item, "order", record_ruling_name(entry->ruling));
    set_text(item, "by", entry->by);
    set_text(item, "why", entry->code);
    if (entry->ruling == RECORD_RULING_ADJUST || entry->ruling == RECORD_RULING_FORFEIT)
        set_number(item, "seat", entry->subject);
    if (entry->ruling == RECORD_RULING_ADJUST)
        set_number(item, "points", entry->score);
    if (entry->ruling == RECORD_RULING_TAKEBACK) {
        set_number(item, "target", entry->target);
        json_object_set_new(item, "rekey", json_boolean(entry->rekey));
    }
}

static void tell_system_line(const struct record_entry *entry, json_t *item)
{
    switch (entry->kind) {
    case RECORD_UNDO:
        set_number(item, "seat", entry->seat);
        set_number(item, "target", entry->target);
        break;
    case RECORD_SUBSTITUTE:
        json_object_set_new(
            item, "player",
            json_pack("{s:s, s:s}", "id", entry->player.player, "name", entry->player.name));
        set_number(item, "seat", entry->subject);
        break;
    case RECORD_HOUSE:
        set_number(item, "seat", entry->subject);
        set_text(item, "level", entry->house.level);
        set_number(item, "version", entry->house.version);
        break;
    case RECORD_STOP:
        set_text(item, "reason", record_reason_name(entry->reason));
        break;
    case RECORD_FREEZE:
        set_text(item, "dispute", entry->dispute);
        break;
    case RECORD_RULING:
        add_ruling(entry, item);
        break;
    case RECORD_REVEAL:
    case RECORD_RESUME:
        break;
    default:
        set_number(item, "seat", entry->subject);
    }
}

json_t *story_entry(const struct story *story, struct viewer viewer)
{
    const struct record_entry *entry = &story->entry;
    json_t *item = json_pack("{s:i, s:I, s:s}", "seq", (int)entry->seq, "elapsed_ms",
                             (json_int_t)entry->elapsed_ms, "kind", record_kind_name(entry->kind));
    if (entry->kind == RECORD_PLY)
        add_ply(story, viewer, item);
    else
        tell_system_line(entry, item);
    return item;
}
