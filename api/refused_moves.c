#include "api/refused_moves.h"

#include <string.h>

#include "api/handlers.h"
#include "api/sight.h"
#include "db/refused_moves.h"

/* What is sealed: the code and the move, each behind its length. All have the same size. */
enum { CODE_MAX = 40, MOVE_AT = 1 + CODE_MAX, PLAIN = MOVE_AT + 1 + GAME_MOVE_MAX };
enum { SEALED = PLAIN + KEYS_SEAL_BYTES };

/* ---- Keeping ---- */

/* Moves come from outside: what is too long is cut off between characters. */
static size_t fitting(struct span text, size_t most)
{
    size_t length = text.length < most ? text.length : most;
    while (length > 0 && length < text.length && ((unsigned char)text.at[length] & 0xC0) == 0x80)
        length--;
    return length;
}

static void put(uint8_t *at, struct span text, size_t most)
{
    size_t length = fitting(text, most);
    at[0] = (uint8_t)length;
    memcpy(at + 1, text.at, length);
}

void refused_moves_note(struct call *call, const struct id *game, const struct replay *replay,
                        unsigned seat, struct span move, const struct refusal *refusal)
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

/* ---- Showing ---- */

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
    if (!sight_find_game(call, &call->id[0], &game))
        return;
    struct viewer viewer = sight_viewer(call, &game);
    if (refused_moves_document(call, &game.id, (int)viewer.seat, &list))
        call_answer(call, 200, json_pack("{s:o}", "items", list));
}
