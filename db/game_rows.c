#include "db/game_rows.h"

#include <assert.h>

static void read_game(const struct rows *rows, int row, struct arena *arena, struct game_row *game)
{
    game->id = row_id(rows, row, 0);
    game->event = row_id(rows, row, 1);
    game->round = row_unsigned(rows, row, 2);
    game->table = row_unsigned(rows, row, 3);
    game->slug = row_text(rows, row, 4, arena);
    game->version = row_text(rows, row, 5, arena);
    game->options = row_text(rows, row, 6, arena);
    game->finished = row_boolean(rows, row, 7);
    game->started_at_ms = row_integer(rows, row, 8);
    game->finished_at_ms = row_integer(rows, row, 9);
    game->board = row_unsigned(rows, row, 15);
    game->scored = row_boolean(rows, row, 16);
    game->voided = row_boolean(rows, row, 17);
    game->clock = row_is_null(rows, row, 21) ? NULL : row_text(rows, row, 21, arena);
    game->on_timeout = row_text(rows, row, 22, arena);
    game->take_back = row_boolean(rows, row, 23);
    game->attempt = row_unsigned(rows, row, 25);
    game->delay_entries = row_unsigned(rows, row, 26);
    game->seats = 0;
}

static void read_seat(const struct rows *rows, int row, struct arena *arena, struct game_row *game)
{
    assert(game->seats < GAME_ROW_SEATS);
    game->seat[game->seats++] = (struct game_row_seat){
        .player = row_id(rows, row, 10),
        .player_name = row_text(rows, row, 11, arena),
        .score = (int)row_integer(rows, row, 12),
        .rank = row_unsigned(rows, row, 13),
        .fallback = row_boolean(rows, row, 14),
        .forfeited = row_boolean(rows, row, 18),
        .first_player = row_id(rows, row, 19),
        .first_player_name = row_text(rows, row, 20, arena),
        .timed_out = row_boolean(rows, row, 24),
    };
}

static bool starts_game(const struct rows *rows, int row)
{
    if (row == 0)
        return true;
    struct id here = row_id(rows, row, 0);
    struct id before = row_id(rows, row - 1, 0);
    return !id_equal(&here, &before);
}

void game_rows_read(struct rows *rows, struct arena *arena, struct game_row **games, size_t *count)
{
    *count = 0;
    *games = arena_array(arena, (size_t)rows->count, sizeof **games);
    for (int row = 0; row < rows->count; row++) {
        if (starts_game(rows, row))
            read_game(rows, row, arena, &(*games)[(*count)++]);
        read_seat(rows, row, arena, &(*games)[*count - 1]);
    }
    rows_free(rows);
}
