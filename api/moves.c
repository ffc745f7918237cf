/* Moves, one transaction each: the way of every move that api/quick_moves.c does not take, because
 * it has to ask the database first, is refused, ends its game or is decided together with others. A
 * request plays one or several plies of one seat, all or none.
 *
 * A request that names the sequence number it was decided at is safe to send again: if exactly
 * these plies already follow that number, it gets the same receipt. */
#include <string.h>

#include "api/game_writer.h"
#include "api/handlers.h"
#include "api/move_request.h"
#include "api/problem.h"
#include "api/receipts.h"
#include "api/refused_moves.h"
#include "api/sealed.h"
#include "api/sight.h"
#include "api/timekeeper.h"
#include "db/events.h"

enum { HINTS_MOST = 20 };

/* ---- Reading the request ---- */

static bool find_seat(struct call *call, const struct game_row *game, unsigned *seat)
{
    for (*seat = 0; *seat < game->seats; ++*seat)
        if (id_equal(&game->seat[*seat].player, &call->player.id))
            return true;
    return call_problem(call, "not-a-seat", "Only the players of this game may move in it.");
}

static bool read_request(struct call *call, const struct game_row *game,
                         struct move_request *request)
{
    unsigned seat;
    return find_seat(call, game, &seat) && move_request_read(call, seat, request);
}

/* ---- Answering ---- */

static void answer_receipt(struct call *call, const struct id *game, const struct replay *replay,
                           unsigned seq, const uint8_t head[static 32])
{
    const struct receipt receipt = {game->text, seq, head};
    receipts_answer_one(&call->service->keys, &receipt, replay, call->arena, call->response);
}

/* Legal moves that begin with the same word, or any: only ever shown to the seat that decides. */
static json_t *hint_document(const struct replay *replay, unsigned seat, struct span move)
{
    const struct game *game = replay->header.game;
    struct move_list list;
    json_t *hint = json_array();
    if (!game_decides(game, replay->state, seat) || !move_list_init(&list, game))
        return hint;
    game->legal(replay->state, seat, &list);
    struct span verb = span_word(&move);
    for (int same_verb = 1; same_verb >= 0 && json_array_size(hint) == 0; same_verb--) {
        for (size_t i = 0; i < list.count && json_array_size(hint) < HINTS_MOST; i++) {
            struct span legal = move_list_get(&list, i);
            struct span rest = legal;
            if (same_verb == 0 || span_equal(span_word(&rest), verb))
                json_array_append_new(hint, json_stringn(legal.at, legal.length));
        }
    }
    move_list_free(&list);
    return hint;
}

static void answer_refusal(struct call *call, const struct game_writer *writer,
                           const struct move_request *request, size_t index,
                           const struct refusal *refusal)
{
    refused_moves_note(call, &writer->game->id, writer->replay, request->seat, request->move[index],
                       refusal);
    problem_answer_refusal(
        call->response, call->arena, refusal->code, refusal->message,
        json_pack("{s:i, s:o}", "move_index", (int)index, "legal_hint",
                  hint_document(writer->replay, request->seat, request->move[index])));
}

/* ---- Retries ---- */

/* How many plies and take-backs there are on the rows. */
static unsigned count_decisions(const struct record_row *rows, size_t count)
{
    unsigned decisions = 0;
    for (size_t i = 0; i < count; i++) {
        struct record_entry entry;
        decisions += (move_request_read_row(&rows[i], &entry) && entry.kind == RECORD_PLY) ||
                     replay_takes_back(rows[i].line);
    }
    return decisions;
}

/* The game has moved on from the request's sequence number: by this very request, or by another. */
static void answer_stale(struct call *call, const struct game_row *game,
                         const struct replay *replay, const struct move_request *request)
{
    struct record_row *rows;
    size_t count;
    if (request->seq > replay->seq) {
        game_writer_stale(call, replay->seq);
        return;
    }
    if (!call_found(
            call, record_read(call->db, call->arena, &game->id, (int)request->seq, &rows, &count)))
        return;
    if (request->count == 1 &&
        sealed_answer_again(call, game, replay,
                            sealed_number(replay) - count_decisions(rows, count), request->seat,
                            request->move[0]))
        return;
    const struct record_row *again = move_request_find(request, rows, count);
    if (again != NULL)
        answer_receipt(call, &game->id, replay, again->seq, again->hash);
    else
        game_writer_stale(call, replay->seq);
}

/* ---- Handlers ---- */

/* A game in which several seats decide at the same time is locked, so that of two last moves one
 * sees the other. */
static bool open_game(struct call *call, const struct game_row *game, struct game_writer *writer)
{
    if (!game_writer_open(writer, call, game))
        return false;
    return replay_simultaneous(writer->replay) == 0 ||
           (call_found(call, game_lock(call->db, &game->id)) &&
            game_writer_open(writer, call, game));
}

static bool refuse_company(struct call *call)
{
    return call_problem(call, "sealed-alone",
                        "A move that is decided at the same time as others is submitted alone.");
}

static void seal(struct call *call, struct game_writer *writer, const struct move_request *request,
                 const uint8_t head[static 32])
{
    struct refusal refusal;
    struct sealed_signature signature = {.seq = request->seq};
    memcpy(signature.head, head, sizeof signature.head);
    memcpy(signature.bytes, request->signature.bytes, sizeof signature.bytes);
    if (request->count > 1)
        refuse_company(call);
    else if (!sealed_take(writer, request->seat, request->move[0],
                          request->signature.given ? &signature : NULL, &refusal))
        answer_refusal(call, writer, request, 0, &refusal);
}

static void play(struct call *call, struct game_writer *writer, const struct move_request *request)
{
    struct refusal refusal;
    size_t last = 0; /* index of the row of the last ply that the request played */
    for (size_t i = 0; i < request->count; i++) {
        if (i > 0 && replay_simultaneous(writer->replay) != 0) {
            refuse_company(call);
            return;
        }
        last = writer->count;
        if (!game_writer_ply(writer, request->seat, request->move[i], &refusal)) {
            answer_refusal(call, writer, request, i, &refusal);
            return;
        }
    }
    if (request->signature.given)
        game_writer_sign(writer, last, request->signature.bytes);
    if (game_writer_store(writer))
        answer_receipt(call, &writer->game->id, writer->replay, writer->rows[last].seq,
                       writer->rows[last].hash);
}

/* True if the decision at hand is the one that the request was decided for: since then others who
 * decide at the same time have been told of, and nothing else. */
static bool is_current(struct call *call, const struct game_row *game, const struct replay *replay,
                       const struct move_request *request, bool *current)
{
    struct record_row *rows;
    size_t count;
    *current = !request->has_seq || request->seq == replay->seq;
    if (*current || request->seq > replay->seq || replay->sealed == 0)
        return true;
    if (!call_found(
            call, record_read(call->db, call->arena, &game->id, (int)request->seq, &rows, &count)))
        return false;
    *current = true;
    for (size_t i = 0; i < count; i++) {
        struct record_entry entry;
        *current = *current && move_request_read_row(&rows[i], &entry) &&
                   entry.kind == RECORD_SEALED && entry.subject != request->seat;
    }
    return true;
}

/* The chain's value at the entry after which the move was decided. */
static bool read_head(struct call *call, const struct game_row *game, const struct replay *replay,
                      const struct move_request *request, uint8_t head[static 32])
{
    struct record_row *rows;
    size_t count;
    memcpy(head, replay->head, sizeof replay->head);
    if (!request->signature.given || request->seq == replay->seq)
        return true;
    if (!call_found(call, record_read(call->db, call->arena, &game->id, (int)request->seq - 1,
                                      &rows, &count)))
        return false;
    if (count > 0)
        memcpy(head, rows[0].hash, sizeof rows[0].hash);
    return true;
}

static bool check_signature(struct call *call, const struct game_row *game,
                            const struct replay *replay, const struct move_request *request,
                            uint8_t head[static 32])
{
    if (!read_head(call, game, replay, request, head))
        return false;
    return request->count > 1
               ? signed_moves_check_several(call, replay, request->seat, &request->signature)
               : signed_moves_check(call, replay, request->seat, request->move[0], head,
                                    &request->signature);
}

void moves_create(struct call *call)
{
    struct game_row game;
    struct move_request request;
    struct game_writer writer;
    bool current;
    uint8_t head[32];
    if (!sight_find_game(call, &call->id[0], &game) || !read_request(call, &game, &request) ||
        !open_game(call, &game, &writer) || !timekeeper_check(call, writer.replay) ||
        !is_current(call, &game, writer.replay, &request, &current))
        return;
    if (!current)
        answer_stale(call, &game, writer.replay, &request);
    else if (!check_signature(call, &game, writer.replay, &request, head))
        return;
    else if (replay_simultaneous(writer.replay) == 0)
        play(call, &writer, &request);
    else
        seal(call, &writer, &request, head);
}
