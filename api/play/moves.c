/* Moves with one transaction each: all moves that api/play/quick_moves.c does not take, because
 * the database must be queried first, or because the move is refused, ends its game or belongs to a
 * simultaneous decision. A request plays one or several plies of one seat, all or none.
 *
 * A request that names the sequence number at which it was decided is safe to repeat: if exactly
 * these plies already follow that number, it gets the same receipt. */
#include "api/play/moves.h"

#include <string.h>

#include "api/play/game_clocks.h"
#include "api/play/handlers.h"
#include "api/play/move_request.h"
#include "api/play/sealed.h"
#include "api/play/system_lines.h"
#include "api/request/problem.h"
#include "api/request/visibility.h"
#include "db/link/db.h"
#include "db/store/events/events.h"
#include "db/store/games/records.h"

enum { HINTS_MOST = 20 };

/* ---- Reading the request ---- */

static bool find_seat(struct call *call, const struct game_row *game, unsigned *seat)
{
    for (*seat = 0; *seat < game->seats; ++*seat)
        if (id_equal(&game->seat[*seat].player, &call->player.id))
            return true;
    return call_problem(call, "not-a-seat", "Only the players of this game may move in it.");
}

/* ---- Moves that were refused ---- */

/* The sealed content: the code and the move, each preceded by its length. All have the same
 * size. */
enum { CODE_MAX = 40, MOVE_AT = 1 + CODE_MAX, PLAIN = MOVE_AT + 1 + GAME_MOVE_MAX };
enum { SEALED = PLAIN + KEYS_SEAL_BYTES };

/* The length to which a text from outside is cut, at most `most`, never within a character. */
static size_t fitting_length(struct span text, size_t most)
{
    size_t length = text.length < most ? text.length : most;
    while (length > 0 && length < text.length && ((unsigned char)text.at[length] & 0xC0) == 0x80)
        length--;
    return length;
}

static void put(uint8_t *at, struct span text, size_t most)
{
    size_t length = fitting_length(text, most);
    at[0] = (uint8_t)length;
    memcpy(at + 1, text.at, length);
}

/* Notes the refused move in the call; refused_moves_store() keeps it. Does nothing if the seat did
 * not have to decide, because then the rules were not asked. */
static void refused_moves_note(struct call *call, const struct id *game,
                               const struct replay *replay, unsigned seat, struct span move,
                               const struct refusal *refusal)
{
    uint8_t plain[PLAIN] = {0};
    if (replay->phase != REPLAY_PLAYING || replay->stop != REPLAY_RUNS ||
        !game_decides(replay->header.game, replay->state, seat))
        return;
    struct refused_move *kept = arena_take(call->arena, sizeof *kept);
    uint8_t *sealed = arena_take(call->arena, SEALED);
    put(plain, span_of(refusal->code), CODE_MAX);
    put(plain + MOVE_AT, move, GAME_MOVE_MAX);
    keys_seal(&call->service->keys, plain, sizeof plain, sealed);
    *kept = (struct refused_move){.seat = seat,
                                  .seq = replay->seq,
                                  .sealed = sealed,
                                  .size = SEALED,
                                  .received_at_ms = call->now_ms};
    call->refused = kept;
    call->refused_in = *game;
}

void refused_moves_store(struct call *call)
{
    if (call->refused == NULL || db_begin(call->db, false) != DB_OK)
        return;
    if (refused_move_add(call->db, &call->refused_in, call->refused) == DB_OK)
        (void)db_commit(call->db);
    else
        db_rollback(call->db);
    call->refused = NULL;
}

/* ---- Answering ---- */

/* Legal moves that begin with the same word, or else any: only ever shown to the seat that
 * decides. */
static json_t *hint_document(const struct replay *replay, unsigned seat, struct span move)
{
    const struct game *game = replay->header.game;
    struct move_list list;
    json_t *hint = json_array();
    if (!game_decides(game, replay->state, seat) || !move_list_init(&list, game))
        return hint;
    game->legal(game, replay->state, seat, &list);
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
    const struct replay *replay = writer->replay;
    bool stopped = replay->stop != REPLAY_RUNS && strcmp(refusal->code, "stopped") == 0;
    json_t *members = json_pack("{s:i, s:o}", "move_index", (int)index, "legal_hint",
                                hint_document(replay, request->seat, request->move[index]));
    if (stopped)
        json_object_set_new(members, "stopped", stop_document(replay));
    refused_moves_note(call, &writer->game->id, replay, request->seat, request->move[index],
                       refusal);
    problem_answer_refusal(call->response, call->arena, refusal->code,
                           stopped ? stop_detail(call->arena, replay) : refusal->message, members);
}

/* ---- Retries ---- */

/* The number of plies and take-backs on the rows. */
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

/* Answers a request whose sequence number the game has passed, by this very request or by
 * another. */
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
                            replay_decision_number(replay) - count_decisions(rows, count),
                            request->seat, request->move[0]))
        return;
    move_request_answer_late(call, replay, request, rows, count);
}

/* ---- Handlers ---- */

/* Locks a game with a simultaneous decision, so that of two last moves, one sees the other. */
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
    return call_problem(
        call, "sealed-alone",
        "A move that is decided at the same time as those of others must be submitted alone.");
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
    struct move_played played;
    switch (move_request_play(writer, request, &played)) {
    case MOVE_TOGETHER:
        refuse_company(call);
        return;
    case MOVE_REFUSED:
        answer_refusal(call, writer, request, played.count, &played.refusal);
        return;
    case MOVE_PLAYED:
        break;
    }
    if (request->signature.given)
        game_writer_sign(writer, played.last, request->signature.bytes);
    if (game_writer_store(writer))
        move_request_answer(call, writer->replay, &writer->rows[played.last]);
}

/* True if the request was made for the current decision: since then the record has only got lines
 * `sealed` of other seats. */
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

/* Reads the chain's value at the entry after which the move was decided. */
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

/* The decisions of a house account must be reproducible by anyone, so it has to declare its program
 * first. */
static bool is_declared(struct call *call, const struct replay *replay, unsigned seat)
{
    return call->player.house == NULL || replay->house[seat].version != 0 ||
           call_problem(
               call, "house-undeclared",
               "A house account must first declare its program, with POST /v1/games/<id>/house.");
}

void moves_create(struct call *call)
{
    const struct game_row *game = call->own_game;
    struct move_request request;
    struct game_writer writer;
    unsigned seat;
    bool current;
    uint8_t head[32];
    if (!find_seat(call, game, &seat) || !move_request_read(call, seat, &request) ||
        !open_game(call, game, &writer) || !is_declared(call, writer.replay, seat) ||
        !game_clocks_check(call, writer.replay) ||
        !is_current(call, game, writer.replay, &request, &current))
        return;
    if (!current)
        answer_stale(call, game, writer.replay, &request);
    else if (!check_signature(call, game, writer.replay, &request, head))
        return;
    else if (replay_simultaneous(writer.replay) == 0)
        play(call, &writer, &request);
    else
        seal(call, &writer, &request, head);
}

/* ---- Taking back ---- */

/* A player takes back moves of the current turn, if the event allows it, as long as nothing has
 * been drawn or turned up, and no other player has decided anything, since
 * (engine/record/RECORD.md, Going back). */

unsigned takeback_from(const struct game_row *game, const struct replay *replay, unsigned seat)
{
    bool may = game->take_back && replay->phase == REPLAY_PLAYING && replay->stop == REPLAY_RUNS &&
               replay->undo_from != 0 && replay->undo_seat == seat &&
               replay->takebacks < REPLAY_TAKEBACKS_MAX &&
               replay->header.game->deciders(replay->state) == UINT32_C(1) << seat;
    return may ? replay->undo_from : 0;
}

static bool check_may(struct call *call, const struct game_writer *writer, unsigned seat,
                      unsigned target)
{
    if (call->player.house != NULL)
        return call_problem(call, "no-take-back", "House players cannot take back moves.");
    unsigned from = takeback_from(writer->game, writer->replay, seat);
    if (!writer->game->take_back)
        return call_problem(call, "no-take-back", "Moves cannot be taken back in this game.");
    if (from != 0 && target >= from && target <= writer->replay->seq)
        return true;
    return call_problem(
        call, "no-take-back",
        "Only moves of your own turn can be taken back, and only if they did not draw or reveal "
        "anything; `may_take_back` of the game says from which entry on.");
}

/* The signed text is the part of the line behind the time, as for a move. */
static bool check_signature_takeback(struct call *call, const struct replay *replay, unsigned seat,
                                     unsigned from, const struct move_signed *signature)
{
    char bytes[32];
    struct text move = TEXT_OVER(bytes);
    text_add(&move, "undo ");
    text_add_number(&move, from);
    return signed_moves_check(call, replay, seat, text_span(&move), replay->head, signature);
}

void takebacks_create(struct call *call)
{
    static const char *const keys[] = {"from", "seq", "signature", NULL};
    struct game_row game;
    struct game_writer writer;
    struct move_signed signature;
    unsigned from, seq;
    if (!visibility_find_game(call, &call->id[0], &game) || !call_check_keys(call, keys) ||
        !call_whole(call, "from", 1, INT32_MAX, -1, &from) ||
        !call_whole(call, "seq", 0, INT32_MAX, -1, &seq) || !signed_moves_read(call, &signature) ||
        !system_lines_begin(call, &game, &writer) || !game_clocks_check(call, writer.replay))
        return;
    unsigned seat = visibility_viewer(call, &game).seat;
    /* Players do not know of the lines that are held back. */
    unsigned told = writer.replay->seq - (unsigned)writer.held_back;
    if (seq != told) {
        game_writer_stale(call, told);
        return;
    }
    const struct record_entry entry = {.kind = RECORD_UNDO, .seat = seat, .target = from};
    if (!check_may(call, &writer, seat, from) ||
        !check_signature_takeback(call, writer.replay, seat, from, &signature) ||
        !system_lines_add(&writer, &entry))
        return;
    if (signature.given)
        game_writer_sign(&writer, 0, signature.bytes);
    if (system_lines_store(&writer))
        system_lines_answer(&writer);
}

/* ---- Showing moves that were refused ---- */

static json_t *text_of(const uint8_t *at)
{
    return json_stringn((const char *)at + 1, at[0]);
}

static bool add_move(struct call *call, const struct refused_move *move, json_t *list)
{
    uint8_t plain[PLAIN];
    if (!keys_open(&call->service->keys, move->sealed, move->size, plain, PLAIN) ||
        plain[0] > CODE_MAX || plain[MOVE_AT] > GAME_MOVE_MAX)
        return call_problem(call, "internal-error", "A move was sealed with another key.");
    json_array_append_new(list,
                          json_pack("{s:i, s:i, s:o, s:o, s:o}", "seat", (int)move->seat, "seq",
                                    (int)move->seq, "move", text_of(plain + MOVE_AT), "code",
                                    text_of(plain), "at", time_json(move->received_at_ms)));
    return true;
}

bool refused_moves_document(struct call *call, const struct id *game, int seat, json_t **list)
{
    struct refused_move *moves;
    size_t count;
    bool good = true;
    if (!call_found(call, refused_move_list(call->db, call->arena, game, &moves, &count)))
        return false;
    *list = json_array();
    for (size_t i = 0; good && i < count; i++)
        if (seat < 0 || moves[i].seat == (unsigned)seat)
            good = add_move(call, &moves[i], *list);
    if (!good)
        json_decref(*list);
    return good;
}

void games_refused_moves(struct call *call)
{
    struct game_row game;
    json_t *list;
    if (!visibility_find_game(call, &call->id[0], &game))
        return;
    struct viewer viewer = visibility_viewer(call, &game);
    if (refused_moves_document(call, &game.id, (int)viewer.seat, &list))
        call_answer(call, 200, json_pack("{s:o}", "items", list));
}
