/* Records of finished games in files, outside of the database, to which they belong all the same:
 *
 *      <directory>/<last three hex digits of the id>/<id>.roll
 *
 * A file is the record's text as GET /v1/games/{id}/record gives it, so it can be proved by itself
 * (`tillroll verify`). The database keeps its SHA-256 and the record's last line, and gives the
 * other lines up only for that hash (db/migrations/0026_archive.sql). record_read() reads the file
 * in their place: a file that is missing, or is another, is DB_ARCHIVE and never an answer.
 */
#ifndef TILLROLL_DB_STORE_GAMES_ARCHIVE_H
#define TILLROLL_DB_STORE_GAMES_ARCHIVE_H

#include "db/store/games/records.h"

/* Where the files are, for this whole process: called once, before its threads begin. `directory`
 * is borrowed for as long as the process runs; NULL, as without a call, is nowhere. */
void archive_use(const char *directory);

/* The rows of an archived record, all of them, in the arena: those of its file, where the `stored`
 * ones, which the database still has, stand in their places, so that what was changed there shows.
 * DB_NONE if it is not archived, DB_ARCHIVE (logged) if its file cannot be read or is not what was
 * archived. */
enum db_status archive_read(struct db *db, struct arena *arena, const struct id *game,
                            const struct record_row *stored, size_t stored_count,
                            struct record_row **rows, size_t *count);

/* How many records are archived; in an open transaction. */
enum db_status archive_count(struct db *db, uint64_t *count);

/* Of the next `limit` games after `after` ("" = from the first): those whose records may be
 * archived, in the arena. They are finished, and so is their event, before `before_ms` (since
 * 1970). `last` is the last that was looked at; DB_NONE if there was none. */
enum db_status archive_candidates(struct db *db, struct arena *arena, const struct id *after,
                                  size_t limit, int64_t before_ms, struct id **games, size_t *count,
                                  struct id *last);

/* Writes a record's text into `directory`, on disk when it returns, and reads it again. Whoever
 * reads meanwhile sees all of the file or none. False with a sentence in `error`. Any thread. */
bool archive_store(const char *directory, const struct id *game, struct span text,
                   struct text *error);

/* Marks the record of a finished game, `count` rows whose joined text is `text`, as archived, and
 * has its lines but the last leave the database. For the owner of the tables only. DB_ERROR, and
 * the transaction has failed, if the text is not the record's; DB_CONFLICT if it is archived. */
enum db_status archive_mark(struct db *db, const struct id *game, size_t count, struct span text);

#endif
