#include "db/store/events/held_places.h"

#include "db/link/statement.h"

enum { CODE_HASH_BYTES = 32 };

static const struct statement create = {
    "held_place_create", "INSERT INTO tillroll.held_place (player_id, event_id, code_hash, held_at)"
                         " VALUES ($1, $2, $3, tillroll.from_ms($4)) ON CONFLICT DO NOTHING"};

enum db_status held_place_create(struct db *db, const struct held_place *place,
                                 const uint8_t code_hash[static 32])
{
    return statement_change(db, &create,
                            WITH(ID(&place->player), ID(&place->event),
                                 BYTES(code_hash, CODE_HASH_BYTES), NUMBER(place->held_at_ms)),
                            DB_CONFLICT);
}

#define PLACE_COLUMNS                                                                              \
    "SELECT held.player_id, held.event_id, player.name, tillroll.to_ms(held.held_at)"              \
    " FROM tillroll.held_place AS held JOIN tillroll.player ON player.id = held.player_id"

/* Columns: PLACE_COLUMNS. */
static void read_place(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct held_place *place = element;
    *place = (struct held_place){row_id(rows, row, 0), row_id(rows, row, 1),
                                 row_text(rows, row, 2, arena), row_integer(rows, row, 3)};
}

static const struct statement list = {"held_place_list",
                                      PLACE_COLUMNS " WHERE held.event_id = $1"
                                                    " ORDER BY held.player_id LIMIT $2"};

enum db_status held_place_list(struct db *db, struct arena *arena, const struct id *event,
                               size_t limit, struct held_place **places, size_t *count)
{
    return statement_list(db, arena, &list, WITH(ID(event), NUMBER(limit)), sizeof **places,
                          read_place, places, count);
}

static const struct statement by_code = {"held_place_by_code",
                                         PLACE_COLUMNS " WHERE held.code_hash = $1"};

enum db_status held_place_by_code(struct db *db, struct arena *arena,
                                  const uint8_t code_hash[static 32], struct held_place *place)
{
    return statement_one(db, arena, &by_code, WITH(BYTES(code_hash, CODE_HASH_BYTES)), read_place,
                         place);
}

static const struct statement set_code = {"held_place_set_code",
                                          "UPDATE tillroll.held_place SET code_hash = $3"
                                          " WHERE player_id = $2 AND event_id = $1"};

enum db_status held_place_set_code(struct db *db, const struct id *event, const struct id *player,
                                   const uint8_t code_hash[static 32])
{
    return statement_change(
        db, &set_code, WITH(ID(event), ID(player), BYTES(code_hash, CODE_HASH_BYTES)), DB_NONE);
}

static const struct statement claim = {"held_place_claim",
                                       "DELETE FROM tillroll.held_place WHERE code_hash = $1"};

enum db_status held_place_claim(struct db *db, const uint8_t code_hash[static 32])
{
    return statement_change(db, &claim, WITH(BYTES(code_hash, CODE_HASH_BYTES)), DB_NONE);
}

static const struct statement give_up = {"held_place_give_up",
                                         "DELETE FROM tillroll.held_place"
                                         " WHERE player_id = $2 AND event_id = $1"};

enum db_status held_place_give_up(struct db *db, const struct id *event, const struct id *player)
{
    return statement_change(db, &give_up, WITH(ID(event), ID(player)), DB_OK);
}
