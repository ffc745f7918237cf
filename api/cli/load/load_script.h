/* A script for `tillroll load`: the moves of many games, known beforehand, so that a load generator
 * can play legal moves without asking for them. Text, one game after the other:
 *
 *      game <id> <token of seat 0> <token of seat 1> ...
 *      <seat> <seq> <seq after> <move>
 *      ...
 *
 * `seq` is the number at which the move is decided, as sent with it; `seq after` is the number that
 * the response must have. tests/bench/fill.c writes such files. */
#ifndef TILLROLL_API_CLI_LOAD_LOAD_SCRIPT_H
#define TILLROLL_API_CLI_LOAD_LOAD_SCRIPT_H

#include "engine/game/game.h"

struct load_script {
    char *bytes; /* the file, mapped */
    size_t length;
    size_t *game; /* offsets of the games' first lines */
    size_t games;
};

/* A game being played; everything is borrowed from the script. */
struct load_game {
    struct span id;
    struct span token[GAME_SEATS_MAX];
    unsigned seats;
    struct span rest; /* the remaining lines */
};

struct load_ply {
    unsigned seat;
    uint32_t seq, seq_after;
    struct span move;
};

/* Opens a script. False with a message in `error`. */
bool load_script_open(struct load_script *script, const char *path, struct text *error);
void load_script_close(struct load_script *script);

/* Finds game number `number`, from 0. False if its line cannot be read. */
bool load_script_game(const struct load_script *script, size_t number, struct load_game *game);

/* Reads the next ply of a game. False at its end. */
bool load_game_next(struct load_game *game, struct load_ply *ply);

#endif
