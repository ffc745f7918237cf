#include "api/play/sealed.h"

#include <string.h>

#include "api/request/documents.h"
#include "db/store/games/records.h"
#include "engine/record/receipt.h"

/* Every sealed move has the same size, so that the database does not reveal even its length. */
enum { PLAIN = 1 + GAME_MOVE_MAX, SEALED = PLAIN + KEYS_SEAL_BYTES };

static void seal(const struct keys *keys, struct span move, uint8_t sealed[static SEALED])
{
    uint8_t plain[PLAIN] = {(uint8_t)move.length};
    memcpy(plain + 1, move.at, move.length);
    keys_seal(keys, plain, sizeof plain, sealed);
}

/* A signature and what it refers to: 4 bytes of `seq`, the head, the signature. */
enum { SIGNED_PLAIN = 4 + 32 + SIGNATURE_BYTES, SIGNED_SEALED = SIGNED_PLAIN + KEYS_SEAL_BYTES };

static void seal_signature(const struct keys *keys, const struct sealed_signature *signature,
                           uint8_t sealed[static SIGNED_SEALED])
{
    uint8_t plain[SIGNED_PLAIN];
    for (int i = 0; i < 4; i++)
        plain[i] = (uint8_t)(signature->seq >> (8 * i));
    memcpy(plain + 4, signature->head, sizeof signature->head);
    memcpy(plain + 4 + 32, signature->bytes, sizeof signature->bytes);
    keys_seal(keys, plain, sizeof plain, sealed);
}

/* Decrypts the stored move, in the arena. */
static bool unseal(struct call *call, const struct sealed_move *stored, struct span *move)
{
    uint8_t *plain = arena_take(call->arena, PLAIN);
    if (!keys_open(&call->service->keys, stored->sealed, stored->size, plain, PLAIN) ||
        plain[0] > GAME_MOVE_MAX)
        return call_problem(call, "internal-error", "A move was sealed with another key.");
    *move = (struct span){(const char *)plain + 1, plain[0]};
    return true;
}

static bool unseal_signature(const struct keys *keys, const struct sealed_move *stored,
                             struct sealed_signature *signature)
{
    uint8_t plain[SIGNED_PLAIN];
    *signature = (struct sealed_signature){.seq = 0};
    if (stored->signature == NULL ||
        !keys_open(keys, stored->signature, stored->signature_size, plain, sizeof plain))
        return false;
    for (int i = 0; i < 4; i++)
        signature->seq |= (uint32_t)plain[i] << (8 * i);
    memcpy(signature->head, plain + 4, sizeof signature->head);
    memcpy(signature->bytes, plain + 4 + 32, sizeof signature->bytes);
    return true;
}

static bool list_moves(struct call *call, const struct id *game, unsigned number,
                       struct sealed_move **moves, size_t *count)
{
    return call_found(call, sealed_move_list(call->db, call->arena, game, number, moves, count));
}

/* Lists the moves sealed for the current decision. */
static bool list_present(const struct game_writer *writer, struct sealed_move **moves,
                         size_t *count)
{
    return list_moves(writer->call, &writer->game->id, replay_decision_number(writer->replay),
                      moves, count);
}

static const struct sealed_move *find_seat(const struct sealed_move *moves, size_t count,
                                           unsigned seat)
{
    for (size_t i = 0; i < count; i++)
        if (moves[i].seat == seat)
            return &moves[i];
    return NULL;
}

/* ---- Answering ---- */

static void answer_receipt(struct call *call, const struct id *game, const struct replay *replay,
                           unsigned ply, unsigned seat, struct span move)
{
    const struct sealed_receipt receipt = {game->text, ply, seat, move};
    char message[RECEIPT_SEALED_MAX];
    char key[17];
    uint8_t signature[64];
    struct text text = TEXT_OVER(message);
    receipt_sealed_message(&receipt, &text);
    keys_sign(&call->service->keys, text_span(&text), signature);
    keys_signing_id(&call->service->keys, key);
    call_answer(call, 200,
                json_pack("{s:{s:s, s:i, s:i, s:s%, s:s, s:o}, s:i, s:b, s:o}", "sealed", "game",
                          game->text, "ply", (int)ply, "seat", (int)seat, "move", move.at,
                          move.length, "key", key, "signature",
                          hex_json(signature, sizeof signature), "seq", (int)replay->seq,
                          "finished", (int)(replay->phase != REPLAY_PLAYING), "deciders",
                          deciders_document(replay)));
}

bool sealed_answer_again(struct call *call, const struct game_row *game,
                         const struct replay *replay, unsigned ply, unsigned seat, struct span move)
{
    struct sealed_move *moves;
    size_t count;
    struct span stored = {NULL, 0};
    if (!list_moves(call, &game->id, ply, &moves, &count))
        return true;
    const struct sealed_move *own = find_seat(moves, count, seat);
    if (own == NULL)
        return false;
    if (!unseal(call, own, &stored))
        return true;
    if (!span_equal(stored, move))
        return false;
    answer_receipt(call, &game->id, replay, ply, seat, move);
    return true;
}

/* Sets `decided`, and `at_ms` to the time if the seat has decided. */
static bool find_time(struct call *call, const struct id *game, const struct replay *replay,
                      unsigned seat, bool *decided, int64_t *at_ms)
{
    *decided = false;
    if ((replay_simultaneous(replay) >> seat & 1) == 0)
        return true;
    enum db_status status =
        sealed_move_time(call->db, game, replay_decision_number(replay), seat, at_ms);
    *decided = status == DB_OK;
    return status == DB_NONE || call_found(call, status);
}

bool sealed_has_decided(struct call *call, const struct id *game, const struct replay *replay,
                        unsigned seat, bool *decided)
{
    int64_t at_ms;
    return find_time(call, game, replay, seat, decided, &at_ms);
}

/* ---- Lines that are held back ---- */

static bool has_clocks(const struct replay *replay)
{
    return replay->header.clock.kind != CLOCK_NONE;
}

bool sealed_may_hold_back(const struct replay *replay)
{
    return has_clocks(replay) && replay_simultaneous(replay) != 0 && replay->stop == REPLAY_RUNS;
}

/* Adds the lines that the record does not have yet, in the order of their times, each with its own
 * time. A line that the replay refuses is dropped. */
static void add_lines(struct game_writer *writer, const struct sealed_move *moves, size_t count)
{
    struct refusal refusal;
    bool first = writer->count == writer->held_back;
    int64_t elapsed_ms = writer->elapsed_ms;
    for (const struct sealed_move *move = moves; move < moves + count; move++) {
        const struct record_entry entry = {.kind = RECORD_SEALED, .subject = move->seat};
        if ((writer->replay->sealed >> move->seat & 1) != 0)
            continue;
        writer->elapsed_ms = move->decided_at_ms - time_read(writer->replay->header.start);
        game_writer_add(writer, &entry, &refusal);
    }
    writer->elapsed_ms = elapsed_ms;
    if (first)
        writer->held_back = writer->count;
}

bool sealed_add_lines(struct game_writer *writer)
{
    struct sealed_move *moves;
    size_t count;
    if (!sealed_may_hold_back(writer->replay))
        return true;
    if (!list_present(writer, &moves, &count))
        return false;
    add_lines(writer, moves, count);
    return true;
}

static json_t *own_clocks(struct call *call, const struct replay *replay, unsigned seat,
                          int64_t at_ms)
{
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    const struct record_entry entry = {.kind = RECORD_SEALED,
                                       .subject = seat,
                                       .elapsed_ms = at_ms - time_read(replay->header.start)};
    struct refusal refusal;
    struct replay *copy = arena_take(call->arena, sizeof *copy);
    memcpy(copy, replay, sizeof *copy);
    replay_add(copy, (struct span){NULL, 0}, &entry, &line, &refusal);
    return clocks_document(copy);
}

bool sealed_clocks(struct call *call, const struct id *game, const struct replay *replay,
                   struct viewer viewer, json_t **clocks)
{
    bool decided = false;
    int64_t at_ms = 0;
    if (has_clocks(replay) && viewer.kind == VIEWER_SEAT &&
        !find_time(call, game, replay, viewer.seat, &decided, &at_ms))
        return false;
    *clocks = decided ? own_clocks(call, replay, viewer.seat, at_ms) : clocks_document(replay);
    return true;
}

/* ---- Opening ---- */

/* The seats that still have to decide. */
static uint32_t missing_seats(const struct replay *replay, const struct sealed_move *moves,
                              size_t count)
{
    uint32_t missing = replay_simultaneous(replay) & ~replay->fallback;
    for (size_t i = 0; i < count; i++)
        missing &= ~(UINT32_C(1) << moves[i].seat);
    return missing;
}

/* Stores the signature with the ply on row `row`, which has been opened. */
static void sign_opened(struct game_writer *writer, const struct sealed_move *stored, size_t row,
                        struct span move)
{
    const struct record_header *header = &writer->replay->header;
    struct sealed_signature signature;
    if (!unseal_signature(&writer->call->service->keys, stored, &signature))
        return;
    unsigned lines_back = writer->rows[row].seq - signature.seq - 1;
    if (lines_back < SIGNATURE_LINES_BACK &&
        signature_holds(header->game_id, signature.head, stored->seat, move, signature.bytes,
                        header->seat[stored->seat].key))
        game_writer_sign(writer, row, signature.bytes);
}

bool sealed_open_all(struct game_writer *writer)
{
    struct call *call = writer->call;
    uint32_t seats = replay_simultaneous(writer->replay);
    struct sealed_move *moves;
    size_t count;
    if (seats == 0 || writer->replay->stop != REPLAY_RUNS)
        return true;
    if (!list_present(writer, &moves, &count))
        return false;
    if (missing_seats(writer->replay, moves, count) != 0)
        return true;
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++) {
        struct span move = {NULL, 0};
        struct refusal refusal;
        if ((seats >> seat & 1) == 0)
            continue;
        const struct sealed_move *stored = find_seat(moves, count, seat);
        size_t row = writer->count;
        if ((writer->replay->fallback >> seat & 1) != 0) {
            game_writer_quiet(writer, seat);
        } else if (stored == NULL || !unseal(call, stored, &move) ||
                   !game_writer_ply(writer, seat, move, &refusal)) {
            return call_problem(call, "internal-error", "A sealed move cannot be opened.");
        } else {
            sign_opened(writer, stored, row, move);
        }
    }
    return true;
}

/* ---- Taking ---- */

/* Checks the move as it would be played; the moves of the other seats do not affect it. */
static bool check_move(const struct game_writer *writer, unsigned seat, struct span move,
                       struct refusal *refusal)
{
    struct replay *copy = arena_take(writer->call->arena, sizeof *copy);
    memcpy(copy, writer->replay, sizeof *copy);
    return copy->header.game->play(copy->header.game, copy->state, seat, move, &copy->chance,
                                   refusal);
}

static bool stop_clock(struct game_writer *writer, unsigned seat)
{
    const struct record_entry entry = {.kind = RECORD_SEALED, .subject = seat};
    struct refusal refusal;
    return game_writer_add(writer, &entry, &refusal) ||
           call_problem(writer->call, "internal-error", "A sealed move cannot be noted.");
}

bool sealed_decide(struct game_writer *writer, unsigned seat, struct span move,
                   const struct sealed_signature *signature)
{
    struct call *call = writer->call;
    unsigned number = replay_decision_number(writer->replay);
    uint8_t sealed[SEALED];
    uint8_t signed_sealed[SIGNED_SEALED];
    struct sealed_move *moves;
    size_t count;
    if (!list_present(writer, &moves, &count))
        return false;
    bool last = (missing_seats(writer->replay, moves, count) & ~(UINT32_C(1) << seat)) == 0;
    bool clocks = has_clocks(writer->replay);
    seal(&call->service->keys, move, sealed);
    if (signature != NULL)
        seal_signature(&call->service->keys, signature, signed_sealed);
    const struct sealed_move row = {.seat = seat,
                                    .sealed = sealed,
                                    .size = sizeof sealed,
                                    .signature = signature == NULL ? NULL : signed_sealed,
                                    .signature_size = sizeof signed_sealed,
                                    .decided_at_ms = call->now_ms};
    if (!call_db(call, sealed_move_add(call->db, &writer->game->id, number, &row),
                 "already-decided", "You have decided already; a sealed move is final."))
        return false;
    if (!last)
        return !clocks || writer->count == writer->held_back || stop_clock(writer, seat);
    if (clocks)
        add_lines(writer, moves, count);
    return sealed_open_all(writer);
}

/* Sets `late` if the seat's clock has run out. The clock of a seat that has decided stands,
 * although others see it running, and cannot run out. False with a problem. */
static bool is_too_late(const struct game_writer *writer, unsigned seat, bool *late)
{
    const struct replay *replay = writer->replay;
    int64_t at_ms =
        writer->elapsed_ms > replay->elapsed_ms ? writer->elapsed_ms : replay->elapsed_ms;
    bool decided;
    *late = (replay_timed_out(replay, at_ms) >> seat & 1) != 0;
    if (!*late)
        return true;
    if (!sealed_has_decided(writer->call, &writer->game->id, replay, seat, &decided))
        return false;
    *late = !decided;
    return true;
}

/* Checks for reasons against any move of the seat. */
static bool check_seat(const struct game_writer *writer, unsigned seat, bool late,
                       struct refusal *refusal)
{
    const struct replay *replay = writer->replay;
    if ((replay->fallback >> seat & 1) != 0)
        return refuse(refusal, "seat-on-fallback", "Fallback moves are played for this seat.");
    if (replay->stop != REPLAY_RUNS)
        return refuse(refusal, "stopped", "The game is stopped.");
    if (late)
        return refuse(refusal, "time-is-up", "The time for this decision is up.");
    return true;
}

bool sealed_take(struct game_writer *writer, unsigned seat, struct span move,
                 const struct sealed_signature *signature, struct refusal *refusal)
{
    struct call *call = writer->call;
    const struct id *game = &writer->game->id;
    unsigned number = replay_decision_number(writer->replay);
    bool late;
    if (sealed_answer_again(call, writer->game, writer->replay, number, seat, move) ||
        !is_too_late(writer, seat, &late))
        return true;
    if (!check_seat(writer, seat, late, refusal) || !check_move(writer, seat, move, refusal))
        return false;
    if (sealed_decide(writer, seat, move, signature) && game_writer_store(writer))
        answer_receipt(call, game, writer->replay, number, seat, move);
    return true;
}
