#include "db/store/games/daily_puzzles.h"

#include "db/link/statement.h"

static const struct statement add = {
    "daily_puzzle_add",
    "INSERT INTO tillroll.puzzle (ruleset, day, game_id, seq, seat, document)"
    " SELECT $1, greatest((SELECT day + 1 FROM tillroll.puzzle WHERE ruleset = $1"
    "   ORDER BY day DESC LIMIT 1), (tillroll.from_ms($2) AT TIME ZONE 'UTC')::date),"
    "  $3, $4, $5, $6"
    " ON CONFLICT (game_id, seq, seat) DO NOTHING"};

enum db_status daily_puzzle_add(struct db *db, const struct daily_puzzle *puzzle, int64_t now_ms)
{
    return statement_change(db, &add,
                            WITH(TEXT(puzzle->ruleset), NUMBER(now_ms), ID(&puzzle->game),
                                 NUMBER(puzzle->seq), NUMBER(puzzle->seat), TEXT(puzzle->document)),
                            DB_NONE);
}

static void read_puzzle(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct daily_puzzle *puzzle = element;
    *puzzle = (struct daily_puzzle){.game = row_id(rows, row, 0),
                                    .seq = row_unsigned(rows, row, 1),
                                    .seat = row_unsigned(rows, row, 2),
                                    .ruleset = row_text(rows, row, 3, arena),
                                    .day = row_text(rows, row, 4, arena),
                                    .previous = row_text(rows, row, 5, arena),
                                    .document = row_text(rows, row, 6, arena)};
}

static const struct statement find = {
    "daily_puzzle_find",
    "SELECT found.game_id, found.seq, found.seat, found.ruleset, found.day,"
    "  (SELECT day FROM tillroll.puzzle AS before WHERE before.ruleset = $1"
    "    AND before.day < found.day ORDER BY before.day DESC LIMIT 1), found.document"
    " FROM tillroll.puzzle AS found WHERE found.ruleset = $1 AND found.day <= $2"
    " ORDER BY found.day DESC LIMIT 1"};

enum db_status daily_puzzle_find(struct db *db, struct arena *arena, const char *ruleset,
                                 const char *day, struct daily_puzzle *puzzle)
{
    return statement_one(db, arena, &find, WITH(TEXT(ruleset), TEXT(day)), read_puzzle, puzzle);
}

static const struct statement has = {
    "daily_puzzle_has", "SELECT 1 FROM tillroll.puzzle WHERE ruleset = $1"
                        " AND day >= (tillroll.from_ms($2) AT TIME ZONE 'UTC')::date LIMIT 1"};

enum db_status daily_puzzle_has(struct db *db, const char *ruleset, int64_t day_ms)
{
    return statement_change(db, &has, WITH(TEXT(ruleset), NUMBER(day_ms)), DB_NONE);
}

static const struct statement games = {
    "daily_puzzle_games",
    "SELECT id FROM (SELECT id, version, voided FROM tillroll.game WHERE slug = $1"
    "  AND finished_at IS NOT NULL ORDER BY id DESC LIMIT $3) AS newest"
    " WHERE version = $2 AND NOT voided"
    " AND NOT EXISTS (SELECT FROM tillroll.puzzle WHERE puzzle.game_id = newest.id)"};

enum db_status daily_puzzle_games(struct db *db, struct arena *arena, const char *ruleset,
                                  const char *version, size_t most, struct id **ids, size_t *count)
{
    return statement_list(db, arena, &games, WITH(TEXT(ruleset), TEXT(version), NUMBER(most)),
                          sizeof **ids, row_read_id, ids, count);
}
