#include "api/people/followed_games.h"

#include <string.h>

#include "api/people/handlers.h"
#include "api/request/documents.h"
#include "api/request/visibility.h"
#include "db/store/games/followed_games.h"
#include "db/store/people/players.h"

void me_followed_games(struct call *call)
{
    struct list_range range;
    struct game_row *games;
    size_t count;
    if (!call_list_range(call, NULL, &range) ||
        !call_found(call, followed_game_list(call->db, call->arena, &call->player.id, &range.after,
                                             range.limit, &games, &count)))
        return;
    call_answer_tagged(call,
                       list_with_next(visibility_game_documents(call, games, count),
                                      count == range.limit ? games[count - 1].id.text : NULL));
}

/* The account's lock keeps the list valid until commit. */
static bool add(struct call *call, const struct id *game)
{
    struct id *ids;
    size_t count;
    if (!call_found(call, player_lock(call->db, &call->player.id)) ||
        !call_found(call, followed_game_ids(call->db, call->arena, &call->player.id,
                                            FOLLOWED_GAMES_MAX, &ids, &count)))
        return false;
    for (size_t i = 0; i < count; i++)
        if (strcmp(ids[i].text, game->text) == 0)
            return true;
    if (count == FOLLOWED_GAMES_MAX)
        return call_problem(call, "too-many-followed",
                            "You follow 50 games, the maximum; stop following one first.");
    return call_found(call, followed_game_add(call->db, &call->player.id, game));
}

void me_follow_game(struct call *call)
{
    struct game_row game;
    if (visibility_find_game(call, &call->id[0], &game) && add(call, &game.id))
        call->response->status = 204;
}

void me_unfollow_game(struct call *call)
{
    struct game_row game;
    if (visibility_find_game(call, &call->id[0], &game) &&
        call_found(call, followed_game_remove(call->db, &call->player.id, &game.id)))
        call->response->status = 204;
}
