#include "db/lines/line_records.h"

#include "db/lines/line_databases.h"
#include "db/link/connection.h"
#include "db/link/statement.h"

/* Counts the rows that continue the record without a gap. A fence may follow the last of them, and
 * after it lines that continue a central line which the caller does not see yet. */
static size_t count_following(const struct record_row *rows, size_t count, unsigned from)
{
    size_t following = 0;
    while (following < count && rows[following].seq == from + following)
        following++;
    return following;
}

static enum db_status begin_reading(struct db *lines, const struct db *db)
{
    enum db_status status = lines == NULL ? DB_UNAVAILABLE : db_begin(lines, true);
    if (status == DB_OK && db->is_durable)
        db_require_durable(lines);
    return status;
}

static enum db_status end_reading(size_t place, struct db *lines, enum db_status status)
{
    if (status == DB_OK)
        status = db_commit(lines);
    if (status == DB_UNKNOWN)
        status = DB_UNAVAILABLE;
    line_database_give(place, lines, status);
    return status;
}

enum db_status line_records_read(const struct db *db, struct arena *arena, const struct id *game,
                                 unsigned from, struct record_row **rows, size_t *count)
{
    size_t place = line_database_of(game);
    struct db *lines = line_database_take(place);
    enum db_status status = begin_reading(lines, db);
    *count = 0;
    if (status == DB_OK)
        status = record_rows_read(lines, arena, game, from, rows, count);
    status = end_reading(place, lines, status);
    if (status == DB_OK && *count > 0)
        line_database_note_begun(game);
    *count = status == DB_OK ? count_following(*rows, *count, from) : 0;
    return status;
}

enum db_status line_records_read_parts(const struct db *db, struct arena *arena, size_t place,
                                       struct record_part *parts, size_t count)
{
    struct db *lines = line_database_take(place);
    enum db_status status = begin_reading(lines, db);
    if (status == DB_OK)
        status = record_rows_read_parts(lines, arena, parts, count);
    status = end_reading(place, lines, status);
    for (size_t i = 0; i < count && status == DB_OK; i++) {
        if (parts[i].count > 0)
            line_database_note_begun(parts[i].game);
        parts[i].count = count_following(parts[i].rows, parts[i].count, parts[i].from);
    }
    return status;
}

/* A fence may replace another fence, but not a line. */
static const struct statement fence = {
    "elsewhere_fence", "INSERT INTO tillroll.record_line (game_id, seq, hash)"
                       " SELECT $1, seq, hash FROM unnest($2::integer[], $3::bytea[])"
                       "  AS given (seq, hash)"
                       " ON CONFLICT (game_id, seq) DO UPDATE SET hash = EXCLUDED.hash"
                       "  WHERE record_line.line IS NULL"};

static enum db_status put_fence(struct db *lines, const struct id *game,
                                const struct record_row *rows, size_t count)
{
    struct arena arena = {NULL};
    size_t changed;
    int32_t *seqs = arena_array(&arena, count, sizeof *seqs);
    struct span *hashes = arena_array(&arena, count, sizeof *hashes);
    for (size_t i = 0; i < count; i++) {
        seqs[i] = (int32_t)rows[i].seq;
        hashes[i] = (struct span){(const char *)rows[i].hash, sizeof rows[i].hash};
    }
    enum db_status status = statement_commit(
        lines, &fence, WITH(ID(game), INTEGERS(seqs, count), BYTE_STRINGS(hashes, count)),
        &changed);
    arena_free(&arena);
    if (status == DB_OK)
        line_database_note_begun(game);
    return status == DB_OK && changed < count ? DB_CONFLICT : status;
}

enum db_status line_records_fence(const struct id *game, const struct record_row *rows,
                                  size_t count)
{
    size_t place = line_database_of(game);
    struct db *lines = line_database_take(place);
    enum db_status status = lines == NULL ? DB_UNAVAILABLE : put_fence(lines, game, rows, count);
    /* A connection that broke while it was idle fails here; writing the same fence twice does no
     * harm. */
    if (status == DB_UNKNOWN && !lines->silent)
        status = put_fence(lines, game, rows, count);
    if (status == DB_UNKNOWN)
        status = DB_UNAVAILABLE;
    line_database_give(place, lines, status);
    return status;
}
