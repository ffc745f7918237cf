#include "api/cli/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/catalog.h"

static const struct game *ruleset_of(const json_t *game)
{
    const json_t *ruleset = json_object_get(game, "ruleset");
    const char *slug = json_string_value(json_object_get(ruleset, "slug"));
    const char *version = json_string_value(json_object_get(ruleset, "version"));
    const struct game *found =
        slug == NULL || version == NULL ? NULL : catalog_find(span_of(slug), span_of(version));
    if (found == NULL)
        fprintf(stderr, "tillroll: this program does not know the ruleset %s %s\n",
                slug == NULL ? "?" : slug, version == NULL ? "?" : version);
    return found;
}

/* The legal moves as a list. False if the server sent more than the rules can have. */
static bool fill_list(struct move_list *list, const json_t *moves)
{
    size_t i;
    json_t *move;
    json_array_foreach(moves, i, move)
    {
        if (list->count == list->count_max || json_string_length(move) > GAME_MOVE_MAX)
            return false;
        move_list_add(list, (struct span){json_string_value(move), json_string_length(move)});
    }
    return true;
}

/* Submits a move decided at `seq`. A ply that another request of this player made first is none of
 * our harm: the next look at the game shows it. */
static enum turn submit(struct client *client, const char *game_id, const json_t *seq,
                        struct span move)
{
    long status;
    json_t *body = json_pack("{s:[s%], s:O}", "moves", move.at, move.length, "seq", seq);
    json_t *answer = client_call(
        client, "POST", client_path(client, "/v1/games/", game_id, "/moves"), body, &status);
    const char *detail = json_string_value(json_object_get(answer, "detail"));
    enum turn turn = status == 200 ? TURN_PLAYED : TURN_WAITING;
    if (status != 200 && status != 409) {
        fprintf(stderr, "tillroll: %.*s: %ld %s\n", (int)move.length, move.at, status,
                detail == NULL ? "the server does not answer" : detail);
        turn = TURN_FAILED;
    }
    json_decref(answer);
    return turn;
}

static enum turn decide(struct client *client, const struct game *game, const char *game_id,
                        const json_t *legal, enum policy policy, struct chance_stream *stream)
{
    json_t *view =
        client_need(client, "GET", client_path(client, "/v1/games/", game_id, "/view"), NULL);
    struct move_list list;
    if (view == NULL || !move_list_init(&list, game)) {
        json_decref(view);
        return TURN_FAILED;
    }
    enum turn turn = TURN_FAILED;
    /* Both were read at the same position, or there is nothing to decide yet. */
    if (!json_equal(json_object_get(view, "seq"), json_object_get(legal, "seq"))) {
        turn = TURN_WAITING;
    } else if (fill_list(&list, json_object_get(legal, "moves"))) {
        size_t chosen = policy_choose(policy, game, json_object_get(view, "view"), &list, stream);
        turn = submit(client, game_id, json_object_get(legal, "seq"), move_list_get(&list, chosen));
    }
    move_list_free(&list);
    json_decref(view);
    return turn;
}

enum turn player_turn(struct client *client, const char *game_id, enum policy policy,
                      struct chance_stream *stream)
{
    json_t *legal = client_need(client, "GET",
                                client_path(client, "/v1/games/", game_id, "/legal-moves"), NULL);
    if (legal == NULL)
        return TURN_FAILED;
    enum turn turn = TURN_WAITING;
    json_t *game = NULL;
    if (json_array_size(json_object_get(legal, "moves")) == 0) {
        game = client_need(client, "GET", client_path(client, "/v1/games/", game_id, ""), NULL);
        const char *state = json_string_value(json_object_get(game, "state"));
        if (state == NULL)
            turn = TURN_FAILED;
        else if (strcmp(state, "finished") == 0)
            turn = TURN_OVER;
    } else {
        const struct game *ruleset = ruleset_of(legal);
        turn =
            ruleset == NULL ? TURN_FAILED : decide(client, ruleset, game_id, legal, policy, stream);
    }
    json_decref(game);
    json_decref(legal);
    return turn;
}
