/* Entries to events. A number is given once, when entries are closed; after that an entry can be
 * dropped but not removed.
 */
#include "db/events.h"
#include "db/statement.h"

static const struct statement create = {
    "entry_create", "INSERT INTO tillroll.entry (event_id, player_id, entered_at)"
                    " VALUES ($1, $2, tillroll.from_ms($3)) ON CONFLICT DO NOTHING"};

enum db_status entry_create(struct db *db, const struct id *event, const struct id *player,
                            int64_t now_ms)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    parameter_id(&p, player);
    parameter_integer(&p, now_ms);
    return statement_change(db, &create, &p, DB_CONFLICT);
}

static const struct statement delete_one = {
    "entry_delete", "DELETE FROM tillroll.entry WHERE event_id = $1 AND player_id = $2"
                    " AND (SELECT state FROM tillroll.event WHERE id = $1) = 'entries_open'"};

enum db_status entry_delete(struct db *db, const struct id *event, const struct id *player)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    parameter_id(&p, player);
    return statement_change(db, &delete_one, &p, DB_NONE);
}

static const struct statement drop = {
    "entry_drop", "UPDATE tillroll.entry SET dropped_after = $3"
                  " WHERE event_id = $1 AND player_id = $2 AND dropped_after IS NULL"};

enum db_status entry_drop(struct db *db, const struct id *event, const struct id *player,
                          unsigned after_round)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    parameter_id(&p, player);
    parameter_integer(&p, after_round);
    return statement_change(db, &drop, &p, DB_NONE);
}

static const struct statement number_all = {
    "entry_number_all",
    "UPDATE tillroll.entry SET number = ordered.number"
    " FROM (SELECT player_id, row_number() OVER (ORDER BY entered_at, player_id) AS number"
    "  FROM tillroll.entry WHERE event_id = $1) AS ordered"
    " WHERE entry.event_id = $1 AND entry.player_id = ordered.player_id"
    " AND entry.number IS DISTINCT FROM ordered.number"};

enum db_status entry_number_all(struct db *db, const struct id *event)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    return statement_change(db, &number_all, &p, DB_OK);
}

static const struct statement list = {
    "entry_list", "SELECT player_id, player.name, coalesce(number, 0), dropped_after IS NOT NULL,"
                  " coalesce(dropped_after, 0), tillroll.to_ms(entered_at)"
                  " FROM tillroll.entry JOIN tillroll.player ON player.id = player_id"
                  " WHERE event_id = $1 ORDER BY number NULLS LAST, entered_at, player_id"};

enum db_status entry_list(struct db *db, struct arena *arena, const struct id *event,
                          struct event_entry **entries, size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    struct rows rows;
    enum db_status status = statement_rows(db, &list, &p, &rows);
    if (status != DB_OK)
        return status;
    *count = (size_t)rows.count;
    *entries = arena_array(arena, *count, sizeof **entries);
    for (int row = 0; row < rows.count; row++)
        (*entries)[row] = (struct event_entry){
            .player = row_id(&rows, row, 0),
            .player_name = row_text(&rows, row, 1, arena),
            .number = row_unsigned(&rows, row, 2),
            .dropped = row_boolean(&rows, row, 3),
            .dropped_after = row_unsigned(&rows, row, 4),
            .entered_at_ms = row_integer(&rows, row, 5),
        };
    rows_free(&rows);
    return DB_OK;
}
