#include "api/full_view.h"

#include "api/documents.h"
#include "api/game_writer.h"
#include "api/refused_moves.h"

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
                                               "legal_moves", legal_moves_document(replay, seat)));
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
