#include "api/cli/bots/player.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/bots/drop_box.h"
#include "api/cli/table.h"
#include "engine/game/catalog.h"

static const struct game *ruleset_of(const json_t *game)
{
    const json_t *ruleset = json_object_get(game, "ruleset");
    const char *slug = json_string_value(json_object_get(ruleset, "slug"));
    const char *version = json_string_value(json_object_get(ruleset, "version"));
    const struct game *found =
        slug == NULL || version == NULL ? NULL : catalog_find(span_of(slug), span_of(version));
    if (found == NULL)
        table_say(stderr, "tillroll: this program does not know the ruleset %s %s\n",
                  slug == NULL ? "?" : slug, version == NULL ? "?" : version);
    return found;
}

/* Returns the ruleset with the component set named in the response to GET .../sample. NULL with a
 * message. */
static const struct game *game_of(struct client *client, const json_t *sample)
{
    const struct game *ruleset = ruleset_of(sample);
    const char *components = json_string_value(json_object_get(sample, "components_sha256"));
    return ruleset == NULL || components == NULL ? NULL : client_game(client, ruleset, components);
}

/* Reads the legal moves into a list. False if the server sent more than the rules allow. */
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

/* Signs a move. True if it was signed, at `head`; false if the game, as `legal` shows, does not
 * name the signer's key for this seat. */
static bool sign(const struct signer *signer, const char *game_id, const json_t *legal,
                 struct span move, json_t *body, uint8_t head[static 32])
{
    uint8_t key[KEYRING_KEY];
    char hex[SIGNER_HEX];
    const char *key_hex = json_string_value(json_object_get(legal, "key"));
    const char *head_hex = json_string_value(json_object_get(legal, "head"));
    json_int_t seat = json_integer_value(json_object_get(legal, "seat"));
    if (key_hex == NULL || !span_hex(span_of(key_hex), key, sizeof key) || head_hex == NULL ||
        !span_hex(span_of(head_hex), head, 32) || memcmp(key, signer->public_key, sizeof key) != 0)
        return false;
    signer_sign_move(signer, game_id, head, (unsigned)seat, move, hex);
    json_object_set_new(body, "signature", json_string(hex));
    return true;
}

/* True if there was no response, or an error of the service: the service could then claim that the
 * signed move never arrived. */
static bool is_unanswered(long status)
{
    enum { FAULT = 500 };
    return status == 0 || status >= FAULT;
}

enum turn player_submit(struct client *client, const char *game_id, const json_t *legal,
                        const struct signer *signer, struct span move)
{
    long status;
    json_t *body = json_pack("{s:[s%], s:O}", "moves", move.at, move.length, "seq",
                             json_object_get(legal, "seq"));
    uint8_t head[32];
    bool is_signed = signer != NULL && sign(signer, game_id, legal, move, body, head);
    bool may_leave = is_signed && signer->box != NULL;
    if (may_leave)
        drop_box_see(signer->box, client, game_id, signer->public_key);
    json_t *answer = client_call(
        client, "POST", client_path(client, "/v1/games/", game_id, "/moves"), body, &status);
    const char *detail = json_string_value(json_object_get(answer, "detail"));
    enum turn turn = status == 200 ? TURN_PLAYED : TURN_WAITING;
    if (status == 0)
        client_print_away(client);
    else if (status != 200 && status != 409)
        table_say(stderr, "tillroll: %.*s: %ld %s\n", (int)move.length, move.at, status,
                  detail == NULL ? CLIENT_STRANGE : detail);
    if (may_leave && is_unanswered(status))
        drop_box_deposit_refused(signer->box, signer, game_id, head, move);
    if (status != 200 && status != 409)
        turn = TURN_FAILED;
    json_decref(answer);
    return turn;
}

/* ---- Deciding ---- */

/* Reads a position that the seat considers possible, from GET .../sample. False if it is not of
 * this game. */
static bool read_state(const struct game *game, const json_t *sample, void *state)
{
    size_t size = 0;
    const char *text = json_string_value(json_array_get(json_object_get(sample, "states"), 0));
    return json_integer_value(json_object_get(sample, "format")) == 1 && text != NULL &&
           span_base64(span_of(text), state, game->state_size, &size) && size == game->state_size;
}

/* Sets the luck of a decision: anybody can recompute a level's; random play takes it from the
 * stream. */
static bool read_luck(const json_t *legal, struct policy policy, struct chance_stream *stream,
                      struct chance *luck)
{
    uint8_t head[32];
    const char *hex = json_string_value(json_object_get(legal, "decided_at"));
    json_int_t seat = json_integer_value(json_object_get(legal, "seat"));
    if (policy.level != NULL) {
        if (hex == NULL || !span_hex(span_of(hex), head, sizeof head))
            return false;
        level_luck(luck, head, (unsigned)seat);
        return true;
    }
    *luck = policy_luck(stream);
    return true;
}

static size_t choose(const struct game *game, struct policy policy, const void *state,
                     unsigned seat, const struct chance *luck, const struct move_list *list)
{
    struct level_player *player = policy_player_new(game, policy);
    size_t chosen = policy_choose(player, state, seat, luck, list);
    level_player_free(player);
    return chosen;
}

/* Decides at the position of `legal` and `sample`, which were read at the same line of the record.
 */
static enum turn decide(struct client *client, const struct game *game, const char *game_id,
                        const json_t *legal, const json_t *sample, struct policy policy,
                        const struct signer *signer, struct chance_stream *stream)
{
    _Alignas(8) unsigned char state[GAME_STATE_MAX];
    struct chance luck;
    struct move_list list;
    if (!move_list_init(&list, game))
        return TURN_FAILED;
    enum turn turn = TURN_FAILED;
    json_int_t seat = json_integer_value(json_object_get(legal, "seat"));
    if (seat >= 0 && seat < game->seats_max && read_state(game, sample, state) &&
        read_luck(legal, policy, stream, &luck) &&
        fill_list(&list, json_object_get(legal, "moves"))) {
        size_t chosen = choose(game, policy, state, (unsigned)seat, &luck, &list);
        turn = player_submit(client, game_id, legal, signer, move_list_get(&list, chosen));
    } else {
        fprintf(stderr, "tillroll: %s: the server's position is not one that this program knows\n",
                game_id);
    }
    move_list_free(&list);
    return turn;
}

enum turn player_decide(struct client *client, const char *game_id, const json_t *legal,
                        struct policy policy, const struct signer *signer,
                        struct chance_stream *stream)
{
    enum turn turn = TURN_FAILED;
    json_t *sample =
        client_need(client, "GET", client_path(client, "/v1/games/", game_id, "/sample"), NULL);
    const struct game *game = sample == NULL ? NULL : game_of(client, sample);
    /* If the two differ, the position has changed: there is nothing to decide yet. */
    const bool same = json_equal(json_object_get(sample, "seq"), json_object_get(legal, "seq"));
    if (game != NULL)
        turn = same ? decide(client, game, game_id, legal, sample, policy, signer, stream)
                    : TURN_WAITING;
    json_decref(sample);
    return turn;
}

enum turn player_look(const json_t *game)
{
    const char *state = json_string_value(json_object_get(game, "state"));
    return state == NULL ? TURN_FAILED : strcmp(state, "finished") == 0 ? TURN_OVER : TURN_WAITING;
}

enum turn player_turn(struct client *client, const char *game_id, struct policy policy,
                      const struct signer *signer, struct chance_stream *stream)
{
    json_t *legal = client_need(client, "GET",
                                client_path(client, "/v1/games/", game_id, "/legal-moves"), NULL);
    if (legal == NULL)
        return TURN_FAILED;
    enum turn turn;
    json_t *game = NULL;
    if (json_array_size(json_object_get(legal, "moves")) == 0) {
        game = client_need(client, "GET", client_path(client, "/v1/games/", game_id, ""), NULL);
        turn = player_look(game);
    } else {
        turn = player_decide(client, game_id, legal, policy, signer, stream);
    }
    json_decref(game);
    json_decref(legal);
    return turn;
}

/* ---- Entropy ---- */

/* Reads the signed part of the record's header for the coming game. False if the document is not of
 * a waiting game. */
static bool read_waiting(const json_t *game, struct record_header *header)
{
    const char *id = json_string_value(json_object_get(game, "game"));
    const char *commitment = json_string_value(json_object_get(game, "commitment"));
    *header = (struct record_header){.seats = GAME_SEATS_MAX};
    if (id == NULL || !record_is_id(span_of(id)) || commitment == NULL ||
        !span_hex(span_of(commitment), header->commitment, sizeof header->commitment))
        return false;
    memcpy(header->game_id, id, sizeof header->game_id);
    return true;
}

/* Returns the seat of a player that has not given entropy; -1 for none. */
static int seat_to_give(const json_t *game, const char *player)
{
    size_t i;
    json_t *seat;
    json_array_foreach(json_object_get(game, "seats"), i, seat)
    {
        const char *id = json_string_value(json_object_get(json_object_get(seat, "player"), "id"));
        if (id != NULL && strcmp(id, player) == 0 && i < GAME_SEATS_MAX &&
            !json_is_true(json_object_get(seat, "given")))
            return (int)i;
    }
    return -1;
}

static long send_entropy(struct client *client, const struct record_header *header, unsigned seat,
                         const struct signer *signer)
{
    char commitment[65], entropy[2 * RECORD_ENTROPY_MAX + 1], signature[SIGNER_HEX];
    struct text first = TEXT_OVER(commitment), second = TEXT_OVER(entropy);
    long status;
    text_add_hex(&first, header->commitment, sizeof header->commitment);
    text_add_hex(&second, header->seat[seat].entropy, header->seat[seat].entropy_size);
    json_t *body = json_pack("{s:s, s:s}", "commitment", commitment, "entropy", entropy);
    if (signer != NULL) {
        signer_sign_entropy(signer, header, seat, signature);
        json_object_set_new(body, "signature", json_string(signature));
    }
    json_decref(client_call(client, "PUT",
                            client_path(client, "/v1/games/", header->game_id, "/entropy"), body,
                            &status));
    return status;
}

/* Gives entropy. If the key is not in use, the entropy is given unsigned. */
static bool give_entropy(struct client *client, const json_t *game, unsigned seat,
                         const struct signer *signer)
{
    enum { REFUSED_SIGNATURE = 422, CONFLICT = 409 };
    struct record_header header;
    if (!read_waiting(game, &header))
        return false;
    header.seat[seat].entropy_size = RECORD_ENTROPY_MAX;
    randombytes_buf(header.seat[seat].entropy, RECORD_ENTROPY_MAX);
    long status = send_entropy(client, &header, seat, signer);
    if (status == REFUSED_SIGNATURE && signer != NULL)
        status = send_entropy(client, &header, seat, NULL);
    if (status != 200 && status != CONFLICT)
        fprintf(stderr, "tillroll: entropy for %s: the server answered %ld\n", header.game_id,
                status);
    return status == 200 || status == CONFLICT;
}

bool player_give_entropy(struct client *client, const struct signer *signer, size_t *waiting)
{
    json_t *me = client_need(client, "GET", "/v1/me", NULL);
    const char *player = json_string_value(json_object_get(me, "id"));
    json_t *page = player == NULL ? NULL : client_need(client, "GET", "/v1/me/waiting", NULL);
    size_t i;
    json_t *game;
    bool good = page != NULL;
    *waiting = json_array_size(json_object_get(page, "items"));
    json_array_foreach(json_object_get(page, "items"), i, game)
    {
        int seat = player == NULL ? -1 : seat_to_give(game, player);
        good = good && (seat < 0 || give_entropy(client, game, (unsigned)seat, signer));
    }
    json_decref(page);
    json_decref(me);
    return good;
}
