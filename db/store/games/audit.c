/* Two lists, of games and of lines, are put in the order of ids and laid side by side: a game
 * without a record shows as well as a record without a game. The lines come in binary form and stay
 * where libpq has put them, because there are many. They are put in order here: on disk the lines
 * of a game mostly follow each other, so there is little to do, while the server would sort them
 * one by one.
 */
#include "db/store/games/audit.h"

#include <stdlib.h>
#include <string.h>

#include "db/link/statement.h"
#include "db/store/games/archive.h"
#include "db/store/games/games.h"
#include "db/store/games/parties.h"

struct audit_rows {
    struct rows lines;
};

static const struct statement next = {
    "audit_next", "SELECT max(page.id::text) FROM"
                  " (SELECT id FROM tillroll.game WHERE id > $1 ORDER BY id LIMIT $2) AS page"
                  " HAVING count(*) = $2"};

enum db_status audit_next(struct db *db, const struct id *after, size_t games, struct id *id)
{
    struct rows rows;
    enum db_status status = statement_row(db, &next, WITH(AFTER(after), NUMBER(games)), &rows);
    if (status != DB_OK)
        return status;
    *id = row_id(&rows, 0, 0);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement games_between = {"audit_games", GAME_ROW_COLUMNS
                                               " FROM tillroll.game" GAME_ROW_JOINS
                                               " WHERE game.id > $1 AND game.id <= $2"
                                               " ORDER BY game.id, seat.seat"};

static enum db_status read_games(struct db *db, const struct value *p, struct arena *arena,
                                 struct game_row **games, size_t *count)
{
    struct rows rows;
    enum db_status status = statement_rows(db, &games_between, p, &rows);
    if (status == DB_OK)
        game_rows_read(&rows, arena, games, count);
    return status;
}

static const struct statement lines_between = {
    "audit_lines", "SELECT game_id, seq, line, hash FROM tillroll.record_line"
                   " WHERE game_id > $1 AND game_id <= $2"};

/* ---- Lines ---- */

static const uint8_t *id_at(const struct rows *lines, int row)
{
    return (const uint8_t *)row_bytes_borrowed(lines, row, 0).at;
}

static unsigned number_at(const struct rows *lines, int row, int column)
{
    const uint8_t *bytes = (const uint8_t *)row_bytes_borrowed(lines, row, column).at;
    return (unsigned)bytes[0] << 24 | (unsigned)bytes[1] << 16 | (unsigned)bytes[2] << 8 | bytes[3];
}

/* A hash of another length than 32, which the table does not allow, stays zero and so fits none. */
static void read_line(const struct rows *lines, int row, struct record_row *line)
{
    struct span hash = row_bytes_borrowed(lines, row, 3);
    line->seq = number_at(lines, row, 1);
    line->line = row_bytes_borrowed(lines, row, 2);
    if (hash.length == sizeof line->hash)
        memcpy(line->hash, hash.at, sizeof line->hash);
}

/* Lines of one game that follow each other. */
struct run {
    const uint8_t *id;
    int first, count;
};

static int compare_runs(const void *a, const void *b)
{
    const struct run *first = a;
    const struct run *second = b;
    int order = memcmp(first->id, second->id, ID_BYTES);
    return order != 0 ? order : first->first - second->first;
}

static struct run *find_runs(const struct rows *lines, struct arena *arena, size_t *count)
{
    struct run *runs = arena_array(arena, (size_t)lines->count, sizeof *runs);
    *count = 0;
    for (int row = 0; row < lines->count; row++) {
        const uint8_t *id = id_at(lines, row);
        if (*count == 0 || memcmp(runs[*count - 1].id, id, ID_BYTES) != 0)
            runs[(*count)++] = (struct run){id, row, 0};
        runs[*count - 1].count++;
    }
    if (*count > 0)
        qsort(runs, *count, sizeof *runs, compare_runs);
    return runs;
}

static int compare_rows(const void *a, const void *b)
{
    unsigned first = ((const struct record_row *)a)->seq;
    unsigned second = ((const struct record_row *)b)->seq;
    return (first > second) - (first < second);
}

static void order_rows(struct audit_record *record)
{
    bool ordered = true;
    for (size_t i = 1; i < record->count; i++)
        ordered = ordered && record->rows[i - 1].seq < record->rows[i].seq;
    if (!ordered)
        qsort(record->rows, record->count, sizeof *record->rows, compare_rows);
}

/* The record to which the first of these runs belongs; its rows go to `kept`. Returns how many runs
 * it has. */
static size_t read_record(const struct rows *lines, const struct run *runs, size_t count,
                          struct record_row *kept, struct audit_record *record)
{
    size_t used = 0;
    record->id = id_from_bytes(runs[0].id);
    record->rows = kept;
    for (; used < count && memcmp(runs[used].id, runs[0].id, ID_BYTES) == 0; used++)
        for (int i = 0; i < runs[used].count; i++)
            read_line(lines, runs[used].first + i, &kept[record->count++]);
    order_rows(record);
    return used;
}

/* ---- Side by side ---- */

static void merge(struct audit_page *page, const struct rows *lines, const struct game_row *games,
                  size_t game_count)
{
    size_t run_count;
    const struct run *runs = find_runs(lines, &page->arena, &run_count);
    struct record_row *kept = arena_array(&page->arena, (size_t)lines->count, sizeof *kept);
    page->records = arena_array(&page->arena, game_count + run_count, sizeof *page->records);
    size_t game = 0;
    size_t run = 0;
    while (run < run_count || game < game_count) {
        struct audit_record *record = &page->records[page->count++];
        struct id next_lines = {"~"}; /* behind every id */
        if (run < run_count)
            next_lines = id_from_bytes(runs[run].id);
        if (game == game_count || strcmp(next_lines.text, games[game].id.text) <= 0)
            run += read_record(lines, runs + run, run_count - run, kept + page->rows, record);
        else
            record->id = games[game].id;
        page->rows += record->count;
        if (game < game_count && id_equal(&record->id, &games[game].id))
            record->game = &games[game++];
    }
}

/* Gives each record its signatures, which come in the same order. */
static void share_out(struct audit_page *page, const struct game_signature *signatures,
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

/* Takes those from their files of which the last row alone is stored. */
static enum db_status read_archived(struct db *db, struct audit_page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        struct audit_record *record = &page->records[i];
        struct record_row *rows;
        size_t count;
        if (record->count == 0 || record->rows[0].seq == 0)
            continue;
        enum db_status status =
            archive_read(db, &page->arena, &record->id, record->rows, record->count, &rows, &count);
        record->archive_missing = status == DB_ARCHIVE;
        if (status == DB_OK) {
            page->rows += count - record->count;
            record->rows = rows;
            record->count = count;
        } else if (status != DB_NONE && status != DB_ARCHIVE) {
            return status;
        }
    }
    return DB_OK;
}

enum db_status audit_read(struct db *db, const struct id *after, const struct id *until,
                          struct audit_page *page)
{
    struct game_row *games;
    struct game_signature *signatures;
    size_t game_count, signature_count;
    const struct value *p = WITH(AFTER(after), BEFORE(until));
    *page = (struct audit_page){.count = 0};
    enum db_status status = read_games(db, p, &page->arena, &games, &game_count);
    if (status == DB_OK)
        status = signature_range(db, &page->arena, after, until, &signatures, &signature_count);
    if (status == DB_OK) {
        page->held = arena_take(&page->arena, sizeof *page->held);
        status = statement_rows_binary(db, &lines_between, p, &page->held->lines);
    }
    if (status != DB_OK) {
        arena_free(&page->arena);
        return status;
    }
    merge(page, &page->held->lines, games, game_count);
    share_out(page, signatures, signature_count);
    status = read_archived(db, page);
    if (status != DB_OK)
        audit_page_free(page);
    return status;
}

void audit_page_free(struct audit_page *page)
{
    rows_free(&page->held->lines);
    arena_free(&page->arena);
}

static const struct statement round_runs = {
    "audit_round_runs", "SELECT EXISTS (SELECT FROM tillroll.game WHERE event_id = $1"
                        " AND round = $2 AND finished_at IS NULL)"};

enum db_status audit_round_runs(struct db *db, const struct id *event, unsigned round, bool *runs)
{
    struct rows rows;
    enum db_status status = statement_row(db, &round_runs, WITH(ID(event), NUMBER(round)), &rows);
    if (status != DB_OK)
        return status;
    *runs = row_boolean(&rows, 0, 0);
    rows_free(&rows);
    return DB_OK;
}

/* ---- The transparency log ---- */

/* What is damaged names no game. */
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

enum db_status audit_heads(struct db *db, struct arena *arena, uint64_t first, size_t limit,
                           struct audit_head **heads, size_t *count)
{
    struct rows rows;
    enum db_status status =
        statement_rows(db, &other_heads, WITH(NUMBER(first), NUMBER(limit)), &rows);
    if (status != DB_OK)
        return status;
    *count = (size_t)rows.count;
    *heads = arena_array(arena, *count, sizeof **heads);
    for (int row = 0; row < rows.count; row++)
        (*heads)[row] =
            (struct audit_head){(uint64_t)row_integer(&rows, row, 0), row_id(&rows, row, 1)};
    rows_free(&rows);
    return DB_OK;
}

static const struct statement unlogged = {
    "audit_unlogged",
    "WITH page AS (SELECT id, finished_at FROM tillroll.game WHERE id > $1 ORDER BY id LIMIT $2)"
    " SELECT page.id, coalesce("
    "  finished_at >= (SELECT signed_at FROM tillroll.log_checkpoint ORDER BY size LIMIT 1)"
    "  AND last.entry IS NOT NULL AND NOT EXISTS (SELECT FROM tillroll.log_leaf"
    "   WHERE hash = tillroll.log_leaf_hash(last.entry))"
    "  AND NOT EXISTS (SELECT FROM tillroll.log_queue WHERE entry = last.entry), false)"
    " FROM page LEFT JOIN LATERAL ("
    "  SELECT E'tillroll game\\n' || game_id || E'\\n' || substr(line, 6, 64) || E'\\n' AS entry"
    "  FROM (SELECT game_id, line FROM tillroll.record_line"
    "        WHERE game_id = page.id ORDER BY seq DESC LIMIT 1) AS row"
    "  WHERE line LIKE 'head %'"
    " ) AS last ON last.entry IS NOT NULL ORDER BY page.id"};

enum db_status audit_unlogged(struct db *db, struct arena *arena, const struct id *after,
                              size_t limit, struct id **games, size_t *count, struct id *last)
{
    struct rows rows;
    enum db_status status = statement_row(db, &unlogged, WITH(AFTER(after), NUMBER(limit)), &rows);
    if (status != DB_OK)
        return status;
    *count = 0;
    *games = arena_array(arena, (size_t)rows.count, sizeof **games);
    for (int row = 0; row < rows.count; row++)
        if (row_boolean(&rows, row, 1))
            (*games)[(*count)++] = row_id(&rows, row, 0);
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
    struct rows rows;
    enum db_status status = statement_row(db, &is_logged, WITH(TEXT(entry)), &rows);
    if (status != DB_OK)
        return status;
    *logged = row_boolean(&rows, 0, 0);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement rulings_after = {
    "audit_rulings",
    "SELECT event_id, seq FROM tillroll.event_step"
    " WHERE (event_id, seq) > ($1, $2::integer) AND kind IN ('ruled', 'ruling_revoked', "
    "'table_replayed')"
    "  AND at >= (SELECT signed_at FROM tillroll.log_checkpoint ORDER BY size LIMIT 1)"
    " ORDER BY event_id, seq LIMIT $3"};

enum db_status audit_rulings(struct db *db, struct arena *arena, const struct audit_ruling *after,
                             size_t limit, struct audit_ruling **rulings, size_t *count)
{
    struct rows rows;
    enum db_status status = statement_rows(
        db, &rulings_after, WITH(AFTER(&after->event), NUMBER(after->line), NUMBER(limit)), &rows);
    if (status != DB_OK)
        return status;
    *count = (size_t)rows.count;
    *rulings = arena_array(arena, *count, sizeof **rulings);
    for (int row = 0; row < rows.count; row++)
        (*rulings)[row] =
            (struct audit_ruling){row_id(&rows, row, 0), (unsigned)row_integer(&rows, row, 1)};
    rows_free(&rows);
    return DB_OK;
}

/* ---- Officials who were a party ---- */

/* True if a game, by its id, has or had a player of the same person as another player. */
#define SEATS_PERSON(game, player_id)                                                              \
    "EXISTS (SELECT FROM tillroll.game_seat AS seat"                                               \
    " JOIN tillroll.player ON player.id = ANY (seat.put_out || seat.player_id)"                    \
    " WHERE seat.game_id = " game                                                                  \
    " AND " PARTY_PERSON("player") " = " PARTY_PERSON_OF(player_id) " OFFSET 0)"

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
    "      AND " PARTY_PERSON("player") " = " PARTY_PERSON_OF(
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
