/* A player takes back moves of his own turn, where the event lets him: as long as nothing was
 * drawn, turned up or decided by anybody else since (engine/RECORD.md, Going back). */
#include "api/takebacks.h"
#include "api/handlers.h"
#include "api/problem.h"
#include "api/sight.h"
#include "api/signed_moves.h"
#include "api/system_lines.h"
#include "api/timekeeper.h"

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
    unsigned from = takeback_from(writer->game, writer->replay, seat);
    if (!writer->game->take_back)
        return call_problem(call, "no-take-back", "In this game moves are not taken back.");
    if (from != 0 && target >= from && target <= writer->replay->seq)
        return true;
    return call_problem(call, "no-take-back",
                        "Only moves of your own turn can be taken back, and only while nothing was "
                        "drawn or turned up by them; may_take_back of the game says from which "
                        "entry on.");
}

/* What is signed stands in the line behind the time, as of a move. */
static bool check_signature(struct call *call, const struct replay *replay, unsigned seat,
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
    if (!sight_find_game(call, &call->id[0], &game) || !call_check_keys(call, keys) ||
        !call_whole(call, "from", 1, INT32_MAX, -1, &from) ||
        !call_whole(call, "seq", 0, INT32_MAX, -1, &seq) || !signed_moves_read(call, &signature) ||
        !system_lines_begin(call, &game, &writer) || !timekeeper_check(call, writer.replay))
        return;
    unsigned seat = sight_viewer(call, &game).seat;
    if (seq != writer.replay->seq) {
        game_writer_stale(call, writer.replay->seq);
        return;
    }
    const struct record_entry entry = {.kind = RECORD_UNDO, .seat = seat, .target = from};
    if (!check_may(call, &writer, seat, from) ||
        !check_signature(call, writer.replay, seat, from, &signature) ||
        !system_lines_add(&writer, &entry))
        return;
    if (signature.given)
        game_writer_sign(&writer, 0, signature.bytes);
    if (system_lines_store(&writer))
        system_lines_answer(&writer, 0);
}
