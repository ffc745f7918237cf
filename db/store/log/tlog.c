#include "db/store/log/tlog.h"

#include <assert.h>
#include <string.h>

#include "db/link/statement.h"

/* ---- Adding ---- */

static const struct statement queue = {
    "tlog_queue", "INSERT INTO tillroll.log_queue (entry) SELECT unnest($1::text[])"
                  " ON CONFLICT DO NOTHING"};

enum db_status tlog_queue_all(struct db *db, const struct span *entries, size_t count)
{
    return statement_later(db, &queue, WITH(TEXTS(entries, count)), DB_OK);
}

enum db_status tlog_queue(struct db *db, struct span entry)
{
    return tlog_queue_all(db, &entry, 1);
}

static const struct statement keep = {
    "tlog_document_keep",
    "INSERT INTO tillroll.log_document (hash, body) VALUES ($1, $2) ON CONFLICT DO NOTHING"};

enum db_status tlog_document_keep(struct db *db, const uint8_t hash[static 32], const char *body)
{
    return statement_change(db, &keep, WITH(BYTES(hash, 32), TEXT(body)), DB_OK);
}

static const struct statement find_document = {
    "tlog_document_find", "SELECT body FROM tillroll.log_document WHERE hash = $1"};

enum db_status tlog_document_find(struct db *db, struct arena *arena, const uint8_t hash[static 32],
                                  struct span *body)
{
    const char *text;
    enum db_status status =
        statement_one(db, arena, &find_document, WITH(BYTES(hash, 32)), row_read_text, &text);
    if (status == DB_OK)
        *body = span_of(text);
    return status;
}

/* ---- Sequencing ---- */

/* The lock's number among the database's advisory locks: the first four bytes of SHA-256("tillroll
 * log"). */
static const struct statement take_lock = {"tlog_lock",
                                           "SELECT 1 WHERE pg_try_advisory_xact_lock(2913172810)"};

enum db_status tlog_lock(struct db *db)
{
    return statement_change(db, &take_lock, NULL, DB_NONE);
}

/* Each leaf is looked up by itself: a join might read the whole log. */
static const struct statement waiting = {
    "tlog_waiting", "SELECT entry FROM tillroll.log_queue"
                    " WHERE (SELECT index FROM tillroll.log_leaf"
                    "  WHERE hash = tillroll.log_leaf_hash(log_queue.entry)) IS NULL"
                    " ORDER BY id LIMIT $1"};

static void read_waiting(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct span *entry = element;
    *entry = span_of(row_text(rows, row, 0, arena));
}

enum db_status tlog_waiting(struct db *db, struct arena *arena, size_t limit, struct span **entries,
                            size_t *count)
{
    return statement_list(db, arena, &waiting, WITH(NUMBER(limit)), sizeof **entries, read_waiting,
                          entries, count);
}

enum db_status tlog_edge_read(struct db *db, uint64_t size, struct tlog_edge *edge)
{
    struct arena arena = {NULL};
    struct tlog_tile tiles[TLOG_LEVELS];
    for (unsigned level = 0; level < TLOG_LEVELS; level++)
        tiles[level] =
            (struct tlog_tile){.level = level, .number = tlog_level_width(size, level) / TLOG_TILE};
    enum db_status status = tlog_tiles_read(db, &arena, size, tiles, TLOG_LEVELS);
    edge->size = size;
    for (unsigned level = 0; status == DB_OK && level < TLOG_LEVELS; level++) {
        if (tiles[level].count != tlog_edge_width(edge, level))
            status = DB_NONE;
        else if (tiles[level].count > 0)
            memcpy(edge->hash[level], tiles[level].hash, tiles[level].count * MERKLE_HASH);
    }
    arena_free(&arena);
    return status;
}

static const struct statement append_leaves = {
    "tlog_append_leaves",
    "WITH given AS ("
    " SELECT $1::bigint + place - 1 AS index, entry, hash"
    " FROM unnest($2::text[], $3::bytea[]) WITH ORDINALITY AS leaf (entry, hash, place)"
    ") INSERT INTO tillroll.log_leaf (index, entry, hash)"
    " SELECT index, entry, hash FROM given ORDER BY index"};

static const struct statement take = {
    "tlog_take", "DELETE FROM tillroll.log_queue WHERE entry = ANY ($1::text[])"};

static const struct statement tell = {"tlog_tell", "SELECT pg_catalog.pg_notify('tillroll', 'l')"};

static const struct statement append_nodes = {
    "tlog_append_nodes", "INSERT INTO tillroll.log_node (level, index, hash)"
                         " SELECT * FROM unnest($1::integer[], $2::bigint[], $3::bytea[])"};

static enum db_status add_nodes(struct db *db, struct arena *arena, const struct tlog_node *nodes,
                                size_t count)
{
    int32_t *levels = arena_array(arena, count, sizeof *levels);
    int64_t *indices = arena_array(arena, count, sizeof *indices);
    struct span *hashes = arena_array(arena, count, sizeof *hashes);
    for (size_t i = 0; i < count; i++) {
        levels[i] = (int32_t)nodes[i].level;
        indices[i] = (int64_t)nodes[i].index;
        hashes[i] = (struct span){(const char *)nodes[i].hash, MERKLE_HASH};
    }
    return statement_change(
        db, &append_nodes,
        WITH(INTEGERS(levels, count), BIGINTS(indices, count), BYTE_STRINGS(hashes, count)),
        DB_ERROR);
}

static enum db_status add_leaves(struct db *db, struct arena *arena, uint64_t first,
                                 const struct span *entries, const uint8_t (*hashes)[MERKLE_HASH],
                                 size_t count)
{
    struct span *spans = arena_array(arena, count, sizeof *spans);
    for (size_t i = 0; i < count; i++)
        spans[i] = (struct span){(const char *)hashes[i], MERKLE_HASH};
    enum db_status status = statement_change(
        db, &append_leaves, WITH(NUMBER(first), TEXTS(entries, count), BYTE_STRINGS(spans, count)),
        DB_ERROR);
    return status != DB_OK ? status
                           : statement_change(db, &take, WITH(TEXTS(entries, count)), DB_ERROR);
}

static enum db_status notify_leaves(struct db *db)
{
    return statement_change(db, &tell, NULL, DB_NONE);
}

enum db_status tlog_append(struct db *db, uint64_t first, const struct span *entries,
                           const uint8_t (*hashes)[MERKLE_HASH], size_t count,
                           const struct tlog_node *nodes, size_t node_count)
{
    struct arena arena = {NULL};
    assert(count >= 1);
    enum db_status status = add_leaves(db, &arena, first, entries, hashes, count);
    if (status == DB_OK && node_count > 0)
        status = add_nodes(db, &arena, nodes, node_count);
    if (status == DB_OK)
        status = notify_leaves(db);
    arena_free(&arena);
    return status;
}

static const struct statement add_checkpoint = {
    "tlog_checkpoint_add",
    "INSERT INTO tillroll.log_checkpoint (size, root, note) VALUES ($1, $2, $3)"};

enum db_status tlog_checkpoint_add(struct db *db, uint64_t size,
                                   const uint8_t root[static MERKLE_HASH], struct span note)
{
    struct arena arena = {NULL};
    enum db_status status = statement_change(
        db, &add_checkpoint,
        WITH(NUMBER(size), BYTES(root, MERKLE_HASH), TEXT(arena_copy(&arena, note))), DB_ERROR);
    arena_free(&arena);
    return status;
}

/* ---- Reading ---- */

static const struct statement last_note = {
    "tlog_note_last", "SELECT note FROM tillroll.log_checkpoint ORDER BY size DESC LIMIT 1"};

static void read_note(const struct rows *rows, int row, struct arena *arena, void *element)
{
    *(struct span *)element = span_of(row_text(rows, row, 0, arena));
}

enum db_status tlog_note_last(struct db *db, struct arena *arena, struct span *note)
{
    return statement_one(db, arena, &last_note, NULL, read_note, note);
}

/* The note includes the newest cosignature of each witness. */
#define CHECKPOINT_COLUMNS                                                                         \
    "SELECT size, root, note || coalesce((SELECT string_agg(line, '' ORDER BY witness)"            \
    "  FROM (SELECT DISTINCT ON (witness) witness, line FROM tillroll.log_cosignature"             \
    "   WHERE size = log_checkpoint.size ORDER BY witness, seconds DESC LIMIT 32) AS newest), "    \
    "''),"                                                                                         \
    " (extract(epoch FROM clock_timestamp() - signed_at) * 1000)::bigint"                          \
    " FROM tillroll.log_checkpoint"

static void read_checkpoint(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct tlog_checkpoint *checkpoint = element;
    checkpoint->size = (uint64_t)row_integer(rows, row, 0);
    row_hash(rows, row, 1, checkpoint->root);
    checkpoint->note = span_of(row_text(rows, row, 2, arena));
    checkpoint->age_ms = row_integer(rows, row, 3);
}

static const struct statement last_checkpoint = {"tlog_checkpoint_last",
                                                 CHECKPOINT_COLUMNS " ORDER BY size DESC LIMIT 1"};

enum db_status tlog_checkpoint_last(struct db *db, struct arena *arena,
                                    struct tlog_checkpoint *checkpoint)
{
    return statement_one(db, arena, &last_checkpoint, NULL, read_checkpoint, checkpoint);
}

static const struct statement list_checkpoints = {"tlog_checkpoint_list", CHECKPOINT_COLUMNS
                                                  " WHERE size > $1 ORDER BY size LIMIT $2"};

enum db_status tlog_checkpoint_list(struct db *db, struct arena *arena, int64_t after, size_t limit,
                                    struct tlog_checkpoint **checkpoints, size_t *count)
{
    return statement_list(db, arena, &list_checkpoints, WITH(NUMBER(after), NUMBER(limit)),
                          sizeof **checkpoints, read_checkpoint, checkpoints, count);
}

static const struct statement newest_checkpoints = {"tlog_checkpoint_newest", CHECKPOINT_COLUMNS
                                                    " WHERE size > $1 ORDER BY size DESC LIMIT $2"};

enum db_status tlog_checkpoint_newest(struct db *db, struct arena *arena, int64_t after,
                                      size_t limit, struct tlog_checkpoint **checkpoints,
                                      size_t *count)
{
    return statement_list(db, arena, &newest_checkpoints, WITH(NUMBER(after), NUMBER(limit)),
                          sizeof **checkpoints, read_checkpoint, checkpoints, count);
}

static const struct statement find = {"tlog_find",
                                      "SELECT index FROM tillroll.log_leaf WHERE hash = $1"};

enum db_status tlog_find(struct db *db, const uint8_t hash[static MERKLE_HASH], uint64_t *index)
{
    return statement_value(db, &find, WITH(BYTES(hash, MERKLE_HASH)), index);
}

static const struct statement read_tiles = {
    "tlog_tiles_read",
    "SELECT place - 1, hash.index - wanted.first, hash.hash"
    " FROM unnest($1::integer[], $2::bigint[], $3::bigint[])"
    "  WITH ORDINALITY AS wanted (level, first, until, place)"
    " CROSS JOIN LATERAL ("
    "  SELECT index, hash FROM tillroll.log_hash"
    "  WHERE level = wanted.level AND index >= wanted.first AND index < wanted.until"
    " ) AS hash ORDER BY place, hash.index"};

static enum db_status query_tiles(struct db *db, struct arena *arena, uint64_t size,
                                  const struct tlog_tile *tiles, size_t count, struct rows *rows)
{
    int32_t *levels = arena_array(arena, count, sizeof *levels);
    int64_t *first = arena_array(arena, count, sizeof *first);
    int64_t *until = arena_array(arena, count, sizeof *until);
    for (size_t i = 0; i < count; i++) {
        int64_t width = (int64_t)tlog_level_width(size, tiles[i].level);
        levels[i] = (int32_t)tiles[i].level;
        first[i] = (int64_t)tiles[i].number * TLOG_TILE;
        until[i] = first[i] + TLOG_TILE < width ? first[i] + TLOG_TILE : width;
    }
    return statement_rows(
        db, &read_tiles,
        WITH(INTEGERS(levels, count), BIGINTS(first, count), BIGINTS(until, count)), rows);
}

/* Copies hashes into the tiles; a missing hash ends its tile. */
static void take_hashes(const struct rows *rows, struct tlog_tile *tiles,
                        uint8_t (*hash)[MERKLE_HASH])
{
    for (int row = 0; row < rows->count; row++) {
        size_t place = (size_t)row_integer(rows, row, 0);
        size_t index = (size_t)row_integer(rows, row, 1);
        if (tiles[place].count != index)
            continue;
        row_hash(rows, row, 2, hash[place * TLOG_TILE + index]);
        tiles[place].count++;
    }
}

enum db_status tlog_tiles_read(struct db *db, struct arena *arena, uint64_t size,
                               struct tlog_tile *tiles, size_t count)
{
    struct rows rows;
    uint8_t(*hash)[MERKLE_HASH] = arena_array(arena, count * TLOG_TILE, sizeof *hash);
    for (size_t i = 0; i < count; i++) {
        tiles[i].count = 0;
        tiles[i].hash = (const uint8_t(*)[MERKLE_HASH])hash + i * TLOG_TILE;
    }
    enum db_status status = query_tiles(db, arena, size, tiles, count, &rows);
    if (status != DB_OK)
        return status;
    take_hashes(&rows, tiles, hash);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement entries_from = {
    "tlog_entries", "SELECT index, entry, hash FROM tillroll.log_leaf"
                    " WHERE index >= $1 AND index < $1 + $2::bigint ORDER BY index"};

static void read_entry(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct tlog_entry *entry = element;
    entry->index = (uint64_t)row_integer(rows, row, 0);
    entry->entry = span_of(row_text(rows, row, 1, arena));
    row_hash(rows, row, 2, entry->hash);
}

enum db_status tlog_entries(struct db *db, struct arena *arena, uint64_t first, size_t limit,
                            struct tlog_entry **entries, size_t *count)
{
    return statement_list(db, arena, &entries_from, WITH(NUMBER(first), NUMBER(limit)),
                          sizeof **entries, read_entry, entries, count);
}

/* ---- Subjects of leaves ---- */

static const struct statement list_games = {
    "tlog_games",
    "SELECT id, event_id, coalesce(round, 0), coalesce(table_number, 0), slug, version"
    " FROM tillroll.game WHERE id = ANY ($1) ORDER BY id"};

static void read_game(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct tlog_game *game = element;
    *game = (struct tlog_game){.id = row_id(rows, row, 0),
                               .event = row_id(rows, row, 1),
                               .round = row_unsigned(rows, row, 2),
                               .table = row_unsigned(rows, row, 3),
                               .slug = row_text(rows, row, 4, arena),
                               .version = row_text(rows, row, 5, arena)};
}

enum db_status tlog_games(struct db *db, struct arena *arena, const struct id *ids, size_t count,
                          struct tlog_game **games, size_t *found)
{
    return statement_list(db, arena, &list_games, WITH(IDS(ids, count)), sizeof **games, read_game,
                          games, found);
}

static const struct statement list_disputes = {
    "tlog_disputes", "SELECT id, game_id FROM tillroll.dispute WHERE id = ANY ($1) ORDER BY id"};

static void read_dispute(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct tlog_dispute *dispute = element;
    (void)arena;
    *dispute = (struct tlog_dispute){.id = row_id(rows, row, 0), .game = row_id(rows, row, 1)};
}

enum db_status tlog_disputes(struct db *db, struct arena *arena, const struct id *ids, size_t count,
                             struct tlog_dispute **disputes, size_t *found)
{
    return statement_list(db, arena, &list_disputes, WITH(IDS(ids, count)), sizeof **disputes,
                          read_dispute, disputes, found);
}

/* ---- Cosignatures ---- */

static const struct statement cosign = {
    "cosignature_store", "INSERT INTO tillroll.log_cosignature (size, witness, seconds, line)"
                         " VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING"};

enum db_status cosignature_store(struct db *db, uint64_t size, const char *witness, uint64_t time_s,
                                 const char *line)
{
    return statement_change(db, &cosign,
                            WITH(NUMBER(size), TEXT(witness), NUMBER(time_s), TEXT(line)), DB_OK);
}

static const struct statement newest_of_witness = {
    "cosignature_newest", "SELECT size, seconds FROM tillroll.log_cosignature"
                          " WHERE witness = $1 ORDER BY size DESC, seconds DESC"
                          " LIMIT 1"};

enum db_status cosignature_newest(struct db *db, const char *witness, uint64_t *size,
                                  uint64_t *time_s)
{
    struct rows rows;
    enum db_status status = statement_row(db, &newest_of_witness, WITH(TEXT(witness)), &rows);
    if (status != DB_OK)
        return status;
    *size = (uint64_t)row_integer(&rows, 0, 0);
    *time_s = (uint64_t)row_integer(&rows, 0, 1);
    rows_free(&rows);
    return DB_OK;
}
