/* Players' signatures of their moves and their entropy, beside the lines of records
 * (engine/signature.h). They only grow. */
#ifndef TILLROLL_DB_MOVE_SIGNATURES_H
#define TILLROLL_DB_MOVE_SIGNATURES_H

#include "db/db.h"
#include "engine/signature.h"

struct move_signature {
    bool of_entropy;
    unsigned seq; /* of the entry that is signed; the seat, of entropy */
    uint8_t bytes[SIGNATURE_BYTES];
};

/* Stores the signature of a seat's entropy, of a game that has its record. */
enum db_status entropy_signature_add(struct db *db, const struct id *game, unsigned seat,
                                     const uint8_t signature[static SIGNATURE_BYTES]);

/* Stores signatures of entries of one game, in the transaction that stores the entries or a later
 * one. DB_ERROR if there is no such entry. */
enum db_status move_signature_add(struct db *db, const struct id *game,
                                  const struct move_signature *signatures, size_t count);

/* All of a game, in the arena: those of entropy in the order of seats, then the others in that of
 * entries. */
enum db_status move_signature_list(struct db *db, struct arena *arena, const struct id *game,
                                   struct move_signature **signatures, size_t *count);

/* Appends its line in a text of signatures. */
void move_signature_print(const struct move_signature *signature, struct text *text);

/* A signature with its game. */
struct game_signature {
    struct id game;
    struct move_signature signature;
};

/* The same of games with after < id <= until ("" = before the first, and to the last), by game. */
enum db_status move_signature_range(struct db *db, struct arena *arena, const struct id *after,
                                    const struct id *until, struct game_signature **signatures,
                                    size_t *count);

#endif
