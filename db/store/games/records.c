/* Appending to records, and reading them. */
#include "db/store/games/records.h"

#include <assert.h>
#include <string.h>

#include "db/lines/line_databases.h"
#include "db/lines/line_records.h"
#include "db/link/statement.h"
#include "db/store/games/archive.h"

/* Inserts in the order of the arrays, so that writers in other processes that insert the same rows
 * in the same order cannot deadlock with this one. */
#define APPEND_PIECES                                                                              \
    "INSERT INTO tillroll.record_line (game_id, seq, line, hash)"                                  \
    " SELECT * FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::bytea[])"

static const struct statement append_pieces = {"record_append_pieces", APPEND_PIECES};
static const struct statement append_new_pieces = {"record_append_new_pieces",
                                                   APPEND_PIECES " ON CONFLICT DO NOTHING"};

/* True if other listeners exist; evaluated when the lines are already locked
 * (tillroll.lines_settled()). */
#define OTHERS_LISTEN "EXISTS (SELECT FROM tillroll.hearer WHERE id <> $5)"

static const struct statement append_batch = {"record_append_batch", "WITH added AS (" APPEND_PIECES
                                                                     ") SELECT " OTHERS_LISTEN};

/* For a single plain move: unpacking four arrays takes longer than writing the row. */
static const struct statement append_one = {
    "record_append_one", "INSERT INTO tillroll.record_line (game_id, seq, line, hash)"
                         " VALUES ($1, $2, $3, $4) RETURNING " OTHERS_LISTEN};

/* The columns of the rows of several games. */
struct columns {
    size_t count;
    struct id *games;
    int32_t *seqs;
    struct span *lines, *hashes;
};

#define COLUMN_VALUES(c)                                                                           \
    IDS((c).games, (c).count), INTEGERS((c).seqs, (c).count), TEXTS((c).lines, (c).count),         \
        BYTE_STRINGS((c).hashes, (c).count)

static struct columns make_columns(struct arena *arena, const struct record_piece *pieces,
                                   size_t count)
{
    struct columns made = {.count = 0};
    for (size_t i = 0; i < count; i++)
        made.count += pieces[i].count;
    made.games = arena_array(arena, made.count, sizeof *made.games);
    made.seqs = arena_array(arena, made.count, sizeof *made.seqs);
    made.lines = arena_array(arena, made.count, sizeof *made.lines);
    made.hashes = arena_array(arena, made.count, sizeof *made.hashes);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const struct record_row *rows = pieces[i].rows;
        for (size_t row = 0; row < pieces[i].count; row++, at++) {
            assert(rows[row].seq == rows[0].seq + row);
            made.games[at] = *pieces[i].game;
            made.seqs[at] = (int32_t)rows[row].seq;
            made.lines[at] = rows[row].line;
            made.hashes[at] = (struct span){(const char *)rows[row].hash, sizeof rows[row].hash};
        }
    }
    return made;
}

static enum db_status settle_before(struct db *db, const struct id *game,
                                    const struct record_row *rows, size_t count);

/* statement_change() or statement_later() */
typedef enum db_status statement_runner(struct db *db, const struct statement *statement,
                                        const struct value *values, enum db_status otherwise);

static enum db_status append_all(struct db *db, const struct record_piece *pieces, size_t count,
                                 statement_runner *how)
{
    struct arena arena = {NULL};
    const struct columns columns = make_columns(&arena, pieces, count);
    enum db_status status = how(db, &append_pieces, WITH(COLUMN_VALUES(columns)), DB_ERROR);
    arena_free(&arena);
    return status;
}

static enum db_status append(struct db *db, const struct id *game, const struct record_row *rows,
                             size_t count, statement_runner *how)
{
    assert(count >= 1);
    const struct record_piece piece = {game, rows, count};
    enum db_status status = settle_before(db, game, rows, count);
    return status == DB_OK ? append_all(db, &piece, 1, how) : status;
}

enum db_status record_append(struct db *db, const struct id *game, const struct record_row *rows,
                             size_t count)
{
    return append(db, game, rows, count, statement_change);
}

enum db_status record_append_later(struct db *db, const struct id *game,
                                   const struct record_row *rows, size_t count)
{
    return append(db, game, rows, count, statement_later);
}

enum db_status record_append_all(struct db *db, const struct record_piece *pieces, size_t count)
{
    return append_all(db, pieces, count, statement_change);
}

enum db_status record_append_pieces(struct db *db, const struct record_piece *pieces, size_t count,
                                    bool careful)
{
    struct arena arena = {NULL};
    size_t written;
    const struct columns columns = make_columns(&arena, pieces, count);
    enum db_status status = statement_commit(db, careful ? &append_new_pieces : &append_pieces,
                                             WITH(COLUMN_VALUES(columns)), &written);
    arena_free(&arena);
    return status == DB_OK && written < columns.count ? DB_CONFLICT : status;
}

static const struct statement begin_to_notify = {"record_begin_to_tell",
                                                 "SELECT tillroll.begin_to_tell()"};
static const struct statement end_telling = {"record_end_telling", "SELECT tillroll.end_telling()"};

static bool call(struct db *db, const struct statement *statement)
{
    return db_begin(db, false) == DB_OK && statement_change(db, statement, NULL, DB_OK) == DB_OK &&
           db_commit(db) == DB_OK;
}

bool record_pieces_ready(struct db *db, bool notifies_later)
{
    return (!notifies_later || call(db, &begin_to_notify)) &&
           statement_prepare(db, &append_batch) == DB_OK &&
           statement_prepare(db, &append_one) == DB_OK && statement_never_waits(db);
}

void record_pieces_all_notified(struct db *db)
{
    (void)call(db, &end_telling);
}

static bool send_one(struct db *db, unsigned listener_number, const struct id *game,
                     const struct record_row *row)
{
    uint8_t id[ID_BYTES];
    id_to_bytes(game, id);
    return statement_send(db, &append_one,
                          WITH(BYTES(id, sizeof id), NUMBER(row->seq),
                               BYTES((const uint8_t *)row->line.at, row->line.length),
                               BYTES(row->hash, sizeof row->hash), NUMBER(listener_number)));
}

bool record_pieces_send(struct db *db, unsigned listener_number, const struct record_piece *pieces,
                        size_t count)
{
    if (count == 1 && pieces->count == 1)
        return send_one(db, listener_number, pieces->game, pieces->rows);
    struct arena arena = {NULL};
    const struct columns columns = make_columns(&arena, pieces, count);
    bool sent =
        statement_send(db, &append_batch, WITH(COLUMN_VALUES(columns), NUMBER(listener_number)));
    arena_free(&arena);
    return sent;
}

bool record_pieces_arrived(struct db *db)
{
    return statement_arrived(db);
}

enum db_status record_pieces_receive(struct db *db, bool *others)
{
    return statement_receive_flag(db, others);
}

int record_pieces_socket(const struct db *db)
{
    return statement_socket(db);
}

static const struct statement find_rows = {
    "record_find_pieces",
    "SELECT EXISTS (SELECT FROM tillroll.record_line AS line"
    "               WHERE line.game_id = given.game_id AND line.seq = given.seq"
    "                   AND line.hash = given.hash AND line.line IS NOT NULL)"
    " FROM unnest($1::uuid[], $2::integer[], $3::bytea[])"
    "     WITH ORDINALITY AS given (game_id, seq, hash, place) ORDER BY place"};

enum db_status record_find_pieces(struct db *db, const struct record_piece *pieces, size_t count,
                                  bool *found)
{
    struct arena arena = {NULL};
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
    enum db_status status = statement_rows(
        db, &find_rows, WITH(IDS(games, count), INTEGERS(seqs, count), BYTE_STRINGS(hashes, count)),
        &got);
    if (status == DB_OK) {
        assert((size_t)got.count == count);
        for (int i = 0; i < got.count; i++)
            found[i] = row_boolean(&got, i, 0);
        rows_free(&got);
    }
    arena_free(&arena);
    return status;
}

/* ---- Line databases ---- */

static const struct statement last_row = {
    "record_last", "SELECT coalesce(max(seq), -1) FROM tillroll.record_line WHERE game_id = $1"};

/* Copies the lines before `until` that are only in the line database. If another transaction does
 * the same, it copies the same lines. */
static enum db_status copy_lines(struct db *db, const struct id *game, int64_t until,
                                 size_t *copied)
{
    struct arena arena = {NULL};
    struct record_row *rows = NULL;
    size_t count = 0;
    int64_t last;
    *copied = 0;
    enum db_status status = statement_value(db, &last_row, WITH(ID(game)), &last);
    if (status == DB_OK && last + 1 < until)
        status = line_records_read(db, &arena, game, (unsigned)(last + 1), &rows, &count);
    if (status == DB_OK && count > 0) {
        *copied = (int64_t)count < until - last - 1 ? count : (size_t)(until - last - 1);
        const struct record_piece piece = {game, rows, *copied};
        const struct columns columns = make_columns(&arena, &piece, 1);
        status = statement_change(db, &append_new_pieces, WITH(COLUMN_VALUES(columns)), DB_OK);
    }
    arena_free(&arena);
    return status;
}

/* Fences the rows and copies the lines before them. A record created with these rows has no lines
 * elsewhere. */
static enum db_status settle_before(struct db *db, const struct id *game,
                                    const struct record_row *rows, size_t count)
{
    size_t copied;
    if (line_databases_count() == 0 || rows[0].seq == 0)
        return DB_OK;
    enum db_status status = line_records_fence(game, rows, count);
    return status == DB_OK ? copy_lines(db, game, rows[0].seq, &copied) : status;
}

enum db_status record_settle(struct db *db, const struct id *game, size_t *copied)
{
    *copied = 0;
    return line_databases_count() == 0 ? DB_OK
                                       : copy_lines(db, game, (int64_t)INT32_MAX + 1, copied);
}

/* ---- Reading ---- */

static bool is_end(const struct record_row *row)
{
    return row->line.length > 5 && memcmp(row->line.at, "head ", 5) == 0;
}

static const struct statement has_end = {
    "record_has_end", "SELECT EXISTS (SELECT FROM tillroll.record_line WHERE game_id = $1"
                      " AND seq = $2 AND line LIKE 'head %')"};

/* Finds out whether the record may continue in a line database after these rows, which follow
 * `after`: it has begun, and not ended. */
static enum db_status may_continue(struct db *db, const struct id *game, int after,
                                   const struct record_row *rows, size_t count, bool *may)
{
    bool ended = count > 0 && is_end(&rows[count - 1]);
    enum db_status status = DB_OK;
    *may = line_databases_count() > 0 && !ended && (count > 0 || after >= 0);
    if (!*may || count > 0)
        return DB_OK;
    status = statement_value(db, &has_end, WITH(ID(game), NUMBER(after)), &ended);
    *may = !ended;
    return status;
}

static void add_rows(struct arena *arena, const struct record_row *more, size_t more_count,
                     struct record_row **rows, size_t *count)
{
    if (more_count == 0)
        return;
    struct record_row *all = arena_array(arena, *count + more_count, sizeof *all);
    if (*count > 0)
        memcpy(all, *rows, *count * sizeof *all);
    memcpy(all + *count, more, more_count * sizeof *all);
    *rows = all;
    *count += more_count;
}

/* Adds the rows of the line database. */
static enum db_status add_lines(const struct db *db, struct arena *arena, const struct id *game,
                                unsigned from, struct record_row **rows, size_t *count)
{
    struct record_row *more;
    size_t more_count;
    enum db_status status = line_records_read(db, arena, game, from, &more, &more_count);
    if (status == DB_OK)
        add_rows(arena, more, more_count, rows, count);
    return status;
}

/* Only the last row of an archived record is stored. If rows before the last are missing and the
 * record is not archived, it is damaged, and replaying it shows that. */
enum db_status record_read(struct db *db, struct arena *arena, const struct id *game, int after,
                           struct record_row **rows, size_t *count)
{
    const unsigned from = (unsigned)(after + 1);
    struct record_row *archived;
    size_t archived_count;
    bool continues = false;
    enum db_status status = record_rows_read(db, arena, game, from, rows, count);
    if (status == DB_OK && (*count == 0 || (*rows)[0].seq == from))
        status = may_continue(db, game, after, *rows, *count, &continues);
    if (continues && status == DB_OK)
        status = add_lines(db, arena, game, from + (unsigned)*count, rows, count);
    if (status != DB_OK || *count == 0 || (*rows)[0].seq == from)
        return status;
    status = archive_read(db, arena, game, *rows, *count, &archived, &archived_count);
    if (status == DB_OK) {
        *rows = archived + from;
        *count = archived_count - from;
    }
    return status == DB_NONE ? DB_OK : status;
}

/* Collects the parts of running games whose lines may be at `place`, each from the row where it
 * continues, and their indexes in `parts`. */
static size_t collect_running(const struct record_part *parts, size_t count, size_t place,
                              struct record_part *running, size_t *origin)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const struct record_part *part = &parts[i];
        bool going = part->count > 0
                         ? part->rows[0].seq == part->from && !is_end(&part->rows[part->count - 1])
                         : part->from > 0;
        if (!going || line_database_of(part->game) != place)
            continue;
        origin[found] = i;
        running[found++] =
            (struct record_part){.game = part->game, .from = part->from + (unsigned)part->count};
    }
    return found;
}

static void continue_parts(const struct db *db, struct arena *arena, struct record_part *parts,
                           size_t count)
{
    struct record_part *running = arena_array(arena, count, sizeof *running);
    size_t *origin = arena_array(arena, count, sizeof *origin);
    for (size_t place = 1; place <= line_databases_count(); place++) {
        size_t found = collect_running(parts, count, place, running, origin);
        bool good = found > 0 && line_records_read_parts(db, arena, place, running, found) == DB_OK;
        for (size_t i = 0; i < found; i++) {
            struct record_part *part = &parts[origin[i]];
            if (good)
                add_rows(arena, running[i].rows, running[i].count, &part->rows, &part->count);
            else
                part->count = 0;
        }
    }
}

enum db_status record_read_parts(struct db *db, struct arena *arena, struct record_part *parts,
                                 size_t count)
{
    enum db_status status = record_rows_read_parts(db, arena, parts, count);
    if (status == DB_OK && line_databases_count() > 0)
        continue_parts(db, arena, parts, count);
    return status;
}

static const struct statement count_bytes = {
    "record_bytes", "SELECT coalesce(sum(octet_length(line.line) + 2), 0)"
                    " FROM unnest($1::uuid[]) AS given (game_id)"
                    " JOIN tillroll.record_line AS line ON line.game_id = given.game_id"};

enum db_status record_bytes(struct db *db, const struct id *games, size_t count, uint64_t *bytes)
{
    return statement_value(db, &count_bytes, WITH(IDS(games, count)), bytes);
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

/* ---- Signatures ---- */

static const struct statement add_signature = {
    "move_signature_add",
    "INSERT INTO tillroll.move_signature (game_id, seq, signature)"
    " SELECT $1, seq, signature FROM unnest($2::integer[], $3::bytea[]) AS given (seq, signature)"};

enum db_status move_signature_add(struct db *db, const struct id *game,
                                  const struct signature *signatures, size_t count)
{
    struct arena arena = {NULL};
    int32_t *seqs = arena_array(&arena, count, sizeof *seqs);
    struct span *bytes = arena_array(&arena, count, sizeof *bytes);
    for (size_t i = 0; i < count; i++) {
        seqs[i] = (int32_t)signatures[i].number;
        bytes[i] = (struct span){(const char *)signatures[i].bytes, SIGNATURE_BYTES};
    }
    enum db_status status = statement_change(
        db, &add_signature, WITH(ID(game), INTEGERS(seqs, count), BYTE_STRINGS(bytes, count)),
        DB_ERROR);
    arena_free(&arena);
    return status;
}

static const struct statement add_entropy = {
    "entropy_signature_add", "INSERT INTO tillroll.entropy_signature (game_id, seat, signature)"
                             " VALUES ($1, $2, $3)"};

enum db_status entropy_signature_add(struct db *db, const struct id *game, unsigned seat,
                                     const uint8_t signature[static SIGNATURE_BYTES])
{
    return statement_change(db, &add_entropy,
                            WITH(ID(game), NUMBER(seat), BYTES(signature, SIGNATURE_BYTES)),
                            DB_ERROR);
}

/* Columns: seq or seat, signature, game, whether the signature is of an entry, official, key. */
#define SIGNATURES(range)                                                                          \
    "SELECT seat, signature, game_id, false, NULL::uuid, NULL::bytea"                              \
    " FROM tillroll.entropy_signature WHERE game_id " range                                        \
    " UNION ALL SELECT seq, signature, game_id, true, NULL, NULL"                                  \
    " FROM tillroll.move_signature WHERE game_id " range                                           \
    " UNION ALL SELECT seq, signature, game_id, true, player_id, key"                              \
    " FROM tillroll.official_act WHERE signature IS NOT NULL AND game_id " range

/* Bytes of another length, which the tables do not allow, are treated as an invalid signature. */
static void read_signature(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct signature *signature = element;
    size_t size;
    const uint8_t *bytes = row_bytes(rows, row, 1, arena, &size);
    const struct id official = row_id(rows, row, 4);
    *signature = (struct signature){.kind = row_boolean(rows, row, 3) ? SIGNATURE_OF_MOVE
                                                                      : SIGNATURE_OF_ENTROPY,
                                    .number = row_unsigned(rows, row, 0)};
    memcpy(signature->bytes, bytes, size < SIGNATURE_BYTES ? size : SIGNATURE_BYTES);
    if (official.text[0] == '\0')
        return;
    signature->kind = SIGNATURE_OF_OFFICIAL;
    memcpy(signature->official, official.text, sizeof signature->official);
    row_hash(rows, row, 5, signature->key);
}

/* Signatures of entropy come first. */
static const struct statement list_signatures = {"signature_list",
                                                 SIGNATURES("= $1") " ORDER BY 4, 1"};

enum db_status signature_list(struct db *db, struct arena *arena, const struct id *game,
                              struct signature **signatures, size_t *count)
{
    return statement_list(db, arena, &list_signatures, WITH(ID(game)), sizeof **signatures,
                          read_signature, signatures, count);
}

static const struct statement games_with = {
    "signature_games",
    "SELECT given.place FROM unnest($1::uuid[]) WITH ORDINALITY AS given (game_id, place)"
    " WHERE (SELECT true FROM tillroll.move_signature AS own WHERE own.game_id = given.game_id"
    "  LIMIT 1)"
    " OR (SELECT true FROM tillroll.entropy_signature AS own WHERE own.game_id = given.game_id"
    "  LIMIT 1)"
    " OR (SELECT true FROM tillroll.official_act AS own WHERE own.game_id = given.game_id"
    "  AND own.signature IS NOT NULL LIMIT 1)"};

enum db_status signature_games(struct db *db, const struct id *games, size_t count, bool *has)
{
    struct rows rows;
    enum db_status status = statement_rows(db, &games_with, WITH(IDS(games, count)), &rows);
    for (size_t i = 0; i < count; i++)
        has[i] = false;
    for (int row = 0; status == DB_OK && row < rows.count; row++)
        has[row_unsigned(&rows, row, 0) - 1] = true;
    if (status == DB_OK)
        rows_free(&rows);
    return status;
}

static const struct statement range = {"signature_range",
                                       SIGNATURES("> $1 AND game_id <= $2") " ORDER BY 3, 4, 1"};

static void read_game_signature(const struct rows *rows, int row, struct arena *arena,
                                void *element)
{
    struct game_signature *signature = element;
    signature->game = row_id(rows, row, 2);
    read_signature(rows, row, arena, &signature->signature);
}

enum db_status signature_range(struct db *db, struct arena *arena, const struct id *after,
                               const struct id *until, struct game_signature **signatures,
                               size_t *count)
{
    return statement_list(db, arena, &range, WITH(AFTER(after), BEFORE(until)), sizeof **signatures,
                          read_game_signature, signatures, count);
}

/* ---- Sealed moves ---- */

static const struct statement add_sealed = {
    "sealed_move_add",
    "INSERT INTO tillroll_vault.sealed_move (game_id, ply, seat, sealed, received_at, signature)"
    " VALUES ($1, $2, $3, $4, tillroll.from_ms($5), $6) ON CONFLICT DO NOTHING"};

enum db_status sealed_move_add(struct db *db, const struct id *game, unsigned decision,
                               const struct sealed_move *move)
{
    return statement_change(db, &add_sealed,
                            WITH(ID(game), NUMBER(decision), NUMBER(move->seat),
                                 BYTES(move->sealed, move->size), NUMBER(move->decided_at_ms),
                                 BYTES(move->signature, move->signature_size)),
                            DB_CONFLICT);
}

static const struct statement list_sealed = {
    "sealed_move_list", "SELECT seat, sealed, signature, tillroll.to_ms(received_at)"
                        " FROM tillroll_vault.sealed_move"
                        " WHERE game_id = $1 AND ply = $2 ORDER BY received_at, seat"};

static void read_sealed_move(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct sealed_move *move = element;
    move->seat = row_unsigned(rows, row, 0);
    move->sealed = row_bytes(rows, row, 1, arena, &move->size);
    if (!row_is_null(rows, row, 2))
        move->signature = row_bytes(rows, row, 2, arena, &move->signature_size);
    move->decided_at_ms = row_integer(rows, row, 3);
}

enum db_status sealed_move_list(struct db *db, struct arena *arena, const struct id *game,
                                unsigned decision, struct sealed_move **moves, size_t *count)
{
    return statement_list(db, arena, &list_sealed, WITH(ID(game), NUMBER(decision)), sizeof **moves,
                          read_sealed_move, moves, count);
}

static const struct statement time_sealed = {
    "sealed_move_time", "SELECT tillroll.to_ms(received_at) FROM tillroll_vault.sealed_move"
                        " WHERE game_id = $1 AND ply = $2 AND seat = $3"};

enum db_status sealed_move_time(struct db *db, const struct id *game, unsigned decision,
                                unsigned seat, int64_t *decided_at_ms)
{
    return statement_value(db, &time_sealed, WITH(ID(game), NUMBER(decision), NUMBER(seat)),
                           decided_at_ms);
}

/* ---- Refused moves ---- */

static const struct statement add_refused = {
    "refused_move_add",
    "INSERT INTO tillroll_vault.refused_move (game_id, seat, number, seq, sealed, received_at)"
    " SELECT $1, $2, number, $3, $4, tillroll.from_ms($5)"
    " FROM (SELECT coalesce(max(number), 0) + 1 AS number"
    "  FROM tillroll_vault.refused_move WHERE game_id = $1 AND seat = $2) AS next"
    " WHERE number <= $6 ON CONFLICT DO NOTHING"};

enum db_status refused_move_add(struct db *db, const struct id *game,
                                const struct refused_move *move)
{
    return statement_change(db, &add_refused,
                            WITH(ID(game), NUMBER(move->seat), NUMBER(move->seq),
                                 BYTES(move->sealed, move->size), NUMBER(move->received_at_ms),
                                 NUMBER(REFUSED_MOVES_MAX)),
                            DB_CONFLICT);
}

static const struct statement list_refused = {
    "refused_move_list", "SELECT seat, seq, sealed, tillroll.to_ms(received_at)"
                         " FROM tillroll_vault.refused_move WHERE game_id = $1"
                         " ORDER BY seat, number"};

static void read_refused_move(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct refused_move *move = element;
    *move = (struct refused_move){.seat = row_unsigned(rows, row, 0),
                                  .seq = row_unsigned(rows, row, 1),
                                  .received_at_ms = row_integer(rows, row, 3)};
    move->sealed = row_bytes(rows, row, 2, arena, &move->size);
}

enum db_status refused_move_list(struct db *db, struct arena *arena, const struct id *game,
                                 struct refused_move **moves, size_t *count)
{
    return statement_list(db, arena, &list_refused, WITH(ID(game)), sizeof **moves,
                          read_refused_move, moves, count);
}
