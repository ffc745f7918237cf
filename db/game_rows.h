/* Inside db/ only: how games are read, shared by games.c and rounds.c.
 *
 * The database gives one row per seat; rows of the same game follow each other, in seat order.
 */
#ifndef TILLROLL_DB_GAME_ROWS_H
#define TILLROLL_DB_GAME_ROWS_H

#include "db/games.h"
#include "db/statement.h"

#define GAME_ROW_COLUMNS                                                                           \
    "SELECT game.id, game.event_id, coalesce(game.round, 0), coalesce(game.table_number, 0),"      \
    " game.slug, game.version, game.options, game.finished_at IS NOT NULL,"                        \
    " tillroll.to_ms(game.started_at), coalesce(tillroll.to_ms(game.finished_at), 0),"             \
    " seat.player_id, player.name, coalesce(result.score, 0), coalesce(result.rank, 0),"           \
    " seat.fallback, coalesce(game.board, 0), result.game_id IS NOT NULL, game.voided,"            \
    " seat.forfeited, seat.put_out[1], first.name, game.clock,"                                    \
    " game.on_timeout, game.take_back, seat.timed_out, game.attempt, game.delay_entries"

#define GAME_ROW_JOINS                                                                             \
    " JOIN tillroll.game_seat AS seat ON seat.game_id = game.id"                                   \
    " JOIN tillroll.player ON player.id = seat.player_id"                                          \
    " LEFT JOIN tillroll.player AS first ON first.id = seat.put_out[1]"                            \
    " LEFT JOIN tillroll.game_result AS result"                                                    \
    "  ON result.game_id = seat.game_id AND result.seat = seat.seat"

/* Reads rows of GAME_ROW_COLUMNS as games and frees them. */
void game_rows_read(struct rows *rows, struct arena *arena, struct game_row **games, size_t *count);

#endif
