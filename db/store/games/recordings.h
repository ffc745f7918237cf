/* Recordings: games at real tables, recorded by scorers. Their records are stored like those of
 * other games (db/store/games/records.h): rows by `seq`, append-only, with a chain that the
 * database checks. */
#ifndef TILLROLL_DB_STORE_GAMES_RECORDINGS_H
#define TILLROLL_DB_STORE_GAMES_RECORDINGS_H

#include "db/store/games/records.h"

struct recording {
    struct id id, event;
    unsigned round, table;
    unsigned since; /* the line of the event's log that started the table or had it replayed */
    struct id scorer;
    const char *scorer_name; /* filled in on reading */
    int64_t started_at_ms;   /* according to the record */
    int64_t created_at_ms;
    int64_t finished_at_ms; /* 0 = it is not finished */
    unsigned lines;         /* number of the last row; filled in on reading */
    unsigned whole;         /* of a running one: the number of the last row shown to its table */
    unsigned open;          /* likewise, the last row shown to all others; at most `whole` */
};

/* Stores a recording with row 0 of its record, the header. DB_CONFLICT if there is one with this
 * id. */
enum db_status recording_add(struct db *db, const struct recording *recording,
                             const struct record_row *header);

/* Finds a recording by its id, its texts in the arena. DB_NONE. */
enum db_status recording_find(struct db *db, struct arena *arena, const struct id *id,
                              struct recording *recording);

/* Lists the recordings of a table, oldest first, in the arena. */
enum db_status recording_list(struct db *db, struct arena *arena, const struct id *event,
                              unsigned round, unsigned table, struct recording **recordings,
                              size_t *count);

/* Lists the recordings of a scorer, newest first, at most `limit`, in the arena. */
enum db_status recording_list_of_scorer(struct db *db, struct arena *arena, const struct id *scorer,
                                        size_t limit, struct recording **recordings, size_t *count);

/* Lists the next `limit` recordings after `after`, by id, in the arena. */
enum db_status recording_list_all(struct db *db, struct arena *arena, const struct id *after,
                                  size_t limit, struct recording **recordings, size_t *count);

/* Reads from the event's log the hash of the record's last line when its result was reported.
 * DB_NONE if no report names the recording. */
enum db_status recording_reported_head(struct db *db, const struct recording *recording,
                                       uint8_t head[static 32]);

/* Appends rows that continue the record. The caller holds the event's lock, so that no other
 * transaction appends. DB_ERROR if they do not continue it. */
enum db_status recording_append(struct db *db, const struct id *id, const struct record_row *rows,
                                size_t count);

/* Sets the numbers of the last rows shown to the table (`whole`) and to all others (`open`), and
 * notifies all services, which notify the followers. DB_NONE if the recording is finished, or there
 * is none. */
enum db_status recording_show(struct db *db, const struct id *id, unsigned whole, unsigned open);

/* Stores that the record is finished, and notifies all services. DB_NONE if that is stored already.
 */
enum db_status recording_finish(struct db *db, const struct id *id, int64_t now_ms);

/* Reads all rows in order, in the arena. */
enum db_status recording_read(struct db *db, struct arena *arena, const struct id *id,
                              struct record_row **rows, size_t *count);

#endif
