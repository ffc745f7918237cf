#include "db/store/games/parties.h"

#include <string.h>

#include "db/link/statement.h"

/* $2: the player. */
#define IS_PARTY PARTY_IS(PERSON_OF("$2"))

static enum db_status ask(struct db *db, const struct statement *statement, const struct id *what,
                          const struct id *player)
{
    return statement_change(db, statement, WITH(ID(what), ID(player)), DB_NONE);
}

static const struct statement to_game = {
    "party_to_game", "SELECT 1 FROM tillroll.game WHERE game.id = $1 AND " IS_PARTY};

enum db_status party_to_game(struct db *db, const struct id *game, const struct id *player)
{
    return ask(db, &to_game, game, player);
}

static const struct statement to_table = {
    "party_to_table",
    "SELECT 1 WHERE EXISTS (SELECT FROM tillroll.game WHERE game.event_id = $1"
    "  AND game.round = $3 AND game.table_number = $4 AND " IS_PARTY ")"
    " OR EXISTS (SELECT FROM tillroll.waiting_game AS game JOIN tillroll.waiting_seat AS seat"
    "  ON seat.game_id = game.game_id JOIN tillroll.player ON player.id = seat.player_id"
    "  WHERE game.event_id = $1 AND game.round = $3 AND game.table_number = $4"
    "  AND " PERSON_OF_ROW("player") " = " PERSON_OF("$2") ")"};

enum db_status party_to_table(struct db *db, const struct id *event, unsigned round, unsigned table,
                              const struct id *player)
{
    return statement_change(db, &to_table,
                            WITH(ID(event), ID(player), NUMBER(round), NUMBER(table)), DB_NONE);
}

static const struct statement same = {"party_same",
                                      "SELECT 1 WHERE " PERSON_OF("$1") " = " PERSON_OF("$2")};

enum db_status party_same(struct db *db, const struct id *one, const struct id *other)
{
    return ask(db, &same, one, other);
}

static const struct statement elsewhere = {
    "party_elsewhere", "SELECT 1 WHERE EXISTS (SELECT FROM tillroll.game_seat AS seat"
                       " JOIN tillroll.player ON player.id = ANY (seat.put_out || seat.player_id)"
                       " WHERE seat.game_id = $1 AND seat.seat <> $3"
                       " AND " PERSON_OF_ROW("player") " = " PERSON_OF("$2") ")"};

enum db_status party_elsewhere(struct db *db, const struct id *game, unsigned seat,
                               const struct id *player)
{
    return statement_change(db, &elsewhere, WITH(ID(game), ID(player), NUMBER(seat)), DB_NONE);
}

static const struct statement add_act = {
    "party_add_act", "INSERT INTO tillroll.official_act (game_id, seq, player_id, key, signature)"
                     " VALUES ($1, $2, $3, $4, $5)"};

enum db_status party_add_act(struct db *db, const struct id *game, const struct signature *act)
{
    static const uint8_t none[sizeof act->key];
    bool is_signed = memcmp(act->key, none, sizeof none) != 0;
    struct id official;
    if (!id_parse(span_of(act->official), &official))
        return DB_ERROR;
    return statement_change(db, &add_act,
                            WITH(ID(game), NUMBER(act->number), ID(&official),
                                 BYTES(is_signed ? act->key : NULL, sizeof act->key),
                                 BYTES(is_signed ? act->bytes : NULL, sizeof act->bytes)),
                            DB_CONFLICT);
}

/* ---- Views by officials ---- */

static const struct statement add = {
    "look_add", "INSERT INTO tillroll.game_look (game_id, number, player_id, at, seq, reason)"
                " SELECT $1, number, $2, tillroll.from_ms($3), $4, $5"
                " FROM (SELECT coalesce(max(number), 0) + 1 AS number"
                "  FROM tillroll.game_look WHERE game_id = $1) AS next WHERE number <= $6"};

enum db_status look_add(struct db *db, const struct id *game, const struct look *look)
{
    return statement_change(db, &add,
                            WITH(ID(game), ID(&look->player), NUMBER(look->at_ms),
                                 NUMBER(look->seq), TEXT(look->reason), NUMBER(LOOKS_MAX)),
                            DB_CONFLICT);
}

static const struct statement list = {
    "look_list", "SELECT player_id, player.name, tillroll.to_ms(at), seq, reason"
                 " FROM tillroll.game_look JOIN tillroll.player ON player.id = player_id"
                 " WHERE game_id = $1 ORDER BY number"};

static void read_look(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct look *look = element;
    *look = (struct look){.player = row_id(rows, row, 0),
                          .player_name = row_text(rows, row, 1, arena),
                          .at_ms = row_integer(rows, row, 2),
                          .seq = row_unsigned(rows, row, 3),
                          .reason = row_text(rows, row, 4, arena)};
}

enum db_status look_list(struct db *db, struct arena *arena, const struct id *game,
                         struct look **looks, size_t *count)
{
    return statement_list(db, arena, &list, WITH(ID(game)), sizeof **looks, read_look, looks,
                          count);
}
