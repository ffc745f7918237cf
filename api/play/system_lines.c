#include "api/play/system_lines.h"

#include <string.h>

#include "api/play/sealed.h"
#include "api/request/problem.h"
#include "api/request/visibility.h"
#include "api/tables/receipts.h"

/* Answers with the replay's code: the official's request does not fit the current state of the
 * game. */
static bool refuse_line(const struct game_writer *writer, const char *code, const char *message)
{
    struct call *call = writer->call;
    bool stopped = writer->replay->stop != REPLAY_RUNS && strcmp(code, "stopped") == 0;
    problem_answer_conflict(call->response, call->arena, code,
                            stopped ? stop_detail(call->arena, writer->replay) : message,
                            stopped ? json_pack("{s:o}", "stopped", stop_document(writer->replay))
                                    : NULL);
    return false;
}

static bool begin(struct call *call, const struct game_row *game, struct game_writer *writer)
{
    return call_found(call, game_lock(call->db, &game->id)) && game_writer_open(writer, call, game);
}

static bool is_playing(const struct game_writer *writer)
{
    return writer->replay->phase == REPLAY_PLAYING ||
           refuse_line(writer, REFUSAL_GAME_OVER, "The game is over.");
}

bool system_lines_begin(struct call *call, const struct game_row *game, struct game_writer *writer)
{
    return begin(call, game, writer) && sealed_add_lines(writer) && is_playing(writer);
}

bool system_lines_begin_untimed(struct call *call, const struct game_row *game,
                                struct game_writer *writer)
{
    if (!begin(call, game, writer))
        return false;
    if (sealed_may_hold_back(writer->replay))
        writer->elapsed_ms = writer->replay->elapsed_ms;
    return is_playing(writer);
}

bool system_lines_add(struct game_writer *writer, const struct record_entry *entry)
{
    struct refusal refusal;
    bool voids = entry->kind == RECORD_RULING && entry->ruling == RECORD_RULING_VOID;
    if (voids && writer->game->board > 0)
        return refuse_line(
            writer, "bad-ruling",
            "Other tables play this game's board, so it cannot be voided; rule on its table.");
    if (game_writer_add(writer, entry, &refusal))
        return true;
    return refusal.code != NULL && refuse_line(writer, refusal.code, refusal.message);
}

bool system_lines_store(struct game_writer *writer)
{
    return sealed_open_all(writer) && game_writer_store(writer);
}

void system_lines_answer(struct game_writer *writer)
{
    struct call *call = writer->call;
    const struct record_row *row = &writer->rows[writer->held_back];
    if (visibility_is_hidden(call, writer->game) ||
        visibility_last_row(call, writer->game, row->seq) < row->seq) {
        call->response->status = 204;
        return;
    }
    receipts_answer_one(&call->service->keys,
                        &(struct receipt){writer->game->id.text, row->seq, row->hash},
                        writer->replay, call->arena, call->response);
}

struct record_entry system_line(enum record_kind kind, unsigned seat)
{
    return (struct record_entry){.kind = kind, .subject = seat};
}
