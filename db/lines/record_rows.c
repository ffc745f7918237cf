#include "db/lines/record_rows.h"

#include "db/link/statement.h"

/* In a line database a row without a line is a fence (db/lines/lines.sql). */
static const struct statement read_rows = {
    "record_rows", "SELECT seq, line, hash FROM tillroll.record_line"
                   " WHERE game_id = $1 AND seq >= $2 AND line IS NOT NULL ORDER BY seq"};

static void read_row(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct record_row *stored = element;
    stored->seq = row_unsigned(rows, row, 0);
    stored->line = span_of(row_text(rows, row, 1, arena));
    row_hash(rows, row, 2, stored->hash);
}

enum db_status record_rows_read(struct db *db, struct arena *arena, const struct id *game,
                                unsigned from, struct record_row **rows, size_t *count)
{
    return statement_list(db, arena, &read_rows, WITH(ID(game), NUMBER(from)), sizeof **rows,
                          read_row, rows, count);
}

static const struct statement read_parts = {
    "record_rows_parts",
    "SELECT given.place, line.seq, line.line"
    " FROM unnest($1::uuid[], $2::integer[]) WITH ORDINALITY AS given (game_id, seq, place)"
    " JOIN tillroll.record_line AS line ON line.game_id = given.game_id AND line.seq >= given.seq"
    "  AND line.line IS NOT NULL"
    " ORDER BY given.place, line.seq"};

enum db_status record_rows_read_parts(struct db *db, struct arena *arena, struct record_part *parts,
                                      size_t count)
{
    struct rows got;
    struct id *games = arena_array(arena, count, sizeof *games);
    int32_t *seqs = arena_array(arena, count, sizeof *seqs);
    for (size_t i = 0; i < count; i++) {
        games[i] = *parts[i].game;
        seqs[i] = (int32_t)parts[i].from;
        parts[i].count = 0;
    }
    enum db_status status =
        statement_rows(db, &read_parts, WITH(IDS(games, count), INTEGERS(seqs, count)), &got);
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
