#include "db/store/people/ties.h"

#include "db/link/statement.h"

static void read_tie(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct tie *tie = element;
    *tie = (struct tie){.event = row_id(rows, row, 0),
                        .event_name = row_text(rows, row, 1, arena),
                        .event_state = row_text(rows, row, 2, arena),
                        .as = row_text(rows, row, 3, arena),
                        .at_ms = row_integer(rows, row, 4)};
}

/* There is no index by players: these lists are needed only when a player wants to leave or asks
 * for a copy, which is rare. With such an index, plans for disputes would go through all players.
 */
static const struct statement entries = {
    "tie_entries",
    "SELECT event.id, event.name, event.state, entry.state, tillroll.to_ms(entry.entered_at)"
    " FROM tillroll.entry JOIN tillroll.event ON event.id = entry.event_id"
    " WHERE entry.player_id = $1 AND (NOT $2::boolean"
    "  OR (event.state <> 'closed' AND entry.state IN ('entered', 'waiting')))"
    " ORDER BY entry.event_id DESC LIMIT $3"};

enum db_status tie_entries(struct db *db, struct arena *arena, const struct id *player, bool open,
                           size_t limit, struct tie **ties, size_t *count)
{
    return statement_list(db, arena, &entries, WITH(ID(player), FLAG(open), NUMBER(limit)),
                          sizeof **ties, read_tie, ties, count);
}

static const struct statement offices = {
    "tie_offices",
    "SELECT event.id, event.name, event.state, own.role, 0"
    " FROM tillroll.event_role AS own JOIN tillroll.event ON event.id = own.event_id"
    " WHERE own.player_id = $1 AND (NOT $2::boolean"
    "  OR (own.role = 'organizer' AND event.state NOT IN ('draft', 'closed')"
    "   AND NOT EXISTS (SELECT FROM tillroll.event_role AS other"
    "    JOIN tillroll.player ON player.id = other.player_id"
    "    WHERE other.event_id = event.id AND other.role = 'organizer' AND other.player_id <> $1"
    "    AND player.deleted_at IS NULL)))"
    " ORDER BY own.event_id DESC LIMIT $3"};

enum db_status tie_offices(struct db *db, struct arena *arena, const struct id *player, bool alone,
                           size_t limit, struct tie **ties, size_t *count)
{
    return statement_list(db, arena, &offices, WITH(ID(player), FLAG(alone), NUMBER(limit)),
                          sizeof **ties, read_tie, ties, count);
}

static const struct statement running = {"tie_games",
                                         "SELECT own.game_id FROM tillroll.game_seat AS own"
                                         " JOIN tillroll.game ON game.id = own.game_id"
                                         " WHERE own.player_id = $1 AND game.finished_at IS NULL"
                                         " AND NOT own.forfeited"
                                         " ORDER BY own.game_id DESC LIMIT $2"};

enum db_status tie_games(struct db *db, struct arena *arena, const struct id *player, size_t limit,
                         struct id **games, size_t *count)
{
    return statement_list(db, arena, &running, WITH(ID(player), NUMBER(limit)), sizeof **games,
                          row_read_id, games, count);
}
