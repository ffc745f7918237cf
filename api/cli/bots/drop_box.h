/* The drop boxes of witnesses, from a player's side: where a signed move is left that a service
 * does not take (engine/log/deposit.h).
 */
#ifndef TILLROLL_API_CLI_BOTS_DROP_BOX_H
#define TILLROLL_API_CLI_BOTS_DROP_BOX_H

#include <stdio.h>

#include "api/cli/cli.h"
#include "api/cli/client.h"
#include "api/cli/signer.h"
#include "engine/log/deposit.h"

/* What of a deposit follows from the game and the seat's key: everything but head, move and
 * signature; the origin is the caller's. `path` names the record in messages, `sets` are component
 * sets that do not come with the program. False with a message if it is no record of a running game
 * in which the key has a seat. */
bool drop_box_read_record(const char *path, struct span record, const struct component_sets *sets,
                          const uint8_t key[static 32], struct deposit *deposit,
                          uint8_t head[static 32]);

/* Signs the move at the deposit's head. False with a message if it has no form of a deposit. */
bool drop_box_sign(const struct signer *signer, const char *move, struct deposit *deposit);

/* Leaves it with each --witness. Writes it, and the receipts of those that have taken it, to `out`,
 * a file for `verify --deposit`. True if all have; otherwise with messages. */
bool drop_box_leave(const struct cli_given *given, const struct deposit *deposit, FILE *out);

/* ---- For a program that plays ---- */

struct drop_box {
    const struct cli_given *given; /* with --witness */
    struct deposit deposit;        /* of the game that was last seen; its game "" for none */
};

/* Asks the service for the name of its log. False with a message. */
bool drop_box_open(struct drop_box *box, struct client *client, const struct cli_given *given);

/* Reads what a deposit says of this game, while the service still answers. */
void drop_box_see(struct drop_box *box, struct client *client, const char *game_id,
                  const uint8_t key[static 32]);

/* Leaves a move that the service does not take, if the game was seen, and says so on standard
 * error: in a new file, left-<game>-<16 digits of its hash>.txt in the present directory. */
void drop_box_take(const struct drop_box *box, const struct signer *signer, const char *game_id,
                   const uint8_t head[static 32], struct span move);

#endif
