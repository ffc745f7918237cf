#include "api/request/visibility.h"

#include <assert.h>
#include <string.h>

#include "api/request/documents.h"
#include "db/link/db.h"

/* After questions about several games, each signed-in caller is answered separately. */
static void note_question(struct call_visibility *sight, const struct game_row *game)
{
    struct audience *audience = &sight->audience;
    bool first = sight->game.text[0] == '\0';
    if (!first && !id_equal(&sight->game, &game->id))
        audience->anonymous_only = true;
    if (!first)
        return;
    static_assert((int)GAME_ROW_SEATS <= (int)AUDIENCE_EXCLUDED, "all players fit");
    sight->game = game->id;
    audience->excluded_count = game->seats;
    for (unsigned seat = 0; seat < game->seats; seat++)
        audience->excluded[seat] = game->seat[seat].player;
}

static unsigned find_seat(const struct call *call, const struct game_row *game)
{
    unsigned seat = 0;
    while (seat < game->seats && !id_equal(&game->seat[seat].player, &call->player.id))
        seat++;
    return seat;
}

struct viewer visibility_viewer(struct call *call, const struct game_row *game)
{
    unsigned seat = call->signed_in ? find_seat(call, game) : game->seats;
    note_question(&call->sight, game);
    if (seat == game->seats)
        return (struct viewer){VIEWER_SPECTATOR, 0};
    call->sight.own = true;
    return (struct viewer){VIEWER_SEAT, seat};
}

bool visibility_is_hidden_from_others(const struct game_row *game)
{
    return game->board > 0 && !game->scored;
}

bool visibility_is_open(const struct game_row *game)
{
    return game->finished && !visibility_is_hidden_from_others(game);
}

bool visibility_own_seat(const struct call *call, const struct replay *replay, unsigned *seat)
{
    const struct record_header *header = &replay->header;
    for (*seat = 0; *seat < header->seats; ++*seat)
        if (strcmp(header->seat[*seat].player, call->player.id.text) == 0)
            return true;
    return false;
}

/* True if the game is shown late. */
static bool is_shown_late(const struct game_row *game)
{
    return game->delay_entries > 0 && !game->finished;
}

unsigned visibility_open_row(const struct game_row *game, unsigned last)
{
    unsigned late = is_shown_late(game) ? game->delay_entries : 0;
    return last > late ? last - late : 0;
}

unsigned visibility_last_row(struct call *call, const struct game_row *game, unsigned last)
{
    bool all = !is_shown_late(game) || visibility_viewer(call, game).kind == VIEWER_SEAT;
    return all ? last : visibility_open_row(game, last);
}

bool visibility_is_hidden(struct call *call, const struct game_row *game)
{
    return visibility_is_hidden_from_others(game) &&
           visibility_viewer(call, game).kind != VIEWER_SEAT;
}

bool visibility_find_any_game(struct call *call, const struct id *id, struct game_row *game)
{
    enum db_status status = game_find(call->db, call->arena, id, game);
    if (status == DB_OK)
        call->sight.event = game->event;
    return call_found(call, status);
}

bool visibility_find_game(struct call *call, const struct id *id, struct game_row *game)
{
    return visibility_find_any_game(call, id, game) &&
           (!visibility_is_hidden(call, game) || call_found(call, DB_NONE));
}

/* Removes what lists must not show of a hidden game, or of one that is shown late. The time of its
 * end, and the seats for which the fallback move is played, would reveal something of its
 * course. */
static struct game_row hide(const struct game_row *game)
{
    struct game_row hidden = *game;
    hidden.finished_at_ms = 0;
    for (unsigned seat = 0; seat < hidden.seats; seat++) {
        hidden.seat[seat].fallback = false;
        hidden.seat[seat].forfeited = false;
        hidden.seat[seat].timed_out = false;
    }
    return hidden;
}

static json_t *list_document(const struct game_row *game, bool hidden, bool late)
{
    struct game_row shown = hidden || late ? hide(game) : *game;
    json_t *document = game_document(&shown);
    json_object_set_new(document, "hidden", json_boolean(hidden));
    return document;
}

json_t *visibility_game_document(struct call *call, const struct game_row *game)
{
    bool late = is_shown_late(game) && visibility_viewer(call, game).kind != VIEWER_SEAT;
    return list_document(game, visibility_is_hidden(call, game), late);
}

json_t *visibility_game_documents(struct call *call, const struct game_row *games, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, visibility_game_document(call, &games[i]));
    return list;
}

json_t *visibility_open_document(const struct game_row *game)
{
    return list_document(game, visibility_is_hidden_from_others(game), is_shown_late(game));
}
