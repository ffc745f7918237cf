/* Entries to events, as the event's log makes them. */
#include <assert.h>
#include <string.h>

#include "db/events.h"
#include "db/statement.h"

static const char *const state_names[] = {
    [ENTRY_ENTERED] = "entered",     [ENTRY_WAITING] = "waiting", [ENTRY_WITHDRAWN] = "withdrawn",
    [ENTRY_NOT_THERE] = "not_there", [ENTRY_DROPPED] = "dropped",
};

const char *entry_state_name(enum entry_state state)
{
    return state_names[state];
}

/* The table's check lets no other name in. */
static enum entry_state state_named(const char *name)
{
    size_t state = 0;
    while (state + 1 < sizeof state_names / sizeof state_names[0] &&
           strcmp(state_names[state], name) != 0)
        state++;
    assert(strcmp(state_names[state], name) == 0);
    return (enum entry_state)state;
}

static const struct statement put = {
    "entry_put",
    "INSERT INTO tillroll.entry AS entry (event_id, player_id, number, state, checked_in,"
    "  dropped_after, entered_at)"
    " SELECT $1, player, nullif(number, 0), state, checked_in <> 0, nullif(dropped, 0) - 1,"
    "  tillroll.from_ms(at)"
    " FROM unnest($2::uuid[], $3::integer[], $4::text[], $5::integer[], $6::integer[],"
    "  $7::bigint[]) AS new (player, number, state, checked_in, dropped, at)"
    " ON CONFLICT (event_id, player_id) DO UPDATE SET number = excluded.number,"
    "  state = excluded.state, checked_in = excluded.checked_in,"
    "  dropped_after = excluded.dropped_after,"
    "  entered_at = greatest(entry.entered_at, excluded.entered_at)"};

/* NULL is 0 on the way: an array of integers has none. */
enum db_status entry_put(struct db *db, const struct id *event, const struct event_entry *entries,
                         size_t count)
{
    struct arena arena = {NULL};
    struct id *players = arena_array(&arena, count, sizeof *players);
    int32_t *numbers = arena_array(&arena, count, sizeof *numbers);
    struct span *states = arena_array(&arena, count, sizeof *states);
    int32_t *checked = arena_array(&arena, count, sizeof *checked);
    int32_t *dropped = arena_array(&arena, count, sizeof *dropped);
    int64_t *at = arena_array(&arena, count, sizeof *at);
    for (size_t i = 0; i < count; i++) {
        players[i] = entries[i].player;
        numbers[i] = (int32_t)entries[i].number;
        states[i] = span_of(entry_state_name(entries[i].state));
        checked[i] = entries[i].checked_in;
        dropped[i] = entries[i].dropped ? (int32_t)entries[i].dropped_after + 1 : 0;
        at[i] = entries[i].entered_at_ms;
    }
    struct parameters p = {0};
    parameter_id(&p, event);
    parameter_array_id(&p, &arena, players, count);
    parameter_array_integer(&p, &arena, numbers, count);
    parameter_array_text(&p, &arena, states, count);
    parameter_array_integer(&p, &arena, checked, count);
    parameter_array_integer(&p, &arena, dropped, count);
    parameter_array_bigint(&p, &arena, at, count);
    enum db_status status = statement_change(db, &put, &p, DB_OK);
    arena_free(&arena);
    return status;
}

#define ENTRY_COLUMNS                                                                              \
    "SELECT player_id, player.name, coalesce(number, 0), dropped_after IS NOT NULL,"               \
    " coalesce(dropped_after, 0), tillroll.to_ms(entered_at), state, checked_in"                   \
    " FROM tillroll.entry JOIN tillroll.player ON player.id = player_id"

/* Columns: ENTRY_COLUMNS. */
static void read_entry(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct event_entry *entry = element;
    *entry = (struct event_entry){
        .player = row_id(rows, row, 0),
        .player_name = row_text(rows, row, 1, arena),
        .number = row_unsigned(rows, row, 2),
        .dropped = row_boolean(rows, row, 3),
        .dropped_after = row_unsigned(rows, row, 4),
        .entered_at_ms = row_integer(rows, row, 5),
        .state = state_named(row_text(rows, row, 6, arena)),
        .checked_in = row_boolean(rows, row, 7),
    };
}

static const struct statement find = {"entry_find",
                                      ENTRY_COLUMNS " WHERE event_id = $1 AND player_id = $2"};

enum db_status entry_find(struct db *db, struct arena *arena, const struct id *event,
                          const struct id *player, struct event_entry *entry)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    parameter_id(&p, player);
    struct rows rows;
    enum db_status status = statement_row(db, &find, &p, &rows);
    if (status != DB_OK)
        return status;
    read_entry(&rows, 0, arena, entry);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement list = {
    "entry_list",
    ENTRY_COLUMNS " WHERE event_id = $1 ORDER BY number NULLS LAST, entered_at, player_id"};

enum db_status entry_list(struct db *db, struct arena *arena, const struct id *event,
                          struct event_entry **entries, size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    enum db_status status;
    *entries = statement_list(db, arena, &list, &p, sizeof **entries, read_entry, count, &status);
    return status;
}
