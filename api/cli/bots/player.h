/* A bot at a table, over REST: checks whether it has to decide, reads its view and legal moves,
 * chooses, and submits. */
#ifndef TILLROLL_API_CLI_BOTS_PLAYER_H
#define TILLROLL_API_CLI_BOTS_PLAYER_H

#include "api/cli/bots/policy.h"
#include "api/cli/client.h"
#include "api/cli/signer.h"

enum turn {
    TURN_PLAYED,  /* one ply was accepted */
    TURN_WAITING, /* others have to decide */
    TURN_OVER,    /* the game is finished */
    TURN_FAILED   /* with a message on standard error */
};

/* What there is to do for somebody who has no decision in the game of GET /v1/games/<id>:
 * TURN_WAITING or TURN_OVER; TURN_FAILED if `game` is NULL. */
enum turn player_look(const json_t *game);

/* Plays one ply in `game_id` if the client's player has to decide there, and signs it with `signer`
 * (NULL for nobody) if the game names its key. */
enum turn player_turn(struct client *client, const char *game_id, struct policy policy,
                      const struct signer *signer, struct chance_stream *stream);

/* The same at the position of `legal`, the answer of GET .../legal-moves, which lists moves.
 * `stream` is used by random play only, and may otherwise be NULL. */
enum turn player_decide(struct client *client, const char *game_id, const json_t *legal,
                        struct policy policy, const struct signer *signer,
                        struct chance_stream *stream);

/* Submits a move chosen at the position of `legal` (the answer of GET .../legal-moves), signed
 * likewise. If another request of this player was first, that is fine (TURN_WAITING): the next poll
 * shows it. */
enum turn player_submit(struct client *client, const char *game_id, const json_t *legal,
                        const struct signer *signer, struct span move);

/* Gives 32 random bytes to each game that waits for the player's entropy, signed with `signer`
 * (NULL: unsigned) if that is the player's key in use. `waiting` receives how many have not
 * started. False with a message on standard error. */
bool player_give_entropy(struct client *client, const struct signer *signer, size_t *waiting);

#endif
