/* A bot at a table, over REST: checks whether it has to decide, reads its view and legal moves,
 * chooses, and submits. */
#ifndef TILLROLL_API_CLI_BOTS_PLAYER_H
#define TILLROLL_API_CLI_BOTS_PLAYER_H

#include "api/cli/bots/policy.h"
#include "api/cli/client.h"
#include "api/cli/signer.h"

enum turn {
    TURN_PLAYED,  /* one ply was accepted */
    TURN_WAITING, /* other players have to decide */
    TURN_OVER,    /* the game is finished */
    TURN_FAILED   /* with a message on standard error */
};

/* Returns the state of the game document of GET /v1/games/<id> for a player without a decision in
 * it: TURN_WAITING or TURN_OVER; TURN_FAILED if `game` is NULL. */
enum turn player_look(const json_t *game);

/* Plays one ply in `game_id` if the client's player has to decide there, and signs it with `signer`
 * (NULL: unsigned) if the game names the signer's key. */
enum turn player_turn(struct client *client, const char *game_id, struct policy policy,
                      const struct signer *signer, struct chance_stream *stream);

/* Plays one ply like player_turn(), at the position of `legal`, the response to GET
 * .../legal-moves, which lists moves. `stream` is used only for random play, and may otherwise be
 * NULL. */
enum turn player_decide(struct client *client, const char *game_id, const json_t *legal,
                        struct policy policy, const struct signer *signer,
                        struct chance_stream *stream);

/* Submits a move chosen at the position of `legal` (the response to GET .../legal-moves), signed
 * like player_turn(). If another request of this player came first, the result is TURN_WAITING, and
 * the next poll shows the new position. */
enum turn player_submit(struct client *client, const char *game_id, const json_t *legal,
                        const struct signer *signer, struct span move);

/* Gives 32 random bytes to each game that waits for the player's entropy, signed with `signer`
 * (NULL: unsigned) if that is the player's current key. `waiting` is set to the number of games
 * that have not started. False with a message on standard error. */
bool player_give_entropy(struct client *client, const struct signer *signer, size_t *waiting);

#endif
