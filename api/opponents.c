/* Head to head: whom a player has met, and who was ahead. */
#include "db/opponents.h"

#include "api/documents.h"
#include "api/handlers.h"

enum { GAMES_MOST = 1000, OPPONENTS_MOST = 50 };

static json_t *opponent_document(const struct opponent *opponent)
{
    return json_pack("{s:o, s:i, s:i, s:i, s:i, s:s}", "player",
                     player_reference(&opponent->player, opponent->name), "games",
                     (int)opponent->games, "ahead", (int)opponent->ahead, "level",
                     (int)opponent->level, "behind", (int)opponent->behind, "last_game",
                     opponent->last_game.text);
}

void players_opponents(struct call *call)
{
    struct player player;
    struct opponent *opponents;
    size_t count;
    if (!call_found(call, player_by_id(call->db, call->arena, &call->id[0], &player)) ||
        !call_found(call, opponent_list(call->db, call->arena, &player.id, GAMES_MOST,
                                        OPPONENTS_MOST, &opponents, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, opponent_document(&opponents[i]));
    call_answer_tagged(call,
                       json_pack("{s:i, s:o}", "games_most", (int)GAMES_MOST, "items", items));
}
