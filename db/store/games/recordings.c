#include "db/store/games/recordings.h"

#include "db/link/statement.h"

/* ---- Recordings ---- */

static const struct statement add = {
    "recording_add",
    "INSERT INTO tillroll.recording (id, event_id, round, table_number, since, scorer_id,"
    " started_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, tillroll.from_ms($7),"
    " tillroll.from_ms($8)) ON CONFLICT DO NOTHING"};

enum db_status recording_add(struct db *db, const struct recording *recording,
                             const struct record_row *header)
{
    enum db_status status = statement_change(
        db, &add,
        WITH(ID(&recording->id), ID(&recording->event), NUMBER(recording->round),
             NUMBER(recording->table), NUMBER(recording->since), ID(&recording->scorer),
             NUMBER(recording->started_at_ms), NUMBER(recording->created_at_ms)),
        DB_CONFLICT);
    return status == DB_OK ? recording_append(db, &recording->id, header, 1) : status;
}

#define COLUMNS                                                                                    \
    "SELECT recording.id, event_id, round, table_number, since, scorer_id,"                        \
    " (SELECT name FROM tillroll.player WHERE player.id = scorer_id),"                             \
    " tillroll.to_ms(started_at), tillroll.to_ms(recording.created_at),"                           \
    " tillroll.to_ms(finished_at),"                                                                \
    " (SELECT max(seq) FROM tillroll.recording_line WHERE recording_id = recording.id),"           \
    " whole, open FROM tillroll.recording"

static void read_recording(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct recording *recording = element;
    *recording = (struct recording){.id = row_id(rows, row, 0),
                                    .event = row_id(rows, row, 1),
                                    .round = row_unsigned(rows, row, 2),
                                    .table = row_unsigned(rows, row, 3),
                                    .since = row_unsigned(rows, row, 4),
                                    .scorer = row_id(rows, row, 5),
                                    .scorer_name = row_text(rows, row, 6, arena),
                                    .started_at_ms = row_integer(rows, row, 7),
                                    .created_at_ms = row_integer(rows, row, 8),
                                    .finished_at_ms = row_integer(rows, row, 9),
                                    .lines = row_unsigned(rows, row, 10),
                                    .whole = row_unsigned(rows, row, 11),
                                    .open = row_unsigned(rows, row, 12)};
}

static const struct statement find = {"recording_find", COLUMNS " WHERE recording.id = $1"};

enum db_status recording_find(struct db *db, struct arena *arena, const struct id *id,
                              struct recording *recording)
{
    return statement_one(db, arena, &find, WITH(ID(id)), read_recording, recording);
}

static const struct statement list = {"recording_list", COLUMNS
                                      " WHERE event_id = $1 AND round = $2 AND table_number = $3"
                                      " ORDER BY recording.created_at, recording.id"};

enum db_status recording_list(struct db *db, struct arena *arena, const struct id *event,
                              unsigned round, unsigned table, struct recording **recordings,
                              size_t *count)
{
    return statement_list(db, arena, &list, WITH(ID(event), NUMBER(round), NUMBER(table)),
                          sizeof **recordings, read_recording, recordings, count);
}

static const struct statement of_scorer = {"recording_of_scorer", COLUMNS
                                           " WHERE scorer_id = $1"
                                           " ORDER BY recording.created_at DESC, recording.id DESC"
                                           " LIMIT $2"};

enum db_status recording_list_of_scorer(struct db *db, struct arena *arena, const struct id *scorer,
                                        size_t limit, struct recording **recordings, size_t *count)
{
    return statement_list(db, arena, &of_scorer, WITH(ID(scorer), NUMBER(limit)),
                          sizeof **recordings, read_recording, recordings, count);
}

static const struct statement every = {"recording_every",
                                       COLUMNS " WHERE recording.id > $1 ORDER BY recording.id"
                                               " LIMIT $2"};

enum db_status recording_list_all(struct db *db, struct arena *arena, const struct id *after,
                                  size_t limit, struct recording **recordings, size_t *count)
{
    return statement_list(db, arena, &every, WITH(AFTER(after), NUMBER(limit)), sizeof **recordings,
                          read_recording, recordings, count);
}

static const struct statement reported_head = {
    "recording_head", "SELECT decode(detail -> 'record' ->> 'head', 'hex')"
                      " FROM tillroll.event_step WHERE event_id = $1 AND kind = 'reported'"
                      " AND detail -> 'record' ->> 'id' = $2 ORDER BY seq LIMIT 1"};

static void read_head(const struct rows *rows, int row, struct arena *arena, void *element)
{
    (void)arena;
    row_hash(rows, row, 0, element);
}

enum db_status recording_reported_head(struct db *db, const struct recording *recording,
                                       uint8_t head[static 32])
{
    return statement_one(db, NULL, &reported_head,
                         WITH(ID(&recording->event), TEXT(recording->id.text)), read_head, head);
}

static const struct statement show = {"recording_show",
                                      "UPDATE tillroll.recording SET whole = $2, open = $3"
                                      " WHERE id = $1 AND finished_at IS NULL"};

enum db_status recording_show(struct db *db, const struct id *id, unsigned whole, unsigned open)
{
    return statement_change(db, &show, WITH(ID(id), NUMBER(whole), NUMBER(open)), DB_NONE);
}

static const struct statement finish = {
    "recording_finish", "UPDATE tillroll.recording SET finished_at = tillroll.from_ms($2)"
                        " WHERE id = $1 AND finished_at IS NULL"};

enum db_status recording_finish(struct db *db, const struct id *id, int64_t now_ms)
{
    return statement_change(db, &finish, WITH(ID(id), NUMBER(now_ms)), DB_NONE);
}

/* ---- Lines ---- */

static const struct statement append = {
    "recording_append", "INSERT INTO tillroll.recording_line (recording_id, seq, line, hash)"
                        " SELECT $1, seq, line, hash"
                        " FROM unnest($2::integer[], $3::text[], $4::bytea[])"
                        "  AS given (seq, line, hash) ORDER BY seq"};

enum db_status recording_append(struct db *db, const struct id *id, const struct record_row *rows,
                                size_t count)
{
    struct arena arena = {NULL};
    int32_t *seqs = arena_array(&arena, count, sizeof *seqs);
    struct span *lines = arena_array(&arena, count, sizeof *lines);
    struct span *hashes = arena_array(&arena, count, sizeof *hashes);
    for (size_t i = 0; i < count; i++) {
        seqs[i] = (int32_t)rows[i].seq;
        lines[i] = rows[i].line;
        hashes[i] = (struct span){(const char *)rows[i].hash, sizeof rows[i].hash};
    }
    enum db_status status = statement_change(
        db, &append,
        WITH(ID(id), INTEGERS(seqs, count), TEXTS(lines, count), BYTE_STRINGS(hashes, count)),
        DB_ERROR);
    arena_free(&arena);
    return status;
}

static const struct statement read_lines = {"recording_read",
                                            "SELECT seq, line, hash FROM tillroll.recording_line"
                                            " WHERE recording_id = $1 ORDER BY seq"};

static void read_row(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct record_row *line = element;
    line->seq = row_unsigned(rows, row, 0);
    line->line = span_of(row_text(rows, row, 1, arena));
    row_hash(rows, row, 2, line->hash);
}

enum db_status recording_read(struct db *db, struct arena *arena, const struct id *id,
                              struct record_row **rows, size_t *count)
{
    return statement_list(db, arena, &read_lines, WITH(ID(id)), sizeof **rows, read_row, rows,
                          count);
}
