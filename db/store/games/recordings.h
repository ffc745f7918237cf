/* Games at real tables that scorers record. Their records are kept as those of other games are
 * (db/store/games/records.h): rows by `seq`, only ever appended, whose chain the database checks.
 */
#ifndef TILLROLL_DB_STORE_GAMES_RECORDINGS_H
#define TILLROLL_DB_STORE_GAMES_RECORDINGS_H

#include "db/store/games/records.h"

struct recording {
    struct id id, event;
    unsigned round, table;
    unsigned since; /* the line of the event's log that started the table, or had it replayed */
    struct id scorer;
    const char *scorer_name; /* filled when it is read */
    int64_t started_at_ms;   /* as the record says */
    int64_t created_at_ms;
    int64_t finished_at_ms; /* 0 = it is not finished */
    unsigned lines;         /* number of the last row; filled when it is read */
    unsigned whole;         /* while it runs, the number of the last row that its table sees */
    unsigned open;          /* the same for everybody else; at most `whole` */
};

/* Stores a recording with row 0 of its record, the header. DB_CONFLICT if there is one with this
 * id. */
enum db_status recording_add(struct db *db, const struct recording *recording,
                             const struct record_row *header);

/* Finds one, its texts in the arena. */
enum db_status recording_find(struct db *db, struct arena *arena, const struct id *id,
                              struct recording *recording);

/* Those of a table, oldest first, in the arena. */
enum db_status recording_list(struct db *db, struct arena *arena, const struct id *event,
                              unsigned round, unsigned table, struct recording **recordings,
                              size_t *count);

/* Those of a scorer, newest first: `limit` at most, in the arena. */
enum db_status recording_list_of_scorer(struct db *db, struct arena *arena, const struct id *scorer,
                                        size_t limit, struct recording **recordings, size_t *count);

/* The next `limit` of all after `after`, by id, in the arena. */
enum db_status recording_list_all(struct db *db, struct arena *arena, const struct id *after,
                                  size_t limit, struct recording **recordings, size_t *count);

/* What the event's log says that the last line of the record has, when its result was reported:
 * `head`. DB_NONE if no report names the recording. */
enum db_status recording_reported_head(struct db *db, const struct recording *recording,
                                       uint8_t head[static 32]);

/* Appends rows that continue the record. The caller keeps others from appending: the event is
 * locked. DB_ERROR if they do not continue it. */
enum db_status recording_append(struct db *db, const struct id *id, const struct record_row *rows,
                                size_t count);

/* Notes how many rows others than the scorer see from now on, and has all services tell those who
 * follow it. DB_NONE if the recording is finished, or there is none. */
enum db_status recording_show(struct db *db, const struct id *id, unsigned whole, unsigned open);

/* Notes that the record is finished; has services tell, too. DB_NONE if that has been noted. */
enum db_status recording_finish(struct db *db, const struct id *id, int64_t now_ms);

/* All rows in order, in the arena. */
enum db_status recording_read(struct db *db, struct arena *arena, const struct id *id,
                              struct record_row **rows, size_t *count);

#endif
