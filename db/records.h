/* The till rolls: lines of games' records, only ever appended.
 *
 *      seq 0        the header: all lines up to and including `start`, joined by LF
 *      seq 1, 2 ..  one line each: a ply, or a system line
 *
 * The key (game, seq) decides every race. The database recomputes each line's hash from the line
 * before and refuses a wrong one; the service's role cannot update or delete.
 */
#ifndef TILLROLL_DB_RECORDS_H
#define TILLROLL_DB_RECORDS_H

#include "db/db.h"

struct record_row {
    unsigned seq;
    struct span line; /* with its mark, without the last LF */
    uint8_t hash[32]; /* of the chain after this row */
};

/* Appends `count` rows (at least 1) with consecutive seq. DB_CONFLICT if any seq exists, DB_ERROR
 * if a row does not continue the chain; with both the transaction has failed. */
enum db_status record_append(struct db *db, const struct id *game, const struct record_row *rows,
                             size_t count);

/* Rows that continue one record. */
struct record_piece {
    const struct id *game;
    const struct record_row *rows;
    size_t count; /* at least 1 */
};

/* Appends pieces of different records in one statement that is a transaction of its own (see
 * statement_commit()). DB_OK: all rows are there. DB_CONFLICT: some rows existed already, and were
 * left alone; the others are there if `careful`, and otherwise none. To be careful costs a lookup
 * for each row. DB_ERROR: some piece does not continue its record, and nothing was written. */
enum db_status record_append_pieces(struct db *db, const struct record_piece *pieces, size_t count,
                                    bool careful);

/* The same, not carefully, in steps for a thread that must not wait (db/statement.h). `ready`
 * waits, and readies the connection for the others; false if it is no good. What is written on it
 * then is not told to the listener with this number (db/listener.h). */
bool record_pieces_ready(struct db *db, unsigned hearer);
bool record_pieces_send(struct db *db, const struct record_piece *pieces, size_t count);
bool record_pieces_arrived(struct db *db);
enum db_status record_pieces_receive(struct db *db);
int record_pieces_socket(const struct db *db);

/* Looks which pieces stand in their records as they are, to the last row: their hashes say it. In
 * an open transaction. */
enum db_status record_find_pieces(struct db *db, const struct record_piece *pieces, size_t count,
                                  bool *found);

/* Rows with seq > after (-1 = from the header), in order, in the arena. Those of an archived record
 * come from its file (db/archive.h): DB_ARCHIVE if that cannot be had. */
enum db_status record_read(struct db *db, struct arena *arena, const struct id *game, int after,
                           struct record_row **rows, size_t *count);

/* A part of a record: its rows from seq `from` on, without their hashes. */
struct record_part {
    const struct id *game;
    unsigned from;
    struct record_row *rows; /* these two are filled */
    size_t count;
};

/* Reads the stored rows of `count` parts at once, into the arena. Where a record is archived there
 * is a gap before its last row. */
enum db_status record_read_parts(struct db *db, struct arena *arena, struct record_part *parts,
                                 size_t count);

/* The rows as the record's text, each line ended by LF, in the arena. */
struct span record_join(struct arena *arena, const struct record_row *rows, size_t count);

#endif
