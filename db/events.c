/* Events: what they are, their state and their secret. The log, the roles and the entries have
 * files of their own (event_log.c, event_roles.c, entries.c).
 */
#include "db/events.h"

#include <assert.h>
#include <string.h>

#include "db/statement.h"

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

/* The table's check lets no other name in. */
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

/* $1 .. $7 of what follows from the log. */
static void parameter_event(struct parameters *p, const struct event *event)
{
    parameter_id(p, &event->id);
    parameter_text(p, event->name);
    parameter_text(p, event->slug);
    parameter_text(p, event->version);
    parameter_text(p, event->format);
    parameter_text(p, event->settings);
    parameter_text(p, event_state_name(event->state));
}

enum db_status event_create(struct db *db, const struct event *event, const uint8_t *sealed,
                            size_t sealed_size)
{
    struct parameters p = {0};
    parameter_event(&p, event);
    parameter_id(&p, &event->organizer);
    parameter_bytes(&p, event->commitment, sizeof event->commitment);
    parameter_integer(&p, event->created_at_ms);
    parameter_bytes(&p, sealed, sealed_size);
    return statement_change(db, &create, &p, DB_CONFLICT);
}

#define STAGE "settings #>> '{stages,0,"
/* Formats that do not say have tables of two. */
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
    " coalesce(tillroll.to_ms(origin.imported_at), 0)"                                             \
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
    };
    row_hash(rows, row, 12, event->commitment);
}

/* A statement of its own: one that waits for the lock and counts entries at once would count them
 * as they were before it waited. */
static const struct statement take_lock = {
    "event_lock", "SELECT 1 FROM tillroll.event WHERE id = $1 FOR NO KEY UPDATE"};

static const struct statement find = {"event_find", EVENT_COLUMNS " WHERE event.id = $1"};

enum db_status event_find(struct db *db, struct arena *arena, const struct id *id, bool lock,
                          struct event *event)
{
    struct parameters p = {0};
    parameter_id(&p, id);
    enum db_status status = lock ? statement_change(db, &take_lock, &p, DB_NONE) : DB_OK;
    struct rows rows;
    if (status == DB_OK)
        status = statement_row(db, &find, &p, &rows);
    if (status != DB_OK)
        return status;
    read_event(&rows, 0, arena, event);
    rows_free(&rows);
    return DB_OK;
}

static enum db_status read_list(struct db *db, struct arena *arena,
                                const struct statement *statement, const struct parameters *p,
                                struct event **events, size_t *count)
{
    enum db_status status;
    *events = statement_list(db, arena, statement, p, sizeof **events, read_event, count, &status);
    return status;
}

static const struct statement list = {"event_list", EVENT_COLUMNS
                                      " WHERE event.id < $1 ORDER BY event.id DESC LIMIT $2"};

enum db_status event_list(struct db *db, struct arena *arena, const struct id *before, size_t limit,
                          struct event **events, size_t *count)
{
    struct parameters p = {0};
    parameter_id_before(&p, before);
    parameter_integer(&p, (int64_t)limit);
    return read_list(db, arena, &list, &p, events, count);
}

/* Those after which nobody looks: there is no index for what is asked for here. */
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
    struct parameters p = {0};
    parameter_id_before(&p, before);
    parameter_integer(&p, (int64_t)limit);
    parameter_text(&p, event_state_name(state));
    return read_list(db, arena, &list_state, &p, events, count);
}

static const struct statement search = {
    "event_search", EVENT_COLUMNS NEWEST
    "position(tillroll.name_key($3) IN tillroll.name_key(name)) > 0" NEWEST_END};

enum db_status event_search(struct db *db, struct arena *arena, const char *words, size_t limit,
                            struct event **events, size_t *count)
{
    const struct id newest = {""};
    struct parameters p = {0};
    parameter_id_before(&p, &newest);
    parameter_integer(&p, (int64_t)limit);
    parameter_text(&p, words);
    return read_list(db, arena, &search, &p, events, count);
}

static const struct statement secret = {
    "event_secret", "SELECT sealed FROM tillroll_vault.event_secret WHERE event_id = $1"};

enum db_status event_secret(struct db *db, struct arena *arena, const struct id *id,
                            const uint8_t **sealed, size_t *size)
{
    struct parameters p = {0};
    parameter_id(&p, id);
    struct rows rows;
    enum db_status status = statement_row(db, &secret, &p, &rows);
    if (status != DB_OK)
        return status;
    *sealed = row_bytes(&rows, 0, 0, arena, size);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement set_state = {
    "event_set_state", "UPDATE tillroll.event SET state = $3 WHERE id = $1 AND state = $2"};

enum db_status event_set_state(struct db *db, const struct id *id, enum event_state from,
                               enum event_state to)
{
    struct parameters p = {0};
    parameter_id(&p, id);
    parameter_text(&p, event_state_name(from));
    parameter_text(&p, event_state_name(to));
    return statement_change(db, &set_state, &p, DB_CONFLICT);
}

static const struct statement update = {
    "event_update", "UPDATE tillroll.event SET name = $2, slug = $3, version = $4, format = $5,"
                    " settings = $6, state = $7 WHERE id = $1"};

enum db_status event_update(struct db *db, const struct event *event)
{
    struct parameters p = {0};
    parameter_event(&p, event);
    return statement_change(db, &update, &p, DB_NONE);
}
