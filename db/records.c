/* Appending to records, and reading them. */
#include "db/records.h"

#include <assert.h>

#include "db/archive.h"
#include "db/statement.h"

static void split(const struct record_row *rows, size_t count, struct span *lines,
                  struct span *hashes)
{
    for (size_t i = 0; i < count; i++) {
        assert(rows[i].seq == rows[0].seq + i);
        lines[i] = rows[i].line;
        hashes[i] = (struct span){(const char *)rows[i].hash, sizeof rows[i].hash};
    }
}

/* In the order of the arrays, so that writers in other processes that take the same rows in the
 * same order cannot lock each other out. */
#define APPEND_PIECES                                                                              \
    "INSERT INTO tillroll.record_line (game_id, seq, line, hash)"                                  \
    " SELECT * FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::bytea[])"

static const struct statement append_pieces = {"record_append_pieces", APPEND_PIECES};
static const struct statement append_new_pieces = {"record_append_new_pieces",
                                                   APPEND_PIECES " ON CONFLICT DO NOTHING"};

/* The parameters of both, with their bytes in `arena`. Returns the number of rows. */
static size_t fill_pieces(struct parameters *p, struct arena *arena,
                          const struct record_piece *pieces, size_t count)
{
    size_t rows = 0;
    for (size_t i = 0; i < count; i++)
        rows += pieces[i].count;
    struct id *games = arena_array(arena, rows, sizeof *games);
    int32_t *seqs = arena_array(arena, rows, sizeof *seqs);
    struct span *lines = arena_array(arena, rows, sizeof *lines);
    struct span *hashes = arena_array(arena, rows, sizeof *hashes);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        split(pieces[i].rows, pieces[i].count, lines + at, hashes + at);
        for (size_t row = 0; row < pieces[i].count; row++, at++) {
            games[at] = *pieces[i].game;
            seqs[at] = (int32_t)pieces[i].rows[row].seq;
        }
    }
    parameter_array_id(p, arena, games, rows);
    parameter_array_integer(p, arena, seqs, rows);
    parameter_array_text(p, arena, lines, rows);
    parameter_array_bytes(p, arena, hashes, rows);
    return rows;
}

enum db_status record_append(struct db *db, const struct id *game, const struct record_row *rows,
                             size_t count)
{
    assert(count >= 1);
    struct arena arena = {NULL};
    struct parameters p = {0};
    const struct record_piece piece = {game, rows, count};
    fill_pieces(&p, &arena, &piece, 1);
    enum db_status status = statement_change(db, &append_pieces, &p, DB_ERROR);
    arena_free(&arena);
    return status;
}

enum db_status record_append_pieces(struct db *db, const struct record_piece *pieces, size_t count,
                                    bool careful)
{
    struct arena arena = {NULL};
    struct parameters p = {0};
    size_t written;
    size_t rows = fill_pieces(&p, &arena, pieces, count);
    enum db_status status =
        statement_commit(db, careful ? &append_new_pieces : &append_pieces, &p, &written);
    arena_free(&arena);
    return status == DB_OK && written < rows ? DB_CONFLICT : status;
}

static const struct statement say_hearer = {
    "record_say_hearer", "SELECT pg_catalog.set_config('tillroll.hearer', $1, false)"};

bool record_pieces_ready(struct db *db, unsigned hearer)
{
    struct parameters p = {0};
    struct rows unused;
    parameter_integer(&p, hearer);
    if (db_begin(db, true) != DB_OK || statement_rows(db, &say_hearer, &p, &unused) != DB_OK)
        return false;
    rows_free(&unused);
    return db_commit(db) == DB_OK && statement_prepare(db, &append_pieces) == DB_OK &&
           statement_never_waits(db);
}

bool record_pieces_send(struct db *db, const struct record_piece *pieces, size_t count)
{
    struct arena arena = {NULL};
    struct parameters p = {0};
    fill_pieces(&p, &arena, pieces, count);
    bool sent = statement_send(db, &append_pieces, &p);
    arena_free(&arena);
    return sent;
}

bool record_pieces_arrived(struct db *db)
{
    return statement_arrived(db);
}

enum db_status record_pieces_receive(struct db *db)
{
    size_t written;
    return statement_receive(db, &written);
}

int record_pieces_socket(const struct db *db)
{
    return statement_socket(db);
}

static const struct statement find_rows = {
    "record_find_pieces",
    "SELECT EXISTS (SELECT FROM tillroll.record_line AS line"
    "               WHERE line.game_id = given.game_id AND line.seq = given.seq"
    "                   AND line.hash = given.hash)"
    " FROM unnest($1::uuid[], $2::integer[], $3::bytea[])"
    "     WITH ORDINALITY AS given (game_id, seq, hash, place) ORDER BY place"};

enum db_status record_find_pieces(struct db *db, const struct record_piece *pieces, size_t count,
                                  bool *found)
{
    struct arena arena = {NULL};
    struct parameters p = {0};
    struct rows got;
    struct id *games = arena_array(&arena, count, sizeof *games);
    int32_t *seqs = arena_array(&arena, count, sizeof *seqs);
    struct span *hashes = arena_array(&arena, count, sizeof *hashes);
    for (size_t i = 0; i < count; i++) {
        const struct record_row *last = &pieces[i].rows[pieces[i].count - 1];
        games[i] = *pieces[i].game;
        seqs[i] = (int32_t)last->seq;
        hashes[i] = (struct span){(const char *)last->hash, sizeof last->hash};
    }
    parameter_array_id(&p, &arena, games, count);
    parameter_array_integer(&p, &arena, seqs, count);
    parameter_array_bytes(&p, &arena, hashes, count);
    enum db_status status = statement_rows(db, &find_rows, &p, &got);
    if (status == DB_OK) {
        assert((size_t)got.count == count);
        for (int i = 0; i < got.count; i++)
            found[i] = row_boolean(&got, i, 0);
        rows_free(&got);
    }
    arena_free(&arena);
    return status;
}

static const struct statement read_rows = {"record_read",
                                           "SELECT seq, line, hash FROM tillroll.record_line"
                                           " WHERE game_id = $1 AND seq > $2 ORDER BY seq"};

static void read_row(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct record_row *stored = element;
    stored->seq = row_unsigned(rows, row, 0);
    stored->line = span_of(row_text(rows, row, 1, arena));
    row_hash(rows, row, 2, stored->hash);
}

static enum db_status read_stored(struct db *db, struct arena *arena, const struct id *game,
                                  int after, struct record_row **rows, size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, game);
    parameter_integer(&p, after);
    enum db_status status;
    *rows = statement_list(db, arena, &read_rows, &p, sizeof **rows, read_row, count, &status);
    return status;
}

/* Of an archived record only the last row is stored, so rows before it are missing. Where they are
 * but the record is not archived, it is damaged, and whoever replays it finds that. */
enum db_status record_read(struct db *db, struct arena *arena, const struct id *game, int after,
                           struct record_row **rows, size_t *count)
{
    struct record_row *archived;
    size_t archived_count;
    enum db_status status = read_stored(db, arena, game, after, rows, count);
    if (status != DB_OK || *count == 0 || (*rows)[0].seq == (unsigned)(after + 1))
        return status;
    status = archive_read(db, arena, game, *rows, *count, &archived, &archived_count);
    if (status == DB_OK) {
        *rows = archived + (after + 1);
        *count = archived_count - (size_t)(after + 1);
    }
    return status == DB_NONE ? DB_OK : status;
}

static const struct statement read_parts = {
    "record_read_parts",
    "SELECT given.place, line.seq, line.line"
    " FROM unnest($1::uuid[], $2::integer[]) WITH ORDINALITY AS given (game_id, seq, place)"
    " JOIN tillroll.record_line AS line ON line.game_id = given.game_id AND line.seq >= given.seq"
    " ORDER BY given.place, line.seq"};

enum db_status record_read_parts(struct db *db, struct arena *arena, struct record_part *parts,
                                 size_t count)
{
    struct parameters p = {0};
    struct rows got;
    struct id *games = arena_array(arena, count, sizeof *games);
    int32_t *seqs = arena_array(arena, count, sizeof *seqs);
    for (size_t i = 0; i < count; i++) {
        games[i] = *parts[i].game;
        seqs[i] = (int32_t)parts[i].from;
        parts[i].count = 0;
    }
    parameter_array_id(&p, arena, games, count);
    parameter_array_integer(&p, arena, seqs, count);
    enum db_status status = statement_rows(db, &read_parts, &p, &got);
    if (status != DB_OK)
        return status;
    struct record_row *rows = arena_array(arena, (size_t)got.count, sizeof *rows);
    for (int i = 0; i < got.count; i++) {
        struct record_part *part = &parts[row_integer(&got, i, 0) - 1];
        if (part->count++ == 0)
            part->rows = &rows[i];
        rows[i] = (struct record_row){.seq = row_unsigned(&got, i, 1),
                                      .line = span_of(row_text(&got, i, 2, arena))};
    }
    rows_free(&got);
    return DB_OK;
}

struct span record_join(struct arena *arena, const struct record_row *rows, size_t count)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += rows[i].line.length + 1;
    struct text text = {arena_take(arena, length + 1), 0, length + 1, false};
    for (size_t i = 0; i < count; i++) {
        text_add_span(&text, rows[i].line);
        text_add_char(&text, '\n');
    }
    return text_span(&text);
}
