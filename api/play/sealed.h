/* Decisions that several seats take at the same time. A move is checked, sealed and stored when it
 * arrives, and answered with a receipt. Until the last is in, nothing that anybody else can read
 * has changed; then all of them enter the record together, in the order of seats, at one time.
 *
 * Where there are clocks, the record has a line `sealed` for every seat whose clock stood while
 * others decided. That line is held back: the time of the decision is stored with the move, and the
 * lines enter the record, in the order of their times, with the moves, or before any other line
 * that has to be written in between. Until then the record, and all that follows from it, shows
 * these clocks as if they ran:
 *
 *      writers   sealed_add_lines(): the game with the lines that are held back
 *      readers   the game as its record has it; a seat itself sees that its clock stands
 */
#ifndef TILLROLL_API_PLAY_SEALED_H
#define TILLROLL_API_PLAY_SEALED_H

#include "api/request/visibility.h"
#include "api/tables/game_writer.h"

/* A player's signature of a decision: it holds for the chain's value `head` at entry `seq`. */
struct sealed_signature {
    uint32_t seq;
    uint8_t head[32];
    uint8_t bytes[SIGNATURE_BYTES];
};

/* Takes the move of `seat` for the simultaneous decision at hand, with its signature, if it has one
 * (or NULL), and answers. False if the rules refuse the move: nothing has been answered then,
 * `refusal` says why. */
bool sealed_take(struct game_writer *writer, unsigned seat, struct span move,
                 const struct sealed_signature *signature, struct refusal *refusal);

/* Decides a move of `seat`, which is legal, for the simultaneous decision at hand: it is stored,
 * and opened with the others if it is the last. Where there are clocks and others are waited for,
 * the seat's line `sealed` is held back, unless other lines are written now. False with a problem.
 */
bool sealed_decide(struct game_writer *writer, unsigned seat, struct span move,
                   const struct sealed_signature *signature);

/* Whether there may be lines that are held back: several seats decide at the same time, with
 * clocks. Says nothing of whether there are. */
bool sealed_may_hold_back(const struct replay *replay);

/* Adds the lines `sealed` that are held back, for whoever is about to write another line to the
 * game, which is locked. They are the first of the writer's lines then, and are not stored unless
 * others follow (writer->held_back). Nothing in a game without clocks or simultaneous decisions. A
 * line that can no longer stand, because its seat has become absent, is left out. False with a
 * problem. */
bool sealed_add_lines(struct game_writer *writer);

/* If the seat has decided this move already, answers with the same receipt again and returns true.
 */
bool sealed_answer_again(struct call *call, const struct game_row *game,
                         const struct replay *replay, unsigned ply, unsigned seat,
                         struct span move);

/* Plays the sealed moves if the last that is needed is in, behind the lines that are held back. A
 * signature goes with its move unless it cannot be checked any more: somebody else has taken the
 * seat, or more lines have come between than signatures may lie back. False with a problem. */
bool sealed_open_all(struct game_writer *writer);

/* Whether `seat` has decided already in the decision at hand: for that seat's own eyes only. */
bool sealed_has_decided(struct call *call, const struct id *game, const struct replay *replay,
                        unsigned seat, bool *decided);

/* The clocks of the game (clocks_document()) as `viewer` may see them, in `clocks`: the clock of a
 * seat that has decided in secret stands in its own eyes. False with a problem. */
bool sealed_clocks(struct call *call, const struct id *game, const struct replay *replay,
                   struct viewer viewer, json_t **clocks);

#endif
