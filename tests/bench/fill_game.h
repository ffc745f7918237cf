/* A game that random players play from its header to its end, kept as the rows of
 * db/store/games/records.h. */
#ifndef TILLROLL_TESTS_FILL_GAME_H
#define TILLROLL_TESTS_FILL_GAME_H

#include <stdio.h>

#include "engine/record/replay.h"
#include "tests/engine/support/dice.h"

struct fill_row {
    size_t start, length; /* of the line in `bytes`, with its mark */
    uint8_t hash[32];
    bool is_ply;
    bool together;      /* of a ply: decided at the same time as the one on the row before */
    unsigned seat;      /* of a ply */
    size_t move_length; /* of a ply */
    uint32_t seq_after; /* the record's sequence number with this row */
};

struct fill_game {
    struct replay replay; /* as it ended */
    char *bytes;
    size_t length, capacity;
    struct fill_row *row; /* row[0] is the header */
    size_t count, row_capacity;
};

/* Plays the game of `header` with this secret to its head. `legal` was made for its ruleset. What
 * `game` held before is forgotten; its memory is used again. */
void fill_game_play(struct fill_game *game, const struct record_header *header,
                    const uint8_t secret[static 32], struct move_list *legal, struct dice *dice);

void fill_game_free(struct fill_game *game);

struct span fill_game_line(const struct fill_game *game, size_t row);

/* How many rows there are after `plies` plies, or after fewer: at least one ply is left to play,
 * and decisions that are taken at the same time are not parted. */
size_t fill_game_rows_after(const struct fill_game *game, size_t plies);

/* Writes the plies from row `from` on, at most `most`, as a script of api/cli/load/load_script.h.
 * token[seat] is the token of a seat's player. */
void fill_game_write_script(const struct fill_game *game, size_t from, size_t most,
                            const char *const *token, FILE *file);

#endif
