/* Rows of records as they are stored, in the central database (db/store/games/records.h) and in
 * line databases (line_records.h) alike.
 */
#ifndef TILLROLL_DB_LINES_RECORD_ROWS_H
#define TILLROLL_DB_LINES_RECORD_ROWS_H

#include "db/link/db.h"

struct record_row {
    unsigned seq;
    struct span line; /* with its mark, without the last LF */
    uint8_t hash[32]; /* of the chain after this row */
};

/* Rows that continue one record. */
struct record_piece {
    const struct id *game;
    const struct record_row *rows;
    size_t count; /* at least 1 */
};

/* A part of a record: its rows from seq `from` on, without their hashes. */
struct record_part {
    const struct id *game;
    unsigned from;
    struct record_row *rows; /* filled in, with count */
    size_t count;
};

/* Reads the lines of a game with seq >= from that this database has (not its fences), in order,
 * into the arena. */
enum db_status record_rows_read(struct db *db, struct arena *arena, const struct id *game,
                                unsigned from, struct record_row **rows, size_t *count);

/* Reads the lines of `count` parts at once. */
enum db_status record_rows_read_parts(struct db *db, struct arena *arena, struct record_part *parts,
                                      size_t count);

#endif
