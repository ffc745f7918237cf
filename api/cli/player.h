/* A bot at a table, over REST: looks whether it has to decide, reads its view and its legal moves,
 * chooses, and submits. */
#ifndef TILLROLL_API_CLI_PLAYER_H
#define TILLROLL_API_CLI_PLAYER_H

#include "api/cli/client.h"
#include "api/cli/policy.h"

enum turn {
    TURN_PLAYED,  /* one ply was accepted */
    TURN_WAITING, /* others have to decide */
    TURN_OVER,    /* the game is finished */
    TURN_FAILED   /* with a message on standard error */
};

/* Plays one ply in `game_id` if the client's player has to decide there. */
enum turn player_turn(struct client *client, const char *game_id, enum policy policy,
                      struct chance_stream *stream);

#endif
