/* A write to a running game's record, as the writer (db/writer/writer.h) takes it and gives it
 * back. */
#ifndef TILLROLL_DB_WRITER_WRITE_H
#define TILLROLL_DB_WRITER_WRITE_H

#include "db/store/games/records.h"

enum { WRITER_ROWS_MAX = 512 }; /* in one transaction; a single write may have more */

/* One request's rows, which continue one record. Owned by the caller until writer_add(), and again
 * from writer_take_done() on; the memory it points to must stay valid in between. */
struct write {
    struct write *next;
    const struct id *game;
    const struct record_row *rows; /* consecutive */
    size_t count;                  /* at least 1 */
    /* The outcome:
     *      DB_OK           these rows are in the record, and on disk
     *      DB_CONFLICT     they do not continue the record as it is now: nothing was written
     *      DB_UNAVAILABLE  the database cannot be reached: nothing was written
     *      DB_UNKNOWN      it may or may not have been written; a repeated request finds out */
    enum db_status status;
    /* The rows may be in the record, and other services are listening that have not been notified:
     * the caller calls listener_notify(). */
    bool unnotified;
};

#endif
