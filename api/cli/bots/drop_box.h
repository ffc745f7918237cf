/* The drop boxes of witnesses, from a player's side: places to deposit a signed move that a service
 * does not accept (engine/log/deposit.h). */
#ifndef TILLROLL_API_CLI_BOTS_DROP_BOX_H
#define TILLROLL_API_CLI_BOTS_DROP_BOX_H

#include <stdio.h>

#include "api/cli/cli.h"
#include "api/cli/client.h"
#include "api/cli/signer.h"
#include "engine/log/deposit.h"

/* Reads from the game's record the parts of a deposit that do not depend on head, move and
 * signature; the caller sets the origin. `path` names the record in messages; `sets` are component
 * sets that are not part of the program. False with a message unless it is the record of a running
 * game in which the key has a seat. */
bool drop_box_read_record(const char *path, struct span record, const struct component_sets *sets,
                          const uint8_t key[static 32], struct deposit *deposit,
                          uint8_t head[static 32]);

/* Signs the move at the deposit's head. False with a message if it cannot be written as a deposit.
 */
bool drop_box_sign(const struct signer *signer, const char *move, struct deposit *deposit);

/* Deposits the move with each --witness. Writes the deposit, and the receipts of the witnesses that
 * accepted it, to `out`, a file for `verify --deposit`. True if all accepted; otherwise with
 * messages. */
bool drop_box_deposit(const struct cli_given *given, const struct deposit *deposit, FILE *out);

/* ---- For playing programs ---- */

struct drop_box {
    const struct cli_given *given; /* with --witness */
    struct deposit deposit;        /* of the last game seen; its game is "" for none */
};

/* Asks the service for the name of its log. False with a message. */
bool drop_box_open(struct drop_box *box, struct client *client, const struct cli_given *given);

/* Reads the parts of a deposit for this game, while the service still answers. */
void drop_box_see(struct drop_box *box, struct client *client, const char *game_id,
                  const uint8_t key[static 32]);

/* Deposits a move that the service does not accept, if the game was seen, and reports it on
 * standard error. The deposit is written to a new file, left-<game>-<16 digits of its hash>.txt in
 * the current directory. */
void drop_box_deposit_refused(const struct drop_box *box, const struct signer *signer,
                              const char *game_id, const uint8_t head[static 32], struct span move);

#endif
