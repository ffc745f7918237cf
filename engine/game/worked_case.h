/* Worked cases: a position, plies, refusals and expectations as text, run against a game.
 *
 *      case <id> <title>
 *      <set-up lines: the game's own, `key rest of line`; before the first ply>
 *      <seat>> <move>                 a ply; must be legal
 *      <seat>> <move> -> <code>       must be refused with this code, and change nothing
 *      = <key> <expectation>
 *      # comment                      a whole line, or after two spaces
 *
 * Set-up lines and the game's own keys are explained in its tests/cases/<slug>/README.md. The
 * runner answers these keys for all games:
 *
 *      deciders 0 2      the seats that decide, `-` when the game is over
 *      legal 0 17        how many legal moves seat 0 has
 *      moves 0 a | b     exactly these, in byte order; `-` for none
 *      can 0 a           a is one of them
 *      fallback 0 a      the fallback move of seat 0
 *      score 0 41        score and
 *      rank 0 1          rank, as if the game ended now
 *      over yes          nobody decides
 *
 * A file is plain text, or Markdown whose fenced blocks marked `case` are the cases.
 */
#ifndef TILLROLL_ENGINE_GAME_WORKED_CASE_H
#define TILLROLL_ENGINE_GAME_WORKED_CASE_H

#include "engine/game/game.h"

struct worked_case_count {
    unsigned held, failed;
};

/* Runs every case of `file`. For each case that fails, calls `say` with one line: its id, the line
 * number in the file, and the first difference. A file without a case is one failure. */
struct worked_case_count worked_cases_run(const struct game *game, struct span file,
                                          void (*say)(void *context, const char *line),
                                          void *context);

#endif
