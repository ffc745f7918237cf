#include "api/tables/game_writer.h"

#include <stdlib.h>
#include <string.h>

#include "api/request/problem.h"
#include "api/state/game_cache.h"
#include "api/tables/duplicate.h"
#include "api/tables/games.h"
#include "api/tables/tables.h"
#include "db/link/db.h"
#include "db/store/games/casual.h"

enum { FIRST_CAPACITY = 16 };

bool game_load(struct call *call, const struct id *game, struct replay **replay)
{
    struct record_result result = game_cache_load(call->service->game_cache, &call->service->keys,
                                                  call->db, call->arena, game, replay);
    return result.status == STORED_RECORD_OK || game_live_problem(call, &result);
}

struct stored_record game_stored_record(struct call *call, const struct id *game)
{
    return (struct stored_record){.keys = &call->service->keys,
                                  .components = call->service->component_cache,
                                  .db = call->db,
                                  .arena = call->arena,
                                  .game = game};
}

json_t *deciders_document(const struct replay *replay)
{
    uint32_t deciders =
        replay->phase == REPLAY_PLAYING ? replay->header.game->deciders(replay->state) : 0;
    json_t *list = json_array();
    for (int seat = 0; seat < GAME_SEATS_MAX; seat++)
        if ((deciders >> seat & 1) != 0)
            json_array_append_new(list, json_integer(seat));
    return list;
}

json_t *legal_moves_document(const struct replay *replay, unsigned seat)
{
    const struct game *ruleset = replay->header.game;
    struct move_list list;
    json_t *moves = json_array();
    if (replay->phase != REPLAY_PLAYING || !game_decides(ruleset, replay->state, seat))
        return moves;
    if (!move_list_init(&list, ruleset))
        end_without_memory();
    ruleset->legal(ruleset, replay->state, seat, &list);
    for (size_t i = 0; i < list.count; i++) {
        struct span move = move_list_get(&list, i);
        json_array_append_new(moves, json_stringn(move.at, move.length));
    }
    move_list_free(&list);
    return moves;
}

/* Writes a time such as `2026-11-24T15:04:05.000Z`. */
static void print_stop(const struct replay *replay, char text[static TIME_TEXT])
{
    time_print(time_read(replay->header.start) + replay->stopped_ms, text);
}

static void describe_stop(struct text *text, const struct replay *replay)
{
    char since[TIME_TEXT];
    print_stop(replay, since);
    text_add(text, replay->stop == REPLAY_FROZEN ? "An official has frozen the game"
                                                 : "The game has been stopped");
    text_add(text, replay->stop == REPLAY_FROZEN ? " on " : " since ");
    text_add(text, since);
    if (replay->stop == REPLAY_FROZEN) {
        text_add(text, " because of a dispute, which is at /v1/disputes/");
        text_add(text, replay->dispute);
    }
    text_add(text, replay->stop == REPLAY_FROZEN
                       ? ". Moves are refused and clocks are stopped until an official resumes it"
                       : ". Moves are refused and clocks are stopped until the service resumes it");
    text_add(text, "; then moves can be sent again.");
}

enum { STOP_DETAIL = 320 };

const char *stop_detail(struct arena *arena, const struct replay *replay)
{
    char bytes[STOP_DETAIL];
    struct text text = TEXT_OVER(bytes);
    describe_stop(&text, replay);
    return arena_copy(arena, text_span(&text));
}

json_t *stop_document(const struct replay *replay)
{
    char since[TIME_TEXT];
    char bytes[STOP_DETAIL];
    struct text detail = TEXT_OVER(bytes);
    if (replay->stop == REPLAY_RUNS)
        return json_null();
    bool frozen = replay->stop == REPLAY_FROZEN;
    print_stop(replay, since);
    describe_stop(&detail, replay);
    return json_pack("{s:s, s:s?, s:s, s:s}", "by", frozen ? "dispute" : "stop", "dispute",
                     frozen ? replay->dispute : NULL, "since", since, "detail", bytes);
}

void game_writer_begin(struct game_writer *writer, struct call *call, const struct game_row *game,
                       struct replay *replay)
{
    *writer = (struct game_writer){.call = call,
                                   .game = game,
                                   .replay = replay,
                                   .elapsed_ms = call->now_ms - time_read(replay->header.start)};
}

bool game_writer_open(struct game_writer *writer, struct call *call, const struct game_row *game)
{
    struct replay *replay;
    if (!game_load(call, &game->id, &replay))
        return false;
    if (call->held.text[0] == '\0') {
        game_cache_hold(call->service->game_cache, &game->id);
        call->held = game->id;
    }
    game_writer_begin(writer, call, game, replay);
    return true;
}

/* Returns the next row, making room for it if necessary. */
static struct record_row *next_row(struct game_writer *writer)
{
    if (writer->count == writer->capacity) {
        size_t capacity = writer->capacity == 0 ? FIRST_CAPACITY : 2 * writer->capacity;
        struct record_row *rows = arena_array(writer->call->arena, capacity, sizeof *rows);
        if (writer->count > 0)
            memcpy(rows, writer->rows, writer->count * sizeof *rows);
        writer->rows = rows;
        writer->capacity = capacity;
    }
    return &writer->rows[writer->count];
}

/* Collects the line that has just been added to the replay. */
static void take_line(struct game_writer *writer, const struct text *line)
{
    struct record_row *row = next_row(writer);
    row->seq = (unsigned)game_cache_last_row(writer->replay);
    row->line = span_of(arena_copy(writer->call->arena, text_span(line)));
    memcpy(row->hash, writer->replay->head, sizeof row->hash);
    writer->count++;
}

/* A duplicate round's secret remains hidden while other tables play with it. */
static void take_due_lines(struct game_writer *writer)
{
    bool reveal = writer->replay->header.board == 0;
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    while (replay_add_due(writer->replay, writer->elapsed_ms, reveal, &line)) {
        take_line(writer, &line);
        text_clear(&line);
    }
}

bool game_writer_ply(struct game_writer *writer, unsigned seat, struct span move,
                     struct refusal *refusal)
{
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    if (!replay_add_ply(writer->replay, seat, move, writer->elapsed_ms, &line, refusal))
        return false;
    take_line(writer, &line);
    take_due_lines(writer);
    return true;
}

void game_writer_sign(struct game_writer *writer, size_t row,
                      const uint8_t signature[static SIGNATURE_BYTES])
{
    struct signature *added = &writer->signature[writer->signatures++];
    *added = (struct signature){.kind = SIGNATURE_OF_MOVE, .number = writer->rows[row].seq};
    memcpy(added->bytes, signature, sizeof added->bytes);
}

void game_writer_quiet(struct game_writer *writer, unsigned seat)
{
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    /* The move may have followed from the ply before. */
    if (!game_decides(writer->replay->header.game, writer->replay->state, seat))
        return;
    replay_add_quiet(writer->replay, seat, writer->elapsed_ms, &line);
    take_line(writer, &line);
    take_due_lines(writer);
}

/* Reads the record so far, if the entry is a take-back. */
static bool read_past(struct game_writer *writer, const struct record_entry *entry,
                      struct span *past)
{
    struct call *call = writer->call;
    bool needed = entry->kind == RECORD_UNDO ||
                  (entry->kind == RECORD_RULING && entry->ruling == RECORD_RULING_TAKEBACK);
    *past = (struct span){NULL, 0};
    if (!needed)
        return true;
    struct stored_record record = game_stored_record(call, &writer->game->id);
    struct record_result result =
        stored_record_past(&record, writer->replay->seq + 1, writer->rows, writer->count, past);
    return result.status == STORED_RECORD_OK || game_live_problem(call, &result);
}

bool game_writer_add(struct game_writer *writer, const struct record_entry *entry,
                     struct refusal *refusal)
{
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    struct record_entry timed = *entry;
    struct span past;
    timed.elapsed_ms = writer->elapsed_ms;
    *refusal = (struct refusal){NULL, NULL};
    if (!read_past(writer, entry, &past) ||
        !replay_add(writer->replay, past, &timed, &line, refusal))
        return false;
    take_line(writer, &line);
    take_due_lines(writer);
    return true;
}

bool game_writer_stale(struct call *call, unsigned seq)
{
    const char *const detail[] = {"Another move came first: the game is at entry ",
                                  call_digits(call, seq),
                                  ". Get the legal moves again and decide again.", NULL};
    problem_answer(call->response, call->arena, "stale-sequence", call_strings(call, detail),
                   json_pack("{s:i}", "seq", (int)seq));
    return false;
}

/* ---- Storing ---- */

/* Locks the event before the ratings, since a holder of its lock may go on to lock ratings. */
static bool take_into_event(struct call *call, const struct game_row *game)
{
    struct loaded_event loaded;
    if (game->event.text[0] == '\0') {
        enum db_status status = casual_is_unrated(call->db, &game->id);
        return status == DB_OK ||
               ((status == DB_NONE || call_found(call, status)) && game_rate(call, game, false));
    }
    return event_load(call, &game->event, true, &loaded) &&
           (table_is_settled(&loaded, game) ||
            (table_game_ended(call, &loaded, game) && table_rate_game(call, &loaded, game)));
}

static bool is_same_seat(const struct game_row_seat *seat, const struct game_row_seat *row)
{
    return seat->fallback == row->fallback && seat->forfeited == row->forfeited &&
           seat->timed_out == row->timed_out && id_equal(&seat->player, &row->player);
}

/* The state of a seat in the record. */
static struct game_row_seat seat_of(const struct replay *replay, unsigned number)
{
    struct game_row_seat seat = {.fallback = (replay->fallback >> number & 1) != 0,
                                 .timed_out = (replay->timed_out >> number & 1) != 0};
    memcpy(seat.player.text, replay->header.seat[number].player, sizeof seat.player.text);
    for (unsigned i = 0; i < replay->forfeits; i++)
        seat.forfeited = seat.forfeited || replay->forfeited[i] == number;
    return seat;
}

/* True if a statement of game_writer_store() succeeded. Statements are sent in batches, so a
 * conflict with an earlier request may appear at any of them. The earlier request may have been a
 * copy of this one. */
static bool is_stored(const struct game_writer *writer, enum db_status status)
{
    struct call *call = writer->call;
    if (status != DB_CONFLICT)
        return call_found(call, status);
    call->retry = true;
    return game_writer_stale(call, writer->rows[0].seq);
}

/* Updates absences and players in the game's row, which lists and visibility use, from the record,
 * whichever line or take-back has changed them. */
static bool update_seats(const struct game_writer *writer)
{
    struct call *call = writer->call;
    const struct game_row *game = writer->game;
    for (unsigned number = 0; number < game->seats; number++) {
        struct game_row_seat seat = seat_of(writer->replay, number);
        if (is_same_seat(&seat, &game->seat[number]))
            continue;
        call->event_changed = game->event;
        if (!is_stored(writer, game_set_seat(call->db, &game->id, number, &seat)))
            return false;
    }
    return true;
}

/* A void game has no results. In an event its table waits for a ruling. */
static bool finish(struct game_writer *writer)
{
    struct call *call = writer->call;
    struct game_row game = *writer->game;
    struct record_row *rows;
    size_t count;
    bool voided = writer->replay->voided;
    for (unsigned number = 0; number < game.seats; number++)
        game.seat[number].player = seat_of(writer->replay, number).player;
    int64_t finished_at_ms = game.started_at_ms + writer->replay->elapsed_ms;
    call->event_changed = game.event;
    if (game.board > 0)
        return is_stored(writer, game_end(call->db, &game.id, finished_at_ms, voided)) &&
               duplicate_table_ended(call, &game);
    if (!is_stored(writer, game_end_later(call->db, &game.id, finished_at_ms, voided)) ||
        !is_stored(writer, record_read(call->db, call->arena, &game.id, -1, &rows, &count)) ||
        !game_prove(call, record_join(call->arena, rows, count), &game))
        return false;
    return voided ||
           (call_found(call, game_score(call->db, &game)) && take_into_event(call, &game));
}

static bool store_signatures(const struct game_writer *writer)
{
    return writer->signatures == 0 ||
           is_stored(writer, move_signature_add(writer->call->db, &writer->game->id,
                                                writer->signature, writer->signatures));
}

bool game_writer_store(struct game_writer *writer)
{
    struct call *call = writer->call;
    if (writer->count == writer->held_back)
        return true;
    bool ends = writer->replay->phase != REPLAY_PLAYING;
    enum db_status status = (ends ? record_append_later : record_append)(
        call->db, &writer->game->id, writer->rows, writer->count);
    if (!is_stored(writer, status) || !store_signatures(writer))
        return false;
    call->played = writer->replay;
    call->played_rows = writer->rows;
    call->played_count = writer->count;
    return update_seats(writer) && (!ends || finish(writer));
}
