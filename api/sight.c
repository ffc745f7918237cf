#include "api/sight.h"

#include "api/documents.h"

struct viewer sight_viewer(const struct call *call, const struct game_row *game)
{
    for (unsigned seat = 0; call->signed_in && seat < game->seats; seat++)
        if (id_equal(&game->seat[seat].player, &call->player.id))
            return (struct viewer){VIEWER_SEAT, seat};
    return (struct viewer){VIEWER_SPECTATOR, 0};
}

/* From those who do not play in it. */
static bool is_hidden_from_others(const struct game_row *game)
{
    return game->board > 0 && !game->scored;
}

bool sight_is_hidden(const struct call *call, const struct game_row *game)
{
    return is_hidden_from_others(game) && sight_viewer(call, game).kind != VIEWER_SEAT;
}

bool sight_find_game(struct call *call, const struct id *id, struct game_row *game)
{
    enum db_status status = game_find(call->db, call->arena, id, game);
    if (status == DB_OK && sight_is_hidden(call, game))
        status = DB_NONE;
    return call_found(call, status);
}

/* What is left of a hidden game. When it finished, and for whom the quiet move plays, would tell
 * something of how it goes. */
static struct game_row hide(const struct game_row *game)
{
    struct game_row hidden = *game;
    hidden.finished_at_ms = 0;
    for (unsigned seat = 0; seat < hidden.seats; seat++)
        hidden.seat[seat].fallback = false;
    return hidden;
}

static json_t *list_document(const struct game_row *game, bool hidden)
{
    struct game_row shown = hidden ? hide(game) : *game;
    json_t *document = game_document(&shown);
    json_object_set_new(document, "hidden", json_boolean(hidden));
    return document;
}

json_t *sight_game_document(const struct call *call, const struct game_row *game)
{
    return list_document(game, sight_is_hidden(call, game));
}

json_t *sight_open_document(const struct game_row *game)
{
    return list_document(game, is_hidden_from_others(game));
}
