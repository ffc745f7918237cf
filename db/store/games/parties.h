/* The parties to a game or a table, who may not act on it as officials.
 *
 * A person (db/store/service/person.h) is a party to a game if one of its players sits in it, has
 * sat in it before a substitute came, or will sit in it when it starts. A person is also a party to
 * a game whose board is hidden, because others still have to play it, if one of its players is
 * entered in the game's event.
 *
 * The first four functions return DB_NONE otherwise. */
#ifndef TILLROLL_DB_STORE_GAMES_PARTIES_H
#define TILLROLL_DB_STORE_GAMES_PARTIES_H

#include "db/link/db.h"
#include "db/store/service/person.h"
#include "engine/record/signature.h"

/* DB_OK if the person of `player` is a party to the game. */
enum db_status party_to_game(struct db *db, const struct id *game, const struct id *player);

/* DB_OK if the person is a party to any game, in any attempt, at one table of an event. */
enum db_status party_to_table(struct db *db, const struct id *event, unsigned round, unsigned table,
                              const struct id *player);

/* DB_OK if the two players are one person. */
enum db_status party_same(struct db *db, const struct id *one, const struct id *other);

/* DB_OK if the person of `player` has, or had, another seat in the game than `seat`. */
enum db_status party_elsewhere(struct db *db, const struct id *game, unsigned seat,
                               const struct id *player);

/* Stores that line `act->number` of a game's record was written by `act->official`, with the
 * signature, unless its key is all zeros. DB_CONFLICT if it is stored already. */
enum db_status party_add_act(struct db *db, const struct id *game, const struct signature *act);

/* ---- For statements elsewhere ---- */

/* True if the board of a row `game` is hidden. OFFSET prevents the server from collecting all
 * results first. */
#define PARTY_IS_HIDDEN                                                                            \
    "(game.board IS NOT NULL AND NOT EXISTS"                                                       \
    " (SELECT FROM tillroll.game_result WHERE game_result.game_id = game.id OFFSET 0))"

/* True if the person is entered in the event of a row `game`. */
#define PARTY_TAKES_PART(person)                                                                   \
    "EXISTS (SELECT FROM tillroll.entry JOIN tillroll.player ON player.id = entry.player_id"       \
    " WHERE entry.event_id = game.event_id AND " PERSON_OF_ROW("player") " = " person ")"

/* True if the person sits in a row `game`, or has sat there before a substitute came. */
#define PARTY_SITS(person)                                                                         \
    "EXISTS (SELECT FROM tillroll.game_seat AS seat"                                               \
    " JOIN tillroll.player ON player.id = ANY (seat.put_out || seat.player_id)"                    \
    " WHERE seat.game_id = game.id AND " PERSON_OF_ROW("player") " = " person ")"

/* True if the person is a party to a row `game`. */
#define PARTY_IS(person)                                                                           \
    "(" PARTY_SITS(person) " OR (" PARTY_IS_HIDDEN " AND " PARTY_TAKES_PART(person) "))"

/* ---- Views by officials ---- */

/* The officials who have viewed everything in a running game, with their reasons. Rows are only
 * added; the caller holds the game's lock (game_lock()). */

enum { LOOKS_MAX = 100 }; /* per game */

struct look {
    struct id player;
    const char *player_name;
    int64_t at_ms;
    unsigned seq; /* of the last entry that the record had */
    const char *reason;
};

/* Adds a view. DB_CONFLICT if there are LOOKS_MAX already. */
enum db_status look_add(struct db *db, const struct id *game, const struct look *look);

/* Lists the views of a game, in the order of their times, in the arena. */
enum db_status look_list(struct db *db, struct arena *arena, const struct id *game,
                         struct look **looks, size_t *count);

#endif
