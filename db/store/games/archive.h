/* Records of finished games in files. The files are outside the database, but part of its data:
 *
 *      <directory>/<last three hex digits of the id>/<id>.roll
 *
 * A file is the record's text as returned by GET /v1/games/{id}/record, so it can be proved by
 * itself (`tillroll verify`). The database keeps its SHA-256 and the record's last line, and lets
 * the other lines be deleted only after comparing that hash with theirs
 * (db/migrations/0026_archive.sql). record_read() reads the file in their place: a missing or
 * different file yields DB_ARCHIVE, never a wrong record. */
#ifndef TILLROLL_DB_STORE_GAMES_ARCHIVE_H
#define TILLROLL_DB_STORE_GAMES_ARCHIVE_H

#include "db/lines/record_rows.h"
#include "db/link/db.h"

/* Sets the directory of the files for this process; to be called once, before its threads start.
 * `directory` is borrowed for as long as the process runs; with NULL, or without a call, there is
 * none. */
void archive_use(const char *directory);

/* Reads all rows of an archived record, in the arena: those of its file, with the `stored` ones,
 * which the database still has, in their places, so that a change to them is noticed. DB_NONE if
 * the record is not archived, DB_ARCHIVE (logged) if its file cannot be read or is not the one that
 * was archived. */
enum db_status archive_read(struct db *db, struct arena *arena, const struct id *game,
                            const struct record_row *stored, size_t stored_count,
                            struct record_row **rows, size_t *count);

/* Counts the archived records, in an open transaction. */
enum db_status archive_count(struct db *db, uint64_t *count);

/* Lists those of the next `limit` games after `after` ("" = from the first) whose records may be
 * archived, in the arena: the game and its event were finished before `before_ms` (since 1970).
 * `last` is the last game examined; DB_NONE if there was none. */
enum db_status archive_candidates(struct db *db, struct arena *arena, const struct id *after,
                                  size_t limit, int64_t before_ms, struct id **games, size_t *count,
                                  struct id *last);

/* Writes a record's text into a file below `directory`, syncs it to disk, and reads it again.
 * Readers see the whole file or none. False with a sentence in `error`. Any thread. */
bool archive_store(const char *directory, const struct id *game, struct span text,
                   struct text *error);

/* Marks the record of a finished game, `count` rows whose joined text is `text`, as archived, and
 * deletes its lines but the last from the database. Only for the owner of the tables. DB_ERROR, and
 * the transaction has failed, if the text is not the record's; DB_CONFLICT if the record is
 * archived already. */
enum db_status archive_mark(struct db *db, const struct id *game, size_t count, struct span text);

#endif
