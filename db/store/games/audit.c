/* Two lists, of games and of records, are read in the order of their ids and merged, so that a game
 * without a record is found as well as a record without a game. The database joins the lines of a
 * record, because sending each by itself takes several times as long as finding it; the text stays
 * in libpq's memory. Few records are read row by row: archived ones, of which only the last row is
 * stored, and those with missing rows. */
#include "db/store/games/audit.h"

#include <string.h>

#include "db/lines/line_databases.h"
#include "db/link/statement.h"
#include "db/store/games/games.h"
#include "db/store/service/person.h"
#include "engine/base/sha256.h"

struct audit_rows {
    struct rows games, records;
};

static const struct statement next = {
    "audit_next", "SELECT max(page.id::text) FROM"
                  " (SELECT id FROM tillroll.game WHERE id > $1 ORDER BY id LIMIT $2) AS page"
                  " HAVING count(*) = $2"};

enum db_status audit_next(struct db *db, const struct id *after, size_t games, struct id *id)
{
    return statement_value(db, &next, WITH(AFTER(after), NUMBER(games)), id);
}

/* Numbers are sent in PostgreSQL's binary form: 4 or 8 bytes, big-endian. */
static const struct statement games_between = {
    "audit_games",
    "SELECT id, event_id, coalesce(round, 0), coalesce(table_number, 0), coalesce(board, 0), slug,"
    " version, finished_at IS NOT NULL, voided,"
    " (SELECT string_agg(uuid_send(player_id), '' ORDER BY seat) FROM tillroll.game_seat"
    "  WHERE game_id = game.id),"
    " (SELECT string_agg(int4send(score) || int4send(rank), '' ORDER BY seat)"
    "  FROM tillroll.game_result WHERE game_id = game.id)"
    " FROM tillroll.game WHERE id > $1 AND id <= $2 ORDER BY id"};

enum { RESULT_BYTES = 8 };

static uint32_t number_in(struct span bytes, size_t at)
{
    const uint8_t *byte = (const uint8_t *)bytes.at + at;
    return (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 | byte[3];
}

static uint32_t number_at(const struct rows *rows, int row, int column)
{
    return number_in(row_bytes_borrowed(rows, row, column), 0);
}

static struct id id_in(struct span bytes, size_t at)
{
    if (bytes.length == 0)
        return (struct id){""};
    return id_from_bytes((const uint8_t *)bytes.at + at);
}

static struct id id_at(const struct rows *rows, int row, int column)
{
    return id_in(row_bytes_borrowed(rows, row, column), 0);
}

static bool flag_at(const struct rows *rows, int row, int column)
{
    return row_bytes_borrowed(rows, row, column).at[0] != 0;
}

/* Reads seats and results, and their numbers; there can be more than a game can have only in a
 * database whose checks were removed. */
static void read_seats(struct span seats, struct span results, struct audit_game *game)
{
    game->seats = (unsigned)(seats.length / ID_BYTES);
    game->results = (unsigned)(results.length / RESULT_BYTES);
    for (unsigned seat = 0; seat < game->seats && seat < GAME_ROW_SEATS; seat++)
        game->seat[seat].player = id_in(seats, seat * ID_BYTES);
    for (unsigned seat = 0; seat < game->results && seat < GAME_ROW_SEATS; seat++) {
        game->seat[seat].score = (int)number_in(results, seat * RESULT_BYTES);
        game->seat[seat].rank = number_in(results, seat * RESULT_BYTES + 4);
    }
}

static void read_game(const struct rows *rows, int row, struct audit_game *game)
{
    *game = (struct audit_game){.id = id_at(rows, row, 0),
                                .event = id_at(rows, row, 1),
                                .round = number_at(rows, row, 2),
                                .table = number_at(rows, row, 3),
                                .board = number_at(rows, row, 4),
                                .slug = row_bytes_borrowed(rows, row, 5),
                                .version = row_bytes_borrowed(rows, row, 6),
                                .finished = flag_at(rows, row, 7),
                                .voided = flag_at(rows, row, 8)};
    read_seats(row_bytes_borrowed(rows, row, 9), row_bytes_borrowed(rows, row, 10), game);
}

/* The limit prevents a parallel plan that would distribute the rows of a record and join them in
 * another order. */
static const struct statement records_between = {
    "audit_lines",
    "SELECT game_id, string_agg(line, E'\\n') || E'\\n', string_agg(hash, ''::bytea), max(seq)"
    " FROM (SELECT game_id, seq, line, hash FROM tillroll.record_line"
    "  WHERE game_id > $1 AND game_id <= $2 ORDER BY game_id, seq LIMIT 2147483647) AS row"
    " GROUP BY game_id ORDER BY game_id"};

/* ---- Records ---- */

static uint32_t count_lines(struct span text)
{
    uint32_t lines = 1;
    for (size_t i = 0; i < text.length; i++)
        lines += text.at[i] == '\n';
    return lines;
}

/* Returns the line of the record before which the first missing row belongs; 0 if none is missing.
 */
static uint32_t find_gap(const struct record_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].seq != i)
            return i == 0 ? 1 : count_lines(rows[0].line) + (uint32_t)i;
    return 0;
}

/* Reads a record row by row, from its file if it is archived. */
static enum db_status read_rows(struct db *db, struct arena *arena, struct audit_record *record)
{
    struct record_row *rows;
    size_t count;
    enum db_status status = record_read(db, arena, &record->id, -1, &rows, &count);
    record->archive_missing = status == DB_ARCHIVE;
    if (status != DB_OK)
        return record->archive_missing ? DB_OK : status;
    char *hashes = arena_take(arena, count * SHA256_BYTES);
    for (size_t i = 0; i < count; i++)
        memcpy(hashes + i * SHA256_BYTES, rows[i].hash, SHA256_BYTES);
    record->text = record_join(arena, rows, count);
    record->hashes = (struct span){hashes, count * SHA256_BYTES};
    record->count = count;
    record->gap = find_gap(rows, count);
    return DB_OK;
}

/* True if the record has no end, so that its last lines may be in a line database. */
static bool may_continue(struct span text)
{
    size_t at = text.length;
    while (at > 1 && text.at[at - 2] != '\n')
        at--;
    at -= at > 0;
    return line_databases_count() > 0 &&
           !(text.length - at > 5 && memcmp(text.at + at, "head ", 5) == 0);
}

static enum db_status read_record(struct db *db, struct audit_page *page, int row,
                                  struct audit_record *record)
{
    const struct rows *rows = &page->held->records;
    record->text = row_bytes_borrowed(rows, row, 1);
    record->hashes = row_bytes_borrowed(rows, row, 2);
    record->count = record->hashes.length / SHA256_BYTES;
    bool whole =
        record->count == (size_t)number_at(rows, row, 3) + 1 && !may_continue(record->text);
    return whole ? DB_OK : read_rows(db, &page->arena, record);
}

/* ---- Merging ---- */

static struct id next_id(const struct rows *rows, int row)
{
    static const struct id behind_all = {"~"};
    return row < rows->count ? id_at(rows, row, 0) : behind_all;
}

static enum db_status merge(struct db *db, struct audit_page *page)
{
    const struct rows *games = &page->held->games, *records = &page->held->records;
    size_t most = (size_t)games->count + (size_t)records->count;
    struct audit_game *kept = arena_array(&page->arena, (size_t)games->count, sizeof *kept);
    enum db_status status = DB_OK;
    int game = 0, row = 0;
    page->records = arena_array(&page->arena, most, sizeof *page->records);
    while (status == DB_OK && (row < records->count || game < games->count)) {
        struct audit_record *record = &page->records[page->count++];
        struct id of_game = next_id(games, game), of_record = next_id(records, row);
        int order = strcmp(of_record.text, of_game.text);
        record->id = order <= 0 ? of_record : of_game;
        if (order >= 0) {
            read_game(games, game, &kept[game]);
            record->game = &kept[game++];
        }
        if (order <= 0)
            status = read_record(db, page, row++, record);
        page->rows += record->count;
    }
    return status;
}

/* Assigns the signatures to the records; both are in the same order. */
static void assign_signatures(struct audit_page *page, const struct game_signature *signatures,
                              size_t count)
{
    struct signature *kept = arena_array(&page->arena, count, sizeof *kept);
    size_t at = 0;
    for (size_t i = 0; i < page->count; i++) {
        struct audit_record *record = &page->records[i];
        while (at < count && strcmp(signatures[at].game.text, record->id.text) < 0)
            at++;
        record->signatures = kept + at;
        for (; at < count && id_equal(&signatures[at].game, &record->id); at++) {
            kept[at] = signatures[at].signature;
            record->signature_count++;
        }
    }
}

enum db_status audit_read(struct db *db, const struct id *after, const struct id *until,
                          struct audit_page *page)
{
    struct game_signature *signatures = NULL;
    size_t signature_count = 0;
    const struct value *p = WITH(AFTER(after), BEFORE(until));
    *page = (struct audit_page){.count = 0};
    page->held = arena_take(&page->arena, sizeof *page->held);
    *page->held = (struct audit_rows){.games = {.count = 0}};
    enum db_status status = statement_rows_binary(db, &games_between, p, &page->held->games);
    if (status == DB_OK)
        status = signature_range(db, &page->arena, after, until, &signatures, &signature_count);
    if (status == DB_OK)
        status = statement_rows_binary(db, &records_between, p, &page->held->records);
    if (status == DB_OK)
        status = merge(db, page);
    assign_signatures(page, signatures, signature_count);
    if (status != DB_OK)
        audit_page_free(page);
    return status;
}

void audit_page_free(struct audit_page *page)
{
    rows_free(&page->held->games);
    rows_free(&page->held->records);
    arena_free(&page->arena);
}

static const struct statement round_runs = {
    "audit_round_runs", "SELECT EXISTS (SELECT FROM tillroll.game WHERE event_id = $1"
                        " AND round = $2 AND finished_at IS NULL)"};

enum db_status audit_round_runs(struct db *db, const struct id *event, unsigned round, bool *runs)
{
    return statement_value(db, &round_runs, WITH(ID(event), NUMBER(round)), runs);
}

/* ---- The transparency log ---- */

/* A leaf that cannot be parsed yields no game. */
static const struct statement other_heads = {
    "audit_heads",
    "SELECT leaf.index, game_id FROM ("
    "  SELECT index, entry, CASE"
    "   WHEN entry ~ E'^tillroll game\\n[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}\\n'"
    "   THEN split_part(entry, E'\\n', 2)::uuid END AS game"
    "  FROM tillroll.log_leaf WHERE index >= $1 AND index < $1 + $2::bigint"
    " ) AS leaf CROSS JOIN LATERAL ("
    "  SELECT game_id, line FROM tillroll.record_line"
    "  WHERE game_id = leaf.game ORDER BY seq DESC LIMIT 1"
    " ) AS last"
    " WHERE last.line LIKE 'head %'"
    "  AND substr(last.line, 6, 64) <> split_part(leaf.entry, E'\\n', 3)"
    " ORDER BY leaf.index"};

static void read_head(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct audit_head *head = element;
    (void)arena;
    *head = (struct audit_head){(uint64_t)row_integer(rows, row, 0), row_id(rows, row, 1)};
}

enum db_status audit_heads(struct db *db, struct arena *arena, uint64_t first, size_t limit,
                           struct audit_head **heads, size_t *count)
{
    return statement_list(db, arena, &other_heads, WITH(NUMBER(first), NUMBER(limit)),
                          sizeof **heads, read_head, heads, count);
}

/* Columns of the four statements: an id, and whether the leaf about it is missing. They check only
 * rows that are newer than such leaves. */

#define FIRST_CHECKPOINT "(SELECT signed_at FROM tillroll.log_checkpoint ORDER BY size LIMIT 1)"
/* True if no entry of `from` is a leaf or queued. */
#define NONE_LOGGED(from)                                                                          \
    " WHERE NOT EXISTS (SELECT FROM tillroll.log_leaf"                                             \
    "   WHERE hash = tillroll.log_leaf_hash(" from ".entry))"                                      \
    "  AND NOT EXISTS (SELECT FROM tillroll.log_queue WHERE entry = " from ".entry))"

static const struct statement unlogged = {
    "audit_unlogged",
    "WITH page AS (SELECT id, finished_at FROM tillroll.game WHERE id > $1 ORDER BY id LIMIT $2)"
    " SELECT page.id, CASE"
    "  WHEN finished_at >= " FIRST_CHECKPOINT "  THEN EXISTS (SELECT FROM ("
    "    SELECT E'tillroll game\\n' || game_id || E'\\n' || substr(line, 6, 64) || E'\\n' AS entry"
    "    FROM (SELECT game_id, line FROM tillroll.record_line"
    "          WHERE game_id = page.id ORDER BY seq DESC LIMIT 1) AS row"
    "    WHERE line LIKE 'head %' OFFSET 0"
    "   ) AS last" NONE_LOGGED("last") " ELSE false END FROM page ORDER BY page.id"};

/* The commitment is taken from the record's header. */
static const struct statement uncommitted = {
    "audit_uncommitted",
    "WITH page AS (SELECT id, event_id, round, board, started_at FROM tillroll.game"
    "  WHERE id > $1 ORDER BY id LIMIT $2)"
    " SELECT page.id, CASE"
    "  WHEN started_at >= " FIRST_CHECKPOINT "  THEN EXISTS (SELECT FROM ("
    "    SELECT E'tillroll commitment\\n' || CASE WHEN board IS NULL THEN page.id::text"
    "      ELSE event_id || '/round/' || round END || E'\\n' || commitment || E'\\n' AS entry"
    "    FROM (SELECT substring(line FROM E'\\ncommit ([0-9a-f]{64}) ') AS commitment"
    "          FROM tillroll.record_line WHERE game_id = page.id AND seq = 0) AS row"
    "    WHERE commitment IS NOT NULL OFFSET 0"
    "   ) AS header" NONE_LOGGED("header") " ELSE false END FROM page ORDER BY page.id"};

/* The leaf of the newest line covers all lines before it. Such leaves exist since migration 49. */
static const struct statement unlogged_events = {
    "audit_unlogged_events",
    "WITH page AS (SELECT id FROM tillroll.event WHERE id > $1 ORDER BY id LIMIT $2)"
    " SELECT page.id, EXISTS (SELECT FROM ("
    "    SELECT format(E'tillroll event-step\\n%s/line/%s\\n%s\\n', event_id, seq,"
    "      encode(hash, 'hex')) AS entry"
    "    FROM (SELECT event_id, seq, hash, at FROM tillroll.event_step"
    "          WHERE event_id = page.id ORDER BY seq DESC LIMIT 1) AS row"
    "    WHERE at >= (SELECT applied_at FROM tillroll.migration WHERE number = 49) OFFSET 0"
    "   ) AS last" NONE_LOGGED("last") " FROM page ORDER BY page.id"};

static const struct statement uncommitted_events = {
    "audit_uncommitted_events",
    "WITH page AS (SELECT id, commitment, created_at FROM tillroll.event"
    "  WHERE id > $1 ORDER BY id LIMIT $2)"
    " SELECT page.id, CASE"
    "  WHEN created_at >= " FIRST_CHECKPOINT "  THEN EXISTS (SELECT FROM ("
    "    SELECT format(E'tillroll commitment\\n%s\\n%s\\n', page.id, encode(commitment, 'hex'))"
    "     AS entry OFFSET 0"
    "   ) AS secret" NONE_LOGGED("secret") " ELSE false END FROM page ORDER BY page.id"};

enum db_status audit_unlogged(struct db *db, enum audit_leaf leaf, struct arena *arena,
                              const struct id *after, size_t limit, struct id **ids, size_t *count,
                              struct id *last)
{
    static const struct statement *const statements[] = {[AUDIT_LEAF_GAME] = &unlogged,
                                                         [AUDIT_LEAF_COMMITMENT] = &uncommitted,
                                                         [AUDIT_LEAF_EVENT] = &unlogged_events,
                                                         [AUDIT_LEAF_EVENT_COMMITMENT] =
                                                             &uncommitted_events};
    struct rows rows;
    enum db_status status =
        statement_row(db, statements[leaf], WITH(AFTER(after), NUMBER(limit)), &rows);
    if (status != DB_OK)
        return status;
    *count = 0;
    *ids = arena_array(arena, (size_t)rows.count, sizeof **ids);
    for (int row = 0; row < rows.count; row++)
        if (row_boolean(&rows, row, 1))
            (*ids)[(*count)++] = row_id(&rows, row, 0);
    *last = row_id(&rows, rows.count - 1, 0);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement is_logged = {
    "audit_is_logged",
    "SELECT EXISTS (SELECT FROM tillroll.log_leaf WHERE hash = tillroll.log_leaf_hash($1))"
    " OR EXISTS (SELECT FROM tillroll.log_queue WHERE entry = $1)"};

enum db_status audit_is_logged(struct db *db, const char *entry, bool *logged)
{
    return statement_value(db, &is_logged, WITH(TEXT(entry)), logged);
}

static const struct statement rulings_after = {
    "audit_rulings",
    "SELECT event_id, seq FROM tillroll.event_step"
    " WHERE (event_id, seq) > ($1, $2::integer) AND kind IN ('ruled', 'ruling_revoked', "
    "'table_replayed')"
    "  AND at >= (SELECT signed_at FROM tillroll.log_checkpoint ORDER BY size LIMIT 1)"
    " ORDER BY event_id, seq LIMIT $3"};

static void read_ruling(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct audit_ruling *ruling = element;
    (void)arena;
    *ruling = (struct audit_ruling){row_id(rows, row, 0), row_unsigned(rows, row, 1)};
}

enum db_status audit_rulings(struct db *db, struct arena *arena, const struct audit_ruling *after,
                             size_t limit, struct audit_ruling **rulings, size_t *count)
{
    return statement_list(db, arena, &rulings_after,
                          WITH(AFTER(&after->event), NUMBER(after->line), NUMBER(limit)),
                          sizeof **rulings, read_ruling, rulings, count);
}

/* ---- Officials who were parties ---- */

/* True if a player of the same person as `player_id` has, or had, a seat in the game with this id.
 */
#define SEATS_PERSON(game, player_id)                                                              \
    "EXISTS (SELECT FROM tillroll.game_seat AS seat"                                               \
    " JOIN tillroll.player ON player.id = ANY (seat.put_out || seat.player_id)"                    \
    " WHERE seat.game_id = " game                                                                  \
    " AND " PERSON_OF_ROW("player") " = " PERSON_OF(player_id) " OFFSET 0)"

/* Columns: event, game, line, round, table, official, party. */
static void read_act(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct audit_act *act = element;
    (void)arena;
    *act = (struct audit_act){.event = row_id(rows, row, 0),
                              .game = row_id(rows, row, 1),
                              .line = row_unsigned(rows, row, 2),
                              .round = row_unsigned(rows, row, 3),
                              .table = row_unsigned(rows, row, 4),
                              .official = row_id(rows, row, 5),
                              .party = row_boolean(rows, row, 6)};
}

static enum db_status list_acts(struct db *db, struct arena *arena,
                                const struct statement *statement, const struct id *after,
                                unsigned line, size_t limit, struct audit_act **acts, size_t *count)
{
    return statement_list(db, arena, statement, WITH(AFTER(after), NUMBER(line), NUMBER(limit)),
                          sizeof **acts, read_act, acts, count);
}

static const struct statement ruled = {
    "audit_ruled",
    "SELECT step.event_id, NULL::uuid, step.seq, step.round, step.number, step.actor_id,"
    " step.actor_id IS NOT NULL AND EXISTS (SELECT FROM tillroll.game"
    "  WHERE game.event_id = step.event_id AND game.round = step.round"
    "   AND game.table_number = step.number AND " SEATS_PERSON(
        "game.id",
        "step.actor_id") ")"
                         " FROM (SELECT event_id, seq, actor_id, (detail ->> 'round')::integer AS "
                         "round,"
                         "  (detail ->> 'table')::integer AS number FROM tillroll.event_step"
                         "  WHERE (event_id, seq) > ($1, $2::integer)"
                         "   AND kind IN ('ruled', 'ruling_revoked', 'table_replayed')"
                         "  ORDER BY event_id, seq LIMIT $3) AS step ORDER BY step.event_id, "
                         "step.seq"};

enum db_status audit_ruled(struct db *db, struct arena *arena, const struct audit_act *after,
                           size_t limit, struct audit_act **acts, size_t *count)
{
    return list_acts(db, arena, &ruled, &after->event, after->line, limit, acts, count);
}

static const struct statement noted = {
    "audit_acts",
    "SELECT NULL::uuid, act.game_id, act.seq, 0, 0, act.player_id,"
    " " SEATS_PERSON("act.game_id",
                     "act.player_id") " FROM tillroll.official_act AS act"
                                      " WHERE (act.game_id, act.seq) > ($1, $2::integer)"
                                      " ORDER BY act.game_id, act.seq LIMIT $3"};

enum db_status audit_acts(struct db *db, struct arena *arena, const struct audit_act *after,
                          size_t limit, struct audit_act **acts, size_t *count)
{
    return list_acts(db, arena, &noted, &after->game, after->line, limit, acts, count);
}

static const struct statement unsaid = {
    "audit_unsaid_acts",
    "SELECT page.event_id, page.id, 0, 0, 0, party.player_id, party.player_id IS NOT NULL"
    " FROM (SELECT id, event_id, on_timeout FROM tillroll.game WHERE id > $1 AND $2::integer = 0"
    "  ORDER BY id LIMIT $3) AS page"
    " LEFT JOIN LATERAL (SELECT role.player_id FROM tillroll.event_role AS role"
    "  WHERE role.event_id = page.event_id"
    "   AND EXISTS (SELECT FROM tillroll.game_seat AS hit WHERE hit.game_id = page.id"
    "    AND (hit.put_out <> '{}'"
    "     OR (hit.forfeited AND coalesce(page.on_timeout, '') <> 'forfeit')"
    "     OR (hit.fallback AND NOT hit.forfeited"
    "      AND coalesce(page.on_timeout, '') <> 'fallback'))"
    "    AND NOT EXISTS (SELECT FROM tillroll.player"
    "     WHERE player.id = ANY (hit.put_out || hit.player_id)"
    "      AND " PERSON_OF_ROW("player") " = " PERSON_OF(
        "role.player_id") " OFFSET 0) OFFSET 0)"
                          "   AND NOT EXISTS (SELECT FROM tillroll.official_act AS act"
                          "    WHERE act.game_id = page.id OFFSET 0)"
                          "   AND " SEATS_PERSON(
                              "page.id", "role.player_id") "  ORDER BY role.player_id LIMIT 1) AS "
                                                           "party ON true ORDER BY page.id"};

enum db_status audit_unsaid_acts(struct db *db, struct arena *arena, const struct audit_act *after,
                                 size_t limit, struct audit_act **acts, size_t *count)
{
    return list_acts(db, arena, &unsaid, &after->game, 0, limit, acts, count);
}
