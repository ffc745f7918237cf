#include "db/store/log/disputes.h"

#include "db/link/statement.h"
#include "db/store/games/parties.h"

static const struct statement create = {
    "dispute_create", "INSERT INTO tillroll.dispute (id, game_id, event_id, opened_by, state)"
                      " VALUES ($1, $2, $3, $4, 'open')"};

enum db_status dispute_create(struct db *db, const struct dispute_row *dispute)
{
    return statement_change(
        db, &create,
        WITH(ID(&dispute->id), ID(&dispute->game), ID(&dispute->event), ID(&dispute->opened_by)),
        DB_ERROR);
}

#define DISPUTE_COLUMNS                                                                            \
    "SELECT dispute.id, dispute.game_id, dispute.event_id, opened_by, state,"                      \
    " coalesce(game.round, 0), coalesce(game.table_number, 0), game.finished_at IS NOT NULL,"      \
    " game.delay_entries > 0 AND game.finished_at IS NULL"                                         \
    " FROM tillroll.dispute JOIN tillroll.game ON game.id = dispute.game_id"

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
                                    .late = row_boolean(rows, row, 8)};
}

static const struct statement find = {"dispute_find", DISPUTE_COLUMNS " WHERE dispute.id = $1"};

enum db_status dispute_find(struct db *db, struct arena *arena, const struct id *id,
                            struct dispute_row *dispute)
{
    return statement_one(db, arena, &find, WITH(ID(id)), read_dispute, dispute);
}

static const struct statement set_state = {"dispute_set_state",
                                           "UPDATE tillroll.dispute SET state = $2 WHERE id = $1"};

enum db_status dispute_set_state(struct db *db, const struct id *id, const char *state)
{
    return statement_change(db, &set_state, WITH(ID(id), TEXT(state)), DB_NONE);
}

/* ---- Lists ---- */

#define VISIBLE                                                                                    \
    " AND (NOT " PARTY_IS_HIDDEN "  OR EXISTS (SELECT FROM tillroll.game_seat AS own"              \
    "   WHERE own.game_id = game.id AND own.player_id = $3)"                                       \
    "  OR ($4 AND NOT " PARTY_TAKES_PART(PERSON_OF("$3")) "))"                                     \
                                                          " ORDER BY dispute.id DESC LIMIT $2"
#define WAITING " AND state IN ('open', 'frozen', 'appealed')"

/* $1 before, $2 limit, $3 viewer, $4 official, $5 game or event. */
static const struct statement list_all = {"dispute_list_all",
                                          DISPUTE_COLUMNS " WHERE dispute.id < $1" VISIBLE};
static const struct statement list_waiting = {"dispute_list_waiting", DISPUTE_COLUMNS
                                              " WHERE dispute.id < $1" WAITING VISIBLE};
/* $5 everywhere. A player who opened, ruled or appealed does not decide the appeal. */
static const struct statement list_to_decide = {
    "dispute_list_to_decide", DISPUTE_COLUMNS
    " WHERE dispute.id < $1" WAITING " AND ($5 OR EXISTS (SELECT FROM tillroll.event_role AS office"
    " WHERE office.event_id = dispute.event_id AND office.player_id = $3))"
    " AND NOT (state = 'appealed' AND EXISTS (SELECT FROM tillroll.dispute_step AS step"
    " WHERE step.dispute_id = dispute.id AND step.actor_id = $3"
    " AND split_part(step.line, ' ', 4) IN ('opened', 'ruled', 'appealed')))" VISIBLE};
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
    struct value last = {.kind = VALUE_END};
    if (of->text[0] != '\0') {
        last = ID(of);
        statement = query->game.text[0] != '\0' ? &list_of_game : &list_of_event;
    } else if (query->own) {
        last = FLAG(query->everywhere);
        statement = &list_to_decide;
    }
    return statement_list(
        db, arena, statement,
        WITH(BEFORE(before), NUMBER(limit), ID(&query->viewer), FLAG(query->official), last),
        sizeof **disputes, read_dispute, disputes, count);
}

static const struct statement every = {"dispute_every", DISPUTE_COLUMNS
                                       " WHERE dispute.id > $1 ORDER BY dispute.id LIMIT $2"};

enum db_status dispute_list_all(struct db *db, struct arena *arena, const struct id *after,
                                size_t limit, struct dispute_row **disputes, size_t *count)
{
    return statement_list(db, arena, &every, WITH(AFTER(after), NUMBER(limit)), sizeof **disputes,
                          read_dispute, disputes, count);
}

static const struct statement count_of_game = {
    "dispute_count",
    "SELECT count(*), count(*) FILTER (WHERE state IN ('open', 'frozen', 'appealed'))"
    " FROM tillroll.dispute WHERE game_id = $1 AND opened_by = $2"};

enum db_status dispute_count(struct db *db, const struct id *game, const struct id *player,
                             struct dispute_counts *counts)
{
    struct rows rows;
    enum db_status status = statement_row(db, &count_of_game, WITH(ID(game), ID(player)), &rows);
    if (status != DB_OK)
        return status;
    *counts = (struct dispute_counts){.all = row_unsigned(&rows, 0, 0),
                                      .waiting = row_unsigned(&rows, 0, 1)};
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
    enum db_status status = statement_change(db, &add_line,
                                             WITH(ID(&line->dispute), NUMBER(line->number),
                                                  TEXT(arena_copy(&arena, line->line)),
                                                  BYTES(line->hash, sizeof line->hash)),
                                             DB_ERROR);
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
    return statement_list(db, arena, &list_lines, WITH(IDS(disputes, dispute_count)),
                          sizeof **lines, read_line, lines, count);
}

static const struct statement lines_of_player = {
    "dispute_lines_of_player",
    "SELECT dispute_id, number, line, hash, player.name"
    " FROM tillroll.dispute_step JOIN tillroll.player ON player.id = actor_id"
    " WHERE actor_id = $1 ORDER BY dispute_id DESC, number DESC LIMIT $2"};

enum db_status dispute_lines_of_player(struct db *db, struct arena *arena, const struct id *player,
                                       size_t limit, struct dispute_line **lines, size_t *count)
{
    return statement_list(db, arena, &lines_of_player, WITH(ID(player), NUMBER(limit)),
                          sizeof **lines, read_line, lines, count);
}
