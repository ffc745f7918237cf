#include "db/disputes.h"

#include "db/statement.h"

static const struct statement create = {
    "dispute_create", "INSERT INTO tillroll.dispute (id, game_id, event_id, opened_by, state)"
                      " VALUES ($1, $2, $3, $4, 'open')"};

enum db_status dispute_create(struct db *db, const struct dispute_row *dispute)
{
    struct parameters p = {0};
    parameter_id(&p, &dispute->id);
    parameter_id(&p, &dispute->game);
    parameter_id(&p, &dispute->event);
    parameter_id(&p, &dispute->opened_by);
    return statement_change(db, &create, &p, DB_ERROR);
}

/* OFFSET keeps the server from gathering all results first. */
#define IS_HIDDEN                                                                                  \
    "(game.board IS NOT NULL AND NOT EXISTS"                                                       \
    " (SELECT FROM tillroll.game_result WHERE game_result.game_id = game.id OFFSET 0))"

#define DISPUTE_COLUMNS                                                                            \
    "SELECT dispute.id, dispute.game_id, dispute.event_id, opened_by, state,"                      \
    " coalesce(game.round, 0), coalesce(game.table_number, 0), game.finished_at IS NOT NULL,"      \
    " " IS_HIDDEN " FROM tillroll.dispute JOIN tillroll.game ON game.id = dispute.game_id"

/* Columns: DISPUTE_COLUMNS. */
static void read_dispute(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct dispute_row *dispute = element;
    *dispute = (struct dispute_row){.id = row_id(rows, row, 0),
                                    .game = row_id(rows, row, 1),
                                    .event = row_id(rows, row, 2),
                                    .opened_by = row_id(rows, row, 3),
                                    .state = row_text(rows, row, 4, arena),
                                    .round = row_unsigned(rows, row, 5),
                                    .table = row_unsigned(rows, row, 6),
                                    .finished = row_boolean(rows, row, 7),
                                    .hidden = row_boolean(rows, row, 8)};
}

static const struct statement find = {"dispute_find", DISPUTE_COLUMNS " WHERE dispute.id = $1"};

enum db_status dispute_find(struct db *db, struct arena *arena, const struct id *id,
                            struct dispute_row *dispute)
{
    struct parameters p = {0};
    struct rows rows;
    parameter_id(&p, id);
    enum db_status status = statement_row(db, &find, &p, &rows);
    if (status != DB_OK)
        return status;
    read_dispute(&rows, 0, arena, dispute);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement set_state = {"dispute_set_state",
                                           "UPDATE tillroll.dispute SET state = $2 WHERE id = $1"};

enum db_status dispute_set_state(struct db *db, const struct id *id, const char *state)
{
    struct parameters p = {0};
    parameter_id(&p, id);
    parameter_text(&p, state);
    return statement_change(db, &set_state, &p, DB_NONE);
}

/* ---- Who is concerned ---- */

/* In the event of the game, himself or by a bot of his. */
#define TAKES_PART(who)                                                                            \
    "EXISTS (SELECT FROM tillroll.entry JOIN tillroll.player ON player.id = entry.player_id"       \
    " WHERE entry.event_id = game.event_id AND " who " IN (player.id, player.owner_id))"

static const struct statement find_party = {
    "dispute_find_party",
    "SELECT 1 FROM tillroll.game WHERE game.id = $1 AND (EXISTS ("
    " SELECT FROM tillroll.game_seat AS seat"
    " JOIN tillroll.player ON player.id = ANY (seat.put_out || seat.player_id)"
    " WHERE seat.game_id = game.id AND $2 IN (player.id, player.owner_id))"
    " OR (" IS_HIDDEN " AND " TAKES_PART("$2") "))"};

enum db_status dispute_find_party(struct db *db, const struct id *game, const struct id *player)
{
    struct parameters p = {0};
    parameter_id(&p, game);
    parameter_id(&p, player);
    return statement_change(db, &find_party, &p, DB_NONE);
}

/* ---- Lists ---- */

#define VISIBLE                                                                                    \
    " AND (NOT " IS_HIDDEN "  OR EXISTS (SELECT FROM tillroll.game_seat AS own"                    \
    "   WHERE own.game_id = game.id AND own.player_id = $3)"                                       \
    "  OR ($4 AND NOT " TAKES_PART("$3") "))"                                                      \
                                         " ORDER BY dispute.id DESC LIMIT $2"
#define WAITING " AND state IN ('open', 'frozen', 'appealed')"

/* $1 before, $2 limit, $3 viewer, $4 official, $5 game or event. */
static const struct statement list_all = {"dispute_list_all",
                                          DISPUTE_COLUMNS " WHERE dispute.id < $1" VISIBLE};
static const struct statement list_waiting = {"dispute_list_waiting", DISPUTE_COLUMNS
                                              " WHERE dispute.id < $1" WAITING VISIBLE};
static const struct statement list_of_game = {
    "dispute_list_of_game",
    DISPUTE_COLUMNS " WHERE dispute.game_id = $5 AND dispute.id < $1" VISIBLE};
static const struct statement list_of_event = {
    "dispute_list_of_event",
    DISPUTE_COLUMNS " WHERE dispute.event_id = $5 AND dispute.id < $1" VISIBLE};

enum db_status dispute_list(struct db *db, struct arena *arena, const struct dispute_query *query,
                            const struct id *before, size_t limit, struct dispute_row **disputes,
                            size_t *count)
{
    const struct statement *statement = query->waiting ? &list_waiting : &list_all;
    const struct id *of = query->game.text[0] != '\0' ? &query->game : &query->event;
    struct parameters p = {0};
    parameter_id_before(&p, before);
    parameter_integer(&p, (int64_t)limit);
    parameter_id(&p, &query->viewer);
    parameter_boolean(&p, query->official);
    if (of->text[0] != '\0') {
        parameter_id(&p, of);
        statement = query->game.text[0] != '\0' ? &list_of_game : &list_of_event;
    }
    enum db_status status;
    *disputes =
        statement_list(db, arena, statement, &p, sizeof **disputes, read_dispute, count, &status);
    return status;
}

static const struct statement every = {"dispute_every", DISPUTE_COLUMNS
                                       " WHERE dispute.id > $1 ORDER BY dispute.id LIMIT $2"};

enum db_status dispute_list_all(struct db *db, struct arena *arena, const struct id *after,
                                size_t limit, struct dispute_row **disputes, size_t *count)
{
    struct parameters p = {0};
    parameter_id_after(&p, after);
    parameter_integer(&p, (int64_t)limit);
    enum db_status status;
    *disputes =
        statement_list(db, arena, &every, &p, sizeof **disputes, read_dispute, count, &status);
    return status;
}

static const struct statement count_of_game = {
    "dispute_count", "SELECT count(*), count(*) FILTER (WHERE waits),"
                     " count(*) FILTER (WHERE waits AND opened_by = $2)"
                     " FROM (SELECT opened_by, state IN ('open', 'frozen', 'appealed') AS waits"
                     "  FROM tillroll.dispute WHERE game_id = $1) AS dispute"};

enum db_status dispute_count(struct db *db, const struct id *game, const struct id *player,
                             struct dispute_counts *counts)
{
    struct parameters p = {0};
    struct rows rows;
    parameter_id(&p, game);
    parameter_id(&p, player);
    enum db_status status = statement_row(db, &count_of_game, &p, &rows);
    if (status != DB_OK)
        return status;
    *counts = (struct dispute_counts){.all = row_unsigned(&rows, 0, 0),
                                      .waiting = row_unsigned(&rows, 0, 1),
                                      .own = row_unsigned(&rows, 0, 2)};
    rows_free(&rows);
    return DB_OK;
}

/* ---- The log ---- */

static const struct statement add_line = {
    "dispute_line_add", "INSERT INTO tillroll.dispute_step (dispute_id, number, line, hash)"
                        " VALUES ($1, $2, $3, $4)"};

enum db_status dispute_line_add(struct db *db, const struct dispute_line *line)
{
    struct arena arena = {NULL};
    struct parameters p = {0};
    parameter_id(&p, &line->dispute);
    parameter_integer(&p, line->number);
    parameter_text(&p, arena_copy(&arena, line->line));
    parameter_bytes(&p, line->hash, sizeof line->hash);
    enum db_status status = statement_change(db, &add_line, &p, DB_ERROR);
    arena_free(&arena);
    return status;
}

static const struct statement list_lines = {
    "dispute_line_list", "SELECT dispute_id, number, line, hash, player.name"
                         " FROM tillroll.dispute_step JOIN tillroll.player ON player.id = actor_id"
                         " WHERE dispute_id = ANY ($1::uuid[]) ORDER BY dispute_id, number"};

static void read_line(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct dispute_line *line = element;
    *line = (struct dispute_line){.dispute = row_id(rows, row, 0),
                                  .number = row_unsigned(rows, row, 1),
                                  .line = span_of(row_text(rows, row, 2, arena)),
                                  .actor_name = row_text(rows, row, 4, arena)};
    row_hash(rows, row, 3, line->hash);
}

enum db_status dispute_line_list(struct db *db, struct arena *arena, const struct id *disputes,
                                 size_t dispute_count, struct dispute_line **lines, size_t *count)
{
    struct arena scratch = {NULL};
    struct parameters p = {0};
    parameter_array_id(&p, &scratch, disputes, dispute_count);
    enum db_status status;
    *lines = statement_list(db, arena, &list_lines, &p, sizeof **lines, read_line, count, &status);
    arena_free(&scratch);
    return status;
}
