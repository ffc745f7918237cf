/* An event's log: numbered without gaps, because whoever adds to it holds the event's lock. */
#include "db/store/events/event_log.h"

#include <stdlib.h>
#include <string.h>

#include "db/link/statement.h"
#include "db/store/events/events.h"
#include "db/store/games/games.h"

static const struct statement add = {
    "event_log_add", "INSERT INTO tillroll.event_step (event_id, seq, at, actor_id, kind, detail)"
                     " SELECT $1, coalesce(max(seq), 0) + 1, tillroll.from_ms($3), $2, $4, $5"
                     " FROM tillroll.event_step WHERE event_id = $1"};

enum db_status event_log_add(struct db *db, const struct id *event, const struct id *actor,
                             int64_t now_ms, const char *kind, const char *detail)
{
    return statement_change(
        db, &add, WITH(ID(event), ID(actor), NUMBER(now_ms), TEXT(kind), TEXT(detail)), DB_ERROR);
}

#define STEP_COLUMNS "seq, tillroll.to_ms(at), actor_id, player.name, kind, detail"
#define STEP_TABLES  " FROM tillroll.event_step LEFT JOIN tillroll.player ON player.id = actor_id"

/* Columns: STEP_COLUMNS. */
static void read_step(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct event_step *step = element;
    *step = (struct event_step){
        .seq = row_unsigned(rows, row, 0),
        .at_ms = row_integer(rows, row, 1),
        .actor = row_id(rows, row, 2),
        .actor_name = row_text(rows, row, 3, arena),
        .kind = row_text(rows, row, 4, arena),
        .detail = row_text(rows, row, 5, arena),
    };
}

static const struct statement list = {
    "event_log_list",
    "SELECT " STEP_COLUMNS STEP_TABLES " WHERE event_id = $1 AND seq > $2"
    " AND ($3::integer IS NULL OR seq <= $3)"
    " AND ($4::bigint IS NULL OR at <= tillroll.from_ms($4)) ORDER BY seq LIMIT $5"};

enum db_status event_log_list(struct db *db, struct arena *arena, const struct id *event,
                              unsigned after, const struct event_moment *moment, size_t limit,
                              struct event_step **steps, size_t *count)
{
    int64_t at_ms = moment == NULL ? 0 : moment->at_ms;
    return statement_list(db, arena, &list,
                          WITH(ID(event), NUMBER(after),
                               POSITIVE(moment == NULL ? 0 : moment->line),
                               at_ms == 0 ? TEXT(NULL) : NUMBER(at_ms), NUMBER(limit)),
                          sizeof **steps, read_step, steps, count);
}

static const struct statement begin = {"event_log_begin",
                                       "SELECT coalesce(max(seq), 1) FROM tillroll.event_step"
                                       " WHERE event_id = $1 AND kind = 'restated'"};

enum db_status event_log_begin(struct db *db, const struct id *event, unsigned *line)
{
    return statement_value(db, &begin, WITH(ID(event)), line);
}

static const struct statement find = {"event_log_find", "SELECT " STEP_COLUMNS STEP_TABLES
                                                        " WHERE event_id = $1 AND seq = $2"};

enum db_status event_log_find(struct db *db, struct arena *arena, const struct id *event,
                              unsigned line, struct event_step *step)
{
    return statement_one(db, arena, &find, WITH(ID(event), NUMBER(line)), read_step, step);
}

static const struct statement newest = {"event_log_last",
                                        "SELECT " STEP_COLUMNS STEP_TABLES
                                        " WHERE event_id = $1 ORDER BY seq DESC LIMIT 1"};

enum db_status event_log_last(struct db *db, struct arena *arena, const struct id *event,
                              struct event_step *step)
{
    return statement_one(db, arena, &newest, WITH(ID(event)), read_step, step);
}

static const struct statement chain = {"event_log_chain",
                                       "SELECT " STEP_COLUMNS ", event_id, hash" STEP_TABLES
                                       " WHERE (event_id, seq) > ($1, $2::integer)"
                                       " ORDER BY event_id, seq LIMIT $3"};

static void read_chained_step(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct event_chained_step *step = element;
    read_step(rows, row, arena, &step->step);
    step->event = row_id(rows, row, 6);
    row_hash(rows, row, 7, step->hash);
}

enum db_status event_log_chain(struct db *db, struct arena *arena, const struct id *after,
                               unsigned after_line, size_t limit, struct event_chained_step **steps,
                               size_t *count)
{
    return statement_list(db, arena, &chain, WITH(AFTER(after), NUMBER(after_line), NUMBER(limit)),
                          sizeof **steps, read_chained_step, steps, count);
}

/* Only a copy of somebody's data asks for it, so there is no index by actors. */
static const struct statement of_player = {
    "event_log_of_player",
    "SELECT " STEP_COLUMNS ", event_id, hash" STEP_TABLES " WHERE actor_id = $1 AND event_id IN"
    " (SELECT event_id FROM tillroll.entry WHERE player_id = $1"
    " UNION SELECT event_id FROM tillroll.event_role WHERE player_id = $1)"
    " ORDER BY at DESC, event_id DESC, seq DESC LIMIT $2"};

enum db_status event_log_of_player(struct db *db, struct arena *arena, const struct id *player,
                                   size_t limit, struct event_chained_step **steps, size_t *count)
{
    return statement_list(db, arena, &of_player, WITH(ID(player), NUMBER(limit)), sizeof **steps,
                          read_chained_step, steps, count);
}

static const struct statement find_hash = {
    "event_log_hash", "SELECT hash FROM tillroll.event_step WHERE event_id = $1 AND seq = $2"};

enum db_status event_log_hash(struct db *db, const struct id *event, unsigned line,
                              uint8_t hash[static 32])
{
    return statement_one(db, NULL, &find_hash, WITH(ID(event), NUMBER(line)), row_read_hash, hash);
}

/* ---- Changes, for those who follow an event ---- */

static const struct statement last = {
    "event_change_last",
    "SELECT coalesce(max(seq), 0) FROM tillroll.event_change WHERE event_id = $1"};

enum db_status event_change_last(struct db *db, const struct id *event, unsigned *seq)
{
    return statement_value(db, &last, WITH(ID(event)), seq);
}

static const struct statement list_changes = {
    "event_change_list",
    "SELECT change.seq, change.kind,"
    " coalesce(tillroll.to_ms(step.at), split_part(line.line, ' ', 2)::bigint),"
    " player.id, player.name, coalesce(step.kind, split_part(line.line, ' ', 4)), step.detail,"
    " coalesce(step.seq, line.number), change.game_id,"
    " coalesce(change.absent,"
    "          (SELECT sum(1 << earlier.seat) FROM tillroll.event_change AS earlier"
    "           WHERE earlier.game_id = change.game_id AND earlier.kind = 'seat_absent'"
    "               AND earlier.seq <= change.seq), 0),"
    " coalesce(change.forfeited, 0), coalesce(change.timed_out, 0), dispute.id, dispute.game_id"
    " FROM tillroll.event_change AS change"
    " LEFT JOIN tillroll.event_step AS step"
    "  ON step.event_id = change.event_id AND step.seq = change.step"
    " LEFT JOIN tillroll.dispute ON dispute.id = change.dispute_id"
    " LEFT JOIN tillroll.dispute_step AS line"
    "  ON line.dispute_id = change.dispute_id AND line.number = change.dispute_step"
    " LEFT JOIN tillroll.player ON player.id = coalesce(step.actor_id, line.actor_id)"
    " WHERE change.event_id = $1 AND change.seq > $2 AND change.seq <= $3"
    " ORDER BY change.seq LIMIT $4"};

static const struct statement list_games = {
    "event_change_games",
    GAME_ROW_COLUMNS " FROM tillroll.game" GAME_ROW_JOINS
                     " WHERE game.id IN (SELECT game_id FROM tillroll.event_change"
                     "  WHERE event_id = $1 AND seq > $2 AND seq <= $3)"
                     " ORDER BY game.id, seat.seat"};

static const struct statement list_players = {
    "event_change_players",
    "SELECT change.seq, sitting.seat - 1, player.id, player.name"
    " FROM tillroll.event_change AS change,"
    "     unnest(change.players) WITH ORDINALITY AS sitting (player_id, seat)"
    " JOIN tillroll.player ON player.id = sitting.player_id"
    " WHERE change.event_id = $1 AND change.seq > $2 AND change.seq <= $3"
    " ORDER BY change.seq, sitting.seat"};

static enum event_change_kind read_kind(const char *name)
{
    static const char *const names[] = {"log",        "game_started", "seats_changed",
                                        "game_ended", "game_scored",  "standings",
                                        "dispute",    "recording"};
    size_t kind = 0;
    if (strcmp(name, "seat_absent") == 0)
        return EVENT_CHANGE_SEATS;
    while (strcmp(names[kind], name) != 0)
        kind++;
    return (enum event_change_kind)kind;
}

static struct event_step read_change(const struct rows *rows, int row, struct arena *arena)
{
    return (struct event_step){
        .seq = row_unsigned(rows, row, 7),
        .at_ms = row_integer(rows, row, 2),
        .actor = row_id(rows, row, 3),
        .actor_name = row_text(rows, row, 4, arena),
        .kind = row_text(rows, row, 5, arena),
        .detail = row_text(rows, row, 6, arena),
    };
}

static int compare_games(const void *id, const void *game)
{
    return strcmp(((const struct id *)id)->text, ((const struct game_row *)game)->id.text);
}

/* The game with its seats as the row says they were. */
static struct game_row *game_then(const struct rows *rows, int row, const struct game_row *now,
                                  struct arena *arena)
{
    struct game_row *game = arena_take(arena, sizeof *game);
    *game = *now;
    for (unsigned seat = 0; seat < game->seats; seat++) {
        game->seat[seat].fallback = (row_unsigned(rows, row, 9) >> seat & 1) != 0;
        game->seat[seat].forfeited = (row_unsigned(rows, row, 10) >> seat & 1) != 0;
        game->seat[seat].timed_out = (row_unsigned(rows, row, 11) >> seat & 1) != 0;
    }
    return game;
}

/* Who sat where after each change. `changes` have the games, in order of their numbers. */
static enum db_status add_players(struct db *db, struct arena *arena, const struct value *p,
                                  const struct event_change *changes, size_t count)
{
    struct rows rows;
    enum db_status status = statement_rows(db, &list_players, p, &rows);
    if (status != DB_OK)
        return status;
    size_t at = 0;
    for (int row = 0; row < rows.count; row++) {
        while (at < count && changes[at].seq < row_unsigned(&rows, row, 0))
            at++;
        unsigned number = row_unsigned(&rows, row, 1);
        if (at == count || changes[at].game == NULL || number >= changes[at].game->seats)
            continue;
        struct game_row_seat *seat = &changes[at].game->seat[number];
        seat->player = row_id(&rows, row, 2);
        seat->player_name = row_text(&rows, row, 3, arena);
        if (id_equal(&seat->player, &seat->first_player))
            seat->first_player = (struct id){""};
    }
    rows_free(&rows);
    return DB_OK;
}

/* Reads the games that the rows speak of and ties them to the changes. */
static enum db_status add_games(struct db *db, struct arena *arena, const struct id *event,
                                unsigned after, const struct rows *rows,
                                struct event_change *changes)
{
    struct game_row *now;
    size_t count;
    const struct value *p = WITH(ID(event), NUMBER(after), NUMBER(changes[rows->count - 1].seq));
    enum db_status status = game_rows_list(db, arena, &list_games, p, &now, &count);
    if (status != DB_OK)
        return status;
    for (int row = 0; row < rows->count; row++) {
        struct id id = row_id(rows, row, 8);
        if (id.text[0] == '\0')
            continue;
        const struct game_row *game = bsearch(&id, now, count, sizeof *now, compare_games);
        changes[row].game = game_then(rows, row, game, arena);
    }
    return add_players(db, arena, p, changes, (size_t)rows->count);
}

enum db_status event_change_list(struct db *db, struct arena *arena, const struct id *event,
                                 unsigned after, unsigned up_to, size_t limit,
                                 struct event_change **changes, size_t *count)
{
    const struct value *p = WITH(ID(event), NUMBER(after), NUMBER(up_to), NUMBER(limit));
    struct rows rows;
    bool games = false;
    enum db_status status = statement_rows(db, &list_changes, p, &rows);
    if (status != DB_OK)
        return status;
    *count = (size_t)rows.count;
    *changes = arena_array(arena, *count, sizeof **changes);
    for (int row = 0; row < rows.count; row++) {
        (*changes)[row] = (struct event_change){
            .seq = row_unsigned(&rows, row, 0),
            .kind = read_kind(row_text(&rows, row, 1, arena)),
            .step = read_change(&rows, row, arena),
            .dispute = row_id(&rows, row, 12),
            .disputed = row_id(&rows, row, 13),
        };
        games = games || !row_is_null(&rows, row, 8);
    }
    if (games)
        status = add_games(db, arena, event, after, &rows, *changes);
    rows_free(&rows);
    return status;
}
