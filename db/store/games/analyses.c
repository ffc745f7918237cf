#include "db/store/games/analyses.h"

#include "db/link/statement.h"
#include "db/store/service/person.h"

/* ---- Reading ---- */

#define ANALYSIS_COLUMNS                                                                           \
    "game_id, maker, document, attempts, leased_until > clock_timestamp(), done, total"

static void read_analysis(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct analysis_row *analysis = element;
    *analysis = (struct analysis_row){.game = row_id(rows, row, 0),
                                      .maker = row_text(rows, row, 1, arena),
                                      .document = row_text(rows, row, 2, arena),
                                      .attempts = row_unsigned(rows, row, 3),
                                      .leased = row_boolean(rows, row, 4),
                                      .done = row_unsigned(rows, row, 5),
                                      .total = row_unsigned(rows, row, 6)};
}

static const struct statement find = {
    "analysis_find", "SELECT " ANALYSIS_COLUMNS " FROM tillroll.game_analysis WHERE game_id = $1"};

enum db_status analysis_find(struct db *db, struct arena *arena, const struct id *game,
                             struct analysis_row *row)
{
    return statement_one(db, arena, &find, WITH(ID(game)), read_analysis, row);
}

static const struct statement count = {
    "analysis_count",
    "SELECT (SELECT count(*) FROM (SELECT FROM tillroll.game_analysis"
    "         WHERE asked_by = ANY (" PERSON_PLAYERS_OF(
        "$1") ") AND attempts < $3 LIMIT $2) AS own),"
              "       (SELECT count(*) FROM (SELECT FROM tillroll.game_analysis"
              "         WHERE document IS NULL AND asked_at > '-infinity' LIMIT $2) AS waiting)"};

enum db_status analysis_count_waiting(struct db *db, const struct id *player, unsigned most,
                                      unsigned *own, unsigned *all)
{
    struct rows rows;
    enum db_status status =
        statement_row(db, &count, WITH(ID(player), NUMBER(most), NUMBER(ANALYSIS_ATTEMPTS)), &rows);
    if (status != DB_OK)
        return status;
    *own = row_unsigned(&rows, 0, 0);
    *all = row_unsigned(&rows, 0, 1);
    rows_free(&rows);
    return DB_OK;
}

/* ---- Requesting ---- */

static const struct statement ask = {
    "analysis_ask",
    "INSERT INTO tillroll.game_analysis (game_id, asked_by, maker) VALUES ($1, $2, $3)"
    " ON CONFLICT (game_id) DO UPDATE SET asked_by = EXCLUDED.asked_by, maker = EXCLUDED.maker,"
    "  asked_at = EXCLUDED.asked_at, attempts = 0, leased_by = NULL, leased_until = NULL,"
    "  done = 0, total = 0, plies = NULL, document = NULL"
    " WHERE game_analysis.maker <> EXCLUDED.maker"};

enum db_status analysis_ask(struct db *db, const struct id *game, const struct id *player,
                            const char *maker)
{
    return statement_change(db, &ask, WITH(ID(game), ID(player), TEXT(maker)), DB_OK);
}

/* ---- Making ---- */

static const struct statement lease = {
    "analysis_lease",
    "UPDATE tillroll.game_analysis SET leased_by = $1, attempts = attempts + 1, done = 0,"
    "  total = 0, plies = '', leased_until = clock_timestamp() + make_interval(secs => $3)"
    " WHERE game_id = (SELECT game_id FROM tillroll.game_analysis"
    "  WHERE document IS NULL AND asked_at > '-infinity' AND maker = $2 AND attempts < $4"
    "   AND (leased_until IS NULL OR leased_until < clock_timestamp())"
    "  ORDER BY asked_at, game_id LIMIT 1 FOR UPDATE SKIP LOCKED)"
    " RETURNING " ANALYSIS_COLUMNS};

enum db_status analysis_lease(struct db *db, struct arena *arena, const struct id *player,
                              const char *maker, struct analysis_row *row)
{
    return statement_one(
        db, arena, &lease,
        WITH(ID(player), TEXT(maker), NUMBER(ANALYSIS_LEASE_S), NUMBER(ANALYSIS_ATTEMPTS)),
        read_analysis, row);
}

#define OWN_LEASE " WHERE game_id = $1 AND leased_by = $2 AND attempts = $3 AND document IS NULL"

static const struct statement deliver = {
    "analysis_deliver", "UPDATE tillroll.game_analysis SET done = $4 + $7, total = $5,"
                        "  plies = plies || CASE WHEN $4 > 0 AND $7 > 0 THEN ',' ELSE '' END || $6,"
                        "  leased_until = clock_timestamp() + make_interval(secs => $8)" OWN_LEASE
                        " AND done = $4 AND $4 + $7 <= $5"};

enum db_status analysis_deliver(struct db *db, const struct analysis_lease *own, unsigned done,
                                unsigned total, const char *plies, unsigned plies_count)
{
    return statement_change(db, &deliver,
                            WITH(ID(&own->game), ID(&own->player), NUMBER(own->attempt),
                                 NUMBER(done), NUMBER(total), TEXT(plies), NUMBER(plies_count),
                                 NUMBER(ANALYSIS_LEASE_S)),
                            DB_NONE);
}

static const struct statement plies = {
    "analysis_plies", "SELECT '[' || plies || ']' FROM tillroll.game_analysis" OWN_LEASE};

enum db_status analysis_plies(struct db *db, struct arena *arena, const struct analysis_lease *own,
                              const char **text)
{
    return statement_one(db, arena, &plies,
                         WITH(ID(&own->game), ID(&own->player), NUMBER(own->attempt)),
                         row_read_text, text);
}

static const struct statement finish = {
    "analysis_finish", "UPDATE tillroll.game_analysis SET document = $4, asked_by = NULL,"
                       " leased_by = NULL, leased_until = NULL, plies = NULL" OWN_LEASE};

enum db_status analysis_finish(struct db *db, const struct analysis_lease *own,
                               const char *document)
{
    return statement_change(
        db, &finish, WITH(ID(&own->game), ID(&own->player), NUMBER(own->attempt), TEXT(document)),
        DB_NONE);
}

static const struct statement give_up = {
    "analysis_give_up", "UPDATE tillroll.game_analysis SET leased_by = NULL, leased_until = NULL,"
                        " done = 0, total = 0, plies = NULL, attempts = $4" OWN_LEASE};

enum db_status analysis_give_up(struct db *db, const struct analysis_lease *own)
{
    return statement_change(
        db, &give_up,
        WITH(ID(&own->game), ID(&own->player), NUMBER(own->attempt), NUMBER(ANALYSIS_ATTEMPTS)),
        DB_NONE);
}

static const struct statement drop = {
    "analysis_drop", "DELETE FROM tillroll.game_analysis WHERE game_id = $1 AND document IS NULL"};

enum db_status analysis_drop(struct db *db, const struct id *game)
{
    return statement_change(db, &drop, WITH(ID(game)), DB_OK);
}
