#include "api/full_view.h"

#include <stdlib.h>

#include "api/documents.h"
#include "api/game_writer.h"
#include "api/refused_moves.h"

static json_t *legal_moves(const struct replay *replay, unsigned seat)
{
    const struct game *ruleset = replay->header.game;
    struct move_list list;
    json_t *moves = json_array();
    if (replay->phase != REPLAY_PLAYING || !game_decides(ruleset, replay->state, seat))
        return moves;
    if (!move_list_init(&list, ruleset))
        abort();
    ruleset->legal(replay->state, seat, &list);
    for (size_t i = 0; i < list.count; i++) {
        struct span move = move_list_get(&list, i);
        json_array_append_new(moves, json_stringn(move.at, move.length));
    }
    move_list_free(&list);
    return moves;
}

static json_t *seats_document(const struct replay *replay)
{
    const struct record_header *header = &replay->header;
    json_t *seats = json_array();
    for (unsigned seat = 0; seat < header->seats; seat++) {
        const struct viewer viewer = {VIEWER_SEAT, seat};
        json_array_append_new(seats, json_pack("{s:i, s:{s:s, s:s}, s:o, s:o}", "seat", (int)seat,
                                               "player", "id", header->seat[seat].player, "name",
                                               header->seat[seat].name, "view",
                                               header->game->view(replay->state, viewer),
                                               "legal_moves", legal_moves(replay, seat)));
    }
    return seats;
}

bool full_view(struct call *call, const struct game_row *game, const struct replay *replay,
               json_t **document)
{
    const struct viewer auditor = {VIEWER_AUDITOR, 0};
    json_t *refused;
    if (!refused_moves_document(call, &game->id, -1, &refused))
        return false;
    *document = json_pack("{s:s, s:i, s:o, s:o, s:o, s:o}", "game", game->id.text, "seq",
                          (int)replay->seq, "deciders", deciders_document(replay), "full",
                          replay->header.game->view(replay->state, auditor), "seats",
                          seats_document(replay), "refused_moves", refused);
    return true;
}
