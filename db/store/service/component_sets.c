#include "db/store/service/component_sets.h"

#include "db/link/statement.h"
#include "db/store/service/person.h"

static const struct statement add = {
    "component_set_add",
    "INSERT INTO tillroll.component_set (hash, id, ruleset, name, body, registered_at,"
    " registered_by) VALUES ($1, $2, $3, nullif($4, ''), $5, tillroll.from_ms($6), $7)"
    " ON CONFLICT DO NOTHING"};

enum db_status component_set_add(struct db *db, const struct stored_set *set, struct span body)
{
    return statement_change(db, &add,
                            WITH(BYTES(set->hash, sizeof set->hash), ID(&set->id),
                                 TEXT(set->ruleset), TEXT(set->name),
                                 BYTES((const uint8_t *)body.at, body.length),
                                 NUMBER(set->registered_at_ms), ID(&set->registered_by)),
                            DB_CONFLICT);
}

#define COLUMNS                                                                                    \
    "SELECT hash, id, ruleset, name, tillroll.to_ms(registered_at), registered_by,"                \
    " (SELECT name FROM tillroll.player WHERE player.id = registered_by)"

static void read_set(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct stored_set *set = element;
    row_hash(rows, row, 0, set->hash);
    set->id = row_id(rows, row, 1);
    set->ruleset = row_text(rows, row, 2, arena);
    set->name = row_text(rows, row, 3, arena);
    set->registered_at_ms = row_integer(rows, row, 4);
    set->registered_by = row_id(rows, row, 5);
    set->registrant = row_text(rows, row, 6, arena);
}

static const struct statement find = {"component_set_find",
                                      COLUMNS ", CASE WHEN $2::boolean THEN body END"
                                              " FROM tillroll.component_set WHERE hash = $1"};

enum db_status component_set_find(struct db *db, struct arena *arena, const uint8_t hash[static 32],
                                  struct stored_set *set, struct span *body)
{
    struct rows rows;
    enum db_status status =
        statement_row(db, &find, WITH(BYTES(hash, 32), FLAG(body != NULL)), &rows);
    if (status != DB_OK)
        return status;
    read_set(&rows, 0, arena, set);
    if (body != NULL)
        body->at = (const char *)row_bytes(&rows, 0, 7, arena, &body->length);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement list = {"component_set_list",
                                      COLUMNS " FROM tillroll.component_set"
                                              " WHERE ruleset = $3 AND id < $1"
                                              " ORDER BY id DESC LIMIT $2"};

enum db_status component_set_list(struct db *db, struct arena *arena, const char *ruleset,
                                  const struct id *before, size_t limit, struct stored_set **sets,
                                  size_t *count)
{
    return statement_list(db, arena, &list, WITH(BEFORE(before), NUMBER(limit), TEXT(ruleset)),
                          sizeof **sets, read_set, sets, count);
}

static const struct statement count_since = {
    "component_set_count",
    "SELECT count(*) FROM (SELECT 1 FROM tillroll.component_set WHERE registered_by = ANY "
    "(" PERSON_PLAYERS_OF("$1") ")"
                                " AND registered_at >= tillroll.from_ms($2) LIMIT $3) AS counted"};

static void read_count(const struct rows *rows, int row, struct arena *arena, void *element)
{
    (void)arena;
    *(unsigned *)element = row_unsigned(rows, row, 0);
}

enum db_status component_set_count(struct db *db, const struct id *player, int64_t from_ms,
                                   unsigned most, unsigned *count)
{
    return statement_one(db, NULL, &count_since, WITH(ID(player), NUMBER(from_ms), NUMBER(most)),
                         read_count, count);
}
