/* Moves that wait, sealed, for the others that are decided at the same time. They are stored
 * durably apart from the record and enter it together when the last is in.
 */
#ifndef TILLROLL_DB_SEALED_MOVES_H
#define TILLROLL_DB_SEALED_MOVES_H

#include "db/db.h"

struct sealed_move {
    unsigned seat;
    const uint8_t *sealed; /* sealed by the caller */
    size_t size;
    const uint8_t *signature; /* of the player, sealed likewise; NULL for none */
    size_t signature_size;
};

/* Stores the move of one seat for the decision that began when the game had `ply` plies. The caller
 * holds the game's lock (game_lock). DB_CONFLICT if the seat has decided already. */
enum db_status sealed_move_add(struct db *db, const struct id *game, unsigned ply,
                               const struct sealed_move *move, int64_t now_ms);

/* The moves stored for this decision so far, by seat. */
enum db_status sealed_move_list(struct db *db, struct arena *arena, const struct id *game,
                                unsigned ply, struct sealed_move **moves, size_t *count);

#endif
