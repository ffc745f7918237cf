#include "db/store/events/seasons.h"

#include <assert.h>
#include <string.h>

#include "db/link/statement.h"
#include "db/store/service/person.h"

static const struct statement create = {
    "season_create",
    "INSERT INTO tillroll.season (id, name, method, counted, least_entrants, weighting, state,"
    "  organizer_id, created_at)"
    " VALUES ($1, $2, $3, $4, $5, $6, 'open', $7, tillroll.from_ms($8)) ON CONFLICT DO NOTHING"};

enum db_status season_create(struct db *db, const struct stored_season *season)
{
    return statement_change(db, &create,
                            WITH(ID(&season->id), TEXT(season->name), TEXT(season->method),
                                 NUMBER(season->counted), NUMBER(season->least_entrants),
                                 TEXT(season->weighting), ID(&season->organizer),
                                 NUMBER(season->created_at_ms)),
                            DB_CONFLICT);
}

#define SEASON_COLUMNS                                                                             \
    "SELECT season.id, season.name, method, counted, least_entrants, weighting, state = 'closed'," \
    " organizer_id, player.name, tillroll.to_ms(season.created_at),"                               \
    " (SELECT count(*) FROM tillroll.season_event"                                                 \
    "  WHERE season_id = season.id AND invited AND offered)"                                       \
    " FROM tillroll.season JOIN tillroll.player ON player.id = organizer_id"

/* Columns: SEASON_COLUMNS. */
static void read_season(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct stored_season *season = element;
    *season = (struct stored_season){.id = row_id(rows, row, 0),
                                     .name = row_text(rows, row, 1, arena),
                                     .method = row_text(rows, row, 2, arena),
                                     .counted = row_unsigned(rows, row, 3),
                                     .least_entrants = row_unsigned(rows, row, 4),
                                     .weighting = row_text(rows, row, 5, arena),
                                     .closed = row_boolean(rows, row, 6),
                                     .organizer = row_id(rows, row, 7),
                                     .organizer_name = row_text(rows, row, 8, arena),
                                     .created_at_ms = row_integer(rows, row, 9),
                                     .events = row_unsigned(rows, row, 10)};
}

static const struct statement take_lock = {
    "season_lock", "SELECT 1 FROM tillroll.season WHERE id = $1 FOR NO KEY UPDATE"};

static const struct statement find = {"season_find", SEASON_COLUMNS " WHERE season.id = $1"};

enum db_status season_find(struct db *db, struct arena *arena, const struct id *id, bool lock,
                           struct stored_season *season)
{
    struct rows rows;
    const struct value *p = WITH(ID(id));
    enum db_status status = lock ? statement_change(db, &take_lock, p, DB_NONE) : DB_OK;
    if (status == DB_OK)
        status = statement_row(db, &find, p, &rows);
    if (status != DB_OK)
        return status;
    read_season(&rows, 0, arena, season);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement list = {"season_list", SEASON_COLUMNS
                                      " WHERE season.id < $1 ORDER BY season.id DESC LIMIT $2"};

static const struct statement list_with = {"season_list_with", SEASON_COLUMNS
                                           " WHERE season.id < $1 AND season.id IN"
                                           "  (SELECT season_id FROM tillroll.season_event"
                                           "   WHERE event_id = $3 AND invited AND offered)"
                                           " ORDER BY season.id DESC LIMIT $2"};

enum db_status season_list(struct db *db, struct arena *arena, const struct id *event,
                           const struct id *before, size_t limit, struct stored_season **seasons,
                           size_t *count)
{
    if (event != NULL)
        return statement_list(db, arena, &list_with, WITH(BEFORE(before), NUMBER(limit), ID(event)),
                              sizeof **seasons, read_season, seasons, count);
    return statement_list(db, arena, &list, WITH(BEFORE(before), NUMBER(limit)), sizeof **seasons,
                          read_season, seasons, count);
}

static const struct statement set_closed = {
    "season_close", "UPDATE tillroll.season SET state = 'closed' WHERE id = $1 AND state = 'open'"};

enum db_status season_close(struct db *db, const struct id *id)
{
    return statement_change(db, &set_closed, WITH(ID(id)), DB_CONFLICT);
}

/* ---- Events ---- */

static const struct statement list_events = {
    "season_event_list",
    "SELECT event.id, event.name, slug, version, state, invited, offered,"
    " coalesce(tillroll.to_ms(step.at), 0)"
    " FROM tillroll.season_event JOIN tillroll.event ON event.id = season_event.event_id"
    " LEFT JOIN tillroll.event_step AS step"
    "  ON step.event_id = event.id AND step.kind = 'closed' AND event.state = 'closed'"
    " WHERE season_id = $1 ORDER BY step.at NULLS LAST, event.id"};

static void read_event(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct season_event_row *event = element;
    *event = (struct season_event_row){.event = row_id(rows, row, 0),
                                       .name = row_text(rows, row, 1, arena),
                                       .slug = row_text(rows, row, 2, arena),
                                       .version = row_text(rows, row, 3, arena),
                                       .state = row_text(rows, row, 4, arena),
                                       .invited = row_boolean(rows, row, 5),
                                       .offered = row_boolean(rows, row, 6),
                                       .closed_at_ms = row_integer(rows, row, 7)};
}

enum db_status season_event_list(struct db *db, struct arena *arena, const struct id *season,
                                 struct season_event_row **events, size_t *count)
{
    return statement_list(db, arena, &list_events, WITH(ID(season)), sizeof **events, read_event,
                          events, count);
}

static const struct statement count_offers = {
    "season_offers",
    "SELECT count(*) FROM tillroll.season_event AS event WHERE season_id = $1 AND NOT invited"
    " AND EXISTS (SELECT FROM tillroll.event_role AS official"
    "  WHERE official.event_id = event.event_id AND official.role = 'organizer'"
    "  AND official.player_id = ANY (" PERSON_PLAYERS_OF("$2") "))"};

enum db_status season_offers_of(struct db *db, const struct id *season, const struct id *player,
                                unsigned *count)
{
    return statement_value(db, &count_offers, WITH(ID(season), ID(player)), count);
}

static const struct statement ask = {
    "season_event_ask",
    "INSERT INTO tillroll.season_event AS event (season_id, event_id, invited, offered)"
    " VALUES ($1, $2, $3, $4) ON CONFLICT (season_id, event_id) DO UPDATE"
    " SET invited = event.invited OR excluded.invited, offered = event.offered OR "
    "excluded.offered"};

enum db_status season_event_ask(struct db *db, const struct id *season, const struct id *event,
                                bool invite, bool offer)
{
    return statement_change(db, &ask, WITH(ID(season), ID(event), FLAG(invite), FLAG(offer)),
                            DB_ERROR);
}

static const struct statement remove_event = {
    "season_event_remove",
    "DELETE FROM tillroll.season_event WHERE season_id = $1 AND event_id = $2"};

enum db_status season_event_remove(struct db *db, const struct id *season, const struct id *event)
{
    return statement_change(db, &remove_event, WITH(ID(season), ID(event)), DB_NONE);
}

static const struct statement field = {
    "season_field",
    "SELECT coalesce(first.mu_before, rating.mu, 0)"
    " FROM unnest($3::uuid[]) WITH ORDINALITY AS given (player_id, place)"
    " LEFT JOIN LATERAL (SELECT mu_before FROM"
    "  (SELECT id FROM tillroll.game WHERE event_id = $1"
    "   UNION ALL SELECT id FROM tillroll.rated_table WHERE event_id = $1) AS cause"
    "  JOIN tillroll.rating_step AS step ON step.cause = cause.id AND step.scope = $2"
    "  WHERE step.player_id = given.player_id"
    "  ORDER BY step.number LIMIT 1) AS first ON true"
    " LEFT JOIN tillroll.rating ON rating.player_id = given.player_id AND rating.scope = $2"
    "  AND rating.games > 0"
    " ORDER BY place"};

enum db_status season_field(struct db *db, const struct id *event, const char *slug,
                            const struct id *players, size_t count, int64_t *mu)
{
    struct rows rows;
    enum db_status status =
        statement_rows(db, &field, WITH(ID(event), TEXT(slug), IDS(players, count)), &rows);
    if (status != DB_OK)
        return status;
    assert((size_t)rows.count == count);
    for (int row = 0; row < rows.count; row++)
        mu[row] = row_integer(&rows, row, 0);
    rows_free(&rows);
    return DB_OK;
}

/* ---- The log ---- */

static const struct statement add_step = {
    "season_log_add",
    "INSERT INTO tillroll.season_step (season_id, seq, at, actor_id, kind, detail)"
    " SELECT $1, coalesce(max(seq), 0) + 1, tillroll.from_ms($3), $2, $4, $5"
    " FROM tillroll.season_step WHERE season_id = $1"};

enum db_status season_log_add(struct db *db, const struct id *season, const struct id *actor,
                              int64_t now_ms, const char *kind, const char *detail)
{
    return statement_change(db, &add_step,
                            WITH(ID(season), ID(actor), NUMBER(now_ms), TEXT(kind), TEXT(detail)),
                            DB_ERROR);
}

static const struct statement list_steps = {
    "season_log_list", "SELECT seq, tillroll.to_ms(at), actor_id, player.name, kind, detail"
                       " FROM tillroll.season_step JOIN tillroll.player ON player.id = actor_id"
                       " WHERE season_id = $1 AND seq > $2 ORDER BY seq LIMIT $3"};

static void read_step(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct event_step *step = element;
    *step = (struct event_step){.seq = row_unsigned(rows, row, 0),
                                .at_ms = row_integer(rows, row, 1),
                                .actor = row_id(rows, row, 2),
                                .actor_name = row_text(rows, row, 3, arena),
                                .kind = row_text(rows, row, 4, arena),
                                .detail = row_text(rows, row, 5, arena)};
}

enum db_status season_log_list(struct db *db, struct arena *arena, const struct id *season,
                               unsigned after, size_t limit, struct event_step **steps,
                               size_t *count)
{
    return statement_list(db, arena, &list_steps, WITH(ID(season), NUMBER(after), NUMBER(limit)),
                          sizeof **steps, read_step, steps, count);
}
