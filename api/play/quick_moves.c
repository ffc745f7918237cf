#include "api/play/quick_moves.h"

#include <string.h>

#include "api/http/server.h"
#include "api/play/game_clocks.h"
#include "api/play/move_request.h"
#include "api/request/auth.h"
#include "api/request/limits.h"
#include "api/request/visibility.h"
#include "api/state/game_cache.h"
#include "api/tables/game_writer.h"
#include "api/tables/receipts.h"
#include "db/lines/line_databases.h"
#include "db/link/db.h"
#include "db/link/listener.h"
#include "db/writer/writer.h"

/* Moves that share a signature. */
struct quick_batch {
    struct receipts receipts;
    struct receipt *receipt;
};

/* A move under way. It is in the arena of its request, and so is everything that it points to. */
struct quick_move {
    struct write write; /* first, so that a write can be cast to its move */
    struct http_pending *pending;
    const struct http_request *request;
    struct http_response *response;
    struct arena *arena;
    struct id game;
    struct game_cache_packed packed; /* the game after the move */
    struct receipts_position position;
    const struct record_row *last; /* the row of the last ply requested */
    struct quick_batch *batch; /* NULL until signed; may have been freed since, see are_signed() */
    size_t batch_count;        /* moves in the batch */
    size_t index;              /* index of this move in it */
};

/* ---- Playing ---- */

/* False while a time-out stands: the game's row has it as well, and only a transaction updates
 * that. */
static bool clocks_allow(const struct call *call, const struct replay *replay)
{
    return replay->header.clock.kind == CLOCK_NONE ||
           (replay->timed_out == 0 &&
            game_clocks_serves_game(call->service->game_clocks, &call->id[0], call->now_ms));
}

/* False for the name of a house account if the record does not declare its program. */
static bool is_declared(const struct replay *replay, unsigned seat)
{
    return replay->house[seat].version != 0 ||
           !record_is_house_name(replay->header.seat[seat].name);
}

/* In a line database a move must follow a row that is there, or a fence, and other services must be
 * able to notice if this process dies. */
static bool can_be_written(const struct call *call)
{
    return line_database_of(&call->id[0]) == 0 ||
           (line_database_has_begun(&call->id[0]) &&
            writer_is_connected(call->service->writer[0].writer));
}

static bool read_request(struct call *call, const struct replay *replay,
                         struct move_request *request)
{
    unsigned seat;
    return replay->phase == REPLAY_PLAYING && clocks_allow(call, replay) && can_be_written(call) &&
           visibility_own_seat(call, replay, &seat) && is_declared(replay, seat) &&
           !replay->header.seat[seat].has_key && move_request_read(call, seat, request) &&
           !request->signature.given;
}

/* Fills `move` if the request can be played quickly on this copy of the game: no ply belongs to a
 * simultaneous decision, and the last does not end the game. */
static bool prepare(struct call *call, const struct move_request *request, struct replay *replay,
                    struct quick_move *move)
{
    struct game_writer writer;
    struct move_played played;
    game_writer_begin(&writer, call, NULL, replay);
    if (move_request_play(&writer, request, &played) != MOVE_PLAYED ||
        replay->phase != REPLAY_PLAYING)
        return false;
    *move = (struct quick_move){.write = {.rows = writer.rows, .count = writer.count},
                                .request = call->request,
                                .response = call->response,
                                .arena = call->arena,
                                .game = call->id[0],
                                .packed = game_cache_pack(call->arena, replay),
                                .position = receipts_position(replay),
                                .last = &writer.rows[played.last]};
    move->write.game = &move->game;
    return true;
}

/* ---- Requests that come late ---- */

/* True if the rows hold a simultaneous decision. Repeated sealed moves are recognized elsewhere
 * (api/play/sealed.h). */
static bool holds_sealed(const struct record_row *rows, size_t count)
{
    struct record_entry before = {.kind = RECORD_RESULT};
    for (size_t i = 0; i < count; i++) {
        struct record_entry entry;
        if (!move_request_read_row(&rows[i], &entry) || entry.kind == RECORD_SEALED ||
            (before.kind == RECORD_PLY && entry.elapsed_ms == before.elapsed_ms))
            return true;
        before = entry;
    }
    return false;
}

/* Answers a request that was decided at an earlier entry, if all rows since then are in memory. */
static enum http_quick answer_late(struct call *call, const struct move_request *request,
                                   const struct replay *replay, const struct game_cache_tail *tail)
{
    struct record_row row[GAME_CACHE_TAIL];
    size_t count = game_cache_tail_rows(tail, row);
    size_t first = 0;
    while (first < count && row[first].seq <= request->seq)
        first++;
    if (first == count || row[first].seq != request->seq + 1 || request->seq > replay->seq ||
        holds_sealed(row + first, count - first))
        return QUICK_NO;
    if (!call_within_limit(call, LIMIT_WRITE))
        return QUICK_DONE;
    move_request_answer_late(call, replay, request, row + first, count - first);
    return QUICK_DONE;
}

/* ---- The quick way ---- */

static void hand_over(const struct moves_writer *writer);

/* Looking for finished writes costs a system call, so several moves share one. */
static void look_for_done(struct moves_writer *writer)
{
    enum { MOVES_A_LOOK = 8 };
    if (++writer->added % MOVES_A_LOOK == 0 && writer_look(writer->writer))
        hand_over(writer);
}

static enum http_quick submit(struct call *call, struct quick_move *move)
{
    struct moves_writer *moves_writer = &call->service->writer[line_database_of(&move->game)];
    struct writer *writer = moves_writer->writer;
    if (!call_within_limit(call, LIMIT_WRITE))
        return QUICK_DONE;
    if (writer_is_full(writer)) {
        call_problem(call, "server-busy",
                     "Too many moves are waiting to be written; try again soon.");
        return QUICK_DONE;
    }
    writer_add(writer, &move->write);
    look_for_done(moves_writer);
    return QUICK_LATER;
}

enum http_quick moves_quick(struct call *call, struct http_pending *pending)
{
    struct game_cache *game_cache = call->service->game_cache;
    if (call->request->idempotency_key != NULL || !auth_is_given(call->request))
        return QUICK_NO;
    if (!auth_recall(call, SCOPE_PLAY))
        return QUICK_COLD;
    struct replay replay; /* this memory is still in the processor's cache from the last move */
    struct quick_move *move = arena_take(call->arena, sizeof *move);
    struct move_request request;
    struct game_cache_tail tail;
    enum game_cache_taken taken = game_cache_take(game_cache, &call->id[0], &replay, &tail);
    if (taken != GAME_CACHE_TAKEN)
        return taken == GAME_CACHE_MISSING ? QUICK_COLD : QUICK_NO;
    enum http_quick result = QUICK_NO;
    if (!read_request(call, &replay, &request)) {
        result = QUICK_NO;
    } else if (request.has_seq && request.seq != replay.seq) {
        result = answer_late(call, &request, &replay, &tail);
    } else if (prepare(call, &request, &replay, move)) {
        move->pending = pending;
        result = submit(call, move);
    }
    if (result != QUICK_LATER)
        game_cache_release(game_cache, &call->id[0]);
    return result;
}

void moves_fetch(struct call *calls, size_t count)
{
    struct service *service = calls->service;
    struct id *games = arena_array(calls->arena, count, sizeof *games);
    for (size_t i = 0; i < count; i++)
        games[i] = calls[i].id[0];
    game_cache_fetch(service->game_cache, &service->keys, calls->db, games, count);
}

/* ---- Answering ---- */

/* Answers with a problem for a move that the writer could not confirm to be in the record. */
static void answer_problem(struct service *service, const struct quick_move *move)
{
    struct call call = {.service = service,
                        .request = move->request,
                        .response = move->response,
                        .arena = move->arena};
    call_found(&call, move->write.status);
}

/* One signature for `count` moves. */
static void sign(const struct service *service, struct arena *arena, struct write *const *writes,
                 size_t count)
{
    struct quick_batch *batch = arena_take(arena, sizeof *batch);
    batch->receipt = arena_array(arena, count, sizeof *batch->receipt);
    for (size_t i = 0; i < count; i++) {
        struct quick_move *move = (struct quick_move *)writes[i];
        batch->receipt[i] = (struct receipt){move->game.text, move->last->seq, move->last->hash};
        move->batch = batch;
        move->batch_count = count;
        move->index = i;
    }
    receipts_sign(&batch->receipts, &service->keys, arena, batch->receipt, count);
}

/* Hands the waiting moves to the writer, and signs them during the transaction. No receipt is sent
 * before its move is known to be in the record. The signature is in the memory of the first move,
 * and is read only if all moves of the batch are there. */
static void hand_over(const struct moves_writer *writer)
{
    struct write *const *writes;
    writer_hand_over(writer->writer);
    size_t count = writer_batch(writer->writer, &writes);
    if (count == 0)
        return;
    const struct quick_move *first = (const struct quick_move *)writes[0];
    if (first->batch == NULL)
        sign(writer->service, first->arena, writes, count);
}

void moves_hand_over(void *context)
{
    struct service *service = context;
    for (size_t i = 0; i < service->writer_count; i++) {
        if (writer_look(service->writer[i].writer))
            moves_written(&service->writer[i]);
        hand_over(&service->writer[i]);
    }
}

/* Collects the moves that were written in an array in the arena. */
static size_t gather_written(struct write *done, struct arena *arena, struct write ***written)
{
    size_t count = 0;
    for (const struct write *each = done; each != NULL; each = each->next)
        count += each->status == DB_OK;
    *written = arena_array(arena, count, sizeof(struct write *));
    count = 0;
    for (struct write *each = done; each != NULL; each = each->next)
        if (each->status == DB_OK)
            (*written)[count++] = each;
    return count;
}

/* True if exactly these moves share a signature: then the first has not been answered, and its
 * memory is valid. */
static bool are_signed(struct write *const *writes, size_t count)
{
    const struct quick_batch *batch = ((const struct quick_move *)writes[0])->batch;
    bool together = batch != NULL;
    for (size_t i = 0; i < count && together; i++) {
        const struct quick_move *move = (const struct quick_move *)writes[i];
        together = move->batch == batch && move->batch_count == count;
    }
    for (size_t i = 0; i < count && together; i++) {
        const struct quick_move *move = (const struct quick_move *)writes[i];
        together = batch->receipt[move->index].head == move->last->hash;
    }
    return together;
}

static void answer_receipts(struct service *service, struct arena *arena, struct write *done)
{
    struct write **written;
    size_t count = gather_written(done, arena, &written);
    if (count > 0 && !are_signed(written, count))
        sign(service, arena, written, count);
    for (size_t i = 0; i < count; i++) {
        const struct quick_move *move = (const struct quick_move *)written[i];
        receipts_answer(&move->batch->receipts, move->index, &move->batch->receipt[move->index],
                        &move->position, move->arena, move->response);
    }
}

/* True if other services have not been notified; line databases never do so. */
static bool must_notify(const struct moves_writer *writer, const struct write *write)
{
    return write->unnotified || writer != &writer->service->writer[0];
}

void moves_written(void *context)
{
    const struct moves_writer *writer = context;
    struct service *service = writer->service;
    struct arena arena = {NULL};
    struct write *write = writer_take_done(writer->writer);
    writer_hand_over(writer->writer);
    answer_receipts(service, &arena, write);
    while (write != NULL) {
        /* Answering frees the write. */
        struct write *next = write->next;
        const struct quick_move *move = (const struct quick_move *)write;
        if (must_notify(writer, write) && write->status != DB_CONFLICT)
            listener_notify(service->listener, &move->game, write->rows[write->count - 1].seq);
        if (write->status == DB_OK) {
            game_cache_put_packed(service->game_cache, &move->game, &move->packed, write->rows,
                                  write->count);
            change_bus_game(service->change_bus, &move->game, (unsigned)move->packed.row);
        } else if (write->status != DB_CONFLICT) {
            if (write->status == DB_UNKNOWN)
                listener_renew(service->listener);
            answer_problem(service, move);
        }
        game_cache_release(service->game_cache, &move->game);
        if (write->status == DB_CONFLICT)
            server_pass_on(move->pending);
        else
            server_answer(move->pending);
        write = next;
    }
    arena_free(&arena);
}
