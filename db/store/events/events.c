/* Events: their settings and state, officials and entries, and timers. */
#include "db/store/events/events.h"

#include <assert.h>
#include <string.h>

#include "db/link/statement.h"

static const char *const state_names[] = {
    [EVENT_DRAFT] = "draft",     [EVENT_ENTRIES_OPEN] = "entries_open",
    [EVENT_CLOSED] = "closed",   [EVENT_ENTRIES_CLOSED] = "entries_closed",
    [EVENT_RUNNING] = "running",
};

enum { STATE_COUNT = sizeof state_names / sizeof state_names[0] };

const char *event_state_name(enum event_state state)
{
    return state_names[state];
}

/* Returns the state with this name; a check of the table allows no other names. */
static enum event_state state_named(const char *name)
{
    int state = 0;
    while (state + 1 < STATE_COUNT && strcmp(state_names[state], name) != 0)
        state++;
    assert(strcmp(state_names[state], name) == 0);
    return (enum event_state)state;
}

static const struct statement create = {
    "event_create",
    "WITH made AS ("
    " INSERT INTO tillroll.event (id, name, slug, version, format, settings, state, organizer_id,"
    "   commitment, created_at)"
    " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, tillroll.from_ms($10))"
    " ON CONFLICT DO NOTHING RETURNING id, organizer_id"
    "), role AS ("
    " INSERT INTO tillroll.event_role (event_id, player_id, role)"
    " SELECT id, organizer_id, 'organizer' FROM made"
    ") INSERT INTO tillroll_vault.event_secret (event_id, sealed) SELECT id, $11 FROM made"};

/* $1 .. $7: the columns that follow from the log. */
#define EVENT_VALUES(event)                                                                        \
    ID(&(event)->id), TEXT((event)->name), TEXT((event)->slug), TEXT((event)->version),            \
        TEXT((event)->format), TEXT((event)->settings), TEXT(event_state_name((event)->state))

enum db_status event_create(struct db *db, const struct event *event, const uint8_t *sealed,
                            size_t sealed_size)
{
    return statement_change(db, &create,
                            WITH(EVENT_VALUES(event), ID(&event->organizer),
                                 BYTES(event->commitment, sizeof event->commitment),
                                 NUMBER(event->created_at_ms), BYTES(sealed, sealed_size)),
                            DB_CONFLICT);
}

#define STAGE "settings #>> '{stages,0,"
/* A format without this setting has tables of two. */
#define SEATS "coalesce(" STAGE
#define EVENT_COLUMNS                                                                              \
    "SELECT event.id, event.name, slug, version, format, settings, state,"                         \
    " coalesce((SELECT max(round.number) FROM tillroll.round WHERE round.event_id = event.id), "   \
    "0),"                                                                                          \
    " (SELECT count(*) FROM tillroll.entry"                                                        \
    "  WHERE entry.event_id = event.id AND entry.state = 'entered'),"                              \
    " (SELECT count(*) FROM tillroll.entry"                                                        \
    "  WHERE entry.event_id = event.id AND entry.state = 'waiting'),"                              \
    " organizer_id, player.name, commitment, tillroll.to_ms(event.created_at),"                    \
    " settings -> 'options', " SEATS "seats_min}', '2'), " SEATS "seats_max}', '2'), " SEATS       \
    "seats_preferred}', '2'), " STAGE "rounds}', " STAGE "profile}', " STAGE "boards}', " STAGE    \
    "scoring}', " STAGE "play}', origin.key,"                                                      \
    " coalesce(tillroll.to_ms(origin.imported_at), 0), event.cancelled"                            \
    " FROM tillroll.event JOIN tillroll.player ON player.id = organizer_id"                        \
    " LEFT JOIN tillroll.event_origin AS origin ON origin.event_id = event.id"

/* Columns: EVENT_COLUMNS. */
static void read_event(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct event *event = element;
    size_t size;
    *event = (struct event){
        .id = row_id(rows, row, 0),
        .name = row_text(rows, row, 1, arena),
        .slug = row_text(rows, row, 2, arena),
        .version = row_text(rows, row, 3, arena),
        .format = row_text(rows, row, 4, arena),
        .settings = row_text(rows, row, 5, arena),
        .state = state_named(row_text(rows, row, 6, arena)),
        .rounds_started = row_unsigned(rows, row, 7),
        .entries = row_unsigned(rows, row, 8),
        .waiting = row_unsigned(rows, row, 9),
        .organizer = row_id(rows, row, 10),
        .organizer_name = row_text(rows, row, 11, arena),
        .created_at_ms = row_integer(rows, row, 13),
        .options = row_text(rows, row, 14, arena),
        .seats_min = row_unsigned(rows, row, 15),
        .seats_max = row_unsigned(rows, row, 16),
        .seats_preferred = row_unsigned(rows, row, 17),
        .rounds = row_unsigned(rows, row, 18),
        .profile = row_text(rows, row, 19, arena),
        .boards = row_unsigned(rows, row, 20),
        .scoring = row_text(rows, row, 21, arena),
        .play = row_text(rows, row, 22, arena),
        .origin = row_is_null(rows, row, 23) ? NULL : row_bytes(rows, row, 23, arena, &size),
        .imported_at_ms = row_integer(rows, row, 24),
        .cancelled = row_boolean(rows, row, 25),
    };
    row_hash(rows, row, 12, event->commitment);
}

/* Locks in a statement of its own: a single statement that waited for the lock and counted entries
 * would count them as they were before it waited. */
static const struct statement take_lock = {
    "event_lock", "SELECT 1 FROM tillroll.event WHERE id = $1 FOR NO KEY UPDATE"};

static const struct statement find = {"event_find", EVENT_COLUMNS " WHERE event.id = $1"};

enum db_status event_find(struct db *db, struct arena *arena, const struct id *id, bool lock,
                          struct event *event)
{
    const struct value *p = WITH(ID(id));
    enum db_status status = lock ? statement_change(db, &take_lock, p, DB_NONE) : DB_OK;
    return status == DB_OK ? statement_one(db, arena, &find, p, read_event, event) : status;
}

static enum db_status read_list(struct db *db, struct arena *arena,
                                const struct statement *statement, const struct value *p,
                                struct event **events, size_t *count)
{
    return statement_list(db, arena, statement, p, sizeof **events, read_event, events, count);
}

static const struct statement list = {"event_list", EVENT_COLUMNS
                                      " WHERE event.id < $1 ORDER BY event.id DESC LIMIT $2"};

enum db_status event_list(struct db *db, struct arena *arena, const struct id *before, size_t limit,
                          struct event **events, size_t *count)
{
    return read_list(db, arena, &list, WITH(BEFORE(before), NUMBER(limit)), events, count);
}

/* The search is limited to the newest events, because there is no index for these conditions. */
#define NEWEST                                                                                     \
    " WHERE event.id IN (SELECT id FROM (SELECT id, name, state FROM tillroll.event"               \
    " WHERE id < $1 ORDER BY id DESC LIMIT 2000) AS newest WHERE "
#define NEWEST_END " ORDER BY id DESC LIMIT $2) ORDER BY event.id DESC"

static const struct statement list_state = {"event_list_state",
                                            EVENT_COLUMNS NEWEST "state = $3" NEWEST_END};

enum db_status event_list_state(struct db *db, struct arena *arena, enum event_state state,
                                const struct id *before, size_t limit, struct event **events,
                                size_t *count)
{
    return read_list(db, arena, &list_state,
                     WITH(BEFORE(before), NUMBER(limit), TEXT(event_state_name(state))), events,
                     count);
}

/* Each event is looked up by itself: there is no index by players. */
static const struct statement list_of_player = {
    "event_list_of_player", EVENT_COLUMNS NEWEST
    "state <> 'closed' AND (EXISTS (SELECT FROM tillroll.entry WHERE entry.event_id = newest.id"
    " AND entry.player_id = $3 AND entry.state IN ('entered', 'waiting') OFFSET 0)"
    " OR EXISTS (SELECT FROM tillroll.event_role AS own WHERE own.event_id = newest.id"
    " AND own.player_id = $3 OFFSET 0))" NEWEST_END};

enum db_status event_list_of_player(struct db *db, struct arena *arena, const struct id *player,
                                    const struct id *before, size_t limit, struct event **events,
                                    size_t *count)
{
    return read_list(db, arena, &list_of_player, WITH(BEFORE(before), NUMBER(limit), ID(player)),
                     events, count);
}

static const struct statement list_organized = {
    "event_list_organized", EVENT_COLUMNS NEWEST
    "state <> 'draft' AND EXISTS (SELECT FROM tillroll.event_role AS own"
    " WHERE own.event_id = newest.id AND own.player_id = $3 AND own.role = 'organizer'"
    " OFFSET 0)" NEWEST_END};

enum db_status event_list_organized(struct db *db, struct arena *arena, const struct id *player,
                                    const struct id *before, size_t limit, struct event **events,
                                    size_t *count)
{
    return read_list(db, arena, &list_organized, WITH(BEFORE(before), NUMBER(limit), ID(player)),
                     events, count);
}

static const struct statement search = {
    "event_search", EVENT_COLUMNS NEWEST
    "position(tillroll.name_key($3) IN tillroll.name_key(name)) > 0" NEWEST_END};

enum db_status event_search(struct db *db, struct arena *arena, const char *words, size_t limit,
                            struct event **events, size_t *count)
{
    const struct id newest = {""};
    return read_list(db, arena, &search, WITH(BEFORE(&newest), NUMBER(limit), TEXT(words)), events,
                     count);
}

static const struct statement update = {
    "event_update", "UPDATE tillroll.event SET name = $2, slug = $3, version = $4, format = $5,"
                    " settings = $6, state = $7, cancelled = $8 WHERE id = $1"};

enum db_status event_update(struct db *db, const struct event *event)
{
    return statement_change(db, &update, WITH(EVENT_VALUES(event), FLAG(event->cancelled)),
                            DB_NONE);
}

/* ---- Roles ---- */

/* Current roles; the event's log has their history. */

static const struct statement organizer = {
    "event_organizer", "SELECT 1 FROM tillroll.event_role"
                       " WHERE event_id = $1 AND player_id = $2 AND role = 'organizer'"};

enum db_status event_organizer(struct db *db, const struct id *event, const struct id *player)
{
    return statement_change(db, &organizer, WITH(ID(event), ID(player)), DB_NONE);
}

static const struct statement official = {
    "event_official",
    "SELECT 1 FROM tillroll.event_role WHERE event_id = $1 AND player_id = $2 LIMIT 1"};

enum db_status event_official(struct db *db, const struct id *event, const struct id *player)
{
    return statement_change(db, &official, WITH(ID(event), ID(player)), DB_NONE);
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
    return statement_change(db, statement, WITH(ID(event), ID(player), TEXT(role)), otherwise);
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

static const struct statement list_roles = {
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
    return statement_list(db, arena, &list_roles, WITH(ID(event)), sizeof **roles, read_role, roles,
                          count);
}

/* ---- Entries ---- */

/* Entries, as they follow from the event's log. */

static const char *const entry_state_names[] = {
    [ENTRY_ENTERED] = "entered",     [ENTRY_WAITING] = "waiting", [ENTRY_WITHDRAWN] = "withdrawn",
    [ENTRY_NOT_THERE] = "not_there", [ENTRY_DROPPED] = "dropped",
};

const char *entry_state_name(enum entry_state state)
{
    return entry_state_names[state];
}

/* Returns the state with this name; a check of the table allows no other names. */
static enum entry_state entry_state_named(const char *name)
{
    size_t state = 0;
    while (state + 1 < sizeof entry_state_names / sizeof entry_state_names[0] &&
           strcmp(entry_state_names[state], name) != 0)
        state++;
    assert(strcmp(entry_state_names[state], name) == 0);
    return (enum entry_state)state;
}

static const struct statement put_entry = {
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

/* 0 stands for NULL in the arrays, which cannot hold it. */
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
    enum db_status status = statement_change(
        db, &put_entry,
        WITH(ID(event), IDS(players, count), INTEGERS(numbers, count), TEXTS(states, count),
             INTEGERS(checked, count), INTEGERS(dropped, count), BIGINTS(at, count)),
        DB_OK);
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
        .state = entry_state_named(row_text(rows, row, 6, arena)),
        .checked_in = row_boolean(rows, row, 7),
    };
}

static const struct statement find_entry = {"entry_find", ENTRY_COLUMNS
                                            " WHERE event_id = $1 AND player_id = $2"};

enum db_status entry_find(struct db *db, struct arena *arena, const struct id *event,
                          const struct id *player, struct event_entry *entry)
{
    return statement_one(db, arena, &find_entry, WITH(ID(event), ID(player)), read_entry, entry);
}

static const struct statement list_entries = {
    "entry_list",
    ENTRY_COLUMNS " WHERE event_id = $1 ORDER BY number NULLS LAST, entered_at, player_id"};

enum db_status entry_list(struct db *db, struct arena *arena, const struct id *event,
                          struct event_entry **entries, size_t *count)
{
    return statement_list(db, arena, &list_entries, WITH(ID(event)), sizeof **entries, read_entry,
                          entries, count);
}

/* ---- Timers ---- */

static const struct statement put_timer = {
    "timer_put", "INSERT INTO tillroll.event_timer (event_id, due_at)"
                 " VALUES ($1, tillroll.from_ms($2))"
                 " ON CONFLICT (event_id) DO UPDATE SET due_at = excluded.due_at"};

static const struct statement remove_timer = {
    "timer_remove", "DELETE FROM tillroll.event_timer WHERE event_id = $1"};

enum db_status deadline_set(struct db *db, const struct id *event, int64_t due_ms)
{
    return due_ms == 0
               ? statement_change(db, &remove_timer, WITH(ID(event)), DB_OK)
               : statement_change(db, &put_timer, WITH(ID(event), NUMBER(due_ms)), DB_ERROR);
}

static const struct statement find_timer = {
    "timer_find", "SELECT event_id FROM tillroll.event_timer WHERE due_at <= tillroll.from_ms($1)"
                  " ORDER BY due_at LIMIT 1"};

enum db_status deadline_find(struct db *db, int64_t now_ms, struct id *event)
{
    return statement_value(db, &find_timer, WITH(NUMBER(now_ms)), event);
}
