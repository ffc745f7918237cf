/* Who may do what in an event now. How it came so stands in the event's log. */
#include "db/events.h"
#include "db/statement.h"

static const struct statement organizer = {
    "event_organizer", "SELECT 1 FROM tillroll.event_role"
                       " WHERE event_id = $1 AND player_id = $2 AND role = 'organizer'"};

enum db_status event_organizer(struct db *db, const struct id *event, const struct id *player)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    parameter_id(&p, player);
    return statement_change(db, &organizer, &p, DB_NONE);
}

static const struct statement official = {
    "event_official",
    "SELECT 1 FROM tillroll.event_role WHERE event_id = $1 AND player_id = $2 LIMIT 1"};

enum db_status event_official(struct db *db, const struct id *event, const struct id *player)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    parameter_id(&p, player);
    return statement_change(db, &official, &p, DB_NONE);
}

static const struct statement give = {"event_role_give",
                                      "INSERT INTO tillroll.event_role (event_id, player_id, role)"
                                      " VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"};

static const struct statement take = {
    "event_role_take",
    "DELETE FROM tillroll.event_role WHERE event_id = $1 AND player_id = $2 AND role = $3"};

static enum db_status change_role(struct db *db, const struct statement *statement,
                                  const struct id *event, const struct id *player, const char *role,
                                  enum db_status otherwise)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    parameter_id(&p, player);
    parameter_text(&p, role);
    return statement_change(db, statement, &p, otherwise);
}

enum db_status event_role_give(struct db *db, const struct id *event, const struct id *player,
                               const char *role)
{
    return change_role(db, &give, event, player, role, DB_CONFLICT);
}

enum db_status event_role_take(struct db *db, const struct id *event, const struct id *player,
                               const char *role)
{
    return change_role(db, &take, event, player, role, DB_NONE);
}

static const struct statement list = {
    "event_role_list", "SELECT player_id, player.name, role"
                       " FROM tillroll.event_role JOIN tillroll.player ON player.id = player_id"
                       " WHERE event_id = $1 ORDER BY role DESC, player.name, player_id"};

static void read_role(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct event_role *role = element;
    *role = (struct event_role){.player = row_id(rows, row, 0),
                                .player_name = row_text(rows, row, 1, arena),
                                .role = row_text(rows, row, 2, arena)};
}

enum db_status event_role_list(struct db *db, struct arena *arena, const struct id *event,
                               struct event_role **roles, size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    enum db_status status;
    *roles = statement_list(db, arena, &list, &p, sizeof **roles, read_role, count, &status);
    return status;
}
